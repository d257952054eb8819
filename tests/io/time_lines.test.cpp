// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/time_lines.hpp: sampled metrics as a picture, as data, and on the page of an explanation.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/io/time_lines.hpp>
#include <gpuprof/sample/pm_sampler.hpp>

#include "support/paper_explanation.hpp"
#include "support/sampled_gpu.hpp"

namespace time_lines_test {

namespace io = gpuprof::io;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::size_t times(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
    return count;
}
bool has(std::string_view text, std::string_view what) { return times(text, what) > 0; }

io::time_lines sampled(std::size_t samples = 4) {
    io::time_lines made;
    io::time_line busy{"sm__throughput.avg.pct_of_peak_sustained_elapsed", gpuprof::percent_unit, {}};
    io::time_line sectors{"lts<t>.sum", gpuprof::unit_of(gpuprof::dimension::sector), {}};
    for (std::size_t i = 0; i < samples; ++i) {
        made.begin.push_back(500 * static_cast<double>(i));
        made.end.push_back(made.begin.back() + 500);
        busy.values.push_back(i % 2 == 0 ? 25 : 75);
        sectors.values.push_back(i == 1 ? none : 1000 * static_cast<double>(i));
    }
    made.lines = {busy, sectors};
    return made;
}
// The points of a metric's line.
std::vector<double> heights(std::string const& svg, std::string_view metric) {
    std::size_t const data = svg.find("data-metric=\"" + std::string{metric});
    REQUIRE(data != svg.npos);
    std::size_t at = svg.rfind("points=\"", data) + 8;
    std::vector<double> made;
    std::size_t const end = svg.find('"', at);
    for (at = svg.find(',', at); at < end; at = svg.find(',', at + 1))
        made.push_back(std::stod(svg.substr(at + 1, 20)));
    return made;
}

} // namespace

TEST_CASE("time lines: a graph for each metric over the time of its samples") {
    std::string const svg = io::svg(sampled());
    CHECK(svg.starts_with("<svg "));
    CHECK(times(svg, "<polyline ") == 2);
    CHECK(has(svg, "data-samples=\"4\" data-mean=\"50\" data-least=\"25\" data-most=\"75\""));
    CHECK(has(
        svg,
        "data-samples=\"3\" data-mean=\"1666.6666666666667\" data-least=\"0\" data-most=\"3000\"")); // one has no value
    CHECK(has(svg, "lts&lt;t&gt;.sum"));
    CHECK_FALSE(has(svg, "lts<t>"));
    CHECK(has(svg, ">2 us</text>"));
    CHECK_FALSE(has(svg, "<polygon")); // each sample has its place
    // 100 % is 70 above 0 %: 25 % are 17.5, 75 % are 52.5.
    auto const busy = heights(svg, "sm__throughput");
    REQUIRE(busy.size() == 4);
    CHECK(busy[0] - busy[1] == doctest::Approx(35));
    CHECK(busy[0] == busy[2]);
    // The most is on top: 3000 are 70 above 0.
    auto const sectors = heights(svg, "lts");
    REQUIRE(sectors.size() == 3);
    CHECK(sectors[0] - sectors[2] == doctest::Approx(70));
}

TEST_CASE("time lines: samples that are closer than the picture's points become their mean and an area") {
    std::string const svg = io::svg(sampled(20000));
    CHECK(svg.size() < 40'000);
    CHECK(times(svg, "<polygon ") == 2);
    auto const busy = heights(svg, "sm__throughput");
    CHECK(busy.size() == 288);
    for (double const each : busy)
        CHECK(std::fabs(each - busy[0]) < 1.5); // 50 % throughout; an odd number of samples tilts it
}

TEST_CASE("time lines: nothing sampled says so, and losses are told") {
    CHECK(has(io::svg(io::time_lines{}), "n/a: no samples"));
    auto lines = sampled();
    lines.lines[1].values.assign(4, none);
    std::string const svg = io::svg(lines);
    CHECK(times(svg, "<polyline ") == 1);
    CHECK(has(svg, "n/a: no samples"));
    CHECK_FALSE(has(svg, "lost"));
    lines.complete = false;
    CHECK(has(io::svg(lines), "Samples were lost."));
}

TEST_CASE("time lines: as CSV and as JSON with all digits") {
    auto lines = sampled(2);
    lines.lines[0].values[0] = 1.0 / 3;
    CHECK(io::csv(lines) == "begin_ns,end_ns,sm__throughput.avg.pct_of_peak_sustained_elapsed,lts<t>.sum\r\n"
                            "0,500,0.3333333333333333,0\r\n"
                            "500,1000,75,\r\n");
    lines.first_ns = 12345678901234567890u;
    lines.range = "sa\"xpy";
    CHECK(io::json(lines) ==
          "{\"format\":\"gpuprof time "
          "lines\",\"version\":1,\"range\":\"sa\\\"xpy\",\"complete\":true,\"first_ns\":12345678901234567890,\n"
          "\"begin_ns\":[0,500],\n\"end_ns\":[500,1000],\n\"metrics\":[\n"
          "{\"name\":\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"unit\":\"%\",\"values\":[0."
          "3333333333333333,75]},\n"
          "{\"name\":\"lts<t>.sum\",\"unit\":\"sector\",\"values\":[0,null]}]}\n");
}

TEST_CASE("time lines: a page has them below the ranges of their name, or below the longest") {
    auto const why = paper::launched({{"short", 0, 1e5}, {"long", 0, 3e5}, {"short", 0, 2e5}});
    auto lines = sampled();
    gpuprof::io::page_options options;
    options.parts.push_back(io::time_line_part(lines));
    std::string_view const title = "<h5>Over time</h5>";
    CHECK(times(io::page(why, options), title) == 1);
    lines.range = "short";
    CHECK(times(io::page(why, options), title) == 2);
    lines.range = "sho";
    CHECK(times(io::page(why, options), title) == 0);
}

TEST_CASE("time lines: a series of a sampler without samples") {
    gpuprof::pm_series const nothing{
        {*gpuprof::try_metric("lts__t_sectors.sum")}, gpuprof::sampling_interval::nanoseconds(500), {}};
    auto const lines = io::time_lines_of(nothing, "saxpy");
    CHECK(lines.range == "saxpy");
    CHECK(lines.begin.empty());
    REQUIRE(lines.lines.size() == 1);
    CHECK(lines.lines[0].metric == "lts__t_sectors.sum");
    CHECK(has(io::svg(lines), "n/a: no samples"));
}

TEST_CASE("time lines: of a sampler of the embedded GPU") {
    test::sampled_gpu on;
    auto sampler = gpuprof::pm_sampler::try_create(*on.gpu, {.interval = gpuprof::sampling_interval::nanoseconds(500)},
                                                   gpuprof::metric<"lts__t_sectors.sum">);
    REQUIRE(sampler);
    REQUIRE(sampler->try_start());
    on.fill(4 << 20);
    on.wait();
    REQUIRE(sampler->try_stop());
    auto const series = sampler->try_take();
    REQUIRE(series);
    auto const lines = io::time_lines_of(*series);
    REQUIRE(lines.begin.size() == series->size());
    CHECK(lines.first_ns == series->time(0).start.ticks);
    CHECK(lines.complete);
    double sum = 0;
    for (std::size_t i = 0; i < lines.begin.size(); ++i) {
        CHECK(lines.begin[i] == 500 * static_cast<double>(i));
        if (i + 1 < lines.begin.size())
            CHECK(lines.end[i] == 500 * static_cast<double>(i + 1)); // the last may be shorter
        sum += lines.lines.at(0).values.at(i);
    }
    CHECK(sum == on.sectors(4 << 20));
}

} // namespace time_lines_test
