// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// frames/frame_driver_counters.hpp, told of calls by hand: copies between GPUs.
#include <gpuprof/frames/frame_driver_counters.hpp>

#include <doctest/doctest.h>

#include <cstdint>

#include <gpuprof/hw/abi/cupti_driver_parameters.hpp>
#include <gpuprof/hw/abi/cupti_runtime_parameters.hpp>

#include "support/callback_cupti.hpp"
#include "support/sampled_gpu.hpp"

namespace frame_driver_counters_test {

namespace abi = gpuprof::abi;
using gpuprof::driver_call;
using gpuprof::detail::frame_driver_counters;

TEST_CASE("driver counters: copies that name two contexts are bytes between GPUs, and failed ones are none") {
    test::callback_cupti cupti;
    embedded_context context;
    gpuprof::hw::machine machine = gpuprof::sim::embedded_machine();
    machine.cupti.Subscribe = cupti.on.cupti.Subscribe;
    machine.cupti.Subscribe_v2 = cupti.on.cupti.Subscribe_v2;
    machine.cupti.Unsubscribe = cupti.on.cupti.Unsubscribe;
    machine.cupti.EnableCallback = cupti.on.cupti.EnableCallback;
    machine.cupti.EnableDomain = cupti.on.cupti.EnableDomain;
    auto const gpu = gpuprof::device::try_open(machine, context.handle, gpuprof::device_source::embedded);
    REQUIRE(gpu);
    frame_driver_counters counters{16, nullptr};
    auto const begun = counters.try_begin(*gpu);
    REQUIRE_MESSAGE(begun, (begun ? std::string{} : begun.error().message()));
    auto const called = [&](auto function, auto const& parameters, int status = 0) {
        cupti.call(
            abi::CUPTI_CB_DOMAIN_DRIVER_API, static_cast<abi::CUpti_CallbackId>(function), [] {}, &parameters, status);
    };
    abi::cuMemcpyPeer_params peer{};
    peer.ByteCount = 300;
    abi::cuMemcpyPeerAsync_params later{};
    later.ByteCount = 40;
    abi::cuMemcpy_params plain{0x1000, 0x2000, 7};
    called(driver_call<"cuMemcpyPeer">, peer);
    called(driver_call<"cuMemcpyPeerAsync_ptsz">, later);
    called(driver_call<"cuMemcpy">, plain);
    called(driver_call<"cuMemcpyPeer">, peer, 1); // failed
    auto const sums = counters.take();
    CHECK(sums.peer_bytes == 340);
    CHECK(sums.copied_bytes == 347);
    CHECK(sums.copy_wait_ticks <= sums.call_ticks);
    CHECK(sums.wait_ticks == 0);
    CHECK(counters.take().peer_bytes == 0);
}

} // namespace frame_driver_counters_test
