// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>

#include <cstdlib>

#include <gpuprof/hw/machine/device.hpp>

#include "support/measured.hpp"

using gpuprof::device;
using gpuprof::errc;
namespace abi = gpuprof::abi;

TEST_CASE("device: the current context is used, else the primary one is retained and released") {
    test::measured_device machine;
    test::fault_injection watch{machine.tables().driver};
    {
        auto const first = machine.open();
        CHECK(first.capability() == gpuprof::compute_capability{9, 0});
        CHECK(first.chip() == "GH100");
        CHECK(first.context() != nullptr);
        CHECK(watch.calls("cuDevicePrimaryCtxRetain") == 1);
        auto const second = machine.open(); // the context is current now
        CHECK(second.context() == first.context());
        CHECK(watch.calls("cuDevicePrimaryCtxRetain") == 1);
        CHECK(watch.calls("cuDevicePrimaryCtxRelease_v2") == 0);
    }
    CHECK(watch.calls("cuDevicePrimaryCtxRelease_v2") == 1);
}

TEST_CASE("device: a device that is not there is a typed error") {
    test::measured_device machine;
    for (int const ordinal : {-1, 1, 1000}) {
        auto const none = device::try_open(machine.tables(), ordinal);
        REQUIRE_FALSE(none);
        CHECK(none.error().code == errc::unavailable);
    }
}

TEST_CASE("device: a null context and a context of nobody are typed errors") {
    test::measured_device machine;
    auto const null = device::try_open(machine.tables(), abi::CUcontext{nullptr});
    REQUIRE_FALSE(null);
    CHECK(null.error().code == errc::invalid_argument);

    test::fault_injection faults{machine.tables().driver};
    faults.fail_always("cuCtxGetApiVersion",
                       abi::CUDA_ERROR_INVALID_CONTEXT); // what an H200's driver says of a destroyed one
    int nobody = 0;
    auto const destroyed = device::try_open(machine.tables(), reinterpret_cast<abi::CUcontext>(&nobody));
    REQUIRE_FALSE(destroyed);
    CHECK(destroyed.error().code == errc::invalid_argument);
    CHECK(destroyed.error().status == abi::CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("device: whichever driver call fails, opening gives an error or a device") {
    for (std::size_t nth = 1; nth <= 24; ++nth) {
        CAPTURE(nth);
        test::measured_device machine;
        test::fault_injection faults{machine.tables().driver};
        faults.fail_any(nth, abi::CUDA_ERROR_UNKNOWN);
        auto const opened = device::try_open(machine.tables());
        if (!opened) CHECK(opened.error().status == abi::CUDA_ERROR_UNKNOWN);
    }
}

TEST_CASE("device: without a driver the error says what was tried") {
    gpuprof::hw::machine nothing;
    nothing.driver_error = gpuprof::error{errc::unavailable, 0, "no driver", "tried here and there", "install one"};
    auto const opened = device::try_open(nothing);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().cause == "tried here and there");
}

TEST_CASE("device: GPUPROF_DEVICE that names nothing is refused") {
    struct environment {
        explicit environment(char const* value) { ::setenv("GPUPROF_DEVICE", value, 1); }
        ~environment() { ::unsetenv("GPUPROF_DEVICE"); }
    };
    for (char const* const wrong : {"cuda", "cuda:", "cuda:x", "cuda:1x", "cuda:99999999999999999999", "gpu0", " "}) {
        CAPTURE(wrong);
        environment const set{wrong};
        auto const opened = gpuprof::try_open_device();
        REQUIRE_FALSE(opened);
        CHECK(opened.error().code == errc::invalid_argument);
    }
}
