// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what the values of a report say is bad.
#ifndef GPUPROF_JUDGE_FLAWS_HPP
#define GPUPROF_JUDGE_FLAWS_HPP

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN

// One thing that is bad in one range.
struct flaw {
    std::string range{};       // its path
    std::string_view name{};   // "uncoalesced global loads"
    std::string meaning{};     // "32 sectors per request, where 4 would do"
    std::string_view advice{}; // what to do about it; a constant of the program
    double share = 0;          // how much of what was counted is superfluous, from 0 to 1
};

// What find_flaws found, and what it could look for.
struct flaw_search {
    std::vector<flaw> flaws{}; // the names in the order of looked_for; of each name, the largest share first
    std::vector<std::string_view> looked_for{}; // names of flaws of which some range has the metrics
};

// The metrics that find_flaws looks at, by CUPTI's names. The last three are optional: two say how many bytes each thread
// accesses; without them, only what is too much for the widest access, of 16 bytes a thread, is a flaw of loads and stores. The third
// says how many threads of a warp are at work: a loop that a few of them leave late diverges at one branch of many.
inline constexpr std::array<std::string_view, 19> flaw_metrics{
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
    "smsp__sass_branch_targets.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "smsp__sass_data_bytes_mem_global_op_ld.sum",
    "smsp__sass_data_bytes_mem_global_op_st.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
};

// Which of these expectations of expect:: the ranges of a report break: coalesced global loads and stores, no bank conflicts,
// no serialised atomics, no divergence, no local memory; and occupancy_at_least(25_percent), if the report has it, where the
// blocks fill the GPU (launch__waves_per_multiprocessor). Only what is more than a fifth of what was counted is a flaw: a kernel
// may have a last, incomplete warp. What was not measured is not looked for. Cost: some microseconds a range.
[[nodiscard]] flaw_search find_flaws(report const& of);

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "flaws.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_FLAWS_HPP
