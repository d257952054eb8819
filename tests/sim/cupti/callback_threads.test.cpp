// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's callbacks with several threads; under ThreadSanitizer they show more.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "support/driver_kernels.hpp"
#include "support/heard_callbacks.hpp"

namespace callback_threads_test {

using namespace gpuprof::abi;

namespace {

constexpr unsigned thread_count = 8;

cupti_table const& cupti() { return gpuprof::sim::embedded_machine().cupti; }

// Counts by thread, so that what a thread hears can be compared with what it did.
struct counting_tool {
    struct counts {
        unsigned entries = 0;
        unsigned exits = 0;
        std::vector<std::uint32_t> ids;
    };
    static counts& mine() {
        thread_local counts of_this_thread;
        return of_this_thread;
    }
    static void hear(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId, void const* data) {
        auto& all = *static_cast<std::atomic<unsigned>*>(self);
        all.fetch_add(1, std::memory_order_relaxed);
        if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
        auto const& call = *static_cast<CUpti_CallbackData const*>(data);
        if (call.functionName == nullptr || call.correlationId == 0) return; // the counts will not agree
        auto& counted = mine();
        if (call.callbackSite == CUPTI_API_ENTER) {
            ++counted.entries;
            counted.ids.push_back(call.correlationId);
            *call.correlationData = call.correlationId;
        } else if (*call.correlationData == call.correlationId) {
            ++counted.exits;
        }
    }
};

// Calls of several kinds; returns how many driver calls that were.
unsigned work(with_kernels& gpu, CUfunction kernel, CUdeviceptr to) {
    unsigned calls = 0;
    auto const done = [&](CUresult status) {
        ++calls;
        CHECK(status == CUDA_SUCCESS);
    };
    CUstream stream = nullptr;
    unsigned value = 1;
    done(gpu.driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    done(gpu.driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    done(gpu.driver.MemcpyHtoDAsync(to, &value, 4, stream));
    done(gpu.driver.StreamSynchronize(stream));
    done(gpu.driver.StreamDestroy(stream));
    return calls;
}

} // namespace

TEST_CASE("callback threads: each thread hears its own calls, once each, with ids of their own") {
    with_kernels gpu;
    CUfunction const kernel = gpu.kernel("empty");
    CUdeviceptr const to = gpu.buffer(64);
    std::atomic<unsigned> heard{0};
    CUpti_SubscriberHandle subscriber = nullptr;
    REQUIRE(cupti().Subscribe(&subscriber, &counting_tool::hear, &heard) == CUPTI_SUCCESS);
    REQUIRE(cupti().EnableAllDomains(1, subscriber) == CUPTI_SUCCESS);
    std::vector<counting_tool::counts> counted(thread_count);
    std::vector<unsigned> calls(thread_count, 0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < thread_count; ++t)
        threads.emplace_back([&, t] {
            calls[t] += 1;
            CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
            for (int round = 0; round < 50; ++round) calls[t] += work(gpu, kernel, to);
            counted[t] = counting_tool::mine();
        });
    for (auto& each : threads) each.join();
    CHECK(cupti().Unsubscribe(subscriber) == CUPTI_SUCCESS);
    std::set<std::uint32_t> ids;
    for (unsigned t = 0; t < thread_count; ++t) {
        CHECK(calls[t] == 251);
        CHECK(counted[t].entries == calls[t]);
        CHECK(counted[t].exits == calls[t]);
        ids.insert(counted[t].ids.begin(), counted[t].ids.end());
    }
    CHECK(ids.size() == 251 * thread_count);
    // Each round creates, synchronises and destroys a stream.
    CHECK(heard == thread_count * (2 * 251 + 50 * 3));
}

TEST_CASE("callback threads: tools come and go while eight threads call") {
    with_kernels gpu;
    CUfunction const kernel = gpu.kernel("empty");
    CUdeviceptr const to = gpu.buffer(64);
    static std::atomic<unsigned> heard{0}; // a callback may arrive after its subscriber has left
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < thread_count; ++t)
        threads.emplace_back([&] {
            CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
            for (int round = 0; round < 100; ++round) static_cast<void>(work(gpu, kernel, to));
        });
    std::thread tool{[&] {
        while (!over) {
            CUpti_SubscriberHandle subscriber = nullptr;
            REQUIRE(cupti().Subscribe(&subscriber, &counting_tool::hear, &heard) == CUPTI_SUCCESS);
            CHECK(cupti().EnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS);
            std::this_thread::yield();
            CHECK(cupti().EnableAllDomains(1, subscriber) == CUPTI_SUCCESS);
            CHECK(cupti().EnableCallback(0, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) == CUPTI_SUCCESS);
            CHECK(cupti().Unsubscribe(subscriber) == CUPTI_SUCCESS);
        }
    }};
    for (auto& each : threads) each.join();
    over = true;
    tool.join();
    unsigned const before = heard;
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(heard == before);
}

namespace {

struct waiting_tool {
    std::atomic<bool> inside{false};
    std::atomic<bool> may_go{false};
    static void hear(void* self, CUpti_CallbackDomain, CUpti_CallbackId, void const* data) {
        auto& of = *static_cast<waiting_tool*>(self);
        if (static_cast<CUpti_CallbackData const*>(data)->callbackSite != CUPTI_API_ENTER) return;
        of.inside = true;
        while (!of.may_go) std::this_thread::yield();
    }
};

} // namespace

TEST_CASE(
    "callback threads: while one thread is in a callback another one calls the driver and ends the subscription") {
    embedded_context gpu;
    waiting_tool tool;
    CUpti_SubscriberHandle subscriber = nullptr;
    REQUIRE(cupti().Subscribe(&subscriber, &waiting_tool::hear, &tool) == CUPTI_SUCCESS);
    REQUIRE(cupti().EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, 17) == CUPTI_SUCCESS); // cuCtxSynchronize
    std::thread caller{[&] {
        CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
        CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    }};
    while (!tool.inside) std::this_thread::yield();
    CHECK(gpu.driver.StreamSynchronize(nullptr) == CUDA_SUCCESS);
    CHECK(cupti().Unsubscribe(subscriber) == CUPTI_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    tool.may_go = true;
    caller.join();
}

} // namespace callback_threads_test
