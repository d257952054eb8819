// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels have the instructions of their machine code, where one asks for that. The table of kernels, which calls these
// functions, lets one thread at a time do so.
#ifndef GPUPROF_SRC_LIBCUDA_MACHINE_CODE_NOTES_HPP
#define GPUPROF_SRC_LIBCUDA_MACHINE_CODE_NOTES_HPP

#include <string>

#include "../sim/chip/chip_model.hpp"
#include "../sim/code/kernel.hpp"

namespace gpuprof::driver_library {

// Looks at a kernel that ran, if it is the first time.
void note_instructions(sim::kernel const& of, sim::chip_model const& chip);

// A line with the number of kernels of either kind.
[[nodiscard]] std::string machine_code_notes();

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_MACHINE_CODE_NOTES_HPP
