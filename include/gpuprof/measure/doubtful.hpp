// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that no hardware can reach.
#ifndef GPUPROF_MEASURE_DOUBTFUL_HPP
#define GPUPROF_MEASURE_DOUBTFUL_HPP

#include <cstddef>
#include <optional>
#include <string>

#include "../core/counted.hpp"
#include "../core/error.hpp"
#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "pass_problems.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A share that no hardware can reach: its parts were counted in passes that differ. (A little more than 100 % comes of
// clocks that are read one after the other.)
inline constexpr double most_percent = 100.5;

// Why a value cannot be true: a share of more than 100 %, or of less than 0. Nothing if it can. Nsight Compute guide, 3.4.
// @param column the metric's place in the report
[[nodiscard]] inline std::optional<error> doubt_of(range_view const& range, std::size_t column, double value) {
    report const whole = range.report();
    metric_info const& metric = whole.metrics()[column];
    if (metric.value_unit != percent_unit || (value <= most_percent && value >= 0)) return std::nullopt;
    std::size_t const passes = whole.completeness().passes_needed;
    if (passes <= 1 && value > 0) return std::nullopt;
    pass_times const took = range.pass_times();
    return error{errc::not_collected, 0, metric.name,
                 joined({grouped_number(value), " % is impossible: it was put together from ", std::to_string(passes),
                         passes == 1 ? " pass" : " passes that do not belong together",
                         took.passes < 2 ? std::string{} : joined({", which took ", text_of(took)})}),
                 "measure longer work, or ask for this metric alone"};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_DOUBTFUL_HPP
