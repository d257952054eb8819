// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what ranks measured: tables for people, CSV, JSON.
#ifndef GPUPROF_IO_RANKS_TABLE_HPP
#define GPUPROF_IO_RANKS_TABLE_HPP

#include <iosfwd>
#include <string>

#include "../detail/config.hpp"
#include "../ranks/rank_report.hpp"
#include "../ranks/straggler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a range and metric: least, mean and highest value of the ranks, the standard deviation as a share of the mean, of how many
// ranks they are, and the rank with the highest value; below it ranks that are outliers, with their machines. What is missing is
// below, as in the table of a report. At most 100 columns, names of metrics shortened where they do not differ.
// @param rule which ranks are outliers; it is printed
[[nodiscard]] std::string table(ranks::rank_report const& of, ranks::outlier_rule const& rule = {});
// A line a straggler: rank, machine and GPU, range, by how much it is longer, cause. Where there is none, it says so.
[[nodiscard]] std::string table(ranks::straggler_report const& of);

// A line a range and metric (RFC 4180): range, metric, unit, ranks, least, rank of the least, mean, median, highest, rank of the
// highest, standard deviation, median absolute deviation, outliers (their ranks, with blanks between). Numbers have as many digits
// as read back the same.
[[nodiscard]] std::string csv(ranks::rank_report const& of, ranks::outlier_rule const& rule = {});

// One object: "size", "heard", "silent", "work" (ranks that did the same), "rows" with the columns of the CSV as members, where
// "outliers" are objects of rank, value and place, and "problems".
[[nodiscard]] std::string json(ranks::rank_report const& of, ranks::outlier_rule const& rule = {});
// One object: "size", "heard", "silent", "found" with a straggler's members, "problems".
[[nodiscard]] std::string json(ranks::straggler_report const& of);

#if !GPUPROF_ENABLED
inline std::string table(ranks::rank_report const&, ranks::outlier_rule const&) { return {}; }
inline std::string table(ranks::straggler_report const&) { return {}; }
inline std::string csv(ranks::rank_report const&, ranks::outlier_rule const&) { return {}; }
inline std::string json(ranks::rank_report const&, ranks::outlier_rule const&) { return {}; }
inline std::string json(ranks::straggler_report const&) { return {}; }
#endif

} // namespace io
namespace ranks {

// Writes the table to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, rank_report const& of) {
    return out << io::table(of);
}
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, straggler_report const& of) {
    return out << io::table(of);
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "ranks_table.inl.hpp"
#endif

#endif // GPUPROF_IO_RANKS_TABLE_HPP
