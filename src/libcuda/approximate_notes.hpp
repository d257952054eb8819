// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what hardware computes with other last bits decided where a program went. The table of kernels, which calls these
// functions, lets one thread at a time do so.
#ifndef GPUPROF_SRC_LIBCUDA_APPROXIMATE_NOTES_HPP
#define GPUPROF_SRC_LIBCUDA_APPROXIMATE_NOTES_HPP

#include <string>

#include "../sim/code/kernel.hpp"

namespace gpuprof::driver_library {

// Looks at a kernel that ran, if it is the first time.
void note_approximate_values(sim::kernel const& of);

// A line for each kernel in which an approximate value decides a branch or an address, empty for none.
[[nodiscard]] std::string approximate_notes();

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_APPROXIMATE_NOTES_HPP
