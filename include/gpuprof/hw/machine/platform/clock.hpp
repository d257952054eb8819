// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks: the system's, and the processor's cheapest monotonic counter with the length of its tick.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_CLOCK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_CLOCK_HPP

#include <cstdint>

#include "../../../detail/builtin.hpp"
#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <time.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
// Nanoseconds of the system's monotonic clock (the performance counter, as
// std::chrono::steady_clock).
[[nodiscard]] inline std::uint64_t monotonic_nanoseconds() noexcept {
    std::uint64_t frequency = 0;
    std::uint64_t count = 0;
    ::QueryPerformanceFrequency(reinterpret_cast<_LARGE_INTEGER*>(&frequency)); // does not access the hardware
    ::QueryPerformanceCounter(reinterpret_cast<_LARGE_INTEGER*>(&count));
    // Seconds separately: the product with 10^9 would not fit.
    return count / frequency * 1'000'000'000u + count % frequency * 1'000'000'000u / frequency;
}

// Nanoseconds since the Unix epoch, in steps of 100.
[[nodiscard]] inline std::uint64_t realtime_nanoseconds() noexcept {
    constexpr std::uint64_t from_1601_to_1970 = 116'444'736'000'000'000; // in steps
    std::uint32_t halves[2] = {};                                        // a FILETIME
    ::GetSystemTimePreciseAsFileTime(reinterpret_cast<_FILETIME*>(&halves));
    return ((std::uint64_t{halves[1]} << 32 | halves[0]) - from_1601_to_1970) * 100;
}
#else
// Nanoseconds of the system's monotonic clock (CLOCK_MONOTONIC).
[[nodiscard]] inline std::uint64_t monotonic_nanoseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

// Nanoseconds since the Unix epoch (CLOCK_REALTIME).
[[nodiscard]] inline std::uint64_t realtime_nanoseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}
#endif

// The time stamp counter on x86-64 (constant rate on every processor since 2008), the virtual
// counter on AArch64, nanoseconds elsewhere. Not ordered with the loads and stores around it: a
// scope needs the time, not a fence. About 10 ns on x86-64.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
#if GPUPROF_PROCESSOR_TICKS
    return gpuprof::detail::processor_ticks();
#else
    return monotonic_nanoseconds();
#endif
}

// Both clocks at one moment.
struct clock_pair {
    std::uint64_t ticks;
    std::uint64_t nanoseconds;
};

// The closest of a few readings, since the thread may be suspended between the two clocks.
[[nodiscard]] inline clock_pair read_clocks() noexcept {
    clock_pair best{0, 0};
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 4; ++i) {
        std::uint64_t const before = ticks();
        std::uint64_t const now = monotonic_nanoseconds();
        std::uint64_t const apart = ticks() - before;
        if (apart >= least) continue;
        least = apart;
        best = {before + apart / 2, now};
    }
    return best;
}

// The length of a tick: the processor's own figure (AArch64), else measured over the time since
// `origin`, for which it waits until that is 1 ms, so that the delay between the two clocks does
// not matter.
[[nodiscard]] inline double nanoseconds_per_tick(clock_pair origin) noexcept {
#if GPUPROF_PROCESSOR_TICKS
    if (auto const frequency = gpuprof::detail::processor_ticks_per_second(); frequency != 0)
        return 1e9 / static_cast<double>(frequency);
#endif
    clock_pair now = read_clocks();
    while (now.nanoseconds - origin.nanoseconds < 1'000'000) now = read_clocks();
    return static_cast<double>(now.nanoseconds - origin.nanoseconds) / static_cast<double>(now.ticks - origin.ticks);
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_CLOCK_HPP
