// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a bottleneck, or the definitions of the simplified experiments, as text.
#ifndef GPUPROF_IO_BOTTLENECK_TABLE_HPP
#define GPUPROF_IO_BOTTLENECK_TABLE_HPP

#include <iosfwd>
#include <string>

#include "../explain/bottleneck.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The verdict, a line a unit with the counters behind its value, and the reasons for which warps
// waited longest.
[[nodiscard]] std::string table(explain::bottleneck const& of);

// The metrics of each unit's two experiments: the table of docs/bottleneck.md.
[[nodiscard]] std::string unit_experiments_table();

#if !GPUPROF_ENABLED
inline std::string table(explain::bottleneck const&) { return {}; }
inline std::string unit_experiments_table() { return {}; }
#endif

} // namespace io

namespace explain {
// Writes the table to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, bottleneck const& of) {
    return out << io::table(of);
}
} // namespace explain

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "bottleneck_table.inl.hpp"
#endif

#endif // GPUPROF_IO_BOTTLENECK_TABLE_HPP
