// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "known_bits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static constexpr std::uint64_t all_bits = ~std::uint64_t{0};

// The bits of a type, or of the lower part that it names of a larger register.
static std::uint64_t bits_of_type(ptx::type t) noexcept {
    auto const size = ptx::size_of(t);
    return size == 0 || size >= sizeof all_bits ? all_bits : (std::uint64_t{1} << (8 * size)) - 1;
}

static bool is_unsigned_integer(ptx::instruction const& i) noexcept {
    return is_integer(i) && !ptx::is_signed(type_of(i));
}

// From an unsigned integer to integers that hold it.
static bool widens(ptx::instruction const& i) noexcept {
    return i.opcode == "cvt" && i.operands.size() == 2 && is_unsigned_integer(i) &&
           std::none_of(i.modifiers.begin(), i.modifiers.end(),
                        [](std::string_view m) { return m == "sat" || ptx::is_floating(ptx::type_named(m)); });
}

known_bits::known_bits(ptx::function const& of, def_use const& flow)
    : of_{of}, flow_{flow}, bits_(of.registers.size()) {
    std::vector<bool> written(of.registers.size());
    for (ptx::instruction const& i : of.instructions)
        if (ptx::operand const* const result = ptx::result_of(i))
            for_each_register(*result, [&](std::uint32_t r) { written[r] = true; });
    for (std::size_t r = 0; r < bits_.size(); ++r) bits_[r] = written[r] ? 0 : all_bits;
    for (std::uint32_t const r : of.register_inputs) bits_[r] = all_bits;
    for (bool grows = true; grows;) {
        grows = false;
        for (ptx::instruction const& i : of.instructions) {
            ptx::operand const* const result = ptx::result_of(i);
            if (result == nullptr) continue;
            std::uint64_t const given = result->kind == ptx::operand_kind::reg ? bits_given(i) : all_bits;
            for_each_register(*result, [&](std::uint32_t r) {
                grows |= (given & ~bits_[r]) != 0;
                bits_[r] |= given;
            });
        }
    }
}

std::uint64_t known_bits::bits_of(ptx::operand const& o) const noexcept {
    if (o.kind == ptx::operand_kind::reg) return bits_[o.index];
    return o.kind == ptx::operand_kind::integer ? o.bits : all_bits;
}

std::uint64_t known_bits::bits_given(ptx::instruction const& i) const noexcept {
    auto const part = [&](std::size_t which) { return bits_of(i.operands[which]); };
    if (i.facts->profile.kind == instruction_kind::load)
        return is_unsigned_integer(i) ? bits_of_type(type_of(i)) : all_bits;
    if (widens(i)) return part(1) & bits_of_type(type_of(i));
    if (i.operands.size() < 2 || !is_integer(i)) return all_bits;
    if (i.opcode == "mov") return part(1);
    if (i.operands.size() < 3) return all_bits;
    if (i.opcode == "and") return part(1) & part(2);
    if (i.opcode == "xor" || i.opcode == "selp") return part(1) | part(2); // `or` may become a sum: nothing is known
    bool const by_constant = i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits < 64;
    if (i.opcode == "shl" && by_constant) return part(1) << i.operands[2].bits & bits_of_type(type_of(i));
    bool const is_shifted = i.opcode == "shr" && by_constant && !ptx::is_signed(type_of(i));
    return is_shifted ? (part(1) & bits_of_type(type_of(i))) >> i.operands[2].bits : all_bits;
}

bool known_bits::changes_nothing(std::uint32_t which) const noexcept {
    ptx::instruction const& i = of_.instructions[which];
    if (i.guard != ptx::instruction::no_guard) return false;
    if (i.opcode == "cvt") {
        if (!widens(i) || i.operands[1].kind != ptx::operand_kind::reg) return false;
        std::uint32_t const r = i.operands[1].index, writer = flow_.writer_of(which, r);
        bool const is_near =
            writer != def_use::nobody && !flow_.is_written_again(r) && flow_.block(writer) == flow_.block(which);
        return is_near && (bits_[r] & ~bits_of_type(type_of(i))) == 0;
    }
    bool const masks = i.opcode == "and" && is_integer(i) && i.operands.size() == 3 &&
                       i.operands[1].kind == ptx::operand_kind::reg && i.operands[2].kind == ptx::operand_kind::integer;
    std::uint64_t const width = bits_of_type(type_of(i));
    return masks && (bits_of(i.operands[1]) & width & ~i.operands[2].bits) == 0;
}

} // namespace sim
GPUPROF_NAMESPACE_END
