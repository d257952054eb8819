// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libnvperf_host says of a chip's metrics and CUPTI's own calls do not: what throughputs are made of, and which metrics
// are counted by patching the program. No GPU needed.
// Declarations of our own, because CUDA's headers need not be there; layouts are those of nvperf_host.h and
// nvperf_cuda_host.h of CUDA 13.0.
#ifndef GPUPROF_TOOLS_NVPERF_HOST_HPP
#define GPUPROF_TOOLS_NVPERF_HOST_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/abi/types.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/library.hpp>

namespace nvperf {

struct NVPW_MetricsEvaluator;

struct NVPW_InitializeHost_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_InitializeHost_Params, pPriv);
    void* pPriv = nullptr;
};
struct NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params, scratchBufferSize);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    std::size_t scratchBufferSize = 0;
};
struct NVPW_CUDA_MetricsEvaluator_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CUDA_MetricsEvaluator_Initialize_Params, pMetricsEvaluator);
    void* pPriv = nullptr;
    std::uint8_t* pScratchBuffer = nullptr;
    std::size_t scratchBufferSize = 0;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
};
struct NVPW_MetricsEvaluator_Destroy_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_Destroy_Params, pMetricsEvaluator);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
};
struct NVPW_MetricsEvaluator_GetMetricNames_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_GetMetricNames_Params, numMetrics);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    std::uint8_t metricType = 0; // as CUpti_MetricType
    char const* pMetricNames = nullptr;
    std::size_t const* pMetricNameBeginIndices = nullptr;
    std::size_t numMetrics = 0;
};
struct NVPW_MetricsEvaluator_GetThroughputMetricProperties_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_GetThroughputMetricProperties_Params, pSubThroughputIndices);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    std::size_t throughputMetricIndex = 0;
    char const* pDescription = nullptr;
    std::uint32_t hwUnit = 0;
    std::size_t numCounters = 0;
    std::size_t const* pCounterIndices = nullptr; // into the names of counters
    std::size_t numSubThroughputs = 0;
    std::size_t const* pSubThroughputIndices = nullptr; // into the names of throughputs
};

struct NVPW_MetricEvalRequest {
    std::size_t metricIndex = 0;
    std::uint8_t metricType = 0;
    std::uint8_t rollupOp = 0;
    std::uint16_t submetric = 0;
};
struct NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params,
                                                 metricEvalRequestStructSize);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    char const* pMetricName = nullptr;
    NVPW_MetricEvalRequest* pMetricEvalRequest = nullptr;
    std::size_t metricEvalRequestStructSize = GPUPROF_STRUCT_SIZE(NVPW_MetricEvalRequest, submetric);
};
struct NVPW_MetricsEvaluator_GetMetricRawDependencies_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_GetMetricRawDependencies_Params, numOptionalRawDependencies);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    NVPW_MetricEvalRequest const* pMetricEvalRequests = nullptr;
    std::size_t numMetricEvalRequests = 1;
    std::size_t metricEvalRequestStructSize = GPUPROF_STRUCT_SIZE(NVPW_MetricEvalRequest, submetric);
    std::size_t metricEvalRequestStrideSize = sizeof(NVPW_MetricEvalRequest);
    char const** ppRawDependencies = nullptr; // null: asks for the number
    std::size_t numRawDependencies = 0;
    char const** ppOptionalRawDependencies = nullptr;
    std::size_t numOptionalRawDependencies = 0;
};

struct NVPW_RawCounterConfig;
// What counts: a part of the GPU, or the patched program.
using NVPW_RawCounterDomain = std::uint32_t;
inline constexpr NVPW_RawCounterDomain NVPW_RAW_COUNTER_DOMAIN_GPU_SASS = 2;

struct NVPW_CUDA_RawCounterConfig_Create_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CUDA_RawCounterConfig_Create_Params, pRawCounterConfig);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    std::uint32_t activityKind = 1; // NVPA_ACTIVITY_KIND_PROFILER
    NVPW_RawCounterConfig* pRawCounterConfig = nullptr;
};
struct NVPW_RawCounterConfig_Destroy_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawCounterConfig_Destroy_Params, pRawCounterConfig);
    void* pPriv = nullptr;
    NVPW_RawCounterConfig* pRawCounterConfig = nullptr;
};
struct NVPW_RawCounterConfig_GetAllAvailableRawCounterDomains_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_RawCounterConfig_GetAllAvailableRawCounterDomains_Params, pAvailableDomains);
    void* pPriv = nullptr;
    NVPW_RawCounterConfig const* pRawCounterConfig = nullptr;
    std::size_t numAvailableDomains = 0;
    NVPW_RawCounterDomain* pAvailableDomains = nullptr; // null: asks for the number
};
struct NVPW_RawCounterConfig_BeginPassGroup_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawCounterConfig_BeginPassGroup_Params, pDomains);
    void* pPriv = nullptr;
    NVPW_RawCounterConfig* pRawCounterConfig = nullptr;
    std::size_t numDomains = 0;
    NVPW_RawCounterDomain const* pDomains = nullptr;
};
struct NVPW_RawCounterConfig_GetRawCounterProperties_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_RawCounterConfig_GetRawCounterProperties_Params, pSupportedCdgDomains);
    void* pPriv = nullptr;
    NVPW_RawCounterConfig const* pRawCounterConfig = nullptr;
    char const* pRawCounterName = nullptr;
    std::size_t numSupportedDomains = 0;
    NVPW_RawCounterDomain* pSupportedDomains = nullptr; // null: asks for the number
    std::size_t numSupportedCdgDomains = 0;
    std::uint32_t* pSupportedCdgDomains = nullptr;
};

// A throughput's base name, and the base names of its constituents: counters, then throughputs.
struct throughput {
    std::string name;
    std::vector<std::string> parts;
};

[[noreturn]] inline void fail(std::string const& why) {
    std::fprintf(stderr, "libnvperf_host: %s\n", why.c_str());
    std::exit(1);
}

// Calls of the library beside a CUPTI. A call that fails ends the program.
class library {
public:
    explicit library(gpuprof::hw::library_report const& cupti) {
        constexpr char const* file = "libnvperf_host.so";
        gpuprof::hw::open_companion(cupti, file);
        handle_ = gpuprof::platform::open_mapped_library(file);
        if (handle_ == nullptr) fail("there is none beside " + cupti.path);
        NVPW_InitializeHost_Params p;
        call("NVPW_InitializeHost", p);
    }

    template <class Params>
    [[nodiscard]] int status_of(char const* symbol, Params& p) const {
        auto* const function = gpuprof::platform::find_symbol(handle_, symbol);
        if (function == nullptr) fail(std::string{"it has no "} + symbol);
        return reinterpret_cast<int (*)(Params*)>(function)(&p);
    }
    template <class Params>
    void call(char const* symbol, Params& p) const {
        if (int const status = status_of(symbol, p); status != 0)
            fail(std::string{symbol} + " gives " + std::to_string(status));
    }

private:
    void* handle_ = nullptr;
};

// What the library says of one chip. @pre `from` outlives it
class chip_metrics {
public:
    chip_metrics(library const& from, std::string const& chip) : library_{&from} {
        NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params size;
        size.pChipName = chip.c_str();
        from.call("NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize", size);
        scratch_.resize(size.scratchBufferSize);
        NVPW_CUDA_MetricsEvaluator_Initialize_Params evaluator;
        evaluator.pScratchBuffer = scratch_.data();
        evaluator.scratchBufferSize = scratch_.size();
        evaluator.pChipName = chip.c_str();
        from.call("NVPW_CUDA_MetricsEvaluator_Initialize", evaluator);
        evaluator_ = evaluator.pMetricsEvaluator;

        NVPW_CUDA_RawCounterConfig_Create_Params config;
        config.pChipName = chip.c_str();
        from.call("NVPW_CUDA_RawCounterConfig_Create", config);
        config_ = config.pRawCounterConfig;
        NVPW_RawCounterConfig_GetAllAvailableRawCounterDomains_Params available;
        available.pRawCounterConfig = config_;
        from.call("NVPW_RawCounterConfig_GetAllAvailableRawCounterDomains", available);
        std::vector<NVPW_RawCounterDomain> domains(available.numAvailableDomains);
        available.pAvailableDomains = domains.data();
        from.call("NVPW_RawCounterConfig_GetAllAvailableRawCounterDomains", available);
        NVPW_RawCounterConfig_BeginPassGroup_Params group; // counters of an open group have properties
        group.pRawCounterConfig = config_;
        group.numDomains = domains.size();
        group.pDomains = domains.data();
        from.call("NVPW_RawCounterConfig_BeginPassGroup", group);
    }
    chip_metrics(chip_metrics const&) = delete;
    chip_metrics& operator=(chip_metrics const&) = delete;
    ~chip_metrics() {
        NVPW_RawCounterConfig_Destroy_Params config;
        config.pRawCounterConfig = config_;
        library_->call("NVPW_RawCounterConfig_Destroy", config);
        NVPW_MetricsEvaluator_Destroy_Params evaluator;
        evaluator.pMetricsEvaluator = evaluator_;
        library_->call("NVPW_MetricsEvaluator_Destroy", evaluator);
    }

    // In the library's order.
    [[nodiscard]] std::vector<throughput> throughputs() const {
        constexpr std::uint8_t counter_type = 0; // NVPW_METRIC_TYPE_COUNTER
        constexpr std::uint8_t throughput_type = 2;
        auto const counter_names = names(counter_type);
        auto const throughput_names = names(throughput_type);
        std::vector<throughput> all;
        for (std::size_t i = 0; i < throughput_names.size(); ++i) {
            NVPW_MetricsEvaluator_GetThroughputMetricProperties_Params p;
            p.pMetricsEvaluator = evaluator_;
            p.throughputMetricIndex = i;
            library_->call("NVPW_MetricsEvaluator_GetThroughputMetricProperties", p);
            throughput one{throughput_names[i], {}};
            for (std::size_t j = 0; j < p.numCounters; ++j) one.parts.push_back(counter_names.at(p.pCounterIndices[j]));
            for (std::size_t j = 0; j < p.numSubThroughputs; ++j)
                one.parts.push_back(throughput_names.at(p.pSubThroughputIndices[j]));
            all.push_back(std::move(one));
        }
        return all;
    }

    // Whether the value of that full name takes a counter that the patched program counts.
    [[nodiscard]] bool is_patched(std::string const& metric) const {
        NVPW_MetricEvalRequest request;
        NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params name;
        name.pMetricsEvaluator = evaluator_;
        name.pMetricName = metric.c_str();
        name.pMetricEvalRequest = &request;
        library_->call("NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest", name);
        NVPW_MetricsEvaluator_GetMetricRawDependencies_Params p;
        p.pMetricsEvaluator = evaluator_;
        p.pMetricEvalRequests = &request;
        library_->call("NVPW_MetricsEvaluator_GetMetricRawDependencies", p);
        std::vector<char const*> needed(p.numRawDependencies);
        std::vector<char const*> optional(p.numOptionalRawDependencies);
        p.ppRawDependencies = needed.data();
        p.ppOptionalRawDependencies = optional.data();
        library_->call("NVPW_MetricsEvaluator_GetMetricRawDependencies", p);
        for (char const* const counter : needed)
            if (is_patched_counter(counter)) return true;
        return false;
    }

private:
    [[nodiscard]] std::vector<std::string> names(std::uint8_t type) const {
        NVPW_MetricsEvaluator_GetMetricNames_Params p;
        p.pMetricsEvaluator = evaluator_;
        p.metricType = type;
        library_->call("NVPW_MetricsEvaluator_GetMetricNames", p);
        std::vector<std::string> all;
        for (std::size_t i = 0; i < p.numMetrics; ++i) all.emplace_back(p.pMetricNames + p.pMetricNameBeginIndices[i]);
        return all;
    }

    [[nodiscard]] bool is_patched_counter(std::string const& counter) const {
        auto const known = patched_.find(counter);
        if (known != patched_.end()) return known->second;
        NVPW_RawCounterConfig_GetRawCounterProperties_Params p;
        p.pRawCounterConfig = config_;
        p.pRawCounterName = counter.c_str();
        // Some chips have counters in no domain that is offered without a device; the patched program's is offered.
        constexpr int in_no_open_group = 18; // NVPA_STATUS_INVALID_CONTEXT_STATE
        if (library_->status_of("NVPW_RawCounterConfig_GetRawCounterProperties", p) == in_no_open_group)
            return patched_[counter] = false;
        std::vector<NVPW_RawCounterDomain> domains(p.numSupportedDomains);
        std::vector<std::uint32_t> groups(p.numSupportedCdgDomains);
        p.pSupportedDomains = domains.data();
        p.pSupportedCdgDomains = groups.data();
        library_->call("NVPW_RawCounterConfig_GetRawCounterProperties", p);
        bool patched = false;
        for (NVPW_RawCounterDomain const each : domains) patched = patched || each == NVPW_RAW_COUNTER_DOMAIN_GPU_SASS;
        return patched_[counter] = patched;
    }

    library const* library_;
    std::vector<std::uint8_t> scratch_;
    NVPW_MetricsEvaluator* evaluator_ = nullptr;
    NVPW_RawCounterConfig* config_ = nullptr;
    mutable std::map<std::string, bool> patched_;
};

} // namespace nvperf

#endif // GPUPROF_TOOLS_NVPERF_HOST_HPP
