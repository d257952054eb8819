// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a warp is taken to ask memory in vain, and when it is not.
#include <cstdint>

#include <doctest/doctest.h>

#include "sim/execute/poll_watch.hpp"

namespace poll_watch_test {

namespace sim = gpuprof::sim;

namespace {

// A warp alone, in a loop of so many instructions of which one asks.
struct asking {
    sim::poll_watch watch;
    std::uint64_t time = 0;
    std::uint64_t length = 5;
    int compared = 0;

    bool ask(std::uint64_t value, std::uint32_t pc = 7) {
        time += length;
        return watch.asks(pc, time, 1, true, [&] {
            ++compared;
            return value;
        });
    }
    // The turn ends when the watch says so. @return how often it asked, at most `most`
    int turn(std::uint64_t value, int most = 5000) {
        watch.begin_turn(time);
        for (int i = 1; i <= most; ++i)
            if (ask(value)) return i;
        return most;
    }
};

} // namespace

TEST_CASE("a loop that gets the same answer for long ends its turn, the next ones soon") {
    asking one;
    int const first = one.turn(3);
    CHECK(first > 1000);
    CHECK(first < 1100);
    CHECK(one.compared < 20); // answers are not looked at before
    for (int i = 0; i < 3; ++i) {
        CHECK(one.turn(3) < 10);
        CHECK(one.watch.is_stuck());
        CHECK(one.watch.asks_all());
    }
}

TEST_CASE("a loop whose answers change, that is long, or that does something between does not end its turn") {
    constexpr int most = 5000;
    asking changing, longer, doing;
    std::uint64_t value = 0;
    changing.watch.begin_turn(0);
    for (int i = 0; i < most; ++i) REQUIRE(!changing.ask(++value));
    longer.length = 1000;
    CHECK(longer.turn(3) == most);
    doing.watch.begin_turn(0);
    for (int i = 0; i < most; ++i) {
        REQUIRE(!doing.ask(3));
        if (i % 100 == 0) doing.watch.moved();
    }
    for (asking const* const one : {&changing, &longer, &doing}) CHECK(!one->watch.is_stuck());
}

TEST_CASE("one answer of several in a loop may be the one that changes") {
    for (bool const changes : {false, true}) {
        asking one;
        one.watch.begin_turn(0);
        bool ends = false;
        for (std::uint64_t i = 0; i < 2000 && !ends; ++i) ends = one.ask(3, 7) || one.ask(changes ? i : 4, 9);
        CHECK(ends == !changes);
    }
}

TEST_CASE("a turn in which another answer came was not in vain") {
    asking one;
    one.turn(3);
    one.turn(3);
    CHECK(one.watch.is_stuck());
    one.turn(4);
    CHECK(!one.watch.is_stuck());
    one.turn(4);
    CHECK(one.watch.is_stuck());
}

TEST_CASE("a warp that asks once in each turn is stuck if its CTA goes around a loop meanwhile, and not if it works") {
    for (std::uint64_t const between : {20u, 20'000u}) {
        asking one;
        for (int i = 0; i < 2000; ++i) {
            one.watch.begin_turn(one.time);
            CHECK(!one.ask(3));
            one.time += between;
        }
        CHECK(one.watch.is_stuck_with_others() == (between == 20));
    }
}

} // namespace poll_watch_test
