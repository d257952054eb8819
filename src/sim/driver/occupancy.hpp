// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel an SM holds at once, by the limits of the chip.
#ifndef GPUPROF_SRC_SIM_DRIVER_OCCUPANCY_HPP
#define GPUPROF_SRC_SIM_DRIVER_OCCUPANCY_HPP

#include <cstddef>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
struct kernel;
} // namespace sim

namespace sim::driver {

// The resources of a block of a kernel, apart from its threads and dynamic shared memory.
struct kernel_demand {
    int registers = 1;        // a thread
    int max_threads = 1024;   // that fit by the estimate of the registers
    int bound_threads = 1024; // that the kernel may be launched with
    std::size_t static_shared = 0;
    std::size_t max_dynamic_shared = 0;
};

// Registers are estimated from the PTX, so limits by registers are estimates too. They advise, and
// never refuse a launch.
[[nodiscard]] kernel_demand demand_of(chip_model const& chip, sim::kernel const& kernel,
                                      int max_dynamic_shared) noexcept;

// Blocks of `threads` threads resident on one SM at once; 0 when not even one fits.
[[nodiscard]] int resident_blocks(chip_model const& chip, kernel_demand const& kernel, int threads,
                                  std::size_t dynamic_shared) noexcept;

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_OCCUPANCY_HPP
