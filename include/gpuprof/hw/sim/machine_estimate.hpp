// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the machine instructions that ptxas makes of PTX instructions. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_MACHINE_ESTIMATE_HPP
#define GPUPROF_HW_SIM_MACHINE_ESTIMATE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // counts
#include <string_view> // opcodes
#include <utility>     // std::move
#include <vector>      // one entry an instruction

#include "chip_model.hpp"
#include "decoded.hpp"
#include "kernel.hpp"
#include "machine_instruction_counts.hpp"
#include "ptx_module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a decoded instruction stands for.
struct machine_estimate {
    std::uint16_t instructions = 1;
    sim::pipe pipe = sim::pipe::none; // of the instruction proper; what is expanded around it runs elsewhere
    bool loads_constant = false;      // LDC
    bool reduction = false;    // an atomic whose result nobody reads: the machine has a cheaper instruction for that
    bool counts_lanes = false; // a shared counter is incremented: lanes at one address are added up first
};

// Estimates for each instruction of a function, in its order.
//
// The estimate knows what nvcc's PTX and ptxas's code differ in systematically:
// - conversions of address spaces, moves between registers, and what functions pass in .param space vanish;
// - an instruction may be absorbed by those that read its result: products and shifts by additions (IMAD, LEA),
//   additions by additions (IADD3), logic by logic (LOP3), negations by what they are an operand of;
// - 64-bit integer operations take two instructions or more; divisions, square roots and the like a sequence;
// - a kernel begins by setting up its stack and, from GH100 on, the descriptor of global memory. There, a parameter or
//   the size of a CTA is loaded by an instruction, before they were operands.
// ptxas unrolls loops and predicates short branches; of that it knows nothing, and loops of few instructions and loops
// with an unknown number of rounds are off most.
class machine_estimator {
public:
    machine_estimator(chip_model const& chip, sim::kernel const& kernel) noexcept
        : generation_{chip.capability().generation}, kernel_{kernel} {}

    [[nodiscard]] std::vector<machine_estimate> of(function_code const& code) {
        std::vector<machine_estimate> estimates(code.code.size());
        for (std::size_t i = 0; i < estimates.size(); ++i) estimates[i].pipe = code.code[i].info.pipe;
        if (!kernel_.source || code.module_index >= kernel_.source->functions.size()) return estimates;
        from_ = &kernel_.source->functions[code.module_index];
        find_uses();
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
            for (; at < code.code.size() && is_operand(code.code[at]); ++at)
                estimate_operand(code.code[at], estimates[at]);
            if (at == code.code.size()) break;
            estimate(i, estimates[at]);
            ++at;
        }
        return estimates;
    }

    // Instructions that every warp of a kernel begins with: one that loads a constant and, perhaps, a uniform one.
    [[nodiscard]] unsigned prologue() const noexcept {
        bool reaches_memory = false;
        for (function_code const& f : kernel_.functions)
            for (decoded const& op : f.code)
                reaches_memory |= op.action == action::atomic || op.action == action::copy_async ||
                                  ((op.action == action::load || op.action == action::store) &&
                                   (op.memory.space == ptx::space::global || op.memory.space == ptx::space::generic));
        return generation_ >= 9 && reaches_memory ? 2 : 1;
    }

private:
    // Reads of a result, by instruction; one that reads it twice stands here twice.
    struct result_use {
        std::vector<std::uint32_t> readers;
        bool confused = false; // another instruction may have written what a reader reads
    };
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    // Special registers and addresses of local variables are read by instructions of their own before the one that
    // names them.
    static bool is_operand(decoded const& op) noexcept {
        return op.action == action::special_register || op.action == action::local_address;
    }
    void estimate_operand(decoded const& op, machine_estimate& e) const noexcept {
        if (op.action == action::local_address) {
            e.instructions = 0;
            return;
        }
        auto const which = static_cast<special>(op.mode);
        if (which <= special::tid_z) {
            e.pipe = pipe::lsu;
        } else if (which <= special::nctaid_z) {
            bool const is_constant = which <= special::ntid_z || which >= special::nctaid_x;
            e.pipe = pipe::adu;
            e.loads_constant = is_constant && generation_ >= 9;
            if (is_constant && generation_ < 9) e.instructions = 0;
        }
    }

    static bool writes_first_operand(ptx::instruction const& i) noexcept {
        static constexpr std::string_view none[] = {"st",   "red",  "bra", "brx",    "bar",   "barrier", "ret",
                                                    "exit", "call", "cp",  "membar", "fence", "trap",    "prefetch"};
        for (auto const name : none)
            if (i.opcode == name) return false;
        return !i.operands.empty();
    }

    // Whose result each instruction reads, taking the text as it stands: exact for a register that is written once, and
    // within a basic block.
    void find_uses() {
        auto const count = from_->instructions.size();
        uses_.assign(count, {});
        writers_.assign(count, {});
        taken_.assign(count, 0);
        std::vector<std::uint32_t> writes(from_->registers.size()), last(from_->registers.size(), nobody),
            blocks(count);
        read_.assign(from_->registers.size(), false);
        std::vector<bool> begins(count + 1);
        for (auto const& label : from_->labels)
            if (label.instruction <= count) begins[label.instruction] = true;
        auto const each_register = [](auto const& self, ptx::operand const& o, auto const& f) -> void {
            if (o.kind == ptx::operand_kind::reg) f(o.index);
            for (auto const& element : o.elements) self(self, element, f);
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            auto const& instruction = from_->instructions[i];
            blocks[i] = i == 0 ? 0 : blocks[i - 1] + (begins[i] || from_->instructions[i - 1].opcode == "bra");
            if (writes_first_operand(instruction))
                each_register(each_register, instruction.operands[0], [&](std::uint32_t r) { ++writes[r]; });
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            auto const& instruction = from_->instructions[i];
            auto const reads = [&](std::uint32_t r) {
                read_[r] = true;
                if (last[r] == nobody) return;
                uses_[last[r]].readers.push_back(i);
                if (writes[r] != 1 && blocks[last[r]] != blocks[i]) uses_[last[r]].confused = true;
                writers_[i].push_back(last[r]);
            };
            if (instruction.guard != ptx::instruction::no_guard) reads(instruction.guard);
            bool const writes_first = writes_first_operand(instruction);
            for (std::size_t o = writes_first ? 1 : 0; o < instruction.operands.size(); ++o)
                each_register(each_register, instruction.operands[o], reads);
            if (writes_first)
                each_register(each_register, instruction.operands[0], [&](std::uint32_t r) { last[r] = i; });
        }
    }

    void estimate(std::uint32_t i, machine_estimate& e) {
        ptx::instruction const& instruction = from_->instructions[i];
        bool const adds = instruction.opcode == "add" || instruction.opcode == "sub";
        e.instructions = machine_instruction_count(instruction);
        if (instruction.opcode == "bra" || instruction.opcode == "brx")
            e.pipe = pipe::none; // counted where it parts a warp
        if (instruction.opcode == "atom") {
            auto const& to = instruction.operands.front();
            bool const shared_counter = instruction.operands.size() == 3 && has(instruction, "add") &&
                                        instruction.operands[2].kind == ptx::operand_kind::integer &&
                                        instruction.operands[2].bits == 1 && is_integer(instruction) &&
                                        !is_wide(instruction);
            e.reduction = to.kind != ptx::operand_kind::reg || !read_[to.index];
            e.counts_lanes = e.reduction && shared_counter;
        } else if (has(instruction, "param")) {
            bool const load = instruction.opcode == "ld" && from_->is_entry;
            e.instructions = load && generation_ >= 9 ? 1 : 0;
            e.loads_constant = e.instructions != 0 && is_wide(instruction) && is_added_to_product(i);
            e.pipe = e.loads_constant ? pipe::adu : pipe::none; // else it goes to a uniform register
        } else if (adds && is_wide(instruction) && reads_product(i)) {
            e.instructions = 1;
            e.pipe = pipe::fma;
        } else if (adds && is_wide(instruction) && reads_constant_address(i)) {
            e.instructions = 0;
        } else if (is_logic(instruction.opcode) && is_wide(instruction) && reads_extended(i)) {
            e.instructions = 1;
        } else if (instruction.opcode == "ld" && has(instruction, "const")) {
            e.loads_constant = true;
        }
        if (is_absorbed(i)) e.instructions = 0;
    }

    // Whether everything that reads the result does the instruction's work along with its own. An addition or a logic
    // operation has room for one other.
    bool is_absorbed(std::uint32_t i) {
        result_use const& result = uses_[i];
        if (result.readers.empty() || result.confused) return false;
        bool const single = result.readers.size() == 1;
        for (std::uint32_t const reader : result.readers)
            if (!absorbs(from_->instructions[i], from_->instructions[reader], single) ||
                (single && taken_[reader] != 0))
                return false;
        if (single) taken_[result.readers.front()] = 1;
        return true;
    }
    static bool absorbs(ptx::instruction const& made, ptx::instruction const& by, bool single) noexcept {
        bool const sum = by.opcode == "add" || by.opcode == "sub";
        bool const scaled = (made.opcode == "shl" && made.operands.size() == 3 &&
                             made.operands[2].kind == ptx::operand_kind::integer) ||
                            (made.opcode == "mul" && (has(made, "wide") || (has(made, "lo") && !is_wide(made))));
        if (scaled && sum && is_integer(by)) return true;
        if (made.opcode == "neg" || made.opcode == "abs") return is_floating(made) && is_floating(by);
        if (!single || is_wide(made)) return false;
        if ((made.opcode == "add" || made.opcode == "sub") && sum) return is_integer(made) && is_integer(by);
        return is_logic(made.opcode) && is_logic(by.opcode) && !has(made, "pred");
    }

    template <class Predicate>
    [[nodiscard]] bool reads(std::uint32_t i, Predicate made_by) const {
        for (std::uint32_t const writer : writers_[i])
            if (made_by(from_->instructions[writer])) return true;
        return false;
    }
    // A 64-bit sum of which one part is a product: IMAD.WIDE does all.
    [[nodiscard]] bool reads_product(std::uint32_t i) const {
        return reads(i, [](ptx::instruction const& w) { return w.opcode == "mul" && has(w, "wide"); });
    }
    // Constant memory is addressed by 32 bits and an offset.
    [[nodiscard]] bool reads_constant_address(std::uint32_t i) const {
        return reads(i, [&](ptx::instruction const& w) { return w.opcode == "mov" && names_constant(w); });
    }
    [[nodiscard]] bool reads_extended(std::uint32_t i) const {
        return reads(i, [](ptx::instruction const& w) { return w.opcode == "cvt" && has(w, "u64") && has(w, "u32"); });
    }
    [[nodiscard]] bool names_constant(ptx::instruction const& w) const {
        auto const& o = w.operands.back();
        return o.kind == ptx::operand_kind::module_variable &&
               kernel_.source->variables[o.index].space == ptx::space::constant;
    }
    // Perhaps by way of a conversion.
    [[nodiscard]] bool is_added_to_product(std::uint32_t i) const {
        for (std::uint32_t const reader : uses_[i].readers) {
            if (reads_product(reader)) return true;
            if (from_->instructions[reader].opcode != "cvta") continue;
            for (std::uint32_t const next : uses_[reader].readers)
                if (reads_product(next)) return true;
        }
        return false;
    }

    int generation_;
    sim::kernel const& kernel_;
    ptx::function const* from_ = nullptr;
    std::vector<result_use> uses_;                    // by instruction
    std::vector<std::vector<std::uint32_t>> writers_; // of what an instruction reads
    std::vector<bool> read_;                          // by register: anywhere
    std::vector<std::uint8_t> taken_;                 // whether an instruction has absorbed another
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_MACHINE_ESTIMATE_HPP
