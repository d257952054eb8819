// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_estimates.hpp"

#include <cstddef>
#include <mutex>

#include "../sass/code_size.hpp"
#include "../sass/machine_counts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static kernel_estimates derive_estimates(chip_model const& chip, kernel const& kernel) {
    kernel_estimates all;
    for (function_code const* const f : kernel.functions) {
        auto const more = estimates_of(chip, kernel, *f);
        all.instructions.insert(all.instructions.end(), more->begin(), more->end());
    }
    if (machine_function const* const found = kernel.machine_code ? kernel.machine_code->find(kernel.name) : nullptr)
        all.has_machine_code = correct_by_machine_code(*kernel.functions.front(), *found, all.instructions);
    all.block_chains.emplace_back();
    for (sass_estimate const& e : all.instructions) {
        bool const is_unrolled = e.rounds != dependence_chain{};
        dependence_chain const& chain = is_unrolled ? e.rounds : e.chain;
        unsigned const rounds = is_unrolled ? unrolled_loop::at_once : 1;
        static_assert(4 % unrolled_loop::at_once == 0, "gpuprof: a round's share of waits is counted in quarters");
        auto const cycles = static_cast<std::uint32_t>(length_of(chain, chip.latency) / rounds);
        all.block_chains.push_back(e.spins ? chain_sum{}
                                           : chain_sum{cycles, 4 * std::uint64_t{chain.distant} / rounds});
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
