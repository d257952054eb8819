// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expectations of a trace, on the embedded GPU. The numbers are the calls that the test makes.
#include <gpuprof/judge/traced_work.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include <gpuprof/sim/open.hpp>
#include <gpuprof/judge/decomposition.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "judge/judged_reports.hpp"

namespace traced_work_test {

namespace abi = gpuprof::abi;
namespace expect = gpuprof::expect;
using gpuprof::outcome;
using gpuprof::traced_effect;
using gpuprof::traced_work;
using gpuprof::verdict;

namespace {

constexpr char ptx[] = ".version 7.8\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }\n";

struct embedded {
    gpuprof::device gpu = *gpuprof::sim::open_embedded("gh100");
    abi::driver_table const& driver = gpu.driver();
    abi::CUmodule module = nullptr;
    abi::CUfunction kernel = nullptr;
    abi::CUstream stream = nullptr;
    abi::CUdeviceptr memory = 0;
    unsigned char pageable[64]{};
    void* pinned = nullptr;

    embedded() {
        REQUIRE(driver.ModuleLoadData(&module, ptx) == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&kernel, module, "nothing") == abi::CUDA_SUCCESS);
        REQUIRE(driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        REQUIRE(driver.MemAlloc(&memory, 4096) == abi::CUDA_SUCCESS);
        REQUIRE(driver.MemHostAlloc(&pinned, 64, 0) == abi::CUDA_SUCCESS);
    }
    void launch() {
        REQUIRE(driver.LaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr) == abi::CUDA_SUCCESS);
    }
};

outcome waits(traced_work const& of, std::size_t known = 0) { return expect::no_hidden_synchronisation(known)(of); }
outcome copies(traced_work const& of, std::size_t known = 0) { return expect::no_hidden_copies(known)(of); }

} // namespace

TEST_CASE("traced work: launches and asynchronous copies of pinned memory wait for nothing") {
    embedded on;
    auto const work = gpuprof::observe_trace(on.gpu, [&] {
        on.launch();
        REQUIRE(on.driver.MemcpyHtoDAsync(on.memory, on.pinned, 64, on.stream) == abi::CUDA_SUCCESS);
        on.launch();
    });
    REQUIRE_MESSAGE(!work.why_not(), work.why_not()->message());
    CHECK(work.calls() == 3);
    CHECK(waits(work).verdict == verdict::pass);
    CHECK(copies(work, 1).verdict == verdict::pass);
    outcome const copied = copies(work);
    CHECK(copied.verdict == verdict::fail);
    CHECK(has(copied.text(), "no hidden copies: 1 is to be at most 0"));
    CHECK(has(copied.text(), "1 time cuMemcpyHtoDAsync: 64 bytes, host to device\n"));
    CHECK(has(copied.text(), "of 3 calls of CUDA"));
    CHECK(has(copied.text(), "advice: leave data on the GPU"));
}

TEST_CASE("traced work: each kind of call that waits is told with its count and its advice") {
    embedded on;
    abi::CUdeviceptr temporary = 0;
    auto const work = gpuprof::observe_trace(on.gpu, [&] {
        on.launch();
        REQUIRE(on.driver.StreamSynchronize(on.stream) == abi::CUDA_SUCCESS);
        REQUIRE(on.driver.StreamSynchronize(on.stream) == abi::CUDA_SUCCESS);
        REQUIRE(on.driver.MemcpyDtoH(on.pageable, on.memory, 16) == abi::CUDA_SUCCESS);
        REQUIRE(on.driver.MemcpyHtoDAsync(on.memory, on.pageable, 32, on.stream) == abi::CUDA_SUCCESS);
        REQUIRE(on.driver.MemAlloc(&temporary, 256) == abi::CUDA_SUCCESS);
        REQUIRE(on.driver.MemFree(temporary) == abi::CUDA_SUCCESS);
    });
    REQUIRE_MESSAGE(!work.why_not(), work.why_not()->message());
    CHECK(work.calls() == 7);
    outcome const waited = waits(work, 4);
    CHECK(waited.verdict == verdict::fail);
    std::string const text = waited.text();
    CHECK_MESSAGE(has(text, "no hidden synchronisation: 5 is to be at most 4"), text);
    CHECK(has(text, "2 times cuStreamSynchronize\n"));
    CHECK(has(text, "1 time cuMemcpyDtoH: 16 bytes, device to host\n"));
    CHECK(has(
        text,
        "1 time cuMemcpyHtoDAsync: 32 bytes, host to device, asynchronous, of memory of the host that is not pinned"));
    CHECK(has(text, "1 time cuMemFree\n"));
    CHECK(has(text, "advice: wait once"));
    CHECK(has(text, "advice: copy by the asynchronous call"));
    CHECK(has(text, "advice: pin the memory"));
    CHECK(has(text, "advice: release memory after the work"));
    CHECK(waits(work, 5).verdict == verdict::pass);
    CHECK(copies(work, 2).verdict == verdict::pass);
    CHECK(copies(work, 1).verdict == verdict::fail);
}

TEST_CASE("traced work: what another thread waits for counts, and what was before or after does not") {
    embedded on;
    REQUIRE(on.driver.CtxSynchronize() == abi::CUDA_SUCCESS);
    auto const work = gpuprof::observe_trace(on.gpu, [&] {
        std::thread{[&] {
            REQUIRE(on.driver.CtxSetCurrent(on.gpu.context()) == abi::CUDA_SUCCESS);
            REQUIRE(on.driver.CtxSynchronize() == abi::CUDA_SUCCESS);
        }}.join();
    });
    REQUIRE(on.driver.CtxSynchronize() == abi::CUDA_SUCCESS);
    CHECK(waits(work).verdict == verdict::fail);
    CHECK(waits(work, 1).verdict == verdict::pass);
}

TEST_CASE("traced work: nothing called, no tracer and no device are inconclusive, never a pass") {
    embedded on;
    outcome const nothing = waits(gpuprof::observe_trace(on.gpu, [] {}), 100);
    CHECK(nothing.verdict == verdict::inconclusive);
    CHECK(has(nothing.text(), "no call of CUDA was made"));
    {
        constexpr gpuprof::activity::kind_set kinds{abi::CUPTI_ACTIVITY_KIND_MEMCPY};
        auto const other = gpuprof::tracer<gpuprof::activity::kind_set>::try_begin(on.gpu, kinds);
        REQUIRE(other);
        outcome const busy = copies(gpuprof::observe_trace(on.gpu, [&] { on.launch(); }), 100);
        CHECK(busy.verdict == verdict::inconclusive);
        CHECK(has(busy.text(), "busy"));
    }
    gpuprof::result<gpuprof::device> const none = gpuprof::error{gpuprof::errc::unavailable, 0, "no GPU"};
    CHECK(copies(gpuprof::observe_trace(none, [&] { on.launch(); })).verdict == verdict::inconclusive);
    CHECK(waits(gpuprof::observe_trace(on.gpu, [&] { on.launch(); })).verdict ==
          verdict::pass); // the tracer is free again
}

TEST_CASE("traced work: GPUPROF_EXPECT takes it, and a function of one's own") {
    embedded on;
    auto const work = gpuprof::observe_trace(on.gpu, [&] { on.launch(); });
    CHECK(gpuprof::judge::expected(work, expect::no_hidden_copies()).verdict == verdict::pass);
    auto const calls_twice = [](traced_work const& of) {
        return outcome{of.calls() == 2 ? verdict::pass : verdict::fail, {}, {}, {}};
    };
    CHECK(gpuprof::judge::expected(work, calls_twice).verdict == verdict::fail);
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("traced work: what the work throws comes out, and the tracer has ended") {
    embedded on;
    CHECK_THROWS_AS(static_cast<void>(gpuprof::observe_trace(on.gpu, [] { throw std::runtime_error{"work"}; })),
                    std::runtime_error);
    CHECK(waits(gpuprof::observe_trace(on.gpu, [&] { on.launch(); })).verdict == verdict::pass);
}
#endif

} // namespace traced_work_test
