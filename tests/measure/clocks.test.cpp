// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// report::clocks(): clocks of multiprocessors and memory before, in the last pass and after, from a management library made up
// by the test, and what a process that died left locked.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/uncounted/nvml.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/platform/process_identity.hpp>

#include "support/measured.hpp"
#include "support/paper_hardware.hpp"

namespace clocks_test {

using gpuprof::clock_limit;
using gpuprof::scope;
using namespace gpuprof::hw::provided;

namespace {

constexpr char bus_id[] = "0000:fe:1f.7";

// What the library answers now.
struct state {
    unsigned sm = 0, memory = 0, resets = 0;
    unsigned long long reasons = 0;
    int clock_fails = 0, reasons_fail = 0;
};
state now;

nvml_table paper_library() {
    nvml_table table;
    table.handle_by_bus_id = [](char const* id, nvml_device*) { return std::strcmp(id, bus_id) == 0 ? 0 : 6; };
    table.clock = [](nvml_device, unsigned domain, unsigned* megahertz) {
        *megahertz = domain == 1 ? now.sm : domain == 2 ? now.memory : 77;
        return now.clock_fails;
    };
    table.most_clock = [](nvml_device, unsigned domain, unsigned* megahertz) {
        *megahertz = domain == 1 ? 1980 : 77;
        return 0;
    };
    table.throttle_reasons = [](nvml_device, unsigned long long* reasons) {
        *reasons = now.reasons;
        return now.reasons_fail;
    };
    table.reset_locked_clocks = [](nvml_device) {
        ++now.resets;
        return 0;
    };
    return table;
}

struct paper {
    nvml_table library = paper_library();
    test::measured_device machine;

    paper() {
        now = {210, 1593, 0, 1, 0, 0}; // idle
        test::paper_hardware::now = {};
        other_nvml = &library;
        machine.tables().driver.DeviceGetPCIBusId = [](char* text, int size, gpuprof::abi::CUdevice) {
            std::strncpy(text, bus_id, static_cast<std::size_t>(size));
            return gpuprof::abi::CUDA_SUCCESS;
        };
    }
    ~paper() { other_nvml = nullptr; }
    paper(paper const&) = delete;
    paper& operator=(paper const&) = delete;

    // Runs two passes: the clock rises in each.
    [[nodiscard]] gpuprof::report measure(gpuprof::device_source source = gpuprof::device_source::hardware) {
        auto gpu = gpuprof::device::try_open(machine.tables(), 0, source);
        REQUIRE(gpu);
        gpuprof::profiler_options options;
        options.max_ranges = 1;
        options.backend = &gpuprof::hw::backend<test::paper_hardware>;
        options.lock_counters = false;
        test::paper_hardware::now.passes = 2;
        auto prof = gpuprof::profiler::try_create(*gpu, options, gpuprof::metrics::warps_launched);
        REQUIRE(prof);
        unsigned pass = 0;
        for ([[maybe_unused]] auto each : prof->passes()) {
            scope all{*prof, "all"};
            machine.launch(1);
            ++pass;
            now.sm = 1000 + 100 * pass;
            now.memory = 2000 + pass;
            now.reasons = pass == 2 ? 0x24 : 0;
        }
        CHECK(pass == 2);
        auto report = prof->try_report();
        REQUIRE(report);
        return *std::move(report);
    }
};

} // namespace

TEST_CASE("clocks: a report has those of before, of the last pass and of after, and what limited them") {
    paper here;
    auto const clocks = here.measure().clocks();
    REQUIRE(clocks);
    CHECK(clocks->before == 210);
    CHECK(clocks->during == 1200);
    CHECK(clocks->after == 1200);
    CHECK(clocks->most == 1980);
    CHECK(clocks->memory_before == 1593);
    CHECK(clocks->memory_during == 2002);
    CHECK(clocks->memory_after == 2002);
    CHECK(clocks->limits == 0x25); // idle before; power and heat in the last pass
    CHECK(clocks->limited_by(clock_limit::idle));
    CHECK(clocks->limited_by(clock_limit::power_cap));
    CHECK(clocks->limited_by(clock_limit::heat));
    CHECK_FALSE(clocks->limited_by(clock_limit::hardware_heat));
    CHECK(clocks->throttled());
    CHECK_FALSE(gpuprof::clock_state{1, 1, 1, 1, 1, 1, 1, 0x113}.throttled()); // idle, set, sync boost, display
}

TEST_CASE("clocks: each call of the library that fails or is missing takes its own value only") {
    {
        paper here;
        now.reasons_fail = 3;
        auto const clocks = here.measure().clocks();
        REQUIRE(clocks);
        CHECK(clocks->during == 1200);
        CHECK(clocks->limits == 0);
    }
    {
        paper here;
        here.library.most_clock = nullptr;
        here.library.throttle_reasons = nullptr;
        auto const clocks = here.measure().clocks();
        REQUIRE(clocks);
        CHECK(clocks->most == 0);
        CHECK(clocks->memory_during == 2002);
    }
    {
        paper here;
        now.clock_fails = 999;
        auto const report = here.measure();
        CHECK_FALSE(report.clocks());
        CHECK(report.at(0).try_value(gpuprof::metrics::warps_launched.name()));
    }
    {
        paper here;
        here.library.handle_by_bus_id = [](char const*, nvml_device*) { return 6; };
        CHECK_FALSE(here.measure().clocks());
    }
    {
        paper here;
        here.library.missing = gpuprof::error{gpuprof::errc::unavailable, 0, "none"};
        CHECK_FALSE(here.measure().clocks());
    }
}

TEST_CASE("clocks: those of this machine's GPU are none of the embedded GPU's") {
    paper here;
    CHECK_FALSE(here.measure(gpuprof::device_source::embedded).clocks());
}

TEST_CASE("clocks: a clock that a process left locked is put back before a measurement on its GPU") {
    paper here;
    auto const own = gpuprof::platform::this_process();
    std::string const file = gpuprof::hw::provided::clock_lock_directory() + "/gpuprof-clocks-0000-fe-1f.7";
    auto const write = [&](std::string const& start) {
        REQUIRE(gpuprof::platform::write_file(
            file, std::string{"1 "} + bus_id + ' ' + own.number + ' ' + start + ' ' + own.list + '\n',
            gpuprof::platform::file_readers::this_user));
    };
    write(own.start); // a living process's
    static_cast<void>(here.measure());
    CHECK(now.resets == 0);
    CHECK(gpuprof::platform::is_there(file));
    write("1");
    static_cast<void>(here.measure());
    CHECK(now.resets == 1);
    CHECK_FALSE(gpuprof::platform::is_there(file));
    gpuprof::platform::remove_file(file);
}

} // namespace clocks_test
