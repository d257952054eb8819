// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a source view that was written as JSON, in another process.
#ifndef GPUPROF_IO_SOURCE_VIEW_JSON_HPP
#define GPUPROF_IO_SOURCE_VIEW_JSON_HPP

#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../explain/source_view.hpp"
#if !GPUPROF_ENABLED
#include "../hw/machine/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Parses the text of json(source_view). Atomic operations and reductions, which are one column there, are all counted as atomic
// operations. Errors: invalid_argument if it is no such JSON; version_mismatch for a later version. Thread-safe.
[[nodiscard]] result<explain::source_view> try_parse_source_view(std::string_view text);

// The same from a file. Errors also: io.
[[nodiscard]] result<explain::source_view> try_read_source_view(std::string const& path);

#if !GPUPROF_ENABLED
inline result<explain::source_view> try_parse_source_view(std::string_view) { return gpuprof::detail::compiled_out(); }
inline result<explain::source_view> try_read_source_view(std::string const&) { return gpuprof::detail::compiled_out(); }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "source_view_json.inl.hpp"
#endif

#endif // GPUPROF_IO_SOURCE_VIEW_JSON_HPP
