// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel an SM holds, by each of the limits.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_OCCUPANCY_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_OCCUPANCY_HPP

#include <cstddef>

#include "../../callbacks/kernel_launch.hpp"
#include "multiprocessor_limits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

namespace detail {
template <class Number>
[[nodiscard]] constexpr Number lesser(Number a, Number b) noexcept {
    return b < a ? b : a;
}
} // namespace detail

// What a block of a launch takes.
struct block_demand {
    int threads = 0;
    int registers = 0; // a thread
    std::size_t static_shared = 0;
    std::size_t dynamic_shared = 0;
    int preferred_carveout = -1; // percent of an SM's shared memory; -1: the driver's choice
    int cache_config = 0;        // CUfunc_cache

    [[nodiscard]] constexpr int warps() const noexcept { return (threads + 31) / 32; }
};

// @pre the product of the dimensions is one that a launch can have
[[nodiscard]] inline block_demand demand_of(kernel_launch const& launch) noexcept {
    return {static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]),
            launch.registers,
            static_cast<std::size_t>(launch.static_shared < 0 ? 0 : launch.static_shared),
            launch.dynamic_shared,
            launch.preferred_carveout,
            launch.cache_config};
}

// Blocks of an SM by each limit alone (Nsight Compute guide, chapter 4: launch__occupancy_limit_…).
// 0: not even one fits.
struct block_limits {
    int blocks = 0;
    int warps = 0;
    int registers = 0;
    int shared = 0;
    std::size_t shared_config = 0; // bytes of the SM that are shared memory while this kernel runs

    [[nodiscard]] constexpr int resident() const noexcept {
        return detail::lesser(detail::lesser(blocks, warps), detail::lesser(registers, shared));
    }
};

// `value` rounded up to a multiple of `unit`.
template <class Number>
[[nodiscard]] constexpr Number rounded_up(Number value, Number unit) noexcept {
    return (value + unit - 1) / unit * unit;
}

// Bytes of shared memory that a block gets, the driver's own included.
[[nodiscard]] constexpr std::size_t allocated_shared(multiprocessor const& sm, block_demand const& block) noexcept {
    return rounded_up(block.static_shared + block.dynamic_shared + sm.shared_reserved, sm.shared_unit());
}

[[nodiscard]] constexpr int limit_by_registers(multiprocessor const& sm, block_demand const& block) noexcept {
    int const warp = rounded_up(block.registers * 32, sm.register_unit());
    if (warp == 0) return sm.max_blocks;
    // The hardware checks a block as if every partition held as many of its warps as the fullest
    // one.
    int const checked = warp * rounded_up(block.warps(), sm.partitions());
    if (block.registers > sm.max_registers_per_thread() || checked > sm.registers_per_block || block.warps() == 0)
        return 0;
    return sm.registers / sm.partitions() / warp * sm.partitions() / block.warps();
}

// The least split of that capability with `bytes` or more; all of the shared memory where nothing
// can be split.
[[nodiscard]] constexpr std::size_t split_of(multiprocessor const& sm, std::size_t bytes) noexcept {
    for (std::size_t const kilobytes : shared_splits(sm.capability))
        if (kilobytes * 1024 >= bytes) return kilobytes * 1024;
    return sm.shared;
}

// Where the kernel or the context asks for a split, the driver takes the next one that holds a
// block. Where nobody asks, it chooses by rules that NVIDIA does not document; this is the least
// split that lowers no occupancy, and at least 32 KB on capabilities 8.0 and 9.0, as Nsight Compute
// shows it there. `blocks` is how many the other limits allow.
[[nodiscard]] constexpr std::size_t shared_config(multiprocessor const& sm, block_demand const& block,
                                                  int blocks) noexcept {
    std::size_t const allocated = allocated_shared(sm, block);
    if (sm.capability.generation < 5) { // 48 KB at most, less what the L1 cache is preferred to have
        std::size_t const low = sm.shared > 32768 ? sm.shared - 32768 : sm.shared;
        std::size_t preferred = sm.shared;
        if (block.cache_config == abi::CU_FUNC_CACHE_PREFER_L1) preferred = low;
        if (block.cache_config == abi::CU_FUNC_CACHE_PREFER_EQUAL && sm.capability.generation == 3)
            preferred = (sm.shared + low) / 2;
        return preferred >= allocated ? preferred : sm.shared;
    }
    if (sm.capability.generation < 7) return sm.shared; // L1 cache and shared memory are two
    int percent = block.preferred_carveout;
    if (percent < 0 && block.cache_config == abi::CU_FUNC_CACHE_PREFER_L1) percent = 0;
    if (percent < 0 && block.cache_config == abi::CU_FUNC_CACHE_PREFER_SHARED) percent = 100;
    if (percent < 0 && block.cache_config == abi::CU_FUNC_CACHE_PREFER_EQUAL) percent = 50;
    if (percent >= 0) {
        std::size_t const asked = split_of(sm, sm.shared * static_cast<std::size_t>(percent) / 100);
        return asked >= allocated ? asked : split_of(sm, allocated);
    }
    std::size_t const fit = allocated == 0 ? 0 : sm.shared / allocated;
    std::size_t needed = allocated * detail::lesser(fit, static_cast<std::size_t>(blocks < 1 ? 1 : blocks));
    bool const seen_from_32 = sm.is(8, 0) || sm.is(9, 0);
    if (seen_from_32 && needed < 32768) needed = 32768;
    return split_of(sm, needed);
}

// @pre block.threads > 0
[[nodiscard]] constexpr block_limits limits_of(multiprocessor const& sm, block_demand const& block) noexcept {
    block_limits limits;
    limits.blocks = sm.max_blocks;
    limits.warps = block.threads > sm.max_threads_per_block ? 0 : sm.max_warps() / block.warps();
    limits.registers = limit_by_registers(sm, block);
    int const others = detail::lesser(detail::lesser(limits.blocks, limits.warps), limits.registers);
    limits.shared_config = shared_config(sm, block, others);
    std::size_t const allocated = allocated_shared(sm, block);
    bool const too_large = block.static_shared + block.dynamic_shared > sm.shared_per_block;
    limits.shared = too_large ? 0 : allocated == 0 ? sm.max_blocks : static_cast<int>(limits.shared_config / allocated);
    return limits;
}

[[nodiscard]] constexpr int active_warps(multiprocessor const& sm, block_demand const& block) noexcept {
    return limits_of(sm, block).resident() * block.warps();
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_OCCUPANCY_HPP
