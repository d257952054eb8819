// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "if_conversion.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

if_conversion::if_conversion(ptx::function const& of) : of_{of} {
    for (auto const& label : of.labels) labels_.try_emplace(label.name, label.instruction);
    for (ptx::instruction const& i : of.instructions)
        if (i.facts->control == ptx::control_effect::branch) ++branches_to_[target(i)];
}

std::uint32_t if_conversion::target(ptx::instruction const& branch) const noexcept {
    auto const label = branch.operands.empty() ? labels_.end() : labels_.find(branch.operands.front().text);
    return label == labels_.end() ? 0 : label->second;
}

std::uint32_t if_conversion::always_goes_to(std::uint32_t i) const noexcept {
    ptx::instruction const& branch = of_.instructions[i];
    bool const jumps = branch.facts->control == ptx::control_effect::branch;
    return jumps && branch.guard == ptx::instruction::no_guard ? target(branch) : 0;
}

std::uint32_t if_conversion::forward_target(std::uint32_t i) const noexcept {
    ptx::instruction const& branch = of_.instructions[i];
    if (branch.facts->control != ptx::control_effect::branch || branch.guard == ptx::instruction::no_guard) return 0;
    std::uint32_t const end = target(branch);
    return end > i + 1 && end < of_.instructions.size() ? end : 0;
}

bool if_conversion::hops(std::uint32_t branch) const noexcept {
    std::uint32_t const end = forward_target(branch);
    return end == branch + 2 && always_goes_to(branch + 1) != 0;
}

bool if_conversion::hops_alone(std::uint32_t branch) const noexcept {
    return hops(branch) && branches_to_.at(forward_target(branch)) == 1;
}

bool if_conversion::falls_through(std::uint32_t branch) const noexcept {
    std::uint32_t const end = always_goes_to(branch);
    if (end == 0 || end == branch + 1 || end >= of_.instructions.size() || branches_to_.at(end) != 1) return false;
    ptx::instruction const& before = of_.instructions[end - 1];
    bool const goes_on = before.facts->control == ptx::control_effect::next ||
                         before.facts->control == ptx::control_effect::call ||
                         before.guard != ptx::instruction::no_guard;
    return !goes_on;
}

bool if_conversion::branches_within(conditional const& c) const noexcept {
    for (std::uint32_t i = c.first; i < c.join; ++i)
        if (i != c.first_end && forward_target(i) == c.join) return true;
    return false;
}

bool if_conversion::only_computes(std::uint32_t first, std::uint32_t end) const noexcept {
    using enum instruction_kind;
    return std::all_of(of_.instructions.begin() + first, of_.instructions.begin() + end, [](ptx::instruction const& i) {
        instruction_kind const kind = i.facts->profile.kind;
        return i.facts->control == ptx::control_effect::next && i.facts->memory == ptx::memory_effect::untouched &&
               kind != load && kind != store && kind != atomic && kind != reduction && kind != texture &&
               kind != copy_async && kind != inter_thread && kind != matrix;
    });
}

bool if_conversion::has_label(std::uint32_t first, std::uint32_t end) const noexcept {
    auto const label = std::upper_bound(of_.labels.begin(), of_.labels.end(), first, // they are in the text's order
                                        [](std::uint32_t at, auto const& l) { return at < l.instruction; });
    return label != of_.labels.end() && label->instruction < end;
}

std::optional<if_conversion::short_circuit> if_conversion::short_circuit_at(std::uint32_t branch) const noexcept {
    std::uint32_t const first = forward_target(branch);
    if (first < branch + 3 || branches_to_.at(first) != 1 || has_label(branch, first)) return {};
    std::uint32_t const second = first - 1, join = forward_target(second);
    if (join <= first || ptx::leaves(of_.instructions[join])) return {};
    bool const compares = std::all_of(of_.instructions.begin() + branch + 1, of_.instructions.begin() + second,
                                      [](ptx::instruction const& i) { return i.opcode == "setp" || has(i, "pred"); });
    if (!compares) return {};
    return short_circuit{second, {first, join, join, join}};
}

std::optional<if_conversion::conditional> if_conversion::conditional_at(std::uint32_t branch) const noexcept {
    bool const hop = hops_alone(branch);
    std::uint32_t const first = branch + (hop ? 2 : 1);
    std::uint32_t const end = hop ? always_goes_to(branch + 1) : forward_target(branch);
    auto const size = of_.instructions.size();
    if (end <= first || end >= size) return {};
    conditional c{first, end, end, end};
    std::uint32_t const beyond = always_goes_to(end - 1); // the other arm begins at `end`, for this branch alone
    if (beyond > end && beyond < size && branches_to_.at(end) == 1 && end - 1 > first) {
        c.first_end = end - 1;
        c.join = beyond;
    }
    if (ptx::leaves(of_.instructions[c.join])) return {};
    return c;
}

} // namespace sim
GPUPROF_NAMESPACE_END
