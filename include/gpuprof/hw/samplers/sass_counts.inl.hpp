// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of sass_counts.hpp.
#ifndef GPUPROF_HW_SAMPLERS_SASS_COUNTS_INL_HPP
#define GPUPROF_HW_SAMPLERS_SASS_COUNTS_INL_HPP

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "module_code.hpp"
#include "sass_counts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline auto place_of(sass_record const& of) noexcept {
    return std::tie(of.module, of.function_index, of.function, of.pc_offset);
}
inline void add_values(std::vector<std::uint64_t>& to, std::vector<std::uint64_t> const& more) {
    to.resize(more.size());
    for (std::size_t m = 0; m < more.size(); ++m) to[m] += more[m];
}

} // namespace detail

GPUPROF_INLINE result<std::size_t> sass_counts::try_find(std::string_view metric) const {
    auto const found = std::find(metrics.begin(), metrics.end(), metric);
    if (found == metrics.end())
        return error{errc::not_collected, 0, std::string{metric}, "instructions were counted by other metrics",
                     "name it where the sass_counter is opened"};
    return static_cast<std::size_t>(found - metrics.begin());
}

GPUPROF_INLINE std::vector<sass_function> sass_counts::functions() const {
    std::vector<sass_function> all;
    std::uint32_t last = 0;
    for (sass_record const& each : records) {
        if (all.empty() || all.back().module != each.module || all.back().function != each.function ||
            last != each.function_index)
            all.push_back({each.function, each.module, 0, {}});
        last = each.function_index;
        ++all.back().instructions;
        detail::add_values(all.back().values, each.values);
    }
    return all;
}

GPUPROF_INLINE result<void> sass_counts::try_merge(sass_counts const& other) {
    if (chip != other.chip || source != other.source || metrics != other.metrics)
        return error{errc::invalid_argument, 0, "adding counts of instructions",
                     "they are of another chip, another kind of GPU, or other metrics", "merge what is alike"};
    std::vector<sass_record> merged;
    merged.reserve(records.size() + other.records.size());
    auto mine = records.begin();
    auto theirs = other.records.begin();
    while (mine != records.end() || theirs != other.records.end()) {
        if (theirs == other.records.end() ||
            (mine != records.end() && detail::place_of(*mine) < detail::place_of(*theirs))) {
            merged.push_back(std::move(*mine++));
        } else if (mine == records.end() || detail::place_of(*theirs) < detail::place_of(*mine)) {
            merged.push_back(*theirs++);
        } else {
            merged.push_back(std::move(*mine++));
            detail::add_values(merged.back().values, (theirs++)->values);
        }
    }
    records = std::move(merged);
    dropped += other.dropped;
    return {};
}

GPUPROF_INLINE std::vector<counted_line> lines_of(sass_counts const& of, module_code const& code) {
    std::map<std::pair<std::string, std::uint32_t>, counted_line> lines;
    for (sass_record const& each : of.records) {
        auto found = code.try_locate(each.module, each.function, each.pc_offset);
        source_location at = found ? *std::move(found) : source_location{};
        counted_line& line = lines[{at.path(), at.line}];
        line.at = std::move(at);
        detail::add_values(line.values, each.values);
    }
    std::vector<counted_line> in_order;
    in_order.reserve(lines.size());
    for (auto& [place, line] : lines) in_order.push_back(std::move(line));
    return in_order;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_SASS_COUNTS_INL_HPP
