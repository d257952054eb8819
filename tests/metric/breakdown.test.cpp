// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// metric/breakdown.hpp, breakdown_lookup.hpp and the generated list: what throughputs are made of, for a chip known when
// compiling and for one known at run time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gpuprof/metric/breakdown.hpp>
#include <gpuprof/metric/breakdown_lookup.hpp>
#include <gpuprof/metric/catalogue/all.hpp>

namespace breakdown_test {

using gpuprof::breakdown_depth;
using gpuprof::breakdown_on;
using gpuprof::catalogue_for;
using gpuprof::chip;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::metric_kind;
using gpuprof::try_breakdown;

namespace {

constexpr std::string_view elapsed = ".avg.pct_of_peak_sustained_elapsed";

// The constituents, as CUPTI 13.0 names them (a program of its own, written against nvperf_host.h, printed them).
std::vector<std::string_view> const gh100_instruction{
    "sm__inst_executed",
    "sm__issue_active",
    "sm__mio_inst_issued",
    "sm__inst_executed_pipe_cbu_pred_on_any",
    "sm__pipe_tensor_cycles_active",
    "sm__pipe_fp64_cycles_active",
    "sm__inst_executed_pipe_xu",
    "sm__pipe_alu_cycles_active",
    "sm__pipe_fma_cycles_active",
    "sm__pipe_fmaheavy_cycles_active",
    "sm__pipe_shared_cycles_active",
    "sm__inst_executed_pipe_uniform",
    "sm__pipe_tensor_op_dmma_cycles_active",
    "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active",
    "sm__instruction_throughput_internal_activity"};
std::vector<std::string_view> const gv100_dram{"dram__throughput", "fbpa__throughput"};

std::vector<std::string> with(std::vector<std::string_view> const& bases, std::string_view suffix) {
    std::vector<std::string> names;
    for (std::string_view const each : bases) names.push_back(std::string{each} + std::string{suffix});
    return names;
}

std::vector<std::string> names_of(std::vector<gpuprof::metric_info> const& metrics) {
    std::vector<std::string> names;
    for (auto const& each : metrics) names.push_back(each.name);
    return names;
}

template <class Set>
std::vector<std::string> names_of_set(Set const&) {
    return {Set::names.begin(), Set::names.end()};
}

// All levels by another way: by sets of names and one level at a time.
std::set<std::string> expand(chip on, std::string const& throughput) {
    std::set<std::string> parts;
    auto const level = try_breakdown(on, throughput);
    if (!level) return {throughput};
    for (auto const& each : *level)
        if (each.kind == metric_kind::throughput) parts.merge(expand(on, each.name));
        else parts.insert(each.name);
    return parts;
}

} // namespace

static_assert(
    std::is_same_v<std::remove_const_t<
                       decltype(breakdown_on<chip::gh100, "gpu__dram_throughput.max.pct_of_peak_sustained_active">)>,
                   gpuprof::metric_set<
                       std::remove_const_t<decltype(metric<"dram__throughput.max.pct_of_peak_sustained_active">)>,
                       std::remove_const_t<decltype(metric<"fbpa__throughput.max.pct_of_peak_sustained_active">)>>>);
static_assert(
    std::is_same_v<decltype(breakdown_on<chip::gh100, "breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed">),
                   decltype(breakdown_on<chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed">)>);
static_assert(
    breakdown_on<chip::gh100, "CTC.TriageCompute.ctc__throughput.sum.pct_of_peak_sustained_elapsed">.names[0] ==
    "CTC.TriageCompute.ctc__rx_bytes.sum.pct_of_peak_sustained_elapsed");

TEST_CASE("each chip has as many throughputs and constituents as libnvperf_host of CUDA 13.0 tells") {
    struct row {
        chip which;
        std::size_t throughputs;
        std::size_t constituents; // of all of them, one level
    };
    // Counted by a program of its own, which calls NVPW_MetricsEvaluator_GetThroughputMetricProperties.
    constexpr row rows[]{{chip::gv100, 26, 83},  {chip::tu102, 27, 88},  {chip::tu104, 27, 88},  {chip::tu106, 27, 88},
                         {chip::tu116, 26, 87},  {chip::tu117, 26, 87},  {chip::ga100, 26, 84},  {chip::ga102, 27, 84},
                         {chip::ga103, 27, 84},  {chip::ga104, 27, 84},  {chip::ga106, 27, 84},  {chip::ga107, 27, 84},
                         {chip::ga10b, 37, 82},  {chip::ad102, 27, 85},  {chip::ad103, 27, 85},  {chip::ad104, 27, 85},
                         {chip::ad106, 27, 85},  {chip::ad107, 27, 85},  {chip::gh100, 56, 125}, {chip::gb100, 72, 146},
                         {chip::gb102, 72, 146}, {chip::gb10b, 42, 93},  {chip::gb110, 72, 144}, {chip::gb202, 31, 111},
                         {chip::gb203, 31, 111}, {chip::gb205, 31, 111}, {chip::gb206, 31, 111}, {chip::gb207, 31, 111},
                         {chip::gb20b, 23, 80}};
    static_assert(std::size(rows) == gpuprof::all_chips.size());
    for (row const& each : rows) {
        CAPTURE(name(each.which));
        std::size_t constituents = 0;
        auto const throughputs = gpuprof::throughputs_of(each.which);
        for (std::string_view const throughput : throughputs)
            constituents += gpuprof::detail::constituents_of(each.which, throughput, breakdown_depth::one_level).count;
        CHECK(throughputs.size() == each.throughputs);
        CHECK(constituents == each.constituents);
    }
}

TEST_CASE("the throughputs that have a list are those of the catalogue, and each constituent is one of its metrics") {
    for (chip const which : gpuprof::all_chips) {
        CAPTURE(name(which));
        std::set<std::string_view> of_catalogue;
        for (auto const each : catalogue_for(which))
            if (each.kind == metric_kind::throughput) of_catalogue.insert(each.name);
        auto const listed = gpuprof::throughputs_of(which);
        CHECK(std::set<std::string_view>(listed.begin(), listed.end()) == of_catalogue);
        CHECK(listed.size() == of_catalogue.size());
        for (std::string_view const throughput : listed)
            for (auto const depth : {breakdown_depth::one_level, breakdown_depth::all_levels})
                for (std::string_view const sub : gpuprof::sub_metrics(metric_kind::throughput)) {
                    std::string const asked = std::string{throughput} + std::string{sub};
                    auto const parts = try_breakdown(which, asked, depth);
                    if (!parts) {
                        CHECK(parts.error().code == errc::unavailable);
                        continue;
                    }
                    for (auto const& part : *parts) {
                        CAPTURE(asked);
                        CAPTURE(part.name);
                        CHECK(catalogue_for(which).contains(part.name));
                        CHECK(part.value_unit == gpuprof::percent_unit);
                    }
                }
    }
}

TEST_CASE("all levels are what one level after the other gives, each metric once") {
    for (chip const which : gpuprof::all_chips)
        for (std::string_view const throughput : gpuprof::throughputs_of(which)) {
            std::string const asked = std::string{throughput} + std::string{elapsed};
            auto const parts = try_breakdown(which, asked, breakdown_depth::all_levels);
            if (!parts) continue;
            auto const names = names_of(*parts);
            CAPTURE(name(which));
            CAPTURE(asked);
            CHECK(std::set<std::string>(names.begin(), names.end()) == expand(which, asked));
            CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
            CHECK(names.size() < gpuprof::detail::constituent_list::room);
        }
    // 14 counters, 9, and a throughput of which CUPTI tells nothing in each
    CHECK(try_breakdown(chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed", breakdown_depth::all_levels)
              ->size() == 14 + 9 + 2);
    // 10 counters and 12, two such throughputs, and what gpu__dram_throughput leads to: dram__cycles_active, fbpa__dram_sectors
    CHECK(try_breakdown(chip::gh100, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
                        breakdown_depth::all_levels)
              ->size() == 10 + 12 + 2 + 2);
}

TEST_CASE("a breakdown is the same set when compiling and at run time, in the order of CUPTI") {
    auto const compiled = breakdown_on<chip::gh100, "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed">;
    CHECK(names_of_set(compiled) == with(gh100_instruction, elapsed));
    for (std::string const prefix : {"", "breakdown:"})
        for (std::string_view const chip_name : {"GH100", "gh100"}) {
            auto const parts =
                try_breakdown(chip_name, prefix + "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed");
            REQUIRE(parts);
            CHECK(names_of(*parts) == with(gh100_instruction, elapsed));
        }
    auto const deep = breakdown_on<chip::gb202, "gpu__compute_memory_throughput.min.pct_of_peak_sustained_active",
                                   breakdown_depth::all_levels>;
    auto const parts = try_breakdown(chip::gb202, "gpu__compute_memory_throughput.min.pct_of_peak_sustained_active",
                                     breakdown_depth::all_levels);
    REQUIRE(parts);
    CHECK(names_of_set(deep) == names_of(*parts));
}

TEST_CASE("chips differ in what a throughput is made of") {
    auto const of = [](chip which, std::string const& base) {
        return names_of(try_breakdown(which, base + std::string{elapsed}).value());
    };
    CHECK(of(chip::gv100, "gpu__dram_throughput") == with(gv100_dram, elapsed));
    CHECK(of(chip::gv100, "sm__instruction_throughput") != of(chip::gh100, "sm__instruction_throughput"));
    CHECK(of(chip::ga102, "lts__throughput") == of(chip::ga107, "lts__throughput"));
}

TEST_CASE("what has no breakdown is a typed error with the nearest names") {
    auto const refused = [](std::string_view on, std::string const& asked) {
        auto const parts = try_breakdown(on, asked);
        REQUIRE_FALSE(parts);
        CHECK_FALSE(parts.error().remedy.empty());
        return parts.error();
    };
    auto const misspelled = refused("GH100", "breakdown:sm__troughput.avg.pct_of_peak_sustained_elapsed");
    CHECK(misspelled.code == errc::unknown_metric);
    CHECK(misspelled.remedy.find("sm__throughput.avg.pct_of_peak_sustained_elapsed") != std::string::npos);
    auto const other_chip = refused("GV100", "pcie__troughput.avg.pct_of_peak_sustained_elapsed");
    CHECK(other_chip.cause.find("GV100") != std::string::npos);
    CHECK(other_chip.remedy.find("pcie__throughput.avg.pct_of_peak_sustained_elapsed") != std::string::npos);
    CHECK(refused("GV100", "CTC.TriageCompute.ctc__throughput.avg.pct_of_peak_sustained_elapsed").code ==
          errc::unknown_metric);

    for (std::string const& counter :
         {std::string{"sm__inst_executed.sum"}, std::string{"breakdown:l1tex__t_sector_hit_rate.pct"},
          std::string{"launch__grid_size"}}) {
        auto const why = refused("GH100", counter);
        CHECK(why.code == errc::unknown_metric);
        CHECK(why.cause == "only a throughput has a breakdown");
    }
    for (std::string const& incomplete : {std::string{"sm__throughput"}, std::string{"breakdown:sm__throughput.avg"}}) {
        auto const why = refused("GH100", incomplete);
        CHECK(why.code == errc::unknown_metric);
        CHECK(why.remedy.find("sm__throughput.") != std::string::npos);
    }
    auto const untold = refused("GH100", "lts__throughput_internal_activity.avg.pct_of_peak_sustained_elapsed");
    CHECK(untold.code == errc::unavailable);
    for (std::string const& text : {std::string{}, std::string{"breakdown:"}, std::string{"breakdown:breakdown:"},
                                    std::string(10'000, 'x'), std::string{"sm__throughput\0.avg", 19}})
        CHECK(refused("GH100", text).code == errc::unknown_metric);
}

TEST_CASE("a chip that there is no list of is a typed error with the nearest chips") {
    for (std::string_view const near : {"GH10", "gh10"}) {
        auto const parts = try_breakdown(near, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
        REQUIRE_FALSE(parts);
        CHECK(parts.error().code == errc::unavailable);
        CHECK(parts.error().remedy.find("GH100") != std::string::npos);
    }
    for (std::string const& none : {std::string{}, std::string{"GM200"}, std::string(10'000, 'G')})
        CHECK(try_breakdown(none, "sm__throughput.avg.pct_of_peak_sustained_elapsed").error().code ==
              errc::unavailable);
}

} // namespace breakdown_test
