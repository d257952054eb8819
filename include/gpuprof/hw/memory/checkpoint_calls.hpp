// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the calls that save and restore a context's memory.
#ifndef GPUPROF_HW_MEMORY_CHECKPOINT_CALLS_HPP
#define GPUPROF_HW_MEMORY_CHECKPOINT_CALLS_HPP

#include "../../core/result.hpp"
#include "../abi/cupti_checkpoint.hpp"
#include "../machine/machine.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The calls of the machine: its own, those of libcupti itself, or of libcheckpoint.so: the one that
// is mapped, the one beside libcupti, the dynamic linker's. The library stays loaded. Errors:
// unavailable, with what was tried. Cost: the first time milliseconds of dynamic linking, then some
// look-ups. Thread-safe. CUPTI 12.0, 2.11.1.
[[nodiscard]] result<abi::checkpoint_table> try_checkpoint_calls(machine const& on);

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "checkpoint_calls.inl.hpp"
#endif

#endif // GPUPROF_HW_MEMORY_CHECKPOINT_CALLS_HPP
