// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/explanation_csv.hpp: one value a line.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/io/explanation_csv.hpp>

#include "support/paper_explanation.hpp"

namespace explanation_csv_test {

namespace {

// The lines of a CSV (RFC 4180), cell by cell.
std::vector<std::vector<std::string>> cells_of(std::string_view text) {
    std::vector<std::vector<std::string>> lines{{{}}};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        std::string& cell = lines.back().back();
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') cell += text[++i];
        else if (c == '"') quoted = !quoted;
        else if (!quoted && c == ',') lines.back().emplace_back();
        else if (!quoted && c == '\r') CHECK(text[i + 1] == '\n');
        else if (!quoted && c == '\n') lines.push_back({{}});
        else cell += c;
    }
    CHECK_FALSE(quoted);
    CHECK(lines.back().size() == 1); // after the last line feed
    lines.pop_back();
    return lines;
}
enum column { kind, range, path, id, label, metric, value, text, unit, fidelity, missing, columns };

} // namespace

TEST_CASE("each value of an explanation is a line of CSV with as many cells as there are columns") {
    auto const lines = cells_of(gpuprof::io::csv(paper::explained()));
    REQUIRE(lines.size() > 10);
    CHECK(lines[0] == std::vector<std::string>{"kind", "range", "path", "id", "label", "metric", "value", "text",
                                               "unit", "fidelity", "missing"});
    for (auto const& line : lines) CHECK(line.size() == columns);
    auto const find = [&lines](std::string_view of, std::string_view place, std::string_view what,
                               std::string_view named) {
        for (auto const& line : lines)
            if (line[kind] == of && line[range] == place && line[id] == what && line[label] == named) return line;
        FAIL_CHECK("no line ", std::string{named});
        return std::vector<std::string>(columns);
    };
    CHECK(find("range", "0", "", "duration")[value] == "3000");
    CHECK(find("range", "0", "", "duration")[unit] == "ns");
    CHECK(find("range", "0", "", "share")[value] == "0.75");
    CHECK(find("range", "2", "", "launches")[value] == "2");
    auto const bytes = find("row", "0", "times", "Bytes a sector");
    CHECK(bytes[metric] == "dram__bytes_read.sum / dram__sectors_read.sum");
    CHECK(bytes[value] == "16");
    CHECK(bytes[unit] == "byte/sector");
    CHECK(bytes[fidelity] == "modelled");
    CHECK(bytes[missing].empty());
    CHECK(find("row", "0", "times", "Cache")[text] == "prefer <L1>");
    auto const lost = find("row", "0", "others", "Nothing");
    CHECK(lost[value].empty());
    CHECK(lost[missing].find("not collected") == 0);
    auto const measured = find("finding", "0", "too_many_bytes", "measured");
    CHECK(measured[value] == "2");
    CHECK(measured[text] == "bytes, over those <needed>");
    CHECK(measured[metric] == "dram__bytes_read.sum");
    CHECK(find("finding", "0", "too_many_bytes", "gain likely")[value] == "0.25");
    CHECK(find("finding", "0", "too_many_bytes", "gain most")[unit] == "ratio");
    CHECK(find("finding", "0", "too_many_bytes", "advice")[text] == "Read less.");
    CHECK(find("silence", "2", "it_ran", "")[missing] == "no value of x");
}

} // namespace explanation_csv_test
