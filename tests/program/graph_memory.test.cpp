// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs for memory and events, in the CUDA runtime over the embedded GPU.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime_calls.hpp"

namespace graph_memory_test {

struct allocation_parameters { // cudaMemAllocNodeParams
    struct {
        int type = 1, handle_types = 0, location_type = 1, location = 0;
        void* security = nullptr;
        std::size_t most = 0;
        unsigned short usage = 0;
        unsigned char reserved[54] = {};
    } pool;
    void const* access = nullptr;
    std::size_t access_count = 0;
    std::size_t bytes = 0;
    void* pointer = nullptr;
};
struct any_parameters { // cudaGraphNodeParams
    int type = 0;
    int reserved[3] = {};
    union {
        long long bytes[29] = {};
        fill_node_parameters fill;
        event which;
    };
    long long reserved_2 = 0;
};

extern "C" {
int cudaGraphAddMemAllocNode(graph_node* made, graph to, graph_node const* after, std::size_t count,
                             allocation_parameters* parameters);
int cudaGraphAddMemFreeNode(graph_node* made, graph to, graph_node const* after, std::size_t count, void* pointer);
int cudaGraphAddEventRecordNode(graph_node* made, graph to, graph_node const* after, std::size_t count, event which);
int cudaGraphAddNode(graph_node* made, graph to, graph_node const* after, void const* edges, std::size_t count,
                     any_parameters* parameters);
int cudaGraphMemFreeNodeGetParams(graph_node node, void* pointer);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, stream in);
int cudaStreamWaitEvent(stream in, event which, unsigned flags);
int cudaDeviceGetGraphMemAttribute(int device, int which, void* value);
}

TEST_CASE("a graph allocates memory, fills it, copies it out and frees it") {
    graph made = nullptr;
    REQUIRE(cudaGraphCreate(&made, 0) == 0);
    graph_node allocates = nullptr, fills = nullptr, copies = nullptr, frees = nullptr;
    allocation_parameters memory;
    memory.bytes = 64;
    REQUIRE(cudaGraphAddMemAllocNode(&allocates, made, nullptr, 0, &memory) == 0);
    REQUIRE(memory.pointer != nullptr);
    any_parameters fill;
    fill.type = 2;
    fill.fill = {memory.pointer, 0, 7, 4, 16, 1};
    REQUIRE(cudaGraphAddNode(&fills, made, &allocates, nullptr, 1, &fill) == 0);
    std::vector<std::uint32_t> got(16);
    REQUIRE(cudaGraphAddMemcpyNode1D(&copies, made, &fills, 1, got.data(), memory.pointer, 64, device_to_host) == 0);
    REQUIRE(cudaGraphAddMemFreeNode(&frees, made, &copies, 1, memory.pointer) == 0);
    int type = 0;
    CHECK(cudaGraphNodeGetType(allocates, &type) == 0);
    CHECK(type == 10);
    CHECK(cudaGraphNodeGetType(frees, &type) == 0);
    CHECK(type == 11);
    void* freed = nullptr;
    CHECK(cudaGraphMemFreeNodeGetParams(frees, &freed) == 0);
    CHECK(freed == memory.pointer);
    graph_executable runs = nullptr;
    REQUIRE(cudaGraphInstantiate(&runs, made, 0) == 0);
    std::uint64_t used = 1;
    for (int launch = 0; launch < 2; ++launch) {
        got.assign(16, 0);
        CHECK(cudaGraphLaunch(runs, nullptr) == 0);
        CHECK(got == std::vector<std::uint32_t>(16, 7));
        CHECK(cudaDeviceGetGraphMemAttribute(0, 0, &used) == 0);
        CHECK(used == 0);
    }
    CHECK(cudaGraphExecDestroy(runs) == 0);
    CHECK(cudaGraphDestroy(made) == 0);
}

TEST_CASE("memory that is allocated while a stream is captured becomes a node, and is in use until it is freed") {
    stream captured = nullptr;
    REQUIRE(cudaStreamCreate(&captured) == 0);
    REQUIRE(cudaStreamBeginCapture(captured, 0) == 0);
    void* memory = nullptr;
    CHECK(cudaMallocAsync(&memory, 128, captured) == 0);
    graph made = nullptr;
    REQUIRE(cudaStreamEndCapture(captured, &made) == 0);
    graph_executable runs = nullptr;
    REQUIRE(cudaGraphInstantiate(&runs, made, 0) == 0);
    std::uint64_t used = 1;
    CHECK(cudaDeviceGetGraphMemAttribute(0, 0, &used) == 0);
    CHECK(used == 0);
    CHECK(cudaGraphLaunch(runs, captured) == 0);
    CHECK(cudaDeviceGetGraphMemAttribute(0, 0, &used) == 0);
    CHECK(used == 128);
    CHECK(cudaFree(memory) == 0);
    CHECK(cudaDeviceGetGraphMemAttribute(0, 0, &used) == 0);
    CHECK(used == 0);
    CHECK(cudaDeviceGetGraphMemAttribute(0, 1, &used) == 801); // the most that there was
    CHECK(cudaGraphExecDestroy(runs) == 0);
    CHECK(cudaGraphDestroy(made) == 0);
    CHECK(cudaStreamDestroy(captured) == 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a stream that was captured along and has joined again may be destroyed, one that has not spoils the graph") {
    for (bool const joins : {true, false}) {
        stream origin = nullptr, other = nullptr;
        event forks = nullptr, joined = nullptr;
        void* memory = nullptr;
        REQUIRE(cudaStreamCreate(&origin) == 0);
        REQUIRE(cudaStreamCreate(&other) == 0);
        REQUIRE(cudaEventCreate(&forks) == 0);
        REQUIRE(cudaEventCreate(&joined) == 0);
        REQUIRE(cudaMalloc(&memory, 64) == 0);
        REQUIRE(cudaStreamBeginCapture(origin, 0) == 0);
        CHECK(cudaMemsetAsync(memory, 1, 64, origin) == 0);
        CHECK(cudaEventRecord(forks, origin) == 0);
        CHECK(cudaStreamWaitEvent(other, forks, 0) == 0);
        CHECK(cudaMemsetAsync(memory, 2, 32, other) == 0);
        CHECK(cudaEventRecord(joined, other) == 0);
        if (joins) CHECK(cudaStreamWaitEvent(origin, joined, 0) == 0);
        CHECK(cudaStreamDestroy(other) == 0);
        graph made = nullptr;
        CHECK(cudaStreamEndCapture(origin, &made) == (joins ? 0 : 904)); // cudaErrorStreamCaptureUnjoined
        if (made != nullptr) CHECK(cudaGraphDestroy(made) == 0);
        CHECK(cudaStreamDestroy(origin) == 0);
        CHECK(cudaEventDestroy(forks) == 0);
        CHECK(cudaEventDestroy(joined) == 0);
        CHECK(cudaFree(memory) == 0);
    }
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a node records an event, and one for a semaphore is refused") {
    graph made = nullptr;
    event before = nullptr, after = nullptr;
    REQUIRE(cudaGraphCreate(&made, 0) == 0);
    REQUIRE(cudaEventCreate(&before) == 0);
    REQUIRE(cudaEventCreate(&after) == 0);
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 1 << 20) == 0);
    graph_node first = nullptr, fills = nullptr, last = nullptr;
    REQUIRE(cudaGraphAddEventRecordNode(&first, made, nullptr, 0, before) == 0);
    fill_node_parameters const fill{memory, 0, 0, 1, 1 << 20, 1};
    REQUIRE(cudaGraphAddMemsetNode(&fills, made, &first, 1, &fill) == 0);
    any_parameters record;
    record.type = 7;
    record.which = after;
    REQUIRE(cudaGraphAddNode(&last, made, &fills, nullptr, 1, &record) == 0);
    graph_executable runs = nullptr;
    REQUIRE(cudaGraphInstantiate(&runs, made, 0) == 0);
    REQUIRE(cudaGraphLaunch(runs, nullptr) == 0);
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, before, after) == 0);
    CHECK(milliseconds > 0); // the fill lies between
    any_parameters semaphore;
    semaphore.type = 8;
    CHECK(cudaGraphAddNode(&last, made, nullptr, nullptr, 0, &semaphore) == 801);
    CHECK(cudaGraphExecDestroy(runs) == 0);
    CHECK(cudaGraphDestroy(made) == 0);
    CHECK(cudaEventDestroy(before) == 0);
    CHECK(cudaEventDestroy(after) == 0);
    CHECK(cudaFree(memory) == 0);
    static_cast<void>(cudaGetLastError());
}

} // namespace graph_memory_test
