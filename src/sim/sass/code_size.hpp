// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the size of a kernel's machine code.
#ifndef GPUPROF_SRC_SIM_SASS_CODE_SIZE_HPP
#define GPUPROF_SRC_SIM_SASS_CODE_SIZE_HPP

#include <cstdint>
#include <span>

#include "../code/kernel.hpp"
#include "estimate.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The size in bytes.
// @param estimates of all functions of the kernel
[[nodiscard]] std::uint64_t code_bytes(kernel const& k, std::span<sass_estimate const> estimates);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_CODE_SIZE_HPP
