// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the machine instructions of a kernel from its machine code, where that is known.
#ifndef GPUPROF_SRC_SIM_SASS_MACHINE_COUNTS_HPP
#define GPUPROF_SRC_SIM_SASS_MACHINE_COUNTS_HPP

#include <span>

#include "../code/decoded.hpp"
#include "../code/kernel.hpp"
#include "estimate.hpp"
#include "../code/machine_listing.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Gives each basic block of a kernel as many instructions as the same block of the machine code has, and each loop that is unrolled there
// as many for its rounds. What the blocks do stays as estimated, and so does all that is not found again in the machine code.
// @param estimates of the kernel, and of the functions that it calls, which stay
// @return false if the texts differ too much, so that nothing is corrected
bool correct_by_machine_code(function_code const& code, machine_function const& machine,
                             std::span<sass_estimate> estimates);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_MACHINE_COUNTS_HPP
