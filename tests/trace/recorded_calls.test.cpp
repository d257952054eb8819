// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a tracer that decide which records there are: single calls, unified memory, hardware events.
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <gpuprof/scope.hpp>
#include <gpuprof/sim/open.hpp>
#include <gpuprof/trace/functions.hpp>
#include <gpuprof/trace/function_names.hpp>

#include "sim/cupti/cupti.hpp"
#include "support/driver_kernels.hpp"
#include "support/fault_injection.hpp"
#include "support/paper_activity.hpp"

namespace recorded_calls_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using test::paper_activity;

namespace {
constexpr auto calls = activity::kinds<activity::driver_calls, activity::runtime_calls>;
using call_tracer = gpuprof::tracer<std::remove_const_t<decltype(calls)>>;
std::size_t count(std::vector<std::string> const& all, std::string const& of) {
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), of));
}
} // namespace

TEST_CASE("of the calls only those that were chosen have records, also after a stop and with scopes") {
    embedded_context const made;
    auto const opened = gpuprof::device::try_open(gpuprof::sim::embedded_machine(), made.handle);
    REQUIRE(opened);
    auto const& driver = opened->driver();
    REQUIRE(driver.CtxSetCurrent(opened->context()) == abi::CUDA_SUCCESS);
    gpuprof::tracer_options options;
    options.recorded_calls = gpuprof::calls<"cuMemAlloc"> | gpuprof::calls<"cudaMalloc">;
    auto trace = call_tracer::try_begin(*opened, calls, options);
    REQUIRE(trace);
    auto const recorded = [&] {
        abi::CUdeviceptr memory = 0;
        {
            gpuprof::scope const step{*trace, "step"};
            CHECK(driver.MemAlloc(&memory, 64) == abi::CUDA_SUCCESS);
            CHECK(driver.MemFree(memory) == abi::CUDA_SUCCESS);
        }
        std::vector<std::string> names;
        auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
        REQUIRE(batch);
        batch->visit([&](activity::api_call const& it) {
            names.emplace_back(gpuprof::name(static_cast<gpuprof::driver_function>(it.callback)));
            CHECK(batch->scope_path(batch->scope_of(it)) == "step");
        });
        return names;
    };
    CHECK(recorded() == std::vector<std::string>{"cuMemAlloc_v2"});
    CHECK(trace->try_stop());
    CHECK(recorded().empty());
    CHECK(trace->try_start());
    CHECK(recorded() == std::vector<std::string>{"cuMemAlloc_v2"});
}

TEST_CASE("calls are switched on one by one and off again, and numbers that CUPTI does not know are left out") {
    paper_activity cupti;
    gpuprof::tracer_options options;
    options.recorded_calls = gpuprof::callback_set{gpuprof::driver_function{307}} |
                             gpuprof::callback_set{gpuprof::runtime_function{211}} |
                             gpuprof::callback_set{gpuprof::runtime_function{470}};
    {
        auto const trace = call_tracer::try_begin(cupti.machine, calls, options);
        REQUIRE(trace);
        CHECK(count(cupti.log(), "driver call 307 1") == 1);
        CHECK(count(cupti.log(), "runtime call 211 1") == 1);
        CHECK(count(cupti.log(), "runtime call 470 1") == 0);
    }
    CHECK(count(cupti.log(), "driver call 307 0") == 1);
    CHECK(count(cupti.log(), "runtime call 211 0") == 1);
}

TEST_CASE("a call of CUPTI that fails or is missing keeps the tracer from beginning, and nothing stays on") {
    for (char const* const symbol : {"cuptiActivityEnableDriverApi", "cuptiActivityEnableRuntimeApi"}) {
        paper_activity cupti;
        test::fault_injection faults{cupti.machine.cupti};
        faults.fail(symbol, 1, abi::CUPTI_ERROR_NOT_INITIALIZED);
        gpuprof::tracer_options options;
        options.recorded_calls = gpuprof::callback_set{gpuprof::driver_function{307}} |
                                 gpuprof::callback_set{gpuprof::runtime_function{211}};
        auto const failed = call_tracer::try_begin(cupti.machine, calls, options);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().message().find(symbol) != std::string::npos);
        CHECK(count(cupti.log(), "driver call 307 1") <= count(cupti.log(), "driver call 307 0"));
        faults.clear();
        CHECK(call_tracer::try_begin(cupti.machine, calls, options));
    }
    paper_activity cupti;
    cupti.machine.cupti.ActivityEnableDriverApi = nullptr;
    gpuprof::tracer_options options;
    options.recorded_calls = gpuprof::callback_set{};
    auto const lacking = call_tracer::try_begin(cupti.machine, calls, options);
    REQUIRE_FALSE(lacking);
    CHECK(lacking.error().code == gpuprof::errc::unavailable);
}

TEST_CASE("unified memory is counted by kinds, for one device or all, and put back") {
    paper_activity cupti;
    constexpr auto memory = activity::kinds<activity::unified_memory_counter>;
    using memory_tracer = gpuprof::tracer<std::remove_const_t<decltype(memory)>>;
    gpuprof::tracer_options options;
    options.unified_memory = gpuprof::unified_memory_counters{};
    { REQUIRE(memory_tracer::try_begin(cupti.machine, memory, options)); }
    // kind@scope:device: HTOD 1, DTOH 2, page faults 3 and 4, thrashing 5, throttling 6, remote map 7; scope 1 is one device
    CHECK(count(cupti.log(), "unified memory 1@1:0 2@1:0 3@1:0 4@1:0 5@1:0 6@1:0 7@1:0 1") == 1);
    CHECK(count(cupti.log(), "unified memory 1@1:0 2@1:0 3@1:0 4@1:0 5@1:0 6@1:0 7@1:0 0") == 1);
    options.unified_memory = gpuprof::unified_memory_counters{.transfers = false,
                                                              .peer_transfers = true,
                                                              .page_faults = false,
                                                              .thrashing = false,
                                                              .remote_maps = false,
                                                              .device = {}};
    { REQUIRE(memory_tracer::try_begin(cupti.machine, memory, options)); }
    CHECK(count(cupti.log(), "unified memory 8@2:0 1") == 1); // all devices

    auto const refused = memory_tracer::try_begin(gpuprof::sim::embedded_machine(), memory, options);
    REQUIRE_FALSE(refused); // managed memory of the embedded GPU is the host's
    CHECK(refused.error().message().find("cuptiActivityConfigureUnifiedMemoryCounter") != std::string::npos);
}

TEST_CASE("hardware events time kernels where the device has them, and are switched off again") {
    paper_activity cupti;
    gpuprof::tracer_options options;
    options.hardware_trace = true;
    { REQUIRE(call_tracer::try_begin(cupti.machine, calls, options)); }
    CHECK(count(cupti.log(), "hardware_trace 1") == 1);
    CHECK(count(cupti.log(), "hardware_trace 0") == 1);
    auto const refused = call_tracer::try_begin(gpuprof::sim::embedded_machine(), calls, options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == gpuprof::errc::unavailable);
}

} // namespace recorded_calls_test
