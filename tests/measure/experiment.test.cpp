// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Experiments over a frozen frame: values of objects, and each mistake of PerfKit's (appendix C) made once.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>

#include "sim/gpu/gpu_state.hpp"
#include "support/measured.hpp"

namespace experiment_test {

namespace metrics = gpuprof::metrics;
using code = gpuprof::experiment_code;
using gpuprof::errc;

namespace {

constexpr auto warps = metrics::warps_launched;
constexpr auto multiply_adds = metrics::ffma_thread_inst; // patched: a pass of its own

// An experiment of two passes on a machine whose kernels count their CTAs as warps.
struct frozen {
    test::measured_device machine;
    gpuprof::device gpu = machine.open();
    gpuprof::experiment of = make();

    gpuprof::experiment make() {
        auto made = gpuprof::experiment::try_create(gpu);
        REQUIRE(made);
        REQUIRE(made->enable(gpuprof::metric_info{warps}).is_ok());
        REQUIRE(made->enable(gpuprof::metric_info{multiply_adds}).is_ok());
        return *std::move(made);
    }
    // A pass of objects 0 to count - 1; object i launches one kernel of i + 1 CTAs.
    void pass(std::size_t number, std::size_t count) {
        CHECK(of.begin_pass(number).is_ok());
        for (std::size_t id = 0; id < count; ++id) object(id);
        CHECK(of.end_pass(number).is_ok());
    }
    void object(std::size_t id) {
        CHECK(of.begin_object(id).is_ok());
        machine.launch(static_cast<unsigned>(id + 1));
        CHECK(of.end_object(id).is_ok());
    }
    double value(std::size_t id) {
        auto const read = of.try_get(warps, id);
        REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
        return read->value();
    }
    std::size_t times(code which) const {
        for (auto const& each : of.mistakes())
            if (each.first.code() == which) return each.times;
        return 0;
    }
};

} // namespace

TEST_CASE("experiment: each object has its own values, over as many passes as the counters need") {
    frozen f;
    CHECK(f.of.reserve_objects(3).is_ok());
    CHECK(f.of.begin().is_ok());
    REQUIRE(f.of.passes() == 2);
    f.pass(0, 3);
    f.pass(1, 3);
    CHECK(f.of.end().is_ok());
    CHECK(f.of.mistakes().empty());
    for (std::size_t id = 0; id < 3; ++id) CHECK(f.value(id) == static_cast<double>(id + 1));
    auto const report = f.of.try_report();
    REQUIRE(report);
    CHECK(report->complete());
    CHECK(report->size() == 3);
    CHECK(report->at(1).path() == "object 1");
    CHECK(f.machine.machine().launches() == 6); // no survey
}

TEST_CASE("experiment: without reserved objects the whole pass is object 0") {
    frozen f;
    std::size_t frames = 0;
    auto const status = f.of.run([&] {
        ++frames;
        f.machine.launch(5);
        f.machine.launch(6);
    });
    CHECK(status.is_ok());
    CHECK(frames == 2);
    CHECK(f.value(0) == 11);
    CHECK(f.of.begin_object(0).code() == code::not_in_experiment);
    auto const other = f.of.try_object(1);
    REQUIRE(!other);
    CHECK(other.error().code == errc::invalid_argument);
}

TEST_CASE("experiment: 5,000 objects, more than PerfKit's 1,024") {
    frozen f;
    constexpr std::size_t many = 5'000;
    CHECK(f.of.reserve_objects(many).is_ok());
    auto const status = f.of.run([&] {
        for (std::size_t id = 0; id < many; ++id) {
            f.of.begin_object(id);
            f.machine.launch(static_cast<unsigned>(id % 7 + 1));
            f.of.end_object(id);
        }
    });
    CHECK(status.is_ok());
    CHECK(f.of.mistakes().empty());
    auto const report = f.of.try_report();
    REQUIRE(report);
    CHECK(report->complete());
    REQUIRE(report->size() == many);
    std::size_t right = 0;
    for (std::size_t id = 0; id < many; ++id)
        if (auto const value = report->at(id).try_get(warps);
            value && value->value() == static_cast<double>(id % 7 + 1))
            ++right;
    CHECK(right == many);
}

TEST_CASE("experiment: it runs again, and enabling a counter asks for a new run") {
    frozen f;
    auto const frame = [&] { f.machine.launch(4); };
    CHECK(f.of.run(frame).is_ok());
    CHECK(f.of.run(frame).is_ok());
    CHECK(f.value(0) == 4);
    CHECK(f.of.enable(gpuprof::metric_info{warps}).is_ok()); // enabled already: nothing changes
    CHECK(f.of.readable().is_ok());
    CHECK(f.of.enable(gpuprof::metric_info{metrics::inst_executed}).is_ok());
    CHECK(f.of.readable().code() == code::experiment_not_run);
    auto const stale = f.of.try_get(warps);
    REQUIRE(!stale);
    CHECK(stale.error().code == errc::invalid_state);
    CHECK(f.of.run(frame).is_ok());
    CHECK(f.value(0) == 4);
    CHECK(f.of.try_get(metrics::inst_executed).has_value());
}

TEST_CASE("experiment: values of counters that are not enabled, of no run and of a running one are told apart") {
    frozen f;
    CHECK(f.of.readable().code() == code::experiment_not_run);
    CHECK_FALSE(f.of.try_report().has_value());
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.readable().code() == code::experiment_running);
    CHECK_FALSE(f.of.try_value("smsp__warps_launched.sum").has_value());
    f.machine.launch(1); // between passes: in no object
    for (std::size_t pass = 0; pass < f.of.passes(); ++pass) {
        CHECK(f.of.begin_pass(pass).is_ok());
        f.machine.launch(2);
        CHECK(f.of.end_pass(pass).is_ok());
    }
    CHECK(f.of.end().is_ok());
    CHECK(f.value(0) == 2);
    auto const other = f.of.try_value("dram__bytes_read.sum");
    REQUIRE(!other);
    CHECK(other.error().code == errc::unknown_metric);
    CHECK(f.of.disable("dram__bytes_read.sum").code() == code::counter_was_not_enabled);
    CHECK(f.of.disable("smsp__warps_launched.sum").is_ok());
    CHECK(f.of.enabled().size() == 1);
    CHECK(f.of.disable_all().is_ok());
    CHECK(f.of.disable_all().code() == code::counter_was_not_enabled);
    CHECK(f.of.begin().code() == code::no_counters);
}

TEST_CASE("experiment: a value has its cycles: a count its own number, a rate the elapsed ones if they are enabled") {
    frozen f;
    auto const frame = [&] { f.machine.launch(4); };
    constexpr auto rate = gpuprof::metric<"smsp__warps_launched.avg.per_cycle_active">;
    CHECK(f.of.enable(gpuprof::metric_info{rate}).is_ok());
    CHECK(f.of.run(frame).is_ok());
    auto const count = f.of.try_cycles("smsp__warps_launched.sum");
    REQUIRE(count);
    CHECK(*count == 4);
    auto const without = f.of.try_cycles(rate.name());
    REQUIRE_FALSE(without);
    CHECK(without.error().code == errc::not_collected);
    CHECK(without.error().remedy.find("smsp__cycles_elapsed.max") != std::string::npos);
    CHECK(f.of.try_cycles("dram__bytes_read.sum").error().code == errc::unknown_metric); // not enabled
    CHECK(f.of.enable(gpuprof::metric_info{gpuprof::metric<"sm__cycles_elapsed.max">}).is_ok());
    CHECK(f.of.run(frame).is_ok());
    auto const cycles = f.of.try_cycles(rate.name());
    REQUIRE_MESSAGE(cycles, cycles.error().message());
    CHECK(*cycles == f.of.try_value("sm__cycles_elapsed.max")->value);
}

TEST_CASE("experiment: calls outside of an experiment and of a pass are refused by name") {
    frozen f;
    CHECK(f.of.begin_pass(0).code() == code::not_in_experiment);
    CHECK(f.of.end_pass(0).code() == code::not_in_experiment);
    CHECK(f.of.begin_object(0).code() == code::not_in_experiment);
    CHECK(f.of.end_object(0).code() == code::not_in_experiment);
    CHECK(f.of.end().code() == code::not_in_experiment);
    CHECK(f.times(code::not_in_experiment) == 5);
    CHECK(f.of.reserve_objects(2).is_ok());
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin().code() == code::already_in_experiment);
    CHECK(f.of.enable(gpuprof::metric_info{metrics::inst_executed}).code() == code::already_in_experiment);
    CHECK(f.of.disable("smsp__warps_launched.sum").code() == code::already_in_experiment);
    CHECK(f.of.disable_all().code() == code::already_in_experiment);
    CHECK(f.of.reserve_objects(3).code() == code::already_in_experiment);
    CHECK(f.of.begin_object(0).code() == code::not_in_pass);
    CHECK(f.of.end_object(0).code() == code::not_in_pass);
    CHECK(f.of.end_pass(0).code() == code::not_in_pass);
    CHECK(f.of.begin_pass(1).code() == code::pass_skipped);
    CHECK(f.of.begin_pass(2).code() == code::invalid_pass);
    CHECK(f.of.begin_pass(0).is_ok());
    CHECK(f.of.end_pass(1).code() == code::not_in_pass); // another number
    CHECK(f.of.begin_object(2).code() == code::unknown_object);
    CHECK(f.of.end_object(2).code() == code::unknown_object);
    CHECK(f.of.end_object(1).code() == code::object_not_begun);
    f.object(0);
    CHECK(f.of.begin_object(0).code() == code::object_repeated);
    f.object(1);
    CHECK(f.of.end_pass(0).is_ok());
    f.pass(1, 2);
    CHECK(f.of.end().is_ok());
    for (std::size_t id = 0; id < 2; ++id) CHECK(f.value(id) == static_cast<double>(id + 1)); // none cost a value
    CHECK(f.of.reserve_objects(std::size_t{1} << 40).code() == code::too_many_objects);
}

TEST_CASE("experiment: an end that was left out is a warning, and the call ends it") {
    frozen f;
    CHECK(f.of.reserve_objects(2).is_ok());
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin_pass(0).is_ok());
    CHECK(f.of.begin_object(0).is_ok());
    f.machine.launch(1);
    auto const next = f.of.begin_object(1);
    CHECK(next.code() == code::object_not_ended);
    CHECK(next.is_warning());
    CHECK(next);
    f.machine.launch(2);
    CHECK(f.of.end_pass(0).code() == code::object_not_ended);
    CHECK(f.of.begin_pass(1).is_ok());
    f.object(0);
    f.object(1);
    CHECK(f.of.end().code() == code::pass_not_ended);
    CHECK(f.times(code::object_not_ended) == 2);
    CHECK(f.value(0) == 1);
    CHECK(f.value(1) == 2);
    auto const report = f.of.try_report();
    REQUIRE(report);
    CHECK(report->complete()); // nothing is missing
}

TEST_CASE("experiment: a pass that is begun within a pass ends it, with a warning") {
    frozen f;
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin_pass(0).is_ok());
    f.machine.launch(3);
    CHECK(f.of.begin_pass(1).code() == code::pass_not_ended);
    f.machine.launch(3);
    CHECK(f.of.end_pass(1).is_ok());
    CHECK(f.of.end().is_ok());
    CHECK(f.value(0) == 3);
}

TEST_CASE("experiment: objects left out of a pass are a warning, and what was not measured is missing by name") {
    frozen f;
    CHECK(f.of.reserve_objects(3).is_ok());
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin_pass(0).is_ok());
    f.object(0);
    f.object(1);
    auto const first = f.of.end_pass(0);
    CHECK(first.code() == code::pass_incomplete);
    CHECK(first.given() == 2);
    CHECK(first.expected() == 3);
    CHECK(f.of.begin_pass(1).is_ok());
    f.object(0); // not 1
    CHECK(f.of.end_pass(1).code() == code::pass_incomplete);
    CHECK(f.of.end().is_ok());
    CHECK(f.times(code::pass_incomplete) == 2);
    CHECK(f.value(0) == 1);
    auto const never = f.of.try_object(2);
    REQUIRE(!never);
    CHECK(never.error().code == errc::not_collected);
    CHECK(never.error().what == "object 2 was never begun");
    auto const report = f.of.try_report();
    REQUIRE(report);
    CHECK_FALSE(report->complete());
}

TEST_CASE("experiment: an object whose number of launches changes from pass to pass is named with both numbers") {
    frozen f;
    CHECK(f.of.reserve_objects(2).is_ok());
    CHECK(f.of.begin().is_ok());
    f.pass(0, 2);
    CHECK(f.of.begin_pass(1).is_ok());
    f.object(0);
    CHECK(f.of.begin_object(1).is_ok());
    for (int i = 0; i < 3; ++i) f.machine.launch(2);
    auto const changed = f.of.end_object(1);
    CHECK(changed.code() == code::launch_count_changed);
    CHECK(changed.is_warning());
    CHECK(changed.object() == 1);
    CHECK(changed.given() == 3);
    CHECK(changed.expected() == 1);
    CHECK(changed.message() == "launch count changed: object 1 launched 3 kernels in a pass, and 1 in an earlier one");
    CHECK(f.of.end_pass(1).is_ok());
    CHECK(f.of.end().is_ok());
    CHECK(f.value(0) == 1);
}

TEST_CASE("experiment: objects in another order keep their values, with a warning") {
    frozen f;
    CHECK(f.of.reserve_objects(2).is_ok());
    CHECK(f.of.begin().is_ok());
    f.pass(0, 2);
    CHECK(f.of.begin_pass(1).is_ok());
    auto const early = f.of.begin_object(1);
    CHECK(early.code() == code::object_order_changed);
    CHECK(early.given() == 1);
    CHECK(early.expected() == 0);
    f.machine.launch(2);
    CHECK(f.of.end_object(1).is_ok());
    CHECK(f.of.begin_object(0));
    f.machine.launch(1);
    CHECK(f.of.end_object(0).is_ok());
    CHECK(f.of.end_pass(1).is_ok());
    CHECK(f.of.end().is_ok());
    CHECK(f.times(code::object_order_changed) == 2);
    CHECK(f.value(0) == 1);
    CHECK(f.value(1) == 2);
}

TEST_CASE("experiment: one that is ended early says how many passes ran") {
    frozen f;
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin_pass(0).is_ok());
    f.machine.launch(1);
    CHECK(f.of.end_pass(0).is_ok());
    auto const ended = f.of.end();
    CHECK(ended.code() == code::experiment_incomplete);
    CHECK_FALSE(ended);
    CHECK(ended.message() == "experiment incomplete: 1 of 2 passes ran");
    auto const report = f.of.try_report();
    REQUIRE(report);
    CHECK_FALSE(report->complete());
    CHECK(f.of.run([&] { f.machine.launch(9); }).is_ok()); // and can be run anew
    CHECK(f.value(0) == 9);
}

TEST_CASE("experiment: where the hardware is held the frame runs once, and the refusal says why") {
    frozen f;
    auto holder = gpuprof::profiler::try_create(f.gpu, {}, warps);
    REQUIRE(holder);
    std::size_t frames = 0;
    for (gpuprof::pass const pass : holder->passes()) {
        gpuprof::scope all{*holder, "all"};
        f.machine.launch(1);
        if (!pass.measured) continue;
        auto const status = f.of.run([&] { ++frames; });
        CHECK(status.code() == code::refused);
    }
    CHECK(frames == 1);
    REQUIRE(f.of.refusal().has_value());
    CHECK(f.of.refusal()->code == errc::busy);
    CHECK(f.times(code::refused) == 1);
    CHECK(f.of.readable().code() == code::experiment_not_run);
    CHECK(f.of.run([&] { f.machine.launch(2); }).is_ok()); // it is free again
    CHECK(f.value(0) == 2);
}

TEST_CASE("experiment: an unknown counter is refused with the profiler's error") {
    frozen f;
    gpuprof::metric_info unknown{warps};
    unknown.name = "smsp__warps_lunched.sum";
    CHECK(f.of.enable(unknown).is_ok());
    CHECK(f.of.begin().code() == code::refused);
    REQUIRE(f.of.refusal().has_value());
    CHECK(f.of.refusal()->code == errc::unknown_metric);
    CHECK(f.of.disable(unknown.name).is_ok());
    CHECK(f.of.begin().is_ok());
    CHECK_FALSE(f.of.refusal().has_value());
}

TEST_CASE("experiment: one that is moved or destroyed while it runs gives the hardware back") {
    frozen f;
    {
        gpuprof::experiment other = f.make();
        CHECK(other.begin().is_ok());
        CHECK(other.begin_pass(0).is_ok());
    }
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin_pass(0).is_ok());
    gpuprof::experiment moved{std::move(f.of)};
    CHECK(moved.readable().code() == code::experiment_not_run);
    CHECK(moved.run([&] { f.machine.launch(3); }).is_ok());
    auto const read = moved.try_get(warps);
    REQUIRE(read);
    CHECK(read->value() == 3);
}

TEST_CASE("experiment: a device that fails between passes ends it with the cause") {
    frozen f;
    f.machine.machine().on_launch = [](test::launch const&, gpuprof::sim::counter_values&) {};
    CHECK(f.of.begin().is_ok());
    CHECK(f.of.begin_pass(0).is_ok());
    f.machine.launch(1);
    gpuprof::sim::shared().registry.lose(f.gpu.context());
    f.of.end_pass(0);
    CHECK(f.of.begin_pass(1).code() == code::refused);
    REQUIRE(f.of.refusal().has_value());
    CHECK(f.of.refusal()->code == errc::device_lost);
    CHECK(f.of.end().code() == code::experiment_incomplete);
}

} // namespace experiment_test
