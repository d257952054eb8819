// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the clock of each rank differs from that of rank 0, measured through the communicator.
#ifndef GPUPROF_RANKS_RANK_CLOCK_HPP
#define GPUPROF_RANKS_RANK_CLOCK_HPP

#include <cstdint>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "communicator.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// A clock of this process: nanoseconds since a moment of its own. Two pointers; what `of` points at must live as long.
struct time_source {
    std::uint64_t (*now)(void const* of) = nullptr;
    void const* of = nullptr;
};
// The clock of activity records (cuptiGetTimestamp; CUPTI 12.0, 2.3). It tells 0 where there is no CUPTI. @pre the device lives as long
[[nodiscard]] inline time_source clock_of(device const& gpu) noexcept {
    return {[](void const* of) -> std::uint64_t {
#if GPUPROF_ENABLED
                std::uint64_t now = 0;
                auto const read = static_cast<device const*>(of)->cupti().GetTimestamp;
                return read != nullptr && read(&now) == abi::CUPTI_SUCCESS ? now : 0;
#else
                static_cast<void>(of);
                return 0;
#endif
            },
            &gpu};
}
// How clocks of ranks are read.
struct clock_options {
    unsigned rounds = 64; // round trips between two ranks; the shortest one counts. 1 to 1,000
    // How long a rank waits for another one at most. All ranks are back after about five of them, with up to 17 ranks.
    unsigned deadline_ms = 30'000;
};

// This rank's clock beside that of rank 0, at one moment.
struct clock_reading {
    bool known = false;                // false: this rank and rank 0 did not hear each other
    std::uint64_t at = 0;              // the moment, in this rank's clock
    std::int64_t ahead = 0;            // this rank's clock less that of rank 0 then, in nanoseconds
    std::uint64_t error = 0;           // `ahead` is off by no more, in nanoseconds: half of the shortest round trip
    std::uint64_t round_trip = 0;      // the shortest one, in nanoseconds
    std::vector<silent_rank> silent{}; // that this rank waited for in vain
};

// Compares clocks: each rank of the tree asks those below it what time it is, and halves the way there and back. Whatever part of
// the way is longer, the truth is within the error; it is exact for clocks that run evenly during a round trip. With more than 17 ranks, errors of
// the ranks between add up. All ranks call it. Errors: io where this rank can neither send nor receive; unavailable where its
// clock tells nothing. Cost: `rounds` round trips for each rank that asks, 16 at most one after another, for each level.
[[nodiscard]] result<clock_reading> try_read_clock(communicator& ranks, time_source clock,
                                                   clock_options const& options = {});

// A clock that runs evenly between two readings: begin and end of a trace. A value.
class rank_clock {
public:
    rank_clock() = default;
    // @param end the same as begin where there is one reading: then no drift is known
    rank_clock(clock_reading const& begin, clock_reading const& end) noexcept
        : begin_{begin.at},
          end_{end.at > begin.at ? end.at : begin.at},
          ahead_{begin.known ? begin.ahead : end.ahead},
          more_{begin.known && end.known ? end.ahead - begin.ahead : 0},
          error_{begin.error > end.error ? begin.error : end.error},
          known_{begin.known || end.known} {}

    // Whether rank 0 was heard at least once. If it was not, to_rank_0() changes nothing.
    [[nodiscard]] bool known() const noexcept { return known_; }
    // The same moment in rank 0's clock. Before the first reading and after the last one, the clock is as far ahead as it was then.
    [[nodiscard]] std::uint64_t to_rank_0(std::uint64_t mine) const noexcept {
        return mine - static_cast<std::uint64_t>(ahead_at(mine));
    }
    [[nodiscard]] std::int64_t ahead_at(std::uint64_t mine) const noexcept {
        if (mine <= begin_ || end_ == begin_) return ahead_;
        if (mine >= end_) return ahead_ + more_;
        double const part = static_cast<double>(mine - begin_) / static_cast<double>(end_ - begin_);
        return ahead_ + static_cast<std::int64_t>(part * static_cast<double>(more_));
    }
    // In nanoseconds: no time between the readings is off by more, if the clock drifts evenly.
    [[nodiscard]] std::uint64_t error() const noexcept { return error_; }
    // Nanoseconds that this rank's clock gains on rank 0's in a million nanoseconds.
    [[nodiscard]] double drift_ppm() const noexcept {
        return end_ == begin_ ? 0 : 1e6 * static_cast<double>(more_) / static_cast<double>(end_ - begin_);
    }

private:
    std::uint64_t begin_ = 0, end_ = 0;
    std::int64_t ahead_ = 0, more_ = 0;
    std::uint64_t error_ = 0;
    bool known_ = false;
};

#if !GPUPROF_ENABLED
inline result<clock_reading> try_read_clock(communicator&, time_source, clock_options const&) {
    return result<clock_reading>{clock_reading{}};
}
#endif

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "rank_clock.inl.hpp"
#endif

#endif // GPUPROF_RANKS_RANK_CLOCK_HPP
