// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device properties that metrics are calculated from, beside counts.
#ifndef GPUPROF_HW_MACHINE_DEVICE_PROPERTY_HPP
#define GPUPROF_HW_MACHINE_DEVICE_PROPERTY_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include "../../legacy/metric_property.hpp"
#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "device.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The CUPTI attribute of a property; 0 if the driver has the property.
[[nodiscard]] constexpr abi::CUpti_DeviceAttribute cupti_attribute_of(abi::CUpti_MetricPropertyID which) noexcept {
    using namespace abi;
    switch (which) {
        case CUPTI_METRIC_PROPERTY_FRAME_BUFFER_COUNT: return CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS;
        case CUPTI_METRIC_PROPERTY_GLOBAL_MEMORY_BANDWIDTH: return CUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH;
        case CUPTI_METRIC_PROPERTY_PCIE_LINK_RATE: return CUPTI_DEVICE_ATTR_PCIE_LINK_RATE;
        case CUPTI_METRIC_PROPERTY_PCIE_LINK_WIDTH: return CUPTI_DEVICE_ATTR_PCIE_LINK_WIDTH;
        case CUPTI_METRIC_PROPERTY_PCIE_GEN: return CUPTI_DEVICE_ATTR_PCIE_GEN;
        case CUPTI_METRIC_PROPERTY_DEVICE_CLASS: return CUPTI_DEVICE_ATTR_DEVICE_CLASS;
        case CUPTI_METRIC_PROPERTY_FLOP_SP_PER_CYCLE: return CUPTI_DEVICE_ATTR_FLOP_SP_PER_CYCLE;
        case CUPTI_METRIC_PROPERTY_FLOP_DP_PER_CYCLE: return CUPTI_DEVICE_ATTR_FLOP_DP_PER_CYCLE;
        case CUPTI_METRIC_PROPERTY_FLOP_HP_PER_CYCLE: return CUPTI_DEVICE_ATTR_FLOP_HP_PER_CYCLE;
        case CUPTI_METRIC_PROPERTY_L2_UNITS: return CUPTI_DEVICE_ATTR_MAX_L2_UNITS;
        case CUPTI_METRIC_PROPERTY_GPU_CPU_NVLINK_BANDWIDTH: return CUPTI_DEVICE_ATTR_GPU_CPU_NVLINK_BW;
        default: return CUpti_DeviceAttribute{};
    }
}

// The warp schedulers of a multiprocessor (CUDA's tables of technical specifications).
[[nodiscard]] constexpr std::uint64_t schedulers_per_multiprocessor(compute_capability of) noexcept {
    return of.generation == 2 || (of.generation == 6 && of.revision == 0) ? 2 : 4;
}

} // namespace detail

namespace hw {

// A property of `gpu` in its unit (metric_property.hpp); for KERNEL_GPU_TIME that is nanoseconds,
// and the value is `elapsed`. Errors: unavailable for properties that neither driver nor CUPTI has.
// Thread-safe; one driver or CUPTI call.
[[nodiscard]] inline result<std::uint64_t> try_property(device const& gpu, abi::CUpti_MetricPropertyID which,
                                                        std::uint64_t elapsed = 0) {
    using namespace abi;
    auto const from_driver = [&](CUdevice_attribute attribute) -> result<std::uint64_t> {
        int value = 0;
        if (auto status = gpu.driver().DeviceGetAttribute(&value, attribute, gpu.handle()))
            return explain("cuDeviceGetAttribute", status);
        return static_cast<std::uint64_t>(value);
    };
    switch (static_cast<unsigned>(which)) {
        case static_cast<unsigned>(metric_property::warp_size): return from_driver(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
        case static_cast<unsigned>(metric_property::schedulers_per_multiprocessor):
            return detail::schedulers_per_multiprocessor(gpu.capability());
        case CUPTI_METRIC_PROPERTY_MULTIPROCESSOR_COUNT: return from_driver(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        case CUPTI_METRIC_PROPERTY_CLOCK_RATE: return from_driver(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
        case CUPTI_METRIC_PROPERTY_ECC_ENABLED: return from_driver(CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
        case CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME: return elapsed;
        case CUPTI_METRIC_PROPERTY_WARPS_PER_MULTIPROCESSOR: {
            auto threads = from_driver(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
            if (!threads) return threads;
            auto width = from_driver(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
            if (!width) return width;
            return *width == 0 ? 0 : *threads / *width;
        }
        default: break;
    }
    auto const attribute = detail::cupti_attribute_of(which);
    if (attribute == CUpti_DeviceAttribute{} || gpu.cupti().DeviceGetAttribute == nullptr)
        return error{errc::unavailable, 0,
                     "metric property " + std::to_string(static_cast<unsigned>(which)) + " of " +
                         std::string{gpu.name()},
                     "neither the driver nor this CUPTI tells it", ""};
    std::uint64_t value = 0; // some are 32 bits wide: the upper half stays 0
    std::size_t size = sizeof value;
    if (auto status = gpu.cupti().DeviceGetAttribute(gpu.handle(), attribute, &size, &value))
        return explain("cuptiDeviceGetAttribute", status);
    return value;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_DEVICE_PROPERTY_HPP
