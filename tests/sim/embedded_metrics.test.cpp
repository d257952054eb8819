// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// src/sim/embedded_metrics.hpp: the list of what the embedded GPU models is what it accepts, and what it refuses it does not
// claim that the chip lacks.
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include "sim/counters/metric_table.hpp"
#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/sim.hpp>
#include "sim/chip/chips.hpp"

namespace embedded_metrics_test {

namespace sim = gpuprof::sim;
using gpuprof::errc;
using gpuprof::fidelity;

TEST_CASE("the list of what is modelled: sorted, of the chip's catalogue, each with how far it can be trusted") {
    auto const list = sim::try_embedded_metrics("gh100");
    REQUIRE(list);
    std::set<std::string_view> known;
    for (auto const& each : gpuprof::catalogue_of<gpuprof::chip::gh100>) known.insert(each.name);
    std::string_view before;
    std::set<fidelity> seen;
    for (sim::embedded_metric const& each : *list) {
        CAPTURE(each.name);
        CHECK(before < each.name);
        before = each.name;
        CHECK(known.contains(each.name));
        CHECK(!each.description.empty());
        seen.insert(each.how);
        CHECK((each.how == fidelity::always_zero) ==
              (each.description.find("Not modelled: always 0.") != std::string_view::npos));
    }
    CHECK(seen.size() == gpuprof::fidelities);
    auto const volta = sim::try_embedded_metrics("7.0");
    REQUIRE(volta);
    CHECK(volta->size() < list->size()); // no uniform datapath, no asynchronous copies
}

TEST_CASE(
    "the list of what is modelled: what is counted of warps is exact, of caches modelled, of instructions estimated") {
    auto const list = sim::try_embedded_metrics("");
    REQUIRE(list);
    auto const how = [&](std::string_view name) {
        for (sim::embedded_metric const& each : *list)
            if (each.name == name) return gpuprof::name(each.how);
        return std::string_view{"not there"};
    };
    CHECK(how("smsp__warps_launched") == "exact");
    CHECK(how("l1tex__t_sectors_pipe_lsu_mem_global_op_ld") == "exact");
    CHECK(how("dram__bytes_read") == "modelled");
    CHECK(how("gpu__time_duration") == "modelled");
    CHECK(how("smsp__inst_executed") == "estimated");
    CHECK(how("sm__ops_path_tensor_op_hgmma_src_fp16") == "exact");
    CHECK(how("sm__ops_path_tensor_op_hgmma_src_fp16_sparsity_on") == "exact");
    CHECK(how("smsp__warps_issue_stalled_drain") == "always 0");
    CHECK(how("pcie__throughput") == "not there");
}

TEST_CASE("the list of what is modelled: a chip there is none of, and one that counts events, are errors") {
    auto const none = sim::try_embedded_metrics("tu102");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::invalid_argument);
    CHECK(none.error().message().find("GH100") != std::string::npos);
    auto const older = sim::try_embedded_metrics("GM200");
    REQUIRE_FALSE(older);
    CHECK(older.error().code == errc::unavailable);
}

TEST_CASE(
    "a metric of the real chip that the embedded one lacks is not modelled, and the nearest that are stand by it") {
    auto const gpu = sim::open_embedded("gh100");
    REQUIRE(gpu);
    struct wrong {
        gpuprof::metric_info metric;
        char const* cause;
        char const* remedy;
    };
    for (wrong const& each :
         {wrong{gpuprof::metric<"fbpa__dram_read_bytes.sum">, "the embedded GH100 does not model fbpa__dram_read_bytes",
                "dram__bytes_read.sum"},
          wrong{gpuprof::metrics::nvlink_bytes_received, "the embedded GH100 does not model nvlrx__bytes",
                "list the names that it has; sim::try_embedded_metrics() lists"},
          wrong{gpuprof::metric<"lts__t_sectors_srcunit_gcc.sum">,
                "the embedded GH100 does not model lts__t_sectors_srcunit_gcc", "lts__t_sectors"}}) {
        CAPTURE(each.metric.name);
        auto const refused = gpuprof::profiler::try_create(*gpu, {}, std::span{&each.metric, 1});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == errc::unknown_metric);
        CHECK(refused.error().message().find(each.cause) != std::string::npos);
        CHECK(refused.error().message().find("GH100 has no") == std::string::npos);
        CHECK(refused.error().remedy.find(each.remedy) != std::string::npos);
    }
}

TEST_CASE(
    "copies over PCIe are counted by the byte, one way apart from the other, and shares of its peak are not known") {
    auto const gpu = sim::open_embedded("gh100");
    REQUIRE(gpu);
    gpuprof::abi::driver_table const& driver = gpu->driver();
    REQUIRE(driver.CtxPushCurrent(gpu->context()) == gpuprof::abi::CUDA_SUCCESS);
    gpuprof::abi::CUdeviceptr data = 0, other = 0;
    char host[3000]{};
    REQUIRE(driver.MemAlloc(&data, 4096) == gpuprof::abi::CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&other, 4096) == gpuprof::abi::CUDA_SUCCESS);
    constexpr gpuprof::metric_descriptor<"pcie__read_bytes.sum.pct_of_peak_sustained_elapsed"> share;
    gpuprof::profiler_options options;
    options.max_ranges = 1;
    auto prof = gpuprof::profiler::try_create(*gpu, options, gpuprof::metrics::pcie_bytes_read,
                                              gpuprof::metrics::pcie_bytes_write, share);
    REQUIRE(prof);
    for ([[maybe_unused]] auto const& pass : prof->passes()) {
        gpuprof::scope const range{*prof, "copies"};
        REQUIRE(driver.MemcpyHtoD(data, host, 1000) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(driver.MemcpyHtoD(data, host, 3000) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(driver.MemcpyDtoH(host, data, 500) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(driver.MemcpyDtoD(other, data, 4096) == gpuprof::abi::CUDA_SUCCESS); // stays on the device
    }
    auto const report = prof->try_report();
    REQUIRE(report);
    auto const range = report->try_range("copies");
    REQUIRE(range);
    CHECK(range->try_value("pcie__read_bytes.sum")->value == 4000);
    CHECK(range->try_value("pcie__write_bytes.sum")->value == 500);
    CHECK_FALSE(range->try_value(share.name()));
    driver.MemFree(other);
    driver.MemFree(data);
    gpuprof::abi::CUcontext popped = nullptr;
    driver.CtxPopCurrent(&popped);
}

// Each of the names in metric/named_metrics.hpp that is a counter, but for the interconnect that it does not have.
TEST_CASE("named metrics of the range profiler are modelled, but for NVLink") {
    auto const gpu = sim::open_embedded("gh100");
    REQUIRE(gpu);
    using namespace gpuprof::metrics;
    for (gpuprof::metric_info const& each :
         {gpuprof::metric_info{pcie_bytes_read}, gpuprof::metric_info{pcie_bytes_write},
          gpuprof::metric_info{l1_hit_rate}, gpuprof::metric_info{memory_throughput},
          gpuprof::metric_info{warp_latency}, gpuprof::metric_info{branch_uniformity}}) {
        CAPTURE(each.name);
        CHECK(gpuprof::profiler::try_create(*gpu, {}, std::span{&each, 1}).has_value());
    }
}

} // namespace embedded_metrics_test
