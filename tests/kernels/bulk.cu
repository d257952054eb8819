// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies of compute_90 between global and shared memory.

// Tiles go into two buffers in turn, one mbarrier each; what is made of a tile goes back by a bulk group.
extern "C" __global__ void bulk_pipeline(int const* in, int* out, int tiles) {
    constexpr int tile = 256;
    __shared__ alignas(128) int buffer[2][tile];
    __shared__ alignas(128) int made[tile];
    __shared__ unsigned long long full[2];
    auto const at = [](void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
    if (threadIdx.x == 0) {
        for (auto& each : full) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&each)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    auto const fetch = [&](int t) {
        unsigned const bytes = tile * sizeof(int);
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(at(&full[t & 1])),
                     "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         at(buffer[t & 1])),
                     "l"(in + t * tile), "r"(bytes), "r"(at(&full[t & 1]))
                     : "memory");
    };
    if (threadIdx.x == 0) fetch(0);
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0 && t + 1 < tiles) fetch(t + 1);
        unsigned ready = 0;
        while (!ready)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(ready)
                         : "r"(at(&full[t & 1])), "r"(unsigned(t) >> 1 & 1)
                         : "memory");
        for (int i = threadIdx.x; i < tile; i += blockDim.x) made[i] = 3 * buffer[t & 1][tile - 1 - i];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + t * tile), "r"(at(made)),
                         "r"(unsigned(tile * sizeof(int)))
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncthreads();
    }
}

// One copy of a size and from a place that may be wrong, and from one buffer to another of the same block.
extern "C" __global__ void bulk_once(char const* in, char* out, unsigned bytes) {
    __shared__ alignas(128) char first[512];
    __shared__ alignas(128) char second[512];
    __shared__ unsigned long long full;
    auto const at = [](void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
    auto const wait = [&](unsigned parity) {
        unsigned ready = 0;
        while (!ready)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(ready)
                         : "r"(at(&full)), "r"(parity)
                         : "memory");
    };
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0+16], [%1+16], %2, [%3];" ::"r"(at(first)),
                 "l"(in), "r"(bytes), "r"(at(&full))
                 : "memory");
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(at(&full)), "r"(bytes)
                 : "memory");
    wait(0);
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(at(&full)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(second)),
                 "r"(at(first) + 16), "r"(bytes), "r"(at(&full))
                 : "memory");
    wait(1);
    for (unsigned i = 0; i < bytes; ++i) out[i] = second[i];
}

// The bytes are expected, but the copy is waited for by nobody: what is read may be anything.
extern "C" __global__ void bulk_unawaited(int const* in, int* out) {
    __shared__ alignas(128) int tile[64];
    __shared__ unsigned long long full;
    auto const at = [](void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], 256; }" ::"r"(at(&full)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(at(tile)), "l"(in),
                     "r"(at(&full))
                     : "memory");
    }
    out[threadIdx.x] = tile[threadIdx.x];
}
