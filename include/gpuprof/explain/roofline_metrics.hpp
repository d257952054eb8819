// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rooflines are made of: kinds of arithmetic and levels of memory, with their counters and peaks. Pure data. Nsight
// Compute guide, chapter 8.
#ifndef GPUPROF_EXPLAIN_ROOFLINE_METRICS_HPP
#define GPUPROF_EXPLAIN_ROOFLINE_METRICS_HPP

#include <array>
#include <cstddef>
#include <string_view>

#include "../core/compute_capability.hpp"
#include "../detail/config.hpp"
#include "section.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// A counter, and how many operations one of what it counts is.
struct roofline_term {
    char const* metric = nullptr;
    double operations = 1;
};

// A kind of arithmetic. Its peak is `peak` per cycle of the SMs' clock.
struct roofline_work {
    std::string_view id; // "single": stable, for programs
    std::string_view title;
    roofline_term counted[3]{}; // those without a metric are none
    roofline_term peak{};
};

// A level of memory: how much came from it and went to it. Its peak is `peak` * `bytes` per cycle of `clock`.
struct roofline_level {
    std::string_view id; // "dram"
    std::string_view title;
    char const* traffic;
    char const* peak;
    double bytes; // of one that `traffic` counts
    char const* clock;
    compute_capability least{7, 0}; // chips that count it so
    compute_capability most{99, 0};

    [[nodiscard]] constexpr bool is_for(compute_capability chip) const noexcept {
        return least <= chip && chip <= most;
    }
};

namespace roofline_metrics {
// clang-format off
// Instructions of threads that were not predicated off. Those of half precision work on pairs of numbers; fused ones are two
// operations on each.
inline constexpr roofline_work works[]{
    {"double", "Double precision",
     {{"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"}, {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
      {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 2}},
     {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", 2}},
    {"single", "Single precision",
     {{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"}, {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2}},
     {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 2}},
    {"half", "Half precision",
     {{"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 2}, {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 2},
      {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 4}},
     {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", 4}},
    // Operations of tensor cores, by the type of what they multiply. Chips name them in different ways.
    {"tensor_fp64", "Tensor cores, fp64",
     {{"sm__ops_path_tensor_src_fp64.sum"}}, {"sm__ops_path_tensor_src_fp64.sum.peak_sustained"}},
    {"tensor_tf32", "Tensor cores, tf32",
     {{"sm__ops_path_tensor_src_tf32_dst_fp32.sum"}}, {"sm__ops_path_tensor_src_tf32_dst_fp32.sum.peak_sustained"}},
    {"tensor_bf16", "Tensor cores, bf16",
     {{"sm__ops_path_tensor_src_bf16_dst_fp32.sum"}}, {"sm__ops_path_tensor_src_bf16_dst_fp32.sum.peak_sustained"}},
    {"tensor_fp16", "Tensor cores, fp16",
     {{"sm__ops_path_tensor_src_fp16.sum"}}, {"sm__ops_path_tensor_src_fp16.sum.peak_sustained"}},
    {"tensor_fp16_fp32", "Tensor cores, fp16 to fp32",
     {{"sm__ops_path_tensor_src_fp16_dst_fp32.sum"}}, {"sm__ops_path_tensor_src_fp16_dst_fp32.sum.peak_sustained"}},
    {"tensor_fp16_fp16", "Tensor cores, fp16 to fp16",
     {{"sm__ops_path_tensor_src_fp16_dst_fp16.sum"}}, {"sm__ops_path_tensor_src_fp16_dst_fp16.sum.peak_sustained"}},
    {"tensor_16_32", "Tensor cores, fp16, bf16 and tf32 to fp32",
     {{"sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum"}},
     {"sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum.peak_sustained"}},
    {"tensor_fp8", "Tensor cores, fp8",
     {{"sm__ops_path_tensor_src_fp8.sum"}}, {"sm__ops_path_tensor_src_fp8.sum.peak_sustained"}},
    {"tensor_fp8_fp32", "Tensor cores, fp8 to fp32",
     {{"sm__ops_path_tensor_src_fp8_dst_fp32.sum"}}, {"sm__ops_path_tensor_src_fp8_dst_fp32.sum.peak_sustained"}},
    {"tensor_int8", "Tensor cores, int8",
     {{"sm__ops_path_tensor_src_int8.sum"}}, {"sm__ops_path_tensor_src_int8.sum.peak_sustained"}},
};

// The levels of memory that have a roof, the farthest first.
inline constexpr roofline_level levels[]{
    {"dram", "DRAM", "dram__bytes.sum", "dram__bytes.sum.peak_sustained", 1, "dram__cycles_elapsed.avg.per_second"},
    {"l2", "L2", "lts__lts2xbar_cycles_active.sum", "lts__lts2xbar_cycles_active.sum.peak_sustained", 32,
     "lts__cycles_elapsed.avg.per_second"},
    {"l1", "L1", "l1tex__lsu_writeback_active_mem_lgds.sum", "l1tex__lsu_writeback_active_mem_lgds.sum.peak_sustained", 128,
     "l1tex__cycles_elapsed.avg.per_second", {9, 0}},
    {"l1", "L1", "l1tex__lsu_writeback_active_mem_lg.sum", "l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained", 128,
     "l1tex__cycles_elapsed.avg.per_second", {7, 5}, {8, 9}},
    {"l1", "L1", "l1tex__lsu_writeback_active.sum", "l1tex__lsu_writeback_active.sum.peak_sustained", 128,
     "l1tex__cycles_elapsed.avg.per_second", {7, 0}, {7, 2}},
};
// clang-format on
inline constexpr char const* duration = "gpu__time_duration.sum"; // ns
inline constexpr char const* sm_clock = "sm__cycles_elapsed.avg.per_second";

namespace detail {
// Writes the row of each metric, each once; says how many there are.
template <std::size_t Room>
[[nodiscard]] constexpr std::size_t list_rows(std::array<section_row, Room>& rows) noexcept {
    std::size_t size = 0;
    auto const add = [&](std::string_view label, std::string_view metric) {
        for (std::size_t i = 0; i < size; ++i)
            if (rows[i].metric == metric) return;
        rows[size++] = {label, metric};
    };
    add("Duration", duration);
    add("SM clock", sm_clock);
    for (roofline_level const& each : levels) {
        add(each.traffic, each.traffic);
        add(each.peak, each.peak);
        add(each.clock, each.clock);
    }
    for (roofline_work const& each : works) {
        for (roofline_term const& term : each.counted)
            if (term.metric != nullptr) add(term.metric, term.metric);
        add(each.peak.metric, each.peak.metric);
    }
    return size;
}
inline constexpr std::size_t room = 2 + 3 * std::size(levels) + 4 * std::size(works);
inline constexpr std::size_t row_count = [] {
    std::array<section_row, room> rows{};
    return list_rows(rows);
}();
} // namespace detail

// The metrics of all rooflines as the rows of a section.
inline constexpr auto section_rows = [] {
    std::array<section_row, detail::room> rows{};
    std::array<section_row, detail::row_count> made{};
    static_cast<void>(detail::list_rows(rows));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = rows[i];
    return made;
}();
} // namespace roofline_metrics

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_ROOFLINE_METRICS_HPP
