// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the subscriber about contexts, streams, modules, graphs, synchronisation and errors.
#ifndef GPUPROF_SRC_SIM_DRIVER_RESOURCE_CALLBACKS_HPP
#define GPUPROF_SRC_SIM_DRIVER_RESOURCE_CALLBACKS_HPP

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <gpuprof/hw/abi/cupti_callback.hpp>
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// Set when a kernel of this thread's call fails and takes its context with it.
inline thread_local constinit bool context_was_lost = false;

// Whether somebody subscribed to these resource callbacks.
[[nodiscard]] bool is_heard(CUpti_CallbackIdResource id) noexcept;

// Releases the driver's lock while it lives, because callbacks run without it. Look up again
// afterwards what was looked up before.
class [[nodiscard]] without_lock {
public:
    explicit without_lock(call& in);
    ~without_lock();
    without_lock(without_lock const&) = delete;
    without_lock& operator=(without_lock const&) = delete;

private:
    call& in_;
    CUcontext context_;
    std::unique_lock<std::mutex>& lock_;
};

// The functions below call the subscriber if it listens. @pre the driver's lock is not held

void tell_resource(CUpti_CallbackIdResource id, CUcontext context, CUstream stream = nullptr,
                   void* descriptor = nullptr);

// The image is the PTX text, because the embedded GPU has no machine code.
void tell_module(CUpti_CallbackIdResource id, CUcontext context, std::uint32_t module_id, std::string const& image);

void tell_graph(CUpti_CallbackIdResource id, CUpti_GraphData data);

void tell_synchronized(CUpti_CallbackIdSync id, CUcontext context, CUstream stream);

// The CUgraphNodeType of an operation.
[[nodiscard]] unsigned node_type(operation const& work) noexcept;

// The nodes of a graph that is destroyed, or of an executable, whose nodes have handles of their
// own.
void tell_nodes_destroyed(graph_nodes const& nodes, CUgraph graph, CUgraphExec executable, std::uint32_t id);

// First the graph, then its nodes.
void tell_graph_destroyed(CUgraph graph, graph_nodes const& nodes, std::uint32_t id);

// Three kinds of callbacks: instantiation starts, each node is cloned, the executable exists.
void tell_instantiated(CUgraph graph, graph_nodes const& nodes, CUgraphExec executable, std::uint32_t id);

// A captured node, and the nodes `after` which it runs.
void tell_node_created(CUgraph graph, CUgraphNode node, unsigned type, std::vector<CUgraphNode> const& after);

// A context that is about to be destroyed, then the modules and streams that are destroyed with it.
// @pre the lock is held, as an exception here: it is released meanwhile
void tell_context_destroyed(call& in, CUcontext gone);

// The failure of the current context's last launch. CUPTI would report a fatal error and detach
// itself; the embedded CUPTI goes on with other contexts, so it reports an error.
// @return success always; a status so that it can be wrapped as driver calls are
CUresult tell_fault();

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_RESOURCE_CALLBACKS_HPP
