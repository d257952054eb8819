// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each call of CUPTI that a tracer makes fails in turn, with each status that CUPTI has: the error tells of it, and whatever had
// been done is undone.
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/status.hpp>
#include <gpuprof/scope.hpp>

#include "support/fault_injection.hpp"
#include "support/paper_activity.hpp"
#include "support/sanitized.hpp"

namespace tracer_faults_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::error;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel, activity::memcpy>;
using work_tracer = gpuprof::tracer<activity::kind_list<activity::kernel, activity::memcpy>>;

constexpr abi::CUptiResult statuses[] = {
#define GPUPROF_TEST_STATUS(enumerator, value) abi::enumerator,
    GPUPROF_ABI_CUPTIRESULTS(GPUPROF_TEST_STATUS)
#undef GPUPROF_TEST_STATUS
};

tracer_options all_settings() {
    tracer_options options;
    options.buffers = 4;
    options.buffer_bytes = 4096;
    options.settings.device_buffer_bytes = 1 << 20;
    options.settings.device_buffer_limit = 10;
    options.settings.buffer_per_thread = false;
    options.kernel_latency = options.launch_attributes = options.allocation_source = true;
    options.device_graphs = options.all_synchronizations = options.event_times = options.hardware_trace = true;
    options.unified_memory = gpuprof::unified_memory_counters{};
    options.clock = [] { return std::uint64_t{4711}; };
    options.flush_period_ms = 10;
    return options;
}

struct outcome {
    std::vector<error> errors;
    std::size_t seen = 0;
    bool is_complete = true;
};

// A tracer's life, with every call that it makes.
outcome use(paper_activity& cupti) {
    outcome all;
    auto const note = [&](auto const& result) {
        if (!result) all.errors.push_back(result.error());
        return static_cast<bool>(result);
    };
    auto begun = work_tracer::try_begin(cupti.machine, kernels, all_settings());
    if (!note(begun)) return all;
    work_tracer trace = *std::move(begun);
    note(trace.try_dump(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    {
        scope const outer{trace, "outer"};
        cupti.make_node(1);
        cupti.clone_node(2, 1);
        cupti.launch_graph({2});
        {
            scope const inner{trace, "inner"};
            cupti.launch();
        }
        cupti.destroy_node(1);
    }
    CHECK(cupti.pushed() <= 1); // 1 where popping failed
    if (auto const batch = trace.try_flush(); note(batch)) {
        batch->visit([&](auto const&) { ++all.seen; });
        all.is_complete = batch->losses().complete();
    }
    note(trace.try_stop());
    if (note(trace.try_start())) cupti.copy(8);
    if (auto const last = trace.try_finish(); note(last)) {
        last->visit([&](auto const&) { ++all.seen; });
        all.is_complete = all.is_complete && last->losses().complete();
    }
    return all;
}

} // namespace

TEST_CASE("a CUPTI that is older than every device is refused, also before the driver was started") {
    static bool is_started = false;
    static int capability[2] = {9, 0};
    static std::uint32_t version = 17;
    struct known {
        int generation, revision;
        std::uint32_t oldest;
    };
    std::size_t compared = 0;
    for (known const& chip : {known{7, 0, 14}, known{8, 0, 14}, known{8, 6, 14}, known{8, 9, 18}, known{9, 0, 18},
                              known{10, 0, 26}, known{10, 3, 27}, known{11, 0, 27}, known{12, 0, 26}, known{12, 1, 27}})
        for (std::uint32_t const each : {14u, 15u, 17u, 18u, 22u, 24u, 26u, 27u, 130000u})
            for (bool const started : {false, true}) {
                paper_activity cupti;
                auto& driver = cupti.machine.driver;
                version = each;
                is_started = started;
                capability[0] = chip.generation;
                capability[1] = chip.revision;
                cupti.machine.cupti.GetVersion = [](std::uint32_t* to) { return *to = version, abi::CUPTI_SUCCESS; };
                driver.Init = [](unsigned) { return is_started = true, abi::CUDA_SUCCESS; };
                driver.DeviceGetCount = [](int* to) {
                    *to = 2;
                    return is_started ? abi::CUDA_SUCCESS : abi::CUDA_ERROR_NOT_INITIALIZED;
                };
                driver.DeviceGet = [](abi::CUdevice* to, int number) { return *to = number, abi::CUDA_SUCCESS; };
                driver.DeviceGetAttribute = [](int* to, abi::CUdevice_attribute what, abi::CUdevice) {
                    *to = capability[what == abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 0 : 1];
                    return abi::CUDA_SUCCESS;
                };
                CAPTURE(chip.generation);
                CAPTURE(chip.revision);
                CAPTURE(each);
                auto const begun = work_tracer::try_begin(cupti.machine, kernels);
                // A later one is not asked to start the driver: it may be what is just starting it.
                bool const is_refused = each < chip.oldest && (started || each < 18);
                CHECK(begun.has_value() == !is_refused);
                if (!begun) {
                    CHECK(begun.error().code == gpuprof::errc::version_mismatch);
                    CHECK(begun.error().message().find("GPUPROF_CUPTI_PATH") != std::string::npos);
                }
                ++compared;
            }
    CHECK(compared == 180);
}

TEST_CASE("each call of CUPTI fails with each status: the error names both, and the next tracer works") {
    paper_activity cupti;
    auto const original = cupti.machine.cupti;
    test::fault_injection faults{cupti.machine.cupti};
    outcome const whole = use(cupti);
    CHECK(whole.errors.empty());
    CHECK(whole.is_complete);
    CHECK(whole.seen == 3 + 2); // two kernels and a copy; two scopes
    std::vector<std::string> const calls = faults.record();
    REQUIRE(calls.size() > 40);

    std::size_t told = 0, silent = 0;
    for (std::size_t n = 1; n <= calls.size(); ++n) {
        for (abi::CUptiResult const status : statuses) {
            if (status == abi::CUPTI_SUCCESS) continue;
            if (sanitized && (n + static_cast<std::size_t>(status)) % 7 != 0) continue;
            faults.clear();
            faults.fail_any(n, status);
            outcome const now = use(cupti);
            std::string const failed = faults.record().at(n - 1);
            CAPTURE(n);
            CAPTURE(failed);
            CAPTURE(static_cast<int>(status));
            REQUIRE(now.errors.size() <= 1);
            told += now.errors.size();
            silent += now.errors.empty();
            for (error const& each : now.errors) {
                CHECK(each.message().find(failed) != std::string::npos);
                if (each.status != 0) CHECK(each.status == static_cast<int>(status));
                if (each.status != 0) CHECK(each.code == gpuprof::hw::advise(status).code);
            }
            faults.clear();
            original.ActivityFlushAll(1); // what a tracer that could not flush has left
            std::uint64_t last = 0;
            while (original.ActivityPopExternalCorrelationId(abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &last) ==
                   abi::CUPTI_SUCCESS) {}
            REQUIRE(cupti.outstanding() == 0);
            std::size_t dropped = 0;
            original.ActivityGetNumDroppedRecords(nullptr, 0, &dropped);
            if (n % 8 != 0) continue;
            outcome const next = use(cupti); // the port is free
            CHECK(next.errors.empty());
            CHECK(next.seen == whole.seen);
            CHECK(next.is_complete);
            CHECK(cupti.kinds().empty());
        }
    }
    CHECK(use(cupti).seen == whole.seen);
    CHECK(cupti.kinds().empty());
    CHECK(told > 1'000 / (sanitized ? 7 : 1));
    MESSAGE(calls.size() << " calls; " << told << " errors told, " << silent << " faults that a tracer gets over");
}

TEST_CASE("a tracer that cannot begin has undone what it did, the last first, whichever call failed") {
    std::size_t failures = 0;
    for (std::size_t n = 1; n < 60; ++n) {
        CAPTURE(n);
        paper_activity cupti;
        test::fault_injection faults{cupti.machine.cupti};
        faults.fail_any(n, abi::CUPTI_ERROR_OUT_OF_MEMORY);
        if (work_tracer::try_begin(cupti.machine, kernels, all_settings())) continue;
        ++failures;
        std::vector<std::string> names; // of what was set, then of what was set back
        for (std::string const& line : cupti.log()) names.push_back(line.substr(0, line.rfind(' ')));
        if (faults.record().at(n - 1) == "cuptiActivityGetAttribute") continue; // what it was is not known
        CHECK(std::vector(names.rbegin(), names.rend()) == names);
        CHECK(names.size() % 2 == 0);
        CHECK(cupti.kinds().empty());
        CHECK(cupti.attribute(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE) == 3'200'000);
        faults.clear();
        CHECK(use(cupti).errors.empty());
    }
    CHECK(failures > 10);
}

} // namespace tracer_faults_test
