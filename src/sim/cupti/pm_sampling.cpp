// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pm_sampling.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "../chip/chip_model.hpp"
#include "../counters/metric_table.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/pass_scheduler.hpp"
#include "../gpu/work_log.hpp"
#include "answer.hpp"
#include "config_image.hpp"
#include "counter_image.hpp"
#include "cupti_state.hpp"
#include "image_bytes.hpp"
#include "pm_sampling_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The session a call names, or null for a call that names none or has a structure of another size.
// @pre the lock is held.
template <class Params>
[[nodiscard]] pm_sampling_object* sampling_of(Params const* params) noexcept {
    return well_sized(params) ? state().pm_sampling.find(params->pPmSamplingObject) : nullptr;
}

// An image of samples: an image of ranges, and after it when each began and ended.
constexpr std::size_t bytes_of_times = 2 * sizeof(std::uint64_t);

[[nodiscard]] static std::optional<std::size_t> pm_image_bytes(std::size_t rows, std::size_t room) noexcept {
    auto const ranges = counter_image::size(rows, room, room);
    return ranges ? std::optional{*ranges + room * bytes_of_times} : std::nullopt;
}

// Where the times of sample `at` are; null if the image is none, or has no such sample.
template <class Byte>
[[nodiscard]] Byte* sample_times_in(Byte* bytes, std::size_t size, std::size_t at) noexcept {
    auto const image = const_counter_image::open({bytes, size});
    if (!image || at >= image->room() || size < image->bytes() + image->room() * bytes_of_times) return nullptr;
    return bytes + image->bytes() + at * bytes_of_times;
}

// Without an image it gives the size; with one it fills it.
static CUptiResult pm_get_counter_availability(CUpti_PmSampling_GetCounterAvailability_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    gpu_registry& gpus = shared().registry;
    auto const held = gpus.lock();
    chip_model const* const model = gpus.device(params->deviceIndex);
    if (model == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!model->has_range_profiling()) return CUPTI_ERROR_NOT_SUPPORTED;
    auto const image = make_availability_image(*model, gpus.collection_on(params->deviceIndex));
    if (params->pCounterAvailabilityImage != nullptr) {
        if (params->counterAvailabilityImageSize < image.size()) return CUPTI_ERROR_INVALID_PARAMETER;
        std::memcpy(params->pCounterAvailabilityImage, image.data(), image.size());
    }
    params->counterAvailabilityImageSize = image.size();
    return CUPTI_SUCCESS;
}

// A device that is sampled: CUPTI_ERROR_INVALID_OPERATION, as the header says. One whose ranges are
// profiled: CUPTI_ERROR_HARDWARE_BUSY.
static CUptiResult pm_enable(CUpti_PmSampling_Enable_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    gpu_registry& gpus = shared().registry;
    auto const held = gpus.lock();
    chip_model const* const model = gpus.device(params->deviceIndex);
    if (model == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!model->has_range_profiling()) return CUPTI_ERROR_NOT_SUPPORTED;
    int const device = static_cast<int>(params->deviceIndex);
    pm_sampling_objects& all = state().pm_sampling;
    if (all.has(device)) return CUPTI_ERROR_INVALID_OPERATION;
    if (state().ranges.has_on_device(device)) return CUPTI_ERROR_HARDWARE_BUSY;
    params->pPmSamplingObject = all.add(device, *model);
    return CUPTI_SUCCESS;
}

static CUptiResult pm_disable(CUpti_PmSampling_Disable_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object const* const object = sampling_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    state().pm_sampling.remove(object);
    return CUPTI_SUCCESS;
}

// Several passes: CUPTI_ERROR_NOT_SUPPORTED, as the header says. A cycle is one of the chip's
// system clock.
static CUptiResult pm_set_config(CUpti_PmSampling_SetConfig_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object* const object = sampling_of(params);
    if (object == nullptr || params->pConfig == nullptr || params->samplingInterval == 0 ||
        params->hardwareBufferSize == 0 || params->triggerMode >= CUPTI_PM_SAMPLING_TRIGGER_MODE_COUNT)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto config = read_config_image({params->pConfig, params->configSize});
    if (!config || config->which != object->model->which()) return CUPTI_ERROR_INVALID_PARAMETER;
    if (config->passes.size() > 1) return CUPTI_ERROR_NOT_SUPPORTED;
    bool const by_time = params->triggerMode == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    object->config = std::move(config);
    object->interval =
        static_cast<double>(params->samplingInterval) * (by_time ? 1 : 1e9 / double{object->model->sys_hz});
    object->buffer_bytes = params->hardwareBufferSize;
    object->keeps_latest = params->hwBufferAppendMode == CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST;
    return CUPTI_SUCCESS;
}

static CUptiResult pm_start(CUpti_PmSampling_Start_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object* const object = sampling_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!object->config || object->started) return CUPTI_ERROR_INVALID_OPERATION;
    object->start();
    return CUPTI_SUCCESS;
}

// Does not wait for work that runs.
static CUptiResult pm_stop(CUpti_PmSampling_Stop_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object* const object = sampling_of(params);
    if (object == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!object->started) return CUPTI_ERROR_INVALID_OPERATION;
    object->stop();
    return CUPTI_SUCCESS;
}

static CUptiResult pm_get_counter_data_size(CUpti_PmSampling_GetCounterDataSize_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object* const object = sampling_of(params);
    if (object == nullptr || params->pMetricNames == nullptr || params->numMetrics == 0 || params->maxSamples == 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const metrics = find_rows(*object->model, {params->pMetricNames, params->numMetrics});
    if (!metrics) return CUPTI_ERROR_INVALID_PARAMETER;
    auto rows = constituents(*object->model, *metrics);
    auto const size = pm_image_bytes(rows.size(), params->maxSamples);
    if (!size) return CUPTI_ERROR_OUT_OF_MEMORY;
    object->rows = std::move(rows);
    object->room = params->maxSamples;
    params->counterDataSize = *size;
    return CUPTI_SUCCESS;
}

// Lays the image out as the last GetCounterDataSize on this object said.
static CUptiResult pm_counter_data_image_initialize(CUpti_PmSampling_CounterDataImage_Initialize_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object const* const object = sampling_of(params);
    if (object == nullptr || params->pCounterData == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const needed = pm_image_bytes(object->rows.size(), object->room);
    if (object->room == 0 || !needed || params->counterDataSize < *needed) return CUPTI_ERROR_INVALID_PARAMETER;
    bool const done = counter_image::initialize({params->pCounterData, params->counterDataSize}, object->model->which(),
                                                object->rows, object->room, object->room);
    return done ? CUPTI_SUCCESS : CUPTI_ERROR_UNKNOWN;
}

// A buffer that is too small for what waits loses all of it, and says so with success (an H200
// did); the mode that keeps the latest loses what is older.
static CUptiResult pm_decode_data(CUpti_PmSampling_DecodeData_Params* params) {
    auto const held = shared().registry.lock();
    pm_sampling_object* const object = sampling_of(params);
    if (object == nullptr || params->pCounterDataImage == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (!object->config) return CUPTI_ERROR_INVALID_OPERATION;
    auto image = counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    if (!image || image->model() != object->model) return CUPTI_ERROR_INVALID_PARAMETER;
    if (sample_times_in(params->pCounterDataImage, params->counterDataImageSize, 0) == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->overflow = 0;
    params->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER;
    if (object->overflows()) {
        if (!object->keeps_latest) {
            object->lose_waiting();
            params->overflow = 1;
            return CUPTI_SUCCESS;
        }
        object->leads = false;
        auto const kept = object->buffer_bytes / pm_sample_bytes; // whole samples
        object->edge = object->until() - static_cast<double>(kept) * object->interval;
    }
    auto names = range_finder::make(*image);
    if (!names) return CUPTI_ERROR_UNKNOWN;
    row_places const places = image->places();
    auto const work = shared().work.since(object->device, object->edge);
    params->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
    for (std::size_t used = image->ranges(); used < image->room(); ++used) {
        auto const sample = object->next();
        if (!sample) {
            params->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
            break;
        }
        std::array<std::string, 1> const name{std::to_string(used)};
        auto const at = names->find_or_add(name);
        if (!at) return CUPTI_ERROR_UNKNOWN;
        counter_values const counted = counted_between(work, *object->model, sample->begin, sample->end);
        for (pass const& rows : object->config->passes)
            for (row_number const row : rows) image->add(*at, places[row], read(*object->model, row, counted), true);
        time_line const line = shared().activity.time.cupti_line();
        std::uint8_t* const times = sample_times_in(params->pCounterDataImage, params->counterDataImageSize, *at);
        store(times, line.at(sample->begin).ticks);
        store(times + sizeof(std::uint64_t), line.at(sample->end).ticks);
    }
    bool const full = params->decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
    if (full && !object->started) object->lose_waiting(); // as on an H200
    return CUPTI_SUCCESS;
}

static CUptiResult pm_get_counter_data_info(CUpti_PmSampling_GetCounterDataInfo_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const image = const_counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    if (!image) return CUPTI_ERROR_INVALID_PARAMETER;
    params->numTotalSamples = image->room();
    params->numPopulatedSamples = params->numCompletedSamples = image->ranges();
    return CUPTI_SUCCESS;
}

static CUptiResult pm_counter_data_get_sample_info(CUpti_PmSampling_CounterData_GetSampleInfo_Params* params) {
    if (!well_sized(params)) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const image = const_counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    if (!image || params->sampleIndex >= image->ranges()) return CUPTI_ERROR_INVALID_PARAMETER;
    std::uint8_t const* const times =
        sample_times_in(params->pCounterDataImage, params->counterDataImageSize, params->sampleIndex);
    if (times == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    params->startTimestamp = load<std::uint64_t>(times);
    params->endTimestamp = load<std::uint64_t>(times + sizeof(std::uint64_t));
    return CUPTI_SUCCESS;
}

void add_pm_sampling_calls(cupti_table& calls) noexcept {
    calls.PmSamplingGetCounterAvailability = pm_get_counter_availability;
    calls.PmSamplingEnable = pm_enable;
    calls.PmSamplingDisable = pm_disable;
    calls.PmSamplingSetConfig = pm_set_config;
    calls.PmSamplingStart = pm_start;
    calls.PmSamplingStop = pm_stop;
    calls.PmSamplingDecodeData = pm_decode_data;
    calls.PmSamplingGetCounterDataSize = pm_get_counter_data_size;
    calls.PmSamplingCounterDataImageInitialize = pm_counter_data_image_initialize;
    calls.PmSamplingGetCounterDataInfo = pm_get_counter_data_info;
    calls.PmSamplingCounterDataGetSampleInfo = pm_counter_data_get_sample_info;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
