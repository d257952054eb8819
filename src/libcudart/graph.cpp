// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the runtime, made by capture.
#include <cstddef>

#include "runtime.hpp"

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

cuda_error begin_capture(abi::CUstream stream, int mode) {
    return forward(&table::StreamBeginCapture, stream, static_cast<abi::CUstreamCaptureMode>(mode));
}
cuda_error end_capture(abi::CUstream stream, abi::CUgraph* graph) {
    return forward(&table::StreamEndCapture, stream, graph);
}
cuda_error is_capturing(abi::CUstream stream, abi::CUstreamCaptureStatus* status) {
    return forward(&table::StreamIsCapturing, stream, status);
}
cuda_error create(abi::CUgraph* graph, unsigned flags) { return forward(&table::GraphCreate, graph, flags); }
cuda_error destroy(abi::CUgraph graph) { return forward(&table::GraphDestroy, graph); }
cuda_error get_nodes(abi::CUgraph graph, abi::CUgraphNode* nodes, std::size_t* count) {
    return forward(&table::GraphGetNodes, graph, nodes, count);
}
cuda_error instantiate(abi::CUgraphExec* made, abi::CUgraph graph, unsigned long long flags) {
    return forward(&table::GraphInstantiateWithFlags, made, graph, flags);
}
// As CUDA 11 has it, with a log that stays empty.
cuda_error instantiate_with_log(abi::CUgraphExec* made, abi::CUgraph graph, abi::CUgraphNode* failed, char* log,
                                std::size_t bytes) {
    if (failed != nullptr) *failed = nullptr;
    if (log != nullptr && bytes != 0) *log = '\0';
    return instantiate(made, graph, 0);
}
cuda_error launch(abi::CUgraphExec graph, abi::CUstream stream) { return forward(&table::GraphLaunch, graph, stream); }
cuda_error upload(abi::CUgraphExec graph, abi::CUstream) { // a launch finds everything in place
    return graph == nullptr ? keep(cudaErrorInvalidValue) : keep(enter());
}
cuda_error destroy_executable(abi::CUgraphExec graph) { return forward(&table::GraphExecDestroy, graph); }

} // namespace

std::span<call const> graph_calls() {
    static call const calls[]{call::of<&begin_capture>("cudaStreamBeginCapture"),
                              call::of<&end_capture>("cudaStreamEndCapture"),
                              call::of<&is_capturing>("cudaStreamIsCapturing"),
                              call::of<&create>("cudaGraphCreate"),
                              call::of<&destroy>("cudaGraphDestroy"),
                              call::of<&get_nodes>("cudaGraphGetNodes"),
                              toolkit >= 12 ? call::of<&instantiate>("cudaGraphInstantiate")
                                            : call::of<&instantiate_with_log>("cudaGraphInstantiate"),
                              call::of<&instantiate>("cudaGraphInstantiateWithFlags"),
                              call::of<&launch>("cudaGraphLaunch"),
                              call::of<&upload>("cudaGraphUpload"),
                              call::of<&destroy_executable>("cudaGraphExecDestroy")};
    return calls;
}

} // namespace gpuprof::runtime
