// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions of kernels counted, as tables of functions and of source lines. Layer: write out.
#ifndef GPUPROF_IO_SASS_TABLE_HPP
#define GPUPROF_IO_SASS_TABLE_HPP

#include <string> // tables
#include <vector> // lines

#include "../hw/sass/sass_counts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line for each function, those with most of the first metric first: how many of its instructions have counts, and the sums of
// each metric. Above, where the counts come from; below, what is missing.
GPUPROF_DECLARE [[nodiscard]] std::string table(sass_counts const& of);

// The same for each line of the source. @param lines what lines_of() made of the same counts
GPUPROF_DECLARE [[nodiscard]] std::string table(sass_counts const& of, std::vector<counted_line> const& lines);

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "sass_table.inl.hpp"
#endif

#endif // GPUPROF_IO_SASS_TABLE_HPP
