// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quantity that has a value each frame: its last value, which frame that is of, and its history. Layer: sample.
#ifndef GPUPROF_SAMPLE_FRAME_SERIES_HPP
#define GPUPROF_SAMPLE_FRAME_SERIES_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // numbers of frames
#include <string>      // names
#include <string_view> // names
#include <utility>     // std::move

#include "../core/unit.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "frame_history.hpp"

GPUPROF_NAMESPACE_BEGIN

// How a value is to be shown: PerfKit's display hint.
enum class frame_display : unsigned char { raw, percentage };

// A value and the frame that it is of. PerfKit, appendix B: what counts has value == cycles; of other counters `cycles` are the
// cycles that they were looked at, NaN where the source has none.
struct frame_value {
    double value = detail::quiet_nan;
    double cycles = detail::quiet_nan;
    std::uint64_t frame = 0; // counted from 1; 0: there is no value yet
    // Samples that the value is made of, in parts: with less than two, the frames beside it have a share in it. Infinite where
    // it was read at the frame's end.
    double samples = detail::infinite;

    [[nodiscard]] bool known() const noexcept { return frame != 0; }
    [[nodiscard]] bool shared_with_neighbours() const noexcept { return samples < 2; }
};

// Quantities of frames that need no counter. They are always there.
enum class frame_quantity : unsigned char {
    host_time,   // from begin_frame() to end_frame()
    gpu_time,    // between events in the frame's stream at both: what the GPU did, and where it waited for the host
    own_time,    // what the sampler itself took of the frame, scopes included
    call_time,   // in calls of the driver that launch, copy, fill, allocate, free or wait: all threads together
    wait_time,   // the part of it in calls that wait for the GPU
    memory,      // of the device, allocated by the program since the sampler began, at the frame's end
    launches,    // kernels and graphs
    copied_bytes // between any memories
};
inline constexpr std::size_t frame_quantities = 8;

[[nodiscard]] constexpr std::string_view name(frame_quantity which) noexcept {
    constexpr std::string_view names[frame_quantities]{"frame.host_time",  "frame.gpu_time",     "frame.own_time",
                                                       "driver.call_time", "driver.wait_time",   "driver.memory",
                                                       "driver.launches",  "driver.copied_bytes"};
    return names[static_cast<std::size_t>(which)];
}
[[nodiscard]] constexpr std::string_view meaning(frame_quantity which) noexcept {
    constexpr std::string_view meanings[frame_quantities]{
        "time on the host from the begin of the frame to its end",
        "time between the two events of the frame in its stream",
        "what the sampler took of the frame, scopes included",
        "time in calls of the driver that launch, copy, fill, allocate, free or wait",
        "time in calls of the driver that wait for the GPU",
        "device memory that the program has allocated since the sampler began",
        "kernels and graphs that were launched",
        "bytes that were copied"};
    return meanings[static_cast<std::size_t>(which)];
}
[[nodiscard]] constexpr unit unit_of(frame_quantity which) noexcept {
    using enum frame_quantity;
    switch (which) {
        case memory:
        case copied_bytes: return gpuprof::unit_of(dimension::byte);
        case launches: return one;
        default: return gpuprof::unit_of(dimension::second, -9);
    }
}

// One quantity, counter or scope. Owned by the sampler; valid until its counters change.
struct frame_series {
    frame_series(std::string of, gpuprof::unit in, std::size_t capacity)
        : name{std::move(of)}, unit{in}, history{capacity} {}

    [[nodiscard]] frame_display display() const noexcept {
        return unit == percent_unit ? frame_display::percentage : frame_display::raw;
    }
    // @pre the value is no NaN
    void push(frame_value value) noexcept {
        last = value;
        history.push(value.value);
    }

    std::string name;
    gpuprof::unit unit;
    frame_value last{};
    frame_history history;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_FRAME_SERIES_HPP
