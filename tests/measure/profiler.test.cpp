// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiler on a test machine that behaves like an H200 with CUPTI 13.0, and on one that fails.
#include <doctest/doctest.h>

#include <stdexcept>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/hw/counters/config_cache.hpp>
#include <gpuprof/gpuprof.hpp>

#include "support/injected_fault.hpp"
#include "support/measured.hpp"

namespace profiler_test {

namespace metrics = gpuprof::metrics;
namespace sim = gpuprof::sim;
namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::scope;

static constexpr auto warps = metrics::warps_launched;
static constexpr auto warps_name = "smsp__warps_launched.sum";

template <class... Metrics>
static gpuprof::profiler make(gpuprof::device const& gpu, gpuprof::profiler_options const& options, Metrics... asked) {
    auto made = gpuprof::profiler::try_create(gpu, options, asked...);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}
template <class F>
static gpuprof::report run(gpuprof::profiler& prof, F body) {
    for (gpuprof::pass const each : prof.passes()) body(each);
    auto report = prof.try_report();
    REQUIRE(report);
    return *report;
}
static double value(gpuprof::report const& of, std::string_view path) {
    auto const range = of.try_range(path);
    REQUIRE_MESSAGE(range, (range ? std::string{} : range.error().message()));
    auto const got = range->try_value(warps_name);
    REQUIRE_MESSAGE(got, (got ? std::string{} : got.error().message()));
    return got->value;
}
static bool has_problem(gpuprof::report const& of, errc code) {
    for (auto const& problem : of.completeness().problems)
        if (problem.code == code) return true;
    return false;
}

TEST_CASE("profiler: nested and repeated scopes give each repetition and their sum") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    CHECK(prof.passes_needed() == 1);
    CHECK_FALSE(prof.armed());
    auto const report = run(prof, [&](auto) {
        CHECK(prof.armed());
        scope frame{prof, "frame"};
        for (unsigned i = 1; i <= 3; ++i) {
            scope step{prof, "step"};
            machine.launch(i);
        }
        machine.launch(100);
    });
    CHECK_FALSE(prof.armed());
    CHECK(report.complete());
    CHECK(report.completeness().replay_passes == 2); // one pass, two nesting levels
    CHECK(value(report, "frame") == 106);
    CHECK(value(report, "frame/step") == 6);
    auto const step = *report.try_range("frame/step");
    CHECK(step.count() == 3);
    CHECK(*step.try_values(warps_name) == std::vector<double>{1, 2, 3});
    CHECK(report.chip() == "GH100");
    CHECK(report.hardware() == (test::has_older_cupti() ? "profiling API" : "range profiler"));
    CHECK(machine.machine().launches() == 4 * 3); // the survey and two replay passes
}

TEST_CASE("profiler: a value has the unit of its metric") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps, metrics::gpu_time_duration);
    auto const report = run(prof, [&](auto) {
        scope all{prof, "all"};
        machine.launch(5);
    });
    auto const range = *report.try_range("all");
    gpuprof::warps const counted = *range.try_get(warps);
    gpuprof::nanoseconds const time = *range.try_get(metrics::gpu_time_duration);
    CHECK(counted.count() == 5);
    CHECK(time.value() == 1000); // what a launch of the test machine takes
    auto const missing = range.try_get(metrics::inst_executed);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == errc::unknown_metric);
}

TEST_CASE("profiler: more counters than fit one pass run the body once a pass, and all have values") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.max_ranges = 1;
    auto prof = make(gpu, options, warps, metrics::ffma_thread_inst, metrics::inst_executed, metrics::dram_bytes_read);
    REQUIRE(prof.passes_needed() > 1); // instrumented metrics need a pass of their own
    std::size_t runs = 0;
    auto const report = run(prof, [&](gpuprof::pass each) {
        CHECK(each.measured);
        CHECK(each.index == runs);
        ++runs;
        scope all{prof, "all"};
        machine.launch(8);
    });
    CHECK(runs == prof.passes_needed());
    CHECK(report.complete());
    for (auto const& metric : report.metrics()) CHECK(report.try_range("all")->try_value(metric.name));
    CHECK(value(report, "all") == 8);
}

TEST_CASE("profiler: merged repetitions are one sum of the hardware's") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.merge_repeated = true;
    auto prof = make(gpu, options, warps);
    auto const report = run(prof, [&](auto) {
        scope frame{prof, "frame"};
        for (unsigned i = 1; i <= 50; ++i) {
            scope step{prof, "step"};
            machine.launch(i);
        }
    });
    CHECK(report.complete());
    CHECK(value(report, "frame/step") == 50 * 51 / 2);
    CHECK(report.try_range("frame/step")->count() == 50);
    CHECK(report.try_range("frame/step")->try_values(warps_name)->size() == 1);
}

TEST_CASE("profiler: ranges nest to 64 levels") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    struct descent {
        static void into(gpuprof::profiler& prof, test::measured_device& machine, int level) {
            if (level == 0) return;
            scope here{prof, "level"};
            machine.launch(1);
            into(prof, machine, level - 1);
        }
    };
    auto const report = run(prof, [&](auto) { descent::into(prof, machine, 64); });
    CHECK(report.complete());
    CHECK(report.completeness().replay_passes == 64);
    CHECK(report.size() == 64);
    CHECK(value(report, "level") == 64);
    CHECK((*report.begin()).depth() == 1);
    std::string deepest = "level";
    for (int i = 1; i < 64; ++i) deepest += "/level";
    CHECK(value(report, deepest) == 1);
}

TEST_CASE("profiler: a profiler collects again, and the second report stands alone") {
    test::measured_device machine;
    auto const gpu = machine.open();
    for (bool const stay_armed : {false, true}) {
        gpuprof::profiler_options options;
        options.stay_armed = stay_armed;
        auto prof = make(gpu, options, warps);
        auto const body = [&](unsigned ctas) {
            return run(prof, [&](auto) {
                scope all{prof, "all"};
                machine.launch(ctas);
            });
        };
        auto const first = body(3);
        auto const second = body(4);
        CHECK(value(first, "all") == 3);
        CHECK(value(second, "all") == 4);
    }
}

TEST_CASE("profiler: a profiler is moved between collections") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto first = make(gpu, {}, warps);
    auto second = std::move(first);
    auto const report = run(second, [&](auto) {
        scope all{second, "all"};
        machine.launch(3);
    });
    CHECK(value(report, "all") == 3);
}

TEST_CASE("profiler: no report before a collection, a typed error instead") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    REQUIRE_FALSE(prof.try_report());
    CHECK(prof.try_report().error().code == errc::invalid_state);
    { scope outside{prof, "outside"}; } // a scope without a pass does nothing
    CHECK_FALSE(prof.try_report());
}

TEST_CASE("profiler: bad lists of metrics are typed errors before anything is touched") {
    test::measured_device machine;
    auto const gpu = machine.open();
    test::fault_injection watch{machine.tables().cupti};
    auto const create = [&](std::vector<gpuprof::metric_info> const& list) {
        return gpuprof::profiler::try_create(gpu, {}, list);
    };

    auto const empty = create({});
    REQUIRE_FALSE(empty);
    CHECK(empty.error().code == errc::invalid_argument);

    gpuprof::metric_info wrong{warps};
    wrong.name = "smsp__warps_lunched.sum";
    auto const unknown = create({warps, wrong});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == errc::unknown_metric);
    CHECK(unknown.error().remedy.find("smsp__warps_launched.sum") != std::string::npos);

    wrong.name = std::string(10'000, 'x');
    CHECK(create({wrong}).error().code == errc::invalid_argument);
    wrong.name = std::string{"smsp__warps_launched\0.sum", 25};
    CHECK(create({wrong}).error().code == errc::invalid_argument);
    wrong.name = "";
    CHECK(create({wrong}).error().code == errc::invalid_argument);
    auto const sampled = create({gpuprof::metric<"inst_executed">}); // counted by instruction address
    REQUIRE_FALSE(sampled);
    CHECK(sampled.error().code == errc::unknown_metric);
    CHECK(sampled.error().cause ==
          "it takes counts by instruction address: give the report those of a sass_counter, by "
          "with_instruction_values()");
    CHECK(create({gpuprof::metric<"breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed">})
              .error()
              .message()
              .find("breakdown_on<chip::") != std::string::npos);
    CHECK(create({gpuprof::metric<"pmsampling:sm__inst_executed.sum">})
              .error()
              .message()
              .find("without pmsampling: in front") != std::string::npos);
    CHECK(watch.calls("cuptiRangeProfilerEnable") == 0);
    CHECK(watch.calls("cuptiProfilerBeginSession") == 0);
}

TEST_CASE("profiler: a pass without a scope is a typed problem, and the body ran once") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    int runs = 0;
    auto const report = run(prof, [&](auto) {
        ++runs;
        machine.launch(1);
    });
    CHECK(runs == 1);
    CHECK(report.size() == 0);
    CHECK(has_problem(report, errc::invalid_state));
}

TEST_CASE("profiler: a scope open when a pass ends is closed there and says so") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    {
        std::vector<std::optional<scope>> left_open(8);
        std::size_t at = 0;
        auto const report = run(prof, [&](auto) {
            left_open[at++].emplace(prof, "left open");
            machine.launch(7);
        });
        CHECK(value(report, "left open") == 7);
        CHECK(has_problem(report, errc::invalid_state));
    } // closing them now must not disturb anything
    auto const after = run(prof, [&](auto) {
        scope all{prof, "all"};
        machine.launch(2);
    });
    CHECK(after.complete());
    CHECK(value(after, "all") == 2);
}

TEST_CASE("profiler: a scope opened before the pass is not part of it") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    scope around{prof, "around"};
    auto const report = run(prof, [&](auto) {
        scope all{prof, "all"};
        machine.launch(2);
    });
    CHECK(report.complete());
    CHECK(report.size() == 1);
    CHECK(value(report, "all") == 2);
}

TEST_CASE("profiler: scopes closed out of order close what is inside them") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    auto const report = run(prof, [&](auto) {
        std::optional<scope> outer;
        std::optional<scope> inner;
        outer.emplace(prof, "outer");
        inner.emplace(prof, "inner");
        machine.launch(3);
        outer.reset();
        machine.launch(4); // belongs to nobody
        inner.reset();
    });
    CHECK(value(report, "outer") == 3);
    CHECK(value(report, "outer/inner") == 3);
    CHECK(has_problem(report, errc::invalid_state));
}

TEST_CASE("profiler: ranges over the declared room are counted, the others keep their values") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.max_ranges = 2;
    auto prof = make(gpu, options, warps);
    auto const report = run(prof, [&](auto) {
        for (unsigned i = 1; i <= 5; ++i) {
            scope step{prof, "step"};
            machine.launch(i);
        }
    });
    CHECK(has_problem(report, errc::too_many_ranges));
    CHECK(*report.try_range("step")->try_values(warps_name) == std::vector<double>{1, 2});
}

TEST_CASE("profiler: ranges below the declared nesting are counted, the others keep their values") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.max_ranges = 4;
    auto prof = make(gpu, options, warps);
    auto const report = run(prof, [&](auto) {
        scope outer{prof, "outer"};
        scope inner{prof, "inner"};
        machine.launch(3);
    });
    CHECK(has_problem(report, errc::too_many_ranges));
    CHECK(value(report, "outer") == 3);
    CHECK_FALSE(report.try_range("outer/inner"));
}

TEST_CASE("profiler: passes that differ are a typed problem that says how") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    auto const report = run(prof, [&](gpuprof::pass each) {
        scope step{prof, each.index == 0 ? "first" : "later"};
        machine.launch(1);
    });
    REQUIRE(has_problem(report, errc::replay_mismatch));
    bool told = false;
    for (auto const& problem : report.completeness().problems)
        told = told || problem.cause.find("\"later\"") != std::string::npos;
    CHECK(told);
}

TEST_CASE("profiler: leaving the loop early abandons the collection and keeps what was complete") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.max_ranges = 1;
    auto prof = make(gpu, options, warps, metrics::ffma_thread_inst);
    REQUIRE(prof.passes_needed() > 1);
    for ([[maybe_unused]] auto each : prof.passes()) {
        scope all{prof, "all"};
        machine.launch(6);
        break;
    }
    auto const report = *prof.try_report();
    CHECK_FALSE(report.complete());
    CHECK(report.completeness().problems.front().what.find("abandoned") != std::string::npos);
    CHECK_FALSE(prof.armed());
    std::size_t collected = 0;
    for (auto const& metric : report.metrics()) collected += report.try_range("all")->try_value(metric.name) ? 1 : 0;
    CHECK(collected == 1); // one pass was through
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("profiler: an exception in a pass passes through, and the next collection works") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler prof{gpu, warps};
    auto const throwing = [&] {
        for (auto each : prof.passes()) {
            scope all{prof, "all"};
            machine.launch(1);
            if (each.index == 1) throw std::runtime_error{"the application's own"};
        }
    };
    CHECK_THROWS_WITH_AS(throwing(), "the application's own", std::runtime_error);
    CHECK_FALSE(prof.report().complete());
    auto const after = run(prof, [&](auto) {
        scope all{prof, "all"};
        machine.launch(9);
    });
    CHECK(after.complete());
    CHECK(after["all"][warps].count() == 9);
    CHECK_THROWS_AS(static_cast<void>(after["nothing"]), gpuprof::exception);
    CHECK_THROWS_AS((gpuprof::profiler{gpu, gpuprof::metric<"smsp__no_such_thing.sum", gpuprof::newer_chip>}),
                    gpuprof::exception);
}
#endif

TEST_CASE("profiler: scopes on other threads are counted and leave the pass alone") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    constexpr int threads = 4;
    constexpr int scopes = 100;
    auto const report = run(prof, [&](auto) {
        scope all{prof, "all"};
        std::vector<std::thread> others;
        for (int t = 0; t < threads; ++t)
            others.emplace_back([&] {
                for (int i = 0; i < scopes; ++i) scope elsewhere{prof, "elsewhere"};
            });
        machine.launch(3);
        for (auto& other : others) other.join();
    });
    CHECK(value(report, "all") == 3);
    CHECK(report.size() == 1);
    CHECK(report.completeness().other_threads == threads * scopes); // once, however often the body ran
    CHECK(report.complete());
    auto const elsewhere = report.try_range("elsewhere");
    REQUIRE_FALSE(elsewhere);
    CHECK(elsewhere.error().cause.find("scopes of other threads than the pass's are no ranges, and there were 400") !=
          std::string::npos);
}

TEST_CASE("profiler: a loop inside another of the same profiler runs once and measures nothing") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    int inner = 0;
    auto const report = run(prof, [&](auto) {
        scope all{prof, "all"};
        machine.launch(1);
        for ([[maybe_unused]] auto each : prof.passes()) ++inner;
    });
    CHECK(inner == 2); // once in the survey, once in the replay pass
    CHECK(value(report, "all") == 1);
    CHECK(has_problem(report, errc::invalid_state));
}

TEST_CASE("profiler: a second profiler on the same context is told busy, and its body runs unmeasured") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto outer = make(gpu, {}, warps);
    auto inner = make(gpu, {}, warps);
    bool measured = false;
    int runs = 0;
    auto const report = run(outer, [&](gpuprof::pass each) {
        scope all{outer, "all"};
        machine.launch(1);
        if (!each.measured) return;
        for (gpuprof::pass const second : inner.passes()) {
            ++runs;
            measured = measured || second.measured;
            scope there{inner, "there"};
        }
    });
    CHECK(value(report, "all") == 1);
    CHECK(runs == 1); // its survey; then the hardware was taken
    CHECK_FALSE(measured);
    CHECK(has_problem(*inner.try_report(), errc::busy));
    auto const freed = run(inner, [&](auto) {
        scope all{inner, "all"};
        machine.launch(2);
    });
    CHECK(value(freed, "all") == 2);
}

TEST_CASE("profiler: every kernel a range, replayed by CUPTI") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    options.max_ranges = 3;
    auto prof = make(gpu, options, warps, metrics::ffma_thread_inst);
    int runs = 0;
    auto const report = run(prof, [&](auto) {
        ++runs;
        for (unsigned i = 1; i <= 3; ++i) machine.launch(i);
    });
    CHECK(runs == 1);
    CHECK(report.complete());
    REQUIRE(report.size() == 1); // three launches of a kernel of that name
    auto const kernel = report.try_range("kernel");
    REQUIRE(kernel);
    CHECK(kernel->count() == 3);
    auto const each = kernel->try_values(warps_name);
    REQUIRE(each);
    CHECK(*each == std::vector<double>{1, 2, 3});

    auto const more = run(prof, [&](auto) {
        for (unsigned i = 1; i <= 4; ++i) machine.launch(i);
    });
    REQUIRE(more.size() == 1);
    CHECK(more.at(0).count() == 3);
    CHECK(value(more, "kernel") == 1 + 2 + 3);
    CHECK(has_problem(more, errc::too_many_ranges));
}

TEST_CASE("profiler: user ranges with kernel replay are refused when it is made") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.replay = gpuprof::replay_mode::kernel;
    auto const refused = gpuprof::profiler::try_create(gpu, options, warps);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(refused.error().remedy == "use range_mode::auto_range, or replay_mode::user");
}

TEST_CASE("profiler: where the hardware refuses the session's shape, the body runs once") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.max_ranges = 1;
    options.nesting_levels = 0x10000;
    auto prof = make(gpu, options, warps);
    int runs = 0;
    auto const report = run(prof, [&](auto) { ++runs; });
    CHECK(runs == 1);
    CHECK(has_problem(report, errc::invalid_argument));
}

TEST_CASE("profiler: a device lost half way ends the loop, and the application goes on") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.max_ranges = 2;
    auto prof = make(gpu, options, warps, metrics::ffma_thread_inst);
    int runs = 0;
    for ([[maybe_unused]] auto each : prof.passes()) {
        ++runs;
        {
            scope before{prof, "before"};
            machine.launch(5);
        }
        scope during{prof, "during"};
        test::test_machine::lose_context();
    }
    CHECK(runs == 1);
    auto const report = *prof.try_report();
    CHECK_FALSE(report.complete());
    auto const lost = report.try_range("before")->try_value(warps_name);
    REQUIRE_FALSE(lost);
    CHECK(lost.error().code == errc::not_collected);
    CHECK_FALSE(lost.error().cause.empty());
}

TEST_CASE("profiler: scope names with NUL and of 10,000 characters are cut, and the report says so") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto prof = make(gpu, {}, warps);
    std::string const long_name(10'000, 'n');
    auto const report = run(prof, [&](auto) {
        {
            scope s{prof, "a\0b"};
            machine.launch(1);
        }
        {
            scope s{prof, long_name};
            machine.launch(2);
        }
        {
            scope s{prof, static_cast<char const*>(nullptr)};
            machine.launch(3);
        }
    });
    CHECK(value(report, "a") == 1);
    CHECK(value(report, std::string(255, 'n')) == 2);
    CHECK(value(report, "") == 3);
    CHECK(has_problem(report, errc::invalid_argument));
}

TEST_CASE("profiler: scopes of a pass are recorded on a timeline too") {
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::timeline times{64};
    gpuprof::profiler_options options;
    options.record = &times;
    auto prof = make(gpu, options, warps);
    run(prof, [&](auto) { scope all{prof, "all"}; });
    { scope outside{prof, "outside"}; } // no pass runs, the timeline does
    std::vector<std::string> names;
    times.visit([&](gpuprof::timeline_record const& r) {
        CHECK(r.begin_ns <= r.end_ns);
        names.emplace_back(r.name, r.name_size);
    });
    CHECK(names == std::vector<std::string>{"all", "all", "outside"});
}

// Opens, plans, collects and reads, as an application would. What went wrong; nothing if all of it came out whole.
static std::vector<gpuprof::error> whole_life(test::measured_device& machine) {
    gpuprof::hw::config_cache::shared().clear(); // so that planning asks CUPTI every time
    auto const opened = gpuprof::device::try_open(machine.tables());
    if (!opened) return {opened.error()};
    auto prof = gpuprof::profiler::try_create(*opened, {}, warps, metrics::ffma_thread_inst);
    if (!prof) return {prof.error()};
    int runs = 0;
    for ([[maybe_unused]] auto each : prof->passes()) {
        ++runs;
        scope frame{*prof, "frame"};
        scope step{*prof, "step"};
        machine.launch(2);
    }
    CHECK(runs >= 1);
    auto const report = prof->try_report();
    REQUIRE(report);
    auto problems = report->completeness().problems;
    CHECK(report->complete() == problems.empty());
    if (report->complete()) CHECK(value(*report, "frame/step") == 2);
    if (report->completeness().unwatched) problems.push_back(*report->completeness().unwatched);
    return problems;
}

TEST_CASE("profiler: whichever CUPTI call fails, nothing crashes and the problem is told by its name") {
    for (auto const& fault : {test::no_privileges, test::hardware_busy, test::unknown_error}) {
        std::size_t calls = 0;
        {
            test::measured_device machine;
            test::fault_injection const faults{machine.tables().cupti};
            REQUIRE(whole_life(machine).empty());
            calls = faults.calls();
        }
        CHECK(calls == (test::has_older_cupti() ? 57 : 60 + 6));
        std::size_t told = 0;
        test::calls_by_name harmless;
        for (std::size_t nth = 1; nth <= calls; ++nth) {
            test::measured_device machine;
            test::fault_injection faults{machine.tables().cupti};
            faults.fail_any(nth, fault.status);
            auto const problems = whole_life(machine);
            REQUIRE(faults.calls() >= nth);
            std::string const call = faults.record()[nth - 1];
            CAPTURE(nth);
            CAPTURE(call);
            if (problems.empty()) {
                ++harmless[call];
            } else {
                ++told;
                fault.check(problems.front(), call);
            }
            faults.clear();
            // The next one finds nothing left behind, unless it was the last call, Disable, that did not happen.
            if (nth < calls) CHECK(whole_life(machine).empty());
        }
        if (test::has_older_cupti()) { // whose host library's calls are not in this table
            CHECK(told == 55);
            CHECK(harmless == test::calls_by_name{{"cuptiGetVersion", 1}, {"cuptiUnsubscribe", 1}});
            continue;
        }
        // Metrics that are refused for no reason are planned once more, without the image of the device.
        std::size_t const planned_again = fault.status == abi::CUPTI_ERROR_UNKNOWN ? 1 : 0;
        CHECK(told == 45 + 8 - planned_again); // eight to enable callbacks: launches are not watched
        // The version tells remembered configurations apart; without names cuptiSubscribe does; the plan of two passes holds if
        // that of the names backwards fails, which are six calls; the others give back what the process's end would.
        test::calls_by_name expected{{"cuptiGetVersion", 2},
                                     {"cuptiProfilerHostInitialize", 1},
                                     {"cuptiProfilerHostConfigAddMetrics", 1},
                                     {"cuptiProfilerHostGetConfigImageSize", 1},
                                     {"cuptiProfilerHostGetConfigImage", 1},
                                     {"cuptiProfilerHostGetNumOfPasses", 1},
                                     {"cuptiProfilerHostDeinitialize", 3},
                                     {"cuptiRangeProfilerDisable", 1},
                                     {"cuptiSubscribe_v2", 1},
                                     {"cuptiUnsubscribe", 1}};
        expected["cuptiProfilerHostConfigAddMetrics"] += planned_again;
        CHECK(harmless == expected);
    }
}

TEST_CASE("profiler: a remembered configuration that the hardware refuses is made anew") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto first = make(gpu, {}, warps); // now it is remembered
    auto prof = make(gpu, {}, warps);
    test::fault_injection faults{machine.tables().cupti};
    faults.fail(test::has_older_cupti() ? "cuptiProfilerBeginPass" : "cuptiRangeProfilerStart", 1,
                abi::CUPTI_ERROR_INVALID_PARAMETER);
    auto const report = run(prof, [&](auto) {
        scope all{prof, "all"};
        machine.launch(4);
    });
    CHECK(report.complete());
    CHECK(value(report, "all") == 4);
    CHECK(faults.calls(test::has_older_cupti()
                           ? "cuptiProfilerGetCounterAvailability"
                           : "cuptiProfilerHostConfigAddMetrics") == (test::has_older_cupti() ? 2 : 1));
}

} // namespace profiler_test
