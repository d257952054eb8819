// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of metric names, part by part. (catalogue_names.test.cpp has it face every name that CUPTI lists.)
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gpuprof/metric/name.hpp>
#include <gpuprof/core/unit_symbol.hpp>

namespace name_test {

using namespace gpuprof;

namespace {
struct fault_case {
    std::string_view name;
    name_fault fault;
    std::string_view part;
};

std::string value_unit(std::string_view name) {
    metric_name const parts = parse_metric_name(name);
    CAPTURE(std::string{name});
    CHECK(parts.valid());
    return std::string{symbol(parts.value_unit()).view()};
}
} // namespace

TEST_CASE("a name with everything in it is taken apart") {
    metric_name const parts = parse_metric_name(
        "SM_A.TriageCompute.l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum.peak_sustained_active.per_second");
    CHECK(parts.valid());
    CHECK(parts.trigger() == "SM_A.TriageCompute");
    CHECK(parts.hw_unit() == "l1tex");
    CHECK(parts.base() == "l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld");
    CHECK(parts.subunit() == "");
    CHECK(parts.stage() == "m");
    CHECK(parts.interface_a2b() == "xbar2l1tex");
    CHECK(parts.quantity() == "read_sectors");
    CHECK(parts.qualifiers() == "mem_lg_op_ld");
    CHECK(parts.rollup() == rollup::sum);
    CHECK(parts.submetric() == submetric::peak_sustained_active_per_second);
    CHECK(parts.kind() == metric_kind::counter);
    CHECK(parts.source() == metric_source::hardware);
}

TEST_CASE("sub-units, stages, adjectives and states find their place") {
    auto const data = parse_metric_name("l1tex__data_bank_conflicts_pipe_lsu.sum");
    CHECK(data.subunit() == "data");
    CHECK(data.quantity() == "bank_conflicts");
    CHECK(data.qualifiers() == "pipe_lsu");
    auto const pipe = parse_metric_name("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    CHECK(pipe.subunit() == "data_pipe_lsu");
    CHECK(pipe.quantity() == "wavefronts");
    CHECK(pipe.qualifiers() == "mem_shared_op_ld");
    auto const thread = parse_metric_name("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    CHECK(thread.source() == metric_source::sass);
    CHECK(thread.quantity() == "thread_inst_executed");
    CHECK(thread.qualifiers() == "op_ffma_pred_on");
    auto const cycles = parse_metric_name("sm__cycles_elapsed.max");
    CHECK(cycles.quantity() == "cycles_elapsed");
    CHECK(cycles.qualifiers() == "");
    CHECK(cycles.rollup() == rollup::max);
    auto const stage = parse_metric_name("lts__t_sectors_srcunit_tex.avg");
    CHECK(stage.stage() == "t");
    CHECK(stage.quantity() == "sectors");
}

TEST_CASE("counters, ratios and throughputs are told apart") {
    CHECK(parse_metric_name("sm__inst_executed.sum").kind() == metric_kind::counter);
    CHECK(parse_metric_name("smsp__average_warp_latency.ratio").kind() == metric_kind::ratio);
    CHECK(parse_metric_name("lts__t_sector_hit_rate.pct").kind() == metric_kind::ratio);
    CHECK(parse_metric_name("smsp__thread_inst_executed_per_inst_executed.max_rate").kind() == metric_kind::ratio);
    CHECK(parse_metric_name("sm__throughput.avg.pct_of_peak_sustained_elapsed").kind() == metric_kind::throughput);
}

TEST_CASE("the prefixes of the guide are parted from the metric, and say what delivers it") {
    // Guide 3.2 and 5.1.
    auto const parts = parse_metric_name("breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed");
    CHECK(parts.valid());
    CHECK(parts.kind() == metric_kind::group);
    CHECK(parts.source() == metric_source::named_set);
    CHECK(parts.prefix() == "breakdown");
    CHECK(parts.bare() == "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    CHECK(parts.base() == "sm__throughput");
    CHECK_FALSE(parts.is_number());
    auto const sampled = parse_metric_name("pmsampling:FBSP.TriageCompute.dram__read_bytes.avg.per_second");
    CHECK(sampled.valid());
    CHECK(sampled.source() == metric_source::pm_sampling);
    CHECK(sampled.prefix() == "pmsampling");
    CHECK(sampled.trigger() == "FBSP.TriageCompute");
    CHECK(sampled.hw_unit() == "dram");
    CHECK(symbol(sampled.value_unit()).view() == "byte/s");
    CHECK(parse_metric_name("sm__inst_executed.sum").prefix() == "");
    CHECK(parse_metric_name("sm__inst_executed.sum").bare() == "sm__inst_executed.sum");
}

TEST_CASE("the guide's examples evaluate or do not, as it says") {
    // Guide 3.2, "Metrics Examples".
    for (auto const* name : {"sm__inst_executed", "smsp__average_warp_latency", "sm__throughput"}) {
        CHECK_FALSE(parse_metric_name(name).valid());
    }
    for (auto const* rollup : {"sum", "avg", "min", "max"}) {
        CHECK(parse_metric_name(std::string{"sm__inst_executed."} + rollup).valid());
    }
    for (auto const* sub :
         {"", ".peak_sustained", ".peak_sustained_active", ".peak_sustained_active.per_second",
          ".peak_sustained_elapsed", ".peak_sustained_elapsed.per_second", ".peak_sustained_frame",
          ".peak_sustained_frame.per_second", ".peak_sustained_region", ".peak_sustained_region.per_second",
          ".per_cycle_active", ".per_cycle_elapsed", ".per_cycle_in_frame", ".per_cycle_in_region", ".per_second",
          ".pct_of_peak_sustained_active", ".pct_of_peak_sustained_elapsed", ".pct_of_peak_sustained_frame",
          ".pct_of_peak_sustained_region"}) {
        CAPTURE(std::string{sub});
        CHECK(parse_metric_name(std::string{"l1tex__data_bank_conflicts_pipe_lsu.sum"} + sub).valid());
    }
}

TEST_CASE("the unit follows from the quantity, the unit's clock and the sub-metric") {
    CHECK(value_unit("dram__bytes_read.sum") == "byte");
    CHECK(value_unit("dram__bytes_read.sum.per_second") == "byte/s");
    CHECK(value_unit("dram__bytes_read.sum.per_cycle_elapsed") == "byte/cycle(dram)");
    CHECK(value_unit("dram__bytes_read.avg.pct_of_peak_sustained_elapsed") == "%");
    CHECK(value_unit("sm__inst_executed.avg.per_cycle_active") == "instruction/cycle(gpc)");
    CHECK(value_unit("sm__cycles_active.avg") == "cycle(gpc)");
    CHECK(value_unit("lts__cycles_active.avg") == "cycle(fbp)");
    CHECK(value_unit("fbpa__dram_cycles_elapsed.avg") == "cycle(dram)");
    CHECK(value_unit("sm__warps_active.avg") == "warp*cycle(gpc)");
    CHECK(value_unit("sm__warps_active.avg.per_cycle_active") == "warp");
    CHECK(value_unit("sm__warps_launched.sum") == "warp");
    CHECK(value_unit("smsp__issue_active.sum") == "cycle(gpc)");
    CHECK(value_unit("l1tex__m_l1tex2xbar_active.sum") == "cycle(gpc)"); // CUPTI 12.0, 2.8.1: cycles of an interface
    CHECK(value_unit("l1tex__m_l1tex2xbar_stalled.sum") == "cycle(gpc)");
    CHECK(value_unit("gpu__time_duration.sum") == "ns");
    CHECK(value_unit("lts__t_tag_requests.sum") == "tag");
    CHECK(value_unit("l1tex__t_set_conflicts.sum") == "cycle(gpc)");
    CHECK(value_unit("l1tex__data_bank_conflicts_pipe_lsu.sum.peak_sustained") == "conflict/cycle(gpc)");
    CHECK(value_unit("l1tex__average_t_sectors_per_request.ratio") == "sector/request");
    CHECK(value_unit("l1tex__average_t_sectors_per_request.pct") == "%");
    CHECK(value_unit("smsp__average_warp_latency.ratio") == "cycle(gpc)");
    CHECK(value_unit("smsp__warp_issue_stalled_barrier_per_warp_active.ratio") == "ratio");
    CHECK(value_unit("sm__average_threads_launched_per_warp.ratio") == "thread/warp");
    CHECK(value_unit("tpc__average_registers_per_thread.ratio") == "register/thread");
    CHECK(value_unit("lts__t_sector_hit_rate.ratio") == "ratio");
    CHECK(value_unit("launch__registers_per_thread") == "register/thread");
}

TEST_CASE("sums and averages add up, extremes do not, and all else is averaged") {
    CHECK(parse_metric_name("sm__inst_executed.sum").aggregation() == aggregation::sum);
    CHECK(parse_metric_name("sm__inst_executed.avg").aggregation() == aggregation::sum);
    CHECK(parse_metric_name("sm__inst_executed.min").aggregation() == aggregation::minimum);
    CHECK(parse_metric_name("sm__inst_executed.max").aggregation() == aggregation::maximum);
    CHECK(parse_metric_name("sm__inst_executed.sum.per_second").aggregation() == aggregation::mean);
    CHECK(parse_metric_name("lts__t_sector_hit_rate.pct").aggregation() == aggregation::mean);
    CHECK(parse_metric_name("sm__throughput.avg.pct_of_peak_sustained_elapsed").aggregation() == aggregation::mean);
}

TEST_CASE("a wrong name is refused with the part at fault") {
    using enum name_fault;
    using std::string_view_literals::operator""sv;
    fault_case const cases[] = {
        {"", empty, ""},
        {"sm__inst\0_executed.sum"sv, embedded_nul, "\0"sv},
        {"s\0m__inst_executed.sum"sv, embedded_nul, "\0"sv},
        {"sm__inst_executed.su\0m"sv, embedded_nul, "\0"sv},
        {"sm__inst_executed.sum\0"sv, embedded_nul, "\0"sv},
        {"sm__inst executed.sum", bad_character, " "},
        {"sm__inst_executed.sum\n", bad_character, "\n"},
        {"launch__grid-size", bad_character, "-"},
        {"sm_inst_executed.sum", malformed_base, "sm_inst_executed.sum"},
        {"__inst_executed.sum", malformed_base, "__inst_executed.sum"},
        {"sm__.sum", malformed_base, "sm__"},
        {"sm__inst__executed.sum", malformed_base, "sm__inst_"},
        {"sm__inst_executed_.sum", malformed_base, "sm__inst_executed_"},
        {"sn__inst_executed.sum", unknown_unit, "sn"},
        {"SM_A.TriageCompute.sn__inst_executed.sum", unknown_unit, "sn"},
        {"launch__grid_sise", unknown_provider_metric, "grid_sise"},
        {"launch__grid_size.sum", unknown_provider_metric, "grid_size.sum"},
        {"smsp__pcsamp_sample_counts", unknown_provider_metric, "pcsamp_sample_counts"},
        {"group:memory__dram_tabel", unknown_provider_metric, "dram_tabel"},
        {"sm__inst_executed", missing_rollup, "sm__inst_executed"},
        {"sm__inst_executed.per_second", missing_rollup, "per_second"},
        {"smsp__average_warp_latency", missing_ratio_submetric, "smsp__average_warp_latency"},
        {"sm__throughput", missing_throughput_submetric, "sm__throughput"},
        {"sm__throughput.avg", missing_throughput_submetric, "sm__throughput.avg"},
        {"sm__throughput.pct_of_peak_sustained_elapsed", missing_rollup, "pct_of_peak_sustained_elapsed"},
        {"breakdown:sm__inst_executed.sum", breakdown_of_no_throughput, "sm__inst_executed.sum"},
        {"breakdown:sm__throughput.avg", missing_throughput_submetric, "sm__throughput.avg"},
        {"breakdown:", malformed_base, "breakdown:"},
        {"breakdowns:sm__throughput.avg.pct_of_peak_sustained_elapsed", unknown_unit, "breakdowns:sm"},
        {"pmsampling:sn__inst_executed.sum", unknown_unit, "sn"},
        {"pmsampling:launch__grid_size", unknown_unit, "launch"},
        {"sm__inst_executed.summ", unknown_rollup, "summ"},
        {"sm__inst_executed.", unknown_rollup, ""},
        {"sm__inst_executed.SUM", unknown_rollup, "SUM"},
        {"sm__inst_executed.sum.per_sec", unknown_submetric, "per_sec"},
        {"sm__inst_executed.sum.", unknown_submetric, ""},
        {"sm__inst_executed.sum.avg", unknown_submetric, "avg"},
        {"sm__inst_executed.sum.per_second.per_second", unknown_submetric, "per_second"},
        {"sm__inst_executed.sum.peak_sustained.per_second", unknown_submetric, "per_second"},
        {"sm__inst_executed.sum.peak_sustained_active.per_second.x", unknown_submetric, "x"},
        {"sm__inst_executed.sum.peak_burst", withdrawn_burst, "peak_burst"},
        {"sm__inst_executed.sum.pct_of_peak_burst_active", withdrawn_burst, "pct_of_peak_burst_active"},
        {"sm__throughput.avg.pct_of_peak_burst_elapsed", withdrawn_burst, "pct_of_peak_burst_elapsed"},
        {"sm__inst_executed.pct", submetric_not_of_this_kind, "pct"},
        {"sm__inst_executed.sum.ratio", submetric_not_of_this_kind, "ratio"},
        {"smsp__average_warp_latency.sum", submetric_not_of_this_kind, "sum"},
        {"smsp__average_warp_latency.per_second", submetric_not_of_this_kind, "per_second"},
        {"sm__throughput.avg.per_second", submetric_not_of_this_kind, "per_second"},
    };
    for (fault_case const& one : cases) {
        CAPTURE(std::string{one.name});
        metric_name const parts = parse_metric_name(one.name);
        CHECK(parts.fault() == one.fault);
        CHECK(parts.fault_part() == one.part);
        CHECK_FALSE(describe(parts.fault()).empty());
    }
}

TEST_CASE("a base that is nothing but a stage is its own quantity") {
    constexpr metric_name parts = parse_metric_name("lts__t.sum");
    CHECK(parts.valid());
    CHECK(parts.quantity() == "t");
    CHECK(parts.qualifiers() == "");
    CHECK(parse_metric_name("sm__sass.sum").quantity() == "sass");
}

TEST_CASE("a name of 512 characters is read and one of 513 or 10,000 refused") {
    std::string name = "sm__inst_executed_";
    name.append(metric_name::max_size - name.size() - 4, 'x');
    CHECK(parse_metric_name(name + ".sum").valid());
    CHECK(parse_metric_name(name + "x.sum").fault() == name_fault::too_long);
    CHECK(parse_metric_name(std::string(10'000, 'x')).fault() == name_fault::too_long);
}

TEST_CASE("whatever bytes come, the parser ends and its slices lie in the text") {
    std::string text = "SM_A.sm__sass_l1tex_m_xbar2l1tex_inst_executed_per_warp.sum.per_second";
    std::uint32_t random = 1;
    for (int replay_pass = 0; replay_pass < 20'000; ++replay_pass) {
        random = random * 1664525u + 1013904223u;
        std::string changed = text;
        changed[(random >> 8) % text.size()] = static_cast<char>(random >> 24);
        if (random & 1) changed.resize((random >> 16) % text.size());
        metric_name const parts = parse_metric_name(changed);
        for (std::string_view part :
             {parts.trigger(), parts.hw_unit(), parts.base(), parts.subunit(), parts.stage(), parts.interface_a2b(),
              parts.quantity(), parts.qualifiers(), parts.fault_part()}) {
            REQUIRE(part.data() >= changed.data());
            REQUIRE(part.size() <= changed.size());
            REQUIRE(part.data() - changed.data() <= static_cast<std::ptrdiff_t>(changed.size() - part.size()));
        }
    }
}

} // namespace name_test
