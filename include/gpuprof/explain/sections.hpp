// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sections that there are, and the sets that name them. Pure data: a new section is an array of rows, a line below
// it, and its name in the sets that have it. Nsight Compute guide, 2.2 and table 1.
#ifndef GPUPROF_EXPLAIN_SECTIONS_HPP
#define GPUPROF_EXPLAIN_SECTIONS_HPP

#include <span>
#include <string_view>

#include "../detail/config.hpp"
#include "memory_chart_metrics.hpp"
#include "memory_tables.hpp"
#include "roofline_metrics.hpp"
#include "section.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace sections {
namespace rows {
// clang-format off
inline constexpr section_row speed_of_light[]{
    {"Compute throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"DRAM throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Duration", "gpu__time_duration.sum"},
    {"Elapsed cycles", "gpc__cycles_elapsed.max"},
    {"SM active cycles", "sm__cycles_active.avg"},
    {"SM frequency", "gpc__cycles_elapsed.avg.per_second"},
    {"DRAM frequency", "dram__cycles_elapsed.avg.per_second"},
};
inline constexpr section_row launch_statistics[]{
    {"Grid size", "launch__grid_size"},
    {"Block size", "launch__block_size"},
    {"Threads", "launch__thread_count"},
    {"Waves per SM", "launch__waves_per_multiprocessor"},
    {"Registers per thread", "launch__registers_per_thread"},
    {"Static shared memory per block", "launch__shared_mem_per_block_static"},
    {"Dynamic shared memory per block", "launch__shared_mem_per_block_dynamic"},
    {"Driver shared memory per block", "launch__shared_mem_per_block_driver"},
    {"Shared memory configuration", "launch__shared_mem_config_size"},
    {"Cache configuration", "launch__func_cache_config"},
    {"Cluster scheduling policy", "launch__cluster_scheduling_policy"},
};
inline constexpr section_row occupancy[]{
    {"Achieved occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"Achieved active warps per SM", "sm__warps_active.avg.per_cycle_active"},
    {"Most warps per SM", "sm__warps_active.avg.peak_sustained"},
    {"Block limit of blocks", "launch__occupancy_limit_blocks"},
    {"Block limit of registers", "launch__occupancy_limit_registers"},
    {"Block limit of shared memory", "launch__occupancy_limit_shared_mem"},
    {"Block limit of warps", "launch__occupancy_limit_warps"},
    {"Occupancy per block size", "launch__occupancy_per_block_size"},
    {"Occupancy per register count", "launch__occupancy_per_register_count"},
    {"Occupancy per shared memory size", "launch__occupancy_per_shared_mem_size"},
    {"Cluster occupancy", "launch__occupancy_cluster_pct"},
    {"Most active clusters", "launch__cluster_max_active"},
};
inline constexpr section_row workload_distribution[]{
    {"Active cycles of an SM, mean", "sm__cycles_active.avg"},
    {"Active cycles of an SM, least", "sm__cycles_active.min"},
    {"Active cycles of an SM, most", "sm__cycles_active.max"},
    {"Elapsed cycles of an SM", "sm__cycles_elapsed.max"},
    {"Active cycles of an SM partition, mean", "smsp__cycles_active.avg"},
    {"Active cycles of an SM partition, least", "smsp__cycles_active.min"},
    {"Active cycles of an SM partition, most", "smsp__cycles_active.max"},
    {"Active cycles of an L1, mean", "l1tex__cycles_active.avg"},
    {"Active cycles of an L1, least", "l1tex__cycles_active.min"},
    {"Active cycles of an L1, most", "l1tex__cycles_active.max"},
    {"Active cycles of an L2 slice, mean", "lts__cycles_active.avg"},
    {"Active cycles of an L2 slice, least", "lts__cycles_active.min"},
    {"Active cycles of an L2 slice, most", "lts__cycles_active.max"},
    {"Elapsed cycles of an L2 slice", "lts__cycles_elapsed.max"},
    {"Active cycles of a DRAM channel, mean", "dram__cycles_active.avg"},
    {"Active cycles of a DRAM channel, least", "dram__cycles_active.min"},
    {"Active cycles of a DRAM channel, most", "dram__cycles_active.max"},
    {"Elapsed cycles of a DRAM channel", "dram__cycles_elapsed.max"},
};
inline constexpr section_row compute_workload[]{
    {"Instructions per active cycle", "sm__inst_executed.avg.per_cycle_active"},
    {"Instructions per elapsed cycle", "sm__inst_executed.avg.per_cycle_elapsed"},
    {"Issued instructions per active cycle", "sm__inst_issued.avg.per_cycle_active"},
    {"Issue slots busy", "sm__inst_issued.avg.pct_of_peak_sustained_active"},
    {"SM busy", "sm__instruction_throughput.avg.pct_of_peak_sustained_active"},
    {"ALU pipe, active", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active"},
    {"FMA pipe, active", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"},
    {"FMA heavy pipe, active", "sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_active"},
    {"FP64 pipe, active", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active"},
    {"Pipe shared by FP64 and tensor, active", "sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, active", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, half precision, active", "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, integer, active", "sm__pipe_tensor_op_imma_cycles_active.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, double precision, active", "sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_active"},
    {"TMA pipe, active", "sm__pipe_tma_cycles_active.avg.pct_of_peak_sustained_active"},
    {"ADU pipe, instructions", "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_active"},
    {"ALU pipe, instructions", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"},
    {"CBU pipe, instructions", "sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_active"},
    {"FMA pipe, instructions", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
    {"FMA pipe, half precision, instructions", "sm__inst_executed_pipe_fma_type_fp16.avg.pct_of_peak_sustained_active"},
    {"FP64 pipe, instructions", "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"},
    {"LSU pipe, instructions", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, double precision, instructions", "sm__inst_executed_pipe_tensor_op_dmma.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, half precision, instructions", "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active"},
    {"Tensor pipe, integer, instructions", "sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_active"},
    {"TEX pipe, instructions", "sm__inst_executed_pipe_tex.avg.pct_of_peak_sustained_active"},
    {"TMA pipe, instructions", "sm__inst_executed_pipe_tma.avg.pct_of_peak_sustained_active"},
    {"Uniform pipe, instructions", "sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active"},
    {"XU pipe, instructions", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"},
};
inline constexpr section_row instruction_statistics[]{
    {"Executed instructions", "smsp__inst_executed.sum"},
    {"Executed instructions per scheduler", "smsp__inst_executed.avg"},
    {"Issued instructions", "smsp__inst_issued.sum"},
    {"Issued instructions per scheduler", "smsp__inst_issued.avg"},
    {"Executed by threads", "smsp__thread_inst_executed.sum"},
    {"Executed by threads, predicated on", "smsp__thread_inst_executed_pred_on.sum"},
    {"Single precision additions", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"},
    {"Single precision multiplications", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
    {"Single precision fused multiply-adds", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {"Double precision additions", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"},
    {"Double precision multiplications", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
    {"Double precision fused multiply-adds", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"},
    {"Half precision additions", "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"},
    {"Half precision multiplications", "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"},
    {"Half precision fused multiply-adds", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"},
    {"Integer", "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"},
    {"Conversions", "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum"},
    {"Memory", "smsp__sass_thread_inst_executed_op_memory_pred_on.sum"},
    {"Control", "smsp__sass_thread_inst_executed_op_control_pred_on.sum"},
    {"Local memory loads", "smsp__inst_executed_op_local_ld.sum"},
    {"Local memory stores", "smsp__inst_executed_op_local_st.sum"},
};
inline constexpr section_row scheduler_statistics[]{
    {"Active warps per scheduler", "smsp__warps_active.avg.per_cycle_active"},
    {"Most warps per scheduler", "smsp__warps_active.avg.peak_sustained"},
    {"Eligible warps per scheduler", "smsp__warps_eligible.avg.per_cycle_active"},
    {"Issued warps per scheduler", "smsp__issue_active.avg.per_cycle_active"},
    {"Cycles with an issue", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    {"Cycles without an eligible warp", "smsp__issue_inst0.avg.pct_of_peak_sustained_active"},
};
inline constexpr section_row warp_states[]{
    {"Warp cycles per issued instruction", "smsp__average_warp_latency_per_inst_issued.ratio"},
    {"Warp cycles per executed instruction", "smsp__average_warps_active_per_inst_executed.ratio"},
    {"Active threads per warp", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Active threads per warp, predicated on", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
    {"Stalled: barrier", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"},
    {"Stalled: branch resolving", "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio"},
    {"Stalled: dispatch", "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio"},
    {"Stalled: drain", "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio"},
    {"Stalled: matrix product of a warp group", "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio"},
    {"Stalled: constant cache miss", "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio"},
    {"Stalled: LG throttle", "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"},
    {"Stalled: long scoreboard", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"},
    {"Stalled: math pipe throttle", "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"},
    {"Stalled: memory barrier", "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio"},
    {"Stalled: MIO throttle", "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"},
    {"Stalled: miscellaneous", "smsp__average_warps_issue_stalled_misc_per_issue_active.ratio"},
    {"Stalled: no instruction", "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio"},
    {"Not selected", "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"},
    {"Selected", "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio"},
    {"Stalled: short scoreboard", "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"},
    {"Stalled: sleeping", "smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio"},
    {"Stalled: TEX throttle", "smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio"},
    {"Stalled: wait", "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"},
};
inline constexpr section_row memory_workload[]{
    {"DRAM bandwidth", "dram__bytes.sum.per_second"},
    {"Memory busy", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory bandwidth used", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory pipes busy", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX hit rate", "l1tex__t_sector_hit_rate.pct"},
    {"L2 hit rate", "lts__t_sector_hit_rate.pct"},
    {"L2 compression success", "lts__average_gcomp_input_sector_success_rate.pct"},
    {"L2 compression ratio", "lts__average_gcomp_input_sector_compression_rate.ratio"},
    {"Sectors per request, global loads", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    {"Sectors per request, global stores", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
};
inline constexpr section_row source_counters[]{
    {"Branch instructions", "smsp__inst_executed_op_branch.sum"},
    {"Branch targets", "smsp__sass_branch_targets.sum"},
    {"Divergent branch targets", "smsp__sass_branch_targets_threads_divergent.sum"},
    {"Branch efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct"},
};
inline constexpr section_row nvlink[]{
    {"Received", "nvlrx__bytes.sum"},
    {"Received, data of the program", "nvlrx__bytes_data_user.sum"},
    {"Received, protocol", "nvlrx__bytes_data_protocol.sum"},
    {"Received, of the peak", "nvlrx__bytes.sum.pct_of_peak_sustained_elapsed"},
    {"Received per second", "nvlrx__bytes.sum.per_second"},
    {"Sent", "nvltx__bytes.sum"},
    {"Sent, data of the program", "nvltx__bytes_data_user.sum"},
    {"Sent, protocol", "nvltx__bytes_data_protocol.sum"},
    {"Sent, of the peak", "nvltx__bytes.sum.pct_of_peak_sustained_elapsed"},
    {"Sent per second", "nvltx__bytes.sum.per_second"},
};
inline constexpr section_row nvlink_topology[]{
    {"Links to other devices", "nvlink__count_logical"},
    {"Physical links in use", "nvlink__count_physical"},
    {"Most links", "nvlink__max_count"},
    {"A switch is connected", "nvlink__is_nvswitch_connected"},
    {"Device", "nvlink__dev0Id"},
    {"Device at the far end", "nvlink__dev1Id"},
    {"Kind of device at the far end", "nvlink__dev1type"},
    {"Ports", "nvlink__source_ports"},
    {"Ports at the far end", "nvlink__destination_ports"},
    {"Bandwidth", "nvlink__bandwidth"},
};
inline constexpr section_row c2c_link[]{
    {"Received", "ctc__rx_bytes.sum"},
    {"Received, data of the program", "ctc__rx_bytes_data_user.sum"},
    {"Received, protocol", "ctc__rx_bytes_data_protocol.sum"},
    {"Received, of the peak", "ctc__rx_bytes.sum.pct_of_peak_sustained_elapsed"},
    {"Received per second", "ctc__rx_bytes.sum.per_second"},
    {"Sent", "ctc__tx_bytes.sum"},
    {"Sent, data of the program", "ctc__tx_bytes_data_user.sum"},
    {"Sent, protocol", "ctc__tx_bytes_data_protocol.sum"},
    {"Sent, of the peak", "ctc__tx_bytes.sum.pct_of_peak_sustained_elapsed"},
    {"Sent per second", "ctc__tx_bytes.sum.per_second"},
};
inline constexpr section_row numa_affinity[]{
    {"CPU affinity", "numa__cpu_affinity"},
    {"NUMA node of the CPU", "numa__id_cpu"},
    {"NUMA node of the memory", "numa__id_memory"},
};
// clang-format on
} // namespace rows

// How near the kernel came to what the GPU can do, and for how long it ran.
inline constexpr section speed_of_light{"speed_of_light", "Speed of light",
                                        "How near the kernel came to what the GPU can do, and for how long it ran.",
                                        rows::speed_of_light};
// How the kernel was launched.
inline constexpr section launch_statistics{"launch_statistics", "Launch", "How the kernel was launched.",
                                           rows::launch_statistics};
// How many warps an SM held, and what kept it from holding more.
inline constexpr section occupancy{"occupancy", "Occupancy",
                                   "How many warps an SM held, and what kept it from holding more.", rows::occupancy};
// Whether all units of a kind were busy for the same time.
inline constexpr section workload_distribution{"workload_distribution", "Distribution of work",
                                               "Whether all units of a kind were busy for the same time.",
                                               rows::workload_distribution};
// How many instructions the SMs executed a cycle, and by which pipes.
inline constexpr section compute_workload{"compute_workload", "Compute workload",
                                          "How many instructions the SMs executed a cycle, and by which pipes.",
                                          rows::compute_workload};
// Which instructions were executed, and how many.
inline constexpr section instruction_statistics{"instruction_statistics", "Instructions",
                                                "Which instructions were executed, and how many.",
                                                rows::instruction_statistics};
// How many warps a scheduler could choose from.
inline constexpr section scheduler_statistics{
    "scheduler_statistics", "Schedulers", "How many warps a scheduler could choose from.", rows::scheduler_statistics};
// For what warps waited, in cycles for each instruction issued.
inline constexpr section warp_states{
    "warp_states", "Warp states", "For what warps waited, in cycles for each instruction issued.", rows::warp_states};
// How much the memory system was used, and how well its caches worked.
inline constexpr section memory_workload{"memory_workload", "Memory workload",
                                         "How much the memory system was used, and how well its caches worked.",
                                         rows::memory_workload};
// Which CPUs and which memory are near the GPU.
inline constexpr section numa_affinity{"numa_affinity", "NUMA", "Which CPUs and which memory are near the GPU.",
                                       rows::numa_affinity};
// What went over the links to other GPUs.
inline constexpr section nvlink{"nvlink", "NVLink", "What went over the links to other GPUs.", rows::nvlink};
// Which devices the GPU's links end at (link_chart.hpp).
inline constexpr section nvlink_topology{"nvlink_topology", "NVLink topology",
                                         "Which devices the GPU's links end at (link_chart.hpp).",
                                         rows::nvlink_topology};
// What went over the link to the CPU's chip.
inline constexpr section c2c_link{
    "c2c_link", "C2C link", "What went over the link to the CPU's chip.", rows::c2c_link, {9, 0}};
// What went through each memory, by kind of access (memory_tables.hpp).
inline constexpr section memory_tables{"memory_tables", "Memory tables",
                                       "What went through each memory, by kind of access (memory_tables.hpp).",
                                       explain::memory_tables::section_rows};
// What went between the kernel, the caches and the memories (memory_chart.hpp).
inline constexpr section memory_chart{"memory_chart", "Memory chart",
                                      "What went between the kernel, the caches and the memories (memory_chart.hpp).",
                                      memory_chart_metrics::section_rows};
// What was calculated for each byte moved, against the peaks (roofline.hpp).
inline constexpr section roofline{"roofline", "Roofline",
                                  "What was calculated for each byte moved, against the peaks (roofline.hpp).",
                                  roofline_metrics::section_rows};
// How often threads of a warp parted.
inline constexpr section source_counters{"source_counters", "Branches", "How often threads of a warp parted.",
                                         rows::source_counters};

// Every section of this file.
inline constexpr section const* all[]{
    &speed_of_light,
    &launch_statistics,
    &occupancy,
    &workload_distribution,
    &compute_workload,
    &instruction_statistics,
    &scheduler_statistics,
    &warp_states,
    &memory_workload,
    &source_counters,
    &memory_chart,
    &memory_tables,
    &roofline,
    &nvlink,
    &nvlink_topology,
    &c2c_link,
    &numa_affinity,
};
// CUPTI plans the metrics of links for a GPU without one if they are alone, and refuses them beside others.
inline constexpr section const* links[]{&nvlink, &nvlink_topology, &c2c_link};
inline constexpr section const* full[]{
    &speed_of_light,         &launch_statistics,    &occupancy,   &workload_distribution, &compute_workload,
    &instruction_statistics, &scheduler_statistics, &warp_states, &memory_workload,       &source_counters,
    &memory_chart,           &memory_tables,        &roofline,    &numa_affinity};
inline constexpr section const* basic[]{&speed_of_light, &launch_statistics, &occupancy, &workload_distribution};
inline constexpr section const* detailed[]{&speed_of_light,   &launch_statistics, &occupancy,    &workload_distribution,
                                           &compute_workload, &memory_workload,   &memory_chart, &source_counters};
inline constexpr section const* roofline_set[]{&speed_of_light, &instruction_statistics, &roofline};
} // namespace sections

inline constexpr set set::basic{"basic", sections::basic};
inline constexpr set set::detailed{"detailed", sections::detailed};
inline constexpr set set::full{"full", sections::full};
inline constexpr set set::links{"links", sections::links};
inline constexpr set set::roofline{"roofline", sections::roofline_set};

// The sets that there are, for programs that learn the name when they run.
inline constexpr set const* all_sets[]{&set::basic, &set::detailed, &set::full, &set::roofline, &set::links};

// The set of that name; null if there is none.
[[nodiscard]] constexpr set const* find_set(std::string_view name) noexcept {
    for (set const* const each : all_sets)
        if (each->name == name) return each;
    return nullptr;
}
// The section of that id; null if there is none.
[[nodiscard]] constexpr section const* find_section(std::string_view id) noexcept {
    for (section const* const each : sections::all)
        if (each->id == id) return each;
    return nullptr;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SECTIONS_HPP
