// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of the table of kernels.
#ifndef GPUPROF_SRC_LIBCUDA_TABLE_FILE_HPP
#define GPUPROF_SRC_LIBCUDA_TABLE_FILE_HPP

#include <string>
#include <string_view>

namespace gpuprof::driver_library {

// Replaces the file, or goes on after its end. A part that does not fit is taken away again.
// @return 0, or the system's error number
[[nodiscard]] int write_table(std::string const& path, std::string_view text, bool appends) noexcept;

// Whether the first line of the file is that one.
[[nodiscard]] bool begins_with_line(std::string const& path, std::string_view line);

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_TABLE_FILE_HPP
