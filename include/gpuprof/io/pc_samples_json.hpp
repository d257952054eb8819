// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of instructions as a file that can be read back and added to others. Layer: write out.
#ifndef GPUPROF_IO_PC_SAMPLES_JSON_HPP
#define GPUPROF_IO_PC_SAMPLES_JSON_HPP

#include <string>      // files
#include <string_view> // texts

#include "../core/result.hpp"
#include "../hw/pc/pc_samples.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// JSON with "gpuprof_pc_samples" (the version of the format, 1), where the samples come from, and a line for each record. Numbers
// are exact below 2^53; modules are hexadecimal texts.
GPUPROF_DECLARE [[nodiscard]] std::string json(pc_samples const& of);
// What json() wrote. Errors: invalid_argument for what is no JSON or not such a file, version_mismatch for a later version.
GPUPROF_DECLARE [[nodiscard]] result<pc_samples> try_parse_pc_samples(std::string_view text);

// The same to and from a file, which is replaced whole or not at all. Errors also: io.
GPUPROF_DECLARE [[nodiscard]] result<void> try_write(pc_samples const& of, std::string const& path);
GPUPROF_DECLARE [[nodiscard]] result<pc_samples> try_read_pc_samples(std::string const& path);

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "pc_samples_json.inl.hpp"
#endif

#endif // GPUPROF_IO_PC_SAMPLES_JSON_HPP
