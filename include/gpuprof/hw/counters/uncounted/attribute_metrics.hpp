// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device__attribute_ metrics: the driver's attributes, and those of Nsight Compute beyond them
// (guide, chapter 4, "Device Attributes").
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_ATTRIBUTE_METRICS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_ATTRIBUTE_METRICS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../../core/result.hpp"
#include "../../../metric/device_attributes.hpp"
#include "../../../metric/provider_metrics.hpp"
#include "../../machine/device.hpp"
#include "../../machine/device_property.hpp"
#include "../../machine/status.hpp"
#include "multiprocessor.hpp"
#include "nvml.hpp"
#include "provided_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// The number that NVIDIA gives a chip, of which the last hexadecimal digit is the implementation:
// GH100 is 0x180, AD102 0x192 (the Linux kernel's nouveau driver lists them); 0 for chips of which
// no document tells it.
[[nodiscard]] constexpr int chip_number(std::string_view chip) noexcept {
    constexpr struct {
        std::string_view prefix;
        int number;
    } families[] = {{"GV10", 0x140}, {"TU10", 0x160}, {"TU11", 0x160}, {"GA10", 0x170},
                    {"GH10", 0x180}, {"AD10", 0x190}, {"GB10", 0x1a0}, {"GB20", 0x1b0}};
    if (chip.size() != 5) return 0;
    int implementation = chip[4] - '0';
    if (implementation < 0 || implementation > 9) return 0; // of the integrated chips
    if (is(chip, "TU116")) implementation = 8;
    for (auto const& family : families)
        if (chip.starts_with(family.prefix)) return family.number + implementation;
    return 0;
}

// Texture units of an SM, by NVIDIA's white papers on the architectures.
[[nodiscard]] constexpr int texture_units(compute_capability of) noexcept {
    if (of.generation == 2) return of.revision == 0 ? 4 : 8;
    if (of.generation == 3) return 16;
    if (of.generation == 5 || (of.generation == 6 && of.revision != 0)) return 8;
    if (of.generation == 6) return 4;
    return 1; // texture and L1 are one unit; Nsight Compute 2025.3 says so on an H200
}

// Frame buffer partitions of the chips with stacked memory: each has a controller of 512 bits and 8
// slices of L2 (NVIDIA's white papers: GV100 has 8 of them, GA100 in an A100 and GH100 in an H100
// have 10, in an H200 12, whose bus the driver says to be 6,016 bits wide). 0 for the other chips.
[[nodiscard]] constexpr int stacked_memory_partitions(std::string_view chip, int bus_width) noexcept {
    return is(chip, "GV100") || is(chip, "GA100") || is(chip, "GH100") ? (bus_width + 511) / 512 : 0;
}

namespace detail {

// An attribute that CUPTI tells, 0 where it does not.
[[nodiscard]] inline double from_cupti(device const& gpu, abi::CUpti_DeviceAttribute which) {
    std::uint64_t value = 0; // some are 32 bits wide: the upper half stays 0
    std::size_t size = sizeof value;
    if (gpu.cupti().DeviceGetAttribute == nullptr ||
        gpu.cupti().DeviceGetAttribute(gpu.handle(), which, &size, &value) != abi::CUPTI_SUCCESS)
        return 0;
    return static_cast<double>(value);
}

[[nodiscard]] inline result<provided_value> confidential_computing(device const& gpu, std::string_view name) {
    if (gpu.source() == device_source::embedded) return provided_value{std::string{"No-CC"}};
    nvml_table const& library = nvml();
    if (library.missing) return *library.missing;
    nvml_confidential_computing state;
    if (library.confidential_computing == nullptr || library.confidential_computing(&state) != 0)
        return no_value(name, "the management library does not tell it", "update the driver");
    return provided_value{std::string{state.feature == 0 ? "No-CC" : "CC"}};
}

} // namespace detail

// One of those beyond the driver's. `rest` is the name after device__attribute_.
[[nodiscard]] inline result<provided_value> computed_attribute(device const& gpu, std::string_view name,
                                                               std::string_view rest) {
    using namespace abi;
    auto const known = [&](double value, std::string_view cause) -> result<provided_value> {
        if (value > 0) return provided_value{value};
        return detail::no_value(name, cause);
    };
    auto const attribute = [&](CUdevice_attribute which) {
        return known(gpu.attribute(which), "the driver does not tell it");
    };
    int const whole_warps = gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32;
    double const warps = whole_warps;
    auto const schedulers = static_cast<double>(gpuprof::detail::schedulers_per_multiprocessor(gpu.capability()));
    int const stacked =
        stacked_memory_partitions(gpu.chip(), gpu.attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
    auto const partitions = [&]() -> double {
        return stacked != 0 ? stacked : detail::from_cupti(gpu, CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS);
    };
    auto const slices = [&]() -> double {
        return stacked != 0 ? 8 * stacked : detail::from_cupti(gpu, CUPTI_DEVICE_ATTR_MAX_L2_UNITS);
    };
    auto const issues = [&]() -> double { // one a scheduler since 7.0; earlier ones issue two at times
        return gpu.capability().generation >= 7 ? schedulers
                                                : detail::from_cupti(gpu, CUPTI_DEVICE_ATTR_INSTRUCTION_PER_CYCLE);
    };
    constexpr std::string_view cupti_does_not = "CUPTI does not tell it";

    if (is(rest, "device_index")) return provided_value{static_cast<double>(gpu.ordinal())};
    if (is(rest, "display_name")) return provided_value{std::string{gpu.name()}};
    if (is(rest, "confidential_computing_mode")) return detail::confidential_computing(gpu, name);
    if (is(rest, "architecture") || is(rest, "implementation")) {
        int const number = chip_number(gpu.chip());
        return known(is(rest, "architecture") ? number / 16 * 16 : number, "no document tells the number of this chip");
    }
    if (is(rest, "fb_bus_width")) return attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    if (is(rest, "limits_max_cta_per_sm")) return attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    if (is(rest, "max_gpu_frequency_khz")) return attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    if (is(rest, "max_mem_frequency_khz")) return attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    if (is(rest, "max_registers_per_thread"))
        return provided_value{static_cast<double>(multiprocessor{gpu.capability()}.max_registers_per_thread())};
    if (is(rest, "max_warps_per_multiprocessor")) return known(warps, "the driver does not tell it");
    if (is(rest, "max_warps_per_scheduler")) return known(warps / schedulers, "the driver does not tell it");
    if (is(rest, "num_schedulers_per_multiprocessor")) return provided_value{schedulers};
    if (is(rest, "num_tex_per_multiprocessor"))
        return provided_value{static_cast<double>(texture_units(gpu.capability()))};
    if (is(rest, "max_ipc_per_multiprocessor")) return known(issues(), cupti_does_not);
    if (is(rest, "max_ipc_per_scheduler")) return known(issues() / schedulers, cupti_does_not);
    if (is(rest, "fbp_count")) return known(partitions(), cupti_does_not);
    if (is(rest, "l2s_count")) return known(slices(), cupti_does_not);
    if (is(rest, "num_l2s_per_fbp")) {
        double const of = partitions();
        return known(of == 0 ? 0 : slices() / of, cupti_does_not);
    }
    return detail::no_value(name, why_not_collected(metric_source::device, name));
}

// Any of them. @pre the name begins with device__attribute_ and names a metric.
[[nodiscard]] inline result<provided_value> attribute_metric(device const& gpu, std::string_view name) {
    std::string_view const rest = name.substr(std::string_view{"device__attribute_"}.size());
    device_attribute const* const attribute = find_device_attribute(rest);
    if (attribute == nullptr) return computed_attribute(gpu, name, rest);
    int value = 0;
    auto const status =
        gpu.driver().DeviceGetAttribute(&value, static_cast<abi::CUdevice_attribute>(attribute->number), gpu.handle());
    if (status == abi::CUDA_SUCCESS) return provided_value{static_cast<double>(value)};
    if (status == abi::CUDA_ERROR_INVALID_VALUE)
        return detail::no_value(name, "this driver does not know the attribute: it is of a newer one",
                                "update the driver");
    return explain("cuDeviceGetAttribute", status);
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_ATTRIBUTE_METRICS_HPP
