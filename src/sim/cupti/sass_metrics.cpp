// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sass_metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "../chip/chips.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/sass_metric_state.hpp"
#include "answer.hpp"
#include "last_error.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// Whether the instructions of a chip's kernels can be counted.
[[nodiscard]] static CUptiResult chip_of_sass_metrics(char const* called) {
    if (called == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    for (chip_model const* const chip : embedded_chips)
        if (std::string_view{called} == chip->chip_name)
            return chip->has_sass_metrics ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_SUPPORTED;
    return CUPTI_ERROR_INVALID_PARAMETER;
}

// The context that a call works on, or the status to refuse with.
struct counted_context {
    sass_metric_state::of_context* counting = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
};

template <class Params>
[[nodiscard]] counted_context find_counted(Params const* params) {
    if (!well_sized(params)) return {nullptr, CUPTI_ERROR_INVALID_PARAMETER};
    gpu_registry& gpus = shared().registry;
    if (gpus.device_of(params->ctx) == nullptr) return {nullptr, CUPTI_ERROR_INVALID_CONTEXT};
    if (gpus.is_lost(params->ctx)) return {nullptr, CUPTI_ERROR_UNKNOWN};
    auto& contexts = shared().sass_metrics.contexts;
    auto const found = contexts.find(params->ctx);
    if (found == contexts.end()) return {nullptr, CUPTI_ERROR_INVALID_OPERATION};
    return {&found->second, CUPTI_SUCCESS};
}

static CUptiResult sass_metrics_get_num_of_metrics(CUpti_SassMetrics_GetNumOfMetrics_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    if (auto const status = chip_of_sass_metrics(params->pChipName); status != CUPTI_SUCCESS) return status;
    params->numOfMetrics = std::size(sass_metric_rows);
    return CUPTI_SUCCESS;
}

static CUptiResult sass_metrics_get_metrics(CUpti_SassMetrics_GetMetrics_Params* params) {
    if (!well_sized(params) || params->pMetricsList == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (auto const status = chip_of_sass_metrics(params->pChipName); status != CUPTI_SUCCESS) return status;
    if (params->numOfMetrics > std::size(sass_metric_rows)) return CUPTI_ERROR_INVALID_PARAMETER;
    for (std::size_t i = 0; i < params->numOfMetrics; ++i) {
        sass_metric_row const& row = sass_metric_rows[i];
        params->pMetricsList[i] = {row.id(), row.name, row.description};
    }
    return CUPTI_SUCCESS;
}

static CUptiResult sass_metrics_get_properties(CUpti_SassMetrics_GetProperties_Params* params) {
    if (!well_sized(params) || params->pMetricName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (auto const status = chip_of_sass_metrics(params->pChipName); status != CUPTI_SUCCESS) return status;
    sass_metric_row const* const row = find_sass_metric(std::string_view{params->pMetricName});
    if (row == nullptr) return CUPTI_ERROR_INVALID_METRIC_NAME;
    params->metric = {row->id(), row->name, row->description};
    return CUPTI_SUCCESS;
}

// Values of SMs and their sub-partitions are refused: the model counts instructions for the whole
// GPU.
static CUptiResult sass_metrics_set_config(CUpti_SassMetricsSetConfig_Params* params) {
    if (!well_sized(params) || params->numOfMetricConfig == 0 || params->pConfigs == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = shared().registry.lock();
    chip_model const* const chip = shared().registry.device(params->deviceIndex);
    if (chip == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!chip->has_sass_metrics) return CUPTI_ERROR_NOT_SUPPORTED;
    auto& configured = shared().sass_metrics.metrics;
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

// Counting ends for all contexts of the device, too.
static CUptiResult sass_metrics_unset_config(CUpti_SassMetricsUnsetConfig_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = shared().registry.lock();
    sass_metric_state& sass = shared().sass_metrics;
    auto const device = static_cast<int>(params->deviceIndex);
    if (sass.metrics.erase(device) == 0) return CUPTI_ERROR_INVALID_OPERATION;
    std::erase_if(sass.contexts, [&](auto const& entry) { return entry.second.device == device; });
    return CUPTI_SUCCESS;
}

// Code is never patched, so the time of patching makes no difference. A context that was destroyed
// is forgotten.
static CUptiResult sass_metrics_enable(CUpti_SassMetricsEnable_Params* params) {
    auto const held = shared().registry.lock();
    std::erase_if(shared().sass_metrics.contexts,
                  [](auto const& entry) { return shared().registry.device_of(entry.first) == nullptr; });
    auto const [counting, status] = find_counted(params);
    if (status == CUPTI_SUCCESS) return CUPTI_ERROR_INVALID_OPERATION;
    if (status != CUPTI_ERROR_INVALID_OPERATION) return status;
    sass_metric_state& sass = shared().sass_metrics;
    int const device = shared().registry.ordinal_of(params->ctx);
    if (!sass.metrics.contains(device)) return CUPTI_ERROR_INVALID_OPERATION;
    sass.contexts[params->ctx].device = device;
    return CUPTI_SUCCESS;
}

static CUptiResult sass_metrics_disable(CUpti_SassMetricsDisable_Params* params) {
    auto const held = shared().registry.lock();
    auto const [counting, status] = find_counted(params);
    if (status != CUPTI_SUCCESS) return status;
    sass_metric_state& sass = shared().sass_metrics;
    params->numOfDroppedRecords = counting->counted.size() * sass.metrics[counting->device].size();
    sass.contexts.erase(params->ctx);
    return CUPTI_SUCCESS;
}

static CUptiResult sass_metrics_get_data_properties(CUpti_SassMetricsGetDataProperties_Params* params) {
    auto const held = shared().registry.lock();
    auto const [counting, status] = find_counted(params);
    if (status != CUPTI_SUCCESS) return status;
    params->numOfPatchedInstructionRecords =
        counting->counted.size() * shared().sass_metrics.metrics[counting->device].size();
    params->numOfInstances = counting->counted.empty() ? 0 : 1;
    return CUPTI_SUCCESS;
}

// Metric by metric. What there is more room for than there are records stays as it is.
static CUptiResult sass_metrics_flush_data(CUpti_SassMetricsFlushData_Params* params) {
    auto const held = shared().registry.lock();
    auto const [counting, status] = find_counted(params);
    if (status != CUPTI_SUCCESS) return status;
    auto const& metrics = shared().sass_metrics.metrics[counting->device];
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

void add_sass_metric_calls(abi::cupti_table& calls) noexcept {
    using detail::with_last_error;
    calls.SassMetricsGetNumOfMetrics = with_last_error<sass_metrics_get_num_of_metrics>;
    calls.SassMetricsGetMetrics = with_last_error<sass_metrics_get_metrics>;
    calls.SassMetricsGetProperties = with_last_error<sass_metrics_get_properties>;
    calls.SassMetricsSetConfig = with_last_error<sass_metrics_set_config>;
    calls.SassMetricsUnsetConfig = with_last_error<sass_metrics_unset_config>;
    calls.SassMetricsEnable = with_last_error<sass_metrics_enable>;
    calls.SassMetricsDisable = with_last_error<sass_metrics_disable>;
    calls.SassMetricsGetDataProperties = with_last_error<sass_metrics_get_data_properties>;
    calls.SassMetricsFlushData = with_last_error<sass_metrics_flush_data>;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
