// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line on a terminal that shows how far a long kernel is.
#ifndef GPUPROF_SRC_LIBCUDA_PROGRESS_LINE_HPP
#define GPUPROF_SRC_LIBCUDA_PROGRESS_LINE_HPP

#include <cstdint>

namespace gpuprof::driver_library {

// A listener for sim::listen_to_progress. Shows nothing before two seconds, and where standard error is no terminal.
// Thread-safe.
void show_progress(std::uint64_t ended, std::uint64_t ctas);

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_PROGRESS_LINE_HPP
