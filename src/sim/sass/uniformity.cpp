// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "uniformity.hpp"

#include <cstdint>
#include <string_view>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool is_of_block(std::string_view special) noexcept {
    return special.starts_with("ctaid") || special.starts_with("nctaid") || special.starts_with("ntid");
}

uniformity::uniformity(ptx::function const& of) : differs_(of.registers.size()) {
    if (!of.is_entry) differs_.assign(of.registers.size(), true); // its arguments may
    for (bool grows = of.is_entry; grows;) {
        grows = false;
        for (ptx::instruction const& i : of.instructions) {
            ptx::operand const* const result = ptx::result_of(i);
            if (result == nullptr || gives_one_value(of, i)) continue;
            for_each_register(*result, [&](std::uint32_t r) {
                grows |= !differs_[r];
                differs_[r] = true;
            });
        }
    }
}

bool uniformity::gives_one_value(ptx::function const& of, ptx::instruction const& i) const noexcept {
    bool const reads_memory = i.facts->profile.kind == instruction_kind::load;
    if (reads_memory && !has(i, "const") && !(of.is_entry && has(i, "param"))) return false;
    if (!reads_memory &&
        (i.facts->executor == ptx::executed_by::warp || i.facts->memory != ptx::memory_effect::untouched))
        return false;
    if (i.facts->profile.kind == instruction_kind::texture || i.facts->control != ptx::control_effect::next)
        return false;
    bool one = i.guard == ptx::instruction::no_guard || !differs_[i.guard];
    ptx::operand const* const result = ptx::result_of(i);
    for (ptx::operand const& o : i.operands) {
        if (o.kind == ptx::operand_kind::special) one &= is_of_block(o.text);
        if (&o != result) for_each_register(o, [&](std::uint32_t r) { one &= !differs_[r]; });
    }
    return one;
}

} // namespace sim
GPUPROF_NAMESPACE_END
