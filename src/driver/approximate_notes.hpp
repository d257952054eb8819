// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what hardware computes with other last bits decided where a program went.
#ifndef GPUPROF_DRIVER_APPROXIMATE_NOTES_HPP
#define GPUPROF_DRIVER_APPROXIMATE_NOTES_HPP

#include <string> // the notes

namespace gpuprof::driver_library {

// From now on each kernel that runs is looked at, once. Called once, before the first kernel.
void begin_approximate_notes();

// A line for each kernel in which an approximate value decides a branch or an address, empty for none.
[[nodiscard]] std::string approximate_notes();

} // namespace gpuprof::driver_library

#endif // GPUPROF_DRIVER_APPROXIMATE_NOTES_HPP
