// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Record and replay: with this included in one file of a program, GPUPROF_RECORD=file records what
// the program measures, and GPUPROF_DEVICE=replay:file opens that recording as a device, where
// there is no GPU. Opt-in; never part of gpuprof.hpp.
#ifndef GPUPROF_REPLAY_HPP
#define GPUPROF_REPLAY_HPP

#include "detail/config.hpp"

#include "recording/recording.hpp"
#include "recording/traced_calls.hpp"

#if GPUPROF_ENABLED

#include "hw/machine/recorder.hpp"
#include "recording/open.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
// Before main(), as in sim.hpp.
inline constexpr file_recorder recorder_of_replay{};
inline bool const recordings_registered = (hw::program_recorder = &recorder_of_replay, true);
} // namespace detail
GPUPROF_NAMESPACE_END

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_replay_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif

#endif // GPUPROF_REPLAY_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "replay.inl.hpp"
#include "text/json_value.inl.hpp"
#endif
