// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran: tracers, activity records, callbacks, and what writes records out. Opt-in; a list, nothing else.
// With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_TRACE_HPP
#define GPUPROF_TRACE_HPP

#include "detail/config.hpp"

// in every build
#include "core/error.hpp"
#include "core/result.hpp"
#include "hw/abi/cupti.hpp"
#include "hw/abi/driver.hpp"
#include "io/activity_line.hpp"
#include "io/csv_cell.hpp"
#include "io/output.hpp"
#include "io/record_fields.hpp"
#include "io/trace_event_options.hpp"
#include "measure/scope.hpp"
#include "trace/callback_handler.hpp"
#include "trace/callback_ids.hpp"
#include "trace/external_kind.hpp"
#include "trace/function_families.hpp"
#include "trace/function_names.hpp"
#include "trace/kind_list.hpp"
#include "trace/link_flow.hpp"
#include "trace/losses.hpp"
#include "trace/overloaded.hpp"
#include "trace/traced_scope.hpp"
#include "trace/tracer_options.hpp"

#include "hw/machine/device.hpp"
#include "trace/callbacks.hpp"
#include "trace/cupti_facts.hpp"
#include "trace/directives.hpp"
#include "trace/link_traffic.hpp"
#include "trace/record_ids.hpp"
#include "trace/thread_names.hpp"
#include "trace/tracer.hpp"

// ids of the program's own
#include "trace/external_id.hpp"

// write out
#include "io/activity_table.hpp"
#include "io/csv_writer.hpp"
#include "io/file_sink.hpp"
#include "io/json.hpp"
#include "io/link_table.hpp"
#include "io/trace_event.hpp"
#include "io/write_trace.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_trace_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_TRACE_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "trace.inl.hpp"
#endif
