// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of times that each instruction of a kernel ran, and the counters that follow from it.
#ifndef GPUPROF_SRC_SIM_MODEL_INSTRUCTION_PROFILE_HPP
#define GPUPROF_SRC_SIM_MODEL_INSTRUCTION_PROFILE_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include "../code/decoded.hpp"
#include "../code/kernel.hpp"
#include "../counters/raw_counter.hpp"
#include "../sass/estimate.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Executions of one instruction: by warps, by threads, by threads whose guard is true.
struct instruction_count {
    std::uint64_t warps = 0;
    std::uint64_t threads = 0;
    std::uint64_t threads_on = 0;

    constexpr instruction_count& operator+=(instruction_count const& more) noexcept {
        warps += more.warps;
        threads += more.threads;
        threads_on += more.threads_on;
        return *this;
    }
};

// Adds the counts of instruction `i` of a function, as SASS instructions: see sass_estimator.
// @pre `estimates` and `counts` have an entry for each instruction of `code`
void count_instruction(std::size_t i, function_code const& code, std::span<sass_estimate const> estimates,
                       std::span<instruction_count const> counts, counter_values& to);

// The same for all instructions of the function.
void count_instructions(function_code const& code, std::span<sass_estimate const> estimates,
                        std::span<instruction_count const> counts, counter_values& to);

// Adds the instructions that every warp of a kernel executes before its first one: see
// sass_estimator::prologue.
void count_prologue(std::uint64_t warps, std::uint64_t threads, counter_values& to) noexcept;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_INSTRUCTION_PROFILE_HPP
