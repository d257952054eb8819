// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of MPI whose metrics are spread: rank 0's report is that of one rank that measures all passes. With the argument "silent",
// rank 1 does not come until the others have ended, and is named.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <gpuprof/mpi.hpp>
#include <gpuprof/sim.hpp>

namespace {

namespace abi = gpuprof::abi;
namespace ranks = gpuprof::ranks;

int failures = 0;
void check(bool holds, char const* what) {
    if (holds) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    ++failures;
}

// Of one unit, which holds a few at once: several passes.
constexpr char const* several_passes[]{"smsp__inst_executed.sum",
                                       "smsp__warps_launched.sum",
                                       "smsp__thread_inst_executed.sum",
                                       "smsp__inst_executed_op_branch.sum",
                                       "smsp__inst_executed_pipe_alu.sum",
                                       "smsp__inst_executed_pipe_fma.sum",
                                       "smsp__inst_issued.sum",
                                       "smsp__cycles_active.sum",
                                       "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};

void run(gpuprof::device const& gpu, bool is_silent_run) {
    ranks::mpi_communicator all{MPI_COMM_WORLD};
    std::vector<gpuprof::metric_info> metrics;
    for (char const* const each : several_passes) metrics.push_back(gpuprof::try_metric(each).value());
    abi::CUmodule module = nullptr;
    abi::CUfunction kernel = nullptr;
    check(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS, "a context");
    check(gpu.driver().ModuleLoadData(
              &module, ".version 7.0\n.target sm_52\n.address_size 64\n"
                       ".visible .entry step() { .reg .f32 %f; fma.rn.f32 %f, %f, %f, %f; ret; }") == abi::CUDA_SUCCESS,
          "a module");
    check(gpu.driver().ModuleGetFunction(&kernel, module, "step") == abi::CUDA_SUCCESS, "a kernel");
    auto const work = [&](gpuprof::scope_target& on, bool communicates) {
        gpuprof::scope const step{on, "step"};
        check(gpu.driver().LaunchKernel(kernel, 5, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) == abi::CUDA_SUCCESS,
              "a launch");
        int mine = 1, sum = 0; // ranks may communicate in the body, since it runs equally often on all
        if (communicates) {
            MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            check(sum == static_cast<int>(all.size()), "all ranks execute the body equally often");
        }
    };
    if (is_silent_run && all.rank() == 1) { // until rank 0 has ended
        int over = 0;
        MPI_Recv(&over, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    ranks::spread_options options;
    options.deadline_ms = is_silent_run ? 3'000 : 60'000;
    auto spread = ranks::spread_profiler::try_create(gpu, all, options, metrics).value();
    for ([[maybe_unused]] auto const& pass : spread.passes()) work(spread, !is_silent_run);
    ranks::rank_report const report = spread.try_report().value();
    check(spread.groups() > 1, "the metrics take several passes");
    check(spread.share().size() < metrics.size(), "a rank measures a share");
    if (all.rank() != 0) return;
    if (is_silent_run) {
        check(report.silent.size() == 1 && report.silent[0].rank == 1, "rank 1 is named");
        check(report.heard == 3, "the others are heard");
        int over = 1;
        MPI_Send(&over, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        return;
    }
    for (auto const& each : report.problems) std::fprintf(stderr, "%s\n", each.message().c_str());
    check(report.complete() && report.heard == all.size(), "nothing is missing");
    auto prof = gpuprof::profiler::try_create(gpu, {}, metrics).value();
    for ([[maybe_unused]] auto const& pass : prof.passes()) work(prof, false);
    auto const alone = prof.try_report().value();
    check(alone.complete(), "one rank measures all");
    for (auto const& each : metrics)
        check(report.merged->try_range("step").value().try_value(each.name).value().value ==
                  alone.try_range("step").value().try_value(each.name).value().value,
              each.name.c_str());
    std::printf("%s", gpuprof::io::table(report).c_str());
}

} // namespace

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    {
        auto const gpu = gpuprof::sim::open_embedded("gv100,passes").value();
        run(gpu, count > 1 && std::strcmp(arguments[1], "silent") == 0);
    }
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
