// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of different character, to compare counters on. kernels.ptx is made from this file by make_ptx.sh and is what
// the tests load, so that they need no nvcc.
//
// All have the same parameters: what is read, what is written, and one number that each uses in its own way (see
// suite.hpp). `in` is never written and nothing that is written decides what a thread does next: every launch executes
// the same instructions, whatever ran before it. No kernel spins or retries.
#include <mma.h>

#define KERNEL extern "C" __global__ void

static __device__ unsigned global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL empty(float const*, float*, unsigned) {}

// 16 bytes a thread.
KERNEL copy_float4(float4 const* in, float4* out, unsigned) { out[global_thread()] = in[global_thread()]; }

// One byte a thread, not aligned to sectors: `shift` bytes off.
KERNEL copy_bytes(unsigned char const* in, unsigned char* out, unsigned shift) {
    out[global_thread() + shift] = in[global_thread() + shift];
}

// Square matrices of side gridDim.x * 32, tiles of 32 by 32, blocks of 32 by 8. Stores are strided.
KERNEL transpose_naive(float const* in, float* out, unsigned side) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    for (unsigned row = 0; row < 32; row += 8) {
        unsigned const y = blockIdx.y * 32 + threadIdx.y + row;
        out[x * side + y] = in[y * side + x];
    }
}

template <unsigned Pitch>
static __device__ void transpose_tile(float const* in, float* out, unsigned side) {
    __shared__ float tile[32 * Pitch];
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    for (unsigned row = threadIdx.y; row < 32; row += 8)
        tile[row * Pitch + threadIdx.x] = in[(blockIdx.y * 32 + row) * side + x];
    __syncthreads();
    unsigned const to = blockIdx.y * 32 + threadIdx.x;
    for (unsigned row = threadIdx.y; row < 32; row += 8)
        out[(blockIdx.x * 32 + row) * side + to] = tile[threadIdx.x * Pitch + row];
}
KERNEL transpose_conflicts(float const* in, float* out, unsigned side) { transpose_tile<32>(in, out, side); } // 32-way
KERNEL transpose_padded(float const* in, float* out, unsigned side) { transpose_tile<33>(in, out, side); }    // none

// Shuffles within warps, shared memory between them, one reduction to global memory a block.
KERNEL reduce(float const* in, float* out, unsigned) {
    __shared__ float of_warp[32];
    float sum = in[global_thread()];
    for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
        for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}

// 256 bins in shared memory, then added to global memory.
KERNEL histogram(unsigned const* in, unsigned* out, unsigned each) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = 0; i < each; ++i) atomicAdd(&bins[in[global_thread() + i * gridDim.x * blockDim.x] >> 24], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Atomics that return a value, and reductions that do not, on a few addresses that warps share.
KERNEL global_atomics(unsigned const* in, unsigned* out, unsigned spread) {
    unsigned const old = atomicAdd(&out[global_thread() % spread], in[global_thread()]);
    atomicMax(&out[spread + threadIdx.x % 4], global_thread());
    out[spread + 32 + global_thread()] = old;
}

// Seven points in three dimensions; the border does less.
KERNEL stencil(float const* in, float* out, unsigned side) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned const z = blockIdx.z * blockDim.z + threadIdx.z;
    unsigned const at = (z * side + y) * side + x;
    if (x == 0 || y == 0 || z == 0 || x + 1 == side || y + 1 == side || z + 1 == side) return;
    out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - side] + in[at + side] + in[at - side * side] +
                                      in[at + side * side]);
}

// Square matrices, tiles of 16 by 16 in dynamic shared memory.
KERNEL matmul(float const* in, float* out, unsigned side) {
    extern __shared__ float tiles[];
    float* const a = tiles;
    float* const b = tiles + 256;
    unsigned const row = blockIdx.y * 16 + threadIdx.y;
    unsigned const column = blockIdx.x * 16 + threadIdx.x;
    unsigned const mine = threadIdx.y * 16 + threadIdx.x;
    float sum = 0;
    for (unsigned step = 0; step < side; step += 16) {
        a[mine] = in[row * side + step + threadIdx.x];
        b[mine] = in[(step + threadIdx.y) * side + column];
        __syncthreads();
        for (unsigned k = 0; k < 16; ++k) sum += a[threadIdx.y * 16 + k] * b[k * 16 + threadIdx.x];
        __syncthreads();
    }
    out[row * side + column] = sum;
}

// Lanes of a warp go four ways and stay there for a while.
KERNEL divergent(unsigned const* in, unsigned* out, unsigned replay_passes) {
    unsigned value = in[global_thread()];
    for (unsigned i = 0; i < replay_passes; ++i) {
        switch (threadIdx.x % 4) {
            case 0: value = value * 3u + 1u; break;
            case 1: value = (value >> 3) ^ i; break;
            case 2:
                if (threadIdx.x % 8 == 2) value += __popc(value);
                else value = __brev(value);
                break;
            default: value -= i * value; break;
        }
    }
    out[global_thread()] = value;
}

// Every lane goes replay pass a different number of times.
KERNEL uneven_loops(unsigned const* in, unsigned* out, unsigned) {
    unsigned value = in[global_thread()];
#pragma unroll 1
    for (unsigned i = 0; i <= threadIdx.x % 32; ++i) value = value * 1664525u + 1013904223u;
    out[global_thread()] = value;
}

// An array indexed at run time lives in local memory.
KERNEL local_array(unsigned const* in, unsigned* out, unsigned stride) {
    unsigned list[64];
#pragma unroll 1
    for (unsigned i = 0; i < 64; ++i) list[i] = in[global_thread()] + i;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned i = 0, at = threadIdx.x; i < 16; ++i, at += stride) sum += list[at % 64];
    out[global_thread()] = sum;
}

KERNEL double_fma(double const* in, double* out, unsigned replay_passes) {
    double x = in[global_thread()], y = 1.0;
    for (unsigned i = 0; i < replay_passes; ++i) y = fma(x, y, 0.5);
    out[global_thread()] = y + x * 2.0;
}

// Two halves at a time: multiply-add, multiply, add.
KERNEL half2_math(unsigned const* in, unsigned* out, unsigned replay_passes) {
    unsigned x = in[global_thread()], y = 0x3c003c00u; // 1.0, 1.0
    for (unsigned i = 0; i < replay_passes; ++i) {
        asm("fma.rn.f16x2 %0, %1, %0, %1;" : "+r"(y) : "r"(x));
        asm("mul.rn.f16x2 %0, %0, %1;" : "+r"(y) : "r"(x));
        asm("add.rn.f16x2 %0, %0, %1;" : "+r"(y) : "r"(x));
    }
    out[global_thread()] = y;
}

// Single precision, and the functions of the special function unit.
KERNEL special_functions(float const* in, float* out, unsigned replay_passes) {
    float x = in[global_thread()];
    for (unsigned i = 0; i < replay_passes; ++i)
        x = __sinf(x) * __expf(x) + __fdividef(1.0f, x + 2.0f) + rsqrtf(x * x + 1.0f);
    out[global_thread()] = x;
}

// 16 by 16 by 16 products of halves on the tensor cores, one a warp and replay pass.
KERNEL tensor_product(__half const* in, float* out, unsigned replay_passes) {
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    unsigned const warp = global_thread() / 32;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(a, in + warp * 256, 16);
    wmma::load_matrix_sync(b, in + warp * 256, 16);
    for (unsigned i = 0; i < replay_passes; ++i) wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(out + warp * 256, sum, 16, wmma::mem_row_major);
}

// Votes, and an inclusive prefix sum by shuffles.
KERNEL warp_scan(unsigned const* in, unsigned* out, unsigned) {
    unsigned sum = in[global_thread()] & 15u;
    unsigned const lane = threadIdx.x % 32;
    unsigned const odd = __popc(__ballot_sync(0xffffffffu, sum % 2 != 0));
    for (unsigned step = 1; step < 32; step *= 2) {
        unsigned const other = __shfl_up_sync(0xffffffffu, sum, step);
        sum += lane >= step ? other : 0;
    }
    out[global_thread()] = sum + odd + (__any_sync(0xffffffffu, sum == 7) ? 1u : 0u);
}

// Constant memory, first one address a warp, then one a lane.
__constant__ float coefficients[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
KERNEL constants(float const* in, float* out, unsigned replay_passes) {
    float x = in[global_thread()], sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < replay_passes; ++i) sum += coefficients[i % 32] * x;
    out[global_thread()] = sum + coefficients[threadIdx.x % 32];
}

// A loop that strides over the grid; neither the block nor the work is a multiple of a warp.
KERNEL grid_stride(float const* in, float* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2.0f;
}

// Most lanes and most warps leave at once.
KERNEL early_exit(float const* in, float* out, unsigned every) {
    if (global_thread() % every != 0) return;
    out[global_thread()] = in[global_thread()] + 1.0f;
}

// Not compared: fills the L2 cache with clean lines of another buffer, so that what comes next finds the same always.
KERNEL evict(uint4 const* in, unsigned* out, unsigned replay_passes) {
    unsigned sum = 0;
    for (unsigned i = 0; i < replay_passes; ++i) {
        uint4 const v = in[global_thread() + i * gridDim.x * blockDim.x];
        sum |= v.x | v.y | v.z | v.w;
    }
    if (sum != 0) *out = sum; // the buffer is zero: never
}
