// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CTAs that wait for later ones in an ordinary launch, and lanes that wait for others of their warp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/kernel_fixture.hpp"
#include "support/sanitized.hpp"

namespace kernels_waiting_test {

using namespace gpuprof_test;
using sim::launch_failure;

namespace {

// Host threads, and CTAs that the GPU holds at once.
struct setting {
    unsigned threads;
    std::uint64_t resident;
};
constexpr setting settings[] = {{1, 1000}, {2, 1000}, {3, 1000}, {8, 1000}, {1, 12}, {3, 12}, {8, 12}};

machine waiting(setting const& with, std::uint64_t budget = 3'000'000) {
    machine m{"waiting.sm_90.ptx"};
    m.options.threads = with.threads;
    m.options.alone_steps = 0;
    m.options.sm_count = 6;
    m.options.resident_ctas = with.resident;
    m.options.step_budget = budget;
    return m;
}
// What a kernel counts depends on how many CTAs are resident, and not on host threads.
class same_counts {
public:
    void check(setting const& with, sim::counter_values const& counted) {
        auto const known =
            std::find_if(seen_.begin(), seen_.end(), [&](entry const& one) { return one.resident == with.resident; });
        if (known == seen_.end()) {
            seen_.push_back({with.resident, counted});
        } else {
            CHECK(known->counted == counted);
            ++compared;
        }
    }
    int compared = 0;

private:
    struct entry {
        std::uint64_t resident;
        sim::counter_values counted;
    };
    std::vector<entry> seen_;
};

} // namespace

TEST_CASE("the first CTA may wait for the last one") {
    same_counts counts;
    for (setting const& with : settings) {
        machine m = waiting(with);
        auto const arrived = m.zeros<int>(1);
        auto const values = m.zeros<int>(100);
        auto const sum = m.zeros<int>(1);
        m.run("first_waits_for_all", {100}, {64}, arguments{arrived, values, sum});
        CHECK(sum[0] == 3 * 99 * 100 / 2);
        counts.check(with, m.counted);
    }
    CHECK(counts.compared == 5);
}

TEST_CASE("a semaphore lets CTAs in from the last one to the first, if the GPU holds them all") {
    same_counts counts;
    for (setting const& with : settings) {
        machine m = waiting(with);
        auto const semaphore = m.zeros<int>(1);
        auto const order = m.zeros<int>(12 * 32);
        m.run("semaphore_backwards", {12}, {96}, arguments{semaphore, order});
        for (std::size_t i = 0; i < 12 * 32; ++i) REQUIRE(order[i] == 11 - static_cast<int>(i / 32));
        CHECK(semaphore[0] == 12);
        counts.check(with, m.counted);
    }
    CHECK(counts.compared == 5);
}

TEST_CASE("a scan in one pass looks back, also at CTAs that begin later") {
    same_counts counts;
    for (int const backwards : {0, 1})
        for (setting const& with : settings) {
            if (backwards != 0 && with.resident < 100) continue;
            machine m = waiting(with);
            std::vector<int> in(100 * 32);
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 11);
            auto const values = m.array(in);
            auto const states = m.zeros<unsigned long long>(100);
            auto const out = m.zeros<int>(100);
            m.run("look_back", {100}, {32}, arguments{values, states, out, backwards});
            int before = 0;
            for (std::size_t tile = 0; tile < 100; ++tile) {
                REQUIRE(out[tile] == before);
                for (std::size_t i = 0; i < 32; ++i) before += in[tile * 32 + i];
            }
            if (backwards != 0) counts.check(with, m.counted);
        }
    CHECK(counts.compared == 3);
}

TEST_CASE("a CTA that has a lock may wait for one that wants it") {
    for (setting const& with : settings) {
        machine m = waiting(with);
        auto const lock = m.zeros<int>(1);
        auto const tried = m.zeros<int>(1);
        auto const counter = m.zeros<int>(1);
        m.run("lock_is_held", {5}, {32}, arguments{lock, tried, counter});
        int expected = 0;
        for (int const block : {0, 1, 2, 3, 4}) expected = expected * 3 + block + 1;
        CHECK(counter[0] == expected); // the lock is free when those after the second come
        CHECK(lock[0] == 0);
    }
}

TEST_CASE("lanes of a warp may wait for each other in a loop") {
    for (setting const& with : settings) {
        machine m = waiting(with);
        auto const lock = m.zeros<int>(1);
        auto const counter = m.zeros<int>(1);
        constexpr int ctas = sanitized ? 2 : 7; // all but one of the threads that are left look on
        m.run("lock_of_lanes", {ctas}, {70}, arguments{lock, counter});
        CHECK(counter[0] == ctas * 69 * 70 / 2);
        auto const out = m.zeros<int>(32);
        m.run("lanes_wait", {1}, {32}, arguments{out});
        for (std::size_t i = 0; i < 32; i += 2) CHECK(out[i] == 7);
    }
}

TEST_CASE("a cluster may wait for a later one") {
    for (setting const& with : settings) {
        machine m = waiting(with);
        m.cluster = {2, 1, 1};
        auto const flags = m.zeros<int>(6);
        auto const out = m.zeros<int>(12 * 64);
        m.run("clusters_wait", {12}, {64}, arguments{flags, out});
        for (std::size_t i = 0; i < 12 * 64; ++i) REQUIRE(out[i] == 1);
    }
}

TEST_CASE("waits of a library end, in an ordinary launch") {
    for (setting const& with : settings) {
        machine m = waiting(with);
        auto const turn = m.zeros<int>(1);
        auto const out = m.zeros<int>(10);
        m.run("waits_by_library", {10}, {32}, arguments{turn, out});
        for (std::size_t i = 0; i < 10; ++i) CHECK(out[i] == 9 - static_cast<int>(i));
    }
}

// As on a GPU, whose blocks keep their places until they end.
TEST_CASE("CTAs that wait for those that the GPU has no room for are stopped, the first of them is named") {
    for (unsigned const threads : {1u, 2u, 3u, 8u}) {
        machine m = waiting({threads, 11}, 300'000);
        auto const semaphore = m.zeros<int>(1);
        auto const order = m.zeros<int>(12 * 32);
        auto const done = m.launch("semaphore_backwards", {12}, {96}, arguments{semaphore, order});
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::step_budget);
        CHECK(done.error->cta.x == 0);
        for (char const* const told : {"no warp ended within 300000 steps", "blocks that the GPU has no room for",
                                       "blocks that wait for each other: 11, not begun: 1"})
            CHECK(done.error->detail.find(told) != std::string::npos);
    }
}

} // namespace kernels_waiting_test
