// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler_options::caches on event hardware: events are counted with cold caches as counters of ranges are.
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace cold_cache_test {

namespace abi = gpuprof::abi;

TEST_CASE("legacy names: what a range reads comes from device memory after a flush, from L2 without") {
    constexpr std::size_t bytes = std::size_t{1} << 20;
    for (char const* const chip : {"gm200", "gp100"}) {
        CAPTURE(chip);
        auto const gpu = gpuprof::sim::open_embedded(chip);
        REQUIRE(gpu);
        abi::driver_table const& driver = gpu->driver();
        REQUIRE(driver.CtxPushCurrent(gpu->context()) == abi::CUDA_SUCCESS);
        abi::CUdeviceptr data = 0;
        std::vector<std::byte> host(bytes);
        REQUIRE(driver.MemAlloc(&data, bytes) == abi::CUDA_SUCCESS);
        auto const sectors = [&](gpuprof::cache_control caches) {
            gpuprof::profiler_options options;
            options.caches = caches;
            options.empty_ranges = true; // a copy is no kernel
            auto prof = gpuprof::profiler::try_create(*gpu, options, gpuprof::legacy_metric<"dram_read_transactions">);
            REQUIRE(prof);
            for ([[maybe_unused]] auto const& pass : prof->passes()) {
                gpuprof::scope const range{*prof, "copy"};
                REQUIRE(driver.MemcpyDtoH(host.data(), data, bytes) == abi::CUDA_SUCCESS);
            }
            auto const report = prof->try_report();
            REQUIRE(report);
            CHECK(report->complete());
            auto const range = report->try_range("copy");
            REQUIRE(range);
            auto const value = range->try_value("dram_read_transactions");
            REQUIRE(value);
            return value->value;
        };
        CHECK(sectors(gpuprof::cache_control::leave) == 0); // the survey brought it in
        CHECK(sectors(gpuprof::cache_control::flush) == bytes / 32);
        CHECK(sectors(gpuprof::cache_control::leave) == 0);
        driver.MemFree(data);
        abi::CUcontext popped = nullptr;
        driver.CtxPopCurrent(&popped);
    }
}

} // namespace cold_cache_test
