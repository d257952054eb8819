// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and differences that ptxas does not compute, because their parts can be compared in their place.
#ifndef GPUPROF_SRC_SIM_SASS_COMPARED_SUM_HPP
#define GPUPROF_SRC_SIM_SASS_COMPARED_SUM_HPP

#include <cstdint>
#include <span>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whether ptxas may compute the instruction in another order or not at all: it has no rounding or range of its own.
[[nodiscard]] bool may_be_rearranged(ptx::instruction const& i) noexcept;

// Whether it is a sum or a difference of single precision of which nothing but comparisons with 0 is made, in the same part of a block,
// that are those of its parts, also where both are infinite.
// @param parts see undivided_parts
[[nodiscard]] bool is_merely_compared(ptx::function const& of, def_use const& flow,
                                      std::span<std::uint32_t const> parts, std::uint32_t i);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_COMPARED_SUM_HPP
