// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bottleneck, or the definitions of the simplified experiments, as text. Layer: io.
#ifndef GPUPROF_IO_BOTTLENECK_TABLE_HPP
#define GPUPROF_IO_BOTTLENECK_TABLE_HPP

#include <iosfwd> // operator<< without the cost of <ostream>
#include <string> // the table

#include "../explain/bottleneck.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The verdict, a line a unit with what its value came from, and the reasons for which warps waited longest.
GPUPROF_DECLARE [[nodiscard]] std::string table(explain::bottleneck const& of);

// What each unit's two experiments are calculated from: the table of docs/bottleneck.md.
GPUPROF_DECLARE [[nodiscard]] std::string unit_experiments_table();

} // namespace io

namespace explain {
// The table, on a stream the caller has included the header of.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, bottleneck const& of) {
    return out << io::table(of);
}
} // namespace explain

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "bottleneck_table.inl.hpp"
#endif

#endif // GPUPROF_IO_BOTTLENECK_TABLE_HPP
