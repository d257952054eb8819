// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// launch_serialiser: the context is idle when a launching call begins and when it ends, for every thread.
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace launch_serialiser_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;

namespace {

constexpr char nothing_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry nothing() { ret; }
)";

// An embedded GPU whose waits are counted, with a kernel that does nothing.
struct bench {
    static inline std::atomic<int> waits{0};
    static inline std::mutex mutex;
    static inline std::vector<std::thread::id> waited; // in their order
    gpuprof::hw::machine machine = sim::embedded_machine();
    gpuprof::device gpu;
    abi::driver_table const& driver;
    abi::CUmodule module = nullptr;
    abi::CUfunction kernel = nullptr;

    bench() : gpu{open(machine)}, driver{gpu.driver()} {
        REQUIRE(driver.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleLoadData(&module, nothing_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&kernel, module, "nothing") == abi::CUDA_SUCCESS);
        waits = 0;
        waited.clear();
    }
    ~bench() {
        driver.ModuleUnload(module);
        abi::CUcontext popped = nullptr;
        driver.CtxPopCurrent(&popped);
    }
    static gpuprof::device open(gpuprof::hw::machine& machine) {
        static auto const wait = machine.driver.CtxSynchronize;
        machine.driver.CtxSynchronize = [] {
            ++waits;
            {
                std::lock_guard const held{mutex};
                waited.push_back(std::this_thread::get_id());
            }
            std::this_thread::yield();
            return wait();
        };
        int const ordinal = sim::open_embedded("gh100").value().ordinal();
        return gpuprof::device::try_open(machine, ordinal, gpuprof::device_source::embedded).value();
    }
    abi::CUresult launch(abi::CUstream stream = nullptr) const {
        return driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
    }
};

} // namespace

TEST_CASE("launch serialiser: each launch waits before and after, refused ones too, captured ones not") {
    bench on;
    hw::launch_serialiser one_by_one;
    REQUIRE(one_by_one.try_begin(on.gpu).has_value());
    REQUIRE(on.launch() == abi::CUDA_SUCCESS);
    CHECK(bench::waits == 2);
    REQUIRE(on.driver.LaunchKernel(on.kernel, 1, 1, 1, 4096, 1, 1, 0, nullptr, nullptr, nullptr) != abi::CUDA_SUCCESS);
    CHECK(bench::waits == 4);
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    REQUIRE(on.driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
    REQUIRE(on.launch(stream) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    CHECK(bench::waits == 4);
    on.driver.GraphDestroy(graph);
    on.driver.StreamDestroy(stream);
    one_by_one.end();
    REQUIRE(on.launch() == abi::CUDA_SUCCESS);
    CHECK(bench::waits == 4);
}

TEST_CASE("launch serialiser: launches of eight threads go one by one, and all of them go") {
    bench on;
    hw::launch_serialiser one_by_one;
    REQUIRE(one_by_one.try_begin(on.gpu).has_value());
    std::vector<std::thread> threads;
    std::atomic<int> refused{0};
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            on.driver.CtxPushCurrent(on.gpu.context());
            for (int launch = 0; launch < 50; ++launch) refused += on.launch() != abi::CUDA_SUCCESS;
            abi::CUcontext popped = nullptr;
            on.driver.CtxPopCurrent(&popped);
        });
    for (auto& each : threads) each.join();
    CHECK(refused == 0);
    CHECK(bench::waits == 8 * 50 * 2);
    // What waits after a launch is the thread that waited before it: no other one came between.
    REQUIRE(bench::waited.size() == 8 * 50 * 2);
    int apart = 0;
    for (std::size_t i = 0; i < bench::waited.size(); i += 2) apart += bench::waited[i] != bench::waited[i + 1];
    CHECK(apart == 0);
}

} // namespace launch_serialiser_test
