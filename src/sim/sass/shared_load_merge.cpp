// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_load_merge.hpp"

#include <cstddef>
#include <cstdint>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

shared_load_merge::shared_load_merge(ptx::function const& of, def_use const& flow)
    : of_{of}, flow_{flow}, words_(of.instructions.size(), 1) {
    std::uint32_t block = 0;
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        if (flow_.block(i) != block || may_change_shared(of_.instructions[i])) join();
        block = flow_.block(i);
        collect(i);
    }
    join();
}

void shared_load_merge::collect(std::uint32_t i) {
    ptx::instruction const& load = of_.instructions[i];
    if (load.opcode != "ld" || load.operands.size() != 2 || !has(load, "shared") || has(load, "volatile") ||
        load.guard != ptx::instruction::no_guard || ptx::size_of(type_of(load)) != 4 ||
        load.operands[0].kind != ptx::operand_kind::reg || load.operands[1].elements.empty() ||
        load.operands[1].elements.front().kind != ptx::operand_kind::reg)
        return;
    std::uint32_t const base = load.operands[1].elements.front().index;
    std::int64_t const offset = load.operands[1].offset;
    if (offset < 0 || offset % 4 != 0 || !is_aligned(flow_.writer_of(i, base))) return;
    auto const slot = static_cast<std::size_t>(offset % 16 / 4);
    for (quad& found : quads_)
        if (found.base == base && found.offset == offset / 16) {
            found.loads[slot] = i;
            return;
        }
    quads_.push_back({base, offset / 16});
    quads_.back().loads[slot] = i;
}

void shared_load_merge::join() {
    for (quad const& found : quads_) {
        bool const first = found.loads[0] != nobody && found.loads[1] != nobody;
        bool const second = found.loads[2] != nobody && found.loads[3] != nobody;
        if (first) words_[found.loads[0]] = second ? 4 : 2, words_[found.loads[1]] = 0;
        if (second) words_[found.loads[2]] = first ? 0 : 2, words_[found.loads[3]] = 0;
    }
    quads_.clear();
}

bool shared_load_merge::is_aligned(std::uint32_t i, unsigned depth) const {
    if (i == nobody || flow_.is_confused(i) || depth == 8) return false;
    ptx::instruction const& source = of_.instructions[i];
    auto const& last = source.operands.back();
    bool const by_constant = last.kind == ptx::operand_kind::integer;
    if (source.opcode == "mov")
        return last.kind == ptx::operand_kind::module_variable || last.kind == ptx::operand_kind::function_variable;
    if (source.opcode == "shl") return by_constant && last.bits >= 4;
    if (source.opcode == "mul") return by_constant && last.bits % 16 == 0;
    if (source.opcode != "add") return false;
    for (std::size_t o = 1; o < source.operands.size(); ++o) {
        auto const& part = source.operands[o];
        if (part.kind == ptx::operand_kind::reg ? !is_aligned(flow_.writer_of(i, part.index), depth + 1)
                                                : part.kind != ptx::operand_kind::integer || part.bits % 16 != 0)
            return false;
    }
    return true;
}

} // namespace sim
GPUPROF_NAMESPACE_END
