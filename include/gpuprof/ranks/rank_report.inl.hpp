// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rank_report.hpp.
#ifndef GPUPROF_RANKS_RANK_REPORT_INL_HPP
#define GPUPROF_RANKS_RANK_REPORT_INL_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "../text/printable.hpp"
#include "rank_message.hpp"
#include "rank_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

GPUPROF_INLINE std::string_view rank_report::place_of(std::size_t of) const noexcept {
    for (rank_place const& each : places)
        if (each.rank == of) return each.name;
    return {};
}

GPUPROF_INLINE result<value_summary> rank_report::try_values(std::string_view range, std::string_view metric) const {
    for (rank_row const& each : rows)
        if (each.range == range && each.metric.name == metric) return value_summary{each.values};
    return error{errc::not_collected, 0,
                 "no rank has a value of " + gpuprof::detail::printable(metric) + " in \"" +
                     gpuprof::detail::printable_path(range) + '"',
                 problems.empty() ? "it was not asked for, or no rank had such a range" : problems.front().message(),
                 "look at the rows of the report"};
}

GPUPROF_INLINE result<rank_report> try_gather(communicator& ranks, report const& mine, gather_options const& options) {
    auto all = detail::rank_message::of(mine, ranks.rank(), false);
    if (auto done = all.try_reduce(ranks, ranks.next_operation(), options.deadline_ms); !done)
        return std::move(done).error();
    return std::move(all).report_of(ranks, mine.metrics(), false);
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_RANK_REPORT_INL_HPP
