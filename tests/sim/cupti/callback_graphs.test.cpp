// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what the embedded CUPTI tells of graphs: CUPTI 12.0, 2.3.5; a node is told of between the entry and the exit of the
// call that is captured (CUPTI 12.0, release notes), a clone with the node that it was made from.
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/driver_kernels.hpp"
#include "support/heard_callbacks.hpp"

namespace callback_graphs_test {

using namespace gpuprof::abi;
using texts = std::vector<std::string>;

namespace {

// Two streams, a buffer and an event for captures.
struct capturing : with_kernels {
    capturing() {
        to = buffer(64);
        for (auto& stream : streams) REQUIRE(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        for (auto& event : events) REQUIRE(driver.EventCreate(&event, 0) == CUDA_SUCCESS);
        empty = kernel("empty");
    }
    CUresult begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
        return driver.StreamBeginCapture(streams[0], mode);
    }
    CUresult set(CUstream stream) { return driver.MemsetD8Async(to, 1, 8, stream); }
    CUresult run(CUstream stream) { return driver.LaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr); }
    CUresult end() { return driver.StreamEndCapture(streams[0], &graph); }
    CUdeviceptr to = 0;
    CUstream streams[2] = {};
    CUevent events[2] = {};
    CUfunction empty = nullptr;
    CUgraph graph = nullptr;
};

// What is heard with these ids.
std::vector<heard_callback> with_id(heard_callbacks const& heard, CUpti_CallbackIdResource id) {
    std::vector<heard_callback> found;
    for (auto const& each : heard.all)
        if (each.domain == CUPTI_CB_DOMAIN_RESOURCE && each.id == id) found.push_back(each);
    return found;
}

std::uint64_t node_id(CUgraphNode node) {
    std::uint64_t id = 0;
    CHECK(gpuprof::sim::embedded_machine().cupti.GetGraphNodeId(node, &id) == CUPTI_SUCCESS);
    return id;
}

} // namespace

TEST_CASE("callback graphs: each captured call makes its node known before it returns") {
    capturing gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_DRIVER_API);
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    unsigned char fetched[8] = {};
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.set(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.driver.MemcpyDtoHAsync(fetched, gpu.to, 8, gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.driver.LaunchHostFunc(
              gpu.streams[0], [](void*) {}, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
    CHECK(heard.texts() == texts{"enter cuStreamBeginCapture_v2",
                                 "resource 9",
                                 "exit cuStreamBeginCapture_v2 0",
                                 "enter cuMemsetD8Async",
                                 "resource 12",
                                 "resource 13",
                                 "exit cuMemsetD8Async 0",
                                 "enter cuLaunchKernel",
                                 "resource 12",
                                 "resource 13",
                                 "resource 15",
                                 "exit cuLaunchKernel 0",
                                 "enter cuMemcpyDtoHAsync_v2",
                                 "resource 12",
                                 "resource 13",
                                 "resource 15",
                                 "exit cuMemcpyDtoHAsync_v2 0",
                                 "enter cuLaunchHostFunc",
                                 "resource 12",
                                 "resource 13",
                                 "resource 15",
                                 "exit cuLaunchHostFunc 0",
                                 "enter cuStreamEndCapture",
                                 "exit cuStreamEndCapture 0"});

    // The graph has its handle from the beginning; the nodes are those that the driver tells, in order.
    CUgraphNode nodes[4] = {};
    std::size_t count = 4;
    REQUIRE(gpu.driver.GraphGetNodes(gpu.graph, nodes, &count) == CUDA_SUCCESS);
    REQUIRE(count == 4);
    auto const graphs = with_id(heard, CUPTI_CBID_RESOURCE_GRAPH_CREATED);
    REQUIRE(graphs.size() == 1);
    CHECK(graphs[0].graph.graph == gpu.graph);
    auto const starting = with_id(heard, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING);
    auto const created = with_id(heard, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
    REQUIRE(starting.size() == 4);
    REQUIRE(created.size() == 4);
    unsigned const types[] = {2, 0, 1, 3}; // CU_GRAPH_NODE_TYPE_MEMSET, _KERNEL, _MEMCPY, _HOST
    std::set<std::uint64_t> ids;
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(created[i].graph.graph == gpu.graph);
        CHECK(created[i].graph.node == nodes[i]);
        CHECK(created[i].graph.nodeType == types[i]);
        CHECK(created[i].context == gpu.handle);
        CHECK(starting[i].graph.node == nullptr); // there is none yet
        CHECK(starting[i].graph.nodeType == types[i]);
        ids.insert(node_id(nodes[i]));
    }
    CHECK(ids.size() == 4);
    auto const edges = with_id(heard, CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED);
    REQUIRE(edges.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(edges[i].graph.node == nodes[i + 1]);
        CHECK(edges[i].graph.dependency == nodes[i]);
    }
    CHECK(gpu.driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS);
}

TEST_CASE("callback graphs: a node that follows two others has two dependencies") {
    capturing gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamWaitEvent(gpu.streams[1], gpu.events[0], 0) == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[1]) == CUDA_SUCCESS);
    CHECK(gpu.driver.EventRecord(gpu.events[1], gpu.streams[1]) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamWaitEvent(gpu.streams[0], gpu.events[1], 0) == CUDA_SUCCESS);
    CHECK(gpu.set(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
    auto const created = with_id(heard, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
    auto const edges = with_id(heard, CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED);
    REQUIRE(created.size() == 3);
    REQUIRE(edges.size() == 2);
    CHECK(edges[0].graph.node == created[2].graph.node);
    CHECK(edges[1].graph.node == created[2].graph.node);
    CHECK(edges[0].graph.dependency == created[0].graph.node);
    CHECK(edges[1].graph.dependency == created[1].graph.node);
    heard.end();
    CHECK(gpu.driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS);
}

TEST_CASE("callback graphs: an executable's nodes are clones with ids of their own") {
    capturing gpu;
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.set(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
    CUgraphNode nodes[2] = {};
    std::size_t count = 2;
    REQUIRE(gpu.driver.GraphGetNodes(gpu.graph, nodes, &count) == CUDA_SUCCESS);

    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    CUgraphExec executables[2] = {};
    std::set<std::uint64_t> ids{node_id(nodes[0]), node_id(nodes[1])};
    for (auto& executable : executables) {
        heard.all.clear();
        REQUIRE(gpu.driver.GraphInstantiateWithFlags(&executable, gpu.graph, 0) == CUDA_SUCCESS);
        REQUIRE(heard.texts() == texts{"resource 17", "resource 20", "resource 20", "resource 18"});
        CHECK(heard.all[0].graph.graph == gpu.graph);
        CHECK(heard.all[0].graph.graphExec == nullptr);
        for (std::size_t i = 0; i < 2; ++i) {
            auto const& clone = heard.all[1 + i].graph;
            CHECK(clone.originalNode == nodes[i]);
            CHECK(clone.nodeType == (i == 0 ? 2 : 0));
            CHECK(clone.graphExec == executable);
            ids.insert(node_id(clone.node));
        }
        CHECK(heard.all[3].graph.graph == gpu.graph);
        CHECK(heard.all[3].graph.graphExec == executable);
    }
    CHECK(ids.size() == 6);

    heard.all.clear();
    CHECK(gpu.driver.GraphLaunch(executables[0], gpu.streams[0]) == CUDA_SUCCESS); // makes nothing
    CHECK(heard.all.empty());
    CHECK(gpu.driver.GraphExecDestroy(executables[0]) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 19", "resource 14", "resource 14"});
    CHECK(heard.all[0].graph.graphExec == executables[0]);
    CHECK(heard.all[1].graph.graphExec == executables[0]);
    CHECK(gpu.driver.GraphExecDestroy(executables[0]) == CUDA_ERROR_INVALID_VALUE);
    CHECK(heard.all.size() == 3);

    heard.all.clear();
    CHECK(gpu.driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 10", "resource 14", "resource 14"});
    CHECK(heard.all[0].graph.graph == gpu.graph);
    CHECK(heard.all[1].graph.node == nodes[0]);
    CHECK(heard.all[2].graph.node == nodes[1]);
    CHECK(gpu.driver.GraphDestroy(gpu.graph) == CUDA_ERROR_INVALID_VALUE);
    CHECK(heard.all.size() == 3);
    heard.end();
    CHECK(gpu.driver.GraphExecDestroy(executables[1]) == CUDA_SUCCESS);
}

TEST_CASE("callback graphs: the id of a node and of its graph can be asked for where the node is told of") {
    capturing gpu;
    struct asking {
        std::vector<std::uint64_t> nodes;
        std::vector<std::uint32_t> graphs;
    } asking;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    heard.inside_self = &asking;
    heard.inside = [](void* self, heard_callback const& told) {
        auto& by = *static_cast<struct asking*>(self);
        auto const& cupti = gpuprof::sim::embedded_machine().cupti;
        if (told.id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED || told.id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
            by.nodes.push_back(node_id(told.graph.node));
        std::uint32_t id = 0;
        if (told.id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED) {
            CHECK(cupti.GetGraphExecId(told.graph.graphExec, &id) == CUPTI_SUCCESS);
            by.graphs.push_back(id);
        }
        if (told.id == CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING) {
            CHECK(cupti.GetGraphId(told.graph.graph, &id) == CUPTI_SUCCESS);
            by.graphs.push_back(id);
        }
    };
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
    CUgraphExec executable = nullptr;
    REQUIRE(gpu.driver.GraphInstantiateWithFlags(&executable, gpu.graph, 0) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphExecDestroy(executable) == CUDA_SUCCESS);
    REQUIRE(asking.nodes.size() == 2);
    CHECK(asking.nodes[0] != asking.nodes[1]);
    REQUIRE(asking.graphs.size() == 2);
    CHECK(asking.graphs[0] != asking.graphs[1]);
}

TEST_CASE("callback graphs: a graph that is launched into a capture gives it nodes of its own") {
    capturing gpu;
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.set(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
    CUgraph const child = gpu.graph;
    CUgraphExec executable = nullptr;
    REQUIRE(gpu.driver.GraphInstantiateWithFlags(&executable, child, 0) == CUDA_SUCCESS);
    heard_callbacks heard;
    CHECK(gpu.begin() == CUDA_SUCCESS);
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    CHECK(gpu.driver.GraphLaunch(executable, gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(heard.texts() == texts{"resource 12", "resource 13", "resource 12", "resource 13", "resource 15"});
    heard.end();
    CHECK(gpu.end() == CUDA_SUCCESS);
    for (CUgraph const graph : {child, gpu.graph}) CHECK(gpu.driver.GraphDestroy(graph) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphExecDestroy(executable) == CUDA_SUCCESS);
}

TEST_CASE("callback graphs: nodes are told on the thread that captures") {
    capturing gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    CHECK(gpu.begin(CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    std::thread::id other;
    std::thread{[&] {
        other = std::this_thread::get_id();
        CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
        CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    }}.join();
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
    heard.end();
    auto const created = with_id(heard, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
    REQUIRE(created.size() == 2);
    CHECK(created[0].thread == other);
    CHECK(created[1].thread == std::this_thread::get_id());
    CHECK(gpu.driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS);
}

TEST_CASE("callback graphs: a capture that fails destroys what it made") {
    capturing gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.run(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); // spoils it
    CHECK(gpu.run(gpu.streams[0]) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);     // makes no node
    CHECK(gpu.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    REQUIRE(heard.texts() == texts{"resource 9", "resource 12", "resource 13", "resource 10", "resource 14"});
    CHECK(heard.all[3].graph.graph == heard.all[0].graph.graph);
    CHECK(heard.all[4].graph.node == heard.all[2].graph.node);

    heard.all.clear(); // so does a capture whose stream goes away
    CHECK(gpu.begin() == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamDestroy(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(heard.texts() == texts{"resource 9", "resource 4", "resource 10"});
}

TEST_CASE("callback graphs: an executable is about to be made when that is told, and made when its nodes are") {
    capturing gpu;
    CUgraph graph = nullptr;
    REQUIRE(gpu.driver.GraphCreate(&graph, 0) == CUDA_SUCCESS);
    struct seen {
        CUgraphExec executable = nullptr;
        std::vector<bool> is_made;
        static void hear(void* self, CUpti_CallbackDomain, CUpti_CallbackId id, void const*) {
            auto& mine = *static_cast<seen*>(self);
            if (id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING || id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED)
                mine.is_made.push_back(mine.executable != nullptr);
        }
    } of;
    auto const& cupti = gpuprof::sim::embedded_machine().cupti;
    CUpti_SubscriberHandle subscriber = nullptr;
    REQUIRE(cupti.Subscribe(&subscriber, &seen::hear, &of) == CUPTI_SUCCESS);
    CHECK(cupti.EnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE) == CUPTI_SUCCESS);
    CHECK(gpu.driver.GraphInstantiateWithFlags(&of.executable, graph, 0) == CUDA_SUCCESS);
    CHECK(cupti.Unsubscribe(subscriber) == CUPTI_SUCCESS);
    CHECK(of.is_made == std::vector<bool>{false, true});
    CHECK(gpu.driver.GraphExecDestroy(of.executable) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphDestroy(graph) == CUDA_SUCCESS);
}

TEST_CASE("callback graphs: an empty graph is told of, too") {
    capturing gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    CUgraph empty = nullptr;
    CUgraphExec executable = nullptr;
    REQUIRE(gpu.driver.GraphCreate(&empty, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.GraphInstantiateWithFlags(&executable, empty, 0) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphExecDestroy(executable) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphDestroy(empty) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 9", "resource 17", "resource 18", "resource 19", "resource 10"});
    CHECK(heard.all[0].graph.graph == empty);
    CHECK(heard.all[4].graph.graph == empty);
}

} // namespace callback_graphs_test
