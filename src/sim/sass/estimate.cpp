// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "atomic_merge.hpp"
#include "if_conversion.hpp"
#include "shared_access_merge.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Special registers and addresses of local variables are read by instructions of their own before
// the one that names them.
static bool is_operand_read(decoded const& op) noexcept {
    return op.action == action::special_register || op.action == action::local_address;
}

// A predicate as a number, 1 or 0. compares_with_zero() finds the instruction that makes a
// predicate of it again.
static bool is_truth(ptx::instruction const& i) noexcept {
    return i.opcode == "selp" && i.operands.size() == 4 && i.operands[1].kind == ptx::operand_kind::integer &&
           i.operands[1].bits == 1 && i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits == 0;
}

static bool compares_with_zero(ptx::instruction const& i) noexcept {
    return i.opcode == "setp" && is_integer(i) && i.operands.size() == 3 &&
           i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits == 0;
}

static bool makes_float_of_word(ptx::instruction const& i) noexcept {
    auto const from = type_of(i);
    return i.opcode == "cvt" && has(i, "f32") && (from == ptx::type::u32 || from == ptx::type::s32);
}

// Whether the reader of a result does the work of the instruction that gives it.
// @param single nobody else reads the result
static bool absorbs(ptx::instruction const& source, ptx::instruction const& reader, bool single) noexcept {
    using enum ptx::fusion;
    auto const joins = source.facts->fusion;
    bool const adds = reader.facts->fusion == sum;
    bool const scaled = (source.opcode == "shl" && source.operands.size() == 3 &&
                         source.operands[2].kind == ptx::operand_kind::integer) ||
                        (source.opcode == "mul" && (has(source, "wide") || (has(source, "lo") && !is_wide(source))));
    if (scaled && adds && is_integer(reader)) return true;
    if (is_truth(source) && compares_with_zero(reader)) return true;
    if (joins == sign) return is_floating(source) && is_floating(reader);
    if (!single || is_wide(source)) return false;
    if (joins == sum && adds) return is_integer(source) && is_integer(reader);
    return joins == logic && reader.facts->fusion == logic && !has(source, "pred");
}

template <class Predicate>
bool sass_estimator::reads(std::uint32_t i, Predicate accepts) const {
    for (std::uint32_t const writer : flow_->writers(i))
        if (accepts(from_->instructions[writer])) return true;
    return false;
}

std::vector<sass_estimate> sass_estimator::of(function_code const& code) {
    std::vector<sass_estimate> estimates(code.code.size());
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        decoded const& op = code.code[i];
        estimates[i].pipe = op.info.pipe;
        estimates[i].awaits_warps = op.action == action::barrier || op.action == action::cluster_wait;
    }
    if (!kernel_.source || code.module_index >= kernel_.source->functions.size()) return estimates;
    from_ = &kernel_.source->functions[code.module_index];
    flow_.emplace(*from_);
    taken_.assign(from_->instructions.size(), 0);
    place_.assign(from_->instructions.size(), 0);
    shared_access_merge const merged{*from_, *flow_};
    calls_ = false;
    for (auto const& instruction : from_->instructions)
        calls_ |= instruction.facts->control == ptx::control_effect::call;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        for (; at < code.code.size() && is_operand_read(code.code[at]); ++at)
            estimate_operand(code.code[at], estimates[at]);
        if (at == code.code.size()) return estimates;
        estimate(i, estimates[at]);
        estimates[at].words = merged.words(i);
        if (merged.words(i) == 0) estimates[at].instructions = 0;
        place_[i] = at++;
    }
    estimate_branches(estimates);
    estimate_chains(estimates);
    return estimates;
}

unsigned sass_estimator::prologue() const noexcept {
    bool reaches_memory = false;
    for (function_code const* const f : kernel_.functions)
        for (decoded const& op : f->code)
            reaches_memory |= op.action == action::atomic || op.action == action::copy_async ||
                              op.action == action::copy_bulk ||
                              ((op.action == action::load || op.action == action::store) &&
                               (op.memory.space == ptx::space::global || op.memory.space == ptx::space::generic));
    return traits_.sets_up_global_memory && reaches_memory ? 2 : 1;
}

void sass_estimator::estimate_operand(decoded const& op, sass_estimate& e) const noexcept {
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

void sass_estimator::estimate_branches(std::vector<sass_estimate>& estimates) const {
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

void sass_estimator::estimate_chains(std::vector<sass_estimate>& estimates) const {
    std::vector<std::uint32_t> number(estimates.size()); // of a decoded instruction in the text
    for (std::uint32_t i = 0; i < place_.size(); ++i) number[place_[i]] = i;
    std::vector<dependence_cost> costs;
    costs.reserve(place_.size());
    for (std::size_t const at : place_) {
        sass_estimate const& e = estimates[at];
        bool const predicated = e.predicated_by != 0;
        costs.push_back(
            {e.instructions, e.pipe, !e.reduction, predicated ? number[e.predicated_by - 1] : def_use::nobody});
    }
    dependence const chains{*from_, *flow_, latency_, costs};
    for (std::uint32_t i = 0; i < place_.size(); ++i) estimates[place_[i]].chain = chains.chain(i);
}

void sass_estimator::estimate(std::uint32_t i, sass_estimate& e) {
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
    } else if (traits_.converts_words_by_alu && makes_float_of_word(instruction)) {
        e.pipe = pipe::alu;
    } else if (instruction.opcode == "ld" && has(instruction, "const")) {
        e.loads_constant = true;
    } else if (compares_with_zero(instruction) && reads(i, is_truth)) {
        e.instructions = 0;
    } else if (instruction.facts->control == ptx::control_effect::ret && calls_ && !from_->is_entry) {
        e.instructions = 15; // at its beginning and here: the return address, a barrier and a few others
    }
    if (is_absorbed(i)) e.instructions = 0;
    e.may_use_fma = adds && e.pipe == pipe::alu && is_integer(instruction) && !is_wide(instruction);
}

bool sass_estimator::is_absorbed(std::uint32_t i) {
    auto const& readers = flow_->readers(i);
    if (readers.empty() || flow_->is_confused(i)) return false;
    bool const single = readers.size() == 1;
    for (std::uint32_t const reader : readers)
        if (!absorbs(from_->instructions[i], from_->instructions[reader], single) || (single && taken_[reader] != 0))
            return false;
    if (single) taken_[readers.front()] = 1;
    return true;
}

bool sass_estimator::reads_product(std::uint32_t i) const {
    return reads(i, [](ptx::instruction const& w) { return w.opcode == "mul" && has(w, "wide"); });
}

bool sass_estimator::reads_constant_address(std::uint32_t i) const {
    return reads(i, [&](ptx::instruction const& w) { return w.opcode == "mov" && names_constant(w); });
}

bool sass_estimator::reads_extended(std::uint32_t i) const {
    return reads(i, [](ptx::instruction const& w) { return w.opcode == "cvt" && has(w, "u64") && has(w, "u32"); });
}

bool sass_estimator::names_constant(ptx::instruction const& w) const {
    auto const& o = w.operands.back();
    return o.kind == ptx::operand_kind::module_variable &&
           kernel_.source->variables[o.index].space == ptx::space::constant;
}

bool sass_estimator::is_added_to_product(std::uint32_t i) const {
    for (std::uint32_t const reader : flow_->readers(i)) {
        if (reads_product(reader)) return true;
        if (from_->instructions[reader].opcode != "cvta") continue;
        for (std::uint32_t const next : flow_->readers(reader))
            if (reads_product(next)) return true;
    }
    return false;
}

std::shared_ptr<std::vector<sass_estimate> const> estimates_of(chip_model const& chip, sim::kernel const& kernel,
                                                               function_code const& code) {
    derived_facts& kept = *code.derived;
    std::lock_guard const only{kept.mutex};
    if (kept.made_for != chip.capability()) {
        kept.facts = std::make_shared<std::vector<sass_estimate> const>(sass_estimator{chip, kernel}.of(code));
        kept.made_for = chip.capability();
    }
    return std::static_pointer_cast<std::vector<sass_estimate> const>(kept.facts);
}

} // namespace sim
GPUPROF_NAMESPACE_END
