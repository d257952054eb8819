// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every event by name.
// clang-format off
#ifndef GPUPROF_LEGACY_EVENTS_HPP
#define GPUPROF_LEGACY_EVENTS_HPP

#include "event.hpp"

GPUPROF_NAMESPACE_BEGIN

// The events of all families: the operands of formulas, and what event sets are made of. Names are those that CUPTI 11
// and 12 list for capability 3.0 to 7.2 and the capability-2.x formulas use, spelled as CUPTI does.
namespace legacy::events {
using enum dimension;


// Launches and activity.
inline constexpr event_descriptor warps_launched{"warps_launched", unit_of(warp), event_category::instruction, "Warps launched."};
inline constexpr event_descriptor threads_launched{"threads_launched", unit_of(thread), event_category::instruction, "Threads launched."};
inline constexpr event_descriptor sm_cta_launched{"sm_cta_launched", unit_of(cta), event_category::instruction, "Thread blocks launched."};
inline constexpr event_descriptor active_cycles{"active_cycles", unit_of(cycle_gpc), event_category::instruction, "Cycles with at least one resident warp, summed over multiprocessors."};
inline constexpr event_descriptor active_warps{"active_warps", unit_of(warp) * unit_of(cycle_gpc), event_category::instruction, "Resident warps, added up on every cycle."};
inline constexpr event_descriptor active_ctas{"active_ctas", unit_of(cta) * unit_of(cycle_gpc), event_category::instruction, "Resident thread blocks, added up on every cycle."};
inline constexpr event_descriptor active_cycles_pm{"active_cycles_pm", unit_of(cycle_gpc), event_category::instruction, "active_cycles, counted by the performance monitor."};
inline constexpr event_descriptor active_warps_pm{"active_warps_pm", unit_of(warp) * unit_of(cycle_gpc), event_category::instruction, "active_warps, counted by the performance monitor."};
inline constexpr event_descriptor active_cycles_sys{"active_cycles_sys", unit_of(cycle_sys), event_category::system, "Cycles of the system clock in which the GPU was busy."};
inline constexpr event_descriptor active_cycles_in_trap{"active_cycles_in_trap", unit_of(cycle_gpc), event_category::instruction, "Cycles spent in the trap handler, as when a kernel is preempted."};
inline constexpr event_descriptor elapsed_cycles_sm{"elapsed_cycles_sm", unit_of(cycle_gpc), event_category::instruction, "Cycles that passed, summed over multiprocessors."};
inline constexpr event_descriptor elapsed_cycles_pm{"elapsed_cycles_pm", unit_of(cycle_gpc), event_category::instruction, "Cycles that passed, counted by the performance monitor."};
inline constexpr event_descriptor elapsed_cycles_sys{"elapsed_cycles_sys", unit_of(cycle_sys), event_category::system, "Cycles of the system clock that passed."};

// Instructions: executed counts leave out replays, issued counts have them in.
inline constexpr event_descriptor inst_executed{"inst_executed", unit_of(instruction), event_category::instruction, "Warp instructions executed."};
inline constexpr event_descriptor inst_executed_in_trap{"inst_executed_in_trap", unit_of(instruction), event_category::instruction, "Warp instructions executed by the trap handler."};
inline constexpr event_descriptor inst_issued{"inst_issued", unit_of(instruction), event_category::instruction, "Warp instructions issued."};
inline constexpr event_descriptor inst_issued0{"inst_issued0", unit_of(cycle_gpc), event_category::instruction, "Cycles of a warp scheduler that issued nothing."};
inline constexpr event_descriptor inst_issued1{"inst_issued1", unit_of(instruction), event_category::instruction, "Issues of a single instruction."};
inline constexpr event_descriptor inst_issued2{"inst_issued2", unit_of(instruction), event_category::instruction, "Issues of two instructions at once; each counts once."};
inline constexpr event_descriptor inst_issued1_0{"inst_issued1_0", unit_of(instruction), event_category::instruction, "Issues of a single instruction by pipeline 0; capability 2.1."};
inline constexpr event_descriptor inst_issued2_0{"inst_issued2_0", unit_of(instruction), event_category::instruction, "Issues of two instructions at once by pipeline 0; capability 2.1."};
inline constexpr event_descriptor inst_issued1_1{"inst_issued1_1", unit_of(instruction), event_category::instruction, "Issues of a single instruction by pipeline 1; capability 2.1."};
inline constexpr event_descriptor inst_issued2_1{"inst_issued2_1", unit_of(instruction), event_category::instruction, "Issues of two instructions at once by pipeline 1; capability 2.1."};
inline constexpr event_descriptor thread_inst_executed{"thread_inst_executed", unit_of(instruction), event_category::instruction, "Thread instructions executed."};
inline constexpr event_descriptor thread_inst_executed_0{"thread_inst_executed_0", unit_of(instruction), event_category::instruction, "Thread instructions executed by pipeline 0."};
inline constexpr event_descriptor thread_inst_executed_1{"thread_inst_executed_1", unit_of(instruction), event_category::instruction, "Thread instructions executed by pipeline 1."};
inline constexpr event_descriptor thread_inst_executed_2{"thread_inst_executed_2", unit_of(instruction), event_category::instruction, "Thread instructions executed by pipeline 2; capability 2.1."};
inline constexpr event_descriptor thread_inst_executed_3{"thread_inst_executed_3", unit_of(instruction), event_category::instruction, "Thread instructions executed by pipeline 3; capability 2.1."};
inline constexpr event_descriptor not_predicated_off_thread_inst_executed{"not_predicated_off_thread_inst_executed", unit_of(instruction), event_category::instruction, "Thread instructions executed, less those predicated off."};
inline constexpr event_descriptor branch{"branch", unit_of(instruction), event_category::instruction, "Branch instructions executed."};
inline constexpr event_descriptor divergent_branch{"divergent_branch", unit_of(instruction), event_category::instruction, "Branch instructions whose threads went different ways."};
inline constexpr event_descriptor inst_executed_fma_pipe_s0{"inst_executed_fma_pipe_s0", unit_of(instruction), event_category::instruction, "Warp instructions executed by the FMA pipe of sub-partition 0."};
inline constexpr event_descriptor inst_executed_fma_pipe_s1{"inst_executed_fma_pipe_s1", unit_of(instruction), event_category::instruction, "Warp instructions executed by the FMA pipe of sub-partition 1."};
inline constexpr event_descriptor inst_executed_fma_pipe_s2{"inst_executed_fma_pipe_s2", unit_of(instruction), event_category::instruction, "Warp instructions executed by the FMA pipe of sub-partition 2."};
inline constexpr event_descriptor inst_executed_fma_pipe_s3{"inst_executed_fma_pipe_s3", unit_of(instruction), event_category::instruction, "Warp instructions executed by the FMA pipe of sub-partition 3."};
inline constexpr event_descriptor inst_executed_fp16_pipe_s0{"inst_executed_fp16_pipe_s0", unit_of(instruction), event_category::instruction, "Warp instructions executed by the half-precision pipe of sub-partition 0."};
inline constexpr event_descriptor inst_executed_fp16_pipe_s1{"inst_executed_fp16_pipe_s1", unit_of(instruction), event_category::instruction, "Warp instructions executed by the half-precision pipe of sub-partition 1."};
inline constexpr event_descriptor inst_executed_fp16_pipe_s2{"inst_executed_fp16_pipe_s2", unit_of(instruction), event_category::instruction, "Warp instructions executed by the half-precision pipe of sub-partition 2."};
inline constexpr event_descriptor inst_executed_fp16_pipe_s3{"inst_executed_fp16_pipe_s3", unit_of(instruction), event_category::instruction, "Warp instructions executed by the half-precision pipe of sub-partition 3."};
inline constexpr event_descriptor inst_executed_fp64_pipe_s0{"inst_executed_fp64_pipe_s0", unit_of(instruction), event_category::instruction, "Warp instructions executed by the double-precision pipe of sub-partition 0."};
inline constexpr event_descriptor inst_executed_fp64_pipe_s1{"inst_executed_fp64_pipe_s1", unit_of(instruction), event_category::instruction, "Warp instructions executed by the double-precision pipe of sub-partition 1."};
inline constexpr event_descriptor inst_executed_fp64_pipe_s2{"inst_executed_fp64_pipe_s2", unit_of(instruction), event_category::instruction, "Warp instructions executed by the double-precision pipe of sub-partition 2."};
inline constexpr event_descriptor inst_executed_fp64_pipe_s3{"inst_executed_fp64_pipe_s3", unit_of(instruction), event_category::instruction, "Warp instructions executed by the double-precision pipe of sub-partition 3."};
inline constexpr event_descriptor tensor_pipe_active_cycles_s0{"tensor_pipe_active_cycles_s0", unit_of(cycle_gpc), event_category::instruction, "Cycles in which the tensor pipe of sub-partition 0 was busy."};
inline constexpr event_descriptor tensor_pipe_active_cycles_s1{"tensor_pipe_active_cycles_s1", unit_of(cycle_gpc), event_category::instruction, "Cycles in which the tensor pipe of sub-partition 1 was busy."};
inline constexpr event_descriptor tensor_pipe_active_cycles_s2{"tensor_pipe_active_cycles_s2", unit_of(cycle_gpc), event_category::instruction, "Cycles in which the tensor pipe of sub-partition 2 was busy."};
inline constexpr event_descriptor tensor_pipe_active_cycles_s3{"tensor_pipe_active_cycles_s3", unit_of(cycle_gpc), event_category::instruction, "Cycles in which the tensor pipe of sub-partition 3 was busy."};
inline constexpr event_descriptor prof_trigger_00{"prof_trigger_00", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 0 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_01{"prof_trigger_01", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 1 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_02{"prof_trigger_02", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 2 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_03{"prof_trigger_03", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 3 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_04{"prof_trigger_04", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 4 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_05{"prof_trigger_05", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 5 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_06{"prof_trigger_06", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 6 in the kernel (pmevent)."};
inline constexpr event_descriptor prof_trigger_07{"prof_trigger_07", unit_of(event), event_category::profile_trigger, "Warps that passed trigger 7 in the kernel (pmevent)."};

// Memory instructions, by warp.
inline constexpr event_descriptor gld_request{"gld_request", unit_of(instruction), event_category::memory, "Loads by generic address: global, local and shared."};
inline constexpr event_descriptor gst_request{"gst_request", unit_of(instruction), event_category::memory, "Stores by generic address: global, local and shared."};
inline constexpr event_descriptor generic_load{"generic_load", unit_of(instruction), event_category::memory, "Loads by generic address."};
inline constexpr event_descriptor generic_store{"generic_store", unit_of(instruction), event_category::memory, "Stores by generic address."};
inline constexpr event_descriptor global_load{"global_load", unit_of(instruction), event_category::memory, "Loads of global memory."};
inline constexpr event_descriptor global_store{"global_store", unit_of(instruction), event_category::memory, "Stores of global memory."};
inline constexpr event_descriptor local_load{"local_load", unit_of(instruction), event_category::memory, "Loads of local memory."};
inline constexpr event_descriptor local_store{"local_store", unit_of(instruction), event_category::memory, "Stores of local memory."};
inline constexpr event_descriptor shared_load{"shared_load", unit_of(instruction), event_category::memory, "Loads of shared memory."};
inline constexpr event_descriptor shared_store{"shared_store", unit_of(instruction), event_category::memory, "Stores of shared memory."};
inline constexpr event_descriptor atom_count{"atom_count", unit_of(instruction), event_category::memory, "Atomic instructions that return a value."};
inline constexpr event_descriptor atom_cas_count{"atom_cas_count", unit_of(instruction), event_category::memory, "Atomic compare-and-swap instructions."};
inline constexpr event_descriptor global_atom_cas{"global_atom_cas", unit_of(instruction), event_category::memory, "Atomic compare-and-swap instructions on global memory."};
inline constexpr event_descriptor gred_count{"gred_count", unit_of(instruction), event_category::memory, "Reduction instructions on global memory, which return nothing."};
inline constexpr event_descriptor shared_atom{"shared_atom", unit_of(instruction), event_category::memory, "Atomic instructions on shared memory."};
inline constexpr event_descriptor shared_atom_cas{"shared_atom_cas", unit_of(instruction), event_category::memory, "Atomic compare-and-swap instructions on shared memory."};
inline constexpr event_descriptor inst_executed_shared_atom_cas{"inst_executed_shared_atom_cas", unit_of(instruction), event_category::memory, "Atomic compare-and-swap instructions on shared memory."};

// Memory instructions, by thread and width of the access.
inline constexpr event_descriptor gld_inst_8bit{"gld_inst_8bit", unit_of(instruction), event_category::memory, "Global loads of 8 bits, by thread."};
inline constexpr event_descriptor gld_inst_16bit{"gld_inst_16bit", unit_of(instruction), event_category::memory, "Global loads of 16 bits, by thread."};
inline constexpr event_descriptor gld_inst_32bit{"gld_inst_32bit", unit_of(instruction), event_category::memory, "Global loads of 32 bits, by thread."};
inline constexpr event_descriptor gld_inst_64bit{"gld_inst_64bit", unit_of(instruction), event_category::memory, "Global loads of 64 bits, by thread."};
inline constexpr event_descriptor gld_inst_128bit{"gld_inst_128bit", unit_of(instruction), event_category::memory, "Global loads of 128 bits, by thread."};
inline constexpr event_descriptor gst_inst_8bit{"gst_inst_8bit", unit_of(instruction), event_category::memory, "Global stores of 8 bits, by thread."};
inline constexpr event_descriptor gst_inst_16bit{"gst_inst_16bit", unit_of(instruction), event_category::memory, "Global stores of 16 bits, by thread."};
inline constexpr event_descriptor gst_inst_32bit{"gst_inst_32bit", unit_of(instruction), event_category::memory, "Global stores of 32 bits, by thread."};
inline constexpr event_descriptor gst_inst_64bit{"gst_inst_64bit", unit_of(instruction), event_category::memory, "Global stores of 64 bits, by thread."};
inline constexpr event_descriptor gst_inst_128bit{"gst_inst_128bit", unit_of(instruction), event_category::memory, "Global stores of 128 bits, by thread."};
inline constexpr event_descriptor rocache_gld_inst_8bit{"rocache_gld_inst_8bit", unit_of(instruction), event_category::memory, "Global loads through the read-only cache of 8 bits, by thread."};
inline constexpr event_descriptor rocache_gld_inst_16bit{"rocache_gld_inst_16bit", unit_of(instruction), event_category::memory, "Global loads through the read-only cache of 16 bits, by thread."};
inline constexpr event_descriptor rocache_gld_inst_32bit{"rocache_gld_inst_32bit", unit_of(instruction), event_category::memory, "Global loads through the read-only cache of 32 bits, by thread."};
inline constexpr event_descriptor rocache_gld_inst_64bit{"rocache_gld_inst_64bit", unit_of(instruction), event_category::memory, "Global loads through the read-only cache of 64 bits, by thread."};
inline constexpr event_descriptor rocache_gld_inst_128bit{"rocache_gld_inst_128bit", unit_of(instruction), event_category::memory, "Global loads through the read-only cache of 128 bits, by thread."};

// Shared memory.
inline constexpr event_descriptor l1_shared_bank_conflict{"l1_shared_bank_conflict", unit_of(bank_conflict), event_category::memory, "Bank conflicts, each of which replays an instruction."};
inline constexpr event_descriptor shared_ld_bank_conflict{"shared_ld_bank_conflict", unit_of(bank_conflict), event_category::cache, "Bank conflicts of loads."};
inline constexpr event_descriptor shared_st_bank_conflict{"shared_st_bank_conflict", unit_of(bank_conflict), event_category::cache, "Bank conflicts of stores."};
inline constexpr event_descriptor shared_ld_transactions{"shared_ld_transactions", unit_of(wavefront), event_category::cache, "Passes through shared memory that loads took."};
inline constexpr event_descriptor shared_st_transactions{"shared_st_transactions", unit_of(wavefront), event_category::cache, "Passes through shared memory that stores took."};
inline constexpr event_descriptor l1_shared_load_transactions{"l1_shared_load_transactions", unit_of(wavefront), event_category::cache, "Passes through shared memory that loads took."};
inline constexpr event_descriptor l1_shared_store_transactions{"l1_shared_store_transactions", unit_of(wavefront), event_category::cache, "Passes through shared memory that stores took."};
inline constexpr event_descriptor shared_load_replay{"shared_load_replay", unit_of(instruction), event_category::memory, "Replays of shared loads, for conflicts or for width."};
inline constexpr event_descriptor shared_store_replay{"shared_store_replay", unit_of(instruction), event_category::memory, "Replays of shared stores, for conflicts or for width."};

// L1 cache; a line is 128 bytes, a transaction one access of 32 to 128 bytes.
inline constexpr event_descriptor l1_local_load_hit{"l1_local_load_hit", unit_of(line), event_category::cache, "Lines that local loads hit in L1."};
inline constexpr event_descriptor l1_local_load_miss{"l1_local_load_miss", unit_of(line), event_category::cache, "Lines that local loads missed in L1."};
inline constexpr event_descriptor l1_local_store_hit{"l1_local_store_hit", unit_of(line), event_category::cache, "Lines that local stores hit in L1."};
inline constexpr event_descriptor l1_local_store_miss{"l1_local_store_miss", unit_of(line), event_category::cache, "Lines that local stores missed in L1."};
inline constexpr event_descriptor l1_global_load_hit{"l1_global_load_hit", unit_of(line), event_category::cache, "Lines that global loads hit in L1."};
inline constexpr event_descriptor l1_global_load_miss{"l1_global_load_miss", unit_of(line), event_category::cache, "Lines that global loads missed in L1."};
inline constexpr event_descriptor local_load_transactions{"local_load_transactions", unit_of(access), event_category::cache, "Transactions of local loads."};
inline constexpr event_descriptor local_store_transactions{"local_store_transactions", unit_of(access), event_category::cache, "Transactions of local stores."};
inline constexpr event_descriptor l1_global_load_transactions{"__l1_global_load_transactions", unit_of(access), event_category::cache, "Transactions of global loads in L1."};
inline constexpr event_descriptor l1_global_store_transactions{"__l1_global_store_transactions", unit_of(access), event_category::cache, "Transactions of global stores in L1."};
inline constexpr event_descriptor uncached_global_load_transaction{"uncached_global_load_transaction", unit_of(access), event_category::memory, "Transactions of global loads that bypass L1."};
inline constexpr event_descriptor global_store_transaction{"global_store_transaction", unit_of(access), event_category::memory, "Transactions of global stores."};
inline constexpr event_descriptor global_ld_mem_divergence_replays{"global_ld_mem_divergence_replays", unit_of(instruction), event_category::memory, "Replays of global loads, one for each line after the first."};
inline constexpr event_descriptor global_st_mem_divergence_replays{"global_st_mem_divergence_replays", unit_of(instruction), event_category::memory, "Replays of global stores, one for each line after the first."};

// Texture and read-only caches.
inline constexpr event_descriptor tex0_cache_sector_queries{"tex0_cache_sector_queries", unit_of(sector), event_category::cache, "Sectors asked of texture cache 0."};
inline constexpr event_descriptor tex1_cache_sector_queries{"tex1_cache_sector_queries", unit_of(sector), event_category::cache, "Sectors asked of texture cache 1."};
inline constexpr event_descriptor tex2_cache_sector_queries{"tex2_cache_sector_queries", unit_of(sector), event_category::cache, "Sectors asked of texture cache 2."};
inline constexpr event_descriptor tex3_cache_sector_queries{"tex3_cache_sector_queries", unit_of(sector), event_category::cache, "Sectors asked of texture cache 3."};
inline constexpr event_descriptor tex0_cache_sector_misses{"tex0_cache_sector_misses", unit_of(sector), event_category::cache, "Sectors that missed in texture cache 0."};
inline constexpr event_descriptor tex1_cache_sector_misses{"tex1_cache_sector_misses", unit_of(sector), event_category::cache, "Sectors that missed in texture cache 1."};
inline constexpr event_descriptor tex2_cache_sector_misses{"tex2_cache_sector_misses", unit_of(sector), event_category::cache, "Sectors that missed in texture cache 2."};
inline constexpr event_descriptor tex3_cache_sector_misses{"tex3_cache_sector_misses", unit_of(sector), event_category::cache, "Sectors that missed in texture cache 3."};
inline constexpr event_descriptor rocache_subp0_gld_warp_count_32b{"rocache_subp0_gld_warp_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 0 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp1_gld_warp_count_32b{"rocache_subp1_gld_warp_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 1 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp2_gld_warp_count_32b{"rocache_subp2_gld_warp_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 2 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp3_gld_warp_count_32b{"rocache_subp3_gld_warp_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 3 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp0_gld_warp_count_64b{"rocache_subp0_gld_warp_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 0 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp1_gld_warp_count_64b{"rocache_subp1_gld_warp_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 1 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp2_gld_warp_count_64b{"rocache_subp2_gld_warp_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 2 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp3_gld_warp_count_64b{"rocache_subp3_gld_warp_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 3 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp0_gld_warp_count_128b{"rocache_subp0_gld_warp_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 0 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp1_gld_warp_count_128b{"rocache_subp1_gld_warp_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 1 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp2_gld_warp_count_128b{"rocache_subp2_gld_warp_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 2 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp3_gld_warp_count_128b{"rocache_subp3_gld_warp_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 3 of the read-only cache, by warp."};
inline constexpr event_descriptor rocache_subp0_gld_thread_count_32b{"rocache_subp0_gld_thread_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 0 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp1_gld_thread_count_32b{"rocache_subp1_gld_thread_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 1 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp2_gld_thread_count_32b{"rocache_subp2_gld_thread_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 2 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp3_gld_thread_count_32b{"rocache_subp3_gld_thread_count_32b", unit_of(instruction), event_category::cache, "Loads of up to 32 bits by slice 3 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp0_gld_thread_count_64b{"rocache_subp0_gld_thread_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 0 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp1_gld_thread_count_64b{"rocache_subp1_gld_thread_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 1 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp2_gld_thread_count_64b{"rocache_subp2_gld_thread_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 2 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp3_gld_thread_count_64b{"rocache_subp3_gld_thread_count_64b", unit_of(instruction), event_category::cache, "Loads of 64 bits by slice 3 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp0_gld_thread_count_128b{"rocache_subp0_gld_thread_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 0 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp1_gld_thread_count_128b{"rocache_subp1_gld_thread_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 1 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp2_gld_thread_count_128b{"rocache_subp2_gld_thread_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 2 of the read-only cache, by thread."};
inline constexpr event_descriptor rocache_subp3_gld_thread_count_128b{"rocache_subp3_gld_thread_count_128b", unit_of(instruction), event_category::cache, "Loads of 128 bits by slice 3 of the read-only cache, by thread."};

// L2 cache, by slice.
inline constexpr event_descriptor l2_subp0_read_sector_misses{"l2_subp0_read_sector_misses", unit_of(sector), event_category::cache, "Sectors read from device memory by slice 0."};
inline constexpr event_descriptor l2_subp1_read_sector_misses{"l2_subp1_read_sector_misses", unit_of(sector), event_category::cache, "Sectors read from device memory by slice 1."};
inline constexpr event_descriptor l2_subp2_read_sector_misses{"l2_subp2_read_sector_misses", unit_of(sector), event_category::cache, "Sectors read from device memory by slice 2."};
inline constexpr event_descriptor l2_subp3_read_sector_misses{"l2_subp3_read_sector_misses", unit_of(sector), event_category::cache, "Sectors read from device memory by slice 3."};
inline constexpr event_descriptor l2_subp0_write_sector_misses{"l2_subp0_write_sector_misses", unit_of(sector), event_category::cache, "Sectors written to device memory by slice 0."};
inline constexpr event_descriptor l2_subp1_write_sector_misses{"l2_subp1_write_sector_misses", unit_of(sector), event_category::cache, "Sectors written to device memory by slice 1."};
inline constexpr event_descriptor l2_subp2_write_sector_misses{"l2_subp2_write_sector_misses", unit_of(sector), event_category::cache, "Sectors written to device memory by slice 2."};
inline constexpr event_descriptor l2_subp3_write_sector_misses{"l2_subp3_write_sector_misses", unit_of(sector), event_category::cache, "Sectors written to device memory by slice 3."};
inline constexpr event_descriptor l2_subp0_read_sector_queries{"l2_subp0_read_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 0."};
inline constexpr event_descriptor l2_subp1_read_sector_queries{"l2_subp1_read_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 1."};
inline constexpr event_descriptor l2_subp0_write_sector_queries{"l2_subp0_write_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 wrote to slice 0."};
inline constexpr event_descriptor l2_subp1_write_sector_queries{"l2_subp1_write_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 wrote to slice 1."};
inline constexpr event_descriptor l2_subp0_read_hit_sectors{"l2_subp0_read_hit_sectors", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 0 and that hit."};
inline constexpr event_descriptor l2_subp1_read_hit_sectors{"l2_subp1_read_hit_sectors", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 1 and that hit."};
inline constexpr event_descriptor l2_subp0_read_l1_sector_queries{"l2_subp0_read_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 0."};
inline constexpr event_descriptor l2_subp1_read_l1_sector_queries{"l2_subp1_read_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 1."};
inline constexpr event_descriptor l2_subp2_read_l1_sector_queries{"l2_subp2_read_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 2."};
inline constexpr event_descriptor l2_subp3_read_l1_sector_queries{"l2_subp3_read_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 3."};
inline constexpr event_descriptor l2_subp0_write_l1_sector_queries{"l2_subp0_write_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 wrote to slice 0."};
inline constexpr event_descriptor l2_subp1_write_l1_sector_queries{"l2_subp1_write_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 wrote to slice 1."};
inline constexpr event_descriptor l2_subp2_write_l1_sector_queries{"l2_subp2_write_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 wrote to slice 2."};
inline constexpr event_descriptor l2_subp3_write_l1_sector_queries{"l2_subp3_write_l1_sector_queries", unit_of(sector), event_category::cache, "Sectors that L1 wrote to slice 3."};
inline constexpr event_descriptor l2_subp0_read_l1_hit_sectors{"l2_subp0_read_l1_hit_sectors", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 0 and that hit."};
inline constexpr event_descriptor l2_subp1_read_l1_hit_sectors{"l2_subp1_read_l1_hit_sectors", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 1 and that hit."};
inline constexpr event_descriptor l2_subp2_read_l1_hit_sectors{"l2_subp2_read_l1_hit_sectors", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 2 and that hit."};
inline constexpr event_descriptor l2_subp3_read_l1_hit_sectors{"l2_subp3_read_l1_hit_sectors", unit_of(sector), event_category::cache, "Sectors that L1 read from slice 3 and that hit."};
inline constexpr event_descriptor l2_subp0_read_tex_sector_queries{"l2_subp0_read_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 0."};
inline constexpr event_descriptor l2_subp1_read_tex_sector_queries{"l2_subp1_read_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 1."};
inline constexpr event_descriptor l2_subp2_read_tex_sector_queries{"l2_subp2_read_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 2."};
inline constexpr event_descriptor l2_subp3_read_tex_sector_queries{"l2_subp3_read_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 3."};
inline constexpr event_descriptor l2_subp0_write_tex_sector_queries{"l2_subp0_write_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 0."};
inline constexpr event_descriptor l2_subp1_write_tex_sector_queries{"l2_subp1_write_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 1."};
inline constexpr event_descriptor l2_subp2_write_tex_sector_queries{"l2_subp2_write_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 2."};
inline constexpr event_descriptor l2_subp3_write_tex_sector_queries{"l2_subp3_write_tex_sector_queries", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 3."};
inline constexpr event_descriptor l2_subp0_read_tex_hit_sectors{"l2_subp0_read_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 0 and that hit."};
inline constexpr event_descriptor l2_subp1_read_tex_hit_sectors{"l2_subp1_read_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 1 and that hit."};
inline constexpr event_descriptor l2_subp2_read_tex_hit_sectors{"l2_subp2_read_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 2 and that hit."};
inline constexpr event_descriptor l2_subp3_read_tex_hit_sectors{"l2_subp3_read_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache read from slice 3 and that hit."};
inline constexpr event_descriptor l2_subp0_write_tex_hit_sectors{"l2_subp0_write_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 0 and that hit."};
inline constexpr event_descriptor l2_subp1_write_tex_hit_sectors{"l2_subp1_write_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 1 and that hit."};
inline constexpr event_descriptor l2_subp2_write_tex_hit_sectors{"l2_subp2_write_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 2 and that hit."};
inline constexpr event_descriptor l2_subp3_write_tex_hit_sectors{"l2_subp3_write_tex_hit_sectors", unit_of(sector), event_category::cache, "Sectors that the texture (unified) cache wrote to slice 3 and that hit."};
inline constexpr event_descriptor l2_subp0_read_sysmem_sector_queries{"l2_subp0_read_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory read through slice 0."};
inline constexpr event_descriptor l2_subp1_read_sysmem_sector_queries{"l2_subp1_read_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory read through slice 1."};
inline constexpr event_descriptor l2_subp2_read_sysmem_sector_queries{"l2_subp2_read_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory read through slice 2."};
inline constexpr event_descriptor l2_subp3_read_sysmem_sector_queries{"l2_subp3_read_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory read through slice 3."};
inline constexpr event_descriptor l2_subp0_write_sysmem_sector_queries{"l2_subp0_write_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory written through slice 0."};
inline constexpr event_descriptor l2_subp1_write_sysmem_sector_queries{"l2_subp1_write_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory written through slice 1."};
inline constexpr event_descriptor l2_subp2_write_sysmem_sector_queries{"l2_subp2_write_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory written through slice 2."};
inline constexpr event_descriptor l2_subp3_write_sysmem_sector_queries{"l2_subp3_write_sysmem_sector_queries", unit_of(sector), event_category::cache, "Sectors of system memory written through slice 3."};
inline constexpr event_descriptor l2_subp0_total_read_sector_queries{"l2_subp0_total_read_sector_queries", unit_of(sector), event_category::cache, "Sectors read from slice 0, whoever asked."};
inline constexpr event_descriptor l2_subp1_total_read_sector_queries{"l2_subp1_total_read_sector_queries", unit_of(sector), event_category::cache, "Sectors read from slice 1, whoever asked."};
inline constexpr event_descriptor l2_subp2_total_read_sector_queries{"l2_subp2_total_read_sector_queries", unit_of(sector), event_category::cache, "Sectors read from slice 2, whoever asked."};
inline constexpr event_descriptor l2_subp3_total_read_sector_queries{"l2_subp3_total_read_sector_queries", unit_of(sector), event_category::cache, "Sectors read from slice 3, whoever asked."};
inline constexpr event_descriptor l2_subp0_total_write_sector_queries{"l2_subp0_total_write_sector_queries", unit_of(sector), event_category::cache, "Sectors written to slice 0, whoever asked."};
inline constexpr event_descriptor l2_subp1_total_write_sector_queries{"l2_subp1_total_write_sector_queries", unit_of(sector), event_category::cache, "Sectors written to slice 1, whoever asked."};
inline constexpr event_descriptor l2_subp2_total_write_sector_queries{"l2_subp2_total_write_sector_queries", unit_of(sector), event_category::cache, "Sectors written to slice 2, whoever asked."};
inline constexpr event_descriptor l2_subp3_total_write_sector_queries{"l2_subp3_total_write_sector_queries", unit_of(sector), event_category::cache, "Sectors written to slice 3, whoever asked."};

// Device memory and PCIe.
inline constexpr event_descriptor fb_subp0_read_sectors{"fb_subp0_read_sectors", unit_of(sector), event_category::memory, "Sectors of device memory read by sub-partition 0."};
inline constexpr event_descriptor fb_subp1_read_sectors{"fb_subp1_read_sectors", unit_of(sector), event_category::memory, "Sectors of device memory read by sub-partition 1."};
inline constexpr event_descriptor fb_subp0_write_sectors{"fb_subp0_write_sectors", unit_of(sector), event_category::memory, "Sectors of device memory written by sub-partition 0."};
inline constexpr event_descriptor fb_subp1_write_sectors{"fb_subp1_write_sectors", unit_of(sector), event_category::memory, "Sectors of device memory written by sub-partition 1."};
inline constexpr event_descriptor fb0_subp0_read_sectors{"fb0_subp0_read_sectors", unit_of(sector), event_category::memory, "Sectors of device memory read by sub-partition 0 of partition half 0."};
inline constexpr event_descriptor fb0_subp1_read_sectors{"fb0_subp1_read_sectors", unit_of(sector), event_category::memory, "Sectors of device memory read by sub-partition 1 of partition half 0."};
inline constexpr event_descriptor fb0_subp0_write_sectors{"fb0_subp0_write_sectors", unit_of(sector), event_category::memory, "Sectors of device memory written by sub-partition 0 of partition half 0."};
inline constexpr event_descriptor fb0_subp1_write_sectors{"fb0_subp1_write_sectors", unit_of(sector), event_category::memory, "Sectors of device memory written by sub-partition 1 of partition half 0."};
inline constexpr event_descriptor fb1_subp0_read_sectors{"fb1_subp0_read_sectors", unit_of(sector), event_category::memory, "Sectors of device memory read by sub-partition 0 of partition half 1."};
inline constexpr event_descriptor fb1_subp1_read_sectors{"fb1_subp1_read_sectors", unit_of(sector), event_category::memory, "Sectors of device memory read by sub-partition 1 of partition half 1."};
inline constexpr event_descriptor fb1_subp0_write_sectors{"fb1_subp0_write_sectors", unit_of(sector), event_category::memory, "Sectors of device memory written by sub-partition 0 of partition half 1."};
inline constexpr event_descriptor fb1_subp1_write_sectors{"fb1_subp1_write_sectors", unit_of(sector), event_category::memory, "Sectors of device memory written by sub-partition 1 of partition half 1."};
inline constexpr event_descriptor pcie_rx_active_pulse{"pcie_rx_active_pulse", unit_of(cycle_pcie), event_category::memory, "Cycles in which PCIe received."};
inline constexpr event_descriptor pcie_tx_active_pulse{"pcie_tx_active_pulse", unit_of(cycle_pcie), event_category::memory, "Cycles in which PCIe sent."};

} // namespace legacy::events

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENTS_HPP
