// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a memory table for people.
#ifndef GPUPROF_IO_MEMORY_TABLE_TEXT_HPP
#define GPUPROF_IO_MEMORY_TABLE_TEXT_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/memory_table_values.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// What a cell shows: its number; "-" if the access has no such number, "above" if it is part of the one above, "n/a" without one.
[[nodiscard]] std::string text(explain::table_cell const& of);

// The table, its columns side by side as far as `columns` allow, the rest below. A note says why cells are n/a.
[[nodiscard]] std::string table(explain::memory_table_values const& of, std::size_t columns = 100);

#if !GPUPROF_ENABLED
inline std::string text(explain::table_cell const&) { return {}; }
inline std::string table(explain::memory_table_values const&, std::size_t) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "memory_table_text.inl.hpp"
#endif

#endif // GPUPROF_IO_MEMORY_TABLE_TEXT_HPP
