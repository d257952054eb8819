// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points in time and intervals of activity records. Layer: trace.
#ifndef GPUPROF_TRACE_ACTIVITY_TIMESTAMP_HPP
#define GPUPROF_TRACE_ACTIVITY_TIMESTAMP_HPP

#include <compare>  // std::strong_ordering
#include <cstdint>  // std::uint64_t
#include <optional> // a duration or none

#include "../../core/units.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A point in time as cuptiGetTimestamp tells it, in nanoseconds since the Unix epoch (or what a timestamp callback makes of
// it). A whole number: as a double it would be off by up to 128 ns. CUPTI writes 0 where it could not take the time.
struct timestamp {
    std::uint64_t ticks = 0;

    [[nodiscard]] constexpr bool known() const noexcept { return ticks != 0; }
    friend constexpr bool operator==(timestamp, timestamp) = default;
    friend constexpr std::strong_ordering operator<=>(timestamp, timestamp) = default;

    // Exact below 2^53 ns, which is 104 days. Precondition: both are known.
    friend constexpr nanoseconds operator-(timestamp late, timestamp early) noexcept {
        return late.ticks >= early.ticks ? nanoseconds{static_cast<double>(late.ticks - early.ticks)}
                                         : nanoseconds{-static_cast<double>(early.ticks - late.ticks)};
    }
};

// From start to end. Times of a GPU are interpolated: intervals of one stream can overlap by a little, and the end can be
// the start (CUPTI 12.0, 2.3).
struct interval {
    timestamp start{};
    timestamp end{};

    [[nodiscard]] constexpr bool known() const noexcept { return start.known() && end.known(); }
    // Nothing where CUPTI could not take one of the two times: that is no duration of zero.
    [[nodiscard]] constexpr std::optional<nanoseconds> duration() const noexcept {
        if (!known()) return {};
        return end - start;
    }
    friend constexpr bool operator==(interval, interval) = default;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_ACTIVITY_TIMESTAMP_HPP
