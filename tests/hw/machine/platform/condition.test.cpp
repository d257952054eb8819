// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/condition.hpp: who waits is woken, and no wake-up is lost.
#include <gpuprof/hw/machine/platform/condition.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <type_traits>
#include <vector>

namespace condition_test {

namespace platform = gpuprof::platform;

static_assert(!std::is_copy_constructible_v<platform::condition> && !std::is_move_constructible_v<platform::condition>);

TEST_CASE("threads hand a number round, each waiting for its turn") {
    constexpr unsigned threads = 3, rounds = 3'000;
    platform::mutex mutex;
    platform::condition changed;
    unsigned turn = 0;
    {
        std::vector<std::jthread> pool;
        for (unsigned i = 0; i < threads; ++i)
            pool.emplace_back([&, i] {
                for (unsigned n = 0; n < rounds; ++n) {
                    platform::lock const held{mutex};
                    while (turn % threads != i) changed.wait(mutex);
                    ++turn;
                    changed.wake_all();
                }
            });
    }
    CHECK(turn == threads * rounds);
}

TEST_CASE("a wait for a time ends by itself, not before it, and sooner when woken") {
    platform::mutex mutex;
    platform::condition changed;
    bool done = false;
    using clock = std::chrono::steady_clock;
    auto const begin = clock::now();
    {
        platform::lock const held{mutex};
        auto const end = begin + std::chrono::milliseconds{20};
        while (clock::now() < end) changed.wait_for(mutex, 20'000'000); // it may also end for no reason
    }
    CHECK(clock::now() - begin >= std::chrono::milliseconds{20});
    std::jthread const waking{[&] {
        platform::lock const held{mutex};
        done = true;
        changed.wake_all();
    }};
    platform::lock const held{mutex};
    while (!done) changed.wait_for(mutex, std::uint64_t{3'600} * 1'000'000'000); // the test's own limit is shorter
    CHECK(done);
}

} // namespace condition_test
