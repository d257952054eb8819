// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's graphs: capture, what a capture forbids, launching. The statuses are those an H200 gave
// (driver 580.159, CUDA 13.0), but for 903, 904 and 908, which are as documented.
#include <cstdint>
#include <thread>
#include <vector>

#include "support/driver_fixture.hpp"

namespace graph_test {

using namespace gpuprof::abi;

namespace {

struct capturing : embedded_context {
    capturing() {
        REQUIRE(driver.MemAlloc(&buffer, 64) == CUDA_SUCCESS);
        for (auto& stream : streams) REQUIRE(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        for (auto& event : events) REQUIRE(driver.EventCreate(&event, 0) == CUDA_SUCCESS);
    }
    void begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
        CHECK(driver.StreamBeginCapture(streams[0], mode) == CUDA_SUCCESS);
    }
    CUresult end() { return driver.StreamEndCapture(streams[0], &graph); }
    void set(CUstream stream, unsigned char value, std::size_t offset = 0) {
        CHECK(driver.MemsetD8Async(buffer + offset, value, 8, stream) == CUDA_SUCCESS);
    }
    CUstreamCaptureStatus status(CUstream stream) {
        auto now = CU_STREAM_CAPTURE_STATUS_NONE;
        CHECK(driver.StreamIsCapturing(stream, &now) == CUDA_SUCCESS);
        return now;
    }
    unsigned char byte(std::size_t at) {
        unsigned char value = 0;
        CHECK(driver.MemcpyDtoH(&value, buffer + at, 1) == CUDA_SUCCESS);
        return value;
    }
    CUdeviceptr buffer = 0;
    CUstream streams[3] = {};
    CUevent events[3] = {};
    CUgraph graph = nullptr;
};

} // namespace

TEST_CASE("captured work happens when the graph is launched, each time") {
    capturing gpu;
    auto const& driver = gpu.driver;
    unsigned char fetched[8] = {};
    int called = 0;
    gpu.begin();
    CHECK(gpu.status(gpu.streams[0]) == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    gpu.set(gpu.streams[0], 7);
    CHECK(driver.MemcpyDtoHAsync(fetched, gpu.buffer, 8, gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(driver.LaunchHostFunc(
              gpu.streams[0], [](void* n) { ++*static_cast<int*>(n); }, &called) == CUDA_SUCCESS);
    REQUIRE(gpu.end() == CUDA_SUCCESS);
    CHECK(gpu.status(gpu.streams[0]) == CU_STREAM_CAPTURE_STATUS_NONE);
    CHECK(gpu.byte(0) == 0);
    CHECK(fetched[0] == 0);
    CHECK(called == 0);

    std::size_t count = 0;
    CHECK(driver.GraphGetNodes(gpu.graph, nullptr, &count) == CUDA_SUCCESS);
    CHECK(count == 3);
    CUgraphNode nodes[4] = {};
    count = 4;
    CHECK(driver.GraphGetNodes(gpu.graph, nodes, &count) == CUDA_SUCCESS);
    CHECK(count == 3);
    CHECK((nodes[0] != nullptr && nodes[0] != nodes[1] && nodes[1] != nodes[2]));
    CHECK(nodes[3] == nullptr);

    CUgraphExec executable = nullptr;
    REQUIRE(driver.GraphInstantiateWithFlags(&executable, gpu.graph, 0) == CUDA_SUCCESS);
    CHECK(driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS); // the executable stays
    CHECK(driver.GraphLaunch(executable, gpu.streams[1]) == CUDA_SUCCESS);
    CHECK(driver.GraphLaunch(executable, nullptr) == CUDA_SUCCESS);
    CHECK(fetched[7] == 7);
    CHECK(called == 2);
    CHECK(driver.GraphExecDestroy(executable) == CUDA_SUCCESS);
    CHECK(driver.GraphLaunch(executable, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.GraphDestroy(gpu.graph) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("streams join a capture through events and leave it the same way") {
    capturing gpu;
    auto const& driver = gpu.driver;
    gpu.begin();
    gpu.set(gpu.streams[0], 1);
    CHECK(driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(driver.StreamWaitEvent(gpu.streams[1], gpu.events[0], 0) == CUDA_SUCCESS);
    CHECK(gpu.status(gpu.streams[1]) == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    gpu.set(gpu.streams[1], 2, 8);
    SUBCASE("joined again: a graph") {
        CHECK(driver.EventRecord(gpu.events[1], gpu.streams[1]) == CUDA_SUCCESS);
        CHECK(driver.StreamWaitEvent(gpu.streams[0], gpu.events[1], 0) == CUDA_SUCCESS);
        REQUIRE(gpu.end() == CUDA_SUCCESS);
        CHECK(gpu.status(gpu.streams[1]) == CU_STREAM_CAPTURE_STATUS_NONE);
        CUgraphExec executable = nullptr;
        REQUIRE(driver.GraphInstantiateWithFlags(&executable, gpu.graph, 0) == CUDA_SUCCESS);
        CHECK(driver.GraphLaunch(executable, gpu.streams[0]) == CUDA_SUCCESS);
        CHECK(gpu.byte(0) == 1);
        CHECK(gpu.byte(8) == 2);
    }
    SUBCASE("not joined: an error") {
        CHECK(gpu.end() == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
        CHECK(gpu.graph == nullptr);
        CHECK(gpu.status(gpu.streams[1]) == CU_STREAM_CAPTURE_STATUS_NONE);
    }
    SUBCASE("ended by another stream: an error") {
        CHECK(driver.StreamEndCapture(gpu.streams[1], &gpu.graph) == CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
        CHECK(gpu.end() == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    }
}

TEST_CASE("branches of a graph overlap in simulated time") {
    capturing gpu;
    auto const& driver = gpu.driver;
    std::vector<unsigned char> host(512'000);
    CUdeviceptr big = 0;
    REQUIRE(driver.MemAlloc(&big, host.size()) == CUDA_SUCCESS);
    gpu.begin();
    CHECK(driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(driver.StreamWaitEvent(gpu.streams[1], gpu.events[0], 0) == CUDA_SUCCESS);
    CHECK(driver.MemcpyHtoDAsync(big, host.data(), host.size(), gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(driver.MemcpyDtoHAsync(host.data(), big, host.size(), gpu.streams[1]) == CUDA_SUCCESS);
    CHECK(driver.EventRecord(gpu.events[1], gpu.streams[1]) == CUDA_SUCCESS);
    CHECK(driver.StreamWaitEvent(gpu.streams[0], gpu.events[1], 0) == CUDA_SUCCESS);
    REQUIRE(gpu.end() == CUDA_SUCCESS);
    CUgraphExec executable = nullptr;
    REQUIRE(driver.GraphInstantiateWithFlags(&executable, gpu.graph, 0) == CUDA_SUCCESS);
    CHECK(driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(driver.GraphLaunch(executable, gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(driver.EventRecord(gpu.events[1], gpu.streams[0]) == CUDA_SUCCESS);
    float ms = 0;
    CHECK(driver.EventElapsedTime(&ms, gpu.events[0], gpu.events[1]) == CUDA_SUCCESS);
    CHECK(ms == doctest::Approx((1000 + 512'000 / 51.2) * 1e-6).epsilon(1e-4)); // one copy's time, not two
}

TEST_CASE("what a capture forbids fails and spoils the capture") {
    capturing gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr address = 0;
    gpu.begin();
    SUBCASE("waiting for the captured stream") {
        CHECK(driver.StreamSynchronize(gpu.streams[0]) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    SUBCASE("asking about it") { CHECK(driver.StreamQuery(gpu.streams[0]) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }
    SUBCASE("waiting for everything") { CHECK(driver.CtxSynchronize() == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }
    SUBCASE("allocating") { CHECK(driver.MemAlloc(&address, 8) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }
    SUBCASE("waiting for an event from outside") {
        CHECK(driver.EventRecord(gpu.events[0], gpu.streams[1]) == CUDA_SUCCESS);
        CHECK(driver.StreamWaitEvent(gpu.streams[0], gpu.events[1], 0) == CUDA_SUCCESS); // never recorded
        CHECK(driver.StreamWaitEvent(gpu.streams[0], gpu.events[0], 0) == CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    }
    SUBCASE("freeing") { CHECK(driver.MemFree(gpu.buffer) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }
    SUBCASE("asking about another stream") {
        CHECK(driver.StreamQuery(gpu.streams[1]) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    SUBCASE("making the default stream wait for it") {
        CHECK(driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
        CHECK(driver.StreamWaitEvent(nullptr, gpu.events[0], 0) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    }
    SUBCASE("merging it with another capture") {
        CHECK(driver.StreamBeginCapture(gpu.streams[1], CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
        CHECK(driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
        CHECK(driver.StreamWaitEvent(gpu.streams[1], gpu.events[0], 0) == CUDA_ERROR_STREAM_CAPTURE_MERGE);
        CHECK(driver.StreamEndCapture(gpu.streams[1], &gpu.graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    SUBCASE("asking about an event in it") {
        CHECK(driver.EventRecord(gpu.events[0], gpu.streams[0]) == CUDA_SUCCESS);
        CHECK(driver.EventQuery(gpu.events[0]) == CUDA_ERROR_CAPTURED_EVENT);
        CHECK(driver.EventSynchronize(gpu.events[0]) == CUDA_ERROR_INVALID_VALUE);
        CHECK(driver.StreamWaitEvent(gpu.streams[1], gpu.events[0], 0) == CUDA_ERROR_INVALID_VALUE);
    }
    CHECK(gpu.status(gpu.streams[0]) == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    CHECK(driver.MemsetD8Async(gpu.buffer, 1, 8, gpu.streams[0]) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK(gpu.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK(gpu.graph == nullptr);
    gpu.set(gpu.streams[0], 5); // the stream is itself again
    CHECK(gpu.byte(0) == 5);
}

TEST_CASE("the default stream is out of bounds while a blocking stream is captured, and cannot be captured") {
    capturing gpu;
    auto const& driver = gpu.driver;
    CHECK(driver.StreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUstream blocking = nullptr;
    REQUIRE(driver.StreamCreate(&blocking, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
    CHECK(driver.StreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    auto status = CU_STREAM_CAPTURE_STATUS_NONE;
    CHECK(driver.StreamIsCapturing(nullptr, &status) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT); // harmless
    CHECK(driver.StreamEndCapture(blocking, &gpu.graph) == CUDA_SUCCESS);
    CHECK(driver.StreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    CHECK(driver.MemsetD8(gpu.buffer, 1, 1) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    CHECK(driver.StreamEndCapture(blocking, &gpu.graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    gpu.begin(); // non-blocking: the default stream does not mind
    CHECK(driver.MemsetD8(gpu.buffer, 1, 1) == CUDA_SUCCESS);
    CHECK(gpu.end() == CUDA_SUCCESS);
}

TEST_CASE("modes: a relaxed capture lets its thread allocate, a thread's own lets others") {
    capturing gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr address = 0;
    SUBCASE("relaxed") {
        gpu.begin(CU_STREAM_CAPTURE_MODE_RELAXED);
        CHECK(driver.MemAlloc(&address, 8) == CUDA_SUCCESS);
    }
    SUBCASE("thread-local") {
        gpu.begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
        std::thread{[&] {
            CHECK(driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
            CHECK(driver.MemAlloc(&address, 8) == CUDA_SUCCESS);
            CHECK(gpu.end() == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
        }}.join();
    }
    CHECK(gpu.end() == CUDA_SUCCESS);
}

TEST_CASE("captures begin and end once") {
    capturing gpu;
    CHECK(gpu.end() == CUDA_ERROR_ILLEGAL_STATE);
    gpu.begin();
    CHECK(gpu.driver.StreamBeginCapture(gpu.streams[0], CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_ERROR_ILLEGAL_STATE);
    CHECK(gpu.end() == CUDA_SUCCESS);
    std::size_t count = 99;
    CHECK(gpu.driver.GraphGetNodes(gpu.graph, nullptr, &count) == CUDA_SUCCESS);
    CHECK(count == 0);
}

TEST_CASE("a graph that uses memory freed since is an error when launched") {
    capturing gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr short_lived = 0;
    REQUIRE(driver.MemAlloc(&short_lived, 8) == CUDA_SUCCESS);
    gpu.begin();
    CHECK(driver.MemsetD8Async(short_lived, 1, 8, gpu.streams[0]) == CUDA_SUCCESS);
    REQUIRE(gpu.end() == CUDA_SUCCESS);
    CHECK(driver.MemFree(short_lived) == CUDA_SUCCESS);
    CUgraphExec executable = nullptr;
    REQUIRE(driver.GraphInstantiateWithFlags(&executable, gpu.graph, 0) == CUDA_SUCCESS);
    CHECK(driver.GraphLaunch(executable, gpu.streams[0]) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.CtxSynchronize() == CUDA_SUCCESS); // the context is not lost by it
}

} // namespace graph_test
