// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loads of neighbouring words from shared memory ptxas makes one load of. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_SHARED_LOAD_MERGE_HPP
#define GPUPROF_HW_SIM_SASS_SHARED_LOAD_MERGE_HPP

#include <array>   // loads of 16 bytes
#include <cstdint> // instructions
#include <vector>  // one entry an instruction

#include "def_use.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The words that each instruction of a function loads from shared memory: 2 or 4 for one that stands for others as
// well, 0 for those others, 1 for any other load. ptxas joins words of 8 or 16 aligned bytes that one register
// addresses, if nothing that may change them stands between and it can tell that the register's value is aligned.
class shared_load_merge {
public:
    shared_load_merge(ptx::function const& of, def_use const& flow)
        : of_{of}, flow_{flow}, words_(of.instructions.size(), 1) {
        std::uint32_t block = 0;
        for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
            if (flow_.block(i) != block || may_change_shared(of_.instructions[i])) join();
            block = flow_.block(i);
            collect(i);
        }
        join();
    }

    [[nodiscard]] std::uint8_t words(std::uint32_t i) const noexcept { return words_[i]; }

private:
    static constexpr std::uint32_t nobody = def_use::nobody;

    struct quad { // 16 bytes that one register addresses, and who loads their words
        std::uint32_t base;
        std::int64_t offset;
        std::array<std::uint32_t, 4> loads{nobody, nobody, nobody, nobody};
    };

    void collect(std::uint32_t i) {
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
        for (quad& each : quads_)
            if (each.base == base && each.offset == offset / 16) {
                each.loads[slot] = i;
                return;
            }
        quads_.push_back({base, offset / 16});
        quads_.back().loads[slot] = i;
    }

    void join() {
        for (quad const& each : quads_) {
            bool const first = each.loads[0] != nobody && each.loads[1] != nobody;
            bool const second = each.loads[2] != nobody && each.loads[3] != nobody;
            if (first) words_[each.loads[0]] = second ? 4 : 2, words_[each.loads[1]] = 0;
            if (second) words_[each.loads[2]] = first ? 0 : 2, words_[each.loads[3]] = 0;
        }
        quads_.clear();
    }

    // Whether the result is a multiple of 16 bytes for what the text says.
    [[nodiscard]] bool is_aligned(std::uint32_t i, unsigned depth = 0) const {
        if (i == nobody || flow_.is_confused(i) || depth == 8) return false;
        ptx::instruction const& made = of_.instructions[i];
        auto const& last = made.operands.back();
        bool const by_constant = last.kind == ptx::operand_kind::integer;
        if (made.opcode == "mov")
            return last.kind == ptx::operand_kind::module_variable || last.kind == ptx::operand_kind::function_variable;
        if (made.opcode == "shl") return by_constant && last.bits >= 4;
        if (made.opcode == "mul") return by_constant && last.bits % 16 == 0;
        if (made.opcode != "add") return false;
        for (std::size_t o = 1; o < made.operands.size(); ++o) {
            auto const& part = made.operands[o];
            if (part.kind == ptx::operand_kind::reg ? !is_aligned(flow_.writer_of(i, part.index), depth + 1)
                                                    : part.kind != ptx::operand_kind::integer || part.bits % 16 != 0)
                return false;
        }
        return true;
    }

    ptx::function const& of_;
    def_use const& flow_;
    std::vector<std::uint8_t> words_;
    std::vector<quad> quads_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_SHARED_LOAD_MERGE_HPP
