// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_access_merge.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../ptx/instruction_facts.hpp"
#include "expansion.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

shared_access_merge::shared_access_merge(ptx::function const& of, def_use const& flow)
    : of_{of}, flow_{flow}, words_(of.instructions.size(), 1), zeros_(of.registers.size()) {
    auto const moves = [](ptx::instruction const& i) { return bytes_of(i) != 0; };
    if (std::none_of(of_.instructions.begin(), of_.instructions.end(), moves)) return; // nothing to join
    find_zeros();
    std::uint32_t block = 0;
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        if (flow_.block(i) != block || interrupts(i) || has_slow_way(of_.instructions[i])) join();
        block = flow_.block(i);
        collect(i);
    }
    join();
}

ptx::operand const& shared_access_merge::address_of(ptx::instruction const& i) noexcept {
    return i.operands[i.opcode == "st" ? 0 : 1];
}

std::uint32_t shared_access_merge::bytes_of(ptx::instruction const& i) noexcept {
    bool const loads = i.opcode == "ld", stores = i.opcode == "st";
    if ((!loads && !stores) || i.operands.size() != 2 || !has(i, "shared") || has(i, "volatile") ||
        i.guard != ptx::instruction::no_guard)
        return 0;
    ptx::operand const& moved = i.operands[loads ? 0 : 1];
    auto const elements = moved.kind == ptx::operand_kind::vector ? moved.elements.size() : 1;
    auto const bytes = static_cast<std::uint32_t>(ptx::size_of(type_of(i)) * elements);
    ptx::operand const& address = address_of(i);
    bool const is_known =
        (bytes == 4 || bytes == 8) && !address.elements.empty() &&
        (address.elements.front().kind == ptx::operand_kind::reg || is_variable(address.elements.front())) &&
        address.offset >= 0 && address.offset % bytes == 0;
    return is_known ? bytes : 0;
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
    for (group const& found : groups_) {
        if (loads && !found.stored) continue;
        std::uint32_t const bytes = bytes_of(op);
        if (loads || !found.stored || bytes == 0 || found.base != base_of(i)) return true;
        if (found.offset != address_of(op).offset / found.bytes) continue;
        auto const slot = static_cast<std::size_t>(address_of(op).offset % found.bytes / 4);
        if (found.words[slot] != nobody || found.words[slot + bytes / 4 - 1] != nobody) return true;
    }
    return false;
}

void shared_access_merge::collect(std::uint32_t i) {
    ptx::instruction const& op = of_.instructions[i];
    std::uint32_t const bytes = bytes_of(op);
    if (bytes == 0) return;
    std::uint32_t const base = base_of(i), aligned = alignment(i);
    if (aligned == 0) return;
    bool const stored = op.opcode == "st";
    std::int64_t const offset = address_of(op).offset;
    auto const slot = static_cast<std::size_t>(offset % aligned / 4);
    auto const is_here = [=](group const& g) {
        return g.stored == stored && g.base == base && g.offset == offset / aligned;
    };
    auto found = std::find_if(groups_.begin(), groups_.end(), is_here);
    if (found == groups_.end()) found = groups_.insert(found, {stored, base, aligned, offset / aligned});
    for (std::size_t word = slot; word < slot + bytes / 4; ++word) found->words[word] = i;
}

void shared_access_merge::join() {
    for (group const& found : groups_) {
        auto const moved = static_cast<std::size_t>(
            std::count_if(found.words.begin(), found.words.end(), [](std::uint32_t i) { return i != nobody; }));
        if (moved == 4 || (moved == 3 && !found.stored)) {
            join(found, 0, 4);
            continue;
        }
        for (std::size_t first = 0; first < found.words.size(); first += 2)
            if (found.words[first] != nobody && found.words[first + 1] != nobody) join(found, first, 2);
    }
    groups_.clear();
}

void shared_access_merge::join(group const& found, std::size_t first, std::size_t count) {
    std::uint32_t leads = nobody;
    for (std::size_t word = first; word < first + count; ++word) {
        std::uint32_t const i = found.words[word];
        if (i == nobody || i == leads) continue;
        if (leads != nobody) words_[i] = 0;
        else words_[leads = i] = static_cast<std::uint8_t>(count * 4 / bytes_of(of_.instructions[i]));
    }
}

unsigned shared_access_merge::zeros_of(ptx::operand const& o) const noexcept {
    if (is_variable(o)) return 4; // ptxas aligns them
    if (o.kind == ptx::operand_kind::reg) return zeros_[o.index];
    if (o.kind != ptx::operand_kind::integer) return 0;
    return static_cast<unsigned>((std::min)(std::countr_zero(o.bits), int{most_zeros}));
}

unsigned shared_access_merge::zeros_given(ptx::instruction const& i) const noexcept {
    if (i.operands.size() < 2 || is_floating(i)) return 0;
    auto const zeros = [&](std::size_t part) { return zeros_of(i.operands[part]); };
    if (i.opcode == "mov") return zeros(1);
    if (i.operands.size() < 3) return 0;
    bool const whole = !has(i, "hi");
    if (i.opcode == "add" || i.opcode == "sub" || i.opcode == "or" || i.opcode == "xor" || i.opcode == "min" ||
        i.opcode == "max" || i.opcode == "selp")
        return (std::min)(zeros(1), zeros(2));
    if (i.opcode == "and") return (std::max)(zeros(1), zeros(2));
    if (i.opcode == "mul" && whole) return zeros(1) + zeros(2);
    if (i.opcode == "mad" && whole) return (std::min)(zeros(1) + zeros(2), zeros(3));
    bool const shifts = i.opcode == "shl" && i.operands[2].kind == ptx::operand_kind::integer;
    return shifts ? zeros(1) + static_cast<unsigned>((std::min)(i.operands[2].bits, std::uint64_t{most_zeros})) : 0;
}

void shared_access_merge::find_zeros() {
    for (ptx::instruction const& i : of_.instructions) // nothing is known of what nobody writes
        if (ptx::operand const* const result = ptx::result_of(i))
            for_each_register(*result, [&](std::uint32_t r) { zeros_[r] = most_zeros; });
    for (std::uint32_t const r : of_.register_inputs) zeros_[r] = 0;
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (ptx::instruction const& i : of_.instructions) {
            ptx::operand const* const result = ptx::result_of(i);
            if (result == nullptr) continue;
            unsigned const given = result->kind == ptx::operand_kind::reg ? zeros_given(i) : 0;
            for_each_register(*result, [&](std::uint32_t r) {
                shrinks |= given < zeros_[r];
                zeros_[r] = static_cast<std::uint8_t>((std::min)(given, unsigned{zeros_[r]}));
            });
        }
    }
}

std::uint32_t shared_access_merge::alignment(std::uint32_t i) const noexcept {
    if (base_of(i) == nobody) return 0;
    unsigned const zeros = zeros_of(address_of(of_.instructions[i]).elements.front());
    return zeros >= 4 ? 16 : zeros == 3 ? 8 : 0;
}

} // namespace sim
GPUPROF_NAMESPACE_END
