// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cupti.hpp"

#include <cstddef>
#include <cstring>

#include <gpuprof/hw/machine/status.hpp>
#include "../chip/chip_model.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "activity.hpp"
#include "answer.hpp"
#include "callback.hpp"
#include "config_image.hpp"
#include "cupti_state.hpp"
#include "event.hpp"
#include "host.hpp"
#include "last_error.hpp"
#include "pc_sampling.hpp"
#include "pm_sampling.hpp"
#include "range.hpp"
#include "sass_metrics.hpp"
#include "target.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

static CUptiResult get_result_string(CUptiResult status, char const** text) {
    auto const name = abi::name(status);
    if (text == nullptr || name.empty()) return CUPTI_ERROR_INVALID_PARAMETER;
    *text = name.data();
    return CUPTI_SUCCESS;
}

// Ends every session and gives all buffers back to the tool. Host objects stay.
static CUptiResult finalize() {
    shared().activity.clear(); // gives buffers back to the tool, so without the lock
    state().attributes.clear();
    auto const held = shared().registry.lock();
    state().ranges.clear();
    state().targets.clear();
    state().pm_sampling.clear();
    state().events.clear();
    shared().pc_sampling.clear();
    shared().pc_sampling.numbers_code = nullptr;
    shared().sass_metrics.clear();
    shared().callbacks.reset();
    state().profiler_initialized = false;
    return CUPTI_SUCCESS;
}

// CUPTI 13.0 succeeds for a device there is not, too; the name is then null here.
static CUptiResult device_get_chip_name(CUpti_Device_GetChipName_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    chip_model const* const model = shared().registry.device(params->deviceIndex);
    params->pChipName = model == nullptr ? nullptr : model->chip_name;
    return CUPTI_SUCCESS;
}

// Not counted: one deinitialize undoes every initialize.
static CUptiResult profiler_initialize(CUpti_Profiler_Initialize_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    state().profiler_initialized = true;
    return CUPTI_SUCCESS;
}

static CUptiResult profiler_deinitialize(CUpti_Profiler_DeInitialize_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    state().profiler_initialized = false;
    return CUPTI_SUCCESS;
}

// Range profiling and PC sampling.
static CUptiResult profiler_device_supported(CUpti_Profiler_DeviceSupported_Params* params) {
    if (!well_sized(params) || params->cuDevice < 0) return CUPTI_ERROR_INVALID_PARAMETER;
    if (shared().registry.device(static_cast<std::size_t>(params->cuDevice)) == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    auto const no = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    bool const has = shared().registry.device(static_cast<std::size_t>(params->cuDevice))->has_range_profiling();
    bool const served = params->api == CUPTI_PROFILER_RANGE_PROFILING || params->api == CUPTI_PROFILER_PC_SAMPLING;
    params->isSupported = has && served ? yes : no;
    params->architecture = has ? yes : no;
    params->sli = params->vGpu = params->confidentialCompute = params->cmp = params->wsl = yes;
    return CUPTI_SUCCESS;
}

// Without an image it gives the size; with one it fills it. CUPTI 13.0 writes beyond an image
// that is too small; this is CUPTI_ERROR_INVALID_PARAMETER.
static CUptiResult profiler_get_counter_availability(CUpti_Profiler_GetCounterAvailability_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!state().profiler_initialized) return CUPTI_ERROR_NOT_INITIALIZED;
    auto const held = shared().registry.lock();
    CUcontext const context = params->ctx == nullptr ? gpu_registry::current() : params->ctx;
    chip_model const* const model = shared().registry.device_of(context);
    if (model == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
    if (!model->has_range_profiling()) return CUPTI_ERROR_NOT_SUPPORTED;
    auto const image = make_availability_image(*model, shared().registry.collection_of(context));
    if (params->pCounterAvailabilityImage != nullptr) {
        if (params->counterAvailabilityImageSize < image.size()) return CUPTI_ERROR_INVALID_PARAMETER;
        std::memcpy(params->pCounterAvailabilityImage, image.data(), image.size());
    }
    params->counterAvailabilityImageSize = image.size();
    return CUPTI_SUCCESS;
}

cupti_table table() noexcept {
    cupti_table calls;
    calls.GetResultString = get_result_string;
    calls.GetErrorMessage = get_result_string; // 13.0 has no other words
    calls.Finalize = detail::with_last_error<finalize>;
    calls.DeviceGetChipName = device_get_chip_name;
    add_callback_calls(calls);
    add_activity_calls(calls);
    add_event_calls(calls);
    add_metric_calls(calls);
    calls.ProfilerInitialize = profiler_initialize;
    calls.ProfilerDeInitialize = profiler_deinitialize;
    calls.ProfilerDeviceSupported = profiler_device_supported;
    calls.ProfilerGetCounterAvailability = profiler_get_counter_availability;
    add_host_calls(calls);
    add_range_calls(calls);
    add_target_calls(calls);
    add_pm_sampling_calls(calls);
    add_pc_sampling_calls(calls);
    add_sass_metric_calls(calls);
    return calls;
}

cupti_table legacy_table() noexcept {
    cupti_table calls = table();
    add_legacy_activity_calls(calls);
    calls.Subscribe_v2 = nullptr; // came with 13.0
    return calls;
}

// The calls of one part of the table.
#define GPUPROF_REMOVE_CALL(member, symbol, parameters) calls.member = nullptr;
cupti_table target_table() noexcept {
    cupti_table calls = legacy_table();
    add_target_activity_calls(calls);
    GPUPROF_ABI_CUPTI_HOST(GPUPROF_REMOVE_CALL)
    GPUPROF_ABI_CUPTI_RANGE(GPUPROF_REMOVE_CALL)
    GPUPROF_ABI_CUPTI_PM_SAMPLING(GPUPROF_REMOVE_CALL)
    GPUPROF_ABI_CUPTI_SASS_METRICS(GPUPROF_REMOVE_CALL)
    return calls;
}
#undef GPUPROF_REMOVE_CALL

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
