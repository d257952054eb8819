// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a source view: for terminals, as JSON, as CSV, and as a table of HTML.
#ifndef GPUPROF_IO_SOURCE_VIEW_HPP
#define GPUPROF_IO_SOURCE_VIEW_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/source_view.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Options of the text.
struct source_view_text_options {
    std::size_t columns = 100;
    double instructions_from = 0.25; // heat from which on a line has its instructions below it; above 1: none has
};

// The lines that have instructions, file by file: number, heat, counts, text. Columns without a count are left out, and the
// last ones where they do not fit. What is missing is below, with its reason.
[[nodiscard]] std::string table(explain::source_view const& of, source_view_text_options const& options = {});

// One object: "gpuprof_source_view" (the version of the format, 1), the source of the counts, "columns" (ids of
// explain::source_columns), "reasons", "problems" in words, "no_counts", "no_samples" and "no_text" (an error or null), and
// "files" with "lines" with "instructions". Each line and instruction
// has "counts", in the order of "columns", and "stalls": [reason, samples, latency samples]. Modules are hexadecimal texts.
// source_view_json.hpp reads it.
[[nodiscard]] std::string json(explain::source_view const& of);

// A line an instruction: file, line, the line's text, function, place, the instruction's text, the outermost call through which
// it was inlined, and the columns by their ids. Lines end with CR LF.
[[nodiscard]] std::string csv(explain::source_view const& of);

// A table of HTML a file, to be put into a page: <table class="source"> in a <div class="scroll">, with a row for each line
// (class "line", and --heat from 0 to 1 in its style) and for its instructions (class "instruction"). All text is escaped. Only
// the hottest `most_lines` lines are there, with at most 50 instructions each; a paragraph says what was left out.
[[nodiscard]] std::string html_rows(explain::source_view const& of, std::size_t most_lines = 200);

#if !GPUPROF_ENABLED
inline std::string table(explain::source_view const&, source_view_text_options const&) { return {}; }
inline std::string json(explain::source_view const&) { return {}; }
inline std::string csv(explain::source_view const&) { return {}; }
inline std::string html_rows(explain::source_view const&, std::size_t) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "source_view.inl.hpp"
#endif

#endif // GPUPROF_IO_SOURCE_VIEW_HPP
