// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic_merge.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

bool atomic_merge::is_reduction(std::uint32_t i) const noexcept {
    ptx::instruction const& atomic = of_.instructions[i];
    if (atomic.operands.empty() || has(atomic, "exch") || has(atomic, "cas") || is_half(atomic)) return false;
    ptx::operand const& to = atomic.operands.front();
    return to.kind != ptx::operand_kind::reg || !flow_.is_read(to.index);
}

bool atomic_merge::is_half(ptx::instruction const& i) noexcept {
    return has(i, "f16") || has(i, "f16x2") || has(i, "bf16") || has(i, "bf16x2");
}

bool atomic_merge::merges_lanes(std::uint32_t i) const {
    ptx::instruction const& atomic = of_.instructions[i];
    return has(atomic, "global") ? combines_lanes(atomic) && is_uniform_address(i) : increments(atomic);
}

bool atomic_merge::increments(ptx::instruction const& i) noexcept {
    return i.operands.size() == 3 && has(i, "add") && i.operands[2].kind == ptx::operand_kind::integer &&
           i.operands[2].bits == 1 && is_integer(i) && !is_wide(i);
}

bool atomic_merge::combines_lanes(ptx::instruction const& i) noexcept {
    if (!is_integer(i)) return false;
    bool const adds = has(i, "add");
    if (is_wide(i)) return adds && i.operands.back().kind == ptx::operand_kind::integer;
    return adds || has(i, "min") || has(i, "max") || has(i, "and") || has(i, "or") || has(i, "xor");
}

bool atomic_merge::is_uniform_address(std::uint32_t i) const {
    auto const& atomic = of_.instructions[i];
    std::size_t const at = ptx::result_of(atomic) == nullptr ? 0 : 1;
    if (atomic.operands.size() <= at) return false;
    auto const& address = atomic.operands[at];
    if (address.elements.empty() || address.elements.front().kind != ptx::operand_kind::reg) return true;
    std::uint32_t const writer = flow_.writer_of(i, address.elements.front().index);
    return writer != def_use::nobody && is_uniform(writer);
}

bool atomic_merge::is_uniform(std::uint32_t i, unsigned depth) const {
    ptx::instruction const& source = of_.instructions[i];
    if (flow_.is_confused(i) || depth == 8) return false;
    if (source.opcode == "ld") return of_.is_entry && has(source, "param");
    if (source.opcode == "mov") {
        ptx::operand const& from = source.operands.back();
        return from.kind == ptx::operand_kind::module_variable ||
               (from.kind == ptx::operand_kind::special && is_of_block(from.text));
    }
    if (source.opcode != "cvta" && source.opcode != "add" && source.opcode != "mul" && source.opcode != "mad" &&
        source.opcode != "shl")
        return false;
    for (std::uint32_t const writer : flow_.writers(i))
        if (!is_uniform(writer, depth + 1)) return false;
    return !flow_.writers(i).empty();
}

bool atomic_merge::is_of_block(std::string_view special) noexcept {
    return special.starts_with("ctaid") || special.starts_with("nctaid") || special.starts_with("ntid");
}

} // namespace sim
GPUPROF_NAMESPACE_END
