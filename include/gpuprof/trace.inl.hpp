// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of trace.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_TRACE_INL_HPP
#define GPUPROF_TRACE_INL_HPP

#include "trace.hpp"

#include "io/activity_table.inl.hpp"
#include "io/json.inl.hpp"
#include "io/link_table.inl.hpp"
#include "io/marker_ranges.inl.hpp"
#include "io/trace_event.inl.hpp"
#include "io/trace_records.inl.hpp"
#include "trace/call_parameters.inl.hpp"
#include "trace/link_traffic.inl.hpp"
#include "trace/trace_session.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_trace_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_TRACE_INL_HPP
