// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may have disturbed values stands in a report: other programs, by a management library made up by the test, clocks, parts
// of GPUs by their names, and short ranges of several passes.
#include <gpuprof/measure/disturbances.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/uncounted/nvml.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/io/table.hpp>
#include <gpuprof/legacy.hpp>

#include "support/measured.hpp"
#include "support/paper_hardware.hpp"

namespace disturbances_test {

using gpuprof::disturbance;
using gpuprof::disturbance_cause;
using namespace gpuprof::hw::provided;

namespace {

constexpr char bus_id[] = "0000:fe:1f.7";

// What the library answers.
struct state {
    std::vector<unsigned> compute{}, graphics{};
    int compute_fails = 0, graphics_fails = 0, calls = 0;
    unsigned long long reasons = 0;
};
state now;

int list(std::vector<unsigned> const& from, int fails, unsigned* count, nvml_process* processes) {
    ++now.calls;
    if (fails != 0) return fails;
    bool const fits = from.size() <= *count;
    *count = static_cast<unsigned>(from.size());
    if (!fits) return nvml_more_room_needed;
    for (std::size_t i = 0; i < from.size(); ++i) processes[i].number = from[i];
    return 0;
}

struct paper {
    nvml_table library;
    test::measured_device machine;

    explicit paper(gpuprof::sim::chip_model const& model = gpuprof::sim::gh100) : machine{model} {
        now = {};
        now.compute = {gpuprof::platform::process_number()};
        test::paper_hardware::now = {};
        library.handle_by_bus_id = [](char const* id, nvml_device* device) {
            *device = reinterpret_cast<nvml_device>(&now);
            return std::strcmp(id, bus_id) == 0 ? 0 : 6;
        };
        library.clock = [](nvml_device, unsigned, unsigned* megahertz) { return *megahertz = 1000, 0; };
        library.throttle_reasons = [](nvml_device, unsigned long long* reasons) { return *reasons = now.reasons, 0; };
        library.compute_processes = [](nvml_device, unsigned* count, nvml_process* processes) {
            return list(now.compute, now.compute_fails, count, processes);
        };
        library.graphics_processes = [](nvml_device, unsigned* count, nvml_process* processes) {
            return list(now.graphics, now.graphics_fails, count, processes);
        };
        other_nvml = &library;
        machine.tables().driver.DeviceGetPCIBusId = [](char* text, int size, gpuprof::abi::CUdevice) {
            std::strncpy(text, bus_id, static_cast<std::size_t>(size));
            return gpuprof::abi::CUDA_SUCCESS;
        };
    }
    ~paper() { other_nvml = nullptr; }
    paper(paper const&) = delete;
    paper& operator=(paper const&) = delete;

    [[nodiscard]] gpuprof::device open(gpuprof::device_source source = gpuprof::device_source::hardware) {
        auto gpu = gpuprof::device::try_open(machine.tables(), 0, source);
        REQUIRE(gpu);
        return *std::move(gpu);
    }
    // Every value of this hardware is 1: a range of 1 ns.
    template <class... Metric>
    [[nodiscard]] gpuprof::report measure(std::size_t passes, Metric... metrics) {
        auto const gpu = open();
        gpuprof::profiler_options options;
        options.max_ranges = 1;
        options.backend = &gpuprof::hw::backend<test::paper_hardware>;
        options.lock_counters = false;
        test::paper_hardware::now.passes = passes;
        auto prof = gpuprof::profiler::try_create(gpu, options, metrics...);
        REQUIRE(prof);
        for ([[maybe_unused]] auto each : prof->passes()) {
            gpuprof::scope all{*prof, "all"};
            machine.launch(1);
        }
        auto report = prof->try_report();
        REQUIRE(report);
        return *std::move(report);
    }
    [[nodiscard]] std::vector<disturbance> measured() {
        return measure(1, gpuprof::metrics::warps_launched).completeness().disturbances;
    }
};

// A report's contents of a GPU, with rows of a duration and a share.
gpuprof::report_contents contents_of(std::vector<double> durations, std::size_t passes) {
    gpuprof::report_contents made{"NVIDIA H200", "GH100", gpuprof::device_source::hardware, "paper"};
    made.metrics = {gpuprof::try_metric("gpu__time_duration.sum").value(),
                    gpuprof::try_metric("l1tex__t_sector_hit_rate.pct").value()};
    for (double const each : durations) made.values.insert(made.values.end(), {each, 50});
    made.completeness.passes_needed = passes;
    return made;
}

} // namespace

TEST_CASE("disturbances: none where nothing is known to disturb") {
    paper here;
    CHECK(here.measured().empty());
    CHECK(now.calls == 2);
    here.library.missing = gpuprof::error{gpuprof::errc::unavailable, 0, "none"};
    CHECK(here.measured().empty());
    CHECK(now.calls == 2);
}

TEST_CASE("disturbances: other programs by their numbers, once each, and the report stays complete") {
    paper here;
    now.compute.insert(now.compute.begin(), {9'000'001, 9'000'000});
    now.graphics = {9'000'001, 9'000'007};
    auto const report = here.measure(1, gpuprof::metrics::warps_launched);
    CHECK(report.complete());
    auto const& all = report.completeness().disturbances;
    REQUIRE(all.size() == 1);
    CHECK(all[0].cause == disturbance_cause::other_programs);
    CHECK(all[0].text.starts_with("processes 9000000, 9000001, 9000007 had the GPU open"));
    CHECK(gpuprof::io::table(report).find("may be disturbed: processes 9000000, 9000001, 9000007 had") !=
          std::string::npos);
    CHECK(gpuprof::io::json(report).find(
              ",\"disturbances\":[{\"cause\":\"other_programs\",\"text\":\"processes 9000000") != std::string::npos);
}

TEST_CASE("disturbances: legacy metrics that have the work of other programs are named where there are any") {
    paper here{gpuprof::sim::gv100};
    auto const gpu = here.open();
    auto const found = [&] {
        auto contents = contents_of({}, 1);
        // CUPTI 12.0, the metrics of capability 7.x: the first is of the device, the second of several contexts.
        contents.metrics = {gpuprof::try_legacy_metric("nvlink_total_data_received").value(),
                            gpuprof::try_legacy_metric("inst_executed").value()};
        gpuprof::detail::add_disturbances(gpu, contents);
        return contents.completeness.disturbances;
    };
    CHECK(found().empty());
    now.graphics = {9'000'007};
    auto const all = found();
    REQUIRE(all.size() == 2);
    CHECK(all[1].cause == disturbance_cause::other_programs);
    CHECK(all[1].text == "nvlink_total_data_received: it contains the work of all contexts on the GPU");
    CHECK_FALSE(all[1].remedy.empty());
}

TEST_CASE("disturbances: where a container hides numbers, one of the processes is this one") {
    paper here;
    now.compute = {9'000'000};
    CHECK(here.measured().empty());
    now.compute = {9'000'000, 9'000'001};
    auto const all = here.measured();
    REQUIRE(all.size() == 1);
    CHECK(all[0].text.starts_with("1 process had the GPU open"));
}

TEST_CASE("disturbances: each call of the library that fails or is missing takes its own answer only") {
    paper here;
    now.graphics = {9'000'007};
    now.compute_fails = 3;
    CHECK(here.measured().empty()); // one process that may be this one
    now.compute_fails = 0;
    now.graphics_fails = 4;
    CHECK(here.measured().empty());
    now.graphics_fails = 0;
    now.compute.assign(65, 9'000'000); // more than there is room for
    CHECK(here.measured().empty());
    here.library.compute_processes = nullptr;
    here.library.graphics_processes = nullptr;
    CHECK(here.measured().empty());
    paper unknown;
    now.compute = {1, 2, 3};
    unknown.library.handle_by_bus_id = [](char const*, nvml_device*) { return 6; };
    CHECK(unknown.measured().empty());
}

TEST_CASE("disturbances: clocks that heat or power kept low") {
    paper here;
    now.reasons = 0x20 | 0x4 | 0x1;
    auto const all = here.measured();
    REQUIRE(all.size() == 1);
    CHECK(all[0].cause == disturbance_cause::low_clocks);
    CHECK(all[0].text == "clocks were kept low by the power limit, heat");
    now.reasons = 0x1; // idle
    CHECK(here.measured().empty());
}

TEST_CASE("disturbances: parts of a GPU by their names, and nothing of the embedded GPU") {
    paper here;
    auto const of = [&](char const* device, gpuprof::device_source source) {
        auto contents = contents_of({}, 1);
        contents.device = device;
        contents.source = source;
        gpuprof::detail::add_disturbances(here.open(source), contents);
        return contents.completeness.disturbances;
    };
    auto const shared = of("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb", gpuprof::device_source::hardware);
    REQUIRE(shared.size() == 1);
    CHECK(shared[0].cause == disturbance_cause::shared_gpu);
    CHECK(of("NVIDIA A100-SXM4-40GB MIG 3g.20gb", gpuprof::device_source::hardware).empty());
    CHECK(of("GRID T4-16Q", gpuprof::device_source::hardware).size() == 1);
    now.compute = {1, 2, 3};
    CHECK(of("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb", gpuprof::device_source::embedded).empty());
    CHECK(now.calls == 6); // two for each of three reports of hardware
}

TEST_CASE("disturbances: short ranges of several passes, where a ratio was asked for") {
    paper here;
    auto const gpu = here.open();
    double const nan = std::numeric_limits<double>::quiet_NaN();
    auto const of = [&](gpuprof::report_contents contents) {
        gpuprof::detail::add_disturbances(gpu, contents);
        return contents.completeness.disturbances;
    };
    auto const two = of(contents_of({19'999, 20'000, 4'000, nan, 0}, 3));
    REQUIRE(two.size() == 1);
    CHECK(two[0].cause == disturbance_cause::short_ranges);
    CHECK(two[0].text.starts_with("2 values of ranges are of less than 20 us in 3 passes"));
    CHECK(of(contents_of({19'999}, 1)).empty());
    CHECK(of(contents_of({20'000}, 3)).empty());
    auto no_ratio = contents_of({}, 3);
    no_ratio.metrics.pop_back();
    no_ratio.values = {10, 20};
    CHECK(of(no_ratio).empty());
    auto no_time = contents_of({}, 3);
    no_time.metrics.erase(no_time.metrics.begin());
    no_time.values = {10, 20};
    CHECK(of(no_time).empty());
    // And of a collection: every value of this hardware is 1.
    auto const all =
        here.measure(2, gpuprof::metrics::gpu_time_duration, gpuprof::metric<"l1tex__t_sector_hit_rate.pct">)
            .completeness()
            .disturbances;
    REQUIRE(all.size() == 1);
    CHECK(all[0].cause == disturbance_cause::short_ranges);
}

} // namespace disturbances_test
