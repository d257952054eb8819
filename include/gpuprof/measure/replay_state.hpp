// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process leaves to the next one in application replay.
#ifndef GPUPROF_MEASURE_REPLAY_STATE_HPP
#define GPUPROF_MEASURE_REPLAY_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

// The file of a state, which a program opts into by gpuprof/saved.hpp: see replay_file.hpp.
struct replay_store {
    program_identity (*identify_program)(std::string const& file);
    result<std::optional<replay_state>> (*try_load)(std::string const& file);
    result<void> (*try_check_same)(replay_state const& left, replay_state const& now);
    result<void> (*try_save)(replay_state const& of, std::string const& file, std::size_t passes_before);
};

// Null: the program has none.
inline constinit replay_store const* program_replay_store = nullptr;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPLAY_STATE_HPP
