// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/table.hpp: the text, to the character.
#include <doctest/doctest.h>

#include <clocale>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/io/table.hpp>

namespace table_test {

using gpuprof::errc;
using gpuprof::metric;
using gpuprof::report;
using gpuprof::io::number;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

report::contents small_report() {
    report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    made.hardware = "range profiler";
    made.metrics = {metric<"dram__bytes_read.sum">, metric<"l1tex__t_sector_hit_rate.pct">};
    made.values = {133140480, 50, 1024, 82.131801};
    made.values.insert(made.values.end(), {2048, 80});
    made.ranges = {{"frame", report::range::top, 1, {0}}, {"step", 0, 2, {1, 2}}};
    made.completeness.passes_needed = 2;
    made.completeness.replay_passes = 3;
    return made;
}

std::size_t lines(std::string const& text) {
    std::size_t count = 0;
    for (char const c : text) count += c == '\n';
    return count;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("whole numbers are grouped by thousands") {
    CHECK(number(0) == "0");
    CHECK(number(7) == "7");
    CHECK(number(999) == "999");
    CHECK(number(1'000) == "1,000");
    CHECK(number(12'345) == "12,345");
    CHECK(number(999'999) == "999,999");
    CHECK(number(1'000'000) == "1,000,000");
    CHECK(number(133'140'480) == "133,140,480");
    CHECK(number(9007199254740991.0) == "9,007,199,254,740,991"); // 2^53 - 1
}

TEST_CASE("negative numbers are grouped behind their sign, and zero has none") {
    CHECK(number(-1) == "-1");
    CHECK(number(-999) == "-999");
    CHECK(number(-1'000) == "-1,000");
    CHECK(number(-123'456'789) == "-123,456,789");
    CHECK(number(-0.0) == "0");
}

TEST_CASE("fractions have six significant digits, and all of their whole part") {
    CHECK(number(82.131801) == "82.1318");
    CHECK(number(0.5) == "0.5");
    CHECK(number(-2.25) == "-2.25");
    CHECK(number(1234567.5) == "1,234,568");
    CHECK(number(1e-10) == "1e-10");
    CHECK(number(1e20) == "1e+20");
    CHECK(number(-9007199254740992.0) == "-9,007,199,254,740,992");
    CHECK(number(std::numeric_limits<double>::max()) == "1.79769e+308");
    CHECK(number(std::numeric_limits<double>::denorm_min()) == "4.94066e-324");
}

TEST_CASE("what is no number says so") {
    CHECK(number(nan) == "not collected");
    CHECK(number(-nan) == "not collected");
    CHECK(number(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(number(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("numbers do not change with the locale") {
    std::string const before = std::setlocale(LC_NUMERIC, nullptr);
    bool found = false;
    for (char const* const name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "fr_FR"})
        if (!found && std::setlocale(LC_NUMERIC, name) != nullptr) found = std::localeconv()->decimal_point[0] == ',';
    if (found) {
        CHECK(number(82.131801) == "82.1318");
        CHECK(number(133'140'480) == "133,140,480");
    } else {
        MESSAGE("skipped: no locale with a decimal comma is installed");
    }
    std::setlocale(LC_NUMERIC, before.c_str());
}

TEST_CASE("a small report is this text") {
    CHECK(gpuprof::io::table(report{small_report()}) ==
          "Paper GPU (GH100), range profiler: 2 metrics, 2 passes, 3 replay passes\n"
          "range   count  metric                              value  unit\n"
          "frame       1  dram__bytes_read.sum          133,140,480  bytes\n"
          "               l1tex__t_sector_hit_rate.pct           50  %\n"
          "  step      2  dram__bytes_read.sum                3,072  bytes\n"
          "               l1tex__t_sector_hit_rate.pct      81.0659  % (mean)\n");
}

TEST_CASE("a stream takes a report as its table") {
    report const of{small_report()};
    std::ostringstream out;
    out << of << "done";
    CHECK(out.str() == gpuprof::io::table(of) + "done");
}

TEST_CASE("what is missing stands in its place, and under the table why") {
    auto made = small_report();
    made.values[0] = nan;
    made.completeness.problems = {{errc::busy, 26, "the counters are taken", "another session", "wait"},
                                  {errc::invalid_state, 0, "1 scopes were open", {}, {}}};
    CHECK(gpuprof::io::table(report{std::move(made)}) ==
          "Paper GPU (GH100), range profiler: 2 metrics, 2 passes, 3 replay passes\n"
          "range   count  metric                                value  unit\n"
          "frame       1  dram__bytes_read.sum          not collected  bytes\n"
          "               l1tex__t_sector_hit_rate.pct             50  %\n"
          "  step      2  dram__bytes_read.sum                  3,072  bytes\n"
          "               l1tex__t_sector_hit_rate.pct        81.0659  % (mean)\n"
          "incomplete: busy: the counters are taken; because another session; remedy: wait\n"
          "incomplete: invalid state: 1 scopes were open\n");
}

TEST_CASE("one pass, one replay pass, no chip name and the embedded GPU are worded for it") {
    auto made = small_report();
    made.chip.clear();
    made.source = gpuprof::device_source::embedded;
    made.completeness.passes_needed = made.completeness.replay_passes = 1;
    std::string const text = gpuprof::io::table(report{std::move(made)});
    CHECK(text.substr(0, text.find('\n')) ==
          "Paper GPU, embedded GPU: not hardware, range profiler: 2 metrics, 1 pass, 1 replay pass");
}

TEST_CASE("as many replay passes as passes times levels of scopes are said so") {
    auto made = small_report();
    made.completeness.replay_passes = 4;
    std::string const text = gpuprof::io::table(report{std::move(made)});
    CHECK(text.substr(0, text.find('\n')) ==
          "Paper GPU (GH100), range profiler: 2 metrics, 2 passes x 2 levels of scopes = 4 replay passes");
}

TEST_CASE("0/0 is not a number, neither 0 nor lost") {
    auto made = small_report();
    made.values[1] = nan;
    CHECK(
        contains(gpuprof::io::table(report{std::move(made)}), "l1tex__t_sector_hit_rate.pct  not a number (0/0)  %\n"));
}

TEST_CASE("scopes of other threads are told below the table, and are no lack") {
    auto made = small_report();
    made.completeness.other_threads = 3;
    std::string const text = gpuprof::io::table(report{made});
    CHECK(contains(text, "\n3 scopes of other threads are no ranges of this report\n"));
    CHECK_FALSE(contains(text, "incomplete"));
    made.completeness.other_threads = 1;
    CHECK(contains(gpuprof::io::table(report{std::move(made)}),
                   "\n1 scope of another thread is no range of this report\n"));
}

TEST_CASE("deep ranges say their level instead of growing the lines") {
    auto made = small_report();
    made.ranges.clear();
    for (std::size_t i = 0; i < 3'000; ++i)
        made.ranges.push_back({"level", i == 0 ? report::range::top : i - 1, 1, {0}});
    std::string const text = gpuprof::io::table(report{std::move(made)});
    CHECK(contains(text, "(level 3000) level"));
    CHECK(contains(text, "\n" + std::string(62, ' ') + "level "));
    CHECK(contains(text, "\n" + std::string(62, ' ') + "(level 33) level "));
    CHECK(text.size() < 2 * 3'000 * 160);
}

TEST_CASE("columns are as wide as their widest cell, and no line ends in a blank") {
    auto made = small_report();
    made.ranges[1].name = "a much longer name";
    made.ranges[1].count = 1'000'000;
    std::string const text = gpuprof::io::table(report{std::move(made)});
    std::istringstream in{text};
    std::string line;
    std::getline(in, line);
    std::getline(in, line);
    std::size_t const metric_at = line.find("metric");
    while (std::getline(in, line)) {
        CHECK((line.find("dram__") == metric_at || line.find("l1tex__") == metric_at));
        CHECK(line.back() != ' ');
    }
    CHECK(contains(text, "  a much longer name  1000000  dram__"));
}

TEST_CASE("estimates have two digits of their deviation, and numbers that no whole number of the machine holds stay "
          "themselves") {
    auto const shown = [](double value, double deviation) {
        report::contents made;
        made.metrics = {metric<"dram__bytes_read.sum">};
        made.ranges = {{"r", report::range::top, 1, {0}}};
        made.values = {value};
        made.deviations = {deviation};
        return gpuprof::io::table(report{std::move(made)});
    };
    CHECK(contains(shown(6'164'581.6, 87'123), "6,164,582 +- 87,000"));
    CHECK(contains(shown(-1234.5, 2.26), "-1,235 +- 2.3"));
    CHECK(contains(shown(3e300, 2), "3e+300 +- 2"));
    CHECK(contains(shown(-3e300, 1e140), "-3e+300 +- 1e+140"));
    CHECK(contains(shown(7, std::numeric_limits<double>::infinity()), "7 +- inf"));
}

TEST_CASE("an empty report is its heading") {
    CHECK(gpuprof::io::table(report{}) ==
          ", : 0 metrics, 0 passes, 0 replay passes\nrange  count  metric  value  unit\n");
}

TEST_CASE("a range's name stays on its line, however long and whatever is in it") {
    auto made = small_report();
    std::size_t const expected = lines(gpuprof::io::table(report{small_report()}));
    made.ranges[0].name = "two\nlines\tand \x1b[31mred";
    made.ranges[1].name = std::string(255, 'n');
    std::string const text = gpuprof::io::table(report{std::move(made)});
    CHECK(lines(text) == expected);
    CHECK(contains(text, "two?lines?and ?[31mred"));
    CHECK_FALSE(contains(text, "\x1b"));
}

} // namespace table_test
