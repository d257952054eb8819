// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as a table a person can read. Layer: write out; depends on the report only.
#ifndef GPUPROF_IO_TABLE_HPP
#define GPUPROF_IO_TABLE_HPP

#include <iosfwd> // operator<< without the cost of <ostream>
#include <string> // the table

#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// "133,140,480" for whole numbers that a double holds exactly, else six significant digits ("82.1318").
GPUPROF_DECLARE [[nodiscard]] std::string number(double value);

// One line a range and metric, ranges indented by depth; above, where the values come from; below, what is missing.
GPUPROF_DECLARE [[nodiscard]] std::string table(report const& of);

} // namespace io

// The table, on a stream the caller has included the header of.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, report const& of) {
    return out << io::table(of);
}

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "table.inl.hpp"
#endif

#endif // GPUPROF_IO_TABLE_HPP
