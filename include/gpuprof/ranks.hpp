// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of many ranks: passes spread over them, reports of all of them. Opt-in; a list, nothing else. MPI's communicator
// is in gpuprof/mpi.hpp. With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_RANKS_HPP
#define GPUPROF_RANKS_HPP

#include "detail/config.hpp"

#include "gpuprof.hpp"
#include "ranks/communicator.hpp"
#include "ranks/folder_communicator.hpp"
#include "ranks/rank_report.hpp"
#include "ranks/silent_rank.hpp"
#include "ranks/spread_options.hpp"
#include "ranks/spread_profiler.hpp"
#include "ranks/straggler.hpp"
#include "ranks/value_summary.hpp"

// write out
#include "io/ranks_table.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_ranks_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_RANKS_HPP

#if GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION)
#include "gpuprof.inl.hpp"
#include "ranks.inl.hpp"
#if GPUPROF_ENABLED
#include "saved.inl.hpp"
#include "text/json_value.inl.hpp"
#endif
#endif
