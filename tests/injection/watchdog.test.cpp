// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// That a deadline is heard of once it has passed, and not where it has not.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "injection/watchdog.hpp"

namespace watchdog_test {

using std::chrono::seconds;

namespace {

// Never destroyed, as a watchdog is not; neither is what it tells.
struct heard {
    std::atomic<int> times{0};
    std::string of;
};

} // namespace

TEST_CASE("watchdog: what ends in time is not heard of, however often, and what has no limit neither") {
    auto& late = *new heard;
    auto& dog = *new gpuprof::injection::watchdog{[&late](std::string const&) { ++late.times; }};
    for (int i = 0; i < 1000; ++i) {
        dog.begin("short", seconds{1});
        dog.end();
    }
    { gpuprof::injection::watchdog::watched const block{dog, "left", seconds{1}}; }
    dog.begin("without limit", seconds{0});
    std::this_thread::sleep_for(std::chrono::milliseconds{1500}); // past the last deadline
    dog.end();
    CHECK(late.times == 0);
}

TEST_CASE("watchdog: what is late is heard of once, by its name, and end waits for that") {
    auto& late = *new heard;
    auto& dog = *new gpuprof::injection::watchdog{[&late](std::string const& name) {
        late.of = name;
        std::this_thread::sleep_for(std::chrono::milliseconds{300});
        ++late.times;
    }};
    for (int i = 1; i <= 2; ++i) { // also again
        auto const begin = std::chrono::steady_clock::now();
        dog.begin("long", seconds{1});
        std::this_thread::sleep_for(std::chrono::milliseconds{1150});
        dog.end();
        CHECK(late.times == i);
        CHECK(late.of == "long");
        CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{1300});
    }
}

} // namespace watchdog_test
