// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings that pairs plant: id, what it means, and a regular expression (of Python, case ignored) for how Nsight Compute
// says it, searched in "rule identifier: text". Empty if ncu has no rule for it. Then the ids by which gpuprof names it, with
// blanks between them; empty if it has no rule for it.
#ifndef PAIRS_FINDINGS_HPP
#define PAIRS_FINDINGS_HPP

struct finding {
    char const* id;
    char const* meaning;
    char const* ncu;
    char const* gpuprof;
};

constexpr finding findings[] = {
    // global memory
    {"uncoalesced_global_access", "lanes of a warp load from more sectors than their bytes need",
     "^UncoalescedGlobalAccess|^MemoryCacheAccessPattern.*global load", "uncoalesced_global_access"},
    {"uncoalesced_global_stores", "lanes of a warp store to more sectors than their bytes need",
     "^UncoalescedGlobalAccess|^MemoryCacheAccessPattern.*global store", "uncoalesced_global_access"},
    {"misaligned_global_access", "consecutive lanes begin between two sectors: one sector more a request",
     "^UncoalescedGlobalAccess|^MemoryCacheAccessPattern.*global", "uncoalesced_global_access"},
    {"partial_sector_stores", "sectors of 32 bytes are written in part",
     "^UncoalescedGlobalAccess|^MemoryCacheAccessPattern.*global store", "uncoalesced_global_access"},
    {"narrow_global_access", "more load and store instructions than with 16 bytes a thread", "^CPIStall.*\\bLG\\b",
     "narrow_access"},
    {"texture_throttle", "the texture unit takes loads that the load unit could do", "^CPIStall.*texture operations",
     "texture_queue"},
    {"low_memory_parallelism", "each warp has one load in flight", "^CPIStall.*L1TEX", "memory_latency"},
    {"dependent_loads", "each address is the value of the load before", "^CPIStall.*L1TEX",
     "memory_latency dependent_loads"},
    {"host_memory_access", "the data stays in host memory", "^MemoryApertureUsage", "far_memory"},
    {"redundant_dram_traffic", "data that no cache holds is read twice", "", ""},
    {"redundant_loads", "a value that does not change is loaded again in each turn of a loop",
     "^CPIStall.*(L1TEX|\\bLG\\b)", "redundant_loads no_tiling"},
    {"cache_thrash_l1", "data comes again after L1 has lost it", "^MemoryCacheAccessPattern|^CPIStall.*L1TEX",
     "l1_thrashing"},
    {"cache_thrash_l2", "data comes again after L2 has lost it", "^MemoryCacheAccessPattern|^CPIStall.*L1TEX", ""},
    {"no_tiling", "neighbours load the same data instead of sharing it", "^CPIStall.*(L1TEX|\\bLG\\b)", "no_tiling"},
    {"divergent_constants", "lanes read different addresses of constant memory", "^CPIStall.*constant",
     "constant_cache"},
    {"global_atomic_contention", "many atomics of few global addresses", "^CPIStall.*(L1TEX|\\bLG\\b)",
     "global_atomics"},
    {"memory_fences", "warps wait for their memory accesses at fences that nobody needs", "^CPIStall.*memory barrier",
     "waiting_for_fences"},
    // shared memory
    {"shared_bank_conflicts", "lanes of a warp access different words of one bank",
     "^SharedMemoryConflicts|^UncoalescedShared", "shared_bank_conflicts"},
    {"narrow_shared_access", "more shared loads than with 16 bytes a thread", "^CPIStall.*\\bMIO\\b",
     "narrow_shared_access"},
    {"shared_atomic_contention", "many atomics of few shared addresses", "^CPIStall.*\\bMIO\\b", "shared_atomics"},
    {"barrier_waits", "warps wait for others at a barrier", "^CPIStall.*barrier", "waiting_at_barriers"},
    {"barriers_without_other_blocks", "one block an SM: nothing runs while its warps wait at a barrier",
     "^LaunchConf.*__syncthreads|^CPIStall.*CTA barrier", "waiting_at_barriers"},
    // threads
    {"thread_divergence", "lanes of a warp take different paths", "^ThreadDivergence",
     "thread_divergence predicated_off"}, // ptxas makes predicates of short branches
    {"predicated_off_lanes", "lanes are switched off by predicates", "^ThreadDivergence",
     "predicated_off thread_divergence"},
    {"partial_warps", "the block is no multiple of 32 threads", "^LaunchConf.*multiple of 32|^ThreadDivergence",
     "partial_warps"},
    // the launch
    {"occupancy_limited_by_registers", "few warps because of registers",
     "^(Theoretical)?Occupancy.*register|^Theoretical", "occupancy_limited_by_registers"},
    {"occupancy_limited_by_shared_memory", "few warps because of shared memory",
     "^(Theoretical)?Occupancy.*shared|^Theoretical", "occupancy_limited_by_shared_memory"},
    {"occupancy_limited_by_blocks", "few warps because the blocks are small",
     "^(Theoretical)?Occupancy.*block|^Theoretical", "occupancy_limited_by_block_size"},
    {"tiny_blocks", "blocks end faster than new ones begin", "^AchievedOccupancy|^Theoretical", "tiny_blocks"},
    {"tail_effect", "the last wave does not fill the GPU", "^LaunchConf.*wave", "tail_effect"},
    {"workload_imbalance", "some blocks work longer than others", "^WorkloadImbalance|^AchievedOccupancy",
     "uneven_work"},
    {"small_grid", "fewer blocks than SMs", "^LaunchConf.*(grid|blocks)|^SOLBottleneck.*grid", "small_grid"},
    // computing
    {"register_spills", "registers are spilled to local memory", "local (load|store|memory)|spill", "local_memory"},
    {"local_memory_arrays", "an array is in local memory because of indices known at run time",
     "local (load|store|memory)|spill", "local_memory"},
    {"accidental_fp64", "double literals in float arithmetic",
     "^(SOLFPRoofline|FPRoofline|HighPipeUtil).*(FP64|double)", "double_precision"},
    {"unfused_arithmetic", "multiplications and additions that could be one instruction", "^FPInstructions",
     "unfused_arithmetic"},
    {"slow_functions", "exact functions where approximations do", "", "slow_functions"},
    {"integer_division", "division by a value that is a power of two", "", "integer_division"},
    {"dependent_arithmetic", "each instruction waits for the one before, and few warps fill the time",
     "^CPIStall.*fixed latency", "dependent_instructions"},
    {"instruction_cache_misses", "the code does not fit the instruction cache", "^CPIStall.*instruction cache",
     "instruction_cache"},
    {"scalar_half", "half precision one value an instruction", "", "scalar_half"},
    {"no_tensor_cores", "a matrix product of halves by FP32", "", "no_tensor_cores"},
    {"sleeping", "warps sleep", "^CPIStall.*sleep", "sleeping"},
    {"none", "no flaw: every finding is a false one", "", ""},
};

#endif
