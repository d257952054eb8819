// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU that these tests run on, and work for it whose counters follow from arithmetic.
#ifndef GPUPROF_TESTS_HARDWARE_GPU_HPP
#define GPUPROF_TESTS_HARDWARE_GPU_HPP

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>

#include "../../examples/support/ptx_program.hpp"

// work: every thread stores 4 bytes beside those of its neighbours. fault: a store to an address that is nobody's.
inline constexpr char gpu_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry work(.param .u64 to) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;
}
.visible .entry fault() {
    .reg .u32 %r<2>; .reg .u64 %rd<2>;
    mov.u64 %rd1, 16; mov.u32 %r1, 1;
    st.global.u32 [%rd1], %r1;
    ret;
}
)";

class gpu_under_test {
public:
    static constexpr unsigned block = 256;
    static constexpr unsigned most_blocks = 256;

    explicit gpu_under_test(gpuprof::device opened)
        : device_{std::move(opened)},
          buffer_{device_, std::size_t{most_blocks} * block * 4},
          program_{device_, gpu_ptx} {}

    [[nodiscard]] gpuprof::device const& device() const { return device_; }

    // Launches `blocks` blocks of `work` and does not wait. Each has 8 warps, each warp one store instruction, one
    // request, and 32 * 4 bytes of stores in whole sectors of 32 bytes.
    void work(unsigned blocks) { program_.launch("work", blocks, block, buffer_.address()); }
    void work_in(gpuprof::abi::CUstream stream, unsigned blocks) {
        program_.launch_in(stream, "work", blocks, block, buffer_.address());
    }
    void fault() { program_.launch("fault", 1, 1); }
    [[nodiscard]] static double warps(unsigned blocks) { return blocks * (block / 32.0); }
    [[nodiscard]] static double sectors(unsigned blocks) { return blocks * (block * 4 / 32.0); }

private:
    gpuprof::device device_;
    device_buffer buffer_;
    ptx_program program_;
};

// This machine's GPU, opened once a process; null without one, and then the test case is marked as skipped.
inline gpu_under_test* gpu_or_skip() {
    static std::unique_ptr<gpu_under_test> gpu;
    if (gpu) return gpu.get();
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        MESSAGE("skipped: ", opened.error().message());
        return nullptr;
    }
    if (opened->source() != gpuprof::device_source::hardware) {
        MESSAGE("skipped: no GPU but the embedded one");
        return nullptr;
    }
    gpu = std::make_unique<gpu_under_test>(*std::move(opened));
    return gpu.get();
}

// The value of a metric in a range; the test fails, saying why, where there is none.
inline double value_of(gpuprof::report const& report, std::string_view path, std::string_view metric) {
    auto const range = report.try_range(path);
    if (!range) FAIL_CHECK(range.error().message());
    if (!range) return -1;
    auto const value = range->try_value(metric);
    if (!value) FAIL_CHECK(value.error().message());
    return value ? value->value : -1;
}

// Whether the report says that something of this kind went wrong; what it does say is shown if a check fails.
inline bool has_problem(gpuprof::report const& report, gpuprof::errc code) {
    for (gpuprof::error const& each : report.completeness().problems)
        if (each.code == code) return true;
    for (gpuprof::error const& each : report.completeness().problems) MESSAGE("problem: ", each.message());
    return false;
}

// No problem; those there are are shown.
inline bool is_complete(gpuprof::report const& report) {
    for (gpuprof::error const& each : report.completeness().problems) MESSAGE("problem: ", each.message());
    return report.complete();
}

#endif // GPUPROF_TESTS_HARDWARE_GPU_HPP
