// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/frames/frame_history.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace frame_history_test {

using gpuprof::frame_history;

namespace {
// By definition: the smallest value that at least `percent` of the values are not above.
double reference(std::vector<double> const& values, unsigned percent) {
    double best = 1e300;
    for (double const candidate : values) {
        std::size_t below = 0;
        for (double const each : values) below += each <= candidate;
        if (below * 100 >= percent * values.size() && candidate < best) best = candidate;
    }
    return best;
}
} // namespace

TEST_CASE("frame_history: percentiles of the last frames are those of their definition") {
    std::uint64_t random = 1;
    std::size_t compared = 0;
    for (std::size_t const capacity : {1u, 2u, 7u, 100u, 240u}) {
        frame_history history{capacity};
        std::vector<double> all;
        for (std::size_t n = 1; n <= 2 * capacity + 3; ++n) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            all.push_back(static_cast<double>(random >> 58)); // 64 different values: equal ones, too
            history.push(all.back());
            std::vector<double> const last(all.end() - static_cast<std::ptrdiff_t>(n < capacity ? n : capacity),
                                           all.end());
            REQUIRE(history.size() == last.size());
            if (n % 16 != 3) continue;
            double least = last[0], most = last[0], sum = 0;
            for (double const each : last) {
                least = each < least ? each : least;
                most = each > most ? each : most;
                sum += each;
            }
            auto const summary = history.summary();
            CHECK(summary.frames == last.size());
            CHECK(summary.min == least);
            CHECK(summary.max == most);
            CHECK(summary.mean == doctest::Approx(sum / static_cast<double>(last.size())));
            CHECK(summary.median == reference(last, 50));
            CHECK(summary.p95 == reference(last, 95));
            CHECK(summary.p99 == reference(last, 99));
            for (unsigned const percent : {1u, 10u, 25u, 75u, 100u}) {
                CHECK(history.percentile(percent) == reference(last, percent));
                ++compared;
            }
        }
    }
    CHECK(compared == 5 * (1 + 1 + 1 + 13 + 31)); // frames 3, 19, 35, ... of 5, 7, 17, 203 and 483
}

TEST_CASE("frame_history: values stand in the order of frames, the oldest first, also after the ring has come round") {
    frame_history history{5};
    for (int n = 1; n <= 23; ++n) {
        history.push(n);
        std::size_t const size = n < 5 ? static_cast<std::size_t>(n) : 5;
        REQUIRE(history.size() == size);
        for (std::size_t i = 0; i < size; ++i) CHECK(history[i] == n - static_cast<int>(size - 1 - i));
    }
}

TEST_CASE("frame_history: of no frame there is nothing to say") {
    frame_history const history{5};
    auto const summary = history.summary();
    CHECK(summary.frames == 0);
    CHECK(summary.mean != summary.mean);
    CHECK(history.percentile(50) != history.percentile(50));
}

} // namespace frame_history_test
