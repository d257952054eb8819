// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's rounds take besides what the PTX says, as ptxas 13.0 compiles loops for sm_90.
#include "estimate.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool is_access(ptx::instruction const& i) noexcept {
    auto const kind = i.facts->profile.kind;
    using enum instruction_kind;
    return (kind == load || kind == store || kind == atomic || kind == reduction) && has(i, "global");
}

// Whether the register is an address of global memory that the instruction accesses.
static bool accesses(ptx::instruction const& i, std::uint32_t pointer) {
    bool found = false;
    if (is_access(i))
        for (ptx::operand const& o : i.operands)
            if (o.kind == ptx::operand_kind::address)
                for_each_register(o, [&](std::uint32_t r) { found |= r == pointer; });
    return found;
}

// Whether it is to see what others have written meanwhile.
static bool sees_others(ptx::instruction const& i) noexcept {
    return has(i, "volatile") || has(i, "acquire") || has(i, "relaxed");
}

void sass_estimator::copy_pointers(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    for (loops::interval const& loop : loops_->all()) {
        if (loops_->innermost(loop.last) != &loop) continue;
        for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
            bool const steps = updates_itself(i) && text[i].opcode == "add" && is_wide(text[i]) && is_integer(text[i]);
            if (!steps || estimates[place_[i]].instructions < 2) continue;
            std::uint32_t const pointer = text[i].operands[0].index;
            auto const uses = std::count_if(text.begin() + loop.first, text.begin() + i,
                                            [=](ptx::instruction const& each) { return accesses(each, pointer); });
            auto const all = std::count_if(text.begin(), text.end(),
                                           [=](ptx::instruction const& each) { return accesses(each, pointer); });
            if (uses != 0 && uses <= 4 && uses == all) add_beside(estimates, i, uses <= 2 ? 2 : 1);
        }
    }
}

// Loops that ask again and again for what others write: how often is chance, and what is waited for goes on elsewhere.
void sass_estimator::find_spins(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    for (loops::interval const& loop : loops_->all()) {
        bool asks = false, does_more = loop.first == 0;
        for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
            instruction_kind const kind = text[i].facts->profile.kind;
            bool const loads = kind == instruction_kind::load;
            asks |= loads && sees_others(text[i]);
            does_more |= loads ? has(text[i], "shared")
                               : kind == instruction_kind::store || kind == instruction_kind::atomic ||
                                     kind == instruction_kind::reduction;
            does_more |= i != loop.last && text[i].facts->control != ptx::control_effect::next;
        }
        if (!asks || does_more) continue;
        sass_estimate& first = estimates[place_[loop.first]];
        first.spins = true;
        first.entered_from = static_cast<std::uint32_t>(place_[loop.first - 1] + 1);
    }
}

void sass_estimator::let_others_run(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    for (loops::interval const& loop : loops_->all()) {
        std::vector<std::uint32_t> reaches{loop.last};
        bool waits = false;
        for (std::size_t n = 0; n < reaches.size() && !waits; ++n)
            for (std::uint32_t const writer : flow_->writers(reaches[n])) {
                if (!loop.has(writer) || std::find(reaches.begin(), reaches.end(), writer) != reaches.end()) continue;
                auto const kind = text[writer].facts->profile.kind;
                waits |= kind == instruction_kind::atomic || sees_others(text[writer]);
                if (kind != instruction_kind::load) reaches.push_back(writer);
            }
        if (waits) add_beside(estimates, loop.last, 1);
    }
}

std::uint32_t sass_estimator::parameter_added(std::uint32_t i) const {
    auto const& text = from_->instructions;
    if (text[i].opcode != "add" || !is_wide(text[i])) return def_use::nobody;
    for (std::uint32_t const writer : flow_->writers(i)) {
        std::uint32_t const loads = text[writer].opcode == "cvta" && flow_->writers(writer).size() == 1
                                        ? flow_->writers(writer).front()
                                        : writer;
        if (text[loads].opcode == "ld" && has(text[loads], "param")) return loads;
    }
    return def_use::nobody;
}

bool sass_estimator::is_only_base(std::uint32_t i) const {
    loops::interval const* const loop = loops_->innermost(i);
    std::uint32_t const base = parameter_added(i);
    if (loop == nullptr || base == def_use::nobody || !is_one_block(*loop)) return false;
    unsigned uses = 0, loads = 0;
    for (std::uint32_t each = loop->first; each <= loop->last; ++each) {
        ptx::instruction const& op = from_->instructions[each];
        loads += op.opcode == "ld" && has(op, "global");
        std::uint32_t const other = parameter_added(each);
        if (other != def_use::nobody && other != base) return false;
        uses += other == base;
    }
    return uses <= 2 && loads >= 4;
}

bool sass_estimator::updates_itself(std::uint32_t i) const {
    ptx::instruction const& op = from_->instructions[i];
    if (op.operands.size() < 2 || op.operands[0].kind != ptx::operand_kind::reg) return false;
    if (loops_->innermost(i) == nullptr) return false;
    return std::any_of(op.operands.begin() + 1, op.operands.end(), [&](ptx::operand const& o) {
        return o.kind == ptx::operand_kind::reg && o.index == op.operands[0].index;
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
