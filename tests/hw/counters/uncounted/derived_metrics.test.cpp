// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guide's quotients of a kernel whose threads, predicates and bank conflicts follow from its code.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/uncounted/provided.hpp>
#include <gpuprof/sim/open.hpp>

namespace derived_metrics_test {

using namespace gpuprof;

namespace {
// Every thread stores to shared memory with a stride of two words: of 32 threads, two each meet in a bank.
constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry strided() {
    .shared .align 4 .b8 s[8192];
    .reg .u32 %r<4>;
    mov.u32 %r1, s; mov.u32 %r2, %tid.x;
    shl.b32 %r3, %r2, 3; add.u32 %r1, %r1, %r3;
    st.shared.u32 [%r1], %r2;
    ret;
}
)";

// The metric of one range with a launch of `blocks` blocks of `threads` threads.
double derived(std::string_view name, unsigned blocks, unsigned threads) {
    device const gpu = *sim::open_embedded("gh100");
    derived_metric const* const row = find_derived_metric(name);
    REQUIRE(row != nullptr);
    abi::CUmodule module = nullptr;
    abi::CUfunction kernel = nullptr;
    REQUIRE(gpu.driver().ModuleLoadData(&module, ptx) == abi::CUDA_SUCCESS);
    REQUIRE(gpu.driver().ModuleGetFunction(&kernel, module, "strided") == abi::CUDA_SUCCESS);
    std::vector<metric_info> const counters{*try_metric(row->numerator), *try_metric(row->denominator)};
    auto created = profiler::try_create(gpu, {}, counters);
    REQUIRE(created);
    for (auto pass : created->passes()) {
        scope const range{*created, "work"};
        CHECK(gpu.driver().LaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr) ==
              abi::CUDA_SUCCESS);
        CHECK(gpu.driver().CtxSynchronize() == abi::CUDA_SUCCESS);
    }
    auto const report = created->try_report();
    REQUIRE(report);
    auto const range = report->try_range("work");
    REQUIRE(range);
    auto const value = hw::provided::try_derived_value(*row, range->try_value(row->numerator)->value,
                                                       range->try_value(row->denominator)->value);
    REQUIRE(value);
    static_cast<void>(gpu.driver().ModuleUnload(module));
    return *value;
}
} // namespace

TEST_CASE("threads per instruction are those of the blocks") {
    CHECK(derived("derived__avg_thread_executed", 10, 20) == 20);
    CHECK(derived("derived__avg_thread_executed_true", 10, 20) == 20); // nothing is predicated
    CHECK(derived("derived__avg_thread_executed", 10, 64) == 32);
    CHECK(derived("derived__avg_thread_executed", 10, 48) == 24); // warps of 32 and of 16
}

TEST_CASE("a stride of two words is a conflict of two ways") {
    CHECK(derived("derived__memory_l1_conflicts_shared_nway", 10, 64) == 2);
    CHECK(derived("derived__memory_l1_conflicts_shared_nway", 10, 16) == 1); // 16 threads, 16 banks
}

} // namespace derived_metrics_test
