// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop as an engine has it: 600 frames, threads that help, 64 scopes, a display; and a budget by a clock of the test's.
#include <gpuprof/frames.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "frames/frame_program.hpp"

namespace frame_loop_test {

using namespace gpuprof;

TEST_CASE("an engine's loop: 600 frames with 64 scopes on four threads, events, driver counters and a display") {
    frame_program program{"5.2"};
    frame_options options = unhurried();
    options.history = 600;
    auto frames = sampled(program.gpu, options, legacy_event<"warps_launched">, legacy_event<"inst_executed">);
    REQUIRE(frames.problem() == nullptr);

    std::vector<std::string> names;
    for (int i = 0; i < 64; ++i) names.push_back("system " + std::to_string(i));
    std::atomic<int> frame_to_do{0}, done{0};
    std::vector<std::thread> helpers;
    for (int h = 0; h < 4; ++h)
        helpers.emplace_back([&, h] {
            for (int seen = 0; seen < 600;) {
                while (frame_to_do.load() == seen) std::this_thread::yield();
                ++seen;
                for (std::size_t i = static_cast<std::size_t>(h); i < 64; i += 4) scope const one{frames, names[i]};
                ++done;
            }
        });

    char display[4000], row[256];
    std::size_t counted = 0, shown = 0;
    for (int n = 1; n <= 600; ++n) {
        frames.begin_frame();
        ++frame_to_do;
        auto const launches = static_cast<unsigned>(1 + n % 3);
        program.launch(launches, 4 + static_cast<std::uint32_t>(n % 2));
        program.wait();
        while (done.load() != 4 * n) std::this_thread::yield();
        frames.end_frame();
        counted += frames.find("warps_launched")->last.value == launches * 8.0;
        shown += write_hud(display, frames).size() > 200;
        shown += write_bars(row, frames[frame_quantity::host_time].history, 60).size() >= 60;
    }
    for (std::thread& each : helpers) each.join();
    CHECK(counted == 600);
    CHECK(shown == 1200);
    REQUIRE(frames.scopes().size() == 64);
    std::size_t scopes = 0;
    for (frame_series const& each : frames.scopes()) {
        CHECK(each.history.size() == 600);
        scopes += each.last.frame == 600 && each.last.cycles == 1;
    }
    CHECK(scopes == 64);
    CHECK(frames.losses().scopes == 0);
    CHECK(frames.losses().untimed == 0);
    // 600 frames of 8, 16 and 24 warps alike
    CHECK(frames.find("warps_launched")->history.summary().mean == 16);
    CHECK(frames.find("inst_executed")->history.size() == 600);
}

namespace {

struct fake_clock {
    static inline std::uint64_t time = 1;
    static std::uint64_t now() noexcept { return time; }
};

// A read takes what the test says, of the fake clock.
struct slow_source {
    static constexpr bool timed = false;
    static constexpr bool cheap_to_select = true;
    static inline std::uint64_t read_takes = 0;
    static inline std::size_t reads = 0;

    std::span<frame_group const> groups() const noexcept { return all; }
    result<void> try_select(std::size_t at) {
        selected = at;
        return {};
    }
    result<frame_read> try_read(std::size_t, frame_sink sink) {
        fake_clock::time += read_takes;
        ++reads;
        double const values[]{static_cast<double>(selected), static_cast<double>(10 + selected)};
        sink({0, 0, detail::quiet_nan, {values, all[selected].size()}});
        return frame_read{1, 0, false};
    }

    std::vector<frame_group> all{{0, 1}, {2}};
    std::size_t selected = 0;
};
static_assert(frame_source<slow_source>);

using fake_sampler = basic_frame_sampler<fake_clock>;

fake_sampler with_slow_source(device const& gpu, double budget_us, std::uint64_t read_takes) {
    frame_options options;
    options.budget_us = budget_us;
    options.history = 600;
    options.gpu_times = false;
    options.driver_counters = false;
    slow_source::read_takes = read_takes;
    slow_source::reads = 0;
    std::vector<metric_info> const counters{legacy_event<"warps_launched">, legacy_event<"inst_executed">,
                                            legacy_event<"active_cycles">};
    auto made = fake_sampler::try_create(gpu, options, counters, any_frame_source{slow_source{}});
    REQUIRE(made);
    slow_source::reads = 0;
    return *std::move(made);
}
void run(fake_sampler& frames, int count) {
    for (int i = 0; i < count; ++i) {
        frames.begin_frame();
        fake_clock::time += 5'000'000;
        frames.end_frame();
    }
}

} // namespace

TEST_CASE("a budget that a read fits is kept in each frame, and groups take turns") {
    frame_program program{"5.2"};
    auto frames = with_slow_source(program.gpu, 50, 40'000);
    run(frames, 600);
    CHECK(frames.budget().state() == budget_state::kept);
    CHECK(slow_source::reads >= 600);
    // The first begin of a frame reads what is of no frame: that frame has two reads.
    CHECK(frames.budget().frames_over() <= 1);
    CHECK(frames[frame_quantity::host_time].last.value == 5'000'000);
    CHECK(frames[frame_quantity::own_time].last.value == 40'000);
    CHECK(frames.counters()[0].history.size() + frames.counters()[2].history.size() == 600);
    CHECK(frames.counters()[0].last.value == 0);
    CHECK(frames.counters()[1].last.value == 10);
    CHECK(frames.counters()[2].last.value == 1);
}

TEST_CASE("a budget that a read does not fit is kept on average, and the display says so") {
    frame_program program{"5.2"};
    auto frames = with_slow_source(program.gpu, 50, 120'000);
    run(frames, 600);
    CHECK(frames.budget().state() == budget_state::averaged);
    CHECK(frames.budget().mean_cost() <= 50'500); // and half a microsecond for the first frame
    CHECK(slow_source::reads >= 200);
    CHECK(slow_source::reads <= 260);
    char text[2000];
    CHECK(write_hud(text, frames, {.width = 120}).find("counters are read less often") != std::string_view::npos);
    CHECK(frames.counters()[0].history.size() > 50);
}

TEST_CASE("a budget that cannot be kept stops the reads of counters and says so, times go on") {
    frame_program program{"5.2"};
    auto frames = with_slow_source(program.gpu, 5, 120'000'000);
    run(frames, 600);
    CHECK(slow_source::reads <= 3); // with the one before the first frame
    CHECK(frames.budget().state() == budget_state::dropped);
    char text[2000];
    CHECK(write_hud(text, frames, {.width = 120}).find("counters are read no more") != std::string_view::npos);
    REQUIRE(frames.problem() != nullptr);
    CHECK(frames.problem()->code == errc::not_collected);
    CHECK(frames.problem()->remedy.find("budget_us") != std::string::npos);
    CHECK(frames[frame_quantity::host_time].history.size() == 600);
}

} // namespace frame_loop_test
