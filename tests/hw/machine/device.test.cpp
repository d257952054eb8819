// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/sim/open.hpp>
#include "sim/embedded_device.hpp"

#include "support/measured.hpp"
#include "support/system.hpp"
#include "sim/chip/chips.hpp"

namespace device_test {

using gpuprof::device;
using gpuprof::errc;
namespace abi = gpuprof::abi;

namespace {

// The embedded GPU, whose driver counts who retains a primary context.
gpuprof::hw::machine const& embedded() { return gpuprof::sim::embedded_machine(); }
device opened(gpuprof::hw::machine const& machine) {
    int const ordinal = gpuprof::sim::detail::device_with(gpuprof::sim::gh100);
    CHECK(machine.driver.Init(0) == abi::CUDA_SUCCESS);
    CHECK(machine.driver.CtxSetCurrent(nullptr) == abi::CUDA_SUCCESS);
    auto made = device::try_open(machine, ordinal);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}

} // namespace

TEST_CASE("device: the current context is used, else the primary one, and each device retains and releases it") {
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
        CHECK(watch.calls("cuDevicePrimaryCtxRetain") == 2);
        auto const third = device::try_open(machine.tables(), first.context()); // the application named it
        REQUIRE(third);
        CHECK(watch.calls("cuDevicePrimaryCtxRetain") == 3);
        CHECK(watch.calls("cuDevicePrimaryCtxRelease_v2") == 0);
    }
    CHECK(watch.calls("cuDevicePrimaryCtxRelease_v2") == 3);
}

TEST_CASE("device: a context of the application's own is not retained, and a primary context is not made for it") {
    test::measured_device machine;
    abi::CUcontext own = nullptr;
    REQUIRE(machine.tables().driver.CtxCreate(&own, 0, 0) == abi::CUDA_SUCCESS);
    test::fault_injection watch{machine.tables().driver};
    {
        auto const current = machine.open();
        CHECK(current.context() == own);
        CHECK(watch.calls("cuDevicePrimaryCtxRetain") == 0);
        machine.machine().use_device(); // now there is a primary context beside it
        CHECK(machine.tables().driver.CtxSetCurrent(own) == abi::CUDA_SUCCESS);
        auto const named = device::try_open(machine.tables(), own);
        REQUIRE(named);
        CHECK(named->context() == own);
    }
    CHECK(watch.calls("cuDevicePrimaryCtxRelease_v2") == watch.calls("cuDevicePrimaryCtxRetain"));
}

TEST_CASE("device: opened twice, the second one lives on when the first is destroyed") {
    gpuprof::hw::machine const& machine = embedded();
    std::optional<device> first = opened(machine);
    CHECK(machine.driver.CtxSetCurrent(first->context()) == abi::CUDA_SUCCESS);
    auto const second = device::try_open(machine, first->ordinal());
    REQUIRE(second);
    first.reset();
    unsigned version = 0;
    CHECK(machine.driver.CtxGetApiVersion(second->context(), &version) == abi::CUDA_SUCCESS);
    auto const prof = gpuprof::profiler::try_create(*second, {}, gpuprof::metrics::warps_launched);
    CHECK_MESSAGE(prof, (prof ? std::string{} : prof.error().message()));
}

TEST_CASE("device: what is shared holds the context on its own") {
    gpuprof::hw::machine const& machine = embedded();
    std::optional<device> first = opened(machine);
    auto shared = first->try_share();
    REQUIRE(shared);
    CHECK(shared->context() == first->context());
    CHECK(shared->name() == first->name());
    CHECK(shared->chip() == first->chip());
    CHECK(shared->source() == first->source());
    abi::CUcontext const context = first->context();
    unsigned version = 0;
    first.reset();
    CHECK(machine.driver.CtxGetApiVersion(context, &version) == abi::CUDA_SUCCESS);
    CHECK(shared->try_share());
    {
        device const last = *std::move(shared);
        auto const nothing = shared->try_share(); // moved from
        REQUIRE_FALSE(nothing);
        CHECK(nothing.error().code == errc::invalid_argument);
        CHECK(nothing.error().cause == "it was moved from");
    }
    CHECK(machine.driver.CtxGetApiVersion(context, &version) == abi::CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("device: a context that is gone cannot be shared") {
    gpuprof::hw::machine const& machine = embedded();
    abi::CUcontext own = nullptr;
    int const ordinal = gpuprof::sim::detail::device_with(gpuprof::sim::gh100);
    REQUIRE(machine.driver.Init(0) == abi::CUDA_SUCCESS);
    REQUIRE(machine.driver.CtxCreate(&own, 0, ordinal) == abi::CUDA_SUCCESS);
    auto const of_own = device::try_open(machine, own);
    REQUIRE(of_own);
    CHECK(of_own->try_share());
    CHECK(machine.driver.CtxDestroy(own) == abi::CUDA_SUCCESS);
    CHECK(of_own->try_share().error().code == errc::invalid_argument);

    device const of_primary = opened(machine);
    CHECK(machine.driver.DevicePrimaryCtxReset(of_primary.handle()) == abi::CUDA_SUCCESS);
    auto const reset = of_primary.try_share();
    REQUIRE_FALSE(reset);
    CHECK(reset.error().code == errc::invalid_argument);
    CHECK(reset.error().status == abi::CUDA_ERROR_CONTEXT_IS_DESTROYED);
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

TEST_CASE("a device is opened by name or by number, and what is missing is said") {
    auto const embedded_one = gpuprof::try_open_device("SIM:gh100");
    REQUIRE(embedded_one);
    CHECK(embedded_one->source() == gpuprof::device_source::embedded);
    CHECK(gpuprof::try_open_device("sim:5.2")->capability().generation == 5);
    CHECK(gpuprof::try_open_device("cuda:x").error().code == errc::invalid_argument);
    CHECK(gpuprof::try_open_device("").error().code == errc::invalid_argument);
    CHECK(gpuprof::try_open_device("replay:").error().what.starts_with("replay:"));

    // By number it is this machine's driver: none here, or too few devices.
    auto const late = gpuprof::try_open_device(999);
    REQUIRE_FALSE(late);
    CHECK(late.error().code == errc::unavailable);
    CHECK(gpuprof::try_open_device("cuda:999").error().message() == late.error().message());
    if (gpuprof::try_open_device(0)) CHECK(late.error().cause.find("numbered from 0") != std::string::npos);
#if GPUPROF_EXCEPTIONS
    CHECK(gpuprof::open_device("sim").source() == gpuprof::device_source::embedded);
    CHECK_THROWS(static_cast<void>(gpuprof::open_device(999)));
#endif
}

// 0 is a number, not a null context.
template <class Argument>
concept opens = requires(Argument argument) {
    gpuprof::try_open_device(argument);
};
static_assert(opens<int> && opens<char const*> && opens<std::string>);
#if GPUPROF_EXCEPTIONS
template <class Argument>
concept opens_or_throws = requires(Argument argument) {
    gpuprof::open_device(argument);
};
static_assert(opens_or_throws<int> && opens_or_throws<char const*> && opens_or_throws<abi::CUcontext>);
static_assert(!opens_or_throws<std::nullptr_t>);
#endif

} // namespace device_test
