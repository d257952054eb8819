// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of libnvperf_host, which plans and evaluates metrics for CUPTI before 12.6.
#ifndef GPUPROF_HW_COUNTERS_TARGET_NVPERF_LIBRARY_HPP
#define GPUPROF_HW_COUNTERS_TARGET_NVPERF_LIBRARY_HPP

#include <string>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/builtin.hpp"
#include "../../abi/nvperf_host.hpp"
#include "../../machine/platform/library.hpp"

// One row a call, X(name): the symbol is NVPW_name, its parameter NVPW_name_Params.
#define GPUPROF_NVPERF_CALLS(X)                                                                                        \
    X(InitializeHost)                                                                                                  \
    X(CUDA_MetricsEvaluator_CalculateScratchBufferSize)                                                                \
    X(CUDA_MetricsEvaluator_Initialize)                                                                                \
    X(MetricsEvaluator_Destroy)                                                                                        \
    X(MetricsEvaluator_ConvertMetricNameToMetricEvalRequest)                                                           \
    X(MetricsEvaluator_GetMetricRawDependencies)                                                                       \
    X(CUDA_RawMetricsConfig_Create_V2)                                                                                 \
    X(RawMetricsConfig_Destroy)                                                                                        \
    X(RawMetricsConfig_BeginPassGroup)                                                                                 \
    X(RawMetricsConfig_AddMetrics)                                                                                     \
    X(RawMetricsConfig_EndPassGroup)                                                                                   \
    X(RawMetricsConfig_GenerateConfigImage)                                                                            \
    X(RawMetricsConfig_GetConfigImage)                                                                                 \
    X(RawMetricsConfig_GetNumPasses)                                                                                   \
    X(CUDA_CounterDataBuilder_Create)                                                                                  \
    X(CounterDataBuilder_Destroy)                                                                                      \
    X(CounterDataBuilder_AddMetrics)                                                                                   \
    X(CounterDataBuilder_GetCounterDataPrefix)

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Pointers to the calls, each of which returns 0 for success. A value.
struct nvperf_table {
#define GPUPROF_NVPERF_MEMBER(name) int (*name)(abi::NVPW_##name##_Params*) = nullptr;
    GPUPROF_NVPERF_CALLS(GPUPROF_NVPERF_MEMBER)
#undef GPUPROF_NVPERF_MEMBER
};

// The table of the library at a path. It stays loaded. Errors: unavailable, which names the first
// missing call. Cost: 0.1 s of dynamic linking the first time. Thread-safe.
[[nodiscard]] inline result<nvperf_table> try_load_nvperf(std::string const& path) {
    platform::opened_library const opened = platform::open_library(path);
    if (opened.handle == nullptr)
        return error{errc::unavailable, 0, path, opened.refusal, "install it beside libcupti; CUDA's toolkit has both"};
    nvperf_table table;
    char const* missing = nullptr;
#define GPUPROF_NVPERF_FIND(name)                                                                                      \
    table.name =                                                                                                       \
        reinterpret_cast<decltype(table.name)>(platform::find_symbol(opened.handle, "NVPW_" #name)); /* NOLINT */      \
    if (table.name == nullptr && missing == nullptr) missing = "NVPW_" #name;
    GPUPROF_NVPERF_CALLS(GPUPROF_NVPERF_FIND)
#undef GPUPROF_NVPERF_FIND
    if (missing != nullptr)
        return error{errc::unavailable, 0, detail::joined({missing, " is not in ", path}),
                     "the library is older than CUPTI 11.8", "use CUPTI 11.8 or later"};
    return table;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_TARGET_NVPERF_LIBRARY_HPP
