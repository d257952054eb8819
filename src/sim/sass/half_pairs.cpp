// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "half_pairs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool is_operation(ptx::instruction const& i) noexcept {
    constexpr std::array<std::string_view, 6> opcodes{"add", "fma", "max", "min", "mul", "sub"};
    ptx::type const t = type_of(i);
    return (t == ptx::type::f16 || t == ptx::type::bf16) && i.guard == ptx::instruction::no_guard &&
           std::find(opcodes.begin(), opcodes.end(), i.opcode) != opcodes.end();
}

// A move between a word and two halves of it.
static bool has_halves(ptx::instruction const& i, std::size_t operand) noexcept {
    if (i.opcode != "mov" || i.operands.size() != 2 || i.guard != ptx::instruction::no_guard) return false;
    ptx::operand const &halves = i.operands[operand], &word = i.operands[1 - operand];
    return halves.kind == ptx::operand_kind::vector && halves.elements.size() == 2 &&
           halves.elements[0].kind == ptx::operand_kind::reg && halves.elements[1].kind == ptx::operand_kind::reg &&
           word.kind == ptx::operand_kind::reg;
}

std::uint32_t half_pairs::writer_of(std::uint32_t i, std::uint32_t register_index) const {
    for (std::uint32_t const writer : flow_.writers(i)) {
        bool writes = false;
        if (ptx::operand const* const result = ptx::result_of(of_.instructions[writer]))
            for_each_register(*result, [&](std::uint32_t r) { writes |= r == register_index; });
        if (writes) return writer;
    }
    return def_use::nobody;
}

half_pairs::half_pairs(ptx::function const& of, def_use const& flow) : of_{of}, flow_{flow} {
    auto const& text = of.instructions;
    if (std::none_of(text.begin(), text.end(), is_operation)) return;
    done_.assign(text.size(), false);
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        if (!has_halves(text[i], 1)) continue;
        auto const& halves = text[i].operands[1].elements;
        std::uint32_t const low = writer_of(i, halves[0].index);
        if (halves[0].index == halves[1].index) { // an operation leaves the same in both halves
            done_[i] = low != def_use::nobody && is_operation(text[low]) && flow.block(low) == flow.block(i);
            continue;
        }
        std::vector<std::uint32_t> second;
        if (!is_pair(low, writer_of(i, halves[1].index), i, i, second)) continue;
        done_[i] = true;
        for (std::uint32_t const each : second) done_[each] = true;
    }
}

bool half_pairs::is_pair(std::uint32_t low, std::uint32_t high, std::uint32_t reader_of_low,
                         std::uint32_t reader_of_high, std::vector<std::uint32_t>& second) const {
    if (low == def_use::nobody || high == def_use::nobody || low == high) return false;
    ptx::instruction const &a = of_.instructions[low], &b = of_.instructions[high];
    auto const is_read_by = [&](std::uint32_t i, std::uint32_t reader) { // alone
        return flow_.readers(i).size() == 1 && flow_.readers(i).front() == reader && !flow_.is_confused(i);
    };
    bool const alike = is_operation(a) && a.opcode == b.opcode && a.modifiers == b.modifiers &&
                       b.guard == ptx::instruction::no_guard && a.operands.size() == b.operands.size() &&
                       flow_.block(low) == flow_.block(high);
    if (!alike || !is_read_by(low, reader_of_low) || !is_read_by(high, reader_of_high)) return false;
    for (std::size_t operand = 1; operand < a.operands.size(); ++operand)
        if (!are_halves(low, high, operand, second)) return false;
    second.push_back(high);
    return true;
}

bool half_pairs::are_halves(std::uint32_t low, std::uint32_t high, std::size_t operand,
                            std::vector<std::uint32_t>& second) const {
    auto const& text = of_.instructions;
    ptx::operand const &a = text[low].operands[operand], &b = text[high].operands[operand];
    if (a.kind != ptx::operand_kind::reg || b.kind != ptx::operand_kind::reg)
        return a.kind == b.kind && a.bits == b.bits;
    std::uint32_t const of_a = writer_of(low, a.index), of_b = writer_of(high, b.index);
    if (of_a == def_use::nobody || of_b == def_use::nobody) return false;
    if (of_a == of_b) {
        if (a.index == b.index) return true; // the same half for both
        if (!has_halves(text[of_a], 0)) return false;
        auto const& halves = text[of_a].operands[0].elements;
        return halves[0].index == a.index && halves[1].index == b.index;
    }
    ptx::instruction const &first = text[of_a], &other = text[of_b];
    bool const both_move =
        first.opcode == "mov" && other.opcode == "mov" && first.operands.size() == 2 && other.operands.size() == 2;
    if (both_move) {
        ptx::operand const &x = first.operands[1], &y = other.operands[1];
        return x.kind == y.kind && x.kind == ptx::operand_kind::integer && x.bits == y.bits;
    }
    return is_pair(of_a, of_b, low, high, second);
}

} // namespace sim
GPUPROF_NAMESPACE_END
