// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a catalogue holds: base metrics, their kinds and their sub-metrics.
#ifndef GPUPROF_METRIC_BASE_METRIC_HPP
#define GPUPROF_METRIC_BASE_METRIC_HPP

#include <cstddef>
#include <span>
#include <string_view>

#include "../detail/config.hpp"
#include "kind.hpp"

GPUPROF_NAMESPACE_BEGIN

// One base metric of one chip: a counter, a ratio or a throughput (Nsight Compute guide 2023.3, 3.2). Refers to static
// storage: freely copied and kept.
struct base_metric {
    std::string_view name;          // "lts__t_sectors_op_read", without roll-up or sub-metric
    metric_kind kind{};             // counter, ratio or throughput; decides which sub-metrics there are
    std::string_view hardware_unit; // "lts": the unit that counts it
    std::string_view dimension;     // CUPTI's word: "l2_sector", "l2_sector/l1tex_request"; empty for a plain number
};

namespace detail {
struct base_metric_row {
    char const* name;
    metric_kind kind;
    unsigned char hardware_unit;
    unsigned char dimension;
};

// The base metrics of all chips together, sorted by name; a name appears once for each distinct meaning.
// Pointers and not spans, because the compiler walks this table for every name it checks.
struct base_metric_table {
    base_metric_row const* rows = nullptr;
    std::size_t row_count = 0;
    char const* const* hardware_units = nullptr;
    char const* const* dimensions = nullptr;
};

// Sorted, for the binary search.
// clang-format off
inline constexpr std::string_view counter_sub_metrics[] = {
    ".avg", ".avg.pct_of_peak_sustained_active", ".avg.pct_of_peak_sustained_elapsed", ".avg.peak_sustained",
    ".avg.peak_sustained_active", ".avg.peak_sustained_active.per_second", ".avg.peak_sustained_elapsed",
    ".avg.peak_sustained_elapsed.per_second", ".avg.per_cycle_active", ".avg.per_cycle_elapsed", ".avg.per_second",
    ".max", ".max.pct_of_peak_sustained_active", ".max.pct_of_peak_sustained_elapsed", ".max.peak_sustained",
    ".max.peak_sustained_active", ".max.peak_sustained_active.per_second", ".max.peak_sustained_elapsed",
    ".max.peak_sustained_elapsed.per_second", ".max.per_cycle_active", ".max.per_cycle_elapsed", ".max.per_second",
    ".min", ".min.pct_of_peak_sustained_active", ".min.pct_of_peak_sustained_elapsed", ".min.peak_sustained",
    ".min.peak_sustained_active", ".min.peak_sustained_active.per_second", ".min.peak_sustained_elapsed",
    ".min.peak_sustained_elapsed.per_second", ".min.per_cycle_active", ".min.per_cycle_elapsed", ".min.per_second",
    ".sum", ".sum.pct_of_peak_sustained_active", ".sum.pct_of_peak_sustained_elapsed", ".sum.peak_sustained",
    ".sum.peak_sustained_active", ".sum.peak_sustained_active.per_second", ".sum.peak_sustained_elapsed",
    ".sum.peak_sustained_elapsed.per_second", ".sum.per_cycle_active", ".sum.per_cycle_elapsed", ".sum.per_second"};
inline constexpr std::string_view ratio_sub_metrics[] = {
    ".max_rate", ".pct", ".ratio"};
inline constexpr std::string_view throughput_sub_metrics[] = {
    ".avg.pct_of_peak_sustained_active", ".avg.pct_of_peak_sustained_elapsed", ".max.pct_of_peak_sustained_active",
    ".max.pct_of_peak_sustained_elapsed", ".min.pct_of_peak_sustained_active", ".min.pct_of_peak_sustained_elapsed",
    ".sum.pct_of_peak_sustained_active", ".sum.pct_of_peak_sustained_elapsed"};
// clang-format on
} // namespace detail

// What may follow a base metric's name so that it can be evaluated: ".sum.per_second" of a counter, ".pct" of a ratio,
// ".avg.pct_of_peak_sustained_elapsed" of a throughput. The same on every chip; the first character is the dot; none for
// other kinds. Static storage.
[[nodiscard]] constexpr std::span<std::string_view const> sub_metrics(metric_kind kind) noexcept {
    switch (kind) {
        case metric_kind::counter: return detail::counter_sub_metrics;
        case metric_kind::ratio: return detail::ratio_sub_metrics;
        case metric_kind::throughput: return detail::throughput_sub_metrics;
        default: return {};
    }
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_BASE_METRIC_HPP
