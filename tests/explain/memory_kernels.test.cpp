// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory tables, roofline, memory chart and occupancy curves of a kernel on the embedded GPU, against what its source says.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/event/gpu_stopwatch.hpp>
#include <gpuprof/sim.hpp>

namespace memory_kernels_test {

namespace abi = gpuprof::abi;
namespace explain = gpuprof::explain;
namespace hw = gpuprof::hw;

namespace {

// Each thread: one load, one store of global memory, of 4 bytes side by side; one of each of shared memory; two fused
// multiply-adds.
constexpr char source[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry known(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<8>; .reg .u64 %rd<6>; .reg .f32 %f<4>; .shared .align 4 .b8 s[1024];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 256, %r2;
    ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    fma.rn.f32 %f2, %f1, %f1, %f1;
    fma.rn.f32 %f2, %f2, %f1, %f2;
    mul.lo.u32 %r4, %r2, 4; mov.u32 %r5, s; add.u32 %r5, %r5, %r4;
    st.shared.f32 [%r5], %f2; bar.sync 0; ld.shared.f32 %f2, [%r5];
    st.global.f32 [%rd5], %f2;
    ret;
}
)";
constexpr unsigned blocks = 64, threads = 256;
constexpr double all_warps = blocks * threads / 32;

explain::explanation explained() {
    auto const gpu = gpuprof::sim::open_embedded("GH100");
    REQUIRE_MESSAGE(gpu, (gpu ? std::string{} : gpu.error().message()));
    hw::context_scope const here{gpu->driver(), gpu->context()};
    abi::CUmodule module = nullptr;
    abi::CUfunction function = nullptr;
    abi::CUdeviceptr from = 0, to = 0;
    REQUIRE(gpu->driver().ModuleLoadData(&module, source) == abi::CUDA_SUCCESS);
    REQUIRE(gpu->driver().ModuleGetFunction(&function, module, "known") == abi::CUDA_SUCCESS);
    REQUIRE(gpu->driver().MemAlloc(&from, blocks * threads * 4) == abi::CUDA_SUCCESS);
    REQUIRE(gpu->driver().MemAlloc(&to, blocks * threads * 4) == abi::CUDA_SUCCESS);
    explain::section const* const sections[]{&explain::sections::memory_tables, &explain::sections::memory_chart,
                                             &explain::sections::roofline, &explain::sections::launch_statistics,
                                             &explain::sections::occupancy};
    auto why = explain::try_measure(*gpu, explain::set{"memory", sections}, [&] {
        void* arguments[]{&from, &to};
        CHECK(gpu->driver().LaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr) ==
              abi::CUDA_SUCCESS);
    });
    gpu->driver().MemFree(from);
    gpu->driver().MemFree(to);
    gpu->driver().ModuleUnload(module);
    REQUIRE_MESSAGE(why, (why ? std::string{} : why.error().message()));
    return *std::move(why);
}

double number(explain::memory_table const& table, gpuprof::range_view const& range, std::string_view row,
              std::string_view column) {
    auto const values = explain::values_of(table, range);
    for (std::size_t r = 0; r < values.rows.size(); ++r)
        for (std::size_t c = 0; c < values.columns.size(); ++c)
            if (values.rows[r]->title == row && values.columns[c]->title == column) {
                auto const& value = values.at(r, c).value;
                REQUIRE_MESSAGE(value.number, (value.missing ? value.missing->message() : std::string{row}));
                return *value.number;
            }
    FAIL("no cell ", row, ", ", column);
    return 0;
}

} // namespace

TEST_CASE("memory tables, roofline, chart and occupancy of a kernel on the embedded GPU are what its source says") {
    auto const why = explained();
    REQUIRE(why.report().size() == 1);
    auto const range = why.report().at(0);
    namespace tables = explain::memory_tables;
    CHECK(number(tables::shared_memory, range, "Load", "Instructions") == all_warps);
    CHECK(number(tables::shared_memory, range, "Store", "Requests") == all_warps);
    CHECK(number(tables::shared_memory, range, "Store", "Bank conflicts") == 0);
    CHECK(number(tables::l1, range, "Global load", "Requests") == all_warps);
    CHECK(number(tables::l1, range, "Global load", "Sectors/request") == 4); // 128 bytes a warp
    CHECK(number(tables::l1, range, "Global store", "Bytes") == all_warps * 128);
    CHECK(number(tables::l2, range, "L1/TEX store", "Sectors") == all_warps * 4);

    auto const single = explain::roofline_of(*explain::find_work("single"), range);
    REQUIRE(single.has_point());
    double const seconds = range.try_value("gpu__time_duration.sum")->value / 1e9;
    CHECK(*single.achieved.number == doctest::Approx(4.0 * blocks * threads / seconds)); // two fused: four operations
    REQUIRE(single.peak.number);
    double const clock = range.try_value("sm__cycles_elapsed.avg.per_second")->value;
    CHECK(*single.peak.number == doctest::Approx(2.0 * 128 * 132 * clock)); // of 132 SMs with 128 lanes each
    CHECK(single.find("dram")->bandwidth.number);

    auto const chart = explain::memory_chart_of(range);
    using explain::chart_unit;
    CHECK(*chart.find(chart_unit::kernel, chart_unit::global)->amount.number == 2 * all_warps);
    CHECK(*chart.find(chart_unit::kernel, chart_unit::shared)->amount.number == 2 * all_warps);
    CHECK(*chart.find(chart_unit::l1, chart_unit::global)->amount.number == all_warps);

    auto const curves = explain::occupancy_curves_of(range);
    REQUIRE(curves.theoretical);
    CHECK(curves.theoretical->value() == 100);
    CHECK(*curves.most_warps == 64);
    CHECK(curves.block_size.points.size() == 32);
    CHECK(curves.block_size.launch->amount == threads);
    CHECK(curves.shared_memory.launch->amount == 1024);
}

} // namespace memory_kernels_test
