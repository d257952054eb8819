// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unrolling.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool adds_constant(ptx::instruction const& i, std::uint32_t to) noexcept {
    return (i.opcode == "add" || i.opcode == "sub") && is_integer(i) && i.operands.size() == 3 &&
           i.operands[0].kind == ptx::operand_kind::reg && i.operands[0].index == to &&
           i.operands[1].kind == ptx::operand_kind::reg && i.operands[1].index == to &&
           i.operands[2].kind == ptx::operand_kind::integer;
}

// Whether a loop ends in its middle, too: by a branch to what stands around it, or by the end of the thread.
static bool may_break_off(ptx::function const& of, loops::interval const& loop) {
    auto const goes_outside = [&](std::string_view target) {
        return std::none_of(of.labels.begin(), of.labels.end(), [&](ptx::label const& l) {
            return l.name == target && l.instruction >= loop.first && l.instruction <= loop.last;
        });
    };
    for (std::uint32_t i = loop.first; i < loop.last; ++i) {
        ptx::instruction const& op = of.instructions[i];
        if (ptx::leaves(op)) return true;
        if (op.facts->control == ptx::control_effect::branch && !op.operands.empty() &&
            goes_outside(op.operands.front().text))
            return true;
    }
    return false;
}

// Whether the text shows how often a loop counts, which begins with a constant.
bool knows_rounds(ptx::function const& of, loops::interval const& loop, std::uint32_t compares) {
    ptx::operand const &counter = of.instructions[compares].operands[1], &bound = of.instructions[compares].operands[2];
    bool known = bound.kind == ptx::operand_kind::integer;
    for (std::uint32_t i = 0; i < of.instructions.size(); ++i) {
        ptx::operand const* const result = loop.has(i) ? nullptr : ptx::result_of(of.instructions[i]);
        if (result != nullptr && result->kind == ptx::operand_kind::reg && result->index == counter.index)
            known &=
                of.instructions[i].opcode == "mov" && of.instructions[i].operands[1].kind == ptx::operand_kind::integer;
    }
    return known;
}

bool has_global_atomics(ptx::function const& of, loops::interval const& loop) {
    return std::any_of(of.instructions.begin() + loop.first, of.instructions.begin() + loop.last + 1,
                       [](ptx::instruction const& i) {
                           auto const kind = i.facts->profile.kind;
                           bool const updates = kind == instruction_kind::atomic || kind == instruction_kind::reduction;
                           return updates && !has(i, "shared");
                       });
}

unsigned loads_of(ptx::function const& of, loops::interval const& loop) {
    return static_cast<unsigned>(
        std::count_if(of.instructions.begin() + loop.first, of.instructions.begin() + loop.last + 1,
                      [](ptx::instruction const& i) { return i.facts->profile.kind == instruction_kind::load; }));
}

std::vector<std::uint32_t> counting_of(ptx::function const& of, def_use const& flow, loops const& all,
                                       loops::interval const& loop) {
    auto const& text = of.instructions;
    ptx::instruction const& back = text[loop.last];
    bool const kept = std::find(of.not_unrolled.begin(), of.not_unrolled.end(), loop.first) != of.not_unrolled.end();
    bool const enters = loop.first != 0 && text[loop.first - 1].facts->control == ptx::control_effect::next;
    if (kept || !enters || back.guard == ptx::instruction::no_guard || may_break_off(of, loop)) return {};
    for (loops::interval const& other : all.all())
        if (&other != &loop && loop.has(other.first)) return {};
    auto const writers = [&](std::uint32_t r) { return writers_in(of, loop, r); };
    std::uint32_t const compares = flow.writer_of(loop.last, back.guard);
    if (compares == def_use::nobody || !loop.has(compares) || text[compares].opcode != "setp" ||
        !is_integer(text[compares]))
        return {};
    ptx::operand const &counter = text[compares].operands[1], &bound = text[compares].operands[2];
    if (counter.kind != ptx::operand_kind::reg) return {};
    auto const counts = writers(counter.index);
    if (counts.size() != 1 || !adds_constant(text[counts.front()], counter.index)) return {};
    if (bound.kind == ptx::operand_kind::reg ? !writers(bound.index).empty() : bound.kind != ptx::operand_kind::integer)
        return {};
    // Whether four rounds need what the register holds in each of them: else it is an offset.
    auto const is_needed = [&](std::uint32_t r, std::uint32_t adds) {
        bool needed = false;
        for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
            if (i == adds || i == compares) continue;
            bool const adds_more = text[i].opcode == "add" && text[i].operands[2].kind == ptx::operand_kind::integer;
            for (ptx::operand const& o : text[i].operands)
                if (o.kind != ptx::operand_kind::address && !adds_more)
                    for_each_register(o, [&](std::uint32_t read) { needed |= read == r; });
        }
        return needed;
    };
    std::vector<std::uint32_t> found{compares, loop.last};
    for (std::uint32_t i = loop.first; i < loop.last; ++i) {
        if (text[i].facts->control == ptx::control_effect::call) return {};
        if (text[i].operands.empty() || text[i].operands[0].kind != ptx::operand_kind::reg) continue;
        std::uint32_t const r = text[i].operands[0].index;
        if (adds_constant(text[i], r) && writers(r).size() == 1 && !is_needed(r, i)) found.push_back(i);
    }
    return found;
}

} // namespace sim
GPUPROF_NAMESPACE_END
