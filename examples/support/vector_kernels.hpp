// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels on vectors of floats, for examples.
#ifndef GPUPROF_EXAMPLES_VECTOR_KERNELS_HPP
#define GPUPROF_EXAMPLES_VECTOR_KERNELS_HPP

// scale: x[i] = a * x[i]. add: y[i] = x[i] + y[i].
inline constexpr char vector_kernels[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry scale(.param .u64 xs, .param .f32 a) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>; .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.f32 %f1, [a];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %f2, [%rd3];
    mul.rn.f32 %f2, %f1, %f2;
    st.global.f32 [%rd3], %f2;
    ret;
}
.visible .entry add(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<5>; .reg .u64 %rd<6>; .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5];
    add.rn.f32 %f2, %f1, %f2;
    st.global.f32 [%rd5], %f2;
    ret;
}
)";

#endif // GPUPROF_EXAMPLES_VECTOR_KERNELS_HPP
