// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One binary under CUPTIs of many releases (GPUPROF_CUPTI_PATH chooses): kernels, copies, sets, calls, and a graph, traced.
// Prints `cupti N`, `kind NAME accepted|refused: WHY` and `count NAME NUMBER`, or `refused: WHY`. Exit status 0 if it traced,
// 3 if gpuprof said why this CUPTI cannot.
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/trace.hpp>

#include "trace_jobs/workload.hpp"

namespace {

namespace activity = gpuprof::activity;
using tracer = gpuprof::tracer<activity::kind_set>;

constexpr char const* wanted[] = {"concurrent_kernel",
                                  "memcpy",
                                  "memset",
                                  "runtime",
                                  "driver",
                                  "memory2",
                                  "memory_pool",
                                  "synchronization",
                                  "device",
                                  "context",
                                  "overhead",
                                  "external_correlation",
                                  "name",
                                  "marker",
                                  "cuda_event",
                                  "jit"};

// Two passes of vectors, a set, an event, and a captured graph of two kernels that is launched five times.
void work() {
    cudaStream_t stream = nullptr;
    CHECKED(cudaStreamCreate(&stream));
    workload::vector_pass(nullptr);
    workload::vector_pass(stream);
    int* data = nullptr;
    CHECKED(cudaMalloc(&data, workload::size));
    CHECKED(cudaMemset(data, 0, workload::size));
    cudaEvent_t event = nullptr;
    CHECKED(cudaEventCreate(&event));
    CHECKED(cudaEventRecord(event, stream));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    workload::add<<<workload::blocks, workload::threads, 0, stream>>>(data, data, data, workload::count);
    workload::subtract<<<workload::blocks, workload::threads, 0, stream>>>(data, data, data, workload::count);
    CHECKED(cudaStreamEndCapture(stream, &graph));
    CHECKED(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 5; ++i) CHECKED(cudaGraphLaunch(executable, stream));
    CHECKED(cudaStreamSynchronize(stream));
    CHECKED(cudaGraphExecDestroy(executable));
    CHECKED(cudaGraphDestroy(graph));
    CHECKED(cudaEventDestroy(event));
    CHECKED(cudaFree(data));
    CHECKED(cudaStreamDestroy(stream));
}

} // namespace

int main() {
    auto const& machine = gpuprof::hw::real_machine();
    std::uint32_t version = 0;
    if (machine.cupti.GetVersion != nullptr) machine.cupti.GetVersion(&version);
    std::printf("cupti %u\n", version);

    activity::kind_set kinds;
    std::map<std::string, std::size_t> counts;
    for (char const* const name : wanted) {
        auto const kind = activity::kind_named(name);
        auto const alone = tracer::try_begin(machine, activity::kind_set{kind});
        if (alone) {
            kinds.add(kind);
            counts[name] = 0;
        }
        std::printf("kind %s %s\n", name, alone ? "accepted" : ("refused: " + alone.error().message()).c_str());
    }
    if (kinds.empty()) return 3;
    auto trace = tracer::try_begin(machine, kinds);
    if (!trace) return std::printf("refused: %s\n", trace.error().message().c_str()), 3;
    work();
    CHECKED(cudaDeviceSynchronize());
    std::size_t nodes = 0;
    auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
    if (!batch) return std::printf("refused: %s\n", batch.error().message().c_str()), 1;
    batch->visit(
        gpuprof::overloaded{[&](activity::api_call const& c) { ++counts[std::string{activity::name_of(c.kind)}]; },
                            [&](activity::kernel const& k) {
                                ++counts[std::string{activity::name_of(k.kind)}];
                                if (k.graph_node) ++nodes;
                            },
                            [](gpuprof::traced_scope const&) {}, [](activity::unknown const&) {},
                            [&](auto const& other) { ++counts[std::string{activity::name_of(other.kinds[0])}]; }});
    for (auto const& [name, number] : counts) std::printf("count %s %zu\n", name.c_str(), number);
    std::printf("count graph_nodes %zu\n", nodes);
    auto const lost = batch->losses();
    std::printf("lost %zu undecoded %zu without_time %zu\n", lost.dropped, lost.undecoded, lost.without_time);
    return 0;
}
