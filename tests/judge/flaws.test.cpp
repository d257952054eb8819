// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// judge/flaws.hpp and io/verdicts.hpp: a report says in words what is bad, by the conditions and with the advice of expect::.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>

#include "judge/judged_reports.hpp"

namespace flaws_test {

namespace metrics = gpuprof::metrics;
using gpuprof::find_flaws;
using gpuprof::io::verdicts;

static made_value value(std::string_view metric, double number) { return {*gpuprof::try_metric(metric), number}; }

// All metrics of flaw_metrics, as a kernel counts them in 1,000 warps that load and store 4 bytes a thread, side by side.
static std::vector<made_value> clean() {
    std::vector<made_value> all;
    for (std::string_view const metric : gpuprof::flaw_metrics) all.push_back(value(metric, 0));
    for (std::size_t const sectors : {0u, 2u}) all[sectors].value = 4000;
    for (std::size_t const requests : {1u, 3u}) all[requests].value = 1000;
    all[6].value = all[7].value = 1000; // wavefronts of loads and stores
    all[9].value = 5000;                // branch targets
    all[16].value = all[17].value = 128'000;
    all[18].value = 32; // threads of an instruction
    return all;
}

TEST_CASE("flaws: a clean report has none, and one line says what was looked for") {
    auto const of = report_of(clean());
    CHECK(find_flaws(of).flaws.empty());
    CHECK(has(verdicts(of), "not found: uncoalesced global loads, uncoalesced global stores, bank conflicts"));
    CHECK(has(verdicts(of), "divergence, local memory"));
}

TEST_CASE("flaws: uncoalesced loads are told with the number, what would do, and the advice of the expectation") {
    auto values = clean();
    values[0].value = 32'000;
    auto const of = report_of(values);
    auto const found = find_flaws(of);
    REQUIRE(found.flaws.size() == 1);
    CHECK(found.flaws[0].name == "uncoalesced global loads");
    CHECK(found.flaws[0].range == "step");
    CHECK(found.flaws[0].share == doctest::Approx(28.0 / 32));
    CHECK(has(found.flaws[0].meaning, "32 sectors per request, where 4 would do"));
    auto const outcome = gpuprof::expect::coalesced_global_loads()(gpuprof::observation{of, "step"});
    CHECK(has(outcome.text(), found.flaws[0].advice));
    CHECK(has(outcome.text(), found.flaws[0].meaning));
    CHECK(has(verdicts(of), "uncoalesced global loads: step: 32 sectors per request, where 4 would do"));
}

TEST_CASE("flaws: accesses of 8 bytes a thread need 8 sectors, and are no flaw") {
    auto values = clean();
    values[0].value = 8000;
    CHECK(find_flaws(report_of(values)).flaws.size() == 1);
    values[16].value = 256'000;
    CHECK(find_flaws(report_of(values)).flaws.empty());
    // Where the bytes were not measured, 16 sectors may be right.
    values.resize(16);
    values[0].value = 16'000;
    CHECK(find_flaws(report_of(values)).flaws.empty());
    values[0].value = 32'000;
    CHECK(find_flaws(report_of(values)).flaws.size() == 1);
}

TEST_CASE("flaws: bank conflicts, divergence and local memory from a fifth of what was counted on") {
    struct row {
        std::size_t place;
        double little;
        double much;
        char const* name;
        char const* words;
    };
    constexpr row rows[]{
        {4, 390, 1000, "bank conflicts", "1,000 of 2,000 wavefronts of shared memory only repeat"},
        {8, 990, 2500, "divergence", "2,500 of 5,000 branch targets were taken by a part of a warp only"},
        {10, 1990, 4000, "local memory", "4,000 sectors of local memory"},
    };
    for (row const& each : rows) {
        auto values = clean();
        values[each.place].value = each.little;
        CHECK(find_flaws(report_of(values)).flaws.empty());
        values[each.place].value = each.much;
        auto const found = find_flaws(report_of(values));
        REQUIRE(found.flaws.size() == 1);
        CHECK(found.flaws[0].name == each.name);
        CHECK(has(found.flaws[0].meaning, each.words));
    }
}

TEST_CASE("flaws: a loop that few threads of a warp leave late is divergence, though one branch in many diverges") {
    auto values = clean();
    values[8].value = 50;
    CHECK(find_flaws(report_of(values)).flaws.empty());
    values[18].value = 8;
    auto const found = find_flaws(report_of(values));
    REQUIRE(found.flaws.size() == 1);
    CHECK(found.flaws[0].name == "divergence");
    CHECK(found.flaws[0].share == 0.75);
    CHECK(has(found.flaws[0].meaning, "75 % of a warp's threads wait for the others"));
    values[8].value = 0; // idle threads without a branch that diverges are the grid's
    CHECK(find_flaws(report_of(values)).flaws.empty());
    values[8].value = 50; // blocks of 8 threads have no more
    values.push_back({metrics::block_size, 8});
    CHECK(find_flaws(report_of(values)).flaws.empty());
}

TEST_CASE("flaws: conflicts of atomic operations are told as such, once") {
    auto values = clean();
    values[4].value = values[12].value = 1000;
    values[13].value = 1100;
    auto const found = find_flaws(report_of(values));
    REQUIRE(found.flaws.size() == 1);
    CHECK(found.flaws[0].name == "serialised atomics");
}

TEST_CASE("flaws: low occupancy is one where the blocks fill the GPU") {
    std::vector<made_value> values{{metrics::achieved_occupancy, 12.5}, value("launch__waves_per_multiprocessor", 0.5)};
    CHECK(find_flaws(report_of(values)).flaws.empty());
    values[1].value = 4;
    auto const found = find_flaws(report_of(values));
    REQUIRE(found.flaws.size() == 1);
    CHECK(found.flaws[0].name == "low occupancy");
    CHECK(has(found.flaws[0].meaning, "12.5 % of the warps that an SM has room for"));
}

TEST_CASE("flaws: what was not measured is not looked for, and a report without any metric of them says so") {
    auto const found = find_flaws(report_of({clean()[0], clean()[1]}));
    CHECK(found.looked_for == std::vector<std::string_view>{"uncoalesced global loads"});
    CHECK(has(verdicts(report_of({{metrics::dram_bytes, 1}})), "not looked for flaws"));
    CHECK(has(verdicts(gpuprof::report{}), "not looked for flaws"));
}

TEST_CASE("verdicts: ranges of one flaw share a paragraph, the worst first, in lines that fit") {
    auto contents = contents_of(clean());
    auto const range = contents.ranges[0];
    auto const values = contents.values;
    contents.ranges.clear();
    contents.values.clear();
    for (std::size_t i = 0; i < 12; ++i) {
        contents.ranges.push_back(range);
        contents.ranges.back().name = "kernel " + std::to_string(i);
        contents.ranges.back().rows = {i};
        contents.values.insert(contents.values.end(), values.begin(), values.end());
        contents.values[i * values.size()] = 8000.0 + 1000.0 * static_cast<double>(i);
    }
    std::string const text = verdicts(gpuprof::report{std::move(contents)});
    CHECK(has(text, "uncoalesced global loads: kernel 11: 19 sectors per request, where 4 would do"));
    CHECK(has(text, "kernel 4: 12 sectors"));
    CHECK_FALSE(has(text, "kernel 3: "));
    CHECK(has(text, "and 4 more advice: let neighbouring threads"));
    std::size_t advice = 0;
    for (std::size_t at = text.find("advice: "); at != text.npos; at = text.find("advice: ", at + 1)) ++advice;
    CHECK(advice == 1);
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        CHECK(end - begin <= 100);
        begin = end + 1;
    }
}

} // namespace flaws_test
