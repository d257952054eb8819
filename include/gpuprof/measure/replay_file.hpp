// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that a process of application replay leaves to the next one.
#ifndef GPUPROF_MEASURE_REPLAY_FILE_HPP
#define GPUPROF_MEASURE_REPLAY_FILE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "replay_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Of a file; not known if it cannot be read. Reads all of it.
[[nodiscard]] program_identity identify_program(std::string const& file);

// What a file of a state has at most, and its counter data, whose zeros are not in the file.
inline constexpr std::size_t most_state_bytes = std::size_t{1} << 30;
inline constexpr std::size_t most_image_bytes = std::size_t{4} << 30;

// JSON with a digest of itself as its last member.
[[nodiscard]] std::string state_text(replay_state const& of);

// Reads what state_text() wrote. Errors: invalid_argument for what is none, was cut off or was
// changed; version_mismatch for another format.
[[nodiscard]] result<replay_state> try_parse_state(std::string_view text);

// The state of a file; nothing if there is no file. Errors: those of try_parse_state(), and io.
// Each names the file, and says how to begin anew.
[[nodiscard]] result<std::optional<replay_state>> try_load_state(std::string const& file);

// Replaces the file as a whole: whatever ends the process, it has the old state or the new one.
// Locks the file's folder meanwhile. Errors: io; replay_mismatch where the file no longer has the
// state of `passes_before` done passes, since another process went on with it.
[[nodiscard]] result<void> try_save_state(replay_state const& of, std::string const& file, std::size_t passes_before);

// Whether a process goes on with what another one left. Errors: replay_mismatch, version_mismatch
// for another driver, with what differs and what to do.
[[nodiscard]] result<void> try_check_same(replay_state const& left, replay_state const& now);

// Before main(), as in sim.hpp.
inline constexpr replay_store store_of_replay{&identify_program, &try_load_state, &try_check_same, &try_save_state};
inline bool const replay_store_registered = (program_replay_store = &store_of_replay, true);

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "replay_file.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_REPLAY_FILE_HPP
