// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What throughputs are made of, as libnvperf_host says: CUPTI's own calls do not tell it. No GPU needed.
// Declarations of our own, because CUDA's headers need not be there; layouts are those of nvperf_host.h and
// nvperf_cuda_host.h of CUDA 13.0.
#ifndef GPUPROF_TOOLS_THROUGHPUT_CONSTITUENTS_HPP
#define GPUPROF_TOOLS_THROUGHPUT_CONSTITUENTS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
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

// A throughput's base name, and the base names of its constituents: counters, then throughputs.
struct throughput {
    std::string name;
    std::vector<std::string> parts;
};

// The library beside a CUPTI.
class host {
public:
    // Nothing if there is no such library beside CUPTI, or if it does not start.
    [[nodiscard]] static std::optional<host> open(gpuprof::hw::library_report const& cupti) {
        constexpr char const* file = "libnvperf_host.so";
        gpuprof::hw::open_companion(cupti, file);
        void* const library = gpuprof::platform::open_mapped_library(file);
        NVPW_InitializeHost_Params p;
        if (library == nullptr || call(library, "NVPW_InitializeHost", p) != 0) return std::nullopt;
        return host{library};
    }

    // The throughputs of a chip, in the library's order. Nothing if a call fails.
    [[nodiscard]] std::optional<std::vector<throughput>> throughputs(std::string const& chip) const {
        NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params size;
        size.pChipName = chip.c_str();
        if (call(library_, "NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize", size) != 0) return std::nullopt;
        std::vector<std::uint8_t> scratch(size.scratchBufferSize);
        NVPW_CUDA_MetricsEvaluator_Initialize_Params made;
        made.pScratchBuffer = scratch.data();
        made.scratchBufferSize = scratch.size();
        made.pChipName = chip.c_str();
        if (call(library_, "NVPW_CUDA_MetricsEvaluator_Initialize", made) != 0) return std::nullopt;
        auto all = ask(made.pMetricsEvaluator);
        NVPW_MetricsEvaluator_Destroy_Params p;
        p.pMetricsEvaluator = made.pMetricsEvaluator;
        if (call(library_, "NVPW_MetricsEvaluator_Destroy", p) != 0) return std::nullopt;
        return all;
    }

private:
    static constexpr std::uint8_t counter_type = 0; // NVPW_METRIC_TYPE_COUNTER
    static constexpr std::uint8_t throughput_type = 2;

    explicit host(void* library) noexcept : library_{library} {}

    template <class Params>
    [[nodiscard]] static int call(void* library, char const* symbol, Params& p) {
        auto* const function = gpuprof::platform::find_symbol(library, symbol);
        return function == nullptr ? -1 : reinterpret_cast<int (*)(Params*)>(function)(&p);
    }

    [[nodiscard]] std::optional<std::vector<std::string>> names(NVPW_MetricsEvaluator* of, std::uint8_t type) const {
        NVPW_MetricsEvaluator_GetMetricNames_Params p;
        p.pMetricsEvaluator = of;
        p.metricType = type;
        if (call(library_, "NVPW_MetricsEvaluator_GetMetricNames", p) != 0) return std::nullopt;
        std::vector<std::string> all;
        for (std::size_t i = 0; i < p.numMetrics; ++i) all.emplace_back(p.pMetricNames + p.pMetricNameBeginIndices[i]);
        return all;
    }

    [[nodiscard]] std::optional<std::vector<throughput>> ask(NVPW_MetricsEvaluator* of) const {
        auto const of_counters = names(of, counter_type);
        auto const of_throughputs = names(of, throughput_type);
        if (!of_counters || !of_throughputs) return std::nullopt;
        std::vector<throughput> all;
        for (std::size_t i = 0; i < of_throughputs->size(); ++i) {
            NVPW_MetricsEvaluator_GetThroughputMetricProperties_Params p;
            p.pMetricsEvaluator = of;
            p.throughputMetricIndex = i;
            if (call(library_, "NVPW_MetricsEvaluator_GetThroughputMetricProperties", p) != 0) return std::nullopt;
            throughput one{(*of_throughputs)[i], {}};
            for (std::size_t j = 0; j < p.numCounters; ++j) one.parts.push_back(of_counters->at(p.pCounterIndices[j]));
            for (std::size_t j = 0; j < p.numSubThroughputs; ++j)
                one.parts.push_back(of_throughputs->at(p.pSubThroughputIndices[j]));
            all.push_back(std::move(one));
        }
        return all;
    }

    void* library_;
};

} // namespace nvperf

#endif // GPUPROF_TOOLS_THROUGHPUT_CONSTITUENTS_HPP
