// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profiler on the event hardware of a library loaded by path, with each CUPTI call failing in turn: the program goes
// on, the failure is typed, and the next profiler measures.
#include <cstdint>
#include <optional>
#include <string>

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>

#include "fault_machine.hpp"
#include "support/injected_fault.hpp"

namespace fault_profiler_test {

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

    // The warps launched in a range, or the first reason why the report is not whole. The work runs whatever happens.
    gpuprof::result<double> measure() {
        constexpr auto warps = gpuprof::legacy_event<"warps_launched">;
        auto prof = gpuprof::profiler::try_create(gpu, {}, warps, gpuprof::legacy_metric<"achieved_occupancy">,
                                                  gpuprof::legacy_metric<"gld_efficiency">);
        if (!prof) return std::move(prof).error();
        for (auto pass : prof->passes()) {
            gpuprof::scope scope{*prof, "work"};
            REQUIRE(gpu.driver().LaunchKernel(function, 15, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) ==
                    CUDA_SUCCESS);
        }
        auto report = prof->try_report();
        if (!report) return std::move(report).error();
        if (!report->complete()) return report->completeness().problems.front();
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

namespace {

// What becomes of a profiler's calls when each fails in turn. Harmless are those that give something back, those that only
// describe (a domain's or an event's attribute), and those that hear of launches: their failure is told in
// completeness::unwatched, and the values are whole.
struct outcomes {
    int ordinal;
    std::size_t told; // as errors that name call and status
    test::calls_by_name harmless;
};

outcomes const known_outcomes[]{
    {0,
     106,
     {{"cuptiDeviceGetEventDomainAttribute", 4},
      {"cuptiEnableCallback", 8},
      {"cuptiEventGetAttribute", 12},
      {"cuptiEventGroupDestroy", 4},
      {"cuptiEventGroupSetsDestroy", 2},
      {"cuptiSubscribe", 1},
      {"cuptiUnsubscribe", 1}}},
    {2,
     86,
     {{"cuptiDeviceGetEventDomainAttribute", 3},
      {"cuptiEnableCallback", 8},
      {"cuptiEventGetAttribute", 10},
      {"cuptiEventGroupDestroy", 3},
      {"cuptiEventGroupSetsDestroy", 3},
      {"cuptiMetricGetAttribute", 2},
      {"cuptiSubscribe", 1},
      {"cuptiUnsubscribe", 1}}},
    {4,
     72,
     {{"cuptiDeviceGetEventDomainAttribute", 3},
      {"cuptiEnableCallback", 8},
      {"cuptiEventGetAttribute", 5},
      {"cuptiEventGroupDestroy", 3},
      {"cuptiEventGroupSetsDestroy", 2},
      {"cuptiMetricGetAttribute", 2},
      {"cuptiSubscribe", 1},
      {"cuptiUnsubscribe", 1}}},
};

} // namespace

TEST_CASE("each CUPTI call of a profiler failing in turn is told by its name or does no harm, and the next one "
          "measures") {
    for (outcomes const& known : known_outcomes) {
        CAPTURE(known.ordinal);
        profiled_gpu gpu{known.ordinal};
        clear();
        REQUIRE(gpu.measure());
        std::size_t const all = calls();
        std::size_t told = 0;
        test::calls_by_name harmless;
        for (std::size_t nth = 1; nth <= all; ++nth) {
            clear();
            fail(nullptr, nth, test::hardware_fault.status);
            auto const failed = gpu.measure();
            std::string const call = symbol(nth);
            CAPTURE(nth);
            CAPTURE(call);
            if (failed) {
                ++harmless[call];
                CHECK(*failed == 30);
            } else {
                ++told;
                test::hardware_fault.check(failed.error(), call);
            }
            clear();
            auto const next = gpu.measure();
            REQUIRE_MESSAGE(next, (next ? std::string{} : next.error().message()));
            CHECK(*next == 30);
        }
        CHECK(told == known.told);
        CHECK(harmless == known.harmless);
        CHECK(all == known.told + test::total(known.harmless));
    }
}

TEST_CASE("a failure that lasts is reported by its call and name, and ends with it") {
    profiled_gpu gpu{2};
    struct fault {
        char const* symbol;
        CUptiResult status;
        char const* text;
        gpuprof::errc code;
        char const* remedy;
    };
    for (fault const& each :
         {fault{"cuptiDeviceGetNumEventDomains", CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED,
                "cuptiDeviceGetNumEventDomains: CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED (38)",
                gpuprof::errc::unavailable, "use the CUPTI of CUDA 11"},
          fault{"cuptiEventGroupReadAllEvents", CUPTI_ERROR_HARDWARE,
                "cuptiEventGroupReadAllEvents: CUPTI_ERROR_HARDWARE (9)", gpuprof::errc::device_lost, "Xid"}}) {
        CAPTURE(std::string{each.symbol});
        clear();
        fail(each.symbol, 0, each.status);
        auto const failed = gpu.measure();
        CHECK(calls(each.symbol) > 0);
        REQUIRE_FALSE(failed);
        CAPTURE(failed.error().message());
        CHECK(failed.error().code == each.code);
        CHECK(failed.error().status == static_cast<int>(each.status));
        CHECK(failed.error().what.find(each.text) != std::string::npos);
        CHECK_FALSE(failed.error().cause.empty());
        CHECK(failed.error().remedy.find(each.remedy) != std::string::npos);
        clear();
        CHECK(gpu.measure());
    }
}

} // namespace fault_profiler_test
