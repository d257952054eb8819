// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named descriptors for the metrics that most questions begin with. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_METRICS_HPP
#define GPUPROF_METRICS_HPP

#include "metric.hpp"

GPUPROF_NAMESPACE_BEGIN

// Names for metrics of the range hardware (capability 7.0 and later); each is exactly metric<"…"> of the name beside
// it.
namespace metrics {

// Instructions.
inline constexpr auto inst_executed = metric<"smsp__inst_executed.sum">;
inline constexpr auto inst_issued = metric<"smsp__inst_issued.sum">;
inline constexpr auto thread_inst_executed = metric<"smsp__thread_inst_executed.sum">;
inline constexpr auto thread_inst_executed_pred_on = metric<"smsp__thread_inst_executed_pred_on.sum">;
inline constexpr auto global_load_inst = metric<"smsp__inst_executed_op_global_ld.sum">;
inline constexpr auto global_store_inst = metric<"smsp__inst_executed_op_global_st.sum">;
inline constexpr auto shared_load_inst = metric<"smsp__inst_executed_op_shared_ld.sum">;
inline constexpr auto shared_store_inst = metric<"smsp__inst_executed_op_shared_st.sum">;
inline constexpr auto local_load_inst = metric<"smsp__inst_executed_op_local_ld.sum">;
inline constexpr auto local_store_inst = metric<"smsp__inst_executed_op_local_st.sum">;
inline constexpr auto branch_inst = metric<"smsp__inst_executed_op_branch.sum">;
inline constexpr auto fadd_thread_inst = metric<"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum">;
inline constexpr auto fmul_thread_inst = metric<"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum">;
inline constexpr auto ffma_thread_inst = metric<"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum">;
inline constexpr auto dadd_thread_inst = metric<"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum">;
inline constexpr auto dmul_thread_inst = metric<"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum">;
inline constexpr auto dfma_thread_inst = metric<"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum">;
inline constexpr auto hadd_thread_inst = metric<"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum">;
inline constexpr auto hmul_thread_inst = metric<"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum">;
inline constexpr auto hfma_thread_inst = metric<"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum">;
inline constexpr auto integer_thread_inst = metric<"smsp__sass_thread_inst_executed_op_integer_pred_on.sum">;
inline constexpr auto tensor_pipe_inst = metric<"sm__inst_executed_pipe_tensor.sum">;
inline constexpr auto branch_targets = metric<"smsp__sass_branch_targets.sum">;
inline constexpr auto branch_targets_divergent = metric<"smsp__sass_branch_targets_threads_divergent.sum">;
inline constexpr auto branch_targets_uniform = metric<"smsp__sass_branch_targets_threads_uniform.sum">;
inline constexpr auto branch_uniformity = metric<"smsp__sass_average_branch_targets_threads_uniform.pct">;
inline constexpr auto threads_per_inst = metric<"smsp__thread_inst_executed_per_inst_executed.ratio">;
inline constexpr auto ipc_active = metric<"sm__inst_executed.avg.per_cycle_active">;
inline constexpr auto ipc_elapsed = metric<"sm__inst_executed.avg.per_cycle_elapsed">;
inline constexpr auto issue_slot_utilization = metric<"smsp__issue_active.avg.pct_of_peak_sustained_active">;

// Warps and occupancy.
inline constexpr auto warps_launched = metric<"smsp__warps_launched.sum">;
inline constexpr auto threads_launched = metric<"smsp__threads_launched.sum">;
inline constexpr auto ctas_launched = metric<"sm__ctas_launched.sum">;
inline constexpr auto achieved_occupancy = metric<"sm__warps_active.avg.pct_of_peak_sustained_active">;
inline constexpr auto warps_active_per_cycle = metric<"sm__warps_active.avg.per_cycle_active">;
inline constexpr auto warps_eligible_per_cycle = metric<"smsp__warps_eligible.avg.per_cycle_active">;
inline constexpr auto warp_latency = metric<"smsp__average_warp_latency.ratio">;

// Time and cycles.
inline constexpr auto gpu_time_duration = metric<"gpu__time_duration.sum">;
inline constexpr auto gpu_cycles_elapsed = metric<"gpu__cycles_elapsed.max">;
inline constexpr auto sm_cycles_active = metric<"sm__cycles_active.avg">;
inline constexpr auto sm_cycles_elapsed = metric<"sm__cycles_elapsed.max">;
inline constexpr auto dram_cycles_elapsed = metric<"dram__cycles_elapsed.max">;

// Device memory.
inline constexpr auto dram_bytes = metric<"dram__bytes.sum">;
inline constexpr auto dram_bytes_read = metric<"dram__bytes_read.sum">;
inline constexpr auto dram_bytes_write = metric<"dram__bytes_write.sum">;
inline constexpr auto dram_read_bandwidth = metric<"dram__bytes_read.sum.per_second">;
inline constexpr auto dram_write_bandwidth = metric<"dram__bytes_write.sum.per_second">;
inline constexpr auto dram_sectors_read = metric<"dram__sectors_read.sum">;
inline constexpr auto dram_sectors_write = metric<"dram__sectors_write.sum">;

// L1 cache and shared memory.
inline constexpr auto global_load_requests = metric<"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum">;
inline constexpr auto global_load_sectors = metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum">;
inline constexpr auto global_load_bytes = metric<"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum">;
inline constexpr auto global_load_sectors_per_request =
    metric<"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio">;
inline constexpr auto global_store_requests = metric<"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum">;
inline constexpr auto global_store_sectors = metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum">;
inline constexpr auto global_store_bytes = metric<"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum">;
inline constexpr auto global_store_sectors_per_request =
    metric<"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio">;
inline constexpr auto global_atomic_requests = metric<"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum">;
inline constexpr auto global_reduction_requests = metric<"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum">;
inline constexpr auto local_load_sectors = metric<"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum">;
inline constexpr auto local_store_sectors = metric<"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum">;
inline constexpr auto l1_hit_rate = metric<"l1tex__t_sector_hit_rate.pct">;
inline constexpr auto global_load_hit_rate = metric<"l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct">;
inline constexpr auto shared_wavefronts = metric<"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum">;
inline constexpr auto shared_load_wavefronts = metric<"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum">;
inline constexpr auto shared_store_wavefronts = metric<"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum">;
inline constexpr auto shared_bank_conflicts = metric<"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum">;
inline constexpr auto shared_load_bank_conflicts = metric<"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum">;
inline constexpr auto shared_store_bank_conflicts = metric<"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum">;

// L2 cache.
inline constexpr auto l2_requests = metric<"lts__t_requests.sum">;
inline constexpr auto l2_sectors = metric<"lts__t_sectors.sum">;
inline constexpr auto l2_sectors_read = metric<"lts__t_sectors_op_read.sum">;
inline constexpr auto l2_sectors_write = metric<"lts__t_sectors_op_write.sum">;
inline constexpr auto l2_sectors_hit = metric<"lts__t_sectors_lookup_hit.sum">;
inline constexpr auto l2_sectors_miss = metric<"lts__t_sectors_lookup_miss.sum">;
inline constexpr auto l2_hit_rate = metric<"lts__t_sector_hit_rate.pct">;

// Interconnects.
inline constexpr auto pcie_bytes_read = metric<"pcie__read_bytes.sum">;
inline constexpr auto pcie_bytes_write = metric<"pcie__write_bytes.sum">;
inline constexpr auto nvlink_bytes_received = metric<"nvlrx__bytes.sum">;
inline constexpr auto nvlink_bytes_sent = metric<"nvltx__bytes.sum">;

// How near the peak.
inline constexpr auto sm_throughput = metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">;
inline constexpr auto memory_throughput = metric<"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed">;
inline constexpr auto l1_throughput = metric<"l1tex__throughput.avg.pct_of_peak_sustained_active">;
inline constexpr auto l2_throughput = metric<"lts__throughput.avg.pct_of_peak_sustained_elapsed">;
inline constexpr auto dram_throughput = metric<"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed">;

// The launch itself.
inline constexpr auto grid_size = metric<"launch__grid_size">;
inline constexpr auto block_size = metric<"launch__block_size">;
inline constexpr auto registers_per_thread = metric<"launch__registers_per_thread">;
inline constexpr auto waves_per_multiprocessor = metric<"launch__waves_per_multiprocessor">;

} // namespace metrics

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRICS_HPP
