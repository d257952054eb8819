// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that each access memory in one way, for programs.py: a launch of each, over some megabytes, and nothing else. Their
// counters do not depend on the order in which blocks run. Built by nvcc -cudart shared; exit status 0 if CUDA reported no error.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned count = 1 << 20;
constexpr unsigned threads = 256;

__constant__ float coefficients[64];

__device__ unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void empty() {}

__global__ void fill(float* to) { to[place()] = 1.0f; }
__global__ void copy(float* to, float const* from) { to[place()] = from[place()]; }
__global__ void copy_bytes(unsigned char* to, unsigned char const* from) { to[place()] = from[place()]; }
__global__ void copy_pairs(double* to, double const* from) { to[place()] = from[place()]; }
__global__ void copy_quads(float4* to, float4 const* from) { to[place()] = from[place()]; }
__global__ void copy_shifted(float* to, float const* from) { to[place()] = from[place() + 1]; }
__global__ void reverse(float* to, float const* from) { to[count - 1 - place()] = from[place()]; }
template <int stride>
__global__ void read_strided(float* to, float const* from) {
    to[place()] = from[place() * stride % count];
}
template <int stride>
__global__ void write_strided(float* to, float const* from) {
    to[place() * stride % count + place() * stride / count] = from[place()];
}
__global__ void gather(float* to, float const* from, unsigned const* index) { to[place()] = from[index[place()]]; }
__global__ void scatter(float* to, float const* from, unsigned const* index) { to[index[place()]] = from[place()]; }
__global__ void every_second_thread(float* to, float const* from) {
    if (threadIdx.x % 2 == 0) to[place()] = from[place()];
}
__global__ void every_second_warp(float* to, float const* from) {
    if (threadIdx.x / 32 % 2 == 0) to[place()] = from[place()];
}
__global__ void broadcast(float* to, float const* from) { to[place()] = from[blockIdx.x]; }
__global__ void triad(double* to, double const* a, double const* b) { to[place()] = a[place()] + 3.0 * b[place()]; }
__global__ void neighbours(float* to, float const* from) {
    unsigned const at = place();
    to[at] = from[at == 0 ? 0 : at - 1] + from[at] + from[at == count - 1 ? at : at + 1];
}
__global__ void grid_stride(float* to, float const* from) {
    for (unsigned at = place(); at < count; at += gridDim.x * blockDim.x) to[at] = 2 * from[at];
}
// Each block reads its own 16 KiB eight times: hits in L1.
__global__ void read_again(float* to, float const* from) {
    float sum = 0;
#pragma unroll 1
    for (int round = 0; round < 8; ++round)
        for (unsigned at = threadIdx.x; at < 4096; at += blockDim.x) sum += from[blockIdx.x % 64 * 4096 + at] * round;
    to[place()] = sum;
}
// All blocks read the same 256 KiB: hits in L2.
__global__ void read_shared_by_blocks(float* to, float const* from) {
    float sum = 0;
    for (unsigned at = threadIdx.x; at < 65536; at += blockDim.x) sum += from[at];
    to[place()] = sum;
}
__global__ void polynomial(float* to, float const* from) {
    float value = 0, x = from[place()];
    for (int i = 0; i < 64; ++i) value = value * x + coefficients[i];
    to[place()] = value;
}
__global__ void own_array(float* to, float const* from, int turns) {
    float kept[32];
    for (int i = 0; i < 32; ++i) kept[i] = from[place()] * i;
    float sum = 0;
    for (int i = 0; i < turns; ++i) sum += kept[(i * 7 + threadIdx.x) % 32];
    to[place()] = sum;
}

__global__ void transpose_plain(float* to, float const* from) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) to[x * 1024 + y + i] = from[(y + i) * 1024 + x];
}
template <int padding>
__global__ void transpose_tiled(float* to, float const* from) {
    __shared__ float tile[32][32 + padding];
    unsigned const x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int i = 0; i < 32; i += 8)
        tile[threadIdx.y + i][threadIdx.x] = from[(y + threadIdx.y + i) * 1024 + x + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; i += 8)
        to[(x + threadIdx.y + i) * 1024 + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y + i];
}
template <int stride>
__global__ void shared_strided(float* to, float const* from) {
    __shared__ float tile[threads * stride];
    for (int i = 0; i < stride; ++i) tile[i * threads + threadIdx.x] = from[(place() + i) % count];
    __syncthreads();
    to[place()] = tile[threadIdx.x * stride];
}
__global__ void shared_pairs(double* to, double const* from) {
    __shared__ double tile[threads];
    tile[threadIdx.x] = from[place()];
    __syncthreads();
    to[place()] = tile[threads - 1 - threadIdx.x];
}
__global__ void shared_quads(float4* to, float4 const* from) {
    __shared__ float4 tile[threads];
    tile[threadIdx.x] = from[place()];
    __syncthreads();
    to[place()] = tile[threadIdx.x ^ 1];
}
__global__ void block_sums(float* to, float const* from) {
    __shared__ float part[threads];
    part[threadIdx.x] = from[place()];
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) to[blockIdx.x] = part[0];
}
__global__ void warp_sums(float* to, float const* from) {
    float value = from[place()];
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    if (threadIdx.x % 32 == 0) to[place() / 32] = value;
}
__global__ void count_into_few(unsigned* to, unsigned const* index) { atomicAdd(&to[index[place()] % 64], 1u); }
__global__ void count_into_many(unsigned* to, unsigned const* index) { atomicAdd(&to[index[place()]], 1u); }
__global__ void take_old_values(unsigned* to, unsigned* counters) { to[place()] = atomicAdd(&counters[place()], 3u); }
__global__ void greatest(unsigned* to, unsigned const* index) { atomicMax(&to[blockIdx.x], index[place()]); }
__global__ void matrix_times_vector(float* to, float const* matrix, float const* vector) {
    unsigned const row = place() / 32;
    float sum = 0;
    for (unsigned column = threadIdx.x % 32; column < 1024; column += 32)
        sum += matrix[row * 1024 + column] * vector[column];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) to[row] = sum;
}

int main() {
    std::vector<unsigned> order(count);
    for (unsigned i = 0; i < count; ++i) order[i] = (i * 2654435761u) % count; // an odd factor: every place once
    float *to = nullptr, *from = nullptr, *more = nullptr;
    unsigned* index = nullptr;
    for (float** each : {&to, &from, &more}) {
        cudaMalloc(each, (count + 64) * sizeof(float4));
        cudaMemset(*each, 0, (count + 64) * sizeof(float4));
    }
    cudaMalloc(&index, count * sizeof(unsigned));
    cudaMemcpy(index, order.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice);
    auto* const to2 = reinterpret_cast<double*>(to);
    auto const* const from2 = reinterpret_cast<double const*>(from);
    auto* const to4 = reinterpret_cast<float4*>(to);
    auto const* const from4 = reinterpret_cast<float4 const*>(from);
    auto* const counters = reinterpret_cast<unsigned*>(to);
    unsigned const blocks = count / threads;
    dim3 const tiles{32, 32}, rows{32, 8};

    empty<<<1, 32>>>();
    fill<<<blocks, threads>>>(to);
    copy<<<blocks, threads>>>(to, from);
    copy_bytes<<<blocks, threads>>>(reinterpret_cast<unsigned char*>(to), reinterpret_cast<unsigned char const*>(from));
    copy_pairs<<<blocks, threads>>>(to2, from2);
    copy_quads<<<blocks / 2, threads>>>(to4, from4);
    copy_shifted<<<blocks, threads>>>(to, from);
    reverse<<<blocks, threads>>>(to, from);
    read_strided<2><<<blocks, threads>>>(to, from);
    read_strided<8><<<blocks, threads>>>(to, from);
    read_strided<32><<<blocks / 4, threads>>>(to, from);
    write_strided<2><<<blocks, threads>>>(to, from);
    write_strided<8><<<blocks / 4, threads>>>(to, from);
    gather<<<blocks / 2, threads>>>(to, from, index);
    scatter<<<blocks / 2, threads>>>(to, from, index);
    every_second_thread<<<blocks, threads>>>(to, from);
    every_second_warp<<<blocks, threads>>>(to, from);
    broadcast<<<blocks, threads>>>(to, from);
    triad<<<blocks, threads>>>(to2, from2, reinterpret_cast<double const*>(more));
    neighbours<<<blocks, threads>>>(to, from);
    grid_stride<<<264, threads>>>(to, from);
    read_again<<<264, threads>>>(to, from);
    read_shared_by_blocks<<<132, threads>>>(to, from);
    polynomial<<<blocks / 4, threads>>>(to, from);
    own_array<<<blocks / 8, threads>>>(to, from, 32);
    transpose_plain<<<tiles, rows>>>(to, from);
    transpose_tiled<0><<<tiles, rows>>>(to, from);
    transpose_tiled<1><<<tiles, rows>>>(to, from);
    shared_strided<1><<<blocks, threads>>>(to, from);
    shared_strided<2><<<blocks, threads>>>(to, from);
    shared_strided<4><<<blocks, threads>>>(to, from);
    shared_strided<17><<<blocks / 8, threads>>>(to, from);
    shared_strided<32><<<blocks / 8, threads>>>(to, from);
    shared_pairs<<<blocks, threads>>>(to2, from2);
    shared_quads<<<blocks / 2, threads>>>(to4, from4);
    block_sums<<<blocks, threads>>>(to, from);
    warp_sums<<<blocks, threads>>>(to, from);
    count_into_few<<<blocks / 8, threads>>>(counters, index);
    count_into_many<<<blocks / 8, threads>>>(counters, index);
    take_old_values<<<blocks / 2, threads>>>(counters, reinterpret_cast<unsigned*>(more));
    greatest<<<blocks / 8, threads>>>(counters, index);
    matrix_times_vector<<<1024 * 32 / threads, threads>>>(to, from, more);
    cudaError_t const status = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(status));
    return status == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
