// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A series: a quantity with a value each frame, and its history.
#ifndef GPUPROF_FRAMES_FRAME_SERIES_HPP
#define GPUPROF_FRAMES_FRAME_SERIES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../core/unit.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "frame_history.hpp"

GPUPROF_NAMESPACE_BEGIN

// How to display a value: PerfKit's display hint.
enum class frame_display : unsigned char { raw, percentage };
[[nodiscard]] constexpr frame_display display_of(unit of) noexcept {
    return of == percent_unit ? frame_display::percentage : frame_display::raw;
}

// A value and its frame. PerfKit, appendix B: a count has value == cycles; for other counters
// `cycles` are the cycles that they were observed, NaN if the source has none.
struct frame_value {
    double value = detail::quiet_nan;
    double cycles = detail::quiet_nan;
    std::uint64_t frame = 0; // counted from 1; 0: there is no value yet
    // How many samples the value consists of, with fractions: if less than two, neighbouring frames
    // share them. Infinite if it was read at the frame's end.
    double samples = detail::infinite;

    [[nodiscard]] bool known() const noexcept { return frame != 0; }
    [[nodiscard]] bool shared_with_neighbours() const noexcept { return samples < 2; }
};

// Quantities of frames that need no counter. They are always there.
enum class frame_quantity : unsigned char {
    host_time,      // from begin_frame() to end_frame()
    gpu_time,       // between the frame's two events in its stream, waits for the host included
    own_time,       // the sampler's own part of the frame, scopes included
    call_time,      // in driver calls that launch, copy, fill, allocate, free or wait, of all threads
    wait_time,      // the part of it that waits for the GPU
    memory,         // device memory that the program allocated since the sampler began
    launches,       // kernels and graphs
    copied_bytes,   // between any memories
    gpu_busy,       // while at least one kernel, copy or set of the frame ran: see frame_records
    wait_context,   // the parts of wait_time: for all of a context's work,
    wait_stream,    // for a stream,
    wait_event,     // for an event
    wait_copy,      // in copies that return when they are done; not in wait_time
    memory_managed, // the part of memory that is managed
    memory_host,    // page-locked memory of the host that the program allocated since the sampler began
    peer_bytes      // the part of copied_bytes from one GPU to another, by calls that name both
};
// How many quantities `frame_quantity` names.
inline constexpr std::size_t frame_quantities = 16;

[[nodiscard]] constexpr std::string_view name(frame_quantity which) noexcept {
    constexpr std::string_view names[frame_quantities]{
        "frame.host_time",  "frame.gpu_time",        "frame.own_time",     "driver.call_time",
        "driver.wait_time", "driver.memory",         "driver.launches",    "driver.copied_bytes",
        "frame.gpu_busy",   "driver.wait_context",   "driver.wait_stream", "driver.wait_event",
        "driver.wait_copy", "driver.memory_managed", "driver.memory_host", "driver.peer_bytes"};
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
        "bytes that were copied",
        "time in which at least one kernel, copy or set of the frame ran",
        "time in calls of the driver that wait for all work of a context",
        "time in calls of the driver that wait for a stream",
        "time in calls of the driver that wait for an event",
        "time in copies that return when they are done",
        "the managed part of device memory that the program has allocated since the sampler began",
        "page-locked memory of the host that the program has allocated since the sampler began",
        "bytes that were copied from one GPU to another, by calls that name both"};
    return meanings[static_cast<std::size_t>(which)];
}
[[nodiscard]] constexpr unit unit_of(frame_quantity which) noexcept {
    using enum frame_quantity;
    switch (which) {
        case memory:
        case memory_managed:
        case memory_host:
        case peer_bytes:
        case copied_bytes: return gpuprof::unit_of(dimension::byte);
        case launches: return one;
        default: return gpuprof::unit_of(dimension::second, -9);
    }
}

// A quantity, counter or scope. Owned by the sampler; valid until its counters change.
struct frame_series {
    frame_series(std::string of, gpuprof::unit in, std::size_t capacity)
        : name{std::move(of)}, unit{in}, history{capacity} {}

    [[nodiscard]] frame_display display() const noexcept { return display_of(unit); }
    // @pre the value is no NaN
    void push(frame_value value) noexcept {
        last = value;
        ++pushed;
        history.push(value.value, value.frame);
    }

    std::string name;
    gpuprof::unit unit;
    frame_value last{};
    std::uint64_t pushed = 0; // values that it ever had
    frame_history history;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_SERIES_HPP
