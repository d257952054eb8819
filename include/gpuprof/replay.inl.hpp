// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of replay.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_REPLAY_INL_HPP
#define GPUPROF_REPLAY_INL_HPP

#include "replay.hpp"

#include "recording/recording.inl.hpp"
#include "recording/open.inl.hpp"
#include "recording/recording_file.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_replay_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_REPLAY_INL_HPP
