// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// report.hpp: values of repeated ranges combined by kind, and what is said of values that are not there.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpuprof/metric/named_metrics.hpp>
#include <gpuprof/measure/report.hpp>

namespace report_test {

using gpuprof::errc;
using gpuprof::metric;
using gpuprof::report;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr auto executed = metric<"smsp__inst_executed.sum">;
constexpr auto least = metric<"smsp__inst_executed.min">;
constexpr auto greatest = metric<"smsp__inst_executed.max">;
constexpr auto busy = metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">;

// "frame" once, "frame/step" three times; rows in the order the hardware gave them, which is not that of the ranges.
report::contents three_steps() {
    report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    made.hardware = "range profiler";
    made.metrics = {executed, least, greatest, busy};
    made.values = {10,  4, 40, 20,  // second step
                   100, 1, 50, 50,  // frame
                   30,  2, 90, 40,  // third step
                   5,   3, 30, 30}; // first step
    made.ranges = {{"frame", report::range::top, 1, {1}}, {"step", 0, 3, {3, 0, 2}}};
    made.completeness.passes_needed = 1;
    made.completeness.replay_passes = 1;
    return made;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

static_assert(std::is_copy_constructible_v<report>);
static_assert(std::is_nothrow_move_constructible_v<report>);

TEST_CASE("repeated ranges combine as the kind of metric says") {
    report const of{three_steps()};
    auto const step = of["frame/step"];
    CHECK(step[executed].value() == 10 + 30 + 5);
    CHECK(step[least].value() == 2);
    CHECK(step[greatest].value() == 90);
    CHECK(step[busy].value() == (20 + 40 + 30) / 3.0);
    CHECK(step.count() == 3);
    auto const frame = of["frame"];
    CHECK(frame[executed].value() == 100);
    CHECK(frame[least].value() == 1);
    CHECK(frame[greatest].value() == 50);
    CHECK(frame[busy].value() == 50);
}

TEST_CASE("values of a report have their metric's type and unit") {
    report const of{three_steps()};
    static_assert(std::is_same_v<decltype(of["frame"][executed]), gpuprof::instructions>);
    static_assert(std::is_same_v<decltype(of["frame"][busy]), gpuprof::percent>);
    auto const value = of["frame"].try_value("smsp__inst_executed.sum");
    REQUIRE(value);
    CHECK(value->value == 100);
    CHECK(value->unit == gpuprof::instructions::unit());
    CHECK(of["frame"].try_get(busy)->value() == 50);
}

TEST_CASE("single values come in the order the ranges ran") {
    report const of{three_steps()};
    CHECK(*of["frame/step"].try_values("smsp__inst_executed.sum") == std::vector<double>{5, 10, 30});
    auto const typed = of["frame/step"].values(least);
    REQUIRE(typed.size() == 3);
    CHECK(typed[0].value() == 3);
    CHECK(typed[1].value() == 4);
    CHECK(typed[2].value() == 2);
}

TEST_CASE("views, texts and lists of a temporary report stay valid") {
    auto const made = [] { return report{three_steps()}; };
    auto const range = made()["frame/step"]; // was a view of a report that is gone
    CHECK(range[executed].value() == 45);
    CHECK(range.name() == "step");
    CHECK(range.path() == "frame/step");
    auto const name = made().at(1).name();
    auto const path = made()["frame"].path();
    auto const device = made().device();
    auto const chip = made().chip();
    auto const hardware = made().hardware();
    CHECK(name == "step");
    CHECK(path == "frame");
    CHECK(device == "Paper GPU");
    CHECK(chip == "GH100");
    CHECK(hardware == "range profiler");
    std::string names;
    for (auto const each : made()) names += std::string{each.name()} + ' ';
    for (auto const each : *gpuprof::result<report>{made()}) names += std::string{each.name()} + ' ';
    for (auto const each : gpuprof::result<report>{made()}.value()) names += std::string{each.name()} + ' ';
    CHECK(names == "frame step frame step frame step ");
    auto at = made().begin();
    ++at;
    CHECK((*at).name() == "step");
    std::size_t metrics = 0;
    for (auto const& each : made().metrics()) metrics += each.name.size() > 3;
    CHECK(metrics == 4);
    CHECK(made().completeness().problems.empty());
    static_assert(std::is_same_v<decltype(made().completeness()), gpuprof::completeness>);
}

TEST_CASE("a report that was moved from is empty, and its views have their own") {
    report from{three_steps()};
    auto const range = from["frame"];
    report const to{std::move(from)};
    CHECK(from.size() == 0); // NOLINT(bugprone-use-after-move): what this is about
    CHECK(from.begin() == from.end());
    CHECK(from.device().empty());
    CHECK(from.metrics().empty());
    CHECK_FALSE(from.try_range("frame"));
    CHECK(range[executed].value() == 100);
    CHECK(to.size() == 2);
    from = to;
    CHECK(from.size() == 2);
}

TEST_CASE("negative and zero extremes combine as well") {
    auto made = three_steps();
    made.values[0 * 4 + 2] = -40;
    made.values[2 * 4 + 2] = -90;
    made.values[3 * 4 + 2] = -30;
    made.values[3 * 4 + 1] = 0;
    report const of{std::move(made)};
    CHECK(of["frame/step"][greatest].value() == -30);
    CHECK(of["frame/step"][least].value() == 0);
}

TEST_CASE("ranges are visited in order, each with its path, name, depth and count") {
    report const of{three_steps()};
    CHECK(of.size() == 2);
    std::string text;
    for (auto const range : of)
        text += std::string{range.path()} + ' ' + std::string{range.name()} + ' ' + std::to_string(range.depth()) +
                ' ' + std::to_string(range.count()) + '\n';
    CHECK(text == "frame frame 1 1\nframe/step step 2 3\n");
    CHECK(of.device() == "Paper GPU");
    CHECK(of.chip() == "GH100");
    CHECK(of.hardware() == "range profiler");
    CHECK(of.source() == gpuprof::device_source::hardware);
    CHECK(of.metrics().size() == 4);
    CHECK(of.complete());
}

TEST_CASE("a repetition that was not collected takes the sum with it, and the error says how many are missing") {
    auto made = three_steps();
    made.values[0] = nan;
    made.completeness.problems.push_back({errc::device_lost, 719, "a kernel failed", {}, {}});
    report const of{std::move(made)};
    auto const sum = of["frame/step"].try_get(executed);
    REQUIRE_FALSE(sum);
    CHECK(sum.error().code == errc::not_collected);
    CHECK(contains(sum.error().what, "smsp__inst_executed.sum in \"frame/step\""));
    CHECK(contains(sum.error().what, "1 of 3 values"));
    CHECK(sum.error().cause == "device lost: a kernel failed");
    CHECK(of["frame/step"].try_get(least)); // the other metrics of that range are there
    CHECK(of["frame"].try_get(executed));
    CHECK_THROWS_AS(static_cast<void>(of["frame/step"][executed]), gpuprof::exception);
    auto const single = of["frame/step"].try_values("smsp__inst_executed.sum");
    REQUIRE(single);
    CHECK((*single)[0] == 5);
    CHECK((*single)[1] != (*single)[1]); // NaN
    CHECK((*single)[2] == 30);
}

TEST_CASE("a value that a part of a GPU does not give says why, by the device's name") {
    auto const cause = [](char const* device, char const* metric) {
        report::contents made;
        made.device = device;
        made.metrics.push_back(*gpuprof::try_metric(metric));
        made.values = {nan};
        made.ranges = {{"step", report::range::top, 1, {0}}};
        return report{std::move(made)}.at(0).try_value(metric).error().cause;
    };
    auto const has = [](std::string const& text, char const* part) { return text.find(part) != text.npos; };
    CHECK(has(cause("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb", "lts__t_sectors.sum"),
              "lts, is one that this MIG instance shares"));
    CHECK(has(cause("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb", "dram__bytes_read.sum"), "shares with other compute"));
    CHECK_FALSE(has(cause("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb", "smsp__inst_executed.sum"), "MIG")); // its own
    CHECK_FALSE(has(cause("NVIDIA A100-SXM4-40GB MIG 3g.20gb", "lts__t_sectors.sum"), "MIG"));         // isolated
    CHECK(has(cause("GRID T4-16Q", "lts__t_sectors.sum"), "enable_profiling"));
    CHECK(cause("NVIDIA H200", "lts__t_sectors.sum") == "the hardware returned no value for it");
}

TEST_CASE("NaN is found among minima and maxima wherever it stands") {
    for (std::size_t const row : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
        auto made = three_steps();
        made.values[row * 4 + 1] = nan;
        made.values[row * 4 + 2] = nan;
        made.values[row * 4 + 3] = nan;
        report const of{std::move(made)};
        CHECK_FALSE(of["frame/step"].try_get(least));
        CHECK_FALSE(of["frame/step"].try_get(greatest));
        CHECK_FALSE(of["frame/step"].try_get(busy));
        CHECK(of["frame/step"].try_get(executed));
    }
}

TEST_CASE("a range without any value is not collected, also where nothing else went wrong") {
    auto made = three_steps();
    made.ranges[1].rows.clear();
    report const of{std::move(made)};
    auto const none = of["frame/step"].try_get(executed);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::not_collected);
    CHECK_FALSE(contains(none.error().what, "0 of 0"));
    CHECK_FALSE(none.error().cause.empty());
    CHECK(of["frame/step"].try_values("smsp__inst_executed.sum")->empty());
}

TEST_CASE("a metric that was not asked for is unknown, and the nearest ones are offered") {
    report const of{three_steps()};
    auto const wrong = of["frame"].try_value("smsp__inst_execute.sum");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == errc::unknown_metric);
    CHECK(contains(wrong.error().remedy, "perhaps smsp__inst_executed.sum"));
    CHECK(of["frame"].try_get(metric<"dram__bytes_read.sum">).error().code == errc::unknown_metric);
    CHECK(of["frame"].try_values("").error().code == errc::unknown_metric);
    auto const long_name = of["frame"].try_value(std::string(10'000, 'x'));
    REQUIRE_FALSE(long_name);
    CHECK(long_name.error().message().size() < 1'000);
    CHECK_FALSE(of["frame"].try_value("smsp__inst_executed")); // the whole name, not its beginning
}

TEST_CASE("a path that is not there is an error that offers the nearest paths") {
    report const of{three_steps()};
    auto const wrong = of.try_range("frame/stop");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == errc::not_collected);
    CHECK(contains(wrong.error().what, "\"frame/stop\""));
    CHECK(contains(wrong.error().remedy, "frame/step"));
    CHECK_THROWS_AS(static_cast<void>(of["step"]), gpuprof::exception); // a path begins outermost
    for (std::string const& path : {std::string{}, std::string{"/"}, std::string{"frame/"}, std::string{"/frame"},
                                    std::string{"frame\0", 6}, std::string(10'000, 'f')}) {
        CHECK_FALSE(of.try_range(path));
        CHECK(of.try_range(path).error().message().size() < 1'000);
    }
}

TEST_CASE("a path missing from an incomplete report is explained by what went wrong") {
    auto made = three_steps();
    made.completeness.problems.push_back({errc::busy, 0, "the counters are taken", {}, {}});
    CHECK(report{std::move(made)}.try_range("render").error().cause == "busy: the counters are taken");
}

TEST_CASE("an empty report has no ranges and says so") {
    report const of;
    CHECK(of.size() == 0);
    CHECK(of.begin() == of.end());
    CHECK(of.complete());
    auto const wrong = of.try_range("frame");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().cause == "the report has no ranges");
}

TEST_CASE("names with a slash, empty names and equal paths are kept as they were given") {
    auto made = three_steps();
    std::size_t const top = report::range::top;
    made.ranges = {{"a/b", top, 1, {0}}, {"", top, 1, {1}}, {"x", 1, 1, {2}}};
    report const of{std::move(made)};
    CHECK(of["a/b"].name() == "a/b");
    CHECK(of["a/b"].depth() == 1);
    CHECK(of[""].name().empty());
    CHECK(of[""][executed].value() == 100);
    CHECK(of["/x"].name() == "x");
    CHECK(of["/x"][executed].value() == 30);
}

TEST_CASE("a copy of a report stands on its own") {
    report copy;
    {
        report const of{three_steps()};
        copy = of;
    }
    CHECK(copy["frame/step"][executed].value() == 45);
    report const moved{std::move(copy)};
    CHECK(moved["frame"][executed].value() == 100);
}

TEST_CASE("the embedded GPU's values say what they are") {
    auto made = three_steps();
    made.source = gpuprof::device_source::embedded;
    CHECK(report{std::move(made)}.source() == gpuprof::device_source::embedded);
}

TEST_CASE("deviations of repetitions add up by their squares, and are divided where values are averaged") {
    auto made = three_steps();
    CHECK(!report{made}["frame/step"].try_deviation(executed.name()).value()); // as counted
    CHECK(report{made}["frame/step"].times().empty());
    made.deviations.assign(made.values.size(), 0);
    made.deviations[0] = 2;  // of 10
    made.deviations[8] = 3;  // of 30
    made.deviations[12] = 6; // of 5
    made.deviations[3] = made.deviations[11] = made.deviations[15] = 5;
    made.times = {{{10}, {20}}, {{1}, {50}}, {{30}, {40}}, {{2}, {9}}};
    report const of{made};
    auto const step = of["frame/step"];
    CHECK(step.try_deviation(executed.name()).value().value() == 7); // 4 + 9 + 36
    CHECK(step.try_deviation(busy.name()).value().value() == doctest::Approx(5 * 1.7320508 / 3));
    CHECK(of["frame"].try_deviation(executed.name()).value().value() == 0);
    CHECK(step.try_deviation("smsp__inst_issued.sum").error().code == errc::unknown_metric);
    REQUIRE(step.times().size() == 3);
    CHECK(step.times()[0].start.ticks == 2); // the first step's
    CHECK(step.times()[2].end.ticks == 40);
}

} // namespace report_test

#endif
