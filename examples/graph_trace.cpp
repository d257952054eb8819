// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA graph: each of its kernels belongs to the scope in which it was captured, however often the graph is launched.
// What you learn: scopes around a capture, nodes of graphs in records, and tracing graphs as a whole.
#include <cstdint>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one
#include <gpuprof/trace.hpp>

#include "support/ptx_program.hpp"
#include "support/vector_kernels.hpp"

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;

static void check(char const* call, abi::CUresult status) {
    if (status && GPUPROF_ENABLED) throw std::runtime_error{gpuprof::hw::explain(call, status).message()};
}

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to trace.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    abi::driver_table const& driver = gpu.driver();

    constexpr std::uint32_t n = 1u << 12;
    constexpr int replays = 5;
    device_buffer x{gpu, n * 4}, y{gpu, n * 4};
    ptx_program program{gpu, vector_kernels};
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec replay = nullptr;
    check("cuStreamCreate", driver.StreamCreate(&stream, 0));

    {
        gpuprof::tracer trace{gpu, activity::kinds<activity::kernel>};
        check("cuStreamBeginCapture", driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL));
        {
            gpuprof::scope layer{trace, "layer one"};
            program.launch_in(stream, "scale", n / 256, 256u, x.address(), 2.0f);
        }
        {
            gpuprof::scope layer{trace, "layer two"};
            program.launch_in(stream, "add", n / 256, 256u, x.address(), y.address());
            program.launch_in(stream, "scale", n / 256, 256u, y.address(), 0.5f);
        }
        check("cuStreamEndCapture", driver.StreamEndCapture(stream, &graph));
        check("cuGraphInstantiate", driver.GraphInstantiateWithFlags(&replay, graph, 0));
        for (int i = 0; i < replays; ++i) check("cuGraphLaunch", driver.GraphLaunch(replay, stream));
        check("cuStreamSynchronize", driver.StreamSynchronize(stream));

        std::map<std::string, int> kernels;
        auto const batch = trace.flush(gpuprof::flush_mode::forced);
        batch.visit([&](activity::kernel const& each) {
            ++kernels[batch.scope_path(batch.scope_of(each)) + ": " + std::string{each.name}];
        });
        std::cout << replays << " replays, node by node:\n";
        for (auto const& [kernel, count] : kernels) std::cout << "  " << kernel << ", " << count << " times\n";
    }

    // As a whole: one record a replay, and the driver's way of running a graph stays as it is. Instantiated anew: CUPTI 13.0
    // crashes at the launch of a graph that was instantiated under a tracer of its kernels.
    gpuprof::tracer whole{gpu, activity::kinds<activity::graph_trace>};
    check("cuGraphExecDestroy", driver.GraphExecDestroy(replay));
    check("cuGraphInstantiate", driver.GraphInstantiateWithFlags(&replay, graph, 0));
    for (int i = 0; i < replays; ++i) check("cuGraphLaunch", driver.GraphLaunch(replay, stream));
    check("cuStreamSynchronize", driver.StreamSynchronize(stream));
    int graphs = 0;
    whole.flush(gpuprof::flush_mode::forced).visit([&](activity::graph_trace const&) { ++graphs; });
    std::cout << graphs << " replays, each as a whole\n";

    check("cuGraphExecDestroy", driver.GraphExecDestroy(replay));
    check("cuGraphDestroy", driver.GraphDestroy(graph));
    check("cuStreamDestroy", driver.StreamDestroy(stream));
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
