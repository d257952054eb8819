// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds where the sides of each branch of a function meet again.
#ifndef GPUPROF_SRC_SIM_DECODE_CONTROL_FLOW_HPP
#define GPUPROF_SRC_SIM_DECODE_CONTROL_FLOW_HPP

#include "../code/kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Sets where the sides of each branch meet again: at the immediate post-dominator of the branch,
// found by the iterative algorithm over basic blocks (Cooper, Harvey, Kennedy: "A simple, fast
// dominance algorithm") on the reversed graph. Near linear for compilers' code.
//
// A function may have several exits. A block that leads to several of them counts as leading to the
// last one in the text, and to a trap or a failed assertion only if there is nothing else: lanes that leave earlier are
// gone and need not be waited for, so the others meet where they would meet without that exit. A
// part that does not lead to the last exit has a last one of its own, and its blocks meet there. A
// jump to a return is an exit, too; one with a condition counts only where nothing else leads out.
void find_reconvergence(function_code& f);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_CONTROL_FLOW_HPP
