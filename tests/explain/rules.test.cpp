// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/rules.hpp: what is documented of each rule, and what it says without values or on a kernel without a flaw.
#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/rules.hpp>

namespace rules_test {

namespace explain = gpuprof::explain;

namespace {

// Every metric of the full set has this value.
gpuprof::report all_are(double value, bool measured = true) {
    gpuprof::report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    if (measured)
        for (std::string const& name : explain::metric_names_of(explain::set::full)) {
            made.metrics.push_back(*gpuprof::try_metric(name));
            made.values.push_back(value);
        }
    made.ranges = {{"kernel", gpuprof::report::range::top, 1, {0}}};
    return gpuprof::report{std::move(made)};
}

// A kernel of which these metrics are known, and the share of its time that a rule would save; -1 if it finds nothing.
double gain_by(std::string_view rule, std::vector<std::pair<std::string_view, double>> const& known) {
    gpuprof::report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    for (auto const& each : known) {
        made.metrics.push_back(*gpuprof::try_metric(each.first));
        made.values.push_back(each.second);
    }
    made.ranges = {{"kernel", gpuprof::report::range::top, 1, {0}}};
    explain::explanation const why{gpuprof::report{std::move(made)}, explain::set::full};
    for (explain::finding const& each : why.findings())
        if (each.id == rule) return each.gain.likely;
    return -1;
}

} // namespace

TEST_CASE("rules: docs/explain.md has a row for each and no other") {
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/../docs/explain.md"};
    REQUIRE(file.good());
    std::string const page{std::istreambuf_iterator<char>{file}, {}};
    std::size_t rows = 0;
    for (std::size_t at = page.find("\n| `"); at != page.npos; at = page.find("\n| `", at + 1))
        rows += page.compare(page.find("` | ", at) + 4, 1, "`") != 0 && page.find("| rule |") < at &&
                at < page.find("A rule of your own");
    CHECK(rows == explain::all_rules().size());
    for (explain::rule const& each : explain::all_rules()) {
        std::string const row = "\n| `" + std::string{each.id} + "` | " + std::string{each.title} + " | " +
                                std::string{each.advice} + " |\n";
        CHECK_MESSAGE(page.find(row) != page.npos, row);
    }
}

TEST_CASE("rules: each that lacks its values says so and finds nothing") {
    explain::explanation const why{all_are(0, false), explain::set::full};
    CHECK(why.findings().empty());
    CHECK(why.silences().size() >= explain::all_rules().size());
    for (explain::rule const& rule : explain::all_rules()) {
        bool told = false;
        for (explain::unjudged const& each : why.silences()) told = told || (each.id == rule.id && !each.why.empty());
        CHECK_MESSAGE(told, rule.id);
    }
}

TEST_CASE("rules: a kernel that did nothing has no flaw") {
    explain::explanation const why{all_are(0), explain::set::full};
    for (explain::finding const& each : why.findings())
        CHECK_MESSAGE(each.kind == explain::finding_kind::information, each.id);
}

TEST_CASE("rules: gains are shares and their intervals hold what is likely") {
    for (double const value : {0.5, 1.0, 10.0, 50.0, 99.0, 1e3, 1e6, 1e12}) {
        explain::explanation const why{all_are(value), explain::set::full};
        for (explain::finding const& each : why.findings()) {
            CAPTURE(value);
            CAPTURE(each.id);
            CHECK(each.gain.least >= 0);
            CHECK(each.gain.least <= each.gain.likely);
            CHECK(each.gain.likely <= each.gain.most);
            CHECK(each.gain.most <= 1);
            CHECK_FALSE(each.meaning.empty());
            CHECK_FALSE(each.condition.empty());
            CHECK(each.meaning.find("nan") == std::string::npos);
            CHECK(each.meaning.find("inf ") == std::string::npos);
        }
        for (explain::explained_range const& each : why.ranges()) {
            CHECK(each.together.likely >= 0);
            CHECK(each.together.most <= 1);
        }
    }
}

// Nsight Compute guide, metric names: lts is a slice of L2, .max the busiest of them and .avg their mean.
TEST_CASE("rules: atomic operations are on few addresses if one slice of L2 works on them more than others do") {
    auto const gain = [](double mean) {
        return gain_by("global_atomics",
                       {{"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 48000},
                        {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 0},
                        {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", 30},
                        {"lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed", mean}});
    };
    CHECK(gain(0.4) >= 0); // one slice of 80
    CHECK(gain(14) >= 0);
    CHECK(gain(27) < 0); // a hash table
}

TEST_CASE("rules: a product of halves is one, too, if a tile in shared memory holds them in single precision") {
    auto const gain = [](double halves, double loads, double tensor) {
        return gain_by("no_tensor_cores", {{"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                           {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1600e6},
                                           {"smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", halves},
                                           {"smsp__inst_executed_op_shared_ld.sum", loads},
                                           {"sm__inst_executed_pipe_tensor.sum", tensor}});
    };
    CHECK(gain(100e6, 25e6, 0) >= 0);
    CHECK(gain(400e6, 0, 0) >= 0);        // converted where they are multiplied
    CHECK(gain(100e6, 0.1e6, 0) < 0);     // each is loaded once: a polynomial of them
    CHECK(gain(0, 25e6, 0) < 0);          // single precision from the start
    CHECK(gain(32 * 2e6, 25e6, 2e6) < 0); // moves of constants, which count as operations on halves
}

TEST_CASE("rules: a load of shared memory takes a turn there if all its predicates are off, and none without them") {
    auto const gain = [](double wavefronts) {
        return gain_by("predicated_off",
                       {{"smsp__thread_inst_executed.sum", 64e6},
                        {"smsp__thread_inst_executed_pred_on.sum", 32e6},
                        {"smsp__inst_executed_op_shared_ld.sum", 1e6},
                        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1e6},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", 97},
                        {"l1tex__data_pipe_lsu_wavefronts.sum", 1e6}});
    };
    CHECK(gain(1e6) == doctest::Approx(0)); // shared memory is full of what has an effect
    CHECK(gain(0.6e6) == doctest::Approx(0.4).epsilon(0.01));
}

TEST_CASE(
    "rules: few warps that wait for memory are too few until L2 is full, and those that wait for a pipe are not") {
    auto const gain = [](double of_memory, double l2) {
        return gain_by("occupancy_limited_by_registers",
                       {{"launch__grid_size", 132 * 8},
                        {"launch__block_size", 256},
                        {"launch__waves_per_multiprocessor", 8},
                        {"device__attribute_multiprocessor_count", 132},
                        {"smsp__warps_active.avg.peak_sustained", 16},
                        {"launch__occupancy_limit_registers", 1},
                        {"launch__occupancy_limit_warps", 8},
                        {"launch__occupancy_limit_blocks", 32},
                        {"lts__throughput.avg.pct_of_peak_sustained_elapsed", l2},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_long_scoreboard.sum", of_memory},
                        {"smsp__warps_issue_stalled_math_pipe_throttle.sum", 90 - of_memory}});
    };
    CHECK(gain(90, 72) == doctest::Approx(0.2).epsilon(0.01)); // until L2 is at 90 %
    CHECK(gain(90, 85) < 0);
    CHECK(gain(20, 72) < 0);
}

} // namespace rules_test
