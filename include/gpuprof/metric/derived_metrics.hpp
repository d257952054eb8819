// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics that are quotients of counters by the guide's own formulas.
#ifndef GPUPROF_METRIC_DERIVED_METRICS_HPP
#define GPUPROF_METRIC_DERIVED_METRICS_HPP

#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// A metric of a whole range as numerator / denominator, both counters (Nsight Compute guide, chapter 4, "Source Metrics").
// Where the guide divides what was counted at each instruction, this divides the sums over all instructions that count.
struct derived_metric {
    char const* name;
    char const* numerator;
    char const* denominator;
};

// The two derived__…_excessive metrics are no such quotients: they subtract what an ideal access would take, which is known
// by instruction address only.
inline constexpr derived_metric derived_metrics[] = {
    {"derived__avg_thread_executed", "smsp__thread_inst_executed.sum", "smsp__inst_executed.sum"},
    {"derived__avg_thread_executed_true", "smsp__thread_inst_executed_pred_on.sum", "smsp__inst_executed.sum"},
    {"derived__memory_l1_conflicts_shared_nway", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
     "smsp__sass_inst_executed_op_shared.sum"},
};

// The row of that name, or null. Usable in constant expressions, thread-safe.
[[nodiscard]] constexpr derived_metric const* find_derived_metric(std::string_view name) noexcept {
    for (derived_metric const& row : derived_metrics)
        if (name == row.name) return &row;
    return nullptr;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_DERIVED_METRICS_HPP
