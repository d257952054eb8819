// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel an SM holds at once, from the chip's limits. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_OCCUPANCY_HPP
#define GPUPROF_HW_SIM_DRIVER_OCCUPANCY_HPP

#include <algorithm> // std::min, std::max
#include <cstddef>   // std::size_t
#include <cstdint>   // products of dimensions

#include "../chip/chip_model.hpp"
#include "../code/kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// What a block of a kernel takes, apart from its threads and dynamic shared memory.
struct kernel_demand {
    int registers = 1; // a thread
    int max_threads = 1024;
    std::size_t static_shared = 0;
    std::size_t max_dynamic_shared = 0;
};

namespace detail {
// Of an SM; a warp and its registers belong to one.
[[nodiscard]] constexpr int schedulers(chip_model const& chip) noexcept {
    return chip.count(hardware_unit::smsp) / chip.count(hardware_unit::sm);
}
inline constexpr int register_unit = 256; // registers are given to warps in these
[[nodiscard]] constexpr int warp_registers(int per_thread) noexcept {
    return (per_thread * 32 + register_unit - 1) / register_unit * register_unit;
}
} // namespace detail

// Registers are the estimate of the PTX, so limits by registers are estimates too.
[[nodiscard]] inline kernel_demand demand_of(chip_model const& chip, sim::kernel const& kernel,
                                             int max_dynamic_shared) noexcept {
    auto const& bounds = kernel.bounds;
    int registers = static_cast<int>(std::clamp<std::uint32_t>(kernel.register_count, 1, 255));
    if (bounds.max_registers != 0) registers = (std::min)(registers, static_cast<int>(bounds.max_registers));
    int const schedulers = detail::schedulers(chip);
    int const by_registers = chip.registers_per_sm / schedulers / detail::warp_registers(registers) * schedulers * 32;
    std::uint64_t const bound = std::uint64_t{bounds.max_threads[0]} * bounds.max_threads[1] * bounds.max_threads[2];
    int threads = (std::min)(1024, by_registers);
    if (bound != 0) threads = static_cast<int>(std::min<std::uint64_t>(bound, 1024)); // compiled to fit
    return {registers, threads, kernel.static_shared_bytes,
            static_cast<std::size_t>((std::max)(max_dynamic_shared, 0))};
}

// Blocks of `threads` threads resident on one SM at once; 0 when not even one fits.
[[nodiscard]] inline int resident_blocks(chip_model const& chip, kernel_demand const& kernel, int threads,
                                         std::size_t dynamic_shared) noexcept {
    if (threads <= 0 || threads > kernel.max_threads) return 0;
    if (dynamic_shared > kernel.max_dynamic_shared) return 0;
    int const warps = (threads + 31) / 32;
    int blocks = std::min<int>(chip.ctas_per_sm, chip.threads_per_sm / 32 / warps);
    int const schedulers = detail::schedulers(chip);
    int const warps_by_registers =
        chip.registers_per_sm / schedulers / detail::warp_registers(kernel.registers) * schedulers;
    blocks = (std::min)(blocks, (std::max)(warps_by_registers / warps, 1));
    std::size_t const unit = chip.shared.unit;
    std::size_t const shared = (kernel.static_shared + dynamic_shared + chip.shared.reserved + unit - 1) / unit * unit;
    if (shared != 0) blocks = (std::min)(blocks, static_cast<int>(chip.shared_bytes_per_sm / shared));
    return blocks;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_OCCUPANCY_HPP
