// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest monotonic timestamp of the host processor, in its own ticks, and how long a tick is. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_CLOCK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_CLOCK_HPP

#include <cstdint> // std::uint64_t

#include <time.h> // clock_gettime

#include "../../../detail/builtin.hpp"
#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

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

// Time stamp counter on x86-64 (constant rate on every processor since 2008), virtual counter on AArch64, nanoseconds
// elsewhere. Unordered with the loads and stores around it: a scope wants the time, not a fence. About 10 ns on x86-64.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
#if GPUPROF_PROCESSOR_TICKS
    return detail::processor_ticks();
#else
    return monotonic_nanoseconds();
#endif
}

// Both clocks at one moment.
struct clock_pair {
    std::uint64_t ticks;
    std::uint64_t nanoseconds;
};

// The closest of a few readings, since a thread can be put aside between the two clocks.
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

// The length of a tick, taken over the time since `origin`. Waits until that is 1 ms, so that reading the two clocks apart
// does not matter.
[[nodiscard]] inline double nanoseconds_per_tick(clock_pair origin) noexcept {
    clock_pair now = read_clocks();
    while (now.nanoseconds - origin.nanoseconds < 1'000'000) now = read_clocks();
    return static_cast<double>(now.nanoseconds - origin.nanoseconds) / static_cast<double>(now.ticks - origin.ticks);
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_CLOCK_HPP
