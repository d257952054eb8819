// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that an operand names, and those that an instruction reads.
#ifndef GPUPROF_SRC_SIM_SASS_OPERAND_REGISTERS_HPP
#define GPUPROF_SRC_SIM_SASS_OPERAND_REGISTERS_HPP

#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Calls f with the number of each, those of an address or a vector as well.
template <class F>
void for_each_register(ptx::operand const& o, F const& f) {
    if (o.kind == ptx::operand_kind::reg) f(o.index);
    for (auto const& element : o.elements) for_each_register(element, f);
}

// Calls f with the number of each register that it reads: its guard first, then by operands; one that it reads twice, twice.
template <class F>
void for_each_read_register(ptx::instruction const& i, F const& f) {
    if (i.guard != ptx::instruction::no_guard) f(i.guard);
    ptx::operand const* const result = ptx::result_of(i);
    for (ptx::operand const& o : i.operands)
        if (&o != result || ptx::reads_result(i)) for_each_register(o, f);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_OPERAND_REGISTERS_HPP
