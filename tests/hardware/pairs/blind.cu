// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs and clean kernels of a fifth group, after programs of many fields. They were written by somebody who had not read the rules
// and saw no findings; to be judged once.
#include <utility>

#include <mma.h>

#include "pair.hpp"

// ---- global memory: how data lies, and how it is read

namespace {

constexpr unsigned directions = 9;

// A cell of a lattice Boltzmann code in two dimensions relaxes; its densities are `apart` floats from each other.
__device__ void relax_cell(float const* in, float* out, std::size_t apart, float rate) {
    constexpr float cx[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    constexpr float cy[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr float weight[directions] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                                          1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    float f[directions], density = 0, x = 0, y = 0;
#pragma unroll
    for (unsigned k = 0; k < directions; ++k) {
        f[k] = in[k * apart];
        density += f[k];
        x = fmaf(cx[k], f[k], x);
        y = fmaf(cy[k], f[k], y);
    }
    x = __fdividef(x, density);
    y = __fdividef(y, density);
    float const rest = fmaf(-1.5f, fmaf(x, x, y * y), 1.0f);
#pragma unroll
    for (unsigned k = 0; k < directions; ++k) {
        float const along = 3 * fmaf(cx[k], x, cy[k] * y);
        float const balance = weight[k] * density * (rest + fmaf(0.5f * along, along, along));
        out[k * apart] = fmaf(rate, balance - f[k], f[k]);
    }
}

} // namespace

// The densities of a cell beside each other, or direction by direction.
KERNEL(bad_lattice_cells)(float const* in, float* out, float rate) {
    std::size_t const at = std::size_t{global_thread()} * directions;
    relax_cell(in + at, out + at, 1, rate);
}
KERNEL(mended_lattice_cells)(float const* in, float* out, float rate) {
    relax_cell(in + global_thread(), out + global_thread(), gridDim.x * blockDim.x, rate);
}
BLIND_PAIR(lattice_cells, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid * 6, 8u);
    std::size_t const n = std::size_t{grid} * 256;
    std::vector<float> const cells = memory.values<float>(n * directions);
    std::vector<float> apart(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) apart[i % directions * n + i / directions] = cells[i];
    float const* const together = memory.upload(cells);
    float const* const by_direction = memory.upload(apart);
    results<float> const out = memory.output<float>(n * directions, 1e-3, n * directions,
                                                    [n](std::size_t i) { return i % n * directions + i / n; });
    return {[=] { bad_lattice_cells<<<grid, 256>>>(together, out.bad, 0.6f); },
            [=] { mended_lattice_cells<<<grid, 256>>>(by_direction, out.mended, 0.6f); }};
}

// Means of 64 channels of pictures whose channels lie beside each other: a block a channel, or lanes a channel each.
KERNEL(bad_channel_means)(float const* in, float* means, unsigned pixels) {
    unsigned const each = pixels / gridDim.y;
    float const* const at = in + std::size_t{blockIdx.y} * each * 64 + blockIdx.x;
    float sum = 0;
#pragma unroll 8
    for (unsigned p = threadIdx.x; p < each; p += 256) sum += at[p * 64];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) atomicAdd(means + blockIdx.x, sum / static_cast<float>(pixels));
}
KERNEL(mended_channel_means)(float const* in, float* means, unsigned pixels) {
    __shared__ float part[4][64];
    unsigned const each = pixels / gridDim.x;
    unsigned const channel = threadIdx.x % 64;
    float const* const at = in + std::size_t{blockIdx.x} * each * 64 + channel;
    float sum = 0;
#pragma unroll 8
    for (unsigned p = threadIdx.x / 64; p < each; p += 4) sum += at[p * 64];
    part[threadIdx.x / 64][channel] = sum;
    __syncthreads();
    if (threadIdx.x >= 64) return;
    sum = part[0][channel] + part[1][channel] + part[2][channel] + part[3][channel];
    atomicAdd(means + channel, sum / static_cast<float>(pixels));
}
BLIND_PAIR(channel_means, uncoalesced_global_access) {
    unsigned const grid = memory.pick(sms * 8u, 4u);
    unsigned const parts = memory.pick(33u, 1u); // of the bad kernel, for each channel
    unsigned const pixels = grid * 256;
    float const* const in = memory.input<float>(std::size_t{pixels} * 64);
    results<float> const out = memory.output<float>(64, 1e-3);
    return {[=] { bad_channel_means<<<dim3(64, parts), 256>>>(in, out.bad, pixels); },
            [=] { mended_channel_means<<<grid, 256>>>(in, out.mended, pixels); }};
}

namespace {

// Sobel's gradient of a picture of bytes; `in` has a row more above and below and a byte more on the left.
__device__ void gradient(unsigned char const* in, unsigned char* out, unsigned pitch, unsigned width) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned char const* const above = in + std::size_t{y} * pitch + x;
    unsigned char const* const here = above + pitch;
    unsigned char const* const below = here + pitch;
    int const across = above[2] + 2 * here[2] + below[2] - above[0] - 2 * here[0] - below[0];
    int const down = below[0] + 2 * below[1] + below[2] - above[0] - 2 * above[1] - above[2];
    out[std::size_t{y} * width + x] = static_cast<unsigned char>(min(abs(across) + abs(down), 255));
}

} // namespace

// A block of 8 x 32 pixels, so that a warp has four rows of 8 bytes, or of 128 x 2.
KERNEL(bad_edge_bytes)(unsigned char const* in, unsigned char* out, unsigned pitch, unsigned width) {
    gradient(in, out, pitch, width);
}
KERNEL(mended_edge_bytes)(unsigned char const* in, unsigned char* out, unsigned pitch, unsigned width) {
    gradient(in, out, pitch, width);
}
BLIND_PAIR(edge_bytes, uncoalesced_global_access) {
    unsigned const width = memory.pick(8192u, 256u);
    unsigned const height = memory.pick(4096u, 64u);
    unsigned const pitch = width + 32;
    auto const* const in = memory.input<unsigned char>(std::size_t{pitch} * (height + 2));
    results<unsigned char> const out = memory.output<unsigned char>(std::size_t{width} * height, 0);
    return {[=] { bad_edge_bytes<<<dim3(width / 8, height / 32), dim3(8, 32)>>>(in, out.bad, pitch, width); },
            [=] { mended_edge_bytes<<<dim3(width / 128, height / 2), dim3(128, 2)>>>(in, out.mended, pitch, width); }};
}

namespace {

// The same of four pixels beside each other, by six loads of four bytes.
__device__ void gradients(unsigned const* in, unsigned* out, unsigned pitch, unsigned width) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    int rows[3][6];
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) {
        unsigned const* const row = in + std::size_t{y + k} * (pitch / 4) + x;
        unsigned const left = row[0], right = row[1];
#pragma unroll
        for (unsigned i = 0; i < 6; ++i) rows[k][i] = static_cast<int>((i < 4 ? left : right) >> 8 * (i % 4) & 255);
    }
    unsigned four = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        int const across =
            rows[0][i + 2] + 2 * rows[1][i + 2] + rows[2][i + 2] - rows[0][i] - 2 * rows[1][i] - rows[2][i];
        int const down =
            rows[2][i] + 2 * rows[2][i + 1] + rows[2][i + 2] - rows[0][i] - 2 * rows[0][i + 1] - rows[0][i + 2];
        four |= static_cast<unsigned>(min(abs(across) + abs(down), 255)) << 8 * i;
    }
    out[std::size_t{y} * (width / 4) + x] = four;
}

} // namespace

// The picture of mended_edge_bytes: a pixel of a thread, or four.
KERNEL(bad_edge_bytes_again)(unsigned char const* in, unsigned char* out, unsigned pitch, unsigned width) {
    gradient(in, out, pitch, width);
}
KERNEL(mended_edge_bytes_again)(unsigned const* in, unsigned* out, unsigned pitch, unsigned width) {
    gradients(in, out, pitch, width);
}
AGAIN_PAIR(edge_bytes_again, narrow_global_access) {
    unsigned const width = memory.pick(8192u, 512u);
    unsigned const height = memory.pick(4096u, 64u);
    unsigned const pitch = width + 32;
    auto const* const in = memory.input<unsigned char>(std::size_t{pitch} * (height + 2));
    results<unsigned char> const out = memory.output<unsigned char>(std::size_t{width} * height, 0);
    return {[=] { bad_edge_bytes_again<<<dim3(width / 128, height / 2), dim3(128, 2)>>>(in, out.bad, pitch, width); },
            [=] {
                mended_edge_bytes_again<<<dim3(width / 512, height / 2), dim3(128, 2)>>>(
                    reinterpret_cast<unsigned const*>(in), reinterpret_cast<unsigned*>(out.mended), pitch, width);
            }};
}

// Energies of particles of which only the place matters: from records of 32 bytes, or from an array of places.
KERNEL(bad_places_of_records)(float4 const* records, float* out, float spring) {
    float4 const p = records[global_thread() * 2];
    out[global_thread()] = spring * p.w * fmaf(p.x, p.x, fmaf(p.y, p.y, p.z * p.z));
}
KERNEL(mended_places_of_records)(float4 const* places, float* out, float spring) {
    float4 const p = places[global_thread()];
    out[global_thread()] = spring * p.w * fmaf(p.x, p.x, fmaf(p.y, p.y, p.z * p.z));
}
BLIND_PAIR(places_of_records, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid * 16, 8u);
    std::size_t const n = std::size_t{grid} * 256;
    std::vector<float> const records = memory.values<float>(n * 8);
    std::vector<float> places(n * 4);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = records[i / 4 * 8 + i % 4];
    auto const* const all = reinterpret_cast<float4 const*>(memory.upload(records));
    auto const* const some = reinterpret_cast<float4 const*>(memory.upload(places));
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_places_of_records<<<grid, 256>>>(all, out.bad, 0.5f); },
            [=] { mended_places_of_records<<<grid, 256>>>(some, out.mended, 0.5f); }};
}

namespace {

constexpr unsigned record_words = 64;

} // namespace

// Hashes of records of 256 bytes, a thread a record: byte by byte, or 16 bytes at a time.
KERNEL(bad_record_bytes)(uint4 const* records, unsigned* out) {
    auto const* const own = reinterpret_cast<unsigned char const*>(records + global_thread() * (record_words / 4));
    unsigned hash = 2166136261u;
#pragma unroll 4
    for (unsigned k = 0; k < record_words * 4; ++k) hash = (hash ^ own[k]) * 16777619u;
    out[global_thread()] = hash;
}
KERNEL(mended_record_bytes)(uint4 const* records, unsigned* out) {
    uint4 const* const own = records + global_thread() * (record_words / 4);
    unsigned hash = 2166136261u;
#pragma unroll 2
    for (unsigned k = 0; k < record_words / 4; ++k) {
        uint4 const v = own[k];
        unsigned const words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (unsigned j = 0; j < 16; ++j) hash = (hash ^ (words[j / 4] >> j % 4 * 8 & 255)) * 16777619u;
    }
    out[global_thread()] = hash;
}
BLIND_PAIR(record_bytes, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid, 4u);
    auto const* const records =
        reinterpret_cast<uint4 const*>(memory.input<unsigned>(std::size_t{grid} * 256 * record_words));
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad_record_bytes<<<grid, 256>>>(records, out.bad); },
            [=] { mended_record_bytes<<<grid, 256>>>(records, out.mended); }};
}

namespace {

constexpr unsigned merged = 1024; // values of each of two sorted lists of a block, 8 of the 2048 a thread

// The part of a thread when two sorted lists become one: its first place by a search along a diagonal, then 8 values.
__device__ void merge_part(unsigned const* a, unsigned const* b, unsigned first, unsigned (&to)[8]) {
    unsigned low = first > merged ? first - merged : 0;
    unsigned high = min(first, merged);
    while (low < high) {
        unsigned const middle = (low + high) / 2;
        if (a[middle] <= b[first - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    unsigned i = low, j = first - low;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
        bool const from_a = j >= merged || (i < merged && a[i] <= b[j]);
        to[k] = from_a ? a[i++] : b[j++];
    }
}

} // namespace

// Two sorted lists become one in global memory, or in shared memory.
KERNEL(bad_merged_lists)(unsigned const* in, unsigned* out) {
    unsigned const* const own = in + std::size_t{blockIdx.x} * merged * 2;
    unsigned to[8];
    merge_part(own, own + merged, threadIdx.x * 8, to);
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) out[std::size_t{blockIdx.x} * merged * 2 + threadIdx.x * 8 + k] = to[k];
}
KERNEL(mended_merged_lists)(unsigned const* in, unsigned* out) {
    __shared__ __align__(16) unsigned lists[merged * 2];
    auto const* const own = reinterpret_cast<uint4 const*>(in + std::size_t{blockIdx.x} * merged * 2);
    auto* const all = reinterpret_cast<uint4*>(out + std::size_t{blockIdx.x} * merged * 2);
    auto* const fours = reinterpret_cast<uint4*>(lists);
    fours[threadIdx.x] = own[threadIdx.x];
    fours[threadIdx.x + 256] = own[threadIdx.x + 256];
    __syncthreads();
    unsigned to[8];
    merge_part(lists, lists + merged, threadIdx.x * 8, to);
    __syncthreads();
    fours[threadIdx.x * 2] = make_uint4(to[0], to[1], to[2], to[3]);
    fours[threadIdx.x * 2 + 1] = make_uint4(to[4], to[5], to[6], to[7]);
    __syncthreads();
    all[threadIdx.x] = fours[threadIdx.x];
    all[threadIdx.x + 256] = fours[threadIdx.x + 256];
}
BLIND_PAIR(merged_lists, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::vector<unsigned> lists = memory.values<unsigned>(merged * 2 * std::min(grid, 488u));
    for (std::size_t first = 0; first < lists.size(); first += merged)
        std::sort(lists.begin() + static_cast<long>(first), lists.begin() + static_cast<long>(first + merged));
    std::size_t const n = std::size_t{grid} * merged * 2;
    unsigned const* const in = memory.repeated(lists, n);
    results<unsigned> const out = memory.output<unsigned>(n, 0);
    return {[=] { bad_merged_lists<<<grid, 256>>>(in, out.bad); },
            [=] { mended_merged_lists<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// The first pass of a Fourier transform of radix 4: a transform of four values that are a quarter of all apart.
__device__ void transform_4(float2 (&v)[4]) {
    float2 const a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
    float2 const b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 const c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
    float2 const d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    v[0] = make_float2(a.x + c.x, a.y + c.y);
    v[1] = make_float2(b.x + d.x, b.y + d.y);
    v[2] = make_float2(a.x - c.x, a.y - c.y);
    v[3] = make_float2(b.x - d.x, b.y - d.y);
}
__device__ void read_quarters(float2 const* in, float2 (&v)[4]) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) v[k] = in[k * gridDim.x * blockDim.x + global_thread()];
    transform_4(v);
}

} // namespace

// The four results of a thread lie beside each other: each stored to its place, or by way of shared memory.
KERNEL(bad_fourier_pass)(float2 const* in, float2* out) {
    float2 v[4];
    read_quarters(in, v);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) out[global_thread() * 4 + k] = v[k];
}
KERNEL(mended_fourier_pass)(float2 const* in, float2* out) {
    __shared__ float2 results_of_block[1024 + 64];
    float2 v[4];
    read_quarters(in, v);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) results_of_block[threadIdx.x * 4 + threadIdx.x / 4 + k] = v[k];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        unsigned const i = k * 256 + threadIdx.x;
        out[blockIdx.x * 1024 + i] = results_of_block[i + i / 16];
    }
}
BLIND_PAIR(fourier_pass, uncoalesced_global_stores) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float2 const*>(memory.input<float>(n * 2));
    results<float> const out = memory.output<float>(n * 2, 1e-3);
    return {[=] { bad_fourier_pass<<<grid, 256>>>(in, reinterpret_cast<float2*>(out.bad)); },
            [=] { mended_fourier_pass<<<grid, 256>>>(in, reinterpret_cast<float2*>(out.mended)); }};
}

// The 3 x 3 neighbours of each pixel become a row of a matrix, so that a product of matrices filters: nine values a pixel beside
// each other, or nine planes.
KERNEL(bad_patches)(float const* in, float* out, unsigned pitch, unsigned) {
    float const* const at = in + (global_thread() >> 9) * pitch + global_thread() % 512;
#pragma unroll
    for (unsigned k = 0; k < 9; ++k) out[std::size_t{global_thread()} * 9 + k] = at[k / 3 * pitch + k % 3];
}
KERNEL(mended_patches)(float const* in, float* out, unsigned pitch, unsigned n) {
    float const* const at = in + (global_thread() >> 9) * pitch + global_thread() % 512;
#pragma unroll
    for (unsigned k = 0; k < 9; ++k) out[std::size_t{k} * n + global_thread()] = at[k / 3 * pitch + k % 3];
}
BLIND_PAIR(patches, uncoalesced_global_stores) {
    unsigned const rows = memory.pick(4096u, 8u);
    unsigned const pitch = 544;
    unsigned const n = rows * 512;
    float const* const in = memory.input<float>(std::size_t{pitch} * (rows + 2));
    results<float> const out = memory.output<float>(std::size_t{n} * 9, 0, std::size_t{n} * 9,
                                                    [n](std::size_t i) { return i % n * 9 + i / n; });
    return {[=] { bad_patches<<<n / 256, 256>>>(in, out.bad, pitch, n); },
            [=] { mended_patches<<<n / 256, 256>>>(in, out.mended, pitch, n); }};
}

namespace {

__device__ unsigned char opacity(float x) { return static_cast<unsigned char>(__saturatef(x - 0.5f) * 255.0f); }

} // namespace

// Opacities of pixels: into the fourth byte of each pixel, or a plane of their own.
KERNEL(bad_opacities)(float const* in, unsigned char* pixels) {
    unsigned const first = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 1024; k += 256) pixels[std::size_t{first + k} * 4 + 3] = opacity(in[first + k]);
}
KERNEL(mended_opacities)(float const* in, unsigned char* plane) {
    unsigned const first = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 1024; k += 256) plane[first + k] = opacity(in[first + k]);
}
BLIND_PAIR(opacities, partial_sector_stores) {
    unsigned const grid = memory.pick(full_grid * 16, 8u);
    std::size_t const n = std::size_t{grid} * 1024;
    float const* const in = memory.input<float>(n);
    results<unsigned char> const out =
        memory.output<unsigned char>(n, 0, n * 4, [](std::size_t i) { return i * 4 + 3; });
    return {[=] { bad_opacities<<<grid, 256>>>(in, out.bad); },
            [=] { mended_opacities<<<grid, 256>>>(in, out.mended); }};
}

namespace {

constexpr unsigned classes = 1001;

// The logarithm of the sum of powers of the scores of 1001 classes, a warp a row; rows are `pitch` floats apart.
__device__ void class_row(float const* scores, float* out, unsigned pitch) {
    std::size_t const row = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    float sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < classes / 32; ++k) sum += __expf(scores[row * pitch + k * 32 + lane]);
    if (lane < classes % 32) sum += __expf(scores[row * pitch + classes / 32 * 32 + lane]);
    sum = sum_of_warp(sum);
    if (lane == 0) out[row] = __logf(sum);
}

} // namespace

// Rows as long as they are, or so that each begins with a sector.
KERNEL(bad_class_scores)(float const* scores, float* out, unsigned pitch) { class_row(scores, out, pitch); }
KERNEL(mended_class_scores)(float const* scores, float* out, unsigned pitch) { class_row(scores, out, pitch); }
BLIND_PAIR(class_scores, misaligned_global_access) {
    unsigned const rows = memory.pick(full_grid * 8 * 2, 64u);
    std::vector<float> const tight = memory.values<float>(std::size_t{rows} * classes);
    std::vector<float> wide(std::size_t{rows} * 1008);
    for (std::size_t i = 0; i < tight.size(); ++i) wide[i / classes * 1008 + i % classes] = tight[i];
    float const* const close = memory.upload(tight);
    float const* const padded = memory.upload(wide);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_class_scores<<<rows / 8, 256>>>(close, out.bad, classes); },
            [=] { mended_class_scores<<<rows / 8, 256>>>(padded, out.mended, 1008); }};
}

namespace {

__device__ half weight_of(unsigned byte, float scale) {
    return __float2half(static_cast<float>(static_cast<signed char>(byte)) * scale);
}

} // namespace

// Weights of 8 bits become halves, with a scale for every 2048: a byte at a time, or 16.
KERNEL(bad_weights_of_bytes)(unsigned char const* in, float const* scales, half* out) {
    std::size_t const first = std::size_t{blockIdx.x} * 2048 + threadIdx.x;
    float const scale = scales[blockIdx.x];
#pragma unroll
    for (unsigned k = 0; k < 2048; k += 128) out[first + k] = weight_of(in[first + k], scale);
}
KERNEL(mended_weights_of_bytes)(uint4 const* in, float const* scales, uint4* out) {
    float const scale = scales[blockIdx.x];
    uint4 const v = in[global_thread()];
    unsigned const words[4] = {v.x, v.y, v.z, v.w};
    __align__(16) half weights[16];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) weights[k] = weight_of(words[k / 4] >> k % 4 * 8 & 255, scale);
    out[global_thread() * 2] = reinterpret_cast<uint4 const*>(weights)[0];
    out[global_thread() * 2 + 1] = reinterpret_cast<uint4 const*>(weights)[1];
}
BLIND_PAIR(weights_of_bytes, narrow_global_access) {
    unsigned const grid = memory.pick(sms * 16u * 12, 4u);
    std::size_t const n = std::size_t{grid} * 2048;
    auto const* const in = memory.input<unsigned char>(n);
    float const* const scales = memory.input<float>(grid);
    results<half> const out = memory.output<half>(n, 0);
    return {[=] { bad_weights_of_bytes<<<grid, 128>>>(in, scales, out.bad); },
            [=] {
                mended_weights_of_bytes<<<grid, 128>>>(reinterpret_cast<uint4 const*>(in), scales,
                                                       reinterpret_cast<uint4*>(out.mended));
            }};
}

// As mended_weights_of_bytes: a thread stores two vectors beside each other, or neighbouring threads store neighbouring ones.
KERNEL(bad_weights_of_bytes_again)(uint4 const* in, float const* scales, uint4* out) {
    float const scale = scales[blockIdx.x];
    uint4 const v = in[global_thread()];
    unsigned const words[4] = {v.x, v.y, v.z, v.w};
    __align__(16) half weights[16];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) weights[k] = weight_of(words[k / 4] >> k % 4 * 8 & 255, scale);
    out[global_thread() * 2] = reinterpret_cast<uint4 const*>(weights)[0];
    out[global_thread() * 2 + 1] = reinterpret_cast<uint4 const*>(weights)[1];
}
KERNEL(mended_weights_of_bytes_again)(uint2 const* in, float const* scales, uint4* out) {
    float const scale = scales[blockIdx.x];
#pragma unroll
    for (unsigned j = 0; j < 2; ++j) {
        unsigned const i = (blockIdx.x * 2 + j) * blockDim.x + threadIdx.x;
        uint2 const v = in[i];
        __align__(16) half weights[8];
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) weights[k] = weight_of((k < 4 ? v.x : v.y) >> k % 4 * 8 & 255, scale);
        out[i] = reinterpret_cast<uint4 const*>(weights)[0];
    }
}
AGAIN_PAIR(weights_of_bytes_again, uncoalesced_global_stores) {
    unsigned const grid = memory.pick(sms * 16u * 12, 4u);
    std::size_t const n = std::size_t{grid} * 2048;
    auto const* const in = memory.input<unsigned char>(n);
    float const* const scales = memory.input<float>(grid);
    results<half> const out = memory.output<half>(n, 0);
    return {[=] {
                bad_weights_of_bytes_again<<<grid, 128>>>(reinterpret_cast<uint4 const*>(in), scales,
                                                          reinterpret_cast<uint4*>(out.bad));
            },
            [=] {
                mended_weights_of_bytes_again<<<grid, 128>>>(reinterpret_cast<uint2 const*>(in), scales,
                                                             reinterpret_cast<uint4*>(out.mended));
            }};
}

// Places of a character in a text, a bit each, 32 a thread: by 32 loads of a byte, or two of 16 bytes.
KERNEL(bad_line_ends)(unsigned char const* text, unsigned* out, unsigned wanted) {
    unsigned char const* const own = text + std::size_t{global_thread()} * 32;
    unsigned found = 0;
#pragma unroll
    for (unsigned k = 0; k < 32; ++k) found |= static_cast<unsigned>(own[k] == wanted) << k;
    out[global_thread()] = found;
}
KERNEL(mended_line_ends)(unsigned char const* text, unsigned* out, unsigned wanted) {
    auto const* const own = reinterpret_cast<uint4 const*>(text) + std::size_t{global_thread()} * 2;
    unsigned found = 0;
#pragma unroll
    for (unsigned k = 0; k < 2; ++k) {
        uint4 const v = own[k];
        unsigned const words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (unsigned j = 0; j < 16; ++j)
            found |= static_cast<unsigned>((words[j / 4] >> j % 4 * 8 & 255) == wanted) << (k * 16 + j);
    }
    out[global_thread()] = found;
}
BLIND_PAIR(line_ends, narrow_global_access) {
    unsigned const grid = memory.pick(full_grid * 8, 8u);
    auto const* const text = memory.input<unsigned char>(std::size_t{grid} * 256 * 32);
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad_line_ends<<<grid, 256>>>(text, out.bad, 42); },
            [=] { mended_line_ends<<<grid, 256>>>(text, out.mended, 42); }};
}

// Hashes of all words of 16 letters in a sequence: 16 loads for each, or 20 bytes in registers for four.
KERNEL(bad_words_of_16)(unsigned char const* letters, unsigned* out) {
    unsigned hash = 0;
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) hash = hash * 31 + letters[global_thread() + k];
    out[global_thread()] = hash;
}
KERNEL(mended_words_of_16)(unsigned char const* letters, unsigned* out) {
    auto const* const own = reinterpret_cast<unsigned const*>(letters) + global_thread();
    unsigned words[5], hashes[4] = {};
#pragma unroll
    for (unsigned k = 0; k < 5; ++k) words[k] = own[k];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j)
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) hashes[j] = hashes[j] * 31 + (words[(j + k) / 4] >> (j + k) % 4 * 8 & 255);
    reinterpret_cast<uint4*>(out)[global_thread()] = make_uint4(hashes[0], hashes[1], hashes[2], hashes[3]);
}
BLIND_PAIR(words_of_16, no_tiling) {
    unsigned const grid = memory.pick(full_grid * 8, 4u); // of the mended kernel
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const letters = memory.input<unsigned char>(n + 32);
    results<unsigned> const out = memory.output<unsigned>(n, 0);
    return {[=] { bad_words_of_16<<<grid * 4, 256>>>(letters, out.bad); },
            [=] { mended_words_of_16<<<grid, 256>>>(letters, out.mended); }};
}

namespace {

__device__ float second_difference(float const (&v)[9]) {
    constexpr float weight[5] = {-205 / 72.f, 8 / 5.f, -1 / 5.f, 8 / 315.f, -1 / 560.f};
    float sum = weight[0] * v[4];
#pragma unroll
    for (unsigned k = 1; k < 5; ++k) sum = fmaf(weight[k], v[4 - k] + v[4 + k], sum);
    return sum;
}

} // namespace

// Second differences of eighth order across the planes of a volume: nine loads a value, or a queue of nine in registers.
KERNEL(bad_wave_planes)(float const* in, float* out, unsigned plane) {
    std::size_t const at = std::size_t{blockIdx.y} * plane + global_thread();
    float v[9];
#pragma unroll
    for (unsigned k = 0; k < 9; ++k) v[k] = in[at + std::size_t{k} * plane];
    out[at] = second_difference(v);
}
KERNEL(mended_wave_planes)(float const* in, float* out, unsigned plane) {
    std::size_t at = std::size_t{blockIdx.y} * 32 * plane + global_thread();
    float v[9];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k + 1] = in[at + std::size_t{k} * plane];
#pragma unroll 4
    for (unsigned z = 0; z < 32; ++z, at += plane) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) v[k] = v[k + 1];
        v[8] = in[at + std::size_t{8} * plane];
        out[at] = second_difference(v);
    }
}
BLIND_PAIR(wave_planes, no_tiling) {
    unsigned const plane = memory.pick(512u * 256, 1024u);
    unsigned const depth = memory.pick(160u, 32u);
    float const* const in = memory.input<float>(std::size_t{plane} * (depth + 8));
    results<float> const out = memory.output<float>(std::size_t{plane} * depth, 1e-2);
    return {[=] { bad_wave_planes<<<dim3(plane / 256, depth), 256>>>(in, out.bad, plane); },
            [=] { mended_wave_planes<<<dim3(plane / 256, depth / 32), 256>>>(in, out.mended, plane); }};
}

namespace {

// A mean over 5 x 5 neighbours of a picture, read by `at`.
template <class Read>
__device__ float mean_of_25(Read at) {
    float sum = 0;
#pragma unroll
    for (unsigned y = 0; y < 5; ++y)
#pragma unroll
        for (unsigned x = 0; x < 5; ++x) sum += at(x, y);
    return sum * 0.04f;
}

} // namespace

// Pixels by a texture that filters nothing, or by plain loads.
KERNEL(bad_texture_mean)(cudaTextureObject_t in, float* out, unsigned pitch) {
    unsigned const first = (global_thread() >> 9) * pitch + global_thread() % 512;
    out[global_thread()] = mean_of_25(
        [=](unsigned x, unsigned y) { return tex1Dfetch<float>(in, static_cast<int>(first + y * pitch + x)); });
}
KERNEL(mended_texture_mean)(float const* __restrict__ in, float* out, unsigned pitch) {
    unsigned const first = (global_thread() >> 9) * pitch + global_thread() % 512;
    out[global_thread()] = mean_of_25([=](unsigned x, unsigned y) { return in[first + y * pitch + x]; });
}
BLIND_PAIR(texture_mean, texture_throttle) {
    unsigned const rows = memory.pick(8192u, 8u);
    unsigned const pitch = 544;
    std::size_t const cells = std::size_t{pitch} * (rows + 4);
    float* const in = memory.input<float>(cells);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = cells * sizeof(float);
    cudaTextureDesc texture{};
    texture.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    CHECK_CUDA(cudaCreateTextureObject(&object, &resource, &texture, nullptr)); // kept to the end of the program
    results<float> const out = memory.output<float>(rows * 512);
    return {[=] { bad_texture_mean<<<rows * 2, 256>>>(object, out.bad, pitch); },
            [=] { mended_texture_mean<<<rows * 2, 256>>>(in, out.mended, pitch); }};
}

// The pixels of mended_texture_mean, one a thread, or four below each other, which share rows in registers.
KERNEL(bad_texture_mean_again)(float const* __restrict__ in, float* out, unsigned pitch) {
    unsigned const first = (global_thread() >> 9) * pitch + global_thread() % 512;
    out[global_thread()] = mean_of_25([=](unsigned x, unsigned y) { return in[first + y * pitch + x]; });
}
KERNEL(mended_texture_mean_again)(float const* __restrict__ in, float* out, unsigned pitch) {
    unsigned const row = (global_thread() >> 9) * 4, x = global_thread() % 512;
    float sums[4] = {};
#pragma unroll
    for (unsigned y = 0; y < 8; ++y)
#pragma unroll
        for (unsigned k = 0; k < 5; ++k) {
            float const v = in[(row + y) * pitch + x + k];
#pragma unroll
            for (unsigned j = 0; j < 4; ++j)
                if (y >= j && y < j + 5) sums[j] += v;
        }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) out[(row + j) * 512 + x] = sums[j] * 0.04f;
}
AGAIN_PAIR(texture_mean_again, no_tiling) {
    unsigned const rows = memory.pick(8192u, 8u), pitch = 544;
    float const* const in = memory.input<float>(std::size_t{pitch} * (rows + 4));
    results<float> const out = memory.output<float>(rows * 512);
    return {[=] { bad_texture_mean_again<<<rows * 2, 256>>>(in, out.bad, pitch); },
            [=] { mended_texture_mean_again<<<rows / 2, 256>>>(in, out.mended, pitch); }};
}

namespace {

// What a thread makes of a tile of 256 values in shared memory.
__device__ float of_tile(float const* tile, float sum) {
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) sum = fmaf(sum, 0.5f, tile[(threadIdx.x + k * 32) % 256]);
    return sum;
}

} // namespace

// A long signal by tiles in shared memory, a block an SM: each tile is loaded when it is needed, or four tiles ahead.
KERNEL(bad_tiles_in_time)(float const* in, float* out, unsigned tiles) {
    __shared__ float tile[256];
    float const* const own = in + std::size_t{blockIdx.x} * tiles * 256 + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = own[k * 256];
        __syncthreads();
        sum = of_tile(tile, sum);
        __syncthreads();
    }
    out[global_thread()] = sum;
}
KERNEL(mended_tiles_in_time)(float const* in, float* out, unsigned tiles) {
    __shared__ float tile[2][256];
    float const* const own = in + std::size_t{blockIdx.x} * tiles * 256 + threadIdx.x;
    float sum = 0;
    float next[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) next[j] = own[j * 256];
#pragma unroll 1
    for (unsigned k = 0; k < tiles; k += 4)
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            tile[j % 2][threadIdx.x] = next[j];
            if (k + 4 < tiles) next[j] = own[(k + 4 + j) * 256];
            __syncthreads();
            sum = of_tile(tile[j % 2], sum);
        }
    out[global_thread()] = sum;
}
BLIND_PAIR(tiles_in_time, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms, 2u);
    unsigned const tiles = memory.pick(256u, 8u);
    float const* const in = memory.input<float>(std::size_t{grid} * tiles * 256);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_tiles_in_time<<<grid, 256>>>(in, out.bad, tiles); },
            [=] { mended_tiles_in_time<<<grid, 256>>>(in, out.mended, tiles); }};
}

namespace {

// Rows of an embedding table added up, a warp a sentence: each row is asked for when the one before has come, or four at once.
template <unsigned Ahead>
__device__ void sum_embeddings(float4 const* table, unsigned const* words, float4* out, unsigned length) {
    unsigned const lane = threadIdx.x % 32;
    unsigned const* const own = words + global_thread() / 32 * length;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 1
    for (unsigned k = 0; k < length && own[k] != ~0u; k += Ahead) { // a sentence may end before
        float4 v[Ahead];
#pragma unroll
        for (unsigned j = 0; j < Ahead; ++j)
            v[j] = own[k + j] != ~0u ? table[own[k + j] * 32 + lane] : make_float4(0, 0, 0, 0);
#pragma unroll
        for (unsigned j = 0; j < Ahead; ++j)
            sum = make_float4(sum.x + v[j].x, sum.y + v[j].y, sum.z + v[j].z, sum.w + v[j].w);
    }
    out[global_thread()] = sum;
}

} // namespace

KERNEL(bad_sentence_sums)(float4 const* table, unsigned const* words, float4* out, unsigned length) {
    sum_embeddings<1>(table, words, out, length);
}
KERNEL(mended_sentence_sums)(float4 const* table, unsigned const* words, float4* out, unsigned length) {
    sum_embeddings<8>(table, words, out, length);
}
BLIND_PAIR(sentence_sums, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 2u, 4u);
    unsigned const length = memory.pick(128u, 16u);
    unsigned const rows = memory.pick(200'000u, 100u);
    std::vector<unsigned> words = memory.values<unsigned>(std::size_t{grid} * 4 * length);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = i % length > length - 1 - i / length % 4 ? ~0u : (words[i] >> 4) % rows;
    auto const* const table = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{rows} * 128));
    unsigned const* const all = memory.upload(words);
    results<float> const out = memory.output<float>(grid * 128 * 4);
    return {[=] { bad_sentence_sums<<<grid, 128>>>(table, all, reinterpret_cast<float4*>(out.bad), length); },
            [=] { mended_sentence_sums<<<grid, 128>>>(table, all, reinterpret_cast<float4*>(out.mended), length); }};
}

// As mended_sentence_sums: eight rows under way, or 16.
KERNEL(bad_sentence_sums_again)(float4 const* table, unsigned const* words, float4* out, unsigned length) {
    sum_embeddings<8>(table, words, out, length);
}
KERNEL(mended_sentence_sums_again)(float4 const* table, unsigned const* words, float4* out, unsigned length) {
    sum_embeddings<16>(table, words, out, length);
}
AGAIN_PAIR(sentence_sums_again, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 2u, 4u);
    unsigned const length = memory.pick(128u, 16u);
    unsigned const rows = memory.pick(200'000u, 100u);
    std::vector<unsigned> words = memory.values<unsigned>(std::size_t{grid} * 4 * length);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = i % length > length - 1 - i / length % 4 ? ~0u : (words[i] >> 4) % rows;
    auto const* const table = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{rows} * 128));
    unsigned const* const all = memory.upload(words);
    results<float> const out = memory.output<float>(grid * 128 * 4);
    return {
        [=] { bad_sentence_sums_again<<<grid, 128>>>(table, all, reinterpret_cast<float4*>(out.bad), length); },
        [=] { mended_sentence_sums_again<<<grid, 128>>>(table, all, reinterpret_cast<float4*>(out.mended), length); }};
}

namespace {

struct join_node {
    unsigned key, value, next, unused;
};
__device__ unsigned place_of_key(unsigned key, unsigned mask) { return key * 2654435761u >> 12 & mask; }

} // namespace

// Keys looked up in a hash table, as joins do: along lists, or in groups of four keys beside each other.
KERNEL(bad_list_join)
(unsigned const* heads, join_node const* nodes, unsigned const* keys, unsigned* out, unsigned mask, unsigned each) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) {
        unsigned const key = keys[k * threads + global_thread()];
        unsigned at = heads[place_of_key(key, mask)];
        unsigned found = 0;
        while (at != ~0u) {
            if (nodes[at].key == key) {
                found = nodes[at].value;
                break;
            }
            at = nodes[at].next;
        }
        out[k * threads + global_thread()] = found;
    }
}
KERNEL(mended_list_join)
(uint4 const* buckets, uint4 const* values, unsigned const* keys, unsigned* out, unsigned mask, unsigned each) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned k = 0; k < each; ++k) {
        unsigned const key = keys[k * threads + global_thread()];
        unsigned place = place_of_key(key, mask);
        unsigned found = 0;
        for (;; place = (place + 1) & mask) {
            uint4 const four = buckets[place];
            uint4 const of = values[place];
            if (four.x == key) found = of.x;
            if (four.y == key) found = of.y;
            if (four.z == key) found = of.z;
            if (four.w == key) found = of.w;
            if (found != 0 || four.w == ~0u) break; // a bucket with room is the last one
        }
        out[k * threads + global_thread()] = found;
    }
}
BLIND_PAIR(list_join, dependent_loads) {
    unsigned const buckets = memory.pick(1u << 17, 1u << 6);
    unsigned const grid = memory.pick(sms * 2u, 2u);
    unsigned const each = memory.pick(64u, 4u);
    std::vector<unsigned> keys = memory.values<unsigned>(buckets * 2);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<unsigned> heads(buckets, ~0u), asked = memory.values<unsigned>(std::size_t{grid} * 128 * each);
    std::vector<join_node> nodes;
    std::vector<unsigned> fours(std::size_t{buckets} * 4, ~0u), values(std::size_t{buckets} * 4);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        unsigned const key = keys[i * 7919 % keys.size()], value = key / 3 + 1;
        unsigned place = static_cast<unsigned>(key * 2654435761u) >> 12 & (buckets - 1);
        nodes.push_back({key, value, heads[place], 0});
        heads[place] = static_cast<unsigned>(nodes.size() - 1);
        for (unsigned j = 0;; ++j) {
            if (j == 4) j = 0, place = (place + 1) & (buckets - 1);
            if (fours[place * 4 + j] != ~0u) continue;
            fours[place * 4 + j] = key;
            values[place * 4 + j] = value;
            break;
        }
    }
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = i % 4 == 0 ? asked[i] : keys[asked[i] % keys.size()];
    unsigned const* const first = memory.upload(heads);
    join_node const* const all = memory.upload(nodes);
    auto const* const table = reinterpret_cast<uint4 const*>(memory.upload(fours));
    auto const* const with = reinterpret_cast<uint4 const*>(memory.upload(values));
    unsigned const* const in = memory.upload(asked);
    results<unsigned> const out = memory.output<unsigned>(asked.size(), 0);
    return {[=] { bad_list_join<<<grid, 128>>>(first, all, in, out.bad, buckets - 1, each); },
            [=] { mended_list_join<<<grid, 128>>>(table, with, in, out.mended, buckets - 1, each); }};
}

// As mended_list_join: one key after another, or the first buckets of four keys at a time.
KERNEL(bad_list_join_again)
(uint4 const* buckets, uint4 const* values, unsigned const* keys, unsigned* out, unsigned mask, unsigned each) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned k = 0; k < each; ++k) {
        unsigned const key = keys[k * threads + global_thread()];
        unsigned place = place_of_key(key, mask);
        unsigned found = 0;
        for (;; place = (place + 1) & mask) {
            uint4 const four = buckets[place];
            uint4 const of = values[place];
            if (four.x == key) found = of.x;
            if (four.y == key) found = of.y;
            if (four.z == key) found = of.z;
            if (four.w == key) found = of.w;
            if (found != 0 || four.w == ~0u) break; // a bucket with room is the last one
        }
        out[k * threads + global_thread()] = found;
    }
}
KERNEL(mended_list_join_again)
(uint4 const* buckets, uint4 const* values, unsigned const* keys, unsigned* out, unsigned mask, unsigned each) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < each; k += 4) {
        unsigned own[4];
        uint4 four[4], of[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) own[j] = keys[(k + j) * threads + global_thread()];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            four[j] = buckets[place_of_key(own[j], mask)];
            of[j] = values[place_of_key(own[j], mask)];
        }
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            unsigned const key = own[j];
            unsigned place = place_of_key(key, mask);
            unsigned found = 0;
            for (;;) {
                if (four[j].x == key) found = of[j].x;
                if (four[j].y == key) found = of[j].y;
                if (four[j].z == key) found = of[j].z;
                if (four[j].w == key) found = of[j].w;
                if (found != 0 || four[j].w == ~0u) break;
                place = (place + 1) & mask;
                four[j] = buckets[place];
                of[j] = values[place];
            }
            out[(k + j) * threads + global_thread()] = found;
        }
    }
}
AGAIN_PAIR(list_join_again, dependent_loads) {
    unsigned const buckets = memory.pick(1u << 17, 1u << 6);
    unsigned const grid = memory.pick(sms * 2u, 2u);
    unsigned const each = memory.pick(64u, 4u);
    std::vector<unsigned> keys = memory.values<unsigned>(buckets * 2);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<unsigned> asked = memory.values<unsigned>(std::size_t{grid} * 128 * each);
    std::vector<unsigned> fours(std::size_t{buckets} * 4, ~0u), values(std::size_t{buckets} * 4);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        unsigned const key = keys[i * 7919 % keys.size()];
        unsigned place = static_cast<unsigned>(key * 2654435761u) >> 12 & (buckets - 1);
        for (unsigned j = 0;; ++j) {
            if (j == 4) j = 0, place = (place + 1) & (buckets - 1);
            if (fours[place * 4 + j] != ~0u) continue;
            fours[place * 4 + j] = key;
            values[place * 4 + j] = key / 3 + 1;
            break;
        }
    }
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = i % 4 == 0 ? asked[i] : keys[asked[i] % keys.size()];
    auto const* const table = reinterpret_cast<uint4 const*>(memory.upload(fours));
    auto const* const with = reinterpret_cast<uint4 const*>(memory.upload(values));
    unsigned const* const in = memory.upload(asked);
    results<unsigned> const out = memory.output<unsigned>(asked.size(), 0);
    return {[=] { bad_list_join_again<<<grid, 128>>>(table, with, in, out.bad, buckets - 1, each); },
            [=] { mended_list_join_again<<<grid, 128>>>(table, with, in, out.mended, buckets - 1, each); }};
}

namespace {

constexpr unsigned tree_depth = 10;

// Votes of 32 trees of decisions about a sample a thread, `Together` trees in step.
template <unsigned Together>
__device__ void vote(float2 const* trees, float const* features, unsigned* out) {
    unsigned const n = gridDim.x * blockDim.x;
    unsigned votes = 0;
#pragma unroll 1
    for (unsigned tree = 0; tree < 32; tree += Together) {
        unsigned at[Together] = {};
#pragma unroll 1
        for (unsigned level = 0; level < tree_depth; ++level)
#pragma unroll
            for (unsigned j = 0; j < Together; ++j) {
                float2 const node = trees[((tree + j) << tree_depth) + at[j]]; // a limit and the number of a feature
                at[j] = 2 * at[j] + 1 + (features[__float_as_uint(node.y) * n + global_thread()] > node.x);
            }
#pragma unroll
        for (unsigned j = 0; j < Together; ++j) votes += at[j] * 40503u >> 5 & 3;
    }
    out[global_thread()] = votes;
}

} // namespace

KERNEL(bad_forest_votes)(float2 const* trees, float const* features, unsigned* out) { vote<1>(trees, features, out); }
KERNEL(mended_forest_votes)(float2 const* trees, float const* features, unsigned* out) {
    vote<8>(trees, features, out);
}
BLIND_PAIR(forest_votes, dependent_loads) {
    unsigned const grid = memory.pick(sms * 2u, 2u);
    std::vector<float> const limits = memory.values<float>(32u << tree_depth);
    std::vector<unsigned> const random = memory.values<unsigned>(32u << tree_depth);
    std::vector<float2> trees(limits.size());
    for (std::size_t i = 0; i < trees.size(); ++i) {
        unsigned const feature = (random[i] >> 9) % 16;
        trees[i].x = limits[i];
        std::copy_n(reinterpret_cast<char const*>(&feature), 4, reinterpret_cast<char*>(&trees[i].y));
    }
    float2 const* const all = memory.upload(trees);
    float const* const features = memory.input<float>(std::size_t{grid} * 128 * 16);
    results<unsigned> const out = memory.output<unsigned>(grid * 128, 0);
    return {[=] { bad_forest_votes<<<grid, 128>>>(all, features, out.bad); },
            [=] { mended_forest_votes<<<grid, 128>>>(all, features, out.mended); }};
}

// As mended_forest_votes: eight trees in step, or all 32.
KERNEL(bad_forest_votes_again)(float2 const* trees, float const* features, unsigned* out) {
    vote<8>(trees, features, out);
}
KERNEL(mended_forest_votes_again)(float2 const* trees, float const* features, unsigned* out) {
    vote<32>(trees, features, out);
}
AGAIN_PAIR(forest_votes_again, dependent_loads) {
    unsigned const grid = memory.pick(sms * 2u, 2u);
    std::vector<float> const limits = memory.values<float>(32u << tree_depth);
    std::vector<unsigned> const random = memory.values<unsigned>(32u << tree_depth);
    std::vector<float2> trees(limits.size());
    for (std::size_t i = 0; i < trees.size(); ++i) {
        unsigned const feature = (random[i] >> 9) % 16;
        trees[i].x = limits[i];
        std::copy_n(reinterpret_cast<char const*>(&feature), 4, reinterpret_cast<char*>(&trees[i].y));
    }
    float2 const* const all = memory.upload(trees);
    float const* const features = memory.input<float>(std::size_t{grid} * 128 * 16);
    results<unsigned> const out = memory.output<unsigned>(grid * 128, 0);
    return {[=] { bad_forest_votes_again<<<grid, 128>>>(all, features, out.bad); },
            [=] { mended_forest_votes_again<<<grid, 128>>>(all, features, out.mended); }};
}

// Colours through a table of 4096 that stays in host memory, or was copied.
KERNEL(bad_colour_table)(unsigned const* indices, float const* table, float* out) {
    out[global_thread()] = table[indices[global_thread()] % 4096];
}
KERNEL(mended_colour_table)(unsigned const* indices, float const* table, float* out) {
    out[global_thread()] = table[indices[global_thread()] % 4096];
}
BLIND_PAIR(colour_table, host_memory_access) {
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    unsigned const* const indices = memory.input<unsigned>(grid * 256);
    float const* const far = memory.host_input<float>(4096);
    float const* const near = memory.input<float>(4096);
    results<float> const out = memory.output<float>(grid * 256, 0);
    return {[=] { bad_colour_table<<<grid, 256>>>(indices, far, out.bad); },
            [=] { mended_colour_table<<<grid, 256>>>(indices, near, out.mended); }};
}

namespace {

// Sums of rows that begin where `begins` says, a warp a row.
__device__ void sum_row(unsigned const* begins, float const* in, float* out) {
    unsigned const row = global_thread() / 32;
    float sum = 0;
    for (unsigned k = begins[row] + threadIdx.x % 32; k < begins[row + 1]; k += 32) sum += in[k];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) out[row] = sum;
}

} // namespace

// Of all that is read, only where rows begin stays in host memory, a word a row; or nothing.
KERNEL(bad_far_begins)(unsigned const* begins, float const* in, float* out) { sum_row(begins, in, out); }
KERNEL(mended_far_begins)(unsigned const* begins, float const* in, float* out) { sum_row(begins, in, out); }
BLIND_PAIR(far_begins, host_memory_access) {
    unsigned const rows = memory.pick(full_grid * 8 * 16, 64u);
    std::vector<unsigned> begins(rows + 1);
    for (unsigned i = 0; i < rows; ++i) begins[i + 1] = begins[i] + 60 + i * 37 % 72;
    float const* const in = memory.input<float>(begins.back());
    unsigned* const far = memory.host_input<unsigned>(begins.size());
    CHECK_CUDA(cudaMemcpy(far, begins.data(), begins.size() * sizeof(unsigned), cudaMemcpyDefault));
    unsigned const* const near = memory.upload(begins);
    results<float> const out = memory.output<float>(rows);
    return {[=] { bad_far_begins<<<rows / 8, 256>>>(far, in, out.bad); },
            [=] { mended_far_begins<<<rows / 8, 256>>>(near, in, out.mended); }};
}

namespace {

// The sums of a block of 1024, to all its threads.
__device__ float2 sums_of_block(float2 own) {
    __shared__ float2 part[32];
    own = make_float2(sum_of_warp(own.x), sum_of_warp(own.y));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
    __syncthreads();
    own = part[threadIdx.x % 32];
    return make_float2(sum_of_warp(own.x), sum_of_warp(own.y));
}

} // namespace

// Long rows get a mean of 0 and a variance of 1, a block a row: mean, variance and result in three passes over memory, or both sums in
// one pass and the result in a second.
KERNEL(bad_long_row_norm)(float const* in, float* out, unsigned length) {
    float const* const own = in + std::size_t{blockIdx.x} * length;
    float2 sum = make_float2(0, 0);
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < length; k += 1024) sum.x += own[k];
    float const mean = sums_of_block(sum).x / static_cast<float>(length);
    sum.x = 0;
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < length; k += 1024) sum.x += (own[k] - mean) * (own[k] - mean);
    float const scale = rsqrtf(sums_of_block(sum).x / static_cast<float>(length));
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < length; k += 1024)
        out[std::size_t{blockIdx.x} * length + k] = (own[k] - mean) * scale;
}
KERNEL(mended_long_row_norm)(float const* in, float* out, unsigned length) {
    float const* const own = in + std::size_t{blockIdx.x} * length;
    float2 sum = make_float2(0, 0);
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < length; k += 1024) {
        float const v = own[k] - 1.0f; // near the mean, for precision
        sum = make_float2(sum.x + v, fmaf(v, v, sum.y));
    }
    sum = sums_of_block(sum);
    float const off = sum.x / static_cast<float>(length);
    float const scale = rsqrtf(sum.y / static_cast<float>(length) - off * off);
#pragma unroll 8
    for (unsigned k = threadIdx.x; k < length; k += 1024)
        out[std::size_t{blockIdx.x} * length + k] = (own[k] - 1.0f - off) * scale;
}
BLIND_PAIR(long_row_norm, redundant_dram_traffic) {
    unsigned const grid = memory.pick(sms * 2u, 2u);
    unsigned const length = memory.pick(131072u, 2048u);
    float const* const in = memory.input<float>(std::size_t{grid} * length);
    results<float> const out = memory.output<float>(std::size_t{grid} * length, 5e-2);
    return {[=] { bad_long_row_norm<<<grid, 1024>>>(in, out.bad, length); },
            [=] { mended_long_row_norm<<<grid, 1024>>>(in, out.mended, length); }};
}

namespace {

struct generator {
    unsigned words[5], counter;

    __device__ unsigned draw() {
        unsigned const t = words[0] ^ words[0] >> 2;
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) words[k] = words[k + 1];
        words[4] = words[4] ^ words[4] << 4 ^ t ^ t << 1;
        counter += 362437;
        return words[4] + counter;
    }
};

} // namespace

// Random numbers from a generator a thread: its state is read and written for each of them, or once.
KERNEL(bad_generator_states)(generator* states, unsigned* out, unsigned each) {
    unsigned const n = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) out[k * n + global_thread()] = states[global_thread()].draw();
}
KERNEL(mended_generator_states)(generator* states, unsigned* out, unsigned each) {
    unsigned const n = gridDim.x * blockDim.x;
    generator own = states[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) out[k * n + global_thread()] = own.draw();
    states[global_thread()] = own;
}
BLIND_PAIR(generator_states, redundant_loads) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const each = memory.pick(32u, 4u);
    std::vector<unsigned> const seeds = memory.values<unsigned>(std::size_t{grid} * 256 * 6);
    auto* const states = reinterpret_cast<generator*>(memory.upload(seeds));
    auto* const others = reinterpret_cast<generator*>(memory.upload(seeds));
    results<unsigned> const out = memory.output<unsigned>(std::size_t{grid} * 256 * each, 0);
    return {[=] { bad_generator_states<<<grid, 256>>>(states, out.bad, each); },
            [=] { mended_generator_states<<<grid, 256>>>(others, out.mended, each); }};
}

namespace {

constexpr unsigned point_size = 16;

} // namespace

// The nearest of many centres for each point, a step of k-means: the point is read again for each centre, since its size is known
// only at run time, or is kept in registers.
KERNEL(bad_nearest_centres)(float const* points, float const* centres, unsigned* out, unsigned count, unsigned size) {
    unsigned const n = gridDim.x * blockDim.x;
    float least = INFINITY;
    unsigned nearest = 0;
    for (unsigned c = 0; c < count; ++c) {
        float sum = 0;
        for (unsigned d = 0; d < size; ++d) {
            float const away = points[d * n + global_thread()] - centres[c * size + d];
            sum = fmaf(away, away, sum);
        }
        if (sum < least) least = sum, nearest = c;
    }
    out[global_thread()] = nearest;
}
KERNEL(mended_nearest_centres)
(float const* points, float4 const* centres, unsigned* out, unsigned count, unsigned) {
    __shared__ float4 own[256];
    unsigned const n = gridDim.x * blockDim.x;
    if (threadIdx.x < count * point_size / 4) own[threadIdx.x] = centres[threadIdx.x];
    float point[point_size];
#pragma unroll
    for (unsigned d = 0; d < point_size; ++d) point[d] = points[d * n + global_thread()];
    __syncthreads();
    float least = INFINITY;
    unsigned nearest = 0;
#pragma unroll 2
    for (unsigned c = 0; c < count; ++c) {
        float sum = 0;
#pragma unroll
        for (unsigned d = 0; d < point_size; d += 4) {
            float4 const v = own[c * point_size / 4 + d / 4];
            float const four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (unsigned j = 0; j < 4; ++j) sum = fmaf(point[d + j] - four[j], point[d + j] - four[j], sum);
        }
        if (sum < least) least = sum, nearest = c;
    }
    out[global_thread()] = nearest;
}
BLIND_PAIR(nearest_centres, redundant_loads) {
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    unsigned const count = memory.pick(64u, 8u);
    float const* const points = memory.input<float>(std::size_t{grid} * 256 * point_size);
    std::vector<float> centre_values = memory.values<float>(std::size_t{count} * point_size + 77);
    centre_values.erase(centre_values.begin(), centre_values.begin() + 77);
    float const* const centres = memory.upload(centre_values);
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad_nearest_centres<<<grid, 256>>>(points, centres, out.bad, count, point_size); },
            [=] {
                mended_nearest_centres<<<grid, 256>>>(points, reinterpret_cast<float4 const*>(centres), out.mended,
                                                      count, point_size);
            }};
}

namespace {

// Sums of the distances of 16 queries of a block to all values of a table, which is gone through in parts of `part` values.
__device__ void sums_of_distances(float const* table, float const* queries, float* out, unsigned size, unsigned part) {
    float sums[16] = {};
#pragma unroll 1
    for (unsigned first = 0; first < size; first += part)
#pragma unroll
        for (unsigned q = 0; q < 16; ++q) {
            float const query = queries[blockIdx.x * 16 + q];
            float sum = 0;
#pragma unroll 8
            for (unsigned k = threadIdx.x; k < part; k += 1024) sum += fabsf(table[first + k] - query);
            sums[q] += sum;
        }
#pragma unroll
    for (unsigned q = 0; q < 16; ++q) {
        float const sum = sum_of_warp(sums[q]);
        if (threadIdx.x % 32 == 0) atomicAdd(out + blockIdx.x * 16 + q, sum);
    }
}

} // namespace

// The whole table a query, which L1 does not hold, or all queries for each part that it holds.
KERNEL(bad_parts_of_table)(float const* table, float const* queries, float* out, unsigned size, unsigned) {
    sums_of_distances(table, queries, out, size, size);
}
KERNEL(mended_parts_of_table)(float const* table, float const* queries, float* out, unsigned size, unsigned part) {
    sums_of_distances(table, queries, out, size, part);
}
BLIND_PAIR(parts_of_table, cache_thrash_l1) {
    unsigned const size = memory.pick(1u << 18, 1u << 14);
    unsigned const grid = memory.pick(sms, 2u);
    float const* const table = memory.input<float>(size);
    float const* const queries = memory.input<float>(grid * 16);
    results<float> const out = memory.output<float>(grid * 16, 1e-2);
    return {[=] { bad_parts_of_table<<<grid, 1024>>>(table, queries, out.bad, size, size / 16); },
            [=] { mended_parts_of_table<<<grid, 1024>>>(table, queries, out.mended, size, size / 16); }};
}

namespace {

__constant__ float const levels_of_nibbles[16] = {-1.0f, -0.7f, -0.53f, -0.39f, -0.28f, -0.18f, -0.09f, 0.0f,
                                                  0.08f, 0.16f, 0.25f,  0.34f,  0.44f,  0.56f,  0.72f,  1.0f};

} // namespace

// Weights of four bits through a table of 16 levels: in constant memory, or in shared memory.
KERNEL(bad_levels)(unsigned const* in, float4* out) {
    unsigned const word = in[global_thread()];
    float v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k] = levels_of_nibbles[word >> k * 4 & 15];
    out[global_thread() * 2] = make_float4(v[0], v[1], v[2], v[3]);
    out[global_thread() * 2 + 1] = make_float4(v[4], v[5], v[6], v[7]);
}
KERNEL(mended_levels)(unsigned const* in, float4* out) {
    __shared__ float levels[16];
    unsigned const word = in[global_thread()];
    if (threadIdx.x < 16) levels[threadIdx.x] = levels_of_nibbles[threadIdx.x];
    __syncthreads();
    float v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k] = levels[word >> k * 4 & 15];
    out[global_thread() * 2] = make_float4(v[0], v[1], v[2], v[3]);
    out[global_thread() * 2 + 1] = make_float4(v[4], v[5], v[6], v[7]);
}
BLIND_PAIR(levels, divergent_constants) {
    unsigned const grid = memory.pick(full_grid * 12, 4u);
    unsigned const* const in = memory.input<unsigned>(grid * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256 * 8, 0);
    return {[=] { bad_levels<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.bad)); },
            [=] { mended_levels<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.mended)); }};
}

// As mended_levels: a thread stores two vectors beside each other, or neighbouring threads store neighbouring ones.
KERNEL(bad_levels_again)(unsigned const* in, float4* out) {
    __shared__ float levels[16];
    unsigned const word = in[global_thread()];
    if (threadIdx.x < 16) levels[threadIdx.x] = levels_of_nibbles[threadIdx.x];
    __syncthreads();
    float v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k] = levels[word >> k * 4 & 15];
    out[global_thread() * 2] = make_float4(v[0], v[1], v[2], v[3]);
    out[global_thread() * 2 + 1] = make_float4(v[4], v[5], v[6], v[7]);
}
KERNEL(mended_levels_again)(unsigned const* in, float4* out) {
    __shared__ float levels[16];
    if (threadIdx.x < 16) levels[threadIdx.x] = levels_of_nibbles[threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < 2; ++j) {
        unsigned const i = (blockIdx.x * 2 + j) * blockDim.x + threadIdx.x;
        unsigned const word = in[i / 2] >> i % 2 * 16;
        out[i] =
            make_float4(levels[word & 15], levels[word >> 4 & 15], levels[word >> 8 & 15], levels[word >> 12 & 15]);
    }
}
AGAIN_PAIR(levels_again, uncoalesced_global_stores) {
    unsigned const grid = memory.pick(full_grid * 12, 4u);
    unsigned const* const in = memory.input<unsigned>(grid * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256 * 8, 0);
    return {[=] { bad_levels_again<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.bad)); },
            [=] { mended_levels_again<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.mended)); }};
}

// ---- atomic operations, fences, shared memory, barriers

namespace {

constexpr unsigned box_sides = 4;

// The largest of each side of a box: x, y, and both with all bits turned round, for the smallest.
__device__ void sides_of(uint2 point, unsigned (&sides)[box_sides]) {
    sides[0] = max(sides[0], point.x);
    sides[1] = max(sides[1], point.y);
    sides[2] = max(sides[2], ~point.x);
    sides[3] = max(sides[3], ~point.y);
}

} // namespace

// The box around many points: four atomic operations a point, or a block.
KERNEL(bad_bounding_box)(uint2 const* points, unsigned* box, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        unsigned sides[box_sides] = {};
        sides_of(points[i], sides);
#pragma unroll
        for (unsigned k = 0; k < box_sides; ++k) atomicMax(box + k, sides[k]);
    }
}
KERNEL(mended_bounding_box)(uint2 const* points, unsigned* box, unsigned n) {
    __shared__ unsigned part[8][box_sides];
    unsigned sides[box_sides] = {};
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) sides_of(points[i], sides);
#pragma unroll
    for (unsigned k = 0; k < box_sides; ++k) {
        sides[k] = __reduce_max_sync(~0u, sides[k]);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32][k] = sides[k];
    }
    __syncthreads();
    if (threadIdx.x >= box_sides) return;
    unsigned most = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; ++warp) most = max(most, part[warp][threadIdx.x]);
    atomicMax(box + threadIdx.x, most);
}
BLIND_PAIR(bounding_box, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const n = grid * 256 * 4;
    auto const* const points = reinterpret_cast<uint2 const*>(memory.input<unsigned>(std::size_t{n} * 2));
    results<unsigned> const out = memory.output<unsigned>(box_sides, 0);
    return {[=] { bad_bounding_box<<<grid, 256>>>(points, out.bad, n); },
            [=] { mended_bounding_box<<<grid, 256>>>(points, out.mended, n); }};
}

namespace {

constexpr unsigned hubs = 256; // nodes with the most edges come first

} // namespace

// Flow into the nodes of a graph, a half of whose edges end in a few nodes: all added in global memory, or those of hubs in shared
// memory first.
KERNEL(bad_flow_into_hubs)(unsigned const* ends, unsigned const* flow, unsigned* sums, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(sums + ends[i], flow[i] & 15);
}
KERNEL(mended_flow_into_hubs)(unsigned const* ends, unsigned const* flow, unsigned* sums, unsigned n) {
    __shared__ unsigned own[hubs];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        unsigned const end = ends[i];
        if (end < hubs) atomicAdd(own + end, flow[i] & 15);
        else atomicAdd(sums + end, flow[i] & 15);
    }
    __syncthreads();
    atomicAdd(sums + threadIdx.x, own[threadIdx.x]);
}
BLIND_PAIR(flow_into_hubs, global_atomic_contention) {
    unsigned const n = memory.pick(8u << 20, 1u << 14);
    unsigned const nodes = memory.pick(1u << 20, 1u << 12);
    std::vector<unsigned> ends = memory.values<unsigned>(std::min<std::size_t>(n, memory.period));
    for (unsigned& end : ends) {
        unsigned const random = end >> 5;
        end = random % 2 == 0 ? random / 2 % nodes : random / 2 % 64 * (random / 128 % 4);
    }
    unsigned const* const in = memory.repeated(ends, n);
    unsigned const* const flow = memory.input<unsigned>(n);
    results<unsigned> const out = memory.output<unsigned>(nodes, 0);
    unsigned const grid = memory.pick(sms * 4u, 4u);
    return {[=] { bad_flow_into_hubs<<<grid, 256>>>(in, flow, out.bad, n); },
            [=] { mended_flow_into_hubs<<<grid, 256>>>(in, flow, out.mended, n); }};
}

namespace {

// Values are stored, then the block is counted as done; a fence after each store, or one before the count.
template <bool Always>
__device__ void store_and_count(float const* in, float* out, unsigned* done, unsigned each) {
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) {
        unsigned const i = k * gridDim.x * blockDim.x + global_thread();
        out[i] = fmaf(in[i], in[i], 1.0f);
        if (Always) __threadfence();
    }
    if (!Always) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(done, 1u);
}

} // namespace

KERNEL(bad_counted_blocks)(float const* in, float* out, unsigned* done, unsigned each) {
    store_and_count<true>(in, out, done, each);
}
KERNEL(mended_counted_blocks)(float const* in, float* out, unsigned* done, unsigned each) {
    store_and_count<false>(in, out, done, each);
}
BLIND_PAIR(counted_blocks, memory_fences) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const each = memory.pick(32u, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256 * each);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256 * each);
    results<unsigned> const done = memory.output<unsigned>(1, 0);
    return {[=] { bad_counted_blocks<<<grid, 256>>>(in, out.bad, done.bad, each); },
            [=] { mended_counted_blocks<<<grid, 256>>>(in, out.mended, done.mended, each); }};
}

namespace {

// Passes of a Fourier transform that threads of a block exchange values between: eight values a thread, beside each other when they
// are written and 128 apart when they are read.
template <class Place>
__device__ void exchange(float2 const* in, float2* out, unsigned passes, Place place) {
    __shared__ float2 values[1024 + 64];
    float2 v[2][4];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k / 4][k % 4] = in[blockIdx.x * 1024 + k * 128 + threadIdx.x];
#pragma unroll 1
    for (unsigned pass = 0; pass < passes; ++pass) {
        transform_4(v[0]);
        transform_4(v[1]);
#pragma unroll
        for (unsigned k = 0; k < 8; ++k)
            values[place(threadIdx.x * 8 + k)] = make_float2(v[k / 4][k % 4].x * 0.3f, v[k / 4][k % 4].y * 0.3f);
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) v[k / 4][k % 4] = values[place(k * 128 + threadIdx.x)];
        __syncthreads();
    }
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) out[blockIdx.x * 1024 + k * 128 + threadIdx.x] = v[k / 4][k % 4];
}

} // namespace

// Values at their places, or with one left free after every 16.
KERNEL(bad_fourier_exchange)(float2 const* in, float2* out, unsigned passes) {
    exchange(in, out, passes, [](unsigned i) { return i; });
}
KERNEL(mended_fourier_exchange)(float2 const* in, float2* out, unsigned passes) {
    exchange(in, out, passes, [](unsigned i) { return i + i / 16; });
}
BLIND_PAIR(fourier_exchange, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    unsigned const passes = memory.pick(5u, 2u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float2 const*>(memory.input<float>(n * 2));
    results<float> const out = memory.output<float>(n * 2, 1e-2);
    return {[=] { bad_fourier_exchange<<<grid, 128>>>(in, reinterpret_cast<float2*>(out.bad), passes); },
            [=] { mended_fourier_exchange<<<grid, 128>>>(in, reinterpret_cast<float2*>(out.mended), passes); }};
}

namespace {

// Products of 32 queries and 32 keys of 64 numbers, a part of attention: each lane has a key, each warp four queries.
template <unsigned Pitch>
__device__ void score_tile(float4 const* queries, float4 const* keys, float* out, unsigned turns) {
    __shared__ float4 own_queries[32 * 16], own_keys[32 * Pitch / 4];
    unsigned const lane = threadIdx.x % 32;
    unsigned const first = threadIdx.x / 32 * 4;
    float sums[4] = {};
    own_queries[threadIdx.x] = queries[blockIdx.x * 512 + threadIdx.x];
    own_queries[threadIdx.x + 256] = queries[blockIdx.x * 512 + threadIdx.x + 256];
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
        for (unsigned k = threadIdx.x; k < 512; k += 256) own_keys[k / 16 * (Pitch / 4) + k % 16] = keys[t * 512 + k];
        __syncthreads();
#pragma unroll 4
        for (unsigned k = 0; k < 16; ++k) {
            float4 const key = own_keys[lane * (Pitch / 4) + k];
#pragma unroll
            for (unsigned j = 0; j < 4; ++j) {
                float4 const q = own_queries[(first + j) * 16 + k];
                sums[j] = fmaf(q.x, key.x, fmaf(q.y, key.y, fmaf(q.z, key.z, fmaf(q.w, key.w, sums[j]))));
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) out[(blockIdx.x * 32 + first + j) * 32 + lane] = sums[j];
}

} // namespace

// Rows of keys as long as they are, or four words longer.
KERNEL(bad_score_tile)(float4 const* queries, float4 const* keys, float* out, unsigned turns) {
    score_tile<64>(queries, keys, out, turns);
}
KERNEL(mended_score_tile)(float4 const* queries, float4 const* keys, float* out, unsigned turns) {
    score_tile<68>(queries, keys, out, turns);
}
BLIND_PAIR(score_tile, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const turns = memory.pick(256u, 2u);
    auto const* const queries = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{grid} * 2048));
    auto const* const keys = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{turns} * 2048));
    results<float> const out = memory.output<float>(std::size_t{grid} * 1024, 1e-3);
    return {[=] { bad_score_tile<<<grid, 256>>>(queries, keys, out.bad, turns); },
            [=] { mended_score_tile<<<grid, 256>>>(queries, keys, out.mended, turns); }};
}

namespace {

struct cell_particle {
    float x, y, vx, vy, mass, charge, age, kind;
};
struct cell_particles {
    float x[256], y[256], charge[256];
};
__device__ float3 particle_of(cell_particle const* all, unsigned i) {
    return make_float3(all[i].x, all[i].y, all[i].charge);
}
__device__ float3 particle_of(cell_particles const* all, unsigned i) {
    return make_float3(all->x[i], all->y[i], all->charge[i]);
}
// Force between a particle of a block and those after it.
template <class Particles>
__device__ float force_of_next(Particles const* all, unsigned count) {
    float3 const own = particle_of(all, threadIdx.x);
    float sum = 0;
#pragma unroll 4
    for (unsigned k = 1; k <= count; ++k) {
        float3 const other = particle_of(all, (threadIdx.x + k) % 256);
        float const x = other.x - own.x, y = other.y - own.y;
        sum = fmaf(other.z, rsqrtf(fmaf(x, x, fmaf(y, y, 0.1f))), sum);
    }
    return sum * own.z;
}

} // namespace

// Particles of a cell in shared memory: records of eight words, or arrays of the members that count.
KERNEL(bad_cell_records)(float4 const* in, float* out, unsigned count) {
    __shared__ __align__(16) cell_particle all[256];
    reinterpret_cast<float4*>(all)[threadIdx.x] = in[blockIdx.x * 512 + threadIdx.x];
    reinterpret_cast<float4*>(all)[threadIdx.x + 256] = in[blockIdx.x * 512 + threadIdx.x + 256];
    __syncthreads();
    out[global_thread()] = force_of_next(all, count);
}
KERNEL(mended_cell_records)(float4 const* in, float* out, unsigned count) {
    __shared__ cell_particles all;
    auto const* const own = reinterpret_cast<cell_particle const*>(in + global_thread() * 2);
    all.x[threadIdx.x] = own->x;
    all.y[threadIdx.x] = own->y;
    all.charge[threadIdx.x] = own->charge;
    __syncthreads();
    out[global_thread()] = force_of_next(&all, count);
}
BLIND_PAIR(cell_records, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid * 2, 2u);
    unsigned const count = memory.pick(64u, 8u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{grid} * 256 * 8));
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
    return {[=] { bad_cell_records<<<grid, 256>>>(in, out.bad, count); },
            [=] { mended_cell_records<<<grid, 256>>>(in, out.mended, count); }};
}

namespace {

// Left and right samples of sound come apart by way of shared memory, the right ones in reverse order.
template <class Place>
__device__ void part_sound(float const* in, float* out, unsigned n, Place place) {
    __shared__ float both[512 + 16];
    both[place(threadIdx.x)] = in[blockIdx.x * 512 + threadIdx.x];
    both[place(threadIdx.x + 256)] = in[blockIdx.x * 512 + threadIdx.x + 256];
    __syncthreads();
    out[global_thread()] = both[place(threadIdx.x * 2)] * 0.8f;
    out[n + global_thread()] = both[place(511 - threadIdx.x * 2)] * 0.8f;
}

} // namespace

// Reads of every second word, with conflicts of two lanes each, or left and right apart; memory takes longer either way.
KERNEL(bad_stereo)(float const* in, float* out, unsigned n) {
    part_sound(in, out, n, [](unsigned i) { return i; });
}
KERNEL(mended_stereo)(float const* in, float* out, unsigned n) {
    part_sound(in, out, n, [](unsigned i) { return i % 2 * 272 + i / 2; });
}
BLIND_PAIR(stereo, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid * 24, 4u);
    unsigned const n = grid * 256;
    float const* const in = memory.input<float>(std::size_t{n} * 2);
    results<float> const out = memory.output<float>(std::size_t{n} * 2);
    return {[=] { bad_stereo<<<grid, 256>>>(in, out.bad, n); },
            [=] { mended_stereo<<<grid, 256>>>(in, out.mended, n); }};
}

namespace {

__device__ void pull(float3& sum, float3 own, float x, float y, float z, float mass) {
    x -= own.x, y -= own.y, z -= own.z;
    float const inverse = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, 0.05f))));
    float const strength = mass * inverse * inverse * inverse;
    sum = make_float3(fmaf(x, strength, sum.x), fmaf(y, strength, sum.y), fmaf(z, strength, sum.z));
}

} // namespace

// Bodies pull, 256 sources at a time in shared memory: four arrays of floats, or one of float4.
KERNEL(bad_tiles_of_bodies)(float4 const* bodies, float* out, unsigned sources) {
    __shared__ float x[256], y[256], z[256], mass[256];
    float4 const b = bodies[global_thread()];
    float3 const own = make_float3(b.x, b.y, b.z);
    float3 sum = make_float3(0, 0, 0);
    for (unsigned first = 0; first < sources; first += 256) {
        float4 const source = bodies[first + threadIdx.x];
        x[threadIdx.x] = source.x, y[threadIdx.x] = source.y, z[threadIdx.x] = source.z, mass[threadIdx.x] = source.w;
        __syncthreads();
#pragma unroll 1
        for (unsigned k = 0; k < 256; ++k) pull(sum, own, x[k], y[k], z[k], mass[k]);
        __syncthreads();
    }
    out[global_thread()] = sum.x + sum.y * sum.z;
}
KERNEL(mended_tiles_of_bodies)(float4 const* bodies, float* out, unsigned sources) {
    __shared__ float4 tile[256];
    float4 const b = bodies[global_thread()];
    float3 const own = make_float3(b.x, b.y, b.z);
    float3 sum = make_float3(0, 0, 0);
    for (unsigned first = 0; first < sources; first += 256) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 1
        for (unsigned k = 0; k < 256; ++k) pull(sum, own, tile[k].x, tile[k].y, tile[k].z, tile[k].w);
        __syncthreads();
    }
    out[global_thread()] = sum.x + sum.y * sum.z;
}
BLIND_PAIR(tiles_of_bodies, narrow_shared_access) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const sources = memory.pick(16384u, 256u);
    auto const* const bodies = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{grid} * 256 * 4));
    results<float> const out = memory.output<float>(grid * 256, 1e-2);
    return {[=] { bad_tiles_of_bodies<<<grid, 256>>>(bodies, out.bad, sources); },
            [=] { mended_tiles_of_bodies<<<grid, 256>>>(bodies, out.mended, sources); }};
}

namespace {

constexpr unsigned groups = 64;

// Sums of groups, whose members come one after another, begin and end in shared memory.
template <class Add>
__device__ void sum_groups(unsigned const* of, float const* in, float* sums, unsigned n, Add add) {
    __shared__ float own[groups];
    if (threadIdx.x < groups) own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) add(own, of[i], in[i]);
    __syncthreads();
    if (threadIdx.x < groups) atomicAdd(sums + threadIdx.x, own[threadIdx.x]);
}

} // namespace

// Each value is added by itself, or those of a warp are where all are of the same group.
KERNEL(bad_sums_of_groups)(unsigned const* of, float const* in, float* sums, unsigned n) {
    sum_groups(of, in, sums, n, [](float* own, unsigned group, float v) { atomicAdd(own + group, v); });
}
KERNEL(mended_sums_of_groups)(unsigned const* of, float const* in, float* sums, unsigned n) {
    sum_groups(of, in, sums, n, [](float* own, unsigned group, float v) {
        if (__all_sync(~0u, group == __shfl_sync(~0u, group, 0))) {
            v = sum_of_warp(v);
            if (threadIdx.x % 32 == 0) atomicAdd(own + group, v);
        } else {
            atomicAdd(own + group, v);
        }
    });
}
BLIND_PAIR(sums_of_groups, shared_atomic_contention) {
    unsigned const n = memory.pick(4u << 20, 1u << 13);
    std::vector<unsigned> of(n);
    for (unsigned i = 0; i < n; ++i) of[i] = i / 200 % groups;
    unsigned const* const group_of = memory.upload(of);
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(groups, 1e-2);
    unsigned const grid = memory.pick(sms * 4u, 4u);
    return {[=] { bad_sums_of_groups<<<grid, 256>>>(group_of, in, out.bad, n); },
            [=] { mended_sums_of_groups<<<grid, 256>>>(group_of, in, out.mended, n); }};
}

// As mended_sums_of_groups: where a warp has values of two groups or more, each is added by itself, or the sum of each run of a group.
KERNEL(bad_sums_of_groups_again)(unsigned const* of, float const* in, float* sums, unsigned n) {
    sum_groups(of, in, sums, n, [](float* own, unsigned group, float v) {
        if (__all_sync(~0u, group == __shfl_sync(~0u, group, 0))) {
            v = sum_of_warp(v);
            if (threadIdx.x % 32 == 0) atomicAdd(own + group, v);
        } else {
            atomicAdd(own + group, v);
        }
    });
}
KERNEL(mended_sums_of_groups_again)(unsigned const* of, float const* in, float* sums, unsigned n) {
    sum_groups(of, in, sums, n, [](float* own, unsigned group, float v) {
        unsigned const lane = threadIdx.x % 32;
#pragma unroll
        for (unsigned apart = 1; apart < 32; apart *= 2) {
            float const behind = __shfl_down_sync(~0u, v, apart);
            if (__shfl_down_sync(~0u, group, apart) == group && lane + apart < 32) v += behind;
        }
        if (__shfl_up_sync(~0u, group, 1) != group || lane == 0) atomicAdd(own + group, v);
    });
}
AGAIN_PAIR(sums_of_groups_again, shared_atomic_contention) {
    unsigned const n = memory.pick(4u << 20, 1u << 13);
    std::vector<unsigned> of(n);
    for (unsigned i = 0; i < n; ++i) of[i] = i / 200 % groups;
    unsigned const* const group_of = memory.upload(of);
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(groups, 1e-2);
    unsigned const grid = memory.pick(sms * 4u, 4u);
    return {[=] { bad_sums_of_groups_again<<<grid, 256>>>(group_of, in, out.bad, n); },
            [=] { mended_sums_of_groups_again<<<grid, 256>>>(group_of, in, out.mended, n); }};
}

namespace {

// How many letters differ between two words of 32, at the least (edit distance): a warp a pair of words, a lane a letter of the
// second. `pass` gives a lane the number of the lane before.
template <class Pass>
__device__ unsigned edit_distance(unsigned char const* first, unsigned char letter, Pass pass) {
    unsigned const lane = threadIdx.x % 32;
    unsigned own = lane + 1, diagonal = lane;
#pragma unroll 1
    for (unsigned step = 0; step < 63; ++step) {
        unsigned const before = pass(own);
        unsigned const row = step - lane; // huge where the lane has not begun
        if (row < 32) {
            unsigned const left = lane == 0 ? row + 1 : before;
            own = min(min(own, left) + 1, (lane == 0 ? row : diagonal) + (first[row] != letter));
            diagonal = left;
        }
    }
    return own;
}

} // namespace

// By way of shared memory and barriers of the block, or by shuffles.
KERNEL(bad_edit_distances)(unsigned char const* words, unsigned* out) {
    __shared__ unsigned char firsts[256];
    __shared__ unsigned numbers[256];
    firsts[threadIdx.x] = words[blockIdx.x * 512 + threadIdx.x] % 4;
    unsigned char const letter = words[blockIdx.x * 512 + 256 + threadIdx.x] % 4;
    __syncthreads();
    unsigned const distance = edit_distance(firsts + threadIdx.x / 32 * 32, letter, [](unsigned own) {
        numbers[threadIdx.x] = own;
        __syncthreads();
        unsigned const before = numbers[max(threadIdx.x, 1u) - 1];
        __syncthreads();
        return before;
    });
    if (threadIdx.x % 32 == 31) out[global_thread() / 32] = distance;
}
KERNEL(mended_edit_distances)(unsigned char const* words, unsigned* out) {
    __shared__ unsigned char firsts[256];
    firsts[threadIdx.x] = words[blockIdx.x * 512 + threadIdx.x] % 4;
    unsigned char const letter = words[blockIdx.x * 512 + 256 + threadIdx.x] % 4;
    __syncwarp();
    unsigned const distance =
        edit_distance(firsts + threadIdx.x / 32 * 32, letter, [](unsigned own) { return __shfl_up_sync(~0u, own, 1); });
    if (threadIdx.x % 32 == 31) out[global_thread() / 32] = distance;
}
BLIND_PAIR(edit_distances, barrier_waits) {
    unsigned const grid = memory.pick(full_grid * 8, 2u);
    std::vector<unsigned> const random = memory.values<unsigned>(memory.period);
    std::vector<unsigned char> letters(random.size());
    for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = static_cast<unsigned char>(random[i] >> 20);
    auto const* const words = memory.repeated(letters, std::size_t{grid} * 512);
    results<unsigned> const out = memory.output<unsigned>(grid * 8, 0);
    return {[=] { bad_edit_distances<<<grid, 256>>>(words, out.bad); },
            [=] { mended_edit_distances<<<grid, 256>>>(words, out.mended); }};
}

// As mended_edit_distances: a warp has a pair of words, or four, of which each lane begins with the next when it has done one.
KERNEL(bad_edit_distances_again)(unsigned char const* words, unsigned* out) {
    __shared__ unsigned char firsts[256];
    firsts[threadIdx.x] = words[blockIdx.x * 512 + threadIdx.x] % 4;
    unsigned char const letter = words[blockIdx.x * 512 + 256 + threadIdx.x] % 4;
    __syncwarp();
    unsigned const distance =
        edit_distance(firsts + threadIdx.x / 32 * 32, letter, [](unsigned own) { return __shfl_up_sync(~0u, own, 1); });
    if (threadIdx.x % 32 == 31) out[global_thread() / 32] = distance;
}
KERNEL(mended_edit_distances_again)(unsigned char const* words, unsigned* out) {
    __shared__ unsigned char firsts[4][256];
    unsigned const lane = threadIdx.x % 32;
    unsigned letters = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        unsigned char const* const pair = words + (blockIdx.x * 4 + k) * 512 + threadIdx.x;
        firsts[k][threadIdx.x] = pair[0] % 4;
        letters |= pair[256] % 4u << k * 8;
    }
    __syncwarp();
    unsigned own = 0, diagonal = 0;
#pragma unroll 1
    for (unsigned step = 0; step < 4 * 32 + 31; ++step) {
        unsigned const before = __shfl_up_sync(~0u, own, 1);
        unsigned const at = step - lane; // huge where the lane has not begun
        if (at >= 4 * 32) continue;
        unsigned const row = at % 32, k = at / 32;
        if (row == 0) own = lane + 1, diagonal = lane;
        unsigned const left = lane == 0 ? row + 1 : before, letter = letters >> k * 8 & 0xff;
        own =
            min(min(own, left) + 1, (lane == 0 ? row : diagonal) + (firsts[k][threadIdx.x / 32 * 32 + row] != letter));
        diagonal = left;
        if (lane == 31 && row == 31) out[(blockIdx.x * 4 + k) * 8 + threadIdx.x / 32] = own;
    }
}
AGAIN_PAIR(edit_distances_again, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::vector<unsigned> const random = memory.values<unsigned>(memory.period);
    std::vector<unsigned char> letters(random.size());
    for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = static_cast<unsigned char>(random[i] >> 20);
    auto const* const words = memory.repeated(letters, std::size_t{grid} * 512);
    results<unsigned> const out = memory.output<unsigned>(grid * 8, 0);
    return {[=] { bad_edit_distances_again<<<grid, 256>>>(words, out.bad); },
            [=] { mended_edit_distances_again<<<grid / 4, 256>>>(words, out.mended); }};
}

// Places of values above a limit among those of their block: one thread counts for all, or warps do by votes.
KERNEL(bad_places_above)(float const* in, unsigned* out) {
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = in[global_thread()] > 1.0f;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned k = 0, sum = 0; k < 256; ++k) {
            unsigned const count = counts[k];
            counts[k] = sum;
            sum += count;
        }
    __syncthreads();
    out[global_thread()] = counts[threadIdx.x];
}
KERNEL(mended_places_above)(float const* in, unsigned* out) {
    __shared__ unsigned counts[8];
    unsigned const votes = __ballot_sync(~0u, in[global_thread()] > 1.0f);
    if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = __popc(votes);
    __syncthreads();
    unsigned place = __popc(votes & ((1u << threadIdx.x % 32) - 1));
#pragma unroll
    for (unsigned warp = 0; warp < 7; ++warp) place += warp < threadIdx.x / 32 ? counts[warp] : 0;
    out[global_thread()] = place;
}
BLIND_PAIR(places_above, barrier_waits) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{grid} * 256, 0);
    return {[=] { bad_places_above<<<grid, 256>>>(in, out.bad); },
            [=] { mended_places_above<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// A tile of 32 values a thread is read, bent by a polynomial, and written in reverse order, tile after tile.
__device__ void mirror_tiles(float const* in, float* out, unsigned tiles) {
    extern __shared__ float tile[];
    unsigned const length = blockDim.x * 32;
#pragma unroll 1
    for (unsigned t = 0; t < tiles; ++t) {
        std::size_t const first = (std::size_t{blockIdx.x} * tiles + t) * length;
#pragma unroll 8
        for (unsigned k = threadIdx.x; k < length; k += blockDim.x) tile[k] = in[first + k];
        __syncthreads();
#pragma unroll 4
        for (unsigned k = threadIdx.x; k < length; k += blockDim.x) {
            float const x = tile[k];
            float sum = 0;
#pragma unroll
            for (unsigned j = 0; j < 32; ++j) sum = fmaf(sum, x * 0.4f, 0.25f);
            tile[k] = sum;
        }
        __syncthreads();
#pragma unroll 8
        for (unsigned k = threadIdx.x; k < length; k += blockDim.x) out[first + k] = tile[length - 1 - k];
        __syncthreads();
    }
}

} // namespace

// One block of 1024 threads an SM, or six of 256.
KERNEL(bad_mirrored_tiles)(float const* in, float* out, unsigned tiles) { mirror_tiles(in, out, tiles); }
KERNEL(mended_mirrored_tiles)(float const* in, float* out, unsigned tiles) { mirror_tiles(in, out, tiles); }
BLIND_PAIR(mirrored_tiles, barriers_without_other_blocks) {
    unsigned const grid = memory.pick(sms, 2u);
    unsigned const tiles = memory.pick(6u, 1u);
    std::size_t const n = std::size_t{grid} * tiles * 32768;
    float const* const in = memory.input<float>(n);
    // Tiles are mirrored in themselves: the order differs by the size of a tile.
    results<float> const out = memory.output<float>(n, 1e-3, n, [](std::size_t i) {
        std::size_t const source = i / 8192 * 8192 + 8191 - i % 8192;
        return source / 32768 * 32768 + 32767 - source % 32768;
    });
    CHECK_CUDA(cudaFuncSetAttribute(bad_mirrored_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072));
    return {[=] { bad_mirrored_tiles<<<grid, 1024, 131072>>>(in, out.bad, tiles); },
            [=] { mended_mirrored_tiles<<<grid * tiles, 256, 32768>>>(in, out.mended, 4); }};
}

// ---- threads of a warp

namespace {

// A row of a sparse product, by `Lanes` lanes.
template <unsigned Lanes>
__device__ void short_row(unsigned const* begins, unsigned const* columns, float const* values, float const* x,
                          float* out) {
    unsigned const row = global_thread() / Lanes;
    unsigned const lane = threadIdx.x % Lanes;
    float sum = 0;
    for (unsigned k = begins[row] + lane; k < begins[row + 1]; k += Lanes) sum = fmaf(values[k], x[columns[k]], sum);
#pragma unroll
    for (unsigned apart = Lanes / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (lane == 0) out[row] = sum;
}

} // namespace

// Rows of 3 to 7 values: a warp a row, or four lanes.
KERNEL(bad_short_rows)
(unsigned const* begins, unsigned const* columns, float const* values, float const* x, float* out) {
    short_row<32>(begins, columns, values, x, out);
}
KERNEL(mended_short_rows)
(unsigned const* begins, unsigned const* columns, float const* values, float const* x, float* out) {
    short_row<4>(begins, columns, values, x, out);
}
BLIND_PAIR(short_rows, thread_divergence) {
    unsigned const rows = memory.pick(1u << 19, 1u << 9);
    std::vector<unsigned> begins(rows + 1), columns;
    std::vector<unsigned> const random = memory.values<unsigned>(memory.period);
    for (unsigned i = 0; i < rows; ++i) {
        begins[i + 1] = begins[i] + 3 + random[i] / 64 % 5;
        for (unsigned k = begins[i]; k < begins[i + 1]; ++k)
            columns.push_back((i + rows - 200 + random[k % random.size()] / 64 % 400) % rows);
    }
    unsigned const* const first = memory.upload(begins);
    unsigned const* const of = memory.upload(columns);
    float const* const values = memory.input<float>(columns.size());
    float const* const x = memory.input<float>(rows);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_short_rows<<<rows / 8, 256>>>(first, of, values, x, out.bad); },
            [=] { mended_short_rows<<<rows / 64, 256>>>(first, of, values, x, out.mended); }};
}

// As mended_short_rows: four lanes load what is a row's, or all threads of a block what is the block's, and products go by shared memory.
KERNEL(bad_short_rows_again)
(unsigned const* begins, unsigned const* columns, float const* values, float const* x, float* out) {
    short_row<4>(begins, columns, values, x, out);
}
KERNEL(mended_short_rows_again)
(unsigned const* begins, unsigned const* columns, float const* values, float const* x, float* out) {
    __shared__ float products[64 * 7];
    unsigned const row = blockIdx.x * 64, first = begins[row];
    for (unsigned k = first + threadIdx.x; k < begins[row + 64]; k += 256)
        products[k - first] = values[k] * x[columns[k]];
    __syncthreads();
    if (threadIdx.x >= 64) return;
    float sum = 0;
    for (unsigned k = begins[row + threadIdx.x]; k < begins[row + threadIdx.x + 1]; ++k) sum += products[k - first];
    out[row + threadIdx.x] = sum;
}
AGAIN_PAIR(short_rows_again, uncoalesced_global_access) {
    unsigned const rows = memory.pick(1u << 19, 1u << 9);
    std::vector<unsigned> begins(rows + 1), columns;
    std::vector<unsigned> const random = memory.values<unsigned>(memory.period);
    for (unsigned i = 0; i < rows; ++i) {
        begins[i + 1] = begins[i] + 3 + random[i] / 64 % 5;
        for (unsigned k = begins[i]; k < begins[i + 1]; ++k)
            columns.push_back((i + rows - 200 + random[k % random.size()] / 64 % 400) % rows);
    }
    unsigned const* const first = memory.upload(begins);
    unsigned const* const of = memory.upload(columns);
    float const* const values = memory.input<float>(columns.size());
    float const* const x = memory.input<float>(rows);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_short_rows_again<<<rows / 64, 256>>>(first, of, values, x, out.bad); },
            [=] { mended_short_rows_again<<<rows / 64, 256>>>(first, of, values, x, out.mended); }};
}

// Runs of equal values are written out: a thread a run, or 32 runs by all lanes of a warp.
KERNEL(bad_written_runs)(unsigned const* begins, unsigned const* values, unsigned* out) {
    unsigned const value = values[global_thread()];
    for (unsigned k = begins[global_thread()]; k < begins[global_thread() + 1]; ++k) out[k] = value;
}
KERNEL(mended_written_runs)(unsigned const* begins, unsigned const* values, unsigned* out) {
    unsigned const lane = threadIdx.x % 32;
    unsigned const value = values[global_thread()];
    unsigned const begin = begins[global_thread()];
    unsigned const first = __shfl_sync(~0u, begin, 0);
    unsigned const end = begins[(global_thread() / 32 + 1) * 32];
#pragma unroll 1
    for (unsigned from = first; from < end; from += 32) {
        unsigned run = 0;
#pragma unroll
        for (unsigned half = 16; half > 0; half /= 2)
            if (__shfl_sync(~0u, begin, run + half) <= from + lane) run += half;
        unsigned const of_run = __shfl_sync(~0u, value, run);
        if (from + lane < end) out[from + lane] = of_run;
    }
}
BLIND_PAIR(written_runs, thread_divergence) {
    unsigned const runs = memory.pick(1u << 20, 1u << 10);
    std::vector<unsigned> begins(runs + 1);
    std::vector<unsigned> const random = memory.values<unsigned>(runs);
    for (unsigned i = 0; i < runs; ++i)
        begins[i + 1] =
            begins[i] + 1 + (random[i] >> 9) % 4 + ((random[i] >> 12) % 16 == 0 ? (random[i] >> 16) % 128 : 0);
    unsigned const* const first = memory.upload(begins);
    unsigned const* const values = memory.input<unsigned>(runs);
    results<unsigned> const out = memory.output<unsigned>(begins.back(), 0);
    return {[=] { bad_written_runs<<<runs / 256, 256>>>(first, values, out.bad); },
            [=] { mended_written_runs<<<runs / 256, 256>>>(first, values, out.mended); }};
}

namespace {

constexpr unsigned edges_of_node = 16;

__device__ void mark_neighbours(unsigned const* edges, unsigned* marks, unsigned node) {
#pragma unroll 4
    for (unsigned k = 0; k < edges_of_node; ++k) marks[edges[node * edges_of_node + k]] = 1;
}

} // namespace

// A step of a search through a graph, when an eighth of the nodes was found last: a thread a node, or a thread for those only.
KERNEL(bad_found_nodes)(unsigned const* found, unsigned const* edges, unsigned* marks, unsigned n) {
    unsigned const node = global_thread();
    if (node < n && found[node] == 1) mark_neighbours(edges, marks, node);
}
KERNEL(mended_found_nodes)(unsigned const* list, unsigned const* edges, unsigned* marks, unsigned n) {
    if (global_thread() < n) mark_neighbours(edges, marks, list[global_thread()]);
}
BLIND_PAIR(found_nodes, thread_divergence) {
    unsigned const nodes = memory.pick(1u << 20, 1u << 11);
    std::vector<unsigned> edges = memory.values<unsigned>(std::size_t{nodes} * edges_of_node);
    std::vector<unsigned> const random = memory.values<unsigned>(nodes);
    for (std::size_t i = 0; i < edges.size(); ++i)
        edges[i] = static_cast<unsigned>(i / edges_of_node + nodes - 500 + (edges[i] >> 9) % 1000) % nodes;
    std::vector<unsigned> found(nodes), list;
    for (unsigned i = 0; i < nodes; ++i) {
        found[i] = (random[i] >> 11) % 8 == 0;
        if (found[i] == 1) list.push_back(i);
    }
    unsigned const count = static_cast<unsigned>(list.size());
    unsigned const* const flags = memory.upload(found);
    unsigned const* const some = memory.upload(list);
    unsigned const* const ends = memory.upload(edges);
    results<unsigned> const out = memory.output<unsigned>(nodes, 0);
    return {[=] { bad_found_nodes<<<nodes / 256, 256>>>(flags, ends, out.bad, nodes); },
            [=] { mended_found_nodes<<<blocks_for(count, 256), 256>>>(some, ends, out.mended, count); }};
}

// Sums of blocks by a tree: threads whose number divides by 2, 4, 8… add, or warps by shuffles.
KERNEL(bad_sums_by_modulo)(float const* in, float* out) {
    __shared__ float part[256];
    part[threadIdx.x] = in[global_thread()];
    for (unsigned apart = 1; apart < 256; apart *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * apart) == 0) part[threadIdx.x] += part[threadIdx.x + apart];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
KERNEL(mended_sums_by_modulo)(float const* in, float* out) {
    __shared__ float part[8];
    float const sum = sum_of_warp(in[global_thread()]);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    float all = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; ++warp) all += part[warp];
    out[blockIdx.x] = all;
}
BLIND_PAIR(sums_by_modulo, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 32, 8u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(grid, 1e-3);
    return {[=] { bad_sums_by_modulo<<<grid, 256>>>(in, out.bad); },
            [=] { mended_sums_by_modulo<<<grid, 256>>>(in, out.mended); }};
}

// As mended_sums_by_modulo: a block a sum, or 16.
KERNEL(bad_sums_by_modulo_again)(float const* in, float* out) {
    __shared__ float part[8];
    float const sum = sum_of_warp(in[global_thread()]);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    float all = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; ++warp) all += part[warp];
    out[blockIdx.x] = all;
}
KERNEL(mended_sums_by_modulo_again)(float const* in, float* out) {
    __shared__ float parts[16][8];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
        float const sum = sum_of_warp(in[(blockIdx.x * 16 + k) * 256 + threadIdx.x]);
        if (threadIdx.x % 32 == 0) parts[k][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= 16) return;
    float all = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; ++warp) all += parts[threadIdx.x][warp];
    out[blockIdx.x * 16 + threadIdx.x] = all;
}
AGAIN_PAIR(sums_by_modulo_again, tiny_blocks) {
    unsigned const grid = memory.pick(full_grid * 32, 16u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(grid, 1e-3);
    return {[=] { bad_sums_by_modulo_again<<<grid, 256>>>(in, out.bad); },
            [=] { mended_sums_by_modulo_again<<<grid / 16, 256>>>(in, out.mended); }};
}

namespace {

// A cell of a grid moves towards what its neighbours ask for, by Newton's method.
__device__ void relax_point(float const* in, float* out, unsigned x, unsigned y, unsigned pitch) {
    std::size_t const at = std::size_t{y + 1} * pitch + x + 1;
    float const wanted = in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch];
    float v = in[at];
#pragma unroll
    for (unsigned k = 0; k < 12; ++k) v -= __fdividef(fmaf(v, fmaf(v, v, 4.0f), -wanted), fmaf(3 * v, v, 4.0f));
    out[at] = v;
}

} // namespace

// Every second cell, as on a board of two colours: a thread for every cell, of which a half has nothing to do, or for those only.
KERNEL(bad_two_colours)(float const* in, float* out, unsigned pitch) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    if ((x + blockIdx.y) % 2 == 0) relax_point(in, out, x, blockIdx.y, pitch);
}
KERNEL(mended_two_colours)(float const* in, float* out, unsigned pitch) {
    unsigned const x = (blockIdx.x * blockDim.x + threadIdx.x) * 2 + blockIdx.y % 2;
    relax_point(in, out, x, blockIdx.y, pitch);
}
BLIND_PAIR(two_colours, predicated_off_lanes) {
    unsigned const width = memory.pick(4096u, 512u);
    unsigned const height = memory.pick(2048u, 8u);
    unsigned const pitch = width + 32;
    float const* const in = memory.input<float>(std::size_t{pitch} * (height + 2));
    results<float> const out = memory.output<float>(std::size_t{pitch} * (height + 2), 1e-3);
    return {[=] { bad_two_colours<<<dim3(width / 256, height), 256>>>(in, out.bad, pitch); },
            [=] { mended_two_colours<<<dim3(width / 512, height), 256>>>(in, out.mended, pitch); }};
}

namespace {

constexpr unsigned element_nodes = 20;

// A finite element of 20 nodes, a thread a node: what the other nodes of its element do to it at 27 points.
__device__ void element_row(float const* in, float* out) {
    extern __shared__ float of_nodes[];
    unsigned const node = threadIdx.x % element_nodes;
    float const* const own = of_nodes + threadIdx.x - node;
    of_nodes[threadIdx.x] = in[global_thread()];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (unsigned point = 0; point < 27; ++point) {
        float const shape = fmaf(static_cast<float>(point), 0.03f, static_cast<float>(node) * 0.05f);
#pragma unroll
        for (unsigned k = 0; k < element_nodes; ++k) sum = fmaf(own[k], fmaf(shape, 0.1f, sum * 0.001f), sum);
    }
    out[global_thread()] = sum;
}

} // namespace

// Five elements a block of 100 threads, or eight a block of 160.
KERNEL(bad_finite_elements)(float const* in, float* out) { element_row(in, out); }
KERNEL(mended_finite_elements)(float const* in, float* out) { element_row(in, out); }
BLIND_PAIR(finite_elements, partial_warps) {
    unsigned const elements = memory.pick(sms * 12u * 8 * 10, 80u);
    std::size_t const n = std::size_t{elements} * element_nodes;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_finite_elements<<<elements / 5, 100, 400>>>(in, out.bad); },
            [=] { mended_finite_elements<<<elements / 8, 160, 640>>>(in, out.mended); }};
}

// ---- the launch, and what limits how many warps an SM has

namespace {

constexpr unsigned kept = 80;

// A walk of a thread through a table, then a sum of its weights by where the walk ended. Weights are read before the walk and kept
// in registers, or read when they are needed.
template <bool Before>
__device__ void walk_and_weigh(unsigned const* table, float const* weights, float* out, unsigned mask, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float own[kept];
    if constexpr (Before) {
#pragma unroll
        for (unsigned k = 0; k < kept; ++k) {
            own[k] = weights[k * n + global_thread()];
            asm volatile("" : "+f"(own[k])); // the compiler leaves the load here
        }
    }
    unsigned at = global_thread() / 32 * 977 & mask;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) at = table[(at & ~31u) + threadIdx.x % 32] & mask;
    float const end = static_cast<float>(at & 1023) * 0.001f;
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < kept; ++k) sum = fmaf(sum, end * 0.5f, Before ? own[k] : weights[k * n + global_thread()]);
    out[global_thread()] = sum;
}

} // namespace

KERNEL(bad_early_weights)(unsigned const* table, float const* weights, float* out, unsigned mask, unsigned steps) {
    walk_and_weigh<true>(table, weights, out, mask, steps);
}
KERNEL(mended_early_weights)(unsigned const* table, float const* weights, float* out, unsigned mask, unsigned steps) {
    walk_and_weigh<false>(table, weights, out, mask, steps);
}
BLIND_PAIR(early_weights, occupancy_limited_by_registers) {
    unsigned const grid = memory.pick(full_grid * 2, 2u);
    unsigned const cells = memory.pick(1u << 21, 1u << 10);
    unsigned const steps = memory.pick(100u, 8u);
    // All lanes of a warp walk alike: the 32 values of a line begin with the same line.
    std::vector<unsigned> table = memory.values<unsigned>(cells);
    for (unsigned i = 0; i < cells; ++i) table[i] = (table[i / 32 * 32] >> 3 & ~31u) + i % 32;
    unsigned const* const cells_of = memory.upload(table);
    float const* const weights = memory.input<float>(std::size_t{grid} * 256 * kept);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_early_weights<<<grid, 256>>>(cells_of, weights, out.bad, cells - 1, steps); },
            [=] { mended_early_weights<<<grid, 256>>>(cells_of, weights, out.mended, cells - 1, steps); }};
}

// The walks of mended_early_weights: a thread follows one, or two at a time, of half as many threads.
KERNEL(bad_early_weights_again)
(unsigned const* table, float const* weights, float* out, unsigned mask, unsigned steps) {
    walk_and_weigh<false>(table, weights, out, mask, steps);
}
KERNEL(mended_early_weights_again)
(unsigned const* table, float const* weights, float* out, unsigned mask, unsigned steps) {
    unsigned const half = gridDim.x * blockDim.x, n = 2 * half;
    unsigned at = global_thread() / 32 * 977 & mask, also = (global_thread() + half) / 32 * 977 & mask;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        at = table[(at & ~31u) + threadIdx.x % 32] & mask;
        also = table[(also & ~31u) + threadIdx.x % 32] & mask;
    }
    float const end = static_cast<float>(at & 1023) * 0.001f, other_end = static_cast<float>(also & 1023) * 0.001f;
    float sum = 0, other_sum = 0;
#pragma unroll
    for (unsigned k = 0; k < kept; ++k) {
        sum = fmaf(sum, end * 0.5f, weights[k * n + global_thread()]);
        other_sum = fmaf(other_sum, other_end * 0.5f, weights[k * n + half + global_thread()]);
    }
    out[global_thread()] = sum;
    out[global_thread() + half] = other_sum;
}
AGAIN_PAIR(early_weights_again, dependent_loads) {
    unsigned const grid = memory.pick(full_grid * 2, 2u);
    unsigned const cells = memory.pick(1u << 21, 1u << 10);
    unsigned const steps = memory.pick(100u, 8u);
    std::vector<unsigned> table = memory.values<unsigned>(cells);
    for (unsigned i = 0; i < cells; ++i) table[i] = (table[i / 32 * 32] >> 3 & ~31u) + i % 32;
    unsigned const* const cells_of = memory.upload(table);
    float const* const weights = memory.input<float>(std::size_t{grid} * 256 * kept);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_early_weights_again<<<grid, 256>>>(cells_of, weights, out.bad, cells - 1, steps); },
            [=] { mended_early_weights_again<<<grid / 2, 256>>>(cells_of, weights, out.mended, cells - 1, steps); }};
}

namespace {

// A histogram of 1024 bins with `Copies` of it in shared memory.
template <unsigned Copies>
__device__ void count_in_copies(uint4 const* in, unsigned* out, unsigned each) {
    __shared__ unsigned bins[1024 * Copies];
    for (unsigned k = threadIdx.x; k < 1024 * Copies; k += 128) bins[k] = 0;
    __syncthreads();
    unsigned* const own = bins + threadIdx.x % Copies * 1024;
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) {
        uint4 const v = in[std::size_t{k} * gridDim.x * 128 + global_thread()];
        atomicAdd(own + (v.x >> 14) % 1024, 1u);
        atomicAdd(own + (v.y >> 14) % 1024, 1u);
        atomicAdd(own + (v.z >> 14) % 1024, 1u);
        atomicAdd(own + (v.w >> 14) % 1024, 1u);
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 1024; k += 128) {
        unsigned sum = 0;
        for (unsigned copy = 0; copy < Copies; ++copy) sum += bins[copy * 1024 + k];
        atomicAdd(out + k, sum);
    }
}

} // namespace

// Eleven copies, so that five blocks of 128 threads fit, or one.
KERNEL(bad_copies_of_bins)(uint4 const* in, unsigned* out, unsigned each) { count_in_copies<11>(in, out, each); }
KERNEL(mended_copies_of_bins)(uint4 const* in, unsigned* out, unsigned each) { count_in_copies<1>(in, out, each); }
BLIND_PAIR(copies_of_bins, occupancy_limited_by_shared_memory) {
    unsigned const grid = memory.pick(sms * 16u, 2u);
    unsigned const each = memory.pick(48u, 4u);
    std::size_t const n = std::size_t{grid} * 128 * each * 4;
    auto const* const in = reinterpret_cast<uint4 const*>(memory.input<unsigned>(n));
    results<unsigned> const out = memory.output<unsigned>(1024, 0);
    return {[=] { bad_copies_of_bins<<<grid, 128>>>(in, out.bad, each); },
            [=] { mended_copies_of_bins<<<grid, 128>>>(in, out.mended, each); }};
}

namespace {

// A warp looks for keys in a tree whose nodes have 32 of them: `levels` reads of a node that depend on each other.
__device__ void find_keys(unsigned const* tree, unsigned const* keys, unsigned* out, unsigned levels, unsigned each) {
    unsigned const lane = threadIdx.x % 32;
    unsigned const warp = global_thread() / 32;
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) {
        unsigned const key = keys[warp * each + k];
        unsigned node = 0, first = 0, width = 1;
#pragma unroll 1
        for (unsigned level = 0; level < levels; ++level) {
            unsigned const below = __popc(__ballot_sync(~0u, tree[(first + node) * 32 + lane] <= key));
            node = node * 32 + (below == 0 ? 0 : below - 1);
            first += width;
            width *= 32;
        }
        if (lane == 0) out[warp * each + k] = node;
    }
}

} // namespace

// Blocks of one warp, or of eight.
KERNEL(bad_tree_of_keys)(unsigned const* tree, unsigned const* keys, unsigned* out, unsigned levels, unsigned each) {
    find_keys(tree, keys, out, levels, each);
}
KERNEL(mended_tree_of_keys)(unsigned const* tree, unsigned const* keys, unsigned* out, unsigned levels, unsigned each) {
    find_keys(tree, keys, out, levels, each);
}
BLIND_PAIR(tree_of_keys, occupancy_limited_by_blocks) {
    unsigned const levels = memory.pick(4u, 2u);
    unsigned const leaves = memory.pick(1u << 20, 1u << 10);
    unsigned const warps = memory.pick(sms * 64u * 4, 16u);
    unsigned const each = memory.pick(32u, 4u);
    std::vector<unsigned> sorted = memory.values<unsigned>(leaves), tree;
    std::sort(sorted.begin(), sorted.end());
    for (unsigned width = leaves / 32; width > 0; width /= 32) {
        std::vector<unsigned> level;
        for (unsigned i = 0; i < leaves; i += width) level.push_back(sorted[i]);
        if (width == leaves / 32) tree = level;
        else tree.insert(tree.end(), level.begin(), level.end());
    }
    unsigned const* const all = memory.upload(tree);
    unsigned const* const keys = memory.input<unsigned>(std::size_t{warps} * each);
    results<unsigned> const out = memory.output<unsigned>(std::size_t{warps} * each, 0);
    return {[=] { bad_tree_of_keys<<<warps, 32>>>(all, keys, out.bad, levels, each); },
            [=] { mended_tree_of_keys<<<warps / 8, 256>>>(all, keys, out.mended, levels, each); }};
}

// A picture is made a negative: a block for 8 x 8 pixels, or for 64 x 32 of which each thread has eight.
KERNEL(bad_negative)(float const* in, float* out, unsigned width) {
    unsigned const at = (blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 8 + threadIdx.x;
    out[at] = 1.5f - in[at];
}
KERNEL(mended_negative)(float const* in, float* out, unsigned width) {
    unsigned const at = (blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 64 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 32; k += 4) out[at + k * width] = 1.5f - in[at + k * width];
}
BLIND_PAIR(negative, tiny_blocks) {
    unsigned const width = memory.pick(4096u, 128u);
    unsigned const height = memory.pick(3072u, 64u);
    float const* const in = memory.input<float>(std::size_t{width} * height);
    results<float> const out = memory.output<float>(std::size_t{width} * height);
    return {[=] { bad_negative<<<dim3(width / 8, height / 8), dim3(8, 8)>>>(in, out.bad, width); },
            [=] { mended_negative<<<dim3(width / 64, height / 32), dim3(64, 4)>>>(in, out.mended, width); }};
}

// A small product a block of 32 threads: one of vectors of 32, or 16 of them one after another.
KERNEL(bad_small_dots)(float const* a, float const* b, float* out) {
    float const sum = sum_of_warp(a[global_thread()] * b[global_thread()]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
KERNEL(mended_small_dots)(float const* a, float const* b, float* out) {
    unsigned const first = blockIdx.x * 256 * 16 + threadIdx.x / 32 * 32 * 16 + threadIdx.x % 32;
    float sums[16];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) sums[k] = a[first + k * 32] * b[first + k * 32];
    float own = 0;
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
        float const sum = sum_of_warp(sums[k]);
        if (threadIdx.x % 32 == k) own = sum;
    }
    if (threadIdx.x % 32 < 16) out[blockIdx.x * 128 + threadIdx.x / 32 * 16 + threadIdx.x % 32] = own;
}
BLIND_PAIR(small_dots, tiny_blocks) {
    unsigned const n = memory.pick(sms * 128u * 16, 512u);
    float const* const a = memory.input<float>(std::size_t{n} * 32);
    float const* const b = memory.input<float>(std::size_t{n} * 32);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_small_dots<<<n, 32>>>(a, b, out.bad); },
            [=] { mended_small_dots<<<n / 128, 256>>>(a, b, out.mended); }};
}

namespace {

// What an option is worth after many small steps; the market of option i.
__device__ float option_value(unsigned i, unsigned steps) {
    float price = 0.8f + static_cast<float>(i % 1000) * 0.0004f, volume = 0.2f;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        float const next = fmaf(price, 0.99f, fmaf(volume, -0.04f, 0.02f));
        volume = fmaf(volume, 0.98f, __fdividef(0.01f, price + 0.5f));
        price = next;
    }
    return price + volume;
}

} // namespace

// A thread for 16 options in blocks of 1024, of which 264 of 300 run at first; or as many threads as run, which share all options.
KERNEL(bad_options)(float* out, unsigned n, unsigned steps) {
#pragma unroll 1
    for (unsigned k = 0; k < 16; ++k) {
        unsigned const i = k * gridDim.x * blockDim.x + global_thread();
        if (i < n) out[i] = option_value(i, steps);
    }
}
KERNEL(mended_options)(float* out, unsigned n, unsigned steps) {
#pragma unroll 1
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = option_value(i, steps);
}
BLIND_PAIR(options, tail_effect) {
    unsigned const grid = memory.pick(300u, 3u);
    unsigned const n = grid * 1024 * memory.pick(16u, 1u);
    unsigned const shared_by = memory.pick(full_grid, 4u);
    unsigned const steps = memory.pick(64u, 4u);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_options<<<grid, 1024>>>(out.bad, n, steps); },
            [=] { mended_options<<<shared_by, 256>>>(out.mended, n, steps); }};
}

namespace {

// Potentials of particles of a cell: all pairs, for particles `from` to `to`.
__device__ void potentials(float const* places, float* out, unsigned begin, unsigned end, unsigned from, unsigned to) {
    for (unsigned i = from + threadIdx.x; i < to; i += blockDim.x) {
        float const own = places[i];
        float sum = 0;
#pragma unroll 4
        for (unsigned k = begin; k < end; ++k) sum += rsqrtf(fmaf(places[k] - own, places[k] - own, 0.01f));
        out[i] = sum;
    }
}

} // namespace

// Cells of a galaxy, of which a few are full: a block a cell, or one for 128 particles of a cell.
KERNEL(bad_full_cells)(uint4 const* parts, float const* places, float* out) {
    uint4 const cell = parts[blockIdx.x];
    potentials(places, out, cell.x, cell.y, cell.x, cell.y);
}
KERNEL(mended_full_cells)(uint4 const* parts, float const* places, float* out) {
    uint4 const part = parts[blockIdx.x];
    potentials(places, out, part.x, part.y, part.z, part.w);
}
BLIND_PAIR(full_cells, workload_imbalance) {
    unsigned const count = memory.pick(6000u, 8u);
    std::vector<uint4> cells, parts;
    unsigned n = 0;
    for (unsigned i = 0; i < count; ++i) {
        unsigned const size = i % 500 == 3 ? memory.pick(10240u, 300u) : 96 + i * 29 % 32;
        cells.push_back(make_uint4(n, n + size, n, n + size));
        for (unsigned from = n; from < n + size; from += 128)
            parts.push_back(make_uint4(n, n + size, from, std::min(from + 128, n + size)));
        n += size;
    }
    uint4 const* const all_cells = memory.upload(cells);
    uint4 const* const all_parts = memory.upload(parts);
    unsigned const blocks = static_cast<unsigned>(parts.size());
    float const* const places = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_full_cells<<<count, 128>>>(all_cells, places, out.bad); },
            [=] { mended_full_cells<<<blocks, 128>>>(all_parts, places, out.mended); }};
}

// As mended_full_cells: parts in the order of their cells, or those of full cells first.
KERNEL(bad_full_cells_again)(uint4 const* parts, float const* places, float* out) {
    uint4 const part = parts[blockIdx.x];
    potentials(places, out, part.x, part.y, part.z, part.w);
}
KERNEL(mended_full_cells_again)(uint4 const* parts, float const* places, float* out) {
    uint4 const part = parts[blockIdx.x];
    potentials(places, out, part.x, part.y, part.z, part.w);
}
AGAIN_PAIR(full_cells_again, workload_imbalance) {
    unsigned const count = memory.pick(6000u, 8u);
    std::vector<uint4> parts;
    unsigned n = 0;
    for (unsigned i = 0; i < count; ++i) {
        unsigned const size = i % 500 == 3 ? memory.pick(10240u, 300u) : 96 + i * 29 % 32;
        for (unsigned from = n; from < n + size; from += 128)
            parts.push_back(make_uint4(n, n + size, from, std::min(from + 128, n + size)));
        n += size;
    }
    std::vector<uint4> long_first = parts;
    std::stable_sort(long_first.begin(), long_first.end(),
                     [](uint4 const& one, uint4 const& other) { return one.y - one.x > other.y - other.x; });
    uint4 const* const in_order = memory.upload(parts);
    uint4 const* const sorted = memory.upload(long_first);
    unsigned const blocks = static_cast<unsigned>(parts.size());
    float const* const places = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_full_cells_again<<<blocks, 128>>>(in_order, places, out.bad); },
            [=] { mended_full_cells_again<<<blocks, 128>>>(sorted, places, out.mended); }};
}

namespace {

// The greatest score of words with its place, as a language model chooses its next word. Scores are positive.
__device__ unsigned long long best_of(float const* scores, unsigned first, unsigned end) {
    unsigned long long best = 0;
#pragma unroll 4
    for (unsigned k = first + threadIdx.x; k < end; k += blockDim.x)
        best = max(best, static_cast<unsigned long long>(__float_as_uint(scores[k])) << 20 | k);
#pragma unroll
    for (unsigned apart = 16; apart > 0; apart /= 2) best = max(best, __shfl_xor_sync(~0u, best, apart));
    return best;
}

} // namespace

// A block a row of words, eight in all, or 32 blocks.
KERNEL(bad_next_words)(float const* scores, unsigned long long* out, unsigned words) {
    unsigned long long const best = best_of(scores + std::size_t{blockIdx.y} * words, 0, words);
    if (threadIdx.x % 32 == 0) atomicMax(out + blockIdx.y, best);
}
KERNEL(mended_next_words)(float const* scores, unsigned long long* out, unsigned words) {
    unsigned const part = words / gridDim.x;
    unsigned long long const best =
        best_of(scores + std::size_t{blockIdx.y} * words, blockIdx.x * part, (blockIdx.x + 1) * part);
    if (threadIdx.x % 32 == 0) atomicMax(out + blockIdx.y, best);
}
BLIND_PAIR(next_words, small_grid) {
    unsigned const words = memory.pick(128256u, 4096u);
    float const* const scores = memory.input<float>(std::size_t{words} * 8);
    results<unsigned long long> const out = memory.output<unsigned long long>(8, 0);
    return {[=] { bad_next_words<<<dim3(1, 8), 1024>>>(scores, out.bad, words); },
            [=] { mended_next_words<<<dim3(32, 8), 256>>>(scores, out.mended, words); }};
}

// As mended_next_words: an atomic operation a warp, or a block.
KERNEL(bad_next_words_again)(float const* scores, unsigned long long* out, unsigned words) {
    unsigned const part = words / gridDim.x;
    unsigned long long const best =
        best_of(scores + std::size_t{blockIdx.y} * words, blockIdx.x * part, (blockIdx.x + 1) * part);
    if (threadIdx.x % 32 == 0) atomicMax(out + blockIdx.y, best);
}
KERNEL(mended_next_words_again)(float const* scores, unsigned long long* out, unsigned words) {
    __shared__ unsigned long long of_warps[8];
    unsigned const part = words / gridDim.x;
    unsigned long long const best =
        best_of(scores + std::size_t{blockIdx.y} * words, blockIdx.x * part, (blockIdx.x + 1) * part);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned long long all = of_warps[0];
#pragma unroll
    for (unsigned warp = 1; warp < 8; ++warp) all = max(all, of_warps[warp]);
    atomicMax(out + blockIdx.y, all);
}
AGAIN_PAIR(next_words_again, global_atomic_contention) {
    unsigned const words = memory.pick(128256u, 4096u);
    float const* const scores = memory.input<float>(std::size_t{words} * 8);
    results<unsigned long long> const out = memory.output<unsigned long long>(8, 0);
    return {[=] { bad_next_words_again<<<dim3(32, 8), 256>>>(scores, out.bad, words); },
            [=] { mended_next_words_again<<<dim3(32, 8), 256>>>(scores, out.mended, words); }};
}

namespace {

// A bank of 32 filters of second order, all of them for the signal of a thread.
__device__ void filter_bank(float const* in, float const* weights, float* out, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float first[32], second[32];
#pragma unroll
    for (unsigned j = 0; j < 32; ++j) first[j] = second[j] = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        float const x = in[k * n + global_thread()];
#pragma unroll
        for (unsigned j = 0; j < 32; ++j) {
            float const next = fmaf(weights[j], first[j], fmaf(-0.4f, second[j], x));
            second[j] = first[j];
            first[j] = next;
        }
    }
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j < 32; ++j) sum = fmaf(first[j], first[j], sum + second[j]);
    out[global_thread()] = sum;
}

} // namespace

// Launch bounds that ask for eight blocks an SM, which the state of 64 floats a thread does not fit, or for what is launched only.
KERNEL(__launch_bounds__(256, 8) bad_filter_bank)
(float const* __restrict__ in, float const* __restrict__ weights, float* __restrict__ out, unsigned steps) {
    filter_bank(in, weights, out, steps);
}
KERNEL(__launch_bounds__(256) mended_filter_bank)
(float const* __restrict__ in, float const* __restrict__ weights, float* __restrict__ out, unsigned steps) {
    filter_bank(in, weights, out, steps);
}
BLIND_PAIR(filter_bank, register_spills) {
    unsigned const grid = memory.pick(sms * 4u, 2u);
    unsigned const steps = memory.pick(64u, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256 * steps);
    std::vector<float> weights(32);
    for (unsigned j = 0; j < 32; ++j) weights[j] = 0.3f + 0.02f * static_cast<float>(j);
    float const* const of = memory.upload(weights);
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
    return {[=] { bad_filter_bank<<<grid, 256>>>(in, of, out.bad, steps); },
            [=] { mended_filter_bank<<<grid, 256>>>(in, of, out.mended, steps); }};
}

// As mended_filter_bank, whose state and weights take 107 registers: all filters a thread, or a thread for each half of them.
KERNEL(__launch_bounds__(256) bad_filter_bank_again)
(float const* __restrict__ in, float const* __restrict__ weights, float* __restrict__ out, unsigned steps) {
    filter_bank(in, weights, out, steps);
}
KERNEL(__launch_bounds__(256) mended_filter_bank_again)
(float const* __restrict__ in, float const* __restrict__ weights, float* __restrict__ out, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x / 2, signal = global_thread() / 2;
    float const* const own = weights + global_thread() % 2 * 16;
    float first[16], second[16];
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) first[j] = second[j] = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        float const x = in[k * n + signal];
#pragma unroll
        for (unsigned j = 0; j < 16; ++j) {
            float const next = fmaf(own[j], first[j], fmaf(-0.4f, second[j], x));
            second[j] = first[j];
            first[j] = next;
        }
    }
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) sum = fmaf(first[j], first[j], sum + second[j]);
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (threadIdx.x % 2 == 0) out[signal] = sum;
}
AGAIN_PAIR(filter_bank_again, occupancy_limited_by_registers) {
    unsigned const grid = memory.pick(sms * 4u, 2u);
    unsigned const steps = memory.pick(64u, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256 * steps);
    std::vector<float> weights(32);
    for (unsigned j = 0; j < 32; ++j) weights[j] = 0.3f + 0.02f * static_cast<float>(j);
    float const* const of = memory.upload(weights);
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
    return {[=] { bad_filter_bank_again<<<grid, 256>>>(in, of, out.bad, steps); },
            [=] { mended_filter_bank_again<<<grid * 2, 256>>>(in, of, out.mended, steps); }};
}

// The eight greatest values that a thread reads, in order: moved up one by one from the end of a list, so that the list is in local
// memory, or each compared with all, so that it is in registers.
KERNEL(bad_top_8)(float const* in, float* out, unsigned each) {
    unsigned const n = gridDim.x * blockDim.x;
    float best[9] = {};
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k) {
        float const v = in[k * n + global_thread()];
        if (v <= best[7]) continue;
        unsigned place = 7;
#pragma unroll 1
        for (; place > 0 && best[place - 1] < v; --place) best[place] = best[place - 1];
        best[place] = v;
    }
#pragma unroll 1
    for (unsigned j = 0; j < 8; ++j) out[j * n + global_thread()] = best[j];
}
KERNEL(mended_top_8)(float const* in, float* out, unsigned each) {
    unsigned const n = gridDim.x * blockDim.x;
    float best[8] = {};
#pragma unroll 4
    for (unsigned k = 0; k < each; ++k) {
        float v = in[k * n + global_thread()];
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) {
            float const less = fminf(best[j], v);
            best[j] = fmaxf(best[j], v);
            v = less;
        }
    }
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) out[j * n + global_thread()] = best[j];
}
BLIND_PAIR(top_8, local_memory_arrays) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const each = memory.pick(128u, 16u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256 * each);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256 * 8, 0);
    return {[=] { bad_top_8<<<grid, 256>>>(in, out.bad, each); },
            [=] { mended_top_8<<<grid, 256>>>(in, out.mended, each); }};
}

// ---- arithmetic

// An activation (GELU) as it stands in the paper, with literals of double precision, or of single precision.
KERNEL(bad_activation)(float const* in, float* out) {
    float const x = in[global_thread()] - 1.0f;
    out[global_thread()] = 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}
KERNEL(mended_activation)(float const* in, float* out) {
    float const x = in[global_thread()] - 1.0f;
    out[global_thread()] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}
BLIND_PAIR(activation, accidental_fp64) {
    unsigned const grid = memory.pick(full_grid * 16, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-3);
    return {[=] { bad_activation<<<grid, 256>>>(in, out.bad); },
            [=] { mended_activation<<<grid, 256>>>(in, out.mended); }};
}

// As mended_activation: a value a thread, or 16.
KERNEL(bad_activation_again)(float const* in, float* out) {
    float const x = in[global_thread()] - 1.0f;
    out[global_thread()] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}
KERNEL(mended_activation_again)(float4 const* in, float4* out) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        unsigned const i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
        float4 const v = in[i];
        float values[4] = {v.x - 1.0f, v.y - 1.0f, v.z - 1.0f, v.w - 1.0f};
#pragma unroll
        for (float& x : values) x = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
        out[i] = make_float4(values[0], values[1], values[2], values[3]);
    }
}
AGAIN_PAIR(activation_again, tiny_blocks) {
    unsigned const grid = memory.pick(full_grid * 16, 16u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-3);
    return {[=] { bad_activation_again<<<grid, 256>>>(in, out.bad); },
            [=] {
                mended_activation_again<<<grid / 16, 256>>>(reinterpret_cast<float4 const*>(in),
                                                            reinterpret_cast<float4*>(out.mended));
            }};
}

// Distances along the earth, with functions of double precision, or of single precision.
KERNEL(bad_earth_distances)(float2 const* from, float2 const* to, float* out) {
    float2 const a = from[global_thread()], b = to[global_thread()];
    double const across = sin((b.x - a.x) * 0.5), along = sin((b.y - a.y) * 0.5);
    out[global_thread()] = 12742.0 * asin(sqrt(across * across + cos(a.x) * cos(b.x) * along * along));
}
KERNEL(mended_earth_distances)(float2 const* from, float2 const* to, float* out) {
    float2 const a = from[global_thread()], b = to[global_thread()];
    float const across = sinf((b.x - a.x) * 0.5f), along = sinf((b.y - a.y) * 0.5f);
    out[global_thread()] = 12742.0f * asinf(sqrtf(across * across + cosf(a.x) * cosf(b.x) * along * along));
}
BLIND_PAIR(earth_distances, accidental_fp64) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::vector<float> degrees = memory.values<float>(memory.period + 1);
    auto const* const from = reinterpret_cast<float2 const*>(memory.repeated(degrees, std::size_t{grid} * 512));
    std::reverse(degrees.begin(), degrees.end());
    auto const* const to = reinterpret_cast<float2 const*>(memory.repeated(degrees, std::size_t{grid} * 512));
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-2);
    return {[=] { bad_earth_distances<<<grid, 256>>>(from, to, out.bad); },
            [=] { mended_earth_distances<<<grid, 256>>>(from, to, out.mended); }};
}

// As mended_earth_distances: exact functions of single precision, or fast ones.
KERNEL(bad_earth_distances_again)(float2 const* from, float2 const* to, float* out) {
    float2 const a = from[global_thread()], b = to[global_thread()];
    float const across = sinf((b.x - a.x) * 0.5f), along = sinf((b.y - a.y) * 0.5f);
    out[global_thread()] = 12742.0f * asinf(sqrtf(across * across + cosf(a.x) * cosf(b.x) * along * along));
}
KERNEL(mended_earth_distances_again)(float2 const* from, float2 const* to, float* out) {
    float2 const a = from[global_thread()], b = to[global_thread()];
    float const across = __sinf((b.x - a.x) * 0.5f), along = __sinf((b.y - a.y) * 0.5f);
    out[global_thread()] = 12742.0f * asinf(sqrtf(across * across + __cosf(a.x) * __cosf(b.x) * along * along));
}
AGAIN_PAIR(earth_distances_again, slow_functions) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::vector<float> degrees = memory.values<float>(memory.period + 1);
    auto const* const from = reinterpret_cast<float2 const*>(memory.repeated(degrees, std::size_t{grid} * 512));
    std::reverse(degrees.begin(), degrees.end());
    auto const* const to = reinterpret_cast<float2 const*>(memory.repeated(degrees, std::size_t{grid} * 512));
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-2);
    return {[=] { bad_earth_distances_again<<<grid, 256>>>(from, to, out.bad); },
            [=] { mended_earth_distances_again<<<grid, 256>>>(from, to, out.mended); }};
}

// Values scaled by a tenth of double precision, or of single precision: memory takes longer either way.
KERNEL(bad_tenths)(float const* in, float* out) { out[global_thread()] = in[global_thread()] * 0.1; }
KERNEL(mended_tenths)(float const* in, float* out) { out[global_thread()] = in[global_thread()] * 0.1f; }
BLIND_PAIR(tenths, accidental_fp64) {
    unsigned const grid = memory.pick(full_grid * 48, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256);
    return {[=] { bad_tenths<<<grid, 256>>>(in, out.bad); }, [=] { mended_tenths<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// The temperature of a sensor by a polynomial of degree 12, which corrects itself twice.
template <class Step>
__device__ float temperature(float x, Step step) {
    float sum = x;
#pragma unroll 1
    for (unsigned turn = 0; turn < 8; ++turn) {
        float const at = sum * 0.3f;
        sum = 0.02f;
#pragma unroll
        for (unsigned k = 0; k < 12; ++k) sum = step(sum, at, 0.1f + 0.03f * static_cast<float>(k));
    }
    return sum;
}

} // namespace

// Products and sums rounded each, to get the bits of an old processor, or in one instruction.
KERNEL(bad_temperatures)(float const* in, float* out) {
    out[global_thread()] = temperature(
        in[global_thread()], [](float sum, float x, float weight) { return __fadd_rn(__fmul_rn(sum, x), weight); });
}
KERNEL(mended_temperatures)(float const* in, float* out) {
    out[global_thread()] =
        temperature(in[global_thread()], [](float sum, float x, float weight) { return fmaf(sum, x, weight); });
}
BLIND_PAIR(temperatures, unfused_arithmetic) {
    unsigned const grid = memory.pick(full_grid * 32, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-3);
    return {[=] { bad_temperatures<<<grid, 256>>>(in, out.bad); },
            [=] { mended_temperatures<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// What 64 charges that a block keeps do to one a thread; `cube` gives the third power of the inverse of a distance, of its square.
template <class Cube>
__device__ void charges(float4 const* in, float* out, Cube cube) {
    __shared__ float4 others[64];
    if (threadIdx.x < 64) others[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    float4 const own = in[global_thread()];
    float sum = 0;
    __syncthreads();
#pragma unroll 4
    for (unsigned k = 0; k < 64; ++k) {
        float4 const other = others[k];
        float const x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
        sum = fmaf(other.w, cube(fmaf(x, x, fmaf(y, y, fmaf(z, z, 0.02f)))), sum);
    }
    out[global_thread()] = sum;
}

} // namespace

// By a power function, or by the inverse of the root.
KERNEL(bad_charges)(float4 const* in, float* out) {
    charges(in, out, [](float square) { return powf(square, -1.5f); });
}
KERNEL(mended_charges)(float4 const* in, float* out) {
    charges(in, out, [](float square) {
        float const inverse = rsqrtf(square);
        return inverse * inverse * inverse;
    });
}
BLIND_PAIR(charges, slow_functions) {
    unsigned const grid = memory.pick(full_grid * 8, 2u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{grid} * 256 * 4));
    results<float> const out = memory.output<float>(std::size_t{grid} * 256, 1e-3);
    return {[=] { bad_charges<<<grid, 256>>>(in, out.bad); }, [=] { mended_charges<<<grid, 256>>>(in, out.mended); }};
}

namespace {

// An angle's loss: exact or approximate.
__device__ float exact_loss(float x, float y) {
    return logf(1.0f + expf(-x)) + sinf(y) / (1.0f + expf(-y)) + logf(1.0f + expf(x - y));
}
__device__ float approximate_loss(float x, float y) {
    return __logf(1.0f + __expf(-x)) + __fdividef(__sinf(y), 1.0f + __expf(-y)) + __logf(1.0f + __expf(x - y));
}

} // namespace

KERNEL(bad_losses)(float const* x, float const* y, float* out, unsigned each) {
    float sum = 0;
#pragma unroll 2
    for (unsigned k = 0; k < each; ++k) sum += exact_loss(x[k], y[global_thread()] + static_cast<float>(k));
    out[global_thread()] = sum;
}
KERNEL(mended_losses)(float const* x, float const* y, float* out, unsigned each) {
    float sum = 0;
#pragma unroll 2
    for (unsigned k = 0; k < each; ++k) sum += approximate_loss(x[k], y[global_thread()] + static_cast<float>(k));
    out[global_thread()] = sum;
}
BLIND_PAIR(losses, slow_functions) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    unsigned const each = memory.pick(12u, 3u);
    float const* const x = memory.input<float>(each);
    float const* const y = memory.input<float>(grid * 256);
    results<float> const out = memory.output<float>(grid * 256, 1e-2);
    return {[=] { bad_losses<<<grid, 256>>>(x, y, out.bad, each); },
            [=] { mended_losses<<<grid, 256>>>(x, y, out.mended, each); }};
}

// A tensor of four dimensions gets a bias a channel and a factor a column: places by divisions of 64 bits, or by the grid.
KERNEL(bad_biased_tensor)
(float const* in, float const* bias, float const* factors, float* out, long long channels, long long rows,
 long long columns) {
    long long const i = global_thread();
    long long const column = i % columns;
    long long const channel = i / columns / rows % channels;
    out[i] = fmaf(in[i], factors[column], bias[channel]);
}
KERNEL(mended_biased_tensor)
(float const* in, float const* bias, float const* factors, float* out, long long, long long, long long) {
    // grid: part of a row, row and picture, channel
    unsigned const column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const rows = blockDim.y;
    std::size_t const at =
        ((std::size_t{blockIdx.y} * gridDim.z + blockIdx.z) * rows + threadIdx.y) * gridDim.x * blockDim.x + column;
    out[at] = fmaf(in[at], factors[column], bias[blockIdx.z]);
}
BLIND_PAIR(biased_tensor, integer_division) {
    unsigned const channels = memory.pick(192u, 4u);
    unsigned const pictures = memory.pick(64u, 2u);
    unsigned const columns = 96, rows = 8;
    std::size_t const n = std::size_t{pictures} * channels * rows * columns;
    float const* const in = memory.input<float>(n);
    float const* const bias = memory.input<float>(channels);
    float const* const factors = memory.input<float>(columns);
    results<float> const out = memory.output<float>(n);
    return {
        [=] { bad_biased_tensor<<<blocks_for(n, 256), 256>>>(in, bias, factors, out.bad, channels, rows, columns); },
        [=] {
            mended_biased_tensor<<<dim3(columns / 32, pictures, channels), dim3(32, rows)>>>(
                in, bias, factors, out.mended, channels, rows, columns);
        }};
}

namespace {

__device__ unsigned mixed(unsigned hash, unsigned key) {
    hash ^= key * 3432918353u;
    hash = hash << 13 | hash >> 19;
    return hash * 5 + 3864292196u;
}

} // namespace

// Eight hashes of the numbers up to a limit, one after another, or in step.
KERNEL(bad_eight_hashes)(unsigned const* seeds, unsigned* out, unsigned count) {
    unsigned all = 0;
#pragma unroll 1
    for (unsigned j = 0; j < 8; ++j) {
        unsigned hash = seeds[global_thread()] + j;
#pragma unroll 8
        for (unsigned k = 0; k < count; ++k) hash = mixed(hash, k);
        all ^= hash;
    }
    out[global_thread()] = all;
}
KERNEL(mended_eight_hashes)(unsigned const* seeds, unsigned* out, unsigned count) {
    unsigned hashes[8];
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) hashes[j] = seeds[global_thread()] + j;
#pragma unroll 4
    for (unsigned k = 0; k < count; ++k)
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) hashes[j] = mixed(hashes[j], k);
    unsigned all = 0;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) all ^= hashes[j];
    out[global_thread()] = all;
}
BLIND_PAIR(eight_hashes, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 2u);
    unsigned const count = memory.pick(512u, 16u);
    unsigned const* const seeds = memory.input<unsigned>(grid * 128);
    results<unsigned> const out = memory.output<unsigned>(grid * 128, 0);
    return {[=] { bad_eight_hashes<<<grid, 128>>>(seeds, out.bad, count); },
            [=] { mended_eight_hashes<<<grid, 128>>>(seeds, out.mended, count); }};
}

namespace {

constexpr unsigned layer_size = 32;
constexpr unsigned layers = 16;

// The weight from unit `from` to unit `to` of a layer of a small network.
__host__ __device__ constexpr float network_weight(unsigned layer, unsigned from, unsigned to) {
    return static_cast<float>(((layer * layer_size + from) * layer_size + to) * 2654435761u >> 16) * (0.25f / 65536) -
           0.11f;
}

template <unsigned Layer>
__device__ void layer_in_code(float (&units)[layer_size]) {
    float next[layer_size];
#pragma unroll
    for (unsigned to = 0; to < layer_size; ++to) {
        next[to] = 0.01f;
#pragma unroll
        for (unsigned from = 0; from < layer_size; ++from)
            next[to] = fmaf(units[from], network_weight(Layer, from, to), next[to]);
    }
#pragma unroll
    for (unsigned k = 0; k < layer_size; ++k) units[k] = fmaxf(next[k], 0.0f);
}
template <unsigned... Layer>
__device__ void layers_in_code(float (&units)[layer_size], std::integer_sequence<unsigned, Layer...>) {
    (layer_in_code<Layer>(units), ...);
}

} // namespace

// A network of 16 layers of 32 units: all 16384 weights are in the code, a sample a thread at a time; or they are in shared memory,
// two samples a thread at a time.
KERNEL(bad_network_in_code)(float const* in, float* out, unsigned each) {
    unsigned const n = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned s = 0; s < each; ++s) {
        float units[layer_size];
#pragma unroll
        for (unsigned k = 0; k < layer_size; ++k)
            units[k] = in[s * n + global_thread()] + static_cast<float>(k) * 0.01f;
        layers_in_code(units, std::make_integer_sequence<unsigned, layers>{});
        out[s * n + global_thread()] = units[0] + units[7] + units[19] + 0.01f;
    }
}
KERNEL(mended_network_in_code)(float const* in, float* out, unsigned each) {
    extern __shared__ float4 weights[];
    for (unsigned k = threadIdx.x; k < layers * layer_size * layer_size; k += blockDim.x)
        reinterpret_cast<float*>(weights)[k] =
            network_weight(k / (layer_size * layer_size), k / layer_size % layer_size, k % layer_size);
    __syncthreads();
    unsigned const n = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned s = 0; s < each; s += 2) {
        float units[2][layer_size];
#pragma unroll
        for (unsigned k = 0; k < 2 * layer_size; ++k)
            units[k / layer_size][k % layer_size] =
                in[(s + k / layer_size) * n + global_thread()] + static_cast<float>(k % layer_size) * 0.01f;
#pragma unroll 1
        for (unsigned layer = 0; layer < layers; ++layer) {
            float next[2][layer_size];
#pragma unroll
            for (unsigned k = 0; k < 2 * layer_size; ++k) next[k / layer_size][k % layer_size] = 0.01f;
#pragma unroll
            for (unsigned from = 0; from < layer_size; ++from)
#pragma unroll
                for (unsigned to = 0; to < layer_size; to += 4) {
                    float4 const w = weights[((layer * layer_size + from) * layer_size + to) / 4];
                    float const four[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
                    for (unsigned j = 0; j < 8; ++j)
                        next[j / 4][to + j % 4] = fmaf(units[j / 4][from], four[j % 4], next[j / 4][to + j % 4]);
                }
#pragma unroll
            for (unsigned k = 0; k < 2 * layer_size; ++k)
                units[k / layer_size][k % layer_size] = fmaxf(next[k / layer_size][k % layer_size], 0.0f);
        }
#pragma unroll
        for (unsigned j = 0; j < 2; ++j)
            out[(s + j) * n + global_thread()] = units[j][0] + units[j][7] + units[j][19] + 0.01f;
    }
}
BLIND_PAIR(network_in_code, instruction_cache_misses) {
    unsigned const grid = memory.pick(sms * 3u, 1u);
    unsigned const each = memory.pick(6u, 2u);
    constexpr unsigned bytes = layers * layer_size * layer_size * sizeof(float);
    float const* const in = memory.input<float>(std::size_t{grid} * 128 * each);
    results<float> const out = memory.output<float>(std::size_t{grid} * 128 * each, 1e-2);
    CHECK_CUDA(cudaFuncSetAttribute(mended_network_in_code, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return {[=] { bad_network_in_code<<<grid, 128>>>(in, out.bad, each); },
            [=] { mended_network_in_code<<<grid, 128, bytes>>>(in, out.mended, each); }};
}

namespace {

// The logistic map of a population, `turns` years.
template <class Value>
__device__ Value grow(Value x, Value rate, Value whole, unsigned turns) {
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) x = __hmul(__hmul(rate, x), __hsub(whole, x));
    return x;
}
__device__ half2 grow(half2 x, half2 rate, half2 whole, unsigned turns) {
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) x = __hmul2(__hmul2(rate, x), __hsub2(whole, x));
    return x;
}

} // namespace

// Halves one by one, or two an instruction.
KERNEL(bad_populations)(half const* in, half* out, unsigned turns) {
    unsigned const first = blockIdx.x * 512 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 512; k += 256)
        out[first + k] = grow(__hmul(in[first + k], __float2half(0.5f)), __float2half(2.9f), __float2half(1), turns);
}
KERNEL(mended_populations)(half2 const* in, half2* out, unsigned turns) {
    out[global_thread()] =
        grow(__hmul2(in[global_thread()], __float2half2_rn(0.5f)), __float2half2_rn(2.9f), __float2half2_rn(1), turns);
}
BLIND_PAIR(populations, scalar_half) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    unsigned const turns = memory.pick(128u, 8u);
    half const* const in = memory.input<half>(grid * 512);
    results<half> const out = memory.output<half>(grid * 512, 1e-2);
    return {[=] { bad_populations<<<grid, 256>>>(in, out.bad, turns); },
            [=] {
                mended_populations<<<grid, 256>>>(reinterpret_cast<half2 const*>(in),
                                                  reinterpret_cast<half2*>(out.mended), turns);
            }};
}

// Chains of products of 16 x 16 matrices of halves, a warp a chain: by threads, or by tensor cores.
KERNEL(bad_small_matrices)(half const* a, half const* b, float* out, unsigned count) {
    __shared__ half from_a[8][256], from_b[8][256];
    unsigned const warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned const row = lane / 2, column = lane % 2 * 8;
    float sums[8] = {};
#pragma unroll 1
    for (unsigned k = 0; k < count; ++k) {
        std::size_t const at = (std::size_t{global_thread() / 32} * count + k) * 256 + lane * 8;
        *reinterpret_cast<uint4*>(from_a[warp] + lane * 8) = *reinterpret_cast<uint4 const*>(a + at);
        *reinterpret_cast<uint4*>(from_b[warp] + lane * 8) = *reinterpret_cast<uint4 const*>(b + at);
        __syncwarp();
#pragma unroll
        for (unsigned j = 0; j < 16; ++j) {
            float const v = __half2float(from_a[warp][row * 16 + j]);
#pragma unroll
            for (unsigned x = 0; x < 8; ++x)
                sums[x] = fmaf(v, __half2float(from_b[warp][j * 16 + column + x]), sums[x]);
        }
        __syncwarp();
    }
#pragma unroll
    for (unsigned x = 0; x < 8; ++x) out[std::size_t{global_thread()} * 8 + x] = sums[x];
}
KERNEL(mended_small_matrices)(half const* a, half const* b, float* out, unsigned count) {
    using namespace nvcuda::wmma;
    constexpr unsigned pitch = 24; // of rows of 16 halves: no bank conflicts
    __shared__ __align__(32) half from_a[8][16 * pitch], from_b[8][16 * pitch];
    unsigned const warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned const place = lane / 2 * pitch + lane % 2 * 8;
    fragment<accumulator, 16, 16, 16, float> sums;
    fill_fragment(sums, 0.0f);
    std::size_t const first = std::size_t{global_thread() / 32} * count * 256 + lane * 8;
    auto const read = [=](half const* from, unsigned k) {
        return *reinterpret_cast<uint4 const*>(from + first + k * 256);
    };
    uint4 next_a = read(a, 0), next_b = read(b, 0);
#pragma unroll 1
    for (unsigned k = 0; k < count; ++k) {
        *reinterpret_cast<uint4*>(from_a[warp] + place) = next_a;
        *reinterpret_cast<uint4*>(from_b[warp] + place) = next_b;
        if (k + 1 < count) next_a = read(a, k + 1), next_b = read(b, k + 1);
        __syncwarp();
        fragment<matrix_a, 16, 16, 16, half, row_major> left;
        fragment<matrix_b, 16, 16, 16, half, row_major> right;
        load_matrix_sync(left, from_a[warp], pitch);
        load_matrix_sync(right, from_b[warp], pitch);
        mma_sync(sums, left, right, sums);
        __syncwarp();
    }
    store_matrix_sync(out + std::size_t{global_thread() / 32} * 256, sums, 16, mem_row_major);
}
BLIND_PAIR(small_matrices, no_tensor_cores) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const count = memory.pick(16u, 2u);
    std::size_t const n = std::size_t{grid} * 8 * count * 256;
    half const* const a = memory.input<half>(n);
    half const* const b = memory.input<half>(n);
    results<float> const out = memory.output<float>(std::size_t{grid} * 8 * 256, 1e-2);
    return {[=] { bad_small_matrices<<<grid, 256>>>(a, b, out.bad, count); },
            [=] { mended_small_matrices<<<grid, 256>>>(a, b, out.mended, count); }};
}

namespace {

// What the first warp of a block makes, the others wait for.
__device__ float made_by_first(float x, unsigned turns) {
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = fmaf(x, 0.5f, __cosf(x));
    return x;
}

} // namespace

// Others look for a mark now and then, and sleep in between, or wait at a barrier.
KERNEL(bad_watched_mark)(float const* in, float* out, unsigned turns) {
    __shared__ float made[32];
    __shared__ unsigned volatile ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        made[threadIdx.x] = made_by_first(in[blockIdx.x * 32 + threadIdx.x], turns);
        __threadfence_block();
        __syncwarp();
        if (threadIdx.x == 0) ready = 1;
    } else {
        while (ready == 0) __nanosleep(20'000);
        __threadfence_block();
    }
    out[global_thread()] = made[threadIdx.x % 32] + static_cast<float>(threadIdx.x / 32);
}
KERNEL(mended_watched_mark)(float const* in, float* out, unsigned turns) {
    __shared__ float made[32];
    if (threadIdx.x < 32) made[threadIdx.x] = made_by_first(in[blockIdx.x * 32 + threadIdx.x], turns);
    __syncthreads();
    out[global_thread()] = made[threadIdx.x % 32] + static_cast<float>(threadIdx.x / 32);
}
BLIND_PAIR(watched_mark, sleeping) {
    unsigned const grid = memory.pick(full_grid * 2, 2u);
    unsigned const turns = memory.pick(64u, 4u);
    float const* const in = memory.input<float>(grid * 32);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_watched_mark<<<grid, 256>>>(in, out.bad, turns); },
            [=] { mended_watched_mark<<<grid, 256>>>(in, out.mended, turns); }};
}

// As mended_watched_mark: seven warps wait for the first, or there is but the first.
KERNEL(bad_watched_mark_again)(float const* in, float* out, unsigned turns) {
    __shared__ float made[32];
    if (threadIdx.x < 32) made[threadIdx.x] = made_by_first(in[blockIdx.x * 32 + threadIdx.x], turns);
    __syncthreads();
    out[global_thread()] = made[threadIdx.x % 32] + static_cast<float>(threadIdx.x / 32);
}
KERNEL(mended_watched_mark_again)(float const* in, float* out, unsigned turns) {
    float const made = made_by_first(in[global_thread()], turns);
    unsigned const warp = global_thread() / 32;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) out[warp * 256 + k * 32 + threadIdx.x % 32] = made + static_cast<float>(k);
}
AGAIN_PAIR(watched_mark_again, barrier_waits) {
    unsigned const grid = memory.pick(full_grid * 2, 8u);
    unsigned const turns = memory.pick(64u, 4u);
    float const* const in = memory.input<float>(grid * 32);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_watched_mark_again<<<grid, 256>>>(in, out.bad, turns); },
            [=] { mended_watched_mark_again<<<grid / 8, 256>>>(in, out.mended, turns); }};
}

namespace {

// A pixel of a film after `steps` of a slow fade.
__device__ float faded(float x, unsigned steps) {
    float light = x, haze = 0.1f;
#pragma unroll 4
    for (unsigned k = 0; k < steps; ++k) {
        haze = fmaf(haze, 0.97f, light * 0.01f);
        light = fmaf(light, 0.98f, haze * 0.02f);
    }
    return light + haze;
}

} // namespace

// 140 frames of 32 rows: a block a frame, of which one runs on each of 132 SMs; or a block a row, of which eight do.
KERNEL(bad_film)(float const* in, float* out, unsigned rows, unsigned steps) {
    extern __shared__ float frame[]; // as much as keeps other blocks away
#pragma unroll 1
    for (unsigned row = 0; row < rows; ++row) {
        std::size_t const at = (std::size_t{blockIdx.x} * rows + row) * 1024 + threadIdx.x;
        frame[threadIdx.x] = in[at];
        out[at] = faded(frame[threadIdx.x], steps);
    }
}
KERNEL(mended_film)(float const* in, float* out, unsigned, unsigned steps) {
#pragma unroll
    for (unsigned k = 0; k < 1024; k += 256) {
        std::size_t const at = std::size_t{blockIdx.x} * 1024 + k + threadIdx.x;
        out[at] = faded(in[at], steps);
    }
}
BLIND_PAIR(film, tail_effect) {
    unsigned const frames = memory.pick(140u, 2u);
    unsigned const rows = memory.pick(32u, 2u);
    unsigned const steps = memory.pick(64u, 4u);
    std::size_t const n = std::size_t{frames} * rows * 1024;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    CHECK_CUDA(cudaFuncSetAttribute(bad_film, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072));
    return {[=] { bad_film<<<frames, 1024, 131072>>>(in, out.bad, rows, steps); },
            [=] { mended_film<<<frames * rows, 256>>>(in, out.mended, rows, steps); }};
}

namespace {

// What the keys of a part of a sequence weigh for its query, as attention needs it when a text is written.
__device__ void weigh_keys(uint4 part, float4 const* keys, float4 const* queries, float* out) {
    float4 const q = queries[part.z];
    float sum = 0;
#pragma unroll 4
    for (unsigned k = part.x + threadIdx.x; k < part.y; k += 128) {
        float4 const key = keys[k];
        sum += __expf(0.2f * fmaf(q.x, key.x, fmaf(q.y, key.y, fmaf(q.z, key.z, q.w * key.w))) - 1.0f);
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) atomicAdd(out + part.z, sum);
}

} // namespace

// Sequences of which a few are long: a block a sequence, or a block for 1024 keys of one.
KERNEL(bad_ragged_sequences)(uint4 const* parts, float4 const* keys, float4 const* queries, float* out) {
    weigh_keys(parts[blockIdx.x], keys, queries, out);
}
KERNEL(mended_ragged_sequences)(uint4 const* parts, float4 const* keys, float4 const* queries, float* out) {
    weigh_keys(parts[blockIdx.x], keys, queries, out);
}
BLIND_PAIR(ragged_sequences, workload_imbalance) {
    unsigned const count = memory.pick(2112u, 8u);
    std::vector<uint4> whole, parts;
    unsigned n = 0;
    for (unsigned i = 0; i < count; ++i) {
        unsigned const length = i % 300 == 5 ? memory.pick(60'000u, 2500u) : 700 + i * 37 % 300;
        whole.push_back(make_uint4(n, n + length, i, 0));
        for (unsigned from = n; from < n + length; from += 1024)
            parts.push_back(make_uint4(from, std::min(from + 1024, n + length), i, 0));
        n += length;
    }
    uint4 const* const sequences = memory.upload(whole);
    uint4 const* const all_parts = memory.upload(parts);
    unsigned const blocks = static_cast<unsigned>(parts.size());
    auto const* const keys = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    auto const* const queries = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{count} * 4));
    results<float> const out = memory.output<float>(count, 1e-2);
    return {[=] { bad_ragged_sequences<<<count, 128>>>(sequences, keys, queries, out.bad); },
            [=] { mended_ragged_sequences<<<blocks, 128>>>(all_parts, keys, queries, out.mended); }};
}

namespace {

// A node of a tree of boxes, each before its first child: which part of a line it covers, where its second child is (0 if it is a
// leaf), and where to go on when it is left out.
struct box_node {
    float low, high;
    unsigned second, after;
};

} // namespace

// How many leaves cover a point: with a stack of nodes to visit, which is in local memory, or with links in the tree.
KERNEL(bad_tree_of_boxes)(float4 const* nodes, float const* in, unsigned* out, unsigned) {
    float const x = in[global_thread()];
    unsigned stack[20], count = 0, height = 0;
    stack[height++] = 0;
#pragma unroll 1
    while (height > 0) {
        unsigned const at = stack[--height];
        float4 const node = nodes[at];
        if (x < node.x || x > node.y) continue;
        if (__float_as_uint(node.z) == 0) {
            ++count;
            continue;
        }
        stack[height++] = __float_as_uint(node.z);
        stack[height++] = at + 1;
    }
    out[global_thread()] = count;
}
KERNEL(mended_tree_of_boxes)(float4 const* nodes, float const* in, unsigned* out, unsigned size) {
    float const x = in[global_thread()];
    unsigned count = 0;
#pragma unroll 1
    for (unsigned at = 0; at < size;) {
        float4 const node = nodes[at];
        bool const inside = x >= node.x && x <= node.y;
        bool const leaf = __float_as_uint(node.z) == 0;
        count += inside && leaf;
        at = inside && !leaf ? at + 1 : __float_as_uint(node.w);
    }
    out[global_thread()] = count;
}
BLIND_PAIR(tree_of_boxes, local_memory_arrays) {
    unsigned const leaves = memory.pick(2048u, 64u);
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    std::vector<box_node> nodes;
    // Leaves cover a little more than their part of [0.5, 1.5).
    std::function<void(unsigned, unsigned, unsigned)> const add = [&](unsigned first, unsigned count, unsigned after) {
        float const part = 1.0f / static_cast<float>(leaves);
        auto const at = static_cast<unsigned>(nodes.size());
        nodes.push_back({0.5f + (static_cast<float>(first) - 0.7f) * part,
                         0.5f + (static_cast<float>(first + count) + 0.7f) * part, 0, after});
        if (count == 1) return;
        unsigned const second = at + count; // a half has count - 1 nodes
        nodes[at].second = second;
        add(first, count / 2, second);
        add(first + count / 2, count / 2, after);
    };
    add(0, leaves, leaves * 2 - 1);
    auto const* const tree = reinterpret_cast<float4 const*>(memory.upload(nodes));
    std::vector<float> points = memory.values<float>(grid * 256);
    std::sort(points.begin(), points.end()); // lanes go the same way
    float const* const in = memory.upload(points);
    auto const size = static_cast<unsigned>(nodes.size());
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad_tree_of_boxes<<<grid, 256>>>(tree, in, out.bad, size); },
            [=] { mended_tree_of_boxes<<<grid, 256>>>(tree, in, out.mended, size); }};
}

namespace {

// A sum whose rounding errors are added up, too (Kahan), with `Chains` of them side by side.
template <unsigned Chains>
__device__ float careful_sum(float x, unsigned count) {
    float sums[Chains] = {}, lost[Chains] = {};
#pragma unroll 1
    for (unsigned k = 0; k < count; k += Chains)
#pragma unroll
        for (unsigned j = 0; j < Chains; ++j) {
            float const term = fmaf(static_cast<float>(k + j), 0.001f, x);
            float const corrected = __fadd_rn(term, -lost[j]);
            float const sum = __fadd_rn(sums[j], corrected);
            lost[j] = __fadd_rn(__fadd_rn(sum, -sums[j]), -corrected);
            sums[j] = sum;
        }
    for (unsigned j = 1; j < Chains; ++j) sums[0] += sums[j];
    return sums[0];
}

} // namespace

// One sum, or eight, by four warps an SM.
KERNEL(bad_careful_sums)(float const* in, float* out, unsigned count) {
    out[global_thread()] = careful_sum<1>(in[global_thread()], count);
}
KERNEL(mended_careful_sums)(float const* in, float* out, unsigned count) {
    out[global_thread()] = careful_sum<8>(in[global_thread()], count);
}
BLIND_PAIR(careful_sums, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 2u);
    unsigned const count = memory.pick(8192u, 64u);
    float const* const in = memory.input<float>(grid * 128);
    results<float> const out = memory.output<float>(grid * 128, 1e-4);
    return {[=] { bad_careful_sums<<<grid, 128>>>(in, out.bad, count); },
            [=] { mended_careful_sums<<<grid, 128>>>(in, out.mended, count); }};
}

namespace {

// Sums of the first four powers of the values of a block, a pass over `window` values for each power, window by window.
__device__ void sum_powers(float4 const* in, float* out, unsigned length, unsigned window) {
    float4 const* const own = in + std::size_t{blockIdx.x} * length;
    float sums[4] = {};
#pragma unroll 1
    for (unsigned first = 0; first < length; first += window)
#pragma unroll
        for (unsigned power = 0; power < 4; ++power) {
            float sum = 0;
#pragma unroll 4
            for (unsigned k = first + threadIdx.x; k < first + window; k += 256) {
                float4 const v = own[k];
                float const values[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
                for (unsigned j = 0; j < 4; ++j) {
                    float product = values[j];
#pragma unroll
                    for (unsigned p = 0; p < power; ++p) product *= values[j];
                    sum += product;
                }
            }
            sums[power] += sum;
        }
#pragma unroll
    for (unsigned power = 0; power < 4; ++power) {
        float const sum = sum_of_warp(sums[power]);
        if (threadIdx.x % 32 == 0) atomicAdd(out + blockIdx.x * 4 + power, sum);
    }
}

} // namespace

// All values of all blocks for each power, which L2 does not hold; or 16 KB for all powers, which stay in L1.
KERNEL(bad_powers)(float4 const* in, float* out, unsigned length, unsigned) { sum_powers(in, out, length, length); }
KERNEL(mended_powers)(float4 const* in, float* out, unsigned length, unsigned window) {
    sum_powers(in, out, length, window);
}
BLIND_PAIR(powers, cache_thrash_l2) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const window = 1024;
    unsigned const length = memory.pick(12u, 2u) * window;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{grid} * length * 4));
    results<float> const out = memory.output<float>(grid * 4, 1e-2);
    return {[=] { bad_powers<<<grid, 256>>>(in, out.bad, length, window); },
            [=] { mended_powers<<<grid, 256>>>(in, out.mended, length, window); }};
}

// ---- without a flaw

// A step of an optimiser (Adam): four arrays read, three written.
KERNEL(clean_optimiser)
(float4 const* __restrict__ weights, float4 const* __restrict__ gradients, float4 const* __restrict__ means,
 float4 const* __restrict__ squares, float4* __restrict__ new_weights, float4* __restrict__ new_means,
 float4* __restrict__ new_squares) {
    unsigned const i = global_thread();
    float4 w = weights[i], m = means[i], v = squares[i];
    float4 const g = gradients[i];
    auto const step = [](float& weight, float gradient, float& mean, float& square) {
        mean = fmaf(0.1f, gradient - mean, mean);
        square = fmaf(0.001f, gradient * gradient - square, square);
        weight -= 0.01f * mean * rsqrtf(square + 1e-8f);
    };
    step(w.x, g.x, m.x, v.x);
    step(w.y, g.y, m.y, v.y);
    step(w.z, g.z, m.z, v.z);
    step(w.w, g.w, m.w, v.w);
    new_weights[i] = w;
    new_means[i] = m;
    new_squares[i] = v;
}
BLIND_CLEAN(optimiser) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const gradients = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const means = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const squares = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto* const new_means = reinterpret_cast<float4*>(memory.zeroed<float>(n));
    auto* const new_squares = reinterpret_cast<float4*>(memory.zeroed<float>(n));
    pattern const x(n);
    float* const out = memory.clean_output<float>(n, [x](std::size_t i) {
        double const v = x[i], square = v + 0.001 * (v * v - v);
        return v - 0.01 * v / std::sqrt(square + 1e-8);
    });
    return {{}, [=] {
                clean_optimiser<<<grid, 256>>>(in, gradients, means, squares, reinterpret_cast<float4*>(out), new_means,
                                               new_squares);
            }};
}

// The least of 3 x 3 bytes of a picture, four pixels a thread.
KERNEL(clean_erosion)(unsigned const* __restrict__ in, unsigned* __restrict__ out, unsigned pitch) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned least = ~0u;
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) {
        unsigned const* const row = in + (y + k) * pitch + x;
        unsigned const here = row[0], next = row[1];
        least = __vminu4(least, here);
        least = __vminu4(least, __byte_perm(here, next, 0x4321));
        least = __vminu4(least, __byte_perm(here, next, 0x5432));
    }
    out[y * gridDim.x * blockDim.x + x] = least;
}
BLIND_CLEAN(erosion) {
    unsigned const width = memory.pick(8192u, 256u); // pixels
    unsigned const height = memory.pick(4096u, 16u);
    unsigned const pitch = width + 32;
    std::size_t const n = std::size_t{pitch} * (height + 2);
    auto const* const in = memory.input<unsigned char>(n);
    auto const bytes = std::make_shared<std::vector<unsigned char> const>(
        workspace::values<unsigned char>(std::min<std::size_t>(n, workspace::period)));
    auto* const out = memory.clean_output<unsigned char>(
        std::size_t{width} * height,
        [=](std::size_t i) {
            unsigned least = 255;
            for (std::size_t k = 0; k < 9; ++k)
                least = std::min<unsigned>(least,
                                           (*bytes)[((i / width + k / 3) * pitch + i % width + k % 3) % bytes->size()]);
            return static_cast<double>(least);
        },
        0);
    return {{}, [=] {
                clean_erosion<<<dim3(width / 4 / 64, height / 4), dim3(64, 4)>>>(
                    reinterpret_cast<unsigned const*>(in), reinterpret_cast<unsigned*>(out), pitch / 4);
            }};
}

namespace {

constexpr unsigned row_weights = 4096; // of four bits each

} // namespace

// A matrix of weights of four bits by a vector: a warp for four rows.
KERNEL(clean_rows_of_nibbles)
(uint4 const* __restrict__ weights, float4 const* __restrict__ x, float* __restrict__ out) {
    unsigned const first = global_thread() / 32 * 4;
    unsigned const lane = threadIdx.x % 32;
    float sums[4] = {};
#pragma unroll 1
    for (unsigned k = lane; k < row_weights / 32; k += 32) {
        uint4 rows[4];
#pragma unroll
        for (unsigned r = 0; r < 4; ++r) rows[r] = weights[(first + r) * (row_weights / 32) + k];
#pragma unroll
        for (unsigned word = 0; word < 4; ++word) {
            // Weight j of word w belongs to value (j / 4 * 4 + w) * 128 of x and those after it: lanes read side by side.
#pragma unroll
            for (unsigned j = 0; j < 8; j += 4) {
                float4 const v = x[(j + word) * (row_weights / 32) + k];
                float const four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
                for (unsigned r = 0; r < 4; ++r) {
                    unsigned const w = word == 0   ? rows[r].x
                                       : word == 1 ? rows[r].y
                                       : word == 2 ? rows[r].z
                                                   : rows[r].w;
#pragma unroll
                    for (unsigned i = 0; i < 4; ++i)
                        sums[r] = fmaf(four[i], static_cast<float>(w >> (j + i) * 4 & 15) - 8.0f, sums[r]);
                }
            }
        }
    }
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) sums[r] = sum_of_warp(sums[r]);
    if (lane < 4) out[first + lane] = lane == 0 ? sums[0] : lane == 1 ? sums[1] : lane == 2 ? sums[2] : sums[3];
}
BLIND_CLEAN(rows_of_nibbles) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const rows = grid * 8 * 4;
    std::size_t const words = std::size_t{rows} * row_weights / 8;
    auto const random = std::make_shared<std::vector<unsigned> const>(
        workspace::values<unsigned>(std::min<std::size_t>(words, workspace::period)));
    auto const* const weights = reinterpret_cast<uint4 const*>(memory.repeated(*random, words));
    auto const* const x = reinterpret_cast<float4 const*>(memory.input<float>(row_weights));
    pattern const values(row_weights);
    float* const out = memory.clean_output<float>(
        rows,
        [=](std::size_t row) {
            double sum = 0;
            for (unsigned i = 0; i < row_weights / 8; ++i) {
                unsigned const w = (*random)[(row * (row_weights / 8) + i) % random->size()];
                for (unsigned j = 0; j < 8; ++j) {
                    unsigned const four = (j / 4 * 4 + i % 4) * (row_weights / 32) + i / 4;
                    sum += values[four * 4 + j % 4] * (static_cast<double>(w >> j * 4 & 15) - 8);
                }
            }
            return sum;
        },
        1e-2, 100);
    return {{}, [=] { clean_rows_of_nibbles<<<grid, 256>>>(weights, x, out); }};
}

// Sums over the neighbours of the nodes of a graph, about 64 each at random: a warp a node.
KERNEL(clean_neighbour_sums)
(unsigned const* __restrict__ begins, unsigned const* __restrict__ ends, float const* __restrict__ values,
 float* __restrict__ out) {
    unsigned const node = global_thread() / 32;
    unsigned const end = begins[node + 1];
    float sum = 0;
#pragma unroll 2
    for (unsigned k = begins[node] + threadIdx.x % 32; k < end; k += 32) sum += values[ends[k]];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) out[node] = sum;
}
BLIND_CLEAN(neighbour_sums) {
    unsigned const nodes = memory.pick(1u << 17, 1u << 8);
    auto const begins = std::make_shared<std::vector<unsigned>>(nodes + 1);
    for (unsigned i = 0; i < nodes; ++i) (*begins)[i + 1] = (*begins)[i] + 48 + i * 13 % 32;
    auto const ends = std::make_shared<std::vector<unsigned>>(workspace::values<unsigned>(begins->back()));
    for (unsigned& end : *ends) end = (end >> 7) % nodes;
    unsigned const* const first = memory.upload(*begins);
    unsigned const* const to = memory.upload(*ends);
    float const* const in = memory.input<float>(nodes);
    pattern const x(nodes);
    float* const out = memory.clean_output<float>(nodes, [=](std::size_t node) {
        double sum = 0;
        for (unsigned k = (*begins)[node]; k < (*begins)[node + 1]; ++k) sum += x[(*ends)[k]];
        return sum;
    });
    return {{}, [=] { clean_neighbour_sums<<<nodes / 8, 256>>>(first, to, in, out); }};
}

// How often a byte is in each page of 4096: a warp a page.
KERNEL(clean_bytes_of_pages)(uint4 const* __restrict__ text, unsigned* __restrict__ out, unsigned wanted) {
    unsigned const page = global_thread() / 32;
    unsigned count = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
        uint4 const v = text[page * 256 + k * 32 + threadIdx.x % 32];
        count += __popc(__vcmpeq4(v.x, wanted)) + __popc(__vcmpeq4(v.y, wanted)) + __popc(__vcmpeq4(v.z, wanted)) +
                 __popc(__vcmpeq4(v.w, wanted));
    }
    count = __reduce_add_sync(~0u, count);
    if (threadIdx.x % 32 == 0) out[page] = count / 8 + 1;
}
BLIND_CLEAN(bytes_of_pages) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    std::size_t const n = std::size_t{grid} * 8 * 4096;
    auto const* const text = reinterpret_cast<uint4 const*>(memory.input<unsigned char>(n));
    auto const bytes = std::make_shared<std::vector<unsigned char> const>(
        workspace::values<unsigned char>(std::min<std::size_t>(n, workspace::period)));
    unsigned* const out = memory.clean_output<unsigned>(
        grid * 8,
        [=](std::size_t page) {
            unsigned count = 1;
            for (std::size_t i = 0; i < 4096; ++i) count += (*bytes)[(page * 4096 + i) % bytes->size()] == 77;
            return static_cast<double>(count);
        },
        0, 100);
    return {{}, [=] { clean_bytes_of_pages<<<grid, 256>>>(text, out, 77 * 0x01010101u); }};
}

// The loss of a classifier of 1024 classes (cross entropy): a warp a row, which it keeps in registers.
KERNEL(clean_cross_entropy)
(float4 const* __restrict__ scores, unsigned const* __restrict__ labels, float* __restrict__ out) {
    unsigned const row = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    float4 v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k] = scores[std::size_t{row} * 256 + k * 32 + lane];
    float most = -INFINITY;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) most = fmaxf(most, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
    for (unsigned apart = 16; apart > 0; apart /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
        sum += __expf(v[k].x - most) + __expf(v[k].y - most) + __expf(v[k].z - most) + __expf(v[k].w - most);
    sum = sum_of_warp(sum);
    if (lane == 0)
        out[row] = __logf(sum) + most - reinterpret_cast<float const*>(scores)[std::size_t{row} * 1024 + labels[row]];
}
BLIND_CLEAN(cross_entropy) {
    unsigned const grid = memory.pick(full_grid * 3, 2u);
    unsigned const rows = grid * 8;
    auto const* const scores = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{rows} * 1024));
    std::vector<unsigned> labels(rows);
    for (unsigned i = 0; i < rows; ++i) labels[i] = i * 389 % 1024;
    unsigned const* const of = memory.upload(labels);
    pattern const x(std::size_t{rows} * 1024);
    float* const out = memory.clean_output<float>(
        rows,
        [=](std::size_t row) {
            double sum = 0;
            for (std::size_t k = 0; k < 1024; ++k) sum += std::exp(x[row * 1024 + k]);
            return std::log(sum) - x[row * 1024 + row * 389 % 1024];
        },
        1e-3, 200);
    return {{}, [=] { clean_cross_entropy<<<grid, 256>>>(scores, of, out); }};
}

// A picture becomes twice as wide and high, with means in between: four pixels a thread.
KERNEL(clean_means_between)(float const* __restrict__ in, float2* __restrict__ out, unsigned pitch) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned const width = gridDim.x * blockDim.x;
    float const* const at = in + std::size_t{y} * pitch + x;
    float const here = at[0], right = at[1], below = at[pitch], across = at[pitch + 1];
    out[std::size_t{y} * 2 * width + x] = make_float2(here, 0.5f * (here + right));
    out[(std::size_t{y} * 2 + 1) * width + x] =
        make_float2(0.5f * (here + below), 0.25f * (here + right + below + across));
}
BLIND_CLEAN(means_between) {
    unsigned const width = memory.pick(3072u, 128u);
    unsigned const height = memory.pick(2048u, 16u);
    unsigned const pitch = width + 32;
    std::size_t const n = std::size_t{pitch} * (height + 1);
    float const* const in = memory.input<float>(n);
    pattern const v(n);
    float* const out = memory.clean_output<float>(std::size_t{width} * height * 4, [=](std::size_t i) {
        std::size_t const x = i % (2 * width), y = i / (2 * width);
        std::size_t const at = y / 2 * pitch + x / 2;
        std::size_t const right = x % 2, below = y % 2 * pitch;
        return 0.25 * (v[at] + v[at + right] + v[at + below] + v[at + right + below]);
    });
    return {{}, [=] {
                clean_means_between<<<dim3(width / 128, height / 2), dim3(128, 2)>>>(in, reinterpret_cast<float2*>(out),
                                                                                     pitch);
            }};
}

// Means of the prices of a share along random paths, two paths a thread in step.
KERNEL(clean_mean_prices)(float* out, unsigned steps) {
    unsigned state[2] = {global_thread() * 2654435761u + 1, global_thread() * 2246822519u + 7};
    float price[2] = {1, 1}, sum[2] = {};
#pragma unroll 2
    for (unsigned k = 0; k < steps; ++k)
#pragma unroll
        for (unsigned j = 0; j < 2; ++j) {
            state[j] = state[j] * 1664525u + 1013904223u;
            float const move = static_cast<float>(state[j] >> 8) * (1.0f / 16777216) - 0.5f;
            price[j] *= __expf(fmaf(0.2f, move, 0.0005f));
            sum[j] += price[j];
        }
    out[global_thread()] = (sum[0] + sum[1]) / static_cast<float>(2 * steps);
}
BLIND_CLEAN(mean_prices) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    unsigned const steps = memory.pick(256u, 8u);
    float* const out = memory.clean_output<float>(
        std::size_t{grid} * 256,
        [=](std::size_t i) {
            auto const thread = static_cast<unsigned>(i);
            double all = 0;
            for (unsigned state : {thread * 2654435761u + 1, thread * 2246822519u + 7}) {
                double price = 1;
                for (unsigned k = 0; k < steps; ++k) {
                    state = state * 1664525u + 1013904223u;
                    price *= std::exp(0.2 * ((state >> 8) / 16777216.0 - 0.5) + 0.0005);
                    all += price;
                }
            }
            return all / (2 * steps);
        },
        1e-3, 100);
    return {{}, [=] { clean_mean_prices<<<grid, 256>>>(out, steps); }};
}

// Values of keys in a hash table of pairs, which are where they belong or nowhere.
KERNEL(clean_table_probes)
(uint2 const* __restrict__ table, unsigned const* __restrict__ keys, unsigned* __restrict__ out, unsigned mask) {
    unsigned asked[4];
    uint2 found[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) asked[j] = keys[blockIdx.x * 1024 + j * 256 + threadIdx.x];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) found[j] = table[place_of_key(asked[j], mask)];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j)
        out[blockIdx.x * 1024 + j * 256 + threadIdx.x] = found[j].x == asked[j] ? found[j].y : 0;
}
BLIND_CLEAN(table_probes) {
    unsigned const slots = memory.pick(1u << 20, 1u << 8);
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const keys = std::make_shared<std::vector<unsigned> const>(
        workspace::values<unsigned>(std::min<std::size_t>(n, workspace::period)));
    auto const place = [slots](unsigned key) { return key * 2654435761u >> 12 & (slots - 1); };
    auto const table = std::make_shared<std::vector<uint2>>(slots, make_uint2(~0u, 0));
    for (std::size_t i = 0; i < keys->size(); i += 2) {
        uint2& slot = (*table)[place((*keys)[i])];
        if (slot.x == ~0u) slot = make_uint2((*keys)[i], (*keys)[i] / 5 + 1);
    }
    uint2 const* const all = memory.upload(*table);
    unsigned const* const in = memory.repeated(*keys, n);
    unsigned* const out = memory.clean_output<unsigned>(
        n,
        [=](std::size_t i) {
            unsigned const key = (*keys)[i % keys->size()];
            uint2 const slot = (*table)[place(key)];
            return slot.x == key ? static_cast<double>(slot.y) : 0.0;
        },
        0);
    return {{}, [=] { clean_table_probes<<<grid, 256>>>(all, in, out, slots - 1); }};
}

// Values above a limit move to the front of the 1024 of their block.
KERNEL(clean_kept_values)(float const* __restrict__ in, float* __restrict__ out) {
    __shared__ unsigned counts[8][4];
    unsigned const warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float v[4];
    unsigned votes[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) v[j] = in[blockIdx.x * 1024 + warp * 128 + j * 32 + lane];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) votes[j] = __ballot_sync(~0u, v[j] > 1.0f);
    if (lane == 0) {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) counts[warp][j] = __popc(votes[j]);
    }
    __syncthreads();
    unsigned before = lane < warp * 4 ? counts[lane / 4][lane % 4] : 0;
    before = __reduce_add_sync(~0u, before);
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
        if (v[j] > 1.0f) out[blockIdx.x * 1024 + before + __popc(votes[j] & ((1u << lane) - 1))] = v[j];
        before += __popc(votes[j]);
    }
}
BLIND_CLEAN(kept_values) {
    unsigned const grid = memory.pick(full_grid * 8, 4u);
    std::size_t const n = std::size_t{grid} * 1024;
    float const* const in = memory.input<float>(n);
    pattern const x(n);
    float* const out = memory.clean_output<float>(n, [=](std::size_t i) {
        std::size_t const first = i / 1024 * 1024;
        std::size_t place = i - first + 1;
        for (std::size_t k = first; k < first + 1024; ++k)
            if (x[k] > 1.0 && --place == 0) return x[k];
        return 0.0;
    });
    return {{}, [=] { clean_kept_values<<<grid, 256>>>(in, out); }};
}

// Two short vectors added, four values a thread: a block an SM, a few microseconds.
KERNEL(clean_short_sum)(float4 const* __restrict__ a, float4 const* __restrict__ b, float4* __restrict__ out) {
    float4 const x = a[global_thread()], y = b[global_thread()];
    out[global_thread()] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
BLIND_CLEAN(short_sum) {
    unsigned const grid = memory.pick(sms, 2u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const a = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const b = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const x(n);
    float* const out = memory.clean_output<float>(n, [=](std::size_t i) { return 2 * x[i]; });
    return {{}, [=] { clean_short_sum<<<grid, 256>>>(a, b, reinterpret_cast<float4*>(out)); }};
}

// Points turned by a quaternion each.
KERNEL(clean_turned_points)
(float4 const* __restrict__ points, float4 const* __restrict__ turns, float4* __restrict__ out) {
    float4 const p = points[global_thread()], q = turns[global_thread()];
    float const x = 2 * (q.y * p.z - q.z * p.y), y = 2 * (q.z * p.x - q.x * p.z), z = 2 * (q.x * p.y - q.y * p.x);
    out[global_thread()] = make_float4(p.x + q.w * x + q.y * z - q.z * y, p.y + q.w * y + q.z * x - q.x * z,
                                       p.z + q.w * z + q.x * y - q.y * x, p.w);
}
BLIND_CLEAN(turned_points) {
    unsigned const grid = memory.pick(full_grid * 6, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    auto const* const points = reinterpret_cast<float4 const*>(memory.input<float>(n * 4));
    std::vector<float> quaternions = memory.values<float>(4 * 4099);
    auto const* const turns = reinterpret_cast<float4 const*>(memory.repeated(quaternions, n * 4));
    pattern const v(n * 4);
    float* const out = memory.clean_output<float>(
        n * 4,
        [=](std::size_t i) {
            double p[3], q[4], t[3];
            for (std::size_t k = 0; k < 3; ++k) p[k] = v[i / 4 * 4 + k];
            for (std::size_t k = 0; k < 4; ++k) q[k] = quaternions[(i / 4 * 4 + k) % quaternions.size()];
            if (i % 4 == 3) return v[i];
            for (std::size_t k = 0; k < 3; ++k)
                t[k] = 2 * (q[(k + 1) % 3] * p[(k + 2) % 3] - q[(k + 2) % 3] * p[(k + 1) % 3]);
            std::size_t const k = i % 4;
            return p[k] + q[3] * t[k] + q[(k + 1) % 3] * t[(k + 2) % 3] - q[(k + 2) % 3] * t[(k + 1) % 3];
        },
        1e-2);
    return {{}, [=] { clean_turned_points<<<grid, 256>>>(points, turns, reinterpret_cast<float4*>(out)); }};
}

// The mean of many halves, added up as floats, eight a load.
KERNEL(clean_mean_of_halves)(uint4 const* __restrict__ in, float* __restrict__ out, unsigned n) {
    __shared__ float part[8];
    float sums[4] = {};
#pragma unroll 4
    for (unsigned i = global_thread(); i < n / 8; i += gridDim.x * blockDim.x) {
        uint4 const v = in[i];
        auto const* const pairs_of = reinterpret_cast<half2 const*>(&v);
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) {
            float2 const two = __half22float2(pairs_of[k]);
            sums[k] += two.x + two.y;
        }
    }
    float sum = sum_of_warp(sums[0] + sums[1] + sums[2] + sums[3]);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = sum_of_warp(threadIdx.x < 8 ? part[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(out, sum / static_cast<float>(n));
}
BLIND_CLEAN(mean_of_halves) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const n = grid * 256 * 8 * memory.pick(32u, 2u);
    auto const* const in = reinterpret_cast<uint4 const*>(memory.input<half>(n));
    pattern const x(n);
    float* const out = memory.clean_output<float>(
        1,
        [=](std::size_t) {
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += x[i];
            return sum / n;
        },
        1e-2);
    return {{}, [=] { clean_mean_of_halves<<<grid, 256>>>(in, out, n); }};
}

// Lengths of rows of 512 doubles, on purpose of double precision.
KERNEL(clean_lengths_of_doubles)(double2 const* __restrict__ in, double* __restrict__ out) {
    unsigned const row = global_thread() / 32;
    double2 v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v[k] = in[std::size_t{row} * 256 + k * 32 + threadIdx.x % 32];
    double sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) sum = fma(v[k].x, v[k].x, fma(v[k].y, v[k].y, sum));
    for (unsigned apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0) out[row] = sqrt(sum);
}
BLIND_CLEAN(lengths_of_doubles) {
    unsigned const grid = memory.pick(full_grid * 3, 2u);
    std::size_t const n = std::size_t{grid} * 8 * 512;
    auto const* const in = reinterpret_cast<double2 const*>(memory.input<double>(n));
    pattern const x(n);
    double* const out = memory.clean_output<double>(
        grid * 8,
        [=](std::size_t row) {
            double sum = 0;
            for (std::size_t k = 0; k < 512; ++k) sum += x[row * 512 + k] * x[row * 512 + k];
            return std::sqrt(sum);
        },
        1e-9, 200);
    return {{}, [=] { clean_lengths_of_doubles<<<grid, 256>>>(in, out); }};
}

// Where planets are on their ways (Kepler's equation), of double precision on purpose: six turns of Newton's method.
KERNEL(clean_planets)(double const* __restrict__ in, double* __restrict__ out) {
    double const mean = in[global_thread()];
    double at = mean;
#pragma unroll 1
    for (unsigned k = 0; k < 6; ++k) {
        double sine, cosine;
        sincos(at, &sine, &cosine);
        at -= (at - 0.3 * sine - mean) / (1 - 0.3 * cosine);
    }
    out[global_thread()] = at;
}
BLIND_CLEAN(planets) {
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    double const* const in = memory.input<double>(n);
    pattern const x(n);
    double* const out = memory.clean_output<double>(
        n,
        [=](std::size_t i) {
            double at = x[i];
            for (unsigned k = 0; k < 20; ++k) at -= (at - 0.3 * std::sin(at) - x[i]) / (1 - 0.3 * std::cos(at));
            return at;
        },
        1e-9);
    return {{}, [=] { clean_planets<<<grid, 256>>>(in, out); }};
}

// A product of many values with a factor, of a number of values that no block size divides.
KERNEL(clean_odd_length)(float const* __restrict__ in, float* __restrict__ out, unsigned n, float factor) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned i = global_thread(); i < n; i += threads) out[i] = in[i] * factor;
}
BLIND_CLEAN(odd_length) {
    unsigned const n = memory.pick(30'000'001u, 10'007u);
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    float const* const in = memory.input<float>(n);
    pattern const x(n);
    float* const out = memory.clean_output<float>(n, [=](std::size_t i) { return x[i] * 0.7; });
    return {{}, [=] { clean_odd_length<<<grid, 256>>>(in, out, n, 0.7f); }};
}
