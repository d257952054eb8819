// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/page.hpp: the page's text. tests/page opens it in a browser.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/io/page.hpp>
#include <gpuprof/text/html_text.hpp>

#include "support/paper_explanation.hpp"
#include "support/scratch_directory.hpp"

namespace page_test {

namespace explain = gpuprof::explain;
namespace io = gpuprof::io;

namespace {

std::size_t times(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
// What is there without JavaScript.
std::string_view still(std::string_view page) { return page.substr(0, page.find("<script")); }

} // namespace

TEST_CASE("text in HTML is shown as it is") {
    CHECK(gpuprof::detail::html_text("a<b> & \"c\" 'd'\n") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\n");
    CHECK(gpuprof::detail::html_text("\xc3\xa4\xff\x01\x7f") == "\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(gpuprof::detail::html_text(std::string_view{"\0x", 2}) == "\xef\xbf\xbdx");
    CHECK(gpuprof::detail::html_text("").empty());
}

TEST_CASE("no name of a kernel becomes an element of the page") {
    io::page_options options;
    options.title = paper::hostile;
    options.facts = {{std::string{paper::hostile}, std::string{paper::hostile}}};
    options.baselines.push_back({std::string{paper::hostile}, paper::explained(1000)});
    std::string const page = io::page(paper::explained(), options);
    CHECK_FALSE(has(page, "<img"));
    CHECK(times(page, "<script") == 2); // the data, and what the page does
    CHECK(times(page, "</script") == 2);
    CHECK(has(still(page), "&lt;img src=x onerror="));
}

TEST_CASE("a page loads nothing") {
    std::string const page = io::page(paper::explained());
    CHECK(has(page, "default-src 'none'"));
    std::string_view rest = page;
    for (std::string_view const each :
         {"src=\"", " src=http", "url(", "@import", "href=\"http", "<link", "<iframe", "fetch("})
        CHECK_FALSE(has(rest, each));
    CHECK(times(page, "http") == times(page, "http-equiv") + times(page, "http://www.w3.org/2000/svg"));
}

TEST_CASE("summary and findings of a page need no JavaScript") {
    std::string const page = io::page(paper::explained());
    std::string_view const text = still(page);
    for (std::string_view const each :
         {"Paper &lt;GPU&gt;", "what &lt;b&gt;", "Too many bytes", "too_many_bytes", "all &amp; more is read",
          "Read less.", "bytes, over those &lt;needed&gt;", "a&lt;b&gt;.cu:12", "500 bytes", "no value of x", "300 us",
          "latency", "75 %", "embedded GPU"})
        CHECK_MESSAGE(has(text, each), each);
    CHECK(times(text, "<article ") == paper::explained().findings().size());
    CHECK(times(text, ">nothing found<") == 2); // of two of the three ranges
    explain::gain const gain = paper::explained().find("too_many_bytes")->gain;
    REQUIRE(gain.likely >= 0.005);
    std::size_t const at = text.find("data-likely="); // all digits, for programs
    REQUIRE(at != text.npos);
    CHECK(std::stod(std::string{text.substr(at + 12, 30)}) == gain.likely);
    auto const whole = [](double share) { return std::to_string(std::lround(100 * share)); };
    std::string const shown =
        "<b>" + whole(gain.likely) + " %</b> of its time (" + whole(gain.least) + " to " + whole(gain.most) + " %)";
    CHECK_MESSAGE(has(text, shown), shown);
}

TEST_CASE("a page lists a finding once for all launches of a kernel and shows it at each") {
    auto const why = paper::launched({{"loop", 2000, 1e5}, {"loop", 0, 3e5}, {"loop", 2000, 2e5}, {"other", 0, 4e5}});
    std::string const page = io::page(why);
    CHECK(times(still(page), "<th scope=row><a href=\"#f") == 1);
    CHECK(times(still(page), "<small>in 2 of 3 launches; the one that saves the most</small>") == 1);
    CHECK(times(still(page), "<article ") == why.findings().size());
    CHECK(has(still(page), "<b>1</b>finding<")); // tile
    double together = 0;
    for (explain::finding const& each : why.findings())
        if (each.id == "too_many_bytes") together += each.gain.likely * (each.range == 0 ? 0.1 : 0.2);
    REQUIRE(together > 0.01);
    std::size_t const at = page.find("<td class=\"n wide\" data-v=", page.find("id=findings"));
    REQUIRE(at != page.npos);
    CHECK(std::stod(page.substr(at + 27, 30)) == doctest::Approx(together));
}

TEST_CASE("a page compares with reports of before by path") {
    io::page_options options;
    options.baselines.push_back({"before", paper::explained(1000)});
    options.baselines.push_back({"nothing", explain::explanation{}});
    std::string const page = io::page(paper::explained(), options);
    CHECK(times(still(page), ">before</th>") == 2); // ranges, findings
    CHECK(times(still(page), "not there") == 3);    // none of the three ranges is in an empty report
    CHECK(has(still(page), ">same<"));              // both took 0.3 ms
    CHECK(has(page, "\"baselines\":[{\"name\":\"before\""));
    CHECK(times(page, "null,\nnull,\nnull") == 1);
}

TEST_CASE("a finding that is there no more is named") {
    io::page_options options;
    options.baselines.push_back({"before", paper::explained()});
    std::string const page = io::page(paper::explained(0), options);
    CHECK(has(still(page), "<summary>1 finding of before is here no more</summary>\n<ul>\n<li>Too many bytes, "));
}

TEST_CASE("a page has the pictures that it is given while there is room") {
    io::page_options options;
    int asked = 0;
    options.parts.push_back({"times", "Roofline",
                             [](void const* count, explain::explanation const& of, std::size_t range) {
                                 ++*static_cast<int*>(const_cast<void*>(count));
                                 CHECK(range < of.ranges().size());
                                 return range == 1 ? std::string{} : std::string{"<svg role=img></svg>"};
                             },
                             &asked});
    std::string const page = io::page(paper::explained(), options);
    CHECK(asked == 3);
    CHECK(times(page, "data-s=\"times\"><h5>Roofline</h5>\n<svg role=img></svg>") == 2);
    CHECK_FALSE(has(page, "Pictures are left out"));
    std::string_view const note = "<p class=soft>Pictures are left out, to keep the page small.</p>\n";
    options.bytes = page.size() + 3 * note.size() - 1; // there is room for a note of each range
    std::string const small = io::page(paper::explained(), options);
    CHECK(times(small, "<h5>Roofline</h5>") == 1);
    CHECK(times(small, "Pictures are left out") == 1);
    CHECK(small.find("<h5>Roofline</h5>") < small.find("Pictures are left out")); // the longest range has one
    options.bytes = 0;
    asked = 0;
    std::string const least = io::page(paper::explained(), options);
    CHECK(times(least, "Pictures are left out") == 3);
    CHECK(asked == 1); // then it is known that there is no room
    CHECK(times(least, "<article ") == paper::explained().findings().size());
}

TEST_CASE("a page is written to a file") {
    scratch_directory const place;
    std::string const path = place.path() + "/why.html";
    REQUIRE(io::try_write_page(path, paper::explained()));
    std::ifstream file{path, std::ios::binary};
    std::string const written{std::istreambuf_iterator<char>{file}, {}};
    CHECK(written == io::page(paper::explained()));
    auto const failed = io::try_write_page(place.path() + "/none/why.html", paper::explained());
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == gpuprof::errc::io);
}

// Says as much as a rule that finds something.
void judge_all(explain::examination_of_range& of) {
    for (std::string const& name : explain::bottleneck_metric_names()) {
        static_cast<void>(of.values.find(name));
        if (of.values.read().size() == 8) break;
    }
    explain::finding what;
    what.condition = "sectors of a request for global memory, over those that its bytes fill";
    what.measured = 8.123456789;
    what.meaning =
        "32 sectors a request, where 4 would do: 87.5 % of what L1 looks up is not used, and DRAM reads all of it";
    what.lines = {"some/folder/of_kernels/saxpy.cu:112", "some/folder/of_kernels/saxpy.cu:113"};
    what.what_if = "with 32 words more a row: 4 sectors a request, 65,536 sectors of L2, and 2,097,152 bytes from DRAM";
    of.say(std::move(what), explain::change{}.scale("long_scoreboard", 0.3));
}

TEST_CASE("a page of 100 ranges with the full set and six findings each has at most 2 MB") {
    gpuprof::report::contents made;
    for (std::string const& name : explain::metric_names_of(explain::set::full))
        if (auto metric = gpuprof::try_metric(name)) made.metrics.push_back(*metric);
    for (int range = 0; range < 100; ++range) {
        made.ranges.push_back(
            {"a_kernel_of_some_library::with_a_name<of, " + std::to_string(range) + ", parameters>(float*)",
             gpuprof::report::range::top,
             1,
             {made.ranges.size()}});
        for (std::size_t i = 0; i < made.metrics.size(); ++i) // as many digits as numbers have
            made.values.push_back(99 * std::fabs(std::sin(static_cast<double>(made.values.size()))));
    }
    explain::rule const rule{
        "uncoalesced_global_access",
        "Uncoalesced access to global memory",
        "speed_of_light",
        "Let neighbouring threads access neighbouring addresses: arrays of members instead of arrays of "
        "structures, or a tile in shared memory.",
        {},
        &judge_all};
    std::vector<explain::rule> const rules(6, rule);
    explain::explanation const why{gpuprof::report{std::move(made)}, explain::set::full, rules};
    CHECK(why.findings().size() == 600);
    std::string const page = io::page(why);
    CHECK(page.size() > 500'000);
    CHECK(page.size() <= 2'000'000);
}

} // namespace page_test
