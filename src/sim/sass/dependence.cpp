// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dependence.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"
#include "expansion.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static dependence_chain operator+(dependence_chain a, dependence_chain const& b) noexcept {
    a.distant = static_cast<std::uint16_t>(a.distant + b.distant);
    a.nearby = static_cast<std::uint16_t>(a.nearby + b.nearby);
    a.special = static_cast<std::uint16_t>(a.special + b.special);
    a.cycles += b.cycles;
    return a;
}

static constexpr dependence_chain distant_wait{.distant = 1}, nearby_wait{.nearby = 1};

static std::uint32_t whole_cycles(double x) noexcept { return static_cast<std::uint32_t>(std::lround(x)); }

// The spaces of an access, a bit each; none for constants and parameters, and for what is no access.
constexpr unsigned in_shared = 1, in_global = 2, in_local = 4;
static unsigned spaces_of(ptx::instruction const& i) noexcept {
    using enum instruction_kind;
    instruction_kind const kind = i.facts->profile.kind;
    bool const moves_tile = kind == matrix && (has(i, "load") || has(i, "store"));
    if (kind == texture) return in_global;
    if (kind != load && kind != store && kind != atomic && kind != reduction && !moves_tile) return 0;
    if (has(i, "param") || has(i, "const")) return 0;
    if (has(i, "global")) return in_global;
    if (has(i, "local")) return in_local;
    if (i.opcode == "ldmatrix" || i.opcode == "stmatrix") return in_shared;
    for (auto const m : i.modifiers)
        if (m.starts_with("shared")) return in_shared; // ::cta, ::cluster
    return in_shared | in_global;
}
static bool reads_memory(ptx::instruction const& i) noexcept { return ptx::result_of(i) != nullptr; }
static bool writes_memory(ptx::instruction const& i) noexcept {
    using enum instruction_kind;
    instruction_kind const kind = i.facts->profile.kind;
    return kind == store || kind == atomic || kind == reduction || has(i, "store");
}

dependence::dependence(ptx::function const& of, def_use const& flow, latency_traits const& latency,
                       std::vector<dependence_cost> const& costs)
    : of_{of},
      flow_{flow},
      latency_{latency},
      costs_{costs},
      chains_(of.instructions.size()),
      done_(of.instructions.size()) {
    auto const begins = find_blocks();
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        if (begins[i]) {
            if (i != 0) end();
            begin(i);
        }
        add(i);
    }
    if (!of_.instructions.empty()) end();
}

std::vector<bool> dependence::find_blocks() const {
    std::vector<bool> begins(of_.instructions.size() + 1);
    begins[0] = true;
    std::unordered_set<std::string_view> targets;
    bool any_label = false;
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        ptx::instruction const& branch = of_.instructions[i];
        begins[i + 1] = begins[i + 1] || branch.facts->control == ptx::control_effect::call;
        if (!ptx::is_branch(branch) || costs_[i].instructions == 0) continue;
        begins[i + 1] = true;
        if (branch.facts->control == ptx::control_effect::branch && !branch.operands.empty())
            targets.insert(branch.operands.front().text);
        else any_label = true;
    }
    for (auto const& label : of_.labels)
        if (label.instruction < begins.size() && (any_label || targets.contains(label.name)))
            begins[label.instruction] = true;
    return begins;
}

void dependence::begin(std::uint32_t i) {
    first_ = i;
    instructions_ = 0;
    longest_ = accessed_ = ordered_ = decided_ = copying_ = {};
    stored_.fill({});
    groups_.clear();
}

void dependence::end() {
    double const missing = instructions_ - length(longest_);
    if (missing > 0) longest_.cycles += whole_cycles(missing);
    chains_[first_] = longest_;
}

void dependence::add(std::uint32_t i) {
    using enum instruction_kind;
    ptx::instruction const& op = of_.instructions[i];
    instruction_kind const kind = op.facts->profile.kind;
    dependence_chain ready = decided_;
    auto const wait_for_writers = [&](std::uint32_t reader) {
        for (std::uint32_t const writer : flow_.writers(reader))
            if (writer >= first_ && writer < i) ready = longer(ready, done_[writer]);
    };
    wait_for_writers(i);
    if (costs_[i].predicated_by != def_use::nobody) wait_for_writers(costs_[i].predicated_by);
    instructions_ += costs_[i].instructions;

    if (kind == copy_async) return copy_asynchronously(i, ready);
    if (unsigned const where = spaces_of(op)) {
        ready = longer(ready, ordered_);
        for (unsigned s = 0; s < spaces; ++s)
            if ((where >> s & 1) != 0 && reads_memory(op) && !has(op, "nc")) ready = longer(ready, stored_[s]);
        accessed_ = longer(accessed_, ready);
        for (unsigned s = 0; s < spaces; ++s)
            if ((where >> s & 1) != 0 && writes_memory(op)) stored_[s] = longer(stored_[s], ready);
    } else if (op.facts->memory == ptx::memory_effect::orders) {
        ordered_ = ready = longer(longer(ready, accessed_), ordered_);
    }
    done_[i] = ready + latency_of(i);
    if (has_slow_way(op) && costs_[i].instructions != 0) decided_ = done_[i];
    longest_ = longer(longest_, done_[i]);
}

// What was copied is there after a wait for its group, which leaves so many of the latest under way.
void dependence::copy_asynchronously(std::uint32_t i, dependence_chain ready) {
    ptx::instruction const& op = of_.instructions[i];
    ready = longer(ready, ordered_);
    if (has(op, "commit_group")) {
        groups_.push_back(copying_);
        copying_ = {};
    } else if (has(op, "wait_group") || has(op, "wait_all")) {
        bool const all = has(op, "wait_all");
        if (all) groups_.push_back(copying_), copying_ = {};
        std::size_t const pending = all || op.operands.empty() ? 0 : static_cast<std::size_t>(op.operands.front().bits);
        dependence_chain arrived;
        for (std::size_t g = 0; g + pending < groups_.size(); ++g) arrived = longer(arrived, groups_[g]);
        if (pending == 0 && arrived == dependence_chain{}) arrived = ready + distant_wait; // of a block before
        ordered_ = longer(ready, arrived);
        groups_.clear();
    } else {
        accessed_ = longer(accessed_, ready);
        copying_ = longer(copying_, ready + distant_wait);
    }
    done_[i] = longer(ready, ordered_);
    longest_ = longer(longest_, done_[i]);
}

dependence_chain dependence::latency_of(std::uint32_t i) const noexcept {
    using enum instruction_kind;
    ptx::instruction const& op = of_.instructions[i];
    dependence_cost const& cost = costs_[i];
    instruction_kind const kind = op.facts->profile.kind;
    if (op.facts->control != ptx::control_effect::next) {
        bool const goes_on = !ptx::leaves(op) || (op.facts->control == ptx::control_effect::ret && !of_.is_entry);
        return {.cycles = goes_on && cost.instructions != 0 ? whole_cycles(latency_.branch) : 0};
    }
    if (unsigned const where = spaces_of(op)) {
        if (!reads_memory(op) || !cost.has_result) return {};
        return where == in_shared ? nearby_wait : distant_wait;
    }
    if (kind == load && has(op, "const") && cost.instructions != 0) return nearby_wait;
    if (cost.instructions == 0) return {};
    double const branch = has_slow_way(op) ? double{latency_.branch} : 0;
    auto const alike = [&](double latency) { return whole_cycles(latency * cost.instructions + branch); };
    if (kind == inter_thread)
        return cost.pipe == pipe::lsu ? nearby_wait : dependence_chain{.cycles = alike(latency_.vote)};
    switch (cost.pipe) {
        case pipe::alu:
        case pipe::fma: return {.cycles = alike(latency_.arithmetic)};
        case pipe::fp16: return {.cycles = alike(latency_.fp16)};
        case pipe::fp64: return {.cycles = alike(latency_.fp64)};
        case pipe::xu: { // the branch depends on the operands alone
            double const rest = latency_.arithmetic * (cost.instructions - 1);
            return {.special = 1, .cycles = whole_cycles((std::max)(rest, branch))};
        }
        case pipe::tensor:
            return {.cycles = whole_cycles(latency_.matrix + latency_.arithmetic * (cost.instructions - 1))};
        default: return {};
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
