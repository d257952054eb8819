// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated source: lines with their samples and stalls, as text and as an HTML page.
#ifndef GPUPROF_IO_ANNOTATED_SOURCE_HPP
#define GPUPROF_IO_ANNOTATED_SOURCE_HPP

#include <cstdint>
#include <string>

#include "../core/result.hpp"
#include "../sample/source_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Options of the text.
struct source_text_options {
    std::uint32_t around = 2; // lines without samples before and after each line with samples
};

// The lines with samples of each file: number, samples, share of all samples, share of latency
// samples, text of the line, and what its warps wait for. "..." stands for omitted lines.
[[nodiscard]] std::string table(source_table const& of, source_text_options const& options = {});

// A page with all lines of all files. It needs no other file and no script: open it in any browser.
// Text from files and names is escaped.
[[nodiscard]] std::string html(source_table const& of);

// Replaces the file, whole or not at all. Errors: io.
[[nodiscard]] result<void> try_write_html(source_table const& of, std::string const& path);

#if !GPUPROF_ENABLED
inline std::string table(source_table const&, source_text_options const&) { return {}; }
inline std::string html(source_table const&) { return {}; }
inline result<void> try_write_html(source_table const&, std::string const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "annotated_source.inl.hpp"
#endif

#endif // GPUPROF_IO_ANNOTATED_SOURCE_HPP
