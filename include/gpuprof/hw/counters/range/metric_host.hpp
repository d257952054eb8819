// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiler host: which metrics a chip has, how they are configured, what counter data
// evaluates to.
#ifndef GPUPROF_HW_COUNTERS_RANGE_METRIC_HOST_HPP
#define GPUPROF_HW_COUNTERS_RANGE_METRIC_HOST_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "../../../core/device_source.hpp"
#include "../../../core/error.hpp"
#include "../../../metric/nearest.hpp"
#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What the hardware is told to count, and in how many passes. An opaque blob of CUPTI's with its
// pass count.
struct configuration {
    std::vector<std::uint8_t> image;
    std::size_t passes = 0;
};

// What CUPTI says of one metric.
struct metric_properties {
    std::string description;
    std::string hardware_unit;  // "sm", "l1tex", …
    std::string dimension_unit; // "l2_sector", "gpc_cycle", …
    abi::CUpti_MetricType type = abi::CUPTI_METRIC_TYPE_COUNTER;
};

// One host object of CUPTI for one chip. Works without a GPU (CUPTI 12.0, 2.7 "Host APIs").
// Move-only; not thread-safe, but several may be used at once. Every call returns what CUPTI
// answered, with cause and remedy.
class metric_host {
public:
    // The chips this CUPTI has metrics for, by name ("GH100"). Whether they are usable, opening one
    // tells.
    [[nodiscard]] static result<std::vector<std::string>> try_chips(abi::cupti_table const& cupti) {
        if (auto here = present(cupti); !here) return std::move(here).error();
        abi::CUpti_Profiler_Host_GetSupportedChips_Params p;
        if (auto status = cupti.ProfilerHostGetSupportedChips(&p))
            return explain("cuptiProfilerHostGetSupportedChips", status);
        return std::vector<std::string>(p.ppChipNames, p.ppChipNames + p.numChips);
    }

    // How many metrics one pass can hold at most, those aside that the patched program counts: 88 on GH100, 64 on GV100 (CUPTI
    // 13.0). More metrics take more passes; fewer may do so, too, because each unit has a few counters of its own.
    // try_configure says how many passes a list takes.
    [[nodiscard]] static result<std::size_t> try_most_in_a_pass(abi::cupti_table const& cupti,
                                                                std::string const& chip) {
        if (auto here = present(cupti); !here) return std::move(here).error();
        abi::CUpti_Profiler_Host_GetMaxNumHardwareMetricsPerPass_Params p;
        p.pChipName = chip.c_str();
        if (cupti.ProfilerHostGetMaxNumHardwareMetricsPerPass == nullptr)
            return error{errc::unavailable, 0, "cuptiProfilerHostGetMaxNumHardwareMetricsPerPass is missing",
                         "this CUPTI is older than the call", "use a newer CUPTI"};
        if (auto status = cupti.ProfilerHostGetMaxNumHardwareMetricsPerPass(&p)) {
            error why = explain("cuptiProfilerHostGetMaxNumHardwareMetricsPerPass", status);
            why.what += " for chip " + chip;
            return why;
        }
        return p.maxMetricsPerPass;
    }

    // @param availability what the device at hand can count, or empty to plan for a chip that is
    // not there
    // @param source embedded: a metric that it lacks is one that it does not model, the chip may
    // have it
    // @param what ranges or samples: the two have different metrics
    // Cost: 0.3 ms; in a process's first call also the loading of CUPTI's metric data. Memory:
    // CUPTI's own.
    [[nodiscard]] static result<metric_host>
    try_open(abi::cupti_table const& cupti, std::string const& chip, std::vector<std::uint8_t> const& availability = {},
             device_source source = device_source::hardware,
             abi::CUpti_ProfilerType what = abi::CUPTI_PROFILER_TYPE_RANGE_PROFILER) {
        if (auto here = present(cupti); !here) return std::move(here).error();
        metric_host made{cupti, chip, availability, source, what};
        // CUPTI is not told how long the image is: zeros behind it, so that a wrong one is not read
        // over its end.
        if (!availability.empty() && availability.size() < least_room) made.availability_.resize(least_room);
        abi::CUpti_Profiler_Host_Initialize_Params p;
        p.profilerType = what;
        p.pChipName = chip.c_str();
        p.pCounterAvailabilityImage = availability.empty() ? nullptr : made.availability_.data();
        if (auto status = cupti.ProfilerHostInitialize(&p)) {
            error why = explain("cuptiProfilerHostInitialize", status);
            why.what += " for chip " + chip;
            return why;
        }
        made.object_ = p.pHostObject;
        return result<metric_host>{std::move(made)};
    }

    metric_host(metric_host&& other) noexcept
        : cupti_{other.cupti_},
          object_{std::exchange(other.object_, nullptr)},
          chip_{std::move(other.chip_)},
          availability_{std::move(other.availability_)},
          source_{other.source_},
          type_{other.type_} {}
    metric_host& operator=(metric_host&& other) noexcept {
        std::swap(cupti_, other.cupti_);
        std::swap(object_, other.object_);
        std::swap(chip_, other.chip_);
        std::swap(availability_, other.availability_);
        std::swap(source_, other.source_);
        std::swap(type_, other.type_);
        return *this;
    }
    ~metric_host() {
        if (object_ == nullptr) return;
        abi::CUpti_Profiler_Host_Deinitialize_Params p;
        p.pHostObject = object_;
        static_cast<void>(cupti_->ProfilerHostDeinitialize(&p)); // nothing to be done about a failure here
    }

    [[nodiscard]] std::string const& chip() const noexcept { return chip_; }

    // Names without roll-up, of one kind.
    [[nodiscard]] result<std::vector<std::string>> try_base_metrics(abi::CUpti_MetricType type) const {
        abi::CUpti_Profiler_Host_GetBaseMetrics_Params p;
        p.pHostObject = object_;
        p.metricType = type;
        if (auto status = cupti_->ProfilerHostGetBaseMetrics(&p))
            return explain("cuptiProfilerHostGetBaseMetrics", status);
        return std::vector<std::string>(p.ppMetricNames, p.ppMetricNames + p.numMetrics);
    }

    // What can follow a base name, each with its leading dot (".sum.per_second").
    [[nodiscard]] result<std::vector<std::string>> try_sub_metrics(std::string const& base,
                                                                   abi::CUpti_MetricType type) const {
        abi::CUpti_Profiler_Host_GetSubMetrics_Params p;
        p.pHostObject = object_;
        p.metricType = type;
        p.pMetricName = base.c_str();
        if (auto status = cupti_->ProfilerHostGetSubMetrics(&p))
            return explain("cuptiProfilerHostGetSubMetrics", status);
        return std::vector<std::string>(p.ppSubMetrics, p.ppSubMetrics + p.numOfSubmetrics);
    }

    [[nodiscard]] result<metric_properties> try_properties(std::string const& metric) const {
        abi::CUpti_Profiler_Host_GetMetricProperties_Params p;
        p.pHostObject = object_;
        p.pMetricName = metric.c_str();
        if (auto status = cupti_->ProfilerHostGetMetricProperties(&p)) {
            error why = explain("cuptiProfilerHostGetMetricProperties", status);
            why.what += " for " + metric;
            if (status == abi::CUPTI_ERROR_INVALID_PARAMETER) why.code = errc::unknown_metric;
            return why;
        }
        auto text = [](char const* from) { return from != nullptr ? std::string{from} : std::string{}; };
        return metric_properties{text(p.pDescription), text(p.pHwUnit), text(p.pDimUnit), p.metricType};
    }

    // Whether this chip has a metric of that full name (base, roll-up, sub-metric). CUPTI has
    // properties for a base alone.
    [[nodiscard]] bool has(std::string const& metric) const {
        return base_name(metric).size() < metric.size() && try_properties(metric).has_value();
    }

    // Whether this chip has all of these metrics. Errors: unknown_metric names the first that it
    // does not have, and the nearest.
    [[nodiscard]] result<void> try_find(std::vector<char const*> const& metrics) const {
        for (char const* const each : metrics)
            if (!has(each)) return refused(metrics, abi::CUPTI_ERROR_INVALID_METRIC_NAME);
        return {};
    }

    // The configuration for these metrics; an object configures once. Cost: 2 to 20 ms.
    // Errors: unknown_metric names the metrics this chip does not have.
    [[nodiscard]] result<configuration> try_configure(std::vector<char const*> const& metrics) {
        if (metrics.empty())
            return error{errc::invalid_argument, 0, "no metric was asked for", "the list of metrics is empty",
                         "name at least one metric"};
        if (auto status = add_or_ignore_image(metrics)) return refused(metrics, status);

        abi::CUpti_Profiler_Host_GetConfigImageSize_Params size;
        size.pHostObject = object_;
        if (auto status = cupti_->ProfilerHostGetConfigImageSize(&size))
            return explain("cuptiProfilerHostGetConfigImageSize", status);
        configuration made;
        made.image.resize(size.configImageSize);
        abi::CUpti_Profiler_Host_GetConfigImage_Params get;
        get.pHostObject = object_;
        get.configImageSize = made.image.size();
        get.pConfigImage = made.image.data();
        if (auto status = cupti_->ProfilerHostGetConfigImage(&get))
            return explain("cuptiProfilerHostGetConfigImage", status);
        abi::CUpti_Profiler_Host_GetNumOfPasses_Params count;
        count.configImageSize = made.image.size();
        count.pConfigImage = made.image.data();
        if (auto status = cupti_->ProfilerHostGetNumOfPasses(&count))
            return explain("cuptiProfilerHostGetNumOfPasses", status);
        made.passes = count.numOfPasses;
        return made;
    }

    // The values of `metrics` in one range of a decoded counter data image; NaN where it was not
    // collected. Needs no configuration. Cost: 1 to 14 us.
    [[nodiscard]] result<std::vector<double>> try_evaluate(std::vector<std::uint8_t> const& counter_data,
                                                           std::size_t range,
                                                           std::vector<char const*> const& metrics) const {
        std::vector<double> values(metrics.size());
        if (auto done = try_evaluate(counter_data, range, metrics, values); !done) return std::move(done).error();
        return values;
    }
    // The same without allocating. @pre values.size() == metrics.size()
    [[nodiscard]] result<void> try_evaluate(std::vector<std::uint8_t> const& counter_data, std::size_t range,
                                            std::vector<char const*> const& metrics,
                                            std::vector<double>& values) const {
        abi::CUpti_Profiler_Host_EvaluateToGpuValues_Params p;
        p.pHostObject = object_;
        p.pCounterDataImage = counter_data.data();
        p.counterDataImageSize = counter_data.size();
        p.rangeIndex = range;
        p.ppMetricNames = const_cast<char const**>(metrics.data());
        p.numMetrics = metrics.size();
        p.pMetricValues = values.data();
        if (auto status = cupti_->ProfilerHostEvaluateToGpuValues(&p))
            return explain("cuptiProfilerHostEvaluateToGpuValues", status);
        return {};
    }

    // A range's names from the outermost in, joined by '/'.
    [[nodiscard]] static result<std::string>
    try_range_name(abi::cupti_table const& cupti, std::vector<std::uint8_t> const& counter_data, std::size_t range) {
        abi::CUpti_Profiler_Host_GetRangeName_Params p;
        p.pCounterDataImage = counter_data.data();
        p.counterDataImageSize = counter_data.size();
        p.rangeIndex = range;
        p.delimiter = "/";
        if (auto status = cupti.ProfilerHostGetRangeName(&p)) return explain("cuptiProfilerHostGetRangeName", status);
        std::string name{p.pRangeName != nullptr ? p.pRangeName : ""};
        std::free(const_cast<char*>(p.pRangeName)); // NOLINT: "users' responsibility to free", says its header
        return name;
    }

private:
    static constexpr std::size_t least_room = 65'536;

    metric_host(abi::cupti_table const& cupti, std::string chip, std::vector<std::uint8_t> availability,
                device_source source, abi::CUpti_ProfilerType type) noexcept
        : cupti_{&cupti},
          chip_{std::move(chip)},
          availability_{std::move(availability)},
          source_{source},
          type_{type} {}

    [[nodiscard]] abi::CUptiResult add(std::vector<char const*> const& metrics) const {
        abi::CUpti_Profiler_Host_ConfigAddMetrics_Params p;
        p.pHostObject = object_;
        p.ppMetricNames = const_cast<char const**>(metrics.data()); // CUPTI's own signature lacks the const it means
        p.numMetrics = metrics.size();
        return cupti_->ProfilerHostConfigAddMetrics(&p);
    }

    [[nodiscard]] static result<void> present(abi::cupti_table const& cupti) {
        if (cupti.ProfilerHostInitialize != nullptr && cupti.ProfilerHostGetSupportedChips != nullptr) return {};
        return error{errc::unavailable, 0, "the profiler host API is missing",
                     "no CUPTI is loaded, or it is older than 12.6",
                     "install CUPTI 12.6 or later (part of the CUDA toolkit, or the wheel nvidia-cuda-cupti)"};
    }

    // By its image of what a device can count, CUPTI 13.0 refuses the metrics of NVLink on an H100
    // that has links. Without the image it counts them, to the byte.
    [[nodiscard]] abi::CUptiResult add_or_ignore_image(std::vector<char const*> const& metrics) {
        abi::CUptiResult const status = add(metrics);
        if (status != abi::CUPTI_ERROR_UNKNOWN || availability_.empty()) return status;
        auto without = try_open(*cupti_, chip_, {}, source_, type_);
        if (!without || without->add(metrics) != abi::CUPTI_SUCCESS) return status;
        *this = *std::move(without);
        return abi::CUPTI_SUCCESS;
    }

    // CUPTI says "invalid parameter" to the whole list; ask it about each name, and offer what is
    // near the first bad one.
    [[nodiscard]] error refused(std::vector<char const*> const& metrics, abi::CUptiResult status) const {
        for (char const* each : metrics) {
            if (has(each)) continue;
            std::vector<std::string> bases;
            std::vector<std::string> sub_metrics;
            for (auto type :
                 {abi::CUPTI_METRIC_TYPE_COUNTER, abi::CUPTI_METRIC_TYPE_RATIO, abi::CUPTI_METRIC_TYPE_THROUGHPUT}) {
                auto of_type = try_base_metrics(type);
                if (!of_type) continue;
                std::string const base{base_name(each)};
                for (std::string& name : *of_type) {
                    if (name == base) sub_metrics = try_sub_metrics(base, type).value_or(std::vector<std::string>{});
                    bases.push_back(std::move(name));
                }
            }
            bool const embedded = source_ == device_source::embedded;
            error why = unknown_metric(each, embedded ? "the embedded " + chip_ : chip_, bases, sub_metrics,
                                       embedded ? "does not model" : "has no");
            if (embedded && sub_metrics.empty()) why.remedy += "; sim::try_embedded_metrics() lists what it models";
            why.status = static_cast<int>(status);
            return why;
        }
        error why = explain("cuptiProfilerHostConfigAddMetrics", status);
        std::size_t count = 0;
        bool on_whole_chip = !availability_.empty();
        for (char const* each : metrics) { // the chip has all of them: which are refused alone?
            if (!refuses(each, availability_)) continue;
            why.what += std::string{count++ == 0 ? " for " : ", "} + each;
            on_whole_chip = on_whole_chip && !refuses(each, {});
        }
        if (count == 0) return why;
        std::string const those = count == 1 ? "that metric" : "those metrics";
        if (on_whole_chip) {
            why.cause = "the chip has " + those + ", and this device does not offer what counts " +
                        (count == 1 ? "it" : "them") +
                        ": it may be a MIG instance that shares units, a virtual GPU, or in a mode without them";
            why.remedy =
                "leave " + those + " out, or measure on a whole GPU; gpuprof::doctor() says what this device is";
        } else {
            why.remedy =
                "leave " + those + " out: this CUPTI cannot plan " + (count == 1 ? "it" : "them") + " for this device";
        }
        return why;
    }
    // Whether a metric alone cannot be planned for what a device can count. Empty: for the whole chip.
    [[nodiscard]] bool refuses(char const* metric, std::vector<std::uint8_t> const& availability) const {
        auto alone = try_open(*cupti_, chip_, availability, source_, type_);
        return alone && alone->add({metric}) != abi::CUPTI_SUCCESS;
    }

    abi::cupti_table const* cupti_;
    abi::CUpti_Profiler_Host_Object* object_ = nullptr;
    std::string chip_;
    std::vector<std::uint8_t> availability_; // no document says that CUPTI copies it
    device_source source_;
    abi::CUpti_ProfilerType type_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_RANGE_METRIC_HOST_HPP
