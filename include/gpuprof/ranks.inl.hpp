// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of ranks.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_RANKS_INL_HPP
#define GPUPROF_RANKS_INL_HPP

#include "ranks.hpp"

#include "ranks/communicator.inl.hpp"
#include "ranks/folder_communicator.inl.hpp"
#include "ranks/silent_rank.inl.hpp"
#include "ranks/tree.inl.hpp"
#include "ranks/value_summary.inl.hpp"

#if GPUPROF_ENABLED
#include "ranks/rank_message.inl.hpp"
#include "ranks/rank_report.inl.hpp"
#include "ranks/spread_profiler.inl.hpp"
#include "ranks/straggler.inl.hpp"
#include "io/ranks_table.inl.hpp"
#endif

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_ranks_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_RANKS_INL_HPP
