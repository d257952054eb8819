// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/clock.hpp: time never runs back, and ticks have the length that another clock measures.
#include <gpuprof/hw/machine/platform/clock.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>

namespace clock_test {

namespace platform = gpuprof::platform;

TEST_CASE("a thread never sees a clock of the platform run back, and sees both go on") {
    std::uint64_t const first_tick = platform::ticks();
    std::uint64_t const first_nanosecond = platform::monotonic_nanoseconds();
    std::uint64_t last_tick = first_tick;
    std::uint64_t last_nanosecond = first_nanosecond;
    for (int i = 0; i < 100'000; ++i) {
        std::uint64_t const tick = platform::ticks();
        std::uint64_t const nanosecond = platform::monotonic_nanoseconds();
        REQUIRE(tick >= last_tick);
        REQUIRE(nanosecond >= last_nanosecond);
        last_tick = tick;
        last_nanosecond = nanosecond;
    }
    CHECK(last_tick > first_tick);
    CHECK(last_nanosecond > first_nanosecond);
}

TEST_CASE("the monotonic clock is the one of std::chrono::steady_clock") {
    auto const steady = [] {
        return static_cast<std::uint64_t>(
            std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count());
    };
    std::uint64_t const before = steady();
    std::uint64_t const now = platform::monotonic_nanoseconds();
    std::uint64_t const after = steady();
    CHECK(before <= now);
    CHECK(now <= after);
}

TEST_CASE("a pair of clocks was read between the readings around it") {
    std::uint64_t const tick_before = platform::ticks();
    std::uint64_t const nanosecond_before = platform::monotonic_nanoseconds();
    platform::clock_pair const pair = platform::read_clocks();
    CHECK(pair.ticks >= tick_before);
    CHECK(pair.ticks <= platform::ticks());
    CHECK(pair.nanoseconds >= nanosecond_before);
    CHECK(pair.nanoseconds <= platform::monotonic_nanoseconds());
}

TEST_CASE(
    "a tick is as long as it is by steady_clock, and no processor counts slower than 1 MHz or faster than 20 GHz") {
    platform::clock_pair const origin = platform::read_clocks();
    auto const began = std::chrono::steady_clock::now();
    std::uint64_t const first = platform::ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    double const length = platform::nanoseconds_per_tick(origin);
    std::uint64_t const counted = platform::ticks() - first;
    std::chrono::duration<double, std::nano> const slept = std::chrono::steady_clock::now() - began;
    CHECK(length > 0.05);
    CHECK(length < 1000.0);
    CHECK(static_cast<double>(counted) * length == doctest::Approx(slept.count()).epsilon(0.05));
}

TEST_CASE("the length of a tick is measured over a millisecond at least") {
#if defined(__aarch64__) // its processor tells the length, which is a frequency in whole hertz: nothing is waited for
    double const length = platform::nanoseconds_per_tick({~std::uint64_t{0}, ~std::uint64_t{0}});
    CHECK(1e9 / length == doctest::Approx(std::round(1e9 / length)).epsilon(1e-12));
#else
    platform::clock_pair const origin = platform::read_clocks();
    static_cast<void>(platform::nanoseconds_per_tick(origin));
    CHECK(platform::monotonic_nanoseconds() - origin.nanoseconds >= 1'000'000);
#endif
}

} // namespace clock_test
