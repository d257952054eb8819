// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of graph_watch.hpp.
#ifndef GPUPROF_HW_CALLBACKS_GRAPH_WATCH_INL_HPP
#define GPUPROF_HW_CALLBACKS_GRAPH_WATCH_INL_HPP

#include <utility>

#include "argument_words.hpp"
#include "graph_watch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A graph as its nodes and the places of the nodes before each.
struct graph_shape {
    std::vector<abi::CUgraphNode> nodes;
    std::vector<std::vector<std::size_t>> earlier;
};

// Where in a list each node is: a table of hashes, since <algorithm> and <map> are long to compile.
class node_places {
public:
    explicit node_places(std::vector<abi::CUgraphNode> const& nodes) : nodes_{nodes} {
        while (mask_ < nodes.size() * 2) mask_ = mask_ * 2 + 1;
        slots_.assign(mask_ + 1, nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) slots_[slot_of(nodes[i])] = i;
    }
    // As many as there are nodes for one that is not in the list.
    [[nodiscard]] std::size_t of(abi::CUgraphNode node) const { return slots_[slot_of(node)]; }

private:
    [[nodiscard]] std::size_t slot_of(abi::CUgraphNode node) const {
        auto const key = reinterpret_cast<std::uintptr_t>(node);
        std::size_t slot = static_cast<std::size_t>(key ^ key >> 4 ^ key >> 20) & mask_;
        while (slots_[slot] != nodes_.size() && nodes_[slots_[slot]] != node) slot = (slot + 1) & mask_;
        return slot;
    }
    std::vector<abi::CUgraphNode> const& nodes_;
    std::size_t mask_ = 1; // at least half of the slots are free
    std::vector<std::size_t> slots_;
};

[[nodiscard]] GPUPROF_INLINE bool read_shape(abi::driver_table const& driver, abi::CUgraph graph, graph_shape& shape);
GPUPROF_INLINE bool read_shape(abi::driver_table const& driver, abi::CUgraph graph, graph_shape& shape) {
    std::size_t count = 0;
    if (driver.GraphGetNodes(graph, nullptr, &count) != abi::CUDA_SUCCESS) return false;
    shape.nodes.resize(count);
    if (count != 0 && driver.GraphGetNodes(graph, shape.nodes.data(), &count) != abi::CUDA_SUCCESS) return false;
    node_places const places{shape.nodes};
    std::vector<abi::CUgraphNode> before;
    for (abi::CUgraphNode const node : shape.nodes) {
        std::size_t edges = 0;
        if (driver.GraphNodeGetDependencies(node, nullptr, nullptr, &edges) != abi::CUDA_SUCCESS) return false;
        before.assign(edges, nullptr);
        // Refused where an edge is no ordinary one: kernels may overlap then.
        if (edges != 0 && driver.GraphNodeGetDependencies(node, before.data(), nullptr, &edges) != abi::CUDA_SUCCESS)
            return false;
        auto& list = shape.earlier.emplace_back();
        for (abi::CUgraphNode const each : before) {
            std::size_t const place = places.of(each);
            if (place == shape.nodes.size()) return false;
            list.push_back(place);
        }
    }
    return true;
}

// Places of nodes so that each comes after those that it depends on; shorter than the graph if
// there is a cycle, which no driver lets be.
[[nodiscard]] GPUPROF_INLINE std::vector<std::size_t> running_order(graph_shape const& shape);
GPUPROF_INLINE std::vector<std::size_t> running_order(graph_shape const& shape) {
    std::size_t const count = shape.nodes.size();
    std::vector<std::vector<std::size_t>> later(count);
    std::vector<std::size_t> waits(count, 0);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t const each : shape.earlier[i]) later[each].push_back(i);
        waits[i] = shape.earlier[i].size();
        if (waits[i] == 0) order.push_back(i);
    }
    for (std::size_t at = 0; at < order.size(); ++at)
        for (std::size_t const each : later[order[at]])
            if (--waits[each] == 0) order.push_back(each);
    return order;
}

// Marks the kernels whose place in the order is the only one. `place_of_kernel` says which node of
// `order` each kernel is.
GPUPROF_INLINE void mark_ordered(graph_shape const& shape, std::vector<std::size_t> const& order,
                                 std::vector<std::size_t> const& place_of_kernel, hw::graph_kernels& all);
GPUPROF_INLINE void mark_ordered(graph_shape const& shape, std::vector<std::size_t> const& order,
                                 std::vector<std::size_t> const& place_of_kernel, hw::graph_kernels& all) {
    constexpr std::size_t most_compared = 4096;
    std::size_t const nodes = order.size();
    bool is_chain = true;
    for (std::size_t at = 1; at < nodes; ++at) {
        bool follows = false;
        for (std::size_t const each : shape.earlier[order[at]]) follows = follows || each == order[at - 1];
        is_chain = is_chain && follows;
    }
    std::size_t const kernels = all.kernels.size();
    if (is_chain || kernels <= 1) {
        for (hw::graph_kernel& each : all.kernels) each.in_order = true;
    } else if (nodes <= most_compared) {
        // Which kernels come before each node, as bits. A kernel is ordered if all others come
        // before or after it.
        std::size_t const row = (kernels + 63) / 64;
        std::vector<std::uint64_t> before(nodes * row, 0); // by node
        std::vector<std::size_t> kernel_of(nodes, kernels);
        for (std::size_t i = 0; i < kernels; ++i) kernel_of[order[place_of_kernel[i]]] = i;
        for (std::size_t const node : order)
            for (std::size_t const each : shape.earlier[node]) {
                for (std::size_t w = 0; w < row; ++w) before[node * row + w] |= before[each * row + w];
                if (kernel_of[each] < kernels)
                    before[node * row + kernel_of[each] / 64] |= std::uint64_t{1} << (kernel_of[each] % 64);
            }
        std::vector<std::size_t> compared(kernels, 0);
        for (std::size_t i = 0; i < kernels; ++i) {
            std::size_t const node = order[place_of_kernel[i]];
            for (std::size_t other = 0; other < i; ++other) {
                bool const is_before = (before[node * row + other / 64] >> (other % 64) & 1) != 0;
                if (!is_before) continue;
                ++compared[i];
                ++compared[other];
            }
        }
        for (std::size_t i = 0; i < kernels; ++i) all.kernels[i].in_order = compared[i] == kernels - 1;
    }
    // Equal kernels may change places.
    for (std::size_t first = 0; first < kernels; ++first) {
        if (all.kernels[first].in_order) continue;
        std::size_t last = first;
        bool are_equal = true;
        for (; last < kernels && !all.kernels[last].in_order; ++last)
            are_equal = are_equal && all.kernels[last].equals(all.kernels[first]);
        for (std::size_t i = first; are_equal && i < last; ++i) all.kernels[i].in_order = true;
        first = last - 1;
    }
}

[[nodiscard]] GPUPROF_INLINE hw::graph_kernel read_kernel(abi::driver_table const& driver, abi::CUgraphNode node,
                                                          abi::CUDA_KERNEL_NODE_PARAMS const& given);
GPUPROF_INLINE hw::graph_kernel read_kernel(abi::driver_table const& driver, abi::CUgraphNode node,
                                            abi::CUDA_KERNEL_NODE_PARAMS const& given) {
    hw::graph_kernel kernel;
    kernel.function = given.func;
    if (kernel.function == nullptr && given.kern != nullptr && driver.KernelGetFunction != nullptr)
        static_cast<void>(driver.KernelGetFunction(&kernel.function, given.kern));
    char const* name = nullptr;
    if (kernel.function != nullptr && driver.FuncGetName != nullptr &&
        driver.FuncGetName(&name, kernel.function) == abi::CUDA_SUCCESS && name != nullptr)
        kernel.symbol = name;
    kernel.grid = {given.gridDimX, given.gridDimY, given.gridDimZ};
    kernel.block = {given.blockDimX, given.blockDimY, given.blockDimZ};
    kernel.dynamic_shared = given.sharedMemBytes;
    if (driver.GraphKernelNodeGetAttribute == nullptr) return kernel;
    abi::CUlaunchAttributeValue value;
    if (driver.GraphKernelNodeGetAttribute(node, abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value) == abi::CUDA_SUCCESS)
        kernel.cooperative = value.cooperative != 0;
    value = {};
    if (driver.GraphKernelNodeGetAttribute(node, abi::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value) ==
            abi::CUDA_SUCCESS &&
        value.clusterDim.x != 0 && value.clusterDim.y != 0 && value.clusterDim.z != 0)
        kernel.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    return kernel;
}

// Adds the addresses that a copy reads and writes on devices. Why it cannot be made again; empty: it can.
[[nodiscard]] GPUPROF_INLINE std::string_view add_words_of_copy(abi::driver_table const& driver, abi::CUgraphNode node,
                                                                std::vector<abi::CUdeviceptr>& addresses);
GPUPROF_INLINE std::string_view add_words_of_copy(abi::driver_table const& driver, abi::CUgraphNode node,
                                                  std::vector<abi::CUdeviceptr>& addresses) {
    abi::CUDA_MEMCPY3D copy;
    if (driver.GraphMemcpyNodeGetParams == nullptr || driver.PointerGetAttribute == nullptr ||
        driver.GraphMemcpyNodeGetParams(node, &copy) != abi::CUDA_SUCCESS)
        return "the driver does not tell what a node of the graph copies";
    if (copy.srcMemoryType == abi::CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == abi::CU_MEMORYTYPE_ARRAY)
        return "a node of the graph copies an array";
    auto const is_on_host = [&](abi::CUmemorytype type, abi::CUdeviceptr address) {
        return type == abi::CU_MEMORYTYPE_HOST ||
               (type == abi::CU_MEMORYTYPE_UNIFIED && !hw::is_of_device(driver, address));
    };
    if (is_on_host(copy.dstMemoryType, copy.dstDevice)) return "a node of the graph copies to memory of the host";
    addresses.push_back(copy.dstDevice + copy.dstXInBytes + (copy.dstZ * copy.dstHeight + copy.dstY) * copy.dstPitch);
    if (!is_on_host(copy.srcMemoryType, copy.srcDevice))
        addresses.push_back(copy.srcDevice + copy.srcXInBytes +
                            (copy.srcZ * copy.srcHeight + copy.srcY) * copy.srcPitch);
    return {};
}

// Adds the addresses of device memory that a node which is no kernel reaches. Why it cannot be made again; empty: it can.
[[nodiscard]] GPUPROF_INLINE std::string_view add_words_of_node(abi::driver_table const& driver, abi::CUgraphNode node,
                                                                abi::CUgraphNodeType type,
                                                                std::vector<abi::CUdeviceptr>& addresses);
GPUPROF_INLINE std::string_view add_words_of_node(abi::driver_table const& driver, abi::CUgraphNode node,
                                                  abi::CUgraphNodeType type, std::vector<abi::CUdeviceptr>& addresses) {
    switch (type) {
        case abi::CU_GRAPH_NODE_TYPE_EMPTY: return {};
        case abi::CU_GRAPH_NODE_TYPE_MEMCPY: return add_words_of_copy(driver, node, addresses);
        case abi::CU_GRAPH_NODE_TYPE_MEMSET: {
            abi::CUDA_MEMSET_NODE_PARAMS fill;
            if (driver.GraphMemsetNodeGetParams == nullptr ||
                driver.GraphMemsetNodeGetParams(node, &fill) != abi::CUDA_SUCCESS)
                return "the driver does not tell what a node of the graph fills";
            addresses.push_back(fill.dst);
            return {};
        }
        case abi::CU_GRAPH_NODE_TYPE_HOST: return "a node of the graph is a function of the host";
        case abi::CU_GRAPH_NODE_TYPE_WAIT_EVENT: return "a node of the graph waits for an event";
        case abi::CU_GRAPH_NODE_TYPE_EVENT_RECORD: return "a node of the graph records an event";
        case abi::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
        case abi::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: return "a node of the graph uses a semaphore of another interface";
        case abi::CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        case abi::CU_GRAPH_NODE_TYPE_MEM_FREE: return "a node of the graph allocates or frees memory";
        case abi::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
            return "a node of the graph waits for a word of memory, or writes it";
        case abi::CU_GRAPH_NODE_TYPE_KERNEL:
        case abi::CU_GRAPH_NODE_TYPE_GRAPH:
        case abi::CU_GRAPH_NODE_TYPE_CONDITIONAL: break; // asked about elsewhere
    }
    return "a node of the graph is of a kind that is not known";
}

} // namespace detail

namespace hw {

GPUPROF_INLINE graph_kernels kernels_of_graph(abi::driver_table const& driver, abi::CUgraph graph) {
    graph_kernels all;
    auto const without = [&all](std::string_view why) {
        all.kernels.clear();
        all.unknown = why;
        return all;
    };
    if (driver.GraphGetNodes == nullptr || driver.GraphNodeGetType == nullptr ||
        driver.GraphNodeGetDependencies == nullptr || driver.GraphKernelNodeGetParams == nullptr)
        return without("the driver is older than CUDA 12.3, and does not tell the kernels of graphs");
    gpuprof::detail::graph_shape shape;
    if (!gpuprof::detail::read_shape(driver, graph, shape))
        return without("the driver did not tell the order of the graph's nodes");
    std::vector<std::size_t> const order = gpuprof::detail::running_order(shape);
    std::vector<std::size_t> place_of_kernel;
    for (std::size_t at = 0; at < order.size(); ++at) {
        abi::CUgraphNode const node = shape.nodes[order[at]];
        auto type = abi::CU_GRAPH_NODE_TYPE_CONDITIONAL;
        if (driver.GraphNodeGetType(node, &type) != abi::CUDA_SUCCESS)
            return without("the driver did not tell what the graph's nodes do");
        if (type == abi::CU_GRAPH_NODE_TYPE_GRAPH) return without("a node of the graph is itself a graph");
        if (type >= abi::CU_GRAPH_NODE_TYPE_CONDITIONAL)
            return without("a node of the graph is conditional: how often its kernels run is known on the device only");
        if (type != abi::CU_GRAPH_NODE_TYPE_KERNEL) {
            std::string_view const why = gpuprof::detail::add_words_of_node(driver, node, type, all.words);
            if (!why.empty()) all.not_repeatable = why;
            continue;
        }
        abi::CUDA_KERNEL_NODE_PARAMS given;
        if (driver.GraphKernelNodeGetParams(node, &given) != abi::CUDA_SUCCESS)
            return without("the driver did not tell the kernel of a node of the graph");
        all.kernels.push_back(gpuprof::detail::read_kernel(driver, node, given));
        place_of_kernel.push_back(at);
        if (!add_argument_words(all.kernels.back().function, given.kernelParams, given.extra, driver, all.words))
            all.not_repeatable = "the driver does not tell the parameters of the graph's kernels";
    }
    gpuprof::detail::mark_ordered(shape, order, place_of_kernel, all);
    return all;
}

GPUPROF_INLINE result<void> graph_watch::try_begin(machine const& on) {
    driver_ = &on.driver;
    constexpr callback_id heard[]{
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED},
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING},
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED},
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPH_NODE_SET_PARAMS},
        {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams},
        {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate},
        {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled},
        {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2},
        {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2},
        {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams}};
    auto begun = subscription::try_begin(on, heard, &graph_watch::called, this);
    if (!begun) return std::move(begun).error();
    calls_.emplace(*std::move(begun));
    return {};
}

GPUPROF_INLINE gpuprof::detail::shared<graph_kernels> graph_watch::find(abi::CUgraphExec executable) const {
    platform::lock const held{mutex_};
    for (entry const& each : known_)
        if (each.executable == executable) return each.kernels;
    return {};
}

GPUPROF_INLINE void graph_watch::called(void* self, callback_id id, void const* data) {
    auto& watch = *static_cast<graph_watch*>(self);
    if (id.domain == abi::CUPTI_CB_DOMAIN_DRIVER_API) {
        // Calls that change an executable, which is the first parameter of each.
        auto const& call = *static_cast<abi::CUpti_CallbackData const*>(data);
        if (call.functionParams != nullptr) watch.change(*static_cast<abi::CUgraphExec const*>(call.functionParams));
        return;
    }
    auto const& resource = *static_cast<abi::CUpti_ResourceData const*>(data);
    if (resource.resourceDescriptor == nullptr) return;
    auto const& of = *static_cast<abi::CUpti_GraphData const*>(resource.resourceDescriptor);
    if (of.graphExec == nullptr) return;
#if GPUPROF_EXCEPTIONS
    try {
#endif
        switch (id.number) {
            case abi::CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED: watch.add(of.graphExec, of.graph); break;
            case abi::CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING: watch.remove(of.graphExec); break;
            default: watch.change(of.graphExec); break;
        }
#if GPUPROF_EXCEPTIONS
    } catch (...) { // without memory it is not known
    }
#endif
}

GPUPROF_INLINE void graph_watch::add(abi::CUgraphExec executable, abi::CUgraph graph) {
    remove(executable); // handles are used again
    graph_kernels found = kernels_of_graph(*driver_, graph);
    unsigned long long flags = 0;
    if (driver_->GraphExecGetFlags != nullptr && driver_->GraphExecGetFlags(executable, &flags) == abi::CUDA_SUCCESS)
        found.device_launchable = (flags & abi::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0 ? 1 : 0;
    platform::lock const held{mutex_};
    found.number = ++count_;
    known_.push_back({executable, gpuprof::detail::shared<graph_kernels>::make(std::move(found))});
}

GPUPROF_INLINE void graph_watch::remove(abi::CUgraphExec executable) {
    platform::lock const held{mutex_};
    std::erase_if(known_, [executable](entry const& each) { return each.executable == executable; });
}

GPUPROF_INLINE void graph_watch::change(abi::CUgraphExec executable) {
    platform::lock const held{mutex_};
    for (entry& each : known_) {
        if (each.executable != executable) continue;
        graph_kernels changed;
        changed.number = ++count_;
        changed.unknown = "the executable graph was changed after it was instantiated";
        changed.device_launchable = each.kernels.get()->device_launchable;
        each.kernels = gpuprof::detail::shared<graph_kernels>::make(std::move(changed));
    }
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_GRAPH_WATCH_INL_HPP
