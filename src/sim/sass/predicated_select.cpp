// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predicated_select.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "expansion.hpp"
#include "value_ends.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool is_choice(ptx::instruction const& i) noexcept {
    return i.opcode == "selp" && i.guard == ptx::instruction::no_guard && i.operands.size() == 4 &&
           ptx::size_of(type_of(i)) == 4 && i.operands[1].kind == ptx::operand_kind::reg &&
           i.operands[2].kind == ptx::operand_kind::reg && i.operands[3].kind == ptx::operand_kind::reg;
}

// Whether one machine instruction computes it, which a predicate may be put on.
static bool is_simple(ptx::instruction const& i) noexcept {
    static constexpr std::string_view simple[] = {"add", "and", "fma", "mad", "max", "min",
                                                  "mul", "or",  "shl", "shr", "sub", "xor"};
    bool const is_one = std::find(std::begin(simple), std::end(simple), i.opcode) != std::end(simple) ||
                        (is_integer(i) && (i.opcode == "neg" || i.opcode == "abs" || i.opcode == "not"));
    return i.guard == ptx::instruction::no_guard && ptx::size_of(type_of(i)) == 4 && !has(i, "wide") && !has(i, "hi") &&
           is_one && i.operands[0].kind == ptx::operand_kind::reg;
}

predicated_select::predicated_select(ptx::function const& of) : of_{of} {
    auto const& text = of.instructions;
    if (std::none_of(text.begin(), text.end(), is_choice)) return;
    def_use const flow{of};
    value_ends const ends{of};
    values_.assign(text.size(), nobody);
    std::vector<std::uint32_t> const parts = undivided_parts(of, flow);
    auto const value_in = [&](std::uint32_t choice, std::size_t part) {
        std::uint32_t const r = text[choice].operands[part].index;
        std::uint32_t const writer = flow.writer_of(choice, r);
        bool const fits = writer != nobody && is_simple(text[writer]) && parts[writer] == parts[choice] &&
                          flow.readers(writer).size() == 1 && !flow.is_confused(writer) && ends.ends(choice, r) &&
                          r != text[choice].operands[0].index;
        return fits ? writer : nobody;
    };
    // Whether the value may be overwritten: a parameter and a constant have no register, a negation is an operand's.
    auto const may_be_overwritten = [&](std::uint32_t choice, std::size_t part) {
        std::uint32_t const r = text[choice].operands[part].index;
        std::uint32_t const writer = flow.is_written_again(r) ? nobody : flow.writer_of(choice, r);
        if (writer != nobody) {
            ptx::instruction const& w = text[writer];
            using enum ptx::operand_kind;
            auto const from = w.operands.back().kind;
            bool const is_constant = w.opcode == "mov" && (from == integer || from == single || from == real);
            if (is_constant || has(w, "param") || w.opcode == "neg" || w.opcode == "abs") return false;
        }
        return ends.ends(choice, r);
    };
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        if (!is_choice(text[i]) || text[i].operands[1].index == text[i].operands[2].index) continue;
        std::uint32_t const first = value_in(i, 1), second = value_in(i, 2);
        bool const takes_second = second != nobody && (first == nobody || second > first);
        std::uint32_t const value = takes_second ? second : first;
        if (value != nobody && may_be_overwritten(i, takes_second ? 1 : 2)) values_[i] = value;
    }
}

bool predicated_select::is_second(std::uint32_t i) const noexcept {
    return of_.instructions[i].operands[2].index == of_.instructions[values_[i]].operands[0].index;
}

} // namespace sim
GPUPROF_NAMESPACE_END
