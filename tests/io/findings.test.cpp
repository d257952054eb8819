// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/findings.hpp: what people read of an explanation in a terminal.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include <gpuprof/io/findings.hpp>
#include <gpuprof/io/short_number.hpp>

#include "support/paper_explanation.hpp"

namespace findings_test {

namespace explain = gpuprof::explain;
namespace io = gpuprof::io;

namespace {

std::size_t longest_line(std::string_view text) {
    std::size_t longest = 0;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        REQUIRE(end != text.npos); // the last line ends, too
        longest = std::max(longest, end);
        text.remove_prefix(end + 1);
    }
    return longest;
}
std::size_t times(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

} // namespace

TEST_CASE("numbers for people have four significant digits and letters from a million on") {
    CHECK(io::detail::short_number(0) == "0");
    CHECK(io::detail::short_number(12.3456) == "12.35");
    CHECK(io::detail::short_number(-0.00123456) == "-0.001235");
    CHECK(io::detail::short_number(999999) == "999,999");
    CHECK(io::detail::short_number(1331404.0) == "1.331 M");
    CHECK(io::detail::short_number(133140480) == "133.1 M");
    CHECK(io::detail::short_number(999999999) == "1 G");
    CHECK(io::detail::short_number(12345.678) == "12,346");
    CHECK(io::detail::short_duration(999.9) == "999.9 ns");
    CHECK(io::detail::short_duration(1000) == "1 us");
    CHECK(io::detail::short_duration(4125300) == "4.125 ms");
    CHECK(io::detail::short_value(40, gpuprof::percent_unit) == "40 %");
    CHECK(io::detail::short_value(2, gpuprof::one) == "2");
    CHECK(io::detail::short_value(1, gpuprof::unit_of(gpuprof::dimension::sector)) == "1 sector");
}

TEST_CASE("a finding as text says gain interval bound meaning advice and what it rests on") {
    auto const why = paper::explained();
    explain::finding bytes = *why.find("too_many_bytes");
    bytes.gain = {0.125, 0.25, 0.5, explain::limit::latency};
    std::string const text = io::text(bytes);
    CHECK(text == "Too many bytes: 25 % (13 to 50 %) of the time, then bound by latency [too_many_bytes]\n"
                  "  all & more is read\n"
                  "  To do: Read less.\n"
                  "  If mended: 500 bytes\n"
                  "  At a<b>.cu:12, b.cu:3\n"
                  "  Measured: bytes, over those <needed>: 2; threshold 1.25; rests on values that are modelled\n");
    CHECK(io::text(*why.find("it_ran")) == "It ran [it_ran]\n  it ran\n");
    std::ostringstream out;
    out << bytes;
    CHECK(out.str() == text);
}

TEST_CASE("an explanation as text begins with its ranges the longest first") {
    std::string const text = io::table(paper::explained());
    std::size_t const first = text.find("<img src=x"), second = text.find("saxpy"), third = text.find("2 x quiet");
    CHECK(first < second);
    CHECK(second < third);
    CHECK(third < text.find("Too many bytes"));
    CHECK(text.find("75 %  latency") != text.npos);
    CHECK(text.find("what <b>") != text.npos); // what is incomplete
    CHECK(text.find("1 metric is not to be had here: sections say why\n") != text.npos);
    CHECK(text.find("no driver") == text.npos); // the page says it
    CHECK(text.find("Times & bytes") != text.npos);
    CHECK(text.find("n/a [1]") != text.npos);
    CHECK(text.find("300  us") != text.npos);
    CHECK(text.find('\x1b') == text.npos);
}

TEST_CASE("an explanation as text fits the columns that it is told") {
    auto const why = paper::explained();
    for (std::size_t const columns : {80u, 100u, 140u}) {
        CAPTURE(columns);
        io::text_options options;
        options.columns = columns;
        CHECK(longest_line(io::table(why, options)) <= columns);
    }
    io::text_options narrow;
    narrow.columns = 1;
    io::text_options eighty;
    eighty.columns = 80;
    CHECK(io::table(why, narrow) == io::table(why, eighty));
}

TEST_CASE("rules that could not judge for one reason are one line unless all are asked for") {
    auto const why = paper::explained();
    CHECK(times(io::table(why), "no value of x") == 1);
    CHECK(io::table(why).find("2 rules could not judge 1 range: no value of x\n") != std::string::npos);
    io::text_options all;
    all.silences = true;
    CHECK(times(io::table(why, all), "no value of x") == 2);
    CHECK(io::table(why, all).find("it_ran of 2 x quiet: no value of x\n") != std::string::npos);
}

TEST_CASE("sections are written of as many ranges as are asked for") {
    auto const why = paper::explained();
    CHECK(times(io::table(why), "Times & bytes\n") == 3);
    io::text_options one;
    one.ranges = 1;
    std::string const text = io::table(why, one);
    CHECK(times(text, "Times & bytes\n") == 1);
    CHECK(text.find("2 more ranges") != text.npos);
}

TEST_CASE("colours add escape sequences and nothing else") {
    auto const why = paper::explained();
    io::text_options colours;
    colours.colour = true;
    std::string text = io::table(why, colours);
    explain::finding bytes = *why.find("too_many_bytes");
    bytes.gain.likely = 0.25;
    CHECK(times(io::text(bytes, colours), "\x1b[1;31mToo many bytes\x1b[0m") == 1); // a quarter of the time is red
    bytes.gain.likely = 0.1;
    CHECK(times(io::text(bytes, colours), "\x1b[1;33mToo many bytes\x1b[0m") == 1);
    CHECK(times(text, "\x1b[0m") * 2 == times(text, "\x1b["));
    for (std::size_t at = text.find('\x1b'); at != text.npos; at = text.find('\x1b', at))
        text.erase(at, text.find('m', at) - at + 1);
    CHECK(text == io::table(why));
}

TEST_CASE("a text shows a finding once for all launches of a kernel") {
    auto const why = paper::launched({{"loop", 2000, 1e5}, {"loop", 0, 3e5}, {"loop", 2000, 2e5}, {"other", 0, 4e5}});
    std::string const text = io::table(why, {.ranges = 0});
    auto const times = [&text](std::string_view what) {
        std::size_t count = 0;
        for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
        return count;
    };
    CHECK(times("[too_many_bytes]") == 1);
    double saved = 0;
    for (explain::finding const& each : why.findings())
        if (each.id == "too_many_bytes") saved += each.gain.likely * (each.range == 0 ? 0.1 : 0.2);
    long const together = std::lround(100 * saved);
    REQUIRE(together > 1);
    std::string const shown =
        "In 2 of 3 launches, which would save " + std::to_string(together) + " % of all time together.";
    CHECK_MESSAGE(times(shown) == 1, text);
    CHECK(times("In 3 of 3 launches. The numbers are those of the first launch.") == 1); // "it_ran"
    std::string const alone = io::table(paper::launched({{"loop", 2000, 100}}), {.ranges = 0});
    CHECK(alone.find("launches") == alone.npos);
}

} // namespace findings_test
