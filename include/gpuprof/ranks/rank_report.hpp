// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all ranks measured: a row a range and metric, whatever the number of ranks.
#ifndef GPUPROF_RANKS_RANK_REPORT_HPP
#define GPUPROF_RANKS_RANK_REPORT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "communicator.hpp"
#include "silent_rank.hpp"
#include "value_summary.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// A metric of a range on all ranks that have a value of it.
struct rank_row {
    std::string range; // its path
    metric_info metric{};
    value_summary values{};
};

// Ranks that did the same work: their ranges have the same names, counts and launches.
struct like_ranks {
    std::uint64_t work = 0;           // a hash
    std::size_t count = 0;            // of ranks
    std::vector<std::size_t> first{}; // the four lowest of them
};

// A machine and GPU that a rank named in the report runs on.
struct rank_place {
    std::size_t rank = 0;
    std::string name; // "node17, NVIDIA H200"
};

// A report of all ranks, on rank 0; on other ranks it has what the rank itself and those below it in the tree sent. Its size
// grows with ranges and metrics alone. A value.
struct rank_report {
    // Different ranges; more are counted in left_out.
    static constexpr std::size_t most_ranges = 4096;

    std::size_t rank = 0;  // whose report it is
    std::size_t size = 0;  // ranks that there are
    std::size_t heard = 0; // ranks whose values are in it
    std::size_t left_out = 0;
    std::vector<rank_row> rows{}; // ranges in the order of the lowest rank, metrics within them
    // By the number of ranks, the most first; more than one where ranks differ, which is a problem where metrics are spread over
    // ranks, and none by itself elsewhere. At most 16.
    std::vector<like_ranks> work{};
    std::vector<silent_rank> silent{};
    // Of the ranks that are named in rows, work and silent; without those that sent nothing.
    std::vector<rank_place> places{};
    // What is missing and why: silent ranks, ranks that differ where they must not, and problems of single ranks, of which the
    // first 16 are told.
    std::vector<error> problems{};
    // All metrics in one report, by spread_profiler.
    std::optional<report> merged{};

    [[nodiscard]] bool complete() const noexcept { return problems.empty(); }
    // "node17, NVIDIA H200"; empty if it is not known.
    [[nodiscard]] std::string_view place_of(std::size_t rank) const noexcept;
    // Errors: not_collected where no rank has a value.
    [[nodiscard]] result<value_summary> try_values(std::string_view range, std::string_view metric) const;
#if GPUPROF_EXCEPTIONS
    // The lowest, mean and highest value of all ranks, typed, for checks on rank 0: GPUPROF_CHECK(report.most("step", metric) <=
    // 64_sectors) is a check of all ranks. Throws what try_values() returns, and not_collected where a rank is silent.
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> least(std::string_view range, Metric) const {
        return Metric::typed(of_all(range, Metric::name()).least());
    }
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> mean(std::string_view range, Metric) const {
        return Metric::typed(of_all(range, Metric::name()).mean());
    }
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> most(std::string_view range, Metric) const {
        return Metric::typed(of_all(range, Metric::name()).most());
    }

private:
    [[nodiscard]] value_summary of_all(std::string_view range, std::string_view metric) const {
#if GPUPROF_ENABLED
        if (!silent.empty()) gpuprof::detail::raise(problem_of(silent));
        return try_values(range, metric).value();
#else
        static_cast<void>(range.size() + metric.size());
        return {}; // NaN
#endif
    }
#endif
};

// How try_gather() waits.
struct gather_options {
    // How long a rank waits for those that send to it. All ranks are back after about two of them, whatever happens to others.
    unsigned deadline_ms = 30'000;
};

// Sums up a report of each rank. All ranks call it, with reports of the same ranges and metrics; what some lack is summed up over
// the others. Cost: a message a rank of about 0.7 KB a row, and the time to sum up 16 of them at each level of a tree.
// Errors: io where this rank can neither send nor receive.
[[nodiscard]] result<rank_report> try_gather(communicator& ranks, report const& mine,
                                             gather_options const& options = {});

#if !GPUPROF_ENABLED
inline std::string_view rank_report::place_of(std::size_t) const noexcept { return {}; }
inline result<value_summary> rank_report::try_values(std::string_view, std::string_view) const {
    return gpuprof::detail::compiled_out();
}
inline result<rank_report> try_gather(communicator&, report const&, gather_options const&) { return rank_report{}; }
#endif

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "rank_report.inl.hpp"
#endif

#endif // GPUPROF_RANKS_RANK_REPORT_HPP
