// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What repeats the application's driver calls for replay_mode::launch and replay_mode::range. Opt-in, in one file of a program; a
// list, nothing else. With GPUPROF_ENABLED=0 it is gpuprof.hpp.
#ifndef GPUPROF_CALL_REPLAY_HPP
#define GPUPROF_CALL_REPLAY_HPP

#include "detail/config.hpp"

#if !GPUPROF_ENABLED
#include "gpuprof.hpp"
#else
#include "measure/call_replays.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_call_replay_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif
#endif

#endif // GPUPROF_CALL_REPLAY_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "call_replay.inl.hpp"
#endif
