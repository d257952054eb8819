// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/stream_marks.hpp and in_context.hpp: waits that end.
#include <string>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/in_context.hpp>
#include <gpuprof/hw/machine/stream_marks.hpp>
#include <gpuprof/sim.hpp>

namespace stream_marks_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;

namespace {

// A driver whose events are passed after so many looks.
struct slow_driver {
    slow_driver() {
        looks = 0;
        REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    }
    ~slow_driver() {
        abi::CUcontext popped = nullptr;
        gpu.driver().CtxPopCurrent(&popped);
    }
    slow_driver(slow_driver const&) = delete;
    slow_driver& operator=(slow_driver const&) = delete;

    static gpuprof::device open() {
        static hw::machine machine = sim::embedded_machine();
        machine.driver.EventQuery = [](abi::CUevent) {
            return ++looks <= needed ? abi::CUDA_ERROR_NOT_READY : abi::CUDA_SUCCESS;
        };
        int const ordinal = sim::open_embedded("gh100").value().ordinal();
        return gpuprof::device::try_open(machine, ordinal, gpuprof::device_source::embedded).value();
    }
    static inline long looks = 0;
    static inline long needed = 0;
    gpuprof::device gpu = open();
};

} // namespace

TEST_CASE("stream marks: work that does not end is waited for once, and looked at after that") {
    slow_driver on;
    hw::stream_marks marks{on.gpu, 30};
    on.needed = 1'000'000'000;
    REQUIRE(marks.try_mark(nullptr));
    CHECK(marks.try_wait().value() == false);
    CHECK(on.looks > 1);
    on.looks = 0;
    CHECK(marks.try_wait().value() == false);
    CHECK(on.looks == 1);
    marks.be_patient();
    on.looks = 0;
    CHECK(marks.try_wait().value() == false);
    CHECK(on.looks > 1);
    on.needed = 0; // it ends
    CHECK(marks.try_wait().value());
    on.looks = 0;
    on.needed = 3; // and patience is back
    REQUIRE(marks.try_mark(nullptr));
    CHECK(marks.try_wait().value());
    CHECK(on.looks == 4);
}

TEST_CASE("stream marks: without a deadline work is waited for until it ends") {
    slow_driver on;
    hw::stream_marks marks{on.gpu, 0};
    CHECK_FALSE(marks.has_deadline());
    on.needed = 200;
    REQUIRE(marks.try_mark(nullptr));
    CHECK(marks.try_wait().value());
    CHECK(on.looks == 201);
}

TEST_CASE("a wait for the context tells a fault of work before from a capture") {
    abi::driver_table driver = sim::embedded_machine().driver;
    driver.StreamIsCapturing = [](abi::CUstream, abi::CUstreamCaptureStatus*) {
        return abi::CUDA_ERROR_ILLEGAL_ADDRESS;
    };
    driver.CtxSynchronize = [] { return abi::CUDA_ERROR_ILLEGAL_ADDRESS; };
    auto const fault = hw::try_wait_for_context(driver, "nothing was done", "");
    REQUIRE_FALSE(fault);
    CHECK(fault.error().code == gpuprof::errc::device_lost);
    CHECK(fault.error().status == abi::CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(fault.error().message().find("captured") == std::string::npos);

    driver.StreamIsCapturing = [](abi::CUstream, abi::CUstreamCaptureStatus*) {
        return abi::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    };
    auto const captured = hw::try_wait_for_context(driver, "nothing was done", "end it");
    REQUIRE_FALSE(captured);
    CHECK(captured.error().code == gpuprof::errc::invalid_state);
    CHECK(captured.error().what == "nothing was done");
    CHECK(captured.error().cause == "a stream of the context is being captured");
}

} // namespace stream_marks_test
