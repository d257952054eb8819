// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch log makes of launches, told to it one by one.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include <gpuprof/measure/launch_log.hpp>

#include "support/measured.hpp"

namespace launch_log_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::detail::launch_log;

namespace {

hw::launch_event kernel(char const* name, unsigned blocks = 1) {
    hw::launch_event launch;
    launch.symbol = name;
    launch.grid = {blocks, 1, 1};
    launch.block = {32, 1, 1};
    return launch;
}

struct logged : test::measured_device {
    explicit logged(bool auto_range = false) {
        log.reset(auto_range, true);
        log.on(gpu);
    }
    void hear(hw::launch_event const& launch) { launch_log::heard(&log, launch); }
    gpuprof::device gpu = open();
    launch_log log;
};

} // namespace

TEST_CASE("launch log: a launch belongs to every range that is open") {
    logged on;
    on.log.begin_pass();
    on.log.enter(0);
    on.hear(kernel("a"));
    on.log.enter(1);
    on.hear(kernel("b", 2));
    on.hear(kernel("b", 2));
    on.log.leave();
    on.log.leave();
    on.hear(kernel("c"));
    on.log.end_pass();
    auto const& ranges = on.log.ranges();
    REQUIRE(ranges.size() == 2);
    CHECK(ranges[0].kernels == 3);
    CHECK_FALSE(ranges[0].alike);
    CHECK(ranges[1].kernels == 2);
    CHECK(ranges[1].alike);
    CHECK(on.log.outside() == 1);
    REQUIRE(on.log.kept().size() == 2);
    CHECK(on.log.kept()[ranges[0].first].kernel == "a");
    CHECK(on.log.kept()[ranges[1].first].kernel == "b");
    CHECK(on.log.kept()[ranges[1].first].grid[0] == 2);
}

TEST_CASE("launch log: passes with the same kernels in another order are alike, others differ") {
    struct passes {
        std::vector<hw::launch_event> first, second;
        std::size_t differing;
    };
    hw::launch_event shared = kernel("a");
    shared.dynamic_shared = 16;
    hw::launch_event graph;
    graph.graph = true;
    passes const cases[]{{{kernel("a"), kernel("b")}, {kernel("b"), kernel("a")}, 0},
                         {{kernel("a")}, {kernel("a"), kernel("a")}, 1},
                         {{kernel("a")}, {}, 1},
                         {{kernel("a")}, {kernel("b")}, 1},
                         {{kernel("a", 1)}, {kernel("a", 2)}, 1},
                         {{kernel("a")}, {shared}, 1},
                         {{graph}, {graph}, 0},
                         {{graph}, {kernel("a")}, 1}};
    for (auto const& each : cases) {
        logged on;
        for (auto const* pass : {&each.first, &each.second}) {
            on.log.begin_pass();
            on.log.enter(0);
            for (auto const& launch : *pass) on.hear(launch);
            on.log.leave();
            on.log.end_pass();
        }
        CHECK(on.log.differing() == each.differing);
        if (each.differing == 0) continue;
        CHECK(on.log.first_difference().pass == 2);
        CHECK(on.log.first_difference().then == each.first.size());
        CHECK(on.log.first_difference().now == each.second.size());
    }
}

TEST_CASE("launch log: a refused launch is no work, and the first one is kept with its range") {
    logged on;
    on.tables().last_fault = [](abi::CUcontext) { return std::string{"because the test says so"}; };
    hw::launch_event refused = kernel("a", 7);
    refused.status = abi::CUDA_ERROR_INVALID_VALUE;
    on.log.begin_pass();
    on.log.enter(0);
    on.log.enter(1);
    on.hear(refused);
    on.log.leave();
    on.hear(refused);
    on.log.leave();
    on.log.end_pass();
    CHECK(on.log.refused() == 2);
    REQUIRE(on.log.first_refusal());
    CHECK(on.log.first_refusal()->range == 1);
    CHECK(on.log.first_refusal()->diagnosis == "because the test says so");
    CHECK(gpuprof::detail::launch_text(on.log.first_refusal()->launch) == "a<<<(7, 1, 1), (32, 1, 1)>>>");
    CHECK(on.log.ranges()[0].kernels == 0);
    CHECK(on.log.ranges()[0].refused == 2);
    CHECK(on.log.ranges()[1].refused == 1);
}

TEST_CASE("launch log: with a range per kernel every kernel is kept, in order") {
    logged on{true};
    for (int pass = 0; pass < 2; ++pass) {
        on.log.begin_pass();
        for (char const* name : {"a", "b", "a"}) on.hear(kernel(name));
        on.log.end_pass();
    }
    REQUIRE(on.log.kept().size() == 3);
    CHECK(on.log.kept()[1].kernel == "b");
    CHECK(on.log.kept()[2].kernel == "a");
    CHECK(on.log.differing() == 0);
    CHECK(on.log.ranges()[0].kernels == 3);
}

TEST_CASE("launch log: threads may launch while the pass's own opens and closes ranges") {
    logged on;
    constexpr std::size_t threads = 4, each = 500;
    on.log.begin_pass();
    on.log.enter(0);
    std::vector<std::thread> launching;
    for (std::size_t i = 0; i < threads; ++i)
        launching.emplace_back([&] {
            for (std::size_t k = 0; k < each; ++k) on.hear(kernel("a"));
        });
    for (std::uint32_t id = 1; id < 100; ++id) {
        on.log.enter(id);
        on.log.leave();
    }
    for (auto& thread : launching) thread.join();
    on.log.leave();
    on.log.end_pass();
    CHECK(on.log.ranges()[0].kernels == threads * each);
    std::size_t inside = 0;
    for (std::size_t id = 1; id < on.log.ranges().size(); ++id) inside += on.log.ranges()[id].kernels;
    CHECK(inside <= threads * each);
}

} // namespace launch_log_test
