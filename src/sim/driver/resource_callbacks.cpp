// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "resource_callbacks.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "graph_ids.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

bool is_heard(CUpti_CallbackIdResource id) noexcept {
    return shared().callbacks.is_heard(CUPTI_CB_DOMAIN_RESOURCE, id);
}

without_lock::without_lock(call& in)
    : in_{in}, context_{in.context == nullptr ? nullptr : in.context->handle}, lock_{in.held} {
    lock_.unlock();
}

without_lock::~without_lock() {
    lock_.lock();
    if (context_ != nullptr) in_.refresh(context_);
}

void tell_resource(CUpti_CallbackIdResource id, CUcontext context, CUstream stream, void* descriptor) {
    if (!is_heard(id)) return;
    CUpti_ResourceData const data{context, {stream}, descriptor};
    shared().callbacks.tell(CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

void tell_module(CUpti_CallbackIdResource id, CUcontext context, std::uint32_t module_id, std::string const& image) {
    CUpti_ModuleResourceData data{module_id, image.size(), image.data()};
    tell_resource(id, context, nullptr, &data);
}

void tell_graph(CUpti_CallbackIdResource id, CUpti_GraphData data) {
    tell_resource(id, gpu_registry::current(), nullptr, &data);
}

void tell_synchronized(CUpti_CallbackIdSync id, CUcontext context, CUstream stream) {
    CUpti_SynchronizeData const data{context, stream};
    if (shared().callbacks.is_heard(CUPTI_CB_DOMAIN_SYNCHRONIZE, id))
        shared().callbacks.tell(CUPTI_CB_DOMAIN_SYNCHRONIZE, id, &data);
}

unsigned node_type(operation const& work) noexcept {
    // Kernels, copies, fills and host functions are 0 to 3 both in CUgraphNodeType and here.
    static_assert(std::is_same_v<operation, std::variant<kernel_operation, copy_operation, fill_operation,
                                                         host_operation, mark_operation, conditional_operation>>);
    constexpr unsigned conditional_node = 13;      // of CUgraphNodeType, as are:
    constexpr unsigned mark_nodes[]{6, 7, 10, 11}; // event wait, event record, allocation, release
    if (std::holds_alternative<conditional_operation>(work)) return conditional_node;
    auto const* const mark = std::get_if<mark_operation>(&work);
    return mark != nullptr ? mark_nodes[static_cast<int>(mark->what)] : static_cast<unsigned>(work.index());
}

void tell_nodes_destroyed(graph_nodes const& nodes, CUgraph graph, CUgraphExec executable, std::uint32_t id) {
    if (!is_heard(CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING)) return;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        tell_graph(
            CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING,
            {graph, nullptr, node_handle(node_id(id, i)), nullptr, node_type(nodes[i].work), nullptr, executable});
}

void tell_graph_destroyed(CUgraph graph, graph_nodes const& nodes, std::uint32_t id) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING, {graph, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
    tell_nodes_destroyed(nodes, graph, nullptr, id);
}

void tell_instantiated(CUgraph graph, graph_nodes const& nodes, CUgraphExec executable, std::uint32_t id) {
    if (is_heard(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED))
        for (std::size_t i = 0; i < nodes.size(); ++i)
            tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
                       {graph, graph, node_handle(node_id(id, i)), nodes[i].handle, node_type(nodes[i].work), nullptr,
                        executable});
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, {graph, nullptr, nullptr, nullptr, 0, nullptr, executable});
}

void tell_node_created(CUgraph graph, CUgraphNode node, unsigned type, std::vector<CUgraphNode> const& after) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING,
               {graph, nullptr, nullptr, nullptr, type, nullptr, nullptr});
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, {graph, nullptr, node, nullptr, type, nullptr, nullptr});
    for (CUgraphNode const earlier : after)
        tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED,
                   {graph, nullptr, node, nullptr, type, earlier, nullptr});
}

void tell_context_destroyed(call& in, CUcontext gone) {
    if (in.driver.contexts.find(gone) == nullptr || !shared().callbacks.subscribed()) return;
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

CUresult tell_fault() {
    if (!shared().callbacks.is_heard(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_ERROR)) return CUDA_SUCCESS;
    std::string message;
    {
        auto const in = enter_context();
        if (in.context != nullptr && in.context->failure) message = in.context->failure->message();
    }
    CUpti_StateData const data{{CUPTI_ERROR_INVALID_CONTEXT, message.c_str()}};
    shared().callbacks.tell(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_ERROR, &data);
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
