// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_size.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
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

std::uint64_t code_bytes(kernel const& k, std::span<sass_estimate const> estimates) {
    std::uint64_t instructions = sass_estimator::prologue + 2; // a branch to itself ends the code
    for (sass_estimate const& estimate : estimates) instructions += estimate.instructions + estimate.beside;
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
