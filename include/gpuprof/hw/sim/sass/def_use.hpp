// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions of a PTX function read what which others write. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_DEF_USE_HPP
#define GPUPROF_HW_SIM_SASS_DEF_USE_HPP

#include <cstdint>     // instructions
#include <string_view> // opcodes
#include <vector>      // one entry an instruction

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Takes the text as it stands: exact for a register that is written once, and within a basic block. Instructions go by
// their number in the function, which must outlive the object. Immutable, so its use is thread-safe.
class def_use {
public:
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    explicit def_use(ptx::function const& of)
        : of_{of},
          uses_(of.instructions.size()),
          writers_(of.instructions.size()),
          blocks_(of.instructions.size()),
          read_(of.registers.size()) {
        auto const count = of.instructions.size();
        std::vector<std::uint32_t> writes(of.registers.size()), last(of.registers.size(), nobody);
        std::vector<bool> begins(count + 1);
        for (auto const& label : of.labels)
            if (label.instruction <= count) begins[label.instruction] = true;
        for (std::uint32_t i = 0; i < count; ++i) {
            auto const& instruction = of.instructions[i];
            blocks_[i] = i == 0 ? 0 : blocks_[i - 1] + (begins[i] || of.instructions[i - 1].opcode == "bra");
            if (writes_first_operand(instruction))
                each_register(instruction.operands[0], [&](std::uint32_t r) { ++writes[r]; });
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            auto const& instruction = of.instructions[i];
            auto const reads = [&](std::uint32_t r) {
                read_[r] = true;
                if (last[r] == nobody) return;
                uses_[last[r]].readers.push_back(i);
                if (writes[r] != 1 && blocks_[last[r]] != blocks_[i]) uses_[last[r]].confused = true;
                writers_[i].push_back(last[r]);
            };
            if (instruction.guard != ptx::instruction::no_guard) reads(instruction.guard);
            bool const writes_first = writes_first_operand(instruction);
            for (std::size_t o = writes_first ? 1 : 0; o < instruction.operands.size(); ++o)
                each_register(instruction.operands[o], reads);
            if (writes_first) each_register(instruction.operands[0], [&](std::uint32_t r) { last[r] = i; });
        }
    }

    // Readers of the instruction's result; one that reads it twice stands there twice.
    [[nodiscard]] std::vector<std::uint32_t> const& readers(std::uint32_t i) const noexcept { return uses_[i].readers; }
    // Whether another instruction may have written what a reader of the result reads.
    [[nodiscard]] bool is_confused(std::uint32_t i) const noexcept { return uses_[i].confused; }
    // Who wrote what the instruction reads.
    [[nodiscard]] std::vector<std::uint32_t> const& writers(std::uint32_t i) const noexcept { return writers_[i]; }
    // Who wrote the register for it; nobody, where the text does not tell.
    [[nodiscard]] std::uint32_t writer_of(std::uint32_t i, std::uint32_t a_register) const noexcept {
        for (std::uint32_t const writer : writers_[i]) {
            auto const& result = of_.instructions[writer].operands.front();
            if (result.kind == ptx::operand_kind::reg && result.index == a_register) return writer;
        }
        return nobody;
    }
    // The basic block it stands in, counted from 0.
    [[nodiscard]] std::uint32_t block(std::uint32_t i) const noexcept { return blocks_[i]; }
    // Whether any instruction reads the register.
    [[nodiscard]] bool is_read(std::uint32_t a_register) const noexcept { return read_[a_register]; }

private:
    struct result_use {
        std::vector<std::uint32_t> readers{};
        bool confused = false;
    };
    static bool writes_first_operand(ptx::instruction const& i) noexcept {
        static constexpr std::string_view none[] = {"st",   "red",  "bra", "brx",    "bar",   "barrier", "ret",
                                                    "exit", "call", "cp",  "membar", "fence", "trap",    "prefetch"};
        for (auto const name : none)
            if (i.opcode == name) return false;
        return !i.operands.empty();
    }
    template <class F>
    static void each_register(ptx::operand const& o, F const& f) {
        if (o.kind == ptx::operand_kind::reg) f(o.index);
        for (auto const& element : o.elements) each_register(element, f);
    }

    ptx::function const& of_;
    std::vector<result_use> uses_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<std::uint32_t> blocks_;
    std::vector<bool> read_; // by register
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_DEF_USE_HPP
