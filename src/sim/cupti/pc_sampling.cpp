// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pc_sampling.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "../chip/chip_model.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/pc_sampling_state.hpp"
#include "../gpu/warp_waits.hpp"
#include "cupti_state.hpp"
#include "last_error.hpp"
#include "pc_sampling_reasons.hpp"
#include "release.hpp"
#include "sass_to_source.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The context that a call works on, or the status to refuse with.
struct sampled_context {
    chip_model const* chip = nullptr;
    pc_sampling_of_context* sampling = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
};

template <class Params>
[[nodiscard]] sampled_context find_sampled(Params const* params) {
    if (params == nullptr || params->size != Params{}.size) return {nullptr, nullptr, CUPTI_ERROR_INVALID_PARAMETER};
    gpu_registry& gpus = shared().registry;
    chip_model const* const chip = gpus.device_of(params->ctx);
    if (chip == nullptr) return {nullptr, nullptr, CUPTI_ERROR_INVALID_CONTEXT};
    if (!chip->has_range_profiling()) return {nullptr, nullptr, CUPTI_ERROR_NOT_SUPPORTED}; // both came with 7.0
    if (gpus.is_lost(params->ctx)) return {nullptr, nullptr, CUPTI_ERROR_UNKNOWN};
    pc_sampling_of_context& sampling = shared().pc_sampling.of(params->ctx);
    sampling.device = gpus.ordinal_of(params->ctx);
    return {chip, &sampling, CUPTI_SUCCESS};
}

// The same, of a context that is sampled already.
template <class Params>
[[nodiscard]] sampled_context find_enabled(Params const* params) {
    sampled_context found = find_sampled(params);
    if (found.status == CUPTI_SUCCESS && !found.sampling->enabled) found.status = CUPTI_ERROR_INVALID_OPERATION;
    return found;
}

// Names live as long as the process, as CUPTI's may be shared by anything. @pre the registry's lock
// is held
[[nodiscard]] static char* kept_name(std::string const& name) {
    return const_cast<char*>(state().function_names.insert(name).first->c_str()); // CUPTI's structure has no const
}

// The size of a record in the release in force, and that of what holds them: launches came with CUDA 12.4, and
// hardwareBufferFull with 12.0, whose number of version 11.8 shares.
[[nodiscard]] static std::size_t record_bytes() noexcept {
    bool const has_launch = release_in_force(release_of_table) >= activity::release(12, 4);
    return has_launch ? sizeof(CUpti_PCSamplingPCData) : offsetof(CUpti_PCSamplingPCData, correlationId);
}
[[nodiscard]] static bool is_size_of_data(std::size_t bytes) noexcept {
    if (bytes == sizeof(CUpti_PCSamplingData)) return true;
    return bytes == offsetof(CUpti_PCSamplingData, hardwareBufferFull) &&
           release_in_force(release_of_table) <= activity::release(12, 0);
}

// Moves the records that fit into the tool's buffer. Counts of samples come with the first part of
// it.
static void move_records(pc_sampling_of_context& from, CUpti_PCSamplingData& to) {
    to.totalSamples = from.samples;
    to.droppedSamples = from.lost;
    to.nonUsrKernelsTotalSamples = 0; // there are no kernels but the program's
    if (to.size == sizeof to) to.hardwareBufferFull = 0;
    to.rangeId = from.range;
    to.totalNumPcs = 0;
    from.samples = from.lost = 0;
    auto const wanted = [&](std::uint32_t reason) {
        auto const& list = from.settings.reasons;
        return from.settings.all_reasons || std::find(list.begin(), list.end(), reason) != list.end();
    };
    auto place = from.places.begin();
    for (; place != from.places.end() && to.totalNumPcs < to.collectNumPcs; place = from.places.erase(place)) {
        auto* const at = reinterpret_cast<std::byte*>(to.pPcData) + to.totalNumPcs * record_bytes();
        CUpti_PCSamplingPCData record;
        std::memcpy(&record, at, record_bytes());
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
        std::memcpy(at, &record, record_bytes());
        ++to.totalNumPcs;
    }
    to.remainingNumPcs = from.places.size();
}

[[nodiscard]] static CUptiResult set_sampling_attribute(chip_model const& chip, pc_sampling_settings& settings,
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

// Attributes that can only be set cannot be read.
[[nodiscard]] static CUptiResult get_sampling_attribute(pc_sampling_settings const& settings,
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
[[nodiscard]] CUptiResult for_each_attribute(CUpti_PCSamplingConfigurationInfoParams* params, Attribute of) {
    if (params->numAttributes == 0 || params->pPCSamplingConfigurationInfo == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    CUptiResult first = CUPTI_SUCCESS;
    for (std::size_t i = 0; i < params->numAttributes; ++i) {
        auto& attribute = params->pPCSamplingConfigurationInfo[i];
        attribute.attributeStatus = of(attribute);
        if (first == CUPTI_SUCCESS) first = attribute.attributeStatus;
    }
    return first;
}

// A context that is sampled already, or a second context of the device:
// CUPTI_ERROR_INVALID_OPERATION. CUPTI's guide says that it is not supported (12.0, 2.10.7), not
// with which status. Samples from now on, unless start and stop are asked for.
static CUptiResult pc_sampling_enable(CUpti_PCSamplingEnableParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (found.sampling->enabled || shared().pc_sampling.is_taken(found.sampling->device, params->ctx))
        return CUPTI_ERROR_INVALID_OPERATION;
    found.sampling->enabled = true;
    found.sampling->started = !found.sampling->settings.start_stop;
    return CUPTI_SUCCESS;
}

// Records that were not fetched go to the buffer that was given at configuration; those that find
// no room there are lost.
static CUptiResult pc_sampling_disable(CUpti_PCSamplingDisableParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (auto* const last = static_cast<CUpti_PCSamplingData*>(found.sampling->settings.last_buffer))
        move_records(*found.sampling, *last);
    shared().pc_sampling.remove(params->ctx);
    return CUPTI_SUCCESS;
}

static CUptiResult pc_sampling_start(CUpti_PCSamplingStartParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (!found.sampling->settings.start_stop || found.sampling->started) return CUPTI_ERROR_INVALID_OPERATION;
    found.sampling->started = true;
    ++found.sampling->range;
    return CUPTI_SUCCESS;
}

static CUptiResult pc_sampling_stop(CUpti_PCSamplingStopParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (!found.sampling->settings.start_stop || !found.sampling->started) return CUPTI_ERROR_INVALID_OPERATION;
    found.sampling->started = false;
    return CUPTI_SUCCESS;
}

// Once the hardware buffer is full: CUPTI_ERROR_OUT_OF_MEMORY and no records, as CUPTI documents.
// The buffer is empty then.
static CUptiResult pc_sampling_get_data(CUpti_PCSamplingGetDataParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_enabled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    auto* const data = static_cast<CUpti_PCSamplingData*>(params->pcSamplingData);
    if (data == nullptr || !is_size_of_data(data->size) || data->pPcData == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (found.sampling->lost != 0) {
        data->totalSamples = found.sampling->samples;
        data->droppedSamples = found.sampling->lost;
        data->totalNumPcs = data->remainingNumPcs = 0;
        data->nonUsrKernelsTotalSamples = 0;
        if (data->size == sizeof *data) data->hardwareBufferFull = 1;
        found.sampling->forget_samples();
        return CUPTI_ERROR_OUT_OF_MEMORY;
    }
    move_records(*found.sampling, *data);
    return CUPTI_SUCCESS;
}

static CUptiResult pc_sampling_set_configuration(CUpti_PCSamplingConfigurationInfoParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    bool const had_control = found.sampling->settings.start_stop;
    CUptiResult const status = for_each_attribute(params, [&](CUpti_PCSamplingConfigurationInfo const& attribute) {
        return set_sampling_attribute(*found.chip, found.sampling->settings, attribute);
    });
    if (found.sampling->settings.start_stop != had_control)
        found.sampling->started = found.sampling->enabled && had_control;
    return status;
}

static CUptiResult pc_sampling_get_configuration(CUpti_PCSamplingConfigurationInfoParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    return for_each_attribute(params, [&](CUpti_PCSamplingConfigurationInfo& attribute) {
        return get_sampling_attribute(found.sampling->settings, attribute);
    });
}

static CUptiResult pc_sampling_get_num_stall_reasons(CUpti_PCSamplingGetNumStallReasonsParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_sampled(params);
    if (found.status != CUPTI_SUCCESS) return found.status;
    if (params->numStallReasons == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *params->numStallReasons = reason_count(*found.chip);
    return CUPTI_SUCCESS;
}

// The order is not one that a tool may rely on, as on hardware.
static CUptiResult pc_sampling_get_stall_reasons(CUpti_PCSamplingGetStallReasonsParams* params) {
    auto const held = shared().registry.lock();
    auto const found = find_sampled(params);
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

void add_pc_sampling_calls(cupti_table& calls) {
    using detail::with_last_error;
    calls.PCSamplingEnable = with_last_error<pc_sampling_enable>;
    calls.PCSamplingDisable = with_last_error<pc_sampling_disable>;
    calls.PCSamplingStart = with_last_error<pc_sampling_start>;
    calls.PCSamplingStop = with_last_error<pc_sampling_stop>;
    calls.PCSamplingGetData = with_last_error<pc_sampling_get_data>;
    calls.PCSamplingSetConfigurationAttribute = with_last_error<pc_sampling_set_configuration>;
    calls.PCSamplingGetConfigurationAttribute = with_last_error<pc_sampling_get_configuration>;
    calls.PCSamplingGetNumStallReasons = with_last_error<pc_sampling_get_num_stall_reasons>;
    calls.PCSamplingGetStallReasons = with_last_error<pc_sampling_get_stall_reasons>;
    calls.GetSassToSourceCorrelation = with_last_error<get_sass_to_source_correlation>;
    calls.GetCubinCrc = with_last_error<get_cubin_crc>;
    calls.RegisterComputeCrcCallback = with_last_error<register_compute_crc_callback>;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
