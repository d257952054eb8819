// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expansion.hpp"

#include <cstdint>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

expansion expansion_of(ptx::instruction const& i) noexcept {
    ptx::type const t = type_of(i);
    bool const rounds = has(i, "rn");
    if (t == ptx::type::f32) {
        if (i.opcode == "div") return rounds ? expansion{.ffma = 5} : expansion{.fmul = 1};
        if (i.opcode == "sqrt" && rounds) return {.fmul = 2, .ffma = 2};
        if (i.opcode == "rcp" && rounds) return {.fadd = 1, .ffma = 2};
        if (i.opcode == "rcp" && !has(i, "ftz")) return {.fmul = 2}; // before and behind
        if (i.opcode == "sin" || i.opcode == "cos") return {.fmul = 1};
    } else if (t == ptx::type::f64) {
        if (i.opcode == "div" && rounds) return {.ffma = 1, .dmul = 1, .dfma = 7};
        if (i.opcode == "sqrt" && rounds) return {.dmul = 3, .dfma = 5};
        if (i.opcode == "rcp" && rounds) return {.dfma = 5};
        if (i.opcode == "rsqrt") return {.dmul = 2, .dfma = 3};
    }
    return {};
}

special_part special_part_of(ptx::instruction const& i) noexcept {
    if ((i.opcode == "sqrt" || i.opcode == "rcp") && is_wide(i)) return {.instructions = 1};
    if (i.opcode != "div" && i.opcode != "rem") return {};
    if (is_floating(i)) {
        if (has(i, "approx") || has(i, "full")) return {.instructions = 1, .waits = 1};
        return {.instructions = is_wide(i) ? std::uint8_t{1} : std::uint8_t{2}}; // MUFU.RCP64H, or MUFU.RCP and FCHK
    }
    // To a float, its reciprocal, and back. The sequence of 64 bits is long, and its arithmetic decides.
    if (is_wide(i)) return {.instructions = 3};
    return {.instructions = 3, .waits = 3, .aside = has(i, "s32") ? std::uint8_t{5} : std::uint8_t{0}};
}

bool has_slow_way(ptx::instruction const& i) noexcept {
    if (i.facts->control == ptx::control_effect::call) return true;
    bool const divides = i.opcode == "div" || i.opcode == "sqrt" || i.opcode == "rcp";
    if (is_floating(i)) return divides && has(i, "rn");
    return (divides || i.opcode == "rem") && is_wide(i) && is_integer(i) &&
           i.operands.back().kind != ptx::operand_kind::integer;
}

bool scales_lanes(ptx::instruction const& i) noexcept {
    bool const scaled = i.opcode == "ex2" || i.opcode == "lg2" || i.opcode == "rsqrt" || i.opcode == "sqrt";
    return scaled && type_of(i) == ptx::type::f32 && has(i, "approx") && !has(i, "ftz");
}

std::vector<std::uint32_t> undivided_parts(ptx::function const& of, def_use const& flow) {
    std::vector<std::uint32_t> parts(of.instructions.size());
    for (std::uint32_t i = 1; i < parts.size(); ++i)
        parts[i] =
            parts[i - 1] + (flow.block(i) != flow.block(i - 1) || has_slow_way(of.instructions[i - 1]) ? 1u : 0u);
    return parts;
}

} // namespace sim
GPUPROF_NAMESPACE_END
