// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Experiments on event hardware: objects of a frozen frame, counted by events and legacy metrics over several passes.
#include <cstddef>
#include <string>

#include <doctest/doctest.h>

#include <gpuprof/legacy.hpp>
#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace legacy_experiment_test {

namespace abi = gpuprof::abi;

namespace {

// write: each thread of 64 writes 4 bytes, side by side: a warp writes 4 sectors of 32 bytes.
constexpr char kernels[] = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry write(.param .u64 to) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 64, %r2;
    ld.param.u64 %rd1, [to];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
}
)";

} // namespace

TEST_CASE("legacy names: an experiment's objects have their own counts of events and metrics") {
    auto const gpu = gpuprof::sim::open_embedded("gm200");
    REQUIRE(gpu);
    abi::driver_table const& driver = gpu->driver();
    REQUIRE(driver.CtxPushCurrent(gpu->context()) == abi::CUDA_SUCCESS);
    abi::CUmodule module = nullptr;
    abi::CUfunction write = nullptr;
    abi::CUdeviceptr memory = 0;
    REQUIRE(driver.ModuleLoadData(&module, kernels) == abi::CUDA_SUCCESS);
    REQUIRE(driver.ModuleGetFunction(&write, module, "write") == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&memory, 1 << 20) == abi::CUDA_SUCCESS);
    auto const launch = [&](unsigned blocks) {
        void* list[]{&memory};
        REQUIRE(driver.LaunchKernel(write, blocks, 1, 1, 64, 1, 1, 0, nullptr, list, nullptr) == abi::CUDA_SUCCESS);
    };

    auto made = gpuprof::experiment::try_create(*gpu);
    REQUIRE(made);
    gpuprof::experiment& of = *made;
    REQUIRE(of.enable(gpuprof::legacy_event<"warps_launched">).is_ok());
    REQUIRE(of.enable(gpuprof::legacy_event<"sm_cta_launched">).is_ok());
    REQUIRE(of.enable(gpuprof::legacy_metric<"gst_transactions">).is_ok());
    REQUIRE(of.enable(gpuprof::legacy_metric<"gst_requested_throughput">).is_ok());
    constexpr std::size_t objects = 3;
    REQUIRE(of.reserve_objects(objects).is_ok());
    auto const begun = of.begin();
    REQUIRE_MESSAGE(begun.is_ok(), begun.message(), (of.refusal() ? of.refusal()->message() : std::string{}));
    REQUIRE(of.passes() > 1);
    for (std::size_t pass = 0; pass < of.passes(); ++pass) {
        CHECK(of.begin_pass(pass).is_ok());
        for (std::size_t id = 0; id < objects; ++id) {
            CHECK(of.begin_object(id).is_ok());
            launch(static_cast<unsigned>(id + 1));
            launch(8);
            CHECK(of.end_object(id).is_ok());
        }
        CHECK(of.end_pass(pass).is_ok());
    }
    CHECK(of.end().is_ok());
    CHECK(of.mistakes().empty());
    auto const report = of.try_report();
    REQUIRE(report);
    CHECK(report->complete());
    for (std::size_t id = 0; id < objects; ++id) {
        double const blocks = static_cast<double>(id + 1 + 8);
        auto const warps = of.try_get(gpuprof::legacy_event<"warps_launched">, id);
        auto const ctas = of.try_get(gpuprof::legacy_event<"sm_cta_launched">, id);
        auto const transactions = of.try_get(gpuprof::legacy_metric<"gst_transactions">, id);
        REQUIRE_MESSAGE(warps, (warps ? std::string{} : warps.error().message()));
        REQUIRE_MESSAGE(ctas, (ctas ? std::string{} : ctas.error().message()));
        REQUIRE_MESSAGE(transactions, (transactions ? std::string{} : transactions.error().message()));
        CHECK(warps->value() == 2 * blocks);
        CHECK(ctas->value() == blocks);
        CHECK(transactions->value() == 4 * 2 * blocks);
    }
    static_cast<void>(driver.MemFree(memory));
    static_cast<void>(driver.ModuleUnload(module));
    abi::CUcontext popped = nullptr;
    static_cast<void>(driver.CtxPopCurrent(&popped));
}

} // namespace legacy_experiment_test
