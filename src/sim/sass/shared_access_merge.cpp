// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_access_merge.hpp"

#include <cstddef>
#include <cstdint>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

shared_access_merge::shared_access_merge(ptx::function const& of, def_use const& flow)
    : of_{of}, flow_{flow}, words_(of.instructions.size(), 1) {
    std::uint32_t block = 0;
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        if (flow_.block(i) != block || interrupts(i)) join();
        block = flow_.block(i);
        collect(i);
    }
    join();
}

ptx::operand const& shared_access_merge::address_of(ptx::instruction const& i) noexcept {
    return i.operands[i.opcode == "st" ? 0 : 1];
}

bool shared_access_merge::moves_word(ptx::instruction const& i) noexcept {
    bool const loads = i.opcode == "ld", stores = i.opcode == "st";
    if ((!loads && !stores) || i.operands.size() != 2 || !has(i, "shared") || has(i, "volatile") ||
        i.guard != ptx::instruction::no_guard || ptx::size_of(type_of(i)) != 4)
        return false;
    ptx::operand const& address = address_of(i);
    return i.operands[loads ? 0 : 1].kind != ptx::operand_kind::vector && !address.elements.empty() &&
           (address.elements.front().kind == ptx::operand_kind::reg || is_variable(address.elements.front())) &&
           address.offset >= 0 && address.offset % 4 == 0;
}

bool shared_access_merge::is_variable(ptx::operand const& o) noexcept {
    return o.kind == ptx::operand_kind::module_variable || o.kind == ptx::operand_kind::function_variable;
}

std::uint32_t shared_access_merge::base_of(std::uint32_t i) const noexcept {
    ptx::operand const& base = address_of(of_.instructions[i]).elements.front();
    if (!is_variable(base)) return flow_.writer_of(i, base.index);
    return base.index | (base.kind == ptx::operand_kind::module_variable ? module_variable : function_variable);
}

bool shared_access_merge::interrupts(std::uint32_t i) const noexcept {
    ptx::instruction const& op = of_.instructions[i];
    bool const elsewhere = has(op, "global") || has(op, "local") || has(op, "param") || has(op, "const");
    bool const loads = (op.facts->profile.kind == instruction_kind::load || has(op, "load")) && !elsewhere;
    if (!loads && !may_change_shared(op)) return false;
    for (quad const& found : quads_) {
        if (loads && !found.stored) continue;
        if (loads || !found.stored || !moves_word(op) || found.base != base_of(i)) return true;
        auto const slot = static_cast<std::size_t>(address_of(op).offset % 16 / 4);
        if (found.offset == address_of(op).offset / 16 && found.words[slot] != nobody) return true;
    }
    return false;
}

void shared_access_merge::collect(std::uint32_t i) {
    ptx::instruction const& op = of_.instructions[i];
    if (!moves_word(op) || !is_aligned(base_of(i))) return;
    bool const stored = op.opcode == "st";
    std::uint32_t const base = base_of(i);
    std::int64_t const offset = address_of(op).offset;
    auto const slot = static_cast<std::size_t>(offset % 16 / 4);
    for (quad& found : quads_)
        if (found.stored == stored && found.base == base && found.offset == offset / 16) {
            found.words[slot] = i;
            return;
        }
    quads_.push_back({stored, base, offset / 16});
    quads_.back().words[slot] = i;
}

void shared_access_merge::join() {
    for (quad const& found : quads_) {
        bool const first = found.words[0] != nobody && found.words[1] != nobody;
        bool const second = found.words[2] != nobody && found.words[3] != nobody;
        if (first) words_[found.words[0]] = second ? 4 : 2, words_[found.words[1]] = 0;
        if (second) words_[found.words[2]] = first ? 0 : 2, words_[found.words[3]] = 0;
    }
    quads_.clear();
}

bool shared_access_merge::is_aligned(std::uint32_t i, unsigned depth) const {
    if (i == nobody) return false;
    if (i >= module_variable) return true;
    if (flow_.is_confused(i) || depth == 8) return false;
    ptx::instruction const& source = of_.instructions[i];
    auto const& last = source.operands.back();
    bool const by_constant = last.kind == ptx::operand_kind::integer;
    if (source.opcode == "mov") return is_variable(last);
    if (source.opcode == "shl") return by_constant && last.bits >= 4;
    if (source.opcode == "mul") return by_constant && last.bits % 16 == 0;
    bool const adds_product = source.opcode == "mad" && source.operands.size() == 4 &&
                              source.operands[2].kind == ptx::operand_kind::integer &&
                              source.operands[2].bits % 16 == 0;
    if (source.opcode != "add" && !adds_product) return false;
    for (std::size_t o = adds_product ? 3 : 1; o < source.operands.size(); ++o) {
        auto const& part = source.operands[o];
        if (part.kind == ptx::operand_kind::reg ? !is_aligned(flow_.writer_of(i, part.index), depth + 1)
                                                : part.kind != ptx::operand_kind::integer || part.bits % 16 != 0)
            return false;
    }
    return true;
}

} // namespace sim
GPUPROF_NAMESPACE_END
