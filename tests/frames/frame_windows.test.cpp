// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/frames/frame_windows.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace frame_windows_test {

using gpuprof::aggregation;
using gpuprof::frame_group;
using gpuprof::frame_reading;
using gpuprof::frame_value;
using gpuprof::detail::frame_windows;

namespace {
struct taken {
    std::size_t counter;
    frame_value value;
};
std::vector<taken> take(frame_windows& from) {
    std::vector<taken> all;
    from.take([&](std::size_t counter, frame_value const& value) { all.push_back({counter, value}); });
    return all;
}
void read(frame_windows& into, std::uint64_t begin, std::uint64_t end, std::vector<double> const& values,
          frame_group const& group, double cycles = 0) {
    into.add(frame_reading{begin, end, cycles, values}, group);
}
} // namespace

TEST_CASE("frame_windows: a frame has of a count as much as it has of the time, and of a rate the mean over time") {
    frame_windows windows{{aggregation::sum, aggregation::mean, aggregation::minimum, aggregation::maximum}};
    frame_group const all{0, 1, 2, 3};
    windows.add({7, 1000, 2000});
    windows.add({8, 2000, 4000});
    read(windows, 900, 1500, {60, 10, 5, 5}, all, 600);   // 500 of 600 in frame 7
    read(windows, 1500, 2500, {100, 30, 4, 7}, all, 800); // half in 7, half in 8
    auto const seven = take(windows);
    REQUIRE(seven.size() == 4);
    CHECK(seven[0].value.frame == 7);
    CHECK(seven[0].value.value == doctest::Approx(60 * 5.0 / 6 + 50));
    CHECK(seven[0].value.cycles == seven[0].value.value); // a count
    CHECK(seven[0].value.samples == doctest::Approx(5.0 / 6 + 0.5));
    CHECK(seven[0].value.shared_with_neighbours());
    CHECK(seven[1].value.value == doctest::Approx((10 * 500 + 30 * 500) / 1000.0));
    CHECK(seven[1].value.cycles == doctest::Approx(600 * 5.0 / 6 + 400));
    CHECK(seven[2].value.value == 4);
    CHECK(seven[3].value.value == 7);
    CHECK(take(windows).empty()); // nothing reaches to the end of frame 8
    read(windows, 2500, 4000, {30, 20, 1, 1}, all, 1000);
    auto const eight = take(windows);
    REQUIRE(eight.size() == 4);
    CHECK(eight[0].value.frame == 8);
    CHECK(eight[0].value.value == doctest::Approx(50 + 30));
    CHECK(eight[1].value.value == doctest::Approx((30 * 500 + 20 * 1500) / 2000.0));
    CHECK(windows.incomplete() == 0);
}

TEST_CASE("frame_windows: what readings hold is in the frames as a whole, whatever their lengths") {
    std::size_t compared = 0;
    for (std::uint64_t const frame : {10u, 97u, 100u, 1000u})
        for (std::uint64_t const sample : {10u, 33u, 100u, 700u, 1900u}) {
            frame_windows windows{{aggregation::sum}};
            frame_group const all{0};
            double given = 0, got = 0, sum_of_squares = 0;
            std::uint64_t framed = 0, sampled = 0, frames = 0;
            while (sampled < 100'000) {
                while (framed + frame <= sampled + sample) {
                    windows.add({framed / frame + 1, framed, framed + frame});
                    framed += frame;
                    if (framed / frame % 32 == 0) break; // the ring has room for 64
                }
                if (framed + frame > sampled + sample) {
                    read(windows, sampled, sampled + sample, {static_cast<double>(sample)}, all); // one a nanosecond
                    sampled += sample;
                    given += static_cast<double>(sample);
                }
                for (taken const& each : take(windows)) {
                    got += each.value.value;
                    sum_of_squares += (each.value.value - static_cast<double>(frame)) *
                                      (each.value.value - static_cast<double>(frame));
                    ++frames;
                }
            }
            CAPTURE(frame);
            CAPTURE(sample);
            if (frame * 32 < sample) continue; // more frames a sample than there is room for
            CHECK(sum_of_squares < 1e-6 * static_cast<double>(frames));
            CHECK(windows.incomplete() == 0);
            CHECK(given - got < static_cast<double>(2 * frame + 2 * sample));
            ++compared;
        }
    CHECK(compared == 18);
}

TEST_CASE("frame_windows: a frame whose samples were lost has no value, and is counted") {
    frame_windows windows{{aggregation::sum}};
    frame_group const all{0};
    for (std::uint64_t i = 0; i < 4; ++i) windows.add({i + 1, i * 100, i * 100 + 100});
    read(windows, 0, 50, {5}, all);
    read(windows, 50, 100, {5}, all);
    read(windows, 300, 350, {1}, all); // 100 to 300 are missing
    read(windows, 350, 400, {2}, all);
    auto const values = take(windows);
    REQUIRE(values.size() == 2);
    CHECK(values[0].value.frame == 1);
    CHECK(values[0].value.value == 10);
    CHECK(values[1].value.frame == 4);
    CHECK(values[1].value.value == 3);
    CHECK(windows.incomplete() == 2);
}

TEST_CASE("frame_windows: a counter that was not collected, or whose group was not on, has no value") {
    frame_windows windows{{aggregation::sum, aggregation::sum, aggregation::sum}};
    frame_group const first{0, 2};
    windows.add({1, 0, 100});
    read(windows, 0, 100, {5, gpuprof::detail::quiet_nan}, first);
    auto const values = take(windows);
    REQUIRE(values.size() == 1);
    CHECK(values[0].counter == 0);
    CHECK(values[0].value.value == 5);
}

TEST_CASE("frame_windows: frames and readings that there is no room for are counted") {
    frame_windows windows{{aggregation::sum}};
    frame_group const all{0};
    for (std::uint64_t i = 0; i < 100; ++i) windows.add({i + 1, i * 10, i * 10 + 10});
    CHECK(windows.waiting() == 64);
    CHECK(windows.incomplete() == 36);
    for (std::uint64_t i = 0; i < 80; ++i) read(windows, 360 + i * 5, 364 + i * 5, {1}, all); // with gaps between them
    CHECK(windows.readings_lost() == 16);
}

TEST_CASE("frame_windows: of many short samples before a frame's end is known, nothing is lost") {
    frame_windows windows{{aggregation::sum, aggregation::mean, aggregation::maximum, aggregation::minimum}};
    frame_group const all{0, 1, 2, 3};
    std::size_t const many = 10'000;
    for (std::uint64_t i = 0; i < many; ++i) {
        double const value = static_cast<double>(i % 7);
        read(windows, i * 10, i * 10 + 10, {value, value, value, value}, all, 3);
    }
    CHECK(windows.readings_lost() == 0);
    windows.add({1, 0, many * 10});
    auto const values = take(windows);
    REQUIRE(values.size() == 4);
    double const sum = (many / 7) * 21.0 + 0 + 1 + 2 + 3; // 10,000 is 1,428 times 7, and 4
    CHECK(values[0].value.value == sum);
    CHECK(values[0].value.samples == doctest::Approx(many));
    CHECK(values[1].value.value == doctest::Approx(sum / many));
    CHECK(values[1].value.cycles == doctest::Approx(3.0 * many));
    CHECK(values[2].value.value == 6);
    CHECK(values[3].value.value == 0);
}

} // namespace frame_windows_test
