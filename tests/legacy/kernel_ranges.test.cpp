// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kernel a range of its own on event hardware: counted around the launching call.
#include <cstddef>
#include <string_view>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace kernel_ranges_test {

namespace abi = gpuprof::abi;
using gpuprof::legacy_event;
using gpuprof::legacy_metric;

namespace {

constexpr char kernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry one() { ret; }
.visible .entry other() { .reg .u32 %r<3>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; ret; }
)";

struct on_chip {
    explicit on_chip(char const* name) : gpu{*gpuprof::sim::open_embedded(name)} {
        REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().ModuleLoadData(&module, kernels) == abi::CUDA_SUCCESS);
    }
    ~on_chip() {
        gpu.driver().ModuleUnload(module);
        abi::CUcontext popped = nullptr;
        gpu.driver().CtxPopCurrent(&popped);
    }
    [[nodiscard]] abi::CUresult launch(char const* name, unsigned grid, unsigned block,
                                       abi::CUstream stream = nullptr) {
        abi::CUfunction function = nullptr;
        REQUIRE(gpu.driver().ModuleGetFunction(&function, module, name) == abi::CUDA_SUCCESS);
        return gpu.driver().LaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, nullptr, nullptr);
    }
    [[nodiscard]] gpuprof::report collect(gpuprof::profiler_options options) {
        options.ranges = gpuprof::range_mode::auto_range;
        auto prof =
            gpuprof::profiler::try_create(gpu, options, legacy_event<"warps_launched">, legacy_event<"active_cycles">,
                                          legacy_metric<"inst_executed">, legacy_metric<"achieved_occupancy">);
        REQUIRE(prof);
        for ([[maybe_unused]] auto const& pass : prof->passes()) {
            REQUIRE(launch("one", 1, 32) == abi::CUDA_SUCCESS);
            REQUIRE(launch("other", 3, 64) == abi::CUDA_SUCCESS);
            CHECK(launch("one", 1, 4096) == abi::CUDA_ERROR_INVALID_VALUE); // no kernel, no range
            REQUIRE(launch("one", 5, 96) == abi::CUDA_SUCCESS);
        }
        auto report = prof->try_report();
        REQUIRE(report);
        return *report;
    }
    gpuprof::device gpu;
    abi::CUmodule module = nullptr;
};

} // namespace

TEST_CASE("legacy names: on event hardware every kernel is a range with its name, in each way of counting") {
    for (char const* const chip : {"5.2", "6.0", "7.0"})
        for (bool const kernels_only : {false, true})
            for (auto const replay : {gpuprof::replay_mode::user, gpuprof::replay_mode::kernel}) {
                CAPTURE(chip);
                CAPTURE(kernels_only);
                CAPTURE(replay == gpuprof::replay_mode::kernel);
                on_chip on{chip};
                gpuprof::profiler_options options;
                options.count_kernels_only = kernels_only;
                options.replay = replay;
                auto const report = on.collect(options);
                REQUIRE(report.completeness().problems.size() == 1); // the refused launch
                CHECK(report.completeness().problems.front().code == gpuprof::errc::launch_failed);
                REQUIRE(report.size() == 2);
                CHECK(report.at(0).name() == "one");
                CHECK(report.at(0).count() == 2);
                CHECK(report.at(1).name() == "other");
                CHECK(*report.try_range("one")->try_values("warps_launched") == std::vector<double>{1, 15});
                CHECK(*report.try_range("other")->try_get(legacy_event<"warps_launched">) == gpuprof::warps{6});
            }
}

TEST_CASE("legacy names: kernels over the room are a problem, and those there is room for keep their values") {
    on_chip on{"5.2"};
    gpuprof::profiler_options options;
    options.max_ranges = 2;
    auto const report = on.collect(options);
    bool found = false;
    for (auto const& each : report.completeness().problems)
        found = found || each.code == gpuprof::errc::too_many_ranges;
    CHECK(found);
    CHECK(*report.try_range("one")->try_values("warps_launched") == std::vector<double>{1});
    CHECK(*report.try_range("other")->try_get(legacy_event<"warps_launched">) == gpuprof::warps{6});
}

} // namespace kernel_ranges_test
