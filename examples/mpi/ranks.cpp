// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of several ranks by MPI: mpirun -n 4 ./ranks
// What you learn: one run with all counters, whose passes are spread over the ranks; a table of all ranks; which rank is slower than
// the others, and why, though all of them wait for it.
#include <cstdint>
#include <iostream>

#include <gpuprof/mpi.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "../support/ptx_program.hpp"

namespace metrics = gpuprof::metrics;
namespace ranks = gpuprof::ranks;

// y[i] = x[i], so many times.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry step(.param .u64 xs, .param .u64 ys, .param .u32 times) {
    .reg .u32 %r<6>; .reg .u64 %rd<6>; .reg .f32 %f<2>; .reg .pred %p;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys]; ld.param.u32 %r5, [times];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
again:
    ld.global.f32 %f1, [%rd4];
    st.global.f32 [%rd5], %f1;
    sub.u32 %r5, %r5, 1; setp.ne.u32 %p, %r5, 0; @%p bra again;
    ret;
}
)";

int main(int argc, char** argv) try {
    MPI_Init(&argc, &argv);
    {
        ranks::mpi_communicator all{MPI_COMM_WORLD};
        // On a machine of several GPUs each rank takes one of its own: CUDA_VISIBLE_DEVICES, or open_device(local rank).
        gpuprof::device const gpu = gpuprof::open_device();
        constexpr std::uint32_t n = 1u << 14;
        constexpr unsigned block = 256;
        device_buffer x{gpu, n * 4}, y{gpu, n * 4};
        ptx_program program{gpu, kernels};
        auto const step = [&](std::uint32_t times) {
            program.launch("step", n / block, block, x.address(), y.address(), times);
        };

        // 1. All counters in one run: each rank measures a share of the metrics, and rank 0 gets them all.
        ranks::spread_profiler spread{gpu,
                                      all,
                                      metrics::inst_executed,
                                      metrics::dram_bytes_read,
                                      metrics::global_load_sectors,
                                      metrics::warps_launched};
        for ([[maybe_unused]] auto pass : spread.passes()) {
            gpuprof::scope here{spread, "step"};
            step(4);
            MPI_Barrier(MPI_COMM_WORLD); // the body runs equally often on all ranks, so that it may communicate
        }
        ranks::rank_report const report = spread.report();
        if (all.rank() == 0) std::cout << *report.merged << '\n' << report << '\n';

        // 2. The last rank has more to do. All are then as slow as it is, and counters that do not count waiting find it.
        auto const needed = ranks::try_straggler_metrics().value();
        gpuprof::profiler prof{gpu, ranks::options_of_ranks(), needed};
        for ([[maybe_unused]] auto pass : prof.passes()) {
            gpuprof::scope here{prof, "compute"};
            step(all.rank() + 1 == all.size() ? 24 : 16);
        }
        auto const stragglers = ranks::try_find_stragglers(all, prof.report()).value();
        if (all.rank() == 0) std::cout << stragglers;
    }
    MPI_Finalize();
} catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
}
