// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what several GPUs of one process measured: tables for people, CSV, JSON.
#ifndef GPUPROF_IO_DEVICES_TABLE_HPP
#define GPUPROF_IO_DEVICES_TABLE_HPP

#include <iosfwd>
#include <string>

#include "../detail/config.hpp"
#include "../ranks/device_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a range and metric: a column for each GPU, or for more than four the least, mean and highest value and whose that is; the
// sum of what adds up; the standard deviation as a share of the mean. What is missing is below. At most 100 columns, names of
// metrics shortened where they do not differ.
[[nodiscard]] std::string table(ranks::device_report const& of);

// A line a range and metric (RFC 4180): range, metric, unit, a column for each GPU, sum, mean, standard deviation. Empty where there
// is no value. Numbers have as many digits as read back the same.
[[nodiscard]] std::string csv(ranks::device_report const& of);

// One object: "devices" (names), "rows" with "range", "metric", "unit", "values" (by GPU, null where there is none), "sum" (null for
// what does not add up), "mean" and "standard deviation", and "problems".
[[nodiscard]] std::string json(ranks::device_report const& of);

#if !GPUPROF_ENABLED
inline std::string table(ranks::device_report const&) { return {}; }
inline std::string csv(ranks::device_report const&) { return {}; }
inline std::string json(ranks::device_report const&) { return {}; }
#endif

} // namespace io
namespace ranks {

// Writes the table to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, device_report const& of) {
    return out << io::table(of);
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "devices_table.inl.hpp"
#endif

#endif // GPUPROF_IO_DEVICES_TABLE_HPP
