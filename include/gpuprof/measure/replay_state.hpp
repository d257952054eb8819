// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process leaves to the next one in application replay, and the file that it is in.
#ifndef GPUPROF_MEASURE_REPLAY_STATE_HPP
#define GPUPROF_MEASURE_REPLAY_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/counters/counter_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A program by its file. Two files of one size and hash are one program.
struct program_identity {
    std::size_t bytes = 0; // 0: not known
    std::uint64_t hash = 0;
    friend bool operator==(program_identity const&, program_identity const&) = default;
};

// Of a file; not known if it cannot be read. Reads all of it.
[[nodiscard]] program_identity identify_program(std::string const& file);

// A range of the first pass, and how many passes it was in.
struct replayed_range {
    std::string name;
    std::string key; // ranges of equal keys are matched in their order
    std::size_t passes = 0;
};

// Passes of one program on one device. The images have one meaning with all the rest alone.
struct replay_state {
    program_identity program;
    std::string chip;
    int driver = 0;                      // cuDriverGetVersion
    std::string hardware;                // the backend's name
    std::vector<std::string> metrics{};  // that were asked for, in their order
    std::vector<std::string> settings{}; // what else passes must have in common: "match=grid"
    std::size_t needed = 0;              // passes of the first nesting level
    std::size_t done = 0;                // passes; 0: only the ranges are known
    std::size_t levels = 0;              // how deep ranges nest; 0: not known
    bool complete = false;
    hw::carried_counters counters{};
    std::vector<replayed_range> ranges{}; // in the order of the first pass
};

// What a file of a state has at most.
inline constexpr std::size_t most_state_bytes = std::size_t{256} << 20;

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

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "replay_state.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_REPLAY_STATE_HPP
