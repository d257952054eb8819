// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sample/instruction_values.hpp: reports with values by instruction, made up here and of the embedded GPU, and what they are not
// told of.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/samplers/sass_counter.hpp>
#include <gpuprof/sample/instruction_values.hpp>
#include <gpuprof/saved.hpp>

#include "support/pc_sampled_gpu.hpp"
#include "support/scratch_directory.hpp"

namespace instruction_values_test {

using gpuprof::instanced_value;
using gpuprof::with_instruction_values;

namespace {

template <class T>
T got(gpuprof::result<T> from) {
    REQUIRE_MESSAGE(from, (from ? std::string{} : from.error().message()));
    return *std::move(from);
}

// A report of ranges with one metric, which is 1 in each.
gpuprof::report of_ranges(std::vector<std::pair<std::string, std::size_t>> const& names) {
    gpuprof::report::contents made;
    made.metrics.push_back(got(gpuprof::try_metric("sm__cycles_active.avg")));
    for (auto const& [name, count] : names) {
        made.ranges.push_back({name, gpuprof::report::range::top, count, {made.values.size()}});
        made.values.push_back(1);
    }
    return gpuprof::report{std::move(made)};
}
gpuprof::sass_counts counted() {
    gpuprof::sass_counts made;
    made.how = gpuprof::fidelity::estimated;
    made.metrics = {"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed",
                    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"};
    made.records.push_back({"_Z4fillPf", 1, 0x1a0, 0, {10, 100, 40, 10}}); // behind the next one in the code
    made.records.push_back({"_Z4fillPf", 1, 0x10, 0, {10, 320, 0, 0}});
    made.records.push_back({"other", 1, 0, 1, {7, 7, 0, 0}});
    return made;
}
std::string text_of(instanced_value const& value) {
    std::string text;
    for (auto const& each : value.instances) {
        CHECK(each.number == std::floor(each.number));
        text += each.key + " " + std::to_string(static_cast<long long>(each.number)) + ", ";
    }
    return text;
}

} // namespace

TEST_CASE("instruction values: a kernel's range has a number and instances by address, in the order of the code") {
    auto const report = with_instruction_values(of_ranges({{"fill", 1}, {"other", 1}}), counted());
    auto const fill = report.at(0);
    auto const executed = got(fill.try_provided("inst_executed"));
    CHECK(executed.number == 20);
    CHECK(text_of(executed) == "0x10 10, 0x1a0 10, ");
    CHECK(text_of(got(fill.try_provided("thread_inst_executed"))) == "0x10 320, 0x1a0 100, ");
    CHECK(text_of(got(fill.try_provided("derived__avg_thread_executed"))) == "0x10 32, 0x1a0 10, ");
    CHECK(got(fill.try_value("derived__avg_thread_executed")).value == 420.0 / 20);
    CHECK(text_of(got(fill.try_provided("derived__memory_l1_wavefronts_shared_excessive"))) == "0x1a0 30, ");
    // Of the instructions that access shared memory: 40 wavefronts of 10.
    CHECK(got(fill.try_value("derived__memory_l1_conflicts_shared_nway")).value == 4);
    CHECK(got(report.at(1).try_provided("inst_executed")).number == 7);
    CHECK(got(fill.try_value("sm__cycles_active.avg")).value == 1);
    CHECK(got(report.at(1).try_value("sm__cycles_active.avg")).value == 1);
    CHECK(report.fidelity_of(0) == gpuprof::fidelity::exact);
    CHECK(report.fidelity_of(1) == gpuprof::fidelity::estimated);
    // Not counted, so not there.
    CHECK(fill.try_provided("memory_l2_theoretical_sectors_global").error().code == gpuprof::errc::unknown_metric);
}

TEST_CASE("instruction values: ranges that the counts do not belong to say why") {
    auto const why = [](gpuprof::report const& of, std::size_t at) {
        auto const value = with_instruction_values(of, counted()).at(at).try_provided("inst_executed");
        REQUIRE_FALSE(value);
        CHECK(value.error().code == gpuprof::errc::not_collected);
        return value.error().message();
    };
    CHECK(why(of_ranges({{"frame", 1}}), 0).find("no kernel whose instructions were counted") != std::string::npos);
    for (std::size_t const at : {0u, 1u})
        CHECK(why(of_ranges({{"fill", 1}, {"fill", 1}}), at).find("2 launches of that kernel") != std::string::npos);
    CHECK(why(of_ranges({{"fill", 3}}), 0).find("3 launches") != std::string::npos);
    CHECK(why(of_ranges({{"fil", 1}}), 0).find("no kernel") != std::string::npos); // a part of a name is none

    auto twice = counted();
    twice.records.push_back({"_Z4fillPf", 2, 0, 0, {1, 1, 0, 0}}); // of another module
    auto const value = with_instruction_values(of_ranges({{"fill", 1}}), twice).at(0).try_provided("inst_executed");
    REQUIRE_FALSE(value);
    CHECK(value.error().message().find("two functions") != std::string::npos);
}

TEST_CASE("instruction values: samples by reason, of all launches of an instruction") {
    gpuprof::pc_samples samples;
    samples.reasons = {{"long_scoreboard", gpuprof::stall_reason::long_scoreboard}, {"of no metric", {}}};
    samples.add({"fill", 1, 0x20, 0, 1, {{0, 5, 2}, {1, 1, 0}}});
    samples.add({"fill", 1, 0x20, 0, 2, {{0, 3, 1}}});
    samples.add({"fill", 1, 0x40, 0, 1, {{1, 4, 4}}});
    auto const range = with_instruction_values(of_ranges({{"fill", 1}}), samples).at(0);
    CHECK(text_of(got(range.try_provided("smsp__pcsamp_sample_count"))) == "0x20 9, 0x40 4, ");
    CHECK(text_of(got(range.try_provided("smsp__pcsamp_warps_issue_stalled_long_scoreboard"))) == "0x20 8, ");
    CHECK(text_of(got(range.try_provided("smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"))) ==
          "0x20 3, ");
    // Counts and samples in one report.
    auto const both = with_instruction_values(with_instruction_values(of_ranges({{"fill", 1}}), counted()), samples);
    CHECK(got(both.at(0).try_provided("inst_executed")).number == 20);
    CHECK(got(both.at(0).try_provided("smsp__pcsamp_sample_count")).number == 13);
    CHECK(with_instruction_values(both, samples).metrics().size() == both.metrics().size()); // once is enough
}

TEST_CASE("instruction values: the summary of instances") {
    CHECK_FALSE(gpuprof::summary_of(instanced_value{3.0}));
    auto const found = gpuprof::summary_of(instanced_value{{{"a", 2}, {"b", 7}, {"c", 7}, {"d", -4}}});
    REQUIRE(found);
    CHECK(found->instances == 4);
    CHECK(found->sum == 12);
    CHECK(found->mean == 3);
    CHECK(found->least == -4);
    CHECK(found->most == 7);
    CHECK(found->place_of_most == 1);
}

TEST_CASE("instruction values: a measured report of the embedded GPU has them, and keeps them in a file") {
    test::pc_sampled_gpu machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    auto prof = got(gpuprof::profiler::try_create(gpu, options, gpuprof::metrics::inst_executed));
    for ([[maybe_unused]] auto const& each : prof.passes()) machine.gather();
    auto const measured = got(prof.try_report());
    REQUIRE(measured.size() == 1);
    auto counter = got(gpuprof::sass_counter::try_open(
        gpu, {"smsp__sass_inst_executed", "smsp__sass_sectors_mem_global", "smsp__sass_sectors_mem_global_ideal"}));
    machine.gather();
    auto const report = with_instruction_values(measured, got(counter.try_finish()));

    constexpr double warps =
        64 * 256 / 32; // of a launch of gather, which reads words 128 bytes apart and writes side by side
    auto const check = [&](gpuprof::report const& of) {
        auto const range = of.at(0);
        // What CUPTI counted for the range, and for its instructions: all warps execute each, some PTX is several.
        auto const executed = got(range.try_provided("inst_executed"));
        CHECK(executed.number == got(range.try_get(gpuprof::metrics::inst_executed)).value());
        CHECK(gpuprof::summary_of(executed)->sum == *executed.number);
        CHECK(gpuprof::summary_of(executed)->least == warps);
        auto const sectors = got(range.try_provided("memory_l2_theoretical_sectors_global"));
        REQUIRE(sectors.instances.size() == 2); // the load before the store
        CHECK(sectors.instances[0].number == 32 * warps);
        CHECK(sectors.instances[1].number == 4 * warps);
        CHECK(gpuprof::summary_of(sectors)->place_of_most == 0);
        CHECK(got(range.try_provided("derived__memory_l2_theoretical_sectors_global_excessive")).number == 28 * warps);
    };
    check(report);
    scratch_directory const folder;
    REQUIRE(gpuprof::try_save(report, folder.path() + "/r.json"));
    check(got(gpuprof::try_load_report(folder.path() + "/r.json")));
}

} // namespace instruction_values_test
