// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole small program: work that is sampled, with scopes that have their share, and where its warps stall.
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>

void work();
void show(double sectors);

int main() {
    constexpr auto sectors = gpuprof::metric<"lts__t_sectors.sum">;
    auto gpu = gpuprof::open_device();
    gpuprof::sampled_profiler prof{gpu, sectors};
    {
        auto burst = prof.sample();
        gpuprof::scope step{prof, "step"};
        work();
    }
    gpuprof::pm_sampler sampler{gpu, sectors};
    sampler.start();
    work();
    sampler.stop();
    auto const series = sampler.take();
    for (std::size_t i = 0; i < series.size(); ++i) show(series.value(i, 0));
}
