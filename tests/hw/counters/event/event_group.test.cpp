// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/event/event_group.hpp: what CUPTI only warns of, and single events.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gpuprof/hw/counters/event/event_group.hpp>
#include <gpuprof/hw/counters/event/event_hardware.hpp>
#include <gpuprof/hw/counters/event/event_packing.hpp>

#include "frames/frame_program.hpp"
#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/paper_event_gpu.hpp"

namespace event_group_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

// CUPTI 12.0, known issues: for code of nvcc before 9.0 on 6.0 and 6.1 "profiling session will continue and CUPTI will notify
// it using error code CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE".
TEST_CASE("a warning about the compiler does not end an event session") {
    test::paper_machine machine;
    static decltype(abi::cupti_table::EventGroupEnable) enable = nullptr;
    enable = machine.machine.cupti.EventGroupEnable;
    machine.machine.cupti.EventGroupEnable = [](abi::CUpti_EventGroup group) {
        auto const status = enable(group);
        return status == abi::CUPTI_SUCCESS ? abi::CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE : status;
    };
    auto const gpu = machine.open();
    std::vector<std::string> const names{"active_cycles"};
    auto const plan = hw::event_hardware::try_plan(gpu, names);
    REQUIRE(plan);
    auto session = hw::event_session::try_open(gpu, *plan);
    REQUIRE(session);
    REQUIRE(session->try_prepare({}));
    auto const begun = session->try_begin_replay_pass();
    CHECK_MESSAGE(begun, (begun ? std::string{} : begun.error().message()));
    CHECK(session->try_push(0));
    CHECK(session->try_pop());
    CHECK(session->try_end_replay_pass());
    auto const read = session->try_read();
    REQUIRE(read);
    CHECK(read->size() == 1);
}

// On the embedded GPU of capability 5.2, whose counts follow from what it launches: a kernel of 4 blocks of 64 threads.
TEST_CASE("events are taken out of a group, read one by one by instance, and listed for all devices") {
    frame_program program{"5.2"};
    abi::cupti_table const& cupti = program.gpu.cupti();
    auto const catalogue = hw::event_catalogue::try_open(program.gpu);
    REQUIRE(catalogue);
    auto const id_of = [&](char const* name) {
        abi::CUpti_EventID id = 0;
        REQUIRE(cupti.EventGetIdFromName(program.gpu.handle(), name, &id) == abi::CUPTI_SUCCESS);
        return id;
    };
    auto const warps = id_of("warps_launched"), blocks = id_of("sm_cta_launched"), cycles = id_of("active_cycles");
    REQUIRE(cupti.SetEventCollectionMode(program.gpu.context(), abi::CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS) ==
            abi::CUPTI_SUCCESS); // else counts are those of the last kernel
    auto group = hw::event_group::try_create(cupti, program.gpu.context());
    REQUIRE(group);
    REQUIRE(group->try_add(warps).value());
    REQUIRE(group->try_add(cycles).value());
    REQUIRE(group->try_add(blocks).value());
    CHECK(group->try_remove(cycles));
    CHECK(group->events().size() == 2);
    auto const twice = group->try_remove(cycles);
    REQUIRE_FALSE(twice); // it is in no group now
    CHECK(twice.error().what.find("cuptiEventGroupRemoveEvent") != std::string::npos);
    REQUIRE(group->try_prepare());
    REQUIRE(group->try_enable());
    program.launch(3);
    program.wait();
    std::vector<std::uint64_t> counts(group->instances());
    REQUIRE(group->try_read_event(warps, counts));
    std::uint64_t sum = 0;
    for (std::uint64_t const each : counts) sum += each;
    CHECK(sum == 3 * frame_program::warps);
    REQUIRE(group->try_read_event(warps, counts)); // they were zeroed
    for (std::uint64_t const each : counts) CHECK(each == 0);
    std::uint64_t both[2]{};
    REQUIRE(group->try_read(both));
    CHECK(both[1] == 3 * frame_program::blocks); // the other event still has its counts
    CHECK_FALSE(group->try_read_event(cycles, counts));
    REQUIRE(group->try_disable());
    CHECK(group->try_remove_all());
    CHECK(group->events().empty());

    // The lists of all devices have those of this one.
    auto const all = catalogue->try_domains_of_all();
    REQUIRE(all);
    auto const own = catalogue->try_domains();
    REQUIRE(own);
    CHECK(all->size() > own->size()); // there are other chips
    for (auto const& each : *own)
        CHECK(std::count_if(all->begin(), all->end(),
                            [&](auto const& other) { return other.id == each.id && other.name == each.name; }) == 1);
    auto const metrics = catalogue->try_metrics_of_all();
    REQUIRE(metrics);
    auto const of_device = catalogue->try_metrics();
    REQUIRE(of_device);
    CHECK(metrics->size() >= of_device->size());
    for (auto const& each : *of_device) CHECK(std::count(metrics->begin(), metrics->end(), each.id) == 1);
    // What a metric requires is of its own events.
    for (auto const& each : *of_device) {
        auto const required = hw::try_required_passes(program.gpu, each.id);
        CHECK_MESSAGE(required, each.name);
    }
    CHECK_FALSE(hw::try_required_passes(program.gpu, 0xffffff));
}

namespace {
// Whatever asks CUPTI for lists of all devices, for what a metric requires, and for a group of one event, until a call fails.
gpuprof::result<void> ask_all(gpuprof::device const& gpu) {
    constexpr abi::CUpti_MetricID metric = 100;
    constexpr abi::CUpti_EventID event = 10;
    auto const catalogue = hw::event_catalogue::try_open(gpu);
    if (!catalogue) return catalogue.error();
    if (auto const all = catalogue->try_domains_of_all(); !all) return all.error();
    if (auto const all = catalogue->try_metrics_of_all(); !all) return all.error();
    if (auto const all = catalogue->try_events(); !all) return all.error();
    if (auto const all = catalogue->try_metrics(); !all) return all.error();
    if (auto const passes = hw::try_required_passes(gpu, metric); !passes) return passes.error();
    auto group = hw::event_group::try_create(gpu.cupti(), gpu.context());
    if (!group) return group.error();
    if (auto const added = group->try_add(event); !added) return added.error();
    if (auto const done = group->try_prepare(); !done) return done.error();
    if (auto const done = group->try_enable(); !done) return done.error();
    if (auto const done = group->try_reset(); !done) return done.error();
    std::vector<std::uint64_t> counts(group->instances());
    if (auto const done = group->try_read_event(event, counts); !done) return done.error();
    if (auto const done = group->try_read(counts); !done) return done.error();
    if (auto const done = group->try_disable(); !done) return done.error();
    if (auto const done = group->try_remove(event); !done) return done.error();
    return group->try_remove_all();
}
} // namespace

TEST_CASE("each call of an event group and of the lists of all devices fails in turn: the error names it") {
    test::paper_machine machine;
    machine.machine.cupti.EventGroupReadEvent = [](abi::CUpti_EventGroup, abi::CUpti_ReadEventFlags, abi::CUpti_EventID,
                                                   std::size_t*, std::uint64_t*) { return abi::CUPTI_SUCCESS; };
    auto const gpu = machine.open();
    test::fault_injection faults{machine.machine.cupti};
    REQUIRE(ask_all(gpu));
    std::size_t const calls = faults.calls();
    test::calls_by_name told, harmless;
    for (std::size_t n = 1; n <= calls; ++n) {
        faults.clear();
        faults.fail_any(n, test::hardware_fault.status);
        auto const done = ask_all(gpu);
        std::string const call = faults.record().at(n - 1);
        CAPTURE(call);
        ++(done ? harmless : told)[call];
        if (!done) test::hardware_fault.check(done.error(), call);
        test::paper.sweep(); // what a failing destroy left behind
    }
    // Descriptions, categories and methods may be missing; nobody waits for the end of a group.
    std::vector<std::string> silent;
    for (auto const& each : harmless) silent.push_back(each.first);
    CHECK(silent == std::vector<std::string>{"cuptiDeviceGetEventDomainAttribute", "cuptiEventDomainGetAttribute",
                                             "cuptiEventGetAttribute", "cuptiEventGroupDestroy",
                                             "cuptiMetricGetAttribute"});
    CHECK(harmless["cuptiEventDomainGetAttribute"] == 2); // the methods of two domains
    CHECK(harmless["cuptiEventGroupDestroy"] == 1);
    for (char const* const each : {"cuptiDeviceGetNumEventDomains",
                                   "cuptiDeviceEnumEventDomains",
                                   "cuptiDeviceGetEventDomainAttribute",
                                   "cuptiEventDomainGetNumEvents",
                                   "cuptiEventDomainEnumEvents",
                                   "cuptiEventGetAttribute",
                                   "cuptiDeviceGetNumMetrics",
                                   "cuptiDeviceEnumMetrics",
                                   "cuptiMetricGetAttribute",
                                   "cuptiGetNumEventDomains",
                                   "cuptiEnumEventDomains",
                                   "cuptiEventDomainGetAttribute",
                                   "cuptiGetNumMetrics",
                                   "cuptiEnumMetrics",
                                   "cuptiMetricGetRequiredEventGroupSets",
                                   "cuptiEventGroupCreate",
                                   "cuptiEventGroupAddEvent",
                                   "cuptiEventGroupSetAttribute",
                                   "cuptiEventGroupGetAttribute",
                                   "cuptiEventGroupEnable",
                                   "cuptiEventGroupResetAllEvents",
                                   "cuptiEventGroupReadEvent",
                                   "cuptiEventGroupReadAllEvents",
                                   "cuptiEventGroupDisable",
                                   "cuptiEventGroupRemoveEvent",
                                   "cuptiEventGroupRemoveAllEvents"})
        CHECK_MESSAGE(told.count(each) == 1, each);
}

} // namespace event_group_test
