// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as CUPTI's callbacks tell of them, on the embedded GPU.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/hw/callbacks/launch_watch.hpp>
#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/sim/open.hpp>

#include "support/driver_kernels.hpp"
#include "sim/chip/chips.hpp"

namespace launch_watch_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;
using gpuprof::errc;
using dimensions = std::array<unsigned, 3>;

namespace {

struct heard {
    std::vector<hw::kernel_launch> kernels;
    std::size_t graphs = 0;
    abi::driver_table const* driver = nullptr;

    static void listen(void* self, hw::launch_event const& launch) {
        auto& all = *static_cast<heard*>(self);
        if (launch.graph) ++all.graphs;
        else all.kernels.push_back(describe(launch, *all.driver));
    }
};

// An embedded GPU with the test's kernels, opened as a device, and what a watch hears of it.
struct watched : with_kernels {
    explicit watched(sim::chip_model const& chip = sim::gh100) : with_kernels{chip} { list.driver = &driver; }
    gpuprof::device gpu() {
        auto opened = gpuprof::device::try_open(sim::embedded_machine(), handle, gpuprof::device_source::embedded);
        REQUIRE(opened);
        return *std::move(opened);
    }
    void begin(hw::launch_watch& watch, gpuprof::device const& of) {
        auto begun = watch.try_begin(of, &heard::listen, &list);
        REQUIRE_MESSAGE(begun, (begun ? std::string{} : begun.error().message()));
    }
    heard list;
};

} // namespace

TEST_CASE("launch watch: a launch is heard with its kernel, configuration and the function's needs") {
    watched on;
    auto const gpu = on.gpu();
    hw::launch_watch watch;
    on.begin(watch, gpu);
    auto to = on.buffer(4096);
    void* params[]{&to};
    REQUIRE(on.driver.LaunchKernel(on.kernel("store"), 3, 2, 1, 16, 4, 1, 256, nullptr, params, nullptr) ==
            abi::CUDA_SUCCESS);
    REQUIRE(on.launch("uses_shared", 1, 32) == abi::CUDA_SUCCESS);
    REQUIRE(on.list.kernels.size() == 2);
    auto const& store = on.list.kernels[0];
    CHECK(store.kernel == "store");
    CHECK(store.grid == dimensions{3, 2, 1});
    CHECK(store.block == dimensions{16, 4, 1});
    CHECK(store.cluster == dimensions{1, 1, 1});
    CHECK(store.dynamic_shared == 256);
    CHECK(store.context == on.handle);
    CHECK(store.status == abi::CUDA_SUCCESS);
    CHECK(store.static_shared == 0);
    CHECK_FALSE(store.cooperative);
    CHECK(on.list.kernels[1].kernel == "uses_shared");
    CHECK(on.list.kernels[1].static_shared == 40000);
    int registers = 0;
    REQUIRE(on.driver.FuncGetAttribute(&registers, abi::CU_FUNC_ATTRIBUTE_NUM_REGS, on.kernel("store")) ==
            abi::CUDA_SUCCESS);
    CHECK(store.registers == registers);
}

TEST_CASE("launch watch: each launching call of the driver is heard") {
    watched on;
    auto const gpu = on.gpu();
    hw::launch_watch watch;
    on.begin(watch, gpu);
    REQUIRE(on.driver.LaunchCooperativeKernel(on.kernel("empty"), 5, 1, 1, 64, 1, 1, 0, nullptr, nullptr) ==
            abi::CUDA_SUCCESS);
    abi::CUlaunchAttribute attributes[2];
    attributes[0].id = abi::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[0].value.clusterDim = {1, 1, 1};
    attributes[1].id = abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[1].value.cooperative = 1;
    abi::CUlaunchConfig config{7, 1, 1, 32, 2, 1, 128, nullptr, attributes, 2};
    REQUIRE(on.driver.LaunchKernelEx(&config, on.kernel("empty"), nullptr, nullptr) == abi::CUDA_SUCCESS);
    REQUIRE(on.list.kernels.size() == 2);
    CHECK(on.list.kernels[0].cooperative);
    CHECK(on.list.kernels[0].grid == dimensions{5, 1, 1});
    CHECK(on.list.kernels[1].cooperative);
    CHECK(on.list.kernels[1].grid == dimensions{7, 1, 1});
    CHECK(on.list.kernels[1].block == dimensions{32, 2, 1});
    CHECK(on.list.kernels[1].dynamic_shared == 128);
}

TEST_CASE("launch watch: a launch that the driver refuses is heard with its status") {
    watched on;
    auto const gpu = on.gpu();
    hw::launch_watch watch;
    on.begin(watch, gpu);
    CHECK(on.launch("empty", 1, 2048) == abi::CUDA_ERROR_INVALID_VALUE);
    CHECK(on.launch("unsupported", 1, 32) == abi::CUDA_ERROR_NOT_SUPPORTED);
    REQUIRE(on.list.kernels.size() == 2);
    CHECK(on.list.kernels[0].status == abi::CUDA_ERROR_INVALID_VALUE);
    CHECK(on.list.kernels[0].kernel == "empty");
    CHECK(on.list.kernels[1].status == abi::CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("launch watch: a captured launch is not work, the launch of its graph is") {
    watched on;
    auto const gpu = on.gpu();
    hw::launch_watch watch;
    on.begin(watch, gpu);
    abi::CUstream stream = nullptr;
    REQUIRE(on.driver.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    REQUIRE(on.launch("empty", 1, 32, nullptr, 0, stream) == abi::CUDA_SUCCESS);
    abi::CUgraph graph = nullptr;
    REQUIRE(on.driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    CHECK(on.list.kernels.empty());
    abi::CUgraphExec executable = nullptr;
    REQUIRE(on.driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
    CHECK(on.list.kernels.empty());
    CHECK(on.list.graphs == 1);
    on.driver.GraphExecDestroy(executable);
    on.driver.GraphDestroy(graph);
    on.driver.StreamDestroy(stream);
}

TEST_CASE("launch watch: each watch hears its own context, and nothing after its end") {
    watched first;
    watched second{sim::gv100}; // its context is current now
    auto const gpu_of_first = first.gpu();
    auto const gpu_of_second = second.gpu();
    {
        hw::launch_watch on_second;
        second.begin(on_second, gpu_of_second);
        {
            hw::launch_watch on_first;
            first.begin(on_first, gpu_of_first);
            REQUIRE(second.driver.CtxSetCurrent(second.handle) == abi::CUDA_SUCCESS);
            CHECK(second.launch("empty", 2, 32) == abi::CUDA_SUCCESS);
            REQUIRE(first.driver.CtxSetCurrent(first.handle) == abi::CUDA_SUCCESS);
            CHECK(first.launch("empty", 1, 32) == abi::CUDA_SUCCESS);
            CHECK(first.launch("empty", 1, 32) == abi::CUDA_SUCCESS);
        }
        CHECK(first.launch("empty", 1, 32) == abi::CUDA_SUCCESS);
        REQUIRE(second.driver.CtxSetCurrent(second.handle) == abi::CUDA_SUCCESS);
        CHECK(second.launch("empty", 2, 32) == abi::CUDA_SUCCESS);
    }
    CHECK(second.launch("empty", 2, 32) == abi::CUDA_SUCCESS);
    CHECK(first.list.kernels.size() == 2);
    CHECK(second.list.kernels.size() == 2);
}

TEST_CASE("launch watch: busy while another tool is CUPTI's subscriber, and it leaves CUPTI free at its end") {
    watched on;
    auto const gpu = on.gpu();
    auto const& cupti = gpu.cupti();
    auto const nobody = [](void*, abi::CUpti_CallbackDomain, abi::CUpti_CallbackId, void const*) {};
    abi::CUpti_SubscriberHandle other = nullptr;
    REQUIRE(cupti.Subscribe(&other, nobody, nullptr) == abi::CUPTI_SUCCESS);
    hw::launch_watch watch_of_refused;
    auto const refused = watch_of_refused.try_begin(gpu, &heard::listen, &on.list);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::busy);
    CHECK(refused.error().what.find("cuptiSubscribe: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39)") !=
          std::string::npos);
    REQUIRE(cupti.Unsubscribe(other) == abi::CUPTI_SUCCESS);
    {
        hw::launch_watch watch;
        on.begin(watch, gpu);
    }
    REQUIRE(cupti.Subscribe(&other, nobody, nullptr) == abi::CUPTI_SUCCESS);
    CHECK(cupti.Unsubscribe(other) == abi::CUPTI_SUCCESS);
    CHECK(cupti.Unsubscribe(other) == abi::CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("launch watch: a CUPTI without callbacks is unavailable, one that enables none fails and is left free") {
    watched on;
    hw::machine machine = sim::embedded_machine();
    machine.cupti.EnableCallback = [](std::uint32_t, abi::CUpti_SubscriberHandle, abi::CUpti_CallbackDomain,
                                      abi::CUpti_CallbackId) { return abi::CUPTI_ERROR_HARDWARE; };
    {
        auto const gpu = gpuprof::device::try_open(machine, on.handle, gpuprof::device_source::embedded);
        REQUIRE(gpu);
        hw::launch_watch watch_of_failed;
        auto const failed = watch_of_failed.try_begin(*gpu, &heard::listen, &on.list);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().what.find("cuptiEnableCallback: CUPTI_ERROR_HARDWARE (") != std::string::npos);
    }
    machine.cupti.EnableCallback = nullptr;
    auto const gpu = gpuprof::device::try_open(machine, on.handle, gpuprof::device_source::embedded);
    REQUIRE(gpu);
    hw::launch_watch watch_of_missing;
    auto const missing = watch_of_missing.try_begin(*gpu, &heard::listen, &on.list);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == errc::unavailable);
    auto const whole = on.gpu();
    hw::launch_watch watch;
    on.begin(watch, whole); // nobody is left subscribed
    CHECK(on.launch("empty", 1, 32) == abi::CUDA_SUCCESS);
    CHECK(on.list.kernels.size() == 1);
}

TEST_CASE("launch watch: threads launch while watches begin and end, and each launch under a watch is heard once") {
    watched on;
    auto const gpu = on.gpu();
    struct count {
        std::atomic<std::size_t> launches{0};
        static void listen(void* self, hw::launch_event const&) { ++static_cast<count*>(self)->launches; }
    };
    count whole;
    constexpr std::size_t threads = 4, each = 50;
    auto const empty = on.kernel("empty");
    {
        hw::launch_watch watch_of_watch;
        auto const watch = watch_of_watch.try_begin(gpu, &count::listen, &whole);
        REQUIRE(watch);
        std::atomic<bool> stop{false};
        std::thread other{[&] {
            while (!stop) {
                count part;
                hw::launch_watch watch_of_brief;
                auto const brief = watch_of_brief.try_begin(gpu, &count::listen, &part);
            }
        }};
        std::vector<std::thread> launching;
        for (std::size_t i = 0; i < threads; ++i)
            launching.emplace_back([&] {
                on.driver.CtxSetCurrent(on.handle);
                for (std::size_t k = 0; k < each; ++k)
                    on.driver.LaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
            });
        for (auto& thread : launching) thread.join();
        stop = true;
        other.join();
    }
    CHECK(whole.launches == threads * each);
}

} // namespace launch_watch_test
