// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features of the processor that the program runs on: functions for macros of builtin.hpp. A file
// of its own, since scopes do not need it.
#ifndef GPUPROF_DETAIL_PROCESSOR_HPP
#define GPUPROF_DETAIL_PROCESSOR_HPP

#include "builtin.hpp"
#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether the processor has fused multiply-add, and functions can be compiled for it.
[[nodiscard]] inline bool fuses_in_hardware() noexcept { return GPUPROF_FUSES_IN_HARDWARE; }

// Prefetches memory into the cache. A hint: any address will do.
inline void prefetch(void const* at) noexcept { GPUPROF_PREFETCH(at); }

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_PROCESSOR_HPP
