// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of several blocks on compute_90: who is who, distributed shared memory, barriers, remote mbarriers, copies
// between blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
using word = unsigned;

__device__ word at(void const* p) { return static_cast<word>(__cvta_generic_to_shared(p)); }
__device__ word at_rank(void const* p, word rank) {
    word there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(p)), "r"(rank));
    return there;
}
__device__ void init(unsigned long long& barrier, word arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&barrier)), "r"(arrivals) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(unsigned long long& barrier, word bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&barrier)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long& barrier, word parity) {
    word ready = 0;
    while (!ready)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ready)
                     : "r"(at(&barrier)), "r"(parity)
                     : "memory");
}

// 16 words a block: places in the cluster, of the cluster, whether it was asked for.
extern "C" __global__ void who(word* out) {
    word const block = blockIdx.x + (blockIdx.y + blockIdx.z * gridDim.y) * gridDim.x;
    word v[16];
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[0]));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[1]));
    asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[2]));
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[4]));
    asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[5]));
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[6]));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[7]));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(v[8]));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(v[9]));
    asm("mov.u32 %0, %%clusterid.z;" : "=r"(v[10]));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(v[11]));
    asm("mov.u32 %0, %%nclusterid.y;" : "=r"(v[12]));
    asm("mov.u32 %0, %%nclusterid.z;" : "=r"(v[13]));
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(v[14]));
    __shared__ word own;
    word const peer = (v[6] + 1) % v[7];
    unsigned long long generic;
    word rank, is_cluster, is_own;
    asm("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(&own), "r"(peer));
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(generic));
    asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_cluster) : "l"(generic));
    asm("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_own) : "l"(generic));
    word own_rank;
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(own_rank) : "r"(at(&own)));
    v[15] = (rank == peer) | is_cluster << 1 | is_own << 2 | (own_rank == v[6]) << 3;
    for (int i = 0; i < 16; ++i) out[block * 16 + i] = v[i];
}

// Each block sums what all blocks of its cluster have, through pointers of cooperative groups; again after each has
// changed its own.
extern "C" __global__ void __cluster_dims__(4, 1, 1) sum_of_cluster(int const* in, int* out) {
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    for (int round = 0; round < 3; ++round) {
        mine[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x] + round;
        cluster.sync();
        int sum = 0;
        for (word r = 0; r < cluster.num_blocks(); ++r) sum += cluster.map_shared_rank(mine, r)[threadIdx.x ^ r];
        out[(blockIdx.x * 3 + round) * 64 + threadIdx.x] = sum;
        cluster.sync();
    }
}

// A histogram whose bins lie in all blocks of the cluster: remote atomics, whose old values count, too.
extern "C" __global__ void histogram(word const* in, int each, word* bins, word* olds) {
    __shared__ word mine[32];
    auto cluster = cg::this_cluster();
    word const size = cluster.num_blocks();
    word const block = blockIdx.x + blockIdx.y * gridDim.x;
    if (threadIdx.x < 32) mine[threadIdx.x] = 0;
    cluster.sync();
    word olds_here = 0;
    for (int i = threadIdx.x; i < each; i += blockDim.x) {
        word const bin = in[block * each + i] % (size * 32);
        word old;
        asm volatile("atom.add.shared::cluster.u32 %0, [%1], 1;"
                     : "=r"(old)
                     : "r"(at_rank(&mine[bin % 32], bin / 32))
                     : "memory");
        olds_here += old;
        asm volatile("red.max.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&mine[bin % 32], bin / 32)) : "memory");
    }
    atomicAdd(olds, olds_here);
    cluster.sync();
    if (threadIdx.x < 32) bins[block * 32 + threadIdx.x] = mine[threadIdx.x];
}

// A ring: each block stores into its neighbour and arrives at its mbarrier there, round after round, without the
// cluster's barrier in between.
extern "C" __global__ void ring(int* out, int rounds) {
    __shared__ int box[2];
    __shared__ unsigned long long full[2], empty[2];
    auto cluster = cg::this_cluster();
    word const rank = cluster.block_rank(), size = cluster.num_blocks();
    word const next = (rank + 1) % size, before = (rank + size - 1) % size;
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) init(full[i], 1), init(empty[i], 1);
    cluster.sync();
    int value = blockIdx.x;
    if (threadIdx.x == 0)
        for (int round = 0; round < rounds; ++round) {
            int const b = round & 1;
            word const parity = round / 2 & 1;
            if (round >= 2) wait(empty[b], parity ^ 1);
            asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(at_rank(&box[b], next)), "r"(value) : "memory");
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&full[b], next))
                         : "memory");
            wait(full[b], parity);
            value = box[b] * 3 + 1;
            asm volatile(
                "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&empty[b], before))
                : "memory");
        }
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// st.async and red.async: stores and sums that complete bytes on the receiver's mbarrier.
extern "C" __global__ void async_stores(int* out) {
    __shared__ alignas(16) int got[64];
    __shared__ word sum;
    __shared__ unsigned long long full;
    auto cluster = cg::this_cluster();
    word const rank = cluster.block_rank(), size = cluster.num_blocks();
    if (threadIdx.x == 0) {
        init(full, 1);
        sum = 0;
        expect(full, size * 16 + size * 4);
    }
    cluster.sync();
    if (threadIdx.x < size) {
        word const to = threadIdx.x;
        int const v = static_cast<int>(blockIdx.x * 100 + to);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                         at_rank(&got[rank * 4], to)),
                     "r"(v), "r"(v + 1), "r"(v + 2), "r"(v + 3), "r"(at_rank(&full, to))
                     : "memory");
        asm volatile(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                at_rank(&sum, to)),
            "r"(rank + 1), "r"(at_rank(&full, to))
            : "memory");
    }
    wait(full, 0);
    if (threadIdx.x < size * 4) out[blockIdx.x * 65 + threadIdx.x] = got[threadIdx.x];
    if (threadIdx.x == 0) out[blockIdx.x * 65 + 64] = static_cast<int>(sum);
    cluster.sync();
}

// The first block fetches tiles and gives them to all of `mask`; then each gives its own tile, changed, to the next.
extern "C" __global__ void multicast(int const* in, int* out, word mask) {
    __shared__ alignas(128) int tile[64];
    __shared__ alignas(128) int passed[64];
    __shared__ unsigned long long full[2];
    auto cluster = cg::this_cluster();
    word const rank = cluster.block_rank(), size = cluster.num_blocks();
    tile[threadIdx.x] = -1;
    if (threadIdx.x == 0) {
        init(full[0], 1);
        init(full[1], 1);
        if (mask >> rank & 1) expect(full[0], sizeof tile);
        expect(full[1], sizeof tile);
    }
    cluster.sync();
    if (rank == 0 && threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
            "[%3], %4;" ::"r"(at(tile)),
            "l"(in + blockIdx.x / size * 64), "r"(static_cast<word>(sizeof tile)), "r"(at(&full[0])),
            "h"(static_cast<unsigned short>(mask))
            : "memory");
    if (mask >> rank & 1) wait(full[0], 0);
    tile[threadIdx.x] = tile[threadIdx.x] * 10 + static_cast<int>(rank);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                at_rank(passed, (rank + 1) % size)),
            "r"(at(tile)), "r"(static_cast<word>(sizeof tile)), "r"(at_rank(&full[1], (rank + 1) % size))
            : "memory");
    wait(full[1], 0);
    out[blockIdx.x * 64 + threadIdx.x] = passed[threadIdx.x];
    cluster.sync();
}

// Threads that exit early do not keep the others; arriving and waiting are apart, and warps do it at different places.
extern "C" __global__ void leaves_early(int* out) {
    if (threadIdx.x % 64 >= 40) return;
    __shared__ int here;
    if (threadIdx.x == 0) here = static_cast<int>(blockIdx.x) + 5;
    if (threadIdx.x < 32) {
        asm volatile("barrier.cluster.arrive.release;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    } else {
        asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
        asm volatile("barrier.cluster.wait;" ::: "memory");
    }
    auto cluster = cg::this_cluster();
    word const next = (cluster.block_rank() + 1) % cluster.num_blocks();
    int const there = *cluster.map_shared_rank(&here, next);
    if (threadIdx.x == 0) out[blockIdx.x] = there;
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}

// What goes wrong: 0 a rank that there is not, 1 beyond the end of another block's memory, 2 a block that has exited,
// 3 a misaligned address, 4 one block does not come to the barrier and never ends.
extern "C" __global__ void goes_wrong(int how, int* out) {
    __shared__ int mine[4];
    __shared__ unsigned long long never;
    auto cluster = cg::this_cluster();
    word const rank = cluster.block_rank();
    mine[threadIdx.x % 4] = 1;
    if (threadIdx.x == 0) init(never, 1);
    cluster.sync();
    if (how == 2 && rank == 1) return;
    if (rank == 0) {
        if (how == 2) __nanosleep(100);
        word address = at_rank(mine, how == 0 ? 9 : 1);
        if (how == 1) address += 1 << 20;
        if (how == 3) address += 2;
        int value = 0;
        for (int i = 0; how < 4 && i < (how == 2 ? 30000 : 1); ++i) {
            int v;
            asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(address) : "memory");
            value += v;
        }
        out[0] = value;
        if (how == 4) asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    cluster.sync();
}

// Blocks of a cluster speak through global memory, ordered by the cluster's barrier and by a remote mbarrier alone.
extern "C" __global__ void through_global(int* data, int* out) {
    __shared__ unsigned long long full;
    auto cluster = cg::this_cluster();
    word const rank = cluster.block_rank(), size = cluster.num_blocks();
    if (threadIdx.x == 0) init(full, 1);
    data[blockIdx.x * 32 + threadIdx.x] = static_cast<int>(blockIdx.x);
    cluster.sync();
    word const next = blockIdx.x - rank + (rank + 1) % size;
    int const seen = data[next * 32 + (threadIdx.x ^ 1)];
    cluster.sync();
    data[blockIdx.x * 32 + threadIdx.x] = seen + 10;
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile(
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&full, (rank + 1) % size))
            : "memory");
    wait(full, 0);
    word const before = blockIdx.x - rank + (rank + size - 1) % size;
    out[blockIdx.x * 32 + threadIdx.x] = data[before * 32 + (threadIdx.x ^ 3)];
    cluster.sync();
}

// As before, without a barrier: a race.
extern "C" __global__ void not_ordered(int* data, int* out) {
    auto cluster = cg::this_cluster();
    data[blockIdx.x * 32 + threadIdx.x] = static_cast<int>(blockIdx.x) + 1;
    word const next = blockIdx.x ^ 1;
    out[blockIdx.x * 32 + threadIdx.x] = data[next * 32 + threadIdx.x];
    cluster.sync();
}

// Each block writes shared memory of its neighbour, which reads it.
extern "C" __global__ void gives(int* out) {
    __shared__ int mine[32];
    auto cluster = cg::this_cluster();
    cluster.sync();
    cluster.map_shared_rank(mine, cluster.block_rank() ^ 1)[threadIdx.x] =
        static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = mine[threadIdx.x ^ 1];
}
