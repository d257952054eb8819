// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a report as a table for people.
#ifndef GPUPROF_IO_TABLE_HPP
#define GPUPROF_IO_TABLE_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "../measure/compiled_out.hpp"
#else

#include <iosfwd>
#include <string>

#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Whole numbers in full, others with six significant digits and all of their whole part, thousands separated by commas:
// "133,140,480", "5,466,231", "82.1318". Of no number: "not collected".
[[nodiscard]] std::string number(double value);

// A line a range and metric, ranges indented by depth; the source of the values is above, what is
// missing is below. Names of more than 96 bytes are shortened where they do not differ.
[[nodiscard]] std::string table(report const& of);

} // namespace io

// Writes the table to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, report const& of) {
    return out << io::table(of);
}

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "table.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_TABLE_HPP
