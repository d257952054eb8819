// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_estimates.hpp"

#include <cstddef>
#include <mutex>

#include "../sass/code_size.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static kernel_estimates derive_estimates(chip_model const& chip, kernel const& kernel) {
    kernel_estimates all;
    for (function_code const* const f : kernel.functions) {
        auto const more = estimates_of(chip, kernel, *f);
        all.instructions.insert(all.instructions.end(), more->begin(), more->end());
    }
    all.block_cycles.push_back(0);
    for (sass_estimate const& e : all.instructions) {
        bool const is_unrolled = e.rounds != dependence_chain{};
        double const cycles = length_of(is_unrolled ? e.rounds : e.chain, chip.latency);
        double const of_round = is_unrolled ? cycles / unrolled_loop::at_once : cycles;
        all.block_cycles.push_back(e.spins ? 0 : static_cast<std::uint32_t>(of_round));
    }
    all.code_bytes = code_bytes(kernel, all.instructions);
    return all;
}

std::shared_ptr<kernel_estimates const> estimates_of(chip_model const& chip, kernel const& kernel) {
    if (kernel.functions.empty()) return std::make_shared<kernel_estimates const>(derive_estimates(chip, kernel));
    derived_facts& kept = *kernel.functions.front()->derived;
    {
        std::lock_guard const only{kept.mutex};
        if (kept.of_kernel.made_for == chip.capability())
            return std::static_pointer_cast<kernel_estimates const>(kept.of_kernel.facts);
    }
    auto derived = std::make_shared<kernel_estimates const>(derive_estimates(chip, kernel)); // takes the lock itself
    std::lock_guard const only{kept.mutex};
    kept.of_kernel = {chip.capability(), derived};
    return derived;
}

} // namespace sim
GPUPROF_NAMESPACE_END
