// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas makes of floating-point arithmetic beyond an instruction for each: signs, differences that are only compared, clamps to
// 0 ... 1, scaling around approximations, choices. As ptxas 13.0 compiles such PTX for sm_90.
#include "estimate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "compared_sum.hpp"
#include "conditions.hpp"
#include "expansion.hpp"
#include "half_pairs.hpp"
#include "predicated_select.hpp"
#include "slow_way.hpp"
#include "value_ends.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool is_single(ptx::instruction const& i) noexcept { return type_of(i) == ptx::type::f32; }

// The approximations that ptxas scales where subnormal numbers are kept: a factor for what they are of, in its place if nobody reads
// that any more.
static bool is_scaled(ptx::instruction const& i) noexcept {
    if (!is_single(i)) return false;
    if (i.opcode != "div") return scales_lanes(i);
    return has(i, "full") || (has(i, "approx") && !has(i, "ftz"));
}

void sass_estimator::estimate_floats(function_code const& code, std::vector<sass_estimate>& estimates) const {
    using enum instruction_kind;
    auto const& text = from_->instructions;
    if (std::none_of(text.begin(), text.end(), [](auto const& i) { return is_floating(i); })) return;
    value_ends const ends{*from_};
    auto const parts = undivided_parts(*from_, *flow_);
    auto const kind_of = [&](std::uint32_t i) { return code.code[place_[i]].info.kind; };
    // A register's only writer, if that stands in the same part of a block.
    auto const writer_here = [&](std::uint32_t i, ptx::operand const& o) -> std::optional<std::uint32_t> {
        if (o.kind != ptx::operand_kind::reg || flow_->is_written_again(o.index)) return {};
        std::uint32_t const w = flow_->writer_of(i, o.index);
        if (w == def_use::nobody || parts[w] != parts[i]) return {};
        return w;
    };
    auto const is_operation = [&](std::uint32_t i) {
        return kind_of(i) == fadd || kind_of(i) == fmul || kind_of(i) == ffma;
    };
    auto const read_same = [&](std::uint32_t a, std::uint32_t b, std::size_t part) {
        ptx::operand const &of_a = text[a].operands[part], &of_b = text[b].operands[part];
        return of_a.kind == ptx::operand_kind::reg && of_b.kind == ptx::operand_kind::reg && of_a.index == of_b.index &&
               flow_->writer_of(a, of_a.index) == flow_->writer_of(b, of_b.index);
    };
    // The other part of a maximum or minimum with that constant.
    auto const part_beside = [&](std::uint32_t i, std::uint64_t constant) -> ptx::operand const* {
        for (std::size_t part = 1; part < 3; ++part) {
            ptx::operand const &o = text[i].operands[part], &other = text[i].operands[3 - part];
            if (other.kind == ptx::operand_kind::reg && flow_->number(i, o) == constant) return &other;
        }
        return nullptr;
    };
    constexpr std::uint64_t one = 0x3f80'0000;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        ptx::instruction const& op = text[i];
        sass_estimate& e = estimates[place_[i]];
        if (auto const slow_ones = slow_parts(slow_way_of(op)); !slow_ones.empty()) {
            for (std::size_t part = 0; part < slow_ones.size(); ++part) {
                sass_estimate& slow = estimates[place_[i] - 2 * (slow_ones.size() - part)];
                slow.instructions = slow_ones[part].instructions;
                slow.inside = slow_ones[part].inside;
                slow.is_slow_part = true;
            }
            continue;
        }
        bool const is_sign = op.facts->fusion == ptx::fusion::sign && e.instructions != 0 && op.operands.size() == 2;
        if (is_sign && (is_single(op) || type_of(op) == ptx::type::f64)) { // a sum with nothing
            auto const product = writer_here(i, op.operands[1]);
            bool const takes_product = op.opcode == "neg" && product && kind_of(*product) == fmul &&
                                       may_be_rearranged(text[*product]) && flow_->readers(*product).size() == 1;
            if (takes_product) {
                estimates[place_[*product]].instructions = 0;
                e.inside.ffma = 1;
            } else if (is_single(op)) {
                e.inside.fadd = 1;
            } else {
                e.inside.dadd = 1;
            }
        } else if (is_scaled(op)) {
            decoded const* const before = place_[i] == 0 ? nullptr : &code.code[place_[i] - 1];
            bool known = false; // the same of the same number
            for (std::uint32_t earlier = i;
                 op.opcode != "div" && !known && earlier-- != 0 && parts[earlier] == parts[i];)
                known = text[earlier].opcode == op.opcode && text[earlier].modifiers == op.modifiers &&
                        read_same(earlier, i, 1) && !flow_->is_written_again(text[earlier].operands[0].index);
            if (known) {
                e.instructions = 0;
                continue;
            }
            bool const counts_lanes =
                before != nullptr && before->action == action::nothing && before->guard_only_counts;
            if (counts_lanes) {
                bool const adds = op.opcode == "lg2"; // takes 24 away at last; others multiply again
                estimates[place_[i] - 1].inside = adds ? expansion{.fadd = 1, .fmul = 1} : expansion{.fmul = 2};
            }
            for (std::size_t part = 1; part < op.operands.size(); ++part) {
                ptx::operand const& o = op.operands[part];
                if (o.kind != ptx::operand_kind::reg || flow_->number(i, o).value_or(0) != 0) continue;
                std::uint32_t last = i;
                if (part == 2) { // divisions by the same number share what is made of it
                    auto const is_alike = [&](std::uint32_t other) {
                        ptx::instruction const& d = text[other];
                        return d.opcode == "div" && is_scaled(d) && parts[other] == parts[i] &&
                               has(d, "full") == has(op, "full") && read_same(other, i, 2);
                    };
                    bool is_shared = false;
                    for (std::uint32_t other = 0; other < text.size(); ++other) {
                        if (!is_alike(other)) continue;
                        if (other < i) is_shared = true;
                        else last = other;
                    }
                    if (is_shared) {
                        e.instructions = static_cast<std::uint16_t>(e.instructions - 3);
                        continue;
                    }
                }
                std::uint32_t const writer = flow_->writer_of(i, o.index);
                bool const has_sign =
                    writer != def_use::nobody && absorbed_[writer] && text[writer].facts->fusion == ptx::fusion::sign;
                if (!has_sign && ends.ends(last, o.index)) continue;
                ++e.inside.fmul;
                ++e.instructions; // a choice between both
                if (counts_lanes) --estimates[place_[i] - 1].inside.fmul;
            }
        } else if ((op.opcode == "sin" || op.opcode == "cos") && op.operands.size() == 2) {
            for (std::uint32_t before = i; before-- != 0 && parts[before] == parts[i];) {
                bool const is_alike = text[before].opcode == "sin" || text[before].opcode == "cos";
                if (!is_alike || !read_same(before, i, 1)) continue;
                e.inside.fmul = 0;
                e.instructions = 1;
                break;
            }
        } else if (kind_of(i) == fadd && is_merely_compared(*from_, *flow_, parts, i)) {
            e.instructions = 0;
        } else if (is_single(op) && (op.opcode == "min" || op.opcode == "max") && op.operands.size() == 3 &&
                   !has(op, "NaN")) {
            bool const takes_least = op.opcode == "min";
            ptx::operand const* const inner = part_beside(i, takes_least ? one : 0);
            auto const clamp = inner == nullptr ? std::nullopt : writer_here(i, *inner);
            if (!clamp || text[*clamp].opcode != (takes_least ? "max" : "min") || !is_single(text[*clamp])) continue;
            ptx::operand const* const clamped = part_beside(*clamp, takes_least ? 0 : one);
            if (clamped == nullptr) continue;
            if (flow_->readers(*clamp).size() == 1) estimates[place_[*clamp]].instructions = 0;
            auto const source = writer_here(*clamp, *clamped);
            bool const rounds_it = source && is_operation(*source) && flow_->readers(*source).size() == 1;
            if (rounds_it) e.instructions = 0;
            else e.inside.fadd = 1;
        }
    }
}

// What stands twice between two labels is computed once, and so is what is computed of that.
void sass_estimator::join_equal_floats(function_code const& code, std::vector<sass_estimate>& estimates) const {
    using enum instruction_kind;
    auto const& text = from_->instructions;
    using value =
        std::tuple<ptx::operand_kind, std::uint64_t, std::uint32_t>; // its number or register, and who wrote that
    std::map<std::tuple<std::string_view, std::vector<std::string_view>, std::vector<value>>, std::uint32_t> known;
    std::map<std::uint32_t, std::uint32_t> firsts; // of an instruction that is not done: the one that gives its result
    auto label = from_->labels.begin();
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        ptx::instruction const& op = text[i];
        bool begins = i != 0 && text[i - 1].facts->control != ptx::control_effect::next &&
                      text[i - 1].guard == ptx::instruction::no_guard;
        for (; label != from_->labels.end() && label->instruction <= i; ++label) begins = true;
        if (begins || (i != 0 && has_slow_way(text[i - 1]))) known.clear(); // it is done again behind a division
        instruction_kind const kind = code.code[place_[i]].info.kind;
        bool const widens_half =
            op.opcode == "cvt" && has(op, "f32") && (type_of(op) == ptx::type::f16 || type_of(op) == ptx::type::bf16);
        bool const is_fused = (kind == ffma || kind == dfma) != (op.opcode == "fma"); // with a product
        if ((!widens_half && (!is_operation_of_floats(kind) || is_fused)) || op.guard != ptx::instruction::no_guard ||
            estimates[place_[i]].instructions != 1 || op.operands[0].kind != ptx::operand_kind::reg ||
            flow_->is_written_again(op.operands[0].index))
            continue;
        std::vector<value> parts;
        bool traced = true;
        for (std::size_t part = 1; part < op.operands.size(); ++part) {
            ptx::operand const& o = op.operands[part];
            if (o.kind != ptx::operand_kind::reg) {
                parts.emplace_back(ptx::operand_kind::single, o.bits, 0);
            } else if (auto const bits = flow_->number(i, o)) {
                parts.emplace_back(ptx::operand_kind::single, *bits, 0);
            } else {
                traced = traced && !flow_->is_written_again(o.index);
                std::uint32_t const writer = flow_->writer_of(i, o.index);
                auto const first = firsts.find(writer);
                bool const is_same = first != firsts.end();
                parts.emplace_back(o.kind, is_same ? text[first->second].operands[0].index : o.index,
                                   is_same ? first->second : writer);
            }
        }
        if (op.opcode == "add" || op.opcode == "mul") std::sort(parts.begin(), parts.end());
        if (!traced) continue;
        auto const [first, is_new] = known.try_emplace(
            {op.opcode, std::vector<std::string_view>(op.modifiers.begin(), op.modifiers.end()), parts}, i);
        if (is_new) continue;
        estimates[place_[i]].instructions = 0;
        firsts.emplace(i, first->second);
    }
}

void sass_estimator::join_halves(std::vector<sass_estimate>& estimates) const {
    half_pairs const pairs{*from_, *flow_};
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i)
        if (pairs.is_done(i)) estimates[place_[i]].instructions = 0;
}

// One name for a comparison and for its opposite, which is true where the other is false.
static std::string_view comparison_of_either_sign(std::string_view comparison) noexcept {
    static constexpr std::pair<std::string_view, std::string_view> opposites[] = {
        {"eq", "neu"}, {"ne", "equ"}, {"lt", "geu"}, {"le", "gtu"}, {"gt", "leu"}, {"ge", "ltu"}, {"num", "nan"}};
    for (auto const& [name, opposite] : opposites)
        if (comparison == opposite) return name;
    return comparison;
}

void sass_estimator::join_comparisons(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    using value = std::pair<std::uint64_t, std::uint32_t>; // a number, or a register and who wrote it
    std::set<std::tuple<std::uint32_t, std::vector<std::string_view>, value, value>> found;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        ptx::instruction const& op = text[i];
        bool const compares = op.opcode == "setp" && is_floating(op) && op.operands.size() == 3 &&
                              op.operands[0].kind == ptx::operand_kind::reg && op.guard == ptx::instruction::no_guard &&
                              estimates[place_[i]].instructions != 0 && !flow_->is_written_again(op.operands[0].index);
        if (!compares) continue;
        auto const& readers = flow_->readers(i);
        bool const is_combined = readers.size() == 1 && joins_predicates(text[readers.front()]);
        if (is_combined) continue; // with another predicate
        auto const value_of = [&](ptx::operand const& o) {
            if (auto const bits = flow_->number(i, o)) return value{*bits, def_use::nobody - 1};
            return value{o.index, flow_->writer_of(i, o.index)};
        };
        std::vector<std::string_view> modifiers;
        for (std::string_view const m : op.modifiers) modifiers.push_back(comparison_of_either_sign(m));
        bool const is_new =
            found.emplace(parts_[i], modifiers, value_of(op.operands[1]), value_of(op.operands[2])).second;
        if (!is_new) estimates[place_[i]].instructions = 0;
    }
}

bool sass_estimator::is_made_by_choice(std::uint32_t i) const {
    constexpr std::uint64_t one = 0x3f80'0000;
    auto const& readers = flow_->readers(i);
    ptx::instruction const& test = from_->instructions[i];
    bool const compares = test.opcode == "setp" && is_single(test) && test.operands.size() == 3 &&
                          test.guard == ptx::instruction::no_guard;
    if (!compares || readers.size() != 1 || flow_->is_confused(i)) return false;
    ptx::instruction const& choice = from_->instructions[readers.front()];
    if (choice.opcode != "selp" || !is_single(choice)) return false;
    auto const a = flow_->number(readers.front(), choice.operands[1]),
               b = flow_->number(readers.front(), choice.operands[2]);
    return (a == one && b == std::uint64_t{0}) || (a == std::uint64_t{0} && b == one);
}

void sass_estimator::estimate_choices(function_code const& code, std::vector<sass_estimate>& estimates) const {
    using enum instruction_kind;
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        instruction_kind const kind = code.code[place_[i]].info.kind;
        bool const is_double = kind == dadd || kind == dmul || kind == dfma;
        sass_estimate& e = estimates[place_[i]];
        if (!is_double || from_->instructions[i].guard == ptx::instruction::no_guard || e.executed_with != 0) continue;
        e.executed_with = static_cast<std::uint32_t>(place_[i] + 1); // the predicate chooses words behind it
        e.beside += 2;
    }
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i)
        if (is_made_by_choice(i)) estimates[place_[i]].instructions = 0;
    predicated_select const choices{*from_};
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        std::uint32_t const value = choices.value(i);
        if (value == predicated_select::nobody || estimates[place_[value]].instructions != 1) continue;
        bool const counts_as_value = code.code[place_[i]].guard_only_counts;
        estimates[place_[counts_as_value ? value : i]].instructions = 0;
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
