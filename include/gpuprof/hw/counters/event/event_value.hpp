// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the counts of one range to the value of one name.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_VALUE_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_VALUE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "event_plan.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] constexpr double as_double(abi::CUpti_MetricValue const& value,
                                         abi::CUpti_MetricValueKind kind) noexcept {
    switch (kind) {
        case abi::CUPTI_METRIC_VALUE_KIND_DOUBLE: return value.metricValueDouble;
        case abi::CUPTI_METRIC_VALUE_KIND_PERCENT: return value.metricValuePercent;
        case abi::CUPTI_METRIC_VALUE_KIND_UINT64: return static_cast<double>(value.metricValueUint64);
        case abi::CUPTI_METRIC_VALUE_KIND_INT64: return static_cast<double>(value.metricValueInt64);
        case abi::CUPTI_METRIC_VALUE_KIND_THROUGHPUT: return static_cast<double>(value.metricValueThroughput);
        case abi::CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL:
            return static_cast<double>(value.metricValueUtilizationLevel);
        default: return std::numeric_limits<double>::quiet_NaN(); // a kind newer than this
    }
}

// CUPTI takes whole counts.
[[nodiscard]] inline std::uint64_t whole(double count) noexcept {
    if (!(count < 18446744073709549568.0)) return abi::cupti_event_overflow;
    auto const below = static_cast<std::uint64_t>(count);
    return count - static_cast<double>(below) < 0.5 ? below : below + 1;
}

} // namespace detail

namespace hw {

// What CUPTI makes of the counts (CUPTI 12.0, 2.6): cuptiMetricGetValue2 with the properties of the
// plan, or, where the plan has none, cuptiMetricGetValue. NaN if CUPTI says that the counts give no
// value.
// @param counts normalised, in the order of of.events; @param elapsed in nanoseconds @pre of.method
// is by_cupti
[[nodiscard]] inline result<double> try_value_by_cupti(abi::cupti_table const& cupti, abi::CUdevice device,
                                                       event_output const& of, std::span<double const> counts,
                                                       double elapsed) {
    std::vector<abi::CUpti_EventID> events{of.events};
    std::vector<std::uint64_t> values;
    for (double const each : counts) values.push_back(detail::whole(each));
    abi::CUpti_MetricValue value{};
    abi::CUptiResult status = abi::CUPTI_SUCCESS;
    char const* call = "cuptiMetricGetValue2";
    std::size_t const event_bytes = events.size() * sizeof(abi::CUpti_EventID);
    std::size_t const value_bytes = values.size() * sizeof(std::uint64_t);
    if (cupti.MetricGetValue2 != nullptr && cupti.MetricEnumProperties != nullptr) {
        std::vector<abi::CUpti_MetricPropertyID> properties{of.properties};
        std::vector<std::uint64_t> facts{of.property_values};
        for (std::size_t i = 0; i < properties.size(); ++i)
            if (properties[i] == abi::CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME) facts[i] = detail::whole(elapsed);
        status = cupti.MetricGetValue2(of.metric, event_bytes, events.data(), value_bytes, values.data(),
                                       properties.size() * sizeof(abi::CUpti_MetricPropertyID), properties.data(),
                                       facts.size() * sizeof(std::uint64_t), facts.data(), &value);
    } else {
        call = "cuptiMetricGetValue";
        status = cupti.MetricGetValue(device, of.metric, event_bytes, events.data(), value_bytes, values.data(),
                                      detail::whole(elapsed), &value);
    }
    if (status == abi::CUPTI_ERROR_INVALID_EVENT_VALUE || status == abi::CUPTI_ERROR_INVALID_METRIC_VALUE ||
        status == abi::CUPTI_ERROR_NOT_COMPATIBLE)
        return std::numeric_limits<double>::quiet_NaN();
    if (status) return explain(call, status);
    // A share of nothing is no number; CUPTI does not tell it from 0.
    bool nothing = of.kind == abi::CUPTI_METRIC_VALUE_KIND_DOUBLE || of.kind == abi::CUPTI_METRIC_VALUE_KIND_PERCENT;
    for (double const each : counts) nothing = nothing && each == 0;
    if (nothing) return std::numeric_limits<double>::quiet_NaN();
    return detail::as_double(value, of.kind) * of.from_cupti;
}

// The value of `of` from the counts of its events, by its method. NaN if a count is (it was not
// collected, or overflowed).
// @param counts normalised, in the order of of.events; @param elapsed in nanoseconds
[[nodiscard]] inline result<double> try_value_of(abi::cupti_table const& cupti, abi::CUdevice device,
                                                 event_output const& of, std::span<double const> counts,
                                                 double elapsed) {
    for (double const each : counts)
        if (each != each) return each;
    if (of.method == event_method::count) return counts[0];
    if (of.method == event_method::by_cupti) return try_value_by_cupti(cupti, device, of, counts, elapsed);
    std::vector<double> operands;
    std::size_t event = 0;
    std::size_t property = 0;
    for (expression_input const& input : of.own.inputs()) {
        if (input.source == input_source::event) operands.push_back(counts[event++]);
        else if (input.property == metric_property::kernel_gpu_time) {
            operands.push_back(elapsed);
            ++property;
        } else operands.push_back(static_cast<double>(of.property_values[property++]));
    }
    return of.own.evaluate(operands);
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_VALUE_HPP
