// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics that do not follow the naming scheme of counters, as data.
#ifndef GPUPROF_METRIC_PROVIDER_METRICS_HPP
#define GPUPROF_METRIC_PROVIDER_METRICS_HPP

#include <cstddef>
#include <string_view>

#include "kind.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// A metric of another provider than the counter hardware. `instanced_by` is empty for a single value, else says what the
// metric has one value for each of; a text has texts there. `of` is the unit of the metric as a whole.
struct provider_metric {
    char const* name;
    metric_source source;
    metric_kind kind;
    unit of;
    char const* instanced_by;
    char const* meaning;
};

namespace detail::providers {
using enum metric_source;
using enum metric_kind;
using enum dimension;

inline constexpr unit plain = one; // an identifier, a flag or a number of no unit
inline constexpr unit nanosecond = unit_of(second, -9);
inline constexpr unit kilohertz = one / unit_of(second, -3);

inline constexpr provider_metric table[] = {
    {"launch__block_dim_x", launch, number, unit_of(thread), "", "Threads of a block along x."},
    {"launch__block_dim_y", launch, number, unit_of(thread), "", "Threads of a block along y."},
    {"launch__block_dim_z", launch, number, unit_of(thread), "", "Threads of a block along z."},
    {"launch__block_size", launch, number, unit_of(thread), "", "Threads of a block."},
    {"launch__cluster_dim_x", launch, number, unit_of(cluster), "",
     "Clusters of the launch along x; 0 without clusters."},
    {"launch__cluster_dim_y", launch, number, unit_of(cluster), "",
     "Clusters of the launch along y; 0 without clusters."},
    {"launch__cluster_dim_z", launch, number, unit_of(cluster), "",
     "Clusters of the launch along z; 0 without clusters."},
    {"launch__cluster_max_active", launch, number, unit_of(cluster), "",
     "Clusters that can be resident on the device at once, by calculation."},
    {"launch__cluster_max_potential_size", launch, number, unit_of(cta), "",
     "Largest cluster that this kernel and configuration allow."},
    {"launch__cluster_scheduling_policy", launch, number, plain, "",
     "How clusters are placed: 0 by default, 1 spread, 2 by load."},
    {"launch__context_id", launch, number, plain, "", "CUDA context of the launch."},
    {"launch__device_id", launch, number, plain, "", "CUDA device of the launch."},
    {"launch__func_cache_config", launch, number, plain, "", "Preferred split between L1 cache and shared memory."},
    {"launch__function_pcs", launch, number, plain, "", "Where the kernel's code begins."},
    {"launch__graph_contains_device_launch", launch, number, plain, "",
     "1 if a node of the graph can launch graphs from the device."},
    {"launch__graph_is_device_launchable", launch, number, plain, "",
     "1 if the graph can be launched from the device."},
    {"launch__grid_dim_x", launch, number, unit_of(cta), "", "Blocks of the grid along x."},
    {"launch__grid_dim_y", launch, number, unit_of(cta), "", "Blocks of the grid along y."},
    {"launch__grid_dim_z", launch, number, unit_of(cta), "", "Blocks of the grid along z."},
    {"launch__grid_size", launch, number, unit_of(cta), "", "Blocks of the grid."},
    {"launch__occupancy_cluster_gpu_pct", launch, number, percent_unit, "",
     "Occupancy of the whole GPU that clusters allow."},
    {"launch__occupancy_cluster_pct", launch, number, percent_unit, "",
     "Active blocks over the most possible, as clusters allow."},
    {"launch__occupancy_limit_blocks", launch, number, unit_of(cta), "",
     "Blocks per SM that the number of blocks an SM can hold allows."},
    {"launch__occupancy_limit_registers", launch, number, unit_of(cta), "", "Blocks per SM that register use allows."},
    {"launch__occupancy_limit_shared_mem", launch, number, unit_of(cta), "",
     "Blocks per SM that shared memory use allows."},
    {"launch__occupancy_limit_warps", launch, number, unit_of(cta), "", "Blocks per SM that the block size allows."},
    {"launch__occupancy_per_block_size", launch, number, unit_of(warp), "number of warps",
     "Active warps of an SM; instances give them for blocks of each number of warps."},
    {"launch__occupancy_per_cluster_size", launch, number, unit_of(cluster), "number of clusters",
     "Active clusters of the device; instances give the largest cluster for each number of them."},
    {"launch__occupancy_per_register_count", launch, number, unit_of(warp), "number of warps",
     "Active warps of an SM; instances give the most registers a thread that allow each number of them."},
    {"launch__occupancy_per_shared_mem_size", launch, number, unit_of(warp), "number of warps",
     "Active warps of an SM; instances give the most bytes a block that allow each number of them."},
    {"launch__registers_per_thread", launch, number, unit_of(reg) / unit_of(thread), "",
     "Registers that a thread uses."},
    {"launch__registers_per_thread_allocated", launch, number, unit_of(reg) / unit_of(thread), "",
     "Registers reserved for a thread."},
    {"launch__shared_mem_config_size", launch, number, unit_of(byte), "",
     "Shared memory of an SM configured for the launch: as asked for, else the least split that lowers no occupancy."},
    {"launch__shared_mem_per_block_allocated", launch, number, unit_of(byte) / unit_of(cta), "",
     "Shared memory reserved for a block."},
    {"launch__shared_mem_per_block_driver", launch, number, unit_of(byte) / unit_of(cta), "",
     "Shared memory of a block that the driver needs."},
    {"launch__shared_mem_per_block_dynamic", launch, number, unit_of(byte) / unit_of(cta), "",
     "Shared memory of a block asked for at launch."},
    {"launch__shared_mem_per_block_static", launch, number, unit_of(byte) / unit_of(cta), "",
     "Shared memory of a block declared in the kernel."},
    {"launch__stream_id", launch, number, plain, "", "CUDA stream of the launch."},
    {"launch__thread_count", launch, number, unit_of(thread), "", "Threads of the grid."},
    {"launch__uses_cdp", launch, number, plain, "", "1 if a function of the launch can itself launch kernels."},
    {"launch__waves_per_multiprocessor", launch, number, plain, "",
     "How often the grid fills the SMs; a partial last wave leaves SMs without work."},
    {"nvlink__bandwidth", nvlink, number, unit_of(byte) / unit_of(second), "logical link", "Bandwidth of a link."},
    {"nvlink__count_logical", nvlink, number, plain, "", "Number of logical links."},
    {"nvlink__count_physical", nvlink, number, plain, "device", "Number of physical links."},
    {"nvlink__destination_ports", nvlink, text, plain, "logical link", "Ports at the far end."},
    {"nvlink__dev0Id", nvlink, number, plain, "logical link", "First of the two connected devices."},
    {"nvlink__dev0type", nvlink, number, plain, "logical link", "Type of the first device: 1 GPU, 2 CPU, 0 a switch."},
    {"nvlink__dev1Id", nvlink, number, plain, "logical link", "Second of the two connected devices."},
    {"nvlink__dev1type", nvlink, number, plain, "logical link", "Type of the second device: 1 GPU, 2 CPU, 0 a switch."},
    {"nvlink__dev_display_name_all", nvlink, text, plain, "device", "Names of the devices."},
    {"nvlink__enabled_mask", nvlink, number, plain, "device", "Which links are enabled."},
    {"nvlink__is_direct_link", nvlink, number, plain, "logical link", "1 if the link is direct."},
    {"nvlink__is_nvswitch_connected", nvlink, number, plain, "", "1 if a switch is connected."},
    {"nvlink__max_count", nvlink, number, plain, "device", "Most links that the device can have."},
    {"nvlink__peer_access", nvlink, number, plain, "logical link", "1 if memory access between peers is supported."},
    {"nvlink__peer_atomic", nvlink, number, plain, "logical link", "1 if atomics between peers are supported."},
    {"nvlink__source_ports", nvlink, text, plain, "logical link", "Ports at the near end."},
    {"nvlink__system_access", nvlink, number, plain, "logical link", "1 if access to system memory is supported."},
    {"nvlink__system_atomic", nvlink, number, plain, "logical link", "1 if atomics on system memory are supported."},
    {"numa__cpu_affinity", numa, text, plain, "device", "CPUs near each device."},
    {"numa__dev_display_name_all", numa, text, plain, "device", "Names of the devices."},
    {"numa__id_cpu", numa, text, plain, "device", "NUMA node of the nearest CPU."},
    {"numa__id_memory", numa, text, plain, "device", "NUMA node of the nearest memory."},
    {"device__attribute_architecture", device, number, plain, "", "Architecture of the chip, as a number."},
    {"device__attribute_confidential_computing_mode", device, text, plain, "", "Confidential computing: on or off."},
    {"device__attribute_device_index", device, number, plain, "", "Index of the device."},
    {"device__attribute_display_name", device, text, plain, "", "Product name."},
    {"device__attribute_fb_bus_width", device, number, plain, "", "Width of the memory bus in bits."},
    {"device__attribute_fbp_count", device, number, plain, "", "Number of frame buffer partitions."},
    {"device__attribute_implementation", device, number, plain, "", "Implementation of the architecture, as a number."},
    {"device__attribute_l2s_count", device, number, plain, "", "Number of L2 slices."},
    {"device__attribute_limits_max_cta_per_sm", device, number, unit_of(cta), "", "Most blocks that an SM holds."},
    {"device__attribute_max_gpu_frequency_khz", device, number, kilohertz, "",
     "Highest clock of the GPU in kilohertz."},
    {"device__attribute_max_ipc_per_multiprocessor", device, number, unit_of(instruction) / unit_of(cycle_gpc), "",
     "Most instructions that an SM issues in a cycle."},
    {"device__attribute_max_ipc_per_scheduler", device, number, unit_of(instruction) / unit_of(cycle_gpc), "",
     "Most instructions that a warp scheduler issues in a cycle."},
    {"device__attribute_max_mem_frequency_khz", device, number, kilohertz, "",
     "Highest clock of the memory in kilohertz."},
    {"device__attribute_max_registers_per_thread", device, number, unit_of(reg) / unit_of(thread), "",
     "Most registers that a thread can have."},
    {"device__attribute_max_warps_per_multiprocessor", device, number, unit_of(warp), "",
     "Most warps that an SM holds."},
    {"device__attribute_max_warps_per_scheduler", device, number, unit_of(warp), "",
     "Most warps that a warp scheduler holds."},
    {"device__attribute_num_l2s_per_fbp", device, number, plain, "", "L2 slices of a frame buffer partition."},
    {"device__attribute_num_schedulers_per_multiprocessor", device, number, plain, "", "Warp schedulers of an SM."},
    {"device__attribute_num_tex_per_multiprocessor", device, number, plain, "", "Texture units of an SM."},
    {"device__attribute_sass_level", device, number, plain, "", "Version of the machine language."},
    {"smsp__pcsamp_warps_issue_stalled_barrier", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for sibling warps at a barrier of the CTA."},
    {"smsp__pcsamp_warps_issue_stalled_branch_resolving", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for a branch target to be known."},
    {"smsp__pcsamp_warps_issue_stalled_dispatch_stall", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps ready, but held back by the dispatcher."},
    {"smsp__pcsamp_warps_issue_stalled_drain", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting after exit for its stores to reach memory."},
    {"smsp__pcsamp_warps_issue_stalled_gmma", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for warp-group matrix operations."},
    {"smsp__pcsamp_warps_issue_stalled_imc_miss", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for a miss in the immediate constant cache."},
    {"smsp__pcsamp_warps_issue_stalled_lg_throttle", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for room in the queue for local and global memory instructions."},
    {"smsp__pcsamp_warps_issue_stalled_long_scoreboard", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for data from local, global, surface or texture memory."},
    {"smsp__pcsamp_warps_issue_stalled_math_pipe_throttle", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for a busy arithmetic pipeline."},
    {"smsp__pcsamp_warps_issue_stalled_membar", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting at a memory barrier."},
    {"smsp__pcsamp_warps_issue_stalled_mio_throttle", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for room in the memory input/output queue."},
    {"smsp__pcsamp_warps_issue_stalled_misc", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps held up for a reason of its own."},
    {"smsp__pcsamp_warps_issue_stalled_no_instructions", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for its next instruction to be fetched."},
    {"smsp__pcsamp_warps_issue_stalled_not_selected", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps ready, while the scheduler chose another warp."},
    {"smsp__pcsamp_warps_issue_stalled_selected", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps chosen to issue an instruction."},
    {"smsp__pcsamp_warps_issue_stalled_short_scoreboard", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for a result of the memory input/output queue, such as shared memory."},
    {"smsp__pcsamp_warps_issue_stalled_sleeping", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps with all threads blocked, yielded or asleep."},
    {"smsp__pcsamp_warps_issue_stalled_tex_throttle", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for room in the texture queue."},
    {"smsp__pcsamp_warps_issue_stalled_wait", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warps waiting for a fixed latency to pass."},
    {"smsp__pcsamp_warps_issue_stalled_barrier_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps waiting for sibling warps at a barrier of the CTA."},
    {"smsp__pcsamp_warps_issue_stalled_branch_resolving_not_issued", warp_sampling, number, unit_of(sample),
     "function address", "Samples, on cycles without issue, of warps waiting for a branch target to be known."},
    {"smsp__pcsamp_warps_issue_stalled_dispatch_stall_not_issued", warp_sampling, number, unit_of(sample),
     "function address", "Samples, on cycles without issue, of warps ready, but held back by the dispatcher."},
    {"smsp__pcsamp_warps_issue_stalled_drain_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps waiting after exit for its stores to reach memory."},
    {"smsp__pcsamp_warps_issue_stalled_gmma_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps waiting for warp-group matrix operations."},
    {"smsp__pcsamp_warps_issue_stalled_imc_miss_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps waiting for a miss in the immediate constant cache."},
    {"smsp__pcsamp_warps_issue_stalled_lg_throttle_not_issued", warp_sampling, number, unit_of(sample),
     "function address",
     "Samples, on cycles without issue, of warps waiting for room in the queue for local and global memory "
     "instructions."},
    {"smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued", warp_sampling, number, unit_of(sample),
     "function address",
     "Samples, on cycles without issue, of warps waiting for data from local, global, surface or texture memory."},
    {"smsp__pcsamp_warps_issue_stalled_math_pipe_throttle_not_issued", warp_sampling, number, unit_of(sample),
     "function address", "Samples, on cycles without issue, of warps waiting for a busy arithmetic pipeline."},
    {"smsp__pcsamp_warps_issue_stalled_membar_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps waiting at a memory barrier."},
    {"smsp__pcsamp_warps_issue_stalled_mio_throttle_not_issued", warp_sampling, number, unit_of(sample),
     "function address",
     "Samples, on cycles without issue, of warps waiting for room in the memory input/output queue."},
    {"smsp__pcsamp_warps_issue_stalled_misc_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps held up for a reason of its own."},
    {"smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued", warp_sampling, number, unit_of(sample),
     "function address", "Samples, on cycles without issue, of warps waiting for its next instruction to be fetched."},
    {"smsp__pcsamp_warps_issue_stalled_not_selected_not_issued", warp_sampling, number, unit_of(sample),
     "function address", "Samples, on cycles without issue, of warps ready, while the scheduler chose another warp."},
    {"smsp__pcsamp_warps_issue_stalled_selected_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps chosen to issue an instruction."},
    {"smsp__pcsamp_warps_issue_stalled_short_scoreboard_not_issued", warp_sampling, number, unit_of(sample),
     "function address",
     "Samples, on cycles without issue, of warps waiting for a result of the memory input/output queue, such as shared "
     "memory."},
    {"smsp__pcsamp_warps_issue_stalled_sleeping_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps with all threads blocked, yielded or asleep."},
    {"smsp__pcsamp_warps_issue_stalled_tex_throttle_not_issued", warp_sampling, number, unit_of(sample),
     "function address", "Samples, on cycles without issue, of warps waiting for room in the texture queue."},
    {"smsp__pcsamp_warps_issue_stalled_wait_not_issued", warp_sampling, number, unit_of(sample), "function address",
     "Samples, on cycles without issue, of warps waiting for a fixed latency to pass."},
    {"smsp__pcsamp_sample_count", warp_sampling, number, unit_of(sample), "function address",
     "Samples of warp states, whatever the state."},
    {"branch_inst_executed", source_counter, number, unit_of(branch_target), "function address",
     "Branch targets of an instruction, divergent and uniform."},
    {"derived__avg_thread_executed", source_counter, number, plain, "function address",
     "Threads per executed instruction, whatever their predicate."},
    {"derived__avg_thread_executed_true", source_counter, number, plain, "function address",
     "Threads per executed instruction whose predicate was true."},
    {"derived__memory_l1_conflicts_shared_nway", source_counter, number, unit_of(wavefront) / unit_of(instruction),
     "function address", "Wavefronts per shared memory instruction; 1 is free of conflicts."},
    {"derived__memory_l1_wavefronts_shared_excessive", source_counter, number, unit_of(wavefront), "function address",
     "Shared memory wavefronts beyond the ideal."},
    {"derived__memory_l2_theoretical_sectors_global_excessive", source_counter, number, unit_of(sector),
     "function address", "Global memory sectors in L2 beyond the ideal."},
    {"inst_executed", source_counter, number, unit_of(instruction), "function address",
     "Warp-level executed instructions, whatever their predicate."},
    {"memory_access_size_type", source_counter, number, plain, "function address", "Size of the access in bits."},
    {"memory_access_type", source_counter, text, plain, "function address", "Load, store or other access."},
    {"memory_l1_tag_requests_global", source_counter, number, unit_of(tag), "function address",
     "L1 tag look-ups of global memory instructions."},
    {"memory_l1_wavefronts_shared", source_counter, number, unit_of(wavefront), "function address",
     "L1 wavefronts of shared memory instructions."},
    {"memory_l1_wavefronts_shared_ideal", source_counter, number, unit_of(wavefront), "function address",
     "L1 wavefronts that shared memory instructions would need at best."},
    {"memory_l2_theoretical_sectors_global", source_counter, number, unit_of(sector), "function address",
     "Sectors that global memory instructions ask of L2, by calculation."},
    {"memory_l2_theoretical_sectors_global_ideal", source_counter, number, unit_of(sector), "function address",
     "Sectors that global memory instructions would ask of L2 at best."},
    {"memory_l2_theoretical_sectors_local", source_counter, number, unit_of(sector), "function address",
     "Sectors that local memory instructions ask of L2, by calculation."},
    {"memory_type", source_counter, text, plain, "function address", "Address space of the access."},
    {"smsp__branch_targets_threads_divergent", source_counter, number, unit_of(branch_target), "function address",
     "Branches whose active threads went different ways."},
    {"smsp__branch_targets_threads_uniform", source_counter, number, unit_of(branch_target), "function address",
     "Branches whose active threads all went the same way."},
    {"thread_inst_executed", source_counter, number, unit_of(instruction), "function address",
     "Thread-level executed instructions, whatever their predicate."},
    {"thread_inst_executed_true", source_counter, number, unit_of(instruction), "function address",
     "Thread-level executed instructions whose predicate was true."},
    {"smsp__sass_inst_executed_memdesc_explicit_evict_type", source_counter, text, plain, "function address",
     "Eviction policies in L2."},
    {"smsp__sass_inst_executed_memdesc_explicit_hitprop_evict_first", source_counter, number, unit_of(instruction),
     "function address", "Instructions with the L2 eviction policy \"first\" for hits."},
    {"smsp__sass_inst_executed_memdesc_explicit_hitprop_evict_last", source_counter, number, unit_of(instruction),
     "function address", "Instructions with the L2 eviction policy \"last\" for hits."},
    {"smsp__sass_inst_executed_memdesc_explicit_hitprop_evict_normal", source_counter, number, unit_of(instruction),
     "function address", "Instructions with the L2 eviction policy \"normal\" for hits."},
    {"smsp__sass_inst_executed_memdesc_explicit_hitprop_evict_normal_demote", source_counter, number,
     unit_of(instruction), "function address", "Instructions with the L2 eviction policy \"normal demote\" for hits."},
    {"smsp__sass_inst_executed_memdesc_explicit_missprop_evict_first", source_counter, number, unit_of(instruction),
     "function address", "Instructions with the L2 eviction policy \"first\" for misses."},
    {"smsp__sass_inst_executed_memdesc_explicit_missprop_evict_normal", source_counter, number, unit_of(instruction),
     "function address", "Instructions with the L2 eviction policy \"normal\" for misses."},
    {"sass__inst_executed_per_opcode", opcode, number, unit_of(instruction), "basic opcode",
     "Warp-level executed instructions."},
    {"sass__inst_executed_per_opcode_with_modifier_all", opcode, number, unit_of(instruction),
     "opcode with all modifiers", "Warp-level executed instructions."},
    {"sass__inst_executed_per_opcode_with_modifier_selective", opcode, number, unit_of(instruction),
     "opcode with selected modifiers", "Warp-level executed instructions."},
    {"sass__thread_inst_executed_true_per_opcode", opcode, number, unit_of(instruction), "basic opcode",
     "Thread-level executed instructions."},
    {"sass__thread_inst_executed_true_per_opcode_with_modifier_all", opcode, number, unit_of(instruction),
     "opcode with all modifiers", "Thread-level executed instructions."},
    {"sass__thread_inst_executed_true_per_opcode_with_modifier_selective", opcode, number, unit_of(instruction),
     "opcode with selected modifiers", "Thread-level executed instructions."},
    {"group:memory__chart", named_set, group, plain, "", "Metrics of the memory chart."},
    {"group:memory__dram_table", named_set, group, plain, "", "Metrics of the device memory table."},
    {"group:memory__first_level_cache_table", named_set, group, plain, "", "Metrics of the L1/texture cache table."},
    {"group:memory__l2_cache_evict_policy_table", named_set, group, plain, "",
     "Metrics of the table of L2 eviction policies."},
    {"group:memory__l2_cache_table", named_set, group, plain, "", "Metrics of the L2 cache table."},
    {"group:memory__shared_table", named_set, group, plain, "", "Metrics of the shared memory table."},
    {"group:smsp__pcsamp_warp_stall_reasons", named_set, group, plain, "", "Metrics of warp stall reasons."},
    {"group:smsp__pcsamp_warp_stall_reasons_not_issued", named_set, group, plain, "",
     "Metrics of warp stall reasons on cycles without issue."},
    {"profiler__perfworks_session_reuse", profiler, number, plain, "",
     "1 if the session was used for several results."},
    {"profiler__pmsampler_buffer_size_bytes", profiler, number, unit_of(byte), "pass group", "Buffer for PM sampling."},
    {"profiler__pmsampler_dropped_samples", profiler, number, unit_of(sample), "pass group",
     "PM samples lost for lack of room."},
    {"profiler__pmsampler_interval_cycles", profiler, number, unit_of(cycle_sys), "pass group",
     "Interval of PM sampling, 0 if it goes by time."},
    {"profiler__pmsampler_interval_time", profiler, number, nanosecond, "pass group",
     "Interval of PM sampling, 0 if it goes by cycles."},
    {"profiler__pmsampler_merged_samples", profiler, number, unit_of(sample), "pass group",
     "PM samples that the hardware merged while streaming."},
    {"profiler__pmsampler_pass_groups", profiler, text, plain, "pass group",
     "Number of pass groups of PM sampling; instances list the metrics of each."},
    {"profiler__replayer_passes", profiler, number, plain, "", "Passes that were replayed."},
    {"profiler__replayer_passes_type_warmup", profiler, number, plain, "",
     "Passes that were replayed to warm the GPU up."},
    {"smsp__pcsamp_aggregated_passes", profiler, number, plain, "", "Passes of warp sampling."},
    {"smsp__pcsamp_buffer_size_bytes", profiler, number, unit_of(byte), "", "Buffer for warp sampling."},
    {"smsp__pcsamp_dropped_bytes", profiler, number, unit_of(byte), "", "Bytes of warp samples lost for lack of room."},
    {"smsp__pcsamp_interval", profiler, number, plain, "", "Setting of the warp sampling interval."},
    {"smsp__pcsamp_interval_cycles", profiler, number, unit_of(cycle_gpc), "", "Interval of warp sampling."},
};
} // namespace detail::providers

// The metrics of Nsight Compute guide chapter 4. The attributes that the CUDA driver knows are in device_attributes.hpp.
inline constexpr auto const& provider_metrics = detail::providers::table;

// The row of that name, or null. Linear in the table, usable in constant expressions, thread-safe.
[[nodiscard]] constexpr provider_metric const* find_provider_metric(std::string_view name) noexcept {
    for (provider_metric const& row : provider_metrics) {
        std::size_t i = 0;
        while (i < name.size() && row.name[i] == name[i] && row.name[i] != '\0') ++i;
        if (i == name.size() && row.name[i] == '\0') return &row;
    }
    return nullptr;
}

// Why a range has no value of such a metric on any device, and what has it, or "" if it has one. A clause: "no interface tells it".
[[nodiscard]] constexpr std::string_view why_not_collected(metric_source source, std::string_view name) noexcept {
    switch (source) {
        case metric_source::warp_sampling:
            return "it takes samples of warps by instruction address: give the report those of a pc_sampler, by "
                   "with_instruction_values()";
        case metric_source::opcode:
            if (name.ends_with("_selective")) return "no document says which modifiers are selected";
            return "it takes counts by opcode: opcodes_of() has them, of what a sass_counter counted";
        case metric_source::named_set:
            return "it stands for several metrics: explain::try_members_of_group() names them";
        case metric_source::source_counter:
            if (name == "branch_inst_executed" || name == "memory_access_type" || name == "memory_access_size_type" ||
                name == "memory_type" || name.starts_with("smsp__sass_inst_executed_memdesc"))
                return "it is not among CUPTI's counts of instructions";
            return "it takes counts by instruction address: give the report those of a sass_counter, by "
                   "with_instruction_values()";
        case metric_source::profiler:
            if (name.starts_with("profiler__replayer_") || name == "profiler__perfworks_session_reuse") return "";
            if (name.starts_with("profiler__pmsampler_ctxsw_")) return "it follows from records: see context_trace";
            if (name.starts_with("profiler__pmsampler_")) return "a range takes no samples: see pm_series::try_value()";
            if (name == "smsp__pcsamp_dropped_bytes") return "CUPTI counts samples that were dropped, not their bytes";
            return "a range takes no samples: see pc_samples::try_value()";
        case metric_source::launch:
            if (name == "launch__function_pcs")
                return "neither the driver nor CUPTI tells where a kernel's code begins";
            if (name == "launch__occupancy_per_cluster_size")
                return "the driver is asked for the launch's own clusters only";
            return "";
        case metric_source::device:
            return name == "device__attribute_sass_level" ? "neither the driver nor CUPTI tells it" : "";
        default: return "";
    }
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_PROVIDER_METRICS_HPP
