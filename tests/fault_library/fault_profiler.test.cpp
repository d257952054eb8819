// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profiler on the event hardware of a library loaded by path, with each CUPTI call failing in turn: the program goes
// on, the failure is typed, and the next profiler measures.
#include <cstdint>
#include <optional>
#include <string>

#include <gpuprof/events.hpp>
#include <gpuprof/gpuprof.hpp>

#include "fault_machine.hpp"

using namespace gpuprof::abi;
using namespace fault_machine;

namespace {

constexpr char kernel[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing() { ret; }
)";

// A device and its kernel of 15 blocks of two warps.
struct profiled_gpu {
    explicit profiled_gpu(int ordinal) : gpu{*gpuprof::device::try_open(machine(), ordinal)} {
        REQUIRE(gpu.driver().ModuleLoadData(&module, kernel) == CUDA_SUCCESS);
        REQUIRE(gpu.driver().ModuleGetFunction(&function, module, "nothing") == CUDA_SUCCESS);
    }
    ~profiled_gpu() { CHECK(gpu.driver().ModuleUnload(module) == CUDA_SUCCESS); }
    profiled_gpu(profiled_gpu const&) = delete;
    profiled_gpu& operator=(profiled_gpu const&) = delete;

    // The warps launched in a range, or why there is no such number. The work runs whatever happens.
    gpuprof::result<double> measure() {
        constexpr auto warps = gpuprof::legacy_event<"warps_launched">;
        auto prof = gpuprof::profiler::try_create(gpu, {}, warps, gpuprof::legacy_metric<"achieved_occupancy">,
                                                  gpuprof::legacy_metric<"gld_efficiency">);
        if (!prof) return std::move(prof).error();
        for ([[maybe_unused]] auto pass : prof->passes()) {
            gpuprof::scope scope{*prof, "work"};
            REQUIRE(gpu.driver().LaunchKernel(function, 15, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) ==
                    CUDA_SUCCESS);
        }
        auto report = prof->try_report();
        if (!report) return std::move(report).error();
        auto const range = report->try_range("work");
        if (!range) return std::move(range).error();
        auto value = range->try_get(warps);
        if (!value) return std::move(value).error();
        return static_cast<double>(value->value());
    }

    gpuprof::device gpu;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
};

} // namespace

TEST_CASE("a profiler on the library's event hardware measures what the kernel does") {
    clear();
    for (int const ordinal : {0, 1, 2, 3, 4}) { // 2.0 to 7.0
        CAPTURE(ordinal);
        profiled_gpu gpu{ordinal};
        auto const warps = gpu.measure();
        REQUIRE_MESSAGE(warps, (warps ? std::string{} : warps.error().message()));
        CHECK(*warps == 30);
    }
}

TEST_CASE("each CUPTI call of a profiler failing in turn is an error or a complete answer, and the next one measures") {
    for (int const ordinal : {0, 2, 4}) { // 2.0, 5.2, 7.0
        CAPTURE(ordinal);
        profiled_gpu gpu{ordinal};
        clear();
        REQUIRE(gpu.measure());
        std::size_t const all = calls();
        CHECK(all >= 20);
        for (std::size_t nth = 1; nth <= all; ++nth) {
            CAPTURE(nth);
            clear();
            fail(nullptr, nth, CUPTI_ERROR_HARDWARE);
            auto const failed = gpu.measure();
            if (failed) CHECK(*failed == 30); // the call was one that the numbers do not need
            else CHECK_FALSE(failed.error().message().empty());
            clear();
            auto const next = gpu.measure();
            REQUIRE_MESSAGE(next, (next ? std::string{} : next.error().message()));
            CHECK(*next == 30);
        }
    }
}

TEST_CASE("a failure that lasts is reported by its name, and ends with it") {
    profiled_gpu gpu{2};
    struct fault {
        char const* symbol;
        CUptiResult status;
        char const* name;
    };
    for (fault const& each : {fault{"cuptiDeviceGetNumEventDomains", CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED,
                                    "CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED"},
                              fault{"cuptiEventGroupReadAllEvents", CUPTI_ERROR_HARDWARE, "CUPTI_ERROR_HARDWARE"}}) {
        CAPTURE(std::string{each.symbol});
        clear();
        fail(each.symbol, 0, each.status);
        auto const failed = gpu.measure();
        CHECK(calls(each.symbol) > 0);
        REQUIRE_FALSE(failed);
        CHECK_MESSAGE(failed.error().message().find(each.name) != std::string::npos, failed.error().message());
        clear();
        CHECK(gpu.measure());
    }
}
