// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the SASS instructions that ptxas makes of PTX instructions. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_ESTIMATE_HPP
#define GPUPROF_HW_SIM_SASS_ESTIMATE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // counts
#include <memory>      // estimates that are kept
#include <mutex>       // by several threads
#include <optional>    // of a function at a time
#include <string_view> // opcodes
#include <utility>     // std::move
#include <vector>      // one entry an instruction

#include "atomic_merge.hpp"
#include "../chip/chip_model.hpp"
#include "../code/decoded.hpp"
#include "../code/kernel.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"
#include "shared_load_merge.hpp"
#include "if_conversion.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a decoded instruction stands for.
struct sass_estimate {
    std::uint16_t instructions = 1;
    sim::pipe pipe = sim::pipe::none; // of the instruction proper; what is expanded around it runs elsewhere
    bool loads_constant = false;      // LDC
    std::uint32_t predicated_by = 0;  // a branch's number and 1, if its condition became this instruction's predicate
    bool reduction = false;           // an atomic as atomic_merge::is_reduction says
    bool counts_lanes = false;        // and merges_lanes
    std::uint8_t words = 1;           // what a load from shared memory brings; 0: another brings it along
};

// Estimates for each instruction of a function, in its order.
//
// The estimate knows what nvcc's PTX and ptxas's code differ in systematically:
// - conversions of address spaces, moves between registers, and what functions pass in .param space vanish;
// - an instruction may be absorbed by those that read its result: products and shifts by additions (IMAD, LEA),
//   additions by additions (IADD3), logic by logic (LOP3), negations by what they are an operand of;
// - 64-bit integer operations take two instructions or more; divisions, square roots and the like a sequence;
// - a kernel begins by setting up its stack and, on some chips, the descriptor of global memory. A parameter or the size
//   of a CTA is loaded by an instruction on some, an operand on others;
// - loads of neighbouring words from shared memory become one;
// - what a short branch would skip is predicated instead: every warp executes it, perhaps for no thread;
// - a function that calls others saves and restores registers.
// ptxas unrolls loops; of that it knows nothing, and loops of few instructions and loops with an unknown number of
// rounds are off most.
class sass_estimator {
public:
    sass_estimator(chip_model const& chip, sim::kernel const& kernel) noexcept : traits_{chip.sass}, kernel_{kernel} {}

    [[nodiscard]] std::vector<sass_estimate> of(function_code const& code) {
        std::vector<sass_estimate> estimates(code.code.size());
        for (std::size_t i = 0; i < estimates.size(); ++i) estimates[i].pipe = code.code[i].info.pipe;
        if (!kernel_.source || code.module_index >= kernel_.source->functions.size()) return estimates;
        from_ = &kernel_.source->functions[code.module_index];
        flow_.emplace(*from_);
        taken_.assign(from_->instructions.size(), 0);
        place_.assign(from_->instructions.size(), 0);
        shared_load_merge const loads{*from_, *flow_};
        calls_ = false;
        for (auto const& instruction : from_->instructions)
            calls_ |= instruction.facts->control == ptx::control_effect::call;
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
            for (; at < code.code.size() && is_operand(code.code[at]); ++at)
                estimate_operand(code.code[at], estimates[at]);
            if (at == code.code.size()) return estimates;
            estimate(i, estimates[at]);
            estimates[at].words = loads.words(i);
            if (loads.words(i) == 0) estimates[at].instructions = 0;
            place_[i] = at++;
        }
        estimate_branches(estimates);
        return estimates;
    }

    // Instructions that every warp of a kernel begins with: one that loads a constant and, perhaps, a uniform one.
    [[nodiscard]] unsigned prologue() const noexcept {
        bool reaches_memory = false;
        for (function_code const* const f : kernel_.functions)
            for (decoded const& op : f->code)
                reaches_memory |= op.action == action::atomic || op.action == action::copy_async ||
                                  op.action == action::copy_bulk ||
                                  ((op.action == action::load || op.action == action::store) &&
                                   (op.memory.space == ptx::space::global || op.memory.space == ptx::space::generic));
        return traits_.sets_up_global_memory && reaches_memory ? 2 : 1;
    }

private:
    // Special registers and addresses of local variables are read by instructions of their own before the one that
    // names them.
    static bool is_operand(decoded const& op) noexcept {
        return op.action == action::special_register || op.action == action::local_address;
    }
    void estimate_operand(decoded const& op, sass_estimate& e) const noexcept {
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
            e.loads_constant = is_constant && traits_.loads_constants;
            if (is_constant && !traits_.loads_constants) e.instructions = 0;
        }
    }

    // What a branch would skip is predicated if it is short; otherwise two instructions around it bring the warp's
    // threads together again (BSSY, BSYNC).
    void estimate_branches(std::vector<sass_estimate>& estimates) const {
        if_conversion const branches{*from_};
        for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
            std::uint32_t const end = branches.end_of_skipped(i);
            if (end == 0) continue;
            auto const cost = [&](std::uint32_t which) { return estimates[place_[which]].instructions; };
            if (!branches.is_predicated(i, end, cost)) {
                estimates[place_[i]].instructions += 2;
                continue;
            }
            estimates[place_[i]].instructions = 0;
            for (std::size_t inside = place_[i] + 1; inside < place_[end]; ++inside)
                estimates[inside].predicated_by = static_cast<std::uint32_t>(place_[i] + 1);
        }
    }

    void estimate(std::uint32_t i, sass_estimate& e) {
        ptx::instruction const& instruction = from_->instructions[i];
        instruction_kind const kind = instruction.facts->profile.kind;
        bool const adds = instruction.facts->fusion == ptx::fusion::sum;
        e.instructions = sass_instruction_count(instruction);
        if (ptx::is_branch(instruction)) e.pipe = pipe::none; // counted where it parts a warp
        if (kind == instruction_kind::atomic || kind == instruction_kind::reduction) {
            atomic_merge const merge{*from_, *flow_};
            e.reduction = merge.is_reduction(i);
            e.counts_lanes = e.reduction && merge.merges_lanes(i);
            if (e.counts_lanes && has(instruction, "global")) e.instructions = 4; // vote, REDUX, move, reduction
        } else if (has(instruction, "param")) {
            bool const load = instruction.opcode == "ld" && from_->is_entry;
            e.instructions = load && traits_.loads_constants ? 1 : 0;
            e.loads_constant = e.instructions != 0 && is_wide(instruction) && is_added_to_product(i);
            e.pipe = e.loads_constant ? pipe::adu : pipe::none; // else it goes to a uniform register
        } else if (adds && is_wide(instruction) && reads_product(i)) {
            e.instructions = 1;
            e.pipe = pipe::fma;
        } else if (adds && is_wide(instruction) && reads_constant_address(i)) {
            e.instructions = 0;
        } else if (instruction.facts->fusion == ptx::fusion::logic && is_wide(instruction) && reads_extended(i)) {
            e.instructions = 1;
        } else if (instruction.opcode == "ld" && has(instruction, "const")) {
            e.loads_constant = true;
        } else if (compares_with_zero(instruction) && reads(i, is_truth)) {
            e.instructions = 0;
        } else if (instruction.facts->control == ptx::control_effect::ret && calls_ && !from_->is_entry) {
            e.instructions = 15; // at its beginning and here: the return address, a barrier and a few others
        }
        if (is_absorbed(i)) e.instructions = 0;
    }

    // Whether everything that reads the result does the instruction's work along with its own. An addition or a logic
    // operation has room for one other.
    bool is_absorbed(std::uint32_t i) {
        auto const& readers = flow_->readers(i);
        if (readers.empty() || flow_->is_confused(i)) return false;
        bool const single = readers.size() == 1;
        for (std::uint32_t const reader : readers)
            if (!absorbs(from_->instructions[i], from_->instructions[reader], single) ||
                (single && taken_[reader] != 0))
                return false;
        if (single) taken_[readers.front()] = 1;
        return true;
    }
    static bool absorbs(ptx::instruction const& made, ptx::instruction const& by, bool single) noexcept {
        using enum ptx::fusion;
        auto const joins = made.facts->fusion;
        bool const adds = by.facts->fusion == sum;
        bool const scaled = (made.opcode == "shl" && made.operands.size() == 3 &&
                             made.operands[2].kind == ptx::operand_kind::integer) ||
                            (made.opcode == "mul" && (has(made, "wide") || (has(made, "lo") && !is_wide(made))));
        if (scaled && adds && is_integer(by)) return true;
        if (is_truth(made) && compares_with_zero(by)) return true;
        if (joins == sign) return is_floating(made) && is_floating(by);
        if (!single || is_wide(made)) return false;
        if (joins == sum && adds) return is_integer(made) && is_integer(by);
        return joins == logic && by.facts->fusion == logic && !has(made, "pred");
    }

    template <class Predicate>
    [[nodiscard]] bool reads(std::uint32_t i, Predicate made_by) const {
        for (std::uint32_t const writer : flow_->writers(i))
            if (made_by(from_->instructions[writer])) return true;
        return false;
    }
    // A predicate as a number, 1 or 0, and what makes a predicate of it again.
    static bool is_truth(ptx::instruction const& i) noexcept {
        return i.opcode == "selp" && i.operands.size() == 4 && i.operands[1].kind == ptx::operand_kind::integer &&
               i.operands[1].bits == 1 && i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits == 0;
    }
    static bool compares_with_zero(ptx::instruction const& i) noexcept {
        return i.opcode == "setp" && is_integer(i) && i.operands.size() == 3 &&
               i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits == 0;
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
        for (std::uint32_t const reader : flow_->readers(i)) {
            if (reads_product(reader)) return true;
            if (from_->instructions[reader].opcode != "cvta") continue;
            for (std::uint32_t const next : flow_->readers(reader))
                if (reads_product(next)) return true;
        }
        return false;
    }

    sass_traits traits_;
    sim::kernel const& kernel_;
    ptx::function const* from_ = nullptr;
    std::optional<def_use> flow_;
    std::vector<std::size_t> place_;  // of an instruction in the decoded code
    bool calls_ = false;              // the function calls another
    std::vector<std::uint8_t> taken_; // whether an instruction has absorbed another
};

// The same for a function of the kernel. Kept with the function until a chip asks whose traits differ. Thread-safe.
[[nodiscard]] inline std::shared_ptr<std::vector<sass_estimate> const>
estimates_of(chip_model const& chip, sim::kernel const& kernel, function_code const& code) {
    derived_facts& kept = *code.derived;
    unsigned const traits = 1 + unsigned{chip.sass.loads_constants} + 2 * unsigned{chip.sass.sets_up_global_memory};
    std::lock_guard const only{kept.mutex};
    if (kept.made_for != traits) {
        kept.facts = std::make_shared<std::vector<sass_estimate> const>(sass_estimator{chip, kernel}.of(code));
        kept.made_for = traits;
    }
    return std::static_pointer_cast<std::vector<sass_estimate> const>(kept.facts);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_ESTIMATE_HPP
