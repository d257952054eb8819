// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs in a pause is not counted by event hardware, against arithmetic. tests/measure/paused.test.cpp has range hardware.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/sim.hpp>

namespace legacy_paused_test {

namespace abi = gpuprof::abi;
using gpuprof::paused;
using gpuprof::scope;

namespace {

constexpr auto warps = gpuprof::legacy_event<"warps_launched">;
constexpr auto full_warps = gpuprof::legacy_metric<"warp_execution_efficiency">; // percent

// Kernels that do nothing, launched in one block of so many threads.
struct program {
    explicit program(char const* chip) : gpu{gpuprof::sim::open_embedded(chip).value()} {
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

    void launch(unsigned threads) const { run(counted, threads); }
    void check() const { run(checked, 1024); } // what a pause is around

    gpuprof::device gpu;

private:
    void run(abi::CUfunction kernel, unsigned threads) const {
        REQUIRE(gpu.driver().LaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    abi::CUfunction counted = nullptr, checked = nullptr;
};

} // namespace

TEST_CASE("paused: event hardware counts what ran outside of a pause, and ratios are of that") {
    for (char const* const chip : {"gf100", "gk110b", "gm200", "gp100"}) {
        CAPTURE(chip);
        program const on{chip};
        gpuprof::profiler prof{on.gpu, warps, full_warps};
        std::optional<paused> forgotten;
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            scope const outer{prof, "outer"};
            on.launch(64); // 2 warps
            {
                paused const here{prof};
                on.check();
            }
            on.launch(16); // 1 warp, half of it
            forgotten.emplace(prof);
            on.check();
        }
        auto const report = prof.report();
        REQUIRE(report.completeness().problems.size() == 1);
        CHECK(report.completeness().problems[0].what == "1 pause was not over when a pass ended");
        CHECK(report["outer"][warps].value() == 3);
        CHECK(report["outer"][full_warps].value() == doctest::Approx(100 * (64 + 16) / (3 * 32.0)));
    }
}

TEST_CASE("paused: event hardware has no number for a kernel in a pause") {
    program const on{"gm200"};
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    for (auto const replay : {gpuprof::replay_mode::user, gpuprof::replay_mode::kernel}) {
        options.replay = replay;
        gpuprof::profiler prof{on.gpu, options, warps};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            on.launch(64);
            {
                paused const here{prof};
                on.check();
                on.launch(32);
            }
            on.launch(96);
        }
        auto const report = prof.report();
        CHECK(report.complete());
        REQUIRE(report.size() == 1);
        auto const each = report["counted"].values(warps);
        REQUIRE(each.size() == 2);
        CHECK(each[0].value() == 2);
        CHECK(each[1].value() == 3);
    }
}

TEST_CASE("paused: with kernel replay of scopes a kernel in a pause is none of the range's") {
    program const on{"gm200"};
    gpuprof::profiler_options options;
    options.replay = gpuprof::replay_mode::kernel;
    gpuprof::profiler prof{on.gpu, options, warps, full_warps};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        scope const outer{prof, "outer"};
        on.launch(64);
        {
            paused const here{prof};
            on.check();
        }
        on.launch(16);
    }
    auto const report = prof.report();
    CHECK(report.complete());
    CHECK(report["outer"][warps].value() == 3);
    CHECK(report["outer"][full_warps].value() == doctest::Approx(100 * (64 + 16) / (3 * 32.0)));
}

} // namespace legacy_paused_test

#endif
