// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes of graphs, and captures that add to a graph that is there, by which their bodies are made.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../sim/driver/capture.hpp"
#include "../sim/driver/graph.hpp"
#include "../sim/driver/stream.hpp"

#include "call.hpp"
#include "graph_nodes.hpp"
#include "node_parameters.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;
using driver::capture_state;
using driver::conditional_operation;

CUresult create_handle(std::uint64_t* handle, CUgraph graph, CUcontext context, unsigned at_launch, unsigned flags) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    constexpr unsigned assign_default = 1; // CU_GRAPH_COND_ASSIGN_DEFAULT
    driver::graph_state* const found = in.driver.graphs.find(graph);
    auto const capture = driver::capture_into(in, graph);
    if (handle == nullptr || (found == nullptr && !capture) || flags > assign_default) return CUDA_ERROR_INVALID_VALUE;
    if (context != nullptr && context != in.context->handle) return CUDA_ERROR_NOT_SUPPORTED;
    *handle = in.driver.conditions.make(flags == assign_default ? std::optional{at_launch} : std::nullopt);
    (capture ? capture->conditions : found->conditions).push_back(*handle);
    return CUDA_SUCCESS;
}

// The nodes' places among those of a capture; nothing if one is not there.
std::optional<std::vector<std::size_t>> places_of(driver::graph_nodes const& nodes, CUgraphNode const* handles,
                                                  std::size_t count) {
    if (handles == nullptr && count != 0) return std::nullopt;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
        auto const place = driver::place_of(nodes, handles[i]);
        if (!place) return std::nullopt;
        places.push_back(*place);
    }
    return places;
}

// Edges carry nothing here.
CUresult begin_capture_to_graph(CUstream stream, CUgraph graph, CUgraphNode const* after, void const*,
                                std::size_t count, CUstreamCaptureMode mode) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr || driver::capture_into(in, graph)) return CUDA_ERROR_INVALID_VALUE;
    auto places = places_of(*found->nodes, after, count);
    if (!places) return CUDA_ERROR_INVALID_VALUE;
    if (CUresult const refused = driver::detail::begin_capture(in, stream, mode)) return refused;
    driver::stream_state& captured = *driver::find_stream(in, stream);
    capture_state& capture = *captured.capture;
    captured.frontier = *std::move(places);
    capture.graph = graph;
    capture.graph_id = found->id;
    capture.adds_to_graph = true;
    capture.nodes = *found->nodes;
    capture.conditions = found->conditions;
    for (std::size_t i = 0; i < capture.nodes.size(); ++i) capture.excused.push_back(i);
    return CUDA_SUCCESS;
}

// What comes next in a stream that is captured depends on these nodes, too, or on these alone.
CUresult update_dependencies(CUstream stream, CUgraphNode const* nodes, std::size_t count, unsigned flags) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    constexpr unsigned set = 1; // CU_STREAM_SET_CAPTURE_DEPENDENCIES; 0 adds
    driver::stream_state* const found = driver::find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!found->capture) return CUDA_ERROR_ILLEGAL_STATE;
    capture_state& capture = *found->capture;
    auto const places = places_of(capture.nodes, nodes, count);
    if (!places || flags > set) return CUDA_ERROR_INVALID_VALUE;
    if (flags == set) {
        driver::join_frontiers(capture.excused, found->frontier);
        found->frontier.clear();
    }
    driver::join_frontiers(found->frontier, *places);
    return CUDA_SUCCESS;
}
CUresult update_dependencies_v2(CUstream stream, CUgraphNode const* nodes, void const*, std::size_t count,
                                unsigned flags) {
    return update_dependencies(stream, nodes, count, flags);
}

} // namespace

CUresult add_conditional(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                         conditional_node_parameters& parameters) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    using kind = conditional_operation::kind;
    if (parameters.type < 0 || parameters.type > static_cast<int>(kind::selection) ||
        !in.driver.conditions.value(parameters.handle))
        return CUDA_ERROR_INVALID_VALUE;
    auto const what = static_cast<kind>(parameters.type);
    unsigned const most = what == kind::loop ? 1 : what == kind::choice ? 2 : ~0u;
    if (parameters.size == 0 || parameters.size > most) return CUDA_ERROR_INVALID_VALUE;
    if (parameters.size > 1u << 20) return CUDA_ERROR_OUT_OF_MEMORY;
    auto const bodies = std::make_shared<std::vector<CUgraph>>(parameters.size);
    CUresult const status =
        add_operation(in, made, graph, after, count, conditional_operation{what, parameters.handle, bodies, {}});
    if (status != CUDA_SUCCESS) return status;
    for (CUgraph& body : *bodies) {
        auto empty = std::make_unique<driver::graph_state>();
        empty->nodes = std::make_shared<driver::graph_nodes>();
        empty->id = ++in.driver.graph_count;
        body = in.driver.graphs.add(std::move(empty));
    }
    parameters.bodies = bodies->data();
    return CUDA_SUCCESS;
}

std::span<call const> conditional_node_calls() {
    static call const calls[]{call::of<&create_handle>("cuGraphConditionalHandleCreate"),
                              call::of<&begin_capture_to_graph>("cuStreamBeginCaptureToGraph"),
                              call::of<&update_dependencies>("cuStreamUpdateCaptureDependencies"),
                              call::of<&update_dependencies_v2>("cuStreamUpdateCaptureDependencies_v2")};
    return calls;
}

} // namespace gpuprof::driver_library
