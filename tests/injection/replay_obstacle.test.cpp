// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which launches are not replayed, by what the launching call and the driver tell, on two embedded GPUs.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "injection/kernel_word.hpp"
#include "injection/replay_obstacle.hpp"

namespace replay_obstacle_test {

namespace abi = gpuprof::abi;
namespace injection = gpuprof::injection;
using gpuprof::replay_obstacle;

namespace {

gpuprof::device opened(char const* chip) {
    auto gpu = gpuprof::sim::open_embedded(chip);
    REQUIRE(gpu);
    return *std::move(gpu);
}

// A launch as a callback tells of it: a kernel that takes a structure of two words, and a number.
struct launch {
    explicit launch(gpuprof::device const& on) {
        auto const& d = on.driver();
        REQUIRE(d.CtxPushCurrent(on.context()) == abi::CUDA_SUCCESS);
        abi::CUmodule module = nullptr;
        REQUIRE(d.ModuleLoadData(&module, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry takes(.param "
                                          ".align 8 .b8 both[16], .param .u32 n) { ret; }\n") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&event.function, module, "takes") == abi::CUDA_SUCCESS);
        event.symbol = "takes";
        event.arguments = arguments;
        event.context = on.context();
    }
    std::uint64_t both[2]{0, 0};
    std::uint32_t number = 0;
    void* arguments[2]{&both, &number};
    gpuprof::hw::launch_event event;
};

} // namespace

TEST_CASE(
    "replay_obstacle: an address of another GPU is one wherever it stands in an argument, its own memory is none") {
    auto const gpu = opened("gh100"), other = opened("gv100");
    auto const& d = gpu.driver();
    abi::CUdeviceptr here = 0, before = 0, there = 0;
    REQUIRE(d.CtxPushCurrent(other.context()) == abi::CUDA_SUCCESS);
    REQUIRE(d.MemAlloc(&before, 1 << 26) == abi::CUDA_SUCCESS); // both GPUs count addresses from the same number
    REQUIRE(d.MemAlloc(&there, 256) == abi::CUDA_SUCCESS);
    launch call{gpu};
    REQUIRE(d.MemAlloc(&here, 256) == abi::CUDA_SUCCESS);
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::none);
    call.both[0] = here + 8;
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::none);
    call.both[1] = there + 8;
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::memory_of_other_gpu);
    CHECK(injection::places_of_arguments(call.event, gpu).other_gpu);
    CHECK_FALSE(injection::places_of_arguments(call.event, gpu).host);
    abi::CUdeviceptr managed = 0; // of whoever uses it
    REQUIRE(d.CtxPushCurrent(other.context()) == abi::CUDA_SUCCESS);
    REQUIRE(d.MemAllocManaged(&managed, 256, 1) == abi::CUDA_SUCCESS);
    REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    call.both[1] = managed;
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::none);
    CHECK(d.MemFree(here) == abi::CUDA_SUCCESS);
    REQUIRE(d.CtxPushCurrent(other.context()) == abi::CUDA_SUCCESS);
    for (abi::CUdeviceptr const each : {before, there, managed}) CHECK(d.MemFree(each) == abi::CUDA_SUCCESS);
}

TEST_CASE("replay_obstacle: memory of the host that is mapped is told and is none") {
    auto const gpu = opened("gh100");
    launch call{gpu};
    void* host = nullptr;
    REQUIRE(gpu.driver().MemHostAlloc(&host, 256, 2) == abi::CUDA_SUCCESS);
    call.both[1] = reinterpret_cast<std::uintptr_t>(host);
    CHECK(injection::places_of_arguments(call.event, gpu).host);
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::none);
    CHECK(gpu.driver().MemFreeHost(host) == abi::CUDA_SUCCESS);
}

TEST_CASE("replay_obstacle: kernels of NCCL and NVSHMEM are known by their names") {
    auto const gpu = opened("gh100");
    launch call{gpu};
    for (char const* const name : {"_Z44ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE",
                                   "ncclKernel_SendRecv", "_Z22nvshmemi_proxy_quiet_kb"}) {
        call.event.symbol = name;
        CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
              replay_obstacle::other_gpus);
    }
    for (char const* const name : {"_Z9ncclCheckv", "takes", ""}) {
        call.event.symbol = name;
        CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
              replay_obstacle::none);
    }
    call.event.symbol = nullptr;
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::none);
}

TEST_CASE("replay_obstacle: while a stream of the context is captured nothing is replayed") {
    auto const gpu = opened("gh100");
    launch const call{gpu};
    auto const& d = gpu.driver();
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    REQUIRE(d.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    REQUIRE(d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::capture);
    REQUIRE(d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    CHECK(injection::obstacle_of(call.event, injection::places_of_arguments(call.event, gpu), gpu.driver()) ==
          replay_obstacle::none);
}

TEST_CASE("replay_obstacle: each has its rule, what waits is measured in one pass and what would be spoilt is not") {
    using gpuprof::instead_of_replay;
    static_assert(gpuprof::rule_of(replay_obstacle::none).instead == instead_of_replay::replay);
    static_assert(gpuprof::rule_of(replay_obstacle::other_gpus).instead == instead_of_replay::one_pass);
    static_assert(gpuprof::rule_of(replay_obstacle::memory_of_other_gpu).instead == instead_of_replay::one_pass);
    static_assert(gpuprof::rule_of(replay_obstacle::asked_for).instead == instead_of_replay::one_pass);
    static_assert(gpuprof::rule_of(replay_obstacle::capture).instead == instead_of_replay::nothing);
    CHECK(gpuprof::rule_of(replay_obstacle::capture).cause.find("captured") != std::string_view::npos);
}

TEST_CASE("kernel_word: a name without what a shell or a regular expression would take for something else") {
    CHECK(injection::kernel_word("void mine::scale<float, 4>(float*)") == "scale");
    CHECK(injection::kernel_word("(anonymous namespace)::add(int)") == "add");
    CHECK(injection::kernel_word("void (anonymous namespace)::deep::add<(int)1>()") == "add");
    CHECK(injection::kernel_word("plain") == "plain");
    CHECK(injection::kernel_word("") == "a kernel");
}

} // namespace replay_obstacle_test
