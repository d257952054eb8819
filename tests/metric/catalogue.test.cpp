// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// catalogue.hpp, catalogue/*.hpp and metric_on.hpp: what the chips have, found at compile time and at run time.
#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include <gpuprof/metric/catalogue/all.hpp>
#include <gpuprof/metric/catalogue_lookup.hpp>
#include <gpuprof/metric/on_chip.hpp>

namespace catalogue_test {

using gpuprof::catalogue_for;
using gpuprof::catalogue_of;
using gpuprof::chip;
using gpuprof::metric_kind;

namespace {

// Every complete metric name in the mapping table for capability 7.0 (CUPTI 12.0, 2.8.3 and 2.8.4), so all of them GV100's.
constexpr std::string_view mapped_for_capability_7_0[] = {
    "dram__bytes_read.sum",
    "dram__bytes_read.sum.per_second",
    "dram__bytes_write.sum",
    "dram__bytes_write.sum.per_second",
    "dram__sectors_read.sum",
    "dram__sectors_write.sum",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_local_op_st.ratio",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second",
    "l1tex__f_tex2sm_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "l1tex__lsu_writeback_active.avg.pct_of_peak_sustained_active",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second",
    "l1tex__t_bytes_pipe_lsu_mem_local_op_ld.sum.per_second",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "l1tex__t_requests_pipe_tex_mem_surface_op_atom.sum",
    "l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum",
    "l1tex__t_requests_pipe_tex_mem_surface_op_red.sum",
    "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum",
    "l1tex__t_requests_pipe_tex_mem_texture.sum",
    "l1tex__t_sector_hit_rate.pct",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum.per_second",
    "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum",
    "l1tex__tex_writeback_active.avg.pct_of_peak_sustained_active",
    "l1tex__texin_sm2tex_req_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_atom.sum",
    "lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_ld.sum",
    "lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_st.sum",
    "lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_local_op_ld.sum",
    "lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_local_op_st.sum",
    "lts__t_bytes_equiv_l1sectormiss_pipe_tex_mem_surface_op_ld.sum",
    "lts__t_bytes_equiv_l1sectormiss_pipe_tex_mem_surface_op_st.sum",
    "lts__t_sector_hit_rate.pct",
    "lts__t_sector_op_read_hit_rate.pct",
    "lts__t_sector_op_write_hit_rate.pct",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "lts__t_sectors_aperture_sysmem_op_read.sum",
    "lts__t_sectors_aperture_sysmem_op_read.sum.per_second",
    "lts__t_sectors_aperture_sysmem_op_write.sum",
    "lts__t_sectors_aperture_sysmem_op_write.sum.per_second",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_read.sum.per_second",
    "lts__t_sectors_op_write.sum",
    "lts__t_sectors_op_write.sum.per_second",
    "lts__t_sectors_srcunit_l1_op_atom.sum",
    "lts__t_sectors_srcunit_l1_op_atom.sum.per_second",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum.per_second",
    "pcie__read_bytes.sum",
    "pcie__write_bytes.sum",
    "sm__cycles_active.sum",
    "sm__cycles_elapsed.sum",
    "sm__inst_executed.sum",
    "sm__mio2rf_writeback_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__warps_active.sum",
    "smsp__average_inst_executed_per_warp.ratio",
    "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__inst_executed.avg.per_cycle_active",
    "smsp__inst_executed.sum",
    "smsp__inst_executed_op_generic_atom_dot_alu.sum",
    "smsp__inst_executed_op_generic_atom_dot_cas.sum",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_op_global_red.sum",
    "smsp__inst_executed_op_global_st.sum",
    "smsp__inst_executed_op_local_ld.sum",
    "smsp__inst_executed_op_local_st.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "smsp__inst_executed_op_shared_atom_dot_alu.sum",
    "smsp__inst_executed_op_shared_atom_dot_cas.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_surface_atom.sum",
    "smsp__inst_executed_op_surface_ld.sum",
    "smsp__inst_executed_op_surface_red.sum",
    "smsp__inst_executed_op_surface_st.sum",
    "smsp__inst_executed_op_texture.sum",
    "smsp__inst_executed_pipe_adu.sum",
    "smsp__inst_executed_pipe_cbu.sum",
    "smsp__inst_executed_pipe_fma.sum",
    "smsp__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_fp16.sum",
    "smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_fp64.sum",
    "smsp__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_tex.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "smsp__inst_issued.avg.per_cycle_active",
    "smsp__inst_issued.sum",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "smsp__sass_average_branch_targets_threads_uniform.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct",
    "smsp__sass_inst_executed_op_global_atom.sum",
    "smsp__sass_thread_inst_executed_op_control_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_misc_pred_on.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__warp_issue_stalled_barrier_per_warp_active.pct",
    "smsp__warp_issue_stalled_dispatch_stall_per_warp_active.pct",
    "smsp__warp_issue_stalled_drain_per_warp_active.pct",
    "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
    "smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_membar_per_warp_active.pct",
    "smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_misc_per_warp_active.pct",
    "smsp__warp_issue_stalled_no_instruction_per_warp_active.pct",
    "smsp__warp_issue_stalled_not_selected_per_warp_active.pct",
    "smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct",
    "smsp__warp_issue_stalled_sleeping_per_warp_active.pct",
    "smsp__warp_issue_stalled_tex_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_wait_per_warp_active.pct",
    "smsp__warps_eligible.sum.per_cycle_active",
    "sys__cycles_active.sum",
    "sys__cycles_elapsed.sum",
};

// The grammar of the guide 3.2: a counter has four roll-ups, each with these ten sub-metrics or none.
std::set<std::string> expected_counter_sub_metrics() {
    std::set<std::string> all;
    for (std::string const roll_up : {".sum", ".avg", ".min", ".max"}) {
        all.insert(roll_up);
        for (std::string const rest :
             {".peak_sustained", ".peak_sustained_active", ".peak_sustained_active.per_second",
              ".peak_sustained_elapsed", ".peak_sustained_elapsed.per_second", ".per_second", ".per_cycle_active",
              ".per_cycle_elapsed", ".pct_of_peak_sustained_active", ".pct_of_peak_sustained_elapsed"})
            all.insert(roll_up + rest);
    }
    return all;
}

std::set<std::string> sub_metric_set(metric_kind kind) {
    auto const listed = gpuprof::sub_metrics(kind);
    return {listed.begin(), listed.end()};
}

} // namespace

static_assert(std::forward_iterator<gpuprof::catalogue::iterator>);

// Usable where the compiler needs a constant.
static_assert(catalogue_of<chip::gh100>.contains("sm__inst_executed.sum"));
static_assert(!catalogue_of<chip::gh100>.contains("sm__inst_executed.summ"));
static_assert(catalogue_of<chip::gh100>.find("dram__bytes_read")->dimension == "byte");
static_assert(gpuprof::has_metric<chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed">);

// Thread block clusters came with capability 9.0 (CUPTI calls them CGAs).
static_assert(gpuprof::has_metric<chip::gh100, "gpc__cgas_launched.sum">);
static_assert(!gpuprof::has_metric<chip::ga100, "gpc__cgas_launched.sum">);

// A ratio has no roll-up, a counter no bare percentage, a throughput nothing but shares of its peak.
static_assert(!gpuprof::has_metric<chip::gh100, "smsp__thread_inst_executed_per_inst_executed.sum">);
static_assert(!gpuprof::has_metric<chip::gh100, "sm__inst_executed.pct">);
static_assert(!gpuprof::has_metric<chip::gh100, "sm__throughput.sum">);

TEST_CASE("every chip has a catalogue of its own, sorted by name and without repetition") {
    for (chip const which : gpuprof::all_chips) {
        CAPTURE(name(which));
        gpuprof::catalogue const& of = catalogue_for(which);
        CHECK(of.chip() == which);
        std::size_t count = 0;
        std::string_view previous;
        bool ascending = true;
        for (gpuprof::base_metric const metric : of) {
            ascending = ascending && previous < metric.name;
            previous = metric.name;
            ++count;
        }
        CHECK(ascending);
        CHECK(count == of.size());
    }
}

// Counted by a program of its own that calls cuptiProfilerHostGetBaseMetrics for the three kinds (CUPTI 13.0, 130001).
TEST_CASE("catalogues have as many base metrics as CUPTI 13.0 lists") {
    REQUIRE(gpuprof::catalogue_cupti_version == 130001);
    CHECK(catalogue_of<chip::gv100>.size() == 1731);
    CHECK(catalogue_of<chip::tu117>.size() == 1764);
    CHECK(catalogue_of<chip::ga100>.size() == 3062);
    CHECK(catalogue_of<chip::ga10b>.size() == 3000);
    CHECK(catalogue_of<chip::ad104>.size() == 3001);
    CHECK(catalogue_of<chip::gh100>.size() == 3650);
    CHECK(catalogue_of<chip::gb110>.size() == 4085);
    CHECK(catalogue_of<chip::gb20b>.size() == 3476);
}

TEST_CASE("GV100 has every metric that CUPTI's guide maps legacy metrics and events to") {
    for (std::string_view const metric : mapped_for_capability_7_0) {
        CAPTURE(metric);
        CHECK(catalogue_of<chip::gv100>.contains(metric));
    }
}

TEST_CASE("every base metric is found under its own name, with the same meaning") {
    for (chip const which : gpuprof::all_chips) {
        gpuprof::catalogue const& of = catalogue_for(which);
        std::size_t found = 0;
        for (gpuprof::base_metric const metric : of) {
            auto const again = of.find(metric.name);
            found += again && again->name == metric.name && again->kind == metric.kind &&
                     again->hardware_unit == metric.hardware_unit && again->dimension == metric.dimension;
        }
        CAPTURE(name(which));
        CHECK(found == of.size());
    }
}

TEST_CASE("a name can mean another unit on another chip, and each chip gives its own") {
    // l1tex__t_set_accesses is counted by the SM on one family and by the L1TEX on others (CUPTI 13.0, hardware unit).
    std::set<std::string_view> units;
    for (chip const which : gpuprof::all_chips)
        if (auto const metric = catalogue_for(which).find("l1tex__t_set_accesses")) units.insert(metric->hardware_unit);
    CHECK(units == std::set<std::string_view>{"sm", "l1tex"});
}

TEST_CASE("a counter's sub-metrics are four roll-ups, bare and with ten suffixes") {
    CHECK(sub_metric_set(metric_kind::counter) == expected_counter_sub_metrics());
    CHECK(sub_metric_set(metric_kind::ratio) == std::set<std::string>{".pct", ".ratio", ".max_rate"});
    CHECK(sub_metric_set(metric_kind::throughput).size() == 4 * 2);
    CHECK(sub_metric_set(metric_kind::text).empty());
}

TEST_CASE("base and sub-metric are parted after the unit, so a trigger group's dots stay with the base") {
    CHECK(gpuprof::base_name("sm__inst_executed.sum.per_second") == "sm__inst_executed");
    CHECK(gpuprof::base_name("SM_A.TriageCompute.sm__warps_active.avg") == "SM_A.TriageCompute.sm__warps_active");
    CHECK(gpuprof::base_name("no_unit.sum") == "no_unit");
    CHECK(gpuprof::base_name("") == "");
    CHECK(catalogue_of<chip::gh100>.contains("PCI.TriageCompute.pcie__read_bytes.sum"));
    CHECK_FALSE(catalogue_of<chip::gh100>.contains("PCI.TriageCompute"));
}

TEST_CASE("what is not exactly a metric's name is not contained") {
    gpuprof::catalogue const& of = catalogue_of<chip::gh100>;
    for (std::string const& wrong :
         {std::string{}, std::string{"."}, std::string{"sm__inst_executed"}, std::string{"sm__inst_executed."},
          std::string{"sm__inst_executed.sum."}, std::string{"SM__inst_executed.sum"},
          std::string{" sm__inst_executed.sum"}, std::string{"sm__inst_executed\0.sum", 22},
          std::string{"sm__inst_executed.sum\0", 22}, std::string{"zzz__zzz.sum"}, std::string(10'000, 'a'),
          std::string(10'000, '\xff')}) {
        CAPTURE(wrong.substr(0, 40));
        CHECK_FALSE(of.contains(wrong));
        CHECK_FALSE(of.find(wrong + "_"));
    }
}

TEST_CASE("the neighbour of a misspelled name shares the longest beginning with it") {
    gpuprof::catalogue const& of = catalogue_of<chip::gh100>;
    CHECK(of.neighbour("sm__inst_execute").name == "sm__inst_executed");
    CHECK(of.neighbour("gpu__time_durations").name.starts_with("gpu__time_duration"));
    CHECK(of.neighbour("").name == (*of.begin()).name);
    CHECK_FALSE(of.neighbour("zzz").name.empty());
}

TEST_CASE("metric_on is the very metric") {
    CHECK(std::is_same_v<decltype(gpuprof::metric_on<chip::gh100, "sm__inst_executed.sum">),
                         decltype(gpuprof::metric<"sm__inst_executed.sum">)>);
}

TEST_CASE("a name known only at run time is found, or the error offers the nearest") {
    gpuprof::catalogue const& gh100 = catalogue_of<chip::gh100>;
    auto const good = gpuprof::try_find(gh100, "sm__inst_executed.sum.per_second");
    REQUIRE(good);
    CHECK(good->name == "sm__inst_executed");
    CHECK(good->kind == metric_kind::counter);

    auto const wrong_base = gpuprof::try_find(gh100, "sm__inst_execute.sum");
    REQUIRE_FALSE(wrong_base);
    CHECK(wrong_base.error().code == gpuprof::errc::unknown_metric);
    CHECK(wrong_base.error().remedy.find("sm__inst_executed.sum") != std::string::npos);
    CHECK(wrong_base.error().cause.find("GH100") != std::string::npos);

    auto const wrong_rest = gpuprof::try_find(gh100, "sm__inst_executed.summ");
    REQUIRE_FALSE(wrong_rest);
    CHECK(wrong_rest.error().remedy.find("sm__inst_executed.sum") != std::string::npos);

    auto const other_chips = gpuprof::try_find(catalogue_of<chip::ga100>, "gpc__cgas_launched.sum");
    REQUIRE_FALSE(other_chips);
    CHECK(other_chips.error().cause.find("GA100") != std::string::npos);

    auto const bare = gpuprof::try_find(gh100, "sm__inst_executed");
    REQUIRE_FALSE(bare);
    CHECK(bare.error().remedy.find("sm__inst_executed.sum") != std::string::npos);
}

} // namespace catalogue_test
