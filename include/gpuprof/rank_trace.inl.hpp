// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rank_trace.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_RANK_TRACE_INL_HPP
#define GPUPROF_RANK_TRACE_INL_HPP

#include "rank_trace.hpp"

#include "ranks/collective_join.inl.hpp"
#include "ranks/rank_clock.inl.hpp"
#include "io/rank_trace.inl.hpp"
#include "io/waits_table.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_rank_trace_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_RANK_TRACE_INL_HPP
