// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The raw counters of the embedded GPU, from which metrics and events are computed.
#ifndef GPUPROF_SRC_SIM_COUNTERS_RAW_COUNTER_HPP
#define GPUPROF_SRC_SIM_COUNTERS_RAW_COUNTER_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A count over the whole chip. Every metric of the embedded GPU is a sum, difference or quotient of
// raw counters. Dimensions stand in the names.
// clang-format off
enum class raw_counter : std::uint16_t {
    none,  // no counter: the empty place of a list
    never, // what the embedded GPU has not, or refuses: 0
    // Launches.
    ctas_launched, warps_launched, threads_launched,
    // Instructions: by warps, by threads, by threads whose predicate is true. inst_issued includes
    // replays.
    inst_executed, thread_inst_executed, thread_inst_executed_pred_on, inst_issued,
    // Warp instructions by pipeline.
    inst_pipe_adu, inst_pipe_alu, inst_pipe_cbu, inst_pipe_fma, inst_pipe_fp64, inst_pipe_lsu, inst_pipe_tensor,
    inst_pipe_tex, inst_pipe_uniform, inst_pipe_xu,
    // Warp instructions by what they do. A generic one names no memory space.
    inst_branch, inst_global_ld, inst_global_st, inst_global_atom, inst_global_red, inst_local_ld, inst_local_st,
    inst_shared_ld, inst_shared_st, inst_shared_atom, inst_generic_ld, inst_generic_st, inst_generic_atom, inst_ldc,
    inst_ldgsts, inst_ldsm, inst_texture, inst_surface_ld, inst_surface_st,
    // Among them: compare-and-swap of global (or generic) and of shared memory; of the fma
    // pipeline, half precision.
    inst_global_atom_cas, inst_shared_atom_cas, inst_pipe_fp16,
    // Of the alu pipeline: additions, which ptxas gives to the fma pipeline where that has less to do (IMAD.IADD).
    inst_alu_or_fma,
    // Of the fma pipeline: single precision. Of the matrix pipeline, by types: halves and such, integers, doubles.
    inst_pipe_fma_fp32, inst_tensor_hmma, inst_tensor_imma, inst_tensor_dmma,
    // Of the matrix pipeline: products of a warpgroup (wgmma), and pairs of cycles that it takes for them, by types.
    inst_tensor_gmma, gmma_cycle_pairs_float, gmma_cycle_pairs_integer,
    // Copies from global to shared memory that L1 does not keep; stores of matrices (stmatrix); bulk copies from global memory and to it, which the tma pipeline executes.
    inst_ldgsts_past_l1, inst_stsm, inst_pipe_tma, inst_bulk_ld, inst_bulk_st,
    // Warps that passed a performance trigger (pmevent).
    prof_trigger_0, prof_trigger_1, prof_trigger_2, prof_trigger_3, prof_trigger_4, prof_trigger_5, prof_trigger_6,
    prof_trigger_7,
    // Warp memory instructions by bits a thread.
    inst_memory_8b, inst_memory_16b, inst_memory_32b, inst_memory_64b, inst_memory_128b,
    // Thread instructions, predicated on, by operation.
    thread_fadd, thread_fmul, thread_ffma, thread_dadd, thread_dmul, thread_dfma, thread_hadd, thread_hmul, thread_hfma,
    thread_integer, thread_bit, thread_control, thread_conversion, thread_memory, thread_inter_thread_communication,
    thread_misc,
    thread_hadd2, thread_hmul2, thread_hfma2, // among those in half precision: of two numbers at a time
    // Multiplications and additions of matrix products, by types of factors and result.
    tensor_ops_fp16_fp16, tensor_ops_fp16_fp32, tensor_ops_bf16, tensor_ops_tf32, tensor_ops_int8, tensor_ops_fp64,
    // The same of products of a warpgroup.
    gmma_ops_fp16, gmma_ops_bf16, gmma_ops_tf32, gmma_ops_fp8, gmma_ops_int8, gmma_ops_int1,
    // The same of sparse products, whose zeros count as numbers.
    tensor_ops_sparse_fp16_fp16, tensor_ops_sparse_fp16_fp32, tensor_ops_sparse_bf16, tensor_ops_sparse_tf32,
    tensor_ops_sparse_int8, gmma_ops_sparse_fp16, gmma_ops_sparse_bf16, gmma_ops_sparse_tf32, gmma_ops_sparse_fp8,
    gmma_ops_sparse_int8,
    thread_special, // among thread_misc: special functions in single precision
    // Targets that warps' branches went to: all, those of branches that kept the warp together,
    // those that parted it.
    branch_targets, branch_targets_uniform, branch_targets_divergent,
    // Bytes that threads asked for.
    bytes_global_ld, bytes_global_st, bytes_global_atom, bytes_global_red, bytes_local_ld, bytes_local_st,
    bytes_shared_ld, bytes_shared_st, bytes_shared_atom,
    // Thread accesses of global memory by their bits.
    threads_global_ld_8b, threads_global_ld_16b, threads_global_ld_32b, threads_global_ld_64b, threads_global_ld_128b,
    threads_global_st_8b, threads_global_st_16b, threads_global_st_32b, threads_global_st_64b, threads_global_st_128b,
    // L1 by space and operation: requests, 32-byte sectors, sectors found, 128-byte lines.
    l1_requests_global_ld, l1_requests_global_st, l1_requests_global_atom, l1_requests_global_red, l1_requests_local_ld,
    l1_requests_local_st, l1_sectors_global_ld, l1_sectors_global_st, l1_sectors_global_atom, l1_sectors_global_red,
    l1_sectors_local_ld, l1_sectors_local_st, l1_hits_global_ld, l1_hits_global_st, l1_hits_global_atom,
    l1_hits_global_red, l1_hits_local_ld, l1_hits_local_st, l1_tags_global_ld, l1_tags_global_st, l1_tags_global_atom,
    l1_tags_global_red, l1_tags_local_ld, l1_tags_local_st,
    // The same of textures and surfaces: requests, sectors, sectors found.
    l1_requests_texture, l1_requests_surface_ld, l1_requests_surface_st, l1_sectors_texture, l1_sectors_surface_ld,
    l1_sectors_surface_st, l1_hits_texture, l1_hits_surface_ld, l1_hits_surface_st,
    // Wavefronts that leave the look-up of tags, by kind of request; textures and surfaces, too.
    l1_wavefronts_global_ld, l1_wavefronts_global_st, l1_wavefronts_global_atom, l1_wavefronts_global_red,
    l1_wavefronts_local_ld, l1_wavefronts_local_st, l1_wavefronts_texture, l1_wavefronts_surface_ld,
    l1_wavefronts_surface_st,
    // Among global loads: asynchronous copies that L1 keeps (cp.async.ca), and that it does not (cp.async.cg). Bulk
    // copies, which pass by L1.
    l1_requests_ldgsts, l1_sectors_ldgsts, l1_hits_ldgsts, l1_tags_ldgsts, l1_wavefronts_ldgsts, l1_requests_ldgsts_past_l1,
    l1_sectors_ldgsts_past_l1, l1_wavefronts_ldgsts_past_l1, l1_sectors_bulk_ld, l1_sectors_bulk_st,
    // What goes out to shared memory of other CTAs of the cluster.
    l1_sectors_cluster,
    // Wavefronts of shared memory (`other`: shuffles, thread indices and asynchronous copies, which take the same
    // way), the part of them that bank conflicts added, rounds of loops of compare-and-swaps, those of them that wait for other warps,
    // and wavefronts of local and global data.
    shared_wavefronts_ld, shared_wavefronts_st, shared_wavefronts_atom, shared_wavefronts_other, shared_conflicts_ld,
    shared_conflicts_st, shared_conflicts_atom, shared_swap_rounds, shared_swap_waits, lg_wavefronts,
    lg_tag_turns, // cycles in which L1 looks for lines of loads
    l1_requests_missed, // of loads and textures: it did not have all of their sectors
    // Of products of a warpgroup, which read their factors there.
    shared_wavefronts_gmma,
    // Of asynchronous copies, as instructions count them.
    shared_wavefronts_copies,
    // Among them: asynchronous copies (ldgsts), loads and stores of matrices (ldsm, stsm).
    shared_wavefronts_ldgsts, shared_wavefronts_ldsm, shared_wavefronts_stsm, shared_conflicts_ldgsts,
    shared_conflicts_ldsm, shared_conflicts_stsm, bytes_shared_ldgsts, bytes_shared_ldsm, bytes_shared_stsm,
    // Of single instructions only: the sectors and wavefronts that their bytes fill.
    ideal_sectors_global, ideal_wavefronts_shared,
    // L2: from L1 (tex) and from anything else (copies, the other half of L2) by operation:
    // requests, sectors, sectors found.
    l2_requests_tex_read, l2_requests_tex_write, l2_requests_tex_atom, l2_requests_tex_red, l2_requests_other_read,
    l2_requests_other_write, l2_requests_other_atom, l2_requests_other_red, l2_sectors_tex_read, l2_sectors_tex_write,
    l2_sectors_tex_atom, l2_sectors_tex_red, l2_sectors_other_read, l2_sectors_other_write, l2_sectors_other_atom,
    l2_sectors_other_red, l2_hits_tex_read, l2_hits_tex_write, l2_hits_tex_atom, l2_hits_tex_red, l2_hits_other_read,
    l2_hits_other_write, l2_hits_other_atom, l2_hits_other_red,
    // Among those from L1: compare-and-swap; sectors of pinned host memory (sysmem); sectors of classes of eviction.
    l2_requests_tex_cas, l2_sectors_tex_cas, l2_hits_tex_cas, l2_sectors_sysmem_read, l2_sectors_sysmem_write,
    l2_sectors_sysmem_atom, l2_sectors_sysmem_red, l2_sectors_sysmem_cas, l2_hits_sysmem_read, l2_hits_sysmem_write,
    l2_hits_sysmem_atom, l2_hits_sysmem_red, l2_hits_sysmem_cas, l2_sectors_tex_first_read, l2_sectors_tex_first_write,
    l2_sectors_tex_first_atom, l2_sectors_tex_first_red, l2_hits_tex_first_read, l2_hits_tex_first_write,
    l2_hits_tex_first_atom, l2_hits_tex_first_red, l2_sectors_tex_last_read, l2_sectors_tex_last_write,
    l2_sectors_tex_last_atom, l2_sectors_tex_last_red, l2_hits_tex_last_read, l2_hits_tex_last_write,
    l2_hits_tex_last_atom, l2_hits_tex_last_red, l2_sectors_tex_normal_read, l2_sectors_tex_normal_write,
    l2_sectors_tex_normal_atom, l2_sectors_tex_normal_red, l2_hits_tex_normal_read, l2_hits_tex_normal_write,
    l2_hits_tex_normal_atom, l2_hits_tex_normal_red,
    // Among those from anything else: from the other half of L2 (fabric), of which the same.
    l2_requests_fabric_read, l2_requests_fabric_write, l2_requests_fabric_atom, l2_requests_fabric_red,
    l2_sectors_fabric_read, l2_sectors_fabric_write, l2_sectors_fabric_atom, l2_sectors_fabric_red,
    l2_hits_fabric_read, l2_hits_fabric_write, l2_hits_fabric_atom, l2_hits_fabric_red, l2_sectors_fabric_sysmem_read,
    l2_sectors_fabric_sysmem_write, l2_sectors_fabric_sysmem_atom, l2_sectors_fabric_sysmem_red,
    l2_hits_fabric_sysmem_read, l2_hits_fabric_sysmem_write, l2_hits_fabric_sysmem_atom, l2_hits_fabric_sysmem_red,
    l2_requests_fabric_cas, l2_sectors_fabric_cas, l2_hits_fabric_cas, l2_sectors_fabric_first, l2_hits_fabric_first,
    l2_sectors_fabric_last, l2_hits_fabric_last,
    // Sectors that came from device memory, or from the other half, with others that L1 asked for.
    l2_promoted_tex_read, l2_promoted_tex_write, l2_promoted_tex_atom, l2_promoted_tex_red,
    // Barriers at the slices of L2, a request and a sector each: all, those that count as found, those that one half
    // passed on to the other.
    l2_barriers, l2_barrier_hits, l2_barriers_fabric,
    // Sectors that atomics change in the slice that has most of them. Sums of floats that meet in a line count 2.4 each.
    l2_atomics_busiest,
    // Reads of L1 that the answer to a neighbour's served: L2 did not get them.
    l2_requests_joined, l2_sectors_joined,
    // Device memory; data over PCIe, as the GPU sees it.
    dram_bytes_read, dram_bytes_written, pcie_bytes_received, pcie_bytes_sent,
    // Added up over warps, the longest chains of dependent instructions: waits for global memory, for shared memory and
    // other lanes, for special functions, and the cycles of all else. See sass/dependence.hpp.
    waits_far, waits_near, waits_special, dependent_cycles,
    // Words that lanes of a warp load from constant memory, but for one of each load.
    constant_words,
    // Time. Active cycles are added up over the instances of a unit; elapsed cycles are those of
    // one clock.
    gpu_time_ns, gpu_cycles_active, gpu_cycles_elapsed, sm_cycles_active, sm_cycles_elapsed, l2_cycles_active,
    l2_cycles_elapsed, dram_cycles_active, dram_cycles_elapsed,
    // Added up over cycles and SMs: resident CTAs and warps, warps ready to issue, sub-partitions
    // that issued.
    ctas_active, warps_active, warps_eligible, issue_active,
    // Warps by what they wait for, added up over cycles.
    stalled_barrier, stalled_branch_resolving, stalled_dispatch_stall, stalled_drain, stalled_imc_miss,
    stalled_lg_throttle, stalled_long_scoreboard, stalled_math_pipe_throttle, stalled_membar, stalled_mio_throttle,
    stalled_misc, stalled_no_instruction, stalled_not_selected, stalled_selected, stalled_short_scoreboard,
    stalled_sleeping, stalled_tex_throttle, stalled_wait,
    how_many // of them there are
};
// clang-format on
inline constexpr std::size_t raw_counters = static_cast<std::size_t>(raw_counter::how_many);

// A value for every raw counter: the counts of one kernel, or a running total. Plain data,
// initially 0.
struct counter_values {
    std::array<std::uint64_t, raw_counters> values{};

    [[nodiscard]] constexpr std::uint64_t& operator[](raw_counter which) noexcept {
        return values[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] constexpr std::uint64_t operator[](raw_counter which) const noexcept {
        return values[static_cast<std::size_t>(which)];
    }
    constexpr counter_values& operator+=(counter_values const& more) noexcept {
        for (std::size_t i = 0; i < raw_counters; ++i) values[i] += more.values[i];
        return *this;
    }
    // What was counted since `earlier`, a total of the same counters.
    [[nodiscard]] friend constexpr counter_values operator-(counter_values now,
                                                            counter_values const& earlier) noexcept {
        for (std::size_t i = 0; i < raw_counters; ++i) now.values[i] -= earlier.values[i];
        return now;
    }
    friend constexpr bool operator==(counter_values const&, counter_values const&) = default;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_RAW_COUNTER_HPP
