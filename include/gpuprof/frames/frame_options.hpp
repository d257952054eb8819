// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a frame sampler.
#ifndef GPUPROF_FRAMES_FRAME_OPTIONS_HPP
#define GPUPROF_FRAMES_FRAME_OPTIONS_HPP

#include <cstddef>
#include <cstdint>

#include "../core/device_source.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "../sample/sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where frames get the records of their kernels, copies and sets from. With records there are busy
// times (frame_quantity::gpu_busy) and the times of scopes on the GPU; without them there are only
// times between events, which include waits.
enum class frame_records : unsigned char {
    none, // no records
    own,  // the sampler has a tracer and a thread of its own. A process can have one tracer
    given // the program has a tracer, and gives its batches to add()
};

// The defaults suit a program with 60 frames a second. Memory: 24 bytes * history for each
// quantity, counter and scope, for scopes twice with records; 512 bytes * max_scopes; 16 bytes * 2 *
// allocations; that of PM sampling; 2.2 MB with records, and 2 MB for the tracer of the sampler's own.
// Sizes of 0, except allocations, are invalid_argument, and so is more than 1 GiB.
struct frame_options {
    // Of the host, a frame. With a budget a thread decodes samples beside the frames; 0: no budget,
    // and no thread.
    double budget_us = 50;
    std::size_t history = 240;      // frames in the statistics
    std::size_t max_scopes = 64;    // names of scopes; more are counted
    std::uint32_t rotation = 4;     // frames until the next group of counters, if they do not fit at once
    bool slow_rotation = false;     // change groups even if it takes 0.1 s each time (PM sampling)
    bool driver_counters = true;    // listen to calls of the driver
    bool gpu_times = true;          // two events a frame
    std::size_t allocations = 4096; // of device memory that are tracked
    // Needs driver_counters. See docs/frames.md for the cost.
    frame_records records = frame_records::none;
    abi::CUstream stream = nullptr; // of the frames; null: the context's default stream
    // The interval of PM samples; 0: one that suits frames of this length.
    sampling_interval interval{0};
    double expected_frame_us = 16'667;
    std::size_t buffer_bytes = std::size_t{64} << 20; // of the hardware: see pm_options
};

namespace detail {

// Errors: invalid_argument, which names the option.
[[nodiscard]] inline result<void> try_check(frame_options const& options) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    auto const refused = [](char const* cause, char const* remedy) {
        return result<void>{error{errc::invalid_argument, 0, "options of a frame sampler", cause, remedy}};
    };
    if (options.history == 0 || options.max_scopes == 0 || options.buffer_bytes == 0)
        return refused("one of history, max_scopes and buffer_bytes is 0", "leave what is not known as it is");
    if (!(options.budget_us <= 1e12)) // also NaN
        return refused("budget_us is no time that a frame can have", "0 is no budget");
    if (!(options.expected_frame_us > 0))
        return refused("expected_frame_us is not above 0", "16'667 suits most programs");
    if (options.records != frame_records::none && !options.driver_counters)
        return refused("records without driver_counters, which tell the frame of a launch", "set driver_counters");
    constexpr std::size_t a_value = 24, a_name = 512, an_allocation = 64;
    if (options.history > most_bytes / a_value || options.max_scopes > most_bytes / a_name ||
        options.allocations > most_bytes / an_allocation ||
        (options.max_scopes + 8) * options.history > most_bytes / a_value)
        return refused("history, max_scopes and allocations together ask for more than 1 GiB",
                       "a history of 240 frames, 64 scopes and 4096 allocations take 1 MB");
    return {};
}

// Eight samples a frame, but at most one in half a millisecond. Decoding takes a thread of an H200
// more than half of the sampled time, however many samples there are; and one in 375 is lost when
// one of CUPTI's two images is full.
[[nodiscard]] constexpr sampling_interval interval_for(double frame_us, device_source source) noexcept {
    double const nanoseconds = frame_us * 1000 / 8;
    double const shortest = source == device_source::hardware ? 500'000 : 2'000, longest = 1'000'000'000;
    double const within = nanoseconds < shortest ? shortest : nanoseconds > longest ? longest : nanoseconds;
    return sampling_interval::nanoseconds(static_cast<std::uint64_t>(within));
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_OPTIONS_HPP
