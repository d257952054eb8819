// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the machine code of a kernel is. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_CODE_SIZE_HPP
#define GPUPROF_HW_SIM_SASS_CODE_SIZE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // sizes
#include <iterator>    // std::size
#include <span>        // estimates
#include <string_view> // opcodes

#include "../code/kernel.hpp"
#include "../counters/warp_waits.hpp"
#include "estimate.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Subroutines that ptxas puts behind a kernel's code for what is rare in a division, a reciprocal or a square root, once
// for each kind. Bytes by which a kernel grows, for sm_90 by ptxas 13.0, less those that are estimated where it is used.
struct rare_case {
    std::string_view opcode;
    bool wide; // 64 bits
    bool floating;
    std::uint32_t bytes;
};
inline constexpr rare_case rare_cases[]{
    {"div", false, true, 1664}, {"div", true, true, 1408}, {"div", true, false, 640},  {"rem", true, false, 384},
    {"rcp", false, true, 896},  {"rcp", true, true, 768},  {"sqrt", false, true, 384}, {"sqrt", true, true, 768},
};

// @param estimates of all functions of the kernel; prologue: sass_estimator::prologue()
[[nodiscard]] inline std::uint64_t code_bytes(kernel const& k, std::span<sass_estimate const> estimates,
                                              unsigned prologue) {
    std::uint64_t instructions = prologue + 2; // a branch to itself ends the code
    for (sass_estimate const& each : estimates) instructions += each.instructions;
    bool is_there[std::size(rare_cases)]{};
    for (function_code const* const f : k.functions) {
        if (!k.source || f->module_index >= k.source->functions.size()) continue;
        for (ptx::instruction const& i : k.source->functions[f->module_index].instructions) {
            for (std::size_t c = 0; c < std::size(rare_cases); ++c) {
                if (i.opcode != rare_cases[c].opcode || has(i, "approx") || has(i, "full")) continue;
                ptx::type const t = ptx::type_of(i);
                is_there[c] |=
                    (ptx::size_of(t) == 8) == rare_cases[c].wide && ptx::is_floating(t) == rare_cases[c].floating;
            }
        }
    }
    std::uint64_t bytes = instructions * instruction_bytes;
    for (std::size_t c = 0; c < std::size(rare_cases); ++c) bytes += is_there[c] ? rare_cases[c].bytes : 0;
    return bytes;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_CODE_SIZE_HPP
