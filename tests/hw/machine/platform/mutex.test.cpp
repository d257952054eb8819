// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/mutex.hpp: one thread at a time, and ready before any constructor runs.
#include <gpuprof/hw/machine/platform/mutex.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <type_traits>
#include <vector>

namespace mutex_test {

namespace platform = gpuprof::platform;

namespace {

constinit platform::mutex ready_before_main;

static_assert(!std::is_copy_constructible_v<platform::mutex> && !std::is_move_constructible_v<platform::mutex>);
static_assert(!std::is_copy_constructible_v<platform::lock> && !std::is_move_constructible_v<platform::lock>);

} // namespace

TEST_CASE("what threads do under one mutex is not interleaved") {
    constexpr long threads = 4, rounds = 20'000;
    long sum = 0; // not atomic: only the mutex makes the additions whole
    {
        std::vector<std::jthread> pool;
        for (long i = 0; i < threads; ++i)
            pool.emplace_back([&sum] {
                for (long n = 0; n < rounds; ++n) {
                    platform::lock const held{ready_before_main};
                    sum = sum + 1;
                }
            });
    }
    CHECK(sum == threads * rounds);
}

TEST_CASE("a thread waits for a mutex that another one holds, and goes on when it is given back") {
    platform::mutex shared;
    std::atomic<bool> asked = false;
    std::atomic<bool> passed = false;
    std::jthread waiting;
    {
        platform::lock const held{shared};
        waiting = std::jthread{[&] {
            asked = true;
            platform::lock const mine{shared};
            passed = true;
        }};
        while (!asked) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        CHECK_FALSE(passed);
    }
    waiting.join();
    CHECK(passed);
}

TEST_CASE("a lock is given back at the end of its block") {
    platform::mutex again;
    for (int i = 0; i < 2; ++i) platform::lock const held{again};
    std::thread{[&again] { platform::lock const held{again}; }}.join();
    CHECK(true); // came here
}

} // namespace mutex_test
