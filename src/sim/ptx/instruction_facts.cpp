// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instruction_facts.hpp"

#include "modifiers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

operand const* result_of(instruction const& i) noexcept {
    if (i.operands.empty()) return nullptr;
    operand const& first = i.operands.front();
    bool writes = false;
    switch (i.facts->result) {
        case result_operand::nothing: break;
        case result_operand::first:
        case result_operand::updated: writes = true; break;
        case result_operand::if_reg: writes = first.kind != operand_kind::address; break;
        case result_operand::if_red: writes = has(i, "red"); break;
        case result_operand::if_list: writes = first.kind == operand_kind::list; break;
    }
    return writes ? &first : nullptr;
}

bool may_change_shared(instruction const& i) noexcept {
    bool const elsewhere = has(i, "global") || has(i, "local") || has(i, "param");
    switch (i.facts->memory) {
        case memory_effect::untouched: return false;
        case memory_effect::stores: return !elsewhere;
        case memory_effect::may_store: return has(i, "store") && !elsewhere;
        case memory_effect::orders: return true;
    }
    return true;
}

bool is_indivisible(instruction const& i) noexcept {
    return i.facts->control != control_effect::next || i.facts->executor == executed_by::warp;
}

bool is_branch(instruction const& i) noexcept {
    return i.facts->control == control_effect::branch || i.facts->control == control_effect::indexed;
}

bool leaves(instruction const& i) noexcept {
    return i.facts->control == control_effect::ret || i.facts->control == control_effect::exit;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
