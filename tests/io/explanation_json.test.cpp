// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/explanation_json.hpp: an explanation, read back by the strict reader.
#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/io/explanation_json.hpp>
#include <gpuprof/text/json_value.hpp>

#include "support/paper_explanation.hpp"

namespace explanation_json_test {

namespace explain = gpuprof::explain;

namespace {

gpuprof::json_value parsed(std::string const& text) {
    auto read = gpuprof::try_read_json(text);
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    return *std::move(read);
}
gpuprof::json_value const& at(gpuprof::json_value const& of, std::string_view name) {
    gpuprof::json_value const* const found = of.find(name);
    REQUIRE_MESSAGE(found != nullptr, std::string{name});
    return *found;
}
gpuprof::json_value const& at(gpuprof::json_value const& of, std::size_t place) {
    REQUIRE(place < of.items.size());
    return of.items[place];
}
bool is_null(gpuprof::json_value const& of) { return of.is == gpuprof::json_value::type::null; }
void check_gain(gpuprof::json_value const& read, explain::gain const& of) {
    CHECK(at(read, "least").number == of.least);
    CHECK(at(read, "likely").number == of.likely);
    CHECK(at(read, "most").number == of.most);
}

} // namespace

TEST_CASE("an explanation as JSON names its format and what was measured") {
    auto const read = parsed(gpuprof::io::json(paper::explained()));
    CHECK(read.text_of("format") == "gpuprof explanation");
    CHECK(at(read, "version").number == 1);
    CHECK(read.text_of("device") == "Paper <GPU>");
    CHECK(read.text_of("chip") == "GH100");
    CHECK(read.text_of("source") == "embedded");
    CHECK(at(read, "passes_needed").number == 3);
    CHECK_FALSE(at(read, "complete").boolean);
    CHECK(at(at(read, "problems"), 0).text_of("what") == "what <b>");
    CHECK(at(at(read, "problems"), 0).text_of("cause") == "why\n");
}

TEST_CASE("the ranges of an explanation as JSON have what the explanation says of them") {
    auto const why = paper::explained();
    auto const read = parsed(gpuprof::io::json(why));
    auto const& ranges = at(read, "ranges");
    REQUIRE(ranges.items.size() == 3);
    CHECK(at(ranges, 0).text_of("path") ==
          std::string{paper::hostile.substr(0, paper::hostile.size() - 1)} + "\xef\xbf\xbd");
    CHECK(at(at(ranges, 0), "nanoseconds").number == 300000);
    CHECK(at(at(ranges, 0), "share").number == 0.75); // 0.3 ms of 0.4
    CHECK(at(at(ranges, 1), "share").number == 0.25);
    CHECK(is_null(at(at(ranges, 2), "nanoseconds")));
    CHECK(at(at(ranges, 2), "launches").number == 2);
    CHECK(at(ranges, 0).text_of("bound") == "latency");
    check_gain(at(at(ranges, 0), "gain"), why.ranges()[0].together);
    CHECK(is_null(at(at(ranges, 0), "parent")));
}

TEST_CASE("the values of an explanation as JSON stand in the order of the rows and say why they are missing") {
    auto const read = parsed(gpuprof::io::json(paper::explained()));
    auto const& section = at(at(read, "sections"), 0);
    CHECK(section.text_of("id") == "times");
    CHECK(section.text_of("title") == "Times & bytes");
    auto const& rows = at(section, "rows");
    REQUIRE(rows.items.size() == std::size(paper::time_rows));
    CHECK(at(rows, 0).text_of("unit") == "ns");
    CHECK(at(rows, 1).text_of("label") == "Bytes <read>");
    CHECK(at(rows, 1).text_of("fidelity") == "modelled");
    CHECK(at(rows, 2).text_of("metric") == "dram__bytes_read.sum");
    CHECK(at(rows, 2).text_of("over") == "dram__sectors_read.sum");
    CHECK(at(rows, 2).text_of("unit") == "byte/sector");
    auto const& values = at(at(at(at(read, "ranges"), 0), "sections"), "times");
    auto const& numbers = at(values, "values");
    CHECK(at(numbers, 0).number == 300000);
    CHECK(at(numbers, 1).number == 2000);
    CHECK(at(numbers, 2).number == 16); // 2000 bytes of 125 sectors
    CHECK(at(numbers, 5).number == 50);
    CHECK(at(numbers, 6).text == "prefer <L1>");
    CHECK(values.find("missing") == nullptr);
    auto const& lost = at(at(at(at(read, "ranges"), 0), "sections"), "others");
    CHECK(is_null(at(at(lost, "values"), 0)));
    auto const& missing = at(at(lost, "missing"), 0);
    CHECK(at(missing, 0).number == 0); // the row
    auto const& reason = at(at(read, "reasons"), static_cast<std::size_t>(at(missing, 1).number));
    CHECK(reason.text_of("code") == "not collected");
}

TEST_CASE("the findings of an explanation as JSON have all their members and silences their reason") {
    auto const why = paper::explained();
    auto const read = parsed(gpuprof::io::json(why));
    auto const& findings = at(read, "findings");
    REQUIRE(findings.items.size() == why.findings().size());
    auto const& first = at(findings, 0);
    CHECK(first.text_of("id") == "too_many_bytes");
    CHECK(first.text_of("kind") == "advice");
    CHECK(at(first, "range").number == 0);
    CHECK(first.text_of("condition") == "bytes, over those <needed>");
    CHECK(at(first, "measured").number == 2);
    CHECK(at(first, "threshold").number == 1.25);
    CHECK(first.text_of("unit") == "ratio");
    CHECK(at(at(first, "gain"), "likely").number > 0);
    CHECK(first.text_of("meaning") == "all & more is read");
    CHECK(first.text_of("advice") == "Read less.");
    CHECK(at(at(first, "metrics"), 0).text == "dram__bytes_read.sum");
    CHECK(first.text_of("trust") == "modelled");
    CHECK(at(at(first, "lines"), 1).text == "b.cu:3");
    CHECK(first.text_of("what_if") == "500 bytes");
    for (std::size_t i = 0; i < findings.items.size(); ++i) {
        CHECK(at(findings, i).text_of("id") == why.findings()[i].id);
        CHECK(at(at(findings, i), "measured").number == why.findings()[i].measured);
        check_gain(at(at(findings, i), "gain"), why.findings()[i].gain);
    }
    auto const& silences = at(read, "silences");
    REQUIRE(silences.items.size() == 2);
    CHECK(at(silences, 0).text_of("id") == "too_many_bytes");
    CHECK(at(at(silences, 0), "range").number == 2);
    CHECK(at(silences, 0).text_of("why") == "no value of x");
}

TEST_CASE("JSON has each launch's finding and says which one stands for it") {
    auto const why = paper::launched({{"loop", 2000, 100}, {"loop", 0, 300}, {"loop", 2000, 200}, {"other", 2000, 50}});
    auto const read = parsed(gpuprof::io::json(why));
    auto const& findings = at(read, "findings");
    REQUIRE(findings.items.size() == 3 + 4); // "it_ran" at each
    CHECK(at(at(findings, 0), "range").number == 2);
    CHECK(at(at(findings, 0), "alike").number == 0);
    CHECK(at(at(findings, 1), "range").number == 0);
    CHECK(at(at(findings, 1), "alike").number == 0);
    CHECK(at(at(findings, 2), "range").number == 3);
    CHECK(at(at(findings, 2), "alike").number == 2);
}

TEST_CASE("an explanation of nothing is JSON with empty lists") {
    auto const read = parsed(gpuprof::io::json(explain::explanation{}));
    CHECK(at(read, "ranges").items.empty());
    CHECK(at(read, "findings").items.empty());
    CHECK(at(read, "sections").items.empty());
}

} // namespace explanation_json_test
