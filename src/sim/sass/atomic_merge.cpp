// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic_merge.hpp"

#include <cstdint>
#include <string_view>

#include "../ptx/instruction_facts.hpp"
#include "if_conversion.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool is_number(ptx::operand const& o, std::uint64_t value) noexcept {
    return o.kind == ptx::operand_kind::integer && o.bits == value;
}

bool atomic_merge::is_reduction(std::uint32_t i) const noexcept {
    ptx::instruction const& atomic = of_.instructions[i];
    if (atomic.operands.empty() || has(atomic, "exch") || has(atomic, "cas") || is_half(atomic)) return false;
    ptx::operand const& to = atomic.operands.front();
    bool const is_generic = !has(atomic, "global") && !has(atomic, "shared") && !has(atomic, "shared::cta") &&
                            !has(atomic, "shared::cluster");
    return to.kind != ptx::operand_kind::reg || (!flow_.is_read(to.index) && !is_generic);
}

bool atomic_merge::is_half(ptx::instruction const& i) noexcept {
    return has(i, "f16") || has(i, "f16x2") || has(i, "bf16") || has(i, "bf16x2");
}

lane_merge atomic_merge::merge(std::uint32_t i) const noexcept {
    ptx::instruction const& atomic = of_.instructions[i];
    if (combines_lanes(i) && is_uniform_address(atomic))
        return is_of_one_thread(i) ? lane_merge::none : lane_merge::elects;
    bool const adds_one =
        has(atomic, "add") && is_integer(atomic) && !is_wide(atomic) && is_number(atomic.operands.back(), 1);
    return has(atomic, "shared") && adds_one && is_reduction(i) ? lane_merge::increments : lane_merge::none;
}

std::uint16_t atomic_merge::instructions(std::uint32_t i) const noexcept {
    ptx::instruction const& atomic = of_.instructions[i];
    if (is_wide(atomic)) return is_reduction(i) ? 12 : 20;
    bool const one = is_number(atomic.operands.back(), 1);
    if (is_reduction(i)) return one ? 6 : 7;
    return one ? 11 : 13;
}

bool atomic_merge::combines_lanes(std::uint32_t i) const noexcept {
    ptx::instruction const& atomic = of_.instructions[i];
    if (!is_integer(atomic) || has(atomic, "cas") || has(atomic, "exch")) return false;
    bool const by_constant = atomic.operands.back().kind == ptx::operand_kind::integer;
    bool const adds = has(atomic, "add");
    if (is_wide(atomic) || !is_reduction(i)) return adds && by_constant;
    return adds || has(atomic, "min") || has(atomic, "max") || has(atomic, "and") || has(atomic, "or") ||
           has(atomic, "xor");
}

bool atomic_merge::is_uniform_address(ptx::instruction const& i) const noexcept {
    for (ptx::operand const& o : i.operands)
        if (o.kind == ptx::operand_kind::address)
            return o.elements.empty() || o.elements.front().kind != ptx::operand_kind::reg ||
                   uniform_.is_uniform(o.elements.front().index);
    return false;
}

bool atomic_merge::is_of_one_thread(std::uint32_t i) const noexcept {
    if_conversion const branches{of_};
    for (std::uint32_t b = 0; b < i; ++b) {
        if (branches.forward_target(b) <= i) continue;
        ptx::instruction const& branch = of_.instructions[b];
        std::uint32_t const writer = flow_.writer_of(b, branch.guard);
        if (writer == def_use::nobody) continue;
        ptx::instruction const& compares = of_.instructions[writer];
        bool const others_leave = has(compares, branch.guard_negated ? "eq" : "ne");
        if (compares.opcode != "setp" || !others_leave || compares.operands[1].kind != ptx::operand_kind::reg) continue;
        std::uint32_t const place = flow_.writer_of(writer, compares.operands[1].index);
        if (place != def_use::nobody && of_.instructions[place].opcode == "mov" &&
            of_.instructions[place].operands[1].text.starts_with("tid"))
            return true;
    }
    return false;
}

} // namespace sim
GPUPROF_NAMESPACE_END
