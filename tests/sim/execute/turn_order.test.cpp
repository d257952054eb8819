// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The turns of a launch, once they are shared out among threads of the host.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sim/execute/turn_order.hpp"

namespace turn_order_test {

namespace sim = gpuprof::sim;

namespace {

// What several threads saw of the turns that they took.
struct outcome {
    std::vector<int> times;  // that each turn was taken; the last is the turn after the last
    bool in_order = true;    // turns of a column, one after the other
    bool first_ended = true; // all turns before one that awaited them
};

// @param threads take turns until there are none; each turn awaits those before it if `orders`
outcome run(unsigned threads, std::uint64_t columns, std::uint64_t turns, bool orders) {
    sim::turn_order order{threads, static_cast<unsigned>(columns)};
    std::vector<std::atomic<int>> times(turns + 1);
    std::vector<std::atomic<bool>> ended(turns + 1);
    std::atomic<bool> in_order{true}, first_ended{true};
    std::uint64_t const begun = order.take(0); // the first thread begins alone
    REQUIRE(begun == 0);
    order.share_out(columns, turns);
    auto const work = [&](unsigned thread) {
        std::uint64_t turn = thread == 0 ? begun : order.take(thread);
        for (; turn < turns; turn = order.take(thread)) {
            ++times[turn];
            auto const column = static_cast<unsigned>(turn % columns);
            if (!order.await_sm(thread, column, turn / columns)) return;
            if (turn >= columns && !ended[turn - columns]) in_order = false;
            if (turn % 7 == 0) std::this_thread::yield();
            if (orders) {
                if (!order.await_earlier(thread)) return;
                for (std::uint64_t i = 0; i < turn; ++i)
                    if (!ended[i]) first_ended = false;
            }
            ended[turn] = true;
            order.end_on(column);
        }
        if (turn == turns) ++times[turns];
        order.leave(thread);
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(work, i);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    return {{times.begin(), times.end()}, in_order, first_ended};
}

} // namespace

TEST_CASE("turns that are shared out are each taken once, in the order of their columns") {
    for (unsigned const threads : {1u, 2u, 5u, 16u})
        for (std::uint64_t const columns : {1u, 3u, 132u})
            for (std::uint64_t const turns : {1u, 2u, 131u, 1000u}) {
                CAPTURE(threads);
                CAPTURE(columns);
                CAPTURE(turns);
                outcome const seen = run(threads, columns, turns, false);
                CHECK(seen.times == std::vector<int>(turns + 1, 1));
                CHECK(seen.in_order);
            }
}

TEST_CASE("a turn that awaits those before it goes on when they have ended, whoever took them") {
    for (unsigned const threads : {2u, 5u}) {
        outcome const seen = run(threads, 10, 400, true);
        CHECK(seen.times == std::vector<int>(401, 1));
        CHECK(seen.first_ended);
    }
}

} // namespace turn_order_test
