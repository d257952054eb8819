// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unit tests of four ranks of MPI, each with an embedded GPU: checks that all ranks make together, and one trace of all of them. As a
// user's test file: with doctest's MPI extension where it is installed (Debian's doctest-dev has none), else with doctest alone.
#include <doctest/doctest.h>

#include <mpi.h>

#if __has_include(<doctest/extensions/doctest_mpi.h>)
#include <doctest/extensions/doctest_mpi.h>
#else // the plain form: a test case is executed by all ranks that mpirun starts
#define MPI_TEST_CASE(name, ranks) TEST_CASE(name)
static MPI_Comm const test_comm = MPI_COMM_WORLD;
#endif

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <gpuprof/judge/adaptor/doctest.hpp>
#include <gpuprof/judge/rank_checks.hpp>
#include <gpuprof/mpi.hpp>
#include <gpuprof/rank_trace.hpp>
#include <gpuprof/sim.hpp>

namespace {

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;
namespace io = gpuprof::io;
namespace metrics = gpuprof::metrics;
namespace ranks = gpuprof::ranks;

struct program {
    gpuprof::device gpu = gpuprof::sim::open_embedded("gv100").value();
    abi::CUfunction compute = nullptr, collective = nullptr;

    program() {
        auto const& d = gpu.driver();
        abi::CUmodule module = nullptr;
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module, ".version 7.0\n.target sm_52\n.address_size 64\n"
                                          ".visible .entry compute() { ret; }\n"
                                          ".visible .entry ncclDevKernel_AllReduce() { ret; }") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&compute, module, "compute") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&collective, module, "ncclDevKernel_AllReduce") == abi::CUDA_SUCCESS);
    }
    void launch(abi::CUfunction function, unsigned blocks) const {
        REQUIRE(gpu.driver().LaunchKernel(function, blocks, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
};

} // namespace

MPI_TEST_CASE("counters of ranks: each rank's value, and the least and the most of all, are checked by all", 4) {
    ranks::mpi_communicator all{test_comm};
    program const here;
    auto const blocks = static_cast<unsigned>(all.rank()) + 1; // 2 warps each
    gpuprof::profiler prof{here.gpu, ranks::options_of_ranks(), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const step{prof, "step"};
        here.launch(here.compute, blocks);
    }
    auto const report = prof.report();
    gpuprof::observation const step{report, "step"};
    GPUPROF_CHECK_RANKS(all, step[metrics::warps_launched] <= gpuprof::warps{8.0});
    GPUPROF_REQUIRE_RANKS(all, step[metrics::warps_launched] == gpuprof::warps{2.0 * blocks});
    auto const of_ranks = ranks::try_gather(all, report).value(); // whole on rank 0
    if (all.rank() == 0) {
        CHECK(of_ranks.least("step", metrics::warps_launched).value() == 2.0);
        CHECK(of_ranks.most("step", metrics::warps_launched).value() == 8.0);
    }
    GPUPROF_CHECK_RANKS(all, of_ranks.most("step", metrics::warps_launched) <= gpuprof::warps{8.0});
    // One that fails on rank 3 fails on all, with its value.
    auto const failed = gpuprof::judge::of_all_ranks(
        all, gpuprof::judge::compared({2.0 * blocks}, gpuprof::judge::relation::at_most, {6}));
    CHECK(failed.verdict == gpuprof::verdict::fail);
    CHECK(failed.expanded == "3 of 4 ranks pass\nrank 3: 8 <= 6");
}

MPI_TEST_CASE("a trace of ranks is one file", 4) {
    ranks::mpi_communicator all{test_comm};
    program const here;
    gpuprof::tracer tracer{here.gpu, activity::kinds<activity::kernel>};
#if defined(OPEN_MPI)
    std::string const file = "together_by_openmpi.json"; // both tests may run at the same time
#else
    std::string const file = "together_by_mpich.json";
#endif
    auto trace = io::rank_trace::try_begin(all, here.gpu, file).value();
    for (unsigned step = 0; step < 3; ++step) {
        here.launch(here.compute, 4);
        here.launch(here.collective, 4);
        REQUIRE(here.gpu.driver().CtxSynchronize() == abi::CUDA_SUCCESS);
    }
    trace.write(tracer.flush());
    auto const waits = trace.try_finish(all).value();
    if (all.rank() != 0) return;
    CHECK(waits.heard == 4);
    CHECK(waits.silent.empty());
    REQUIRE(waits.collectives.size() == 3);
    for (auto const& each : waits.collectives) CHECK(each.ranks == 4);
    for (auto const& each : waits.ranks) CHECK(each.clock_known);
    std::printf("%s", io::table(waits).c_str());
}
