// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what a series found: a table for people, CSV, JSON.
#ifndef GPUPROF_IO_SERIES_TABLE_HPP
#define GPUPROF_IO_SERIES_TABLE_HPP

#include <iosfwd>
#include <string>

#include "../explain/series_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a combination: its values, the mean of each metric with half the width of its interval (95 %), and whether it is the
// best by the first metric, or like it. Below are the best, what cannot be told from it, and why combinations were refused.
[[nodiscard]] std::string table(explain::series_report const& of);

// A line a combination; a column for each axis, then four for each metric, in its unit: mean, half width of the interval, least,
// most; then "refused", the reason. What is not known is empty.
[[nodiscard]] std::string csv(explain::series_report const& of);

// An object: device, chip, source, axes, metrics, rows, best (null if none is), problems. A row has "values", "rounds", an object
// with a list for each metric, and "refused", an error or null.
[[nodiscard]] std::string json(explain::series_report const& of);

#if !GPUPROF_ENABLED
inline std::string table(explain::series_report const&) { return {}; }
inline std::string csv(explain::series_report const&) { return {}; }
inline std::string json(explain::series_report const&) { return {}; }
#endif

} // namespace io

namespace explain {
// Writes the table to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, series_report const& of) {
    return out << io::table(of);
}
} // namespace explain

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "series_table.inl.hpp"
#endif

#endif // GPUPROF_IO_SERIES_TABLE_HPP
