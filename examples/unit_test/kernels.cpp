// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels in PTX, launched through the driver's interface, which a GPU and the embedded GPU both have. Yours are likely
// compiled by nvcc -ptx.
#include "kernels.hpp"

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 128 .b8 x[16384];
.visible .global .align 128 .b8 y[16384];
.visible .entry saxpy() {
    .reg .u64 %rd<5>; .reg .u32 %r<5>; .reg .f32 %f<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd1, %r4, 4;
    mov.u64 %rd2, x; add.u64 %rd3, %rd2, %rd1; mov.u64 %rd2, y; add.u64 %rd4, %rd2, %rd1;
    ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd4];
    fma.rn.f32 %f3, %f1, 0f40000000, %f2;
    st.global.f32 [%rd4], %f3;
    ret;
}
.visible .entry transpose(.param .u32 row) {
    .shared .align 4 .b8 tile[4224]; .reg .u64 %rd<5>; .reg .u32 %r<10>;
    ld.param.u32 %r9, [row];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, tile;
    mad.lo.u32 %r4, %r2, 32, %r1; mul.wide.u32 %rd1, %r4, 4;
    mov.u64 %rd2, x; add.u64 %rd3, %rd2, %rd1; mov.u64 %rd2, y; add.u64 %rd4, %rd2, %rd1;
    ld.global.u32 %r5, [%rd3];
    mul.lo.u32 %r6, %r2, %r9; mad.lo.u32 %r6, %r1, 4, %r6; add.u32 %r6, %r6, %r3; st.shared.u32 [%r6], %r5;
    bar.sync 0;
    mul.lo.u32 %r7, %r1, %r9; mad.lo.u32 %r7, %r2, 4, %r7; add.u32 %r7, %r7, %r3; ld.shared.u32 %r8, [%r7];
    st.global.u32 [%rd4], %r8;
    ret;
}
)";

void launch(gpuprof::device const& gpu, char const* name, unsigned grid, unsigned x, unsigned y, void** parameters) {
    auto const& driver = gpu.driver();
    static gpuprof::abi::CUmodule module = nullptr; // of the one device of these tests
    gpuprof::abi::CUfunction kernel = nullptr;
    if ((module == nullptr && driver.ModuleLoadData(&module, ptx)) || driver.ModuleGetFunction(&kernel, module, name))
        return; // the checks say that no kernel ran
    static_cast<void>(driver.LaunchKernel(kernel, grid, 1, 1, x, y, 1, 0, nullptr, parameters, nullptr));
}
void launch_transpose(gpuprof::device const& gpu, unsigned words_a_row) {
    unsigned bytes_a_row = 4 * words_a_row;
    void* parameters[]{&bytes_a_row};
    launch(gpu, "transpose", 1, 32, 32, parameters);
}

} // namespace

void saxpy(gpuprof::device const& gpu) { launch(gpu, "saxpy", saxpy_elements / 256, 256, 1, nullptr); }
void transpose(gpuprof::device const& gpu) { launch_transpose(gpu, 33); }
void transpose_unpadded(gpuprof::device const& gpu) { launch_transpose(gpu, 32); }
