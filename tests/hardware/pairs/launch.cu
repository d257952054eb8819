// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs: occupancy, waves, sizes of grids and blocks.
#include "pair.hpp"

namespace {

// Memory latency that only more warps hide: each thread follows links through memory, which cannot overlap.
__device__ unsigned follow(unsigned const* next, unsigned at, unsigned steps) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) at = next[at];
    return at;
}
// Links to places far away, all in one ring of 16 MB, which L2 holds and L1 does not. Lanes of a warp stay side by side.
constexpr unsigned places = 1u << 22;
unsigned const* links(workspace& memory) {
    constexpr unsigned golden = 81'007 * 32; // 0.618 of the places: the last to come back
    std::vector<unsigned> all(places);
    for (unsigned i = 0; i < places; ++i) all[i] = (i + golden) % places;
    return memory.upload(all);
}

// `Kept` values are loaded before the links are followed, and held in registers all the time, or loaded after.
template <unsigned Kept>
__device__ void load_kept(float const* in, float (&kept)[Kept]) {
#pragma unroll
    for (unsigned k = 0; k < Kept; ++k)
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(kept[k]) : "l"(in + k * 256 + threadIdx.x) : "memory");
}
template <unsigned Kept, bool Before>
__device__ void keep(unsigned const* next, float const* in, float* out, unsigned steps) {
    float kept[Kept];
    unsigned at = global_thread() % places;
    if (Before) load_kept(in, kept);
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) asm volatile("ld.global.u32 %0, [%1];" : "=r"(at) : "l"(next + at) : "memory");
    if (!Before) load_kept(in, kept);
    float sum = static_cast<float>(at & 15);
#pragma unroll
    for (unsigned k = 0; k < Kept; ++k) sum = fmaf(kept[k], sum, 0.5f) * 0.5f;
    out[global_thread()] = sum;
}
template <class Kernel>
launches keeping(workspace& memory, unsigned kept, unsigned steps, Kernel bad, Kernel mended) {
    unsigned const* const next = links(memory);
    float const* const in = memory.input<float>(kept * 256);
    unsigned const grid = sms * 8; // in several waves, even for an interpreter
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad<<<grid, 256>>>(next, in, out.bad, steps); },
            [=] { mended<<<grid, 256>>>(next, in, out.mended, steps); }};
}

} // namespace

KERNEL(bad_registers_160)(unsigned const* next, float const* in, float* out, unsigned steps) {
    keep<160, true>(next, in, out, steps);
}
KERNEL(mended_registers_160)(unsigned const* next, float const* in, float* out, unsigned steps) {
    keep<160, false>(next, in, out, steps);
}
PAIR(registers_160, occupancy_limited_by_registers) {
    return keeping(memory, 160, memory.pick(400u, 20u), bad_registers_160, mended_registers_160);
}
KERNEL(bad_registers_64)(unsigned const* next, float const* in, float* out, unsigned steps) {
    keep<64, true>(next, in, out, steps);
}
KERNEL(mended_registers_64)(unsigned const* next, float const* in, float* out, unsigned steps) {
    keep<64, false>(next, in, out, steps);
}
PAIR(registers_64, occupancy_limited_by_registers) {
    return keeping(memory, 64, memory.pick(400u, 20u), bad_registers_64, mended_registers_64);
}

namespace {

__device__ void follow_with_room(unsigned const* next, unsigned* out, unsigned steps) {
    extern __shared__ unsigned room[];
    room[threadIdx.x] = follow(next, global_thread() % places, steps);
    __syncthreads();
    out[global_thread()] = room[threadIdx.x ^ 1];
}
// The same with `bad_bytes` of shared memory a block, and with as much as is used.
template <class Kernel>
launches with_room(workspace& memory, unsigned bad_bytes, unsigned steps, Kernel bad, Kernel mended) {
    CHECK_CUDA(cudaFuncSetAttribute(bad, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bad_bytes)));
    unsigned const* const next = links(memory);
    unsigned const grid = memory.pick(sms * 16u, sms * 8u);
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad<<<grid, 256, bad_bytes>>>(next, out.bad, steps); },
            [=] { mended<<<grid, 256, 1024>>>(next, out.mended, steps); }};
}

} // namespace

KERNEL(bad_shared_room_200)(unsigned const* next, unsigned* out, unsigned steps) { follow_with_room(next, out, steps); }
KERNEL(mended_shared_room_200)(unsigned const* next, unsigned* out, unsigned steps) {
    follow_with_room(next, out, steps);
}
PAIR(shared_room_200, occupancy_limited_by_shared_memory) {
    return with_room(memory, 200 << 10, memory.pick(200u, 10u), bad_shared_room_200, mended_shared_room_200);
}
KERNEL(bad_shared_room_50)(unsigned const* next, unsigned* out, unsigned steps) { follow_with_room(next, out, steps); }
KERNEL(mended_shared_room_50)(unsigned const* next, unsigned* out, unsigned steps) {
    follow_with_room(next, out, steps);
}
PAIR(shared_room_50, occupancy_limited_by_shared_memory) {
    return with_room(memory, 50 << 10, memory.pick(20u, 10u), bad_shared_room_50, mended_shared_room_50);
}

// 32 blocks an SM is all there can be: 32 warps of 64.
KERNEL(bad_blocks_of_32)(unsigned const* next, unsigned* out, unsigned steps) {
    out[global_thread()] = follow(next, global_thread() % places, steps);
}
KERNEL(mended_blocks_of_32)(unsigned const* next, unsigned* out, unsigned steps) {
    out[global_thread()] = follow(next, global_thread() % places, steps);
}
PAIR(blocks_of_32, occupancy_limited_by_blocks) {
    unsigned const* const next = links(memory);
    unsigned const threads = sms * 2048 * memory.pick(4u, 1u);
    unsigned const steps = memory.pick(100u, 10u);
    results<unsigned> const out = memory.output<unsigned>(threads, 0);
    return {[=] { bad_blocks_of_32<<<threads / 32, 32>>>(next, out.bad, steps); },
            [=] { mended_blocks_of_32<<<threads / 256, 256>>>(next, out.mended, steps); }};
}
// Each block does next to nothing.
KERNEL(bad_tiny_blocks)(float const* in, float* out) { out[global_thread()] = in[global_thread()] + 1.0f; }
KERNEL(mended_tiny_blocks)(float const* in, float* out) { out[global_thread()] = in[global_thread()] + 1.0f; }
PAIR(tiny_blocks, tiny_blocks) {
    unsigned const n = memory.pick(64u << 20, 1u << 20);
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_tiny_blocks<<<n / 32, 32>>>(in, out.bad); },
            [=] { mended_tiny_blocks<<<n / 256, 256>>>(in, out.mended); }};
}

namespace {

// Item i: a chain of dependent instructions. Enough warps hide their latency.
__device__ float item(unsigned i, unsigned turns) {
    float x = static_cast<float>(i % 1021);
#pragma unroll 8
    for (unsigned k = 0; k < turns; ++k) x = fmaf(x, 0.99f, 0.5f);
    return x;
}
// Items are cut into pieces of as many as a block has threads. Block b does pieces [first, end).
__device__ void pieces(float* out, unsigned first, unsigned end, unsigned turns) {
    for (unsigned p = first; p < end; ++p)
        out[p * blockDim.x + threadIdx.x] = item(p * blockDim.x + threadIdx.x, turns);
}
// As many for each block; the last may have fewer.
__device__ void even_pieces(float* out, unsigned all, unsigned turns) {
    unsigned const each = (all + gridDim.x - 1) / gridDim.x;
    pieces(out, min(all, blockIdx.x * each), min(all, blockIdx.x * each + each), turns);
}
// The same pieces by two grids.
template <class Kernel>
launches two_grids(workspace& memory, unsigned block, unsigned bytes, unsigned all, unsigned turns, unsigned bad_grid,
                   unsigned mended_grid, Kernel bad, Kernel mended) {
    if (bytes > 0)
        for (Kernel each : {bad, mended})
            CHECK_CUDA(
                cudaFuncSetAttribute(each, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    results<float> const out = memory.output<float>(all * block);
    return {[=] { bad<<<bad_grid, block, bytes>>>(out.bad, all, turns); },
            [=] { mended<<<mended_grid, block, bytes>>>(out.mended, all, turns); }};
}
constexpr unsigned one_a_sm = 120 << 10; // bytes of shared memory with which one block fits an SM

} // namespace

// One block an SM, and one block more: half of the time one SM works.
KERNEL(bad_tail_133)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_tail_133)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(tail_133, tail_effect) {
    unsigned const all = 133 * memory.pick(132u, 12u); // 132 a block or 133
    return two_grids(memory, 512, one_a_sm, all, memory.pick(128u, 2u), 133, 132, bad_tail_133, mended_tail_133);
}
// Two waves and one block more.
KERNEL(bad_tail_265)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_tail_265)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(tail_265, tail_effect) {
    unsigned const all = 265 * memory.pick(264u, 6u);
    return two_grids(memory, 512, one_a_sm, all, memory.pick(512u, 2u), 265, 264, bad_tail_265, mended_tail_265);
}
// One wave and a half.
KERNEL(bad_tail_198)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_tail_198)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(tail_198, tail_effect) {
    return two_grids(memory, 512, one_a_sm, 198 * memory.pick(40u, 4u), memory.pick(256u, 4u), 198, 132, bad_tail_198,
                     mended_tail_198);
}
// Six waves and a half.
KERNEL(bad_tail_858)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_tail_858)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(tail_858, tail_effect) {
    return two_grids(memory, 512, one_a_sm, 858 * 4, memory.pick(512u, 8u), 858, 132, bad_tail_858, mended_tail_858);
}
// One wave and a half of eight blocks an SM: the blocks of the second run faster, as they are few.
KERNEL(bad_tail_resident)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_tail_resident)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(tail_resident, tail_effect) {
    return two_grids(memory, 256, 0, 1584 * 8, memory.pick(512u, 8u), 1584, 1056, bad_tail_resident,
                     mended_tail_resident);
}

// 16 blocks, 100 blocks; mended: two an SM, in the second case one.
KERNEL(bad_small_grid_16)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_small_grid_16)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(small_grid_16, small_grid) {
    return two_grids(memory, 256, 0, 16 * 132, memory.pick(512u, 8u), 16, 264, bad_small_grid_16, mended_small_grid_16);
}
KERNEL(bad_small_grid_100)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
KERNEL(mended_small_grid_100)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(small_grid_100, small_grid) {
    return two_grids(memory, 512, one_a_sm, 100 * 132 / 4, memory.pick(256u, 4u), 100, 132, bad_small_grid_100,
                     mended_small_grid_100);
}

namespace {

// The first `many` blocks do `factor` pieces, the others one; or all do two.
__device__ void uneven_pieces(float* out, unsigned many, unsigned factor, unsigned turns) {
    unsigned const b = blockIdx.x;
    unsigned const first = b < many ? b * factor : many * (factor - 1) + b;
    pieces(out, first, first + (b < many ? factor : 1), turns);
}
template <class Bad, class Mended>
launches long_blocks(workspace& memory, unsigned many, unsigned turns, Bad bad, Mended mended) {
    unsigned const grid = sms * 8;
    unsigned const factor = 1 + grid / many;
    results<float> const out = memory.output<float>(grid * 2 * 256);
    return {[=] { bad<<<grid, 256>>>(out.bad, many, factor, turns); },
            [=] { mended<<<grid, 256>>>(out.mended, grid * 2, turns); }};
}

} // namespace

KERNEL(bad_long_blocks_8)(float* out, unsigned many, unsigned factor, unsigned turns) {
    uneven_pieces(out, many, factor, turns);
}
KERNEL(mended_long_blocks_8)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(long_blocks_8, workload_imbalance) {
    return long_blocks(memory, 8, memory.pick(2048u, 64u), bad_long_blocks_8, mended_long_blocks_8);
}
// One for each SM.
KERNEL(bad_long_blocks_132)(float* out, unsigned many, unsigned factor, unsigned turns) {
    uneven_pieces(out, many, factor, turns);
}
KERNEL(mended_long_blocks_132)(float* out, unsigned all, unsigned turns) { even_pieces(out, all, turns); }
PAIR(long_blocks_132, workload_imbalance) {
    return long_blocks(memory, 132, memory.pick(8192u, 64u), bad_long_blocks_132, mended_long_blocks_132);
}

// Blocks with a last warp of 1, 8 or 16 lanes.
namespace {

__device__ void items(float* out, unsigned n, unsigned turns) {
    if (global_thread() < n) out[global_thread()] = item(global_thread(), turns);
}
template <class Kernel>
launches block_sizes(workspace& memory, unsigned bad_block, unsigned mended_block, unsigned turns, Kernel bad,
                     Kernel mended) {
    unsigned const n = sms * 2048 * memory.pick(4u, 1u);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad<<<blocks_for(n, bad_block), bad_block>>>(out.bad, n, turns); },
            [=] { mended<<<blocks_for(n, mended_block), mended_block>>>(out.mended, n, turns); }};
}

} // namespace

KERNEL(bad_block_of_33)(float* out, unsigned n, unsigned turns) { items(out, n, turns); }
KERNEL(mended_block_of_33)(float* out, unsigned n, unsigned turns) { items(out, n, turns); }
PAIR(block_of_33, partial_warps) {
    return block_sizes(memory, 33, 64, memory.pick(4096u, 32u), bad_block_of_33, mended_block_of_33);
}
KERNEL(bad_block_of_40)(float* out, unsigned n, unsigned turns) { items(out, n, turns); }
KERNEL(mended_block_of_40)(float* out, unsigned n, unsigned turns) { items(out, n, turns); }
PAIR(block_of_40, partial_warps) {
    return block_sizes(memory, 40, 64, memory.pick(512u, 32u), bad_block_of_40, mended_block_of_40);
}
KERNEL(bad_block_of_48)(float* out, unsigned n, unsigned turns) { items(out, n, turns); }
KERNEL(mended_block_of_48)(float* out, unsigned n, unsigned turns) { items(out, n, turns); }
PAIR(block_of_48, partial_warps) {
    return block_sizes(memory, 48, 64, memory.pick(128u, 32u), bad_block_of_48, mended_block_of_48);
}
