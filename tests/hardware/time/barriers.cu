// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and fences: of a warp, of a block, of a grid.
#include <cooperative_groups.h>

#include "bench.hpp"

namespace {

#define STATEMENT(name, per_round, text)                                                                               \
    struct name {                                                                                                      \
        static constexpr unsigned things = per_round;                                                                  \
        __device__ name(unsigned char*, unsigned) {}                                                                   \
        __device__ void round() {                                                                                      \
            unrolled<things>([](unsigned) { asm volatile(text ::: "memory"); });                                       \
        }                                                                                                              \
        __device__ unsigned result() const { return 0; }                                                               \
    }
STATEMENT(block_barrier, 16, "bar.sync 0;");
STATEMENT(warp_barrier, 16, "bar.warp.sync 0xffffffff;");
STATEMENT(block_fence, 8, "fence.acq_rel.cta;");
STATEMENT(gpu_fence, 8, "fence.acq_rel.gpu;");

// A store, and a fence that waits for it.
struct store_and_fence {
    static constexpr unsigned things = 4;
    unsigned char* at;
    __device__ store_and_fence(unsigned char* memory, unsigned) : at(memory + 4 * threadIdx.x) {}
    __device__ void round() {
        unrolled<things>([&](unsigned) {
            asm volatile("st.global.u32 [%0], 0; fence.acq_rel.gpu;" ::"l"(at) : "memory");
        });
    }
    __device__ unsigned result() const { return 0; }
};

// Values change hands through shared memory, as in a scan of a block.
struct exchange_by_shared {
    static constexpr unsigned things = 8;
    unsigned value;
    __device__ exchange_by_shared(unsigned char*, unsigned unknown) : value(unknown + threadIdx.x) {}
    __device__ void round() {
        __shared__ unsigned words[2][1024];
        unrolled<things>([&](unsigned i) {
            words[i & 1][threadIdx.x] = value;
            __syncthreads();
            value += words[i & 1][threadIdx.x ^ 32];
        });
    }
    __device__ unsigned result() const { return value; }
};

__global__ void meeting_grid(unsigned n) {
    auto const grid = cooperative_groups::this_grid();
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) grid.sync();
}

template <class Work>
void of_block(time_table& table, char const* name, char const* what, std::initializer_list<unsigned> of_warps) {
    for (unsigned warps : of_warps)
        table.cycles(std::string(name) + "_" + std::to_string(warps), std::string(what) + "; a block of so many warps",
                     {32, 160}, Work::things, [&](unsigned n) {
                         repeat<Work><<<1, 32 * warps>>>(n, table.clock(),
                                                         static_cast<unsigned char*>(table.memory(1 << 20)), 0);
                     });
}

} // namespace

void barriers(time_table& table) {
    of_block<block_barrier>(table, "barrier", "BAR.SYNC after BAR.SYNC", {1, 2, 4, 8, 16, 32});
    of_block<exchange_by_shared>(table, "barrier_exchange", "store, barrier, load of another warp's word, addition",
                                 {2, 8, 32});
    of_block<warp_barrier>(table, "syncwarp", "__syncwarp() of converged lanes", {1, 4});
    of_block<block_fence>(table, "fence_block", "fence.acq_rel.cta with nothing to wait for", {1});
    of_block<gpu_fence>(table, "fence_gpu", "fence.acq_rel.gpu with nothing to wait for", {1, 8});
    of_block<store_and_fence>(table, "store_fence_gpu", "a store of 128 bytes and fence.acq_rel.gpu", {1, 8});
    for (unsigned block : {32u, 1024u}) {
        table.microseconds("grid_sync_" + std::to_string(block), "grid.sync() of 132 blocks of so many threads",
                           {4, 36}, 1, [=](unsigned n) {
                               void* arguments[]{&n};
                               CHECK_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(meeting_grid),
                                                                      dim3(132), dim3(block), arguments, 0, nullptr));
                           });
    }
}
