// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which PTX instructions make conditions or join them, and which logic is of integers.
#ifndef GPUPROF_SRC_SIM_SASS_CONDITIONS_HPP
#define GPUPROF_SRC_SIM_SASS_CONDITIONS_HPP

#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

[[nodiscard]] inline bool is_number(ptx::operand const& o) noexcept {
    return o.kind == ptx::operand_kind::integer || o.kind == ptx::operand_kind::single ||
           o.kind == ptx::operand_kind::real;
}

[[nodiscard]] inline bool compares_with_zero(ptx::instruction const& i) noexcept {
    return i.opcode == "setp" && is_integer(i) && i.operands.size() == 3 &&
           i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits == 0;
}

[[nodiscard]] inline bool is_integer_logic(ptx::instruction const& i) noexcept {
    return i.facts->fusion == ptx::fusion::logic && !ptx::has(i, "pred");
}

// A logic operation of predicates.
[[nodiscard]] inline bool joins_predicates(ptx::instruction const& i) noexcept {
    return i.facts->fusion == ptx::fusion::logic && ptx::has(i, "pred");
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_CONDITIONS_HPP
