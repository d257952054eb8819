// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "known_objects.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../gpu/driver_objects.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "device_records.hpp"
#include "graph_ids.hpp"
#include "object_records.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Each number is 0 for a handle of no object.

static std::uint32_t id_of_context(CUcontext context) {
    auto const in = enter();
    context_state const* const found = in.driver.contexts.find(context);
    return found == nullptr ? 0 : found->id;
}

static std::uint32_t id_of_stream(CUcontext context, CUstream stream, bool per_thread) {
    auto in = enter();
    CUcontext const own = context == nullptr ? gpu_registry::current() : context;
    stream_state const* const created = in.driver.streams.find(stream);
    if (created != nullptr && context == nullptr) return created->id; // of any context
    in.context = in.driver.contexts.find(own);
    if (in.context == nullptr) return 0;
    if (stream == nullptr && per_thread) stream = reinterpret_cast<CUstream>(std::uintptr_t{2});
    stream_state const* const found = find_stream(in, stream);
    return found == nullptr ? 0 : found->id;
}

// Calls f for the captures under way, for some more than once.
template <class F>
static void for_each_capture(state const& driver, F&& f) {
    auto const look = [&](stream_state const& stream) {
        if (stream.capture) f(*stream.capture);
    };
    driver.contexts.for_each([&](context_state const& context) {
        for (auto const& mine : context.thread_streams) look(mine.second);
    });
    driver.streams.for_each(look);
}

// A graph that is still being captured has its handle and number already.
static std::uint32_t id_of_graph(CUgraph graph) {
    auto const in = enter();
    if (graph_state const* const found = in.driver.graphs.find(graph)) return found->id;
    std::uint32_t id = 0;
    for_each_capture(in.driver, [&](capture_state const& capture) {
        if (capture.graph == graph) id = capture.graph_id;
    });
    return id;
}

static std::uint32_t id_of_executable(CUgraphExec executable) {
    auto const in = enter();
    graph_state const* const found = in.driver.executables.find(executable);
    return found == nullptr ? 0 : found->id;
}

static std::uint64_t id_of_node(CUgraphNode node) {
    auto const in = enter();
    std::uint64_t const id = node_of_handle(node);
    if (node_handle(id) != node) return 0;
    std::size_t nodes = 0;
    auto const look = [&](graph_state const& graph) {
        if (graph.id == graph_of_node(id)) nodes = graph.nodes->size();
    };
    in.driver.graphs.for_each(look);
    in.driver.executables.for_each(look);
    for_each_capture(in.driver, [&](capture_state const& capture) {
        if (capture.graph_id == graph_of_node(id)) nodes = capture.nodes.size();
    });
    return index_of_node(id) < nodes ? id : 0;
}

// Writes a record of each object of a kind: devices, contexts, streams, the bus.
static void record_objects(CUpti_ActivityKind kind) {
    auto in = enter();
    if (!in.ready()) return;
    int const devices = shared().registry.device_count();
    for (CUdevice device = 0; device < devices; ++device) {
        if (kind == CUPTI_ACTIVITY_KIND_DEVICE) record_device(in.records, device);
        if (kind == CUPTI_ACTIVITY_KIND_PCIE) record_bus(in.records, device);
        if (kind == CUPTI_ACTIVITY_KIND_ENVIRONMENT) record_clocks(in.records, device);
    }
    in.driver.contexts.for_each([&](context_state const& context) {
        if (kind == CUPTI_ACTIVITY_KIND_CONTEXT) record_context(in.records, context);
        if (kind != CUPTI_ACTIVITY_KIND_STREAM) return;
        record_stream(in.records, context, context.default_stream);
        for (auto const& mine : context.thread_streams) record_stream(in.records, context, mine.second);
    });
    if (kind == CUPTI_ACTIVITY_KIND_STREAM)
        in.driver.streams.for_each([&](stream_state const& stream) {
            if (context_state const* const context = in.driver.contexts.find(stream.context))
                record_stream(in.records, *context, stream);
        });
}

void publish_objects() noexcept {
    static constexpr driver_objects functions{id_of_context,    id_of_stream, id_of_graph,
                                              id_of_executable, id_of_node,   record_objects};
    shared().objects_of_driver.store(&functions, std::memory_order_release);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
