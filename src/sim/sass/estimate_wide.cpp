// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas joins of integers of 64 bits, which it computes by words. As ptxas 13.0 compiles such PTX for sm_90.
#include "estimate.hpp"

#include <algorithm>
#include <cstdint>

#include "../ptx/instruction_facts.hpp"
#include "conditions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A product of 64 bits, of three or four parts.
static bool is_long_product(ptx::instruction const& i) noexcept {
    return i.opcode == "mul" && has(i, "lo") && is_wide(i) && is_integer(i);
}

static bool multiplies(ptx::instruction const& i) noexcept { return i.opcode == "mul" || i.opcode == "mad"; }

static bool extends_word(ptx::instruction const& i) noexcept {
    return i.opcode == "cvt" && has(i, "s64") && has(i, "s32") && type_of(i) == ptx::type::s32;
}

bool sass_estimator::is_narrow(std::uint32_t i, unsigned depth) const {
    auto const& readers = flow_->readers(i);
    if (readers.empty() || flow_->is_confused(i) || depth == 8) return false;
    for (std::uint32_t const reader : readers) {
        ptx::instruction const& op = from_->instructions[reader];
        bool const in_window = has(op, "local") || has(op, "shared");
        bool addresses = in_window && (op.opcode == "ld" || op.opcode == "st");
        for (ptx::operand const& o : op.operands) // what it stores has all words
            addresses &= o.kind != ptx::operand_kind::reg || o.index != from_->instructions[i].operands[0].index;
        bool const halves = op.opcode == "cvt" && is_wide(op) && (has(op, "u32") || has(op, "s32"));
        bool const passes_on = op.opcode == "add" || op.opcode == "sub" || op.opcode == "and" || op.opcode == "or" ||
                               op.opcode == "mul" || op.opcode == "shl";
        if (!addresses && !halves && !(passes_on && is_narrow(reader, depth + 1))) return false;
    }
    return true;
}

bool sass_estimator::is_product_taken_away(std::uint32_t i, std::uint32_t from) const noexcept {
    ptx::instruction const &product = from_->instructions[i], &difference = from_->instructions[from];
    if (product.opcode != "mul" || difference.opcode != "sub") return false;
    ptx::operand const &taken = difference.operands[2], &factor = product.operands[2];
    bool const is_taken = taken.kind == ptx::operand_kind::reg && taken.index == product.operands[0].index;
    return is_taken && (is_wide(difference) || factor.kind != ptx::operand_kind::integer);
}

bool sass_estimator::reads_product(std::uint32_t i) const {
    auto const& writers = flow_->writers(i);
    return std::any_of(writers.begin(), writers.end(), [&](std::uint32_t w) {
        return absorbed_[w] && from_->instructions[w].opcode == "mul" && has(from_->instructions[w], "wide");
    });
}

bool sass_estimator::reads_long_product(std::uint32_t i) const { return reads(i, is_long_product); }

bool sass_estimator::joins_high_word(std::uint32_t i) const {
    ptx::instruction const& op = from_->instructions[i];
    auto const& readers = flow_->readers(i);
    if (readers.size() != 1 || flow_->is_confused(i) || !is_wide(op) || !is_integer(op)) return false;
    ptx::instruction const& reader = from_->instructions[readers.front()];
    bool const is_shifted =
        (op.opcode == "shr" || op.opcode == "shl") && op.operands[2].kind == ptx::operand_kind::integer;
    bool const before_loop = op.opcode == "shl" && !loops_->share(i, readers.front());
    return reader.opcode == "add" && is_wide(reader) &&
           ((is_shifted && (op.opcode == "shr" || before_loop)) || is_long_product(op));
}

bool sass_estimator::reads_extended(std::uint32_t i) const {
    return reads(i, [](ptx::instruction const& w) { return w.opcode == "cvt" && has(w, "u64") && has(w, "u32"); });
}

bool sass_estimator::is_wide_sum(std::uint32_t i) const noexcept {
    ptx::instruction const& op = from_->instructions[i];
    return (op.opcode == "add" || op.opcode == "sub") && is_wide(op) && is_integer(op) && !has(op, "cc") &&
           op.guard == ptx::instruction::no_guard;
}

bool sass_estimator::joins_wide_sum(std::uint32_t i) const {
    auto const& readers = flow_->readers(i);
    if (readers.size() != 1 || !is_wide_sum(i) || !is_wide_sum(readers.front())) return false;
    std::uint32_t const reader = readers.front();
    bool const is_last = taken_[i] == 0 && taken_[reader] == 0 && loops_->share(i, reader) && !is_offset(reader);
    return is_last && !reads(i, multiplies) && !reads(reader, multiplies);
}

bool sass_estimator::is_extended_by_sum(std::uint32_t i) const {
    auto const& readers = flow_->readers(i);
    if (!extends_word(from_->instructions[i]) || readers.size() != 1 || flow_->is_confused(i)) return false;
    std::uint32_t const sum = readers.front();
    ptx::instruction const& op = from_->instructions[sum];
    bool const adds_registers = is_wide_sum(sum) && op.opcode == "add" &&
                                op.operands[1].kind == ptx::operand_kind::reg &&
                                op.operands[2].kind == ptx::operand_kind::reg;
    if (!adds_registers || !loops_->share(i, sum) || joins_wide_sum(sum)) return false;
    auto const& parts = flow_->writers(sum);
    return std::none_of(parts.begin(), parts.end(), [&](std::uint32_t part) {
        ptx::instruction const& w = from_->instructions[part];
        return (part != i && extends_word(w)) || multiplies(w) || w.opcode == "shl" ||
               (part != i && (absorbed_[part] || joins_wide_sum(part)));
    });
}

bool sass_estimator::is_pair_of_words(std::uint32_t i) const {
    ptx::instruction const& op = from_->instructions[i];
    bool const joins = op.opcode == "mov" && op.operands.size() == 2 && is_wide(op) &&
                       op.operands[0].kind == ptx::operand_kind::reg &&
                       op.operands[1].kind == ptx::operand_kind::vector && op.operands[1].elements.size() == 2;
    if (!joins || flow_->is_confused(i)) return false;
    auto const& readers = flow_->readers(i);
    bool const by_words = std::all_of(readers.begin(), readers.end(), [&](std::uint32_t r) {
        ptx::instruction const& reader = from_->instructions[r];
        return is_wide_sum(r) || (reader.opcode == "selp" && is_wide(reader)) || is_integer_logic(reader);
    });
    if (by_words) return true;
    // A shuffle that gives a predicate, too, is looked for by what it gives first.
    auto const exchanges = [&](std::uint32_t writer, std::uint32_t word) {
        ptx::instruction const& w = from_->instructions[writer];
        return w.opcode == "shfl" && flow_->block(writer) == flow_->block(i) &&
               w.operands[0].kind == ptx::operand_kind::pair && w.operands[0].elements[0].index == word;
    };
    return std::all_of(op.operands[1].elements.begin(), op.operands[1].elements.end(), [&](ptx::operand const& word) {
        if (word.kind != ptx::operand_kind::reg) return false;
        auto const& writers = flow_->writers(i);
        if (std::any_of(writers.begin(), writers.end(), [&](std::uint32_t w) { return exchanges(w, word.index); }))
            return true;
        if (flow_->is_written_again(word.index)) return false;
        std::uint32_t const writer = flow_->writer_of(i, word.index);
        if (writer == def_use::nobody || flow_->readers(writer).size() != 1) return false;
        ptx::instruction const& w = from_->instructions[writer];
        return w.opcode != "mov" && !w.operands.empty() && w.operands[0].kind != ptx::operand_kind::vector;
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
