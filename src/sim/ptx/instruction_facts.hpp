// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terms in which instruction_set.hpp describes an instruction.
#ifndef GPUPROF_SRC_SIM_PTX_INSTRUCTION_FACTS_HPP
#define GPUPROF_SRC_SIM_PTX_INSTRUCTION_FACTS_HPP

#include <cstdint>
#include <string_view>

#include "instruction_class.hpp"
#include "instruction_cost.hpp"
#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// The operand that an instruction writes. It reads all others, and that of an accumulator.
enum class result_operand : std::uint8_t {
    nothing,
    first,   // a register, a vector of registers or d|p
    updated, // the same, and it is read, too
    if_reg,  // the first operand, in forms where that is no address
    if_red,  // the first operand of the form .red
    if_list  // the first operand where it is a list
};

// Where a thread goes after the instruction.
enum class control_effect : std::uint8_t { next, branch, indexed, call, ret, exit, trap };

// Who executes the instruction: each lane for itself, or the warp as one, so that no predicate may
// keep single lanes out.
enum class executed_by : std::uint8_t { lane, warp };

// What the instruction does to memory that another instruction of the thread reads.
enum class memory_effect : std::uint8_t {
    untouched,
    stores,    // to the space it names; to any if it names none
    may_store, // so does its form .store
    orders     // what other threads stored may be seen after it
};

// How ptxas joins two instructions of a kind into one.
enum class fusion : std::uint8_t { alone, sum, logic, sign };

// Everything about an opcode but its decoder. The cost has no default, so a row that ends early
// does not compile.
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
[[nodiscard]] operand const* result_of(instruction const& i) noexcept;

// Whether it reads the operand that it writes.
[[nodiscard]] inline bool reads_result(instruction const& i) noexcept {
    return i.facts->result == result_operand::updated;
}

// Whether a later load from shared memory may read something else than an earlier one did.
[[nodiscard]] bool may_change_shared(instruction const& i) noexcept;

// Whether a branch around it cannot become a predicate on it.
[[nodiscard]] bool is_indivisible(instruction const& i) noexcept;
[[nodiscard]] bool is_branch(instruction const& i) noexcept;
// Whether its threads end here or go back to who called.
[[nodiscard]] bool leaves(instruction const& i) noexcept;

// The number of SASS instructions it takes by itself.
[[nodiscard]] inline std::uint16_t sass_instruction_count(instruction const& i) noexcept { return i.facts->cost(i); }

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_INSTRUCTION_FACTS_HPP
