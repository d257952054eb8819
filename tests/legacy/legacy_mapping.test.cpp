// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// legacy_mapping.hpp: legacy names on the range hardware, against NVIDIA's tables, the catalogues and hand arithmetic.
#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/metric/base_name.hpp>
#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/catalogue/gv100.hpp>
#include <gpuprof/legacy/lookup.hpp>

namespace legacy_mapping_test {

using gpuprof::chip;
using gpuprof::expression_input;
using gpuprof::input_source;
using gpuprof::range_mapping;

namespace legacy = gpuprof::legacy;

namespace {

// All mappings, those of names in no table included.
std::vector<range_mapping const*> every_mapping() {
    std::vector<range_mapping const*> all;
    for (auto const& table : {legacy::metric_mappings(), legacy::event_mappings()})
        for (range_mapping const& row : table) all.push_back(&row);
    for (range_mapping const& row : legacy::detail::other_metric_mappings) all.push_back(&row);
    return all;
}

template <chip Chip>
std::set<std::string> absent_from() {
    std::set<std::string> bases;
    for (auto const& base : gpuprof::catalogue_of<Chip>) bases.insert(std::string{base.name});
    std::set<std::string> absent;
    for (range_mapping const* const row : every_mapping())
        for (expression_input const& input : row->formula.inputs())
            if (std::string base{gpuprof::base_name(input.name)}; bases.count(base) == 0) absent.insert(base);
    return absent;
}

double evaluate(range_mapping const* row, std::map<std::string_view, double> const& values) {
    REQUIRE(row != nullptr);
    CAPTURE(row->name);
    return row->formula.evaluate([&](expression_input const& input) {
        REQUIRE_MESSAGE(values.count(input.name) == 1, "no value for " << std::string{input.name});
        return values.at(input.name);
    });
}
double metric(std::string_view name, std::map<std::string_view, double> const& values) {
    return evaluate(legacy::mapping_of_metric(name), values);
}
double event(std::string_view name, std::map<std::string_view, double> const& values) {
    return evaluate(legacy::mapping_of_event(name), values);
}

// The mapped formula of a metric is in the unit that the metric has on event hardware, and so is an event's. Both lists of
// metrics are sorted, so one walk finds all.
template <class Mappings>
constexpr bool metric_units_agree(Mappings const& rows) {
    std::size_t at = 0;
    for (range_mapping const& row : rows) {
        while (at < std::size(legacy::all_metrics) && std::string_view{legacy::all_metrics[at]->name} != row.name) ++at;
        if (at == std::size(legacy::all_metrics)) return false;
        if (row.has_equivalent() && !(row.formula.unit() == legacy::all_metrics[at]->of)) return false;
    }
    return true;
}
constexpr bool event_units_agree() {
    for (range_mapping const& row : legacy::event_mappings()) {
        auto const* const place = legacy::events_70.find(row.name);
        if (place == nullptr || (row.has_equivalent() && !(row.formula.unit() == place->event->of))) return false;
    }
    return true;
}
static_assert(metric_units_agree(legacy::metric_mappings()));
static_assert(metric_units_agree(legacy::detail::other_metric_mappings));
static_assert(event_units_agree());

} // namespace

// Counted in CUPTI 12.0: 180 rows in table 7 (2.8.3), 35 of them blank; 82 in table 8 (2.8.4), 10 of them blank.
TEST_CASE("the mapping has every row of the tables, and the blank ones are known") {
    CHECK(legacy::metric_mappings().size() == 180);
    int blank = 0;
    for (range_mapping const& row : legacy::metric_mappings())
        blank += !row.has_equivalent() || std::string_view{row.correction} == "left blank in the table";
    CHECK(blank == 35);
    CHECK(legacy::event_mappings().size() == 82);
    blank = 0;
    for (range_mapping const& row : legacy::event_mappings()) blank += !row.has_equivalent();
    CHECK(blank == 10);
}

TEST_CASE("every metric of 7.0 is in table 7, but for the one that only 7.2 has") {
    for (auto const& row : legacy::metrics_70.rows) {
        CAPTURE(row.metric->name);
        bool const only_72 = std::string_view{row.metric->name} == "tensor_int_fu_utilization";
        CHECK((legacy::mapping_of_metric(row.metric->name) == nullptr) == only_72);
    }
}

TEST_CASE("every event of 7.0 is in table 8, and the other way replay pass") {
    for (auto const& place : legacy::events_70.events) {
        CAPTURE(place.event->name);
        CHECK(legacy::mapping_of_event(place.event->name) != nullptr);
    }
    for (range_mapping const& row : legacy::event_mappings()) {
        CAPTURE(row.name);
        CHECK(legacy::events_70.find(row.name) != nullptr);
    }
}

TEST_CASE("mapping tables are sorted, without a name twice") {
    for (auto const& table : {legacy::metric_mappings(), legacy::event_mappings()}) {
        std::string_view before;
        for (range_mapping const& row : table) {
            CAPTURE(row.name);
            CHECK(before < std::string_view{row.name});
            before = row.name;
        }
    }
}

TEST_CASE("mapped formulas use metrics only, all of which GV100 has") {
    for (range_mapping const* const row : every_mapping())
        for (expression_input const& input : row->formula.inputs()) CHECK(input.source == input_source::metric);
    CHECK(absent_from<chip::gv100>().empty());
}

TEST_CASE("what GH100 lacks of the mapping is what the header says") {
    for (std::string const& base : absent_from<chip::gh100>()) {
        CAPTURE(base);
        CHECK((base.starts_with("lts__t_bytes_equiv_l1sectormiss_pipe_") || base == "smsp__inst_executed_pipe_fp16"));
    }
}

TEST_CASE("a row that agrees with the table is the table's metric itself") {
    struct row {
        std::string_view legacy;
        std::string_view range;
    };
    for (row const& each : {row{"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
                            row{"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct"},
                            row{"dram_read_bytes", "dram__bytes_read.sum"},
                            row{"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
                            row{"inst_executed", "smsp__inst_executed.sum"},
                            row{"shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                            row{"pcie_total_data_received", "pcie__read_bytes.sum"}}) {
        CAPTURE(std::string{each.legacy});
        range_mapping const* const mapping = legacy::mapping_of_metric(each.legacy);
        REQUIRE(mapping != nullptr);
        CHECK_FALSE(mapping->corrected());
        REQUIRE(mapping->formula.nodes().size() == 1);
        CHECK(mapping->formula.inputs()[0].name == each.range);
    }
}

TEST_CASE("sums, quotients and conversions of mapped metrics give what their arithmetic gives") {
    CHECK(metric("flop_count_sp", {{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 10},
                                   {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 20},
                                   {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 30}}) == 10 + 20 + 2 * 30);
    CHECK(metric("atomic_transactions_per_request", {{"l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum", 60},
                                                     {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum", 40},
                                                     {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 20},
                                                     {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 5}}) ==
          (60.0 + 40) / (20 + 5));
    // Of 100 active warps 30 issue; 7 of the 70 that stall wait at barriers.
    CHECK(metric("stall_sync", {{"smsp__warp_issue_stalled_membar_per_warp_active.pct", 3},
                                {"smsp__warp_issue_stalled_barrier_per_warp_active.pct", 4},
                                {"smsp__warp_issue_stalled_selected_per_warp_active.pct", 30}}) == doctest::Approx(10));
    // Sectors are 32 bytes, a pass through shared memory moves 128.
    CHECK(metric("l2_tex_read_throughput", {{"lts__t_sectors_srcunit_tex_op_read.sum.per_second", 1e9}}) == 32e9);
    CHECK(metric("l2_read_throughput", {{"lts__t_sectors_op_read.sum", 5},
                                        {"lts__t_sectors_op_atom.sum", 2},
                                        {"lts__t_sectors_op_red.sum", 3},
                                        {"gpu__time_duration.sum", 32}}) ==
          doctest::Approx(10e9)); // 320 bytes in 32 ns
    CHECK(metric("sysmem_write_bytes", {{"lts__t_sectors_aperture_sysmem_op_write.sum", 7}}) == 7 * 32);
    CHECK(metric("shared_load_throughput",
                 {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second", 1e9}}) == 128e9);
    // 73 per cent is a level of 7.3.
    CHECK(metric("dram_utilization", {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", 73}}) ==
          doctest::Approx(7.3));
    CHECK(metric("global_hit_rate", {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 30},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", 10},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 60},
                                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 20}}) == 100.0 * 40 / 80);
    CHECK(metric("ipc", {{"smsp__inst_executed.sum", 8000}, {"sm__cycles_active.sum", 4000}}) == 2);
    CHECK(metric("eligible_warps_per_cycle", {{"smsp__warps_eligible.sum", 6000}, {"sm__cycles_active.sum", 4000}}) ==
          1.5);
    CHECK(metric("inst_replay_overhead", {{"smsp__inst_issued.sum", 9000}, {"smsp__inst_executed.sum", 8000}}) ==
          100.0 * 1000 / 8000);
    CHECK(metric("gld_requested_throughput", {{"smsp__sass_data_bytes_mem_global_op_ld.sum", 640},
                                              {"gpu__time_duration.sum", 64}}) == doctest::Approx(10e9)); // bytes in ns
    CHECK(metric("shared_load_transactions_per_request", {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 70},
                                                          {"smsp__inst_executed_op_shared_ld.sum", 35}}) == 2);
    CHECK(metric("tex_cache_transactions",
                 {{"l1tex__lsu_writeback_active.sum", 7}, {"l1tex__tex_writeback_active.sum", 5}}) == 12);
}

// CUPTI 13.0 describes smsp__inst_executed_op_shared_atom as all ATOMS, _dot_alu as those without and _dot_cas as those with
// compare-and-swap. CUPTI 12.0.146 evaluates the metric of 7.0 as shared_atom + shared_atom_cas: 100 and 1000 give 1100.
TEST_CASE("shared atomics count once, and the event shared_atom leaves compare-and-swap out") {
    std::map<std::string_view, double> const counted{{"smsp__inst_executed_op_shared_atom.sum", 1100},
                                                     {"smsp__inst_executed_op_shared_atom_dot_alu.sum", 100},
                                                     {"smsp__inst_executed_op_shared_atom_dot_cas.sum", 1000}};
    CHECK(metric("inst_executed_shared_atomics", counted) == 1100);
    CHECK(event("shared_atom", counted) + event("shared_atom_cas", counted) == 1100);
    CHECK(event("shared_atom", counted) == 100);
}

TEST_CASE("reads and writes of L2 include atomics and reductions, as its events do") {
    std::map<std::string_view, double> const sectors{{"lts__t_sectors_op_read.sum", 10},
                                                     {"lts__t_sectors_op_write.sum", 20},
                                                     {"lts__t_sectors_op_atom.sum", 4},
                                                     {"lts__t_sectors_op_red.sum", 6}};
    CHECK(metric("l2_read_transactions", sectors) == 10 + 4 + 6);
    CHECK(metric("l2_write_transactions", sectors) == 20 + 4 + 6);
    CHECK(metric("l2_read_transactions", sectors) ==
          event("l2_subp0_total_read_sector_queries", sectors) + event("l2_subp1_total_read_sector_queries", sectors));
}

TEST_CASE("hit rates of what the texture cache asks of L2 leave out what others ask") {
    CHECK(metric("l2_tex_hit_rate",
                 {{"lts__t_sectors_srcunit_tex_lookup_hit.sum", 30}, {"lts__t_sectors_srcunit_tex.sum", 40}}) == 75);
    CHECK(metric("l2_tex_read_hit_rate", {{"lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", 30},
                                          {"lts__t_sectors_srcunit_tex_op_read.sum", 40}}) == 75);
    CHECK(metric("l2_tex_write_hit_rate", {{"lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum", 10},
                                           {"lts__t_sectors_srcunit_tex_op_write.sum", 40}}) == 25);
}

TEST_CASE("the shares of all reasons that warps stall for add up to everything") {
    std::map<std::string_view, double> shares{{"smsp__warp_issue_stalled_selected_per_warp_active.pct", 0}};
    double rest = 100;
    for (range_mapping const& row : legacy::metric_mappings())
        if (std::string_view{row.name}.starts_with("stall_"))
            for (expression_input const& input : row.formula.inputs())
                if (input.name.find("_selected_") == std::string_view::npos ||
                    input.name.find("not_selected") != std::string_view::npos)
                    shares[input.name] = 5, rest -= 5;
    shares["smsp__warp_issue_stalled_selected_per_warp_active.pct"] = rest; // no other reason
    double sum = 0;
    for (range_mapping const& row : legacy::metric_mappings())
        if (std::string_view{row.name}.starts_with("stall_")) sum += metric(row.name, shares);
    CHECK(sum == doctest::Approx(100));
}

TEST_CASE("where the range hardware counts something else, the row says that it is an approximation") {
    for (char const* const name : {"flop_count_hp", "flop_count_hp_fma", "branch_efficiency", "stall_memory_dependency",
                                   "l2_atomic_transactions"}) {
        CAPTURE(name);
        CHECK(legacy::mapping_of_metric(name)->is_approximation());
    }
    CHECK_FALSE(legacy::mapping_of_metric("inst_executed")->is_approximation());
}

TEST_CASE("events counted by part of a unit add up to the whole") {
    std::map<std::string_view, double> const sectors{{"dram__sectors_read.sum", 500}};
    CHECK(event("fb_subp0_read_sectors", sectors) + event("fb_subp1_read_sectors", sectors) == 500);
    std::map<std::string_view, double> const pipe{{"smsp__inst_executed_pipe_fma.sum", 80}};
    double sum = 0;
    for (char const* const name : {"inst_executed_fma_pipe_s0", "inst_executed_fma_pipe_s1",
                                   "inst_executed_fma_pipe_s2", "inst_executed_fma_pipe_s3"})
        sum += event(name, pipe);
    CHECK(sum == 80);
    CHECK(event("l2_subp0_total_read_sector_queries", {{"lts__t_sectors_op_read.sum", 10},
                                                       {"lts__t_sectors_op_atom.sum", 4},
                                                       {"lts__t_sectors_op_red.sum", 6}}) == (10 + 4 + 6) / 2.0);
}

TEST_CASE("a correction is said wherever a row differs from the table") {
    for (char const* const name : {"inst_executed_shared_atomics", "l2_tex_hit_rate", "l2_read_transactions",
                                   "stall_not_selected", "atomic_transactions_per_request"})
        CHECK(legacy::mapping_of_metric(name)->corrected());
    CHECK(legacy::mapping_of_event("shared_atom")->corrected());
    CHECK(legacy::mapping_of_metric("gst_transactions")->corrected());            // bytes there
    CHECK(legacy::mapping_of_metric("l2_tex_write_throughput")->corrected());     // reads there
    CHECK(legacy::mapping_of_metric("inst_executed_surface_loads")->corrected()); // shared atomics there
    CHECK(legacy::mapping_of_metric("warp_execution_efficiency")->corrected());   // threads there
    CHECK(legacy::mapping_of_event("fb_subp0_read_sectors")->corrected());        // both there
    CHECK_FALSE(legacy::mapping_of_event("active_warps")->corrected());
}

} // namespace legacy_mapping_test
