// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// legacy/metric_rows.hpp: every formula on counts chosen by hand; the arithmetic that is expected stands beside the name.
#include <cmath>
#include <doctest/doctest.h>

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include <gpuprof/legacy/lookup.hpp>

namespace formulas_test {

using gpuprof::capability_family;
using gpuprof::expression_input;
using gpuprof::legacy_metric_row;

namespace {

using values = std::map<std::string_view, double>;

// Events first, then the properties: 1000 ns at 1 GHz (1,000,000 kHz), so 1000 cycles, on 8 multiprocessors.
values const inputs{
    {"active_cycles", 4000},
    {"active_warps", 96000},
    {"elapsed_cycles_sm", 5000},
    {"inst_executed", 8000},
    {"inst_issued", 10000},
    {"inst_issued1", 9000},
    {"inst_issued2", 500},
    {"thread_inst_executed", 192000},
    {"thread_inst_executed_0", 100000},
    {"thread_inst_executed_1", 92000},
    {"not_predicated_off_thread_inst_executed", 128000},
    {"warps_launched", 100},
    {"branch", 500},
    {"divergent_branch", 125},
    {"global_load", 310},
    {"global_store", 320},
    {"local_load", 330},
    {"local_store", 340},
    {"shared_load", 350},
    {"shared_store", 360},
    {"atom_count", 11},
    {"global_atom_cas", 12},
    {"gred_count", 13},
    {"shared_atom", 14},
    {"shared_atom_cas", 15},
    {"inst_executed_shared_atom_cas", 16},
    {"gld_inst_8bit", 1},
    {"gld_inst_16bit", 2},
    {"gld_inst_32bit", 300},
    {"gld_inst_64bit", 4},
    {"gld_inst_128bit", 5},
    {"gst_inst_8bit", 6},
    {"gst_inst_16bit", 7},
    {"gst_inst_32bit", 100},
    {"gst_inst_64bit", 9},
    {"gst_inst_128bit", 10},
    {"rocache_gld_inst_8bit", 2},
    {"rocache_gld_inst_16bit", 3},
    {"rocache_gld_inst_32bit", 40},
    {"rocache_gld_inst_64bit", 5},
    {"rocache_gld_inst_128bit", 6},
    {"l1_shared_bank_conflict", 250},
    {"shared_ld_transactions", 700},
    {"shared_st_transactions", 540},
    {"l1_shared_load_transactions", 710},
    {"l1_shared_store_transactions", 550},
    {"shared_load_replay", 60},
    {"shared_store_replay", 20},
    {"global_ld_mem_divergence_replays", 70},
    {"global_st_mem_divergence_replays", 10},
    {"l1_global_load_hit", 30},
    {"l1_global_load_miss", 10},
    {"l1_local_load_hit", 8},
    {"l1_local_load_miss", 2},
    {"l1_local_store_hit", 5},
    {"l1_local_store_miss", 5},
    {"tex0_cache_sector_queries", 1000},
    {"tex1_cache_sector_queries", 600},
    {"tex2_cache_sector_queries", 300},
    {"tex3_cache_sector_queries", 100},
    {"tex0_cache_sector_misses", 250},
    {"tex1_cache_sector_misses", 150},
    {"tex2_cache_sector_misses", 75},
    {"tex3_cache_sector_misses", 25},
    {"fb_subp0_read_sectors", 100},
    {"fb_subp1_read_sectors", 60},
    {"fb_subp0_write_sectors", 50},
    {"fb_subp1_write_sectors", 30},
    {"fb1_subp0_read_sectors", 10},
    {"fb1_subp1_read_sectors", 20},
    {"fb1_subp0_write_sectors", 30},
    {"fb1_subp1_write_sectors", 40},
    {"l2_subp0_read_sector_misses", 101},
    {"l2_subp1_read_sector_misses", 61},
    {"l2_subp2_read_sector_misses", 1},
    {"l2_subp3_read_sector_misses", 2},
    {"l2_subp0_write_sector_misses", 11},
    {"l2_subp1_write_sector_misses", 12},
    {"l2_subp2_write_sector_misses", 3},
    {"l2_subp3_write_sector_misses", 4},
    {"l2_subp0_read_sector_queries", 200},
    {"l2_subp1_read_sector_queries", 120},
    {"l2_subp0_write_sector_queries", 90},
    {"l2_subp1_write_sector_queries", 70},
    {"l2_subp0_read_hit_sectors", 100},
    {"l2_subp1_read_hit_sectors", 60},
    {"l2_subp0_read_l1_sector_queries", 40},
    {"l2_subp1_read_l1_sector_queries", 30},
    {"l2_subp2_read_l1_sector_queries", 20},
    {"l2_subp3_read_l1_sector_queries", 10},
    {"l2_subp0_write_l1_sector_queries", 4},
    {"l2_subp1_write_l1_sector_queries", 3},
    {"l2_subp2_write_l1_sector_queries", 2},
    {"l2_subp3_write_l1_sector_queries", 1},
    {"l2_subp0_read_l1_hit_sectors", 20},
    {"l2_subp1_read_l1_hit_sectors", 15},
    {"l2_subp2_read_l1_hit_sectors", 10},
    {"l2_subp3_read_l1_hit_sectors", 5},
    {"l2_subp0_read_tex_sector_queries", 80},
    {"l2_subp1_read_tex_sector_queries", 60},
    {"l2_subp2_read_tex_sector_queries", 40},
    {"l2_subp3_read_tex_sector_queries", 20},
    {"l2_subp0_write_tex_sector_queries", 8},
    {"l2_subp1_write_tex_sector_queries", 6},
    {"l2_subp2_write_tex_sector_queries", 4},
    {"l2_subp3_write_tex_sector_queries", 2},
    {"l2_subp0_read_tex_hit_sectors", 60},
    {"l2_subp1_read_tex_hit_sectors", 10},
    {"l2_subp2_read_tex_hit_sectors", 20},
    {"l2_subp3_read_tex_hit_sectors", 10},
    {"l2_subp0_write_tex_hit_sectors", 4},
    {"l2_subp1_write_tex_hit_sectors", 3},
    {"l2_subp2_write_tex_hit_sectors", 2},
    {"l2_subp3_write_tex_hit_sectors", 1},
    {"l2_subp0_read_sysmem_sector_queries", 21},
    {"l2_subp1_read_sysmem_sector_queries", 22},
    {"l2_subp2_read_sysmem_sector_queries", 23},
    {"l2_subp3_read_sysmem_sector_queries", 24},
    {"l2_subp0_write_sysmem_sector_queries", 11},
    {"l2_subp1_write_sysmem_sector_queries", 12},
    {"l2_subp2_write_sysmem_sector_queries", 13},
    {"l2_subp3_write_sysmem_sector_queries", 14},
    {"l2_subp0_total_read_sector_queries", 400},
    {"l2_subp1_total_read_sector_queries", 300},
    {"l2_subp2_total_read_sector_queries", 200},
    {"l2_subp3_total_read_sector_queries", 100},
    {"l2_subp0_total_write_sector_queries", 40},
    {"l2_subp1_total_write_sector_queries", 30},
    {"l2_subp2_total_write_sector_queries", 20},
    {"l2_subp3_total_write_sector_queries", 10},
    {"pcie_rx_active_pulse", 3},
    {"pcie_tx_active_pulse", 5},
    {"gpu_time", 1000},
    {"clock_rate", 1000000},
    {"multiprocessor_count", 8},
    {"max_warps_per_multiprocessor", 48},
    {"warp_size", 32},
    {"schedulers_per_multiprocessor", 4},
    {"memory_bandwidth", 320000000}, // kilobytes a second: 320 bytes a nanosecond
    {"frame_buffer_count", 4},
    {"l2_units", 16},
    {"ecc_enabled", 1},
};

constexpr double byte_per_ns = 1e9; // bytes a second

// Bytes that threads asked for, by the counts above.
constexpr double loaded = 1 * 1 + 2 * 2 + 4 * 300 + 8 * 4 + 16 * 5;
constexpr double stored = 1 * 6 + 2 * 7 + 4 * 100 + 8 * 9 + 16 * 10;
// The document's gld_throughput and gst_throughput, in bytes.
constexpr double moved_by_loads = 128 * 30 + (200 + 120) * 32 - 2 * 128;
constexpr double moved_by_stores = (90 + 70) * 32 - 2 * 128;

// The 28 metrics of the capability-2.x document.
values const document_2x{
    {"sm_efficiency", 100.0 * (4000 / 8) / 1000},
    {"achieved_occupancy", 100.0 * (96000 / 4000) / 48},
    {"ipc", (8000.0 / 8) / 1000},
    {"branch_efficiency", 100.0 * (500 - 125) / 500},
    {"warp_execution_efficiency", 100.0 * (100000 + 92000) / (8000 * 32)},
    {"inst_replay_overhead", 100.0 * (10000 - 8000) / 10000},
    {"shared_replay_overhead", 100.0 * 250 / 10000},
    {"global_cache_replay_overhead", 100.0 * 10 / 10000},
    {"local_replay_overhead", 100.0 * (2 + 5) / 10000},
    {"gld_efficiency", 100.0 * loaded / moved_by_loads},
    {"gst_efficiency", 100.0 * stored / moved_by_stores},
    {"gld_throughput", moved_by_loads / 1000 * byte_per_ns},
    {"gst_throughput", moved_by_stores / 1000 * byte_per_ns},
    {"gld_requested_throughput", loaded / 1000 * byte_per_ns},
    {"gst_requested_throughput", stored / 1000 * byte_per_ns},
    {"dram_read_throughput", (100 + 60) * 32.0 / 1000 * byte_per_ns},
    {"dram_write_throughput", (50 + 30) * 32.0 / 1000 * byte_per_ns},
    {"l1_cache_global_hit_rate", 100.0 * 30 / (30 + 10)},
    {"l1_cache_local_hit_rate", 100.0 * (8 + 5) / (8 + 2 + 5 + 5)},
    {"tex_cache_hit_rate", 100.0 * (1000 - 250) / 1000},
    {"tex_cache_throughput", 1000 * 32.0 / 1000 * byte_per_ns},
    {"sm_efficiency_instance", 100.0 * 4000 / 1000}, // for one multiprocessor the count would be below 1000
    {"ipc_instance", 8000.0 / 1000},
    {"l2_l1_read_hit_rate", 100.0 * (100 + 60) / (200 + 120)},
    {"l2_tex_read_hit_rate", 100.0 * (60 + 10) / (80 + 60)},
    {"l2_l1_read_throughput", (200 + 120) * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_read_throughput", (80 + 60) * 32.0 / 1000 * byte_per_ns},
    {"local_memory_overhead", 100.0 * (2 * 2 * 128) / ((200 + 120 + 90 + 70) * 32)},
};

// What several families have.
values const common{
    {"achieved_occupancy", 100.0 * (96000 / 4000) / 48},
    {"sm_efficiency", 100.0 * 4000 / 5000},
    {"ipc", 8000.0 / 4000},
    {"inst_executed", 8000},
    {"inst_per_warp", 8000.0 / 100},
    {"warp_execution_efficiency", 100.0 * 192000 / 8000 / 32},
    {"warp_nonpred_execution_efficiency", 100.0 * 128000 / 8000 / 32},
    {"branch_efficiency", 100.0 * (500 - 125) / 500},
    {"issue_slots", 9000 + 500},
    {"inst_issued", 9000 + 2 * 500},
    {"issued_ipc", (9000 + 2 * 500) / 4000.0},
    {"issue_slot_utilization", 100.0 * (9000 + 500) / (4000 * 4)},
    {"inst_replay_overhead", 100.0 * (9000 + 2 * 500 - 8000) / 8000},
    {"inst_executed_global_loads", 310},
    {"inst_executed_global_stores", 320},
    {"inst_executed_local_loads", 330},
    {"inst_executed_local_stores", 340},
    {"inst_executed_shared_loads", 350},
    {"inst_executed_shared_stores", 360},
    {"inst_executed_global_atomics", 11 + 12},
    {"inst_executed_global_reductions", 13},
    {"inst_executed_shared_atomics", 14 + 15},
    {"gld_requested_throughput", loaded / 1000 * byte_per_ns},
    {"gst_requested_throughput", stored / 1000 * byte_per_ns},
    {"shared_load_transactions", 700},
    {"shared_store_transactions", 540},
    {"shared_load_throughput", 700 * 128.0 / 1000 * byte_per_ns},
    {"shared_store_throughput", 540 * 128.0 / 1000 * byte_per_ns},
    {"shared_load_transactions_per_request", 700.0 / 350},
    {"shared_store_transactions_per_request", 540.0 / 360},
    {"shared_utilization", 10.0 * (700 + 540) / 5000},
    {"dram_read_transactions", 100 + 60},
    {"dram_write_transactions", 50 + 30},
    {"dram_read_bytes", (100 + 60) * 32},
    {"dram_write_bytes", (50 + 30) * 32},
    {"dram_read_throughput", (100 + 60) * 32.0 / 1000 * byte_per_ns},
    {"dram_write_throughput", (50 + 30) * 32.0 / 1000 * byte_per_ns},
    {"dram_utilization", 10.0 * ((100 + 60 + 50 + 30) * 32 / 1000.0) / 320},
};

// L2 with slices 0 and 1, and with slices 0 to 3.
values const two_slices{
    {"l2_read_transactions", 400 + 300},
    {"l2_write_transactions", 40 + 30},
    {"l2_read_throughput", (400 + 300) * 32.0 / 1000 * byte_per_ns},
    {"l2_write_throughput", (40 + 30) * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_read_transactions", 80 + 60},
    {"l2_tex_write_transactions", 8 + 6},
    {"l2_tex_read_throughput", (80 + 60) * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_write_throughput", (8 + 6) * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_read_hit_rate", 100.0 * (60 + 10) / (80 + 60)},
    {"l2_tex_write_hit_rate", 100.0 * (4 + 3) / (8 + 6)},
    {"l2_tex_hit_rate", 100.0 * (60 + 10 + 4 + 3) / (80 + 60 + 8 + 6)},
    {"sysmem_read_transactions", 21 + 22},
    {"sysmem_write_transactions", 11 + 12},
    {"sysmem_read_bytes", (21 + 22) * 32},
    {"sysmem_write_bytes", (11 + 12) * 32},
    {"sysmem_read_throughput", (21 + 22) * 32.0 / 1000 * byte_per_ns},
    {"sysmem_write_throughput", (11 + 12) * 32.0 / 1000 * byte_per_ns},
};
values const four_slices{
    {"l2_read_transactions", 400 + 300 + 200 + 100},
    {"l2_write_transactions", 40 + 30 + 20 + 10},
    {"l2_read_throughput", 1000 * 32.0 / 1000 * byte_per_ns},
    {"l2_write_throughput", 100 * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_read_transactions", 80 + 60 + 40 + 20},
    {"l2_tex_write_transactions", 8 + 6 + 4 + 2},
    {"l2_tex_read_throughput", 200 * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_write_throughput", 20 * 32.0 / 1000 * byte_per_ns},
    {"l2_tex_read_hit_rate", 100.0 * (60 + 10 + 20 + 10) / 200},
    {"l2_tex_write_hit_rate", 100.0 * (4 + 3 + 2 + 1) / 20},
    {"l2_tex_hit_rate", 100.0 * (100 + 10) / (200 + 20)},
    {"sysmem_read_transactions", 21 + 22 + 23 + 24},
    {"sysmem_write_transactions", 11 + 12 + 13 + 14},
    {"sysmem_read_bytes", 90 * 32},
    {"sysmem_write_bytes", 50 * 32},
    {"sysmem_read_throughput", 90 * 32.0 / 1000 * byte_per_ns},
    {"sysmem_write_throughput", 50 * 32.0 / 1000 * byte_per_ns},
    {"ecc_transactions", (160 + 80) - (101 + 61 + 1 + 2 + 11 + 12 + 3 + 4)},
    {"ecc_throughput", 45 * 32.0 / 1000 * byte_per_ns},
    // 1100 sectors in 5000 cycles summed over 8 multiprocessors: 1.76 a cycle, of 8 for each of 4 partitions.
    {"l2_utilization", 10.0 * (1000 + 100) / (5000.0 / 8) / (4 * 8)},
};

values const of_2x{
    {"inst_issued", 10000},
};
values const of_3x{
    {"shared_replay_overhead", 100.0 * (60 + 20) / 8000},
    {"global_replay_overhead", 100.0 * (70 + 10) / 8000},
    {"global_cache_replay_overhead", 100.0 * 10 / 8000},
    {"local_replay_overhead", 100.0 * (2 + 5) / 8000},
    {"sm_efficiency_instance", 100.0 * 4000 / 5000},
    {"ipc_instance", 8000.0 / 4000},
    {"l1_cache_global_hit_rate", 100.0 * 30 / (30 + 10)},
    {"l1_cache_local_hit_rate", 100.0 * (8 + 5) / (8 + 2 + 5 + 5)},
    {"local_load_throughput", (8 + 2) * 128.0 / 1000 * byte_per_ns},
    {"shared_load_transactions", 710},
    {"shared_store_transactions", 550},
    {"shared_load_throughput", 710 * 256.0 / 1000 * byte_per_ns},
    {"shared_store_throughput", 550 * 256.0 / 1000 * byte_per_ns},
    {"shared_load_transactions_per_request", 710.0 / 350},
    {"shared_store_transactions_per_request", 550.0 / 360},
    {"l2_l1_read_transactions", 40 + 30 + 20 + 10},
    {"l2_l1_write_transactions", 4 + 3 + 2 + 1},
    {"l2_l1_read_throughput", 100 * 32.0 / 1000 * byte_per_ns},
    {"l2_l1_write_throughput", 10 * 32.0 / 1000 * byte_per_ns},
    {"l2_l1_read_hit_rate", 100.0 * (20 + 15 + 10 + 5) / 100},
    {"l2_texture_read_hit_rate", 100.0 * (60 + 10 + 20 + 10) / 200},
    {"l2_texture_read_throughput", 200 * 32.0 / 1000 * byte_per_ns},
    {"tex_cache_hit_rate", 100.0 * (2000 - 500) / 2000},
    {"nc_gld_requested_throughput", (2 * 1 + 3 * 2 + 40 * 4 + 5 * 8 + 6 * 16) / 1000.0 * byte_per_ns},
};
values const of_5x{
    {"tex_cache_hit_rate", 100.0 * (1600 - 220) / 1600}, // L2 was asked for 200 sectors of reads and 20 of writes
};
values const of_6x{
    {"dram_read_transactions", 100 + 60 + 10 + 20},
    {"dram_write_transactions", 50 + 30 + 30 + 40},
    {"dram_read_bytes", 190 * 32},
    {"dram_write_bytes", 150 * 32},
    {"dram_read_throughput", 190 * 32.0 / 1000 * byte_per_ns},
    {"dram_write_throughput", 150 * 32.0 / 1000 * byte_per_ns},
    {"dram_utilization", 10.0 * ((190 + 150) * 32 / 1000.0) / 320},
    {"inst_executed_shared_atomics", 14 + 16},
    {"l2_utilization", 10.0 * (700 + 70) / (5000.0 / 8) / (16 * 4)},
    {"tex_cache_hit_rate", 100.0 * (1600 - (80 + 60 + 8 + 6)) / 1600},
};
values const of_70{
    {"inst_issued", 9000},
    {"issue_slots", 9000},
    {"issued_ipc", 9000.0 / 4000},
    {"issue_slot_utilization", 100.0 * 9000 / (4000 * 4)},
    {"inst_replay_overhead", 100.0 * (9000 - 8000) / 8000},
    {"dram_read_transactions", 101 + 61},
    {"dram_write_transactions", 11 + 12},
    {"dram_read_bytes", 162 * 32},
    {"dram_write_bytes", 23 * 32},
    {"dram_read_throughput", 162 * 32.0 / 1000 * byte_per_ns},
    {"dram_write_throughput", 23 * 32.0 / 1000 * byte_per_ns},
    {"dram_utilization", 10.0 * ((162 + 23) * 32 / 1000.0) / 320},
    {"pcie_total_data_received", 3 * 512},
    {"pcie_total_data_transmitted", 5 * 512},
    {"l2_utilization", 10.0 * (700 + 70) / (5000.0 / 8) / (16 * 8)},
};

double value_of(legacy_metric_row const& row) {
    return row.formula.evaluate([&](expression_input const& input) {
        auto const found = inputs.find(input.name);
        CHECK_MESSAGE(found != inputs.end(), "no value for the input " << std::string{input.name});
        return found == inputs.end() ? 0.0 : found->second;
    });
}

// Each formula of the family against the first of the lists that has its name.
void check_formulas(capability_family family, std::initializer_list<values const*> expected) {
    for (legacy_metric_row const& row : gpuprof::legacy::metrics_of(family).rows) {
        if (row.asked_of_cupti()) continue;
        CAPTURE(row.metric->name);
        bool checked = false;
        for (values const* const list : expected) {
            auto const found = list->find(row.metric->name);
            if (found == list->end()) continue;
            CHECK(value_of(row) == doctest::Approx(found->second).epsilon(1e-12));
            checked = true;
            break;
        }
        CHECK_MESSAGE(checked, "this formula has no expected value");
    }
}

} // namespace

TEST_CASE("all 28 formulas of the capability 2.x document give what their arithmetic gives") {
    CHECK(document_2x.size() == 28);
    for (auto const& each : document_2x) {
        CAPTURE(std::string{each.first});
        legacy_metric_row const* const row = gpuprof::legacy::metrics_2x.find(each.first);
        REQUIRE(row != nullptr);
        REQUIRE_FALSE(row->asked_of_cupti());
        CHECK(value_of(*row) == doctest::Approx(each.second).epsilon(1e-12));
    }
}

TEST_CASE("every formula of 2.x gives what its arithmetic gives") {
    check_formulas(capability_family::cc_2x, {&document_2x, &of_2x, &two_slices, &common});
}
TEST_CASE("every formula of 3.x gives what its arithmetic gives") {
    check_formulas(capability_family::cc_3x, {&of_3x, &four_slices, &common});
}
TEST_CASE("every formula of 5.x gives what its arithmetic gives") {
    check_formulas(capability_family::cc_5x, {&of_5x, &four_slices, &common});
}
TEST_CASE("every formula of 6.x gives what its arithmetic gives") {
    check_formulas(capability_family::cc_6x, {&of_6x, &two_slices, &common});
}
TEST_CASE("every formula of 7.0 gives what its arithmetic gives") {
    check_formulas(capability_family::cc_70, {&of_70, &two_slices, &common});
}

TEST_CASE("without work every count is zero, and every share of it no number") {
    for (capability_family const family : gpuprof::all_capability_families) {
        for (legacy_metric_row const& row : gpuprof::legacy::metrics_of(family).rows) {
            CAPTURE(row.metric->name);
            auto const idle = [&](expression_input const& input) {
                return input.source == gpuprof::input_source::event || input.name == "gpu_time" ? 0.0 : 8.0;
            };
            double const value = row.formula.evaluate(idle);
            bool const adds_up = row.metric->aggregation() == gpuprof::aggregation::sum;
            CHECK((value == 0 || (!adds_up && std::isnan(value))));
            if (std::string_view{row.metric->name} == "branch_efficiency" && !row.formula.empty())
                CHECK(std::isnan(value));
        }
    }
}

// Capability 2.1 has four pipelines, counts issues of one and of two instructions by scheduler, and has two texture units;
// some chips of 2.x count device memory by halves of a partition. What these devices have, the formula adds up.
TEST_CASE("formulas of capability 2.x add up all pipelines, schedulers and halves that a device has") {
    std::map<std::string_view, double> const counts{{"inst_executed", 900},
                                                    {"inst_issued1_0", 500},
                                                    {"inst_issued1_1", 300},
                                                    {"inst_issued2_0", 70},
                                                    {"inst_issued2_1", 30},
                                                    {"thread_inst_executed_0", 1000},
                                                    {"thread_inst_executed_1", 2000},
                                                    {"thread_inst_executed_2", 3000},
                                                    {"thread_inst_executed_3", 4000},
                                                    {"l1_shared_bank_conflict", 40},
                                                    {"l1_global_load_miss", 20},
                                                    {"l1_local_load_miss", 6},
                                                    {"l1_local_store_miss", 4},
                                                    {"tex0_cache_sector_queries", 30},
                                                    {"tex1_cache_sector_queries", 70},
                                                    {"tex0_cache_sector_misses", 10},
                                                    {"tex1_cache_sector_misses", 15},
                                                    {"fb0_subp0_read_sectors", 1},
                                                    {"fb0_subp1_read_sectors", 2},
                                                    {"fb1_subp0_read_sectors", 4},
                                                    {"fb1_subp1_read_sectors", 8},
                                                    {"fb0_subp0_write_sectors", 16},
                                                    {"fb0_subp1_write_sectors", 32},
                                                    {"fb1_subp0_write_sectors", 64},
                                                    {"fb1_subp1_write_sectors", 128},
                                                    {"gpu_time", 1000},
                                                    {"warp_size", 32},
                                                    {"memory_bandwidth", 48e6}};
    auto const value = [&](std::string_view name) {
        auto const* const row = gpuprof::legacy::metrics_2x.find(name);
        REQUIRE(row != nullptr);
        REQUIRE_FALSE(row->wider.empty());
        CHECK(row->wider.unit() == row->metric->of);
        return row->wider.evaluate([&](expression_input const& input) {
            REQUIRE_MESSAGE(counts.count(input.name) == 1, std::string{input.name});
            return counts.at(input.name);
        });
    };
    double const issued = 500 + 300 + 2 * (70 + 30); // 1000
    CHECK(value("inst_issued") == issued);
    CHECK(value("inst_replay_overhead") == doctest::Approx(100 * (issued - 900) / issued));
    CHECK(value("shared_replay_overhead") == doctest::Approx(100 * 40 / issued));
    CHECK(value("global_cache_replay_overhead") == doctest::Approx(100 * 20 / issued));
    CHECK(value("local_replay_overhead") == doctest::Approx(100 * (6 + 4) / issued));
    CHECK(value("warp_execution_efficiency") == doctest::Approx(100.0 * 10000 / (900 * 32)));
    CHECK(value("tex_cache_hit_rate") == doctest::Approx(100.0 * (100 - 25) / 100));
    CHECK(value("tex_cache_throughput") == doctest::Approx(100 * 32 / 1e-6)); // in a microsecond
    CHECK(value("dram_read_transactions") == 15);
    CHECK(value("dram_write_transactions") == 240);
    CHECK(value("dram_read_bytes") == 15 * 32);
    CHECK(value("dram_write_throughput") == doctest::Approx(240 * 32 / 1e-6));
    CHECK(value("dram_utilization") == doctest::Approx(10 * 255 * 32 / 48000.0)); // of 48 GB/s, in tenths
    // A device without those events has the document's formula.
    auto const* const row = gpuprof::legacy::metrics_2x.find("inst_issued");
    CHECK(row->formula_with([](std::string_view name) { return name == "inst_issued"; }).inputs().size() == 1);
    CHECK(row->formula_with([](std::string_view) { return true; }).inputs().size() == 4);
}

} // namespace formulas_test
