// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an SM holds, and in what portions it gives it to blocks.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_MULTIPROCESSOR_LIMITS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_MULTIPROCESSOR_LIMITS_HPP

#include <cstddef>
#include <span>

#include "../../../core/compute_capability.hpp"
#include "../../../detail/config.hpp"
#include "../../abi/attributes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// Limits that the driver tells, and portions that it does not: those are NVIDIA's, by capability
// (cuda_occupancy.h of CUDA 13.0; for 2.x the CUDA occupancy calculator's sheet).
struct multiprocessor {
    compute_capability capability;
    int count = 0;       // of the device
    int max_threads = 0; // at once
    int max_blocks = 0;  // at once
    int max_threads_per_block = 0;
    int registers = 0; // of 32 bits
    int registers_per_block = 0;
    std::size_t shared = 0; // bytes
    std::size_t shared_per_block = 0;
    std::size_t shared_reserved = 0; // of every block, by the driver

    // Whether all limits are known.
    [[nodiscard]] constexpr bool complete() const noexcept {
        return count > 0 && max_threads > 0 && max_blocks > 0 && max_threads_per_block > 0 && registers > 0 &&
               registers_per_block > 0 && shared > 0 && shared_per_block > 0;
    }
    [[nodiscard]] constexpr int max_warps() const noexcept { return max_threads / 32; }
    // (Not by ==: nvcc 13.0 gives the host compiler a defaulted == without its definition.)
    [[nodiscard]] constexpr bool is(int generation, int revision) const noexcept {
        return capability.generation == generation && capability.revision == revision;
    }
    // Warps and their registers belong to one partition.
    [[nodiscard]] constexpr int partitions() const noexcept { return capability.generation == 2 || is(6, 0) ? 2 : 4; }
    // Registers are given to warps in multiples of this.
    [[nodiscard]] constexpr int register_unit() const noexcept { return capability.generation == 2 ? 64 : 256; }
    // What a thread is given at least: no kernel of an H200 has fewer in Nsight Compute.
    [[nodiscard]] constexpr int least_registers() const noexcept { return capability.generation >= 7 ? 16 : 0; }
    [[nodiscard]] constexpr int max_registers_per_thread() const noexcept {
        return capability < compute_capability{3, 2} ? 63 : 255;
    }
    // Shared memory is given to blocks in multiples of this.
    [[nodiscard]] constexpr std::size_t shared_unit() const noexcept {
        return capability.generation == 2 || capability.generation >= 8 ? 128 : 256;
    }
};

namespace detail {
inline constexpr unsigned short volta_splits[] = {0, 8, 16, 32, 64, 96};
inline constexpr unsigned short turing_splits[] = {32, 64};
inline constexpr unsigned short ada_splits[] = {0, 8, 16, 32, 64, 100};
inline constexpr unsigned short ampere_splits[] = {0, 8, 16, 32, 64, 100, 132, 164};
inline constexpr unsigned short hopper_splits[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
} // namespace detail

// The kilobytes of shared memory that an SM of that capability can be set to, ascending; empty
// where they cannot be chosen (before 7.0) or are not known.
[[nodiscard]] constexpr std::span<unsigned short const> shared_splits(compute_capability of) noexcept {
    switch (of.generation) {
        case 7:
            if (of.revision == 5) return detail::turing_splits;
            return detail::volta_splits;
        case 8:
            if (of.revision == 0 || of.revision == 7) return detail::ampere_splits;
            return detail::ada_splits;
        case 9:
        case 10:
        case 11: return detail::hopper_splits;
        case 12: return detail::ada_splits;
        default: return {};
    }
}

// The SM of a device by its attributes. `attribute(CUdevice_attribute)` gives 0 for what it does not know.
template <class F>
[[nodiscard]] multiprocessor multiprocessor_by(compute_capability capability, F attribute) {
    using namespace abi;
    multiprocessor sm;
    sm.capability = capability;
    sm.count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    sm.max_threads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    sm.max_blocks = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    sm.max_threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    sm.registers = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    sm.registers_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    auto const bytes = [&](CUdevice_attribute which) { return static_cast<std::size_t>(attribute(which)); };
    sm.shared = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    std::size_t const ordinary = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    std::size_t const opted_in = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    sm.shared_per_block = ordinary > opted_in ? ordinary : opted_in;
    sm.shared_reserved = bytes(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    return sm;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_MULTIPROCESSOR_LIMITS_HPP
