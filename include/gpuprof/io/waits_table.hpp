// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes how long ranks waited for each other: a table for people, CSV, JSON.
#ifndef GPUPROF_IO_WAITS_TABLE_HPP
#define GPUPROF_IO_WAITS_TABLE_HPP

#include <iosfwd>
#include <string>

#include "../detail/config.hpp"
#include "../ranks/wait_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a rank: collectives, wait and its share, work, longest wait, and of how many collectives it was the last one. Below it the
// clocks' error, the collective with the longest wait, and what is missing. At most 100 columns.
[[nodiscard]] std::string table(ranks::wait_report const& of);

// A line a rank (RFC 4180): rank, place, collectives, last, wait, work and longest wait in nanoseconds, how far its clock was
// ahead of rank 0's (nanoseconds), its drift (ppm) and error (nanoseconds; empty where it is not known), events in the file.
[[nodiscard]] std::string csv(ranks::wait_report const& of);

// One object: "size", "heard", "silent", "clock error (ns)", "ranks" with the columns of the CSV as members, "collectives" with
// name, stream, index, ranks, first and last rank, moments, and the wait of each rank (null where it has none), "left out", "problems".
[[nodiscard]] std::string json(ranks::wait_report const& of);

#if !GPUPROF_ENABLED
inline std::string table(ranks::wait_report const&) { return {}; }
inline std::string csv(ranks::wait_report const&) { return {}; }
inline std::string json(ranks::wait_report const&) { return {}; }
#endif

} // namespace io
namespace ranks {

// Writes the table to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, wait_report const& of) {
    return out << io::table(of);
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "waits_table.inl.hpp"
#endif

#endif // GPUPROF_IO_WAITS_TABLE_HPP
