// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes of a profiler, in a pass and outside of one, for an NVTX tool to hear.
#include <cstdio>

#include <gpuprof/measure/nvtx.hpp>
#include <gpuprof/gpuprof.hpp>

#include "support/test_machine.hpp"

static_assert(GPUPROF_NVTX == 1, "the header was found");

int main() {
    test::test_machine machine;
    gpuprof::hw::machine tables;
    tables.driver = machine.driver;
    tables.cupti = machine.cupti;
    auto const gpu = gpuprof::device::try_open(tables);
    if (!gpu) return 1;
    auto prof = gpuprof::profiler::try_create(*gpu, {}, gpuprof::metrics::warps_launched);
    if (!prof) return 1;
    for ([[maybe_unused]] auto each : prof->passes()) {
        gpuprof::scope frame{*prof, "frame"};
        gpuprof::scope step{*prof, "step"};
        machine.launch("kernel");
    }
    { gpuprof::scope outside{*prof, "outside"}; }
    std::puts(gpuprof::detail::nvtx_attached() ? "attached" : "not attached");
    return prof->try_report()->complete() ? 0 : 1;
}
