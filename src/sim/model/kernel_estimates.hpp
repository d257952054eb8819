// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine code of a kernel is estimated to be, all of its functions together.
#ifndef GPUPROF_SRC_SIM_MODEL_KERNEL_ESTIMATES_HPP
#define GPUPROF_SRC_SIM_MODEL_KERNEL_ESTIMATES_HPP

#include <cstdint>
#include <memory>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../code/kernel.hpp"
#include "../sass/estimate.hpp"
#include "warp_balance.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct kernel_estimates {
    std::vector<sass_estimate> instructions; // by code_map's numbers, less one
    std::vector<chain_sum> block_chains;     // of the basic block that begins there, by code_map's numbers
    std::uint64_t code_bytes = 0;
    bool has_machine_code =
        false; // blocks of the kernel itself, without functions that it calls, take what they take in machine code
};

// Derived once for a kernel and a chip: a program may launch a large kernel many times. Thread-safe.
[[nodiscard]] std::shared_ptr<kernel_estimates const> estimates_of(chip_model const& chip, sim::kernel const& kernel);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_KERNEL_ESTIMATES_HPP
