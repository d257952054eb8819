// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point: rounding modes, square roots and divisions, fast and accurate functions.
extern "C" __global__ void rounded_float(float const* a, float const* b, float const* c, float* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* const to = out + i * 24;
    float const x = a[i], y = b[i], z = c[i];
    to[0] = __fadd_rn(x, y), to[1] = __fadd_rz(x, y), to[2] = __fadd_rd(x, y), to[3] = __fadd_ru(x, y);
    to[4] = __fmul_rn(x, y), to[5] = __fmul_rz(x, y), to[6] = __fmul_rd(x, y), to[7] = __fmul_ru(x, y);
    to[8] = __fmaf_rn(x, y, z), to[9] = __fmaf_rz(x, y, z), to[10] = __fmaf_rd(x, y, z), to[11] = __fmaf_ru(x, y, z);
    to[12] = __fdiv_rn(x, y), to[13] = __fdiv_rz(x, y), to[14] = __fdiv_rd(x, y), to[15] = __fdiv_ru(x, y);
    to[16] = __fsqrt_rn(x), to[17] = __fsqrt_rz(x), to[18] = __fsqrt_rd(x), to[19] = __fsqrt_ru(x);
    to[20] = __frcp_rn(y), to[21] = fminf(x, y), to[22] = fmaxf(x, z), to[23] = __saturatef(x);
}
extern "C" __global__ void rounded_double(double const* a, double const* b, double const* c, double* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double* const to = out + i * 20;
    double const x = a[i], y = b[i], z = c[i];
    to[0] = __dadd_rn(x, y), to[1] = __dadd_rz(x, y), to[2] = __dadd_rd(x, y), to[3] = __dadd_ru(x, y);
    to[4] = __dmul_rn(x, y), to[5] = __dmul_rz(x, y), to[6] = __dmul_rd(x, y), to[7] = __dmul_ru(x, y);
    to[8] = __fma_rn(x, y, z), to[9] = __fma_rz(x, y, z), to[10] = __fma_rd(x, y, z), to[11] = __fma_ru(x, y, z);
    to[12] = __ddiv_rn(x, y), to[13] = __ddiv_rz(x, y), to[14] = __ddiv_rd(x, y), to[15] = __ddiv_ru(x, y);
    to[16] = __dsqrt_rn(x), to[17] = __dsqrt_ru(x), to[18] = fmin(x, y), to[19] = trunc(x) + floor(y) + rint(z);
}
extern "C" __global__ void conversions(double const* in, float* f, unsigned long long* u64, long long const* integers, float* from_s64, double* to_double, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    f[i * 4] = __double2float_rn(in[i]), f[i * 4 + 1] = __double2float_rz(in[i]);
    f[i * 4 + 2] = __double2float_rd(in[i]), f[i * 4 + 3] = __double2float_ru(in[i]);
    u64[i] = __double2ull_rz(in[i]);
    from_s64[i * 4] = __ll2float_rn(integers[i]), from_s64[i * 4 + 1] = __ll2float_rz(integers[i]);
    from_s64[i * 4 + 2] = __ll2float_rd(integers[i]), from_s64[i * 4 + 3] = __ll2float_ru(integers[i]);
    to_double[i * 2] = __ll2double_rn(integers[i]), to_double[i * 2 + 1] = __ll2double_rd(integers[i]);
}
extern "C" __global__ void fast_functions(float const* in, float* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* const to = out + i * 8;
    float const x = in[i];
    to[0] = __sinf(x), to[1] = __cosf(x), to[2] = __log2f(x), to[3] = exp2f(x);
    to[4] = rsqrtf(x), to[5] = __fdividef(1.5f, x), to[6] = __expf(x), to[7] = __powf(x, 0.75f);
}
extern "C" __global__ void accurate_functions(float const* in, float* out, double const* din, double* dout, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* const to = out + i * 6;
    to[0] = sinf(in[i]), to[1] = expf(in[i]), to[2] = logf(in[i]), to[3] = powf(in[i], 1.7f), to[4] = tanhf(in[i]), to[5] = atanf(in[i]);
    double* const dto = dout + i * 5;
    dto[0] = sin(din[i]), dto[1] = exp(din[i]), dto[2] = log(din[i]), dto[3] = cbrt(din[i]), dto[4] = pow(din[i], 0.3);
}
extern "C" __global__ void mandelbrot(int* out, int width, int height, int limit) { // the float speed test
    int const x = blockIdx.x * blockDim.x + threadIdx.x;
    int const y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float const cr = 3.0f * static_cast<float>(x) / static_cast<float>(width) - 2.0f;
    float const ci = 2.0f * static_cast<float>(y) / static_cast<float>(height) - 1.0f;
    float zr = 0, zi = 0;
    int k = 0;
    while (k < limit && zr * zr + zi * zi < 4.0f) {
        float const t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        ++k;
    }
    out[y * width + x] = k;
}
