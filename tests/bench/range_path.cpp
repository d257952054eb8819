// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpuprof itself does for a range of the hardware: pushes and pops that answer at once, so that what is left is the
// way there and the report. range_path.sh counts its instructions.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

int main(int argc, char** argv) {
    namespace abi = gpuprof::abi;
    std::size_t const ranges = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 1000;
    static gpuprof::hw::machine machine = gpuprof::sim::embedded_machine();
    machine.cupti.RangeProfilerPushRange = [](abi::CUpti_RangeProfiler_PushRange_Params*) {
        return abi::CUPTI_SUCCESS;
    };
    machine.cupti.RangeProfilerPopRange = [](abi::CUpti_RangeProfiler_PopRange_Params*) { return abi::CUPTI_SUCCESS; };
    static_cast<void>(gpuprof::sim::open_embedded("").value());
    auto const gpu = gpuprof::device::try_open(machine).value();
    gpuprof::profiler_options options;
    options.max_ranges = ranges;
    gpuprof::profiler prof{gpu, options, gpuprof::metrics::gpu_time_duration};
    for (auto pass : prof.passes())
        for (std::size_t i = 0; i < ranges; ++i) gpuprof::scope range{prof, "range"};
    std::printf("%zu ranges in the report\n", prof.report()["range"].count());
}
