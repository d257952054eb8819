// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of call_replay.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_CALL_REPLAY_INL_HPP
#define GPUPROF_CALL_REPLAY_INL_HPP

#include "call_replay.hpp"

#include "hw/callbacks/captured_call.inl.hpp"
#include "measure/call_replays.inl.hpp"
#include "measure/launch_replay.inl.hpp"
#include "measure/range_replay.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_call_replay_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_CALL_REPLAY_INL_HPP
