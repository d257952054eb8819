// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices of halves in two ways, mma.sync and wgmma, with the same copies and the same layout of shared memory: how long
// the embedded GPU takes for each.
//
//   product_ways mma|wgmma SIZE     SIZE a multiple of 64; prints the host's seconds, and fails if a sum is wrong
// nvcc -cudart shared -gencode arch=compute_90a,code=compute_90a -O2
#include <cuda_fp16.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int tile = 64; // rows, columns and depth of what a block of four warps has in shared memory

// Of a tile: pieces of 8 rows and 16 bytes, those beside each other in a row first.
__device__ int place(int row, int column) { return (row / 8 * 8 + column / 8) * 64 + row % 8 * 8 + column % 8; }
__device__ unsigned at(void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void fetch(__half* to, __half const* from, int size) {
    for (int i = threadIdx.x; i < tile * tile / 8; i += blockDim.x) {
        int const row = i / 8, column = i % 8 * 8;
        *reinterpret_cast<uint4*>(to + place(row, column)) =
            *reinterpret_cast<uint4 const*>(from + row * size + column);
    }
}

__device__ void load_four(unsigned (&to)[4], __half const* from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at(from)));
}
__device__ void multiply_by_warps(float (&sums)[32], __half const* a, __half const* b) {
    int const lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16;
    for (int k = 0; k < tile; k += 16) {
        unsigned left[4];
        load_four(left, a + place(first + lane % 16, k + lane / 16 * 8));
        for (int n = 0; n < tile; n += 16) {
            unsigned right[4];
            load_four(right, b + place(n + lane / 16 * 8 + lane % 8, k + lane / 8 % 2 * 8));
            for (int half = 0; half < 2; ++half) {
                float* const d = sums + (n / 8 + half) * 4;
                asm volatile(
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                    "{%0, %1, %2, %3};"
                    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[2 * half]),
                      "r"(right[2 * half + 1]));
            }
        }
    }
}

__device__ unsigned long long descriptor(__half const* from) { // pieces 128 bytes apart in a row, rows of pieces 1024
    return (at(from) >> 4 & 0x3fff) | 128ull >> 4 << 16 | 1024ull >> 4 << 32;
}
#define FOUR(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3])
__device__ void multiply_by_warpgroup(float (&sums)[32], __half const* a, __half const* b) {
    asm volatile("fence.proxy.async.shared::cta;\nwgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < tile; k += 16)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
                     "%11, %12, %13, "
                     "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, "
                     "%33, 1, 1, 1, 0, 0;"
                     : FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)
                     : "l"(descriptor(a + place(0, k))), "l"(descriptor(b + place(0, k))));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

template <bool by_warpgroup>
__global__ void multiply(__half const* a, __half const* b, float* out, int size) { // a times the transpose of b
    __shared__ alignas(128) __half left[tile * tile], right[tile * tile];
    float sums[32] = {};
    for (int k = 0; k < size; k += tile) {
        __syncthreads();
        fetch(left, a + blockIdx.y * tile * size + k, size);
        fetch(right, b + blockIdx.x * tile * size + k, size);
        if constexpr (by_warpgroup) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if constexpr (by_warpgroup) multiply_by_warpgroup(sums, left, right);
        else multiply_by_warps(sums, left, right);
    }
    int const lane = threadIdx.x % 32, row = blockIdx.y * tile + threadIdx.x / 32 * 16 + lane / 4;
    for (int i = 0; i < 32; ++i)
        out[(row + i / 2 % 2 * 8) * size + blockIdx.x * tile + i / 4 * 8 + lane % 4 * 2 + i % 2] = sums[i];
}

int main(int argc, char** argv) {
    if (argc != 3 || std::atoi(argv[2]) % tile != 0) return 2;
    int const size = std::atoi(argv[2]);
    std::size_t const cells = static_cast<std::size_t>(size) * size;
    std::vector<__half> a(cells), b(cells);
    std::vector<float> sums(cells);
    for (std::size_t i = 0; i < cells; ++i) { // sums are exact
        a[i] = __float2half(static_cast<float>(i * 7 % 5) - 2);
        b[i] = __float2half(static_cast<float>(i * 3 % 7) - 3);
    }
    __half *on_gpu_a = nullptr, *on_gpu_b = nullptr;
    float* out = nullptr;
    cudaMalloc(&on_gpu_a, cells * sizeof(__half));
    cudaMalloc(&on_gpu_b, cells * sizeof(__half));
    cudaMalloc(&out, cells * sizeof(float));
    cudaMemcpy(on_gpu_a, a.data(), cells * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(on_gpu_b, b.data(), cells * sizeof(__half), cudaMemcpyHostToDevice);
    auto const begin = std::chrono::steady_clock::now();
    dim3 const grid(size / tile, size / tile);
    if (std::strcmp(argv[1], "wgmma") == 0) multiply<true><<<grid, 128>>>(on_gpu_a, on_gpu_b, out, size);
    else multiply<false><<<grid, 128>>>(on_gpu_a, on_gpu_b, out, size);
    cudaDeviceSynchronize();
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    cudaMemcpy(sums.data(), out, cells * sizeof(float), cudaMemcpyDeviceToHost);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < cells; i += 37) {
        float expected = 0;
        for (int k = 0; k < size; ++k)
            expected += __half2float(a[i / size * size + k]) * __half2float(b[i % size * size + k]);
        wrong += sums[i] != expected;
    }
    std::printf("%s %d: %.3f s, %zu of %zu sums are wrong\n", argv[1], size, took.count(), wrong, (cells + 36) / 37);
    return wrong != 0 || cudaGetLastError() != cudaSuccess;
}
