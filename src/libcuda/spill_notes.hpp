// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of spilled registers, which the embedded GPU does not see. The table of kernels, which calls these functions,
// lets one thread at a time do so.
#ifndef GPUPROF_SRC_LIBCUDA_SPILL_NOTES_HPP
#define GPUPROF_SRC_LIBCUDA_SPILL_NOTES_HPP

#include <string>

#include "../sim/code/kernel.hpp"

namespace gpuprof::driver_library {

// Reads the machine code that a program has beside its PTX.
void note_machine_code(void const* image);

// Looks at a kernel that ran, if it is the first time.
void note_stack(sim::kernel const& of);

// A sentence without an end: which kernels have more stack in machine code than their arrays take, or that nobody knows.
[[nodiscard]] std::string spill_notes();

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_SPILL_NOTES_HPP
