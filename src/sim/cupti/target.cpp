// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"
#include "config_image.hpp"
#include "counter_image.hpp"
#include "cupti_state.hpp"
#include "range_objects.hpp"
#include "range_session.hpp"
#include "target_sessions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The session of the context that a call names, null for the current one, with its counters. Null where there is none, or
// where the structure has another size.
struct found_target {
    target_session* session = nullptr;
    range_object* counters = nullptr;
    explicit operator bool() const noexcept { return counters != nullptr; }
    [[nodiscard]] range_session& ranges() const noexcept { return counters->session; }
};

// @pre the registry's lock is held
template <class Params>
[[nodiscard]] found_target target_of(Params const* params) {
    if (!well_sized(params)) return {};
    auto const found = state().targets.find(params->ctx == nullptr ? gpu_registry::current() : params->ctx);
    if (found == state().targets.end()) return {};
    return {&found->second, state().ranges.find(found->second.counters)};
}

// The rows that counter data of a prefix has room for; nothing if the bytes are no prefix or the options have another size.
template <class Params>
[[nodiscard]] std::optional<configuration> prefix_of(Params const* params) {
    if (!well_sized(params) || params->pOptions == nullptr) return {};
    CUpti_Profiler_CounterDataImageOptions const& options = *params->pOptions;
    if (options.structSize != CUpti_Profiler_CounterDataImageOptions{}.structSize) return {};
    if (params->sizeofCounterDataImageOptions != options.structSize || options.pCounterDataPrefix == nullptr) return {};
    if (options.maxNumRanges == 0 || options.maxNumRangeTreeNodes < options.maxNumRanges) return {};
    auto found = read_config_image({options.pCounterDataPrefix, options.counterDataPrefixSize});
    return found && found->passes.size() == 1 ? found : std::nullopt;
}

// Names longer than the options say are kept: an image has room for names of one length.
static CUptiResult target_calculate_size(CUpti_Profiler_CounterDataImage_CalculateSize_Params* params) {
    auto const prefix = prefix_of(params);
    if (!prefix) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const size = counter_image::size(prefix->passes.front().size(), params->pOptions->maxNumRanges,
                                          params->pOptions->maxNumRangeTreeNodes);
    if (!size) return CUPTI_ERROR_OUT_OF_MEMORY;
    params->counterDataImageSize = *size;
    return CUPTI_SUCCESS;
}

static CUptiResult target_initialize_image(CUpti_Profiler_CounterDataImage_Initialize_Params* params) {
    auto const prefix = prefix_of(params);
    if (!prefix || params->pCounterDataImage == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    bool const done = counter_image::initialize({params->pCounterDataImage, params->counterDataImageSize},
                                                prefix->which, prefix->passes.front(), params->pOptions->maxNumRanges,
                                                params->pOptions->maxNumRangeTreeNodes);
    return done ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

// Nothing needs it here.
constexpr std::size_t target_scratch_bytes = 8;

static CUptiResult target_calculate_scratch(CUpti_Profiler_CounterDataImage_CalculateScratchBufferSize_Params* params) {
    if (!well_sized(params) || !counter_image::open({params->pCounterDataImage, params->counterDataImageSize}))
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->counterDataScratchBufferSize = target_scratch_bytes;
    return CUPTI_SUCCESS;
}

static CUptiResult target_initialize_scratch(CUpti_Profiler_CounterDataImage_InitializeScratchBuffer_Params* params) {
    if (!well_sized(params) || !counter_image::open({params->pCounterDataImage, params->counterDataImageSize}))
        return CUPTI_ERROR_INVALID_PARAMETER;
    bool const fits =
        params->pCounterDataScratchBuffer != nullptr && params->counterDataScratchBufferSize >= target_scratch_bytes;
    return fits ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

// One a context, and none where the range profiler is enabled. A context that counts events is
// CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED.
static CUptiResult target_begin_session(CUpti_Profiler_BeginSession_Params* params) {
    if (!well_sized(params) || params->pCounterDataScratchBuffer == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!state().profiler_initialized) return CUPTI_ERROR_NOT_INITIALIZED;
    gpu_registry& gpus = shared().registry;
    auto const held = gpus.lock();
    CUcontext const context = params->ctx == nullptr ? gpu_registry::current() : params->ctx;
    chip_model const* const model = gpus.device_of(context);
    if (model == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
    if (!model->has_range_profiling()) return CUPTI_ERROR_NOT_SUPPORTED;
    if (state().events.has(context)) return CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED;
    if (gpus.is_lost(context)) return CUPTI_ERROR_UNKNOWN;
    if (state().ranges.has(context)) return CUPTI_ERROR_INVALID_OPERATION;
    target_session made;
    made.image = {params->pCounterDataImage, params->counterDataImageSize};
    made.auto_ranges = params->range == CUPTI_AutoRange;
    made.kernel_replay = params->replayMode == CUPTI_KernelReplay;
    made.max_ranges = params->maxRangesPerPass;
    if (made.kernel_replay && !made.auto_ranges) return CUPTI_ERROR_INVALID_OPERATION;
    auto const data = counter_image::open(made.image);
    if (!data || data->model() != model || made.max_ranges == 0 || params->maxLaunchesPerPass < made.max_ranges)
        return CUPTI_ERROR_INVALID_PARAMETER;
    made.counters = state().ranges.add(context, *model, gpus.collection_of(context));
    state().targets.insert_or_assign(context, made);
    return CUPTI_SUCCESS;
}

static CUptiResult target_end_session(CUpti_Profiler_EndSession_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    CUcontext const context = found.ranges().context();
    state().ranges.remove(found.counters);
    state().targets.erase(context);
    return CUPTI_SUCCESS;
}

// Levels of 0 are CUPTI_ERROR_INVALID_PARAMETER: its header says that they are at least 1.
static CUptiResult target_set_config(CUpti_Profiler_SetConfig_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found || params->pConfig == nullptr || params->minNestingLevel == 0 || params->numNestingLevels == 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (found.session->configured) return CUPTI_ERROR_INVALID_OPERATION;
    if (found.counters->is_dead()) return CUPTI_ERROR_UNKNOWN;
    auto config = read_config_image({params->pConfig, params->configSize});
    if (!config || config->which != found.ranges().model().which()) return CUPTI_ERROR_INVALID_PARAMETER;
    range_plan plan;
    plan.config = std::move(*config);
    plan.image = found.session->image;
    plan.auto_ranges = found.session->auto_ranges;
    plan.kernel_replay = found.session->kernel_replay;
    plan.max_ranges = found.session->max_ranges;
    plan.first_level = plan.auto_ranges ? 1 : params->minNestingLevel;
    plan.last_level = plan.first_level + params->numNestingLevels - 1;
    plan.pass = params->passIndex;
    plan.level = params->targetNestingLevel == 0 ? plan.first_level : params->targetNestingLevel;
    found.ranges().configure(std::move(plan));
    found.session->configured = true;
    return CUPTI_SUCCESS;
}

// What CUPTI replayed is decoded by now.
static CUptiResult target_unset_config(CUpti_Profiler_UnsetConfig_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!found.session->configured || found.session->in_pass || found.session->counting)
        return CUPTI_ERROR_INVALID_OPERATION;
    if (found.counters->is_dead()) return CUPTI_ERROR_UNKNOWN;
    if (found.session->kernel_replay && !found.ranges().decode()) return CUPTI_ERROR_INVALID_PARAMETER;
    found.session->configured = false;
    return CUPTI_SUCCESS;
}

// With kernel replay it does nothing, as EndPass does (CUPTI 12.0, 2.7.2.1).
static CUptiResult target_begin_pass(CUpti_Profiler_BeginPass_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!found.session->configured || found.session->in_pass) return CUPTI_ERROR_INVALID_OPERATION;
    if (found.session->kernel_replay) return CUPTI_SUCCESS;
    found.ranges().start();
    found.session->in_pass = true;
    return CUPTI_SUCCESS;
}

static CUptiResult target_end_pass(CUpti_Profiler_EndPass_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    if (found.session->kernel_replay) return CUPTI_SUCCESS;
    if (!found.session->in_pass || found.session->counting) return CUPTI_ERROR_INVALID_OPERATION;
    found.session->in_pass = false;
    if (found.counters->is_dead()) return CUPTI_ERROR_UNKNOWN;
    params->allPassesSubmitted = found.ranges().stop();
    params->passIndex = found.ranges().pass();
    params->targetNestingLevel = static_cast<std::uint16_t>(found.ranges().level());
    return CUPTI_SUCCESS;
}

static CUptiResult target_enable_profiling(CUpti_Profiler_EnableProfiling_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    target_session& session = *found.session;
    if (session.counting || !(session.kernel_replay ? session.configured : session.in_pass))
        return CUPTI_ERROR_INVALID_OPERATION;
    session.counting = true;
    range_session& ranges = found.ranges();
    if (session.kernel_replay) ranges.start();
    if (session.auto_ranges)
        shared().registry.listen(ranges.context(),
                                 [&ranges](counter_values const& counted) { ranges.launched(counted); });
    return CUPTI_SUCCESS;
}

static CUptiResult target_disable_profiling(CUpti_Profiler_DisableProfiling_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!found.session->counting) return CUPTI_ERROR_INVALID_OPERATION;
    found.session->counting = false;
    shared().registry.listen(found.ranges().context(), {});
    if (found.session->kernel_replay) static_cast<void>(found.ranges().stop());
    return found.counters->is_dead() ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

// A length of 0 means that the name ends with its NUL. With auto ranges it succeeds and means nothing.
static CUptiResult target_push(CUpti_Profiler_PushRange_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found || params->pRangeName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!found.session->counting) return CUPTI_ERROR_INVALID_OPERATION;
    std::string_view const name = params->rangeNameLength == 0
                                      ? std::string_view{params->pRangeName}
                                      : std::string_view{params->pRangeName, params->rangeNameLength};
    if (!found.session->auto_ranges) found.ranges().push(name, shared().registry.totals(found.ranges().context()));
    return CUPTI_SUCCESS;
}

static CUptiResult target_pop(CUpti_Profiler_PopRange_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!found.session->counting) return CUPTI_ERROR_INVALID_OPERATION;
    if (found.counters->is_dead()) return CUPTI_ERROR_UNKNOWN;
    if (!found.session->auto_ranges) found.ranges().pop(shared().registry.totals(found.ranges().context()));
    return CUPTI_SUCCESS;
}

// Ranges that found no room are not counted as dropped.
static CUptiResult target_flush(CUpti_Profiler_FlushCounterData_Params* params) {
    auto const held = shared().registry.lock();
    auto const found = target_of(params);
    if (!found) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!found.session->configured || found.session->in_pass) return CUPTI_ERROR_INVALID_OPERATION;
    if (found.counters->is_dead()) return CUPTI_ERROR_UNKNOWN;
    params->numRangesDropped = params->numTraceBytesDropped = 0;
    return found.ranges().decode() ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

void add_target_calls(abi::cupti_table& calls) noexcept {
    calls.ProfilerCounterDataImageCalculateSize = target_calculate_size;
    calls.ProfilerCounterDataImageInitialize = target_initialize_image;
    calls.ProfilerCounterDataImageCalculateScratchBufferSize = target_calculate_scratch;
    calls.ProfilerCounterDataImageInitializeScratchBuffer = target_initialize_scratch;
    calls.ProfilerBeginSession = target_begin_session;
    calls.ProfilerEndSession = target_end_session;
    calls.ProfilerSetConfig = target_set_config;
    calls.ProfilerUnsetConfig = target_unset_config;
    calls.ProfilerBeginPass = target_begin_pass;
    calls.ProfilerEndPass = target_end_pass;
    calls.ProfilerEnableProfiling = target_enable_profiling;
    calls.ProfilerDisableProfiling = target_disable_profiling;
    calls.ProfilerPushRange = target_push;
    calls.ProfilerPopRange = target_pop;
    calls.ProfilerFlushCounterData = target_flush;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
