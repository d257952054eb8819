// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recordings as text: JSON with a version and a digest.
#ifndef GPUPROF_RECORDING_RECORDING_FILE_HPP
#define GPUPROF_RECORDING_RECORDING_FILE_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "recorded_data.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

inline constexpr std::size_t most_recording_bytes = std::size_t{64} << 20;

// The recording as a file has it: one line a value, in a stable order, so that two versions can be
// compared. Numbers read back with the same bits. The last member is a digest of what stands before
// it.
[[nodiscard]] std::string to_text(recording const& of);

// Reads what to_text() wrote, and nothing else. Errors: invalid_argument for what is no recording,
// was cut off or was changed; version_mismatch for a newer format. Time and memory are linear in
// the text.
[[nodiscard]] result<recording> try_parse_recording(std::string_view text);

// The same of a file. Errors: also io, if it cannot be read or has more than 64 MiB. All name the
// file.
[[nodiscard]] result<recording> try_read_recording(std::string const& path);

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "recording_file.inl.hpp"
#endif

#endif // GPUPROF_RECORDING_RECORDING_FILE_HPP
