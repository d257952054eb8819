// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes spread over ranks beside a rank's own run of all of them, for ranks.cu and rank_programs.cu.
#ifndef GPUPROF_TESTS_HARDWARE_SPREAD_RUN_HPP
#define GPUPROF_TESTS_HARDWARE_SPREAD_RUN_HPP

#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <gpuprof/ranks.hpp>

inline constexpr unsigned deadline_ms = 60'000;

inline int failed = 0;
inline void check(bool holds, std::string const& what) {
    if (holds) return;
    std::printf("WRONG: %s\n", what.c_str());
    failed = 1;
}

// Counters that are the same in every run of the same work, and one more that a program chooses.
inline std::vector<gpuprof::metric_info> steady_metrics(char const* more) {
    std::vector<gpuprof::metric_info> metrics;
    for (char const* const name :
         {"smsp__inst_executed.sum", "smsp__warps_launched.sum", "smsp__thread_inst_executed.sum",
          "smsp__inst_executed_op_branch.sum", "smsp__inst_executed_pipe_alu.sum", "smsp__inst_executed_pipe_fma.sum",
          "smsp__inst_executed_pipe_lsu.sum", more, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
          "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
          "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "launch__grid_size"})
        metrics.push_back(gpuprof::try_metric(name).value());
    return metrics;
}

// All ranks call it; rank 0 compares the spread run with each rank's own.
// @param work called with the scope_target of a pass
template <class Work>
void compare_spread(gpuprof::device const& gpu, gpuprof::ranks::communicator& all,
                    std::vector<gpuprof::metric_info> const& metrics, std::initializer_list<char const*> ranges,
                    Work const& work) {
    namespace ranks = gpuprof::ranks;
    ranks::spread_options options;
    options.deadline_ms = deadline_ms;
    std::span<gpuprof::metric_info const> const list{metrics};
    ranks::spread_profiler together{gpu, all, options, list};
    std::size_t executions = 0;
    for ([[maybe_unused]] auto const& pass : together.passes()) {
        work(together);
        ++executions;
    }
    auto const report = together.report();
    std::printf("rank %zu: %zu groups, %zu metrics here, the body ran %zu times\n", all.rank(), together.groups(),
                together.share().size(), executions);
    all.try_barrier(deadline_ms).value();
    gpuprof::profiler alone{gpu, ranks::options_of_ranks(), list};
    executions = 0;
    for ([[maybe_unused]] auto const& pass : alone.passes()) {
        work(alone);
        ++executions;
    }
    auto const own = alone.report();
    std::printf("rank %zu: alone it ran %zu times\n", all.rank(), executions);
    for (auto const& each : own.completeness().problems) std::printf("alone: %s\n", each.message().c_str());
    check(own.complete(), "the own run is complete");
    auto const owns = ranks::try_gather(all, own).value();
    if (all.rank() != 0) return;
    check(owns.complete() && owns.heard == all.size(), "the own runs of all ranks are there");
    for (auto const& each : report.problems) std::printf("spread: %s\n", each.message().c_str());
    check(report.complete(), "the spread run is complete");
    std::size_t compared = 0;
    for (char const* const range : ranges)
        for (auto const& each : metrics) {
            auto const there = report.merged->try_range(range).value().try_value(each.name);
            auto const here = owns.try_values(range, each.name);
            check(there && here && here->count() == all.size(), each.name + " has values");
            if (!there || !here) continue;
            ++compared;
            std::printf("%s %s: spread %.0f, alone %.0f to %.0f\n", range, each.name.c_str(), there->value,
                        here->least(), here->most());
            // Issued instructions are issued again where they had to wait.
            check((there->value == here->least() && there->value == here->most()) ||
                      each.name == "smsp__inst_issued.sum",
                  each.name + " is the same on all ranks");
        }
    check(compared == ranges.size() * metrics.size(), "all are compared");
    std::printf("%zu values are compared\n%s", compared, gpuprof::io::table(report).c_str());
}

#endif // GPUPROF_TESTS_HARDWARE_SPREAD_RUN_HPP
