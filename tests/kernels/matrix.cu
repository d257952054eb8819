// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices and grids: transposes, tiled products with and without asynchronous copies, stencils, sparse products.
#include <cuda_pipeline.h>

extern "C" __global__ void transpose_naive(float const* in, float* out, int n) {
    int const x = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int const y = blockIdx.y * 32 + threadIdx.y + k;
        out[x * n + y] = in[y * n + x];
    }
}
template <int Pitch>
__device__ void transpose_tile(float const* in, float* out, int n) {
    __shared__ float tile[32][Pitch];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void transpose_shared(float const* in, float* out, int n) { transpose_tile<32>(in, out, n); }
extern "C" __global__ void transpose_padded(float const* in, float* out, int n) { transpose_tile<33>(in, out, n); }

extern "C" __global__ void multiply_tiled(float const* a, float const* b, float* c, int n) {
    __shared__ float ta[16][16];
    __shared__ float tb[16][16];
    int const row = blockIdx.y * 16 + threadIdx.y;
    int const column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
extern "C" __global__ void multiply_pipelined(float const* a, float const* b, float* c, int n) {
    __shared__ float ta[2][16][16];
    __shared__ float tb[2][16][16];
    int const row = blockIdx.y * 16 + threadIdx.y;
    int const column = blockIdx.x * 16 + threadIdx.x;
    auto const fetch = [&](int stage, int k) {
        __pipeline_memcpy_async(&ta[stage][threadIdx.y][threadIdx.x], &a[row * n + k + threadIdx.x], 4);
        __pipeline_memcpy_async(&tb[stage][threadIdx.y][threadIdx.x], &b[(k + threadIdx.y) * n + column], 4);
        __pipeline_commit();
    };
    float sum = 0;
    fetch(0, 0);
    for (int k = 0, stage = 0; k < n; k += 16, stage ^= 1) {
        if (k + 16 < n) {
            fetch(stage ^ 1, k + 16);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += ta[stage][threadIdx.y][i] * tb[stage][i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
extern "C" __global__ void stencil_5(float const* in, float* out, int width, int height) {
    int const x = blockIdx.x * blockDim.x + threadIdx.x;
    int const y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    auto const at = [&](int i, int j) { return i < 0 || j < 0 || i >= width || j >= height ? 0.0f : in[j * width + i]; };
    out[y * width + x] = 0.5f * at(x, y) + 0.125f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
}
extern "C" __global__ void stencil_3d(double const* in, double* out, int n) {
    int const x = blockIdx.x * blockDim.x + threadIdx.x;
    int const y = blockIdx.y * blockDim.y + threadIdx.y;
    int const z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int const i = (z * n + y) * n + x;
    out[i] = (in[i - 1] + in[i + 1]) + (in[i - n] + in[i + n]) + (in[i - n * n] + in[i + n * n]) - 6.0 * in[i];
}
extern "C" __global__ void spmv_csr(int const* rows, int const* columns, float const* values, float const* x, float* y, int n) {
    int const row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = rows[row]; k < rows[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}
extern "C" __global__ void bitonic_sort(int* data) {
    __shared__ int s[512];
    unsigned const t = threadIdx.x;
    s[t] = data[blockIdx.x * 512 + t];
    __syncthreads();
    for (unsigned k = 2; k <= 512; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned const other = t ^ j;
            if (other > t && ((t & k) == 0) == (s[t] > s[other])) {
                int const swap = s[t];
                s[t] = s[other];
                s[other] = swap;
            }
            __syncthreads();
        }
    data[blockIdx.x * 512 + t] = s[t];
}
