// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of the source with samples and stalls beside them, as text and as a page of HTML. Layer: write out.
#ifndef GPUPROF_IO_SOURCE_TABLE_HPP
#define GPUPROF_IO_SOURCE_TABLE_HPP

#include <cstdint> // lines
#include <string>  // tables

#include "../core/result.hpp"
#include "../sample/source_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

struct source_text_options {
    std::uint32_t around = 2; // lines without samples that are shown before and after each line with samples
};

// The lines with samples of each file: number, samples, share of all samples, share of latency samples, text of the line, and
// what warps are at. "..." stands for lines that are left out.
GPUPROF_DECLARE [[nodiscard]] std::string table(source_table const& of, source_text_options const& options = {});

// One page with all lines of all files. It needs no other file and no script: open it in any browser. Text from files and names
// is escaped.
GPUPROF_DECLARE [[nodiscard]] std::string html(source_table const& of);

// Replaces the file, whole or not at all. Errors: io.
GPUPROF_DECLARE [[nodiscard]] result<void> try_write_html(source_table const& of, std::string const& path);

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "source_table.inl.hpp"
#endif

#endif // GPUPROF_IO_SOURCE_TABLE_HPP
