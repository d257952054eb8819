// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One trace of all ranks of a program: gpuprof/ranks.hpp and gpuprof/trace.hpp, and what joins traces. Opt-in; a list, nothing else.
// With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_RANK_TRACE_HPP
#define GPUPROF_RANK_TRACE_HPP

#include "detail/config.hpp"

#include "ranks.hpp"
#include "trace.hpp"

#include "io/rank_trace.hpp"
#include "io/waits_table.hpp"
#include "ranks/rank_clock.hpp"
#include "ranks/wait_report.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_rank_trace_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_RANK_TRACE_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "rank_trace.inl.hpp"
#endif
