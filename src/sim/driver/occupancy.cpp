// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "occupancy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../chip/chip_model.hpp"
#include "../code/kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The number of schedulers of an SM. A warp and its registers belong to one of them.
static constexpr int schedulers_of(chip_model const& chip) noexcept {
    return chip.count(hardware_unit::smsp) / chip.count(hardware_unit::sm);
}

static constexpr int warp_register_unit = 256; // warps get registers in multiples of this

static constexpr int registers_of_warp(int per_thread) noexcept {
    return (per_thread * 32 + warp_register_unit - 1) / warp_register_unit * warp_register_unit;
}

kernel_demand demand_of(chip_model const& chip, sim::kernel const& kernel, int max_dynamic_shared) noexcept {
    auto const& bounds = kernel.bounds;
    int registers = static_cast<int>(std::clamp<std::uint32_t>(kernel.register_count, 1, 255));
    if (bounds.max_registers != 0) registers = (std::min)(registers, static_cast<int>(bounds.max_registers));
    int const schedulers = schedulers_of(chip);
    int const by_registers = chip.registers_per_sm / schedulers / registers_of_warp(registers) * schedulers * 32;
    std::uint64_t const bound = std::uint64_t{bounds.max_threads[0]} * bounds.max_threads[1] * bounds.max_threads[2];
    int const most = bound != 0 ? static_cast<int>(std::min<std::uint64_t>(bound, 1024)) : 1024;
    int const fitting = bound != 0 ? most : (std::min)(most, by_registers); // the compiler made a stated bound fit
    return {registers, fitting, most, kernel.static_shared_bytes,
            static_cast<std::size_t>((std::max)(max_dynamic_shared, 0))};
}

int resident_blocks(chip_model const& chip, kernel_demand const& kernel, int threads,
                    std::size_t dynamic_shared) noexcept {
    if (threads <= 0 || threads > kernel.bound_threads) return 0;
    if (dynamic_shared > kernel.max_dynamic_shared) return 0;
    int const warps = (threads + 31) / 32;
    int blocks = std::min<int>(chip.ctas_per_sm, chip.threads_per_sm / 32 / warps);
    int const schedulers = schedulers_of(chip);
    int const warps_by_registers =
        chip.registers_per_sm / schedulers / registers_of_warp(kernel.registers) * schedulers;
    blocks = (std::min)(blocks, (std::max)(warps_by_registers / warps, 1));
    std::size_t const unit = chip.shared.unit;
    std::size_t const shared = (kernel.static_shared + dynamic_shared + chip.shared.reserved + unit - 1) / unit * unit;
    if (shared != 0) blocks = (std::min)(blocks, static_cast<int>(chip.shared_bytes_per_sm / shared));
    return blocks;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
