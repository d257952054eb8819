// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's SASS metric calls for the embedded GPU. Layer: hw/sim, CUPTI table. Counts are of the instructions that ptxas would
// make, so estimates as those of kernels are. Refusals are those that CUPTI's header documents and an H200 gave (CUPTI 13.5);
// where they say nothing, the comment does.
#ifndef GPUPROF_HW_SIM_CUPTI_SASS_METRICS_HPP
#define GPUPROF_HW_SIM_CUPTI_SASS_METRICS_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // numbers
#include <iterator>    // std::size
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // metrics

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../chip/chips.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/sass_metric_state.hpp"
#include "host_objects.hpp"
#include "last_error.hpp"
#include "sass_to_source.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// Whether the instructions of a chip's kernels can be counted.
[[nodiscard]] inline CUptiResult chip_of_sass_metrics(char const* called) {
    if (called == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    for (chip_model const* const each : embedded_chips)
        if (std::string_view{called} == each->chip_name)
            return each->has_sass_metrics ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_SUPPORTED;
    return CUPTI_ERROR_INVALID_PARAMETER;
}

// What a call works on, or why it does not. @pre the registry's lock is held
struct counted_context {
    sass_metric_state::of_context* counting = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
};
template <class Params>
[[nodiscard]] counted_context counted(Params const* params) {
    if (!well_sized(params)) return {nullptr, CUPTI_ERROR_INVALID_PARAMETER};
    gpu_registry& gpus = gpu_registry::instance();
    if (gpus.device_of(params->ctx) == nullptr) return {nullptr, CUPTI_ERROR_INVALID_CONTEXT};
    if (gpus.is_lost(params->ctx)) return {nullptr, CUPTI_ERROR_UNKNOWN};
    auto& contexts = sass_metric_state::instance().contexts;
    auto const found = contexts.find(params->ctx);
    if (found == contexts.end()) return {nullptr, CUPTI_ERROR_INVALID_OPERATION};
    return {&found->second, CUPTI_SUCCESS};
}

} // namespace detail

inline CUptiResult sass_metrics_get_num_of_metrics(CUpti_SassMetrics_GetNumOfMetrics_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    if (auto const status = detail::chip_of_sass_metrics(params->pChipName); status != CUPTI_SUCCESS) return status;
    params->numOfMetrics = std::size(sass_metric_rows);
    return CUPTI_SUCCESS;
}

inline CUptiResult sass_metrics_get_metrics(CUpti_SassMetrics_GetMetrics_Params* params) {
    if (!well_sized(params) || params->pMetricsList == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (auto const status = detail::chip_of_sass_metrics(params->pChipName); status != CUPTI_SUCCESS) return status;
    if (params->numOfMetrics > std::size(sass_metric_rows)) return CUPTI_ERROR_INVALID_PARAMETER;
    for (std::size_t i = 0; i < params->numOfMetrics; ++i) {
        sass_metric_row const& row = sass_metric_rows[i];
        params->pMetricsList[i] = {row.id(), row.name, row.description};
    }
    return CUPTI_SUCCESS;
}

inline CUptiResult sass_metrics_get_properties(CUpti_SassMetrics_GetProperties_Params* params) {
    if (!well_sized(params) || params->pMetricName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (auto const status = detail::chip_of_sass_metrics(params->pChipName); status != CUPTI_SUCCESS) return status;
    sass_metric_row const* const row = find_sass_metric(std::string_view{params->pMetricName});
    if (row == nullptr) return CUPTI_ERROR_INVALID_METRIC_NAME;
    params->metric = {row->id(), row->name, row->description};
    return CUPTI_SUCCESS;
}

// Values of SMs and their sub-partitions are refused: the model counts instructions for the whole GPU.
inline CUptiResult sass_metrics_set_config(CUpti_SassMetricsSetConfig_Params* params) {
    if (!well_sized(params) || params->numOfMetricConfig == 0 || params->pConfigs == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = gpu_registry::instance().lock();
    chip_model const* const chip = gpu_registry::instance().device(params->deviceIndex);
    if (chip == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!chip->has_sass_metrics) return CUPTI_ERROR_NOT_SUPPORTED;
    auto& configured = sass_metric_state::instance().metrics;
    auto const device = static_cast<int>(params->deviceIndex);
    if (configured.contains(device)) return CUPTI_ERROR_INVALID_OPERATION;
    std::vector<sass_metric_row const*> rows;
    for (std::size_t i = 0; i < params->numOfMetricConfig; ++i) {
        auto const [id, granularity] = params->pConfigs[i];
        sass_metric_row const* const row = find_sass_metric(id);
        if (row == nullptr || granularity >= CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_INVALID)
            return CUPTI_ERROR_INVALID_PARAMETER;
        if (granularity != CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU) return CUPTI_ERROR_NOT_SUPPORTED;
        rows.push_back(row);
    }
    configured.emplace(device, std::move(rows));
    return CUPTI_SUCCESS;
}

// Of the device's contexts counting ends, too.
inline CUptiResult sass_metrics_unset_config(CUpti_SassMetricsUnsetConfig_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = gpu_registry::instance().lock();
    sass_metric_state& state = sass_metric_state::instance();
    auto const device = static_cast<int>(params->deviceIndex);
    if (state.metrics.erase(device) == 0) return CUPTI_ERROR_INVALID_OPERATION;
    std::erase_if(state.contexts, [&](auto const& each) { return each.second.device == device; });
    return CUPTI_SUCCESS;
}

// Code need not be patched, so when makes no difference. A context that was destroyed is forgotten.
inline CUptiResult sass_metrics_enable(CUpti_SassMetricsEnable_Params* params) {
    auto const held = gpu_registry::instance().lock();
    std::erase_if(sass_metric_state::instance().contexts,
                  [](auto const& each) { return gpu_registry::instance().device_of(each.first) == nullptr; });
    auto const [counting, status] = detail::counted(params);
    if (status == CUPTI_SUCCESS) return CUPTI_ERROR_INVALID_OPERATION;
    if (status != CUPTI_ERROR_INVALID_OPERATION) return status;
    sass_metric_state& state = sass_metric_state::instance();
    int const device = gpu_registry::instance().ordinal_of(params->ctx);
    if (!state.metrics.contains(device)) return CUPTI_ERROR_INVALID_OPERATION;
    state.contexts[params->ctx].device = device;
    return CUPTI_SUCCESS;
}

inline CUptiResult sass_metrics_disable(CUpti_SassMetricsDisable_Params* params) {
    auto const held = gpu_registry::instance().lock();
    auto const [counting, status] = detail::counted(params);
    if (status != CUPTI_SUCCESS) return status;
    sass_metric_state& state = sass_metric_state::instance();
    params->numOfDroppedRecords = counting->counted.size() * state.metrics[counting->device].size();
    state.contexts.erase(params->ctx);
    return CUPTI_SUCCESS;
}

inline CUptiResult sass_metrics_get_data_properties(CUpti_SassMetricsGetDataProperties_Params* params) {
    auto const held = gpu_registry::instance().lock();
    auto const [counting, status] = detail::counted(params);
    if (status != CUPTI_SUCCESS) return status;
    params->numOfPatchedInstructionRecords =
        counting->counted.size() * sass_metric_state::instance().metrics[counting->device].size();
    params->numOfInstances = counting->counted.empty() ? 0 : 1;
    return CUPTI_SUCCESS;
}

// Metric by metric. What there is more room for than there are records stays as it is.
inline CUptiResult sass_metrics_flush_data(CUpti_SassMetricsFlushData_Params* params) {
    auto const held = gpu_registry::instance().lock();
    auto const [counting, status] = detail::counted(params);
    if (status != CUPTI_SUCCESS) return status;
    auto const& metrics = sass_metric_state::instance().metrics[counting->device];
    std::size_t const records = counting->counted.size() * metrics.size();
    if (params->numOfPatchedInstructionRecords < records || params->numOfInstances == 0 ||
        params->pMetricsData == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    std::size_t at = 0;
    for (std::size_t m = 0; m < metrics.size(); ++m)
        for (auto const& [place, values] : counting->counted) {
            CUpti_SassMetrics_Data& record = params->pMetricsData[at++];
            record.cubinCrc = static_cast<std::uint32_t>(place.code);
            record.functionIndex = place.function_index;
            record.functionName = detail::copied_text(place.function);
            record.pcOffset = static_cast<std::uint32_t>(place.offset);
            if (record.pInstanceValues != nullptr) record.pInstanceValues[0] = {metrics[m]->id(), values[m]};
        }
    counting->counted.clear();
    return CUPTI_SUCCESS;
}

inline void add_sass_metric_calls(abi::cupti_table& calls) noexcept {
    using detail::remembered;
    calls.SassMetricsGetNumOfMetrics = remembered<sass_metrics_get_num_of_metrics>;
    calls.SassMetricsGetMetrics = remembered<sass_metrics_get_metrics>;
    calls.SassMetricsGetProperties = remembered<sass_metrics_get_properties>;
    calls.SassMetricsSetConfig = remembered<sass_metrics_set_config>;
    calls.SassMetricsUnsetConfig = remembered<sass_metrics_unset_config>;
    calls.SassMetricsEnable = remembered<sass_metrics_enable>;
    calls.SassMetricsDisable = remembered<sass_metrics_disable>;
    calls.SassMetricsGetDataProperties = remembered<sass_metrics_get_data_properties>;
    calls.SassMetricsFlushData = remembered<sass_metrics_flush_data>;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_SASS_METRICS_HPP
