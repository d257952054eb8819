// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch__ metrics. Values are worked out by hand from the limits of an H200: 132 SMs of 64 warps, 32 blocks, 65,536
// registers in four partitions, 228 KB of shared memory of which the driver takes 1 KB a block.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <gpuprof/hw/counters/uncounted/provided.hpp>
#include <gpuprof/sim/open.hpp>
#include <gpuprof/metric/provider_metrics.hpp>

namespace launch_metrics_test {

using namespace gpuprof;
using hw::kernel_launch;
using hw::provided::try_launch_value;

namespace {
// 200 blocks of 256 threads with 37 registers and 5,096 bytes of shared memory.
kernel_launch ordinary() {
    kernel_launch launch;
    launch.grid = {100, 2, 1};
    launch.block = {64, 2, 2};
    launch.registers = 37;
    launch.static_shared = 4096;
    launch.dynamic_shared = 1000;
    launch.max_dynamic_shared = 49152;
    launch.context_id = 1;
    launch.stream_id = 7;
    launch.cluster_policy = 1;
    launch.largest_cluster = 8;
    return launch;
}

double number(device const& gpu, kernel_launch const& launch, std::string_view name) {
    auto const value = try_launch_value(gpu, launch, name);
    CAPTURE(std::string{name});
    if (!value) FAIL_CHECK(value.error().message());
    if (!value || !value->number) return -1;
    return *value->number;
}
} // namespace

TEST_CASE("sizes of a launch are those it was made with") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch const launch = ordinary();
    CHECK(number(gpu, launch, "launch__grid_dim_x") == 100);
    CHECK(number(gpu, launch, "launch__grid_dim_y") == 2);
    CHECK(number(gpu, launch, "launch__grid_dim_z") == 1);
    CHECK(number(gpu, launch, "launch__grid_size") == 200);
    CHECK(number(gpu, launch, "launch__block_dim_x") == 64);
    CHECK(number(gpu, launch, "launch__block_dim_y") == 2);
    CHECK(number(gpu, launch, "launch__block_dim_z") == 2);
    CHECK(number(gpu, launch, "launch__block_size") == 256);
    CHECK(number(gpu, launch, "launch__thread_count") == 200 * 256);
    CHECK(number(gpu, launch, "launch__cluster_dim_x") == 0);
    CHECK(number(gpu, launch, "launch__func_cache_config") == 0);
    CHECK(number(gpu, launch, "launch__device_id") == gpu.ordinal());
    CHECK(number(gpu, launch, "launch__context_id") == 1);
    CHECK(number(gpu, launch, "launch__stream_id") == 7);
    CHECK(number(gpu, launch, "launch__cluster_scheduling_policy") == 1);
}

TEST_CASE("registers and shared memory are given in portions") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch const launch = ordinary();
    CHECK(number(gpu, launch, "launch__registers_per_thread") == 37);
    CHECK(number(gpu, launch, "launch__registers_per_thread_allocated") == 40); // 256 a warp: 8 a thread
    CHECK(number(gpu, launch, "launch__shared_mem_per_block_static") == 4096);
    CHECK(number(gpu, launch, "launch__shared_mem_per_block_dynamic") == 1000);
    CHECK(number(gpu, launch, "launch__shared_mem_per_block_driver") == 1024);
    CHECK(number(gpu, launch, "launch__shared_mem_per_block_allocated") == 6144); // 6120 in portions of 128
}

TEST_CASE("a thread has 16 registers at least, and whole warps are given them") { // ncu 2025.3 on an H200
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch launch = ordinary();
    launch.registers = 4;
    launch.block = {100, 1, 1};
    CHECK(number(gpu, launch, "launch__registers_per_thread") == 16);
    CHECK(number(gpu, launch, "launch__registers_per_thread_allocated") == doctest::Approx(20.48)); // 4 warps of 512
    CHECK(number(gpu, launch, "launch__occupancy_limit_registers") == 32);                          // 65,536 / 2,048
}

TEST_CASE("each limit of occupancy by itself") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch launch = ordinary();
    CHECK(number(gpu, launch, "launch__occupancy_limit_blocks") == 32);
    CHECK(number(gpu, launch, "launch__occupancy_limit_warps") == 8); // 64 / 8
    // A warp takes 37 * 32 = 1184, in portions 1280; a partition of 16384 has 12 of them, the SM 48: 6 blocks of 8 warps.
    CHECK(number(gpu, launch, "launch__occupancy_limit_registers") == 6);
    // Six blocks need 36,864 bytes; the next split is 64 KB, which holds 10.
    CHECK(number(gpu, launch, "launch__shared_mem_config_size") == 65536);
    CHECK(number(gpu, launch, "launch__occupancy_limit_shared_mem") == 10);
    CHECK(number(gpu, launch, "launch__waves_per_multiprocessor") == doctest::Approx(200.0 / (132 * 6)));

    launch.preferred_carveout = 100;
    CHECK(number(gpu, launch, "launch__shared_mem_config_size") == 233472);
    CHECK(number(gpu, launch, "launch__occupancy_limit_shared_mem") == 38);
    launch.preferred_carveout = 0; // less than a block needs: the next split that holds one
    CHECK(number(gpu, launch, "launch__shared_mem_config_size") == 8192);
    CHECK(number(gpu, launch, "launch__occupancy_limit_shared_mem") == 1);
    CHECK(number(gpu, launch, "launch__waves_per_multiprocessor") == doctest::Approx(200.0 / 132));
}

TEST_CASE("shared memory of the least kernel is set as Nsight Compute shows it for an H100") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch launch;
    launch.block = {256, 1, 1};
    launch.registers = 16;
    CHECK(number(gpu, launch, "launch__shared_mem_config_size") == 32768);
    CHECK(number(gpu, launch, "launch__occupancy_limit_shared_mem") == 32);
    CHECK(number(gpu, launch, "launch__occupancy_limit_registers") == 16);
    CHECK(number(gpu, launch, "launch__occupancy_limit_warps") == 8);
}

TEST_CASE("active warps for other block sizes, register counts and shared memory") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch launch;
    launch.grid = {1, 1, 1};
    launch.block = {256, 1, 1};
    launch.registers = 32;

    auto const blocks = *try_launch_value(gpu, launch, "launch__occupancy_per_block_size");
    CHECK(blocks.number == 64.0); // 8 blocks of 8 warps
    REQUIRE(blocks.instances.size() == 32);
    CHECK(blocks.instances[0].key == "1");
    CHECK(blocks.instances[0].number == 32); // 32 blocks at most
    CHECK(blocks.instances[23].key == "24");
    CHECK(blocks.instances[23].number == 48); // two blocks of 24 warps
    CHECK(blocks.instances[31].number == 64);

    // 64 warps have 32 registers each at most, 8 warps 255: one block of 8 * 32 * 256 = 65536.
    auto const registers = *try_launch_value(gpu, launch, "launch__occupancy_per_register_count");
    CHECK(registers.number == 64.0);
    REQUIRE(registers.instances.size() >= 2);
    CHECK(registers.instances.front().key == "8");
    CHECK(registers.instances.front().number == 255);
    CHECK(registers.instances.back().key == "64");
    CHECK(registers.instances.back().number == 32);
    auto const sixteen = [&]() -> double { // two blocks: 4 warps of a partition, 4096 registers a warp
        for (auto const& each : registers.instances)
            if (each.key == "16") return each.number;
        return 0;
    }();
    CHECK(sixteen == 128);

    // 8 blocks share 233,472 bytes: 29,184 each, 1,024 of them the driver's. One block has 227 KB.
    auto const shared = *try_launch_value(gpu, launch, "launch__occupancy_per_shared_mem_size");
    CHECK(shared.number == 64.0);
    CHECK(shared.instances.front().key == "8");
    CHECK(shared.instances.front().number == 232448);
    CHECK(shared.instances.back().key == "64");
    CHECK(shared.instances.back().number == 29184 - 1024);
}

TEST_CASE("clusters: how many, and which share of the device they can fill") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch launch = ordinary();
    launch.grid = {128, 4, 1};
    launch.cluster = {4, 2, 1};
    launch.active_clusters = 90; // as if the driver had said so
    CHECK(number(gpu, launch, "launch__cluster_dim_x") == 32);
    CHECK(number(gpu, launch, "launch__cluster_dim_y") == 2);
    CHECK(number(gpu, launch, "launch__cluster_dim_z") == 1);
    CHECK(number(gpu, launch, "launch__cluster_max_active") == 90);
    CHECK(number(gpu, launch, "launch__cluster_max_potential_size") == 8);
    // 90 clusters of 8 blocks of 8 warps; the device has 132 * 64 warps, and 132 * 6 such blocks without clusters.
    CHECK(number(gpu, launch, "launch__occupancy_cluster_gpu_pct") == doctest::Approx(100.0 * 90 * 8 * 8 / (132 * 64)));
    CHECK(number(gpu, launch, "launch__occupancy_cluster_pct") == doctest::Approx(100.0 * 90 * 8 / (132 * 6)));
    launch.active_clusters = -1;
    CHECK(try_launch_value(gpu, launch, "launch__cluster_max_active").error().code == errc::unavailable);
}

TEST_CASE("every launch metric has a value, or a reason why not") {
    for (char const* const chip : {"gh100", "gv100", "gp100", "gm200", "gk110b", "gf100"}) {
        device const gpu = *sim::open_embedded(chip);
        int values = 0, all = 0;
        for (provider_metric const& row : provider_metrics) {
            if (row.source != metric_source::launch) continue;
            CAPTURE(std::string{row.name});
            ++all;
            auto const value = try_launch_value(gpu, ordinary(), row.name);
            if (value) {
                ++values;
                CHECK(value->number.has_value());
                continue;
            }
            CHECK(value.error().code == errc::unavailable);
            CHECK_FALSE(value.error().cause.empty());
        }
        CHECK(all == 41);
        CHECK(values >= 35);
    }
}

TEST_CASE("what the driver did not tell is no value") {
    device const gpu = *sim::open_embedded("gh100");
    kernel_launch launch = ordinary();
    launch.context_id = launch.stream_id = launch.cluster_policy = -1;
    launch.registers = 0;
    for (auto const* name : {"launch__context_id", "launch__stream_id", "launch__cluster_scheduling_policy",
                             "launch__registers_per_thread", "launch__waves_per_multiprocessor"})
        CHECK(try_launch_value(gpu, launch, name).error().code == errc::unavailable);
    launch = ordinary();
    launch.dynamic_shared = 240000; // no block fits: 1/0 waves are no number
    CHECK(try_launch_value(gpu, launch, "launch__waves_per_multiprocessor").error().code == errc::unavailable);
}

TEST_CASE("a launch has no metric of another provider or of a wrong name") {
    device const gpu = *sim::open_embedded("gh100");
    auto const wrong = try_launch_value(gpu, ordinary(), "launch__grid_sise");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == errc::unknown_metric);
    CHECK(wrong.error().remedy.find("launch__grid_size") != std::string::npos);
    for (auto const* name : {"", "device__attribute_warp_size", "sm__cycles_active.avg", "launch__"})
        CHECK(try_launch_value(gpu, ordinary(), name).error().code == errc::unknown_metric);
}

} // namespace launch_metrics_test
