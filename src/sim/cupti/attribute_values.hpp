// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of CUPTI's activity attributes.
#ifndef GPUPROF_SRC_SIM_CUPTI_ATTRIBUTE_VALUES_HPP
#define GPUPROF_SRC_SIM_CUPTI_ATTRIBUTE_VALUES_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

inline constexpr std::size_t attribute_count = abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS + 1;

// The values that were set; the embedded GPU has no buffers on the device that they could size, so
// none is acted on. Safe from any thread. The body is in activity_settings.cpp.
struct attribute_values {
    std::array<std::atomic<std::uint64_t>, attribute_count> values{};

    attribute_values() { clear(); }
    // Sets every attribute to its initial value.
    void clear() noexcept;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ATTRIBUTE_VALUES_HPP
