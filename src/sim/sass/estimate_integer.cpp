// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas joins of integers and predicates: logic of three numbers, rotations, conditions. As ptxas 13.0 compiles
// such PTX for sm_90.
#include "estimate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "../ptx/instruction_facts.hpp"
#include "conditions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void sass_estimator::find_predicates(std::uint32_t i, predicate_sources& found, unsigned depth) const {
    constexpr unsigned deepest = 8;
    for (std::uint32_t const w : flow_->writers(i)) {
        ptx::instruction const& source = from_->instructions[w];
        if (source.opcode == "mov") continue;
        bool const single = flow_->readers(w).size() == 1 && !flow_->is_confused(w);
        if (single && joins_predicates(source) && depth != deepest) {
            find_predicates(w, found, depth + 1);
            continue;
        }
        bool const tests_bits = compares_with_zero(source) &&
                                std::any_of(flow_->writers(w).begin(), flow_->writers(w).end(), [&](auto and_) {
                                    return absorbed_[and_] && from_->instructions[and_].opcode == "and";
                                });
        ++found.all;
        if (single && source.opcode == "setp" && !tests_bits) ++found.combine;
    }
}

std::uint16_t sass_estimator::cost_of_predicates(std::uint32_t i) const {
    auto const& readers = flow_->readers(i);
    if (readers.size() == 1 && joins_predicates(from_->instructions[readers.front()])) return 0; // which does its work
    predicate_sources found;
    find_predicates(i, found, 0);
    unsigned const combined = found.combine + 1; // and the first
    return static_cast<std::uint16_t>(found.all > combined ? (found.all - combined + 1) / 2 : 0);
}

bool sass_estimator::has_upper_part(std::uint32_t i, ptx::operand const& o, unsigned depth) const {
    constexpr unsigned deepest = 4;
    if (o.kind != ptx::operand_kind::reg || flow_->is_written_again(o.index) || depth == deepest) return false;
    std::uint32_t const writer = flow_->writer_of(i, o.index);
    if (writer == def_use::nobody) return false;
    ptx::instruction const& op = from_->instructions[writer];
    if (op.opcode == "cvt") return !is_floating(op) && ptx::size_of(type_of(op)) > 2;
    if (op.opcode == "add" || op.opcode == "sub" || op.opcode == "mul" || op.opcode == "shl") return true;
    if (op.opcode != "xor" && op.opcode != "or") return false;
    return has_upper_part(writer, op.operands[1], depth + 1) || has_upper_part(writer, op.operands[2], depth + 1);
}

bool sass_estimator::joins_logic(std::uint32_t i, std::uint32_t reader) {
    constexpr std::size_t most_parts = 3; // of LOP3
    ptx::instruction const &source = from_->instructions[i], &joined = from_->instructions[reader];
    if (is_wide(source) != is_wide(joined) || !loops_->share(i, reader)) return false;
    auto const parts_of = [&](std::uint32_t which) -> std::set<logic_part>& {
        std::set<logic_part>& parts = logic_parts_[which];
        ptx::instruction const& op = from_->instructions[which];
        if (parts.empty())
            for (std::size_t part = 1; part < op.operands.size(); ++part) {
                ptx::operand const& o = op.operands[part];
                bool const is_register = o.kind == ptx::operand_kind::reg;
                parts.emplace(is_register, is_register ? o.index : o.bits);
            }
        return parts;
    };
    std::set<logic_part> all = parts_of(reader);
    all.erase(logic_part{true, source.operands[0].index});
    all.insert(parts_of(i).begin(), parts_of(i).end());
    if (all.size() > most_parts) return false;
    logic_parts_[reader] = std::move(all);
    return true;
}

bool sass_estimator::joins_extremum(std::uint32_t i) {
    auto const takes_extremum = [](ptx::instruction const& op) {
        return (op.opcode == "min" || op.opcode == "max") && is_integer(op) && ptx::size_of(type_of(op)) == 4 &&
               !has(op, "relu") && op.operands.size() == 3;
    };
    auto const& readers = flow_->readers(i);
    ptx::instruction const& source = from_->instructions[i];
    if (readers.size() != 1 || flow_->is_confused(i) || source.guard != ptx::instruction::no_guard) return false;
    std::uint32_t const reader = readers.front();
    ptx::instruction const& extremum = from_->instructions[reader];
    bool const adds = (source.opcode == "add" || source.opcode == "sub") && is_integer(source) && !is_wide(source) &&
                      ptx::size_of(type_of(source)) == 4 && !has(source, "cc") && !has(source, "sat");
    bool const is_same =
        takes_extremum(source) && source.opcode == extremum.opcode && type_of(source) == type_of(extremum);
    if (!takes_extremum(extremum) || (!adds && !is_same) || taken_[i] != 0 || taken_[reader] != 0) return false;
    auto const has_constant = [](ptx::instruction const& op) {
        return std::any_of(op.operands.begin(), op.operands.end(),
                           [](auto const& o) { return is_number(o) && o.bits != 0; });
    };
    if (!loops_->share(i, reader) || (has_constant(source) && has_constant(extremum))) return false; // it holds one
    taken_[reader] = 1;
    return true;
}

bool sass_estimator::is_folded(std::uint32_t i, unsigned depth) const {
    ptx::instruction const& op = from_->instructions[i];
    auto const is_known = [&](ptx::operand const& o) {
        if (flow_->number(i, o)) return true;
        if (o.kind != ptx::operand_kind::reg || flow_->is_written_again(o.index)) return false;
        std::uint32_t const writer = flow_->writer_of(i, o.index);
        return writer != def_use::nobody && is_folded(writer, depth + 1);
    };
    if (depth < 8 && op.guard == ptx::instruction::no_guard && op.operands.size() == 2) {
        ptx::operand const& from = op.operands[1];
        if (op.opcode == "mov" && from.kind == ptx::operand_kind::vector) // a constant of two halves
            return std::all_of(from.elements.begin(), from.elements.end(), is_known);
        if (op.opcode == "cvt") return is_known(from);
    }
    bool const is_sum = op.opcode == "add" || op.opcode == "sub" || op.opcode == "mul";
    bool const folds = is_floating(op) ? (is_sum || op.opcode == "rcp") && !has(op, "rn")
                                       : is_sum || op.opcode == "shl" || op.opcode == "shr" || op.opcode == "and" ||
                                             op.opcode == "or" || op.opcode == "xor";
    if (!folds || op.guard != ptx::instruction::no_guard || depth == 8 || has(op, "cc")) return false;
    return std::all_of(op.operands.begin() + 1, op.operands.end(), is_known);
}

bool sass_estimator::is_rotation(std::uint32_t i) const {
    ptx::instruction const& op = from_->instructions[i];
    bool const joins = op.opcode == "add" || op.opcode == "or" || op.opcode == "xor";
    auto const& writers = flow_->writers(i);
    if (!joins || !is_wide(op) || !is_integer(op) || writers.size() != 2) return false;
    ptx::instruction const &first = from_->instructions[writers[0]], &second = from_->instructions[writers[1]];
    auto const shifts = [&](std::uint32_t w) {
        ptx::instruction const& shift = from_->instructions[w];
        return shift.operands.size() == 3 && shift.operands[1].kind == ptx::operand_kind::reg &&
               shift.operands[2].kind == ptx::operand_kind::integer && is_wide(shift) && !has(shift, "s64") &&
               flow_->readers(w).size() == 1 && !flow_->is_confused(w);
    };
    bool const both =
        (first.opcode == "shl" && second.opcode == "shr") || (first.opcode == "shr" && second.opcode == "shl");
    if (!both || !shifts(writers[0]) || !shifts(writers[1])) return false;
    std::uint32_t const of = first.operands[1].index;
    return second.operands[1].index == of && flow_->writer_of(writers[0], of) == flow_->writer_of(writers[1], of) &&
           first.operands[2].bits + second.operands[2].bits == 64;
}

} // namespace sim
GPUPROF_NAMESPACE_END
