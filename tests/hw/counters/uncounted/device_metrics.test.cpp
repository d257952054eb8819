// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device__attribute_, nvlink__, numa__ and profiler__ metrics.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gpuprof/hw/counters/uncounted/attribute_metrics.hpp>
#include <gpuprof/hw/counters/uncounted/numa_metrics.hpp>
#include <gpuprof/hw/counters/uncounted/provided.hpp>
#include <gpuprof/sim/open.hpp>
#include <gpuprof/metric/device_attributes.hpp>
#include <gpuprof/metric/provider_metrics.hpp>

#include "support/scratch_directory.hpp"

namespace device_metrics_test {

using namespace gpuprof;
using namespace gpuprof::hw::provided;

namespace {
double number(device const& gpu, std::string const& name) {
    auto const value = try_device_value(gpu, name);
    CAPTURE(name);
    if (!value) FAIL_CHECK(value.error().message());
    if (!value || !value->number) return -1;
    return *value->number;
}
} // namespace

TEST_CASE("attributes that the driver tells are those of an H200") {
    device const gpu = *sim::open_embedded("gh100");
    auto const attribute = [&](char const* name) { return number(gpu, std::string{"device__attribute_"} + name); };
    CHECK(attribute("multiprocessor_count") == 132);
    CHECK(attribute("compute_capability_major") == 9);
    CHECK(attribute("compute_capability_minor") == 0);
    CHECK(attribute("warp_size") == 32);
    CHECK(attribute("max_threads_per_multiprocessor") == 2048);
    CHECK(attribute("max_registers_per_multiprocessor") == 65536);
    CHECK(attribute("max_shared_memory_per_block_optin") == 232448);
    CHECK(attribute("max_shared_memory_per_multiprocessor") == 233472);
    CHECK(attribute("reserved_shared_memory_per_block") == 1024);
    CHECK(attribute("l2_cache_size") == 62914560);
    CHECK(attribute("max_shared_memory_per_block") == attribute("shared_memory_per_block")); // two names of one number
}

TEST_CASE("attributes of Nsight Compute beyond the driver's") {
    device const gpu = *sim::open_embedded("gh100");
    auto const attribute = [&](char const* name) { return number(gpu, std::string{"device__attribute_"} + name); };
    CHECK(attribute("architecture") == 384); // 0x180: what Nsight Compute reports of an H100
    CHECK(attribute("implementation") == 384);
    CHECK(attribute("fb_bus_width") == 6144);
    CHECK(attribute("fbp_count") == 12); // six stacks of 1024 bits, two partitions each
    CHECK(attribute("l2s_count") == 96);
    CHECK(attribute("num_l2s_per_fbp") == 8);
    CHECK(attribute("limits_max_cta_per_sm") == 32);
    CHECK(attribute("max_warps_per_multiprocessor") == 64);
    CHECK(attribute("max_warps_per_scheduler") == 16);
    CHECK(attribute("num_schedulers_per_multiprocessor") == 4);
    CHECK(attribute("max_ipc_per_scheduler") == 1);
    CHECK(attribute("max_ipc_per_multiprocessor") == 4);
    CHECK(attribute("max_registers_per_thread") == 255);
    CHECK(attribute("max_gpu_frequency_khz") == 1980000);
    CHECK(attribute("max_mem_frequency_khz") == 3201000);
    CHECK(attribute("device_index") == gpu.ordinal());
    CHECK(try_device_value(gpu, "device__attribute_display_name")->text == gpu.name());
    CHECK(try_device_value(gpu, "device__attribute_confidential_computing_mode")->text == "No-CC");

    CHECK(stacked_memory_partitions("GH100", 5120) == 10); // an H100: Nsight Compute reports 10, and 80 slices
    CHECK(stacked_memory_partitions("AD102", 384) == 0);

    device const old = *sim::open_embedded("gf100");
    CHECK(number(old, "device__attribute_max_registers_per_thread") == 63);
    CHECK(number(old, "device__attribute_num_schedulers_per_multiprocessor") == 2);
    CHECK(number(old, "device__attribute_max_warps_per_scheduler") == 24); // 1536 threads
}

TEST_CASE("chips have the numbers that the nouveau driver lists") {
    CHECK(chip_number("GV100") == 0x140);
    CHECK(chip_number("TU102") == 0x162);
    CHECK(chip_number("TU116") == 0x168);
    CHECK(chip_number("TU117") == 0x167);
    CHECK(chip_number("GA107") == 0x177);
    CHECK(chip_number("AD106") == 0x196);
    CHECK(chip_number("GB202") == 0x1b2);
    CHECK(chip_number("GA10B") == 0); // integrated
    CHECK(chip_number("") == 0);
}

TEST_CASE("every attribute has a value, or a reason why not") {
    for (char const* const chip : {"gh100", "gv100", "gf100"}) {
        device const gpu = *sim::open_embedded(chip);
        int values = 0;
        for (device_attribute const& row : device_attributes) {
            std::string const name = std::string{"device__attribute_"} + row.name;
            auto const value = try_device_value(gpu, name);
            CAPTURE(name);
            if (value) ++values;
            else CHECK(value.error().code == errc::unavailable);
        }
        CHECK(values == 153); // of 167 names; those after 147 are newer than CUDA 13.0
        for (provider_metric const& row : provider_metrics) {
            if (row.source != metric_source::device) continue;
            CAPTURE(std::string{row.name});
            auto const value = try_device_value(gpu, row.name);
            if (value) {
                CHECK(value->number.has_value() == (row.kind == metric_kind::number));
            } else {
                CHECK(value.error().code == errc::unavailable);
                CHECK_FALSE(value.error().cause.empty());
            }
        }
    }
}

TEST_CASE("a misspelt metric of a device is refused with the nearest names") {
    device const gpu = *sim::open_embedded("gh100");
    auto const attribute = try_device_value(gpu, "device__attribute_warp_sise");
    REQUIRE_FALSE(attribute);
    CHECK(attribute.error().code == errc::unknown_metric);
    CHECK(attribute.error().remedy.find("device__attribute_warp_size") != std::string::npos);
    auto const link = try_device_value(gpu, "nvlink__bandwith");
    REQUIRE_FALSE(link);
    CHECK(link.error().code == errc::unknown_metric);
    CHECK(link.error().remedy.find("nvlink__bandwidth") != std::string::npos);
    for (auto const* name : {"", "device__attribute_", "launch__grid_size", "nvlink__", "profiler__replayer_passes"})
        CHECK(try_device_value(gpu, name).error().code == errc::unknown_metric);
}

TEST_CASE("the embedded GPU has no links and no NUMA node") {
    device const gpu = *sim::open_embedded("gh100");
    for (auto const* name : {"nvlink__count_logical", "nvlink__count_physical", "nvlink__max_count",
                             "nvlink__enabled_mask", "nvlink__is_nvswitch_connected"})
        CHECK(number(gpu, name) == 0);
    for (provider_metric const& row : provider_metrics) {
        if (row.source != metric_source::nvlink && row.source != metric_source::numa) continue;
        CAPTURE(std::string{row.name});
        auto const value = try_device_value(gpu, row.name);
        if (!value) CHECK(value.error().code == errc::unavailable);
        else CHECK((value->number.has_value() || !value->instances.empty()));
    }
    CHECK(try_device_value(gpu, "nvlink__bandwidth").error().code == errc::unavailable);
    CHECK(try_device_value(gpu, "numa__id_cpu").error().code == errc::unavailable);
    auto const names = try_device_value(gpu, "numa__dev_display_name_all");
    REQUIRE(names);
    CHECK(names->instances.at(static_cast<std::size_t>(gpu.ordinal())).text == gpu.name());
}

TEST_CASE("NUMA nodes are read where the Linux kernel keeps them") {
    scratch_directory const root;
    auto const write = [&](std::string const& device, std::string const& file, std::string const& text) {
        std::filesystem::create_directories(root.path() + "/bus/pci/devices/" + device);
        std::ofstream{root.path() + "/bus/pci/devices/" + device + '/' + file} << text << '\n';
    };
    write("0000:18:00.0", "numa_node", "0");
    write("0000:18:00.0", "local_cpulist", "0-47,96-143");
    write("0000:9a:00.0", "numa_node", "1");
    write("0000:9a:00.0", "local_cpulist", "48-95,144-191");
    write("0000:9b:00.0", "numa_node", "-1");
    neighbour const devices[] = {{0, "A", "0000:18:00.0"}, {1, "B", "0000:9a:00.0"}, {2, "C", "0000:9b:00.0"}};

    auto const nodes = numa_metric(devices, "numa__id_cpu", root.path());
    REQUIRE(nodes);
    REQUIRE(nodes->instances.size() == 2); // the kernel knows none of the third
    CHECK(nodes->instances[0].key == "0");
    CHECK(nodes->instances[0].text == "0");
    CHECK(nodes->instances[1].key == "1");
    CHECK(nodes->instances[1].text == "1");
    auto const cpus = numa_metric(devices, "numa__cpu_affinity", root.path());
    REQUIRE(cpus);
    REQUIRE(cpus->instances.size() == 2);
    CHECK(cpus->instances[1].text == "48-95,144-191");
    CHECK(numa_metric(devices, "numa__dev_display_name_all", root.path())->instances.size() == 3);
    auto const none = numa_metric(devices, "numa__id_memory", root.path() + "/nothing");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::unavailable);
}

TEST_CASE("a bus id is spelled as the Linux kernel spells it") {
    CHECK(spelled_as_in_sys("0000:1A:00.0") == "0000:1a:00.0");
    CHECK(spelled_as_in_sys("00000000:1A:00.0") == "0000:1a:00.0");
    CHECK(spelled_as_in_sys("") == "");
}

TEST_CASE("a collection knows its passes, and nothing of sampling") {
    collection_facts const facts{11, 1, true};
    CHECK(try_profiler_value(facts, "profiler__replayer_passes").value_or(-1) == 11);
    CHECK(try_profiler_value(facts, "profiler__replayer_passes_type_warmup").value_or(-1) == 1);
    CHECK(try_profiler_value(facts, "profiler__perfworks_session_reuse").value_or(-1) == 1);
    for (provider_metric const& row : provider_metrics) {
        if (row.source != metric_source::profiler) continue;
        CAPTURE(std::string{row.name});
        auto const value = try_profiler_value(facts, row.name);
        CHECK(value.has_value() == why_not_collected(row.source, row.name).empty());
        if (!value) CHECK(value.error().code == errc::unavailable);
    }
    CHECK(try_profiler_value(facts, "profiler__pmsampler_ctxsw_state").error().code == errc::unavailable);
    CHECK(try_profiler_value(facts, "profiler__replayer_pases").error().code == errc::unknown_metric);
}

TEST_CASE("the guide's quotients are numbers unless they divide by nothing") {
    // 100 warps of 32 threads and 50 of 20 threads, an instruction each: 4200 / 150 threads an instruction.
    derived_metric const* const row = find_derived_metric("derived__avg_thread_executed");
    REQUIRE(row != nullptr);
    CHECK(try_derived_value(*row, 4200, 150).value_or(-1) == 28);
    auto const none = try_derived_value(*row, 0, 0);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::not_collected);
    CHECK(find_derived_metric("derived__memory_l1_wavefronts_shared_excessive") == nullptr);
}

TEST_CASE("what is provided without a counter is told by the metric") {
    for (auto const* name : {"launch__grid_size", "device__attribute_warp_size", "nvlink__bandwidth", "numa__id_cpu",
                             "profiler__replayer_passes"})
        CHECK(provides(*try_metric(name)));
    for (auto const* name : {"sm__cycles_active.avg", "source:inst_executed", "smsp__pcsamp_sample_count",
                             "derived__avg_thread_executed", "group:memory__dram_table"})
        CHECK_FALSE(provides(*try_metric(name)));
}

} // namespace device_metrics_test
