// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the processor that the program runs on can do. Layer: above builtin.hpp, whose macros it makes functions of; apart from
// it, because scopes need none of them.
#ifndef GPUPROF_DETAIL_PROCESSOR_HPP
#define GPUPROF_DETAIL_PROCESSOR_HPP

#include "builtin.hpp"
#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether the processor multiplies and adds in one instruction, and functions can be had that use it.
[[nodiscard]] inline bool fuses_in_hardware() noexcept { return GPUPROF_FUSES_IN_HARDWARE; }

// Asks the processor to have what lies there at hand soon. A hint: any address will do.
inline void prefetch(void const* at) noexcept { GPUPROF_PREFETCH(at); }

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_PROCESSOR_HPP
