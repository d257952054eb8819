// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a compute capability as text.
#ifndef GPUPROF_CORE_COMPUTE_CAPABILITY_TEXT_HPP
#define GPUPROF_CORE_COMPUTE_CAPABILITY_TEXT_HPP

#include <string>

#include "../detail/config.hpp"
#include "compute_capability.hpp"

GPUPROF_NAMESPACE_BEGIN

// Returns "9.0", as NVIDIA writes it.
[[nodiscard]] inline std::string capability_text(compute_capability of) {
    return std::to_string(of.generation) + '.' + std::to_string(of.revision);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_COMPUTE_CAPABILITY_TEXT_HPP
