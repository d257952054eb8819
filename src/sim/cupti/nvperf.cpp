// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvperf.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/metric/base_metric.hpp>
#include <gpuprof/metric/kind.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../chip/chips.hpp"
#include "../counters/metric_table.hpp"
#include "../gpu/pass_scheduler.hpp"
#include "answer.hpp"
#include "config_image.hpp"
#include "counter_image.hpp"
#include "evaluate.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

enum nvperf_status : int { nvperf_success = 0, nvperf_invalid = 8, nvperf_no_such_chip = 14, nvperf_too_small = 22 };

// What one of the library's three kinds of handles stands for.
struct nvperf_object {
    enum class purpose : unsigned char { evaluator, configuration, counter_data };
    purpose of;
    chip_model const* model;
    collection how = collection::in_passes;
    std::vector<row_number> rows{}; // that were added
    bool in_group = false;
    bool generated = false;
    struct names {
        std::string text; // each with its NUL
        std::vector<std::size_t> begins;
    };
    std::array<names, 3> base_metrics{}; // by kind
};

// Handles are looked up before they are used: a stale one is an error, not a crash.
class nvperf_objects {
public:
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock{mutex_}; }
    // @pre the lock is held, here and below.
    [[nodiscard]] void* add(nvperf_object made) {
        objects_.push_back(std::make_unique<nvperf_object>(std::move(made)));
        return objects_.back().get();
    }
    [[nodiscard]] nvperf_object* find(void const* handle, nvperf_object::purpose of) noexcept {
        for (auto const& object : objects_)
            if (object.get() == handle && object->of == of) return object.get();
        return nullptr;
    }
    [[nodiscard]] bool remove(void const* handle, nvperf_object::purpose of) noexcept {
        return std::erase_if(objects_, [&](auto const& known) { return known.get() == handle && known->of == of; }) !=
               0;
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<nvperf_object>> objects_;
};

[[nodiscard]] static nvperf_objects& nvperf_state() {
    static auto* const all = new nvperf_objects; // never destroyed: static profilers end later
    return *all;
}

using nvperf_purpose = nvperf_object::purpose;

// An object for the chip and the device that a call names. The status says what was wrong.
template <class Params>
[[nodiscard]] int make_nvperf_object(Params const* params, nvperf_purpose of, void*& handle) {
    if (!well_sized(params) || params->pChipName == nullptr) return nvperf_invalid;
    nvperf_object made{of, find_chip_model(params->pChipName)};
    if (made.model == nullptr) return nvperf_no_such_chip;
    if (params->pCounterAvailabilityImage != nullptr) {
        auto const how = read_availability_image(params->pCounterAvailabilityImage, *made.model);
        if (!how) return nvperf_invalid;
        made.how = *how;
    }
    auto const held = nvperf_state().lock();
    handle = nvperf_state().add(std::move(made));
    return nvperf_success;
}

// Copies bytes out, or gives their number where there is no buffer.
template <class Params>
[[nodiscard]] int put_nvperf_bytes(std::vector<std::uint8_t> const& bytes, Params* params) {
    params->bytesCopied = bytes.size();
    if (params->pBuffer == nullptr) return nvperf_success;
    if (params->bytesAllocated < bytes.size()) return nvperf_too_small;
    std::memcpy(params->pBuffer, bytes.data(), bytes.size());
    return nvperf_success;
}

// Adds the rows of raw counters, each once.
template <class Params>
[[nodiscard]] int add_nvperf_counters(Params const* params, nvperf_object& to) {
    for (std::size_t i = 0; i < params->numMetricRequests; ++i) {
        NVPA_RawMetricRequest const& wanted = params->pRawMetricRequests[i];
        if (wanted.structSize != NVPA_RawMetricRequest{}.structSize || wanted.pMetricName == nullptr)
            return nvperf_invalid;
        auto const row = find_row(*to.model, wanted.pMetricName);
        if (!row) return nvperf_invalid;
        bool known = false;
        for (row_number const each : to.rows) known = known || each == *row;
        if (!known) to.rows.push_back(*row);
    }
    return nvperf_success;
}

static int nvperf_initialize_host(NVPW_InitializeHost_Params* params) {
    return well_sized(params) ? nvperf_success : nvperf_invalid;
}

// No scratch buffer is used here; a size of 0 is none that a caller can pass on.
static int nvperf_evaluator_size(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params* params) {
    if (!well_sized(params) || params->pChipName == nullptr) return nvperf_invalid;
    if (find_chip_model(params->pChipName) == nullptr) return nvperf_no_such_chip;
    params->scratchBufferSize = 8;
    return nvperf_success;
}

static int nvperf_make_evaluator(NVPW_CUDA_MetricsEvaluator_Initialize_Params* params) {
    if (!well_sized(params) || params->pScratchBuffer == nullptr) return nvperf_invalid;
    void* handle = nullptr;
    int const status = make_nvperf_object(params, nvperf_purpose::evaluator, handle);
    params->pMetricsEvaluator = static_cast<NVPW_MetricsEvaluator*>(handle);
    return status;
}

static int nvperf_destroy_evaluator(NVPW_MetricsEvaluator_Destroy_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    return nvperf_state().remove(params->pMetricsEvaluator, nvperf_purpose::evaluator) ? nvperf_success
                                                                                       : nvperf_invalid;
}

static int nvperf_metric_names(NVPW_MetricsEvaluator_GetMetricNames_Params* params) {
    if (!well_sized(params) || params->metricType > 2) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    nvperf_object* const object = nvperf_state().find(params->pMetricsEvaluator, nvperf_purpose::evaluator);
    if (object == nullptr) return nvperf_invalid;
    nvperf_object::names& names = object->base_metrics[params->metricType];
    if (names.begins.empty())
        for (metric_row const& row : metric_rows)
            if (row.is_on(*object->model) && static_cast<unsigned>(row.kind) == params->metricType) {
                names.begins.push_back(names.text.size());
                names.text.append(row.name).push_back('\0');
            }
    params->pMetricNames = names.text.data();
    params->pMetricNameBeginIndices = names.begins.data();
    params->numMetrics = names.begins.size();
    return nvperf_success;
}

// metricIndex is the row, submetric the place among the sub-metrics of its kind.
static int nvperf_find_metric(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params* params) {
    if (!well_sized(params) || params->pMetricName == nullptr || params->pMetricEvalRequest == nullptr)
        return nvperf_invalid;
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_state().find(params->pMetricsEvaluator, nvperf_purpose::evaluator);
    if (object == nullptr) return nvperf_invalid;
    auto const found = find_metric(*object->model, params->pMetricName);
    if (!found) return nvperf_invalid;
    metric_kind const kind = metric_rows[found->row].kind;
    auto const names = sub_metrics(kind);
    std::uint16_t place = 0;
    while (place < names.size() && names[place] != found->sub_metric) ++place;
    *params->pMetricEvalRequest = {found->row, static_cast<std::uint8_t>(kind), 0, place};
    return nvperf_success;
}

// The metric behind numbers; nothing for numbers of no metric of the chip.
[[nodiscard]] static std::optional<metric_request> nvperf_request(chip_model const& model,
                                                                  NVPW_MetricEvalRequest const& from) {
    if (from.metricIndex >= metric_row_count) return {};
    metric_row const& row = metric_rows[from.metricIndex];
    auto const names = sub_metrics(row.kind);
    if (!row.is_on(model) || from.metricType != static_cast<std::uint8_t>(row.kind) || from.submetric >= names.size())
        return {};
    return metric_request{static_cast<row_number>(from.metricIndex), names[from.submetric]};
}

template <class Params>
[[nodiscard]] std::optional<std::vector<metric_request>> nvperf_requests(chip_model const& model,
                                                                         Params const* params) {
    if (params->pMetricEvalRequests == nullptr || params->metricEvalRequestStrideSize != sizeof(NVPW_MetricEvalRequest))
        return {};
    std::vector<metric_request> all;
    for (std::size_t i = 0; i < params->numMetricEvalRequests; ++i) {
        auto const found = nvperf_request(model, params->pMetricEvalRequests[i]);
        if (!found) return {};
        all.push_back(*found);
    }
    return all;
}

static int nvperf_raw_dependencies(NVPW_MetricsEvaluator_GetMetricRawDependencies_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_state().find(params->pMetricsEvaluator, nvperf_purpose::evaluator);
    if (object == nullptr) return nvperf_invalid;
    auto const wanted = nvperf_requests(*object->model, params);
    if (!wanted) return nvperf_invalid;
    std::vector<row_number> rows;
    for (metric_request const& each : *wanted) rows.push_back(each.row);
    auto const needed = constituents(*object->model, rows);
    if (params->ppRawDependencies != nullptr && params->numRawDependencies < needed.size()) return nvperf_too_small;
    if (params->ppRawDependencies != nullptr)
        for (std::size_t i = 0; i < needed.size(); ++i) params->ppRawDependencies[i] = metric_rows[needed[i]].name;
    params->numRawDependencies = needed.size();
    params->numOptionalRawDependencies = 0;
    return nvperf_success;
}

static int nvperf_set_device(NVPW_MetricsEvaluator_SetDeviceAttributes_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_state().find(params->pMetricsEvaluator, nvperf_purpose::evaluator);
    auto const image = const_counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    return object != nullptr && image && image->model() == object->model ? nvperf_success : nvperf_invalid;
}

static int nvperf_evaluate(NVPW_MetricsEvaluator_EvaluateToGpuValues_Params* params) {
    if (!well_sized(params) || params->pMetricValues == nullptr) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_state().find(params->pMetricsEvaluator, nvperf_purpose::evaluator);
    auto const image = const_counter_image::open({params->pCounterDataImage, params->counterDataImageSize});
    if (object == nullptr || !image || image->model() != object->model) return nvperf_invalid;
    auto const wanted = nvperf_requests(*object->model, params);
    if (!wanted) return nvperf_invalid;
    detail::evaluate(*image, params->rangeIndex, *wanted, params->pMetricValues);
    return nvperf_success;
}

static int nvperf_make_configuration(NVPW_CUDA_RawMetricsConfig_Create_V2_Params* params) {
    void* handle = nullptr;
    int const status = make_nvperf_object(params, nvperf_purpose::configuration, handle);
    if (status == nvperf_success) params->pRawMetricsConfig = static_cast<NVPA_RawMetricsConfig*>(handle);
    return status;
}

static int nvperf_destroy_configuration(NVPW_RawMetricsConfig_Destroy_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    bool const removed = nvperf_state().remove(params->pRawMetricsConfig, nvperf_purpose::configuration);
    return removed ? nvperf_success : nvperf_invalid;
}

template <class Params>
[[nodiscard]] nvperf_object* nvperf_configuration(Params const* params) {
    return well_sized(params) ? nvperf_state().find(params->pRawMetricsConfig, nvperf_purpose::configuration) : nullptr;
}

// One group a configuration.
static int nvperf_begin_group(NVPW_RawMetricsConfig_BeginPassGroup_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object* const object = nvperf_configuration(params);
    if (object == nullptr || object->in_group || !object->rows.empty()) return nvperf_invalid;
    object->in_group = true;
    return nvperf_success;
}

static int nvperf_configure(NVPW_RawMetricsConfig_AddMetrics_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object* const object = nvperf_configuration(params);
    return object != nullptr && object->in_group ? add_nvperf_counters(params, *object) : nvperf_invalid;
}

static int nvperf_end_group(NVPW_RawMetricsConfig_EndPassGroup_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object* const object = nvperf_configuration(params);
    if (object == nullptr || !object->in_group) return nvperf_invalid;
    object->in_group = false;
    return nvperf_success;
}

static int nvperf_generate(NVPW_RawMetricsConfig_GenerateConfigImage_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object* const object = nvperf_configuration(params);
    if (object == nullptr || object->in_group || object->rows.empty()) return nvperf_invalid;
    object->generated = true;
    return nvperf_success;
}

static int nvperf_config_image(NVPW_RawMetricsConfig_GetConfigImage_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_configuration(params);
    if (object == nullptr || !object->generated) return nvperf_invalid;
    auto passes = schedule(*object->model, object->rows, object->how);
    return put_nvperf_bytes(make_config_image({object->model->which(), std::move(passes)}), params);
}

// A pass that collects all nesting levels is a pipelined one: the code does not run again for each level.
static int nvperf_number_of_passes(NVPW_RawMetricsConfig_GetNumPasses_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_configuration(params);
    if (object == nullptr || object->rows.empty()) return nvperf_invalid;
    std::size_t const passes = schedule(*object->model, object->rows, object->how).size();
    bool const at_once = object->how == collection::at_once;
    params->numPipelinedPasses = at_once ? passes : 0;
    params->numIsolatedPasses = at_once ? 0 : passes;
    return nvperf_success;
}

static int nvperf_make_builder(NVPW_CUDA_CounterDataBuilder_Create_Params* params) {
    void* handle = nullptr;
    int const status = make_nvperf_object(params, nvperf_purpose::counter_data, handle);
    if (status == nvperf_success) params->pCounterDataBuilder = static_cast<NVPA_CounterDataBuilder*>(handle);
    return status;
}

static int nvperf_destroy_builder(NVPW_CounterDataBuilder_Destroy_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const held = nvperf_state().lock();
    bool const removed = nvperf_state().remove(params->pCounterDataBuilder, nvperf_purpose::counter_data);
    return removed ? nvperf_success : nvperf_invalid;
}

template <class Params>
[[nodiscard]] nvperf_object* nvperf_builder(Params const* params) {
    return well_sized(params) ? nvperf_state().find(params->pCounterDataBuilder, nvperf_purpose::counter_data)
                              : nullptr;
}

static int nvperf_build(NVPW_CounterDataBuilder_AddMetrics_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object* const object = nvperf_builder(params);
    return object != nullptr ? add_nvperf_counters(params, *object) : nvperf_invalid;
}

// A prefix is a configuration of one pass with all rows.
static int nvperf_prefix(NVPW_CounterDataBuilder_GetCounterDataPrefix_Params* params) {
    auto const held = nvperf_state().lock();
    nvperf_object const* const object = nvperf_builder(params);
    if (object == nullptr || object->rows.empty()) return nvperf_invalid;
    return put_nvperf_bytes(make_config_image({object->model->which(), {object->rows}}), params);
}

// An image whose size the caller does not say. @pre it is one, or as long as an image's head
[[nodiscard]] static std::optional<const_counter_image> nvperf_image(std::uint8_t const* bytes) {
    return const_counter_image::open({bytes, std::size_t{1} << 41}); // more than any image has
}

static int nvperf_number_of_ranges(NVPW_CounterData_GetNumRanges_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const image = nvperf_image(params->pCounterDataImage);
    if (!image) return nvperf_invalid;
    params->numRanges = image->ranges();
    return nvperf_success;
}

static int nvperf_range_names(NVPW_Profiler_CounterData_GetRangeDescriptions_Params* params) {
    if (!well_sized(params)) return nvperf_invalid;
    auto const image = nvperf_image(params->pCounterDataImage);
    if (!image || params->rangeIndex >= image->ranges()) return nvperf_invalid;
    auto const names = image->names(params->rangeIndex);
    if (!names) return nvperf_invalid;
    if (params->ppDescriptions != nullptr && params->numDescriptions < names->size()) return nvperf_too_small;
    if (params->ppDescriptions != nullptr)
        for (std::size_t i = 0; i < names->size(); ++i) params->ppDescriptions[i] = (*names)[i];
    params->numDescriptions = names->size();
    return nvperf_success;
}

abi::nvperf_table const& nvperf_calls() noexcept {
    static constexpr auto table = [] {
        abi::nvperf_table calls;
        calls.InitializeHost = nvperf_initialize_host;
        calls.CUDA_MetricsEvaluator_CalculateScratchBufferSize = nvperf_evaluator_size;
        calls.CUDA_MetricsEvaluator_Initialize = nvperf_make_evaluator;
        calls.MetricsEvaluator_Destroy = nvperf_destroy_evaluator;
        calls.MetricsEvaluator_GetMetricNames = nvperf_metric_names;
        calls.MetricsEvaluator_ConvertMetricNameToMetricEvalRequest = nvperf_find_metric;
        calls.MetricsEvaluator_GetMetricRawDependencies = nvperf_raw_dependencies;
        calls.MetricsEvaluator_SetDeviceAttributes = nvperf_set_device;
        calls.MetricsEvaluator_EvaluateToGpuValues = nvperf_evaluate;
        calls.CUDA_RawMetricsConfig_Create_V2 = nvperf_make_configuration;
        calls.RawMetricsConfig_Destroy = nvperf_destroy_configuration;
        calls.RawMetricsConfig_BeginPassGroup = nvperf_begin_group;
        calls.RawMetricsConfig_AddMetrics = nvperf_configure;
        calls.RawMetricsConfig_EndPassGroup = nvperf_end_group;
        calls.RawMetricsConfig_GenerateConfigImage = nvperf_generate;
        calls.RawMetricsConfig_GetConfigImage = nvperf_config_image;
        calls.RawMetricsConfig_GetNumPasses = nvperf_number_of_passes;
        calls.CUDA_CounterDataBuilder_Create = nvperf_make_builder;
        calls.CounterDataBuilder_Destroy = nvperf_destroy_builder;
        calls.CounterDataBuilder_AddMetrics = nvperf_build;
        calls.CounterDataBuilder_GetCounterDataPrefix = nvperf_prefix;
        calls.CounterData_GetNumRanges = nvperf_number_of_ranges;
        calls.Profiler_CounterData_GetRangeDescriptions = nvperf_range_names;
        return calls;
    }();
    return table;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
