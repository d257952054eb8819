// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between devices in traces: records, the picture and the table. Expected numbers are what the test copied, and the link's.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/trace.hpp>

#include "sim/chip/chips.hpp"

namespace peer_copies_test {

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;
using gpuprof::overloaded;

constexpr auto copies = activity::kinds<activity::memcpy, activity::peer_memcpy>;
constexpr std::size_t size = std::size_t{16} << 20;

struct two_gpus {
    gpuprof::device one = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::at_once, 0).value();
    gpuprof::device two = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::at_once, 1).value();
    abi::driver_table const& driver = one.driver();
    abi::CUdeviceptr here = allocate(one), there = allocate(two);

    two_gpus() { REQUIRE(driver.CtxSetCurrent(one.context()) == abi::CUDA_SUCCESS); }
    ~two_gpus() {
        CHECK(driver.MemFree(here) == abi::CUDA_SUCCESS);
        CHECK(driver.MemFree(there) == abi::CUDA_SUCCESS);
    }
    two_gpus(two_gpus const&) = delete;
    two_gpus& operator=(two_gpus const&) = delete;

    static abi::CUdeviceptr allocate(gpuprof::device const& gpu) {
        abi::CUdeviceptr address = 0;
        REQUIRE(gpu.driver().CtxSetCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().MemAlloc(&address, size) == abi::CUDA_SUCCESS);
        return address;
    }
};

TEST_CASE("a copy between devices is one record with both devices and contexts, its bytes and its time") {
    two_gpus const gpus;
    auto const& [one, two, driver, here, there] = gpus;
    REQUIRE(driver.CtxEnablePeerAccess(two.context(), 0) == abi::CUDA_SUCCESS);
    auto trace = *gpuprof::tracer<std::remove_const_t<decltype(copies)>>::try_begin(one, copies);
    CHECK(driver.MemcpyPeerAsync(there, two.context(), here, one.context(), size, nullptr) == abi::CUDA_SUCCESS);
    CHECK(driver.Memcpy(here, there, 4096) == abi::CUDA_SUCCESS); // by addresses alone
    CHECK(driver.MemcpyDtoD(here + 8192, here, 4096) == abi::CUDA_SUCCESS);
    auto const batch = *trace.try_flush();
    std::vector<activity::peer_memcpy> between;
    int within = 0;
    batch.visit(overloaded{[&](activity::memcpy const& copy) {
                               CHECK((copy.direction == activity::memcpy_kind::device_to_device));
                               ++within;
                           },
                           [&](activity::peer_memcpy const& copy) { between.push_back(copy); }});
    CHECK(within == 1);
    REQUIRE(between.size() == 2);
    auto const device_one = static_cast<std::uint32_t>(one.ordinal()),
               device_two = static_cast<std::uint32_t>(two.ordinal());
    activity::peer_memcpy const& first = between[0];
    CHECK((first.direction == activity::memcpy_kind::peer_to_peer));
    CHECK(first.size == gpuprof::bytes{double{size}});
    CHECK(first.from_device == device_one);
    CHECK(first.to_device == device_two);
    CHECK(first.device == device_one); // whose stream it was given to
    CHECK(first.context == first.from_context);
    CHECK(first.to_context != first.from_context);
    CHECK(first.asynchronous());
    double const moving = double{size} / gpuprof::sim::gh100.link.bytes_per_nanosecond;
    CHECK(static_cast<double>(first.time.end.ticks - first.time.start.ticks) ==
          doctest::Approx(1000 + moving).epsilon(1e-4));
    activity::peer_memcpy const& second = between[1];
    CHECK(second.size == gpuprof::bytes{4096});
    CHECK(second.from_device == device_two);
    CHECK(second.to_device == device_one);
    CHECK(second.from_context == first.to_context);
    CHECK_FALSE(second.asynchronous());
    CHECK(driver.CtxDisablePeerAccess(two.context()) == abi::CUDA_SUCCESS);
}

TEST_CASE("copies between devices may be asked for alone, though CUPTI records them beside the others only") {
    two_gpus const gpus;
    auto const& [one, two, driver, here, there] = gpus;
    REQUIRE(driver.CtxEnablePeerAccess(two.context(), 0) == abi::CUDA_SUCCESS);
    constexpr auto between = activity::kinds<activity::peer_memcpy>;
    auto trace = *gpuprof::tracer<std::remove_const_t<decltype(between)>>::try_begin(one, between);
    CHECK(driver.MemcpyDtoD(here + 8192, here, 4096) == abi::CUDA_SUCCESS); // not asked for
    CHECK(driver.MemcpyPeer(there, two.context(), here, one.context(), 4096) == abi::CUDA_SUCCESS);
    int count = 0;
    trace.try_flush()->visit([&](activity::peer_memcpy const& copy) {
        CHECK(copy.size == gpuprof::bytes{4096});
        ++count;
    });
    CHECK(count == 1);
    CHECK(driver.CtxDisablePeerAccess(two.context()) == abi::CUDA_SUCCESS);
}

TEST_CASE("without peer access a copy between devices is one to the host and one from there, one after the other") {
    two_gpus const gpus;
    auto const& [one, two, driver, here, there] = gpus;
    auto trace = *gpuprof::tracer<std::remove_const_t<decltype(copies)>>::try_begin(one, copies);
    CHECK(driver.MemcpyPeer(there, two.context(), here, one.context(), size) == abi::CUDA_SUCCESS);
    std::vector<activity::memcpy> halves;
    trace.try_flush()->visit(
        overloaded{[&](activity::memcpy const& copy) { halves.push_back(copy); },
                   [](activity::peer_memcpy const&) { CHECK_MESSAGE(false, "a record between devices"); }});
    REQUIRE(halves.size() == 2);
    CHECK((halves[0].direction == activity::memcpy_kind::device_to_host));
    CHECK((halves[1].direction == activity::memcpy_kind::host_to_device));
    CHECK(halves[0].device == static_cast<std::uint32_t>(one.ordinal()));
    CHECK(halves[1].device == static_cast<std::uint32_t>(two.ordinal()));
    CHECK(halves[0].context != halves[1].context);
    CHECK(halves[0].correlation == halves[1].correlation);
    CHECK(halves[0].time.end <= halves[1].time.start);
    for (auto const& half : halves) CHECK(half.size == gpuprof::bytes{double{size}});
}

TEST_CASE("a copy between devices in a graph has the graph's number") {
    two_gpus const gpus;
    auto const& [one, two, driver, here, there] = gpus;
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(driver.CtxEnablePeerAccess(two.context(), 0) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
    CHECK(driver.MemcpyPeerAsync(there, two.context(), here, one.context(), 4096, stream) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    auto trace = *gpuprof::tracer<std::remove_const_t<decltype(copies)>>::try_begin(one, copies);
    CHECK(driver.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
    auto const batch = *trace.try_flush();
    int between = 0;
    batch.visit(overloaded{[](activity::memcpy const&) { CHECK_MESSAGE(false, "a copy within a device"); },
                           [&](activity::peer_memcpy const& copy) {
                               CHECK(copy.graph.has_value());
                               ++between;
                           }});
    CHECK(between == 1);
    CHECK(driver.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(driver.GraphDestroy(graph) == abi::CUDA_SUCCESS);
    CHECK(driver.StreamDestroy(stream) == abi::CUDA_SUCCESS);
    CHECK(driver.CtxDisablePeerAccess(two.context()) == abi::CUDA_SUCCESS);
}

} // namespace peer_copies_test
