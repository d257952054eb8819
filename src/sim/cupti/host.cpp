// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/metric/base_metric.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../chip/chips.hpp"
#include "../counters/metric_dimension.hpp"
#include "../counters/metric_table.hpp"
#include "../gpu/pass_scheduler.hpp"
#include "answer.hpp"
#include "config_image.hpp"
#include "cupti_state.hpp"
#include "evaluate.hpp"
#include "host_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

CUpti_Profiler_Host_Object* host_objects::add(chip_model const& model, collection how, bool samples) {
    objects_.push_back(std::make_unique<host_object>(host_object{&model, how, {}, {}, {}, samples}));
    return reinterpret_cast<CUpti_Profiler_Host_Object*>(objects_.back().get());
}

host_object* host_objects::find(CUpti_Profiler_Host_Object const* handle) noexcept {
    for (auto const& object : objects_)
        if (reinterpret_cast<CUpti_Profiler_Host_Object const*>(object.get()) == handle) return object.get();
    return nullptr;
}

bool host_objects::remove(CUpti_Profiler_Host_Object const* handle) noexcept {
    host_object const* const object = find(handle);
    return std::erase_if(objects_, [&](auto const& known) { return known.get() == object; }) != 0;
}

// Without an availability image it plans for the chip as there is in hardware: as many passes as
// that takes.
static CUptiResult host_initialize(CUpti_Profiler_Host_Initialize_Params* params) {
    if (!well_sized(params) || params->pChipName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (params->profilerType >= CUPTI_PROFILER_TYPE_PROFILER_INVALID) return CUPTI_ERROR_INVALID_PARAMETER;
    chip_model const* const model = find_chip_model(params->pChipName);
    if (model == nullptr) return CUPTI_ERROR_INVALID_CHIP_NAME;
    auto how = std::optional{collection::in_passes};
    if (params->pCounterAvailabilityImage != nullptr)
        how = read_availability_image(params->pCounterAvailabilityImage, *model);
    if (!how) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    params->pHostObject = state().hosts.add(*model, *how, params->profilerType == CUPTI_PROFILER_TYPE_PM_SAMPLING);
    return CUPTI_SUCCESS;
}

static CUptiResult host_deinitialize(CUpti_Profiler_Host_Deinitialize_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    return state().hosts.remove(params->pHostObject) ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

static CUptiResult host_get_supported_chips(CUpti_Profiler_Host_GetSupportedChips_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    static constexpr auto names = [] {
        std::array<char const*, chip_models.size()> all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = chip_models[i]->chip_name;
        return all;
    }();
    params->numChips = names.size();
    params->ppChipNames = names.data();
    return CUPTI_SUCCESS;
}

static CUptiResult host_get_base_metrics(CUpti_Profiler_Host_GetBaseMetrics_Params* params) {
    if (!well_sized(params) || params->metricType >= CUPTI_METRIC_TYPE__COUNT) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object* const object = state().hosts.find(params->pHostObject);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto& names = object->base_metrics[params->metricType];
    if (names.empty())
        for (metric_row const& row : metric_rows)
            if (row.is_on(*object->model) && static_cast<unsigned>(row.kind) == params->metricType &&
                !(object->samples && row.is_instrumented()))
                names.push_back(row.name);
    params->numMetrics = names.size();
    params->ppMetricNames = names.data();
    return CUPTI_SUCCESS;
}

static CUptiResult host_get_sub_metrics(CUpti_Profiler_Host_GetSubMetrics_Params* params) {
    if (!well_sized(params) || params->pMetricName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object const* const object = state().hosts.find(params->pHostObject);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const row = find_row(*object->model, params->pMetricName);
    if (!row) return CUPTI_ERROR_INVALID_METRIC_NAME;
    metric_kind const kind = metric_rows[*row].kind;
    if (static_cast<unsigned>(kind) != params->metricType) return CUPTI_ERROR_INVALID_PARAMETER;
    static auto* const all = [] { // the structure's pointers are not to constants; each name is a literal
        auto* const lists = new std::array<std::vector<char const*>, 3>;
        for (std::size_t i = 0; i < lists->size(); ++i)
            for (std::string_view const sub_metric : sub_metrics(static_cast<metric_kind>(i)))
                (*lists)[i].push_back(sub_metric.data());
        return lists;
    }();
    auto& names = (*all)[params->metricType];
    params->numOfSubmetrics = names.size();
    params->ppSubMetrics = names.data();
    return CUPTI_SUCCESS;
}

static CUptiResult host_get_metric_properties(CUpti_Profiler_Host_GetMetricProperties_Params* params) {
    if (!well_sized(params) || params->pMetricName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object* const object = state().hosts.find(params->pHostObject);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::string_view const name = params->pMetricName;
    auto row = find_row(*object->model, name);
    std::string_view sub_metric;
    if (auto const wanted = find_metric(*object->model, name)) {
        row = wanted->row;
        sub_metric = wanted->sub_metric;
    }
    if (!row) return CUPTI_ERROR_INVALID_METRIC_NAME;
    metric_row const& found = metric_rows[*row];
    params->pDescription = found.description;
    params->pHwUnit = sim::name(found.unit).data();
    params->pDimUnit = object->texts.insert(dimension_of(found, sub_metric)).first->c_str();
    params->metricType = static_cast<CUpti_MetricType>(found.kind);
    return CUPTI_SUCCESS;
}

// Every call adds passes of its own, also for metrics that are there already; where one pass
// collects everything it adds to that.
static CUptiResult host_config_add_metrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
    if (!well_sized(params) || params->ppMetricNames == nullptr || params->numMetrics == 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object* const object = state().hosts.find(params->pHostObject);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const rows = find_rows(*object->model, {params->ppMetricNames, params->numMetrics});
    if (!rows) return CUPTI_ERROR_INVALID_PARAMETER;
    if (object->samples)
        for (row_number const row : *rows)
            if (metric_rows[row].is_instrumented()) return CUPTI_ERROR_INVALID_PARAMETER;
    std::vector<pass> planned = schedule(*object->model, *rows, object->how);
    if (object->how == collection::at_once && !object->passes.empty()) {
        pass& everything = object->passes.front();
        for (row_number const row : planned.front())
            if (std::find(everything.begin(), everything.end(), row) == everything.end()) everything.push_back(row);
        return CUPTI_SUCCESS;
    }
    for (pass& added : planned) object->passes.push_back(std::move(added));
    return CUPTI_SUCCESS;
}

static CUptiResult host_get_config_image_size(CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object const* const object = state().hosts.find(params->pHostObject);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (object->passes.empty()) return CUPTI_ERROR_UNKNOWN;
    params->configImageSize = make_config_image({object->model->which(), object->passes}).size();
    return CUPTI_SUCCESS;
}

static CUptiResult host_get_config_image(CUpti_Profiler_Host_GetConfigImage_Params* params) {
    if (!well_sized(params) || params->pConfigImage == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = state().hosts.lock();
    host_object const* const object = state().hosts.find(params->pHostObject);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (object->passes.empty()) return CUPTI_ERROR_UNKNOWN;
    auto const image = make_config_image({object->model->which(), object->passes});
    if (params->configImageSize < image.size()) return CUPTI_ERROR_INVALID_PARAMETER;
    std::memcpy(params->pConfigImage, image.data(), image.size());
    return CUPTI_SUCCESS;
}

// An image of zeros is a configuration without passes, as with CUPTI 13.0; other foreign bytes
// crash that one.
static CUptiResult host_get_num_of_passes(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
    if (!well_sized(params) || params->pConfigImage == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::span<std::uint8_t const> const image{params->pConfigImage, params->configImageSize};
    auto const found = read_config_image(image);
    bool const zeros = std::all_of(image.begin(), image.end(), [](std::uint8_t byte) { return byte == 0; });
    if (!found && !zeros) return CUPTI_ERROR_INVALID_PARAMETER;
    params->numOfPasses = found ? found->passes.size() : 0;
    return CUPTI_SUCCESS;
}

static CUptiResult
host_get_max_num_hardware_metrics_per_pass(CUpti_Profiler_Host_GetMaxNumHardwareMetricsPerPass_Params* params) {
    if (!well_sized(params) || params->pChipName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    chip_model const* const model = find_chip_model(params->pChipName);
    if (model == nullptr) return CUPTI_ERROR_INVALID_CHIP_NAME;
    params->maxMetricsPerPass = 0;
    for (std::size_t unit = 0; unit < hardware_units; ++unit)
        params->maxMetricsPerPass +=
            static_cast<std::size_t>(model->counters_per_pass[static_cast<hardware_unit>(unit)]);
    return CUPTI_SUCCESS;
}

void add_host_calls(abi::cupti_table& calls) noexcept {
    calls.ProfilerHostInitialize = host_initialize;
    calls.ProfilerHostDeinitialize = host_deinitialize;
    calls.ProfilerHostGetSupportedChips = host_get_supported_chips;
    calls.ProfilerHostGetBaseMetrics = host_get_base_metrics;
    calls.ProfilerHostGetSubMetrics = host_get_sub_metrics;
    calls.ProfilerHostGetMetricProperties = host_get_metric_properties;
    calls.ProfilerHostGetRangeName = host_get_range_name;
    calls.ProfilerHostEvaluateToGpuValues = host_evaluate_to_gpu_values;
    calls.ProfilerHostConfigAddMetrics = host_config_add_metrics;
    calls.ProfilerHostGetConfigImageSize = host_get_config_image_size;
    calls.ProfilerHostGetConfigImage = host_get_config_image;
    calls.ProfilerHostGetNumOfPasses = host_get_num_of_passes;
    calls.ProfilerHostGetMaxNumHardwareMetricsPerPass = host_get_max_num_hardware_metrics_per_pass;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
