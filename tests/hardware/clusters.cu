// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=compute_90
// Clusters of several blocks, for programs.py: what a GPU counts of shared memory of other blocks, remote atomics,
// multicasts and the cluster's barrier. The program checks its results, so it tells by itself whether a GPU agrees.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
constexpr int blocks = 400, threads = 128, cluster_size = 4;

__device__ unsigned at(void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned at_rank(void const* p, unsigned rank) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(p)), "r"(rank));
    return there;
}

// Reads of one word, by a space and by generic pointers; with a stride of 8 words, and bank conflicts, in the second.
__global__ void __cluster_dims__(cluster_size, 1, 1) cluster_load(int const* in, int* out) {
    __shared__ int mine[threads];
    auto const cluster = cg::this_cluster();
    mine[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
    cluster.sync();
    int sum = 0;
    for (unsigned r = 0; r < cluster_size; ++r) {
        int v;
        asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(at_rank(&mine[threadIdx.x], r)) : "memory");
        sum += v;
    }
    out[blockIdx.x * threads + threadIdx.x] = sum;
    cluster.sync();
}
__global__ void __cluster_dims__(cluster_size, 1, 1) cluster_load_generic(int const* in, int* out) {
    __shared__ int mine[threads];
    auto const cluster = cg::this_cluster();
    mine[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
    cluster.sync();
    int sum = 0;
    for (unsigned r = 0; r < cluster_size; ++r)
        sum += cluster.map_shared_rank(mine, r)[threadIdx.x * 8 % threads + threadIdx.x / 16];
    out[blockIdx.x * threads + threadIdx.x] = sum;
    cluster.sync();
}
// Stores into the next block.
__global__ void __cluster_dims__(cluster_size, 1, 1) cluster_store(int const* in, int* out) {
    __shared__ int mine[threads];
    auto const cluster = cg::this_cluster();
    cluster.sync();
    cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster_size)[threadIdx.x] =
        in[blockIdx.x * threads + threadIdx.x];
    cluster.sync();
    out[blockIdx.x * threads + threadIdx.x] = mine[threadIdx.x];
}
// Atomics without and with a result.
__global__ void __cluster_dims__(cluster_size, 1, 1) cluster_atomics(int const* in, int* out) {
    __shared__ int bins[threads];
    auto const cluster = cg::this_cluster();
    bins[threadIdx.x] = 0;
    cluster.sync();
    unsigned const v = static_cast<unsigned>(in[blockIdx.x * threads + threadIdx.x]) % (threads * cluster_size);
    unsigned const there = at_rank(&bins[v % threads], v / threads);
    int old;
    asm volatile("red.shared::cluster.add.s32 [%0], 1;" ::"r"(there) : "memory");
    asm volatile("atom.shared::cluster.add.s32 %0, [%1], 2;" : "=r"(old) : "r"(there) : "memory");
    cluster.sync();
    out[blockIdx.x * threads + threadIdx.x] = bins[threadIdx.x] + (old < 0 ? 1 : 0);
}
// The first block fetches for all: by multicast, or a copy each.
template <bool Multicast>
__global__ void __cluster_dims__(cluster_size, 1, 1) cluster_fetch(int const* in, int* out) {
    __shared__ alignas(128) int tile[threads];
    __shared__ unsigned long long full;
    auto const cluster = cg::this_cluster();
    unsigned const bytes = sizeof tile;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(bytes) : "memory");
    }
    cluster.sync();
    int const* const from = in + blockIdx.x / cluster_size * threads;
    if (threadIdx.x == 0 && !Multicast)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(tile)),
            "l"(from), "r"(bytes), "r"(at(&full))
            : "memory");
    if (threadIdx.x == 0 && Multicast && cluster.block_rank() == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "
                     "%2, [%3], %4;" ::"r"(at(tile)),
                     "l"(from), "r"(bytes), "r"(at(&full)), "h"(static_cast<unsigned short>((1 << cluster_size) - 1))
                     : "memory");
    unsigned ready = 0;
    while (!ready)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ready)
                     : "r"(at(&full))
                     : "memory");
    out[blockIdx.x * threads + threadIdx.x] = tile[threadIdx.x];
    cluster.sync();
}
// The barrier alone.
__global__ void __cluster_dims__(cluster_size, 1, 1) cluster_barriers(int const*, int* out) {
    auto const cluster = cg::this_cluster();
    for (int i = 0; i < 16; ++i) cluster.sync();
    out[blockIdx.x * threads + threadIdx.x] = static_cast<int>(cluster.block_rank());
}

int main() {
    std::vector<int> host(blocks * threads), got(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * 7919 % 100003);
    int *in = nullptr, *out = nullptr;
    std::size_t const bytes = host.size() * sizeof(int);
    if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) return 2;
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    std::size_t wrong = 0;
    auto const run = [&](char const* name, auto kernel, auto expected) {
        cudaMemset(out, 0xff, bytes);
        kernel<<<blocks, threads>>>(in, out);
        cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost);
        std::size_t here = 0;
        for (int b = 0; b < blocks; ++b)
            for (int t = 0; t < threads; ++t) here += got[b * threads + t] != expected(b, t);
        if (here != 0) std::printf("%s: %zu wrong\n", name, here);
        wrong += here;
    };
    auto const sum = [&](int b, int word) {
        int all = 0;
        for (int r = 0; r < cluster_size; ++r) all += host[(b / cluster_size * cluster_size + r) * threads + word];
        return all;
    };
    run("cluster_load", cluster_load, [&](int b, int t) { return sum(b, t); });
    run("cluster_load_generic", cluster_load_generic, [&](int b, int t) { return sum(b, t * 8 % threads + t / 16); });
    run("cluster_store", cluster_store, [&](int b, int t) {
        return host[(b / cluster_size * cluster_size + (b + cluster_size - 1) % cluster_size) * threads + t];
    });
    run("cluster_atomics", cluster_atomics, [&](int b, int t) {
        int count = 0;
        for (int i = 0; i < cluster_size * threads; ++i)
            count += host[b / cluster_size * cluster_size * threads + i] % (threads * cluster_size) ==
                     b % cluster_size * threads + t;
        return 3 * count;
    });
    auto const tile = [&](int b, int t) { return host[b / cluster_size * threads + t]; };
    run("cluster_fetch<false>", cluster_fetch<false>, tile);
    run("cluster_fetch<true>", cluster_fetch<true>, tile);
    run("cluster_barriers", cluster_barriers, [](int b, int) { return b % cluster_size; });
    std::printf("%zu wrong, %s\n", wrong, cudaGetErrorString(cudaDeviceSynchronize()));
    return wrong != 0;
}
