// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiler host calls that read counter data images of the embedded GPU: names of ranges, values of metrics.
// Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_EVALUATE_HPP
#define GPUPROF_HW_SIM_CUPTI_EVALUATE_HPP

#include <cstdint>  // image bytes
#include <cstdlib>  // std::malloc: range names are freed by the caller
#include <cstring>  // std::memcpy
#include <optional> // lookups
#include <string>   // names
#include <vector>   // metrics

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../chip/chip_model.hpp"
#include "counter_image.hpp"
#include "host_objects.hpp"
#include "../counters/metric_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {
// A copy that the caller frees with std::free; null when memory is short.
[[nodiscard]] inline char const* duplicate(std::string const& text) noexcept {
    auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

[[nodiscard]] inline CUptiResult range_name(std::uint8_t const* bytes, std::size_t size, std::size_t range,
                                            char const* delimiter, char const*& name) {
    auto const image = const_counter_image::open({bytes, size});
    if (!image || range >= image->ranges()) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const text = image->name(range, delimiter == nullptr ? "/" : delimiter);
    if (!text) return CUPTI_ERROR_INVALID_PARAMETER;
    name = duplicate(*text);
    return name == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}
} // namespace detail

inline CUptiResult host_get_range_name(CUpti_Profiler_Host_GetRangeName_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    return detail::range_name(params->pCounterDataImage, params->counterDataImageSize, params->rangeIndex,
                              params->delimiter, params->pRangeName);
}

// Not-a-number for what was not collected, a range that does not exist included; an unknown name fails and leaves the
// values alone. The object need not have been configured for these metrics.
inline CUptiResult host_evaluate_to_gpu_values(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
    if (!well_sized(params) || params->ppMetricNames == nullptr || params->pMetricValues == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = host_objects::instance().lock();
    host_object const* const object = host_objects::instance().find(params->pHostObject);
    auto const image = const_counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    if (object == nullptr || !image || image->model() != object->model) return CUPTI_ERROR_INVALID_PARAMETER;

    chip_model const& model = *object->model;
    std::vector<metric_request> wanted;
    for (std::size_t i = 0; i < params->numMetrics; ++i) {
        char const* const name = params->ppMetricNames[i];
        auto const found = name == nullptr ? std::nullopt : find_metric(model, name);
        if (!found) return CUPTI_ERROR_INVALID_METRIC_NAME;
        wanted.push_back(*found);
    }
    row_places const places = image->places();
    auto const counted_for = [&](row_number row) {
        return params->rangeIndex < image->ranges() ? image->value(params->rangeIndex, places[row]) : counted{};
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        metric_row const& row = metric_rows[wanted[i].row];
        double value = row.breakdown.empty() ? derive(model, wanted[i], counted_for(wanted[i].row)) : 0;
        for (char const* const part : row.breakdown) { // the highest share; missing as soon as one of them is
            auto const number = find_row(model, part);
            if (!number) continue;
            double const share = derive(model, {*number, wanted[i].sub_metric}, counted_for(*number));
            if (!(share <= value)) value = share;
            if (value != value) break;
        }
        params->pMetricValues[i] = value;
    }
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_EVALUATE_HPP
