// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

value_ends::value_ends(ptx::function const& of)
    : of_{of}, loops_{of}, registers_(of.registers.size()), returned_(of.registers.size()) {
    for (std::uint32_t const r : of.register_outputs) returned_[r] = true;
    constexpr std::uint32_t nobody = ~std::uint32_t{0};
    std::vector<std::uint32_t> same(of.registers.size(),
                                    nobody); // the register whose value it has, perhaps with another sign
    for (std::uint32_t i = 0; i < of.instructions.size(); ++i) {
        ptx::instruction const& op = of.instructions[i];
        auto const reads = [&](std::uint32_t r) {
            for (unsigned depth = 0; r != nobody && depth < 4; r = same[r], ++depth) registers_[r].reads.push_back(i);
        };
        for_each_read_register(op, reads);
        ptx::operand const* const result = ptx::result_of(op);
        if (result == nullptr) continue;
        if (op.guard == ptx::instruction::no_guard)
            for_each_register(*result, [&](std::uint32_t r) { registers_[r].writes.push_back(i); });
        bool const copies =
            op.opcode == "mov" || op.opcode == "neg" || op.opcode == "abs"; // operands of what reads them
        bool const is_copy = copies && op.operands.size() == 2 && result->kind == ptx::operand_kind::reg &&
                             op.operands[1].kind == ptx::operand_kind::reg;
        for_each_register(*result, [&](std::uint32_t r) {
            same[r] = is_copy && op.operands[1].index != r ? op.operands[1].index : nobody;
        });
    }
}

bool value_ends::ends(std::uint32_t i, std::uint32_t register_index) const noexcept {
    ptx::operand const* const result = ptx::result_of(of_.instructions[i]);
    if (result != nullptr && result->kind == ptx::operand_kind::reg && result->index == register_index) return true;
    accesses const& r = registers_[register_index];
    if (returned_[register_index] || (!r.reads.empty() && r.reads.back() > i)) return false;
    return std::all_of(loops_.all().begin(), loops_.all().end(), [&](loops::interval const& around) {
        if (!around.has(i)) return true;
        auto const is_inside = [&](std::uint32_t each) { return around.has(each); };
        auto const write = std::find_if(r.writes.begin(), r.writes.end(), is_inside);
        auto const read = std::find_if(r.reads.begin(), r.reads.end(), is_inside);
        return write != r.writes.end() && (read == r.reads.end() || *write < *read);
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
