// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event policy on a device of paper, whose counts can be worked out by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <gpuprof/hw/counters/event/event_hardware.hpp>
#include <gpuprof/hw/counters/range/range_registration.hpp>

#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/paper_event_gpu.hpp"

namespace event_hardware_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;

using names = std::vector<std::string>;

static hw::event_plan plan(gpuprof::device const& gpu, names const& asked) {
    auto made = hw::event_hardware::try_plan(gpu, asked);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}
static hw::event_session open(gpuprof::device const& gpu, hw::event_plan const& what, hw::session_shape const& shape) {
    auto opened = hw::event_session::try_open(gpu, what);
    REQUIRE(opened);
    REQUIRE(opened->try_prepare(shape));
    return *std::move(opened);
}
template <class Work>
static std::vector<hw::range_values> collect(hw::event_session& session, Work work) {
    for (bool last = false; !last;) {
        REQUIRE(session.try_begin_replay_pass());
        work();
        auto ended = session.try_end_replay_pass();
        REQUIRE(ended);
        last = ended->last;
    }
    auto read = session.try_read();
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    return *read;
}

TEST_CASE("event_hardware: supports capability 2.0 to 7.2 and nothing else") {
    CHECK_FALSE(hw::event_hardware::supports({1, 3}));
    CHECK(hw::event_hardware::supports({2, 0}));
    CHECK(hw::event_hardware::supports({7, 2}));
    CHECK_FALSE(hw::event_hardware::supports({7, 5}));
    CHECK_FALSE(hw::event_hardware::supports({9, 0}));
}

TEST_CASE("event_hardware: application replay is refused, since nothing can be carried to another process") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto session = hw::event_session::try_open(gpu, plan(gpu, {"active_cycles", "fb_reads"}));
    REQUIRE(session);
    hw::session_shape shape;
    shape.replay = gpuprof::replay_mode::application;
    auto const refused = session->try_prepare(shape);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().remedy.find("replay_mode::user") != std::string::npos);
}

TEST_CASE("event_hardware: counts are summed over profiled instances and scaled to all of them") {
    test::paper_machine machine;
    {
        auto const gpu = machine.open();
        auto const what = plan(gpu, {"active_cycles", "fb_reads"});
        CHECK(what.passes() == 1);
        auto session = open(gpu, what, {});
        auto const values = collect(session, [&] {
            REQUIRE(session.try_push(0));
            test::paper_launch(5);
            REQUIRE(session.try_pop());
        });
        REQUIRE(values.size() == 1);
        CHECK(values[0].values[0] == 5 * 10 * 2 * 4 / 2); // 2 of 4 instances
        CHECK(values[0].values[1] == 5 * 20 * 1 * 3 / 1); // 1 of 3 instances
    }
    CHECK(machine.clean());
}

TEST_CASE("event_hardware: what does not fit one pass takes more, grouped by CUPTI or by trying") {
    test::paper_machine machine;
    SUBCASE("cuptiEventGroupSetsCreate") {}
    SUBCASE("it cannot group them") { test::paper.sets_status = abi::CUPTI_ERROR_NOT_SUPPORTED; }
    {
        auto const gpu = machine.open();
        names const asked{"active_cycles", "active_warps", "inst_executed", "fb_reads", "fb_writes"};
        auto const what = plan(gpu, asked);
        CHECK(what.passes() == 2); // 3 events on 2 counters, 2 events on 1 counter
        auto session = open(gpu, what, {});
        std::size_t replay_passes = 0;
        auto const values = collect(session, [&] {
            ++replay_passes;
            REQUIRE(session.try_push(0));
            test::paper_launch(1);
            REQUIRE(session.try_pop());
        });
        CHECK(replay_passes == 2);
        REQUIRE(values.size() == 1);
        CHECK(values[0].values == std::vector<double>{10 * 4, 11 * 4, 12 * 4, 20 * 3, 21 * 3});
    }
    CHECK(machine.clean());
}

TEST_CASE("event_hardware: why CUPTI makes no groups is told, not that the counters are busy") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    test::paper.sets_status = abi::CUPTI_ERROR_OUT_OF_MEMORY;
    auto const refused = hw::event_hardware::try_plan(gpu, names{"active_cycles"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == abi::CUPTI_ERROR_OUT_OF_MEMORY);
    CHECK(refused.error().code != errc::busy);
    CHECK(refused.error().message().find("cuptiEventGroupSetsCreate") != std::string::npos);
}

// "Event values may be returned by a later call ... and the event values for the last readEvent(s) API may get lost" (CUPTI
// 12.0, 1.2.1.1).
TEST_CASE("event_hardware: counts that come with a later read are those of their range, the last ones included") {
    test::paper_machine machine;
    SUBCASE("one read later") { test::paper.late_by = 1; }
    SUBCASE("two reads later") { test::paper.late_by = 2; }
    auto const gpu = machine.open();
    auto session = open(gpu, plan(gpu, {"active_cycles", "fb_reads"}), {.max_ranges = 3, .nesting_levels = 2});
    auto const values = collect(session, [&] {
        test::paper_launch(1000); // in no range
        REQUIRE(session.try_push(0));
        test::paper_launch(1);
        REQUIRE(session.try_push(1));
        test::paper_launch(10);
        REQUIRE(session.try_pop());
        REQUIRE(session.try_pop());
        test::paper_launch(1000);
        REQUIRE(session.try_push(2));
        test::paper_launch(100); // the last
        REQUIRE(session.try_pop());
    });
    REQUIRE(values.size() == 3);
    CHECK(values[0].values == std::vector<double>{11 * 10 * 4, 11 * 20 * 3});
    CHECK(values[1].values == std::vector<double>{10 * 10 * 4, 10 * 20 * 3});
    CHECK(values[2].values == std::vector<double>{100 * 10 * 4, 100 * 20 * 3});
}

// CUPTI 5.0, CUpti_MetricEvaluationMode: "the event value passed ... should contain value for an instance of the domain".
TEST_CASE("event_hardware: a metric of one instance is calculated from each instance's counts") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    test::paper.uneven = true; // 3 units of work: 30 active cycles in the first instance, 60 in the second
    auto session = open(gpu,
                        plan(gpu, {"paper_busy_instance", "paper_busy_instance@0", "paper_busy_instance@1",
                                   "active_cycles", "active_cycles@1"}),
                        {});
    auto const values = collect(session, [&] {
        REQUIRE(session.try_push(0));
        test::paper_launch(3);
        REQUIRE(session.try_pop());
    });
    CHECK(values[0].values[0] == (3 + 6) / 2.0);
    CHECK(values[0].values[1] == 3);
    CHECK(values[0].values[2] == 6);
    CHECK(values[0].values[3] == (30 + 60) * 4 / 2); // 2 of 4 instances
    CHECK(values[0].values[4] == 60);
    auto const of_device = hw::event_hardware::try_plan(gpu, names{"paper_ipc@1"});
    REQUIRE_FALSE(of_device);
    CHECK(of_device.error().code == errc::invalid_argument);
    auto catalogue = hw::event_catalogue::try_open(gpu);
    REQUIRE(catalogue);
    CHECK(catalogue->try_metric(102)->is_only_of_one_instance());
    CHECK_FALSE(catalogue->try_metric(100)->can_be_of_one_instance());
}

TEST_CASE("event_hardware: kernels alone are counted where that is asked for, also on a device that cannot do else") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    test::paper.only_kernel_mode = true;
    auto session = open(gpu, plan(gpu, {"active_cycles"}), {.max_ranges = 2, .count_kernels_only = true});
    auto const values = collect(session, [&] {
        for (std::uint32_t const id : {0u, 1u}) {
            REQUIRE(session.try_push(id));
            test::paper_launch(id + 1);
            REQUIRE(session.try_pop());
        }
    });
    CHECK_FALSE(test::paper.continuous);
    CHECK(values[0].values[0] == 10 * 4);
    CHECK(values[1].values[0] == 2 * 10 * 4);
}

// CUPTI 12.0, table 3: events and metrics of Maxwell, Pascal and Volta.
TEST_CASE("event_hardware: a device that the CUPTI of CUDA 12 no longer serves is told which one does") {
    test::paper_machine machine;
    machine.machine.cupti_library.version = 120000;
    test::paper.domains = abi::CUPTI_ERROR_INVALID_DEVICE;
    test::paper.generation = 3;
    test::paper.revision = 5;
    auto const gpu = machine.open();
    auto const refused = hw::event_hardware::try_plan(gpu, names{"fb_reads"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().cause.find("5.0 to 7.2") != std::string::npos);
    CHECK(refused.error().cause.find("3.5") != std::string::npos);
    CHECK(refused.error().remedy.find("CUDA 11") != std::string::npos);
}

TEST_CASE("event_hardware: the operands of a formula are counted in one pass, and no pass is needless") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    // By first fit the passes are cycles and instructions, warps; the formula takes cycles and warps.
    auto const what = plan(gpu, {"active_cycles", "inst_executed", "active_warps", "achieved_occupancy"});
    CHECK(what.passes() == 2);
    auto session = open(gpu, what, {});
    std::uint64_t work = 1;
    auto const values = collect(session, [&] {
        REQUIRE(session.try_push(0));
        test::paper_launch(work *= 10); // not the same work in every pass
        REQUIRE(session.try_pop());
    });
    CHECK(values[0].values[3] == doctest::Approx(100.0 * (11.0 / 10.0) / 64));
}

TEST_CASE("event_hardware: nested and repeated ranges get what happened inside them") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto session = open(gpu, plan(gpu, {"fb_reads"}), {.max_ranges = 3, .nesting_levels = 2});
    auto const values = collect(session, [&] {
        test::paper_launch(1000); // in no range
        REQUIRE(session.try_push(2));
        test::paper_launch(1);
        for (std::uint32_t const work : {10u, 100u}) {
            REQUIRE(session.try_push(0)); // twice the same number: one range
            test::paper_launch(work);
            REQUIRE(session.try_pop());
        }
        REQUIRE(session.try_pop());
        test::paper_launch(1000);
        REQUIRE(session.try_push(1));
        REQUIRE(session.try_pop());
    });
    REQUIRE(values.size() == 3); // in the order of first opening
    CHECK(values[0].id == 2);
    CHECK(values[0].values[0] == 111 * 20 * 3);
    CHECK(values[1].id == 0);
    CHECK(values[1].values[0] == 110 * 20 * 3);
    CHECK(values[2].id == 1);
    CHECK(values[2].values[0] == 0);
}

TEST_CASE("event_hardware: a range inside one of its own number counts once") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto session = open(gpu, plan(gpu, {"fb_reads"}), {.max_ranges = 1, .nesting_levels = 2});
    auto const values = collect(session, [&] {
        REQUIRE(session.try_push(0));
        REQUIRE(session.try_push(0));
        test::paper_launch(1);
        REQUIRE(session.try_pop());
        REQUIRE(session.try_pop());
    });
    REQUIRE(values.size() == 1);
    CHECK(values[0].values[0] == 20 * 3);
}

TEST_CASE("event_hardware: metrics come by own formula where there is one, else from CUPTI") {
    test::paper_machine machine;
    SUBCASE("cuptiMetricGetValue2") {}
    SUBCASE("cuptiMetricGetValue") { machine.machine.cupti.MetricGetValue2 = nullptr; }
    auto const gpu = machine.open();
    auto const what = plan(gpu, {"achieved_occupancy", "paper_ipc", "paper_read_rate"});
    CHECK(what.outputs[0].method == hw::event_method::own);
    CHECK(what.outputs[1].method == hw::event_method::by_cupti);
    CHECK(what.passes() == 2); // cycles and warps, cycles and instructions
    auto session = open(gpu, what, {});
    auto const values = collect(session, [&] {
        REQUIRE(session.try_push(0));
        test::paper_launch(5);
        REQUIRE(session.try_pop());
    });
    REQUIRE(values.size() == 1);
    CHECK(values[0].values[0] == doctest::Approx(100.0 * (11.0 / 10.0) / 64)); // percent; 2048 / 32 warps
    CHECK(values[0].values[1] == doctest::Approx(12.0 / 10.0));
    CHECK(values[0].values[2] == doctest::Approx(5 * 20 * 3 * 32 / 5e-6)); // bytes a second; 5 microseconds
}

TEST_CASE("event_hardware: kernel replay takes all passes in one replay pass, a kernel a range") {
    test::paper_machine machine;
    {
        auto const gpu = machine.open();
        auto const what = plan(gpu, {"active_cycles", "active_warps", "inst_executed"});
        CHECK(what.passes() == 2);
        auto session = open(gpu, what, {.max_ranges = 2, .nesting_levels = 2, .replay = gpuprof::replay_mode::kernel});
        std::size_t replay_passes = 0;
        auto const values = collect(session, [&] {
            ++replay_passes;
            REQUIRE(session.try_push(0));
            test::paper_launch(1);
            REQUIRE(session.try_push(1));
            test::paper_launch(2);
            REQUIRE(session.try_pop());
            REQUIRE(session.try_pop());
        });
        CHECK(replay_passes == 1);
        CHECK_FALSE(test::paper.replay);
        REQUIRE(values.size() == 2);
        CHECK(values[0].values == std::vector<double>{3 * 10 * 4, 3 * 11 * 4, 3 * 12 * 4});
        CHECK(values[1].values == std::vector<double>{2 * 10 * 4, 2 * 11 * 4, 2 * 12 * 4});

        // CUPTI would give the counts of the second kernel alone.
        REQUIRE(session.try_prepare({.replay = gpuprof::replay_mode::kernel}));
        REQUIRE(session.try_begin_replay_pass());
        REQUIRE(session.try_push(0));
        test::paper_launch(1);
        test::paper_launch(2);
        auto const popped = session.try_pop();
        REQUIRE_FALSE(popped);
        CHECK(popped.error().code == errc::not_collected);
    }
    CHECK(machine.clean());
    CHECK_FALSE(test::paper.replay);
}

TEST_CASE("event_hardware: one session of a process has kernel replay, and a CUPTI without it says so") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    hw::kernel_replay first;
    hw::kernel_replay second;
    REQUIRE(first.try_begin(gpu.cupti(), gpu.context()));
    auto const busy = second.try_begin(gpu.cupti(), gpu.context());
    REQUIRE_FALSE(busy);
    CHECK(busy.error().code == errc::busy);
    first.end();
    CHECK(second.try_begin(gpu.cupti(), gpu.context()));
    second.end();
    machine.machine.cupti.EnableKernelReplayMode = nullptr;
    auto const missing = first.try_begin(gpu.cupti(), gpu.context());
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == errc::unavailable);
}

TEST_CASE("event_hardware: continuous counting where there is none is refused with a remedy") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto const what = plan(gpu, {"fb_reads"});
    auto session = hw::event_session::try_open(gpu, what);
    REQUIRE(session);
    REQUIRE(session->try_prepare({}));
    test::paper.only_kernel_mode = true;
    auto const begun = session->try_begin_replay_pass();
    REQUIRE_FALSE(begun);
    CHECK(begun.error().code == errc::unavailable);
    CHECK(begun.error().remedy.find("replay_mode::kernel") != std::string::npos);
    auto const no_room = session->try_prepare({.max_ranges = 0});
    REQUIRE_FALSE(no_room);
    CHECK(no_room.error().code == errc::invalid_argument);
}

TEST_CASE("event_hardware: an overflown counter gives no value, in its range only") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto session = open(gpu, plan(gpu, {"active_cycles", "achieved_occupancy"}), {.max_ranges = 2});
    auto const values = collect(session, [&] {
        for (std::uint32_t const id : {0u, 1u}) {
            test::paper.overflows = id == 0 ? 10 : 0;
            REQUIRE(session.try_push(id));
            test::paper_launch(1);
            REQUIRE(session.try_pop());
        }
    });
    REQUIRE(values.size() == 2);
    CHECK(std::isnan(values[0].values[0]));
    CHECK(std::isnan(values[0].values[1]));
    CHECK(values[1].values[0] == 10 * 4);
}

TEST_CASE("event_hardware: an abandoned collection keeps the values of the passes that are through") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto session = open(gpu, plan(gpu, {"active_cycles", "active_warps", "inst_executed"}), {});
    REQUIRE(session.try_begin_replay_pass());
    REQUIRE(session.try_push(0));
    test::paper_launch(1);
    REQUIRE(session.try_pop());
    REQUIRE(session.try_end_replay_pass());
    auto const values = session.try_read();
    REQUIRE(values);
    REQUIRE(values->size() == 1);
    CHECK((*values)[0].values[0] == 10 * 4);
    CHECK((*values)[0].values[1] == 11 * 4);
    CHECK(std::isnan((*values)[0].values[2]));
}

TEST_CASE("event_hardware: an unknown name is answered with the nearest, a range metric with the reason") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto const near = hw::event_hardware::try_plan(gpu, names{"inst_executd"});
    REQUIRE_FALSE(near);
    CHECK(near.error().code == errc::unknown_metric);
    CHECK(near.error().remedy.find("inst_executed") != std::string::npos);
    auto const range = hw::event_hardware::try_plan(gpu, names{"smsp__inst_executed.sum"});
    REQUIRE_FALSE(range);
    CHECK(range.error().code == errc::unknown_metric);
    CHECK(range.error().cause.find("range hardware") != std::string::npos);
    for (std::string const& name : {std::string{}, std::string("a\0b", 3), std::string(10000, 'x')}) {
        auto const none = hw::event_hardware::try_plan(gpu, names{name});
        REQUIRE_FALSE(none);
        CHECK(none.error().code == errc::unknown_metric);
    }
    auto const empty = hw::event_hardware::try_plan(gpu, names{});
    REQUIRE_FALSE(empty);
    CHECK(empty.error().code == errc::invalid_argument);
}

TEST_CASE(
    "event_hardware: capability 7.5 and later, CUPTI 13 and a CUPTI without the calls are refused with the reason") {
    test::paper_machine machine;
    std::string cause;
    SUBCASE("capability 9.0") {
        test::paper.generation = 9;
        test::paper.revision = 0;
        test::paper.domains = abi::CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED;
        cause = "capability 9.0";
    }
    SUBCASE("CUPTI 13 refuses") {
        machine.machine.cupti_library.version = 130000;
        test::paper.domains = abi::CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED;
        cause = "CUPTI 13";
    }
    SUBCASE("a CUPTI without one of the calls") {
        machine.machine.cupti.EventGroupReadAllEvents = nullptr;
        cause = "CUPTI 11.8, 12.0 or 12.1";
    }
    auto const gpu = machine.open();
    auto const refused = hw::event_hardware::try_plan(gpu, names{"fb_reads"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().cause.find(cause) != std::string::npos);
    CHECK_FALSE(refused.error().remedy.empty());
}

TEST_CASE("event_hardware: one session a context, given back at its end") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto const what = plan(gpu, {"fb_reads"});
    {
        auto const first = hw::event_session::try_open(gpu, what);
        REQUIRE(first);
        auto const second = hw::event_session::try_open(gpu, what);
        REQUIRE_FALSE(second);
        CHECK(second.error().code == errc::busy);
    }
    CHECK(hw::event_session::try_open(gpu, what));
}

TEST_CASE("event_hardware: counters that another group holds are busy, with the reason, and free once it is off") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto other = hw::event_group::try_create(gpu.cupti(), gpu.context());
    REQUIRE(other);
    REQUIRE(*other->try_add(21));
    REQUIRE(other->try_prepare());
    REQUIRE(other->try_enable());
    auto session = open(gpu, plan(gpu, {"fb_reads"}), {});
    auto const refused = session.try_begin_replay_pass();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::busy);
    CHECK(refused.error().remedy.find("fewer events") != std::string::npos);
    REQUIRE(other->try_disable());
    CHECK(session.try_begin_replay_pass());
}

TEST_CASE("registry: without legacy.hpp a device of event hardware is refused, and the header is named") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    REQUIRE_FALSE(hw::has_backend_for(gpu.capability())); // no file of this program includes it
    auto const refused = hw::try_plan_counters(gpu, names{"fb_reads"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().remedy.find("gpuprof/legacy.hpp") != std::string::npos);
}

TEST_CASE("event_hardware: another context that is current stays so") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto session = open(gpu, plan(gpu, {"fb_reads"}), {});
    test::paper.current = nullptr;
    auto const values = collect(session, [&] {
        REQUIRE(session.try_push(0));
        test::paper_launch(1);
        REQUIRE(session.try_pop());
    });
    CHECK(values[0].values[0] == 20 * 3);
    CHECK(test::paper.current == nullptr);
}

TEST_CASE("event_catalogue: lists domains, events with descriptions of any length, and metrics") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    auto const catalogue = hw::event_catalogue::try_open(gpu);
    REQUIRE(catalogue);
    auto const domains = catalogue->try_domains();
    REQUIRE(domains);
    REQUIRE(domains->size() == 2);
    CHECK((*domains)[0].name == "domain_a");
    CHECK((*domains)[0].profiled_instances == 2);
    CHECK((*domains)[0].total_instances == 4);
    CHECK((*domains)[1].scale() == 3);
    auto const events = catalogue->try_events();
    REQUIRE(events);
    REQUIRE(events->size() == 5);
    CHECK((*events)[4].name == "fb_writes");
    CHECK((*events)[4].domain == 2);
    CHECK((*events)[4].description == std::string(700, 'd'));
    CHECK((*events)[4].category == abi::CUPTI_EVENT_CATEGORY_MEMORY);
    CHECK((*events)[4].scope == abi::CUPTI_EVENT_PROFILING_SCOPE_DEVICE);
    CHECK((*events)[0].scope == abi::CUPTI_EVENT_PROFILING_SCOPE_CONTEXT);
    auto const metrics = catalogue->try_metrics();
    REQUIRE(metrics);
    REQUIRE(metrics->size() == 2);
    CHECK((*metrics)[1].name == "paper_read_rate");
    CHECK((*metrics)[1].kind == abi::CUPTI_METRIC_VALUE_KIND_THROUGHPUT);
}

// A whole collection, however far it comes.
static gpuprof::result<std::vector<hw::range_values>> whole(gpuprof::device const& gpu, gpuprof::replay_mode replay) {
    auto what = hw::event_hardware::try_plan(gpu, names{"active_cycles", "active_warps", "inst_executed", "fb_reads",
                                                        "achieved_occupancy", "paper_ipc", "paper_read_rate"});
    if (!what) return std::move(what).error();
    auto session = hw::event_session::try_open(gpu, *what);
    if (!session) return std::move(session).error();
    if (auto made = session->try_prepare({.replay = replay}); !made) return std::move(made).error();
    for (bool last = false; !last;) {
        if (auto begun = session->try_begin_replay_pass(); !begun) return std::move(begun).error();
        if (auto pushed = session->try_push(0); !pushed) return std::move(pushed).error();
        test::paper_launch(1);
        if (auto popped = session->try_pop(); !popped) return std::move(popped).error();
        auto ended = session->try_end_replay_pass();
        if (!ended) return std::move(ended).error();
        last = ended->last;
    }
    return session->try_read();
}

// Fails each call of a collection in turn. @param failures how many of them must be told as errors
// @param harmless those whose failure leaves the values as they are
template <class Table, class Status>
static void fail_each_call(test::paper_machine& machine, Table& table, test::injected_fault<Status> const& fault,
                           gpuprof::replay_mode replay, std::size_t failures, test::calls_by_name const& harmless) {
    auto const gpu = machine.open();
    test::fault_injection faults{table};
    auto const sound = whole(gpu, replay);
    REQUIRE(sound);
    REQUIRE(sound->size() == 1);
    std::size_t const calls = faults.calls();
    std::size_t failed = 0;
    test::calls_by_name unnoticed;
    for (std::size_t n = 1; n <= calls; ++n) {
        faults.clear();
        faults.fail_any(n, fault.status);
        auto const got = whole(gpu, replay);
        REQUIRE(faults.calls() >= n);
        std::string const call = faults.record()[n - 1];
        CAPTURE(n);
        CAPTURE(call);
        if (got) {
            ++unnoticed[call];
            REQUIRE(got->size() == 1);
            CHECK((*got)[0].values == (*sound)[0].values);
        } else {
            ++failed;
            fault.check(got.error(), call);
        }
        faults.clear();
        test::paper.sweep();                         // what a failing destroy left behind
        CHECK(hw::event_session::try_open(gpu, {})); // the context is free again
    }
    CHECK(failed == failures);
    CHECK(unnoticed == harmless);
    CHECK(calls == failures + test::total(harmless));
}

// Without them formulas are kept, clocks are read more often, and objects are left to the context.
static test::calls_by_name const harmless_cupti_calls{{"cuptiDeviceGetEventDomainAttribute", 3},
                                                      {"cuptiEventGetAttribute", 5},
                                                      {"cuptiEventGroupDestroy", 3},
                                                      {"cuptiEventGroupSetsDestroy", 3},
                                                      {"cuptiMetricGetAttribute", 4}};

TEST_CASE("event_hardware: each CUPTI call failing in turn is told by name, and the context is given back") {
    test::paper_machine machine;
    auto const user = gpuprof::replay_mode::user;
    SUBCASE("user replay") {
        fail_each_call(machine, machine.machine.cupti, test::hardware_fault, user, 91, harmless_cupti_calls);
    }
    SUBCASE("kernel replay") {
        auto harmless = harmless_cupti_calls;
        harmless["cuptiKernelReplaySubscribeUpdate"] = 2; // tells of each repetition
        harmless["cuptiDisableKernelReplayMode"] = 1;     // nothing is left to do about it
        fail_each_call(machine, machine.machine.cupti, test::hardware_fault, gpuprof::replay_mode::kernel, 81,
                       harmless);
    }
    SUBCASE("busy") {
        fail_each_call(machine, machine.machine.cupti, test::hardware_busy, user, 91, harmless_cupti_calls);
    }
}

TEST_CASE("event_hardware: a CUPTI that has the first call for values alone, which fails, is told by its name") {
    test::paper_machine machine;
    machine.machine.cupti.MetricGetValue2 = nullptr;
    auto const gpu = machine.open();
    test::fault_injection faults{machine.machine.cupti};
    faults.fail("cuptiMetricGetValue", 1, test::hardware_fault.status);
    auto const failed = whole(gpu, gpuprof::replay_mode::user);
    REQUIRE_FALSE(failed);
    test::hardware_fault.check(failed.error(), "cuptiMetricGetValue");
    CHECK(whole(gpu, gpuprof::replay_mode::user));
}

TEST_CASE("event_hardware: each driver call failing in turn is told by name, and the context is given back") {
    test::paper_machine machine;
    fail_each_call(machine, machine.machine.driver, test::launch_failed, gpuprof::replay_mode::user, 20,
                   {{"cuCtxGetCurrent", 5}, {"cuCtxPopCurrent_v2", 4}}); // the context stays current, or is set again
}

} // namespace event_hardware_test
