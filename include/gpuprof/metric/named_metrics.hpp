// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named descriptors for the metrics that most questions begin with.
#ifndef GPUPROF_METRIC_NAMED_METRICS_HPP
#define GPUPROF_METRIC_NAMED_METRICS_HPP

#include "metric.hpp"

GPUPROF_NAMESPACE_BEGIN

// Names for metrics of the range hardware (capability 7.0 and later); each is exactly metric<"…"> of the name beside
// it.
namespace metrics {

// Instructions.
inline constexpr metric_descriptor<"smsp__inst_executed.sum"> inst_executed{};
inline constexpr metric_descriptor<"smsp__inst_issued.sum"> inst_issued{};
inline constexpr metric_descriptor<"smsp__thread_inst_executed.sum"> thread_inst_executed{};
inline constexpr metric_descriptor<"smsp__thread_inst_executed_pred_on.sum"> thread_inst_executed_pred_on{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_global_ld.sum"> global_load_inst{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_global_st.sum"> global_store_inst{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_shared_ld.sum"> shared_load_inst{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_shared_st.sum"> shared_store_inst{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_local_ld.sum"> local_load_inst{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_local_st.sum"> local_store_inst{};
inline constexpr metric_descriptor<"smsp__inst_executed_op_branch.sum"> branch_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"> fadd_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"> fmul_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"> ffma_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"> dadd_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"> dmul_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"> dfma_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"> hadd_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"> hmul_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"> hfma_thread_inst{};
inline constexpr metric_descriptor<"smsp__sass_thread_inst_executed_op_integer_pred_on.sum"> integer_thread_inst{};
inline constexpr metric_descriptor<"sm__inst_executed_pipe_tensor.sum"> tensor_pipe_inst{};
inline constexpr metric_descriptor<"smsp__sass_branch_targets.sum"> branch_targets{};
inline constexpr metric_descriptor<"smsp__sass_branch_targets_threads_divergent.sum"> branch_targets_divergent{};
inline constexpr metric_descriptor<"smsp__sass_branch_targets_threads_uniform.sum"> branch_targets_uniform{};
inline constexpr metric_descriptor<"smsp__sass_average_branch_targets_threads_uniform.pct"> branch_uniformity{};
inline constexpr metric_descriptor<"smsp__thread_inst_executed_per_inst_executed.ratio"> threads_per_inst{};
inline constexpr metric_descriptor<"sm__inst_executed.avg.per_cycle_active"> ipc_active{};
inline constexpr metric_descriptor<"sm__inst_executed.avg.per_cycle_elapsed"> ipc_elapsed{};
inline constexpr metric_descriptor<"smsp__issue_active.avg.pct_of_peak_sustained_active"> issue_slot_utilization{};

// Warps and occupancy.
inline constexpr metric_descriptor<"smsp__warps_launched.sum"> warps_launched{};
inline constexpr metric_descriptor<"smsp__threads_launched.sum"> threads_launched{};
inline constexpr metric_descriptor<"sm__ctas_launched.sum"> ctas_launched{};
inline constexpr metric_descriptor<"sm__warps_active.avg.pct_of_peak_sustained_active"> achieved_occupancy{};
inline constexpr metric_descriptor<"sm__warps_active.avg.per_cycle_active"> warps_active_per_cycle{};
inline constexpr metric_descriptor<"smsp__warps_eligible.avg.per_cycle_active"> warps_eligible_per_cycle{};
inline constexpr metric_descriptor<"smsp__average_warp_latency.ratio"> warp_latency{};

// Time and cycles.
inline constexpr metric_descriptor<"gpu__time_duration.sum"> gpu_time_duration{};
inline constexpr metric_descriptor<"gpu__cycles_elapsed.max"> gpu_cycles_elapsed{};
inline constexpr metric_descriptor<"sm__cycles_active.avg"> sm_cycles_active{};
inline constexpr metric_descriptor<"sm__cycles_elapsed.max"> sm_cycles_elapsed{};
inline constexpr metric_descriptor<"dram__cycles_elapsed.max"> dram_cycles_elapsed{};

// Device memory.
inline constexpr metric_descriptor<"dram__bytes.sum"> dram_bytes{};
inline constexpr metric_descriptor<"dram__bytes_read.sum"> dram_bytes_read{};
inline constexpr metric_descriptor<"dram__bytes_write.sum"> dram_bytes_write{};
inline constexpr metric_descriptor<"dram__bytes_read.sum.per_second"> dram_read_bandwidth{};
inline constexpr metric_descriptor<"dram__bytes_write.sum.per_second"> dram_write_bandwidth{};
inline constexpr metric_descriptor<"dram__sectors_read.sum"> dram_sectors_read{};
inline constexpr metric_descriptor<"dram__sectors_write.sum"> dram_sectors_write{};

// L1 cache and shared memory.
inline constexpr metric_descriptor<"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"> global_load_requests{};
inline constexpr metric_descriptor<"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"> global_load_sectors{};
inline constexpr metric_descriptor<"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum"> global_load_bytes{};
inline constexpr metric_descriptor<"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio">
    global_load_sectors_per_request{};
inline constexpr metric_descriptor<"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"> global_store_requests{};
inline constexpr metric_descriptor<"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"> global_store_sectors{};
inline constexpr metric_descriptor<"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"> global_store_bytes{};
inline constexpr metric_descriptor<"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio">
    global_store_sectors_per_request{};
inline constexpr metric_descriptor<"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"> global_atomic_requests{};
inline constexpr metric_descriptor<"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"> global_reduction_requests{};
inline constexpr metric_descriptor<"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"> local_load_sectors{};
inline constexpr metric_descriptor<"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"> local_store_sectors{};
inline constexpr metric_descriptor<"l1tex__t_sector_hit_rate.pct"> l1_hit_rate{};
inline constexpr metric_descriptor<"l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"> global_load_hit_rate{};
inline constexpr metric_descriptor<"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"> shared_wavefronts{};
inline constexpr metric_descriptor<"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"> shared_load_wavefronts{};
inline constexpr metric_descriptor<"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"> shared_store_wavefronts{};
inline constexpr metric_descriptor<"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"> shared_bank_conflicts{};
inline constexpr metric_descriptor<"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum">
    shared_load_bank_conflicts{};
inline constexpr metric_descriptor<"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum">
    shared_store_bank_conflicts{};

// L2 cache.
inline constexpr metric_descriptor<"lts__t_requests.sum"> l2_requests{};
inline constexpr metric_descriptor<"lts__t_sectors.sum"> l2_sectors{};
inline constexpr metric_descriptor<"lts__t_sectors_op_read.sum"> l2_sectors_read{};
inline constexpr metric_descriptor<"lts__t_sectors_op_write.sum"> l2_sectors_write{};
inline constexpr metric_descriptor<"lts__t_sectors_lookup_hit.sum"> l2_sectors_hit{};
inline constexpr metric_descriptor<"lts__t_sectors_lookup_miss.sum"> l2_sectors_miss{};
inline constexpr metric_descriptor<"lts__t_sector_hit_rate.pct"> l2_hit_rate{};

// Interconnects.
inline constexpr metric_descriptor<"pcie__read_bytes.sum"> pcie_bytes_read{};
inline constexpr metric_descriptor<"pcie__write_bytes.sum"> pcie_bytes_write{};
inline constexpr metric_descriptor<"nvlrx__bytes.sum"> nvlink_bytes_received{};
inline constexpr metric_descriptor<"nvltx__bytes.sum"> nvlink_bytes_sent{};

// How near the peak.
inline constexpr metric_descriptor<"sm__throughput.avg.pct_of_peak_sustained_elapsed"> sm_throughput{};
inline constexpr metric_descriptor<"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed">
    memory_throughput{};
inline constexpr metric_descriptor<"l1tex__throughput.avg.pct_of_peak_sustained_active"> l1_throughput{};
inline constexpr metric_descriptor<"lts__throughput.avg.pct_of_peak_sustained_elapsed"> l2_throughput{};
inline constexpr metric_descriptor<"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"> dram_throughput{};

// The launch itself: known without a counter and without a pass.
inline constexpr metric_descriptor<"launch__grid_size"> grid_size{};
inline constexpr metric_descriptor<"launch__block_size"> block_size{};
inline constexpr metric_descriptor<"launch__registers_per_thread"> registers_per_thread{};
inline constexpr metric_descriptor<"launch__waves_per_multiprocessor"> waves_per_multiprocessor{};

} // namespace metrics

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_NAMED_METRICS_HPP
