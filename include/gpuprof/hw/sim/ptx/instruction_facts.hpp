// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terms in which instruction_set.hpp describes an instruction. Layer: embedded GPU, front end.
#ifndef GPUPROF_HW_SIM_PTX_INSTRUCTION_FACTS_HPP
#define GPUPROF_HW_SIM_PTX_INSTRUCTION_FACTS_HPP

#include <cstdint>     // costs
#include <string_view> // opcodes

#include "instruction_class.hpp"
#include "instruction_cost.hpp"
#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// The operand that an instruction writes. It reads all others.
enum class result_operand : std::uint8_t {
    nothing,
    first,  // a register, a vector of registers or d|p
    if_reg, // the first operand, in forms where that is no address
    if_red, // the first operand of the form .red
    if_list // the first operand where it is a list
};

// Where a thread goes after the instruction.
enum class control_effect : std::uint8_t { next, branch, indexed, call, ret, exit, trap };

// Who executes it: each lane for itself, or the warp as one, so that no predicate may keep single lanes out.
enum class executed_by : std::uint8_t { lane, warp };

// What it does to memory that another instruction of the thread reads.
enum class memory_effect : std::uint8_t {
    untouched,
    stores,    // to the space it names; to any if it names none
    may_store, // so does its form .store
    orders     // what other threads stored may be seen after it
};

// What ptxas makes one instruction of with another of its kind.
enum class fusion : std::uint8_t { alone, sum, logic, sign };

// Everything about an opcode but its decoder. The cost has no default, so a row that ends early does not compile.
struct instruction_facts {
    std::string_view opcode;
    result_operand result;
    control_effect control;
    executed_by executor;
    memory_effect memory;
    instruction_class profile;
    ptx::fusion fusion;
    sass_cost cost;
};

// The operand that this instruction writes, null for none.
[[nodiscard]] inline operand const* result_of(instruction const& i) noexcept {
    if (i.operands.empty()) return nullptr;
    operand const& first = i.operands.front();
    bool writes = false;
    switch (i.facts->result) {
        case result_operand::nothing: break;
        case result_operand::first: writes = true; break;
        case result_operand::if_reg: writes = first.kind != operand_kind::address; break;
        case result_operand::if_red: writes = has(i, "red"); break;
        case result_operand::if_list: writes = first.kind == operand_kind::list; break;
    }
    return writes ? &first : nullptr;
}

// Whether a later load from shared memory may read something else than an earlier one did.
[[nodiscard]] inline bool may_change_shared(instruction const& i) noexcept {
    bool const elsewhere = has(i, "global") || has(i, "local") || has(i, "param");
    switch (i.facts->memory) {
        case memory_effect::untouched: return false;
        case memory_effect::stores: return !elsewhere;
        case memory_effect::may_store: return has(i, "store") && !elsewhere;
        case memory_effect::orders: return true;
    }
    return true;
}

// Whether a branch around it cannot become a predicate on it.
[[nodiscard]] inline bool is_indivisible(instruction const& i) noexcept {
    return i.facts->control != control_effect::next || i.facts->executor == executed_by::warp;
}
[[nodiscard]] inline bool is_branch(instruction const& i) noexcept {
    return i.facts->control == control_effect::branch || i.facts->control == control_effect::indexed;
}
// Whether its threads end here or go back to who called.
[[nodiscard]] inline bool leaves(instruction const& i) noexcept {
    return i.facts->control == control_effect::ret || i.facts->control == control_effect::exit;
}

// SASS instructions it takes by itself.
[[nodiscard]] inline std::uint16_t sass_instruction_count(instruction const& i) noexcept { return i.facts->cost(i); }

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_INSTRUCTION_FACTS_HPP
