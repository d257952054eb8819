// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_size.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <span>
#include <string_view>

#include "../gpu/warp_waits.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Subroutines that ptxas puts behind a kernel's code, once for each kind, for the rare cases of a
// division, a reciprocal or a square root. Bytes by which a kernel grows, for sm_90 by ptxas 13.0,
// less those of the estimate where it is used.
struct rare_case {
    std::string_view opcode;
    bool wide; // 64 bits
    bool floating;
    std::uint32_t bytes;
};
static constexpr rare_case rare_cases[]{
    {"div", false, true, 1664}, {"div", true, true, 1408}, {"div", true, false, 640},  {"rem", true, false, 384},
    {"rcp", false, true, 896},  {"rcp", true, true, 768},  {"sqrt", false, true, 384}, {"sqrt", true, true, 768},
};

// A bit for each row that a function needs. Found once: a program may launch a large kernel many times.
static std::uint32_t cases_of(function_code const& code, ptx::function const& source) {
    derived_facts& kept = *code.derived;
    std::lock_guard const only{kept.mutex};
    if (kept.rare_cases) return *kept.rare_cases;
    std::uint32_t found = 0;
    for (ptx::instruction const& i : source.instructions)
        for (std::size_t c = 0; c < std::size(rare_cases); ++c) {
            if (i.opcode != rare_cases[c].opcode || has(i, "approx") || has(i, "full")) continue;
            ptx::type const t = ptx::type_of(i);
            if ((ptx::size_of(t) == 8) == rare_cases[c].wide && ptx::is_floating(t) == rare_cases[c].floating)
                found |= 1u << c;
        }
    kept.rare_cases = found;
    return found;
}

std::uint64_t code_bytes(kernel const& k, std::span<sass_estimate const> estimates) {
    std::uint64_t instructions = sass_estimator::prologue + 2; // a branch to itself ends the code
    for (sass_estimate const& estimate : estimates)            // a subroutine stands there once
        instructions += estimate.is_slow_part ? 0 : estimate.instructions + estimate.beside;
    std::uint32_t found = 0;
    for (function_code const* const f : k.functions)
        if (k.source && f->module_index < k.source->functions.size())
            found |= cases_of(*f, k.source->functions[f->module_index]);
    std::uint64_t bytes = instructions * instruction_bytes;
    for (std::size_t c = 0; c < std::size(rare_cases); ++c) bytes += (found >> c & 1) != 0 ? rare_cases[c].bytes : 0;
    return bytes;
}

} // namespace sim
GPUPROF_NAMESPACE_END
