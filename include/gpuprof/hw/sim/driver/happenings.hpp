// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to contexts, streams, modules and graphs, made known to callbacks. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_HAPPENINGS_HPP
#define GPUPROF_HW_SIM_DRIVER_HAPPENINGS_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // ids
#include <memory>      // images
#include <mutex>       // the driver's lock
#include <string>      // images
#include <type_traits> // static_assert
#include <utility>     // std::pair
#include <variant>     // kinds of operations
#include <vector>      // what a context contains

#include "../counters/api_callbacks.hpp"
#include "graph_ids.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Set when a kernel of this thread's call fails and takes its context with it.
inline thread_local constinit bool context_was_lost = false;

[[nodiscard]] inline bool is_heard(CUpti_CallbackIdResource id) noexcept {
    return api_callbacks::instance().is_heard(CUPTI_CB_DOMAIN_RESOURCE, id);
}

// Gives the driver's lock away while it lives: subscribers are called without it. What was looked up before has to be looked
// up again after.
class [[nodiscard]] without_lock {
public:
    explicit without_lock(call& in)
        : in_{in}, context_{in.context == nullptr ? nullptr : in.context->handle}, lock_{in.held} {
        lock_.unlock();
    }
    ~without_lock() {
        lock_.lock();
        if (context_ != nullptr) in_.refresh(context_);
    }
    without_lock(without_lock const&) = delete;
    without_lock& operator=(without_lock const&) = delete;

private:
    call& in_;
    CUcontext context_;
    std::unique_lock<std::mutex>& lock_;
};

// What follows tells the subscriber, if it listens. @pre the driver's lock is not held

inline void tell_resource(CUpti_CallbackIdResource id, CUcontext context, CUstream stream = nullptr,
                          void* descriptor = nullptr) {
    if (!is_heard(id)) return;
    CUpti_ResourceData const data{context, {stream}, descriptor};
    api_callbacks::instance().tell(CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

// The image is the PTX text: the embedded GPU has no machine code.
inline void tell_module(CUpti_CallbackIdResource id, CUcontext context, std::uint32_t module_id,
                        std::string const& image) {
    CUpti_ModuleResourceData data{module_id, image.size(), image.data()};
    tell_resource(id, context, nullptr, &data);
}

inline void tell_graph(CUpti_CallbackIdResource id, CUpti_GraphData data) {
    tell_resource(id, gpu_registry::current(), nullptr, &data);
}

inline void tell_synchronized(CUpti_CallbackIdSync id, CUcontext context, CUstream stream) {
    CUpti_SynchronizeData const data{context, stream};
    if (api_callbacks::instance().is_heard(CUPTI_CB_DOMAIN_SYNCHRONIZE, id))
        api_callbacks::instance().tell(CUPTI_CB_DOMAIN_SYNCHRONIZE, id, &data);
}

// As CUgraphNodeType counts: kernels, copies, fills and host functions are 0 to 3.
[[nodiscard]] inline unsigned node_type(operation const& work) noexcept {
    static_assert(std::is_same_v<operation, std::variant<kernel_operation, copy_operation, fill_operation,
                                                         host_operation, mark_operation, conditional_operation>>);
    if (std::holds_alternative<conditional_operation>(work)) return 13;
    auto const* const mark = std::get_if<mark_operation>(&work);
    constexpr unsigned marks[]{6, 7, 10, 11}; // of CUgraphNodeType
    return mark != nullptr ? marks[static_cast<int>(mark->what)] : static_cast<unsigned>(work.index());
}

// The nodes of a graph that goes, or of an executable, whose nodes have handles of their own.
inline void tell_nodes_destroyed(graph_nodes const& nodes, CUgraph graph, CUgraphExec executable, std::uint32_t id) {
    if (!is_heard(CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING)) return;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        tell_graph(
            CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING,
            {graph, nullptr, node_handle(node_id(id, i)), nullptr, node_type(nodes[i].work), nullptr, executable});
}

// A graph and its nodes, in this order.
inline void tell_graph_destroyed(CUgraph graph, graph_nodes const& nodes, std::uint32_t id) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING, {graph, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
    tell_nodes_destroyed(nodes, graph, nullptr, id);
}

// An executable is about to be made, each node is cloned, it is made.
inline void tell_instantiated(CUgraph graph, graph_nodes const& nodes, CUgraphExec executable, std::uint32_t id) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING, {graph, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
    if (is_heard(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED))
        for (std::size_t i = 0; i < nodes.size(); ++i)
            tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
                       {graph, graph, node_handle(node_id(id, i)), nodes[i].handle, node_type(nodes[i].work), nullptr,
                        executable});
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, {graph, nullptr, nullptr, nullptr, 0, nullptr, executable});
}

// A node of a capture and what it depends on.
inline void tell_node_created(CUgraph graph, CUgraphNode node, unsigned type, std::vector<CUgraphNode> const& after) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING,
               {graph, nullptr, nullptr, nullptr, type, nullptr, nullptr});
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, {graph, nullptr, node, nullptr, type, nullptr, nullptr});
    for (CUgraphNode const earlier : after)
        tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED,
                   {graph, nullptr, node, nullptr, type, earlier, nullptr});
}

// A context that is about to be destroyed, and then the modules and streams that go with it. The lock is given away.
inline void tell_context_destroyed(call& in, CUcontext gone) {
    if (in.driver.contexts.find(gone) == nullptr || !api_callbacks::instance().subscribed()) return;
    std::vector<std::pair<std::uint32_t, std::shared_ptr<std::string const>>> modules;
    std::vector<CUstream> streams;
    in.driver.modules.for_each_entry([&](CUmodule, module_state const& module) {
        if (module.context == gone) modules.emplace_back(module.id, module.image);
    });
    in.driver.streams.for_each_entry([&](CUstream handle, stream_state const& stream) {
        if (stream.context == gone) streams.push_back(handle);
    });
    without_lock const open{in};
    tell_resource(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, gone);
    for (auto const& [id, image] : modules) tell_module(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, gone, id, *image);
    for (CUstream const stream : streams) tell_resource(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, gone, stream);
}

// The failure of the current context's last launch. CUPTI would call it fatal and detach itself; the embedded CUPTI goes on
// with other contexts, so it is an error.
inline CUresult tell_fault() {
    if (!api_callbacks::instance().is_heard(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_ERROR)) return CUDA_SUCCESS;
    std::string message;
    {
        auto const in = enter_context();
        if (in.context != nullptr && in.context->failure) message = in.context->failure->message();
    }
    CUpti_StateData const data{{CUPTI_ERROR_INVALID_CONTEXT, message.c_str()}};
    api_callbacks::instance().tell(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_ERROR, &data);
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_HAPPENINGS_HPP
