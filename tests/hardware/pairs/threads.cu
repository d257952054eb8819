// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs: shared memory, barriers, divergence.
#include "pair.hpp"

namespace {

constexpr unsigned widest = 40; // all pitches take the room of this one, so that as many blocks fit

// Each lane walks along its row of a tile of its warp: lanes are Pitch words apart.
template <class T, unsigned Pitch, unsigned Warps>
__device__ void walk_rows(T const* in, T* out, unsigned rounds) {
    __shared__ T tiles[Warps][32 * (sizeof(T) == 8 ? 33 : widest)];
    unsigned const lane = threadIdx.x % 32;
    T* const tile = tiles[threadIdx.x / 32];
    for (unsigned k = 0; k < 32; ++k) tile[k * Pitch + lane] = in[k * 32 + lane];
    T sum = 0;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r) {
        __syncwarp(); // else the compiler keeps the row in registers
        T sums[4] = {};
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) sums[k % 4] += tile[lane * Pitch + k];
        sum = sum * T(0.5) + (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
    out[global_thread()] = sum;
}
template <class T, class Kernel>
launches walk(workspace& memory, unsigned warps, unsigned rounds, Kernel bad, Kernel mended) {
    unsigned const grid = sms * 4;
    T const* const in = memory.input<T>(1024);
    results<T> const out = memory.output<T>(grid * warps * 32);
    return {[=] { bad<<<grid, warps * 32>>>(in, out.bad, rounds); },
            [=] { mended<<<grid, warps * 32>>>(in, out.mended, rounds); }};
}

// Each lane stores along its row, then all read across rows.
template <unsigned Pitch>
__device__ void store_rows(float* out, unsigned rounds) {
    __shared__ float tiles[8][32 * widest];
    unsigned const lane = threadIdx.x % 32;
    float* const tile = tiles[threadIdx.x / 32];
    float sum = 0;
    float value = static_cast<float>(global_thread() % 101);
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) tile[lane * Pitch + k] = value + static_cast<float>(k);
        __syncwarp();
        sum = sum * 0.5f + tile[(r & 31) * Pitch + lane];
        value = value * 0.5f + 1;
        __syncwarp();
    }
    out[global_thread()] = sum;
}
template <class Kernel>
launches store(workspace& memory, unsigned rounds, Kernel bad, Kernel mended) {
    unsigned const grid = sms * 4;
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad<<<grid, 256>>>(out.bad, rounds); }, [=] { mended<<<grid, 256>>>(out.mended, rounds); }};
}

} // namespace

KERNEL(bad_bank_loads_2)(float const* in, float* out, unsigned rounds) { walk_rows<float, 34, 8>(in, out, rounds); }
KERNEL(mended_bank_loads_2)(float const* in, float* out, unsigned rounds) { walk_rows<float, 33, 8>(in, out, rounds); }
PAIR(bank_loads_2, shared_bank_conflicts) {
    return walk<float>(memory, 8, memory.pick(1000u, 2u), bad_bank_loads_2, mended_bank_loads_2);
}
KERNEL(bad_bank_loads_8)(float const* in, float* out, unsigned rounds) { walk_rows<float, 40, 8>(in, out, rounds); }
KERNEL(mended_bank_loads_8)(float const* in, float* out, unsigned rounds) { walk_rows<float, 33, 8>(in, out, rounds); }
PAIR(bank_loads_8, shared_bank_conflicts) {
    return walk<float>(memory, 8, memory.pick(20u, 2u), bad_bank_loads_8, mended_bank_loads_8);
}
KERNEL(bad_bank_loads_32)(float const* in, float* out, unsigned rounds) { walk_rows<float, 32, 8>(in, out, rounds); }
KERNEL(mended_bank_loads_32)(float const* in, float* out, unsigned rounds) { walk_rows<float, 33, 8>(in, out, rounds); }
PAIR(bank_loads_32, shared_bank_conflicts) {
    return walk<float>(memory, 8, memory.pick(400u, 2u), bad_bank_loads_32, mended_bank_loads_32);
}
KERNEL(bad_bank_doubles)(double const* in, double* out, unsigned rounds) { walk_rows<double, 32, 4>(in, out, rounds); }
KERNEL(mended_bank_doubles)(double const* in, double* out, unsigned rounds) {
    walk_rows<double, 33, 4>(in, out, rounds);
}
PAIR(bank_doubles, shared_bank_conflicts) {
    return walk<double>(memory, 4, memory.pick(200u, 2u), bad_bank_doubles, mended_bank_doubles);
}
KERNEL(bad_bank_stores_4)(float* out, unsigned rounds) { store_rows<36>(out, rounds); }
KERNEL(mended_bank_stores_4)(float* out, unsigned rounds) { store_rows<33>(out, rounds); }
PAIR(bank_stores_4, shared_bank_conflicts) {
    return store(memory, memory.pick(400u, 2u), bad_bank_stores_4, mended_bank_stores_4);
}
KERNEL(bad_bank_stores_32)(float* out, unsigned rounds) { store_rows<32>(out, rounds); }
KERNEL(mended_bank_stores_32)(float* out, unsigned rounds) { store_rows<33>(out, rounds); }
PAIR(bank_stores_32, shared_bank_conflicts) {
    return store(memory, memory.pick(40u, 2u), bad_bank_stores_32, mended_bank_stores_32);
}

// All lanes read the same weights, 4 or 16 bytes at a time.
KERNEL(bad_narrow_shared)(float const* in, float* out, unsigned rounds) {
    __shared__ __align__(16) float weights[128];
    for (unsigned i = threadIdx.x; i < 128; i += blockDim.x) weights[i] = in[i];
    __syncthreads();
    float volatile const* const each = weights;
    float sum[4] = {};
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll
        for (unsigned k = 0; k < 128; ++k) sum[k % 4] += each[k];
    out[global_thread()] = sum[0] + sum[1] + sum[2] + sum[3];
}
KERNEL(mended_narrow_shared)(float const* in, float* out, unsigned rounds) {
    __shared__ __align__(16) float weights[128];
    for (unsigned i = threadIdx.x; i < 128; i += blockDim.x) weights[i] = in[i];
    __syncthreads();
    float sum[4] = {};
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r) {
        __syncwarp();
#pragma unroll
        for (unsigned k = 0; k < 128; k += 4) {
            float4 const w = *reinterpret_cast<float4 const*>(weights + k);
            sum[0] += w.x, sum[1] += w.y, sum[2] += w.z, sum[3] += w.w;
        }
    }
    out[global_thread()] = sum[0] + sum[1] + sum[2] + sum[3];
}
PAIR(narrow_shared, narrow_shared_access) {
    float const* const in = memory.input<float>(128);
    unsigned const rounds = memory.pick(100u, 1u);
    unsigned const grid = sms * 8;
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_narrow_shared<<<grid, 256>>>(in, out.bad, rounds); },
            [=] { mended_narrow_shared<<<grid, 256>>>(in, out.mended, rounds); }};
}

namespace {

// A histogram of 64 bins: one in shared memory for the block, or one for each lane.
__device__ void count_in_block(unsigned const* in, unsigned* out, unsigned n) {
    __shared__ unsigned bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(bins + in[i], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(out + threadIdx.x, bins[threadIdx.x]);
}
__device__ void count_in_lanes(unsigned const* in, unsigned* out, unsigned n) {
    __shared__ unsigned bins[64][32];
    unsigned const lane = threadIdx.x % 32;
    for (unsigned i = threadIdx.x; i < 64 * 32; i += blockDim.x) bins[i / 32][i % 32] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]][lane], 1u);
    __syncthreads();
    if (threadIdx.x < 64) {
        unsigned sum = 0;
        for (unsigned k = 0; k < 32; ++k) sum += bins[threadIdx.x][(k + lane) % 32];
        atomicAdd(out + threadIdx.x, sum);
    }
}
// Of `of` values, all but one fall into the first bin.
template <class Kernel>
launches histogram(workspace& memory, unsigned of, Kernel bad, Kernel mended) {
    unsigned const n = memory.pick(32u << 20, 1u << 20);
    std::vector<unsigned> values = memory.values<unsigned>(memory.period);
    for (unsigned& each : values) each = (each >> 14) % of ? 0 : (each >> 8) % 64;
    unsigned const* const in = memory.repeated(values, n);
    unsigned const grid = sms * 8;
    results<unsigned> const out = memory.output<unsigned>(64, 0);
    return {[=] { bad<<<grid, 256>>>(in, out.bad, n); }, [=] { mended<<<grid, 256>>>(in, out.mended, n); }};
}

} // namespace

KERNEL(bad_shared_atomics_skewed)(unsigned const* in, unsigned* out, unsigned n) { count_in_block(in, out, n); }
KERNEL(mended_shared_atomics_skewed)(unsigned const* in, unsigned* out, unsigned n) { count_in_lanes(in, out, n); }
PAIR(shared_atomics_skewed, shared_atomic_contention) {
    return histogram(memory, 16, bad_shared_atomics_skewed, mended_shared_atomics_skewed);
}
KERNEL(bad_shared_atomics_even)(unsigned const* in, unsigned* out, unsigned n) { count_in_block(in, out, n); }
KERNEL(mended_shared_atomics_even)(unsigned const* in, unsigned* out, unsigned n) { count_in_lanes(in, out, n); }
PAIR(shared_atomics_even, shared_atomic_contention) {
    return histogram(memory, 1, bad_shared_atomics_even, mended_shared_atomics_even);
}

namespace {

// Lanes exchange values within their warp; a barrier of the block is more than that needs.
template <bool OfBlock>
__device__ void rotate(float* out, unsigned turns) {
    __shared__ float values[1024];
    unsigned const neighbour = (threadIdx.x & ~31u) + (threadIdx.x + 1) % 32;
    float x = static_cast<float>(threadIdx.x);
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) {
        values[threadIdx.x] = x;
        OfBlock ? __syncthreads() : __syncwarp();
        x = fmaf(values[neighbour], 0.5f, x * 0.5f);
        OfBlock ? __syncthreads() : __syncwarp();
    }
    out[global_thread()] = x;
}
template <class Kernel>
launches rotation(workspace& memory, unsigned grid, unsigned block, unsigned turns, Kernel bad, Kernel mended) {
    results<float> const out = memory.output<float>(grid * block);
    return {[=] { bad<<<grid, block>>>(out.bad, turns); }, [=] { mended<<<grid, block>>>(out.mended, turns); }};
}

} // namespace

KERNEL(bad_barriers_1024)(float* out, unsigned turns) { rotate<true>(out, turns); }
KERNEL(mended_barriers_1024)(float* out, unsigned turns) { rotate<false>(out, turns); }
PAIR(barriers_1024, barrier_waits) {
    return rotation(memory, sms * 2, 1024, memory.pick(2000u, 10u), bad_barriers_1024, mended_barriers_1024);
}
KERNEL(bad_barriers_128)(float* out, unsigned turns) { rotate<true>(out, turns); }
KERNEL(mended_barriers_128)(float* out, unsigned turns) { rotate<false>(out, turns); }
PAIR(barriers_128, barrier_waits) {
    return rotation(memory, sms * 4, 128, memory.pick(400u, 40u), bad_barriers_128, mended_barriers_128);
}

// Before each barrier one warp computes eight values a lane, or each of eight warps one.
KERNEL(bad_barrier_imbalance)(float* out, unsigned rounds, unsigned turns) {
    __shared__ float values[256];
    float sum = 0;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r) {
        if (threadIdx.x < 32)
#pragma unroll 1
            for (unsigned i = threadIdx.x; i < 256; i += 32) {
                float x = static_cast<float>(i + r);
                for (unsigned k = 0; k < turns; ++k) x = fmaf(x, 0.99f, 0.5f);
                values[i] = x;
            }
        __syncthreads();
        sum = sum * 0.5f + values[255 - threadIdx.x];
        __syncthreads();
    }
    out[global_thread()] = sum;
}
KERNEL(mended_barrier_imbalance)(float* out, unsigned rounds, unsigned turns) {
    __shared__ float values[256];
    float sum = 0;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r) {
        float x = static_cast<float>(threadIdx.x + r);
        for (unsigned k = 0; k < turns; ++k) x = fmaf(x, 0.99f, 0.5f);
        values[threadIdx.x] = x;
        __syncthreads();
        sum = sum * 0.5f + values[255 - threadIdx.x];
        __syncthreads();
    }
    out[global_thread()] = sum;
}
PAIR(barrier_imbalance, barrier_waits) {
    unsigned const grid = sms * 4;
    unsigned const rounds = memory.pick(20u, 2u);
    unsigned const turns = memory.pick(256u, 32u);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_barrier_imbalance<<<grid, 256>>>(out.bad, rounds, turns); },
            [=] { mended_barrier_imbalance<<<grid, 256>>>(out.mended, rounds, turns); }};
}

namespace {

// A block loads a tile, waits, computes with it, waits. With one block an SM nothing loads while it computes. A tile has 1024
// values, `blockDim.x` at a time: four blocks of 256 do what one block of 1024 does.
__device__ void tiles_by_turns(float const* in, float* out, unsigned tiles) {
    extern __shared__ float tile[];
    float sum = 0;
#pragma unroll 1
    for (unsigned t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = in[std::size_t{t} * gridDim.x * blockDim.x + global_thread()];
        __syncthreads();
        float x = tile[(threadIdx.x & ~31u) + 31 - threadIdx.x % 32];
        for (unsigned k = 0; k < 64; ++k) x = fmaf(x, 0.98f, 0.01f);
        sum += x;
        __syncthreads();
    }
    out[global_thread()] = sum;
}

} // namespace

KERNEL(bad_one_block)(float const* in, float* out, unsigned tiles) { tiles_by_turns(in, out, tiles); }
KERNEL(mended_one_block)(float const* in, float* out, unsigned tiles) { tiles_by_turns(in, out, tiles); }
PAIR(one_block, barriers_without_other_blocks) {
    unsigned const tiles = memory.pick(400u, 4u);
    float const* const in = memory.input<float>(std::size_t{tiles} * sms * 1024);
    results<float> const out = memory.output<float>(sms * 1024);
    return {[=] { bad_one_block<<<sms, 1024, 4096>>>(in, out.bad, tiles); },
            [=] { mended_one_block<<<sms * 4, 256, 1024>>>(in, out.mended, tiles); }};
}

namespace {

// Eight kinds of work that no compiler makes into one.
template <unsigned Kind>
__device__ unsigned work(unsigned x, unsigned turns) {
    float f = static_cast<float>(x & 1023) * 0.001f + 0.1f;
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) {
        if constexpr (Kind == 0) f = fmaf(f, 0.999f, 0.25f);
        if constexpr (Kind == 1) x = x * 1664525u + 1013904223u;
        if constexpr (Kind == 2) x ^= x << 13, x ^= x >> 17;
        if constexpr (Kind == 3) f = fabsf(f - 0.5f) * 1.5f;
        if constexpr (Kind == 4) x = __brev(x) + 77u;
        if constexpr (Kind == 5) x = __popc(x) + (x << 1);
        if constexpr (Kind == 6) f = fminf(f * 1.25f, 2.0f - f);
        if constexpr (Kind == 7) x = __byte_perm(x, x + 5u, 0x2143);
    }
    return x + __float_as_uint(f);
}
__device__ unsigned work_of_kind(unsigned kind, unsigned x, unsigned turns) {
    switch (kind) {
        case 0: return work<0>(x, turns);
        case 1: return work<1>(x, turns);
        case 2: return work<2>(x, turns);
        case 3: return work<3>(x, turns);
        case 4: return work<4>(x, turns);
        case 5: return work<5>(x, turns);
        case 6: return work<6>(x, turns);
        default: return work<7>(x, turns);
    }
}
// Items of 256 come in turn, kind by kind, or sorted by kind: each warp has one kind. Item of place t of a block:
template <unsigned Kinds>
__host__ __device__ unsigned sorted_item(unsigned t) {
    unsigned const warp = t / 32;
    return warp / Kinds * Kinds * 32 + t % 32 * Kinds + warp % Kinds;
}
template <unsigned Kinds, bool Sorted>
__device__ void work_by(unsigned* out, unsigned turns) {
    unsigned const i = Sorted ? sorted_item<Kinds>(threadIdx.x) : threadIdx.x;
    out[global_thread()] = work_of_kind(i % Kinds, blockIdx.x * blockDim.x + i, turns);
}
template <unsigned Kinds, class Kernel>
launches divergence(workspace& memory, unsigned grid, unsigned turns, Kernel bad, Kernel mended) {
    unsigned const n = grid * 256;
    results<unsigned> const out = memory.output<unsigned>(
        n, 0, n, [](std::size_t i) { return i / 256 * 256 + sorted_item<Kinds>(static_cast<unsigned>(i % 256)); });
    return {[=] { bad<<<grid, 256>>>(out.bad, turns); }, [=] { mended<<<grid, 256>>>(out.mended, turns); }};
}

} // namespace

KERNEL(bad_divergence_2)(unsigned* out, unsigned turns) { work_by<2, false>(out, turns); }
KERNEL(mended_divergence_2)(unsigned* out, unsigned turns) { work_by<2, true>(out, turns); }
PAIR(divergence_2, thread_divergence) {
    return divergence<2>(memory, sms * 8, memory.pick(4000u, 40u), bad_divergence_2, mended_divergence_2);
}
KERNEL(bad_divergence_4)(unsigned* out, unsigned turns) { work_by<4, false>(out, turns); }
KERNEL(mended_divergence_4)(unsigned* out, unsigned turns) { work_by<4, true>(out, turns); }
PAIR(divergence_4, thread_divergence) {
    return divergence<4>(memory, sms * 8, memory.pick(100u, 40u), bad_divergence_4, mended_divergence_4);
}
KERNEL(bad_divergence_8)(unsigned* out, unsigned turns) { work_by<8, false>(out, turns); }
KERNEL(mended_divergence_8)(unsigned* out, unsigned turns) { work_by<8, true>(out, turns); }
PAIR(divergence_8, thread_divergence) {
    return divergence<8>(memory, sms * 8, memory.pick(1000u, 40u), bad_divergence_8, mended_divergence_8);
}

// One turn for lane 0 up to 32 for lane 31; or items sorted by that: as many for all lanes of a warp.
KERNEL(bad_trip_counts)(unsigned* out, unsigned turns) {
    unsigned const i = threadIdx.x;
    out[global_thread()] = work<1>(blockIdx.x * 1024 + i, turns * (1 + i % 32));
}
KERNEL(mended_trip_counts)(unsigned* out, unsigned turns) {
    unsigned const i = threadIdx.x % 32 * 32 + threadIdx.x / 32;
    out[global_thread()] = work<1>(blockIdx.x * 1024 + i, turns * (1 + i % 32));
}
PAIR(trip_counts, thread_divergence) {
    unsigned const turns = memory.pick(200u, 2u);
    unsigned const n = sms * 2 * 1024;
    results<unsigned> const out =
        memory.output<unsigned>(n, 0, n, [](std::size_t i) { return i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32; });
    return {[=] { bad_trip_counts<<<sms * 2, 1024>>>(out.bad, turns); },
            [=] { mended_trip_counts<<<sms * 2, 1024>>>(out.mended, turns); }};
}

namespace {

// Three of four lanes are off by a predicate, not by a branch; or a quarter of the threads, all on.
__device__ float with_predicate(float x, unsigned on, unsigned turns) {
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
        asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\t"
                     "@p fma.rn.f32 %0, %0, 0f3F7D70A4, 0f3F000000;\n\t"
                     "@p fma.rn.f32 %0, %0, 0f3F7D70A4, 0f3F000000;\n\t"
                     "@p fma.rn.f32 %0, %0, 0f3F7D70A4, 0f3F000000;\n\t"
                     "@p fma.rn.f32 %0, %0, 0f3F7D70A4, 0f3F000000;\n\t}"
                     : "+f"(x)
                     : "r"(on));
    return x;
}

} // namespace

KERNEL(bad_predicates)(float* out, unsigned turns) {
    unsigned const i = global_thread();
    float const x = with_predicate(static_cast<float>(i / 4), i % 4 == 0, turns);
    if (i % 4 == 0) out[i / 4] = x;
}
KERNEL(mended_predicates)(float* out, unsigned turns) {
    unsigned const i = global_thread();
    out[i] = with_predicate(static_cast<float>(i), turns != 0, turns);
}
PAIR(predicates, predicated_off_lanes) {
    unsigned const turns = memory.pick(1000u, 8u);
    unsigned const n = sms * 16 * 256;
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_predicates<<<n * 4 / 256, 256>>>(out.bad, turns); },
            [=] { mended_predicates<<<n / 256, 256>>>(out.mended, turns); }};
}
