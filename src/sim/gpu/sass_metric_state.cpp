// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sass_metric_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gpu_registry.hpp"
#include "gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static constexpr sass_metric_row sass_metric_table[] = {
    {"smsp__sass_branch_targets_threads_divergent",
     "Branches that parted the threads of a warp.",
     {raw_counter::branch_targets_divergent}},
    {"smsp__sass_branch_targets_threads_uniform",
     "Branches that all threads of a warp took alike.",
     {raw_counter::branch_targets_uniform}},
    {"smsp__sass_inst_executed", "Instructions that warps executed.", {raw_counter::inst_executed}},
    {"smsp__sass_inst_executed_op_branch", "Instructions executed: branches.", {raw_counter::inst_branch}},
    {"smsp__sass_inst_executed_op_global",
     "Instructions executed: global memory.",
     {raw_counter::inst_global_ld, raw_counter::inst_global_st, raw_counter::inst_global_atom,
      raw_counter::inst_global_red}},
    {"smsp__sass_inst_executed_op_global_atom",
     "Instructions executed: atomics on global memory.",
     {raw_counter::inst_global_atom}},
    {"smsp__sass_inst_executed_op_global_ld",
     "Instructions executed: loads from global memory.",
     {raw_counter::inst_global_ld}},
    {"smsp__sass_inst_executed_op_global_red",
     "Instructions executed: reductions on global memory.",
     {raw_counter::inst_global_red}},
    {"smsp__sass_inst_executed_op_global_st",
     "Instructions executed: stores to global memory.",
     {raw_counter::inst_global_st}},
    {"smsp__sass_inst_executed_op_ldgsts",
     "Instructions executed: copies from global to shared memory.",
     {raw_counter::inst_ldgsts}},
    {"smsp__sass_inst_executed_op_ldsm",
     "Instructions executed: matrix loads from shared memory.",
     {raw_counter::inst_ldsm}},
    {"smsp__sass_inst_executed_op_local",
     "Instructions executed: local memory.",
     {raw_counter::inst_local_ld, raw_counter::inst_local_st}},
    {"smsp__sass_inst_executed_op_local_ld",
     "Instructions executed: loads from local memory.",
     {raw_counter::inst_local_ld}},
    {"smsp__sass_inst_executed_op_local_st",
     "Instructions executed: stores to local memory.",
     {raw_counter::inst_local_st}},
    {"smsp__sass_inst_executed_op_memory_128b",
     "Memory instructions of 128 bits a thread.",
     {raw_counter::inst_memory_128b}},
    {"smsp__sass_inst_executed_op_memory_16b",
     "Memory instructions of 16 bits a thread.",
     {raw_counter::inst_memory_16b}},
    {"smsp__sass_inst_executed_op_memory_32b",
     "Memory instructions of 32 bits a thread.",
     {raw_counter::inst_memory_32b}},
    {"smsp__sass_inst_executed_op_memory_64b",
     "Memory instructions of 64 bits a thread.",
     {raw_counter::inst_memory_64b}},
    {"smsp__sass_inst_executed_op_memory_8b", "Memory instructions of 8 bits a thread.", {raw_counter::inst_memory_8b}},
    {"smsp__sass_inst_executed_op_shared",
     "Instructions executed: shared memory.",
     {raw_counter::inst_shared_ld, raw_counter::inst_shared_st, raw_counter::inst_shared_atom}},
    {"smsp__sass_inst_executed_op_shared_atom",
     "Instructions executed: atomics on shared memory.",
     {raw_counter::inst_shared_atom}},
    {"smsp__sass_inst_executed_op_shared_ld",
     "Instructions executed: loads from shared memory.",
     {raw_counter::inst_shared_ld}},
    {"smsp__sass_inst_executed_op_shared_st",
     "Instructions executed: stores to shared memory.",
     {raw_counter::inst_shared_st}},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
     "Wavefronts of shared memory.",
     {raw_counter::shared_wavefronts_ld, raw_counter::shared_wavefronts_st, raw_counter::shared_wavefronts_atom}},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
     "Wavefronts of shared memory that the bytes fill.",
     {raw_counter::ideal_wavefronts_shared}},
    {"smsp__sass_l1tex_tags_mem_global",
     "Cache lines that global accesses touch.",
     {raw_counter::l1_tags_global_ld, raw_counter::l1_tags_global_st, raw_counter::l1_tags_global_atom,
      raw_counter::l1_tags_global_red}},
    {"smsp__sass_sectors_mem_global",
     "Sectors that global accesses touch.",
     {raw_counter::l1_sectors_global_ld, raw_counter::l1_sectors_global_st, raw_counter::l1_sectors_global_atom,
      raw_counter::l1_sectors_global_red}},
    {"smsp__sass_sectors_mem_global_ideal",
     "Sectors of global memory that the bytes fill.",
     {raw_counter::ideal_sectors_global}},
    {"smsp__sass_sectors_mem_local",
     "Sectors that local accesses touch.",
     {raw_counter::l1_sectors_local_ld, raw_counter::l1_sectors_local_st}},
    {"smsp__sass_thread_inst_executed",
     "Instructions by threads, predicated off included.",
     {raw_counter::thread_inst_executed}},
    {"smsp__sass_thread_inst_executed_pred_on",
     "Instructions by threads, predicated on.",
     {raw_counter::thread_inst_executed_pred_on}}};
constinit std::span<sass_metric_row const> const sass_metric_rows{sass_metric_table};

sass_metric_row const* find_sass_metric(std::uint64_t id) noexcept {
    for (sass_metric_row const& row : sass_metric_rows)
        if (row.id() == id) return &row;
    return nullptr;
}
sass_metric_row const* find_sass_metric(std::string_view name) noexcept {
    for (sass_metric_row const& row : sass_metric_rows)
        if (row.name == name) return &row;
    return nullptr;
}

void sass_metric_state::add(abi::CUcontext context, counted_instructions const& launch, std::uint64_t code) {
    auto const found = contexts.find(context);
    if (found == contexts.end()) return;
    auto const& rows_wanted = metrics[found->second.device];
    for (auto const& instruction : launch.instructions) {
        auto const& function = launch.functions[instruction.function];
        auto& values = found->second.counted[{code, function.name, instruction.offset, function.index}];
        values.resize(rows_wanted.size());
        for (std::size_t m = 0; m < rows_wanted.size(); ++m) values[m] += rows_wanted[m]->of(instruction.counted);
    }
}

void sass_metric_state::clear() {
    metrics.clear();
    contexts.clear();
}

bool counts_instructions(abi::CUcontext context) {
    auto const held = shared().registry.lock();
    return shared().sass_metrics.contexts.contains(context);
}

void count_instructions_of(abi::CUcontext context, counted_instructions const& launch, std::uint64_t code) {
    auto const held = shared().registry.lock();
    shared().sass_metrics.add(context, launch, code);
}

} // namespace sim
GPUPROF_NAMESPACE_END
