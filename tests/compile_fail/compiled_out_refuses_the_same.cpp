// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does not compile with gpuprof does not compile without it: see device_of_null_context.cpp, measure_of_text.cpp and
// profiler_of_temporary_device.cpp.
// expect: a null context is none; open_device.0. is the first GPU
// expect: gpuprof: write measure<.*name
// expect: gpuprof: keep the device in a variable
// expect: gpuprof: write profiler{gpu, gpuprof::metric<.*name
#define GPUPROF_ENABLED 0
#include <gpuprof/gpuprof.hpp>

namespace metrics = gpuprof::metrics;

void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    static_cast<void>(gpuprof::open_device(nullptr));
    static_cast<void>(gpuprof::measure(gpu, "sm__inst_executed.sum", [] {}));
    gpuprof::profiler const of_temporary{gpuprof::open_device(0), metrics::warps_launched};
    gpuprof::profiler const of_text{gpu, "sm__inst_executed.sum"};
#else
    static_cast<void>(gpuprof::open_device(0));
    static_cast<void>(gpuprof::measure<"sm__inst_executed.sum">(gpu, [] {}));
    gpuprof::profiler const of_device{gpu, metrics::warps_launched};
    gpuprof::profiler const of_metric{gpu, gpuprof::metric<"sm__inst_executed.sum">};
#endif
}
