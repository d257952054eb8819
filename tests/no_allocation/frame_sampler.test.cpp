// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A frame allocates nothing after the first one, whatever its source, its scopes and its display. Needs hot_path.test.cpp's
// operator new.
#include <gpuprof/detail/config.hpp>

#if defined(__SANITIZE_THREAD__)
#define REPLACES_NEW 0
#elif defined(__has_feature)
#define REPLACES_NEW !__has_feature(thread_sanitizer)
#else
#define REPLACES_NEW 1
#endif

#if GPUPROF_EXCEPTIONS && REPLACES_NEW

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/frames.hpp>
#include <gpuprof/sim/open.hpp>

#include "support/scarce_memory.hpp"

namespace frame_sampler_test {

using namespace gpuprof;

namespace {

// How often `body` allocates on this thread.
template <class F>
std::size_t allocations_of(F body) {
    test::scarce_memory const counted{1'000'000};
    body();
    return 1'000'000 - test::allocations_left;
}

// Two groups that take turns; each reading has a value.
struct paper_source {
    static constexpr bool timed = false;
    static constexpr bool cheap_to_select = true;

    std::span<frame_group const> groups() const noexcept { return all; }
    result<void> try_select(std::size_t at) {
        selected = at;
        return {};
    }
    result<frame_read> try_read(std::size_t, frame_sink sink) {
        double const value = static_cast<double>(++reads);
        sink({0, 0, detail::quiet_nan, {&value, 1}});
        return frame_read{1, 0, false};
    }
    std::vector<frame_group> all{{0}, {1}};
    std::size_t selected = 0;
    std::uint64_t reads = 0;
};
static_assert(frame_source<paper_source>);

} // namespace

TEST_CASE("a frame with scopes, counters and a display allocates nothing after the first one") {
    auto gpu = sim::open_embedded("5.2", sim::collection::in_passes);
    REQUIRE(gpu);
    frame_options options;
    options.budget_us = 0;
    options.gpu_times = false; // the embedded GPU's events are its own affair
    std::vector<metric_info> const counters{
        metric_info{metric_ref{"a counter with a name that takes memory", one, aggregation::sum}},
        metric_info{metric_ref{"another", one, aggregation::mean}}};
    auto made = frame_sampler::try_create(*gpu, options, counters, any_frame_source{paper_source{}});
    REQUIRE(made);
    frame_sampler& frames = *made;
    char text[4000], bars[400];
    std::size_t shown = 0;
    auto const frame = [&](char const* late) {
        frames.begin_frame();
        {
            scope const outer{frames, "a scope with a name that is long enough for memory of its own, if it had any"};
            scope const inner{frames, "inner"};
            scope const another{frames, late};
        }
        frames.end_frame();
        shown += write_hud(text, frames).size() > 100;
        shown += write_bars(bars, frames[frame_quantity::host_time].history, 60).size() >= 60;
        shown += frames.find("another") != nullptr;
    };
    frame("first");
    CHECK(allocations_of([&] {
              for (int i = 0; i < 1'000; ++i)
                  frame(i < 500 ? "first" : "a scope that comes later, with a name that is long enough for memory");
          }) == 0);
    CHECK(shown == 3 * 1'001);
    CHECK(frames.scopes().size() == 4);
    CHECK(frames.counters()[0].history.size() + frames.counters()[1].history.size() == 2 * 240);
}

TEST_CASE("busy times of frames and scopes are found without allocating") {
    detail::frame_busy busy{64};
    busy.begin_first_frame();
    double sum = 0;
    std::uint32_t call = 0;
    CHECK(allocations_of([&] {
              for (std::uint64_t n = 1; n <= 1'000; ++n) {
                  for (std::uint32_t i = 0; i < 50; ++i) {
                      auto const outer = busy.nodes().in(0, i % 8);
                      busy.begin_call(++call, busy.nodes().in(outer, i % 16));
                      busy.end_call(call, 1);
                      busy.add(call, call * std::uint64_t{100}, call * std::uint64_t{100} + 10);
                  }
                  busy.end_frame(n);
                  busy.settle();
                  busy.take([&](std::uint64_t, std::size_t scope, double length) {
                      sum += scope == detail::frame_busy::whole_frame ? length : 0;
                  });
              }
          }) == 0);
    CHECK(sum == 1'000 * 50 * 10);
}

TEST_CASE("samples are given to frames without allocating") {
    detail::frame_windows windows{{aggregation::sum, aggregation::mean}};
    frame_group const group{0, 1};
    double sum = 0;
    CHECK(allocations_of([&] {
              for (std::uint64_t n = 0; n < 1'000; ++n) {
                  double const values[]{7, 1};
                  for (std::uint64_t i = 0; i < 200; ++i) // more than there is room for: neighbours become one
                      windows.add(frame_reading{n * 1'000 + i * 5, n * 1'000 + i * 5 + 5, 1, values}, group);
                  windows.add(detail::frame_window{n + 1, n * 1'000, n * 1'000 + 1'000});
                  windows.take(
                      [&](std::size_t counter, frame_value const& value) { sum += counter == 0 ? value.value : 0; });
              }
          }) == 0);
    CHECK(sum == 1'000 * 200 * 7);
}

TEST_CASE("remembering allocations of the device allocates nothing") {
    detail::allocation_table table{100};
    std::uint64_t live = 0, refused = 0;
    CHECK(allocations_of([&] {
              for (std::uint64_t n = 1; n <= 10'000; ++n) {
                  if (table.add(n * 512, n)) live += n;
                  else ++refused;
                  if (n > 80) live -= table.remove((n - 80) * 512).bytes;
              }
          }) == 0);
    CHECK(refused == 0);
    std::uint64_t expected = 0;
    for (std::uint64_t n = 9'921; n <= 10'000; ++n) expected += n;
    CHECK(live == expected);
}

} // namespace frame_sampler_test

#endif
