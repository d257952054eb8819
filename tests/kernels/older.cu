// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for GPUs before Turing, in the PTX of an earlier compiler: shuffles and votes without a member mask, atomics
// without a scope, halves with and without arithmetic of their own. older.sh compiles them for sm_52, sm_60 and sm_70.
#include <cuda_fp16.h>

#if __CUDA_ARCH__ < 700
#define SHUFFLE_DOWN(value, distance) __shfl_down(value, distance)
#define SHUFFLE_XOR(value, mask) __shfl_xor(value, mask)
#define BALLOT(predicate) __ballot(predicate)
#define ALL(predicate) __all(predicate)
#define ANY(predicate) __any(predicate)
#else
#define SHUFFLE_DOWN(value, distance) __shfl_down_sync(0xffffffffu, value, distance)
#define SHUFFLE_XOR(value, mask) __shfl_xor_sync(0xffffffffu, value, mask)
#define BALLOT(predicate) __ballot_sync(0xffffffffu, predicate)
#define ALL(predicate) __all_sync(0xffffffffu, predicate)
#define ANY(predicate) __any_sync(0xffffffffu, predicate)
#endif

__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

extern "C" __global__ void shuffle_reduce(int const* in, int* out, double* halves) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[i];
    for (int d = 16; d > 0; d /= 2) sum += SHUFFLE_DOWN(sum, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = sum;
    halves[i] = 0.5 * SHUFFLE_XOR(static_cast<double>(in[i]), 1);
}
extern "C" __global__ void votes(int const* in, unsigned* ballots, int* all_any) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const positive = BALLOT(in[i] > 0);
    int const said = (ALL(in[i] > -5) ? 1 : 0) + (ANY(in[i] > 8) ? 2 : 0);
    if (threadIdx.x % 32 == 0) ballots[i / 32] = positive, all_any[i / 32] = said;
}
__device__ void add_to(double* sum, double x) {
#if __CUDA_ARCH__ >= 600
    atomicAdd(sum, x);
#else
    unsigned long long* const bits = reinterpret_cast<unsigned long long*>(sum);
    for (unsigned long long seen = *bits, before = 0;; seen = before) {
        before = atomicCAS(bits, seen, __double_as_longlong(__longlong_as_double(seen) + x));
        if (before == seen) return;
    }
#endif
}
extern "C" __global__ void atomics(int const* in, int* cells, unsigned long long* wide, float* total, double* sum) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    int const v = in[i];
    atomicAdd(&cells[0], v);
    atomicMin(&cells[1], v);
    atomicMax(&cells[2], v);
    atomicXor(&cells[3], v);
    atomicOr(&cells[4], 1 << (v & 31));
    atomicInc(reinterpret_cast<unsigned*>(&cells[5]), 99u);
    cells[8 + i] = atomicExch(&cells[6], i) >= -1;
    atomicAdd(&wide[0], static_cast<unsigned long long>(v));
    atomicMax(&wide[1], static_cast<unsigned long long>(i));
    atomicAdd(total, 0.25f * static_cast<float>(v));
    add_to(sum, 0.5 * v);
}
extern "C" __global__ void halves(__half const* a, __half const* b, __half const* c, __half* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#if __CUDA_ARCH__ >= 530
    out[i] = __hadd(__hmul(a[i], b[i]), c[i]);
#else
    __half const product = __float2half(__half2float(a[i]) * __half2float(b[i]));
    out[i] = __float2half(__half2float(product) + __half2float(c[i]));
#endif
}
extern "C" __global__ void reduce_shared(float const* in, float* out) {
    __shared__ float cell[128];
    cell[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) cell[threadIdx.x] += cell[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = cell[0];
}
extern "C" __global__ void doubles(double const* x, double const* y, double* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = fma(x[i], y[i], sqrt(fabs(x[i]))) / (y[i] * y[i] + 1.0);
}
extern "C" __global__ void divergent(int const* in, int* out) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i], steps = 0;
    while (v != 1 && steps < 60) {
        if (v % 2 == 0) {
            v /= 2;
        } else {
            if (v % 3 == 0 && steps > 20) break;
            v = 3 * v + 1;
        }
        ++steps;
    }
    switch (v & 3) {
        case 0: steps += 1000; break;
        case 1: steps += 2000; break;
        case 2: steps = -steps; break;
        default: break;
    }
    out[i] = steps;
}
__noinline__ __device__ int weigh(int const (&values)[8], int which, int depth) {
    if (depth == 0) return values[which & 7];
    return weigh(values, which + depth, depth - 1) + values[depth & 7] * primes[which & 7];
}
extern "C" __global__ void calls_and_arrays(int const* in, int* out) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    int values[8];
    for (int k = 0; k < 8; ++k) values[(k * 3 + in[i]) & 7] = in[i] + k;
    out[i] = weigh(values, in[i], i % 5);
}
extern "C" __global__ void bits(unsigned const* a, unsigned const* b, unsigned long long* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned const x = __ldg(&a[i]), y = __ldg(&b[i]);
    unsigned long long mixed = static_cast<unsigned long long>(__popc(x)) << 56 | static_cast<unsigned long long>(__clz(y)) << 48;
    mixed ^= static_cast<unsigned long long>(__brev(x)) * y;
    mixed += __umulhi(x, y) + __byte_perm(x, y, 0x5140) + __sad(static_cast<int>(x), static_cast<int>(y), 7u);
    out[i] = mixed / (y % 1000 + 1) + mixed % (x % 77 + 1) + __funnelshift_l(x, y, x & 31);
}
