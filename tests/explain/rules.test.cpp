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

using values = std::vector<std::pair<std::string_view, double>>;

explain::explanation explained(values const& known, gpuprof::fidelity how = gpuprof::fidelity::exact) {
    gpuprof::report::contents made;
    made.fidelities.assign(known.size(), how);
    made.device = "Paper GPU";
    made.chip = "GH100";
    for (auto const& each : known) {
        made.metrics.push_back(*gpuprof::try_metric(each.first));
        made.values.push_back(each.second);
    }
    made.ranges = {{"kernel", gpuprof::report::range::top, 1, {0}}};
    return {gpuprof::report{std::move(made)}, explain::set::full};
}

// What a rule would save of a kernel of which these metrics are known; -1 if it finds nothing.
explain::gain found_by(std::string_view rule, values const& known) {
    explain::explanation const why = explained(known);
    explain::finding const* const found = why.find(rule);
    return found != nullptr ? found->gain : explain::gain{-1, -1, -1};
}
double gain_by(std::string_view rule, values const& known) { return found_by(rule, known).likely; }

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
    auto const gain = [](double halves, double loads, double tensor, double fused = 1600e6) {
        return gain_by("no_tensor_cores", {{"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                           {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", fused},
                                           {"smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", halves},
                                           {"smsp__inst_executed_op_shared_ld.sum", loads},
                                           {"sm__inst_executed_pipe_tensor.sum", tensor}});
    };
    CHECK(gain(100e6, 25e6, 0) >= 0);
    CHECK(gain(400e6, 0, 0) >= 0);          // converted where they are multiplied
    CHECK(gain(100e6, 0.1e6, 0) < 0);       // each is loaded once: a polynomial of them
    CHECK(gain(0, 25e6, 0) < 0);            // single precision from the start
    CHECK(gain(32 * 2e6, 25e6, 2e6) < 0);   // moves of constants, which count as operations on halves
    CHECK(gain(1400e6, 0, 0, 1000e6) >= 0); // conversions are most of the rest
    CHECK(gain(300e6, 0, 0, 1000e6) < 0);
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
    CHECK(gain(90, 76) == doctest::Approx(0.2).epsilon(0.01)); // until L2 is at 95 %
    CHECK(gain(90, 88) < 0);
    CHECK(gain(20, 76) < 0);
}

// Of 100 cycles of warps 8 issue, and in some more they could, if others did not.
TEST_CASE("rules: more warps are of no use where those that are there wait to be issued") {
    auto const gain = [](double not_selected) {
        return gain_by("occupancy_limited_by_registers",
                       {{"launch__grid_size", 132 * 8},
                        {"launch__block_size", 256},
                        {"launch__waves_per_multiprocessor", 8},
                        {"device__attribute_multiprocessor_count", 132},
                        {"smsp__warps_active.avg.peak_sustained", 16},
                        {"launch__occupancy_limit_registers", 1},
                        {"launch__occupancy_limit_warps", 8},
                        {"launch__occupancy_limit_blocks", 32},
                        {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 50},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_long_scoreboard.sum", 92 - not_selected},
                        {"smsp__warps_issue_stalled_not_selected.sum", not_selected}});
    };
    CHECK(gain(10) > 0.2);
    CHECK(gain(30) < 0);
}

// A million loads that miss L1 and find their sectors in L2, for each of which warps wait so many cycles; one alone takes 270.
TEST_CASE("rules: who has many loads under way gains little by more of them") {
    auto const waiting = [](double cycles) {
        return values{{"launch__grid_size", 132},
                      {"launch__block_size", 256},
                      {"launch__waves_per_multiprocessor", 0.2},
                      {"device__attribute_multiprocessor_count", 132},
                      {"smsp__warps_active.avg.peak_sustained", 16},
                      {"sm__warps_active.avg.pct_of_peak_sustained_active", 12},
                      {"sm__warps_active.avg.per_cycle_active", 8},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e6},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4e6},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 4e6},
                      {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128e6},
                      {"dram__bytes_read.sum", 0},
                      {"smsp__warps_active.sum", cycles * 1e6 / 0.9},
                      {"smsp__warps_issue_stalled_long_scoreboard.sum", cycles * 1e6}};
    };
    double const alone = gain_by("memory_latency", waiting(270)), three = gain_by("memory_latency", waiting(90));
    CHECK(alone == doctest::Approx(0.675).epsilon(0.01)); // a quarter of 0.9 remains
    CHECK(three == doctest::Approx(0.9 * (1 - 0.625)).epsilon(0.01));
    CHECK(gain_by("memory_latency", waiting(60)) < 0);
    auto bytes = [&](double cycles) { // a byte a thread
        values made = waiting(cycles);
        for (auto& each : made) {
            if (each.first == "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" ||
                each.first == "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum")
                each.second = 1e6;
            if (each.first == "smsp__sass_data_bytes_mem_global_op_ld.sum") each.second = 32e6;
        }
        made.push_back({"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0});
        made.push_back({"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0});
        made.push_back({"smsp__sass_data_bytes_mem_global_op_st.sum", 0});
        made.push_back({"smsp__inst_executed.sum", 10e6});
        return made;
    };
    CHECK(gain_by("narrow_access", bytes(270)) > 0.7);
    CHECK(gain_by("narrow_access", bytes(90)) < 0.6);
    CHECK(gain_by("narrow_access", bytes(60)) < 0);
}

// Ten thousand blocks of which each loads 32 times: L2, which has it all, is full of the sectors.
explain::gain of_loads(double sectors_of_block, double misses_of_block, double requests_of_block = 32) {
    double const misses = 10e3 * misses_of_block;
    return found_by("uncoalesced_global_access",
                    {{"launch__grid_size", 10e3},
                     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10e3 * requests_of_block},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 10e3 * sectors_of_block},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", misses},
                     {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128 * 10e3 * requests_of_block},
                     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
                     {"smsp__sass_data_bytes_mem_global_op_st.sum", 0},
                     {"l1tex__t_sectors_pipe_lsu.sum", 10e3 * sectors_of_block},
                     {"lts__t_sectors_srcunit_tex.sum", misses},
                     {"lts__t_sectors_op_read.sum", misses},
                     {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 88},
                     {"smsp__warps_active.sum", 100},
                     {"smsp__warps_issue_stalled_long_scoreboard.sum", 97}});
}
// bad_row_sums and bad_aos_8 read 32 sectors a request, mended_graph_walks 31.4989 (tests/hardware/last_pairs_values.csv).
TEST_CASE("rules: reads at random addresses may be as they must be, and those of a layout are not") {
    explain::gain const of_layout = of_loads(1024, 1024);
    CHECK(of_layout.likely > 0.7); // 4 of 32 sectors would do
    explain::gain const at_random = of_loads(1007.964, 1007.964);
    CHECK(at_random.likely == doctest::Approx(0).epsilon(0.001));
    CHECK(at_random.least == 0);
    CHECK(at_random.most > 0.7);
    // 32 threads meet in 496 / n of a sector, if there are n: 32 requests for one of 8 MB lack 0.06 sectors.
    CHECK(of_loads(1023.94, 1023.94).likely == doctest::Approx(0).epsilon(0.001));
    CHECK(of_loads(1024.0005, 1024.0005).likely > 0.7); // as near as counters of two passes come
    CHECK(at_random.most == doctest::Approx(of_layout.most).epsilon(0.01));
    CHECK(of_loads(1007.964, 200).likely >
          0.25); // L1 has most sectors already: words that are read lie near each other
    // One load of a column and two of a row: 40 sectors for 3 requests in each of 10.6 turns.
    CHECK(of_loads(424, 424, 31.8).likely > 0.5);
    CHECK(of_loads(424.7, 424.7, 31.8).likely == doctest::Approx(0).epsilon(0.001));
}

// mended_cipher takes 503.3 wavefronts a block, by bytes of a message; bad_quarter_turn 1024.
TEST_CASE("rules: padding parts the addresses of a layout, and not those that come from data") {
    auto const gain = [](double wavefronts) {
        return found_by("shared_bank_conflicts",
                        {{"launch__grid_size", 1000},
                         {"smsp__inst_executed_op_shared_ld.sum", 32e3},
                         {"smsp__inst_executed_op_shared_st.sum", 0},
                         {"smsp__sass_data_bytes_mem_shared_op_ld.sum", 32e3 * 128},
                         {"smsp__sass_data_bytes_mem_shared_op_st.sum", 0},
                         {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000 * wavefronts},
                         {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0},
                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1000 * wavefronts},
                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", 97},
                         {"smsp__warps_active.sum", 100},
                         {"smsp__warps_issue_stalled_short_scoreboard.sum", 98}});
    };
    CHECK(gain(128).likely > 0.6); // 32 of 128 wavefronts would do
    CHECK(gain(112.3).likely == doctest::Approx(0).epsilon(0.001));
    CHECK(gain(112.3).most > 0.6);
}

TEST_CASE(
    "rules: without the mean of all slices a busy L2 does not tell whether atomic operations are on few addresses") {
    values known{{"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 48000},
                 {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 0},
                 {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", 30},
                 {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 62}};
    CHECK(gain_by("global_atomics", known) < 0);
    bool told = false;
    explain::explanation const why = explained(known);
    for (explain::unjudged const& each : why.silences())
        told = told || (each.id == "global_atomics" &&
                        each.why.find("lts__d_atomic_input_cycles_active.avg") != std::string::npos);
    CHECK(told);
    known.back().second = 3;
    CHECK(gain_by("global_atomics", known) >= 0); // a slice is ten times as busy as the mean one can be
}

// The warps' time is 90 % waits for memory. Atomic operations take a slice for 30 %: the others of them are for DRAM, if it is busy.
TEST_CASE("rules: atomic operations cost no more than their slice works, if another unit explains the time") {
    auto const gain = [](double dram) {
        return gain_by("global_atomics", {{"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 48000},
                                          {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 0},
                                          {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", 30},
                                          {"lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed", 1},
                                          {"dram__throughput.avg.pct_of_peak_sustained_elapsed", dram},
                                          {"smsp__warps_active.sum", 100},
                                          {"smsp__warps_issue_stalled_long_scoreboard.sum", 90}});
    };
    CHECK(gain(1) > 0.85);
    CHECK(gain(50) > 0.1);
    CHECK(gain(50) < 0.3);
}

TEST_CASE("rules: what threads store and neither DRAM nor L2 has was overwritten") {
    auto const gain = [](double written, double l2_bytes) {
        return found_by("redundant_loads", {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1},
                                            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4},
                                            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 4},
                                            {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128},
                                            {"smsp__inst_executed.sum", 4e6},
                                            {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1e6},
                                            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 4e6}, // 128 MB
                                            {"smsp__sass_data_bytes_mem_global_op_st.sum", 128e6},
                                            {"lts__t_sectors_op_write.sum", 4e6},
                                            {"lts__t_sectors_op_read.sum", 0},
                                            {"dram__bytes_write.sum", written},
                                            {"device__attribute_l2_cache_size", l2_bytes},
                                            {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 88},
                                            {"smsp__warps_active.sum", 100},
                                            {"smsp__warps_issue_stalled_lg_throttle.sum", 95}});
    };
    CHECK(gain(32e6, 50e6).likely > 0.7); // an eighth or a quarter of it remains
    CHECK(gain(32e6, 50e6).least < gain(16e6, 50e6).least);
    CHECK(gain(32e6, 126e6).likely < 0); // L2 may have the rest
    CHECK(gain(120e6, 50e6).likely < 0); // nearly all reached DRAM
}

// Of 132 SMs 66 get two of the 198 blocks and 66 get one.
TEST_CASE("rules: a tail follows from the launch where a model lets all SMs end together") {
    auto const gain = [](gpuprof::fidelity how, double waves) {
        explain::explanation const why = explained({{"launch__grid_size", 198},
                                                    {"launch__block_size", 512},
                                                    {"launch__waves_per_multiprocessor", waves},
                                                    {"device__attribute_multiprocessor_count", 132},
                                                    {"sm__cycles_active.avg", 9999},
                                                    {"sm__cycles_active.max", 10000},
                                                    {"sm__cycles_elapsed.max", 10000}},
                                                   how);
        explain::finding const* const found = why.find("tail_effect");
        return found != nullptr ? found->gain.likely : -1;
    };
    CHECK(gain(gpuprof::fidelity::modelled, 1.5) == doctest::Approx(0.25));
    CHECK(gain(gpuprof::fidelity::modelled, 0.75) < 0); // an SM holds both at once
    CHECK(gain(gpuprof::fidelity::exact, 1.5) < 0);     // counted: they did end together
}

// 8 blocks of 4 warps are to be on an SM and 16 of these 32 warps are: others have ended.
TEST_CASE("rules: warps that wait for memory are too few where most blocks have ended, which another rule tells") {
    auto const gain = [](double warps) {
        return gain_by("memory_latency", {{"launch__grid_size", 132 * 8},
                                          {"launch__block_size", 128},
                                          {"launch__waves_per_multiprocessor", 0.5},
                                          {"device__attribute_multiprocessor_count", 132},
                                          {"smsp__warps_active.avg.peak_sustained", 16},
                                          {"sm__warps_active.avg.per_cycle_active", warps},
                                          {"sm__warps_active.avg.pct_of_peak_sustained_active", 100 * warps / 64},
                                          {"smsp__warps_active.sum", 100},
                                          {"smsp__warps_issue_stalled_long_scoreboard.sum", 80},
                                          {"smsp__warps_issue_stalled_wait.sum", 10}});
    };
    CHECK(gain(16) < 0);
    CHECK(gain(31) ==
          doctest::Approx(1 - (0.8 * 0.25 + 0.1 * 0.6 + 0.1))); // waits for results overlap in a loop that is unrolled
}

TEST_CASE("rules: a chain may come apart into many values or into two") {
    explain::gain const saved = found_by("dependent_instructions",
                                         {{"smsp__warps_active.sum", 100}, {"smsp__warps_issue_stalled_wait.sum", 60}});
    CHECK(saved.likely == doctest::Approx(1 - (0.4 + 0.6 * 0.15)));
    CHECK(saved.least <= 1 - (0.4 + 0.6 * 0.5));
}

// Of four quarters of the warps' time, one is for shared memory, one at barriers, one for global memory or for results.
TEST_CASE("rules: warps that leave a barrier together queue for shared memory") {
    auto const gain = [](std::string_view other) {
        return gain_by("waiting_at_barriers", {{"smsp__warps_active.sum", 100},
                                               {"smsp__warps_issue_stalled_barrier.sum", 24},
                                               {"smsp__warps_issue_stalled_short_scoreboard.sum", 25},
                                               {other, 26}});
    };
    CHECK(gain("smsp__warps_issue_stalled_wait.sum") ==
          doctest::Approx(1 - (0.76 - 0.4 * 0.25) * (1 + 0.2 * 0.24 / 0.76)).epsilon(0.001));
    CHECK(gain("smsp__warps_issue_stalled_long_scoreboard.sum") == doctest::Approx(0.8 * 0.24).epsilon(0.001));
}

TEST_CASE("rules: a tile saves what computes addresses, or in shared memory only loads from beyond it") {
    explain::gain const saved =
        found_by("no_tiling", {{"smsp__inst_executed.sum", 100e6},
                               {"smsp__inst_executed_op_global_ld.sum", 25e6},
                               {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 12.5e6 * 32},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 100e6},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 95e6},
                               {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}});
    CHECK(saved.likely == doctest::Approx(1 - (0.125 + 0.125 + 0.05)).epsilon(0.01));
    CHECK(saved.least <= 1 - (0.125 + 0.25 + 0.05));
}

TEST_CASE("rules: functions in double precision are not slow functions, but those in single precision are") {
    auto const gain = [](double doubles) {
        return gain_by("slow_functions", {{"sm__inst_executed.sum", 100e6},
                                          {"sm__inst_executed_pipe_xu.sum", 5e6},
                                          {"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                          {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", 100e6},
                                          {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1600e6},
                                          {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", doubles},
                                          {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 12},
                                          {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 60}});
    };
    CHECK(gain(0) > 0);
    CHECK(gain(100e6) < 0);
}

// A quarter of what threads execute is double precision. In single precision, functions have two instructions less for each operation,
// and expressions, which convert to double and back, a move of a literal less.
TEST_CASE("rules: functions of double precision may save more than their conversions, expressions do not") {
    auto const gain = [](double conversions) {
        return found_by("double_precision", {{"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                             {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0},
                                             {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0},
                                             {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 800e6},
                                             {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", conversions},
                                             {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97},
                                             {"smsp__warps_active.sum", 100},
                                             {"smsp__warps_issue_stalled_not_selected.sum", 90}});
    };
    explain::gain const functions = gain(80e6), expressions = gain(400e6);
    CHECK(functions.likely == doctest::Approx((80 + 80 / 2 + 800 - 2 * 80) / 3200.).epsilon(0.01));
    CHECK(functions.most > (80 + 2 * (800 - 2 * 80)) / 3200.);
    CHECK(expressions.likely == doctest::Approx((400 + 400 / 2) / 3200.).epsilon(0.01));
    CHECK(expressions.most < 0.45);
}

TEST_CASE("rules: fast functions, conversions and divisions have no polynomials around the pipe of functions") {
    auto const gain = [](double functions, double floats_of_each = 10) {
        return gain_by("slow_functions",
                       {{"sm__inst_executed.sum", 100e6},
                        {"sm__inst_executed_pipe_xu.sum", functions},
                        {"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                        {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", 100e6},
                        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 32 * floats_of_each * functions},
                        {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 50},
                        {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 90}});
    };
    CHECK(gain(5e6) > 0);
    CHECK(gain(5e6, 2) < 0);
    CHECK(gain(5e6, 4) < 0); // integers that become floats, such as random ones
    CHECK(gain(5e6, 7) < 0); // quotients of floats, and what else is computed of them
    CHECK(gain(5e6, 0) < 0); // divisions of integers
}

TEST_CASE("rules: nobody waits for the result of a reduction, so that other units' time is not its") {
    auto const gain = [](double atoms, double reductions) {
        return gain_by("global_atomics", {{"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", atoms},
                                          {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", reductions},
                                          {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", 30},
                                          {"lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed", 1},
                                          {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 50},
                                          {"smsp__warps_active.sum", 100},
                                          {"smsp__warps_issue_stalled_long_scoreboard.sum", 90}});
    };
    CHECK(gain(48000, 0) > 0.1);
    CHECK(gain(0, 48000) == doctest::Approx(0).epsilon(0.001));
}

// Half of a warp's time goes away with the half of its threads that ended: no branch sent them another way.
TEST_CASE("rules: threads that ended are missing in a warp as those that took another branch are") {
    values known{{"smsp__thread_inst_executed.sum", 16e6},
                 {"smsp__inst_executed.sum", 1e6},
                 {"smsp__sass_branch_targets_threads_divergent.sum", 0},
                 {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}};
    CHECK(gain_by("thread_divergence", known) == doctest::Approx(0.5).epsilon(0.01));
    known[0].second = 32e6;
    CHECK(gain_by("thread_divergence", known) < 0);
}

// A quarter of the threads is active. Requests have words of as many threads, or of all.
TEST_CASE("rules: memory that few threads of a warp access is asked for by fewer instructions of full warps") {
    auto const gain = [](double bytes, double sectors, double written) {
        return gain_by("thread_divergence", {{"smsp__thread_inst_executed.sum", 80e6},
                                             {"smsp__inst_executed.sum", 10e6},
                                             {"smsp__sass_branch_targets_threads_divergent.sum", 1e5},
                                             {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0},
                                             {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0},
                                             {"smsp__sass_data_bytes_mem_global_op_ld.sum", 0},
                                             {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 2e6},
                                             {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 2e6 * sectors},
                                             {"smsp__sass_data_bytes_mem_global_op_st.sum", 2e6 * bytes},
                                             {"lts__t_sectors_op_write.sum", 2e6 * sectors},
                                             {"lts__t_sectors_op_read.sum", 0},
                                             {"dram__bytes_write.sum", written},
                                             {"device__attribute_l2_cache_size", 50e6},
                                             {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 85},
                                             {"smsp__warps_active.sum", 100},
                                             {"smsp__warps_issue_stalled_lg_throttle.sum", 95}});
    };
    CHECK(gain(32, 4, 64e6) > 0.6);   // 256 MB went to L2 and a quarter of it to DRAM
    CHECK(gain(32, 4, 256e6) < 0.15); // L2 has as much to do as before
    CHECK(gain(128, 4, 64e6) < 0.05); // all threads store: their warps part elsewhere
    CHECK(gain(32, 8, 64e6) < 0.05);  // each word lies in a sector of its own
}

// 90 % of the time at barriers, while shared memory is busy for words of two threads of a warp.
TEST_CASE("rules: where few threads work behind a barrier, the others can take their part") {
    auto const gain = [](double threads, double bytes) {
        return gain_by("waiting_at_barriers",
                       {{"smsp__inst_executed.sum", 10e6},
                        {"smsp__thread_inst_executed.sum", threads * 10e6},
                        {"smsp__inst_executed_op_shared_ld.sum", 3e6},
                        {"smsp__sass_data_bytes_mem_shared_op_ld.sum", bytes * 3e6},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", 90},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_barrier.sum", 90}});
    };
    CHECK(gain(4, 8) > 0.7);
    CHECK(gain(4, 128) < 0.1); // shared memory is busy for all of them
    CHECK(gain(32, 8) < 0.1);
}

// A thread reads the 16 bytes of a line one by one: 32 sectors a request, of which L1 has all but the first.
TEST_CASE("rules: bytes that a thread reads one after another are narrow, and those of a column are uncoalesced") {
    auto const gain = [](double misses) {
        return gain_by("narrow_access", {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 2e6},
                                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 64e6},
                                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", misses},
                                         {"smsp__sass_data_bytes_mem_global_op_ld.sum", 64e6},
                                         {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0},
                                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
                                         {"smsp__sass_data_bytes_mem_global_op_st.sum", 0},
                                         {"smsp__inst_executed.sum", 8e6},
                                         {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 94},
                                         {"smsp__warps_active.sum", 100},
                                         {"smsp__warps_issue_stalled_lg_throttle.sum", 70}});
    };
    CHECK(gain(2e6) > 0.6);
    CHECK(gain(60e6) < 0);
}

// 160 MB of stores, of which an eighth reaches DRAM. L1 has what is loaded.
TEST_CASE("rules: what is stored again and again is loaded again and again, too, if L1 has it") {
    auto const gain = [](double misses) {
        return gain_by("redundant_loads", {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e6},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4e6},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", misses},
                                           {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128e6},
                                           {"smsp__inst_executed.sum", 4e6},
                                           {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1.25e6},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 5e6},
                                           {"smsp__sass_data_bytes_mem_global_op_st.sum", 160e6},
                                           {"lts__t_sectors_op_write.sum", 5e6},
                                           {"lts__t_sectors_op_read.sum", misses},
                                           {"dram__bytes_write.sum", 20e6},
                                           {"device__attribute_l2_cache_size", 50e6},
                                           {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 80},
                                           {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 45},
                                           {"smsp__warps_active.sum", 100},
                                           {"smsp__warps_issue_stalled_lg_throttle.sum", 98}});
    };
    CHECK(gain(0.1e6) > 0.8);
    CHECK(gain(4e6) < 0.3);
}

TEST_CASE("rules: a tile keeps what L2 delivers again and again, if that is more than L2 holds") {
    auto const gain = [](double from_dram, double sectors) {
        return gain_by("no_tiling", {{"smsp__inst_executed.sum", 100e6},
                                     {"smsp__inst_executed_op_global_ld.sum", 5e6},
                                     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 5e6},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 0},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 20e6}, // 640 MB
                                     {"smsp__sass_data_bytes_mem_global_op_ld.sum", 640e6},
                                     {"lts__t_sectors_op_read.sum", 20e6},
                                     {"lts__t_sectors_op_write.sum", 0},
                                     {"dram__bytes_read.sum", from_dram},
                                     {"device__attribute_l2_cache_size", 50e6},
                                     {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 85},
                                     {"smsp__warps_active.sum", 100},
                                     {"smsp__warps_issue_stalled_long_scoreboard.sum", 95}});
    };
    CHECK(gain(80e6, 20e6) > 0.5);
    CHECK(gain(640e6, 20e6) < 0); // each byte once
    CHECK(gain(10e6, 20e6) < 0);  // a table that L2 holds
    CHECK(gain(80e6, 80e6) < 0);  // uncoalesced: sectors, not their bytes, are asked for again
}

// 16 of 32 threads are in a loop that loads a word, computes, and compares and swaps it. An attempt takes a wavefront to compare and
// one to swap, unless there are conflicts of banks.
TEST_CASE("rules: threads that swap the same word begin anew, those of different words do not") {
    auto const gain = [](std::string_view rule, double words, double wavefronts = 19.9e6, double loads = 10e6) {
        return gain_by(rule, {{"smsp__inst_executed.sum", 60e6},
                              {"smsp__thread_inst_executed.sum", 16 * 60e6},
                              {"smsp__sass_branch_targets_threads_divergent.sum", 10e6},
                              {"smsp__inst_executed_op_shared_atom.sum", 10e6},
                              {"smsp__inst_executed_op_shared_ld.sum", loads},
                              {"smsp__sass_data_bytes_mem_shared_op_ld.sum", 10e6 * 4 * words},
                              {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", wavefronts},
                              {"l1tex__data_pipe_lsu_wavefronts.sum", 40e6},
                              {"smsp__warps_active.sum", 100},
                              {"smsp__warps_issue_stalled_wait.sum", 50},
                              {"smsp__warps_issue_stalled_short_scoreboard.sum", 40}});
    };
    CHECK(gain("shared_atomics", 1) > 0.8);
    CHECK(gain("shared_atomics", 15) < 0);
    CHECK(gain("shared_atomics", 15, 80e6) > 0.15);
    CHECK(gain("thread_divergence", 1) < 0); // the loop is what threads wait in
    CHECK(gain("thread_divergence", 1, 19.9e6, 1e6) > 0.3);
}

TEST_CASE(
    "rules: stores of each word to a sector of its own may be as they must be, and those sorted in part are not") {
    auto const gain = [](double sectors) {
        return gain_by("uncoalesced_global_access", {{"launch__grid_size", 1000},
                                                     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0},
                                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0},
                                                     {"smsp__sass_data_bytes_mem_global_op_ld.sum", 0},
                                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 0},
                                                     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 32e3},
                                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 32e3 * sectors},
                                                     {"smsp__sass_data_bytes_mem_global_op_st.sum", 32e3 * 128},
                                                     {"l1tex__t_sectors_pipe_lsu.sum", 32e3 * sectors},
                                                     {"lts__t_sectors_srcunit_tex.sum", 32e3 * sectors},
                                                     {"lts__t_sectors_op_write.sum", 32e3 * sectors},
                                                     {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 80},
                                                     {"smsp__warps_active.sum", 100},
                                                     {"smsp__warps_issue_stalled_lg_throttle.sum", 95}});
    };
    CHECK(gain(32) > 0.5); // a layout
    CHECK(gain(31.49891) == doctest::Approx(0).epsilon(0.001));
    CHECK(gain(16.49891) > 0.5);
}

// Words at random, four sectors of them for a sector that L1 fetches. It can hold 34.6 MB, 256 KiB an SM.
TEST_CASE(
    "rules: that L1 has the words of a table says nothing of how near they lie to each other, if it has all of it") {
    auto const gain = [](double misses) {
        return gain_by("uncoalesced_global_access",
                       {{"launch__grid_size", 1000},
                        {"device__attribute_multiprocessor_count", 132},
                        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 256e3},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 256e3 * 25.49891},
                        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 256e3 * 128},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", misses},
                        {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
                        {"smsp__sass_data_bytes_mem_global_op_st.sum", 0},
                        {"l1tex__t_sectors_pipe_lsu.sum", 256e3 * 25.49891},
                        {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 80},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_lg_throttle.sum", 95}});
    };
    CHECK(gain(1.2e6) > 0.5);
    CHECK(gain(0.8e6) == doctest::Approx(0).epsilon(0.001));
}

// 90 % of the time in the queue that constants pass, and stores keep L1 busy for a third of it.
TEST_CASE("rules: constants are what warps wait for if they are most of what passes the queue") {
    auto const gain = [](double stores) {
        return gain_by("constant_cache", {{"smsp__inst_executed.sum", 4e6},
                                          {"smsp__inst_executed_op_ldc.sum", 1.2e6},
                                          {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0},
                                          {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", stores},
                                          {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 33},
                                          {"smsp__warps_active.sum", 100},
                                          {"smsp__warps_issue_stalled_mio_throttle.sum", 90}});
    };
    CHECK(gain(0.2e6) > 0.6);
    CHECK(gain(1e6) < 0);
}

TEST_CASE("rules: a few sectors of the host are what warps wait for") {
    auto const gain = [](double host) {
        return gain_by("far_memory", {{"lts__t_sectors_srcunit_tex.sum", 1e6},
                                      {"lts__t_sectors_srcunit_tex_aperture_sysmem.sum", host},
                                      {"smsp__warps_active.sum", 100},
                                      {"smsp__warps_issue_stalled_long_scoreboard.sum", 99}});
    };
    CHECK(gain(0.02e6) == doctest::Approx(0.5).epsilon(0.02)); // a fiftieth waits fifty times as long
    CHECK(gain(1e6) > 0.9);
    CHECK(gain(0.005e6) < 0);
}

TEST_CASE("rules: narrow loads of shared memory take issue slots where instructions are what bounds the kernel") {
    auto const gain = [](double issue, double bytes) {
        return gain_by("narrow_shared_access", {{"smsp__inst_executed.sum", 100e6},
                                                {"smsp__inst_executed_op_shared_ld.sum", 16e6},
                                                {"smsp__sass_inst_executed_op_memory_32b.sum", 16e6},
                                                {"smsp__sass_data_bytes_mem_shared_op_ld.sum", 16e6 * bytes},
                                                {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", issue}});
    };
    CHECK(gain(95, 4) == doctest::Approx(0.12).epsilon(0.15)); // three of four loads
    CHECK(gain(50, 4) < 0);
    CHECK(gain(95, 128) < 0); // each thread a word of its own
}

// A hundred million instructions of warps. A division is two conversions and a reciprocal in the pipe of functions, seven others for
// the divisor, and seven for the quotient.
TEST_CASE("rules: two conversions for a reciprocal and no floats are a division of integers") {
    auto const gain = [](double divisions, double conversions_of_each, double floats_of_each, double doubles_of_each) {
        double const threads = 32 * divisions;
        return found_by("integer_division",
                        {{"sm__inst_executed_pipe_xu.sum", (1 + conversions_of_each) * divisions},
                         {"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                         {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", conversions_of_each * threads},
                         {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", floats_of_each * threads},
                         {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", doubles_of_each * threads},
                         {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97},
                         {"smsp__warps_active.sum", 100},
                         {"smsp__warps_issue_stalled_not_selected.sum", 90}});
    };
    CHECK(gain(2.5e6, 2, 0, 0).likely == doctest::Approx(2.5 * 17 / 100).epsilon(0.01));
    CHECK(gain(2.5e6, 2, 1, 0).likely > 0.3); // an address of a value that is used
    CHECK(gain(2.5e6, 2, 12, 0).likely < 0);  // a function, or its argument in turns
    CHECK(gain(2.5e6, 2, 0, 12).likely < 0);
    CHECK(gain(2.5e6, 0, 0, 0).likely < 0);  // reciprocals, as floats are divided
    CHECK(gain(0.1e6, 2, 0, 0).likely < 0);  // two instructions of a hundred
    CHECK(gain(2.5e6, 20, 0, 0).likely > 0); // bytes that become floats, too
}

// Six remainders by one divisor in a hundred instructions of warps: a reciprocal, and two corrections of each whose predicates are off.
// The multiplications of integers keep one half of the FMA pipe busy.
TEST_CASE("rules: quotients by a divisor whose reciprocal is computed once have their own part") {
    auto const gain = [](double both_halves, double heavy_half) {
        return gain_by("integer_division",
                       {{"sm__inst_executed_pipe_xu.sum", 3e6},
                        {"smsp__thread_inst_executed.sum", 3200e6},
                        {"smsp__thread_inst_executed_pred_on.sum", 3200e6 - 32 * 12e6},
                        {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", 32 * 2e6},
                        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 32 * 8e6},
                        {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", both_halves},
                        {"sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed", heavy_half},
                        {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}});
    };
    CHECK(gain(34, 61) == doctest::Approx((10 + 6 * 7) / 100.).epsilon(0.01));
    CHECK(gain(61, 61) < 0); // floats are in both halves alike: a function
}

// Of a hundred instructions of warps: two hundredths of one are for bits of a tree's places, in the pipe of functions, and a value a
// thread is converted before the loop. Predicates are off for the tree's own reasons.
TEST_CASE("rules: predicates that are off are corrections of quotients where that pipe does nothing but divide") {
    auto const gain = [](double others) {
        return gain_by("integer_division", {{"sm__inst_executed_pipe_xu.sum", 0.2e6 + others},
                                            {"smsp__thread_inst_executed.sum", 3200e6},
                                            {"smsp__thread_inst_executed_pred_on.sum", 3200e6 - 32 * 12e6},
                                            {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", 32 * 0.2e6},
                                            {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", 34},
                                            {"sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed", 61},
                                            {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}});
    };
    CHECK(gain(0.1e6) == doctest::Approx((0.1 * 10 + 6 * 7) / 100.).epsilon(0.01));
    CHECK(gain(2e6) < 0);
}

// Of a hundred million instructions of warps, 800,000 remainders have 50 multiplications of integers each, which keep one half of the
// FMA pipe busy for two cycles. Each has three operations of the pipe of functions.
TEST_CASE("rules: quotients of 64 bits take many multiplications and hardly any predicates") {
    auto const gain = [](double multiplications, double predicates) {
        double const busy = multiplications * 0.8e6 / 100e6 * 2 * 97;
        return gain_by("integer_division",
                       {{"sm__inst_executed_pipe_xu.sum", 3 * 0.8e6},
                        {"smsp__thread_inst_executed.sum", 3200e6},
                        {"smsp__thread_inst_executed_pred_on.sum", 3200e6 - 32 * 0.8e6 * predicates},
                        {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", 32 * 2 * 0.8e6},
                        {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", busy / 2},
                        {"sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed", busy},
                        {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}});
    };
    CHECK(gain(50, 1) == doctest::Approx(0.8 * 75 / 100).epsilon(0.01));
    CHECK(gain(20, 1) == doctest::Approx(0.8 * 17 / 100).epsilon(0.01));
    CHECK(gain(50, 2) == doctest::Approx(0.8 * 17 / 100).epsilon(0.01)); // of 32 bits, beside other multiplications
}

TEST_CASE("rules: halves are computed two at a time, if a thread loads two") {
    auto const gain = [](double halves, double bytes_of_thread, double floats = 0, double tensor = 0) {
        return found_by("scalar_half", {{"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                        {"smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", halves},
                                        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", floats},
                                        {"sm__inst_executed_pipe_tensor.sum", tensor},
                                        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e6},
                                        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 32e6 * bytes_of_thread},
                                        {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97},
                                        {"smsp__warps_active.sum", 100},
                                        {"smsp__warps_issue_stalled_not_selected.sum", 90}});
    };
    explain::gain const scalar = gain(1600e6, 2);
    CHECK(scalar.likely == doctest::Approx(0.25).epsilon(0.01)); // a half of the half that they are
    CHECK(scalar.most >= 0.5);                                   // loops and addresses are shared, too
    CHECK(gain(1600e6, 4).likely < 0);
    CHECK(gain(320e6, 2).likely < 0);
    CHECK(gain(1600e6, 2, 1600e6).likely < 0);         // conversions for arithmetic in single precision
    CHECK(gain(1600e6, 2, 0, 1600e6 / 32).likely < 0); // moves of constants, which the tensor pipe has
}

// A thousand blocks of eight warps, each of which loads 16 times and waits 260 cycles each time, 80 % of its time.
TEST_CASE(
    "rules: loads at addresses that come from data are a chain, if each is waited for as long as an idle L2 takes") {
    auto const found = [](std::string_view rule, double sectors_of_block, double cycles_of_load, double l2 = 20,
                          double loads = 16) {
        double const requests = 8000 * loads; // of words of 32 threads, which fill four sectors
        return found_by(rule, {{"launch__grid_size", 1000},
                               {"launch__block_size", 256},
                               {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1000 * sectors_of_block},
                               {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128 * requests},
                               {"lts__throughput.avg.pct_of_peak_sustained_elapsed", l2},
                               {"sm__warps_active.avg.pct_of_peak_sustained_active", 40},
                               {"smsp__warps_active.sum", requests * cycles_of_load / 0.8},
                               {"smsp__warps_issue_stalled_long_scoreboard.sum", requests * cycles_of_load}});
    };
    explain::gain const chain = found("dependent_loads", 1517.25, 260);
    CHECK(chain.likely == doctest::Approx(0.4).epsilon(0.01)); // two chains at a time
    CHECK(chain.least < 0.1);
    CHECK(chain.most >= 0.75);                               // a sixteenth of the way
    CHECK(found("memory_latency", 1517.25, 260).likely < 0); // another rule tells
    CHECK(found("dependent_loads", 512, 260).likely < 0);    // a layout: the addresses are known before
    CHECK(found("memory_latency", 512, 260).likely > 0.5);
    CHECK(found("dependent_loads", 1536, 260).likely < 0);    // a layout, of columns
    CHECK(found("dependent_loads", 512.25, 260).likely < 0);  // all threads of a warp go the same way
    CHECK(found("dependent_loads", 1517.25, 60).likely < 0);  // several are under way
    CHECK(found("dependent_loads", 1517.25, 900).likely < 0); // a queue
    explain::gain const before_busy =
        found("dependent_loads", 1517.25, 260, 80); // L2, which a shorter way may leave to others
    CHECK(before_busy.likely > 0);
    CHECK(before_busy.likely < 0.08);
    CHECK(before_busy.most > 0.1);
    CHECK(found("dependent_loads", 1517.25, 260, 20, 4).likely < 0); // what a kernel begins with
}

// L2 of 50 MB delivers 1.6 GB of coalesced loads, for which warps wait 80 % of their time.
TEST_CASE("rules: what L2 delivers far more often than it can hold, L1 has lost") {
    auto const gain = [](double misses, double from_dram, double sectors = 100e6, double waits = 80) {
        return gain_by("l1_thrashing", {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 25e6},
                                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", misses},
                                        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 3200e6},
                                        {"dram__bytes_read.sum", from_dram},
                                        {"device__attribute_l2_cache_size", 50e6},
                                        {"smsp__warps_active.sum", 100},
                                        {"smsp__warps_issue_stalled_long_scoreboard.sum", waits}});
    };
    CHECK(gain(50e6, 1e6) == doctest::Approx(0.8 * 0.87).epsilon(0.01)); // L1 takes an eighth of the time
    CHECK(gain(50e6, 400e6) < 0);                                        // new data
    CHECK(gain(15e6, 1e6) < 0);                                          // nine times, and L1 has most of it
    CHECK(gain(50e6, 1e6, 800e6) < 0);                                   // at random: uncoalesced
    CHECK(gain(50e6, 1e6, 100e6, 30) < 0);
}

// 12 loads of a word that is the same for all threads, and one of each thread's own, of 40 instructions.
TEST_CASE("rules: a word of all threads that L1 has more often than warps ask for it is loaded again in each turn") {
    auto const gain = [](double misses_of_words, double lsu = 65) {
        return gain_by("redundant_loads",
                       {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 13e6},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 16e6},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 4e6 + misses_of_words},
                        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 12e6 * 4 + 1e6 * 128},
                        {"smsp__inst_executed.sum", 40e6},
                        {"l1tex__t_sectors_pipe_lsu.sum", 20e6},
                        {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", lsu},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_not_selected.sum", 60},
                        {"smsp__warps_issue_stalled_long_scoreboard.sum", 30}});
    };
    CHECK(gain(1e3) == doctest::Approx(0.3 * (0.6 + 0.1)).epsilon(0.05)); // what other loads wait for stays
    CHECK(gain(60e3) < 0);                                                // 200 loads for a miss: each warp once
    CHECK(gain(1e3, 20) < 0);                                             // they cost nothing
}

// own_counters (tests/hardware/pairs/sealed.cu): counters of a thread beside each other. A sum of other words is read by tables.
TEST_CASE("rules: words that a thread loads and stores are its own, so that a layout parts them whatever their index") {
    auto const gain = [](double loads) {
        return gain_by("shared_bank_conflicts",
                       {{"launch__grid_size", 1000},
                        {"smsp__inst_executed_op_shared_ld.sum", loads},
                        {"smsp__inst_executed_op_shared_st.sum", 32e3},
                        {"smsp__sass_data_bytes_mem_shared_op_ld.sum", loads * 128},
                        {"smsp__sass_data_bytes_mem_shared_op_st.sum", 32e3 * 128},
                        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 3.3011 * loads},
                        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 3.3011 * 32e3},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 3.3011 * (loads + 32e3)},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", 97},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_short_scoreboard.sum", 98}});
    };
    CHECK(gain(33e3) > 0.6); // each is loaded, changed and stored
    CHECK(gain(320e3) == doctest::Approx(0).epsilon(0.001));
}

// As a distance has it: a difference, and its square added up, for each two loads.
TEST_CASE("rules: few loads are many if there is one for each operation") {
    auto const gain = [](double differences) {
        return gain_by("no_tiling", {{"smsp__inst_executed.sum", 100e6},
                                     {"smsp__inst_executed_op_global_ld.sum", 18e6},
                                     {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 9e6 * 32},
                                     {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", differences * 32},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 72e6},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 70e6},
                                     {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}});
    };
    CHECK(gain(9e6) == doctest::Approx(1 - (0.18 + 0.09 + 0.05)).epsilon(0.01));
    CHECK(gain(0) < 0); // an operation for two loads is 9 % of all
}

// 25 loads and additions for each value that is stored, of data that fills L1 of 132 SMs again and again, or that stays there.
TEST_CASE("rules: sums over windows share what they load, and sums over a table have it where it belongs") {
    auto const gain = [](double misses) {
        return gain_by("no_tiling", {{"smsp__inst_executed.sum", 60e6},
                                     {"smsp__inst_executed_op_global_ld.sum", 13e6},
                                     {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 13e6 * 32},
                                     {"device__attribute_multiprocessor_count", 132},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 52e6},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 52e6 - misses},
                                     {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 97}});
    };
    double const instructions = 13. / 60 + 0.5 * 13 / 60 + 0.05;
    CHECK(gain(8e6) == doctest::Approx(1 - instructions).epsilon(0.01));
    CHECK(gain(132 * 8192) < 0); // 256 KiB each
}

// 16896 blocks of 132 SMs, 128 of each, which begin 150 cycles after another.
TEST_CASE("rules: blocks are tiny if they end faster than an SM can begin them") {
    auto const gain = [](double cycles) {
        return gain_by("tiny_blocks", {{"launch__grid_size", 16896},
                                       {"launch__block_size", 256},
                                       {"launch__waves_per_multiprocessor", 16},
                                       {"device__attribute_multiprocessor_count", 132},
                                       {"sm__warps_active.avg.per_cycle_active", 32},
                                       {"sm__cycles_active.avg", cycles},
                                       {"sm__cycles_active.max", cycles},
                                       {"sm__cycles_elapsed.max", cycles},
                                       {"gpu__time_duration.sum", 20000}});
    };
    CHECK(gain(128 * 160) == doctest::Approx(0.5).epsilon(0.01)); // twice as many warps
    CHECK(gain(128 * 300) < 0);                                   // something else keeps blocks from beginning
}

// periodic_box (tests/hardware/pairs/sealed.cu): a remainder is worked out bit by bit, with few conversions.
TEST_CASE("rules: functions that are worked out by integers are slow, too") {
    auto const gain = [](double floats, double alu) {
        return gain_by("slow_functions", {{"sm__inst_executed.sum", 100e6},
                                          {"sm__inst_executed_pipe_xu.sum", 1.7e6},
                                          {"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                          {"smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", 10e6},
                                          {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", floats},
                                          {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 12},
                                          {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", alu},
                                          {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", 90},
                                          {"smsp__warps_active.sum", 100},
                                          {"smsp__warps_issue_stalled_not_selected.sum", 90}});
    };
    CHECK(gain(640e6, 60) ==
          doctest::Approx(1 - 0.5 * 90 / 97).epsilon(0.1)); // a fifth floats, as much around them, a tenth
    CHECK(gain(1600e6, 60) < 0);                            // arithmetic
    CHECK(gain(0, 60) < 0);                                 // integers
    CHECK(gain(640e6, 20) < 0);
}

// An eighth of the picture's blocks has most to do: SMs are alike, but have a third of their warps on average.
TEST_CASE("rules: blocks of different length leave an SM few warps, though a pipe is half busy") {
    auto const gain = [](double warps, double issue) {
        return gain_by("uneven_work", {{"launch__grid_size", 1056},
                                       {"launch__block_size", 256},
                                       {"launch__waves_per_multiprocessor", 1},
                                       {"device__attribute_multiprocessor_count", 132},
                                       {"sm__warps_active.avg.per_cycle_active", warps},
                                       {"sm__cycles_active.avg", 90e3},
                                       {"sm__cycles_active.max", 95e3},
                                       {"sm__cycles_elapsed.max", 100e3},
                                       {"gpu__time_duration.sum", 50000},
                                       {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", issue}});
    };
    CHECK(gain(19, 61) > 0.2);
    CHECK(gain(19, 85) < 0); // more warps would find no room
    CHECK(gain(45, 61) < 0);
}

// 16 x 16 x 16 products of a warp: 128 multiply-adds for 32 sectors by tensor cores. L1 is full of what single threads load.
TEST_CASE("rules: tensor cores read a tile once, so that L1 has little to do") {
    auto const gain = [](double misses) {
        return gain_by("no_tensor_cores", {{"smsp__thread_inst_executed_pred_on.sum", 3200e6},
                                           {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1280e6},
                                           {"smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", 1280e6},
                                           {"sm__inst_executed_pipe_tensor.sum", 0},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 100e6},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", misses},
                                           {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 97},
                                           {"smsp__warps_active.sum", 100},
                                           {"smsp__warps_issue_stalled_long_scoreboard.sum", 90}});
    };
    CHECK(gain(1e6) > 0.7);                                 // a tenth of the sectors stays
    CHECK(gain(90e6) == doctest::Approx(0).epsilon(0.001)); // L1 has not what is read again
}

// 64 MB by stores of 4 of 32 bytes of a sector, and 192 MB of reads of which a quarter is used. 64 MB are of kernels before.
TEST_CASE("rules: what kernels before left in L2 is written by what is read now") {
    auto const gain = [](double written) {
        return gain_by("uncoalesced_global_access",
                       {{"launch__grid_size", 1000},
                        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 375e3},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 6e6},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 6e6},
                        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 48e6},
                        {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
                        {"smsp__sass_data_bytes_mem_global_op_st.sum", 0},
                        {"l1tex__t_sectors_pipe_lsu.sum", 6e6},
                        {"lts__t_sectors_srcunit_tex.sum", 6e6},
                        {"lts__t_sectors_op_read.sum", 6e6},
                        {"lts__t_sectors_op_write.sum", 0},
                        {"dram__bytes_read.sum", 192e6},
                        {"dram__bytes_write.sum", written},
                        {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 90},
                        {"smsp__warps_active.sum", 100},
                        {"smsp__warps_issue_stalled_long_scoreboard.sum", 98}});
    };
    CHECK(gain(0) == doctest::Approx(0.75).epsilon(0.03));
    CHECK(gain(64e6) == doctest::Approx(gain(0)).epsilon(0.03)); // a quarter of them, too
}

} // namespace rules_test
