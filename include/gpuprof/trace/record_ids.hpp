// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which stream is record.stream? The numbers that records have for the program's own handles.
#ifndef GPUPROF_TRACE_RECORD_IDS_HPP
#define GPUPROF_TRACE_RECORD_IDS_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstdint>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
template <class Number, class... Parameters, class... Arguments>
[[nodiscard]] result<Number> ask_id(hw::machine const& on, char const* symbol, abi::CUptiResult (*call)(Parameters...),
                                    Arguments... arguments) {
    if (call == nullptr) return hw::unavailable_call(on, symbol);
    Number id = 0;
    if (auto const status = call(arguments..., &id)) return hw::explain(symbol, status);
    return id;
}
} // namespace detail

// Each asks CUPTI for the number that records have for a handle: record.device, record.context, record.stream,
// record.graph, record.graph_node. Numbers are the process's and are not used again while a handle lives.
// Errors: unavailable where CUPTI lacks the call; what it says of a handle that there is not.
// Cost: a call of CUPTI. Thread-safe. CUPTI 12.0, 2.3.
[[nodiscard]] inline result<std::uint32_t> try_device_id(device const& gpu) {
    return detail::ask_id<std::uint32_t>(gpu.machine(), "cuptiGetDeviceId", gpu.cupti().GetDeviceId, gpu.context());
}
[[nodiscard]] inline result<std::uint32_t> try_context_id(device const& gpu) {
    return detail::ask_id<std::uint32_t>(gpu.machine(), "cuptiGetContextId", gpu.cupti().GetContextId, gpu.context());
}
// Of the default stream (null), which of the two: the one of all threads, or the calling thread's, which programs built with
// --default-stream per-thread use.
enum class default_stream : std::uint8_t { of_all_threads, of_this_thread };
[[nodiscard]] inline result<std::uint32_t> try_stream_id(device const& gpu, abi::CUstream stream,
                                                         default_stream null = default_stream::of_all_threads) {
    return detail::ask_id<std::uint32_t>(gpu.machine(), "cuptiGetStreamIdEx", gpu.cupti().GetStreamIdEx, gpu.context(),
                                         stream, static_cast<std::uint8_t>(null));
}
// Of a graph (record.source_graph) and of an executable one made from it (record.graph).
[[nodiscard]] inline result<std::uint32_t> try_graph_id(device const& gpu, abi::CUgraph graph) {
    return detail::ask_id<std::uint32_t>(gpu.machine(), "cuptiGetGraphId", gpu.cupti().GetGraphId, graph);
}
[[nodiscard]] inline result<std::uint32_t> try_graph_id(device const& gpu, abi::CUgraphExec executable) {
    return detail::ask_id<std::uint32_t>(gpu.machine(), "cuptiGetGraphExecId", gpu.cupti().GetGraphExecId, executable);
}
// Of a node. Records have the numbers of the executable's own nodes, whose handles callbacks tell (graph_node_cloned); from CUDA
// 13.4 on also those of the nodes that they were cloned of (record.source_graph_node).
[[nodiscard]] inline result<std::uint64_t> try_graph_node_id(device const& gpu, abi::CUgraphNode node) {
    return detail::ask_id<std::uint64_t>(gpu.machine(), "cuptiGetGraphNodeId", gpu.cupti().GetGraphNodeId, node);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_RECORD_IDS_HPP
