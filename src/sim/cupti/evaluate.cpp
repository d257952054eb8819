// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evaluate.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../counters/metric_table.hpp"
#include "answer.hpp"
#include "counter_image.hpp"
#include "cupti_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

CUptiResult range_name(std::uint8_t const* bytes, std::size_t size, std::size_t range, char const* delimiter,
                       char const*& name) {
    auto const image = const_counter_image::open({bytes, size});
    if (!image || range >= image->ranges()) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const text = image->name(range, delimiter == nullptr ? "/" : delimiter);
    if (!text) return CUPTI_ERROR_INVALID_PARAMETER;
    name = detail::copied_text(*text);
    return name == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

} // namespace detail

CUptiResult host_get_range_name(CUpti_Profiler_Host_GetRangeName_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    return detail::range_name(params->pCounterDataImage, params->counterDataImageSize, params->rangeIndex,
                              params->delimiter, params->pRangeName);
}

// Of a ratio that was not configured, but whose dividend and divisor are counters that were: a raw
// counter serves each metric that is made of it. Not collected without either.
[[nodiscard]] static counted quotient_of_others(const_counter_image const& image, row_places const& places,
                                                std::size_t range, metric_row const& ratio) {
    auto const find = [&](counter_sum const& sum) {
        for (row_number row = 0; row < metric_row_count; ++row)
            if (places[row] != row_places::none && metric_rows[row].kind == metric_kind::counter &&
                metric_rows[row].value == sum)
                return image.value(range, places[row]);
        return counted{};
    };
    counted made = find(ratio.value);
    counted const divisor = find(ratio.against);
    if (divisor.replay_passes == 0) return {};
    made.against = divisor.value * static_cast<double>(made.replay_passes) / static_cast<double>(divisor.replay_passes);
    return made;
}

void detail::evaluate(const_counter_image const& image, std::size_t range, std::span<metric_request const> metrics,
                      double* values) {
    chip_model const& model = *image.model();
    row_places const places = image.places();
    auto const counted_for = [&](row_number row) {
        if (range >= image.ranges()) return counted{};
        if (places[row] == row_places::none && metric_rows[row].kind == metric_kind::ratio)
            return quotient_of_others(image, places, range, metric_rows[row]);
        return image.value(range, places[row]);
    };
    for (metric_request const& wanted : metrics) {
        metric_row const& row = metric_rows[wanted.row];
        double value = row.breakdown.empty() ? derive(model, wanted, counted_for(wanted.row)) : 0;
        for (char const* const part : row.breakdown) { // the highest share; missing as soon as one of them is
            auto const number = find_row(model, part);
            if (!number) continue;
            double const share = derive(model, {*number, wanted.sub_metric}, counted_for(*number));
            if (!(share <= value)) value = share;
            if (value != value) break;
        }
        *values++ = value;
    }
}

CUptiResult host_evaluate_to_gpu_values(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
    if (!well_sized(params) || params->ppMetricNames == nullptr || params->pMetricValues == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object const* const object = state().hosts.find(params->pHostObject);
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
    detail::evaluate(*image, params->rangeIndex, wanted, params->pMetricValues);
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
