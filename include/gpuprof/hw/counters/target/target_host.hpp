// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans metrics by libnvperf_host: the host part of profiling by CUPTI 11.8 to 12.5.
#ifndef GPUPROF_HW_COUNTERS_TARGET_TARGET_HOST_HPP
#define GPUPROF_HW_COUNTERS_TARGET_TARGET_HOST_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../core/device_source.hpp"
#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../abi/nvperf_host.hpp"
#include "nvperf_library.hpp"
#include "target_evaluator.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What cuptiProfilerSetConfig and the options of a counter data image take.
struct target_configuration {
    std::vector<std::uint8_t> image;
    std::vector<std::uint8_t> counter_data_prefix;
    std::size_t pipelined_passes = 0;
    std::size_t isolated_passes = 0;

    // Replay passes of ranges nested to a depth, which is at least 1 (CUPTI 12.0, 2.7.2).
    [[nodiscard]] std::size_t passes(std::size_t nesting_levels) const noexcept {
        return pipelined_passes + isolated_passes * nesting_levels;
    }
};

// The configuration of metrics with full names ("sm__cycles_active.avg") for a chip ("GH100").
// Needs no GPU. @param availability what the device can count; empty: all of the chip
// Errors: invalid_argument for an empty list; unknown_metric names the first that the chip does not
// have, and the nearest; unavailable for a chip that the library does not know; internal for another refusal.
// Not thread-safe: the library's objects are made and destroyed in it.
[[nodiscard]] inline result<target_configuration>
try_configure_target(abi::nvperf_table const& host, std::string const& chip, std::vector<std::string> const& metrics,
                     std::vector<std::uint8_t> const& availability = {},
                     device_source source = device_source::hardware) {
    if (metrics.empty())
        return error{errc::invalid_argument, 0, "no metric was asked for", "the list of metrics is empty",
                     "name at least one metric"};
    std::uint8_t const* const counters = availability.empty() ? nullptr : availability.data();
    auto const names = target_evaluator::try_open(host, chip, availability, source);
    if (!names) return names.error();
    std::vector<abi::NVPA_RawMetricRequest> raw;
    for (std::string const& metric : metrics) {
        auto const found = names->try_find(metric);
        if (!found) return found.error();
        auto const counted = names->try_raw_counters(*found);
        if (!counted) return counted.error();
        for (char const* const name : *counted) {
            abi::NVPA_RawMetricRequest one;
            one.pMetricName = name;
            one.isolated = 1;
            one.keepInstances = 1;
            raw.push_back(one);
        }
    }

    abi::NVPW_CUDA_RawMetricsConfig_Create_V2_Params create;
    create.pChipName = chip.c_str();
    create.pCounterAvailabilityImage = counters;
    if (int const status = host.CUDA_RawMetricsConfig_Create_V2(&create))
        return refused_by_nvperf("NVPW_CUDA_RawMetricsConfig_Create_V2", status);
    struct raw_config {
        abi::nvperf_table const* host;
        abi::NVPA_RawMetricsConfig* object;
        ~raw_config() {
            abi::NVPW_RawMetricsConfig_Destroy_Params p;
            p.pRawMetricsConfig = object;
            static_cast<void>(host->RawMetricsConfig_Destroy(&p));
        }
    } const config{&host, create.pRawMetricsConfig};
    abi::NVPW_RawMetricsConfig_BeginPassGroup_Params begin;
    begin.pRawMetricsConfig = config.object;
    if (int const status = host.RawMetricsConfig_BeginPassGroup(&begin))
        return refused_by_nvperf("NVPW_RawMetricsConfig_BeginPassGroup", status);
    abi::NVPW_RawMetricsConfig_AddMetrics_Params add;
    add.pRawMetricsConfig = config.object;
    add.pRawMetricRequests = raw.data();
    add.numMetricRequests = raw.size();
    if (int const status = host.RawMetricsConfig_AddMetrics(&add))
        return refused_by_nvperf("NVPW_RawMetricsConfig_AddMetrics", status);
    abi::NVPW_RawMetricsConfig_EndPassGroup_Params end;
    end.pRawMetricsConfig = config.object;
    if (int const status = host.RawMetricsConfig_EndPassGroup(&end))
        return refused_by_nvperf("NVPW_RawMetricsConfig_EndPassGroup", status);
    abi::NVPW_RawMetricsConfig_GenerateConfigImage_Params generate;
    generate.pRawMetricsConfig = config.object;
    if (int const status = host.RawMetricsConfig_GenerateConfigImage(&generate))
        return refused_by_nvperf("NVPW_RawMetricsConfig_GenerateConfigImage", status);

    target_configuration made;
    abi::NVPW_RawMetricsConfig_GetConfigImage_Params image;
    image.pRawMetricsConfig = config.object;
    if (int const status = host.RawMetricsConfig_GetConfigImage(&image))
        return refused_by_nvperf("NVPW_RawMetricsConfig_GetConfigImage", status);
    made.image.resize(image.bytesCopied);
    image.bytesAllocated = made.image.size();
    image.pBuffer = made.image.data();
    if (int const status = host.RawMetricsConfig_GetConfigImage(&image))
        return refused_by_nvperf("NVPW_RawMetricsConfig_GetConfigImage", status);
    abi::NVPW_RawMetricsConfig_GetNumPasses_Params count;
    count.pRawMetricsConfig = config.object;
    if (int const status = host.RawMetricsConfig_GetNumPasses(&count))
        return refused_by_nvperf("NVPW_RawMetricsConfig_GetNumPasses", status);
    made.pipelined_passes = count.numPipelinedPasses;
    made.isolated_passes = count.numIsolatedPasses;

    abi::NVPW_CUDA_CounterDataBuilder_Create_Params build;
    build.pChipName = chip.c_str();
    build.pCounterAvailabilityImage = counters;
    if (int const status = host.CUDA_CounterDataBuilder_Create(&build))
        return refused_by_nvperf("NVPW_CUDA_CounterDataBuilder_Create", status);
    struct data_builder {
        abi::nvperf_table const* host;
        abi::NVPA_CounterDataBuilder* object;
        ~data_builder() {
            abi::NVPW_CounterDataBuilder_Destroy_Params p;
            p.pCounterDataBuilder = object;
            static_cast<void>(host->CounterDataBuilder_Destroy(&p));
        }
    } const builder{&host, build.pCounterDataBuilder};
    abi::NVPW_CounterDataBuilder_AddMetrics_Params keep;
    keep.pCounterDataBuilder = builder.object;
    keep.pRawMetricRequests = raw.data();
    keep.numMetricRequests = raw.size();
    if (int const status = host.CounterDataBuilder_AddMetrics(&keep))
        return refused_by_nvperf("NVPW_CounterDataBuilder_AddMetrics", status);
    abi::NVPW_CounterDataBuilder_GetCounterDataPrefix_Params prefix;
    prefix.pCounterDataBuilder = builder.object;
    if (int const status = host.CounterDataBuilder_GetCounterDataPrefix(&prefix))
        return refused_by_nvperf("NVPW_CounterDataBuilder_GetCounterDataPrefix", status);
    made.counter_data_prefix.resize(prefix.bytesCopied);
    prefix.bytesAllocated = made.counter_data_prefix.size();
    prefix.pBuffer = made.counter_data_prefix.data();
    if (int const status = host.CounterDataBuilder_GetCounterDataPrefix(&prefix))
        return refused_by_nvperf("NVPW_CounterDataBuilder_GetCounterDataPrefix", status);
    return made;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_TARGET_TARGET_HOST_HPP
