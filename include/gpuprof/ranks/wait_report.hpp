// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank others waited for in collectives, and for how long.
#ifndef GPUPROF_RANKS_WAIT_REPORT_HPP
#define GPUPROF_RANKS_WAIT_REPORT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// A collective: one kernel of each rank that takes part. All times are nanoseconds; moments are of rank 0's clock. A kernel waits
// until the last of them begins, and works from then on.
struct collective {
    std::string name;           // of the kernels, as the trace shows it
    std::size_t stream = 0;     // the how many-th stream of its rank that has collectives, from 0 on
    std::size_t index = 0;      // among those of this name and stream, from 0 on
    std::size_t ranks = 0;      // that have it
    std::size_t first_rank = 0; // the first one to begin
    std::size_t last_rank = 0;  // that all others waited for
    std::uint64_t first_begin = 0;
    std::uint64_t last_begin = 0;
    std::uint64_t first_end = 0;
    // By rank; empty where there are more than rank_trace_options::most_waits. Nothing for ranks without it.
    std::vector<std::optional<std::uint64_t>> waits{};

    [[nodiscard]] std::uint64_t longest_wait() const noexcept { return last_begin - first_begin; }
    // False: some kernel ended before the last one began, so that it did not wait for it. Kernels that only send do that (a
    // broadcast's root), and kernels that are no one collective: give ranks that call others a group of their own.
    [[nodiscard]] bool overlaps() const noexcept { return first_end >= last_begin; }
};

// A rank in all collectives, in nanoseconds.
struct rank_wait {
    std::size_t rank = 0;
    std::string place; // its machine and GPU: "node17, NVIDIA H200"
    std::uint64_t collectives = 0;
    std::uint64_t last = 0;       // of how many it was the last one, by more than twice its clock's error
    std::uint64_t wait = 0;       // from its own kernel's begin until that of the last rank
    std::uint64_t work = 0;       // from then to its kernel's end
    std::uint64_t longest = 0;    // of its waits
    std::int64_t clock_ahead = 0; // of rank 0's at the begin
    double clock_drift_ppm = 0;
    std::uint64_t clock_error = 0;
    bool clock_known = false;
    std::uint64_t events = 0; // that it gave to the file
};

// All ranks, on rank 0; other ranks have their own row. A value.
struct wait_report {
    std::size_t rank = 0; // whose report it is
    std::size_t size = 0; // ranks that there are
    std::size_t heard = 0;
    std::vector<rank_wait> ranks{};        // by rank
    std::vector<collective> collectives{}; // by the begin of the first
    std::size_t left_out = 0;              // of one rank, collectives over rank_trace_options::most_collectives
    std::vector<silent_rank> silent{};
    std::vector<error> problems{}; // what is missing and why

    [[nodiscard]] bool complete() const noexcept { return problems.empty(); }
    // Nanoseconds: no time of one rank is off by more against rank 0. Waits that are not longer than twice that say nothing.
    [[nodiscard]] std::uint64_t clock_error() const noexcept {
        std::uint64_t most = 0;
        for (rank_wait const& each : ranks)
            if (each.clock_error > most) most = each.clock_error;
        return most;
    }
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_WAIT_REPORT_HPP
