// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PC sampling calls for the embedded GPU. Layer: hw/sim, CUPTI table. Samples are estimates: they share out the cycles
// of the model of time. Refusals are those that CUPTI's header documents; where it says nothing, the comment does.
#ifndef GPUPROF_HW_SIM_CUPTI_PC_SAMPLING_HPP
#define GPUPROF_HW_SIM_CUPTI_PC_SAMPLING_HPP

#include <algorithm> // std::find
#include <cstddef>   // std::size_t
#include <cstdint>   // numbers
#include <cstring>   // std::memcpy
#include <set>       // names
#include <string>    // names

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/pc_sampling_state.hpp"
#include "last_error.hpp"
#include "pc_sampling_reasons.hpp"
#include "sass_to_source.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// What a call works on, or why it does not. @pre the registry's lock is held
struct sampled_context {
    chip_model const* chip = nullptr;
    pc_sampling_of_context* sampling = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
};
template <class Params>
[[nodiscard]] sampled_context sampled(Params const* params) {
    if (params == nullptr || params->size != Params{}.size) return {nullptr, nullptr, CUPTI_ERROR_INVALID_PARAMETER};
    gpu_registry& gpus = gpu_registry::instance();
    chip_model const* const chip = gpus.device_of(params->ctx);
    if (chip == nullptr) return {nullptr, nullptr, CUPTI_ERROR_INVALID_CONTEXT};
    if (!chip->has_range_profiling()) return {nullptr, nullptr, CUPTI_ERROR_NOT_SUPPORTED}; // both came with 7.0
    if (gpus.is_lost(params->ctx)) return {nullptr, nullptr, CUPTI_ERROR_UNKNOWN};
    pc_sampling_of_context& sampling = pc_sampling_state::instance().of(params->ctx);
    sampling.device = gpus.ordinal_of(params->ctx);
    return {chip, &sampling, CUPTI_SUCCESS};
}
// The same, of a context that is sampled already.
template <class Params>
[[nodiscard]] sampled_context enabled(Params const* params) {
    sampled_context found = sampled(params);
    if (found.status == CUPTI_SUCCESS && !found.sampling->enabled) found.status = CUPTI_ERROR_INVALID_OPERATION;
    return found;
}

// Names live as long as the process, as CUPTI's may be shared by anything. @pre the registry's lock is held
[[nodiscard]] inline char* kept_name(std::string const& name) {
    static auto* const names = new std::set<std::string>;
    return const_cast<char*>(names->insert(name).first->c_str()); // CUPTI's structure has no const
}

// Moves what fits into the tool's buffer. Counts of samples come with the first part of it.
inline void move_records(pc_sampling_of_context& from, CUpti_PCSamplingData& to) {
    to.totalSamples = from.samples;
    to.droppedSamples = from.lost;
    to.nonUsrKernelsTotalSamples = 0; // there are no kernels but the program's
    to.hardwareBufferFull = 0;
    to.rangeId = from.range;
    to.totalNumPcs = 0;
    from.samples = from.lost = 0;
    auto const wanted = [&](std::uint32_t reason) {
        auto const& list = from.settings.reasons;
        return from.settings.all_reasons || std::find(list.begin(), list.end(), reason) != list.end();
    };
    auto place = from.places.begin();
    for (; place != from.places.end() && to.totalNumPcs < to.collectNumPcs; place = from.places.erase(place)) {
        CUpti_PCSamplingPCData& record = to.pPcData[to.totalNumPcs];
        record.stallReasonCount = 0;
        for (std::size_t s = 0; s < warp_states; ++s) {
            std::uint32_t const reason = reason_number(static_cast<warp_state>(s));
            if (place->second.samples[s] != 0 && wanted(reason))
                record.stallReason[record.stallReasonCount++] = {reason, place->second.samples[s]};
            if (place->second.not_issued[s] != 0 && wanted(reason + 1))
                record.stallReason[record.stallReasonCount++] = {reason + 1, place->second.not_issued[s]};
        }
        if (record.stallReasonCount == 0) continue; // CUPTI has no records of those
        record.cubinCrc = place->first.code;
        record.pcOffset = place->first.offset;
        record.functionIndex = place->second.function_index;
        record.functionName = kept_name(place->first.function);
        record.correlationId = place->first.correlation;
        ++to.totalNumPcs;
    }
    to.remainingNumPcs = from.places.size();
}

[[nodiscard]] inline CUptiResult set_attribute(chip_model const& chip, pc_sampling_settings& settings,
                                               CUpti_PCSamplingConfigurationInfo const& given) {
    auto const& data = given.attributeData;
    switch (given.attributeType) {
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD:
            if (data.samplingPeriodData < 5 || data.samplingPeriodData > 31) return CUPTI_ERROR_INVALID_OPERATION;
            settings.period = data.samplingPeriodData;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON: {
            auto const [count, list] = data.stallReasonData;
            if (count == 0 || list == nullptr) return CUPTI_ERROR_INVALID_OPERATION;
            for (std::size_t i = 0; i < count; ++i)
                if (list[i] >= reason_count(chip)) return CUPTI_ERROR_INVALID_OPERATION;
            settings.reasons.assign(list, list + count);
            settings.all_reasons = false;
            return CUPTI_SUCCESS;
        }
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE:
            settings.scratch_bytes = data.scratchBufferSizeData;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE:
            settings.hardware_bytes = data.hardwareBufferSizeData;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE:
            if (data.collectionModeData != CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS &&
                data.collectionModeData != CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED)
                return CUPTI_ERROR_INVALID_OPERATION;
            settings.mode = data.collectionModeData;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL:
            if (data.enableStartStopControlData > 1) return CUPTI_ERROR_INVALID_OPERATION;
            settings.start_stop = data.enableStartStopControlData == 1;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT:
            return data.outputDataFormatData == CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED
                       ? CUPTI_SUCCESS
                       : CUPTI_ERROR_INVALID_OPERATION;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER:
            if (data.samplingDataBufferData == nullptr) return CUPTI_ERROR_INVALID_OPERATION;
            settings.last_buffer = data.samplingDataBufferData;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN:
            settings.worker_milliseconds = data.workerThreadPeriodicSleepSpanData;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_INVALID: break;
    }
    return CUPTI_ERROR_INVALID_PARAMETER;
}

// Those that are only written cannot be read.
[[nodiscard]] inline CUptiResult get_attribute(pc_sampling_settings const& settings,
                                               CUpti_PCSamplingConfigurationInfo& asked) {
    auto& data = asked.attributeData;
    switch (asked.attributeType) {
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD:
            data.samplingPeriodData = settings.period;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE:
            data.scratchBufferSizeData = settings.scratch_bytes;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE:
            data.hardwareBufferSizeData = settings.hardware_bytes;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE:
            data.collectionModeData = settings.mode;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL:
            data.enableStartStopControlData = settings.start_stop ? 1 : 0;
            return CUPTI_SUCCESS;
        case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN:
            data.workerThreadPeriodicSleepSpanData = settings.worker_milliseconds;
            return CUPTI_SUCCESS;
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

template <class Attribute>
[[nodiscard]] CUptiResult each_attribute(CUpti_PCSamplingConfigurationInfoParams* params, Attribute of) {
    if (params->numAttributes == 0 || params->pPCSamplingConfigurationInfo == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    CUptiResult first = CUPTI_SUCCESS;
    for (std::size_t i = 0; i < params->numAttributes; ++i) {
        auto& one = params->pPCSamplingConfigurationInfo[i];
        one.attributeStatus = of(one);
        if (first == CUPTI_SUCCESS) first = one.attributeStatus;
    }
    return first;
}

} // namespace detail

// A context that is sampled already, or a second one of the device: CUPTI_ERROR_INVALID_OPERATION. CUPTI's guide says that it is
// not supported (12.0, 2.10.7), not with which status. Samples from now on, unless start and stop are asked for.
inline CUptiResult pc_sampling_enable(CUpti_PCSamplingEnableParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (found.sampling->enabled || pc_sampling_state::instance().is_taken(found.sampling->device, params->ctx))
        return CUPTI_ERROR_INVALID_OPERATION;
    found.sampling->enabled = true;
    found.sampling->started = !found.sampling->settings.start_stop;
    return CUPTI_SUCCESS;
}

// What was not fetched goes to the buffer that was given at configuration; what finds no room there is gone.
inline CUptiResult pc_sampling_disable(CUpti_PCSamplingDisableParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (auto* const last = static_cast<CUpti_PCSamplingData*>(found.sampling->settings.last_buffer))
        detail::move_records(*found.sampling, *last);
    pc_sampling_state::instance().remove(params->ctx);
    return CUPTI_SUCCESS;
}

inline CUptiResult pc_sampling_start(CUpti_PCSamplingStartParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (!found.sampling->settings.start_stop || found.sampling->started) return CUPTI_ERROR_INVALID_OPERATION;
    found.sampling->started = true;
    ++found.sampling->range;
    return CUPTI_SUCCESS;
}
inline CUptiResult pc_sampling_stop(CUpti_PCSamplingStopParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (!found.sampling->settings.start_stop || !found.sampling->started) return CUPTI_ERROR_INVALID_OPERATION;
    found.sampling->started = false;
    return CUPTI_SUCCESS;
}

// Once the hardware buffer is full: CUPTI_ERROR_OUT_OF_MEMORY and no records, as CUPTI documents. The buffer is empty then.
inline CUptiResult pc_sampling_get_data(CUpti_PCSamplingGetDataParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    auto* const data = static_cast<CUpti_PCSamplingData*>(params->pcSamplingData);
    if (data == nullptr || data->size != CUpti_PCSamplingData{}.size || data->pPcData == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (found.sampling->lost != 0) {
        data->totalSamples = found.sampling->samples;
        data->droppedSamples = found.sampling->lost;
        data->totalNumPcs = data->remainingNumPcs = 0;
        data->nonUsrKernelsTotalSamples = 0;
        data->hardwareBufferFull = 1;
        found.sampling->forget_samples();
        return CUPTI_ERROR_OUT_OF_MEMORY;
    }
    detail::move_records(*found.sampling, *data);
    return CUPTI_SUCCESS;
}

inline CUptiResult pc_sampling_set_configuration(CUpti_PCSamplingConfigurationInfoParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    bool const had_control = found.sampling->settings.start_stop;
    CUptiResult const status = detail::each_attribute(params, [&](CUpti_PCSamplingConfigurationInfo const& one) {
        return detail::set_attribute(*found.chip, found.sampling->settings, one);
    });
    if (found.sampling->settings.start_stop != had_control)
        found.sampling->started = found.sampling->enabled && had_control;
    return status;
}
inline CUptiResult pc_sampling_get_configuration(CUpti_PCSamplingConfigurationInfoParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    return detail::each_attribute(params, [&](CUpti_PCSamplingConfigurationInfo& one) {
        return detail::get_attribute(found.sampling->settings, one);
    });
}

inline CUptiResult pc_sampling_get_num_stall_reasons(CUpti_PCSamplingGetNumStallReasonsParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (params->numStallReasons == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *params->numStallReasons = reason_count(*found.chip);
    return CUPTI_SUCCESS;
}

// In no order that a tool may rely on, as on hardware.
inline CUptiResult pc_sampling_get_stall_reasons(CUpti_PCSamplingGetStallReasonsParams* params) {
    auto const held = gpu_registry::instance().lock();
    auto const found = detail::sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    std::size_t const count = reason_count(*found.chip);
    if (params->stallReasonIndex == nullptr || params->stallReasons == nullptr || params->numStallReasons < count)
        return CUPTI_ERROR_INVALID_PARAMETER;
    for (std::size_t i = 0; i < count; ++i) {
        auto const number = static_cast<std::uint32_t>(count - 1 - i);
        std::string const name = reason_name(number);
        params->stallReasonIndex[i] = number;
        std::memcpy(params->stallReasons[i], name.c_str(), name.size() + 1);
    }
    return CUPTI_SUCCESS;
}

inline void add_pc_sampling_calls(cupti_table& calls) {
    using detail::remembered;
    calls.PCSamplingEnable = remembered<pc_sampling_enable>;
    calls.PCSamplingDisable = remembered<pc_sampling_disable>;
    calls.PCSamplingStart = remembered<pc_sampling_start>;
    calls.PCSamplingStop = remembered<pc_sampling_stop>;
    calls.PCSamplingGetData = remembered<pc_sampling_get_data>;
    calls.PCSamplingSetConfigurationAttribute = remembered<pc_sampling_set_configuration>;
    calls.PCSamplingGetConfigurationAttribute = remembered<pc_sampling_get_configuration>;
    calls.PCSamplingGetNumStallReasons = remembered<pc_sampling_get_num_stall_reasons>;
    calls.PCSamplingGetStallReasons = remembered<pc_sampling_get_stall_reasons>;
    calls.GetSassToSourceCorrelation = remembered<get_sass_to_source_correlation>;
    calls.GetCubinCrc = remembered<get_cubin_crc>;
    calls.RegisterComputeCrcCallback = remembered<register_compute_crc_callback>;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_PC_SAMPLING_HPP
