// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranges of NVTX in which a program launches kernels.
#ifndef GPUPROF_SRC_LIBCUDA_NVTX_RANGES_HPP
#define GPUPROF_SRC_LIBCUDA_NVTX_RANGES_HPP

#include <string>
#include <vector>

namespace gpuprof::driver_library {

// The paths of all ranges that the calling thread pushed and did not pop, outer ones first: "epoch", "epoch/step"; in a domain of
// the program's own with its name before, "loader:batch". Then the names of the ranges that any thread started and none ended.
// Empty unless NVTX_INJECTION64_PATH names this library and the settings ask for rows by ranges. Thread-safe; also in exit handlers.
[[nodiscard]] std::vector<std::string> open_ranges();

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_NVTX_RANGES_HPP
