// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values over all samples, the metrics about sampling, and samples of one context, by arithmetic.
#include <gpuprof/sample/pm_series.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <gpuprof/sample/context_trace.hpp>
#include <gpuprof/sample/pm_sampler.hpp>

#include "support/sampled_gpu.hpp"

namespace pm_series_test {

namespace activity = gpuprof::activity;
using activity::context_switch_operation;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::pm_series;
using gpuprof::sampling_interval;

namespace {

activity::interval from(std::uint64_t begin, std::uint64_t end) { return {{begin}, {end}}; }

// A count, a percentage and a least: samples of 100, 100 and 200 ns.
pm_series three() {
    pm_series series{{gpuprof::metric_info{metric<"lts__t_sectors.sum">},
                      gpuprof::metric_info{metric<"lts__throughput.avg.pct_of_peak_sustained_elapsed">},
                      gpuprof::metric_info{metric<"lts__t_sectors.min">}},
                     sampling_interval::nanoseconds(100),
                     gpuprof::device_source::hardware};
    series.push(from(1000, 1100), std::vector<double>{10, 40, 1});
    series.push(from(1100, 1200), std::vector<double>{30, 20, 2});
    series.push(from(1200, 1400), std::vector<double>{5, 80, 0});
    return series;
}

struct records {
    std::vector<activity::context_switch> list;
    template <class F>
    void visit(F&& f) const {
        for (auto const& each : list) f(each);
        f(0); // a record of another kind
    }
};

} // namespace

TEST_CASE("samples over time: counts add up, rates are means over the time, and the least does not follow") {
    pm_series const series = three();
    CHECK(series.try_value("lts__t_sectors.sum")->value == 45);
    CHECK(series.try_value("pmsampling:lts__t_sectors.sum")->value == 45);
    CHECK(series.try_value("lts__throughput.avg.pct_of_peak_sustained_elapsed")->value ==
          (40 * 100 + 20 * 100 + 80 * 200) / 400.0);
    CHECK(series.try_value("lts__throughput.avg.pct_of_peak_sustained_elapsed")->unit == gpuprof::percent_unit);
    CHECK(series.try_value("lts__t_sectors.min").error().code == errc::unavailable);
    CHECK(series.try_value("dram__bytes_read.sum").error().code == errc::unknown_metric);
    pm_series const nothing{series.metrics(), series.interval(), series.source()};
    CHECK(nothing.try_value("lts__t_sectors.sum").error().code == errc::not_collected);
    CHECK(nothing.try_value("lts__throughput.avg.pct_of_peak_sustained_elapsed").error().code == errc::not_collected);
    pm_series torn = three();
    torn.push(from(1400, 1500), std::vector<double>{std::numeric_limits<double>::quiet_NaN(), 1, 1});
    CHECK(torn.try_value("lts__t_sectors.sum").error().code == errc::not_collected);
}

TEST_CASE("samples over time: those of a context are the ones that lie in its times as a whole") {
    gpuprof::context_trace switches;
    CHECK(switches.empty());
    switches.add(records{{{7, {1390}, context_switch_operation::end},   // records come in any order
                          {7, {1050}, context_switch_operation::start}, // cuts the first sample
                          {8, {900}, context_switch_operation::start},
                          {8, {1050}, context_switch_operation::end},
                          {7, {0}, context_switch_operation::start}}}); // a time that CUPTI could not take
    CHECK_FALSE(switches.empty());
    auto const mine = switches.active(7);
    REQUIRE(mine.size() == 1);
    CHECK(mine[0] == from(1050, 1390));
    CHECK(switches.active(8) == std::vector<activity::interval>{from(900, 1050)});
    CHECK(switches.active(9).empty());
    pm_series const kept = three().during(mine);
    REQUIRE(kept.size() == 1);
    CHECK(kept.time(0) == from(1100, 1200));
    CHECK(kept.try_value("lts__t_sectors.sum")->value == 30);
    CHECK(three().during(switches.active(8)).size() == 0);
    std::vector<activity::interval> const two{from(900, 1100), from(1150, 2000)};
    CHECK(three().during(two).size() == 2);
    CHECK(three().during({}).size() == 0);
}

TEST_CASE("samples over time: a context whose begin or end has no record is active from the beginning, or to the end") {
    gpuprof::context_trace switches;
    switches.add(activity::context_switch{7, {500}, context_switch_operation::end});
    switches.add(activity::context_switch{7, {800}, context_switch_operation::start});
    auto const times = switches.active(7);
    REQUIRE(times.size() == 2);
    CHECK(times[0] == from(0, 500));
    CHECK(times[1] == from(800, ~std::uint64_t{0}));
}

TEST_CASE("samples over time: the sampling itself has its metrics by name") {
    test::sampled_gpu on;
    auto made = gpuprof::pm_sampler::try_create(
        *on.gpu, {.interval = sampling_interval::nanoseconds(500), .buffer_bytes = 8 << 20, .max_samples = 2},
        metric<"lts__t_sectors.sum">);
    REQUIRE(made);
    REQUIRE(made->try_start());
    on.fill(16 << 20);
    on.wait();
    REQUIRE(made->try_stop());
    auto const series = made->try_take();
    REQUIRE(series);
    auto const value = [&](std::string_view name) { return series->try_value(name).value().value; };
    CHECK(value("profiler__pmsampler_buffer_size_bytes") == 8 << 20);
    CHECK(value("profiler__pmsampler_interval_time") == 500);
    CHECK(value("profiler__pmsampler_interval_cycles") == 0);
    CHECK(value("profiler__pmsampler_pass_groups") == 1);
    CHECK(value("profiler__pmsampler_merged_samples") == 0);
    CHECK(value("profiler__pmsampler_dropped_samples") == static_cast<double>(series->losses().over_room));
    CHECK(value("profiler__pmsampler_dropped_samples") > 0);
    auto const switches = series->try_value("profiler__pmsampler_ctxsw_any");
    REQUIRE(!switches);
    CHECK(switches.error().code == errc::unavailable);
    CHECK(switches.error().remedy.find("context_trace") != std::string::npos);
    CHECK(series->try_value("profiler__pmsampler_no_such").error().code == errc::unavailable);
    CHECK(series->try_value("profiler__pmsampler_interval_cycles")->unit ==
          gpuprof::unit_of(gpuprof::dimension::cycle_sys));
}

} // namespace pm_series_test
