// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/sections.hpp: every row is a metric that exists, names are found, rows are descriptors.
#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gpuprof/explain/sections.hpp>
#include <gpuprof/metric/catalogue/all.hpp>
#include <gpuprof/metric/catalogue_lookup.hpp>
#include <gpuprof/metric/info.hpp>

namespace sections_test {

namespace explain = gpuprof::explain;

namespace {

// Whether GH100 can evaluate the name, or it needs no counter.
bool exists(std::string_view metric) {
    auto const info = gpuprof::try_metric(metric);
    if (!info) return false;
    bool const counted =
        info->source == gpuprof::metric_source::hardware || info->source == gpuprof::metric_source::sass;
    return !counted || gpuprof::catalogue_of<gpuprof::chip::gh100>.contains(metric);
}

// Whether any chip can.
template <std::size_t... At>
bool exists_on_a_chip(std::string_view metric, std::index_sequence<At...>) {
    return (gpuprof::catalogue_of<gpuprof::all_chips[At]>.contains(metric) || ...);
}

} // namespace

TEST_CASE("sections: each row of each section is a metric of GH100 or one that needs no counter") {
    std::size_t rows = 0;
    for (explain::section const* const each : explain::sections::all) {
        CHECK_FALSE(each->rows.empty());
        for (explain::section_row const& row : each->rows) {
            bool const named_by_chip = each == &explain::sections::roofline; // one row for each chip's name of it
            bool const known = named_by_chip
                                   ? exists_on_a_chip(row.metric, std::make_index_sequence<gpuprof::all_chips.size()>{})
                                   : exists(row.metric);
            CHECK_MESSAGE(known, each->id, ": ", row.metric);
            if (!row.over.empty()) CHECK_MESSAGE(exists(row.over), each->id, ": ", row.over);
            ++rows;
        }
    }
    CHECK(rows > 120);
    CHECK_FALSE(exists("sm__throughputs.avg.pct_of_peak_sustained_elapsed"));
}

TEST_CASE("sections: ids and titles are different, and ids are found") {
    std::set<std::string_view> ids, titles;
    std::size_t sections = 0;
    for (explain::section const* const each : explain::sections::all) {
        ids.insert(each->id);
        titles.insert(each->title);
        CHECK(explain::find_section(each->id) == each);
        ++sections;
    }
    CHECK(ids.size() == sections);
    CHECK(titles.size() == sections);
    CHECK(explain::find_section("no_such_section") == nullptr);
}

TEST_CASE("sections: a row has one label within its section") {
    for (explain::section const* const each : explain::sections::all) {
        std::set<std::string_view> labels;
        for (explain::section_row const& row : each->rows) CHECK_MESSAGE(labels.insert(row.label).second, row.label);
    }
}

TEST_CASE("sections: sets are found by name and grow from basic over detailed to full") {
    CHECK(explain::find_set("basic") == &explain::set::basic);
    CHECK(explain::find_set("full") == &explain::set::full);
    CHECK(explain::find_set("Basic") == nullptr);
    auto const holds = [](explain::set const& larger, explain::set const& smaller) {
        std::size_t found = 0;
        for (explain::section const* const each : smaller.sections)
            for (explain::section const* const other : larger.sections) found += each == other;
        return found == smaller.sections.size();
    };
    CHECK(holds(explain::set::detailed, explain::set::basic));
    CHECK(holds(explain::set::full, explain::set::detailed));
    CHECK(holds(explain::set::full, explain::set::roofline));
    CHECK_FALSE(holds(explain::set::basic, explain::set::detailed));
}

TEST_CASE("sections: the rows of a section are typed descriptors when compiling") {
    constexpr auto metrics = explain::metrics_of<explain::sections::scheduler_statistics>;
    static_assert(decltype(metrics)::names.size() == explain::sections::scheduler_statistics.rows.size());
    static_assert(decltype(metrics)::names[0] == "smsp__warps_active.avg.per_cycle_active");
    CHECK(decltype(metrics)::names.back() == explain::sections::scheduler_statistics.rows.back().metric);
}

TEST_CASE("sections: a section may be for some chips") {
    static constexpr explain::section_row rows[]{{"Instructions", "smsp__inst_executed.sum"}};
    constexpr explain::section later{"later", "Later", "Chips from 9.0 on.", rows, {9, 0}};
    CHECK(later.is_for({9, 0}));
    CHECK(later.is_for({10, 3}));
    CHECK_FALSE(later.is_for({8, 9}));
}

} // namespace sections_test
