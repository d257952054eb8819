// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/frame_hud.hpp: what the display says of hitches, scopes and long names, and how wide it is.
#include <gpuprof/frames.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frames/frame_program.hpp"

namespace frame_hud_test {

using namespace gpuprof;

namespace {

struct hud_clock {
    static inline std::uint64_t time = 1'000;
    static std::uint64_t now() noexcept { return time; }
};
using hud_sampler = basic_frame_sampler<hud_clock>;

hud_sampler on_paper(device const& gpu, std::span<metric_info const> counters, any_frame_source source) {
    frame_options options;
    options.budget_us = 0;
    options.gpu_times = options.driver_counters = false;
    auto made = source ? hud_sampler::try_create(gpu, options, counters, std::move(source))
                       : hud_sampler::try_create(gpu, options, counters);
    REQUIRE(made);
    return *std::move(made);
}
void frame(hud_sampler& frames, std::uint64_t nanoseconds) {
    frames.begin_frame();
    hud_clock::time += nanoseconds;
    frames.end_frame();
}

std::size_t widest(std::string_view text) {
    std::size_t most = 0;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::size_t const length = detail::columns_of(text.substr(0, end));
        most = length > most ? length : most;
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return most;
}

// Each reading has a value.
struct hud_source {
    static constexpr bool timed = false;
    static constexpr bool cheap_to_select = true;
    explicit hud_source(std::size_t counters) : all(1), values(counters, 1234.5) {
        for (std::size_t i = 0; i < counters; ++i) all[0].push_back(i);
    }
    std::span<frame_group const> groups() const noexcept { return all; }
    result<void> try_select(std::size_t) { return {}; }
    result<frame_read> try_read(std::size_t, frame_sink sink) {
        sink({0, 0, detail::quiet_nan, values});
        return frame_read{1, 0, false};
    }
    std::vector<frame_group> all;
    std::vector<double> values;
};

} // namespace

TEST_CASE("the display says which frame was the longest, and how long ago it was") {
    frame_program program{"5.2"};
    auto frames = on_paper(program.gpu, {}, {});
    for (int i = 1; i < 1'204; ++i) frame(frames, 100'000);
    frame(frames, 367'000);
    for (int i = 0; i < 100; ++i) frame(frames, 50'000);
    char text[4000];
    std::string const shown{write_hud(text, frames)};
    CHECK(shown.find("frame 1,304 ") == 0);
    CHECK(shown.find(" 367 us in frame 1,204, 5.00 ms ago\n") != shown.npos); // 100 frames of 50 us
    auto const all = frames[frame_quantity::host_time].history.summary();
    CHECK(all.max == 367'000);
    CHECK(all.max_frame == 1'204);
    REQUIRE(frames.when(1'204));
    CHECK(frames.when(1'204)->end - frames.when(1'204)->begin == 367'000);
    CHECK_FALSE(frames.when(1'064)); // a history of 240 frames begins with 1,065
    CHECK(frames.when(1'065));
    CHECK_FALSE(frames.when(1'305));
    CHECK_FALSE(frames.when(0));
}

TEST_CASE("of equal maxima the last frame is told, and a history without frames tells none") {
    frame_history history{4};
    history.push(7, 1);
    history.push(7, 2);
    history.push(3, 3);
    CHECK(history.summary().max_frame == 2);
    CHECK(history.frame(2) == 3);
    for (int i = 0; i < 4; ++i) history.push(1);
    CHECK(history.summary().max_frame == 0);
}

TEST_CASE("no line of the display is longer than asked for, whatever names and problems there are") {
    frame_program program{"5.2"};
    std::vector<metric_info> counters;
    for (std::size_t length : {1u, 30u, 63u, 64u, 65u, 120u, 300u}) {
        std::string const name = std::string(length / 2, 'a') + std::string(length - length / 2, 'z');
        counters.push_back(metric_info{metric_ref{name, one, aggregation::mean}});
    }
    auto frames = on_paper(program.gpu, counters, any_frame_source{hud_source{counters.size()}});
    std::string const wide = "\u00fcberlang" + std::string(60, 'x');
    for (int i = 0; i < 3; ++i) {
        frames.begin_frame();
        { scope const named{frames, wide}; }
        { scope const named{frames, "short"}; }
        hud_clock::time += 1'000'000;
        frames.end_frame();
    }
    char text[8000];
    for (std::size_t const width : {40u, 60u, 80u, 120u, 200u}) {
        CAPTURE(width);
        std::string const shown{write_hud(text, frames, {.width = width})};
        CHECK(widest(shown) <= width);
        CHECK(shown.find("short") != shown.npos);
        CHECK(shown.find("...") != shown.npos);
    }
    CHECK(widest(write_hud(text, frames)) <= 80);
    CHECK(widest(write_hud(text, frames, {.width = 0})) <= 40);
    // Both ends of a long name stay.
    std::string const shown{write_hud(text, frames)};
    CHECK(shown.find("a...z") != shown.npos);
}

TEST_CASE("a problem is told in lines of the display's width, in all of its words") {
    frame_program program{"gh100"};
    auto first = sampled(program.gpu, unhurried(), metric<"smsp__warps_launched.sum">);
    auto second = sampled(program.gpu, unhurried(), metric<"smsp__warps_launched.sum">);
    REQUIRE(second.problem() != nullptr);
    second.next();
    second.next();
    char text[4000];
    std::string shown{write_hud(text, second)};
    CHECK(widest(shown) <= 80);
    std::string words;
    for (std::size_t i = 0; i < shown.size(); ++i) { // one line
        if (shown[i] == '\n') {
            words += ' ';
            while (i + 1 < shown.size() && shown[i + 1] == ' ') ++i;
        } else {
            words += shown[i];
        }
    }
    CHECK(words.find(second.problem()->what) != words.npos);
    CHECK(words.find("remedy: " + second.problem()->remedy) != words.npos);
}

TEST_CASE("scopes are listed by their times, the longest first, as many as asked for") {
    frame_program program{"5.2"};
    auto frames = on_paper(program.gpu, {}, {});
    char const* const names[]{"one", "two", "three", "four"};
    frames.begin_frame();
    for (int const i : {2, 0, 3, 1}) {
        scope const named{frames, names[i]};
        for (std::uint64_t const until =
                 platform::monotonic_nanoseconds() + 1'000'000u * (static_cast<unsigned>(i) + 1);
             platform::monotonic_nanoseconds() < until;) {}
    }
    hud_clock::time += 1'000'000;
    frames.end_frame();
    std::vector<std::pair<double, std::string>> by_time; // another thread may hold any of them up
    for (frame_series const& each : frames.scopes()) by_time.emplace_back(-each.last.value, each.name);
    std::sort(by_time.begin(), by_time.end());
    char text[4000];
    std::string const shown{write_hud(text, frames, {.scopes = 3})};
    std::size_t last = 0;
    for (int i = 0; i < 3; ++i) {
        std::size_t const at = shown.find("\n  " + by_time[static_cast<std::size_t>(i)].second + " ");
        REQUIRE(at != shown.npos);
        CHECK(at > last);
        CHECK(shown.find(" host\n", at) != shown.npos);
        last = at;
    }
    CHECK(shown.find("\n  " + by_time[3].second + " ") == shown.npos);
}

TEST_CASE("text is grouped, cut in its middle and broken at spaces") {
    detail::hud_line line;
    for (std::uint64_t const value : {0u, 7u, 999u, 1'000u, 1'204u, 1'000'007u, 12'034'056u}) {
        line.grouped(value);
        line.text(" ");
    }
    CHECK(line.view() == "0 7 999 1,000 1,204 1,000,007 12,034,056 ");
    detail::hud_line cut;
    cut.name_in("abcdefghij", 9);
    cut.text("|");
    cut.name_in("ab", 4);
    cut.text("|");
    CHECK(cut.view() == "abc...hij|ab  |");
    char room[200];
    detail::text_buffer to{room};
    detail::write_line(to, "  one two three four five six", 16);
    CHECK(to.view() == "  one two three\n    four five\n    six\n");
    detail::text_buffer hard{room};
    detail::write_line(hard, "abcdefghijklmnopqrstuvwxyz", 16);
    CHECK(hard.view() == "abcdefghijklmnop\n    qrstuvwxyz\n");
}

TEST_CASE("frame_sampler: values that come late without a loss are a problem with a remedy, before try_tune()") {
    frame_program program{"gh100"};
    // Frames of 35 us and more, where samples are for frames of 16.7 ms.
    auto frames = sampled(program.gpu, unhurried(), metric<"smsp__warps_launched.sum">);
    for (int i = 0; i < 40; ++i) {
        frames.begin_frame();
        program.launch(9, 200);
        program.wait();
        frames.end_frame();
    }
    CHECK(frames.losses().incomplete == 0);
    error const* const why = frames.problem();
    REQUIRE(why != nullptr);
    CHECK(why->remedy.find("try_tune()") != std::string::npos);
    CHECK(why->remedy.find("expected_frame_us") != std::string::npos);
    REQUIRE(frames.try_tune());
    CHECK(frames.problem() == nullptr);
    for (int i = 0; i < 40; ++i) {
        frames.begin_frame();
        program.launch(9, 200);
        program.wait();
        frames.end_frame();
    }
    CHECK(frames.problem() == nullptr);
    CHECK(frames.lateness().counters <= 4);
}

} // namespace frame_hud_test
