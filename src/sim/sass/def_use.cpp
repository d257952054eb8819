// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "def_use.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"
#include "conditions.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

def_use::def_use(ptx::function const& of)
    : of_{of},
      uses_(of.instructions.size()),
      writers_(of.instructions.size()),
      blocks_(of.instructions.size()),
      writes_(of.registers.size()),
      read_(of.registers.size()) {
    auto const count = of.instructions.size();
    std::vector<std::uint32_t> last(of.registers.size(), nobody);
    std::vector<bool> begins(count + 1);
    for (auto const& label : of.labels)
        if (label.instruction <= count) begins[label.instruction] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        auto const& instruction = of.instructions[i];
        blocks_[i] = i == 0 ? 0 : blocks_[i - 1] + (begins[i] || ptx::is_branch(of.instructions[i - 1]));
        if (ptx::operand const* const result = ptx::result_of(instruction))
            for_each_register(*result, [&](std::uint32_t r) { ++writes_[r]; });
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        auto const& instruction = of.instructions[i];
        auto const reads = [&](std::uint32_t r) {
            read_[r] = true;
            if (last[r] == nobody) return;
            uses_[last[r]].readers.push_back(i);
            if (writes_[r] != 1 && blocks_[last[r]] != blocks_[i]) uses_[last[r]].confused = true;
            writers_[i].push_back(last[r]);
        };
        for_each_read_register(instruction, reads);
        if (ptx::operand const* const result = ptx::result_of(instruction))
            for_each_register(*result, [&](std::uint32_t r) { last[r] = i; });
    }
}

std::uint32_t def_use::writer_of(std::uint32_t i, std::uint32_t register_index) const noexcept {
    for (std::uint32_t const writer : writers_[i]) {
        auto const& result = of_.instructions[writer].operands.front();
        if (result.kind == ptx::operand_kind::reg && result.index == register_index) return writer;
    }
    return nobody;
}

std::optional<std::uint64_t> def_use::number(std::uint32_t i, ptx::operand const& o) const {
    if (is_number(o)) return o.bits;
    if (o.kind != ptx::operand_kind::reg || &o == ptx::result_of(of_.instructions[i])) return {};
    std::uint32_t const writer = is_written_again(o.index) ? nobody : writer_of(i, o.index);
    if (writer == nobody) return {};
    ptx::instruction const& move = of_.instructions[writer];
    if (move.opcode != "mov" || move.operands.size() != 2 || !is_number(move.operands[1])) return {};
    return move.operands[1].bits;
}

} // namespace sim
GPUPROF_NAMESPACE_END
