// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the command's libraries are: beside it, in the build tree and where it is installed.
#ifndef GPUPROF_SRC_COMMAND_LIBRARIES_HPP
#define GPUPROF_SRC_COMMAND_LIBRARIES_HPP

#include <string>

namespace gpuprof::command {

// The folder of the embedded GPU's libcuda.so.1 and libcudart. Refuses if there is none.
[[nodiscard]] std::string embedded_libraries();

// The library that traces or measures a program. Refuses if there is none.
[[nodiscard]] std::string injection_library();

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_LIBRARIES_HPP
