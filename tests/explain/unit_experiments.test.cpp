// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/unit_experiments.hpp against the catalogues of all chips: which have the metrics of each unit.
#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/explain/bottleneck.hpp>
#include <gpuprof/metric/catalogue/all.hpp>

namespace unit_experiments_test {

namespace explain = gpuprof::explain;

namespace {

std::string peak(std::string_view base) { return std::string{base} + ".avg.pct_of_peak_sustained_elapsed"; }
std::string stall(std::string_view reason) { return "smsp__warps_issue_stalled_" + std::string{reason} + ".sum"; }

} // namespace

TEST_CASE(
    "unit experiments: every chip has a metric for each half of each unit, but three without memory of their own") {
    std::size_t chips = 0, found = 0;
    std::set<std::string> without;
    for (auto const& chip : gpuprof::all_catalogues) {
        ++chips;
        for (explain::unit_experiment const& unit : explain::unit_experiments) {
            bool light = false, waits = false;
            for (auto const base : unit.speed_of_light) light = light || (!base.empty() && chip.contains(peak(base)));
            for (auto const reason : unit.waits) waits = waits || (!reason.empty() && chip.contains(stall(reason)));
            if (light && waits) ++found;
            else without.insert(std::string{name(chip.chip())} + " " + std::string{unit.name});
        }
    }
    CHECK(chips == 29);
    CHECK(found == 29 * 12 - 3);
    CHECK(without ==
          std::set<std::string>{"GA10B DRAM", "GB10B DRAM", "GB20B DRAM"}); // integrated: the system's memory
}

TEST_CASE("unit experiments: each reason that a unit is waited for is one of the reasons that are read") {
    std::set<std::string_view> const known{std::begin(explain::stall_reasons), std::end(explain::stall_reasons)};
    CHECK(known.size() == std::size(explain::stall_reasons));
    std::size_t used = 0;
    for (explain::unit_experiment const& unit : explain::unit_experiments)
        for (auto const reason : unit.waits) {
            if (reason.empty()) continue;
            ++used;
            CHECK_MESSAGE(known.count(reason) == 1, reason);
        }
    CHECK(used == 4 * 2 + 3 + 3 + 2 + 2 + 2 + 3 + 4 + 4); // row by row
    auto const names = explain::bottleneck_metric_names();
    CHECK(names.size() == 5 + 17 + 18);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

TEST_CASE("unit experiments: GH100 has all of the metrics but that of a later tensor pipe") {
    std::set<std::string> missing;
    for (std::string const& each : explain::bottleneck_metric_names())
        if (!gpuprof::catalogue_for(gpuprof::chip::gh100).contains(each)) missing.insert(each);
    CHECK(missing == std::set<std::string>{peak("sm__pipe_tc_cycles_active")});
}

} // namespace unit_experiments_test
