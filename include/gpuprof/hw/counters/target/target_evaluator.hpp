// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics evaluator of libnvperf_host: which metrics a chip has, what they count, what counter data evaluates to.
#ifndef GPUPROF_HW_COUNTERS_TARGET_TARGET_EVALUATOR_HPP
#define GPUPROF_HW_COUNTERS_TARGET_TARGET_EVALUATOR_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/device_source.hpp"
#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/builtin.hpp"
#include "../../../metric/base_metric.hpp"
#include "../../../metric/base_name.hpp"
#include "../../../metric/kind.hpp"
#include "../../../metric/nearest.hpp"
#include "../../abi/nvperf_host.hpp"
#include "nvperf_library.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// One evaluator for one chip. Needs no GPU (CUPTI 12.0, 2.8). Move-only; not thread-safe.
class target_evaluator {
public:
    // @param availability what the device can count; empty: all of the chip. Kept.
    // @param source embedded: a metric that it lacks is one that it does not model, the chip may have it
    // Errors: unavailable for a chip that the library does not know; internal for another refusal.
    // @pre `host` outlives the evaluator
    [[nodiscard]] static result<target_evaluator> try_open(abi::nvperf_table const& host, std::string const& chip,
                                                           std::vector<std::uint8_t> availability = {},
                                                           device_source source = device_source::hardware) {
        abi::NVPW_InitializeHost_Params start;
        if (int const status = host.InitializeHost(&start)) return refused_by_nvperf("NVPW_InitializeHost", status);
        target_evaluator made{host, chip, std::move(availability), source};
        abi::NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params room;
        room.pChipName = made.chip_.c_str();
        room.pCounterAvailabilityImage = made.counters();
        if (int const status = host.CUDA_MetricsEvaluator_CalculateScratchBufferSize(&room))
            return error{errc::unavailable, status, detail::joined({"libnvperf_host cannot plan for chip ", chip}),
                         "it is older than the chip, or the name is not a chip's", "use a newer CUPTI"};
        made.scratch_.resize(room.scratchBufferSize);
        abi::NVPW_CUDA_MetricsEvaluator_Initialize_Params open;
        open.pScratchBuffer = made.scratch_.data();
        open.scratchBufferSize = made.scratch_.size();
        open.pChipName = made.chip_.c_str();
        open.pCounterAvailabilityImage = made.counters();
        if (int const status = host.CUDA_MetricsEvaluator_Initialize(&open))
            return refused_by_nvperf("NVPW_CUDA_MetricsEvaluator_Initialize", status);
        made.object_ = open.pMetricsEvaluator;
        made.is_open_ = true;
        return result<target_evaluator>{std::move(made)};
    }

    target_evaluator(target_evaluator&& other) noexcept
        : host_{other.host_},
          chip_{std::move(other.chip_)},
          availability_{std::move(other.availability_)},
          source_{other.source_},
          scratch_{std::move(other.scratch_)},
          object_{other.object_},
          is_open_{std::exchange(other.is_open_, false)} {}
    target_evaluator& operator=(target_evaluator&&) = delete;
    ~target_evaluator() {
        if (!is_open_) return;
        abi::NVPW_MetricsEvaluator_Destroy_Params p;
        p.pMetricsEvaluator = object_;
        static_cast<void>(host_->MetricsEvaluator_Destroy(&p)); // there is no more to do then
    }

    // The numbers of a metric with a full name ("sm__cycles_active.avg"). Errors: unknown_metric with the nearest names.
    [[nodiscard]] result<abi::NVPW_MetricEvalRequest> try_find(std::string const& metric) const {
        abi::NVPW_MetricEvalRequest found;
        abi::NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params convert;
        convert.pMetricsEvaluator = object_;
        convert.pMetricName = metric.c_str();
        convert.pMetricEvalRequest = &found;
        bool const is_base = base_name(metric).size() == metric.size(); // which has no value
        int const status = host_->MetricsEvaluator_ConvertMetricNameToMetricEvalRequest(&convert);
        if (is_base || status != 0) return unknown(metric, status);
        return found;
    }
    [[nodiscard]] result<std::vector<abi::NVPW_MetricEvalRequest>>
    try_find_all(std::span<std::string const> metrics) const {
        std::vector<abi::NVPW_MetricEvalRequest> all;
        for (std::string const& each : metrics) {
            auto found = try_find(each);
            if (!found) return std::move(found).error();
            all.push_back(*found);
        }
        return all;
    }

    // The raw counters that a metric is made of. The names live as long as the evaluator.
    [[nodiscard]] result<std::vector<char const*>> try_raw_counters(abi::NVPW_MetricEvalRequest const& metric) const {
        abi::NVPW_MetricsEvaluator_GetMetricRawDependencies_Params needs;
        needs.pMetricsEvaluator = object_;
        needs.pMetricEvalRequests = &metric;
        needs.numMetricEvalRequests = 1;
        if (int const status = host_->MetricsEvaluator_GetMetricRawDependencies(&needs))
            return refused_by_nvperf("NVPW_MetricsEvaluator_GetMetricRawDependencies", status);
        std::vector<char const*> names(needs.numRawDependencies);
        needs.ppRawDependencies = names.data();
        if (int const status = host_->MetricsEvaluator_GetMetricRawDependencies(&needs))
            return refused_by_nvperf("NVPW_MetricsEvaluator_GetMetricRawDependencies", status);
        return names;
    }

    // Takes what an image says of its device, for peaks. Call it before try_evaluate() of that image.
    [[nodiscard]] result<void> try_use_device_of(std::span<std::uint8_t const> image) const {
        abi::NVPW_MetricsEvaluator_SetDeviceAttributes_Params p;
        p.pMetricsEvaluator = object_;
        p.pCounterDataImage = image.data();
        p.counterDataImageSize = image.size();
        if (int const status = host_->MetricsEvaluator_SetDeviceAttributes(&p))
            return refused_by_nvperf("NVPW_MetricsEvaluator_SetDeviceAttributes", status);
        return {};
    }

    // The values of metrics in one range of a decoded image; NaN where the counters were not collected.
    // @pre values.size() == metrics.size()
    [[nodiscard]] result<void> try_evaluate(std::span<std::uint8_t const> image, std::size_t range,
                                            std::span<abi::NVPW_MetricEvalRequest const> metrics,
                                            std::span<double> values) const {
        abi::NVPW_MetricsEvaluator_EvaluateToGpuValues_Params p;
        p.pMetricsEvaluator = object_;
        p.pMetricEvalRequests = metrics.data();
        p.numMetricEvalRequests = metrics.size();
        p.pCounterDataImage = image.data();
        p.counterDataImageSize = image.size();
        p.rangeIndex = range;
        p.isolated = 1;
        p.pMetricValues = values.data();
        if (int const status = host_->MetricsEvaluator_EvaluateToGpuValues(&p))
            return refused_by_nvperf("NVPW_MetricsEvaluator_EvaluateToGpuValues", status);
        return {};
    }

private:
    target_evaluator(abi::nvperf_table const& host, std::string const& chip, std::vector<std::uint8_t> availability,
                     device_source source)
        : host_{&host}, chip_{chip}, availability_{std::move(availability)}, source_{source} {}

    [[nodiscard]] std::uint8_t const* counters() const noexcept {
        return availability_.empty() ? nullptr : availability_.data();
    }

    // The library names base metrics of each kind; what may follow them, documents say.
    [[nodiscard]] GPUPROF_COLD error unknown(std::string const& metric, int status) const {
        std::vector<std::string> bases;
        std::vector<std::string> sub_metrics;
        for (metric_kind const kind : {metric_kind::counter, metric_kind::ratio, metric_kind::throughput})
            for (std::string& base : base_metrics(kind)) {
                if (base == base_name(metric))
                    for (std::string_view const each : gpuprof::sub_metrics(kind)) sub_metrics.emplace_back(each);
                bases.push_back(std::move(base));
            }
        bool const embedded = source_ == device_source::embedded;
        error why = unknown_metric(metric, embedded ? "the embedded " + chip_ : chip_, bases, sub_metrics,
                                   embedded ? "does not model" : "has no");
        if (embedded && sub_metrics.empty()) why.remedy += "; sim::try_embedded_metrics() lists what it models";
        why.status = status;
        return why;
    }

    // Names without roll-up. None where the library refuses.
    [[nodiscard]] std::vector<std::string> base_metrics(metric_kind kind) const {
        std::vector<std::string> all;
        abi::NVPW_MetricsEvaluator_GetMetricNames_Params p;
        p.pMetricsEvaluator = object_;
        p.metricType = static_cast<std::uint8_t>(kind);
        if (host_->MetricsEvaluator_GetMetricNames(&p)) return all;
        for (std::size_t i = 0; i < p.numMetrics; ++i) all.emplace_back(p.pMetricNames + p.pMetricNameBeginIndices[i]);
        return all;
    }

    abi::nvperf_table const* host_;
    std::string chip_;
    std::vector<std::uint8_t> availability_; // no document says that the library copies it
    device_source source_;
    std::vector<std::uint8_t> scratch_;
    abi::NVPW_MetricsEvaluator* object_ = nullptr;
    bool is_open_ = false; // the handle of a test's library may be null
};

// How many ranges a counter data image has.
[[nodiscard]] inline result<std::size_t> try_count_ranges(abi::nvperf_table const& host,
                                                          std::span<std::uint8_t const> image) {
    abi::NVPW_CounterData_GetNumRanges_Params p;
    p.pCounterDataImage = image.data();
    if (int const status = host.CounterData_GetNumRanges(&p))
        return refused_by_nvperf("NVPW_CounterData_GetNumRanges", status);
    return p.numRanges;
}

// A range's name, without those around it. @pre range < *try_count_ranges(image)
[[nodiscard]] inline result<std::string> try_range_name(abi::nvperf_table const& host,
                                                        std::span<std::uint8_t const> image, std::size_t range) {
    abi::NVPW_Profiler_CounterData_GetRangeDescriptions_Params p;
    p.pCounterDataImage = image.data();
    p.rangeIndex = range;
    if (int const status = host.Profiler_CounterData_GetRangeDescriptions(&p))
        return refused_by_nvperf("NVPW_Profiler_CounterData_GetRangeDescriptions", status);
    std::vector<char const*> names(p.numDescriptions);
    p.ppDescriptions = names.data();
    if (int const status = host.Profiler_CounterData_GetRangeDescriptions(&p))
        return refused_by_nvperf("NVPW_Profiler_CounterData_GetRangeDescriptions", status);
    return names.empty() ? std::string{} : std::string{names.back()};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_TARGET_TARGET_EVALUATOR_HPP
