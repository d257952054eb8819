// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other metrics of counters that were measured before.
#ifndef GPUPROF_MEASURE_EVALUATE_HPP
#define GPUPROF_MEASURE_EVALUATE_HPP

#include <span>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace hw {
struct machine;
} // namespace hw

// The ranges of a report with the values of other metrics, calculated from the raw counters that
// profiler_options::keep_counter_data kept: nothing is measured, and no GPU is needed. Such a
// report may come from a file (gpuprof/saved.hpp) and be evaluated again.
//
//     auto more = try_evaluate(report, metric<"smsp__inst_executed.avg">, metric<"smsp__inst_executed.max">);
//
// Counters of a GPU are evaluated by this machine's CUPTI, of the same version; those of the
// embedded GPU by it, in a program that includes gpuprof/sim.hpp. A metric without a counter
// (launch__grid_size) is taken over if the report has it. A metric whose counters were not measured
// has no value: try_value() is not_collected, and completeness() says so, too. What CUPTI is
// given is not checked by it: trust the file as you trust a program.
// Errors: invalid_state if the report kept no counters; invalid_argument for an empty list;
// unknown_metric with the nearest names; version_mismatch for counters of another CUPTI, or of a
// gpuprof whose embedded GPU had other metrics; unavailable without CUPTI or the embedded GPU.
// Cost: 1 to 14 us a value, and CUPTI's metric data in a process's first call. Thread-safe.
[[nodiscard]] result<report> try_evaluate(report const& measured, std::span<metric_info const> metrics);
template <metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] result<report> try_evaluate(report const& measured, Metrics... metrics) {
    metric_info const list[]{metric_info{metrics}...};
    return try_evaluate(measured, std::span<metric_info const>{list});
}

#if GPUPROF_EXCEPTIONS
// try_evaluate(), throwing.
[[nodiscard]] report evaluate(report const& measured, std::span<metric_info const> metrics);
template <metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] report evaluate(report const& measured, Metrics... metrics) {
    metric_info const list[]{metric_info{metrics}...};
    return evaluate(measured, std::span<metric_info const>{list});
}
#endif

#if GPUPROF_ENABLED
namespace detail {
// The same on the machine that is given. @pre `measured` kept counters
[[nodiscard]] result<report> try_evaluate_on(hw::machine const& machine, report const& measured,
                                             std::span<metric_info const> metrics);
} // namespace detail
#else // nothing was measured
inline result<report> try_evaluate(report const&, std::span<metric_info const>) { return detail::compiled_out(); }
#if GPUPROF_EXCEPTIONS
inline report evaluate(report const&, std::span<metric_info const>) { return {}; }
#endif
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "evaluate.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_EVALUATE_HPP
