// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second file that includes gpuprof.
#include <string>

#include <gpuprof/gpuprof.hpp>

std::string version_in_other_file() {
    return std::to_string(GPUPROF_VERSION_MAJOR) + '.' + std::to_string(GPUPROF_VERSION_MINOR) + '.' +
           std::to_string(GPUPROF_VERSION_PATCH);
}
