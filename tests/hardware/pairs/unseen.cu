// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs and clean kernels of a fourth group, written before any of them was measured, and judged once before any rule was mended by
// them.
#include "pair.hpp"
#include "products.hpp"

namespace {

// A particle moved by its speed in a force field: 8 members, of which 6 are read and 3 written.
struct particle {
    float x, y, z, vx, vy, vz, mass, charge;
};
__device__ float moved(float at, float speed, float dt) { return fmaf(speed + at * -0.5f * dt, dt, at); }

} // namespace

// An array of particles, or an array a member.
KERNEL(bad_particle_push)(particle const* in, particle* out, unsigned, float dt) {
    unsigned const i = global_thread();
    out[i].x = moved(in[i].x, in[i].vx, dt);
    out[i].y = moved(in[i].y, in[i].vy, dt);
    out[i].z = moved(in[i].z, in[i].vz, dt);
}
KERNEL(mended_particle_push)(float const* in, float* out, unsigned n, float dt) {
    unsigned const i = global_thread();
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) out[k * n + i] = moved(in[k * n + i], in[(k + 3) * n + i], dt);
}
UNSEEN_PAIR(particle_push, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid * 8, 16u);
    unsigned const n = grid * 256;
    std::vector<float> const values = memory.values<float>(std::size_t{n} * 8);
    std::vector<float> apart(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) apart[i % 8 * n + i / 8] = values[i];
    auto const* const records = reinterpret_cast<particle const*>(memory.upload(values));
    float const* const arrays = memory.upload(apart);
    results<float> const out = memory.output<float>(std::size_t{n} * 3, 1e-4, std::size_t{n} * 8,
                                                    [n](std::size_t i) { return i % n * 8 + i / n; });
    return {[=] { bad_particle_push<<<grid, 256>>>(records, reinterpret_cast<particle*>(out.bad), n, 0.01f); },
            [=] { mended_particle_push<<<grid, 256>>>(arrays, out.mended, n, 0.01f); }};
}

namespace {

// A cell of a recurrent network: new state of a unit from its four gates, which are `apart` floats from each other.
__device__ float lstm(float const* gates, std::size_t apart, float state) {
    auto const squashed = [](float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); };
    auto const bent = [&](float x) { return 2 * squashed(2 * x) - 1; };
    float const kept = squashed(gates[apart]) * state + squashed(gates[0]) * bent(gates[2 * apart]);
    return squashed(gates[3 * apart]) * bent(kept);
}

} // namespace

// The gates of a unit beside each other, or gate by gate.
KERNEL(bad_lstm_cell)(float const* gates, float const* states, float* out, unsigned) {
    unsigned const i = global_thread();
    out[i] = lstm(gates + i * 4, 1, states[i]);
}
KERNEL(mended_lstm_cell)(float const* gates, float const* states, float* out, unsigned n) {
    unsigned const i = global_thread();
    out[i] = lstm(gates + i, n, states[i]);
}
UNSEEN_PAIR(lstm_cell, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid * 12, 16u);
    unsigned const n = grid * 256;
    std::vector<float> const values = memory.values<float>(std::size_t{n} * 4);
    std::vector<float> apart(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) apart[i % 4 * n + i / 4] = values[i];
    float const* const together = memory.upload(values);
    float const* const by_gate = memory.upload(apart);
    float const* const states = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_lstm_cell<<<grid, 256>>>(together, states, out.bad, n); },
            [=] { mended_lstm_cell<<<grid, 256>>>(by_gate, states, out.mended, n); }};
}

namespace {

constexpr unsigned keys_of_block = 2048; // sorted by a digit among themselves, 8 a thread

} // namespace

// A step of a radix sort: each key goes to its place among the keys of its block, at once or by way of shared memory.
KERNEL(bad_digit_scatter)(unsigned const* keys, unsigned const* places, unsigned* out) {
    unsigned const first = blockIdx.x * keys_of_block;
#pragma unroll
    for (unsigned k = threadIdx.x; k < keys_of_block; k += 256) out[first + places[first + k]] = keys[first + k];
}
KERNEL(mended_digit_scatter)(unsigned const* keys, unsigned const* places, unsigned* out) {
    __shared__ unsigned sorted[keys_of_block];
    unsigned const first = blockIdx.x * keys_of_block;
#pragma unroll
    for (unsigned k = threadIdx.x; k < keys_of_block; k += 256) sorted[places[first + k]] = keys[first + k];
    __syncthreads();
#pragma unroll
    for (unsigned k = threadIdx.x; k < keys_of_block; k += 256) out[first + k] = sorted[k];
}
UNSEEN_PAIR(digit_scatter, uncoalesced_global_stores) {
    unsigned const grid = memory.pick(sms * 32u, 4u);
    std::vector<unsigned> const keys = memory.values<unsigned>(keys_of_block * std::min(grid, 480u));
    std::vector<unsigned> places(keys.size());
    for (std::size_t first = 0; first < keys.size(); first += keys_of_block) {
        unsigned next = 0;
        for (unsigned digit = 0; digit < 16; ++digit)
            for (unsigned k = 0; k < keys_of_block; ++k)
                if ((keys[first + k] >> 20) % 16 == digit) places[first + k] = next++;
    }
    std::size_t const n = std::size_t{grid} * keys_of_block;
    unsigned const* const in = memory.repeated(keys, n);
    unsigned const* const to = memory.repeated(places, n);
    results<unsigned> const out = memory.output<unsigned>(n, 0);
    return {[=] { bad_digit_scatter<<<grid, 256>>>(in, to, out.bad); },
            [=] { mended_digit_scatter<<<grid, 256>>>(in, to, out.mended); }};
}

// Three planes of colours become pixels of three floats, each by a thread's three stores or by way of shared memory.
KERNEL(bad_packed_pixels)(float const* planes, float* out, unsigned n) {
    std::size_t const i = global_thread();
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) out[i * 3 + k] = planes[k * std::size_t{n} + i] * 0.9f;
}
KERNEL(mended_packed_pixels)(float const* planes, float* out, unsigned n) {
    __shared__ float packed[256 * 3];
    std::size_t const i = global_thread();
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) packed[threadIdx.x * 3 + k] = planes[k * std::size_t{n} + i] * 0.9f;
    __syncthreads();
    std::size_t const first = std::size_t{blockIdx.x} * 256 * 3;
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) out[first + k * 256 + threadIdx.x] = packed[k * 256 + threadIdx.x];
}
UNSEEN_PAIR(packed_pixels, partial_sector_stores) {
    unsigned const grid = memory.pick(full_grid * 12, 16u);
    unsigned const n = grid * 256;
    float const* const planes = memory.input<float>(std::size_t{n} * 3);
    results<float> const out = memory.output<float>(std::size_t{n} * 3);
    return {[=] { bad_packed_pixels<<<grid, 256>>>(planes, out.bad, n); },
            [=] { mended_packed_pixels<<<grid, 256>>>(planes, out.mended, n); }};
}

namespace {

__device__ float louder(half x) { return __half2float(x) * 0.7f; }

} // namespace

// Samples of half precision made softer, one or eight a thread.
KERNEL(bad_softer_sound)(half const* in, half* out) {
    out[global_thread()] = __float2half(louder(in[global_thread()]));
}
KERNEL(mended_softer_sound)(uint4 const* in, uint4* out) {
    uint4 v = in[global_thread()];
    half* const eight = reinterpret_cast<half*>(&v);
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) eight[k] = __float2half(louder(eight[k]));
    out[global_thread()] = v;
}
UNSEEN_PAIR(softer_sound, narrow_global_access) {
    unsigned const n = memory.pick(full_grid * 2048u * 12, 1u << 16);
    half const* const in = memory.input<half>(n);
    results<half> const out = memory.output<half>(n, 0);
    return {[=] { bad_softer_sound<<<n / 256, 256>>>(in, out.bad); },
            [=] {
                mended_softer_sound<<<n / 2048, 256>>>(reinterpret_cast<uint4 const*>(in),
                                                       reinterpret_cast<uint4*>(out.mended));
            }};
}

namespace {

// The place of `keys` in a sorted table of 2^`depth` values, for `Count` keys in step.
template <unsigned Count>
__device__ void look_up(unsigned const* table, unsigned depth, unsigned const (&keys)[Count],
                        unsigned (&places)[Count]) {
#pragma unroll
    for (unsigned j = 0; j < Count; ++j) places[j] = 0;
#pragma unroll 1
    for (unsigned step = 1u << (depth - 1); step > 0; step /= 2)
#pragma unroll
        for (unsigned j = 0; j < Count; ++j)
            if (table[places[j] + step] <= keys[j]) places[j] += step;
}
template <unsigned Count>
__device__ void look_up_all(unsigned const* table, unsigned depth, unsigned const* in, unsigned* out, unsigned each) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < each; k += Count) {
        unsigned keys[Count], places[Count];
#pragma unroll
        for (unsigned j = 0; j < Count; ++j) keys[j] = in[(k + j) * threads + global_thread()];
        look_up(table, depth, keys, places);
#pragma unroll
        for (unsigned j = 0; j < Count; ++j) out[(k + j) * threads + global_thread()] = places[j];
    }
}

} // namespace

// Binary searches, one after another or four in step; a block an SM.
KERNEL(bad_binary_search)(unsigned const* table, unsigned depth, unsigned const* in, unsigned* out, unsigned each) {
    look_up_all<1>(table, depth, in, out, each);
}
KERNEL(mended_binary_search)(unsigned const* table, unsigned depth, unsigned const* in, unsigned* out, unsigned each) {
    look_up_all<4>(table, depth, in, out, each);
}
UNSEEN_PAIR(binary_search, dependent_loads) {
    unsigned const depth = memory.pick(21u, 10u);
    std::vector<unsigned> table = memory.values<unsigned>(std::size_t{1} << depth);
    std::sort(table.begin(), table.end());
    unsigned const* const sorted = memory.upload(table);
    unsigned const grid = memory.pick(sms, 2u);
    unsigned const each = 16;
    unsigned const* const in = memory.input<unsigned>(grid * 256 * each);
    results<unsigned> const out = memory.output<unsigned>(grid * 256 * each, 0);
    return {[=] { bad_binary_search<<<grid, 256>>>(sorted, depth, in, out.bad, each); },
            [=] { mended_binary_search<<<grid, 256>>>(sorted, depth, in, out.mended, each); }};
}

namespace {

// The first value of a row above a limit, by a warp that looks at `Ahead` times 32 values at once.
template <unsigned Ahead>
__device__ void first_above(float const* in, unsigned* out, unsigned length) {
    unsigned const row = global_thread() / 32;
    float const* const at = in + std::size_t{row} * length + threadIdx.x % 32;
    unsigned found = length;
#pragma unroll 1
    for (unsigned k = 0; k < length && found == length; k += 32 * Ahead) {
        float v[Ahead];
#pragma unroll
        for (unsigned j = 0; j < Ahead; ++j) v[j] = at[k + j * 32];
#pragma unroll
        for (unsigned j = 0; j < Ahead; ++j) {
            unsigned const above = __ballot_sync(~0u, v[j] > 2.0f);
            if (above != 0 && found == length) found = k + j * 32 + __ffs(above) - 1;
        }
    }
    if (threadIdx.x % 32 == 0) out[row] = found;
}

} // namespace

KERNEL(bad_first_above)(float const* in, unsigned* out, unsigned length) { first_above<1>(in, out, length); }
KERNEL(mended_first_above)(float const* in, unsigned* out, unsigned length) { first_above<8>(in, out, length); }
UNSEEN_PAIR(first_above, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 2u, 4u);
    unsigned const length = memory.pick(8192u, 1024u);
    unsigned const rows = grid * 4;
    std::vector<float> values = memory.values<float>(std::size_t{rows} * length);
    for (unsigned row = 0; row < rows; ++row) values[std::size_t{row + 1} * length - 1 - row * 37 % 300] = 3;
    float const* const in = memory.upload(values);
    results<unsigned> const out = memory.output<unsigned>(rows, 0);
    return {[=] { bad_first_above<<<grid, 128>>>(in, out.bad, length); },
            [=] { mended_first_above<<<grid, 128>>>(in, out.mended, length); }};
}

// Sums of weighted channels: into memory each time, since the compiler cannot know that the input is elsewhere, or at the end.
KERNEL(bad_mixed_channels)(float const* in, float const* weights, float* out, unsigned channels) {
    unsigned const n = gridDim.x * blockDim.x;
    out[global_thread()] = 0;
    for (unsigned k = 0; k < channels; ++k)
        out[global_thread()] += in[std::size_t{k} * n + global_thread()] * weights[k];
}
KERNEL(mended_mixed_channels)
(float const* __restrict__ in, float const* __restrict__ weights, float* __restrict__ out, unsigned channels) {
    unsigned const n = gridDim.x * blockDim.x;
    float sum = 0;
    for (unsigned k = 0; k < channels; ++k) sum += in[std::size_t{k} * n + global_thread()] * weights[k];
    out[global_thread()] = sum;
}
UNSEEN_PAIR(mixed_channels, redundant_loads) {
    unsigned const grid = memory.pick(full_grid * 2, 8u);
    unsigned const channels = memory.pick(48u, 8u);
    float const* const in = memory.input<float>(std::size_t{channels} * grid * 256);
    float const* const weights = memory.input<float>(channels);
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
    return {[=] { bad_mixed_channels<<<grid, 256>>>(in, weights, out.bad, channels); },
            [=] { mended_mixed_channels<<<grid, 256>>>(in, weights, out.mended, channels); }};
}

namespace {

// Squares of distances of all pairs of points, whose coordinates are in rows of n: `Side` times `Side` pairs a thread.
template <unsigned Side>
__device__ void distances(float const* points, float* out, unsigned n, unsigned dimensions) {
    unsigned const x = (blockIdx.x * blockDim.x + threadIdx.x) * Side;
    unsigned const y = (blockIdx.y * blockDim.y + threadIdx.y) * Side;
    float sums[Side][Side] = {};
    for (unsigned k = 0; k < dimensions; ++k) {
        float a[Side], b[Side];
        if constexpr (Side == 4) {
            *reinterpret_cast<float4*>(a) = *reinterpret_cast<float4 const*>(points + k * n + x);
            *reinterpret_cast<float4*>(b) = *reinterpret_cast<float4 const*>(points + k * n + y);
        } else {
            a[0] = points[k * n + x];
            b[0] = points[k * n + y];
        }
#pragma unroll
        for (unsigned i = 0; i < Side; ++i)
#pragma unroll
            for (unsigned j = 0; j < Side; ++j) sums[i][j] = fmaf(b[i] - a[j], b[i] - a[j], sums[i][j]);
    }
#pragma unroll
    for (unsigned i = 0; i < Side; ++i)
        if constexpr (Side == 4)
            *reinterpret_cast<float4*>(out + std::size_t{y + i} * n + x) =
                make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        else out[std::size_t{y} * n + x] = sums[0][0];
}

} // namespace

KERNEL(bad_distances)(float const* __restrict__ points, float* __restrict__ out, unsigned n, unsigned dimensions) {
    distances<1>(points, out, n, dimensions);
}
KERNEL(mended_distances)(float const* __restrict__ points, float* __restrict__ out, unsigned n, unsigned dimensions) {
    distances<4>(points, out, n, dimensions);
}
UNSEEN_PAIR(distances, no_tiling) {
    unsigned const n = memory.pick(3072u, 256u);
    unsigned const dimensions = memory.pick(96u, 8u);
    float const* const points = memory.input<float>(std::size_t{n} * dimensions);
    results<float> const out = memory.output<float>(std::size_t{n} * n, 1e-3);
    return {[=] { bad_distances<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(points, out.bad, n, dimensions); },
            [=] { mended_distances<<<dim3(n / 128, n / 32), dim3(32, 8)>>>(points, out.mended, n, dimensions); }};
}

namespace {

constexpr unsigned clusters = 64;

__device__ void add_point(float* sums, float4 p, unsigned label) {
    float* const sum = sums + label * 4;
    atomicAdd(sum + 0, p.x);
    atomicAdd(sum + 1, p.y);
    atomicAdd(sum + 2, p.z);
    atomicAdd(sum + 3, p.w);
}

} // namespace

// Sums of the points of each cluster, as k-means needs them: in global memory, or in shared memory first.
KERNEL(bad_cluster_sums)(float4 const* points, unsigned const* labels, float* sums, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float4 const p = points[i];
        float* const sum = sums + labels[i] * 4;
        atomicAdd(sum + 0, p.x);
        atomicAdd(sum + 1, p.y);
        atomicAdd(sum + 2, p.z);
        atomicAdd(sum + 3, p.w);
    }
}
KERNEL(mended_cluster_sums)(float4 const* points, unsigned const* labels, float* sums, unsigned n) {
    __shared__ float own[clusters * 4];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float4 const p = points[i];
        add_point(own, p, labels[i]);
    }
    __syncthreads();
    atomicAdd(sums + threadIdx.x, own[threadIdx.x]);
}
UNSEEN_PAIR(cluster_sums, global_atomic_contention) {
    unsigned const n = memory.pick(1u << 20, 1u << 13);
    std::vector<unsigned> labels = memory.values<unsigned>(std::min<std::size_t>(n, memory.period));
    for (unsigned& label : labels) label = (label >> 13) % clusters;
    auto const* const points = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    unsigned const* const of = memory.repeated(labels, n);
    results<float> const out = memory.output<float>(clusters * 4, 1e-2);
    unsigned const grid = memory.pick(sms * 2u, 4u);
    return {[=] { bad_cluster_sums<<<grid, 256>>>(points, of, out.bad, n); },
            [=] { mended_cluster_sums<<<grid, 256>>>(points, of, out.mended, n); }};
}

// Whether what is said of the mended one is so: a table a block, or one a warp.
KERNEL(bad_cluster_sums_again)(float4 const* points, unsigned const* labels, float* sums, unsigned n) {
    __shared__ float own[clusters * 4];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) add_point(own, points[i], labels[i]);
    __syncthreads();
    atomicAdd(sums + threadIdx.x, own[threadIdx.x]);
}
KERNEL(mended_cluster_sums_again)(float4 const* points, unsigned const* labels, float* sums, unsigned n) {
    __shared__ float own[8][clusters * 4];
#pragma unroll
    for (unsigned warp = 0; warp < 8; ++warp) own[warp][threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
        add_point(own[threadIdx.x / 32], points[i], labels[i]);
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; ++warp) sum += own[warp][threadIdx.x];
    atomicAdd(sums + threadIdx.x, sum);
}
AGAIN_PAIR(cluster_sums_again, shared_atomic_contention) {
    unsigned const n = memory.pick(1u << 20, 1u << 13);
    std::vector<unsigned> labels = memory.values<unsigned>(std::min<std::size_t>(n, memory.period));
    for (unsigned& label : labels) label = (label >> 13) % clusters;
    auto const* const points = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    unsigned const* const of = memory.repeated(labels, n);
    results<float> const out = memory.output<float>(clusters * 4, 1e-2);
    unsigned const grid = memory.pick(sms * 2u, 4u);
    return {[=] { bad_cluster_sums_again<<<grid, 256>>>(points, of, out.bad, n); },
            [=] { mended_cluster_sums_again<<<grid, 256>>>(points, of, out.mended, n); }};
}

// Weights added up by level of brightness, of a picture that is dark: one copy of the levels a block, or one a lane.
KERNEL(bad_dark_picture)(unsigned const* pixels, unsigned const* weights, unsigned* out, unsigned n) {
    __shared__ unsigned own[64];
    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(own + pixels[i], weights[i] & 15);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(out + threadIdx.x, own[threadIdx.x]);
}
KERNEL(mended_dark_picture)(unsigned const* pixels, unsigned const* weights, unsigned* out, unsigned n) {
    __shared__ unsigned own[64 * 32];
    for (unsigned i = threadIdx.x; i < 64 * 32; i += blockDim.x) own[i] = 0;
    __syncthreads();
    unsigned const lane = threadIdx.x % 32;
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(own + pixels[i] * 32 + lane, weights[i] & 15);
    __syncthreads();
    if (threadIdx.x >= 64) return;
    unsigned sum = 0;
    for (unsigned k = 0; k < 32; ++k) sum += own[threadIdx.x * 32 + (k + lane) % 32];
    atomicAdd(out + threadIdx.x, sum);
}
UNSEEN_PAIR(dark_picture, shared_atomic_contention) {
    unsigned const n = memory.pick(8u << 20, 1u << 15);
    std::vector<unsigned> pixels = memory.values<unsigned>(memory.period);
    for (unsigned& pixel : pixels) pixel = (pixel >> 8) % 10 == 0 ? (pixel >> 13) % 64 : (pixel >> 13) % 2;
    unsigned const* const in = memory.repeated(pixels, n);
    unsigned const* const weights = memory.input<unsigned>(n);
    results<unsigned> const out = memory.output<unsigned>(64, 0);
    unsigned const grid = memory.pick(full_grid, 4u);
    return {[=] { bad_dark_picture<<<grid, 256>>>(in, weights, out.bad, n); },
            [=] { mended_dark_picture<<<grid, 256>>>(in, weights, out.mended, n); }};
}

namespace {

// Running sums along rows of 32, a thread a row of a tile whose rows are `Pitch` apart: a step of an integral image.
template <unsigned Pitch>
__device__ void integrate(float const* in, float* out) {
    __shared__ float tile[128 * Pitch];
    std::size_t const first = std::size_t{blockIdx.x} * 128 * 32;
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < 128 * 32; k += 128) tile[k / 32 * Pitch + k % 32] = in[first + k];
    __syncthreads();
    float sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 32; ++k) {
        sum += tile[threadIdx.x * Pitch + k];
        tile[threadIdx.x * Pitch + k] = sum;
    }
    __syncthreads();
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < 128 * 32; k += 128) out[first + k] = tile[k / 32 * Pitch + k % 32];
}

} // namespace

KERNEL(bad_integral_rows)(float const* in, float* out) { integrate<32>(in, out); }
KERNEL(mended_integral_rows)(float const* in, float* out) { integrate<33>(in, out); }
UNSEEN_PAIR(integral_rows, shared_bank_conflicts) {
    unsigned const grid = memory.pick(sms * 13u, 4u);
    std::size_t const n = std::size_t{grid} * 128 * 32;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_integral_rows<<<grid, 128>>>(in, out.bad); },
            [=] { mended_integral_rows<<<grid, 128>>>(in, out.mended); }};
}

namespace {

// Products of tiles of 32 x 32 in shared memory. Rows of the first are `Pitch` apart, and each lane of a warp has another row.
template <unsigned Pitch>
__device__ void tile_product(float const* a, float const* b, float* out, unsigned turns) {
    __shared__ float from_a[32 * Pitch], from_b[32 * 33];
    for (unsigned k = threadIdx.x; k < 1024; k += 256) {
        from_a[k / 32 * Pitch + k % 32] = a[blockIdx.x * 1024 + k];
        from_b[k / 32 * 33 + k % 32] = b[k];
    }
    __syncthreads();
    unsigned const row = threadIdx.x % 32;
    unsigned const column = threadIdx.x / 32;
    float sum = 0;
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t)
#pragma unroll 8
        for (unsigned k = 0; k < 32; ++k)
            sum = fmaf(from_a[row * Pitch + k], from_b[k * 33 + (column + t) % 32], sum * 0.5f);
    out[global_thread()] = sum;
}

} // namespace

// Rows 36 words apart, so that every eighth row is in the same banks, or 33.
KERNEL(bad_tile_product)(float const* a, float const* b, float* out, unsigned turns) {
    tile_product<36>(a, b, out, turns);
}
KERNEL(mended_tile_product)(float const* a, float const* b, float* out, unsigned turns) {
    tile_product<33>(a, b, out, turns);
}
UNSEEN_PAIR(tile_product, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    unsigned const turns = memory.pick(48u, 2u);
    float const* const a = memory.input<float>(grid * 1024);
    float const* const b = memory.input<float>(1024);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_tile_product<<<grid, 256>>>(a, b, out.bad, turns); },
            [=] { mended_tile_product<<<grid, 256>>>(a, b, out.mended, turns); }};
}

namespace {

// A filter of 48 taps, `Each` outputs a thread that lie beside each other; samples in shared memory.
constexpr unsigned taps = 48;
template <unsigned Each>
__device__ void filter(float const* in, float const* weights, float* out) {
    __shared__ __align__(16) float samples[256 * Each + taps], own[taps];
    unsigned const first = blockIdx.x * 256 * Each;
    for (unsigned k = threadIdx.x; k < 256 * Each + taps; k += 256) samples[k] = in[first + k];
    if (threadIdx.x < taps) own[threadIdx.x] = weights[threadIdx.x];
    __syncthreads();
    float sums[Each] = {};
    if constexpr (Each == 1) {
#pragma unroll 4
        for (unsigned k = 0; k < taps; ++k) sums[0] = fmaf(own[k], samples[threadIdx.x + k], sums[0]);
    } else {
        float4 now = reinterpret_cast<float4 const*>(samples)[threadIdx.x];
#pragma unroll
        for (unsigned k = 0; k < taps; k += 4) {
            float4 const next = reinterpret_cast<float4 const*>(samples)[threadIdx.x + k / 4 + 1];
            float4 const w4 = reinterpret_cast<float4 const*>(own)[k / 4];
            float const s[8] = {now.x, now.y, now.z, now.w, next.x, next.y, next.z, next.w};
            float const w[4] = {w4.x, w4.y, w4.z, w4.w};
#pragma unroll
            for (unsigned j = 0; j < 4; ++j)
#pragma unroll
                for (unsigned i = 0; i < Each; ++i) sums[i] = fmaf(w[j], s[i + j], sums[i]);
            now = next;
        }
    }
    if constexpr (Each == 4)
        reinterpret_cast<float4*>(out)[global_thread()] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else out[global_thread()] = sums[0];
}

} // namespace

KERNEL(bad_sound_filter)(float const* in, float const* weights, float* out) { filter<1>(in, weights, out); }
KERNEL(mended_sound_filter)(float const* in, float const* weights, float* out) { filter<4>(in, weights, out); }
UNSEEN_PAIR(sound_filter, narrow_shared_access) {
    unsigned const grid = memory.pick(full_grid * 4, 4u); // of the mended kernel
    unsigned const n = grid * 1024;
    float const* const in = memory.input<float>(n + taps);
    float const* const weights = memory.input<float>(taps);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_sound_filter<<<grid * 4, 256>>>(in, weights, out.bad); },
            [=] { mended_sound_filter<<<grid, 256>>>(in, weights, out.mended); }};
}

// The logarithm of the sum of powers of each row of 1024, as a loss needs it: by trees with a barrier a level, or within warps.
KERNEL(bad_log_sums)(float const* in, float* out) {
    __shared__ float part[1024];
    float const own = in[global_thread()];
    part[threadIdx.x] = own;
    for (unsigned apart = 512; apart > 0; apart /= 2) {
        __syncthreads();
        if (threadIdx.x < apart) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + apart]);
    }
    __syncthreads();
    float const most = part[0];
    __syncthreads();
    part[threadIdx.x] = __expf(own - most);
    for (unsigned apart = 512; apart > 0; apart /= 2) {
        __syncthreads();
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = most + __logf(part[0]);
}
KERNEL(mended_log_sums)(float const* in, float* out) {
    __shared__ float greatest[32], sums[32];
    unsigned const lane = threadIdx.x % 32;
    float const own = in[global_thread()];
    float most = own;
    for (unsigned apart = 16; apart > 0; apart /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
    float const sum = sum_of_warp(__expf(own - most));
    if (lane == 0) greatest[threadIdx.x / 32] = most, sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    float all = greatest[lane];
    for (unsigned apart = 16; apart > 0; apart /= 2) all = fmaxf(all, __shfl_xor_sync(~0u, all, apart));
    float const total = sum_of_warp(sums[lane] * __expf(greatest[lane] - all));
    if (lane == 0) out[blockIdx.x] = all + __logf(total);
}
UNSEEN_PAIR(log_sums, barrier_waits) {
    unsigned const grid = memory.pick(sms * 2u * 16, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 1024);
    results<float> const out = memory.output<float>(grid);
    return {[=] { bad_log_sums<<<grid, 1024>>>(in, out.bad); },
            [=] { mended_log_sums<<<grid, 1024>>>(in, out.mended); }};
}

namespace {

// A block sorts 512 values by a bitonic network, two a thread. Steps within 64 values are of one warp.
template <bool Always, class Place>
__device__ void sort_block(unsigned const* in, unsigned* out, Place place) {
    __shared__ unsigned v[512];
    std::size_t const first = std::size_t{blockIdx.x} * 512;
    unsigned const t = threadIdx.x;
    v[place(t)] = in[first + t];
    v[place(t + 256)] = in[first + t + 256];
    __syncthreads();
    for (unsigned size = 2; size <= 512; size *= 2)
        for (unsigned apart = size / 2; apart > 0; apart /= 2) {
            unsigned const i = 2 * t - (t & (apart - 1));
            bool const up = (i & size) == 0;
            unsigned const low = place(i), high = place(i + apart);
            unsigned const a = v[low];
            unsigned const b = v[high];
            if ((a > b) == up) v[low] = b, v[high] = a;
            unsigned const next = apart > 1 ? apart / 2 : size;
            if (Always || apart > 32 || next > 32) __syncthreads();
            else __syncwarp();
        }
    if (!Always) __syncthreads();
    out[first + t] = v[place(t)];
    out[first + t + 256] = v[place(t + 256)];
}

} // namespace

KERNEL(bad_bitonic_sort)(unsigned const* in, unsigned* out) {
    sort_block<true>(in, out, [](unsigned i) { return i; });
}
KERNEL(mended_bitonic_sort)(unsigned const* in, unsigned* out) {
    sort_block<false>(in, out, [](unsigned i) { return i; });
}
UNSEEN_PAIR(bitonic_sort, barrier_waits) {
    unsigned const grid = memory.pick(sms * 8u * 4, 4u);
    unsigned const* const in = memory.input<unsigned>(grid * 512);
    results<unsigned> const out = memory.output<unsigned>(grid * 512, 0);
    return {[=] { bad_bitonic_sort<<<grid, 256>>>(in, out.bad); },
            [=] { mended_bitonic_sort<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// Words whose places differ in one bit of the lower six, and that bit is 0 in all of them, lie in 32 banks.
__device__ unsigned place_in_banks(unsigned i) { return (i & 32) != 0 ? i ^ 31 : i; }

} // namespace

// Whether what is said of both is so: values at their places, or at permuted ones.
KERNEL(bad_bitonic_banks)(unsigned const* in, unsigned* out) {
    sort_block<false>(in, out, [](unsigned i) { return i; });
}
KERNEL(mended_bitonic_banks)(unsigned const* in, unsigned* out) {
    sort_block<false>(in, out, [](unsigned i) { return place_in_banks(i); });
}
FRESH_PAIR(bitonic_banks, shared_bank_conflicts) {
    unsigned const grid = memory.pick(sms * 8u * 4, 4u);
    unsigned const* const in = memory.input<unsigned>(grid * 512);
    results<unsigned> const out = memory.output<unsigned>(grid * 512, 0);
    return {[=] { bad_bitonic_banks<<<grid, 256>>>(in, out.bad); },
            [=] { mended_bitonic_banks<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// How many turns a point of the plane takes to leave a circle; the picture is n x n.
__device__ unsigned escape(unsigned pixel, unsigned n, unsigned most) {
    float const cx = static_cast<float>(pixel % n) * (3.0f / static_cast<float>(n)) - 2.1f;
    float const cy = static_cast<float>(pixel / n) * (2.4f / static_cast<float>(n)) - 1.2f;
    float x = 0, y = 0;
    unsigned k = 0;
#pragma unroll 1
    for (; k < most && fmaf(x, x, y * y) < 4; ++k) {
        float const next = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2 * x, y, cy);
        x = next;
    }
    return k;
}

} // namespace

// Lanes of a warp far apart in the picture, or in a square of 4 x 8 pixels.
KERNEL(bad_escape_times)(unsigned* out, unsigned n, unsigned most) {
    unsigned const pixel = threadIdx.x % 32 * (n / 32 * n) + global_thread() / 32;
    out[pixel] = escape(pixel, n, most);
}
KERNEL(mended_escape_times)(unsigned* out, unsigned n, unsigned most) {
    unsigned const warp = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    unsigned const pixel = (warp / (n / 8) * 4 + lane / 8) * n + warp % (n / 8) * 8 + lane % 8;
    out[pixel] = escape(pixel, n, most);
}
UNSEEN_PAIR(escape_times, thread_divergence) {
    unsigned const n = memory.pick(2048u, 64u);
    unsigned const most = memory.pick(400u, 20u);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{n} * n, 0);
    return {[=] { bad_escape_times<<<n * n / 256, 256>>>(out.bad, n, most); },
            [=] { mended_escape_times<<<n * n / 256, 256>>>(out.mended, n, most); }};
}

namespace {

// What a ray that hits one of four materials brings back.
__device__ float shade(unsigned material, float x, unsigned turns) {
    float sum = x;
    switch (material) {
        case 0:
#pragma unroll 1
            for (unsigned k = 0; k < turns; ++k) sum = fmaf(sum, 0.5f, __cosf(sum));
            break;
        case 1:
#pragma unroll 1
            for (unsigned k = 0; k < turns; ++k) sum = fmaf(sum, 0.7f, rsqrtf(sum + 1)) * 0.6f;
            break;
        case 2:
#pragma unroll 1
            for (unsigned k = 0; k < turns; ++k) sum = __expf(sum * -0.5f) + x;
            break;
        default:
#pragma unroll 1
            for (unsigned k = 0; k < turns; ++k) sum = __fdividef(sum + x, sum * sum + 1);
            break;
    }
    return sum;
}

} // namespace

// Rays as they come, or by material.
KERNEL(bad_ray_shading)(unsigned const* materials, float const* in, float* out, unsigned turns) {
    unsigned const i = global_thread();
    out[i] = shade(materials[i], in[i], turns);
}
KERNEL(mended_ray_shading)(unsigned const* materials, float const* in, float* out, unsigned turns) {
    unsigned const i = global_thread();
    out[i] = shade(materials[i], in[i], turns);
}
UNSEEN_PAIR(ray_shading, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 2, 8u);
    unsigned const n = grid * 256;
    unsigned const turns = memory.pick(40u, 4u);
    std::vector<unsigned> materials = memory.values<unsigned>(n), order, sorted;
    std::vector<float> const in = memory.values<float>(n);
    std::vector<float> sorted_in;
    for (unsigned& material : materials) material = (material >> 14) % 4;
    for (unsigned which = 0; which < 4; ++which)
        for (unsigned i = 0; i < n; ++i)
            if (materials[i] == which) order.push_back(i);
    for (unsigned const i : order) sorted.push_back(materials[i]), sorted_in.push_back(in[i]);
    unsigned const* const kinds = memory.upload(materials);
    unsigned const* const sorted_kinds = memory.upload(sorted);
    float const* const rays = memory.upload(in);
    float const* const sorted_rays = memory.upload(sorted_in);
    results<float> const out = memory.output<float>(n, 1e-4, n, [order](std::size_t i) { return order[i]; });
    return {[=] { bad_ray_shading<<<grid, 256>>>(kinds, rays, out.bad, turns); },
            [=] { mended_ray_shading<<<grid, 256>>>(sorted_kinds, sorted_rays, out.mended, turns); }};
}

// Sums over the past of a sequence, weighted by a score: all keys with a mask, or those of the past only.
KERNEL(bad_causal_sums)(float const* keys, float* out, unsigned length) {
    float const* const own = keys + global_thread() / length * length;
    unsigned const at = global_thread() % length;
    float const query = own[at];
    float sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < length; ++k) {
        float const key = own[k];
        float const score = fmaf(query, key, -0.3f) * key;
        if (k <= at) sum += score * score;
    }
    out[global_thread()] = sum;
}
KERNEL(mended_causal_sums)(float const* keys, float* out, unsigned length) {
    float const* const own = keys + global_thread() / length * length;
    unsigned const at = global_thread() % length;
    float const query = own[at];
    float sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k <= at; ++k) {
        float const key = own[k];
        float const score = fmaf(query, key, -0.3f) * key;
        sum += score * score;
    }
    out[global_thread()] = sum;
}
UNSEEN_PAIR(causal_sums, predicated_off_lanes) {
    unsigned const length = memory.pick(256u, 64u);
    unsigned const grid = memory.pick(full_grid * 8, 8u);
    float const* const keys = memory.input<float>(grid * 256);
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
    return {[=] { bad_causal_sums<<<grid, 256>>>(keys, out.bad, length); },
            [=] { mended_causal_sums<<<grid, 256>>>(keys, out.mended, length); }};
}

// Smoothed lines of 64 values, many times over: a thread a value and one for each neighbour outside, or none for those.
KERNEL(bad_halo_threads)(float const* in, float* out, unsigned turns) {
    __shared__ float line[66];
    float own = in[blockIdx.x * 66 + threadIdx.x];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) {
        line[threadIdx.x] = own;
        __syncthreads();
        if (threadIdx.x > 0 && threadIdx.x < 65)
            own = fmaf(own, 0.5f, (line[threadIdx.x - 1] + line[threadIdx.x + 1]) * 0.25f);
        __syncthreads();
    }
    if (threadIdx.x > 0 && threadIdx.x < 65) out[blockIdx.x * 64 + threadIdx.x - 1] = own;
}
KERNEL(mended_halo_threads)(float const* in, float* out, unsigned turns) {
    __shared__ float line[66];
    float own = in[blockIdx.x * 66 + threadIdx.x + 1];
    if (threadIdx.x < 2) line[threadIdx.x * 65] = in[blockIdx.x * 66 + threadIdx.x * 65];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) {
        line[threadIdx.x + 1] = own;
        __syncthreads();
        own = fmaf(own, 0.5f, (line[threadIdx.x] + line[threadIdx.x + 2]) * 0.25f);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = own;
}
UNSEEN_PAIR(halo_threads, partial_warps) {
    unsigned const grid = memory.pick(sms * 32u * 4, 8u);
    unsigned const turns = memory.pick(60u, 4u);
    float const* const in = memory.input<float>(grid * 66);
    results<float> const out = memory.output<float>(grid * 64);
    return {[=] { bad_halo_threads<<<grid, 66>>>(in, out.bad, turns); },
            [=] { mended_halo_threads<<<grid, 64>>>(in, out.mended, turns); }};
}

namespace {

// Lengths of rows of 256 floats, a warp a row.
__device__ void row_length(float const* in, float* out) {
    std::size_t const row = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    float sum = 0;
    for (unsigned k = 0; k < 8; ++k) {
        float const v = in[row * 256 + k * 32 + lane];
        sum = fmaf(v, v, sum);
    }
    sum = sum_of_warp(sum);
    if (lane == 0) out[row] = sqrtf(sum);
}

} // namespace

// A row a block, or eight.
KERNEL(bad_row_lengths)(float const* in, float* out) { row_length(in, out); }
KERNEL(mended_row_lengths)(float const* in, float* out) { row_length(in, out); }
UNSEEN_PAIR(row_lengths, tiny_blocks) {
    unsigned const rows = memory.pick(sms * 64u * 16, 64u);
    float const* const in = memory.input<float>(std::size_t{rows} * 256);
    results<float> const out = memory.output<float>(rows);
    return {[=] { bad_row_lengths<<<rows, 32>>>(in, out.bad); },
            [=] { mended_row_lengths<<<rows / 8, 256>>>(in, out.mended); }};
}

namespace {

// Random walks from node to node of a graph of 2^22 nodes with four edges each; a thread a walk.
__device__ void walk_graph(unsigned const* edges, unsigned* out, unsigned mask, unsigned steps) {
    unsigned at = global_thread() & mask;
    unsigned state = global_thread() * 747796405u + 2891336453u;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        state = state * 1664525u + 1013904223u;
        at = edges[at * 4 + (state >> 30)];
    }
    out[global_thread()] = at + 1;
}
unsigned const* graph(workspace& memory, unsigned nodes) {
    std::vector<unsigned> edges = memory.values<unsigned>(std::size_t{nodes} * 4);
    for (unsigned& each : edges) each = (each >> 4) % nodes;
    return memory.upload(edges);
}

} // namespace

// Blocks of 32 threads, or of 256.
KERNEL(bad_graph_walks)(unsigned const* edges, unsigned* out, unsigned mask, unsigned steps) {
    walk_graph(edges, out, mask, steps);
}
KERNEL(mended_graph_walks)(unsigned const* edges, unsigned* out, unsigned mask, unsigned steps) {
    walk_graph(edges, out, mask, steps);
}
UNSEEN_PAIR(graph_walks, occupancy_limited_by_blocks) {
    unsigned const nodes = memory.pick(1u << 20, 1u << 10);
    unsigned const* const edges = graph(memory, nodes);
    unsigned const n = memory.pick(full_grid * 256u * 2, 2048u);
    unsigned const steps = memory.pick(32u, 4u);
    results<unsigned> const out = memory.output<unsigned>(n, 0);
    return {[=] { bad_graph_walks<<<n / 32, 32>>>(edges, out.bad, nodes - 1, steps); },
            [=] { mended_graph_walks<<<n / 256, 256>>>(edges, out.mended, nodes - 1, steps); }};
}

namespace {

// A moving sum of 16 values, each thread along its own line, which keeps the last `Slots` values in shared memory.
template <unsigned Slots>
__device__ void moving_sums(float const* in, float* out, unsigned length) {
    __shared__ float kept[Slots * 128];
    unsigned const threads = gridDim.x * blockDim.x;
    for (unsigned k = 0; k < 16; ++k) kept[k * 128 + threadIdx.x] = 0;
    float sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < length; ++k) {
        float const now = in[std::size_t{k} * threads + global_thread()];
        float* const oldest = kept + (k % Slots) * 128 + threadIdx.x;
        float const old = k < 16 ? 0 : kept[(k - 16) % Slots * 128 + threadIdx.x];
        sum += now - old;
        *oldest = now;
        out[std::size_t{k} * threads + global_thread()] = sum;
    }
}

} // namespace

// A ring of 64 slots, or of the 16 that are needed.
KERNEL(bad_moving_sums)(float const* in, float* out, unsigned length) { moving_sums<64>(in, out, length); }
KERNEL(mended_moving_sums)(float const* in, float* out, unsigned length) { moving_sums<16>(in, out, length); }
UNSEEN_PAIR(moving_sums, occupancy_limited_by_shared_memory) {
    unsigned const grid = memory.pick(sms * 16u, 4u);
    unsigned const length = memory.pick(48u, 24u);
    float const* const in = memory.input<float>(std::size_t{length} * grid * 128);
    results<float> const out = memory.output<float>(std::size_t{length} * grid * 128, 1e-3);
    return {[=] { bad_moving_sums<<<grid, 128>>>(in, out.bad, length); },
            [=] { mended_moving_sums<<<grid, 128>>>(in, out.mended, length); }};
}

namespace {

// Steps through a graph, each to where the one before points; `few` threads also solve a system of 12 equations at the end, which
// keeps 144 values in registers.
__device__ float solve(float const* in, float with) {
    float a[12][12];
#pragma unroll
    for (unsigned k = 0; k < 144; ++k) a[k / 12][k % 12] = in[k] + (k / 12 == k % 12 ? 12.0f + with : 0.0f);
    float trace = 0;
#pragma unroll
    for (unsigned p = 0; p < 12; ++p) {
        float const scale = 1 / a[p][p];
        trace += scale;
#pragma unroll
        for (unsigned r = p + 1; r < 12; ++r) {
            float const factor = a[r][p] * scale;
#pragma unroll
            for (unsigned c = p + 1; c < 12; ++c) a[r][c] -= factor * a[p][c];
        }
    }
    return trace;
}
template <bool WithRest>
__device__ void steps_and_rest(unsigned const* edges, float const* in, float* out, unsigned mask, unsigned steps,
                               unsigned few) {
    unsigned at = global_thread() & mask;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) at = edges[at * 4 + (at & 3)];
    float result = static_cast<float>(at & 1023) + 1;
    if (WithRest && global_thread() < few) result += solve(in, result);
    out[global_thread()] = result;
}

} // namespace

// The rare part is never run here (few is 0). With it, the kernel has many registers; without it, another kernel would solve.
KERNEL(bad_rare_part)(unsigned const* edges, float const* in, float* out, unsigned mask, unsigned steps, unsigned few) {
    steps_and_rest<true>(edges, in, out, mask, steps, few);
}
KERNEL(mended_rare_part)
(unsigned const* edges, float const* in, float* out, unsigned mask, unsigned steps, unsigned few) {
    steps_and_rest<false>(edges, in, out, mask, steps, few);
}
UNSEEN_PAIR(rare_part, occupancy_limited_by_registers) {
    unsigned const nodes = memory.pick(1u << 20, 1u << 10);
    unsigned const* const edges = graph(memory, nodes);
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const steps = memory.pick(48u, 4u);
    float const* const in = memory.input<float>(144);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_rare_part<<<grid, 256>>>(edges, in, out.bad, nodes - 1, steps, 0); },
            [=] { mended_rare_part<<<grid, 256>>>(edges, in, out.mended, nodes - 1, steps, 0); }};
}

namespace {

// A spring with friction under a force that changes, one a thread: `turns` steps.
__device__ void swing(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()], v = 0;
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) {
        v = fmaf(v, 0.99f, x * -0.01f);
        x = fmaf(v, 0.1f, x);
    }
    out[global_thread()] = x + 2;
}

} // namespace

// 1.1 waves of blocks of 512, or blocks of 64.
KERNEL(bad_springs)(float const* in, float* out, unsigned turns) { swing(in, out, turns); }
KERNEL(mended_springs)(float const* in, float* out, unsigned turns) { swing(in, out, turns); }
UNSEEN_PAIR(springs, tail_effect) {
    unsigned const grid = memory.pick(sms * 4u + 52, 5u);
    unsigned const turns = memory.pick(1500u, 16u);
    float const* const in = memory.input<float>(grid * 512);
    results<float> const out = memory.output<float>(grid * 512);
    return {[=] { bad_springs<<<grid, 512>>>(in, out.bad, turns); },
            [=] { mended_springs<<<grid * 8, 64>>>(in, out.mended, turns); }};
}

namespace {

// Sum of row r of a triangle, r + 1 values, by a block.
__device__ void triangle_row(float const* in, float* out, unsigned r) {
    __shared__ float of_warps[4];
    float const* const row = in + std::size_t{r} * (r + 1) / 2;
    float sum = 0;
    for (unsigned k = threadIdx.x; k <= r; k += 128) sum = fmaf(row[k], row[k], sum);
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) out[r] = (of_warps[0] + of_warps[1]) + (of_warps[2] + of_warps[3]);
    __syncthreads();
}

} // namespace

// Each block has neighbouring rows, or rows from both ends.
KERNEL(bad_triangle_rows)(float const* in, float* out, unsigned rows) {
    unsigned const each = rows / gridDim.x;
    for (unsigned k = 0; k < each; ++k) triangle_row(in, out, blockIdx.x * each + k);
}
KERNEL(mended_triangle_rows)(float const* in, float* out, unsigned rows) {
    unsigned const each = rows / gridDim.x / 2;
    for (unsigned k = 0; k < each; ++k) {
        triangle_row(in, out, blockIdx.x * each + k);
        triangle_row(in, out, rows - 1 - blockIdx.x * each - k);
    }
}
UNSEEN_PAIR(triangle_rows, workload_imbalance) {
    unsigned const grid = memory.pick(sms * 8u, 8u);
    unsigned const rows = memory.pick(grid * 8, 64u);
    float const* const in = memory.input<float>(std::size_t{rows} * (rows + 1) / 2);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_triangle_rows<<<grid, 128>>>(in, out.bad, rows); },
            [=] { mended_triangle_rows<<<grid, 128>>>(in, out.mended, rows); }};
}

namespace {

// The same, eight loads at a time.
__device__ void triangle_row_ahead(float const* in, float* out, unsigned r) {
    __shared__ float of_warps[4];
    float const* const row = in + std::size_t{r} * (r + 1) / 2;
    float sum = 0;
    for (unsigned k = threadIdx.x; k <= r; k += 128 * 8) {
        float v[8];
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) v[j] = k + j * 128 <= r ? row[k + j * 128] : 0;
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) sum = fmaf(v[j], v[j], sum);
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) out[r] = (of_warps[0] + of_warps[1]) + (of_warps[2] + of_warps[3]);
    __syncthreads();
}

} // namespace

// Whether what is said of the mended one is so.
KERNEL(bad_triangle_rows_again)(float const* in, float* out, unsigned rows) {
    unsigned const each = rows / gridDim.x / 2;
    for (unsigned k = 0; k < each; ++k) {
        triangle_row(in, out, blockIdx.x * each + k);
        triangle_row(in, out, rows - 1 - blockIdx.x * each - k);
    }
}
KERNEL(mended_triangle_rows_again)(float const* in, float* out, unsigned rows) {
    unsigned const each = rows / gridDim.x / 2;
    for (unsigned k = 0; k < each; ++k) {
        triangle_row_ahead(in, out, blockIdx.x * each + k);
        triangle_row_ahead(in, out, rows - 1 - blockIdx.x * each - k);
    }
}
AGAIN_PAIR(triangle_rows_again, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 8u, 8u);
    unsigned const rows = memory.pick(grid * 8, 64u);
    float const* const in = memory.input<float>(std::size_t{rows} * (rows + 1) / 2);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_triangle_rows_again<<<grid, 128>>>(in, out.bad, rows); },
            [=] { mended_triangle_rows_again<<<grid, 128>>>(in, out.mended, rows); }};
}

namespace {

// Contrast of pictures: each pixel less the mean of its row of 512, `rows` a block.
__device__ void contrast(float const* in, float* out, unsigned rows) {
    __shared__ float of_warps[16];
#pragma unroll 1
    for (unsigned k = 0; k < rows; ++k) {
        std::size_t const i = (std::size_t{blockIdx.x} * rows + k) * 512 + threadIdx.x;
        float const own = in[i];
        float const sum = sum_of_warp(own);
        if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
        __syncthreads();
        float const mean = sum_of_warp(of_warps[threadIdx.x % 16]) * (0.5f / 512);
        out[i] = fmaf(own - mean, 1.5f, 2.0f);
        __syncthreads();
    }
}

} // namespace

// A block a picture of 256 rows, of a batch of 24, or a block every four rows.
KERNEL(bad_batch_of_pictures)(float const* in, float* out, unsigned rows) { contrast(in, out, rows); }
KERNEL(mended_batch_of_pictures)(float const* in, float* out, unsigned rows) { contrast(in, out, rows); }
UNSEEN_PAIR(batch_of_pictures, small_grid) {
    unsigned const pictures = memory.pick(24u, 2u);
    unsigned const rows = memory.pick(256u, 16u);
    float const* const in = memory.input<float>(std::size_t{pictures} * rows * 512);
    results<float> const out = memory.output<float>(std::size_t{pictures} * rows * 512);
    return {[=] { bad_batch_of_pictures<<<pictures, 512>>>(in, out.bad, rows); },
            [=] { mended_batch_of_pictures<<<pictures * rows / 4, 512>>>(in, out.mended, 4); }};
}

namespace {

// The median of 5 x 5 pixels, by a network that moves the greatest to the end, 13 times; the input has 32 pixels more a row
// and four rows more.
__device__ void median(float const* in, float* out, unsigned n) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x % 32;
    unsigned const y = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32;
    float v[25];
#pragma unroll
    for (unsigned k = 0; k < 25; ++k) v[k] = in[std::size_t{y + k / 5} * (n + 32) + x + k % 5];
#pragma unroll
    for (unsigned last = 24; last >= 12; --last)
#pragma unroll
        for (unsigned k = 0; k < last; ++k) {
            float const less = fminf(v[k], v[k + 1]);
            v[k + 1] = fmaxf(v[k], v[k + 1]);
            v[k] = less;
        }
    out[std::size_t{y} * n + x] = v[12];
}

} // namespace

// No more than 24 registers a thread, or as many as it takes.
KERNEL(__maxnreg__(24) bad_median_5x5)(float const* in, float* out, unsigned n) { median(in, out, n); }
KERNEL(__launch_bounds__(512) mended_median_5x5)(float const* in, float* out, unsigned n) { median(in, out, n); }
UNSEEN_PAIR(median_5x5, register_spills) {
    unsigned const n = memory.pick(2048u, 64u);
    float const* const in = memory.input<float>(std::size_t{n + 32} * (n + 4));
    results<float> const out = memory.output<float>(std::size_t{n} * n, 0);
    dim3 const grid(n / 32, n / 16);
    return {[=] { bad_median_5x5<<<grid, 512>>>(in, out.bad, n); },
            [=] { mended_median_5x5<<<grid, 512>>>(in, out.mended, n); }};
}

// How often each of eight symbols comes in a thread's part of a text: counters in an array, or in the bytes of two words.
KERNEL(bad_symbol_counts)(unsigned const* text, unsigned* out, unsigned words) {
    unsigned const threads = gridDim.x * blockDim.x;
    unsigned counts[8] = {};
#pragma unroll 1
    for (unsigned k = 0; k < words; ++k) {
        unsigned const word = text[std::size_t{k} * threads + global_thread()];
#pragma unroll
        for (unsigned j = 0; j < 24; j += 3) ++counts[word >> j & 7];
    }
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) out[std::size_t{k} * threads + global_thread()] = counts[k];
}
KERNEL(mended_symbol_counts)(unsigned const* text, unsigned* out, unsigned words) {
    unsigned const threads = gridDim.x * blockDim.x;
    unsigned long long counts = 0; // at most 255 of a symbol
#pragma unroll 1
    for (unsigned k = 0; k < words; ++k) {
        unsigned const word = text[std::size_t{k} * threads + global_thread()];
#pragma unroll
        for (unsigned j = 0; j < 24; j += 3) counts += 1ull << (word >> j & 7) * 8;
    }
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
        out[std::size_t{k} * threads + global_thread()] = static_cast<unsigned>(counts >> k * 8) & 255;
}
UNSEEN_PAIR(symbol_counts, local_memory_arrays) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const words = memory.pick(31u, 4u);
    unsigned const* const text = memory.input<unsigned>(std::size_t{words} * grid * 256);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{8} * grid * 256, 0);
    return {[=] { bad_symbol_counts<<<grid, 256>>>(text, out.bad, words); },
            [=] { mended_symbol_counts<<<grid, 256>>>(text, out.mended, words); }};
}

namespace {

// What a particle feels of `n` others by the potential of Lennard and Jones, with constants of type Number.
template <class Number>
__device__ void potential(float4 const* others, float4 const* own, float* out, unsigned n) {
    float4 const at = own[global_thread()];
    float sum = 0;
#pragma unroll 4
    for (unsigned k = 0; k < n; ++k) {
        float4 const other = others[k];
        float const dx = other.x - at.x, dy = other.y - at.y, dz = other.z - at.z;
        float const squared = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.5f)));
        float const inverse = __fdividef(1.0f, squared * squared * squared);
        sum = static_cast<float>(sum + static_cast<Number>(4.0) * inverse * (inverse - static_cast<Number>(0.99)));
    }
    out[global_thread()] = sum;
}

} // namespace

KERNEL(bad_pair_potential)(float4 const* others, float4 const* own, float* out, unsigned n) {
    potential<double>(others, own, out, n);
}
KERNEL(mended_pair_potential)(float4 const* others, float4 const* own, float* out, unsigned n) {
    potential<float>(others, own, out, n);
}
UNSEEN_PAIR(pair_potential, accidental_fp64) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const n = memory.pick(256u, 16u);
    auto const* const others = reinterpret_cast<float4 const*>(memory.input<float>(n * 4));
    auto const* const own = reinterpret_cast<float4 const*>(memory.input<float>(grid * 256 * 4 + 4) + 4);
    results<float> const out = memory.output<float>(grid * 256, 1e-2);
    return {[=] { bad_pair_potential<<<grid, 256>>>(others, own, out.bad, n); },
            [=] { mended_pair_potential<<<grid, 256>>>(others, own, out.mended, n); }};
}

namespace {

// z = z * w of complex numbers, many times, four a thread; without or with fused operations.
template <bool Fused>
__device__ void rotate(float2 const* in, float2* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    float2 z[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) z[j] = in[j * threads + global_thread()];
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            constexpr float c = 0.99995f, s = 0.01f;
            float2 const v = z[j];
            if (Fused) z[j] = make_float2(fmaf(v.x, c, -v.y * s), fmaf(v.x, s, v.y * c));
            else
                z[j] = make_float2(__fsub_rn(__fmul_rn(v.x, c), __fmul_rn(v.y, s)),
                                   __fadd_rn(__fmul_rn(v.x, s), __fmul_rn(v.y, c)));
        }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) out[j * threads + global_thread()] = z[j];
}

} // namespace

KERNEL(bad_rotations)(float2 const* in, float2* out, unsigned turns) { rotate<false>(in, out, turns); }
KERNEL(mended_rotations)(float2 const* in, float2* out, unsigned turns) { rotate<true>(in, out, turns); }
UNSEEN_PAIR(rotations, unfused_arithmetic) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const turns = memory.pick(600u, 8u);
    auto const* const in = reinterpret_cast<float2 const*>(memory.input<float>(grid * 256 * 8));
    results<float> const out = memory.output<float>(grid * 256 * 8, 1e-2);
    return {[=] { bad_rotations<<<grid, 256>>>(in, reinterpret_cast<float2*>(out.bad), turns); },
            [=] { mended_rotations<<<grid, 256>>>(in, reinterpret_cast<float2*>(out.mended), turns); }};
}

namespace {

// The curve of a screen: a part of a line near black, a power elsewhere.
template <bool Exact>
__device__ float screen(float x) {
    float const power = Exact ? powf(x, 1 / 2.4f) : __powf(x, 1 / 2.4f);
    return x <= 0.0031308f ? x * 12.92f : fmaf(power, 1.055f, -0.055f);
}
template <bool Exact>
__device__ void screen_curve(float4 const* in, float4* out) {
    float4 const v = in[global_thread()];
    out[global_thread()] = make_float4(screen<Exact>(v.x), screen<Exact>(v.y), screen<Exact>(v.z), screen<Exact>(v.w));
}

} // namespace

KERNEL(bad_screen_curve)(float4 const* in, float4* out) { screen_curve<true>(in, out); }
KERNEL(mended_screen_curve)(float4 const* in, float4* out) { screen_curve<false>(in, out); }
UNSEEN_PAIR(screen_curve, slow_functions) {
    unsigned const grid = memory.pick(full_grid * 6, 4u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(grid * 1024));
    results<float> const out = memory.output<float>(grid * 1024, 1e-3);
    return {[=] { bad_screen_curve<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.bad)); },
            [=] { mended_screen_curve<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.mended)); }};
}

namespace {

// A polynomial of many coefficients at a place a thread: one chain of operations, or four.
template <unsigned Chains>
__device__ void polynomial(float const* in, float* out, float step, unsigned degree) {
    float const x = in[global_thread()] * 0.5f;
    float powers = x;
#pragma unroll
    for (unsigned j = 1; j < Chains; ++j) powers *= x;
    float sums[Chains] = {};
#pragma unroll 4
    for (unsigned k = degree; k > 0; k -= Chains)
#pragma unroll
        for (unsigned j = 0; j < Chains; ++j) // the coefficient of x^(k - Chains + j) is 1 / step
            sums[j] = fmaf(sums[j], powers, step);
    float sum = 0;
#pragma unroll
    for (unsigned j = Chains; j > 0; --j) sum = fmaf(sum, x, sums[j - 1]);
    out[global_thread()] = sum;
}

} // namespace

KERNEL(bad_polynomial)(float const* in, float* out, float step, unsigned degree) {
    polynomial<1>(in, out, step, degree);
}
KERNEL(mended_polynomial)(float const* in, float* out, float step, unsigned degree) {
    polynomial<4>(in, out, step, degree);
}
UNSEEN_PAIR(polynomial, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 4u);
    unsigned const degree = memory.pick(8192u, 64u);
    float const* const in = memory.input<float>(grid * 128);
    results<float> const out = memory.output<float>(grid * 128, 1e-3);
    return {[=] { bad_polynomial<<<grid, 128>>>(in, out.bad, 0.25f, degree); },
            [=] { mended_polynomial<<<grid, 128>>>(in, out.mended, 0.25f, degree); }};
}

// Whether what is said of the mended one is so: four chains, or eight.
KERNEL(bad_polynomial_again)(float const* in, float* out, float step, unsigned degree) {
    polynomial<4>(in, out, step, degree);
}
KERNEL(mended_polynomial_again)(float const* in, float* out, float step, unsigned degree) {
    polynomial<8>(in, out, step, degree);
}
AGAIN_PAIR(polynomial_again, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 4u);
    unsigned const degree = memory.pick(8192u, 64u);
    float const* const in = memory.input<float>(grid * 128);
    results<float> const out = memory.output<float>(grid * 128, 1e-3);
    return {[=] { bad_polynomial_again<<<grid, 128>>>(in, out.bad, 0.25f, degree); },
            [=] { mended_polynomial_again<<<grid, 128>>>(in, out.mended, 0.25f, degree); }};
}

// Scores of queries and keys of half precision: a product by tiles of 32 x 32 and single precision, or by tensor cores.
KERNEL(bad_scores)(half const* a, half const* b, float* c, unsigned n) {
    __shared__ float from_a[32][33], from_b[32][33];
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    unsigned const y = blockIdx.y * 32 + threadIdx.y * 4;
    float sums[4] = {};
    for (unsigned k0 = 0; k0 < n; k0 += 32) {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            from_a[threadIdx.y * 4 + j][threadIdx.x] = __half2float(a[std::size_t{y + j} * n + k0 + threadIdx.x]);
            from_b[threadIdx.y * 4 + j][threadIdx.x] = __half2float(b[std::size_t{k0 + threadIdx.y * 4 + j} * n + x]);
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < 32; ++k)
#pragma unroll
            for (unsigned j = 0; j < 4; ++j)
                sums[j] = fmaf(from_a[threadIdx.y * 4 + j][k], from_b[k][threadIdx.x], sums[j]);
        __syncthreads();
    }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) c[std::size_t{y + j} * n + x] = sums[j];
}
KERNEL(__launch_bounds__(256, 2) mended_scores)(half const* a, half const* b, float* c, unsigned n) {
    tensor_product(a, b, c, n);
}
UNSEEN_PAIR(scores, no_tensor_cores) {
    unsigned const n = memory.pick(2048u, 128u);
    half const* const a = memory.input<half>(std::size_t{n} * n);
    results<float> const c = memory.output<float>(std::size_t{n} * n, 2e-3);
    return {[=] { bad_scores<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, a, c.bad, n); },
            [=] { mended_scores<<<dim3(n / 128, n / 128), 256>>>(a, a, c.mended, n); }};
}

namespace {

// Filtered rows, each thread along its column; how far a block is stands in `progress`, behind a fence.
template <bool EachRow>
__device__ void report_rows(float const* in, float* out, unsigned* progress, unsigned rows) {
    unsigned const threads = gridDim.x * blockDim.x;
    float x = 0;
#pragma unroll 1
    for (unsigned k = 0; k < rows; ++k) {
        std::size_t const i = std::size_t{k} * threads + global_thread();
        x = fmaf(x, 0.5f, in[i] * 0.5f);
        out[i] = x;
        if (EachRow || k + 1 == rows) {
            __threadfence();
            if (threadIdx.x == 0) *const_cast<unsigned volatile*>(progress + blockIdx.x) = k + 1;
        }
    }
}

} // namespace

KERNEL(bad_reported_rows)(float const* in, float* out, unsigned* progress, unsigned rows) {
    report_rows<true>(in, out, progress, rows);
}
KERNEL(mended_reported_rows)(float const* in, float* out, unsigned* progress, unsigned rows) {
    report_rows<false>(in, out, progress, rows);
}
UNSEEN_PAIR(reported_rows, memory_fences) {
    unsigned const grid = memory.pick(sms * 4u, 4u);
    unsigned const rows = memory.pick(40u, 4u);
    float const* const in = memory.input<float>(std::size_t{rows} * grid * 256);
    results<float> const out = memory.output<float>(std::size_t{rows} * grid * 256);
    results<unsigned> const progress = memory.output<unsigned>(grid, 0);
    return {[=] { bad_reported_rows<<<grid, 256>>>(in, out.bad, progress.bad, rows); },
            [=] { mended_reported_rows<<<grid, 256>>>(in, out.mended, progress.mended, rows); }};
}

// Whether what is said of the mended one is so: rows loaded one by one, or eight at a time.
KERNEL(bad_reported_rows_again)(float const* in, float* out, unsigned rows) {
    unsigned const threads = gridDim.x * blockDim.x;
    float x = 0;
#pragma unroll 1
    for (unsigned k = 0; k < rows; ++k) {
        std::size_t const i = std::size_t{k} * threads + global_thread();
        x = fmaf(x, 0.5f, in[i] * 0.5f);
        out[i] = x;
    }
}
KERNEL(mended_reported_rows_again)(float const* in, float* out, unsigned rows) {
    unsigned const threads = gridDim.x * blockDim.x;
    float x = 0;
#pragma unroll 1
    for (unsigned k = 0; k < rows; k += 8) {
        float v[8];
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) v[j] = in[std::size_t{k + j} * threads + global_thread()];
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) {
            x = fmaf(x, 0.5f, v[j] * 0.5f);
            out[std::size_t{k + j} * threads + global_thread()] = x;
        }
    }
}
AGAIN_PAIR(reported_rows_again, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 4u, 4u);
    unsigned const rows = memory.pick(40u, 8u);
    float const* const in = memory.input<float>(std::size_t{rows} * grid * 256);
    results<float> const out = memory.output<float>(std::size_t{rows} * grid * 256);
    return {[=] { bad_reported_rows_again<<<grid, 256>>>(in, out.bad, rows); },
            [=] { mended_reported_rows_again<<<grid, 256>>>(in, out.mended, rows); }};
}

namespace {

struct boxes {
    unsigned of[256];
};
constexpr boxes mixed_boxes() {
    boxes all{};
    for (unsigned i = 0; i < 256; ++i) all.of[i] = i * 167 + 99 & 255;
    return all;
}
__constant__ boxes const in_constants = mixed_boxes();

// Words put through a table of 256, several rounds, as ciphers do.
__device__ unsigned cipher(unsigned const* table, unsigned word, unsigned rounds) {
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r)
        word = (word << 7 | word >> 25) ^ table[word & 255] ^ table[word >> 8 & 255] << 8 ^ r * 0x9e3779b9u;
    return word;
}

} // namespace

// The table in constant memory, or copied to shared memory.
KERNEL(bad_cipher)(unsigned const* in, unsigned* out, unsigned rounds) {
    out[global_thread()] = cipher(in_constants.of, in[global_thread()], rounds);
}
KERNEL(mended_cipher)(unsigned const* in, unsigned* out, unsigned rounds) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = in_constants.of[threadIdx.x];
    __syncthreads();
    out[global_thread()] = cipher(own, in[global_thread()], rounds);
}
UNSEEN_PAIR(cipher, divergent_constants) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    unsigned const rounds = memory.pick(10u, 3u);
    unsigned const* const in = memory.input<unsigned>(grid * 256);
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad_cipher<<<grid, 256>>>(in, out.bad, rounds); },
            [=] { mended_cipher<<<grid, 256>>>(in, out.mended, rounds); }};
}

namespace {

// Rows of 64 floats of a table, by number; a warp a row.
__device__ void embed(float2 const* table, unsigned const* numbers, float2* out) {
    std::size_t const row = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    float2 const v = table[std::size_t{numbers[row]} * 32 + lane];
    out[row * 32 + lane] = make_float2(v.x * 8, v.y * 8);
}

} // namespace

// The table in memory of the host, or of the device.
KERNEL(bad_embeddings)(float2 const* table, unsigned const* numbers, float2* out) { embed(table, numbers, out); }
KERNEL(mended_embeddings)(float2 const* table, unsigned const* numbers, float2* out) { embed(table, numbers, out); }
UNSEEN_PAIR(embeddings, host_memory_access) {
    unsigned const entries = memory.pick(100'000u, 100u);
    unsigned const rows = memory.pick(sms * 512u, 64u);
    std::vector<unsigned> numbers = memory.values<unsigned>(rows);
    for (unsigned& each : numbers) each = (each >> 8) % entries;
    unsigned const* const of = memory.upload(numbers);
    auto const* const far = reinterpret_cast<float2 const*>(memory.host_input<float>(std::size_t{entries} * 64));
    auto const* const near = reinterpret_cast<float2 const*>(memory.input<float>(std::size_t{entries} * 64));
    results<float> const out = memory.output<float>(std::size_t{rows} * 64, 0);
    return {[=] { bad_embeddings<<<rows / 8, 256>>>(far, of, reinterpret_cast<float2*>(out.bad)); },
            [=] { mended_embeddings<<<rows / 8, 256>>>(near, of, reinterpret_cast<float2*>(out.mended)); }};
}

namespace {

// Differences of neighbours along rows that are `pitch` floats apart.
__device__ void slopes(float const* in, float* out, unsigned pitch) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    std::size_t const at = std::size_t{blockIdx.y * blockDim.y + threadIdx.y} * pitch + x;
    out[at] = in[at + 1] - in[at] + 2;
}

} // namespace

// Rows that begin anywhere, or at multiples of 128 bytes.
KERNEL(bad_odd_pitch)(float const* in, float* out, unsigned pitch) { slopes(in, out, pitch); }
KERNEL(mended_odd_pitch)(float const* in, float* out, unsigned pitch) { slopes(in, out, pitch); }
UNSEEN_PAIR(odd_pitch, misaligned_global_access) {
    unsigned const n = memory.pick(4096u, 128u);
    unsigned const odd = n + 3;
    unsigned const even = n + 32;
    std::vector<float> const values = memory.values<float>(std::size_t{n} * odd + 1);
    std::vector<float> spread(std::size_t{n} * even + 1);
    for (std::size_t y = 0; y < n; ++y)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(y * odd), odd,
                    spread.begin() + static_cast<std::ptrdiff_t>(y * even));
    float const* const narrow = memory.upload(values);
    float const* const wide = memory.upload(spread);
    results<float> const out =
        memory.output<float>(std::size_t{n} * even, 1e-5, std::size_t{n} * even, [=](std::size_t i) {
            std::size_t const x = i % even; // behind a row both have zeros: in the bad one, those behind all rows
            return x < n ? i / even * odd + x : std::size_t{n} * even - 1;
        });
    dim3 const grid(n / 32, n / 8);
    return {[=] { bad_odd_pitch<<<grid, dim3(32, 8)>>>(narrow, out.bad, odd); },
            [=] { mended_odd_pitch<<<grid, dim3(32, 8)>>>(wide, out.mended, even); }};
}

// Channels brought to mean 0 and variance 1 by numbers that are known: a block a part of a plane.
KERNEL(clean_batch_norm)(float4 const* in, float const* scales, float const* shifts, float4* out) {
    float const scale = scales[blockIdx.y];
    float const shift = shifts[blockIdx.y];
    std::size_t const first = (std::size_t{blockIdx.y} * gridDim.x + blockIdx.x) * 1024 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        float4 const v = in[first + k * 256];
        out[first + k * 256] = make_float4(fmaf(v.x, scale, shift), fmaf(v.y, scale, shift), fmaf(v.z, scale, shift),
                                           fmaf(v.w, scale, shift));
    }
}
UNSEEN_CLEAN(batch_norm) {
    unsigned const channels = memory.pick(96u, 4u);
    unsigned const parts = memory.pick(88u, 4u);
    std::size_t const n = std::size_t{channels} * parts * 4096;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    float const* const both = memory.input<float>(channels * 2);
    pattern const values(n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) {
        std::size_t const channel = i / (std::size_t{parts} * 4096);
        return values[i] * values[channel] + values[channels + channel];
    }));
    return {nullptr, [=] { clean_batch_norm<<<dim3(parts, channels), 256>>>(in, both, both + channels, out); }};
}

// The greatest of each 2 x 2 values of rows of `width`, two results a thread.
KERNEL(clean_max_pool)(float4 const* in, float2* out, unsigned width) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    std::size_t const y = blockIdx.y * blockDim.y + threadIdx.y;
    float4 const a = in[2 * y * (width / 4) + x];
    float4 const b = in[(2 * y + 1) * (width / 4) + x];
    out[y * (width / 4) + x] =
        make_float2(fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y)), fmaxf(fmaxf(a.z, a.w), fmaxf(b.z, b.w)));
}
UNSEEN_CLEAN(max_pool) {
    unsigned const n = memory.pick(8192u, 256u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * n));
    pattern const values(std::size_t{n} * n);
    auto* const out = reinterpret_cast<float2*>(memory.clean_output<float>(std::size_t{n} * n / 4, [=](std::size_t i) {
        std::size_t const at = i / (n / 2) * 2 * n + i % (n / 2) * 2;
        return std::max({values[at], values[at + 1], values[at + n], values[at + n + 1]});
    }));
    return {nullptr, [=] { clean_max_pool<<<dim3(n / 4 / 64, n / 2 / 4), dim3(64, 4)>>>(in, out, n); }};
}

// Seven neighbours in a box of n x n x n with a rim of 16 floats along x and one plane or row along y and z: a thread goes up
// along z and keeps what it has read.
KERNEL(clean_seven_points)(float const* in, float* out, unsigned n, unsigned height) {
    std::size_t const pitch = n + 32;
    std::size_t const plane = pitch * (n + 2);
    unsigned const z0 = blockIdx.z * height;
    std::size_t at =
        z0 * plane + (blockIdx.y * blockDim.y + threadIdx.y + 1) * pitch + blockIdx.x * blockDim.x + threadIdx.x + 16;
    float below = in[at];
    at += plane;
    float here = in[at];
#pragma unroll 4
    for (unsigned z = 0; z < height; ++z, at += plane) {
        float const above = in[at + plane];
        out[at] = fmaf(here, 0.4f, (below + above + in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch]) * 0.1f);
        below = here;
        here = above;
    }
}
UNSEEN_CLEAN(seven_points) {
    unsigned const n = memory.pick(256u, 32u);
    unsigned const height = memory.pick(32u, 8u);
    std::size_t const pitch = n + 32;
    std::size_t const plane = pitch * (n + 2);
    std::size_t const all = plane * (n + 2);
    float const* const in = memory.input<float>(all);
    pattern const values(all);
    float* const out = memory.clean_output<float>(
        all,
        [=](std::size_t i) {
            std::size_t const x = i % pitch, y = i / pitch % (n + 2), z = i / plane;
            if (x < 16 || x >= n + 16 || y < 1 || y > n || z < 1 || z > n) return 0.0;
            return values[i] * 0.4 + (values[i - plane] + values[i + plane] + values[i - 1] + values[i + 1] +
                                      values[i - pitch] + values[i + pitch]) *
                                         0.1;
        },
        1e-3, 20'000);
    return {nullptr, [=] { clean_seven_points<<<dim3(n / 32, n / 8, n / height), dim3(32, 8)>>>(in, out, n, height); }};
}

// A sparse matrix with 16 values a row in columns near the diagonal, stored column by column, times a vector.
KERNEL(clean_sparse_ell)
(float const* __restrict__ values, unsigned const* __restrict__ columns, float const* __restrict__ vector,
 float* __restrict__ out, unsigned rows) {
    unsigned const row = global_thread();
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) sum = fmaf(values[k * rows + row], vector[columns[k * rows + row]], sum);
    out[row] = sum;
}
UNSEEN_CLEAN(sparse_ell) {
    unsigned const grid = memory.pick(full_grid * 4, 8u);
    unsigned const rows = grid * 256;
    std::vector<unsigned> columns(std::size_t{rows} * 16);
    for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i] = static_cast<unsigned>((i % rows + i / rows * 2) % rows);
    float const* const values = memory.input<float>(columns.size());
    unsigned const* const of = memory.upload(columns);
    float const* const vector = memory.input<float>(rows);
    pattern const numbers(columns.size());
    float* const out = memory.clean_output<float>(rows, [=](std::size_t row) {
        double sum = 0;
        for (std::size_t k = 0; k < 16; ++k) sum += numbers[k * rows + row] * numbers[(row + k * 2) % rows];
        return sum;
    });
    return {nullptr, [=] { clean_sparse_ell<<<grid, 256>>>(values, of, vector, out, rows); }};
}

namespace {

// A hash of 32 bits, mixed `rounds` times.
__host__ __device__ inline unsigned mixed(unsigned x, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
        x ^= x >> 16;
    }
    return x;
}

} // namespace

KERNEL(clean_hashes)(uint4 const* in, uint4* out, unsigned rounds) {
    uint4 v = in[global_thread()];
#pragma unroll 4
    for (unsigned r = 0; r < rounds; ++r) v = make_uint4(mixed(v.x, 1), mixed(v.y, 1), mixed(v.z, 1), mixed(v.w, 1));
    out[global_thread()] = v;
}
UNSEEN_CLEAN(hashes) {
    unsigned const grid = memory.pick(full_grid * 2, 8u);
    unsigned const rounds = memory.pick(64u, 4u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<uint4 const*>(memory.input<unsigned>(n));
    auto const values = std::make_shared<std::vector<unsigned> const>(memory.values<unsigned>(memory.period));
    auto* const out = reinterpret_cast<uint4*>(memory.clean_output<unsigned>(
        n, [=](std::size_t i) { return mixed((*values)[i % values->size()], rounds); }, 0));
    return {nullptr, [=] { clean_hashes<<<grid, 256>>>(in, out, rounds); }};
}

// Pairs of values turned by angles that grow with the place in a sequence, as attention does, and 4 more; a block a row of 1024
// values.
KERNEL(clean_rotary)(float4 const* in, float4* out, float slowness) {
    std::size_t const at = std::size_t{blockIdx.x} * 256 + threadIdx.x;
    float4 const v = in[at];
    float const place = static_cast<float>(blockIdx.x % 64);
    float s0, c0, s1, c1;
    __sincosf(place * __expf(static_cast<float>(threadIdx.x * 2) * slowness), &s0, &c0);
    __sincosf(place * __expf(static_cast<float>(threadIdx.x * 2 + 1) * slowness), &s1, &c1);
    out[at] =
        make_float4(v.x * c0 - v.y * s0 + 4, v.x * s0 + v.y * c0 + 4, v.z * c1 - v.w * s1 + 4, v.z * s1 + v.w * c1 + 4);
}
UNSEEN_CLEAN(rotary) {
    unsigned const grid = memory.pick(full_grid * 16, 16u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    constexpr float slowness = -9.0f / 512;
    pattern const values(n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) {
        double const pair = static_cast<double>(i % 1024 / 2);
        double const angle = static_cast<double>(i / 1024 % 64) * std::exp(pair * slowness);
        double const x = values[i / 2 * 2], y = values[i / 2 * 2 + 1];
        return 4 + (i % 2 == 0 ? x * std::cos(angle) - y * std::sin(angle) : x * std::sin(angle) + y * std::cos(angle));
    }));
    return {nullptr, [=] { clean_rotary<<<grid, 256>>>(in, out, slowness); }};
}

// Edges of a picture by Sobel's filter: a tile of 34 x 34 pixels in shared memory, four results a thread.
KERNEL(clean_edges)(float const* in, float* out, unsigned n) {
    __shared__ float tile[34][36];
    std::size_t const pitch = n + 32;
    unsigned const x0 = blockIdx.x * 32;
    unsigned const y0 = blockIdx.y * 32;
    for (unsigned k = threadIdx.y; k < 34; k += 8) {
        tile[k][threadIdx.x] = in[(y0 + k) * pitch + x0 + threadIdx.x];
        if (threadIdx.x < 2) tile[k][32 + threadIdx.x] = in[(y0 + k) * pitch + x0 + 32 + threadIdx.x];
    }
    __syncthreads();
    unsigned const x = threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        unsigned const y = threadIdx.y + k * 8;
        float const across = tile[y][x + 2] - tile[y][x] + 2 * (tile[y + 1][x + 2] - tile[y + 1][x]) +
                             tile[y + 2][x + 2] - tile[y + 2][x];
        float const along = tile[y + 2][x] - tile[y][x] + 2 * (tile[y + 2][x + 1] - tile[y][x + 1]) +
                            tile[y + 2][x + 2] - tile[y][x + 2];
        out[std::size_t{y0 + y} * n + x0 + x] = fabsf(across) + fabsf(along) + 1;
    }
}
UNSEEN_CLEAN(edges) {
    unsigned const n = memory.pick(4096u, 64u);
    std::size_t const pitch = n + 32;
    float const* const in = memory.input<float>(pitch * (n + 2));
    pattern const values(pitch * (n + 2));
    float* const out = memory.clean_output<float>(std::size_t{n} * n, [=](std::size_t i) {
        auto const at = [&](std::size_t x, std::size_t y) { return values[(i / n + y) * pitch + i % n + x]; };
        double const across = at(2, 0) - at(0, 0) + 2 * (at(2, 1) - at(0, 1)) + at(2, 2) - at(0, 2);
        double const along = at(0, 2) - at(0, 0) + 2 * (at(1, 2) - at(1, 0)) + at(2, 2) - at(2, 0);
        return std::abs(across) + std::abs(along) + 1;
    });
    return {nullptr, [=] { clean_edges<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n); }};
}

// Inserts keys into a hash table with open places: a key that finds its place taken looks at the next. Keys are all different
// and the table is half full, so each lookup ends.
KERNEL(clean_hash_insert)(unsigned const* keys, unsigned* table, unsigned* out, unsigned mask) {
    unsigned const key = keys[global_thread()];
    unsigned at = mixed(key, 1) & mask;
    unsigned looked = 1;
    for (;; at = (at + 1) & mask, ++looked) {
        unsigned const before = atomicCAS(table + at, 0u, key);
        if (before == 0 || before == key) break;
    }
    out[global_thread()] = key;
}
UNSEEN_CLEAN(hash_insert) {
    unsigned const grid = memory.pick(sms * 16u, 8u);
    unsigned const n = grid * 256;
    unsigned size = 1;
    while (size < 2 * n) size *= 2;
    std::vector<unsigned> keys(n);
    for (unsigned i = 0; i < n; ++i) keys[i] = i * 2654435769u | 1u << 31;
    unsigned const* const in = memory.upload(keys);
    unsigned* const table = memory.zeroed<unsigned>(size);
    unsigned* const out = memory.clean_output<unsigned>(
        n, [=](std::size_t i) { return static_cast<unsigned>(i) * 2654435769u | 1u << 31; }, 0);
    return {nullptr, [=] { clean_hash_insert<<<grid, 256>>>(in, table, out, size - 1); }};
}

// The next level of a breadth-first search from the bottom up: each node that is not seen looks for a parent that is, and stops
// at the first. Nodes have eight neighbours near them.
KERNEL(clean_next_level)
(unsigned const* __restrict__ neighbours, unsigned const* __restrict__ seen, unsigned* out, unsigned n) {
    unsigned const node = global_thread();
    unsigned level = seen[node];
    if (level == 0)
        for (unsigned k = 0; k < 8 && level == 0; ++k) level = seen[neighbours[k * n + node]] ? 2u : 0u;
    out[node] = level;
}
UNSEEN_CLEAN(next_level) {
    unsigned const grid = memory.pick(full_grid * 4, 8u);
    unsigned const n = grid * 256;
    std::vector<unsigned> neighbours(std::size_t{n} * 8), seen(n);
    for (unsigned k = 0; k < 8; ++k)
        for (unsigned i = 0; i < n; ++i) neighbours[std::size_t{k} * n + i] = (i + 17 * (k + 1)) % n;
    for (unsigned i = 0; i < n; ++i) seen[i] = i / 64 % 2;
    unsigned const* const edges = memory.upload(neighbours);
    unsigned const* const before = memory.upload(seen);
    auto const host = std::make_shared<std::vector<unsigned> const>(seen);
    unsigned* const out = memory.clean_output<unsigned>(
        n,
        [=](std::size_t i) {
            unsigned level = (*host)[i];
            for (unsigned k = 0; k < 8 && level == 0; ++k) level = (*host)[(i + 17 * (k + 1)) % n] ? 2u : 0u;
            return level;
        },
        0);
    return {nullptr, [=] { clean_next_level<<<grid, 256>>>(edges, before, out, n); }};
}
