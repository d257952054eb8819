// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs in a pause is not counted, and all else is: warps and ratios against arithmetic, on range hardware.
// tests/legacy/paused.test.cpp has event hardware.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/target/target_hardware.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace paused_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::paused;
using gpuprof::scope;

namespace {

constexpr char const* warps = "smsp__warps_launched.sum";
constexpr char const* threads_an_instruction = "smsp__thread_inst_executed_per_inst_executed.ratio";

// Kernels that do nothing, launched in one block of so many threads.
struct program {
    explicit program(std::string const& chip = "gh100,passes") : gpu{gpuprof::sim::open_embedded(chip).value()} {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        abi::CUmodule module = nullptr;
        REQUIRE(d.ModuleLoadData(&module, ".version 7.0\n.target sm_20\n.address_size 64\n"
                                          ".visible .entry counted() { ret; }\n.visible .entry checked() { ret; }") ==
                abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&counted, module, "counted") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&checked, module, "checked") == abi::CUDA_SUCCESS);
    }
    ~program() {
        abi::CUcontext ignored = nullptr;
        gpu.driver().CtxPopCurrent(&ignored);
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;

    void launch(unsigned threads) { run(counted, threads); }
    void check(unsigned threads = 1024) { // what a pause is around
        ++checks;
        run(checked, threads);
    }

    gpuprof::device gpu;
    std::size_t checks = 0;

private:
    void run(abi::CUfunction kernel, unsigned threads) const {
        REQUIRE(gpu.driver().LaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    abi::CUfunction counted = nullptr, checked = nullptr;
};

std::vector<gpuprof::metric_info> listed(std::vector<char const*> const& names) {
    std::vector<gpuprof::metric_info> list;
    for (char const* const each : names) list.push_back(gpuprof::try_metric(each).value());
    return list;
}
struct collected {
    gpuprof::report report;
    std::size_t executions = 0;
};
template <class Body>
collected collect(program const& on, std::vector<gpuprof::metric_info> const& metrics,
                  gpuprof::profiler_options const& options, Body body) {
    gpuprof::profiler prof{on.gpu, options, metrics};
    collected all;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        ++all.executions;
        body(prof);
    }
    all.report = prof.report();
    return all;
}
double value(gpuprof::report const& of, std::string_view range, char const* metric) {
    auto const got = of[range].try_value(metric);
    REQUIRE_MESSAGE(got, (got ? std::string{} : got.error().message()));
    return got->value;
}
// The only problem of a report.
gpuprof::error problem(gpuprof::report const& of) {
    auto const& list = of.completeness().problems;
    REQUIRE(list.size() == 1);
    return list.front();
}

} // namespace

TEST_CASE("paused: scopes that are open around a pause count what ran outside of it, sums and ratios alike") {
    for (char const* const chip : {"gh100,passes", "gh100", "gh100,passes,target", "gv100,passes"})
        for (bool const merged : {false, true})
            for (std::size_t const room : {0u, 6u}) { // with and without a survey
                CAPTURE(chip);
                CAPTURE(merged);
                CAPTURE(room);
                program on{chip};
                gpuprof::profiler_options options;
                options.merge_repeated = merged;
                options.max_ranges = room;
                options.nesting_levels = 2;
                auto const all = collect(on, listed({warps, threads_an_instruction}), options, [&](auto& prof) {
                    scope const outer{prof, "outer"};
                    on.launch(32); // 1 warp
                    scope const inner{prof, "inner"};
                    on.launch(64); // 2 warps
                    {
                        paused const here{prof};
                        on.check();
                    }
                    on.launch(16); // 1 warp, half of it
                    {
                        paused const here{prof};
                        on.check();
                    }
                });
                CHECK(all.report.complete());
                CHECK(on.checks == 2 * all.executions);
                CHECK(value(all.report, "outer", warps) == 4);
                CHECK(value(all.report, "outer/inner", warps) == 3);
                CHECK(value(all.report, "outer", threads_an_instruction) == doctest::Approx((32 + 64 + 16) / 4.0));
                CHECK(value(all.report, "outer/inner", threads_an_instruction) == doctest::Approx((64 + 16) / 3.0));
                CHECK(all.report["outer"].launches().kernels == 3);
                CHECK(all.report["outer"].count() == 1);
            }
}

TEST_CASE("paused: of ranges of single kernels, those in a pause are neither counted nor numbered") {
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.max_ranges = 2; // as many as are counted
    for (char const* const chip : {"gh100,passes", "gh100,passes,target", "gv100,passes"})
        for (auto const replay : {gpuprof::replay_mode::kernel, gpuprof::replay_mode::user}) {
            CAPTURE(chip);
            bool const by_target = std::string_view{chip}.ends_with("target");
            if (replay == gpuprof::replay_mode::user && !by_target) continue; // refused: the next test
            options.replay = replay;
            program on{chip};
            auto const all = collect(on, listed({warps, threads_an_instruction}), options, [&](auto& prof) {
                on.check(); // one that is counted
                {
                    paused const here{prof};
                    on.check();
                    on.launch(512);
                }
                on.launch(16);
            });
            CHECK(all.report.complete());
            REQUIRE(all.report.size() == 2);
            CHECK(value(all.report, "checked", warps) == 32);
            CHECK(value(all.report, "counted", warps) == 1);
            CHECK(value(all.report, "counted", threads_an_instruction) == 16);
            CHECK(all.report["checked"].count() == 1);
        }
}

TEST_CASE("paused: where the range profiler can is known when compiling") {
    using gpuprof::range_mode;
    using gpuprof::replay_mode;
    static_assert(gpuprof::range_profiler_pauses(range_mode::user_range, replay_mode::user));
    static_assert(gpuprof::range_profiler_pauses(range_mode::user_range, replay_mode::application));
    static_assert(gpuprof::range_profiler_pauses(range_mode::auto_range, replay_mode::kernel));
    static_assert(!gpuprof::range_profiler_pauses(range_mode::auto_range, replay_mode::user));
    static_assert(!gpuprof::range_profiler_pauses(range_mode::auto_range, replay_mode::application));
    static_assert(!std::is_copy_constructible_v<paused> && !std::is_move_constructible_v<paused>);
}

TEST_CASE("paused: a collection that is left in a pause ends, and the pause ends without harm after it") {
    program on;
    gpuprof::profiler prof{on.gpu, gpuprof::profiler_options{}, listed({warps})};
    for (bool const by_break : {true, false}) {
        std::optional<paused> pause;
        for (gpuprof::pass const pass : prof.passes()) {
            scope const step{prof, "step"};
            on.launch(32);
            pause.emplace(prof);
            on.check();
            if (!pass.measured) continue; // the survey's end ends its pause
            if (by_break) break;
            prof.abandon();
        }
        pause.reset();
        CHECK_FALSE(prof.report().complete());
    }
    for ([[maybe_unused]] auto const& pass : prof.passes()) { // and the profiler can be used on
        scope const step{prof, "step"};
        on.launch(64);
    }
    CHECK(prof.report().complete());
    CHECK(value(prof.report(), "step", warps) == 2);
}

TEST_CASE("paused: a range profiler that cannot stop within a pass says so, and another backend can") {
    program on;
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    auto const body = [&](auto& prof) {
        on.launch(32);
        paused const here{prof};
        on.check();
    };
    auto const refused = problem(collect(on, listed({warps}), options, body).report);
    CHECK(refused.code == errc::unavailable);
    CHECK(refused.remedy.find("replay_mode::kernel") != std::string::npos);
    options.backend = &gpuprof::hw::backend<gpuprof::hw::target_hardware>;
    program older{"gh100,passes,target"};
    auto const counted = collect(older, listed({warps}), options, [&](auto& prof) {
        older.launch(32);
        paused const here{prof};
        older.check();
    });
    CHECK(counted.report.complete());
    CHECK(counted.report.size() == 1);
}

TEST_CASE("paused: caches are flushed before outermost scopes, not when one goes on") {
    program on;
    gpuprof::profiler_options options;
    options.caches = gpuprof::cache_control::flush;
    auto const all = collect(on, listed({warps}), options, [&](auto& prof) {
        scope const step{prof, "step"};
        on.launch(32);
        {
            paused const here{prof};
            scope const none{prof, "none"};
            on.check();
        }
        on.launch(32);
    });
    CHECK(all.report.complete());
    CHECK(all.report.completeness().replay_passes == 1);
    CHECK(all.report.completeness().cache_flushes == 1);
    CHECK(value(all.report, "step", warps) == 2);
}

TEST_CASE("paused: pauses inside each other are one, and an exception ends them all") {
    program on;
    auto const all = collect(on, listed({warps}), {}, [&](auto& prof) {
        scope const step{prof, "step"};
        try {
            paused const outer{prof};
            {
                paused const inner{prof};
                on.check();
            }
            on.check(); // still in the outer one
            throw std::runtime_error{"a check failed"};
        } catch (std::runtime_error const&) {}
        on.launch(32);
    });
    CHECK(all.report.complete());
    CHECK(value(all.report, "step", warps) == 1);
}

TEST_CASE("paused: a scope that begins in a pause is no range, one that ends in it keeps what it counted") {
    program on;
    auto const all = collect(on, listed({warps}), {}, [&](auto& prof) {
        scope const frame{prof, "frame"};
        std::optional<scope> step;
        step.emplace(prof, "step");
        on.launch(64);
        std::optional<paused> pause;
        pause.emplace(prof);
        step.reset();
        scope const within{prof, "within"};
        on.check();
        pause.reset();
        on.launch(32);
    });
    CHECK(all.report.complete());
    CHECK(all.report.size() == 2);
    CHECK(value(all.report, "frame", warps) == 3);
    CHECK(value(all.report, "frame/step", warps) == 2);
}

TEST_CASE("paused: one that is not over when its pass ends ends there, so that the next pass counts") {
    program on;
    gpuprof::profiler prof{on.gpu, {}, listed({warps, threads_an_instruction})};
    std::optional<paused> forgotten;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        {
            scope const step{prof, "step"};
            on.launch(32);
        }
        forgotten.emplace(prof);
        on.check();
    }
    auto const report = prof.report();
    CHECK(value(report, "step", warps) == 1);
    CHECK(value(report, "step", threads_an_instruction) == 32);
    auto const why = problem(report);
    CHECK(why.code == errc::invalid_state);
    CHECK(why.what == "1 pause was not over when a pass ended");
}

TEST_CASE("paused: outside of a loop over passes it does nothing, and what is left of it later neither") {
    program on;
    gpuprof::profiler prof{on.gpu, gpuprof::profiler_options{}, listed({warps})};
    paused const idle{prof};
    for (int times = 0; times < 2; ++times) {
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            scope const step{prof, "step"};
            on.launch(32);
        }
        CHECK(prof.report().complete());
        CHECK(value(prof.report(), "step", warps) == 1);
    }
}

TEST_CASE("paused: without room to go on there are no values, and the report says what takes room") {
    program on;
    gpuprof::profiler_options options;
    options.max_ranges = 1;
    auto const body = [&](auto& prof) {
        scope const step{prof, "step"};
        on.launch(32);
        {
            paused const here{prof};
            on.check();
        }
        on.launch(32);
    };
    auto const without = collect(on, listed({warps}), options, body).report;
    auto const why = problem(without);
    CHECK(why.code == errc::too_many_ranges);
    CHECK_FALSE(without["step"].try_value(warps)); // a part of it would look like a value
    options.max_ranges = 2;
    auto const with = collect(on, listed({warps}), options, body).report;
    CHECK(with.complete());
    CHECK(value(with, "step", warps) == 2);
}

TEST_CASE("paused: another thread's pause does nothing and is told, its launches are left out with the rest") {
    program on;
    auto const all = collect(on, listed({warps}), {}, [&](auto& prof) {
        scope const step{prof, "step"};
        std::thread{[&prof] { paused const here{prof}; }}.join();
        on.launch(32);
        paused const here{prof};
        std::thread{[&] {
            REQUIRE(on.gpu.driver().CtxPushCurrent(on.gpu.context()) == abi::CUDA_SUCCESS);
            on.check();
        }}.join();
    });
    CHECK(value(all.report, "step", warps) == 1);
    auto const why = problem(all.report);
    CHECK(why.code == errc::invalid_state);
    CHECK(why.what == "a pause of another thread did nothing");
}

TEST_CASE("paused: a pass that pauses at other places than the first is a problem") {
    program on;
    gpuprof::profiler_options options;
    options.max_ranges = 4;
    options.nesting_levels = 2;
    std::size_t passes = 0;
    auto const all = collect(on, listed({warps}), options, [&](auto& prof) {
        scope const outer{prof, "outer"};
        scope const inner{prof, "inner"};
        on.launch(32);
        if (passes++ == 0) return;
        paused const here{prof};
    });
    REQUIRE(passes == 2);
    auto const why = problem(all.report);
    CHECK(why.code == errc::replay_mismatch);
    CHECK(why.cause == "in replay pass 2 counting paused 1 times, in the first pass 0 times");
}

TEST_CASE("paused: application replay has room for what goes on after a pause in every process") {
    scratch_directory const scratch;
    gpuprof::profiler_options options;
    options.replay = gpuprof::replay_mode::application;
    options.replay_file = scratch.path() + "/state";
    program on;
    gpuprof::report last;
    for (int process = 0; process < 8 && !(process != 0 && last.complete()); ++process)
        last = collect(on, listed({warps, threads_an_instruction}), options, [&](auto& prof) {
                   scope const step{prof, "step"};
                   on.launch(64);
                   {
                       paused const here{prof};
                       on.check();
                   }
                   on.launch(16);
               }).report;
    CHECK(last.complete());
    CHECK(value(last, "step", warps) == 3);
    CHECK(value(last, "step", threads_an_instruction) == doctest::Approx((64 + 16) / 3.0));
}

} // namespace paused_test

#endif
