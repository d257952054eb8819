// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profiler and its device: either may be moved, and either may go first. On the embedded GPU, which destroys a context that
// nobody retains.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim/open.hpp>
#include "sim/embedded_device.hpp"
#include "sim/chip/chips.hpp"

namespace device_lifetime_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;

namespace {

constexpr char kernel[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing() { ret; }
)";

gpuprof::device opened() {
    gpuprof::hw::machine const& machine = gpuprof::sim::embedded_machine();
    int const ordinal = gpuprof::sim::detail::device_with(gpuprof::sim::gh100);
    CHECK(machine.driver.Init(0) == abi::CUDA_SUCCESS);
    auto made = gpuprof::device::try_open(machine, ordinal);
    REQUIRE(made);
    return *std::move(made);
}

// The warps of a launch of 3 blocks of 64 threads on the context that is current, as this profiler counts them.
double warps_of(gpuprof::profiler& prof, abi::driver_table const& driver) {
    abi::CUmodule module = nullptr;
    abi::CUfunction function = nullptr;
    REQUIRE(driver.ModuleLoadData(&module, kernel) == abi::CUDA_SUCCESS);
    REQUIRE(driver.ModuleGetFunction(&function, module, "nothing") == abi::CUDA_SUCCESS);
    for (auto pass : prof.passes()) {
        gpuprof::scope range{prof, "range"};
        CHECK(driver.LaunchKernel(function, 3, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) == abi::CUDA_SUCCESS);
    }
    CHECK(driver.ModuleUnload(module) == abi::CUDA_SUCCESS);
    auto const report = prof.try_report();
    REQUIRE(report);
    for (auto const& problem : report->completeness().problems) FAIL_CHECK(problem.message());
    auto const range = report->try_range("range");
    REQUIRE(range);
    auto const value = range->try_get(gpuprof::metrics::warps_launched);
    REQUIRE(value);
    return static_cast<double>(value->value());
}

gpuprof::profiler made_on(gpuprof::device const& gpu) {
    auto made = gpuprof::profiler::try_create(gpu, {}, gpuprof::metrics::warps_launched);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}

} // namespace

TEST_CASE("a profiler measures after its device was moved, and after it was destroyed") {
    std::optional<gpuprof::device> first{opened()};
    abi::driver_table const& driver = first->driver();
    abi::CUcontext const context = first->context();
    {
        gpuprof::profiler prof = made_on(*first);
        std::optional<gpuprof::device> second{*std::move(first)};
        first.reset();
        CHECK(warps_of(prof, driver) == 6);
        second.reset();
        CHECK(warps_of(prof, driver) == 6);
        gpuprof::profiler moved = std::move(prof);
        CHECK(warps_of(moved, driver) == 6);
    }
    unsigned version = 0; // and the context goes with the last of them
    CHECK(driver.CtxGetApiVersion(context, &version) == abi::CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("a profiler is not made on a device that was moved from") {
    gpuprof::device first = opened();
    gpuprof::device const second = std::move(first);
    auto const none = gpuprof::profiler::try_create(first, {}, gpuprof::metrics::warps_launched);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::invalid_argument);
    CHECK(none.error().cause == "it was moved from");
    CHECK(gpuprof::profiler::try_create(second, {}, gpuprof::metrics::warps_launched));
}

} // namespace device_lifetime_test
