// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=compute_90
// Bulk copies (cp.async.bulk) in some hundred blocks, for programs.py: what a GPU counts of them.
#include <cstdio>
#include <vector>

constexpr int tile = 2048; // 8 KiB
constexpr int blocks = 400;

__device__ unsigned at(void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void expect(unsigned long long& barrier, unsigned bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(at(&barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void fetch(void* to, void const* from, unsigned bytes, unsigned long long& barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
        "l"(from), "r"(bytes), "r"(at(&barrier))
        : "memory");
}
__device__ void wait(unsigned long long& barrier) {
    unsigned ready = 0;
    while (!ready)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ready)
                     : "r"(at(&barrier))
                     : "memory");
}
__device__ void give_back(void* to, void const* from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// One copy a block, stored by threads.
__global__ void bulk_load(int const* in, int* out) {
    __shared__ alignas(128) int all[tile];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        expect(full, sizeof all);
        fetch(all, in + blockIdx.x * tile, sizeof all, full);
    }
    __syncthreads();
    wait(full);
    for (int i = threadIdx.x; i < tile; i += blockDim.x) out[blockIdx.x * tile + i] = all[i] + 1;
}
// Loaded by threads, one copy a block back.
__global__ void bulk_store(int const* in, int* out) {
    __shared__ alignas(128) int all[tile];
    for (int i = threadIdx.x; i < tile; i += blockDim.x) all[i] = in[blockIdx.x * tile + i] + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) give_back(out + blockIdx.x * tile, all, sizeof all);
}
// Copies of 48 bytes, one a thread of a warp, from places that straddle sectors; added up by columns, with bank conflicts.
__global__ void bulk_pieces(char const* in, int* out) {
    __shared__ alignas(128) int rows[32][12];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) expect(full, sizeof rows);
    __syncthreads();
    if (threadIdx.x < 32) fetch(rows[threadIdx.x], in + (blockIdx.x * 32 + threadIdx.x) * 80 + 16, 48, full);
    wait(full);
    if (threadIdx.x >= 32) return;
    int sum = 0;
    for (int c = 0; c < 12; ++c) sum += rows[threadIdx.x][c];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

int main() {
    std::vector<int> host(blocks * tile);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i % 1013);
    int *in = nullptr, *out = nullptr;
    std::size_t const bytes = host.size() * sizeof(int);
    if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) return 2;
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    std::vector<int> got(host.size());
    std::size_t wrong = 0;
    for (auto const kernel : {bulk_load, bulk_store}) {
        cudaMemset(out, 0, bytes);
        kernel<<<blocks, 128>>>(in, out);
        cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost);
        for (std::size_t i = 0; i < host.size(); ++i) wrong += got[i] != host[i] + 1;
    }
    bulk_pieces<<<blocks, 128>>>(reinterpret_cast<char const*>(in), out);
    cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < blocks * 32; ++i) {
        int sum = 0;
        for (std::size_t c = 0; c < 12; ++c) sum += host[i * 20 + 4 + c];
        wrong += got[i] != sum;
    }
    std::printf("%zu wrong, %s\n", wrong, cudaGetErrorString(cudaDeviceSynchronize()));
    return wrong != 0;
}
