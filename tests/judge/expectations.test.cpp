// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ready-made expectations, on kernels of the embedded GPU that keep them and on kernels that each break one.
#include <gpuprof/detail/config.hpp>

#include <doctest/doctest.h>

#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim/open.hpp>
#include <gpuprof/judge.hpp>

#include "judge/judged_reports.hpp"

namespace expectations_test {

namespace abi = gpuprof::abi;
namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using gpuprof::observation;
using gpuprof::outcome;
using gpuprof::verdict;

namespace {

// One warp each, unless a grid says more.
constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 128 .b8 in[16384];
.visible .global .align 128 .b8 out[16384];
.visible .entry coalesced() {
    .reg .u64 %rd<5>; .reg .u32 %r<4>;
    mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4;
    mov.u64 %rd2, in; add.u64 %rd3, %rd2, %rd1; mov.u64 %rd2, out; add.u64 %rd4, %rd2, %rd1;
    ld.global.u32 %r2, [%rd3]; st.global.u32 [%rd4], %r2;
    ret;
}
.visible .entry strided() {
    .reg .u64 %rd<5>; .reg .u32 %r<4>;
    mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 128;
    mov.u64 %rd2, in; add.u64 %rd3, %rd2, %rd1; mov.u64 %rd2, out; add.u64 %rd4, %rd2, %rd1;
    ld.global.u32 %r2, [%rd3]; st.global.u32 [%rd4], %r2;
    ret;
}
.visible .entry column(.param .u32 stride) {
    .shared .align 4 .b8 tile[4224]; .reg .u64 %rd<3>; .reg .u32 %r<6>;
    ld.param.u32 %r4, [stride];
    mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, %r4; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r5, [%r2];
    mov.u64 %rd1, out; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r5;
    ret;
}
.visible .entry local_array() {
    .local .align 4 .b8 array[128]; .reg .u64 %rd<5>; .reg .u32 %r<4>;
    mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; mov.u64 %rd2, array; add.u64 %rd3, %rd2, %rd1;
    st.local.u32 [%rd3], %r1; ld.local.u32 %r2, [%rd3];
    mov.u64 %rd2, out; add.u64 %rd4, %rd2, %rd1; st.global.u32 [%rd4], %r2;
    ret;
}
.visible .entry divergent() {
    .reg .u64 %rd<4>; .reg .u32 %r<4>; .reg .pred %p<2>;
    mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
    mov.u64 %rd1, out; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
    @%p1 bra $even;
    st.global.u32 [%rd1], %r1; st.global.u32 [%rd1], %r2; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1], %r2;
    bra $end;
$even:
    st.global.u32 [%rd1], %r2; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1], %r2; st.global.u32 [%rd1], %r1;
$end:
    ret;
}
.visible .entry shared_counter(.param .u32 width) {
    .shared .align 4 .b8 counters[128]; .reg .u32 %r<6>;
    ld.param.u32 %r1, [width]; mov.u32 %r2, %tid.x; mul.lo.u32 %r3, %r2, %r1; mov.u32 %r4, counters; add.u32 %r3, %r3, %r4;
    atom.shared.add.u32 %r5, [%r3], %r2;
    ret;
}
)";

struct embedded {
    gpuprof::device gpu = *gpuprof::sim::open_embedded("gh100");
    abi::CUmodule module = nullptr;

    embedded() { REQUIRE(gpu.driver().ModuleLoadData(&module, kernels) == abi::CUDA_SUCCESS); }
    void launch(char const* name, unsigned parameter = 0, unsigned threads = 32) {
        abi::CUfunction kernel = nullptr;
        void* parameters[]{&parameter};
        REQUIRE(gpu.driver().ModuleGetFunction(&kernel, module, name) == abi::CUDA_SUCCESS);
        static_cast<void>(gpu.driver().LaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
    }
    outcome check(gpuprof::expectation const& what, char const* name, unsigned parameter = 0) {
        return what(gpuprof::observe_for(gpu, {what}, [&] { launch(name, parameter); }));
    }
};

} // namespace

TEST_CASE("expectations: coalesced accesses pass, strided ones fail with numbers and advice") {
    embedded on;
    CHECK(on.check(expect::coalesced_global_loads(), "coalesced").verdict == verdict::pass);
    CHECK(on.check(expect::coalesced_global_stores(), "coalesced").verdict == verdict::pass);
    CHECK(on.check(expect::coalesced_global_loads(8), "coalesced").verdict == verdict::pass);
    outcome const loads = on.check(expect::coalesced_global_loads(), "strided");
    CHECK(loads.verdict == verdict::fail);
    CHECK(has(loads.text(),
              "coalesced global loads: 32 sectors/request is to be at most 4 sectors/request")); // a sector a thread
    CHECK(has(loads.text(), "32 sectors per request, where 4 would do"));
    CHECK(has(loads.text(), "advice: let neighbouring threads"));
    CHECK(has(loads.text(), "kernel: strided<<<(1, 1, 1), (32, 1, 1)>>>"));
    CHECK(on.check(expect::coalesced_global_stores(), "strided").verdict == verdict::fail);
    CHECK(on.check(expect::coalesced_global_loads(), "divergent").verdict == verdict::inconclusive); // it loads nothing
}

TEST_CASE("expectations: bank conflicts of a column, and none once its rows are padded") {
    embedded on;
    outcome const conflicts = on.check(expect::no_bank_conflicts(), "column", 128);
    CHECK(conflicts.verdict == verdict::fail);
    // 32 threads on one bank: 31 wavefronts too many for the store, and for the load
    CHECK(has(conflicts.text(), "no bank conflicts: 62 conflicts is to be at most 0 conflicts"));
    CHECK(has(conflicts.text(), "62 of 64 wavefronts"));
    CHECK(on.check(expect::no_bank_conflicts(), "column", 132).verdict == verdict::pass);
    CHECK(on.check(expect::no_bank_conflicts(), "coalesced").verdict == verdict::inconclusive);
}

TEST_CASE("expectations: local memory, divergence and tensor cores") {
    embedded on;
    CHECK(on.check(expect::no_local_memory(), "coalesced").verdict == verdict::pass);
    CHECK(on.check(expect::no_local_memory(), "local_array").verdict == verdict::fail);
    CHECK(on.check(expect::no_divergence(), "coalesced").verdict == verdict::pass);
    CHECK(on.check(expect::no_divergence(), "divergent").verdict == verdict::fail);
    outcome const none = on.check(expect::tensor_cores_used(), "coalesced");
    CHECK(none.verdict == verdict::fail);
    CHECK(has(none.text(), "instructions is a matrix product"));
}

// What an H200 counted for x * 1.5f + 0.5f in 8,192 warps, and for one wmma product of halves in each of 256 warps.
TEST_CASE("expectations: packed halves on the tensor pipe of a GPU are no matrix product") {
    auto const judged = [](double tensor, double halves, double all) {
        gpuprof::report const of = report_of({{*gpuprof::try_metric("sm__inst_executed_pipe_tensor.sum"), tensor},
                                              {*gpuprof::try_metric("sm__inst_executed.sum"), all},
                                              {*gpuprof::try_metric(expect::tensor_cores_used().where_known), halves}});
        return expect::tensor_cores_used()(gpuprof::observation{of, "step"});
    };
    CHECK(judged(8192, 8192, 106'496).verdict == verdict::fail);
    CHECK(judged(512, 0, 7168).verdict == verdict::pass);
    CHECK(judged(262'144, 262'144, 630'784).verdict == verdict::fail);
    gpuprof::report const without = report_of({{*gpuprof::try_metric("sm__inst_executed_pipe_tensor.sum"), 8192},
                                               {*gpuprof::try_metric("sm__inst_executed.sum"), 106'496}});
    outcome const unknown = expect::tensor_cores_used()(gpuprof::observation{without, "step"});
    CHECK(unknown.verdict == verdict::inconclusive);
    CHECK(has(unknown.text(), "hfma2.sum was not measured here"));
}

TEST_CASE("expectations: atomics on shared memory wait for each other on one word, not on one each") {
    embedded on;
    CHECK(on.check(expect::no_serialised_atomics(), "shared_counter", 0).verdict == verdict::fail);
    CHECK(on.check(expect::no_serialised_atomics(), "shared_counter", 4).verdict == verdict::pass);
    CHECK(on.check(expect::no_serialised_atomics(), "coalesced").verdict == verdict::inconclusive);
}

TEST_CASE("expectations: a kernel that is launched twice, not at all, or refused") {
    embedded on;
    auto const launches = [&](auto work) {
        return expect::launch_count(1)(gpuprof::observe_for(on.gpu, {expect::launch_count(1)}, work));
    };
    CHECK(launches([&] { on.launch("coalesced"); }).verdict == verdict::pass);
    outcome const twice = launches([&] {
        on.launch("coalesced");
        on.launch("coalesced");
    });
    CHECK(twice.verdict == verdict::fail);
    CHECK(has(twice.text(), "launches: 2 is to be exactly 1"));
    CHECK(launches([] {}).verdict == verdict::fail);
    CHECK(
        has(launches([&] { on.launch("coalesced", 0, 2048); }).text(), "the driver refused 1 more")); // threads a block
    // what such a kernel was to be checked for is inconclusive
    CHECK(expect::no_divergence()(gpuprof::observe_for(on.gpu, {expect::no_divergence()}, [&] {
              on.launch("coalesced", 0, 2048);
          })).verdict == verdict::inconclusive);
}

TEST_CASE("expectations: repetitions are divided out of the number of launches") {
    embedded on;
    auto const m = gpuprof::observe(
        on.gpu, gpuprof::repetitions{3}, [&] { on.launch("coalesced"); }, metrics::warps_launched);
    CHECK(expect::launch_count(1)(m).verdict == verdict::pass);
    CHECK(m[metrics::warps_launched].number() == 1); // the median, not the sum
}

TEST_CASE("expectations: bytes of device memory and occupancy, of values that are known") {
    observation const bytes{report_of({{metrics::dram_bytes, 3000}}), "step"};
    CHECK(expect::dram_bytes_within(3, gpuprof::bytes{1000})(bytes).verdict == verdict::pass);
    outcome const more = expect::dram_bytes_within(2, gpuprof::bytes{1000})(bytes);
    CHECK(more.verdict == verdict::fail);
    CHECK(has(more.text(), "that is 3 times the 1,000 bytes that the work needs; 2 times are allowed"));
    observation const half{report_of({{metrics::achieved_occupancy, 50}}), "step"};
    CHECK(expect::occupancy_at_least(gpuprof::percent{50})(half).verdict == verdict::pass);
    CHECK(expect::occupancy_at_least(gpuprof::percent{51})(half).verdict == verdict::fail);
    CHECK(expect::occupancy_at_least(gpuprof::percent{51})(bytes).verdict == verdict::inconclusive);
}

TEST_CASE("expectations: on hardware, arbitration's share of the wavefronts is allowed") {
    auto const of = [](double conflicts) {
        return observation{report_of({{metrics::shared_bank_conflicts, conflicts},
                                      {metrics::shared_wavefronts, 1000},
                                      {metrics::shared_load_wavefronts, 500},
                                      {metrics::shared_store_wavefronts, 500}}),
                           "step"};
    };
    CHECK(expect::no_bank_conflicts()(of(40)).verdict == verdict::pass);
    outcome const more = expect::no_bank_conflicts()(of(41));
    CHECK(more.verdict == verdict::fail);
    CHECK(has(more.text(), "noise::arbitration allows 40 more"));
}

} // namespace expectations_test
