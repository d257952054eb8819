// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs and clean kernels of a seventh group: ordinary mistakes of ordinary programs of several fields. They were written by somebody
// who had read neither the rules nor the other groups; to be judged once.
#include <utility>

#include "pair.hpp"

// ---- computing

namespace {

__device__ unsigned next_random(unsigned& state) { return state = state * 1664525u + 1013904223u; }
// In (0, 1).
__device__ float next_uniform(unsigned& state) {
    return static_cast<float>(next_random(state) >> 8) * 0x1p-24f + 0x1p-25f;
}
// The bits of a number well mixed.
__device__ unsigned mixed(unsigned x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

} // namespace

// Prices of a share after 64 steps of a random walk, whose normal numbers are by Box and Muller: exact logarithms, cosines and roots, or
// approximate ones.
KERNEL(bad_share_paths)(float const* volatilities, float* out) {
    unsigned state = mixed(global_thread());
    float const volatility = volatilities[global_thread()] * 0.02f;
    float log_price = 0;
#pragma unroll 1
    for (unsigned step = 0; step < 64; ++step) {
        float const radius = sqrtf(-2.0f * logf(next_uniform(state)));
        log_price += volatility * radius * cosf(6.2831853f * next_uniform(state)) - 0.0001f;
    }
    out[global_thread()] = 100.0f * expf(log_price);
}
KERNEL(mended_share_paths)(float const* volatilities, float* out) {
    unsigned state = mixed(global_thread());
    float const volatility = volatilities[global_thread()] * 0.02f;
    float log_price = 0;
#pragma unroll 1
    for (unsigned step = 0; step < 64; ++step) {
        float const square = fmaxf(-2.0f * __logf(next_uniform(state)), 1e-12f);
        log_price += volatility * square * rsqrtf(square) * __cosf(6.2831853f * next_uniform(state)) - 0.0001f;
    }
    out[global_thread()] = 100.0f * __expf(log_price);
}
CLOSED_PAIR(share_paths, slow_functions) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const volatilities = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 2e-3);
    return {[=] { bad_share_paths<<<grid, 256>>>(volatilities, out.bad); },
            [=] { mended_share_paths<<<grid, 256>>>(volatilities, out.mended); }};
}

// Tone mapping of pixels of four halves: division and powf, or their approximations.
KERNEL(bad_tone_mapping)(uint2 const* in, uint2* out, float exposure, float gamma) {
    uint2 pixel = in[global_thread()];
    auto* const twos = reinterpret_cast<half2*>(&pixel);
#pragma unroll
    for (unsigned k = 0; k < 2; ++k) {
        float2 const c = __half22float2(twos[k]);
        float const x = c.x * exposure, y = c.y * exposure;
        twos[k] = __floats2half2_rn(powf(x / (x + 1.0f), gamma), powf(y / (y + 1.0f), gamma));
    }
    out[global_thread()] = pixel;
}
KERNEL(mended_tone_mapping)(uint2 const* in, uint2* out, float exposure, float gamma) {
    uint2 pixel = in[global_thread()];
    auto* const twos = reinterpret_cast<half2*>(&pixel);
#pragma unroll
    for (unsigned k = 0; k < 2; ++k) {
        float2 const c = __half22float2(twos[k]);
        float const x = c.x * exposure, y = c.y * exposure;
        twos[k] = __floats2half2_rn(__powf(__fdividef(x, x + 1.0f), gamma), __powf(__fdividef(y, y + 1.0f), gamma));
    }
    out[global_thread()] = pixel;
}
CLOSED_PAIR(tone_mapping, slow_functions) {
    unsigned const grid = memory.pick(full_grid * 16, 4u);
    std::size_t const n = std::size_t{grid} * 256 * 4;
    auto const* const in = reinterpret_cast<uint2 const*>(memory.input<half>(n));
    results<half> const out = memory.output<half>(n, 3e-3);
    return {[=] { bad_tone_mapping<<<grid, 256>>>(in, reinterpret_cast<uint2*>(out.bad), 1.5f, 1 / 2.2f); },
            [=] { mended_tone_mapping<<<grid, 256>>>(in, reinterpret_cast<uint2*>(out.mended), 1.5f, 1 / 2.2f); }};
}

// The pull of many stars on each body: by a root and a division, or by rsqrtf.
KERNEL(bad_star_pull)(float4 const* stars, unsigned count, float4 const* bodies, float* out) {
    __shared__ float4 tile[256];
    float4 const own = bodies[global_thread()];
    float x = 0, y = 0, z = 0;
    for (unsigned first = 0; first < count; first += 256) {
        __syncthreads();
        tile[threadIdx.x] = stars[first + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (unsigned k = 0; k < 256; ++k) {
            float4 const s = tile[k];
            float const dx = s.x - own.x, dy = s.y - own.y, dz = s.z - own.z;
            float const square = dx * dx + dy * dy + dz * dz + 0.01f;
            float const pull = s.w / (square * sqrtf(square));
            x += pull * dx, y += pull * dy, z += pull * dz;
        }
    }
    out[global_thread()] = sqrtf(x * x + y * y + z * z);
}
KERNEL(mended_star_pull)(float4 const* stars, unsigned count, float4 const* bodies, float* out) {
    __shared__ float4 tile[256];
    float4 const own = bodies[global_thread()];
    float x = 0, y = 0, z = 0;
    for (unsigned first = 0; first < count; first += 256) {
        __syncthreads();
        tile[threadIdx.x] = stars[first + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (unsigned k = 0; k < 256; ++k) {
            float4 const s = tile[k];
            float const dx = s.x - own.x, dy = s.y - own.y, dz = s.z - own.z;
            float const inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float const pull = s.w * (inverse * inverse * inverse);
            x += pull * dx, y += pull * dy, z += pull * dz;
        }
    }
    out[global_thread()] = sqrtf(x * x + y * y + z * z);
}
CLOSED_PAIR(star_pull, slow_functions) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const count = memory.pick(2048u, 256u);
    std::size_t const n = std::size_t{grid} * 256;
    std::vector<float> far = memory.values<float>(count * 4); // the stars lie beside the bodies
    for (std::size_t i = 0; i < far.size(); i += 4) far[i] += 2;
    auto const* const stars = reinterpret_cast<float4 const*>(memory.upload(far));
    auto const* const bodies = reinterpret_cast<float4 const*>(memory.input<float>(n * 4));
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_star_pull<<<grid, 256>>>(stars, count, bodies, out.bad); },
            [=] { mended_star_pull<<<grid, 256>>>(stars, count, bodies, out.mended); }};
}

// Biases of a tensor by channel, row and column, whose sizes are powers of two: found by division, or by shifts and masks.
KERNEL(bad_tensor_biases)(float const* in, float const* biases, float* out, unsigned channels, unsigned rows, unsigned columns) {
    unsigned const i = global_thread();
    unsigned const column = i % columns, row = i / columns % rows, channel = i / (columns * rows) % channels;
    out[i] = in[i] + biases[channel] * biases[row] * biases[column];
}
KERNEL(mended_tensor_biases)(float const* in, float const* biases, float* out, unsigned channels, unsigned row_bits,
                             unsigned column_bits) {
    unsigned const i = global_thread();
    unsigned const column = i & ((1u << column_bits) - 1), row = i >> column_bits & ((1u << row_bits) - 1);
    unsigned const channel = i >> (row_bits + column_bits) & (channels - 1);
    out[i] = in[i] + biases[channel] * biases[row] * biases[column];
}
CLOSED_PAIR(tensor_biases, integer_division) {
    unsigned const grid = memory.pick(65536u, 64u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    float const* const biases = memory.input<float>(64);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_tensor_biases<<<grid, 256>>>(in, biases, out.bad, 32, 64, 64); },
            [=] { mended_tensor_biases<<<grid, 256>>>(in, biases, out.mended, 32, 6, 6); }};
}

// Are keys in a Bloom filter of six hashes? Its size is a power of two: remainder, or mask.
KERNEL(bad_bloom_filter)(unsigned const* keys, unsigned const* filter, unsigned* out, unsigned bits) {
    unsigned const key = keys[global_thread()], other = mixed(key) | 1;
    unsigned found = 0;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
        unsigned const bit = (key + k * other) % bits;
        found += filter[bit / 32] >> (bit & 31) & 1;
    }
    out[global_thread()] = found;
}
KERNEL(mended_bloom_filter)(unsigned const* keys, unsigned const* filter, unsigned* out, unsigned bits) {
    unsigned const key = keys[global_thread()], other = mixed(key) | 1;
    unsigned found = 0;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
        unsigned const bit = (key + k * other) & (bits - 1);
        found += filter[bit / 32] >> (bit & 31) & 1;
    }
    out[global_thread()] = found;
}
CLOSED_PAIR(bloom_filter, integer_division) {
    unsigned const grid = memory.pick(full_grid * 16, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    unsigned const* const keys = memory.input<unsigned>(n);
    unsigned const* const filter = memory.input<unsigned>(256);
    results<unsigned> const out = memory.output<unsigned>(n);
    return {[=] { bad_bloom_filter<<<grid, 256>>>(keys, filter, out.bad, 256 * 32); },
            [=] { mended_bloom_filter<<<grid, 256>>>(keys, filter, out.mended, 256 * 32); }};
}

// Game of Life on a torus: coordinates of neighbours by remainders, or by masks.
KERNEL(bad_life_torus)(unsigned char const* in, unsigned char* out, unsigned width, unsigned height) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned const left = (x + width - 1) % width, right = (x + 1) % width;
    unsigned const up = (y + height - 1) % height * width, down = (y + 1) % height * width, here = y * width;
    unsigned const alive = in[up + left] + in[up + x] + in[up + right] + in[here + left] + in[here + right] +
                           in[down + left] + in[down + x] + in[down + right];
    out[here + x] = static_cast<unsigned char>(alive == 3 || (alive == 2 && in[here + x]));
}
KERNEL(mended_life_torus)(unsigned char const* in, unsigned char* out, unsigned width, unsigned height) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned const left = (x - 1) & (width - 1), right = (x + 1) & (width - 1);
    unsigned const up = ((y - 1) & (height - 1)) * width, down = ((y + 1) & (height - 1)) * width, here = y * width;
    unsigned const alive = in[up + left] + in[up + x] + in[up + right] + in[here + left] + in[here + right] +
                           in[down + left] + in[down + x] + in[down + right];
    out[here + x] = static_cast<unsigned char>(alive == 3 || (alive == 2 && in[here + x]));
}
CLOSED_PAIR(life_torus, integer_division) {
    unsigned const width = memory.pick(4096u, 64u), height = memory.pick(4096u, 32u);
    std::vector<unsigned> const random = memory.values<unsigned>(std::size_t{width} * height);
    std::vector<unsigned char> cells(random.size());
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = random[i] >> 20 & 1;
    unsigned char const* const in = memory.upload(cells);
    results<unsigned char> const out = memory.output<unsigned char>(cells.size());
    dim3 const block(32, 8), grid(width / 32, height / 8);
    return {[=] { bad_life_torus<<<grid, block>>>(in, out.bad, width, height); },
            [=] { mended_life_torus<<<grid, block>>>(in, out.mended, width, height); }};
}

// Activations of a layer, x times its logistic function: literals without f make all of it double.
KERNEL(bad_swish_layer)(float const* in, float const* bias, float* out, unsigned mask) {
    float const x = in[global_thread()] + bias[global_thread() & mask];
    out[global_thread()] = x * (1.0 / (1.0 + exp(-1.702 * x)));
}
KERNEL(mended_swish_layer)(float const* in, float const* bias, float* out, unsigned mask) {
    float const x = in[global_thread()] + bias[global_thread() & mask];
    out[global_thread()] = x * (1.0f / (1.0f + expf(-1.702f * x)));
}
CLOSED_PAIR(swish_layer, accidental_fp64) {
    unsigned const grid = memory.pick(full_grid * 16, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    float const* const bias = memory.input<float>(1024);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_swish_layer<<<grid, 256>>>(in, bias, out.bad, 1023); },
            [=] { mended_swish_layer<<<grid, 256>>>(in, bias, out.mended, 1023); }};
}

// Energies of neighbours by Lennard-Jones: literals without f, or with it.
KERNEL(bad_molecule_energies)(float4 const* places, unsigned const* neighbours, unsigned count, float* out) {
    unsigned const n = gridDim.x * blockDim.x;
    float4 const own = places[global_thread()];
    float energy = 0;
    for (unsigned k = 0; k < count; ++k) {
        float4 const other = places[neighbours[k * n + global_thread()]];
        float const dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        float const square = dx * dx + dy * dy + dz * dz + 0.8;
        float const third = 1.0f / (square * square * square);
        energy += 4.0 * 0.65 * (third * third - 0.98 * third) + 0.0163;
    }
    out[global_thread()] = energy;
}
KERNEL(mended_molecule_energies)(float4 const* places, unsigned const* neighbours, unsigned count, float* out) {
    unsigned const n = gridDim.x * blockDim.x;
    float4 const own = places[global_thread()];
    float energy = 0;
    for (unsigned k = 0; k < count; ++k) {
        float4 const other = places[neighbours[k * n + global_thread()]];
        float const dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        float const square = dx * dx + dy * dy + dz * dz + 0.8f;
        float const third = 1.0f / (square * square * square);
        energy += 4.0f * 0.65f * (third * third - 0.98f * third) + 0.0163f;
    }
    out[global_thread()] = energy;
}
CLOSED_PAIR(molecule_energies, accidental_fp64) {
    unsigned const grid = memory.pick(full_grid, 2u);
    unsigned const n = grid * 256, count = memory.pick(32u, 8u);
    std::vector<unsigned> near(std::size_t{n} * count);
    for (std::size_t i = 0; i < near.size(); ++i) // behind it, in the order of space
        near[i] = static_cast<unsigned>((i + 1 + i / n * 3) % n);
    unsigned const* const neighbours = memory.upload(near);
    auto const* const places = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    results<float> const out = memory.output<float>(n, 2e-3);
    return {[=] { bad_molecule_energies<<<grid, 256>>>(places, neighbours, count, out.bad); },
            [=] { mended_molecule_energies<<<grid, 256>>>(places, neighbours, count, out.mended); }};
}

namespace {

// As the CPU rounds it.
__device__ float rounded_twice(float a, float b, float c) { return __fadd_rn(__fmul_rn(a, b), c); }

struct equaliser {
    float b0[6], b1[6], b2[6], a1[6], a2[6];
};
equaliser example_equaliser() {
    equaliser all{};
    for (unsigned k = 0; k < 6; ++k) {
        float const x = 0.02f * static_cast<float>(k);
        all.b0[k] = 0.6f + x, all.b1[k] = 0.1f - x, all.b2[k] = 0.15f, all.a1[k] = 0.2f - x, all.a2[k] = 0.05f + x;
    }
    return all;
}

} // namespace

// Six filters of the second order in a row, a channel of sound a thread: products and sums rounded one by one, or fused.
KERNEL(bad_sound_filters)(float const* in, float* out, unsigned length, equaliser f) {
    unsigned const channels = gridDim.x * blockDim.x;
    float s[6] = {}, t[6] = {};
    for (unsigned i = 0; i < length; ++i) {
        float x = in[i * channels + global_thread()];
#pragma unroll
        for (unsigned k = 0; k < 6; ++k) {
            float const y = rounded_twice(f.b0[k], x, s[k]);
            s[k] = rounded_twice(f.b1[k], x, rounded_twice(f.a1[k], y, t[k]));
            t[k] = rounded_twice(f.b2[k], x, __fmul_rn(f.a2[k], y));
            x = y;
        }
        out[i * channels + global_thread()] = x;
    }
}
KERNEL(mended_sound_filters)(float const* in, float* out, unsigned length, equaliser f) {
    unsigned const channels = gridDim.x * blockDim.x;
    float s[6] = {}, t[6] = {};
    for (unsigned i = 0; i < length; ++i) {
        float x = in[i * channels + global_thread()];
#pragma unroll
        for (unsigned k = 0; k < 6; ++k) {
            float const y = fmaf(f.b0[k], x, s[k]);
            s[k] = fmaf(f.b1[k], x, fmaf(f.a1[k], y, t[k]));
            t[k] = fmaf(f.b2[k], x, f.a2[k] * y);
            x = y;
        }
        out[i * channels + global_thread()] = x;
    }
}
CLOSED_PAIR(sound_filters, unfused_arithmetic) {
    unsigned const grid = memory.pick(full_grid, 2u), length = memory.pick(64u, 16u);
    std::size_t const n = std::size_t{grid} * 256 * length;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-3);
    equaliser const filters = example_equaliser();
    return {[=] { bad_sound_filters<<<grid, 256>>>(in, out.bad, length, filters); },
            [=] { mended_sound_filters<<<grid, 256>>>(in, out.mended, length, filters); }};
}

// Distances of points of a picture from a Bezier curve, by trying 128 places on it: rounded one by one, or fused.
KERNEL(bad_curve_distances)(float2 const* points, float* out, float4 cx, float4 cy) {
    float2 const p = points[global_thread()];
    float nearest = 1e30f;
#pragma unroll 4
    for (unsigned k = 0; k < 128; ++k) {
        float const t = static_cast<float>(k) * (1 / 128.0f);
        float const x = rounded_twice(rounded_twice(rounded_twice(cx.x, t, cx.y), t, cx.z), t, cx.w) - p.x;
        float const y = rounded_twice(rounded_twice(rounded_twice(cy.x, t, cy.y), t, cy.z), t, cy.w) - p.y;
        nearest = fminf(nearest, rounded_twice(x, x, __fmul_rn(y, y)));
    }
    out[global_thread()] = nearest;
}
KERNEL(mended_curve_distances)(float2 const* points, float* out, float4 cx, float4 cy) {
    float2 const p = points[global_thread()];
    float nearest = 1e30f;
#pragma unroll 4
    for (unsigned k = 0; k < 128; ++k) {
        float const t = static_cast<float>(k) * (1 / 128.0f);
        float const x = fmaf(fmaf(fmaf(cx.x, t, cx.y), t, cx.z), t, cx.w) - p.x;
        float const y = fmaf(fmaf(fmaf(cy.x, t, cy.y), t, cy.z), t, cy.w) - p.y;
        nearest = fminf(nearest, fmaf(x, x, y * y));
    }
    out[global_thread()] = nearest;
}
CLOSED_PAIR(curve_distances, unfused_arithmetic) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    auto const* const points = reinterpret_cast<float2 const*>(memory.input<float>(n * 2));
    results<float> const out = memory.output<float>(n, 1e-3);
    float4 const cx{0.3f, -0.7f, 1.2f, 2.1f}, cy{-0.5f, 0.9f, 0.4f, 2.2f};
    return {[=] { bad_curve_distances<<<grid, 256>>>(points, out.bad, cx, cy); },
            [=] { mended_curve_distances<<<grid, 256>>>(points, out.mended, cx, cy); }};
}

namespace {

// Solves a system of 6 equations by elimination; entry k of system i is at k * n + i.
__device__ float solved_first(float const* matrices, float const* sides, unsigned n, unsigned i) {
    float a[6][7];
#pragma unroll
    for (unsigned r = 0; r < 6; ++r) {
#pragma unroll
        for (unsigned c = 0; c < 6; ++c) a[r][c] = matrices[(r * 6 + c) * n + i] + (r == c ? 8.0f : 0.0f);
        a[r][6] = sides[r * n + i];
    }
#pragma unroll
    for (unsigned p = 5; p > 0; --p) {
        float const inverse = __fdividef(1.0f, a[p][p]);
#pragma unroll
        for (unsigned r = 0; r < p; ++r) {
            float const factor = a[r][p] * inverse;
#pragma unroll
            for (unsigned c = 0; c < p; ++c) a[r][c] -= factor * a[p][c];
            a[r][6] -= factor * a[p][6];
        }
    }
    return __fdividef(a[0][6], a[0][0]);
}

// Sums of absolute values of the Hadamard transform of 8 by 8 differences, as encoders of video rate blocks.
__device__ float transformed_cost(float const* differences, unsigned n, unsigned i) {
    float v[64];
#pragma unroll
    for (unsigned k = 0; k < 64; ++k) v[k] = differences[k * n + i];
#pragma unroll
    for (unsigned apart = 1; apart < 64; apart *= 2)
#pragma unroll
        for (unsigned k = 0; k < 64; ++k)
            if ((k & apart) == 0) {
                float const a = v[k], b = v[k + apart];
                v[k] = a + b, v[k + apart] = a - b;
            }
    float cost = 0;
#pragma unroll
    for (unsigned k = 0; k < 64; ++k) cost += fabsf(v[k]);
    return cost;
}

} // namespace

// Small systems of equations, one a thread: with 32 registers for the sake of many warps, or with those it needs.
extern "C" __global__ void __launch_bounds__(256, 8) bad_small_systems(float const* matrices, float const* sides, float* out) {
    out[global_thread()] = solved_first(matrices, sides, gridDim.x * blockDim.x, global_thread());
}
extern "C" __global__ void __launch_bounds__(256) mended_small_systems(float const* matrices, float const* sides, float* out) {
    out[global_thread()] = solved_first(matrices, sides, gridDim.x * blockDim.x, global_thread());
}
CLOSED_PAIR(small_systems, register_spills) {
    unsigned const grid = memory.pick(full_grid * 2, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const matrices = memory.input<float>(n * 36);
    float const* const sides = memory.input<float>(n * 6);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_small_systems<<<grid, 256>>>(matrices, sides, out.bad); },
            [=] { mended_small_systems<<<grid, 256>>>(matrices, sides, out.mended); }};
}

// Costs of blocks of video.
extern "C" __global__ void __launch_bounds__(1024, 2) bad_block_costs(float const* differences, float* out) {
    out[global_thread()] = transformed_cost(differences, gridDim.x * blockDim.x, global_thread());
}
extern "C" __global__ void __launch_bounds__(256) mended_block_costs(float const* differences, float* out) {
    out[global_thread()] = transformed_cost(differences, gridDim.x * blockDim.x, global_thread());
}
CLOSED_PAIR(block_costs, register_spills) {
    unsigned const grid = memory.pick(full_grid * 2, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const differences = memory.input<float>(n * 64);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_block_costs<<<grid / 4, 1024>>>(differences, out.bad); },
            [=] { mended_block_costs<<<grid, 256>>>(differences, out.mended); }};
}

// ---- work and launches

// Masses of cells of a mesh into which particles were sorted; a few cells hold most of them. A block a cell, or a block 2048 particles.
KERNEL(bad_cell_masses)(float const* particles, uint2 const* cells, float* out) {
    __shared__ float sums[8];
    uint2 const range = cells[blockIdx.x];
    float sum = 0;
    for (unsigned i = range.x + threadIdx.x; i < range.y; i += 256) sum += particles[i];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned k = 1; k < 8; ++k) sum += sums[k];
        out[blockIdx.x] = sum;
    }
}
KERNEL(mended_cell_masses)(float const* particles, uint3 const* parts, float* out) {
    __shared__ float sums[8];
    uint3 const part = parts[blockIdx.x];
    float sum = 0;
    for (unsigned i = part.x + threadIdx.x; i < part.y; i += 256) sum += particles[i];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned k = 1; k < 8; ++k) sum += sums[k];
        atomicAdd(out + part.z, sum);
    }
}
CLOSED_PAIR(cell_masses, workload_imbalance) {
    unsigned const count = memory.pick(2112u, 32u), dense = memory.pick(400'000u, 20'000u);
    std::vector<uint2> cells;
    std::vector<uint3> parts;
    unsigned n = 0;
    for (unsigned c = 0; c < count; ++c) {
        unsigned const held = c % (count / 8) == 5 ? dense : 1024 + c % 7 * 128;
        cells.push_back({n, n + held});
        for (unsigned first = n; first < n + held; first += 2048) parts.push_back({first, std::min(first + 2048, n + held), c});
        n += held;
    }
    float const* const particles = memory.input<float>(n);
    uint2 const* const all_cells = memory.upload(cells);
    uint3 const* const all_parts = memory.upload(parts);
    unsigned const blocks = static_cast<unsigned>(parts.size());
    results<float> const out = memory.output<float>(count, 1e-3);
    return {[=] { bad_cell_masses<<<count, 256>>>(particles, all_cells, out.bad); },
            [=] { mended_cell_masses<<<blocks, 256>>>(particles, all_parts, out.mended); }};
}

namespace {

__device__ float sparse_row(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, unsigned row) {
    float sum = 0;
    for (unsigned i = begins[row] + threadIdx.x % 32; i < begins[row + 1]; i += 32) sum += entries[i] * x[columns[i]];
    return sum_of_warp(sum);
}

} // namespace

// A sparse matrix whose rows are sorted by length: each block takes 64 rows that follow each other, or the rows are dealt like cards.
KERNEL(bad_sorted_rows)(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, float* out) {
    unsigned const first = (blockIdx.x * 8 + threadIdx.x / 32) * 8;
    for (unsigned row = first; row < first + 8; ++row) {
        float const sum = sparse_row(begins, columns, entries, x, row);
        if (threadIdx.x % 32 == 0) out[row] = sum;
    }
}
KERNEL(mended_sorted_rows)(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, float* out) {
    for (unsigned k = 0; k < 8; ++k) {
        unsigned const row = (k * 8 + threadIdx.x / 32) * gridDim.x + blockIdx.x;
        float const sum = sparse_row(begins, columns, entries, x, row);
        if (threadIdx.x % 32 == 0) out[row] = sum;
    }
}
CLOSED_PAIR(sorted_rows, workload_imbalance) {
    unsigned const grid = memory.pick(full_grid, 8u), rows = grid * 64;
    std::vector<unsigned> begins{0};
    for (unsigned row = 0; row < rows; ++row) begins.push_back(begins.back() + (row < grid ? memory.pick(4096u, 512u) : 24));
    std::vector<unsigned> columns = memory.values<unsigned>(begins.back());
    for (unsigned& each : columns) each = (each >> 7) % 65536;
    float const* const entries = memory.input<float>(columns.size());
    float const* const x = memory.input<float>(65536);
    unsigned const* const all_begins = memory.upload(begins);
    unsigned const* const all_columns = memory.upload(columns);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_sorted_rows<<<grid, 256>>>(all_begins, all_columns, entries, x, out.bad); },
            [=] { mended_sorted_rows<<<grid, 256>>>(all_begins, all_columns, entries, x, out.mended); }};
}

namespace {

// Of `count` samples from `first` on, those in the quarter of a circle.
__device__ void add_hits(unsigned first, unsigned count, unsigned* out) {
    unsigned hits = 0;
#pragma unroll 4
    for (unsigned i = 0; i < count; ++i) {
        unsigned const s = mixed(first + i);
        float const x = static_cast<float>(s & 0xffff) * 0x1p-16f, y = static_cast<float>(s >> 16) * 0x1p-16f;
        hits += x * x + y * y < 1;
    }
    hits = __reduce_add_sync(~0u, hits);
    if (threadIdx.x % 32 == 0) atomicAdd(out, hits);
}

} // namespace
