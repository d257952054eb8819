// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of square matrices that know how: n x n, row by row, n a multiple of 128; blocks of 256 threads, two an SM.
#ifndef PAIRS_PRODUCTS_HPP
#define PAIRS_PRODUCTS_HPP
#include <mma.h>

#include "pair.hpp"

// c = a * b: 128 x 128 a block, 8 x 8 a thread, the next tile is loaded while this one is multiplied.
__device__ __forceinline__ void fp32_product(float const* a, float const* b, float* c, unsigned n) {
    __shared__ __align__(16) float from_a[2][8][132], from_b[2][8][128];
    unsigned const t = threadIdx.x;
    unsigned const tx = t % 16 * 4;
    unsigned const ty = t / 16 * 4;
    float const* const a_at = a + std::size_t{blockIdx.y * 128 + t / 2} * n + t % 2 * 4;
    float const* const b_at = b + std::size_t{t / 32} * n + blockIdx.x * 128 + t % 32 * 4;
    float sums[8][8] = {};
    float4 next_a = *reinterpret_cast<float4 const*>(a_at);
    float4 next_b = *reinterpret_cast<float4 const*>(b_at);
    for (unsigned k0 = 0, turn = 0; k0 < n; k0 += 8, turn ^= 1) {
        from_a[turn][t % 2 * 4 + 0][t / 2] = next_a.x;
        from_a[turn][t % 2 * 4 + 1][t / 2] = next_a.y;
        from_a[turn][t % 2 * 4 + 2][t / 2] = next_a.z;
        from_a[turn][t % 2 * 4 + 3][t / 2] = next_a.w;
        *reinterpret_cast<float4*>(&from_b[turn][t / 32][t % 32 * 4]) = next_b;
        __syncthreads();
        if (k0 + 8 < n) {
            next_a = *reinterpret_cast<float4 const*>(a_at + k0 + 8);
            next_b = *reinterpret_cast<float4 const*>(b_at + std::size_t{k0 + 8} * n);
        }
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            float ra[8], rb[8];
            for (unsigned h = 0; h < 2; ++h) {
                *reinterpret_cast<float4*>(ra + h * 4) = *reinterpret_cast<float4*>(&from_a[turn][k][ty + h * 64]);
                *reinterpret_cast<float4*>(rb + h * 4) = *reinterpret_cast<float4*>(&from_b[turn][k][tx + h * 64]);
            }
#pragma unroll
            for (unsigned y = 0; y < 8; ++y)
#pragma unroll
                for (unsigned x = 0; x < 8; ++x) sums[y][x] = fmaf(ra[y], rb[x], sums[y][x]);
        }
    }
#pragma unroll
    for (unsigned y = 0; y < 8; ++y)
#pragma unroll
        for (unsigned h = 0; h < 2; ++h)
            __stcs(reinterpret_cast<float4*>(c + std::size_t{blockIdx.y * 128 + ty + y / 4 * 64 + y % 4} * n +
                                             blockIdx.x * 128 + tx + h * 64),
                   make_float4(sums[y][h * 4], sums[y][h * 4 + 1], sums[y][h * 4 + 2], sums[y][h * 4 + 3]));
}
// c = a * b of halves by tensor cores: 128 x 128 a block of 8 warps, 64 x 32 a warp.
__device__ __forceinline__ void tensor_product(half const* a, half const* b, float* c, unsigned n) {
    using namespace nvcuda::wmma;
    constexpr unsigned a_pitch = 40; // halves; no bank conflicts
    constexpr unsigned b_pitch = 136;
    __shared__ __align__(16) half from_a[2][128 * a_pitch], from_b[2][32 * b_pitch];
    unsigned const t = threadIdx.x;
    unsigned const y0 = t / 32 / 4 * 64;
    unsigned const x0 = t / 32 % 4 * 32;
    half const* const a_at = a + std::size_t{blockIdx.y * 128 + t / 4} * n + t % 4 * 8;
    half const* const b_at = b + std::size_t{t / 16} * n + blockIdx.x * 128 + t % 16 * 8;
    fragment<accumulator, 16, 16, 16, float> sums[4][2];
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 2; ++x) fill_fragment(sums[y][x], 0.0f);
    uint4 next_a[2], next_b[2];
    for (unsigned h = 0; h < 2; ++h) {
        next_a[h] = *reinterpret_cast<uint4 const*>(a_at + std::size_t{h * 64} * n);
        next_b[h] = *reinterpret_cast<uint4 const*>(b_at + std::size_t{h * 16} * n);
    }
    for (unsigned k0 = 0, turn = 0; k0 < n; k0 += 32, turn ^= 1) {
        for (unsigned h = 0; h < 2; ++h) {
            *reinterpret_cast<uint4*>(&from_a[turn][(t / 4 + h * 64) * a_pitch + t % 4 * 8]) = next_a[h];
            *reinterpret_cast<uint4*>(&from_b[turn][(t / 16 + h * 16) * b_pitch + t % 16 * 8]) = next_b[h];
        }
        __syncthreads();
        if (k0 + 32 < n)
            for (unsigned h = 0; h < 2; ++h) {
                next_a[h] = *reinterpret_cast<uint4 const*>(a_at + std::size_t{h * 64} * n + k0 + 32);
                next_b[h] = *reinterpret_cast<uint4 const*>(b_at + std::size_t{k0 + 32 + h * 16} * n);
            }
#pragma unroll
        for (unsigned k = 0; k < 32; k += 16) {
            fragment<matrix_a, 16, 16, 16, half, row_major> fa[4];
            fragment<matrix_b, 16, 16, 16, half, row_major> fb[2];
            for (unsigned y = 0; y < 4; ++y)
                load_matrix_sync(fa[y], &from_a[turn][(y0 + y * 16) * a_pitch + k], a_pitch);
            for (unsigned x = 0; x < 2; ++x) load_matrix_sync(fb[x], &from_b[turn][k * b_pitch + x0 + x * 16], b_pitch);
            for (unsigned y = 0; y < 4; ++y)
                for (unsigned x = 0; x < 2; ++x) mma_sync(sums[y][x], fa[y], fb[x], sums[y][x]);
        }
    }
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 2; ++x)
            store_matrix_sync(c + std::size_t{blockIdx.y * 128 + y0 + y * 16} * n + blockIdx.x * 128 + x0 + x * 16,
                              sums[y][x], n, mem_row_major);
}
#endif
