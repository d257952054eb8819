// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compared_sum.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

bool may_be_rearranged(ptx::instruction const& i) noexcept {
    return !has(i, "rn") && !has(i, "rz") && !has(i, "rm") && !has(i, "rp") && !has(i, "ftz") && !has(i, "sat") &&
           i.guard == ptx::instruction::no_guard;
}

static bool compares_parts(ptx::instruction const& i) noexcept {
    bool const exact = has(i, "lt") || has(i, "gt") || has(i, "leu") || has(i, "geu") || has(i, "ne") || has(i, "equ");
    return i.opcode == "setp" && type_of(i) == ptx::type::f32 && exact && !has(i, "ftz");
}

bool is_merely_compared(ptx::function const& of, def_use const& flow, std::span<std::uint32_t const> parts,
                        std::uint32_t i) {
    ptx::instruction const& sum = of.instructions[i];
    bool const adds = (sum.opcode == "add" || sum.opcode == "sub") && type_of(sum) == ptx::type::f32;
    if (!adds || !may_be_rearranged(sum) || flow.is_written_again(sum.operands[0].index)) return false;
    auto const compares = [&](std::uint32_t reader) {
        ptx::instruction const& test = of.instructions[reader];
        if (parts[reader] != parts[i] || !compares_parts(test) || test.operands.size() < 3) return false;
        return flow.number(reader, test.operands[1]) == 0 || flow.number(reader, test.operands[2]) == 0;
    };
    auto const& readers = flow.readers(i);
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), compares);
}

} // namespace sim
GPUPROF_NAMESPACE_END
