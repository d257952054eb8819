// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole small program: a profiler made, run and printed.
#include <gpuprof/gpuprof.hpp>

#include <cstdio>

void work();

int main() {
    namespace metrics = gpuprof::metrics;
    auto gpu = gpuprof::open_device();
    gpuprof::profiler prof{gpu, metrics::warps_launched, metrics::inst_executed};
    for (auto pass : prof.passes()) {
        gpuprof::scope step{prof, "step"};
        work();
    }
    std::puts(gpuprof::io::table(prof.report()).c_str());
}
