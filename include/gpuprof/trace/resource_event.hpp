// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to contexts, streams, modules and graphs, as the handler of callbacks gets it.
#ifndef GPUPROF_TRACE_RESOURCE_EVENT_HPP
#define GPUPROF_TRACE_RESOURCE_EVENT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../detail/config.hpp"
#include "../hw/abi/cupti_callback.hpp"
#include "callback_ids.hpp"

GPUPROF_NAMESPACE_BEGIN

// Machine code that the driver loads or unloads. The bytes are valid while the handler runs.
struct loaded_module {
    std::uint32_t id = 0;
    std::span<std::byte const> code{}; // a cubin
};

// A graph, one of its nodes, or an executable graph. Null is what the change does not have.
struct graph_change {
    abi::CUgraph graph = nullptr;
    abi::CUgraph original_graph = nullptr; // what `graph` is a clone of
    abi::CUgraphNode node = nullptr;
    abi::CUgraphNode original_node = nullptr; // what `node` is a clone of
    unsigned node_type = 0;                   // CUgraphNodeType: 0 kernel, 1 copy, 2 set, 3 host function, 4 graph, ...
    abi::CUgraphNode dependency = nullptr;
    abi::CUgraphExec executable = nullptr;
};

// An attribute of a stream that was set.
struct stream_attribute {
    abi::CUstream stream = nullptr;
    unsigned attribute = 0; // CUstreamAttrID
    void const* value = nullptr;
};

// Valid while the handler runs. A graph node is created between the entry and the exit of the call that creates it.
// CUPTI 12.0, 2.4.2 and 2.4.5.
class resource_event {
public:
    resource_event(hw::callback_id id, abi::CUpti_ResourceData const& data) noexcept : id_{id}, data_{&data} {}

    [[nodiscard]] resource_change change() const noexcept { return static_cast<resource_change>(id_.number); }
    [[nodiscard]] bool is(resource_change asked) const noexcept { return change() == asked; }
    [[nodiscard]] abi::CUcontext context() const noexcept { return data_->context; }

    // Of stream_created, stream_destroy_starting and stream_attribute_changed; else null.
    [[nodiscard]] abi::CUstream stream() const noexcept {
        bool const of_stream = is(resource_change::stream_created) || is(resource_change::stream_destroy_starting) ||
                               is(resource_change::stream_attribute_changed);
        return of_stream ? data_->resourceHandle.stream : nullptr;
    }
    // Of module_loaded, module_unload_starting and module_profiled.
    [[nodiscard]] std::optional<loaded_module> module() const noexcept {
        if (change() < resource_change::module_loaded || change() > resource_change::module_profiled) return {};
        auto const* const given = descriptor<abi::CUpti_ModuleResourceData>();
        if (given == nullptr) return {};
        loaded_module loaded{given->moduleId, {}};
        if (given->pCubin != nullptr)
            loaded.code = {reinterpret_cast<std::byte const*>(given->pCubin), given->cubinSize};
        return loaded;
    }
    // Of all changes whose name begins with graph_.
    [[nodiscard]] std::optional<graph_change> graph() const noexcept {
        bool const of_graph =
            (change() >= resource_change::graph_created && change() <= resource_change::graph_node_cloned) ||
            is(resource_change::graph_node_updated) || is(resource_change::graph_node_parameters_set);
        auto const* const given = of_graph ? descriptor<abi::CUpti_GraphData>() : nullptr;
        if (given == nullptr) return {};
        return graph_change{given->graph,    given->originalGraph, given->node,     given->originalNode,
                            given->nodeType, given->dependency,    given->graphExec};
    }
    // Of stream_attribute_changed.
    [[nodiscard]] std::optional<stream_attribute> attribute() const noexcept {
        auto const* const given =
            is(resource_change::stream_attribute_changed) ? descriptor<abi::CUpti_StreamAttrData>() : nullptr;
        if (given == nullptr) return {};
        return stream_attribute{given->stream, given->attr, given->value};
    }

    [[nodiscard]] abi::CUpti_ResourceData const& raw() const noexcept { return *data_; }
    [[nodiscard]] hw::callback_id id() const noexcept { return id_; }

private:
    template <class T>
    [[nodiscard]] T const* descriptor() const noexcept {
        return static_cast<T const*>(data_->resourceDescriptor);
    }

    hw::callback_id id_;
    abi::CUpti_ResourceData const* data_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_RESOURCE_EVENT_HPP
