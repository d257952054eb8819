// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that an operand names.
#ifndef GPUPROF_SRC_SIM_SASS_OPERAND_REGISTERS_HPP
#define GPUPROF_SRC_SIM_SASS_OPERAND_REGISTERS_HPP

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Calls f with the number of each, those of an address or a vector as well.
template <class F>
void for_each_register(ptx::operand const& o, F const& f) {
    if (o.kind == ptx::operand_kind::reg) f(o.index);
    for (auto const& element : o.elements) for_each_register(element, f);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_OPERAND_REGISTERS_HPP
