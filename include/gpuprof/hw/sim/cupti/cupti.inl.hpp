// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of cupti.hpp. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_CUPTI_INL_HPP
#define GPUPROF_HW_SIM_CUPTI_CUPTI_INL_HPP

#include <atomic>  // whether profiling was initialised
#include <cstring> // std::memcpy

#include "cupti.hpp"
#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/status.hpp"
#include "activity.hpp"
#include "callback.hpp"
#include "config_image.hpp"
#include "evaluate.hpp"
#include "event.hpp"
#include "host.hpp"
#include "pm_sampling.hpp"
#include "pc_sampling.hpp"
#include "range.hpp"
#include "sass_metrics.hpp"
#include "event_objects.hpp"
#include "../counters/gpu_registry.hpp"
#include "range_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

inline CUptiResult get_result_string(CUptiResult status, char const** text) {
    auto const name = abi::name(status);
    if (text == nullptr || name.empty()) return CUPTI_ERROR_INVALID_PARAMETER;
    *text = name.data();
    return CUPTI_SUCCESS;
}

namespace detail {
[[nodiscard]] inline std::atomic<bool>& initialized() noexcept {
    static std::atomic<bool> flag{false};
    return flag;
}
} // namespace detail

// Ends every session; nothing of CUPTI's is left in the process.
inline CUptiResult finalize() {
    activity_log::instance().clear(); // gives buffers back to the tool, so without the lock
    detail::attribute_values::instance().clear();
    auto const held = gpu_registry::instance().lock();
    range_objects::instance().clear();
    pm_sampling_objects::instance().clear();
    event_objects::instance().clear();
    pc_sampling_state::instance().clear();
    pc_sampling_state::instance().numbers_code = nullptr;
    sass_metric_state::instance().clear();
    api_callbacks::instance().reset();
    detail::initialized() = false;
    return CUPTI_SUCCESS;
}

// CUPTI 13.0 succeeds for a device there is not, too; the name is then null here.
inline CUptiResult device_get_chip_name(CUpti_Device_GetChipName_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    chip_model const* const model = gpu_registry::instance().device(params->deviceIndex);
    params->pChipName = model == nullptr ? nullptr : model->chip_name;
    return CUPTI_SUCCESS;
}

// Not counted: one deinitialize undoes every initialize.
inline CUptiResult profiler_initialize(CUpti_Profiler_Initialize_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    detail::initialized() = true;
    return CUPTI_SUCCESS;
}

inline CUptiResult profiler_deinitialize(CUpti_Profiler_DeInitialize_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    detail::initialized() = false;
    return CUPTI_SUCCESS;
}

// Range profiling and PC sampling.
inline CUptiResult profiler_device_supported(CUpti_Profiler_DeviceSupported_Params* params) {
    if (!well_sized(params) || params->cuDevice < 0) return CUPTI_ERROR_INVALID_PARAMETER;
    if (gpu_registry::instance().device(static_cast<std::size_t>(params->cuDevice)) == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    auto const no = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    bool const has = gpu_registry::instance().device(static_cast<std::size_t>(params->cuDevice))->has_range_profiling();
    bool const served = params->api == CUPTI_PROFILER_RANGE_PROFILING || params->api == CUPTI_PROFILER_PC_SAMPLING;
    params->isSupported = has && served ? yes : no;
    params->architecture = has ? yes : no;
    params->sli = params->vGpu = params->confidentialCompute = params->cmp = params->wsl = yes;
    return CUPTI_SUCCESS;
}

// Asked without an image it gives the size, with one it fills it. CUPTI 13.0 writes beyond an image that is too small;
// this is CUPTI_ERROR_INVALID_PARAMETER.
inline CUptiResult profiler_get_counter_availability(CUpti_Profiler_GetCounterAvailability_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!detail::initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    auto const held = gpu_registry::instance().lock();
    CUcontext const context = params->ctx == nullptr ? gpu_registry::current() : params->ctx;
    chip_model const* const model = gpu_registry::instance().device_of(context);
    if (model == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
    if (!model->has_range_profiling()) return CUPTI_ERROR_NOT_SUPPORTED;
    auto const image = make_availability_image(*model, gpu_registry::instance().collection_of(context));
    if (params->pCounterAvailabilityImage != nullptr) {
        if (params->counterAvailabilityImageSize < image.size()) return CUPTI_ERROR_INVALID_PARAMETER;
        std::memcpy(params->pCounterAvailabilityImage, image.data(), image.size());
    }
    params->counterAvailabilityImageSize = image.size();
    return CUPTI_SUCCESS;
}

GPUPROF_INLINE cupti_table table() noexcept {
    cupti_table calls;
    calls.GetResultString = get_result_string;
    calls.GetErrorMessage = get_result_string; // 13.0 has no other words
    calls.Finalize = detail::remembered<finalize>;
    calls.DeviceGetChipName = device_get_chip_name;
    add_callback_calls(calls);
    add_activity_calls(calls);
    add_event_calls(calls);
    add_metric_calls(calls);
    calls.ProfilerInitialize = profiler_initialize;
    calls.ProfilerDeInitialize = profiler_deinitialize;
    calls.ProfilerDeviceSupported = profiler_device_supported;
    calls.ProfilerGetCounterAvailability = profiler_get_counter_availability;
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
    calls.RangeProfilerEnable = range_enable;
    calls.RangeProfilerDisable = range_disable;
    calls.RangeProfilerSetConfig = range_set_config;
    calls.RangeProfilerStart = range_start;
    calls.RangeProfilerStop = range_stop;
    calls.RangeProfilerPushRange = range_push;
    calls.RangeProfilerPopRange = range_pop;
    calls.RangeProfilerDecodeData = range_decode_data;
    calls.RangeProfilerGetCounterDataSize = range_get_counter_data_size;
    calls.RangeProfilerCounterDataImageInitialize = range_counter_data_image_initialize;
    calls.RangeProfilerGetCounterDataInfo = range_get_counter_data_info;
    calls.RangeProfilerCounterDataGetRangeInfo = range_counter_data_get_range_info;
    add_pm_sampling_calls(calls);
    add_pc_sampling_calls(calls);
    add_sass_metric_calls(calls);
    return calls;
}

GPUPROF_INLINE cupti_table legacy_table() noexcept {
    cupti_table calls = table();
    add_activity_calls_of<release_of_legacy_table>(calls);
    calls.Subscribe_v2 = nullptr; // came with 13.0
    return calls;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_CUPTI_INL_HPP
