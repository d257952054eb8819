// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "word_halves.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static constexpr unsigned word_bits = 32;

static bool is_logic(ptx::instruction const& i) noexcept {
    return i.opcode == "and" || i.opcode == "or" || i.opcode == "xor" || i.opcode == "not";
}

static bool shifts_by_constant(ptx::instruction const& i) noexcept {
    return (i.opcode == "shl" || i.opcode == "shr") && i.operands.size() == 3 &&
           i.operands[2].kind == ptx::operand_kind::integer;
}

static bool is_of_wide_integers(ptx::instruction const& i) noexcept { return is_wide(i) && is_integer(i); }

static bool is_unsigned(ptx::instruction const& i) noexcept { return !ptx::is_signed(type_of(i)); }

word_halves::word_halves(ptx::function const& of) : zeros_(of.registers.size()), needed_(of.registers.size()) {
    find_zeros(of);
    find_needed(of);
}

word_halves::halves word_halves::zeros_of(ptx::operand const& o) const noexcept {
    if (o.kind == ptx::operand_kind::reg) return zeros_[o.index];
    if (o.kind != ptx::operand_kind::integer) return {};
    return {static_cast<std::uint32_t>(o.bits) == 0, o.bits >> word_bits == 0};
}

word_halves::halves word_halves::zeros_given(ptx::instruction const& i) const noexcept {
    if (i.opcode == "cvt" && i.operands.size() == 2) {
        bool const widens = is_unsigned(i) && !is_floating(i) && ptx::size_of(type_of(i)) <= 4;
        return {false, widens && (has(i, "u64") || has(i, "s64"))};
    }
    bool const loads = i.facts->profile.kind == instruction_kind::load;
    if (loads) return {false, is_unsigned(i) && !is_floating(i) && ptx::size_of(type_of(i)) <= 4 && !has(i, "v2")};
    if (!is_of_wide_integers(i) || i.operands.size() < 2) return {};
    halves const a = zeros_of(i.operands[1]), b = i.operands.size() > 2 ? zeros_of(i.operands[2]) : halves{};
    if (i.opcode == "mov") return a;
    if (i.opcode == "and") return {a.low || b.low, a.high || b.high};
    if (i.opcode == "or" || i.opcode == "xor" || i.opcode == "selp") return {a.low && b.low, a.high && b.high};
    if (i.opcode == "add" || i.opcode == "sub") return {a.low && b.low, a.low && b.low && a.high && b.high};
    if (!shifts_by_constant(i)) return {};
    std::uint64_t const by = i.operands[2].bits;
    if (i.opcode == "shl") return {by >= word_bits || a.low, a.low && a.high};
    return {by >= word_bits ? a.high : a.low && a.high, a.high || (by >= word_bits && is_unsigned(i))};
}

void word_halves::find_zeros(ptx::function const& of) {
    std::vector<bool> written(of.registers.size());
    for (ptx::instruction const& i : of.instructions)
        if (ptx::operand const* const result = ptx::result_of(i))
            for_each_register(*result, [&](std::uint32_t r) { written[r] = true; });
    for (std::size_t r = 0; r < written.size(); ++r) zeros_[r] = {written[r], written[r]};
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (ptx::instruction const& i : of.instructions) {
            ptx::operand const* const result = ptx::result_of(i);
            if (result == nullptr) continue;
            bool const single = result->kind == ptx::operand_kind::reg;
            halves const given = single ? zeros_given(i) : halves{};
            for_each_register(*result, [&](std::uint32_t r) {
                halves const both{zeros_[r].low && given.low, zeros_[r].high && given.high};
                shrinks |= !(both == zeros_[r]);
                zeros_[r] = both;
            });
        }
    }
}

word_halves::halves word_halves::needed_of(ptx::operand const& o) const noexcept {
    return o.kind == ptx::operand_kind::reg ? needed_[o.index] : halves{true, true};
}

word_halves::halves word_halves::read(ptx::instruction const& i, ptx::operand const& o) const noexcept {
    constexpr halves both{true, true}, low_only{true, false};
    if (o.kind == ptx::operand_kind::address) {
        for (std::string_view const m : i.modifiers)
            if (m == "local" || m == "const" || m.starts_with("shared")) return low_only; // 32 bits address these
        return both;
    }
    auto const kind = i.facts->profile.kind;
    bool const moves = kind == instruction_kind::store || i.opcode == "cvt";
    if (moves && !is_floating(i) && ptx::size_of(type_of(i)) <= 4) return low_only;
    if (i.opcode == "cvt" && !is_floating(i))
        for (std::string_view const m : i.modifiers)
            if (ptx::type const t = ptx::type_named(m); ptx::size_of(t) != 0 && ptx::size_of(t) <= 4)
                return ptx::is_floating(t) ? both : low_only;
    if (!is_of_wide_integers(i) || i.operands.size() < 2) return both;
    halves const to = needed_of(i.operands[0]);
    if (i.opcode == "mov" || i.opcode == "selp" || i.opcode == "cvta") return to;
    if (is_logic(i)) {
        halves needed = to;
        if (i.opcode == "and")
            for (std::size_t other = 1; other < i.operands.size(); ++other) {
                if (&i.operands[other] == &o) continue;
                halves const zeros = zeros_of(i.operands[other]);
                needed = {needed.low && !zeros.low, needed.high && !zeros.high};
            }
        return needed;
    }
    if (i.opcode == "add" || i.opcode == "sub" || i.opcode == "neg" || i.opcode == "mul" || i.opcode == "mad")
        return has(i, "hi") || has(i, "wide") ? both : halves{to.low || to.high, to.high};
    if (!shifts_by_constant(i)) return both;
    bool const far = i.operands[2].bits >= word_bits;
    if (i.opcode == "shl") return far ? halves{to.high, false} : halves{to.low || to.high, to.high};
    bool const keeps_sign = to.high && !is_unsigned(i);
    return far ? halves{false, to.low || keeps_sign} : halves{to.low, to.low || to.high};
}

void word_halves::find_needed(ptx::function const& of) {
    std::vector<bool> read_at_all(needed_.size());
    for (ptx::instruction const& i : of.instructions)
        for (ptx::operand const& o : i.operands)
            if (&o != ptx::result_of(i) || ptx::reads_result(i))
                for_each_register(o, [&](std::uint32_t r) { read_at_all[r] = true; });
    for (std::size_t r = 0; r < needed_.size(); ++r) // the estimate leaves no instruction out as a whole
        needed_[r] = {!read_at_all[r], !read_at_all[r]};
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t at = of.instructions.size(); at-- != 0;) {
            ptx::instruction const& i = of.instructions[at];
            ptx::operand const* const result = ptx::result_of(i);
            for (ptx::operand const& o : i.operands) {
                if (&o == result && !ptx::reads_result(i)) continue;
                halves const needs = read(i, o);
                for_each_register(o, [&](std::uint32_t r) {
                    halves const more{needed_[r].low || needs.low, needed_[r].high || needs.high};
                    grows |= !(more == needed_[r]);
                    needed_[r] = more;
                });
            }
        }
    }
}

word_halves::halves word_halves::logic_words(ptx::instruction const& i) const {
    halves const to = needed_of(i.operands[0]), zero = zeros_given(i);
    if (i.opcode == "not") return to;
    halves const a = zeros_of(i.operands[1]), b = zeros_of(i.operands[2]);
    bool const low = to.low && !zero.low, high = to.high && !zero.high;
    if (i.opcode != "and") return {low && !a.low && !b.low, high && !a.high && !b.high};
    auto const passes = [&](unsigned from) { // all bits of the word
        ptx::operand const& o = i.operands[2];
        return o.kind == ptx::operand_kind::integer && static_cast<std::uint32_t>(o.bits >> from) == ~std::uint32_t{0};
    };
    return {low && !passes(0), high && !passes(word_bits)};
}

std::optional<std::uint16_t> word_halves::instructions(ptx::instruction const& i) const {
    if (!is_of_wide_integers(i) || i.operands.size() < 2 || i.operands[0].kind != ptx::operand_kind::reg) return {};
    halves const to = needed_of(i.operands[0]), zero = zeros_given(i);
    halves const a = zeros_of(i.operands[1]), b = i.operands.size() > 2 ? zeros_of(i.operands[2]) : halves{};
    bool const low = to.low && !zero.low, high = to.high && !zero.high;
    auto const sum = [](bool first, bool second) { return static_cast<std::uint16_t>(first + second); };
    if (i.opcode == "selp") return sum(low, high);
    if (is_logic(i)) {
        halves const computed = logic_words(i);
        return sum(computed.low, computed.high);
    }
    if (i.opcode == "add" || i.opcode == "sub") {
        bool const carries = !b.low && !(a.low && i.opcode == "add"); // else its low word is another's
        return sum((to.low || to.high) && carries, high && (carries || !(b.high || (a.high && i.opcode == "add"))));
    }
    if (i.opcode == "mul" && has(i, "lo")) { // the words' products, and a sum
        if (!to.high) return std::uint16_t{1};
        unsigned const crossed = unsigned{!a.high} + unsigned{!b.high};
        return static_cast<std::uint16_t>(crossed == 0 ? 1 : 2 + crossed);
    }
    if (!shifts_by_constant(i)) return {};
    std::uint64_t const by = i.operands[2].bits;
    if (by == 0) return std::uint16_t{0};
    if (i.opcode == "shl") return sum(low, high && by != word_bits);
    bool const fills = to.high && !is_unsigned(i); // with the sign
    if (by >= word_bits) return sum(low && by != word_bits, fills);
    return sum(low, high);
}

} // namespace sim
GPUPROF_NAMESPACE_END
