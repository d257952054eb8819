// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports in files: saved, and loaded by another process with the same bits.
#ifndef GPUPROF_RECORDING_SAVED_REPORT_HPP
#define GPUPROF_RECORDING_SAVED_REPORT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN

// What a saved report has at most.
inline constexpr std::size_t most_saved_bytes = std::size_t{64} << 20;

// The report as a file has it: JSON of format 1 (docs/saved.md), in a stable order, with a digest
// of itself as the last member. All of the report is in it: a number reads back with the same bits,
// NaN as a NaN; of texts, what is no UTF-8 becomes U+FFFD. Linear in the report. Thread-safe.
[[nodiscard]] std::string saved_text(report const& of);

// Reads what saved_text() wrote. Members that it does not know are ignored: format 1 may grow.
// Errors: invalid_argument for what is no report, was cut off or was changed, with the place;
// version_mismatch for another format. Time and memory are linear in the text. Thread-safe.
[[nodiscard]] result<report> try_parse_report(std::string_view text);

// The same to and from a file, which is replaced as a whole or not at all. Errors, which name the
// file: also io if it cannot be written or read; invalid_argument for more than 64 MiB.
[[nodiscard]] result<void> try_save(report const& of, std::string const& path);
[[nodiscard]] result<report> try_load_report(std::string const& path);

#if GPUPROF_EXCEPTIONS
// try_save() and try_load_report(), throwing.
void save(report const& of, std::string const& path);
[[nodiscard]] report load_report(std::string const& path);
#endif

#if !GPUPROF_ENABLED // nothing is written, and nothing is in a file
inline std::string saved_text(report const&) { return {}; }
inline result<report> try_parse_report(std::string_view) { return detail::compiled_out(); }
inline result<void> try_save(report const&, std::string const&) { return {}; }
inline result<report> try_load_report(std::string const&) { return detail::compiled_out(); }
#if GPUPROF_EXCEPTIONS
inline void save(report const&, std::string const&) {}
inline report load_report(std::string const&) { return {}; }
#endif
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "saved_report.inl.hpp"
#endif

#endif // GPUPROF_RECORDING_SAVED_REPORT_HPP
