// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's streams and events: order, simulated time, host functions.
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "support/driver_fixture.hpp"

namespace stream_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

// A copy to GH100 takes a microsecond, and a nanosecond for each 51.2 bytes (PCIe 5, 16 lanes, 80 %).
constexpr std::size_t copy_bytes = 512'000;
constexpr double copy_ms = (1000 + 512'000 / 51.2) * 1e-6;

struct timed : embedded_context {
    timed() : host(copy_bytes) {
        REQUIRE(driver.MemAlloc(&buffer, copy_bytes) == CUDA_SUCCESS);
        for (auto& event : events) REQUIRE(driver.EventCreate(&event, 0) == CUDA_SUCCESS);
        for (auto& stream : streams) REQUIRE(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    }
    void send(CUstream stream) {
        CHECK(driver.MemcpyHtoDAsync(buffer, host.data(), copy_bytes, stream) == CUDA_SUCCESS);
    }
    void fetch(CUstream stream) {
        CHECK(driver.MemcpyDtoHAsync(host.data(), buffer, copy_bytes, stream) == CUDA_SUCCESS);
    }
    void record(int event, CUstream stream) { CHECK(driver.EventRecord(events[event], stream) == CUDA_SUCCESS); }
    double between(int from, int to) {
        float ms = -1;
        CHECK(driver.EventElapsedTime(&ms, events[from], events[to]) == CUDA_SUCCESS);
        return ms;
    }
    std::vector<unsigned char> host;
    CUdeviceptr buffer = 0;
    CUevent events[4] = {};
    CUstream streams[2] = {};
};

doctest::Approx about(double ms) { return doctest::Approx(ms).epsilon(1e-4); }

} // namespace

TEST_CASE("events measure the modelled time of what is between them") {
    timed gpu;
    gpu.record(0, gpu.streams[0]);
    gpu.record(1, gpu.streams[0]);
    gpu.send(gpu.streams[0]);
    gpu.record(2, gpu.streams[0]);
    CHECK(gpu.between(0, 1) == 0);
    CHECK(gpu.between(0, 2) == about(copy_ms));
    CHECK(gpu.between(2, 0) == about(-copy_ms));
}

TEST_CASE("the same calls take the same simulated time whenever they are made") {
    double first = 0;
    for (int run = 0; run < 2; ++run) {
        timed gpu;
        gpu.record(0, gpu.streams[0]);
        for (int i = 0; i < 5; ++i) gpu.send(gpu.streams[0]);
        if (run == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gpu.record(1, gpu.streams[0]);
        if (run == 0) first = gpu.between(0, 1);
        else CHECK(gpu.between(0, 1) == first);
    }
}

TEST_CASE("copies of both directions overlap in two streams, copies of one take turns") {
    timed gpu;
    gpu.record(0, gpu.streams[0]);
    gpu.send(gpu.streams[0]);
    gpu.fetch(gpu.streams[1]);
    gpu.record(1, gpu.streams[1]);
    gpu.send(gpu.streams[1]);
    gpu.record(2, gpu.streams[1]);
    gpu.send(gpu.streams[0]);
    gpu.record(3, gpu.streams[0]);
    CHECK(gpu.between(0, 1) == about(copy_ms));
    CHECK(gpu.between(0, 2) == about(2 * copy_ms));
    CHECK(gpu.between(0, 3) == about(3 * copy_ms)); // the engine was busy with the other stream
}

TEST_CASE("a stream that waits for an event goes on after it") {
    timed gpu;
    gpu.record(0, gpu.streams[1]);
    gpu.send(gpu.streams[0]);
    gpu.record(1, gpu.streams[0]);
    CHECK(gpu.driver.StreamWaitEvent(gpu.streams[1], gpu.events[1], 0) == CUDA_SUCCESS);
    gpu.fetch(gpu.streams[1]);
    gpu.record(2, gpu.streams[1]);
    CHECK(gpu.between(0, 2) == about(2 * copy_ms));
    CHECK(gpu.driver.StreamWaitEvent(gpu.streams[1], gpu.events[3], 0) == CUDA_SUCCESS); // never recorded: nothing
    CHECK(gpu.driver.StreamWaitEvent(gpu.streams[1], gpu.events[1], 8) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("the default stream waits for blocking streams and they for it") {
    timed gpu;
    CUstream blocking = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&blocking, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
    gpu.record(0, nullptr);
    gpu.send(blocking);
    gpu.fetch(nullptr); // after the copy in `blocking`
    gpu.record(1, nullptr);
    gpu.record(2, blocking);       // after the default stream
    gpu.record(3, gpu.streams[0]); // non-blocking: after nothing
    CHECK(gpu.between(0, 1) == about(2 * copy_ms));
    CHECK(gpu.between(0, 2) == about(2 * copy_ms));
    CHECK(gpu.between(0, 3) == 0);
}

TEST_CASE("work given after a wait begins after what was waited for") {
    timed gpu;
    gpu.record(0, gpu.streams[0]);
    gpu.send(gpu.streams[0]);
    CHECK(gpu.driver.StreamSynchronize(gpu.streams[0]) == CUDA_SUCCESS);
    gpu.fetch(gpu.streams[1]);
    gpu.record(1, gpu.streams[1]);
    CHECK(gpu.between(0, 1) == about(2 * copy_ms));
}

TEST_CASE("events without time, not recorded, or destroyed give no elapsed time") {
    timed gpu;
    float ms = 0;
    gpu.record(0, nullptr);
    CHECK(gpu.driver.EventElapsedTime(&ms, gpu.events[0], gpu.events[1]) == CUDA_ERROR_INVALID_HANDLE);
    CUevent untimed = nullptr;
    REQUIRE(gpu.driver.EventCreate(&untimed, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS);
    CHECK(gpu.driver.EventRecord(untimed, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.EventElapsedTime(&ms, gpu.events[0], untimed) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.EventQuery(untimed) == CUDA_SUCCESS);
    CHECK(gpu.driver.EventSynchronize(untimed) == CUDA_SUCCESS);
    CHECK(gpu.driver.EventDestroy(untimed) == CUDA_SUCCESS);
    CHECK(gpu.driver.EventDestroy(untimed) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.EventRecord(untimed, nullptr) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.EventQuery(untimed) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.EventCreate(&untimed, CU_EVENT_INTERPROCESS) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a destroyed stream, and one of another context, takes no work") {
    timed gpu;
    CHECK(gpu.driver.StreamDestroy(gpu.streams[1]) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamQuery(gpu.streams[1]) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.MemsetD8Async(gpu.buffer, 0, 1, gpu.streams[1]) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.StreamDestroy(nullptr) == CUDA_ERROR_INVALID_HANDLE);
    CUstream const mine = gpu.streams[0];
    embedded_context const other;
    CHECK(other.driver.StreamSynchronize(mine) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("host functions run in the stream's order, and may call the driver from another thread") {
    timed gpu;
    struct step {
        timed* gpu;
        unsigned seen;
        static void run(void* self) {
            auto& mine = *static_cast<step*>(self);
            mine.seen = mine.gpu->host[0];
            std::thread{[&] {
                int count = 0;
                CHECK(mine.gpu->driver.DeviceGetCount(&count) == CUDA_SUCCESS); // not locked out
            }}.join();
        }
    } before{&gpu, 99}, after{&gpu, 99};
    CHECK(gpu.driver.MemsetD8Async(gpu.buffer, 42, copy_bytes, gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(gpu.driver.LaunchHostFunc(gpu.streams[0], step::run, &before) == CUDA_SUCCESS);
    gpu.fetch(gpu.streams[0]);
    CHECK(gpu.driver.LaunchHostFunc(gpu.streams[0], step::run, &after) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(before.seen == 0);
    CHECK(after.seen == 42);
    CHECK(gpu.driver.LaunchHostFunc(nullptr, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

// As an H100's driver (580.159) answers.
TEST_CASE("a host function cannot enqueue another one") {
    timed gpu;
    struct chain {
        timed* gpu;
        CUresult answer = CUDA_SUCCESS;
        int calls = 0;
        static void run(void* self) {
            auto& mine = *static_cast<chain*>(self);
            ++mine.calls;
            mine.answer = mine.gpu->driver.LaunchHostFunc(mine.gpu->streams[1], run, self);
        }
    } of{&gpu};
    CHECK(gpu.driver.LaunchHostFunc(gpu.streams[0], chain::run, &of) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(gpu.streams[0]) == CUDA_SUCCESS);
    CHECK(of.answer == CUDA_ERROR_NOT_PERMITTED);
    CHECK(of.calls == 1);
    CHECK(gpu.driver.LaunchHostFunc(gpu.streams[0], chain::run, &of) == CUDA_SUCCESS); // afterwards as before
    CHECK(of.calls == 2);
}

TEST_CASE("a host function may even destroy the stream it runs in") {
    timed gpu;
    auto const destroy = [](void* self) {
        auto& mine = *static_cast<timed*>(self);
        CHECK(mine.driver.StreamDestroy(mine.streams[0]) == CUDA_SUCCESS);
    };
    CHECK(gpu.driver.LaunchHostFunc(gpu.streams[0], destroy, &gpu) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamQuery(gpu.streams[0]) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("each thread has a per-thread stream of its own") {
    timed gpu;
    auto const per_thread = reinterpret_cast<CUstream>(std::uintptr_t{2});
    gpu.record(0, per_thread);
    std::thread{[&] {
        CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
        gpu.send(per_thread);
        gpu.record(1, per_thread);
    }}.join();
    gpu.record(2, per_thread);
    CHECK(gpu.between(0, 1) == about(copy_ms));
    CHECK(gpu.between(0, 2) == 0);
}

TEST_CASE("many threads may use the driver at once") {
    timed gpu;
    std::vector<std::thread> threads;
    for (unsigned char number = 1; number <= 4; ++number)
        threads.emplace_back([&, number] {
            auto const& driver = gpu.driver;
            CHECK(driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
            for (int i = 0; i < 100; ++i) {
                CUdeviceptr a = 0;
                CUstream stream = nullptr;
                unsigned char back[8] = {};
                CHECK(driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
                CHECK(driver.MemAlloc(&a, 8) == CUDA_SUCCESS);
                CHECK(driver.MemsetD8Async(a, number, 8, stream) == CUDA_SUCCESS);
                CHECK(driver.MemcpyDtoHAsync(back, a, 8, stream) == CUDA_SUCCESS);
                CHECK(back[7] == number);
                CHECK(driver.MemFree(a) == CUDA_SUCCESS);
                CHECK(driver.StreamDestroy(stream) == CUDA_SUCCESS);
            }
        });
    for (auto& thread : threads) thread.join();
}

} // namespace stream_test
