// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions of a PTX function read what which others write. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_DEF_USE_HPP
#define GPUPROF_HW_SIM_SASS_DEF_USE_HPP

#include <cstddef> // std::size_t
#include <cstdint> // instructions
#include <vector>  // one entry an instruction

#include "../ptx/instruction_facts.hpp"
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
            blocks_[i] = i == 0 ? 0 : blocks_[i - 1] + (begins[i] || ptx::is_branch(of.instructions[i - 1]));
            if (ptx::operand const* const result = ptx::result_of(instruction))
                each_register(*result, [&](std::uint32_t r) { ++writes[r]; });
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
            ptx::operand const* const result = ptx::result_of(instruction);
            for (ptx::operand const& o : instruction.operands)
                if (&o != result) each_register(o, reads);
            if (result != nullptr) each_register(*result, [&](std::uint32_t r) { last[r] = i; });
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
