// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of gpuprof.hpp, without its opt-in parts. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_GPUPROF_INL_HPP
#define GPUPROF_GPUPROF_INL_HPP

#include "gpuprof.hpp"

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY && defined(GPUPROF_IMPLEMENTATION)
#error "gpuprof: GPUPROF_IMPLEMENTATION is for programs that define GPUPROF_HEADER_ONLY=0 for all of their files"
#endif

#include "core/error.inl.hpp"
#include "metric/info.inl.hpp"

#if GPUPROF_ENABLED
#include "hw/callbacks/graph_watch.inl.hpp"
#include "hw/callbacks/launch_watch.inl.hpp"
#include "hw/callbacks/subscription.inl.hpp"
#include "hw/counters/cache_flusher.inl.hpp"
#include "hw/counters/range/range_registration.inl.hpp"
#include "hw/counters/registry.inl.hpp"
#include "hw/counters/uncounted/clock_lock.inl.hpp"
#include "hw/counters/uncounted/clock_reader.inl.hpp"
#include "hw/counters/uncounted/other_processes.inl.hpp"
#include "hw/counters/uncounted/provided.inl.hpp"
#include "hw/doctor/doctor.inl.hpp"
#include "hw/machine/counter_lock.inl.hpp"
#include "hw/machine/device.inl.hpp"
#include "hw/machine/machine.inl.hpp"
#include "hw/memory/checkpoint.inl.hpp"
#include "hw/memory/checkpoint_calls.inl.hpp"
#include "hw/memory/memory_copy.inl.hpp"
#include "hw/memory/memory_hash.inl.hpp"
#include "hw/memory/written_memory.inl.hpp"
#include "io/csv.inl.hpp"
#include "io/table.inl.hpp"
#include "measure/kernel_replay_guard.inl.hpp"
#include "measure/profiler.inl.hpp"
#include "measure/report.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_gpuprof_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_GPUPROF_INL_HPP
