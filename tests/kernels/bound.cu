// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are each bound by one unit of a GPU, or by none. `in` and `out` have room for every access; what is read is
// added up and written only if it is a number that it never is, so that no load is left out.
#define KERNEL extern "C" __global__ void

static __device__ unsigned global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ unsigned threads() { return gridDim.x * blockDim.x; }

// Device memory: every 16 bytes of `in` are read once. `vectors`: of 16 bytes, in `in`; more than the L2 cache holds.
KERNEL bound_by_dram(uint4 const* in, unsigned* out, unsigned vectors) {
    unsigned sum = 0;
#pragma unroll 4
    for (unsigned i = global_thread(); i < vectors; i += threads()) {
        uint4 const v = __ldcg(in + i);
        sum |= v.x | v.y | v.z | v.w;
    }
    if (sum == 0x12345678u) *out = sum;
}

// L2: `vectors`, a power of two, of 16 bytes, which the L2 cache holds, are read `rounds` times, past the L1 cache.
KERNEL bound_by_l2(uint4 const* in, unsigned* out, unsigned vectors, unsigned rounds) {
    unsigned sum = 0, at = global_thread();
#pragma unroll 8
    for (unsigned i = 0; i < rounds; ++i) {
        uint4 const v = __ldcg(in + (at & (vectors - 1)));
        sum |= v.x ^ v.y ^ v.z ^ v.w;
        at += threads() + 256 * 17;
    }
    if (sum == 0x12345678u) *out = sum;
}

// The FMA pipe: eight chains of multiply-adds that do not depend on each other.
KERNEL bound_by_fma(float const* in, float* out, unsigned rounds) {
    float const x = in[0];
    float a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
#pragma unroll 16
    for (unsigned i = 0; i < rounds; ++i) {
        a = fmaf(a, x, a), b = fmaf(b, x, b), c = fmaf(c, x, c), d = fmaf(d, x, d);
        e = fmaf(e, x, e), f = fmaf(f, x, f), g = fmaf(g, x, g), h = fmaf(h, x, h);
    }
    float const sum = a + b + c + d + e + f + g + h;
    if (sum == 12345678.0f) *out = sum;
}

// Shared memory: a warp's loads are 32 bytes apart, so that 8 of its lanes meet in a bank. Blocks of 256 threads.
KERNEL bound_by_shared(unsigned const* in, unsigned* out, unsigned rounds) {
    __shared__ unsigned words[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = in[i];
    __syncthreads();
    unsigned sum = 0;
#pragma unroll 16
    for (unsigned i = 0; i < rounds; ++i) sum += words[(threadIdx.x * 8 + i) & 2047];
    if (sum == 0x12345678u) *out = sum;
}

// Latency: each load needs what the one before it brought. `in` is all zero.
KERNEL bound_by_latency(unsigned const* in, unsigned* out, unsigned rounds) {
    unsigned at = threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) at = __ldcg(in + at) + ((at * 5 + 64) & 4095);
    if (at == 0x12345678u) *out = at;
}
