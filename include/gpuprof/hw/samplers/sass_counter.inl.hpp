// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of sass_counter.hpp.
#ifndef GPUPROF_HW_SAMPLERS_SASS_COUNTER_INL_HPP
#define GPUPROF_HW_SAMPLERS_SASS_COUNTER_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <tuple>

#include "../../core/compute_capability_text.hpp"
#include "../../metric/nearest.hpp"
#include "../machine/lost_device.hpp"
#include "../machine/machine.hpp"
#include "../machine/output_fields.hpp"
#include "../machine/platform/mutex.hpp"
#include "../machine/status.hpp"
#include "sass_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The metrics that each GPU of the process was configured for: CUPTI refuses to configure a GPU
// twice (out of memory), even after the first configuration was undone.
struct sass_configurations {
    platform::mutex mutex{};
    std::map<decltype(abi::cupti_table::SassMetricsSetConfig), std::map<int, std::vector<std::uint64_t>>>
        ids{}; // by CUPTI

    static sass_configurations& instance() {
        static auto* const configurations = new sass_configurations; // outlives static objects that may still use it
        return *configurations;
    }
};

// Whether a GPU's instructions can be counted: checked before any call whose error would be less
// clear.
[[nodiscard]] inline result<void> check_sass_metrics(device const& gpu) {
    abi::cupti_table const& cupti = gpu.cupti();
    for (auto const& [call, missing] :
         {std::pair{"cuptiSassMetricsGetNumOfMetrics", cupti.SassMetricsGetNumOfMetrics == nullptr},
          std::pair{"cuptiSassMetricsGetMetrics", cupti.SassMetricsGetMetrics == nullptr},
          std::pair{"cuptiSassMetricsSetConfig", cupti.SassMetricsSetConfig == nullptr},
          std::pair{"cuptiSassMetricsEnable", cupti.SassMetricsEnable == nullptr},
          std::pair{"cuptiSassMetricsDisable", cupti.SassMetricsDisable == nullptr},
          std::pair{"cuptiSassMetricsGetDataProperties", cupti.SassMetricsGetDataProperties == nullptr},
          std::pair{"cuptiSassMetricsFlushData", cupti.SassMetricsFlushData == nullptr},
          std::pair{"cuptiProfilerInitialize", cupti.ProfilerInitialize == nullptr}})
        if (missing) return hw::unavailable_call(gpu.machine(), call);
    std::uint32_t version = 0;
    if (gpu.source() == device_source::hardware && cupti.GetVersion != nullptr &&
        cupti.GetVersion(&version) == abi::CUPTI_SUCCESS && version >= 130000 && version < 130100)
        return error{errc::version_mismatch, 0, "counting instructions with CUPTI 13.0",
                     "it counts the first kernel only, and says nothing about the others",
                     "install another CUPTI (12.9 and 13.5 count all), or name it in GPUPROF_CUPTI_PATH"};
    return {};
}

inline void describe_output(hw::output_fields& fields, sass_counts& counts) {
    fields.list("records", counts.records, [&](sass_record& each) {
        fields.text("function", each.function);
        fields.whole("module", each.module);
        fields.whole("function_index", each.function_index);
        fields.whole("pc_offset", each.pc_offset);
        fields.wholes("values", each.values);
        fields.check(each.values.size() == counts.metrics.size(), "an instruction has other values than the metrics'");
    });
    fields.whole("dropped", counts.dropped);
}

} // namespace detail

GPUPROF_INLINE result<std::vector<sass_metric>> sass_counter::try_list(device const& gpu) {
    if (auto fits = detail::check_sass_metrics(gpu); !fits) return std::move(fits).error();
    abi::cupti_table const& cupti = gpu.cupti();
    abi::CUpti_Profiler_Initialize_Params ready;
    if (auto const status = cupti.ProfilerInitialize(&ready)) return hw::explain("cuptiProfilerInitialize", status);
    std::string const& chip = gpu.chip();
    abi::CUpti_SassMetrics_GetNumOfMetrics_Params number;
    number.pChipName = chip.c_str();
    auto const counted = cupti.SassMetricsGetNumOfMetrics(&number);
    if (counted == abi::CUPTI_ERROR_NOT_SUPPORTED)
        return error{errc::unavailable, counted,
                     detail::joined(
                         {"counting instructions on ", gpu.name(), ", capability ", capability_text(gpu.capability())}),
                     "CUPTI has no SASS metrics of it; they begin with capability 7.5", "count on a later GPU"};
    if (counted) return hw::explain("cuptiSassMetricsGetNumOfMetrics", counted);
    std::vector<abi::CUpti_SassMetrics_MetricDetails> details(number.numOfMetrics);
    abi::CUpti_SassMetrics_GetMetrics_Params list;
    list.pChipName = chip.c_str();
    list.numOfMetrics = details.size();
    list.pMetricsList = details.data();
    if (auto const status = cupti.SassMetricsGetMetrics(&list))
        return hw::explain("cuptiSassMetricsGetMetrics", status);
    std::vector<sass_metric> found;
    for (auto const& each : details)
        if (each.pMetricName != nullptr)
            found.push_back(
                {each.pMetricName, each.pMetricDescription == nullptr ? "" : each.pMetricDescription, each.metricId});
    return found;
}

GPUPROF_INLINE result<sass_counter> sass_counter::try_open(device const& gpu, std::vector<std::string> metrics) {
    if (metrics.empty())
        return error{errc::invalid_argument, 0, "counting instructions by no metric", "the list is empty",
                     "name one, such as smsp__sass_inst_executed"};
    std::string names;
    for (std::string const& each : metrics) names += (names.empty() ? "" : ", ") + each;
    auto line = hw::try_begin_outputs(gpu, {"instruction counts", {std::move(names)}});
    if (!line) return std::move(line).error();
    bool const is_played = *line && (*line)->plays();
    auto known = is_played ? result<std::vector<sass_metric>>{std::vector<sass_metric>{}} : try_list(gpu);
    if (!known) return std::move(known).error();
    auto lease = hw::session_lease::try_take(gpu.context());
    if (!lease) return std::move(lease).error();
    sass_counter opened{gpu, *std::move(lease)};
    opened.line_ = *std::move(line);
    if (is_played) {
        opened.shape_.metrics = std::move(metrics);
        opened.enabled_ = true;
        return result<sass_counter>{std::move(opened)};
    }
    for (std::string& each : metrics) {
        auto const found =
            std::find_if(known->begin(), known->end(), [&](sass_metric const& row) { return row.name == each; });
        if (found == known->end())
            return unknown_name(each, detail::joined({gpu.chip(), " has no SASS metric of that name"}), *known);
        if (std::find(opened.ids_.begin(), opened.ids_.end(), found->id) != opened.ids_.end())
            return error{errc::invalid_argument, 0, each, "it is asked for twice", "name each metric once"};
        opened.ids_.push_back(found->id);
        opened.shape_.metrics.push_back(std::move(each));
    }
    if (auto begun = opened.try_begin(gpu); !begun) return std::move(begun).error();
    return result<sass_counter>{std::move(opened)};
}

GPUPROF_INLINE error sass_counter::failed(std::string_view call, abi::CUptiResult status) const {
    return hw::explain_on(*driver_, lease_.context(), call, status);
}

GPUPROF_INLINE result<void> sass_counter::try_configure(device const& gpu) {
    std::vector<abi::CUpti_SassMetrics_Config> list;
    for (std::uint64_t const id : ids_) list.push_back({id, abi::CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    abi::CUpti_SassMetricsSetConfig_Params p;
    p.numOfMetricConfig = list.size();
    p.pConfigs = list.data();
    p.deviceIndex = static_cast<std::uint32_t>(gpu.ordinal());
    if (auto const status = cupti_->SassMetricsSetConfig(&p)) return failed("cuptiSassMetricsSetConfig", status);
    return {};
}

GPUPROF_INLINE result<void> sass_counter::try_begin(device const& gpu) {
    auto& configured = detail::sass_configurations::instance();
    platform::lock const held{configured.mutex};
    auto& of_cupti = configured.ids[cupti_->SassMetricsSetConfig];
    auto const before = of_cupti.find(gpu.ordinal());
    if (before != of_cupti.end() && before->second != ids_)
        return error{errc::invalid_state, 0, "counting instructions by other metrics than before",
                     "CUPTI configures a GPU once in a process",
                     "name all metrics where the first sass_counter is opened"};
    bool const remembered = before != of_cupti.end();
    if (!remembered) {
        if (auto set = try_configure(gpu); !set) return set;
        of_cupti.emplace(gpu.ordinal(), ids_);
    }
    abi::CUpti_SassMetricsEnable_Params p;
    p.ctx = lease_.context();
    p.enableLazyPatching = 1; // most loaded kernels may never be launched
    auto status = cupti_->SassMetricsEnable(&p);
    if (status == abi::CUPTI_ERROR_INVALID_OPERATION && remembered) { // cuptiFinalize has undone it
        if (auto set = try_configure(gpu); !set) return set;
        status = cupti_->SassMetricsEnable(&p);
    }
    if (status) return failed("cuptiSassMetricsEnable", status);
    enabled_ = true;
    return {};
}

GPUPROF_INLINE result<void> sass_counter::wait() const {
    if (!enabled_)
        return error{errc::invalid_state, 0, "fetching counts of instructions", "counting has ended",
                     "fetch before the end"};
    if (auto const status = driver_->CtxPushCurrent(lease_.context())) return hw::explain("cuCtxPushCurrent", status);
    auto const synchronised = driver_->CtxSynchronize();
    abi::CUcontext popped = nullptr;
    static_cast<void>(driver_->CtxPopCurrent(&popped));
    if (synchronised) return hw::explain("cuCtxSynchronize", synchronised);
    return {};
}

GPUPROF_INLINE result<void> sass_counter::fetch(sass_counts& counts) const {
    abi::CUpti_SassMetricsGetDataProperties_Params properties;
    properties.ctx = lease_.context();
    if (auto const status = cupti_->SassMetricsGetDataProperties(&properties))
        return failed("cuptiSassMetricsGetDataProperties", status);
    std::size_t const count = properties.numOfPatchedInstructionRecords, instances = properties.numOfInstances;
    if (count == 0 || instances == 0) return {};
    std::vector<abi::CUpti_SassMetrics_Data> data(count);
    std::vector<abi::CUpti_SassMetrics_InstanceValue> values(count * instances);
    for (std::size_t i = 0; i < count; ++i) data[i].pInstanceValues = values.data() + i * instances;
    abi::CUpti_SassMetricsFlushData_Params p;
    p.ctx = lease_.context();
    p.numOfPatchedInstructionRecords = count;
    p.numOfInstances = instances;
    p.pMetricsData = data.data();
    auto const status = cupti_->SassMetricsFlushData(&p);
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::string, std::uint64_t>, std::vector<std::uint64_t>> places;
    for (abi::CUpti_SassMetrics_Data const& each : data) {
        std::string function{each.functionName == nullptr ? "" : each.functionName};
        std::free(const_cast<char*>(each.functionName));
        if (status != abi::CUPTI_SUCCESS) continue;
        auto& sums = places[{each.cubinCrc, each.functionIndex, std::move(function), each.pcOffset}];
        sums.resize(ids_.size());
        for (std::size_t i = 0; i < instances; ++i) {
            auto const at = std::find(ids_.begin(), ids_.end(), each.pInstanceValues[i].metricId);
            if (at != ids_.end()) sums[static_cast<std::size_t>(at - ids_.begin())] += each.pInstanceValues[i].value;
        }
    }
    if (status) return failed("cuptiSassMetricsFlushData", status);
    for (auto& [place, sums] : places) {
        auto const& [module, index, function, offset] = place;
        counts.records.push_back({function, module, offset, index, std::move(sums)});
    }
    return {};
}

GPUPROF_INLINE result<sass_counts> sass_counter::try_take(bool finishes) {
    if (auto waited = wait(); !waited) return std::move(waited).error();
    sass_counts taken = shape_;
    if (!is_played())
        if (auto fetched = fetch(taken); !fetched) return std::move(fetched).error();
    if (finishes)
        if (auto const status = disable(&taken.dropped)) return failed("cuptiSassMetricsDisable", status);
    if (line_) {
        auto passed = line_->pass([&](hw::output_fields& fields) { detail::describe_output(fields, taken); });
        if (!passed) return std::move(passed).error();
    }
    return taken;
}
GPUPROF_INLINE result<sass_counts> sass_counter::try_take() { return try_take(false); }
GPUPROF_INLINE result<sass_counts> sass_counter::try_finish() { return try_take(true); }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_SASS_COUNTER_INL_HPP
