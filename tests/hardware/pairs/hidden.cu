// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs and clean kernels of a ninth group: what programs of twenty fields do, and one thing wrong in each. They were written by
// somebody who knew of the findings their ids and of the other groups only how `closed` looks; to be judged once.
#include <mma.h>

#include "pair.hpp"

namespace {

__host__ __device__ unsigned mixed_bits(unsigned x) {
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}
__device__ float sum_of_block_by_warps(float x, float* room) { // 256 threads; `room` of 8, free when this is called
    x = sum_of_warp(x);
    if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = x;
    __syncthreads();
    return sum_of_warp(threadIdx.x % 32 < 8 ? room[threadIdx.x % 32] : 0.0f);
}

} // namespace

// ---- memory

// Loudness of stretches of 128 samples: a thread a stretch, as the loop on the CPU had it, or a warp a stretch.
KERNEL(bad_loudness)(float const* samples, float* loudness, unsigned stretches, float floor_of_noise) {
    unsigned const own = global_thread();
    if (own >= stretches) return;
    float energy = 0, peak = 0;
    for (unsigned k = 0; k < 128; ++k) {
        float const s = samples[std::size_t{own} * 128 + k] - 1.0f;
        energy += s * s;
        peak = fmaxf(peak, fabsf(s));
    }
    loudness[own] = fmaxf(energy * (1 / 128.0f), floor_of_noise) + 0.1f * peak;
}
KERNEL(mended_loudness)(float const* samples, float* loudness, unsigned stretches, float floor_of_noise) {
    unsigned const lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (unsigned own = global_thread() / 32; own < stretches; own += warps) {
        float energy = 0, peak = 0;
#pragma unroll
        for (unsigned k = lane; k < 128; k += 32) {
            float const s = samples[std::size_t{own} * 128 + k] - 1.0f;
            energy += s * s;
            peak = fmaxf(peak, fabsf(s));
        }
        energy = sum_of_warp(energy);
        for (unsigned apart = 16; apart > 0; apart /= 2) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, apart));
        if (lane == 0) loudness[own] = fmaxf(energy * (1 / 128.0f), floor_of_noise) + 0.1f * peak;
    }
}
HIDDEN_PAIR(loudness, uncoalesced_global_access) {
    unsigned const stretches = memory.pick(full_grid * 256u - 77u, 500u); // the last block is not full
    float const* const samples = memory.input<float>(std::size_t{stretches} * 128);
    results<float> const out = memory.output<float>(stretches);
    unsigned const grid = blocks_for(stretches, 256), grid_of_warps = memory.pick(full_grid, 8u);
    return {[=] { bad_loudness<<<grid, 256>>>(samples, out.bad, stretches, 1e-4f); },
            [=] { mended_loudness<<<grid_of_warps, 256>>>(samples, out.mended, stretches, 1e-4f); }};
}

namespace {

// Light that eight photons near a point give it.
__device__ float light_at(float4 const* photons, unsigned const* lists, unsigned n, float radius) {
    unsigned const i = global_thread();
    float const x = 0.5f + static_cast<float>(i % 1024) * (1 / 1024.0f);
    float sum = 0;
#pragma unroll 4
    for (unsigned k = 0; k < 8; ++k) {
        float4 const photon = photons[lists[std::size_t{k} * n + i]];
        float const dx = photon.x - x, square = dx * dx + photon.y * photon.y;
        sum += photon.w * fmaxf(0.0f, 1.0f - square * radius) + 0.01f * photon.z;
    }
    return sum;
}

} // namespace

// Photons are gathered by lists of neighbours: they lie in the order in which they arrived, or sorted by place.
KERNEL(bad_photon_light)(float4 const* photons, unsigned const* lists, float* light, unsigned n, float radius) {
    light[global_thread()] = light_at(photons, lists, n, radius);
}
KERNEL(mended_photon_light)(float4 const* photons, unsigned const* lists, float* light, unsigned n, float radius) {
    light[global_thread()] = light_at(photons, lists, n, radius);
}
HIDDEN_PAIR(photon_light, uncoalesced_global_access) {
    unsigned const n = memory.pick(1u << 20, 1u << 10);
    auto const arrival = [n](unsigned sorted) { return sorted * 2654435761u % n; }; // n is a power of two: one to one
    std::vector<float> const values = memory.values<float>(std::size_t{n} * 4);
    std::vector<float> arrived(values.size());
    for (unsigned i = 0; i < n; ++i) std::copy_n(&values[std::size_t{i} * 4], 4, &arrived[std::size_t{arrival(i)} * 4]);
    std::vector<unsigned> of_sorted, of_arrived;
    for (unsigned k = 0; k < 8; ++k)
        for (unsigned i = 0; i < n; ++i) {
            of_sorted.push_back((i + k * 3) % n);
            of_arrived.push_back(arrival(of_sorted.back()));
        }
    auto const* const bad = reinterpret_cast<float4 const*>(memory.upload(arrived));
    auto const* const mended = reinterpret_cast<float4 const*>(memory.upload(values));
    unsigned const* const bad_lists = memory.upload(of_arrived);
    unsigned const* const mended_lists = memory.upload(of_sorted);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_photon_light<<<n / 256, 256>>>(bad, bad_lists, out.bad, n, 0.2f); },
            [=] { mended_photon_light<<<n / 256, 256>>>(mended, mended_lists, out.mended, n, 0.2f); }};
}

// Bases of genomes become those of the other strand: a byte a load, or sixteen.
KERNEL(bad_other_strand)(unsigned char const* bases, unsigned char* other, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned i = global_thread(); i < n; i += threads) {
        unsigned const base = bases[i]; // of A, C, G and T in ASCII
        other[i] = static_cast<unsigned char>(base ^ (base & 2 ? 0x04u : 0x15u));
    }
}
__device__ unsigned other_four(unsigned bases) { return bases ^ (0x15151515u - (bases >> 1 & 0x01010101u) * 0x11u); }
KERNEL(mended_other_strand)(uint4 const* bases, uint4* other, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned i = global_thread(); i < n; i += threads) {
        uint4 const b = bases[i];
        other[i] = {other_four(b.x), other_four(b.y), other_four(b.z), other_four(b.w)};
    }
}
HIDDEN_PAIR(other_strand, narrow_global_access) {
    unsigned const n = memory.pick(full_grid * 256u * 256, full_grid * 256u); // about 70 MB
    std::vector<unsigned char> pattern(1u << 16);
    for (unsigned i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<unsigned char>("ACGT"[mixed_bits(i) & 3]);
    unsigned char const* const bases = memory.repeated(pattern, n);
    results<unsigned char> const out = memory.output<unsigned char>(n);
    return {[=] { bad_other_strand<<<full_grid, 256>>>(bases, out.bad, n); },
            [=] {
                mended_other_strand<<<full_grid, 256>>>(reinterpret_cast<uint4 const*>(bases),
                                                        reinterpret_cast<uint4*>(out.mended), n / 16);
            }};
}

// Where in a picture something looks like a mask of 16 by 16: a place a thread, or four places above each other.
KERNEL(bad_likeness_of_mask)(float const* picture, float const* mask, float* cost, unsigned width, unsigned pitch) {
    unsigned const x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    float sum = 0;
    for (unsigned row = 0; row < 16; ++row)
#pragma unroll
        for (unsigned column = 0; column < 16; ++column)
            sum += fabsf(picture[(y + row) * pitch + x + column] - mask[row * 16 + column]);
    cost[y * width + x] = sum;
}
KERNEL(mended_likeness_of_mask)
(float const* picture, float const* mask, float* cost, unsigned width, unsigned pitch) {
    unsigned const x = blockIdx.x * 64 + threadIdx.x, y = (blockIdx.y * 4 + threadIdx.y) * 4;
    float sums[4] = {};
#pragma unroll 1
    for (unsigned column = 0; column < 16; ++column) {
        float of_mask[16];
#pragma unroll
        for (unsigned row = 0; row < 16; ++row) of_mask[row] = mask[row * 16 + column];
#pragma unroll
        for (unsigned row = 0; row < 19; ++row) {
            float const value = picture[(y + row) * pitch + x + column];
#pragma unroll
            for (unsigned k = 0; k < 4; ++k)
                if (row >= k && row - k < 16) sums[k] += fabsf(value - of_mask[row - k]);
        }
    }
    for (unsigned k = 0; k < 4; ++k) cost[(y + k) * width + x] = sums[k];
}
HIDDEN_PAIR(likeness_of_mask, no_tiling) {
    unsigned const width = memory.pick(2048u, 64u), height = memory.pick(1056u, 16u), pitch = width + 32;
    float const* const picture = memory.input<float>(std::size_t{pitch} * (height + 16));
    float const* const mask = memory.input<float>(256);
    results<float> const out = memory.output<float>(std::size_t{width} * height);
    dim3 const block(64, 4), grid(width / 64, height / 4), grid_of_fours(width / 64, height / 16);
    return {[=] { bad_likeness_of_mask<<<grid, block>>>(picture, mask, out.bad, width, pitch); },
            [=] { mended_likeness_of_mask<<<grid_of_fours, block>>>(picture, mask, out.mended, width, pitch); }};
}

__constant__ float water_likings[64]; // by codon, of the amino acid that it stands for
// How much the beginnings of proteins like water: ten codons of six bits, looked up in constant memory, or in a copy in shared memory.
KERNEL(bad_likes_water)(uint2 const* genes, float* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        uint2 const codons = genes[i];
        float sum = 0;
#pragma unroll
        for (unsigned k = 0; k < 30; k += 6)
            sum += water_likings[codons.x >> k & 63] + water_likings[codons.y >> k & 63];
        out[i] = sum;
    }
}
KERNEL(mended_likes_water)(uint2 const* genes, float* out, unsigned n) {
    __shared__ float likings[64];
    if (threadIdx.x < 64) likings[threadIdx.x] = water_likings[threadIdx.x];
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        uint2 const codons = genes[i];
        float sum = 0;
#pragma unroll
        for (unsigned k = 0; k < 30; k += 6) sum += likings[codons.x >> k & 63] + likings[codons.y >> k & 63];
        out[i] = sum;
    }
}
HIDDEN_PAIR(likes_water, divergent_constants) {
    unsigned const n = memory.pick(full_grid * 256u * 8, 2048u);
    CHECK_CUDA(cudaMemcpyToSymbol(water_likings, memory.values<float>(64).data(), 64 * sizeof(float)));
    auto const* const genes = reinterpret_cast<uint2 const*>(memory.input<unsigned>(std::size_t{n} * 2));
    results<float> const out = memory.output<float>(n);
    unsigned const grid = memory.pick(full_grid, 4u);
    return {[=] { bad_likes_water<<<grid, 256>>>(genes, out.bad, n); },
            [=] { mended_likes_water<<<grid, 256>>>(genes, out.mended, n); }};
}

// Vertices of the next level of a graph get room for their edges in a queue: one addition each to its end, or one a block.
KERNEL(bad_room_for_edges)
(unsigned char const* levels, unsigned const* degrees, unsigned* begins, unsigned* end, unsigned n, unsigned level) {
    unsigned const vertex = global_thread();
    if (vertex >= n || levels[vertex] != level) return;
    begins[vertex] = atomicAdd(end, degrees[vertex]);
}
KERNEL(mended_room_for_edges)
(unsigned char const* levels, unsigned const* degrees, unsigned* begins, unsigned* end, unsigned n, unsigned level) {
    __shared__ unsigned of_warps[8], begin_of_block;
    unsigned const vertex = global_thread(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool const chosen = vertex < n && levels[vertex] == level;
    unsigned const degree = chosen ? degrees[vertex] : 0;
    unsigned upto = degree;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        unsigned const before = __shfl_up_sync(~0u, upto, apart);
        if (lane >= apart) upto += before;
    }
    if (lane == 31) of_warps[warp] = upto;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned& each : of_warps) {
            unsigned const own = each;
            each = sum;
            sum += own;
        }
        begin_of_block = atomicAdd(end, sum);
    }
    __syncthreads();
    if (chosen) begins[vertex] = begin_of_block + of_warps[warp] + upto - degree;
}
HIDDEN_PAIR(room_for_edges, global_atomic_contention) {
    unsigned const n = memory.pick(1'000'000u, 3000u);
    std::vector<unsigned> const random = memory.values<unsigned>(n);
    std::vector<unsigned char> of_vertices;
    std::vector<unsigned> degrees_of_vertices;
    for (unsigned const each : random) {
        of_vertices.push_back(static_cast<unsigned char>(each >> 20 & 3));
        degrees_of_vertices.push_back(1 + (each >> 12 & 31));
    }
    unsigned char const* const levels = memory.upload(of_vertices);
    unsigned const* const degrees = memory.upload(degrees_of_vertices);
    unsigned* const begins = memory.zeroed<unsigned>(n); // in another order each time
    results<unsigned> const end = memory.output<unsigned>(1);
    unsigned const grid = blocks_for(n, 256);
    return {[=] { bad_room_for_edges<<<grid, 256>>>(levels, degrees, begins, end.bad, n, 2); },
            [=] { mended_room_for_edges<<<grid, 256>>>(levels, degrees, begins, end.mended, n, 2); }};
}

// As mended_room_for_edges: one addition for 256 vertices, or for four times as many, of which a thread has four.
KERNEL(bad_room_for_edges_again)
(unsigned char const* levels, unsigned const* degrees, unsigned* begins, unsigned* end, unsigned n, unsigned level) {
    __shared__ unsigned of_warps[8], begin_of_block;
    unsigned const vertex = global_thread(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool const chosen = vertex < n && levels[vertex] == level;
    unsigned const degree = chosen ? degrees[vertex] : 0;
    unsigned upto = degree;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        unsigned const before = __shfl_up_sync(~0u, upto, apart);
        if (lane >= apart) upto += before;
    }
    if (lane == 31) of_warps[warp] = upto;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned& each : of_warps) {
            unsigned const own = each;
            each = sum;
            sum += own;
        }
        begin_of_block = atomicAdd(end, sum);
    }
    __syncthreads();
    if (chosen) begins[vertex] = begin_of_block + of_warps[warp] + upto - degree;
}
KERNEL(mended_room_for_edges_again)
(unsigned char const* levels, unsigned const* degrees, unsigned* begins, unsigned* end, unsigned n, unsigned level) {
    __shared__ unsigned of_warps[8], begin_of_block;
    unsigned const first = global_thread() * 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uchar4 const four = first < n ? reinterpret_cast<uchar4 const*>(levels)[first / 4] : make_uchar4(0, 0, 0, 0);
    bool const chosen[]{four.x == level, four.y == level, four.z == level, four.w == level};
    unsigned of_vertices[4], own = 0;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
        of_vertices[j] = chosen[j] ? degrees[first + j] : 0;
        own += of_vertices[j];
    }
    unsigned upto = own;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        unsigned const before = __shfl_up_sync(~0u, upto, apart);
        if (lane >= apart) upto += before;
    }
    if (lane == 31) of_warps[warp] = upto;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned& each : of_warps) {
            unsigned const of_warp = each;
            each = sum;
            sum += of_warp;
        }
        begin_of_block = atomicAdd(end, sum);
    }
    __syncthreads();
    unsigned place = begin_of_block + of_warps[warp] + upto - own;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
        if (chosen[j]) begins[first + j] = place;
        place += of_vertices[j];
    }
}
AGAIN_PAIR(room_for_edges_again, global_atomic_contention) {
    unsigned const n = memory.pick(1'000'000u, 3000u);
    std::vector<unsigned> const random = memory.values<unsigned>(n);
    std::vector<unsigned char> of_vertices;
    std::vector<unsigned> degrees_of_vertices;
    for (unsigned const each : random) {
        of_vertices.push_back(static_cast<unsigned char>(each >> 20 & 3));
        degrees_of_vertices.push_back(1 + (each >> 12 & 31));
    }
    unsigned char const* const levels = memory.upload(of_vertices);
    unsigned const* const degrees = memory.upload(degrees_of_vertices);
    unsigned* const begins = memory.zeroed<unsigned>(n); // in another order each time
    results<unsigned> const end = memory.output<unsigned>(1);
    return {
        [=] { bad_room_for_edges_again<<<blocks_for(n, 256), 256>>>(levels, degrees, begins, end.bad, n, 2); },
        [=] { mended_room_for_edges_again<<<blocks_for(n, 1024), 256>>>(levels, degrees, begins, end.mended, n, 2); }};
}

// ---- shared memory

namespace {

// Plucked strings: what comes out of a delay line returns to it, weaker. Sample k of a thread's line is line[k * Step].
template <unsigned Step>
__device__ float plucked(float* line, float const* noise, unsigned length, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < 32; ++k) line[k * Step] = noise[k * n + global_thread()] - 1.0f;
    float loudness = 0;
    unsigned at = 0;
    float here = line[0];
#pragma unroll 2
    for (unsigned step = 0; step < steps; ++step) {
        unsigned const next = at + 1 < length ? at + 1 : 0;
        float const following = line[next * Step];
        here = 0.4985f * (here + following);
        line[at * Step] = here;
        loudness += fabsf(here);
        at = next, here = following;
    }
    return loudness;
}

} // namespace

// The delay lines of 128 strings: one line after another, or sample by sample with the strings side by side.
KERNEL(bad_plucked_strings)(float const* noise, unsigned char const* lengths, float* out, unsigned steps) {
    __shared__ float lines[128 * 32];
    out[global_thread()] = plucked<1>(lines + threadIdx.x * 32, noise, lengths[global_thread()], steps);
}
KERNEL(mended_plucked_strings)(float const* noise, unsigned char const* lengths, float* out, unsigned steps) {
    __shared__ float lines[128 * 32];
    out[global_thread()] = plucked<128>(lines + threadIdx.x, noise, lengths[global_thread()], steps);
}
HIDDEN_PAIR(plucked_strings, shared_bank_conflicts) {
    unsigned const grid = memory.pick(sms * 12u, 2u), steps = memory.pick(2000u, 70u);
    std::size_t const n = std::size_t{grid} * 128;
    std::vector<unsigned char> of_strings;
    for (unsigned i = 0; i < n; ++i) of_strings.push_back(static_cast<unsigned char>(20 + mixed_bits(i) % 13));
    unsigned char const* const lengths = memory.upload(of_strings);
    float const* const noise = memory.input<float>(n * 32);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_plucked_strings<<<grid, 128>>>(noise, lengths, out.bad, steps); },
            [=] { mended_plucked_strings<<<grid, 128>>>(noise, lengths, out.mended, steps); }};
}

// Energies of bands of spectra, whose bounds are multiples of 32: each frequency is added to its band, or the sum of a warp is.
KERNEL(bad_band_energies)(float2 const* spectra, unsigned char const* band_of, float* energies, unsigned frames) {
    __shared__ float bands[24];
    for (unsigned frame = blockIdx.x; frame < frames; frame += gridDim.x) {
        if (threadIdx.x < 24) bands[threadIdx.x] = 0;
        __syncthreads();
        for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) {
            float2 const z = spectra[std::size_t{frame} * 1024 + k];
            atomicAdd(bands + band_of[k], z.x * z.x + z.y * z.y);
        }
        __syncthreads();
        if (threadIdx.x < 24) energies[frame * 24 + threadIdx.x] = bands[threadIdx.x];
        __syncthreads();
    }
}
KERNEL(mended_band_energies)(float2 const* spectra, unsigned char const* band_of, float* energies, unsigned frames) {
    __shared__ float bands[24];
    for (unsigned frame = blockIdx.x; frame < frames; frame += gridDim.x) {
        if (threadIdx.x < 24) bands[threadIdx.x] = 0;
        __syncthreads();
        for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) {
            float2 const z = spectra[std::size_t{frame} * 1024 + k];
            float const energy = sum_of_warp(z.x * z.x + z.y * z.y);
            if (threadIdx.x % 32 == 0) atomicAdd(bands + band_of[k], energy);
        }
        __syncthreads();
        if (threadIdx.x < 24) energies[frame * 24 + threadIdx.x] = bands[threadIdx.x];
        __syncthreads();
    }
}
HIDDEN_PAIR(band_energies, shared_atomic_contention) {
    unsigned const frames = memory.pick(full_grid * 6u, 8u), grid = memory.pick(full_grid, 4u);
    std::vector<unsigned char> bands;
    for (unsigned k = 0; k < 1024; ++k)
        bands.push_back(static_cast<unsigned char>(k < 512 ? k / 32 : 16 + (k - 512) / 64));
    unsigned char const* const band_of = memory.upload(bands);
    auto const* const spectra = reinterpret_cast<float2 const*>(memory.input<float>(std::size_t{frames} * 2048));
    results<float> const out = memory.output<float>(std::size_t{frames} * 24);
    return {[=] { bad_band_energies<<<grid, 256>>>(spectra, band_of, out.bad, frames); },
            [=] { mended_band_energies<<<grid, 256>>>(spectra, band_of, out.mended, frames); }};
}

namespace {

// Sum over a block of 256, by halves, with a barrier after each.
__device__ float sum_of_block_by_halves(float x, float* room) {
    room[threadIdx.x] = x;
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) room[threadIdx.x] += room[threadIdx.x + half];
        __syncthreads();
    }
    float const sum = room[0];
    __syncthreads();
    return sum;
}
// Conjugate gradients for a tridiagonal matrix (-1, 3, -1), an unknown a thread.
template <class Sum>
__device__ float solved_line(float b, unsigned turns, Sum sum_of_block) {
    __shared__ float directions[258];
    if (threadIdx.x < 2) directions[threadIdx.x * 257] = 0;
    float x = 0, residue = b, direction = b;
    float square = sum_of_block(residue * residue, 0);
    for (unsigned turn = 0; turn < turns; ++turn) {
        directions[threadIdx.x + 1] = direction;
        __syncthreads();
        float const product = 3 * direction - directions[threadIdx.x] - directions[threadIdx.x + 2];
        float const step = square / sum_of_block(direction * product, 1);
        x += step * direction;
        residue -= step * product;
        float const next = sum_of_block(residue * residue, 0);
        direction = residue + next / square * direction;
        square = next;
    }
    return x;
}

} // namespace

// Lines of 256 unknowns; sums over the block with nine barriers, or with one.
KERNEL(bad_solved_lines)(float const* in, float* out, unsigned turns) {
    __shared__ float room[256];
    out[global_thread()] =
        solved_line(in[global_thread()], turns, [](float x, unsigned) { return sum_of_block_by_halves(x, room); });
}
KERNEL(mended_solved_lines)(float const* in, float* out, unsigned turns) {
    __shared__ float room[2][8]; // by turns, so that none is overwritten before all have read it
    out[global_thread()] = solved_line(in[global_thread()], turns,
                                       [](float x, unsigned which) { return sum_of_block_by_warps(x, room[which]); });
}
HIDDEN_PAIR(solved_lines, barrier_waits) {
    unsigned const grid = memory.pick(full_grid * 2u, 3u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-3);
    unsigned const turns = memory.pick(10u, 6u);
    return {[=] { bad_solved_lines<<<grid, 256>>>(in, out.bad, turns); },
            [=] { mended_solved_lines<<<grid, 256>>>(in, out.mended, turns); }};
}

// ---- threads

// Scores of 16 candidates for the query of a warp: its first lane adds up what the lanes found, or all lanes do together.
KERNEL(bad_candidate_scores)(float4 const* queries, float4 const* candidates, float* scores) {
    __shared__ float parts[8][32];
    unsigned const lane = threadIdx.x % 32, warp = threadIdx.x / 32, query = global_thread() / 32;
    float4 const q = queries[global_thread()];
    for (unsigned k = 0; k < 16; ++k) {
        float4 const c = candidates[((query + k) % 256) * 32 + lane];
        parts[warp][lane] = q.x * c.x + q.y * c.y + q.z * c.z + q.w * c.w;
        __syncwarp();
        if (lane == 0) {
            float score = 0;
            for (unsigned i = 0; i < 32; ++i) score += parts[warp][i];
            scores[query * 16 + k] = score;
        }
        __syncwarp();
    }
}
KERNEL(mended_candidate_scores)(float4 const* queries, float4 const* candidates, float* scores) {
    unsigned const lane = threadIdx.x % 32, query = global_thread() / 32;
    float4 const q = queries[global_thread()];
    for (unsigned k = 0; k < 16; ++k) {
        float4 const c = candidates[((query + k) % 256) * 32 + lane];
        float const score = sum_of_warp(q.x * c.x + q.y * c.y + q.z * c.z + q.w * c.w);
        if (lane == 0) scores[query * 16 + k] = score;
    }
}
HIDDEN_PAIR(candidate_scores, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 4u, 4u);
    auto const* const queries = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{grid} * 1024));
    auto const* const candidates = reinterpret_cast<float4 const*>(memory.input<float>(256 * 128));
    results<float> const out = memory.output<float>(std::size_t{grid} * 128);
    return {[=] { bad_candidate_scores<<<grid, 256>>>(queries, candidates, out.bad); },
            [=] { mended_candidate_scores<<<grid, 256>>>(queries, candidates, out.mended); }};
}

namespace {

// Where a walk along linked places ends up: each warp has its own, each lane its own value of a place.
__device__ float end_of_walk(float const* places, unsigned const* following, unsigned count, unsigned steps) {
    unsigned place = mixed_bits(global_thread() / 32) % count;
    float x = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        x = 0.5f * x + 0.2f * places[std::size_t{place} * 32 + threadIdx.x % 32];
        place = following[place];
    }
    return x;
}

} // namespace

// A polynomial of 96 terms at the end of a walk: its factors are loaded before the walk, where their norm is needed, and kept; or again.
KERNEL(bad_far_fields)
(float const* places, unsigned const* following, float const* factors, float* out, unsigned count, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float kept[96], norm = 0;
#pragma unroll
    for (unsigned k = 0; k < 96; ++k) kept[k] = factors[k * n + global_thread()], norm += kept[k] * kept[k];
    float const x = end_of_walk(places, following, count, steps);
    float field = 0;
#pragma unroll
    for (unsigned k = 0; k < 96; ++k) field = field * x + kept[k];
    out[global_thread()] = field * rsqrtf(norm);
}
KERNEL(mended_far_fields)
(float const* places, unsigned const* following, float const* factors, float* out, unsigned count, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float norm = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 96; ++k) {
        float const factor = factors[k * n + global_thread()];
        norm += factor * factor;
    }
    float const x = end_of_walk(places, following, count, steps);
    float field = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 96; ++k) field = field * x + __ldcs(factors + k * n + global_thread());
    out[global_thread()] = field * rsqrtf(norm);
}
HIDDEN_PAIR(far_fields, occupancy_limited_by_registers) {
    unsigned const grid = memory.pick(sms * 16u, 2u), count = memory.pick(32768u, 64u);
    unsigned const steps = memory.pick(512u, 20u);
    std::vector<unsigned> links;
    for (unsigned i = 0; i < count; ++i) links.push_back((i * 1664525u + 12345u) % count);
    unsigned const* const following = memory.upload(links);
    float const* const places = memory.input<float>(std::size_t{count} * 32);
    float const* const factors = memory.input<float>(std::size_t{grid} * 128 * 96);
    results<float> const out = memory.output<float>(std::size_t{grid} * 128);
    return {[=] { bad_far_fields<<<grid, 128>>>(places, following, factors, out.bad, count, steps); },
            [=] { mended_far_fields<<<grid, 128>>>(places, following, factors, out.mended, count, steps); }};
}

// As mended_far_fields: a factor a load, or four, for which those of a thread lie together by fours.
KERNEL(bad_far_fields_again)
(float const* places, unsigned const* following, float const* factors, float* out, unsigned count, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float norm = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 96; ++k) {
        float const factor = factors[k * n + global_thread()];
        norm += factor * factor;
    }
    float const x = end_of_walk(places, following, count, steps);
    float field = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 96; ++k) field = field * x + __ldcs(factors + k * n + global_thread());
    out[global_thread()] = field * rsqrtf(norm);
}
KERNEL(mended_far_fields_again)
(float const* places, unsigned const* following, float4 const* factors, float* out, unsigned count, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float norm = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 24; ++k) {
        float4 const four = factors[k * n + global_thread()];
        norm += four.x * four.x, norm += four.y * four.y, norm += four.z * four.z, norm += four.w * four.w;
    }
    float const x = end_of_walk(places, following, count, steps);
    float field = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 24; ++k) {
        float4 const four = __ldcs(factors + k * n + global_thread());
        field = (((field * x + four.x) * x + four.y) * x + four.z) * x + four.w;
    }
    out[global_thread()] = field * rsqrtf(norm);
}
AGAIN_PAIR(far_fields_again, narrow_global_access) {
    unsigned const grid = memory.pick(sms * 16u, 2u), count = memory.pick(32768u, 64u);
    unsigned const steps = memory.pick(512u, 20u), n = grid * 128;
    std::vector<unsigned> links;
    for (unsigned i = 0; i < count; ++i) links.push_back((i * 1664525u + 12345u) % count);
    unsigned const* const following = memory.upload(links);
    float const* const places = memory.input<float>(std::size_t{count} * 32);
    std::vector<float> const by_ones = memory.values<float>(std::size_t{n} * 96);
    std::vector<float> by_fours;
    for (unsigned k = 0; k < 96; k += 4)
        for (unsigned i = 0; i < n; ++i)
            for (unsigned j = k; j < k + 4; ++j) by_fours.push_back(by_ones[std::size_t{j} * n + i]);
    float const* const ones = memory.upload(by_ones);
    auto const* const fours = reinterpret_cast<float4 const*>(memory.upload(by_fours));
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_far_fields_again<<<grid, 128>>>(places, following, ones, out.bad, count, steps); },
            [=] { mended_far_fields_again<<<grid, 128>>>(places, following, fours, out.mended, count, steps); }};
}

namespace {

// Points of a tree, node i above 2i and 2i+1 and parted by x and y in turn, within a distance of an own place in both directions.
// Of nodes still to be seen, `Depth` have room.
template <unsigned Depth>
__device__ unsigned points_near(float2 const* tree, unsigned nodes, float x, float y, float distance) {
    __shared__ unsigned stack[Depth * 128];
    unsigned count = 0, height = 1;
    stack[threadIdx.x] = 1;
    while (height > 0) {
        unsigned const node = stack[--height * 128 + threadIdx.x];
        float2 const point = tree[node];
        float const dx = point.x - x, dy = point.y - y;
        count += fabsf(dx) <= distance && fabsf(dy) <= distance;
        if (node * 2 >= nodes) continue;
        float const apart = (31 - __clz(static_cast<int>(node))) % 2 == 0 ? dx : dy;
        if (apart >= -distance) stack[height++ * 128 + threadIdx.x] = node * 2;
        if (apart <= distance) stack[height++ * 128 + threadIdx.x] = node * 2 + 1;
    }
    return count;
}
__device__ float2 own_place() {
    unsigned const row = global_thread() / 4096;
    return {static_cast<float>(global_thread() % 4096) * (1 / 4096.0f), static_cast<float>(row % 61) * (1 / 61.0f)};
}

// A node near the middle of its cell, and those below it.
void build_tree(std::vector<float2>& tree, unsigned node, float x0, float x1, float y0, float y1, bool by_x) {
    if (node >= tree.size()) return;
    float const jitter = 0.9f + 0.2f * static_cast<float>(mixed_bits(node) % 1024) / 1024;
    float const x = x0 + (x1 - x0) * 0.5f * jitter, y = y0 + (y1 - y0) * 0.5f * jitter;
    tree[node] = {x, y};
    build_tree(tree, node * 2, x0, by_x ? x : x1, y0, by_x ? y1 : y, !by_x);
    build_tree(tree, node * 2 + 1, by_x ? x : x0, x1, by_x ? y0 : y, y1, !by_x);
}

} // namespace

// Neighbours in a k-d tree, with room for 96 open nodes of each thread, as for any tree, or for 20, as this one has at most.
KERNEL(bad_neighbours_in_tree)(float2 const* tree, unsigned nodes, float distance, unsigned* out) {
    float2 const own = own_place();
    out[global_thread()] = points_near<96>(tree, nodes, own.x, own.y, distance);
}
KERNEL(mended_neighbours_in_tree)(float2 const* tree, unsigned nodes, float distance, unsigned* out) {
    float2 const own = own_place();
    out[global_thread()] = points_near<20>(tree, nodes, own.x, own.y, distance);
}
HIDDEN_PAIR(neighbours_in_tree, occupancy_limited_by_shared_memory) {
    unsigned const nodes = memory.pick(1u << 17, 1u << 8), grid = memory.pick(sms * 16u, 2u);
    std::vector<float2> points(nodes, float2{9, 9});
    build_tree(points, 1, 0, 1, 0, 1, true);
    float2 const* const tree = memory.upload(points);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{grid} * 128);
    float const distance = memory.pick(0.01f, 0.1f);
    return {[=] { bad_neighbours_in_tree<<<grid, 128>>>(tree, nodes, distance, out.bad); },
            [=] { mended_neighbours_in_tree<<<grid, 128>>>(tree, nodes, distance, out.mended); }};
}

namespace {

// Where a word stands in the text of a warp, in words from its begin; its length if it does not.
__device__ unsigned place_of_word(unsigned const* text, unsigned length, unsigned word) {
    unsigned const lane = threadIdx.x % 32;
    for (unsigned first = 0; first < length; first += 32) {
        unsigned const found = __ballot_sync(~0u, text[first + lane] == word);
        if (found != 0) return first + static_cast<unsigned>(__ffs(static_cast<int>(found))) - 1;
    }
    return length;
}

} // namespace

// Documents are searched for a word, each by a warp: a block of its own each, or eight warps a block.
KERNEL(bad_word_in_documents)(unsigned const* texts, unsigned length, unsigned word, unsigned* out) {
    unsigned const place = place_of_word(texts + std::size_t{blockIdx.x} * length, length, word);
    if (threadIdx.x == 0) out[blockIdx.x] = place;
}
KERNEL(mended_word_in_documents)(unsigned const* texts, unsigned length, unsigned word, unsigned* out) {
    unsigned const document = blockIdx.x * 8 + threadIdx.x / 32;
    unsigned const place = place_of_word(texts + std::size_t{document} * length, length, word);
    if (threadIdx.x % 32 == 0) out[document] = place;
}
HIDDEN_PAIR(word_in_documents, occupancy_limited_by_blocks) {
    unsigned const documents = memory.pick(sms * 64u * 4, 64u), length = memory.pick(4096u, 256u);
    unsigned const* const texts = memory.input<unsigned>(std::size_t{documents} * length);
    unsigned const word =
        memory.values<unsigned>(8).back(); // comes again after a period: most documents do not have it
    results<unsigned> const out = memory.output<unsigned>(documents);
    return {[=] { bad_word_in_documents<<<documents, 32>>>(texts, length, word, out.bad); },
            [=] { mended_word_in_documents<<<documents / 8, 256>>>(texts, length, word, out.mended); }};
}

// ---- the launch

namespace {

// Sum over a block of what an option is worth at the ends of some walks of the price, a walk a thread.
__device__ void sum_of_walks(float4 const option, unsigned seed, unsigned steps, float* room, float* out) {
    unsigned state = mixed_bits(seed * 1024 + threadIdx.x);
    float price = option.x;
#pragma unroll 4
    for (unsigned k = 0; k < steps; ++k) {
        state = state * 1664525u + 1013904223u;
        float const up = static_cast<float>(static_cast<int>(state)) * 0x1p-31f;
        price = fmaf(price, fmaf(option.y * 0.01f, up, 1e-4f), price);
    }
    float const worth = sum_of_warp(fmaxf(price - option.z * 0.5f, 0.0f));
    __syncthreads();
    if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = worth;
    __syncthreads();
    if (threadIdx.x < 32) {
        float const sum = sum_of_warp(room[threadIdx.x]);
        if (threadIdx.x == 0) *out = sum * option.w;
    }
}

} // namespace

// 280 options, four parts of their walks each: a large block an option, or a block a part. 264 blocks are resident.
KERNEL(__launch_bounds__(1024, 2) bad_worth_of_options)(float4 const* options, float* parts, unsigned steps) {
    __shared__ float room[32];
    for (unsigned part = 0; part < 4; ++part)
        sum_of_walks(options[blockIdx.x], blockIdx.x * 4 + part, steps, room, parts + blockIdx.x * 4 + part);
}
KERNEL(__launch_bounds__(1024, 2) mended_worth_of_options)(float4 const* options, float* parts, unsigned steps) {
    __shared__ float room[32];
    sum_of_walks(options[blockIdx.x / 4], blockIdx.x, steps, room, parts + blockIdx.x);
}
HIDDEN_PAIR(worth_of_options, tail_effect) {
    unsigned const options = memory.pick(280u, 2u), steps = memory.pick(1024u, 12u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{options} * 4));
    results<float> const out = memory.output<float>(std::size_t{options} * 4);
    return {[=] { bad_worth_of_options<<<options, 1024>>>(in, out.bad, steps); },
            [=] { mended_worth_of_options<<<options * 4, 1024>>>(in, out.mended, steps); }};
}

namespace {

// Check sums of a strip's streams, 128 side by side.
__device__ void decode_strip(unsigned const* words, unsigned begin, unsigned length, unsigned* sums) {
    unsigned sum = 0, before = 0x9e3779b9u;
    for (unsigned k = 0; k < length; ++k) {
        unsigned const word = words[std::size_t{begin + k} * 128 + threadIdx.x];
        before = __funnelshift_l(before, before, word & 31) ^ word;
        sum += before;
    }
    sums[threadIdx.x] = sum;
}

} // namespace

// Strips of a picture, the longer ones in its middle: a block has eight strips that lie together, or every 528th.
KERNEL(bad_strips)(unsigned const* words, unsigned const* begins, unsigned strips, unsigned* sums) {
    unsigned const own = (strips + gridDim.x - 1) / gridDim.x, first = blockIdx.x * own;
    for (unsigned strip = first; strip < min(first + own, strips); ++strip)
        decode_strip(words, begins[strip], begins[strip + 1] - begins[strip], sums + strip * 128);
}
KERNEL(mended_strips)(unsigned const* words, unsigned const* begins, unsigned strips, unsigned* sums) {
    for (unsigned strip = blockIdx.x; strip < strips; strip += gridDim.x)
        decode_strip(words, begins[strip], begins[strip + 1] - begins[strip], sums + strip * 128);
}
HIDDEN_PAIR(strips, workload_imbalance) {
    unsigned const grid = memory.pick(sms * 4u, 4u), strips = grid * 8;
    std::vector<unsigned> bounds{0};
    for (unsigned i = 0; i < strips; ++i) {
        double const off = (i + 0.5) / strips * 2 - 1; // of the middle
        bounds.push_back(bounds.back() + 12 + static_cast<unsigned>(300 / (1 + 40 * off * off)) + mixed_bits(i) % 8);
    }
    unsigned const* const begins = memory.upload(bounds);
    unsigned const* const words = memory.input<unsigned>(std::size_t{bounds.back()} * 128);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{strips} * 128);
    return {[=] { bad_strips<<<grid, 128>>>(words, begins, strips, out.bad); },
            [=] { mended_strips<<<grid, 128>>>(words, begins, strips, out.mended); }};
}

// As mended_strips: a word is loaded when it is needed, or eight at a time.
KERNEL(bad_strips_again)(unsigned const* words, unsigned const* begins, unsigned strips, unsigned* sums) {
    for (unsigned strip = blockIdx.x; strip < strips; strip += gridDim.x)
        decode_strip(words, begins[strip], begins[strip + 1] - begins[strip], sums + strip * 128);
}
KERNEL(mended_strips_again)(unsigned const* words, unsigned const* begins, unsigned strips, unsigned* sums) {
    for (unsigned strip = blockIdx.x; strip < strips; strip += gridDim.x) {
        unsigned const end = begins[strip + 1];
        unsigned sum = 0, before = 0x9e3779b9u;
        for (unsigned k = begins[strip]; k < end; k += 8) {
            unsigned word[8];
#pragma unroll
            for (unsigned j = 0; j < 8; ++j) word[j] = k + j < end ? words[std::size_t{k + j} * 128 + threadIdx.x] : 0;
#pragma unroll
            for (unsigned j = 0; j < 8; ++j) {
                if (k + j >= end) break;
                before = __funnelshift_l(before, before, word[j] & 31) ^ word[j];
                sum += before;
            }
        }
        sums[strip * 128 + threadIdx.x] = sum;
    }
}
AGAIN_PAIR(strips_again, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 4u, 4u), strips = grid * 8;
    std::vector<unsigned> bounds{0};
    for (unsigned i = 0; i < strips; ++i) {
        double const off = (i + 0.5) / strips * 2 - 1; // of the middle
        bounds.push_back(bounds.back() + 12 + static_cast<unsigned>(300 / (1 + 40 * off * off)) + mixed_bits(i) % 8);
    }
    unsigned const* const begins = memory.upload(bounds);
    unsigned const* const words = memory.input<unsigned>(std::size_t{bounds.back()} * 128);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{strips} * 128);
    return {[=] { bad_strips_again<<<grid, 128>>>(words, begins, strips, out.bad); },
            [=] { mended_strips_again<<<grid, 128>>>(words, begins, strips, out.mended); }};
}

namespace {

// Products of a sound with itself later, over a part of it, by one block: the sum of the own warp.
__device__ long long warp_products(short const* sound, unsigned first, unsigned end, unsigned later) {
    long long own = 0;
#pragma unroll 4
    for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x) own += int{sound[i]} * int{sound[i + later]};
    for (unsigned apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(~0u, own, apart);
    return own;
}
__device__ void add_to(long long* sum, long long own) {
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(own));
}
// They are added to `sum`, by each warp.
__device__ void add_products(short const* sound, unsigned first, unsigned end, unsigned later, long long* sum) {
    long long const own = warp_products(sound, first, end, later);
    if (threadIdx.x % 32 == 0) add_to(sum, own);
}

} // namespace

// Likeness of a sound to itself for 24 delays: a block a delay, or 44 blocks.
KERNEL(bad_echo_delays)(short const* sound, unsigned n, unsigned delay, long long* out) {
    add_products(sound, 0, n, blockIdx.x * delay, out + blockIdx.x);
}
KERNEL(mended_echo_delays)(short const* sound, unsigned n, unsigned delay, long long* out) {
    unsigned const part = n / gridDim.y, first = blockIdx.y * part;
    add_products(sound, first, blockIdx.y + 1 == gridDim.y ? n : first + part, blockIdx.x * delay, out + blockIdx.x);
}
HIDDEN_PAIR(echo_delays, small_grid) {
    unsigned const n = memory.pick(1u << 19, 1u << 13), delays = memory.pick(24u, 4u), delay = 441;
    short const* const sound = memory.input<short>(n + 24 * delay);
    results<long long> const out = memory.output<long long>(delays, 0);
    dim3 const parts(delays, 44);
    return {[=] { bad_echo_delays<<<delays, 512>>>(sound, n, delay, out.bad); },
            [=] { mended_echo_delays<<<parts, 512>>>(sound, n, delay, out.mended); }};
}

// As mended_echo_delays: each warp adds its sum to that of the delay, or each block.
KERNEL(bad_echo_delays_again)(short const* sound, unsigned n, unsigned delay, long long* out) {
    unsigned const part = n / gridDim.y, first = blockIdx.y * part;
    add_products(sound, first, blockIdx.y + 1 == gridDim.y ? n : first + part, blockIdx.x * delay, out + blockIdx.x);
}
KERNEL(mended_echo_delays_again)(short const* sound, unsigned n, unsigned delay, long long* out) {
    __shared__ long long of_warps[16];
    unsigned const part = n / gridDim.y, first = blockIdx.y * part;
    unsigned const end = blockIdx.y + 1 == gridDim.y ? n : first + part;
    long long const own = warp_products(sound, first, end, blockIdx.x * delay);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x != 0) return;
    long long sum = 0;
    for (long long const each : of_warps) sum += each;
    add_to(out + blockIdx.x, sum);
}
AGAIN_PAIR(echo_delays_again, global_atomic_contention) {
    unsigned const n = memory.pick(1u << 19, 1u << 13), delays = memory.pick(24u, 4u), delay = 441;
    short const* const sound = memory.input<short>(n + 24 * delay);
    results<long long> const out = memory.output<long long>(delays, 0);
    dim3 const parts(delays, 44);
    return {[=] { bad_echo_delays_again<<<parts, 512>>>(sound, n, delay, out.bad); },
            [=] { mended_echo_delays_again<<<parts, 512>>>(sound, n, delay, out.mended); }};
}

// ---- computing

namespace {

__constant__ unsigned long long const round_marks[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

__device__ unsigned long long rotated(unsigned long long x, unsigned by) {
    return by == 0 ? x : x << by | x >> (64 - by);
}

// Permutation of a state of 25 words, by columns' parities, rotations, places and a product of bits: SHA-3's.
__device__ void permute(unsigned long long (&state)[25]) {
    constexpr unsigned char turns[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                         25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
#pragma unroll 1
    for (unsigned round = 0; round < 24; ++round) {
        unsigned long long parity[5], moved[25];
#pragma unroll
        for (unsigned x = 0; x < 5; ++x)
            parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
#pragma unroll
        for (unsigned y = 0; y < 5; ++y)
#pragma unroll
            for (unsigned x = 0; x < 5; ++x)
                moved[y + (2 * x + 3 * y) % 5 * 5] =
                    rotated(state[x + 5 * y] ^ parity[(x + 4) % 5] ^ rotated(parity[(x + 1) % 5], 1), turns[x + 5 * y]);
#pragma unroll
        for (unsigned y = 0; y < 25; y += 5)
#pragma unroll
            for (unsigned x = 0; x < 5; ++x)
                state[x + y] = moved[x + y] ^ (~moved[(x + 1) % 5 + y] & moved[(x + 2) % 5 + y]);
        state[0] ^= round_marks[round];
    }
}
__device__ void digest(unsigned long long const* messages, unsigned blocks, unsigned long long* out) {
    unsigned const n = gridDim.x * blockDim.x;
    unsigned long long state[25] = {};
    for (unsigned block = 0; block < blocks; ++block) {
#pragma unroll
        for (unsigned k = 0; k < 17; ++k) state[k] ^= messages[std::size_t{block * 17 + k} * n + global_thread()];
        permute(state);
    }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) out[k * n + global_thread()] = state[k];
}

} // namespace

// Digests of messages: bounds that ask for all warps that an SM can have, or none.
KERNEL(__launch_bounds__(128, 16) bad_digests)
(unsigned long long const* messages, unsigned blocks, unsigned long long* out) { digest(messages, blocks, out); }
KERNEL(__launch_bounds__(128) mended_digests)
(unsigned long long const* messages, unsigned blocks, unsigned long long* out) { digest(messages, blocks, out); }
HIDDEN_PAIR(digests, register_spills) {
    unsigned const grid = memory.pick(sms * 48u, 2u), blocks = memory.pick(1u, 2u);
    std::size_t const n = std::size_t{grid} * 128;
    auto const* const messages =
        reinterpret_cast<unsigned long long const*>(memory.input<unsigned>(n * 17 * blocks * 2));
    results<unsigned long long> const out = memory.output<unsigned long long>(n * 4, 0);
    return {[=] { bad_digests<<<grid, 128>>>(messages, blocks, out.bad); },
            [=] { mended_digests<<<grid, 128>>>(messages, blocks, out.mended); }};
}

// A picture as another lens sees it: literals of the formula without f, or with it.
KERNEL(bad_other_lens)(float const* in, float* out, int width, int height, float k1, float k2) {
    int const x = static_cast<int>(blockIdx.x * 32 + threadIdx.x), y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
    if (x >= width || y >= height) return;
    float const dx = 2.0 * x / width - 1.0, dy = 2.0 * y / height - 1.0;
    float const square = dx * dx + dy * dy;
    float const factor = 1.0 + k1 * square + 0.5 * k2 * square * square;
    float const sx = fminf(fmaxf(0.5 * (dx * factor + 1.0) * width, 0.0f), width - 2.0f);
    float const sy = fminf(fmaxf(0.5 * (dy * factor + 1.0) * height, 0.0f), height - 2.0f);
    int const column = static_cast<int>(sx), row = static_cast<int>(sy);
    float const right = sx - column, below = sy - row;
    float const* const at = in + row * width + column;
    out[y * width + x] = (1.0 - below) * ((1.0 - right) * at[0] + right * at[1]) +
                         below * ((1.0 - right) * at[width] + right * at[width + 1]);
}
KERNEL(mended_other_lens)(float const* in, float* out, int width, int height, float k1, float k2) {
    int const x = static_cast<int>(blockIdx.x * 32 + threadIdx.x), y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
    if (x >= width || y >= height) return;
    float const w = static_cast<float>(width), h = static_cast<float>(height);
    float const dx = 2.0f * x / w - 1.0f, dy = 2.0f * y / h - 1.0f;
    float const square = dx * dx + dy * dy;
    float const factor = 1.0f + k1 * square + 0.5f * k2 * square * square;
    float const sx = fminf(fmaxf(0.5f * (dx * factor + 1.0f) * w, 0.0f), w - 2.0f);
    float const sy = fminf(fmaxf(0.5f * (dy * factor + 1.0f) * h, 0.0f), h - 2.0f);
    int const column = static_cast<int>(sx), row = static_cast<int>(sy);
    float const right = sx - column, below = sy - row;
    float const* const at = in + row * width + column;
    out[y * width + x] = (1.0f - below) * ((1.0f - right) * at[0] + right * at[1]) +
                         below * ((1.0f - right) * at[width] + right * at[width + 1]);
}
HIDDEN_PAIR(other_lens, accidental_fp64) {
    int const width = memory.pick(1900, 70), height = memory.pick(1000, 20);
    float const* const in = memory.input<float>(static_cast<std::size_t>(width * height));
    results<float> const out = memory.output<float>(static_cast<std::size_t>(width * height), 1e-2);
    dim3 const block(32, 8);
    dim3 const grid(blocks_for(static_cast<std::size_t>(width), 32), blocks_for(static_cast<std::size_t>(height), 8));
    return {[=] { bad_other_lens<<<grid, block>>>(in, out.bad, width, height, -0.12f, 0.03f); },
            [=] { mended_other_lens<<<grid, block>>>(in, out.mended, width, height, -0.12f, 0.03f); }};
}

namespace {

// Whether all of four bits of a Bloom filter are set for a key; `place` says where a hash of 64 bits has its bit.
template <class Place>
__device__ unsigned char may_contain(unsigned const* filter, unsigned key, Place place) {
    unsigned long long const first = mixed_bits(key) | static_cast<unsigned long long>(mixed_bits(key + 77)) << 32;
    unsigned long long const second = first * 0x9e3779b97f4a7c15ull | 1;
    unsigned all = 1;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        unsigned const bit = place(first + k * second);
        all &= filter[bit / 32] >> bit % 32;
    }
    return static_cast<unsigned char>(all & 1);
}

} // namespace

// Keys of a join that a Bloom filter lets pass; its bits, a power of two, are counted off by remainders, or by a mask.
KERNEL(bad_filtered_keys)
(unsigned const* keys, unsigned n, unsigned const* filter, unsigned long long bits, unsigned char* out) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
        out[i] = may_contain(filter, keys[i],
                             [bits](unsigned long long hash) { return static_cast<unsigned>(hash % bits); });
}
KERNEL(mended_filtered_keys)
(unsigned const* keys, unsigned n, unsigned const* filter, unsigned mask, unsigned char* out) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
        out[i] = may_contain(filter, keys[i],
                             [mask](unsigned long long hash) { return static_cast<unsigned>(hash) & mask; });
}
HIDDEN_PAIR(filtered_keys, integer_division) {
    unsigned const n = memory.pick(full_grid * 256u * 8, 4000u), bits = 1u << 17, grid = memory.pick(full_grid, 4u);
    unsigned const* const keys = memory.input<unsigned>(n);
    std::vector<unsigned> words;
    for (unsigned i = 0; i < bits / 32; ++i) words.push_back(mixed_bits(i) | mixed_bits(i + bits));
    unsigned const* const filter = memory.upload(words);
    results<unsigned char> const out = memory.output<unsigned char>(n, 0);
    return {[=] { bad_filtered_keys<<<grid, 256>>>(keys, n, filter, bits, out.bad); },
            [=] { mended_filtered_keys<<<grid, 256>>>(keys, n, filter, bits - 1, out.mended); }};
}

namespace {

struct exact_functions {
    __device__ static float exponential(float x) { return expf(x); }
    __device__ static float quotient(float a, float b) { return a / b; }
};
struct near_functions {
    __device__ static float exponential(float x) { return __expf(x); }
    __device__ static float quotient(float a, float b) { return __fdividef(a, b); }
};
// A nerve cell by Hodgkin and Huxley: its voltage in mV after some steps of 10 us.
template <class Functions>
__device__ float voltage_of_cell(float current, unsigned steps) {
    auto const e = [](float x) { return Functions::exponential(x); };
    auto const over = [](float a, float b) { return Functions::quotient(a, b); };
    float v = -64.9f, m = 0.053f, h = 0.596f, n = 0.317f;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        float const am = over(0.1f * (v + 40), 1 - e(-0.1f * (v + 40))), bm = 4 * e(over(-(v + 65), 18.0f));
        float const ah = 0.07f * e(-0.05f * (v + 65)), bh = over(1.0f, 1 + e(-0.1f * (v + 35)));
        float const an = over(0.01f * (v + 55), 1 - e(-0.1f * (v + 55))), bn = 0.125f * e(-0.0125f * (v + 65));
        m += 0.01f * (am * (1 - m) - bm * m), h += 0.01f * (ah * (1 - h) - bh * h),
            n += 0.01f * (an * (1 - n) - bn * n);
        float const square = n * n;
        v += 0.01f * (current - 120 * m * m * m * h * (v - 50) - 36 * square * square * (v + 77) - 0.3f * (v + 54.4f));
    }
    return v;
}

} // namespace

// Exact functions, or near ones.
KERNEL(bad_nerve_cells)(float const* currents, float* out, unsigned steps) {
    out[global_thread()] = voltage_of_cell<exact_functions>(4 * currents[global_thread()], steps);
}
KERNEL(mended_nerve_cells)(float const* currents, float* out, unsigned steps) {
    out[global_thread()] = voltage_of_cell<near_functions>(4 * currents[global_thread()], steps);
}
HIDDEN_PAIR(nerve_cells, slow_functions) {
    unsigned const grid = memory.pick(sms * 15u, 2u), steps = memory.pick(100u, 10u);
    float const* const currents = memory.input<float>(std::size_t{grid} * 128);
    results<float> const out = memory.output<float>(std::size_t{grid} * 128, 2e-3);
    return {[=] { bad_nerve_cells<<<grid, 128>>>(currents, out.bad, steps); },
            [=] { mended_nerve_cells<<<grid, 128>>>(currents, out.mended, steps); }};
}

namespace {

// Heights of the sea at `Together` places at once, by Clenshaw's sum of a series whose factors are in shared memory.
template <unsigned Together>
__device__ void heights_of_sea(float const* factors, unsigned terms, float const* angles, float* out, unsigned first) {
    unsigned const n = gridDim.x * blockDim.x;
    float twice[Together], one[Together] = {}, two[Together] = {};
#pragma unroll
    for (unsigned i = 0; i < Together; ++i) twice[i] = angles[(first + i) * n + global_thread()];
#pragma unroll 4
    for (unsigned k = terms; k > 0; --k)
#pragma unroll
        for (unsigned i = 0; i < Together; ++i) {
            float const sum = fmaf(twice[i], one[i], factors[k - 1] - two[i]);
            two[i] = one[i], one[i] = sum;
        }
#pragma unroll
    for (unsigned i = 0; i < Together; ++i) out[(first + i) * n + global_thread()] = one[i] - 0.5f * twice[i] * two[i];
}
__device__ void copy_factors(float const* from, float* to, unsigned terms) {
    for (unsigned k = threadIdx.x; k < terms; k += blockDim.x) to[k] = from[k] / static_cast<float>(k + 1);
    __syncthreads();
}

} // namespace

// Tides at four places a thread, a warp a scheduler: one place after another, or the four together.
KERNEL(bad_tides)(float const* in, unsigned terms, float const* angles, float* out) {
    __shared__ float factors[1024];
    copy_factors(in, factors, terms);
#pragma unroll 1
    for (unsigned k = 0; k < 4; ++k) heights_of_sea<1>(factors, terms, angles, out, k);
}
KERNEL(mended_tides)(float const* in, unsigned terms, float const* angles, float* out) {
    __shared__ float factors[1024];
    copy_factors(in, factors, terms);
    heights_of_sea<4>(factors, terms, angles, out, 0);
}
HIDDEN_PAIR(tides, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 2u), terms = memory.pick(1024u, 64u);
    std::size_t const n = std::size_t{grid} * 128 * 4;
    float const* const factors = memory.input<float>(terms);
    float const* const angles = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_tides<<<grid, 128>>>(factors, terms, angles, out.bad); },
            [=] { mended_tides<<<grid, 128>>>(factors, terms, angles, out.mended); }};
}

namespace {

__constant__ float weights_of_field[16 * 4 + 16 * 17 + 17];

struct fused {
    __device__ static float multiply_add(float a, float b, float c) { return fmaf(a, b, c); }
};
struct rounded_twice { // as the CPU's program has it
    __device__ static float multiply_add(float a, float b, float c) { return __fadd_rn(__fmul_rn(a, b), c); }
};
// Distance to a shape that a network with two layers of 16 knows.
template <class Arithmetic>
__device__ float distance_to_shape(float x, float y, float z) {
    float first[16], second[16];
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) {
        float const* const w = weights_of_field + i * 4;
        float const sum = Arithmetic::multiply_add(w[2], z, Arithmetic::multiply_add(w[1], y, w[3] - 1.0f));
        first[i] = fmaxf(Arithmetic::multiply_add(w[0], x, sum), 0.0f);
    }
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) {
        float const* const w = weights_of_field + 64 + i * 17;
        float sum = w[16] - 1.0f;
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) sum = Arithmetic::multiply_add(w[k], first[k], sum);
        second[i] = fmaxf(sum, 0.0f);
    }
    float const* const w = weights_of_field + 64 + 16 * 17;
    float sum = w[16];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) sum = Arithmetic::multiply_add(w[k], second[k], sum);
    return sum;
}

} // namespace

// Points of a field: two roundings, so that it agrees with the CPU to the last bit, or one.
KERNEL(bad_learned_shape)(float4 const* points, float* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float4 const p = points[i];
        out[i] = distance_to_shape<rounded_twice>(p.x, p.y, p.z) * p.w;
    }
}
KERNEL(mended_learned_shape)(float4 const* points, float* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float4 const p = points[i];
        out[i] = distance_to_shape<fused>(p.x, p.y, p.z) * p.w;
    }
}
HIDDEN_PAIR(learned_shape, unfused_arithmetic) {
    unsigned const n = memory.pick(full_grid * 256u * 8, 3000u), grid = memory.pick(full_grid, 4u);
    CHECK_CUDA(cudaMemcpyToSymbol(weights_of_field, memory.values<float>(16 * 4 + 16 * 17 + 17).data(),
                                  sizeof weights_of_field));
    auto const* const points = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_learned_shape<<<grid, 256>>>(points, out.bad, n); },
            [=] { mended_learned_shape<<<grid, 256>>>(points, out.mended, n); }};
}

namespace {

// Loads 64 rows of 64 halves that lie `pitch` apart into a tile.
__device__ void load_tile(half (*tile)[72], half const* from, unsigned pitch) {
#pragma unroll
    for (unsigned i = threadIdx.x; i < 64 * 8; i += 128)
        *reinterpret_cast<uint4*>(&tile[i / 8][i % 8 * 8]) =
            *reinterpret_cast<uint4 const*>(from + std::size_t{i / 8} * pitch + i % 8 * 8);
}

} // namespace

// Vectors of 256 halves for the words of a text become ones of 64 by a matrix: products by FP32, or by tensor cores.
KERNEL(__launch_bounds__(128) bad_shorter_vectors)(half const* words, half const* matrix, float* out) {
    __shared__ __align__(16) half from_words[64][72], from_matrix[64][72];
    unsigned const row = threadIdx.x / 16 * 8, column = threadIdx.x % 16 * 4;
    float sums[8][4] = {};
    for (unsigned first = 0; first < 256; first += 64) {
        __syncthreads();
        load_tile(from_words, words + std::size_t{blockIdx.x} * 64 * 256 + first, 256);
        load_tile(from_matrix, matrix + std::size_t{first} * 64, 64);
        __syncthreads();
#pragma unroll 4
        for (unsigned k = 0; k < 64; ++k) {
            float2 const b = __half22float2(*reinterpret_cast<half2 const*>(&from_matrix[k][column]));
            float2 const c = __half22float2(*reinterpret_cast<half2 const*>(&from_matrix[k][column + 2]));
#pragma unroll
            for (unsigned i = 0; i < 8; ++i) {
                float const a = __half2float(from_words[row + i][k]);
                sums[i][0] += a * b.x, sums[i][1] += a * b.y, sums[i][2] += a * c.x, sums[i][3] += a * c.y;
            }
        }
    }
#pragma unroll
    for (unsigned i = 0; i < 8; ++i)
        *reinterpret_cast<float4*>(out + (std::size_t{blockIdx.x} * 64 + row + i) * 64 +
                                   column) = {sums[i][0], sums[i][1], sums[i][2], sums[i][3]};
}
KERNEL(__launch_bounds__(128) mended_shorter_vectors)(half const* words, half const* matrix, float* out) {
    using namespace nvcuda::wmma;
    __shared__ __align__(32) half from_words[64][72], from_matrix[64][72];
    unsigned const row = threadIdx.x / 32 * 16;
    fragment<accumulator, 16, 16, 16, float> sums[4];
    for (auto& each : sums) fill_fragment(each, 0.0f);
    for (unsigned first = 0; first < 256; first += 64) {
        __syncthreads();
        load_tile(from_words, words + std::size_t{blockIdx.x} * 64 * 256 + first, 256);
        load_tile(from_matrix, matrix + std::size_t{first} * 64, 64);
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < 64; k += 16) {
            fragment<matrix_a, 16, 16, 16, half, row_major> a;
            load_matrix_sync(a, &from_words[row][k], 72);
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) {
                fragment<matrix_b, 16, 16, 16, half, row_major> b;
                load_matrix_sync(b, &from_matrix[k][i * 16], 72);
                mma_sync(sums[i], a, b, sums[i]);
            }
        }
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
        store_matrix_sync(out + (std::size_t{blockIdx.x} * 64 + row) * 64 + i * 16, sums[i], 64, mem_row_major);
}
HIDDEN_PAIR(shorter_vectors, no_tensor_cores) {
    unsigned const grid = memory.pick(sms * 24u, 2u);
    std::size_t const n = std::size_t{grid} * 64;
    half const* const words = memory.input<half>(n * 256);
    half const* const matrix = memory.input<half>(256 * 64);
    results<float> const out = memory.output<float>(n * 64, 1e-3);
    return {[=] { bad_shorter_vectors<<<grid, 128>>>(words, matrix, out.bad); },
            [=] { mended_shorter_vectors<<<grid, 128>>>(words, matrix, out.mended); }};
}

// ---- without a flaw

// Grey and two colours of pictures, by planes, become red; four pixels a thread and turn.
KERNEL(clean_red_of_planes)(float4 const* grey, float4 const* reddish, float4* out, unsigned n) {
#pragma unroll 4
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float4 const g = grey[i], r = reddish[i];
        out[i] = {fmaf(1.402f, r.x - 0.5f, g.x), fmaf(1.402f, r.y - 0.5f, g.y), fmaf(1.402f, r.z - 0.5f, g.z),
                  fmaf(1.402f, r.w - 0.5f, g.w)};
    }
}
HIDDEN_CLEAN(red_of_planes) {
    unsigned const n = memory.pick(full_grid * 256u * 4 * 24, 4096u), grid = memory.pick(full_grid, 2u);
    auto const* const grey = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const reddish = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const in(n);
    float* const out = memory.clean_output<float>(n, [in](std::size_t i) { return in[i] + 1.402 * (in[i] - 0.5); });
    return {{}, [=] { clean_red_of_planes<<<grid, 256>>>(grey, reddish, reinterpret_cast<float4*>(out), n / 4); }};
}

// Springs swing for some steps, four a thread, by leapfrog; a turn is 2 * pi of time.
KERNEL(clean_swinging_springs)(float4 const* places, float4* out, unsigned steps, float dt) {
    float4 const begin = places[global_thread()];
    float x[4] = {begin.x, begin.y, begin.z, begin.w}, v[4];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) v[i] = -0.5f * dt * x[i]; // half a step later
#pragma unroll 4
    for (unsigned k = 0; k < steps; ++k)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) x[i] = fmaf(dt, v[i], x[i]), v[i] = fmaf(-dt, x[i], v[i]);
    out[global_thread()] = {x[0] + 2, x[1] + 2, x[2] + 2, x[3] + 2};
}
HIDDEN_CLEAN(swinging_springs) {
    unsigned const grid = memory.pick(full_grid * 6u, 2u), steps = memory.pick(512u, 128u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const places = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const in(n);
    double const time = steps * 0x1p-8;
    float* const out = memory.clean_output<float>(n, [=](std::size_t i) { return in[i] * std::cos(time) + 2; });
    return {{}, [=] { clean_swinging_springs<<<grid, 256>>>(places, reinterpret_cast<float4*>(out), steps, 0x1p-8f); }};
}

// Smallest values of pages of 2048 rows of a column, by which a database leaves out pages: a warp a page.
KERNEL(clean_smallest_of_pages)(uint4 const* column, unsigned* smallest, unsigned pages) {
    unsigned const page = global_thread() / 32, lane = threadIdx.x % 32;
    if (page >= pages) return; // a whole warp
    unsigned least = ~0u;
#pragma unroll 8
    for (unsigned k = lane; k < 512; k += 32) {
        uint4 const v = column[std::size_t{page} * 512 + k];
        least = min(least, min(min(v.x, v.y), min(v.z, v.w)));
    }
    least = __reduce_min_sync(~0u, least);
    if (lane == 0) smallest[page] = least;
}
HIDDEN_CLEAN(smallest_of_pages) {
    unsigned const pages = memory.pick(full_grid * 8u * 4, 16u);
    std::size_t const n = std::size_t{pages} * 2048;
    auto const* const column = reinterpret_cast<uint4 const*>(memory.input<unsigned>(n));
    auto const in = std::make_shared<std::vector<unsigned> const>(
        memory.values<unsigned>(std::min<std::size_t>(n, workspace::period)));
    unsigned* const out = memory.clean_output<unsigned>(pages, [in](std::size_t page) {
        unsigned least = ~0u;
        for (std::size_t i = page * 2048; i < (page + 1) * 2048; ++i) least = std::min(least, (*in)[i % in->size()]);
        return static_cast<double>(least);
    });
    return {{}, [=] { clean_smallest_of_pages<<<blocks_for(pages, 8), 256>>>(column, out, pages); }};
}

// A sound through a filter of 32 taps, by a tile in shared memory, eight samples a thread, of which each is loaded once.
KERNEL(clean_filtered_sound)(float const* sound, float const* taps, float* out) {
    __shared__ float tile[2048 + 32 + (2048 + 32) / 8]; // sample i at i + i / 8
    __shared__ float own_taps[32];
    float const* const from = sound + std::size_t{blockIdx.x} * 2048;
    for (unsigned i = threadIdx.x; i < 2048 + 32; i += 256) tile[i + i / 8] = from[i];
    if (threadIdx.x < 32) own_taps[threadIdx.x] = taps[threadIdx.x];
    __syncthreads();
    float const* const at = tile + threadIdx.x * 9;
    float window[8], sums[8] = {};
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) window[i] = at[i];
#pragma unroll
    for (unsigned k = 0; k < 32; ++k) {
#pragma unroll
        for (unsigned i = 0; i < 8; ++i) sums[i] = fmaf(own_taps[k], window[(i + k) % 8], sums[i]);
        window[k % 8] = at[k + 8 + (k + 8) / 8];
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) tile[threadIdx.x * 9 + i] = sums[i];
    __syncthreads();
#pragma unroll
    for (unsigned i = threadIdx.x; i < 2048; i += 256) out[std::size_t{blockIdx.x} * 2048 + i] = tile[i + i / 8];
}
HIDDEN_CLEAN(filtered_sound) {
    unsigned const grid = memory.pick(full_grid * 8u, 2u);
    std::size_t const n = std::size_t{grid} * 2048;
    float const* const sound = memory.input<float>(n + 32);
    float const* const taps = memory.input<float>(32);
    pattern const in(n + 32);
    float* const out = memory.clean_output<float>(n, [in](std::size_t i) {
        double sum = 0;
        for (std::size_t k = 0; k < 32; ++k) sum += in[i + k] * in[k];
        return sum;
    });
    return {{}, [=] { clean_filtered_sound<<<grid, 256>>>(sound, taps, out); }};
}
