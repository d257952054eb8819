// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes counts of kernel instructions as tables of functions and of source lines.
#ifndef GPUPROF_IO_SASS_TABLE_HPP
#define GPUPROF_IO_SASS_TABLE_HPP

#include <string>
#include <vector>

#include "../hw/samplers/sass_counts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a function, those with most of the first metric first: how many of its instructions have
// counts, and the sums of each metric. The source of the counts is above, what is missing is below.
[[nodiscard]] std::string table(sass_counts const& of);

// The same for each source line.
// @param lines lines_of() of the same counts
[[nodiscard]] std::string table(sass_counts const& of, std::vector<counted_line> const& lines);

#if !GPUPROF_ENABLED
inline std::string table(sass_counts const&) { return {}; }
inline std::string table(sass_counts const&, std::vector<counted_line> const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "sass_table.inl.hpp"
#endif

#endif // GPUPROF_IO_SASS_TABLE_HPP
