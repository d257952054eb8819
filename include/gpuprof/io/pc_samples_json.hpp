// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes samples of instructions to a file, and reads them back.
#ifndef GPUPROF_IO_PC_SAMPLES_JSON_HPP
#define GPUPROF_IO_PC_SAMPLES_JSON_HPP

#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../hw/samplers/pc_samples.hpp"
#if !GPUPROF_ENABLED
#include "../hw/machine/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN
namespace io {

// JSON with "gpuprof_pc_samples" (the version of the format, 1), the source of the samples, and a
// line for each record. Numbers are exact below 2^53; modules are hexadecimal texts.
[[nodiscard]] std::string json(pc_samples const& of);
// Parses the text of json(). Errors: invalid_argument if it is no such JSON, version_mismatch for a
// later version.
[[nodiscard]] result<pc_samples> try_parse_pc_samples(std::string_view text);

// The same to and from a file, which is replaced completely or not at all. Errors also: io.
[[nodiscard]] result<void> try_write(pc_samples const& of, std::string const& path);
[[nodiscard]] result<pc_samples> try_read_pc_samples(std::string const& path);

#if !GPUPROF_ENABLED
inline std::string json(pc_samples const&) { return {}; }
inline result<pc_samples> try_parse_pc_samples(std::string_view) { return gpuprof::detail::compiled_out(); }
inline result<void> try_write(pc_samples const&, std::string const&) { return {}; }
inline result<pc_samples> try_read_pc_samples(std::string const&) { return gpuprof::detail::compiled_out(); }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "pc_samples_json.inl.hpp"
#endif

#endif // GPUPROF_IO_PC_SAMPLES_JSON_HPP
