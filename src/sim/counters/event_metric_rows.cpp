// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_metric_rows.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include <gpuprof/hw/abi/cupti_metric.hpp>
#include <gpuprof/legacy/capability_family.hpp>

#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Formulas and rows, written from the meaning of events and metrics. The library's own formulas
// (legacy/) were written apart from these, so that a test can compare the two. `t` are a row's
// terms, `p` its properties. Values are in CUPTI's units: occupancy and replay overhead are ratios,
// not percentages.
namespace event_metrics {

static constexpr double per(double a, double b) noexcept {
    return b == 0 ? std::numeric_limits<double>::quiet_NaN() : a / b;
}

static double first(double const* t, double const*) { return t[0]; }
static double both(double const* t, double const*) { return t[0] + t[1]; }
static double three(double const* t, double const*) { return t[0] + t[1] + t[2]; }
static double ratio(double const* t, double const*) { return per(t[0], t[1]); }
static double percent(double const* t, double const*) { return per(100 * t[0], t[1]); }
static double of_32_lanes(double const* t, double const*) { return per(100 * t[0], 32 * t[1]); }
static double sectors_bytes(double const* t, double const*) { return 32 * t[0]; }
static double two_sectors_bytes(double const* t, double const*) { return 32 * (t[0] + t[1]); }
// Bytes a second, the kernel's nanoseconds being the first property.
static double bytes_rate(double const* t, double const* p) { return per(t[0] * 1e9, p[0]); }
static double sectors_rate(double const* t, double const* p) { return per(32 * t[0] * 1e9, p[0]); }
static double two_sectors_rate(double const* t, double const* p) { return per(32 * (t[0] + t[1]) * 1e9, p[0]); }
static double lines_rate(double const* t, double const* p) { return per(128 * t[0] * 1e9, p[0]); }
static double flops(double const* t, double const*) { return t[0] + t[1] + 2 * t[2]; }

static double occupancy(double const* t, double const* p) { return per(per(t[0], t[1]), p[0]); }
// Of an SM: nanoseconds times kilohertz.
static double cycles(double const* p) { return p[0] * p[1] * 1e-6; }
static double efficiency_2x(double const* t, double const* p) { return per(100 * per(t[0], p[2]), cycles(p)); }
static double ipc_2x(double const* t, double const* p) { return per(per(t[0], p[2]), cycles(p)); }
static double replays_of_issued(double const* t, double const*) { return per(t[0] - t[1], t[0]); }
// Capability 2.1 counts issues of one and of two instructions.
static double replays_of_dual(double const* t, double const*) { return per(t[0] + 2 * t[1] - t[2], t[0] + 2 * t[1]); }
static double of_dual(double const* t, double const*) { return per(t[0], t[1] + 2 * t[2]); }
static double two_of_dual(double const* t, double const*) { return per(t[0] + t[1], t[2] + 2 * t[3]); }
static double replays(double const* t, double const*) { return per(t[0] + 2 * t[1] - t[2], t[2]); }
static double replays_70(double const* t, double const*) { return per(t[0] - t[1], t[1]); }
static double two_of_one(double const* t, double const*) { return per(t[0] + t[1], t[2]); }
static double of_four_slots(double const* t, double const*) { return per(100 * (t[0] + t[1]), 4 * t[2]); }
static double of_two_slots(double const* t, double const*) { return per(100 * (t[0] + t[1]), 2 * t[2]); }
static double of_four_slots_70(double const* t, double const*) { return per(100 * t[0], 4 * t[1]); }
static double issued(double const* t, double const*) { return t[0] + 2 * t[1]; }
static double issued_ipc(double const* t, double const*) { return per(t[0] + 2 * t[1], t[2]); }
static double difference_of_one(double const* t, double const*) { return per(t[0] - t[1], t[2]); }
static double two_percent(double const* t, double const*) { return per(100 * (t[0] + t[1]), t[2]); }
static double found_before_l2(double const* t, double const*) { return per(100 * (t[0] - t[1] - t[2]), t[0]); }
// A reason's share of all reasons that warps stalled for; terms that a chip lacks are 0.
static double share_of_all(double const* t, double const*) {
    double all = 0;
    for (std::size_t i = 0; i < event_metric_row::most_terms; ++i) all += t[i];
    return per(100 * t[0], all);
}
// From 7.0 on: branches / (branches + branches that parted the warp) (CUPTI 12.0, table 6).
static double branches_of_both(double const* t, double const*) { return per(100 * t[0], t[0] + t[1]); }
static double uniform_branches(double const* t, double const*) { return per(100 * (t[0] - t[1]), t[0]); }

static double requested(double const* t) { return t[0] + 2 * t[1] + 4 * t[2] + 8 * t[3] + 16 * t[4]; }
static double requested_rate(double const* t, double const* p) { return per(requested(t) * 1e9, p[0]); }
// Without the bytes of local memory: a local load that misses fetches a line and writes back the
// one that was there.
static double loaded_2x(double const* t) { return 128 * t[0] + 32 * t[1] - 128 * t[2]; }
static double stored_2x(double const* t) { return 32 * t[0] - 128 * t[1]; }
static double load_rate_2x(double const* t, double const* p) { return per(loaded_2x(t) * 1e9, p[0]); }
static double store_rate_2x(double const* t, double const* p) { return per(stored_2x(t) * 1e9, p[0]); }
static double load_efficiency_2x(double const* t, double const*) { return per(100 * requested(t), loaded_2x(t + 5)); }
static double store_efficiency_2x(double const* t, double const*) { return per(100 * requested(t), stored_2x(t + 5)); }
static double line_efficiency(double const* t, double const*) {
    double const lines_hit = t[5];
    double const lines_missed = t[6];
    return per(100 * requested(t), 128 * (lines_hit + lines_missed));
}
static double sector_efficiency(double const* t, double const*) {
    double const bytes_requested = t[0];
    double const sectors = t[1];
    return per(100 * bytes_requested, 32 * sectors);
}
static double shared_efficiency(double const* t, double const*) {
    double const bytes_requested = t[0];
    double const load_transactions = t[1];
    double const store_transactions = t[2];
    return per(100 * bytes_requested, 128 * (load_transactions + store_transactions));
}
static double three_of_one(double const* t, double const*) { return per(t[0] + t[1] + t[2], t[3]); }
static double hit_rate(double const* t, double const*) {
    double const hits = t[0];
    double const misses = t[1];
    return per(100 * hits, hits + misses);
}
static double local_hit_rate(double const* t, double const*) {
    double const load_hits = t[0];
    double const store_hits = t[1];
    double const load_misses = t[2];
    double const store_misses = t[3];
    return per(100 * (load_hits + store_hits), load_hits + store_hits + load_misses + store_misses);
}
static double sector_hit_rate(double const* t, double const*) {
    double const hits = t[0];
    double const load_sectors = t[1];
    double const store_sectors = t[2];
    return per(100 * hits, load_sectors + store_sectors);
}
static double hits_by_misses(double const* t, double const*) {
    double const queries = t[0];
    double const misses = t[1];
    return per(100 * (queries - misses), queries);
}
// A local load that misses moves two lines: the one fetched and the one written back.
static double local_overhead(double const* t, double const*) {
    double const load_misses = t[0];
    double const sectors_read = t[1];
    double const sectors_written = t[2];
    return per(100 * 2 * 128 * load_misses, 32 * (sectors_read + sectors_written));
}
// `part / of` on a scale of 0 to 10, rounded up; 0 if `of` is 0.
static double in_tenths(double part, double of) {
    double const tenths = of == 0 ? 0 : 10 * part / of;
    double const whole = static_cast<double>(static_cast<long long>(tenths));
    double const up = tenths > whole ? whole + 1 : whole;
    return up > 10 ? 10 : up;
}
// Properties: nanoseconds and kilobytes a second.
static double level(double bytes, double const* p) { return in_tenths(bytes, p[0] * p[1] * 1e-6); }
static double pipe_level(double const* t, double const*) { return in_tenths(t[0], t[1] * t[2]); }
static double two_pipes_level(double const* t, double const*) { return in_tenths(t[0] + t[1], t[2] * t[3]); }
static double link_level(double const* t, double const* p) { return in_tenths(32 * t[0], p[0] * t[1]); }
static double both_links_level(double const* t, double const* p) {
    return in_tenths(32 * (t[0] + t[1]), 2 * p[0] * t[2]);
}
static double dram_level(double const* t, double const* p) { return level(32 * (t[0] + t[1]), p); }
static double dram_level_60(double const* t, double const* p) { return level(32 * (t[0] + t[1] + t[2] + t[3]), p); }
static double three_efficiency(double const* t, double const* p) {
    return per(100 * (t[0] + t[1] + t[2]), per(t[3], p[1]) * p[0]);
}
static double flop_efficiency(double const* t, double const* p) {
    return per(100 * (t[0] + t[1] + 2 * t[2]), per(t[3], p[1]) * p[0]);
}

// Facts: what an SM does in a cycle, and bytes a nanosecond of the way to the host.
static double unity(chip_model const&) { return 1; }
static double fma_rate(chip_model const& of) { return of.pipes.fma; }
static double arithmetic_rate(chip_model const& of) { return of.pipes.fma + of.pipes.alu; }
static double fp64_rate(chip_model const& of) { return of.pipes.fp64; }
static double fp16_rate(chip_model const& of) { return of.lanes.fp16 / 64.0; } // pairs of 32 threads
static double xu_rate(chip_model const& of) { return of.pipes.xu; }
static double schedulers(chip_model const& of) {
    return static_cast<double>(of.count(hardware_unit::smsp)) / of.count(hardware_unit::sm);
}
static double link_rate(chip_model const& of) { return of.link.bytes_per_nanosecond / 0.8; } // copies reach 80 %

constexpr auto memory = abi::CUPTI_METRIC_CATEGORY_MEMORY, inst = abi::CUPTI_METRIC_CATEGORY_INSTRUCTION,
               sm = abi::CUPTI_METRIC_CATEGORY_MULTIPROCESSOR, cache = abi::CUPTI_METRIC_CATEGORY_CACHE,
               texture = abi::CUPTI_METRIC_CATEGORY_TEXTURE, nvlink = abi::CUPTI_METRIC_CATEGORY_NVLINK,
               pcie = abi::CUPTI_METRIC_CATEGORY_PCIE;
constexpr auto real = abi::CUPTI_METRIC_VALUE_KIND_DOUBLE, count = abi::CUPTI_METRIC_VALUE_KIND_UINT64,
               pct = abi::CUPTI_METRIC_VALUE_KIND_PERCENT, rate = abi::CUPTI_METRIC_VALUE_KIND_THROUGHPUT,
               tenths = abi::CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL;
using enum capability_family;
using properties = std::array<int, event_metric_row::most_properties>;
constexpr properties none{-1, -1, -1}, time{2, -1, -1}, warps{1, -1, -1}, elapsed{2, 3, 0}, bandwidth{2, 5, -1},
    single_peak{10, 0, -1}, double_peak{11, 0, -1}, half_peak{14, 0, -1};

// clang-format off
constexpr event_metric_row rows[]{
    {"achieved_occupancy", cc_2x, cc_70, sm, real, {"active_warps", "active_cycles"}, warps, occupancy, "Active warps of those an SM can hold."},
    {"sm_efficiency", cc_2x, cc_2x, sm, pct, {"active_cycles"}, elapsed, efficiency_2x, "Share of time in which an SM had a warp."},
    {"sm_efficiency", cc_3x, cc_70, sm, pct, {"active_cycles", "elapsed_cycles_sm"}, none, percent, "Share of time in which an SM had a warp."},
    {"ipc", cc_2x, cc_2x, inst, real, {"inst_executed"}, elapsed, ipc_2x, "Instructions executed a cycle."},
    {"ipc", cc_3x, cc_70, inst, real, {"inst_executed", "active_cycles"}, none, ratio, "Instructions executed a cycle."},
    {"issued_ipc", cc_3x, cc_6x, inst, real, {"inst_issued1", "inst_issued2", "active_cycles"}, none, issued_ipc, "Instructions issued a cycle."},
    {"issued_ipc", cc_70, cc_70, inst, real, {"inst_issued1", "active_cycles"}, none, ratio, "Instructions issued a cycle."},
    {"inst_executed", cc_3x, cc_70, inst, count, {"inst_executed"}, none, first, "Instructions executed."},
    {"inst_issued", cc_3x, cc_6x, inst, count, {"inst_issued1", "inst_issued2"}, none, issued, "Instructions issued."},
    {"inst_issued", cc_70, cc_70, inst, count, {"inst_issued1"}, none, first, "Instructions issued."},
    {"issue_slots", cc_3x, cc_6x, inst, count, {"inst_issued1", "inst_issued2"}, none, both, "Issue slots used."},
    {"issue_slots", cc_70, cc_70, inst, count, {"inst_issued1"}, none, first, "Issue slots used."},
    {"issue_slot_utilization", cc_3x, cc_5x, inst, pct, {"inst_issued1", "inst_issued2", "active_cycles"}, none, of_four_slots, "Share of issue slots used."},
    {"issue_slot_utilization", cc_6x, cc_6x, inst, pct, {"inst_issued1", "inst_issued2", "active_cycles"}, none, of_two_slots, "Share of issue slots used."},
    {"issue_slot_utilization", cc_70, cc_70, inst, pct, {"inst_issued1", "active_cycles"}, none, of_four_slots_70, "Share of issue slots used."},
    {"inst_per_warp", cc_3x, cc_70, inst, real, {"inst_executed", "warps_launched"}, none, ratio, "Instructions that a warp executed."},
    {"inst_replay_overhead", cc_2x, cc_2x, inst, real, {"inst_issued", "inst_executed"}, none, replays_of_issued, "Share of issues that were replays."},
    {"inst_replay_overhead", cc_3x, cc_6x, inst, real, {"inst_issued1", "inst_issued2", "inst_executed"}, none, replays, "Replays for an instruction executed."},
    {"inst_replay_overhead", cc_70, cc_70, inst, real, {"inst_issued1", "inst_executed"}, none, replays_70, "Replays for an instruction executed."},
    {"shared_replay_overhead", cc_2x, cc_2x, inst, real, {"l1_shared_bank_conflict", "inst_issued"}, none, ratio, "Share of issues that were for bank conflicts."},
    {"shared_replay_overhead", cc_3x, cc_3x, inst, real, {"shared_load_replay", "shared_store_replay", "inst_executed"}, none, two_of_one, "Replays for bank conflicts for an instruction executed."},
    {"global_cache_replay_overhead", cc_2x, cc_2x, inst, real, {"l1_global_load_miss", "inst_issued"}, none, ratio, "Share of issues that were for misses of global loads."},
    {"local_replay_overhead", cc_2x, cc_2x, inst, real, {"l1_local_load_miss", "l1_local_store_miss", "inst_issued"}, none, two_of_one, "Share of issues that were for misses of local memory."},
    {"inst_replay_overhead", cc_2x, cc_2x, inst, real, {"inst_issued1_*", "inst_issued2_*", "inst_executed"}, none, replays_of_dual, "Share of issues that were replays."},
    {"shared_replay_overhead", cc_2x, cc_2x, inst, real, {"l1_shared_bank_conflict", "inst_issued1_*", "inst_issued2_*"}, none, of_dual, "Share of issues that were for bank conflicts."},
    {"global_cache_replay_overhead", cc_2x, cc_2x, inst, real, {"l1_global_load_miss", "inst_issued1_*", "inst_issued2_*"}, none, of_dual, "Share of issues that were for misses of global loads."},
    {"local_replay_overhead", cc_2x, cc_2x, inst, real, {"l1_local_load_miss", "l1_local_store_miss", "inst_issued1_*", "inst_issued2_*"}, none, two_of_dual, "Share of issues that were for misses of local memory."},
    {"dram_read_throughput", cc_2x, cc_2x, memory, rate, {"fb0_subp*_read_sectors", "fb1_subp*_read_sectors"}, time, two_sectors_rate, "Bytes read from device memory, a second."},
    {"dram_write_throughput", cc_2x, cc_2x, memory, rate, {"fb0_subp*_write_sectors", "fb1_subp*_write_sectors"}, time, two_sectors_rate, "Bytes written to device memory, a second."},
    {"branch_efficiency", cc_2x, cc_2x, inst, pct, {"branch", "divergent_branch"}, none, uniform_branches, "Share of branches that kept the warp together."},
    {"branch_efficiency", cc_5x, cc_6x, inst, pct, {"branch", "divergent_branch"}, none, uniform_branches, "Share of branches that kept the warp together."},
    {"branch_efficiency", cc_70, cc_70, inst, pct, {"__branch", "__divergent_branch"}, none, branches_of_both, "Branches, of branches and those that parted the warp."},
    {"warp_execution_efficiency", cc_2x, cc_2x, inst, pct, {"thread_inst_executed_*", "inst_executed"}, none, of_32_lanes, "Active lanes of an instruction, of 32."},
    {"warp_execution_efficiency", cc_3x, cc_70, inst, pct, {"thread_inst_executed", "inst_executed"}, none, of_32_lanes, "Active lanes of an instruction, of 32."},
    {"warp_nonpred_execution_efficiency", cc_3x, cc_70, inst, pct, {"not_predicated_off_thread_inst_executed", "inst_executed"}, none, of_32_lanes, "Active lanes of an instruction not predicated off, of 32."},
    {"eligible_warps_per_cycle", cc_3x, cc_70, sm, real, {"__warps_eligible", "active_cycles"}, none, ratio, "Warps ready to issue."},

    {"gld_requested_throughput", cc_2x, cc_2x, memory, rate, {"gld_inst_8bit", "gld_inst_16bit", "gld_inst_32bit", "gld_inst_64bit", "gld_inst_128bit"}, time, requested_rate, "Bytes of global loads that threads asked for, a second."},
    {"gld_requested_throughput", cc_3x, cc_70, memory, rate, {"__gld_requested_bytes"}, time, bytes_rate, "Bytes of global loads that threads asked for, a second."},
    {"gst_requested_throughput", cc_2x, cc_2x, memory, rate, {"gst_inst_8bit", "gst_inst_16bit", "gst_inst_32bit", "gst_inst_64bit", "gst_inst_128bit"}, time, requested_rate, "Bytes of global stores that threads asked for, a second."},
    {"gst_requested_throughput", cc_3x, cc_70, memory, rate, {"__gst_requested_bytes"}, time, bytes_rate, "Bytes of global stores that threads asked for, a second."},
    {"gld_throughput", cc_2x, cc_2x, memory, rate, {"l1_global_load_hit", "l2_subp*_read_sector_queries", "l1_local_load_miss"}, time, load_rate_2x, "Bytes moved for global loads, a second."},
    {"gld_throughput", cc_3x, cc_70, memory, rate, {"__gld_sectors"}, time, sectors_rate, "Bytes moved for global loads, a second."},
    {"gst_throughput", cc_2x, cc_2x, memory, rate, {"l2_subp*_write_sector_queries", "l1_local_load_miss"}, time, store_rate_2x, "Bytes moved for global stores, a second."},
    {"gst_throughput", cc_3x, cc_70, memory, rate, {"__gst_sectors"}, time, sectors_rate, "Bytes moved for global stores, a second."},
    {"gld_efficiency", cc_2x, cc_2x, memory, pct, {"gld_inst_8bit", "gld_inst_16bit", "gld_inst_32bit", "gld_inst_64bit", "gld_inst_128bit", "l1_global_load_hit", "l2_subp*_read_sector_queries", "l1_local_load_miss"}, none, load_efficiency_2x, "Bytes that global loads asked for, of those moved."},
    {"gld_efficiency", cc_3x, cc_3x, memory, pct, {"gld_inst_8bit", "gld_inst_16bit", "gld_inst_32bit", "gld_inst_64bit", "gld_inst_128bit", "l1_global_load_hit", "l1_global_load_miss"}, none, line_efficiency, "Bytes that global loads asked for, of those moved."},
    {"gld_efficiency", cc_5x, cc_70, memory, pct, {"__gld_requested_bytes", "__gld_sectors"}, none, sector_efficiency, "Bytes that global loads asked for, of those moved."},
    {"gst_efficiency", cc_2x, cc_2x, memory, pct, {"gst_inst_8bit", "gst_inst_16bit", "gst_inst_32bit", "gst_inst_64bit", "gst_inst_128bit", "l2_subp*_write_sector_queries", "l1_local_load_miss"}, none, store_efficiency_2x, "Bytes that global stores asked for, of those moved."},
    {"gst_efficiency", cc_3x, cc_70, memory, pct, {"__gst_requested_bytes", "__gst_sectors"}, none, sector_efficiency, "Bytes that global stores asked for, of those moved."},
    {"gld_transactions", cc_3x, cc_3x, memory, count, {"l1_global_load_hit", "l1_global_load_miss", "uncached_global_load_transaction"}, none, three, "Transactions of global loads."},
    {"gld_transactions", cc_5x, cc_70, memory, count, {"__gld_sectors"}, none, first, "Transactions of global loads."},
    {"gst_transactions", cc_3x, cc_3x, memory, count, {"global_store_transaction"}, none, first, "Transactions of global stores."},
    {"gst_transactions", cc_5x, cc_70, memory, count, {"__gst_sectors"}, none, first, "Transactions of global stores."},
    {"gld_transactions_per_request", cc_3x, cc_3x, memory, real, {"l1_global_load_hit", "l1_global_load_miss", "uncached_global_load_transaction", "gld_request"}, none, three_of_one, "Transactions of a global load."},
    {"gld_transactions_per_request", cc_5x, cc_70, memory, real, {"__gld_sectors", "__gld_requests"}, none, ratio, "Transactions of a global load."},
    {"gst_transactions_per_request", cc_3x, cc_3x, memory, real, {"global_store_transaction", "gst_request"}, none, ratio, "Transactions of a global store."},
    {"gst_transactions_per_request", cc_5x, cc_70, memory, real, {"__gst_sectors", "__gst_requests"}, none, ratio, "Transactions of a global store."},
    {"global_load_requests", cc_5x, cc_70, memory, count, {"__gld_requests"}, none, first, "Requests of global loads."},
    {"global_store_requests", cc_5x, cc_70, memory, count, {"__gst_requests"}, none, first, "Requests of global stores."},
    {"global_hit_rate", cc_5x, cc_70, cache, pct, {"__global_hit_sectors", "__gld_sectors"}, none, percent, "Share of sectors of global loads found in L1."},
    {"local_hit_rate", cc_5x, cc_70, cache, pct, {"__local_hit_sectors", "__local_load_sectors", "__local_store_sectors"}, none, sector_hit_rate, "Share of sectors of local memory found in L1."},
    {"l1_cache_global_hit_rate", cc_2x, cc_3x, cache, pct, {"l1_global_load_hit", "l1_global_load_miss"}, none, hit_rate, "Share of global loads that hit in L1."},
    {"l1_cache_local_hit_rate", cc_2x, cc_3x, cache, pct, {"l1_local_load_hit", "l1_local_store_hit", "l1_local_load_miss", "l1_local_store_miss"}, none, local_hit_rate, "Share of local loads and stores that hit in L1."},
    {"local_memory_overhead", cc_2x, cc_2x, memory, pct, {"l1_local_load_miss", "l2_subp*_read_sector_queries", "l2_subp*_write_sector_queries"}, none, local_overhead, "Share of traffic between L1 and L2 that is for local memory."},
    {"local_load_transactions", cc_3x, cc_3x, memory, count, {"local_load_transactions"}, none, first, "Transactions of local loads."},
    {"local_load_transactions", cc_5x, cc_70, memory, count, {"__local_load_sectors"}, none, first, "Transactions of local loads."},
    {"local_store_transactions", cc_3x, cc_3x, memory, count, {"local_store_transactions"}, none, first, "Transactions of local stores."},
    {"local_store_transactions", cc_5x, cc_70, memory, count, {"__local_store_sectors"}, none, first, "Transactions of local stores."},
    {"tex_cache_hit_rate", cc_2x, cc_2x, texture, pct, {"tex*_cache_sector_queries", "tex*_cache_sector_misses"}, none, hits_by_misses, "Share of texture sectors that hit."},
    {"tex_cache_hit_rate", cc_3x, cc_3x, texture, pct, {"tex*_cache_sector_queries", "tex*_cache_sector_misses"}, none, hits_by_misses, "Share of texture sectors that hit."},
    {"tex_cache_throughput", cc_2x, cc_2x, texture, rate, {"tex*_cache_sector_queries"}, time, sectors_rate, "Bytes that textures moved, a second."},
    {"tex_cache_throughput", cc_3x, cc_3x, texture, rate, {"tex*_cache_sector_queries"}, time, sectors_rate, "Bytes that textures moved, a second."},

    {"shared_load_transactions", cc_3x, cc_3x, memory, count, {"l1_shared_load_transactions"}, none, first, "Passes through shared memory of loads."},
    {"shared_load_transactions", cc_5x, cc_70, memory, count, {"shared_ld_transactions"}, none, first, "Passes through shared memory of loads."},
    {"shared_store_transactions", cc_3x, cc_3x, memory, count, {"l1_shared_store_transactions"}, none, first, "Passes through shared memory of stores."},
    {"shared_store_transactions", cc_5x, cc_70, memory, count, {"shared_st_transactions"}, none, first, "Passes through shared memory of stores."},
    {"shared_load_transactions_per_request", cc_3x, cc_3x, memory, real, {"l1_shared_load_transactions", "shared_load"}, none, ratio, "Passes of a shared load."},
    {"shared_load_transactions_per_request", cc_5x, cc_70, memory, real, {"shared_ld_transactions", "shared_load"}, none, ratio, "Passes of a shared load."},
    {"shared_store_transactions_per_request", cc_3x, cc_3x, memory, real, {"l1_shared_store_transactions", "shared_store"}, none, ratio, "Passes of a shared store."},
    {"shared_store_transactions_per_request", cc_5x, cc_70, memory, real, {"shared_st_transactions", "shared_store"}, none, ratio, "Passes of a shared store."},
    {"shared_load_throughput", cc_5x, cc_70, memory, rate, {"shared_ld_transactions"}, time, lines_rate, "Bytes that passes of shared loads could move, a second."},
    {"shared_store_throughput", cc_5x, cc_70, memory, rate, {"shared_st_transactions"}, time, lines_rate, "Bytes that passes of shared stores could move, a second."},
    {"shared_efficiency", cc_3x, cc_3x, memory, pct, {"__shared_requested_bytes", "l1_shared_load_transactions", "l1_shared_store_transactions"}, none, shared_efficiency, "Bytes asked of shared memory, of those that the passes could move."},
    {"shared_efficiency", cc_5x, cc_70, memory, pct, {"__shared_requested_bytes", "shared_ld_transactions", "shared_st_transactions"}, none, shared_efficiency, "Bytes asked of shared memory, of those that the passes could move."},

    {"dram_read_transactions", cc_3x, cc_5x, memory, count, {"fb_subp*_read_sectors"}, none, first, "Sectors read from device memory."},
    {"dram_read_transactions", cc_6x, cc_6x, memory, count, {"fb_subp*_read_sectors", "fb1_subp*_read_sectors"}, none, both, "Sectors read from device memory."},
    {"dram_read_transactions", cc_70, cc_70, memory, count, {"l2_subp*_read_sector_misses"}, none, first, "Sectors read from device memory."},
    {"dram_write_transactions", cc_3x, cc_5x, memory, count, {"fb_subp*_write_sectors"}, none, first, "Sectors written to device memory."},
    {"dram_write_transactions", cc_6x, cc_6x, memory, count, {"fb_subp*_write_sectors", "fb1_subp*_write_sectors"}, none, both, "Sectors written to device memory."},
    {"dram_write_transactions", cc_70, cc_70, memory, count, {"l2_subp*_write_sector_misses"}, none, first, "Sectors written to device memory."},
    {"dram_read_bytes", cc_5x, cc_5x, memory, count, {"fb_subp*_read_sectors"}, none, sectors_bytes, "Bytes read from device memory."},
    {"dram_read_bytes", cc_6x, cc_6x, memory, count, {"fb_subp*_read_sectors", "fb1_subp*_read_sectors"}, none, two_sectors_bytes, "Bytes read from device memory."},
    {"dram_read_bytes", cc_70, cc_70, memory, count, {"l2_subp*_read_sector_misses"}, none, sectors_bytes, "Bytes read from device memory."},
    {"dram_write_bytes", cc_5x, cc_5x, memory, count, {"fb_subp*_write_sectors"}, none, sectors_bytes, "Bytes written to device memory."},
    {"dram_write_bytes", cc_6x, cc_6x, memory, count, {"fb_subp*_write_sectors", "fb1_subp*_write_sectors"}, none, two_sectors_bytes, "Bytes written to device memory."},
    {"dram_write_bytes", cc_70, cc_70, memory, count, {"l2_subp*_write_sector_misses"}, none, sectors_bytes, "Bytes written to device memory."},
    {"dram_read_throughput", cc_2x, cc_5x, memory, rate, {"fb_subp*_read_sectors"}, time, sectors_rate, "Bytes read from device memory, a second."},
    {"dram_read_throughput", cc_6x, cc_6x, memory, rate, {"fb_subp*_read_sectors", "fb1_subp*_read_sectors"}, time, two_sectors_rate, "Bytes read from device memory, a second."},
    {"dram_read_throughput", cc_70, cc_70, memory, rate, {"l2_subp*_read_sector_misses"}, time, sectors_rate, "Bytes read from device memory, a second."},
    {"dram_write_throughput", cc_2x, cc_5x, memory, rate, {"fb_subp*_write_sectors"}, time, sectors_rate, "Bytes written to device memory, a second."},
    {"dram_write_throughput", cc_6x, cc_6x, memory, rate, {"fb_subp*_write_sectors", "fb1_subp*_write_sectors"}, time, two_sectors_rate, "Bytes written to device memory, a second."},
    {"dram_write_throughput", cc_70, cc_70, memory, rate, {"l2_subp*_write_sector_misses"}, time, sectors_rate, "Bytes written to device memory, a second."},
    {"dram_utilization", cc_3x, cc_5x, memory, tenths, {"fb_subp*_read_sectors", "fb_subp*_write_sectors"}, bandwidth, dram_level, "Use of device memory, in tenths of its peak."},
    {"dram_utilization", cc_6x, cc_6x, memory, tenths, {"fb_subp*_read_sectors", "fb_subp*_write_sectors", "fb1_subp*_read_sectors", "fb1_subp*_write_sectors"}, bandwidth, dram_level_60, "Use of device memory, in tenths of its peak."},
    {"dram_utilization", cc_70, cc_70, memory, tenths, {"l2_subp*_read_sector_misses", "l2_subp*_write_sector_misses"}, bandwidth, dram_level, "Use of device memory, in tenths of its peak."},

    {"l2_read_transactions", cc_3x, cc_70, memory, count, {"l2_subp*_total_read_sector_queries"}, none, first, "Sectors read from L2."},
    {"l2_write_transactions", cc_3x, cc_70, memory, count, {"l2_subp*_total_write_sector_queries"}, none, first, "Sectors written to L2."},
    {"l2_read_throughput", cc_3x, cc_70, memory, rate, {"l2_subp*_total_read_sector_queries"}, time, sectors_rate, "Bytes read from L2, a second."},
    {"l2_write_throughput", cc_3x, cc_70, memory, rate, {"l2_subp*_total_write_sector_queries"}, time, sectors_rate, "Bytes written to L2, a second."},
    {"l2_l1_read_hit_rate", cc_2x, cc_2x, cache, pct, {"l2_subp*_read_hit_sectors", "l2_subp*_read_sector_queries"}, none, percent, "Share of reads by L1 that hit in L2."},
    {"l2_l1_read_hit_rate", cc_3x, cc_3x, cache, pct, {"l2_subp*_read_l1_hit_sectors", "l2_subp*_read_l1_sector_queries"}, none, percent, "Share of reads by L1 that hit in L2."},
    {"l2_l1_read_throughput", cc_2x, cc_2x, memory, rate, {"l2_subp*_read_sector_queries"}, time, sectors_rate, "Bytes that L1 read from L2, a second."},
    {"l2_l1_read_throughput", cc_3x, cc_3x, memory, rate, {"l2_subp*_read_l1_sector_queries"}, time, sectors_rate, "Bytes that L1 read from L2, a second."},
    {"l2_tex_read_hit_rate", cc_2x, cc_70, cache, pct, {"l2_subp*_read_tex_hit_sectors", "l2_subp*_read_tex_sector_queries"}, none, percent, "Share of reads by the texture cache that hit in L2."},
    {"l2_tex_read_throughput", cc_2x, cc_70, memory, rate, {"l2_subp*_read_tex_sector_queries"}, time, sectors_rate, "Bytes that the texture cache read from L2, a second."},
    {"l2_tex_read_transactions", cc_5x, cc_70, memory, count, {"l2_subp*_read_tex_sector_queries"}, none, first, "Sectors that the texture cache read from L2."},
    {"l2_tex_write_hit_rate", cc_5x, cc_70, cache, pct, {"l2_subp*_write_tex_hit_sectors", "l2_subp*_write_tex_sector_queries"}, none, percent, "Share of writes by the texture cache that hit in L2."},
    {"l2_tex_write_throughput", cc_5x, cc_70, memory, rate, {"l2_subp*_write_tex_sector_queries"}, time, sectors_rate, "Bytes that the texture cache wrote to L2, a second."},
    {"l2_tex_write_transactions", cc_5x, cc_70, memory, count, {"l2_subp*_write_tex_sector_queries"}, none, first, "Sectors that the texture cache wrote to L2."},

    {"flop_count_sp", cc_3x, cc_70, inst, count, {"__thread_fadd", "__thread_fmul", "__thread_ffma"}, none, flops, "Single-precision operations; a multiply-add is two."},
    {"flop_count_sp_add", cc_3x, cc_70, inst, count, {"__thread_fadd"}, none, first, "Single-precision additions."},
    {"flop_count_sp_mul", cc_3x, cc_70, inst, count, {"__thread_fmul"}, none, first, "Single-precision multiplications."},
    {"flop_count_sp_fma", cc_3x, cc_70, inst, count, {"__thread_ffma"}, none, first, "Single-precision multiply-adds."},
    {"flop_count_dp", cc_3x, cc_70, inst, count, {"__thread_dadd", "__thread_dmul", "__thread_dfma"}, none, flops, "Double-precision operations; a multiply-add is two."},
    {"flop_count_dp_add", cc_3x, cc_70, inst, count, {"__thread_dadd"}, none, first, "Double-precision additions."},
    {"flop_count_dp_mul", cc_3x, cc_70, inst, count, {"__thread_dmul"}, none, first, "Double-precision multiplications."},
    {"flop_count_dp_fma", cc_3x, cc_70, inst, count, {"__thread_dfma"}, none, first, "Double-precision multiply-adds."},
    {"flop_count_hp", cc_6x, cc_6x, inst, count, {"__thread_hadd", "__thread_hmul", "__thread_hfma"}, none, flops, "Half-precision operations; a multiply-add is two."},
    {"flop_count_hp_add", cc_6x, cc_6x, inst, count, {"__thread_hadd"}, none, first, "Half-precision additions."},
    {"flop_count_hp_mul", cc_6x, cc_6x, inst, count, {"__thread_hmul"}, none, first, "Half-precision multiplications."},
    {"flop_count_hp_fma", cc_6x, cc_6x, inst, count, {"__thread_hfma"}, none, first, "Half-precision multiply-adds."},
    {"flop_sp_efficiency", cc_3x, cc_70, inst, pct, {"__thread_fadd", "__thread_fmul", "__thread_ffma", "elapsed_cycles_sm"}, single_peak, flop_efficiency, "Single-precision operations, of the peak."},
    {"flop_dp_efficiency", cc_3x, cc_70, inst, pct, {"__thread_dadd", "__thread_dmul", "__thread_dfma", "elapsed_cycles_sm"}, double_peak, flop_efficiency, "Double-precision operations, of the peak."},
    {"flop_hp_efficiency", cc_6x, cc_6x, inst, pct, {"__thread_hadd", "__thread_hmul", "__thread_hfma", "elapsed_cycles_sm"}, half_peak, flop_efficiency, "Half-precision operations, of the peak."},
    {"flop_count_hp", cc_70, cc_70, inst, count, {"__hadd_operations", "__hmul_operations", "__hfma_operations"}, none, three, "Half-precision operations; a multiply-add is two, on two numbers at a time four."},
    {"flop_count_hp_add", cc_70, cc_70, inst, count, {"__hadd_operations"}, none, first, "Half-precision additions."},
    {"flop_count_hp_mul", cc_70, cc_70, inst, count, {"__hmul_operations"}, none, first, "Half-precision multiplications."},
    {"flop_count_hp_fma", cc_70, cc_70, inst, count, {"__hfma_operations"}, none, first, "Half-precision multiply-adds: two each, on two numbers at a time four."},
    {"flop_hp_efficiency", cc_70, cc_70, inst, pct, {"__hadd_operations", "__hmul_operations", "__hfma_operations", "elapsed_cycles_sm"}, half_peak, three_efficiency, "Half-precision operations, of the peak."},
    {"inst_fp_16", cc_6x, cc_70, inst, count, {"__thread_hadd", "__thread_hmul", "__thread_hfma"}, none, three, "Half-precision instructions of threads."},
    {"inst_fp_32", cc_3x, cc_70, inst, count, {"__thread_fadd", "__thread_fmul", "__thread_ffma"}, none, three, "Single-precision instructions of threads."},
    {"inst_fp_64", cc_3x, cc_70, inst, count, {"__thread_dadd", "__thread_dmul", "__thread_dfma"}, none, three, "Double-precision instructions of threads."},
    {"inst_integer", cc_3x, cc_70, inst, count, {"__thread_integer"}, none, first, "Integer instructions of threads."},
    {"inst_bit_convert", cc_3x, cc_70, inst, count, {"__thread_conversion"}, none, first, "Conversions of threads."},
    {"inst_control", cc_3x, cc_70, inst, count, {"__thread_control"}, none, first, "Control-flow instructions of threads."},
    {"inst_compute_ld_st", cc_3x, cc_70, inst, count, {"__thread_memory"}, none, first, "Loads and stores of threads."},
    {"inst_inter_thread_communication", cc_3x, cc_70, inst, count, {"__thread_inter_thread"}, none, first, "Shuffles, votes and their like of threads."},
    {"inst_misc", cc_3x, cc_70, inst, count, {"__thread_misc"}, none, first, "Other instructions of threads."},
    {"inst_executed_global_loads", cc_5x, cc_70, inst, count, {"global_load"}, none, first, "Global loads."},
    {"inst_executed_global_stores", cc_5x, cc_70, inst, count, {"global_store"}, none, first, "Global stores."},
    {"inst_executed_local_loads", cc_5x, cc_70, inst, count, {"local_load"}, none, first, "Local loads."},
    {"inst_executed_local_stores", cc_5x, cc_70, inst, count, {"local_store"}, none, first, "Local stores."},
    {"inst_executed_shared_loads", cc_5x, cc_70, inst, count, {"shared_load"}, none, first, "Shared loads."},
    {"inst_executed_shared_stores", cc_5x, cc_70, inst, count, {"shared_store"}, none, first, "Shared stores."},
    {"inst_executed_shared_atomics", cc_5x, cc_5x, inst, count, {"shared_atom", "shared_atom_cas"}, none, both, "Atomics on shared memory."},
    {"inst_executed_shared_atomics", cc_6x, cc_6x, inst, count, {"shared_atom", "inst_executed_shared_atom_cas"}, none, both, "Atomics on shared memory."},
    {"inst_executed_shared_atomics", cc_70, cc_70, inst, count, {"shared_atom", "shared_atom_cas"}, none, both, "Atomics on shared memory."},

    {"alu_fu_utilization", cc_3x, cc_3x, sm, tenths, {"__pipe_alu", "__pipe_fma", "active_cycles"}, none, two_pipes_level, "Use of the integer and single-precision pipelines, in tenths of their peak.", arithmetic_rate},
    {"single_precision_fu_utilization", cc_5x, cc_6x, sm, tenths, {"__pipe_alu", "__pipe_fma", "active_cycles"}, none, two_pipes_level, "Use of the integer and single-precision pipelines, in tenths of their peak.", arithmetic_rate},
    {"single_precision_fu_utilization", cc_70, cc_70, sm, tenths, {"__pipe_fma", "active_cycles"}, none, pipe_level, "Use of the single-precision pipeline, in tenths of its peak.", fma_rate},
    {"double_precision_fu_utilization", cc_5x, cc_70, sm, tenths, {"__pipe_fp64", "active_cycles"}, none, pipe_level, "Use of the double-precision pipeline, in tenths of its peak.", fp64_rate},
    {"half_precision_fu_utilization", cc_6x, cc_70, sm, tenths, {"__pipe_fp16", "active_cycles"}, none, pipe_level, "Use of the half-precision pipeline, in tenths of its peak.", fp16_rate},
    {"special_fu_utilization", cc_5x, cc_70, sm, tenths, {"__pipe_xu", "active_cycles"}, none, pipe_level, "Use of the special-function pipeline, in tenths of its peak.", xu_rate},
    {"tensor_precision_fu_utilization", cc_70, cc_70, sm, tenths, {"tensor_pipe_active_cycles_s*", "active_cycles"}, none, pipe_level, "Use of the tensor pipelines, in tenths of the time.", schedulers},
    {"cf_fu_utilization", cc_3x, cc_70, sm, tenths, {"__control", "active_cycles"}, none, pipe_level, "Use of the control-flow pipelines, one a scheduler, in tenths of their peak.", schedulers},
    {"ldst_fu_utilization", cc_3x, cc_70, sm, tenths, {"__shared_and_constant", "active_cycles"}, none, pipe_level, "Use of the unit for shared and constant accesses, in tenths of one instruction a cycle.", unity},
    {"tex_fu_utilization", cc_3x, cc_70, sm, tenths, {"__global_and_local", "active_cycles"}, none, pipe_level, "Use of the unit for global and local accesses, in tenths of one instruction a cycle.", unity},
    {"tex_utilization", cc_3x, cc_3x, texture, tenths, {"tex*_cache_sector_queries", "elapsed_cycles_sm"}, none, pipe_level, "Use of the texture cache: there are no textures.", unity},
    {"tex_utilization", cc_5x, cc_70, texture, tenths, {"__lg_wavefronts", "elapsed_cycles_sm"}, none, pipe_level, "Use of the unified cache, in tenths of a wavefront a cycle.", unity},
    {"l1_shared_utilization", cc_3x, cc_3x, cache, tenths, {"__lg_wavefronts", "__shared_wavefronts", "elapsed_cycles_sm"}, none, two_pipes_level, "Use of L1 and shared memory, in tenths of a wavefront a cycle.", unity},
    {"cf_executed", cc_3x, cc_70, inst, count, {"__control"}, none, first, "Control-flow instructions; nothing is issued twice."},
    {"cf_issued", cc_3x, cc_70, inst, count, {"__control"}, none, first, "Control-flow instructions; nothing is issued twice."},
    {"ldst_executed", cc_3x, cc_70, inst, count, {"__load_store"}, none, first, "Loads and stores of global, local and shared memory; there are no textures."},
    {"ldst_issued", cc_3x, cc_3x, inst, count, {"__load_store", "__load_store_replays"}, none, both, "Loads and stores issued, replays included."},
    {"ldst_issued", cc_5x, cc_70, inst, count, {"__load_store"}, none, first, "Loads and stores issued; nothing is issued twice."},
    {"flop_count_sp_special", cc_3x, cc_70, inst, count, {"__thread_special"}, none, first, "Single-precision special functions."},
    {"branch_efficiency", cc_3x, cc_3x, inst, pct, {"__branch", "__divergent_branch"}, none, uniform_branches, "Share of branches that kept the warp together."},
    {"atomic_replay_overhead", cc_3x, cc_3x, inst, real, {"__atomic_lines", "__atomic_requests", "inst_executed"}, none, difference_of_one, "Lines beyond the first of global atomics and reductions, for an instruction executed."},
    {"atomic_transactions", cc_5x, cc_70, memory, count, {"__atomic_lines"}, none, first, "Lines that global atomics and reductions looked up."},
    {"atomic_transactions_per_request", cc_5x, cc_70, memory, real, {"__atomic_lines", "__atomic_requests"}, none, ratio, "Lines of a global atomic or reduction."},
    {"global_atomic_requests", cc_5x, cc_70, memory, count, {"__global_requests_atom"}, none, first, "Requests of global atomics."},
    {"global_reduction_requests", cc_5x, cc_70, memory, count, {"__global_requests_red"}, none, first, "Requests of global reductions."},
    {"stall_constant_memory_dependency", cc_3x, cc_6x, inst, pct, {"__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls: constants. Not modelled, always 0."},
    {"stall_constant_memory_dependency", cc_70, cc_70, inst, pct, {"__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls: constants. Not modelled, always 0."},
    {"stall_exec_dependency", cc_3x, cc_6x, inst, pct, {"__stall_exec", "__stall_constant", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_exec_dependency", cc_70, cc_70, inst, pct, {"__stall_exec", "__stall_constant", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_inst_fetch", cc_3x, cc_6x, inst, pct, {"__stall_fetch", "__stall_constant", "__stall_exec", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls: the target of a branch."},
    {"stall_inst_fetch", cc_70, cc_70, inst, pct, {"__stall_fetch", "__stall_constant", "__stall_exec", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls: the target of a branch."},
    {"stall_memory_dependency", cc_3x, cc_6x, inst, pct, {"__stall_memory", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls: memory, which has not answered."},
    {"stall_memory_dependency", cc_70, cc_70, inst, pct, {"__stall_memory", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls: memory, which has not answered."},
    {"stall_memory_throttle", cc_3x, cc_6x, inst, pct, {"__stall_throttle", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_memory_throttle", cc_70, cc_70, inst, pct, {"__stall_throttle", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_not_selected", cc_3x, cc_6x, inst, pct, {"__stall_not_selected", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_not_selected", cc_70, cc_70, inst, pct, {"__stall_not_selected", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_other", cc_3x, cc_6x, inst, pct, {"__stall_other", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls: other reasons. Not modelled, always 0."},
    {"stall_other", cc_70, cc_70, inst, pct, {"__stall_other", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_pipe", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls: other reasons. Not modelled, always 0."},
    {"stall_pipe_busy", cc_3x, cc_6x, inst, pct, {"__stall_pipe", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_pipe_busy", cc_70, cc_70, inst, pct, {"__stall_pipe", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_sync", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls, by the model of time."},
    {"stall_sync", cc_3x, cc_6x, inst, pct, {"__stall_sync", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_texture"}, none, share_of_all, "Share of stalls: barriers of blocks and of memory."},
    {"stall_sync", cc_70, cc_70, inst, pct, {"__stall_sync", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_texture", "__stall_sleep"}, none, share_of_all, "Share of stalls: barriers of blocks and of memory."},
    {"stall_texture", cc_3x, cc_6x, inst, pct, {"__stall_texture", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync"}, none, share_of_all, "Share of stalls: textures, of which there are none."},
    {"stall_texture", cc_70, cc_70, inst, pct, {"__stall_texture", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_sleep"}, none, share_of_all, "Share of stalls: textures, of which there are none."},
    {"stall_sleeping", cc_70, cc_70, inst, pct, {"__stall_sleep", "__stall_constant", "__stall_exec", "__stall_fetch", "__stall_memory", "__stall_throttle", "__stall_not_selected", "__stall_other", "__stall_pipe", "__stall_sync", "__stall_texture"}, none, share_of_all, "Share of stalls: sleeping. Not modelled, always 0."},
    {"l2_atomic_transactions", cc_3x, cc_70, memory, count, {"__l2_atomic_sectors"}, none, first, "Sectors of L2 that atomics and reductions took."},
    {"l2_atomic_throughput", cc_3x, cc_70, memory, rate, {"__l2_atomic_sectors"}, time, sectors_rate, "Bytes of L2 that atomics and reductions took, a second."},
    {"local_memory_overhead", cc_3x, cc_70, memory, pct, {"__l2_local_load_sectors", "__l2_local_store_sectors", "__l2_l1_sectors"}, none, two_percent, "Share of sectors between L1 and L2 that are of local memory."},
    {"local_store_throughput", cc_3x, cc_70, memory, rate, {"__local_store_sectors"}, time, sectors_rate, "Bytes moved for local stores, a second."},
    {"local_load_throughput", cc_5x, cc_70, memory, rate, {"__local_load_sectors"}, time, sectors_rate, "Bytes moved for local loads, a second."},
    {"local_load_requests", cc_5x, cc_70, memory, count, {"__local_requests_ld"}, none, first, "Requests of local loads."},
    {"local_store_requests", cc_5x, cc_70, memory, count, {"__local_requests_st"}, none, first, "Requests of local stores."},
    {"local_load_transactions_per_request", cc_5x, cc_70, memory, real, {"__local_load_sectors", "__local_requests_ld"}, none, ratio, "Transactions of a local load."},
    {"local_store_transactions_per_request", cc_5x, cc_70, memory, real, {"__local_store_sectors", "__local_requests_st"}, none, ratio, "Transactions of a local store."},
    {"l2_global_load_bytes", cc_5x, cc_70, memory, count, {"__l2_global_load_sectors"}, none, sectors_bytes, "Bytes of global loads that missed in L1."},
    {"l2_local_load_bytes", cc_5x, cc_70, memory, count, {"__l2_local_load_sectors"}, none, sectors_bytes, "Bytes of local loads that missed in L1."},
    {"l2_local_global_store_bytes", cc_5x, cc_70, memory, count, {"__l2_store_sectors"}, none, sectors_bytes, "Bytes of local and global stores."},
    {"l2_global_atomic_store_bytes", cc_5x, cc_70, memory, count, {"__l2_global_atom_sectors"}, none, sectors_bytes, "Bytes of global atomics."},
    {"l2_global_reduction_bytes", cc_5x, cc_6x, memory, count, {"__l2_global_red_sectors"}, none, sectors_bytes, "Bytes of global reductions."},
    {"sysmem_read_utilization", cc_3x, cc_70, memory, tenths, {"l2_subp*_read_sysmem_sector_queries"}, time, link_level, "Use of the way to the host by reads of kernels, in tenths of its peak.", link_rate},
    {"sysmem_write_utilization", cc_3x, cc_70, memory, tenths, {"l2_subp*_write_sysmem_sector_queries"}, time, link_level, "Use of the way to the host by writes of kernels, in tenths of its peak.", link_rate},
    {"sysmem_utilization", cc_3x, cc_70, memory, tenths, {"l2_subp*_read_sysmem_sector_queries", "l2_subp*_write_sysmem_sector_queries"}, time, both_links_level, "Use of the way to the host, both directions, in tenths of its peak.", link_rate},
    {"pcie_total_data_received", cc_5x, cc_6x, pcie, count, {"__pcie_received"}, none, first, "Bytes that copies and loads brought from the host, without what the link adds."},
    {"pcie_total_data_transmitted", cc_5x, cc_6x, pcie, count, {"__pcie_sent"}, none, first, "Bytes that copies and stores took to the host, without what the link adds."},
    {"tex_cache_transactions", cc_3x, cc_3x, texture, count, {"tex*_cache_sector_queries"}, none, first, "Reads of the texture cache: there are no textures."},
    {"tex_cache_transactions", cc_5x, cc_70, texture, count, {"__unified_reads"}, none, first, "Sectors that loads read in the unified cache."},
    {"tex_cache_throughput", cc_5x, cc_70, texture, rate, {"__unified_reads"}, time, sectors_rate, "Bytes that loads read in the unified cache, a second."},
    {"tex_cache_hit_rate", cc_70, cc_70, texture, pct, {"__unified_queries", "l2_subp*_read_tex_sector_queries", "l2_subp*_write_tex_sector_queries"}, none, found_before_l2, "Share of sectors of the unified cache that L2 was not asked for."},
    {"inst_executed_tex_ops", cc_5x, cc_70, texture, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"inst_executed_surface_atomics", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"inst_executed_surface_loads", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"inst_executed_surface_reductions", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"inst_executed_surface_stores", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"surface_atomic_requests", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"surface_load_requests", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"surface_reduction_requests", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"surface_store_requests", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"texture_load_requests", cc_5x, cc_70, texture, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"l2_surface_load_bytes", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"l2_surface_store_bytes", cc_5x, cc_70, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"l2_surface_atomic_store_bytes", cc_5x, cc_6x, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"l2_surface_reduction_bytes", cc_5x, cc_6x, memory, count, {"__textures_and_surfaces"}, none, first, "Always 0: no kernel with textures or surfaces is loaded."},
    {"nvlink_total_data_received", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_total_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_total_nratom_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_total_ratom_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_total_response_data_received", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_total_write_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_user_data_received", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_user_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_user_nratom_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_user_ratom_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_user_response_data_received", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_user_write_data_transmitted", cc_6x, cc_70, nvlink, count, {"__nvlink"}, none, first, "Always 0: there is no NVLink."},
    {"nvlink_receive_throughput", cc_6x, cc_70, nvlink, rate, {"__nvlink"}, time, bytes_rate, "Always 0: there is no NVLink."},
    {"nvlink_transmit_throughput", cc_6x, cc_70, nvlink, rate, {"__nvlink"}, time, bytes_rate, "Always 0: there is no NVLink."},
    {"nvlink_overhead_data_received", cc_6x, cc_70, nvlink, pct, {"__nvlink_overhead", "__nvlink"}, none, percent, "Of no data, since there is no NVLink: no number."},
    {"nvlink_overhead_data_transmitted", cc_6x, cc_70, nvlink, pct, {"__nvlink_overhead", "__nvlink"}, none, percent, "Of no data, since there is no NVLink: no number."},
    {"unique_warps_launched", cc_6x, cc_6x, memory, count, {"warps_launched"}, none, first, "Warps launched; none is preempted."},

    {"inst_executed_global_reductions", cc_5x, cc_70, inst, count, {"gred_count"}, none, first, "Reductions on global memory."},
};
// clang-format on

} // namespace event_metrics

std::span<event_metric_row const> event_metric_rows() noexcept { return event_metrics::rows; }

} // namespace sim
GPUPROF_NAMESPACE_END
