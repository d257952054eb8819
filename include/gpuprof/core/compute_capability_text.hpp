// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compute capability as a text. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_CORE_COMPUTE_CAPABILITY_TEXT_HPP
#define GPUPROF_CORE_COMPUTE_CAPABILITY_TEXT_HPP

#include <string> // texts

#include "../detail/config.hpp"
#include "compute_capability.hpp"

GPUPROF_NAMESPACE_BEGIN

// "9.0", as NVIDIA writes it.
GPUPROF_LAZY [[nodiscard]] std::string capability_text(compute_capability of) {
    return std::to_string(of.generation) + '.' + std::to_string(of.revision);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_COMPUTE_CAPABILITY_TEXT_HPP
