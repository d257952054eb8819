// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stranger's program that counts the warps of a kernel on the embedded GPU. It includes no gpuprof/sim.hpp: another file
// of the program does, and open_device() finds the embedded GPU all the same.
#include <cstdio>
#include <string>

#include <gpuprof/gpuprof.hpp>

#include "launch.hpp"

#ifdef EXPECTED_EXCEPTIONS
static_assert(EXPECTED_EXCEPTIONS == GPUPROF_EXCEPTIONS);
#endif

int main() {
    auto const gpu = gpuprof::try_open_device();
    if (!gpu) {
        std::printf("no device: %s\n", gpu.error().message().c_str());
        return 1;
    }
    auto prof = gpuprof::profiler::try_create(*gpu, {}, gpuprof::metrics::warps_launched);
    if (!prof) {
        std::printf("no profiler: %s\n", prof.error().message().c_str());
        return 1;
    }
    bool ran = true;
    for (auto pass : prof->passes()) {
        gpuprof::scope range{*prof, "launch"};
        ran = launch(*gpu) && ran;
    }
    auto const report = prof->try_report();
    if (!report || !report->complete()) {
        std::printf("no complete report\n");
        return 1;
    }
    std::printf("%s", gpuprof::io::table(*report).c_str());
    auto const range = report->try_range("launch");
    if (!range) return 1;
    auto const warps = range->try_get(gpuprof::metrics::warps_launched);
    bool const ok =
        ran && warps && warps->value() == launched_warps && report->source() == gpuprof::device_source::embedded;
    std::printf("smsp__warps_launched.sum: %g, expected %g: %s\n", warps ? warps->value() : -1.0, launched_warps,
                ok ? "ok" : "wrong");
    return ok ? 0 : 1;
}
