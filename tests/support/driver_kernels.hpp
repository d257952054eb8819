// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX that the tests of the embedded GPU's driver load, and a context with it loaded.
#ifndef GPUPROF_TESTS_SUPPORT_DRIVER_KERNELS_HPP
#define GPUPROF_TESTS_SUPPORT_DRIVER_KERNELS_HPP

#include "support/driver_fixture.hpp"
#include "sim/chip/chips.hpp"

inline constexpr char driver_kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .const .align 4 .u32 factor[2] = {5, 6};
.visible .entry store(.param .u64 to) {
    .reg .u64 %rd<2>; .reg .u32 %r<2>;
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, 7;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry fill(.param .u64 to, .param .u32 value) {
    .reg .u64 %rd<3>; .reg .u32 %r<6>;
    ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [value];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    add.u32 %r1, %r1, %r5;
    mul.wide.u32 %rd2, %r5, 4; add.u64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry mixed(.param .u8 a, .param .u64 to, .param .u16 b, .param .f32 c) {
    .reg .u64 %rd<2>; .reg .u32 %r<4>; .reg .u16 %h<3>; .reg .f32 %f<2>;
    ld.param.u64 %rd1, [to]; ld.param.u8 %h1, [a]; ld.param.u16 %h2, [b]; ld.param.f32 %f1, [c];
    cvt.u32.u16 %r1, %h1; cvt.u32.u16 %r2, %h2; cvt.rzi.u32.f32 %r3, %f1;
    mad.lo.u32 %r2, %r2, 1000, %r1; mad.lo.u32 %r3, %r3, 10000000, %r2;
    st.global.u32 [%rd1], %r3;
    ret;
}
.visible .entry trapping() { trap; ret; }
.visible .entry endless() { $again: bra $again; }
.visible .entry empty() { ret; }
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
.visible .entry required() .reqntid 64, 1, 1 { ret; }
.visible .entry uses_shared() {
    .shared .align 4 .b8 s[40000]; .reg .u64 %rd<2>; .reg .u32 %r<2>;
    mov.u64 %rd1, s; mov.u32 %r1, 1; st.shared.u32 [%rd1], %r1;
    ret;
}
.visible .entry unsupported() { .reg .u32 %r<2>; stacksave.u32 %r1; ret; }
)";

struct with_kernels : embedded_context {
    explicit with_kernels(gpuprof::sim::chip_model const& chip = gpuprof::sim::gh100) : embedded_context{chip} {
        REQUIRE(driver.ModuleLoadData(&module, driver_kernels) == gpuprof::abi::CUDA_SUCCESS);
    }
    gpuprof::abi::CUfunction kernel(char const* name) {
        gpuprof::abi::CUfunction function = nullptr;
        CHECK(driver.ModuleGetFunction(&function, module, name) == gpuprof::abi::CUDA_SUCCESS);
        return function;
    }
    gpuprof::abi::CUresult launch(char const* name, unsigned grid, unsigned block, void** params = nullptr,
                                  unsigned shared = 0, gpuprof::abi::CUstream stream = nullptr) {
        return driver.LaunchKernel(kernel(name), grid, 1, 1, block, 1, 1, shared, stream, params, nullptr);
    }
    gpuprof::abi::CUdeviceptr buffer(std::size_t bytes) {
        gpuprof::abi::CUdeviceptr address = 0;
        CHECK(driver.MemAlloc(&address, bytes) == gpuprof::abi::CUDA_SUCCESS);
        return address;
    }
    unsigned word(gpuprof::abi::CUdeviceptr address) {
        unsigned value = 0;
        CHECK(driver.MemcpyDtoH(&value, address, 4) == gpuprof::abi::CUDA_SUCCESS);
        return value;
    }
    gpuprof::abi::CUmodule module = nullptr;
};

#endif // GPUPROF_TESTS_SUPPORT_DRIVER_KERNELS_HPP
