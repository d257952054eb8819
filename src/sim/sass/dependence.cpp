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
#include "operand_registers.hpp"

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

dependence::dependence(ptx::function const& of, latency_traits const& latency,
                       std::vector<dependence_cost> const& costs, std::vector<unrolled_loop> const& unrolled)
    : of_{of},
      latency_{latency},
      costs_{costs},
      chains_(of.instructions.size()),
      of_rounds_(of.instructions.size()),
      written_(of.registers.size()) {
    auto const begins = find_blocks();
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        if (begins[i]) {
            begin();
            first = i;
        }
        add(i);
        if (begins[i + 1] || i + 1 == of_.instructions.size()) chains_[first] = end();
    }
    for (unrolled_loop const& loop : unrolled)
        if (std::find(begins.begin() + loop.text.first + 1, begins.begin() + loop.text.last + 1, true) ==
            begins.begin() + loop.text.last + 1)
            of_rounds_[loop.text.first] = rounds_of(loop);
}

// What counts stands there once. ptxas has some ten loads under way (page-rank of HeCBench: of 16 it asks for 12, then for 4; bgmv: of
// 32 for 6, 2 and 8 ...).
dependence_chain dependence::rounds_of(unrolled_loop const& loop) {
    constexpr unsigned under_way = 10;
    unsigned loads = 0;
    begin();
    for (unsigned round = 1; round <= unrolled_loop::at_once; ++round)
        for (std::uint32_t i = loop.text.first; i <= loop.text.last; ++i)
            if (round == unrolled_loop::at_once ||
                std::find(loop.counting.begin(), loop.counting.end(), i) == loop.counting.end()) {
                add(i);
                loads += latency_of(i).distant;
            }
    dependence_chain rounds = end();
    unsigned const one_by_one = unrolled_loop::at_once * chains_[loop.text.first].distant;
    unsigned const in_turns = (std::min)((loads + under_way - 1) / under_way, one_by_one);
    rounds.distant = (std::max)(rounds.distant, static_cast<std::uint16_t>(in_turns));
    return rounds;
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

void dependence::begin() {
    instructions_ = 0;
    for (std::uint32_t const r : registers_) written_[r] = {};
    registers_.clear();
    longest_ = issued_ = accessed_ = ordered_ = decided_ = copying_ = {};
    stored_.fill({});
    groups_.clear();
}

dependence_chain dependence::end() {
    double const missing = instructions_ - length(longest_);
    if (missing > 0) longest_.cycles += whole_cycles(missing);
    return longest_;
}

dependence_chain dependence::read_by(std::uint32_t i) const {
    dependence_chain ready;
    for_each_read_register(of_.instructions[i], [&](std::uint32_t r) { ready = longer(ready, written_[r]); });
    return ready;
}

void dependence::write(std::uint32_t i, dependence_chain const& done) {
    if (ptx::operand const* const result = ptx::result_of(of_.instructions[i]))
        for_each_register(*result, [&](std::uint32_t r) {
            written_[r] = done;
            registers_.push_back(r);
        });
    longest_ = longer(longest_, done);
}

void dependence::add(std::uint32_t i) {
    using enum instruction_kind;
    ptx::instruction const& op = of_.instructions[i];
    instruction_kind const kind = op.facts->profile.kind;
    dependence_chain ready = longer(decided_, read_by(i));
    if (costs_[i].predicated_by != def_use::nobody) ready = longer(ready, read_by(costs_[i].predicated_by));
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
    dependence_chain const latency = latency_of(i);
    dependence_chain done = ready + latency;
    if (op.facts->control != ptx::control_effect::next && latency.cycles != 0)
        done = longer(done, issued_ + dependence_chain{.cycles = whole_cycles(latency_.jump)});
    issued_ = longer(issued_, ready);
    if (has_slow_way(op) && costs_[i].instructions != 0) decided_ = done;
    write(i, done);
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
    issued_ = longer(issued_, ready);
    write(i, longer(ready, ordered_));
}

dependence_chain dependence::latency_of(std::uint32_t i) const noexcept {
    using enum instruction_kind;
    ptx::instruction const& op = of_.instructions[i];
    dependence_cost const& cost = costs_[i];
    instruction_kind const kind = op.facts->profile.kind;
    if (op.facts->control != ptx::control_effect::next) {
        bool const goes_on = !ptx::leaves(op) || (op.facts->control == ptx::control_effect::ret && !of_.is_entry);
        if (!goes_on || cost.instructions == 0) return {};
        bool const meets = op.facts->control == ptx::control_effect::branch && cost.instructions > 1; // BSSY, BSYNC
        bool const returns = op.facts->control == ptx::control_effect::ret;
        double const more = meets ? latency_.meeting : returns ? latency_.ret : given<double>{0};
        return {.cycles = whole_cycles(latency_.branch + more)};
    }
    if (unsigned const where = spaces_of(op)) {
        if (!reads_memory(op) || !cost.has_result) return {};
        return where == in_shared ? nearby_wait : distant_wait;
    }
    if (kind == load && has(op, "const") && cost.instructions != 0) return nearby_wait;
    if (cost.instructions == 0) return {};
    double const branch = has_slow_way(op) ? double{latency_.branch} : 0;
    special_part const inside = cost.has_special_part ? special_part_of(op) : special_part{};
    unsigned const steps = cost.instructions - std::min<unsigned>(inside.aside, cost.instructions);
    auto const alike = [&](double latency) { return whole_cycles(latency * steps + branch); };
    if (kind == inter_thread)
        return cost.pipe == pipe::lsu ? nearby_wait : dependence_chain{.cycles = alike(latency_.vote)};
    switch (cost.pipe) {
        case pipe::alu:
        case pipe::fma: return {.special = inside.waits, .cycles = alike(latency_.arithmetic)};
        case pipe::fp16: return {.cycles = alike(latency_.fp16)};
        case pipe::fp64: { // of a sequence, the conversions and the test of its operands are arithmetic of words
            expansion const sequence = expansion_of(op);
            auto const doubles = static_cast<unsigned>(sequence.dadd + sequence.dmul + sequence.dfma);
            if (doubles == 0) return {.cycles = alike(latency_.fp64)};
            double const words = latency_.arithmetic * (steps - std::min(doubles, steps));
            return {.cycles = whole_cycles(latency_.fp64 * std::min(doubles, steps) + words + branch)};
        }
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
