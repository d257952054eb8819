// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points in time and intervals of activity records.
#ifndef GPUPROF_HW_ACTIVITY_TIMESTAMP_HPP
#define GPUPROF_HW_ACTIVITY_TIMESTAMP_HPP

#include <compare>
#include <cstdint>
#include <optional>

#include "../../core/units.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A point in time of cuptiGetTimestamp's clock, in nanoseconds since the Unix epoch (or what a
// timestamp callback returns). A whole number: a double would be off by up to 128 ns. CUPTI writes
// 0 if it could not take the time.
struct timestamp {
    std::uint64_t ticks = 0;

    [[nodiscard]] constexpr bool known() const noexcept { return ticks != 0; }
    friend constexpr bool operator==(timestamp, timestamp) = default;
    friend constexpr std::strong_ordering operator<=>(timestamp, timestamp) = default;

    // Exact below 2^53 ns, which is 104 days. @pre both are known
    friend constexpr nanoseconds operator-(timestamp late, timestamp early) noexcept {
        return late.ticks >= early.ticks ? nanoseconds{static_cast<double>(late.ticks - early.ticks)}
                                         : nanoseconds{-static_cast<double>(early.ticks - late.ticks)};
    }
};

// An interval of time. Times of a GPU are interpolated: intervals of one stream can overlap
// slightly, and the end can equal the start (CUPTI 12.0, 2.3).
struct interval {
    timestamp start{};
    timestamp end{};

    [[nodiscard]] constexpr bool known() const noexcept { return start.known() && end.known(); }
    // Nothing if CUPTI could not take one of the times, which is no duration of zero.
    [[nodiscard]] constexpr std::optional<nanoseconds> duration() const noexcept {
        if (!known()) return {};
        return end - start;
    }
    friend constexpr bool operator==(interval, interval) = default;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_TIMESTAMP_HPP
