// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One output element a thread: loads and stores in all widths, constants, half, bfloat16 and double arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__constant__ float polynomial[4] = {1.0f, -2.0f, 0.5f, 0.25f};
__device__ int table[4] = {10, 20, 30, 40};
__device__ int* table_pointer = &table[1];

extern "C" __global__ void saxpy(float a, float const* x, float* y, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void daxpy(double a, double const* x, double* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void scale_vec4(float4 const* in, float4* out, float s, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    out[i] = make_float4(v.x * s, v.y + s, v.z - s, v.w / s);
}
extern "C" __global__ void evaluate_polynomial(float const* x, float* y, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 3; k >= 0; --k) sum = sum * x[i] + polynomial[k];
    y[i] = sum + polynomial[i & 3];
}
extern "C" __global__ void half2_fma(__half2 const* a, __half2 const* b, __half2* c, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = __hfma2(a[i], b[i], c[i]);
}
extern "C" __global__ void half2_iterate(__half2* values, __half2 c, int rounds) { // the half speed test
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = values[i];
    for (int k = 0; k < rounds; ++k) x = __hsub2(__hmul2(__hfma2(x, x, c), c), __hadd2(x, c));
    values[i] = x;
}
extern "C" __global__ void half_mix(__half const* a, __half const* b, __half* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half const s = __hadd(a[i], b[i]);
    __half const p = __hmul(a[i], b[i]);
    out[i] = __hgt(s, p) ? __hsub(s, p) : __hmax(s, __hneg(p));
}
extern "C" __global__ void bfloat_mix(__nv_bfloat16 const* a, __nv_bfloat16 const* b, __nv_bfloat16* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __hfma(a[i], b[i], __hadd(a[i], b[i]));
}
extern "C" __global__ void bytes_to_floats(unsigned char const* in, signed char const* in2, short const* in3, float* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 0.5f + in2[i] + in3[i] * 0.25f;
}
extern "C" __global__ void floats_to_integers(float const* in, unsigned char* u8, short* s16, int* s32, long long* s64, unsigned* u32, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u8[i] = static_cast<unsigned char>(__float2uint_rn(fminf(fmaxf(in[i], 0.0f), 255.0f)));
    s16[i] = static_cast<short>(__float2int_rd(in[i]));
    s32[i] = __float2int_ru(in[i]);
    s64[i] = __float2ll_rz(in[i]);
    u32[i] = __float2uint_rz(in[i]);
}
extern "C" __global__ void through_pointer_table(int* out) { out[threadIdx.x] = table_pointer[threadIdx.x % 3] + table[threadIdx.x % 4]; }
