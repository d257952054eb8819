// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "range.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "../chip/chip_model.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/pass_scheduler.hpp"
#include "answer.hpp"
#include "config_image.hpp"
#include "counter_image.hpp"
#include "cupti_state.hpp"
#include "evaluate.hpp"
#include "range_objects.hpp"
#include "range_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The session a call names, or null for a call that names none or has a structure of another size.
// @pre the registry's lock is held
template <class Params>
[[nodiscard]] range_object* session_of(Params const* params) noexcept {
    return well_sized(params) ? state().ranges.find(params->pRangeProfilerObject) : nullptr;
}

// Names longer than this do not fit into the command stream that marks ranges. A real CUPTI answers
// some of them with success and loses ranges, and hangs on the longest.
constexpr std::size_t longest_range_name = 4095;

// A second session on a context: success and a null object, as in CUPTI 13.0, which crashes when
// that is used. A null context means the current one; with none current CUPTI 13.0 crashes, this is
// CUPTI_ERROR_INVALID_CONTEXT. A context that counts events is
// CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, a chip without range profiling
// CUPTI_ERROR_NOT_SUPPORTED.
static CUptiResult range_enable(CUpti_RangeProfiler_Enable_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    gpu_registry& gpus = shared().registry;
    auto const held = gpus.lock();
    CUcontext const context = params->ctx == nullptr ? gpu_registry::current() : params->ctx;
    chip_model const* const model = gpus.device_of(context);
    if (model == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
    if (!model->has_range_profiling()) return CUPTI_ERROR_NOT_SUPPORTED;
    if (state().events.has(context)) return CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED;
    if (gpus.is_lost(context)) return CUPTI_ERROR_UNKNOWN;
    range_objects& all = state().ranges;
    params->pRangeProfilerObject = all.has(context) ? nullptr : all.add(context, *model, gpus.collection_of(context));
    return CUPTI_SUCCESS;
}

static CUptiResult range_disable(CUpti_RangeProfiler_Disable_Params* params) {
    auto const held = shared().registry.lock();
    range_object const* const object = session_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    state().ranges.remove(object);
    return CUPTI_SUCCESS;
}

static CUptiResult range_get_counter_data_size(CUpti_RangeProfiler_GetCounterDataSize_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr || params->pMetricNames == nullptr || params->numMetrics == 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (params->maxNumOfRanges == 0 || params->maxNumRangeTreeNodes == 0) return CUPTI_ERROR_INVALID_PARAMETER;
    chip_model const& model = object->session.model();
    auto const metrics = find_rows(model, {params->pMetricNames, params->numMetrics});
    if (!metrics) return CUPTI_ERROR_INVALID_PARAMETER;
    auto rows = constituents(model, *metrics);
    auto const size = counter_image::size(rows.size(), params->maxNumOfRanges, params->maxNumRangeTreeNodes);
    if (!size) return CUPTI_ERROR_OUT_OF_MEMORY;
    object->rows = std::move(rows);
    object->ranges = params->maxNumOfRanges;
    object->nodes = params->maxNumRangeTreeNodes;
    params->counterDataSize = *size;
    return CUPTI_SUCCESS;
}

// Lays the image out as the last GetCounterDataSize on this object said.
static CUptiResult range_counter_data_image_initialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params* params) {
    auto const held = shared().registry.lock();
    range_object const* const object = session_of(params);
    if (object == nullptr || params->pCounterData == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    bool const done = object->ranges != 0 && counter_image::initialize({params->pCounterData, params->counterDataSize},
                                                                       object->session.model().which(), object->rows,
                                                                       object->ranges, object->nodes);
    return done ? CUPTI_SUCCESS : CUPTI_ERROR_UNKNOWN;
}

// Kernel replay of user ranges: CUPTI_ERROR_INVALID_OPERATION. Levels and target of 0 mean 1.
static CUptiResult range_set_config(CUpti_RangeProfiler_SetConfig_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr || params->pConfig == nullptr || params->pCounterDataImage == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (params->range == CUPTI_UserRange && params->replayMode == CUPTI_KernelReplay)
        return CUPTI_ERROR_INVALID_OPERATION;
    if (object->is_dead()) return CUPTI_ERROR_UNKNOWN;
    auto config = read_config_image({params->pConfig, params->configSize});
    std::span<std::uint8_t> const image{params->pCounterDataImage, params->counterDataImageSize};
    auto const data = counter_image::open(image);
    chip_model const& model = object->session.model();
    if (!config || config->which != model.which() || !data || data->model() != &model)
        return CUPTI_ERROR_INVALID_PARAMETER;

    range_plan plan;
    plan.config = std::move(*config);
    plan.image = image;
    plan.auto_ranges = params->range == CUPTI_AutoRange;
    plan.kernel_replay = params->replayMode == CUPTI_KernelReplay;
    plan.max_ranges = params->maxRangesPerPass;
    plan.first_level = plan.auto_ranges ? 1 : std::max<std::size_t>(params->minNestingLevel, 1);
    plan.last_level = plan.first_level + std::max<std::size_t>(params->numNestingLevels, 1) - 1;
    plan.at_pass = params->replayMode == CUPTI_ApplicationReplay;
    plan.pass = params->passIndex;
    plan.level = std::max<std::size_t>(params->targetNestingLevel, 1);
    shared().registry.listen(object->session.context(), {});
    object->session.configure(std::move(plan));
    return CUPTI_SUCCESS;
}

static CUptiResult range_start(CUpti_RangeProfiler_Start_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    range_session& session = object->session;
    if (!session.is_configured()) return CUPTI_ERROR_INVALID_OPERATION;
    session.start();
    if (session.has_auto_ranges())
        shared().registry.listen(session.context(),
                                 [&session](counter_values const& counted) { session.launched(counted); });
    return CUPTI_SUCCESS;
}

static CUptiResult range_stop(CUpti_RangeProfiler_Stop_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    range_session& session = object->session;
    if (!session.is_started()) return CUPTI_ERROR_INVALID_OPERATION;
    if (object->is_dead()) return CUPTI_ERROR_UNKNOWN;
    shared().registry.listen(session.context(), {});
    params->isAllPassSubmitted = session.stop();
    params->passIndex = session.pass();
    params->targetNestingLevel = session.level();
    return CUPTI_SUCCESS;
}

// With auto ranges it succeeds and means nothing.
static CUptiResult range_push(CUpti_RangeProfiler_PushRange_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr || params->pRangeName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    range_session& session = object->session;
    if (!session.is_started()) return CUPTI_ERROR_INVALID_PARAMETER;
    std::string_view const name = params->pRangeName;
    if (name.size() > longest_range_name) return CUPTI_ERROR_UNKNOWN;
    if (!session.has_auto_ranges()) session.push(name, shared().registry.totals(session.context()));
    return CUPTI_SUCCESS;
}

// Without an open range it succeeds and does nothing.
static CUptiResult range_pop(CUpti_RangeProfiler_PopRange_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr || !object->session.is_started()) return CUPTI_ERROR_INVALID_PARAMETER;
    if (object->is_dead()) return CUPTI_ERROR_UNKNOWN;
    range_session& session = object->session;
    if (!session.has_auto_ranges()) session.pop(shared().registry.totals(session.context()));
    return CUPTI_SUCCESS;
}

// Ranges that found no room are not counted as dropped: CUPTI 13.0 does not either.
static CUptiResult range_decode_data(CUpti_RangeProfiler_DecodeData_Params* params) {
    auto const held = shared().registry.lock();
    range_object* const object = session_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!object->session.is_configured()) return CUPTI_ERROR_INVALID_OPERATION;
    if (object->is_dead()) return CUPTI_ERROR_UNKNOWN;
    params->numOfRangeDropped = 0;
    return object->session.decode() ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

static CUptiResult range_get_counter_data_info(CUpti_RangeProfiler_GetCounterDataInfo_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const image = const_counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    if (!image) return CUPTI_ERROR_UNKNOWN;
    params->numTotalRanges = image->ranges();
    return CUPTI_SUCCESS;
}

// The caller frees the name with std::free.
static CUptiResult range_counter_data_get_range_info(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    return detail::range_name(params->pCounterDataImage, params->counterDataImageSize, params->rangeIndex,
                              params->rangeDelimiter, params->rangeName);
}

void add_range_calls(abi::cupti_table& calls) noexcept {
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
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
