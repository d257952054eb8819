// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "approximate_use.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

bool is_approximate(ptx::instruction const& i) noexcept {
    constexpr std::array<std::string_view, 9> functions{"cos", "ex2",  "lg2",   "mma", "rsqrt",
                                                        "sin", "tanh", "wgmma", "wmma"};
    constexpr std::array<std::string_view, 9> places{
        "clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi", "smid", "warpid", "gridid"};
    if (std::find(functions.begin(), functions.end(), i.opcode) != functions.end()) {
        bool const is_matrix = i.opcode == "mma" || i.opcode == "wmma" || i.opcode == "wgmma";
        return !is_matrix || (!has(i, "s32") && !has(i, "b1") && !has(i, "load") && !has(i, "store"));
    }
    if (has(i, "approx") || has(i, "full")) return true; // div, rcp, sqrt
    if (i.opcode != "mov" || i.operands.size() < 2 || i.operands[1].kind != ptx::operand_kind::special) return false;
    return std::find(places.begin(), places.end(), i.operands[1].text) != places.end();
}

std::vector<approximate_use> approximate_uses(ptx::function const& of) {
    std::vector<ptx::instruction const*> source(of.registers.size()); // by register: what made it approximate
    auto const each_register = [](ptx::operand const& o, auto const& f) {
        if (o.kind == ptx::operand_kind::reg) f(o.index);
        for (ptx::operand const& element : o.elements) {
            if (element.kind == ptx::operand_kind::reg) f(element.index);
            for (ptx::operand const& inner : element.elements)
                if (inner.kind == ptx::operand_kind::reg) f(inner.index);
        }
    };
    auto const reads_memory = [](ptx::instruction const& i) {
        return std::any_of(i.operands.begin(), i.operands.end(),
                           [](ptx::operand const& o) { return o.kind == ptx::operand_kind::address; });
    };
    auto const source_of = [&](ptx::instruction const& i, bool addresses) {
        ptx::instruction const* found = nullptr;
        ptx::operand const* const result = ptx::result_of(i);
        for (ptx::operand const& o : i.operands)
            if (&o != result && (!addresses || o.kind == ptx::operand_kind::address))
                each_register(o, [&](std::uint32_t r) {
                    if (found == nullptr) found = source[r];
                });
        return found;
    };
    bool grows = true;
    while (grows) {
        grows = false;
        for (ptx::instruction const& i : of.instructions) {
            ptx::operand const* const result = ptx::result_of(i);
            if (result == nullptr) continue;
            ptx::instruction const* from = is_approximate(i) ? &i : reads_memory(i) ? nullptr : source_of(i, false);
            if (from == nullptr && i.guard != ptx::instruction::no_guard) from = source[i.guard];
            if (from == nullptr) continue;
            each_register(*result, [&](std::uint32_t r) {
                if (source[r] == nullptr) {
                    source[r] = from;
                    grows = true;
                }
            });
        }
    }
    std::vector<approximate_use> uses;
    for (ptx::instruction const& i : of.instructions) {
        if (i.facts->control == ptx::control_effect::branch || i.facts->control == ptx::control_effect::indexed) {
            ptx::instruction const* from = i.guard != ptx::instruction::no_guard ? source[i.guard] : nullptr;
            if (from == nullptr) from = source_of(i, false); // the index of brx
            if (from != nullptr) uses.push_back({from, &i, false});
        } else if (ptx::instruction const* const from = source_of(i, true)) {
            uses.push_back({from, &i, true});
        }
    }
    return uses;
}

} // namespace sim
GPUPROF_NAMESPACE_END
