// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cuda_graphs_trace: prints what the nodes of a graph did, and for each the call that created it.
#include <iostream>
#include <map>
#include <string>

#include <gpuprof/trace.hpp>
#include <gpuprof/trace/callbacks.hpp>
#include <gpuprof/trace/function_names.hpp>

#include "workload.hpp"

// tracing begins
namespace activity = gpuprof::activity;
using gpuprof::resource_change;
using creator = std::pair<std::string, std::uint32_t>; // the name of a call, and its correlation
creator last_call;
std::map<std::uint64_t, creator> creators; // by graph node
std::uint64_t number_of(gpuprof::abi::CUgraphNode node) {
    std::uint64_t number = 0;
    gpuprof::hw::real_machine().cupti.GetGraphNodeId(node, &number);
    return number;
}
struct listener {
    void operator()(gpuprof::api_call_event const& call) const {
        if (call.enter()) last_call = {std::string{call.name()}, call.correlation()};
    }
    void operator()(gpuprof::resource_event const& event) const {
        if (event.is(resource_change::graph_node_cloned)) {
            auto original = creators.extract(number_of(event.graph()->original_node));
            if (!original.empty()) creators[number_of(event.graph()->node)] = original.mapped();
        } else if (last_call.first.rfind("cudaGraphInstantiate", 0) != 0) {
            creators[number_of(event.graph()->node)] = last_call;
        }
    }
};
void print_creator(std::optional<std::uint64_t> node) {
    if (auto const found = creators.find(node.value_or(0)); found != creators.end())
        std::cout << "created by " << found->second.first << " correlation " << found->second.second << '\n';
}
// tracing ends

namespace {

// Two copies in, two kernels, one copy out, as nodes of a graph that is launched once.
void graph_pass(cudaStream_t stream) {
    using workload::size;
    std::vector<int> a(workload::count), b(workload::count), c(workload::count);
    int *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
    CHECKED(cudaMalloc(&on_a, size));
    CHECKED(cudaMalloc(&on_b, size));
    CHECKED(cudaMalloc(&on_c, size));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaGraphNode_t nodes[5];
    CHECKED(cudaGraphCreate(&graph, 0));
    cudaMemcpy3DParms copy{};
    copy.extent = {size, 1, 1};
    copy.kind = cudaMemcpyHostToDevice;
    copy.srcPtr.ptr = a.data();
    copy.dstPtr.ptr = on_a;
    CHECKED(cudaGraphAddMemcpyNode(&nodes[0], graph, nullptr, 0, &copy));
    copy.srcPtr.ptr = b.data();
    copy.dstPtr.ptr = on_b;
    CHECKED(cudaGraphAddMemcpyNode(&nodes[1], graph, nullptr, 0, &copy));
    int count = workload::count;
    void* arguments[]{&on_a, &on_b, &on_c, &count};
    cudaKernelNodeParams kernel{};
    kernel.gridDim = dim3(workload::blocks);
    kernel.blockDim = dim3(workload::threads);
    kernel.kernelParams = arguments;
    kernel.func = reinterpret_cast<void*>(&workload::add<int>);
    CHECKED(cudaGraphAddKernelNode(&nodes[2], graph, &nodes[0], 2, &kernel));
    kernel.func = reinterpret_cast<void*>(&workload::subtract<int>);
    CHECKED(cudaGraphAddKernelNode(&nodes[3], graph, &nodes[2], 1, &kernel));
    copy.kind = cudaMemcpyDeviceToHost;
    copy.srcPtr.ptr = on_c;
    copy.dstPtr.ptr = c.data();
    CHECKED(cudaGraphAddMemcpyNode(&nodes[4], graph, &nodes[3], 1, &copy));
    CHECKED(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    CHECKED(cudaGraphLaunch(executable, stream));
    CHECKED(cudaStreamSynchronize(stream));
    CHECKED(cudaFree(on_a));
    CHECKED(cudaFree(on_b));
    CHECKED(cudaFree(on_c));
}

} // namespace

int main() {
    // tracing begins
    auto const& machine = gpuprof::hw::real_machine();
    gpuprof::tracer trace{
        machine, activity::kinds<activity::runtime_calls, activity::memcpy, activity::memset, activity::kernel>};
    auto const what =
        gpuprof::callback_domain::runtime | resource_change::graph_node_created | resource_change::graph_node_cloned;
    gpuprof::callbacks const heard{machine, what, listener{}};
    // tracing ends
    CHECKED(cuInit(0));
    CUdevice device = 0;
    char name[256];
    CHECKED(cuDeviceGet(&device, 0));
    CHECKED(cuDeviceGetName(name, sizeof name, device));
    CHECKED(cudaSetDevice(0));
    cudaStream_t stream = nullptr;
    CHECKED(cudaStreamCreate(&stream));
    graph_pass(stream);
    CHECKED(cudaDeviceSynchronize());
    CHECKED(cudaDeviceReset());
    // tracing begins
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{
        [](activity::api_call const& c) { std::cout << "runtime " << c.callback << '\n'; },
        [](activity::memcpy const& m) { std::cout << "memcpy\n", print_creator(m.graph_node); },
        [](activity::memset const&) { std::cout << "memset\n"; },
        [](activity::kernel const& k) { std::cout << "concurrent_kernel\n", print_creator(k.graph_node); }});
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
