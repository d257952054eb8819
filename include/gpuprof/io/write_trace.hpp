// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a trace in one call: a file for ui.perfetto.dev.
#ifndef GPUPROF_IO_WRITE_TRACE_HPP
#define GPUPROF_IO_WRITE_TRACE_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "trace_compiled_out.hpp"
#else

#include <string>
#include <utility>

#include "../core/result.hpp"
#include "../trace/tracer.hpp"
#include "file_sink.hpp"
#include "trace_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Takes a tracer's records since its last flush and writes them as a trace (docs/trace.md) into a
// new file. Errors: io, with the system's reason; those of tracer::try_flush. An error loses the
// taken records. Cost: tens of nanoseconds a record. One thread at a time for a tracer.
template <class Kinds>
[[nodiscard]] result<trace_event_losses> try_write_trace(std::string path, tracer<Kinds>& recorded,
                                                         trace_event_options const& options = {}) {
    auto file = file_sink::try_open(std::move(path));
    if (!file) return std::move(file).error();
    trace_event_writer writer{file->sink(), options};
    auto batch = recorded.try_flush();
    if (!batch) return std::move(batch).error();
    writer.write(*batch);
    if (auto ended = writer.finish(); !ended) return std::move(ended).error();
    if (auto closed = file->close(); !closed) return std::move(closed).error();
    return writer.losses();
}

#if GPUPROF_EXCEPTIONS
// The same, throwing.
template <class Kinds>
trace_event_losses write_trace(std::string path, tracer<Kinds>& recorded, trace_event_options const& options = {}) {
    return try_write_trace(std::move(path), recorded, options).value();
}
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_WRITE_TRACE_HPP
