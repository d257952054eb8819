# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what a kernel does, from Python: `gpuprof run --kernels none -- python3 saxpy.py` needs no GPU."""
import ctypes

import counters

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    assert status == 0, f"{name}: {status}"


# y[i] = 2 * x[i] + y[i], one thread a value
PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y) {
    .reg .b32 %r<5>; .reg .b64 %d<6>; .reg .f32 %f<4>;
    ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
    ld.global.f32 %f1, [%d4]; ld.global.f32 %f2, [%d5];
    fma.rn.f32 %f3, %f1, 0f40000000, %f2;
    st.global.f32 [%d5], %f3;
    ret;
}
"""
COUNT = 4096
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
x, y = ctypes.c_uint64(), ctypes.c_uint64()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), PTX)
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"saxpy")
for memory in (x, y):
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(4 * COUNT))
    call("cuMemsetD32_v2", memory, 0, ctypes.c_size_t(COUNT))


def saxpy():
    arguments = (ctypes.c_void_p * 2)(ctypes.addressof(x), ctypes.addressof(y))
    call("cuLaunchKernel", kernel, COUNT // 256, 1, 1, 256, 1, 1, 0, None, arguments, None)


def step():
    with counters.scope("step"):
        for _ in range(3):
            with counters.scope("saxpy"):
                saxpy()
        call("cuCtxSynchronize")


for row in counters.measure(step, "smsp__warps_launched.sum",
                            "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"):
    print(f"{row['range']:12} {row['metric']:50} {row['value']:8.0f} {row['unit']}")
