// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs and clean kernels of a seventh group: ordinary mistakes of ordinary programs of several fields. They were written by somebody
// who had not read the rules, and of the other groups only how `sealed` begins; to be judged once.
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
__host__ __device__ unsigned mixed(unsigned x) {
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
KERNEL(bad_tensor_biases)
(float const* in, float const* biases, float* out, unsigned channels, unsigned rows, unsigned columns) {
    unsigned const i = global_thread();
    unsigned const column = i % columns, row = i / columns % rows, channel = i / (columns * rows) % channels;
    out[i] = in[i] + biases[channel] * biases[row] * biases[column];
}
KERNEL(mended_tensor_biases)
(float const* in, float const* biases, float* out, unsigned channels, unsigned row_bits, unsigned column_bits) {
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

// As mended_tensor_biases: a value a thread, or four that follow each other.
KERNEL(bad_tensor_biases_again)
(float const* in, float const* biases, float* out, unsigned channels, unsigned row_bits, unsigned column_bits) {
    unsigned const i = global_thread();
    unsigned const column = i & ((1u << column_bits) - 1), row = i >> column_bits & ((1u << row_bits) - 1);
    unsigned const channel = i >> (row_bits + column_bits) & (channels - 1);
    out[i] = in[i] + biases[channel] * biases[row] * biases[column];
}
KERNEL(mended_tensor_biases_again)
(float4 const* in, float const* biases, float4* out, unsigned channels, unsigned row_bits, unsigned column_bits) {
    unsigned const i = global_thread() * 4;
    unsigned const column = i & ((1u << column_bits) - 1), row = i >> column_bits & ((1u << row_bits) - 1);
    unsigned const channel = i >> (row_bits + column_bits) & (channels - 1);
    float const bias = biases[channel] * biases[row];
    float4 const of_columns = *reinterpret_cast<float4 const*>(biases + column), x = in[i / 4];
    out[i / 4] = {x.x + bias * of_columns.x, x.y + bias * of_columns.y, x.z + bias * of_columns.z,
                  x.w + bias * of_columns.w};
}
AGAIN_PAIR(tensor_biases_again, narrow_global_access) {
    unsigned const grid = memory.pick(65536u, 64u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    float const* const biases = memory.input<float>(64);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_tensor_biases_again<<<grid, 256>>>(in, biases, out.bad, 32, 6, 6); },
            [=] {
                mended_tensor_biases_again<<<grid / 4, 256>>>(reinterpret_cast<float4 const*>(in), biases,
                                                              reinterpret_cast<float4*>(out.mended), 32, 6, 6);
            }};
}

// Six echoes of a sound that is kept in a ring, whose size is a power of two: remainders, or masks.
KERNEL(bad_ring_echoes)(float const* ring, float* out, unsigned size, unsigned head, uint3 delays, uint3 more) {
    unsigned const now = head + global_thread() + size;
    float sum = 0.3f * ring[(now - delays.x) % size] + 0.2f * ring[(now - delays.y) % size];
    sum += 0.15f * ring[(now - delays.z) % size] + 0.12f * ring[(now - more.x) % size];
    sum += 0.1f * ring[(now - more.y) % size] + 0.08f * ring[(now - more.z) % size];
    out[global_thread()] = sum;
}
KERNEL(mended_ring_echoes)(float const* ring, float* out, unsigned size, unsigned head, uint3 delays, uint3 more) {
    unsigned const now = head + global_thread(), mask = size - 1;
    float sum = 0.3f * ring[(now - delays.x) & mask] + 0.2f * ring[(now - delays.y) & mask];
    sum += 0.15f * ring[(now - delays.z) & mask] + 0.12f * ring[(now - more.x) & mask];
    sum += 0.1f * ring[(now - more.y) & mask] + 0.08f * ring[(now - more.z) & mask];
    out[global_thread()] = sum;
}
CLOSED_PAIR(ring_echoes, integer_division) {
    unsigned const size = memory.pick(1u << 22, 1u << 12);
    float const* const ring = memory.input<float>(size);
    results<float> const out = memory.output<float>(size);
    uint3 const delays{32, 64, 128}, more{192, 256, 320};
    return {[=] { bad_ring_echoes<<<size / 256, 256>>>(ring, out.bad, size, 1024, delays, more); },
            [=] { mended_ring_echoes<<<size / 256, 256>>>(ring, out.mended, size, 1024, delays, more); }};
}

// The echoes of mended_ring_echoes, a sample a thread, or eight.
__device__ float echoes_at(float const* ring, unsigned now, unsigned mask, uint3 delays, uint3 more) {
    float sum = 0.3f * ring[(now - delays.x) & mask] + 0.2f * ring[(now - delays.y) & mask];
    sum += 0.15f * ring[(now - delays.z) & mask] + 0.12f * ring[(now - more.x) & mask];
    return sum + 0.1f * ring[(now - more.y) & mask] + 0.08f * ring[(now - more.z) & mask];
}
KERNEL(bad_ring_echoes_again)(float const* ring, float* out, unsigned size, unsigned head, uint3 delays, uint3 more) {
    out[global_thread()] = echoes_at(ring, head + global_thread() + size, size - 1, delays, more);
}
KERNEL(mended_ring_echoes_again)
(float const* ring, float* out, unsigned size, unsigned head, uint3 delays, uint3 more) {
#pragma unroll 2
    for (unsigned i = global_thread(); i < size; i += gridDim.x * blockDim.x)
        out[i] = echoes_at(ring, head + i + size, size - 1, delays, more);
}
AGAIN_PAIR(ring_echoes_again, tiny_blocks) {
    unsigned const size = memory.pick(1u << 22, 1u << 12);
    float const* const ring = memory.input<float>(size);
    results<float> const out = memory.output<float>(size);
    uint3 const delays{32, 64, 128}, more{192, 256, 320};
    return {[=] { bad_ring_echoes_again<<<size / 256, 256>>>(ring, out.bad, size, 1024, delays, more); },
            [=] { mended_ring_echoes_again<<<size / 2048, 256>>>(ring, out.mended, size, 1024, delays, more); }};
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
    float energy = own.w * 100; // of its motion
    for (unsigned k = 0; k < count; ++k) {
        float4 const other = places[neighbours[k * n + global_thread()]];
        float const dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        float const square = dx * dx + dy * dy + dz * dz + 0.8;
        float const third = __fdividef(1.0f, square * square * square);
        energy += 4.0 * 0.65 * (third * third - 0.98 * third) + 0.0163;
    }
    out[global_thread()] = energy;
}
KERNEL(mended_molecule_energies)(float4 const* places, unsigned const* neighbours, unsigned count, float* out) {
    unsigned const n = gridDim.x * blockDim.x;
    float4 const own = places[global_thread()];
    float energy = own.w * 100; // of its motion
    for (unsigned k = 0; k < count; ++k) {
        float4 const other = places[neighbours[k * n + global_thread()]];
        float const dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        float const square = dx * dx + dy * dy + dz * dz + 0.8f;
        float const third = __fdividef(1.0f, square * square * square);
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

// Loudness after six filters of the second order in a row, a channel of sound a thread: products and sums rounded one by one, or fused.
KERNEL(bad_sound_filters)(float const* in, float* out, unsigned length, equaliser f) {
    unsigned const channels = gridDim.x * blockDim.x;
    float s[6] = {}, t[6] = {}, loudness = 0;
    for (unsigned i = 0; i < length; ++i) {
        float x = in[i * channels + global_thread()];
#pragma unroll
        for (unsigned k = 0; k < 6; ++k) {
            float const y = rounded_twice(f.b0[k], x, s[k]);
            s[k] = rounded_twice(f.b1[k], x, rounded_twice(f.a1[k], y, t[k]));
            t[k] = rounded_twice(f.b2[k], x, __fmul_rn(f.a2[k], y));
            x = y;
        }
        loudness = fmaf(x, x, loudness);
    }
    out[global_thread()] = loudness;
}
KERNEL(mended_sound_filters)(float const* in, float* out, unsigned length, equaliser f) {
    unsigned const channels = gridDim.x * blockDim.x;
    float s[6] = {}, t[6] = {}, loudness = 0;
    for (unsigned i = 0; i < length; ++i) {
        float x = in[i * channels + global_thread()];
#pragma unroll
        for (unsigned k = 0; k < 6; ++k) {
            float const y = fmaf(f.b0[k], x, s[k]);
            s[k] = fmaf(f.b1[k], x, fmaf(f.a1[k], y, t[k]));
            t[k] = fmaf(f.b2[k], x, f.a2[k] * y);
            x = y;
        }
        loudness = fmaf(x, x, loudness);
    }
    out[global_thread()] = loudness;
}
CLOSED_PAIR(sound_filters, unfused_arithmetic) {
    unsigned const grid = memory.pick(full_grid, 2u), length = memory.pick(64u, 16u);
    std::size_t const n = std::size_t{grid} * 256 * length;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
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

// Solves a system of 8 equations by elimination; entry k of system i is at k * n + i.
__device__ float solved_first(float const* matrices, float const* sides, unsigned n, unsigned i) {
    float a[8][9];
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) {
#pragma unroll
        for (unsigned c = 0; c < 8; ++c) a[r][c] = matrices[(r * 8 + c) * n + i] + (r == c ? 8.0f : 0.0f);
        a[r][8] = sides[r * n + i];
    }
#pragma unroll
    for (unsigned p = 7; p > 0; --p) {
        float const inverse = __fdividef(1.0f, a[p][p]);
#pragma unroll
        for (unsigned r = 0; r < p; ++r) {
            float const factor = a[r][p] * inverse;
#pragma unroll
            for (unsigned c = 0; c < p; ++c) a[r][c] -= factor * a[p][c];
            a[r][8] -= factor * a[p][8];
        }
    }
    return __fdividef(a[0][8], a[0][0]);
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
extern "C" __global__ void __launch_bounds__(256, 8)
    bad_small_systems(float const* matrices, float const* sides, float* out) {
    out[global_thread()] = solved_first(matrices, sides, gridDim.x * blockDim.x, global_thread());
}
extern "C" __global__ void __launch_bounds__(256)
    mended_small_systems(float const* matrices, float const* sides, float* out) {
    out[global_thread()] = solved_first(matrices, sides, gridDim.x * blockDim.x, global_thread());
}
CLOSED_PAIR(small_systems, register_spills) {
    unsigned const grid = memory.pick(full_grid * 2, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const matrices = memory.input<float>(n * 64);
    float const* const sides = memory.input<float>(n * 8);
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
        for (unsigned first = n; first < n + held; first += 2048)
            parts.push_back({first, std::min(first + 2048, n + held), c});
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

__device__ float sparse_row(unsigned const* begins, unsigned const* columns, float const* entries, float const* x,
                            unsigned row) {
    float sum = 0;
    for (unsigned i = begins[row] + threadIdx.x % 32; i < begins[row + 1]; i += 32) sum += entries[i] * x[columns[i]];
    return sum_of_warp(sum);
}

} // namespace

// A sparse matrix whose rows are sorted by length: each block takes 64 rows that follow each other, or the rows are dealt like cards.
KERNEL(bad_sorted_rows)
(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, float* out) {
    unsigned const first = (blockIdx.x * 8 + threadIdx.x / 32) * 8;
#pragma unroll 1
    for (unsigned row = first; row < first + 8; ++row) {
        float const sum = sparse_row(begins, columns, entries, x, row);
        if (threadIdx.x % 32 == 0) out[row] = sum;
    }
}
KERNEL(mended_sorted_rows)
(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, float* out) {
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k) {
        unsigned const row = (k * 8 + threadIdx.x / 32) * gridDim.x + blockIdx.x;
        float const sum = sparse_row(begins, columns, entries, x, row);
        if (threadIdx.x % 32 == 0) out[row] = sum;
    }
}
CLOSED_PAIR(sorted_rows, workload_imbalance) {
    unsigned const grid = memory.pick(full_grid, 8u), rows = grid * 64;
    std::vector<unsigned> begins{0};
    for (unsigned row = 0; row < rows; ++row)
        begins.push_back(begins.back() + (row < grid ? memory.pick(4096u, 512u) : 24));
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

// As mended_sorted_rows: each block has one of the long rows, which one warp takes, or all of them.
KERNEL(bad_sorted_rows_again)
(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, float* out) {
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k) {
        unsigned const row = (k * 8 + threadIdx.x / 32) * gridDim.x + blockIdx.x;
        float const sum = sparse_row(begins, columns, entries, x, row);
        if (threadIdx.x % 32 == 0) out[row] = sum;
    }
}
KERNEL(mended_sorted_rows_again)
(unsigned const* begins, unsigned const* columns, float const* entries, float const* x, float* out) {
    __shared__ float sums[8];
    float part = 0;
    for (unsigned i = begins[blockIdx.x] + threadIdx.x; i < begins[blockIdx.x + 1]; i += 256)
        part += entries[i] * x[columns[i]];
    part = sum_of_warp(part);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = part;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
#pragma unroll
        for (float const each : sums) sum += each;
        out[blockIdx.x] = sum;
    }
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k) {
        unsigned const row = (k * 8 + threadIdx.x / 32) * gridDim.x + blockIdx.x;
        if (row == blockIdx.x) continue;
        float const sum = sparse_row(begins, columns, entries, x, row);
        if (threadIdx.x % 32 == 0) out[row] = sum;
    }
}
AGAIN_PAIR(sorted_rows_again, workload_imbalance) {
    unsigned const grid = memory.pick(full_grid, 8u), rows = grid * 64;
    std::vector<unsigned> begins{0};
    for (unsigned row = 0; row < rows; ++row)
        begins.push_back(begins.back() + (row < grid ? memory.pick(4096u, 512u) : 24));
    std::vector<unsigned> columns = memory.values<unsigned>(begins.back());
    for (unsigned& each : columns) each = (each >> 7) % 65536;
    float const* const entries = memory.input<float>(columns.size());
    float const* const x = memory.input<float>(65536);
    unsigned const* const all_begins = memory.upload(begins);
    unsigned const* const all_columns = memory.upload(columns);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_sorted_rows_again<<<grid, 256>>>(all_begins, all_columns, entries, x, out.bad); },
            [=] { mended_sorted_rows_again<<<grid, 256>>>(all_begins, all_columns, entries, x, out.mended); }};
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

// The area of a quarter of a circle by random samples: a block more for each second SM than fit at once, or longer work for those that fit.
KERNEL(bad_circle_area)(unsigned* hits) { add_hits(global_thread() * 1600, 1600, hits); }
KERNEL(mended_circle_area)(unsigned* hits) { add_hits(global_thread() * 1700, 1700, hits); }
CLOSED_PAIR(circle_area, tail_effect) {
    unsigned const grid = memory.pick(full_grid, 16u);
    results<unsigned> const hits = memory.output<unsigned>(1);
    return {[=] { bad_circle_area<<<grid / 16 * 17, 256>>>(hits.bad); },
            [=] { mended_circle_area<<<grid, 256>>>(hits.mended); }};
}

namespace {

struct filter_taps {
    float of[32];
};
filter_taps example_taps() {
    filter_taps taps{};
    for (unsigned k = 0; k < 32; ++k) taps.of[k] = 1.0f / static_cast<float>(k + 3);
    return taps;
}

// A stretch of a signal, filtered.
__device__ void filter_stretch(float const* __restrict__ in, float* __restrict__ out, unsigned length,
                               filter_taps const& taps) {
    std::size_t const first = std::size_t{blockIdx.x} * length;
    for (unsigned i = threadIdx.x; i < length; i += 256) {
        float sum = 0;
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) sum += taps.of[k] * in[first + i + k];
        out[first + i] = sum;
    }
}

} // namespace

// A filter of 32 taps over a long signal: stretches of 16 Ki samples, which make 6 % more blocks than fit, or of 17 Ki.
extern "C" __global__ void __launch_bounds__(256, 8)
    bad_filtered_stretches(float const* in, float* out, filter_taps taps) {
    filter_stretch(in, out, 16384, taps);
}
extern "C" __global__ void __launch_bounds__(256, 8)
    mended_filtered_stretches(float const* in, float* out, filter_taps taps) {
    filter_stretch(in, out, 17408, taps);
}
CLOSED_PAIR(filtered_stretches, tail_effect) {
    unsigned const grid = memory.pick(full_grid, 16u); // of the mended one
    std::size_t const n = std::size_t{grid} * 17408;
    float const* const in = memory.input<float>(n + 32);
    results<float> const out = memory.output<float>(n);
    filter_taps const taps = example_taps();
    return {[=] { bad_filtered_stretches<<<grid / 16 * 17, 256>>>(in, out.bad, taps); },
            [=] { mended_filtered_stretches<<<grid, 256>>>(in, out.mended, taps); }};
}

// The filter of mended_filtered_stretches, each value from memory for each tap, or 1024 values in shared memory, of which a thread
// keeps those of four neighbouring results in registers.
extern "C" __global__ void __launch_bounds__(256, 8)
    bad_filtered_stretches_again(float const* in, float* out, filter_taps taps) {
    filter_stretch(in, out, 17408, taps);
}
extern "C" __global__ void __launch_bounds__(256, 4)
    mended_filtered_stretches_again(float const* __restrict__ in, float* __restrict__ out, filter_taps taps) {
    __shared__ float4 tile[(1024 + 32) / 4];
    for (unsigned part = 0; part < 17408; part += 1024) {
        std::size_t const first = std::size_t{blockIdx.x} * 17408 + part;
        for (unsigned i = threadIdx.x; i < (1024 + 32) / 4; i += 256)
            tile[i] = reinterpret_cast<float4 const*>(in + first)[i];
        __syncthreads();
        float window[36];
#pragma unroll
        for (unsigned k = 0; k < 9; ++k) {
            float4 const four = tile[threadIdx.x + k];
            window[k * 4] = four.x, window[k * 4 + 1] = four.y, window[k * 4 + 2] = four.z, window[k * 4 + 3] = four.w;
        }
        float sums[4] = {};
#pragma unroll
        for (unsigned k = 0; k < 32; ++k)
#pragma unroll
            for (unsigned j = 0; j < 4; ++j) sums[j] += taps.of[k] * window[k + j];
        reinterpret_cast<float4*>(out + first)[threadIdx.x] = make_float4(sums[0], sums[1], sums[2], sums[3]);
        __syncthreads();
    }
}
AGAIN_PAIR(filtered_stretches_again, no_tiling) {
    unsigned const grid = memory.pick(full_grid, 4u);
    std::size_t const n = std::size_t{grid} * 17408;
    float const* const in = memory.input<float>(n + 32);
    results<float> const out = memory.output<float>(n, 1e-3);
    filter_taps const taps = example_taps();
    return {[=] { bad_filtered_stretches_again<<<grid, 256>>>(in, out.bad, taps); },
            [=] { mended_filtered_stretches_again<<<grid, 256>>>(in, out.mended, taps); }};
}

// Energies of 32 recorded signals: a block each, or 33 blocks each.
KERNEL(bad_signal_energies)(float4 const* signals, float* out, unsigned length) {
    float4 const* const own = signals + std::size_t{blockIdx.y} * length;
    float sum = 0;
    for (unsigned i = global_thread(); i < length; i += gridDim.x * blockDim.x) {
        float4 const v = own[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) atomicAdd(out + blockIdx.y, sum);
}
KERNEL(mended_signal_energies)(float4 const* signals, float* out, unsigned length) {
    float4 const* const own = signals + std::size_t{blockIdx.y} * length;
    float sum = 0;
    for (unsigned i = global_thread(); i < length; i += gridDim.x * blockDim.x) {
        float4 const v = own[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) atomicAdd(out + blockIdx.y, sum);
}
CLOSED_PAIR(signal_energies, small_grid) {
    unsigned const signals = memory.pick(32u, 4u), length = memory.pick(1u << 18, 1u << 12),
                   slices = memory.pick(33u, 4u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{signals} * length * 4));
    results<float> const out = memory.output<float>(signals, 1e-3);
    return {[=] { bad_signal_energies<<<dim3(1, signals), 256>>>(in, out.bad, length); },
            [=] { mended_signal_energies<<<dim3(slices, signals), 256>>>(in, out.mended, length); }};
}

// How often 24 words of four letters are in a text: a block a word, or 44 of them.
KERNEL(bad_letter_counts)(unsigned char const* text, unsigned length, unsigned const* words, unsigned* counts) {
    unsigned const word = words[blockIdx.y];
    unsigned found = 0;
    for (unsigned i = global_thread(); i < length; i += gridDim.x * blockDim.x)
        found += (text[i] | text[i + 1] << 8 | text[i + 2] << 16 | static_cast<unsigned>(text[i + 3]) << 24) == word;
    found = __reduce_add_sync(~0u, found);
    if (threadIdx.x % 32 == 0) atomicAdd(counts + blockIdx.y, found);
}
KERNEL(mended_letter_counts)(unsigned char const* text, unsigned length, unsigned const* words, unsigned* counts) {
    unsigned const word = words[blockIdx.y];
    unsigned found = 0;
    for (unsigned i = global_thread(); i < length; i += gridDim.x * blockDim.x)
        found += (text[i] | text[i + 1] << 8 | text[i + 2] << 16 | static_cast<unsigned>(text[i + 3]) << 24) == word;
    found = __reduce_add_sync(~0u, found);
    if (threadIdx.x % 32 == 0) atomicAdd(counts + blockIdx.y, found);
}
CLOSED_PAIR(letter_counts, small_grid) {
    unsigned const length = memory.pick(4u << 20, 1u << 14), slices = memory.pick(44u, 4u);
    std::vector<unsigned> const random = memory.values<unsigned>(length + 3);
    std::vector<unsigned char> letters;
    for (unsigned const each : random) letters.push_back(static_cast<unsigned char>('a' + (each >> 15) % 3));
    std::vector<unsigned> words;
    for (unsigned k = 0; k < 24; ++k) {
        unsigned word = 0;
        for (unsigned letter = 0, rest = k * 3 + 1; letter < 4; ++letter, rest /= 3)
            word |= ('a' + rest % 3) << letter * 8;
        words.push_back(word);
    }
    unsigned char const* const text = memory.upload(letters);
    unsigned const* const all_words = memory.upload(words);
    results<unsigned> const counts = memory.output<unsigned>(24);
    return {[=] { bad_letter_counts<<<dim3(1, 24), 512>>>(text, length, all_words, counts.bad); },
            [=] { mended_letter_counts<<<dim3(slices, 24), 512>>>(text, length, all_words, counts.mended); }};
}

// Shading by the kind of material of a point: the kinds are mixed, or the points were sorted by kind.
namespace {

__device__ float shaded(unsigned kind, float x) {
    float y = x;
    switch (kind) {
        case 0:
#pragma unroll 1
            for (unsigned k = 0; k < 24; ++k) y = y * 0.8f + rsqrtf(y + 0.3f);
            return y;
        case 1:
#pragma unroll 1
            for (unsigned k = 0; k < 24; ++k) y = __sinf(y) * 0.4f + x;
            return y;
        case 2:
#pragma unroll 1
            for (unsigned k = 0; k < 24; ++k) y = __expf(-y) + x * 0.7f;
            return y;
        default:
#pragma unroll 1
            for (unsigned k = 0; k < 24; ++k) y = __fdividef(x + 1.0f, y + 0.9f);
            return y;
    }
}

} // namespace

KERNEL(bad_material_shading)(unsigned char const* kinds, float const* in, float* out) {
    out[global_thread()] = shaded(kinds[global_thread()], in[global_thread()]);
}
KERNEL(mended_material_shading)(unsigned char const* kinds, float const* in, float* out) {
    out[global_thread()] = shaded(kinds[global_thread()], in[global_thread()]);
}
CLOSED_PAIR(material_shading, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    std::vector<unsigned> const random = memory.values<unsigned>(n);
    std::vector<float> const x = memory.values<float>(n);
    std::vector<unsigned char> mixed_kinds(n), sorted_kinds;
    std::vector<float> sorted_x;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i) mixed_kinds[i] = static_cast<unsigned char>(random[i] >> 18 & 3);
    for (unsigned char kind = 0; kind < 4; ++kind)
        for (std::size_t i = 0; i < n; ++i)
            if (mixed_kinds[i] == kind) order.push_back(i), sorted_kinds.push_back(kind), sorted_x.push_back(x[i]);
    unsigned char const* const kinds = memory.upload(mixed_kinds);
    unsigned char const* const kinds_in_order = memory.upload(sorted_kinds);
    float const* const in = memory.upload(x);
    float const* const in_order = memory.upload(sorted_x);
    results<float> const out = memory.output<float>(n, 1e-4, n, [order](std::size_t i) { return order[i]; });
    return {[=] { bad_material_shading<<<grid, 256>>>(kinds, in, out.bad); },
            [=] { mended_material_shading<<<grid, 256>>>(kinds_in_order, in_order, out.mended); }};
}

// What loans have earned when they end, month by month: in the order in which they were made, or sorted by their length.
KERNEL(bad_loan_interest)(unsigned short const* months, float const* rates, float* out) {
    float const rate = rates[global_thread()] * 0.003f;
    float debt = 1000, paid = 0;
    unsigned const last = months[global_thread()];
#pragma unroll 1
    for (unsigned month = 0; month < last; ++month) {
        float const interest = debt * rate;
        paid += interest;
        debt = fmaxf(debt + interest - 4.0f, 100.0f);
    }
    out[global_thread()] = paid;
}
KERNEL(mended_loan_interest)(unsigned short const* months, float const* rates, float* out) {
    float const rate = rates[global_thread()] * 0.003f;
    float debt = 1000, paid = 0;
    unsigned const last = months[global_thread()];
#pragma unroll 1
    for (unsigned month = 0; month < last; ++month) {
        float const interest = debt * rate;
        paid += interest;
        debt = fmaxf(debt + interest - 4.0f, 100.0f);
    }
    out[global_thread()] = paid;
}
CLOSED_PAIR(loan_interest, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 4, 4u);
    std::size_t const n = std::size_t{grid} * 256;
    std::vector<unsigned> const random = memory.values<unsigned>(n);
    std::vector<float> const rate = memory.values<float>(n);
    std::vector<unsigned short> length(n), sorted_length(n);
    std::vector<float> sorted_rate(n);
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) {
        unsigned const x = (random[i] >> 10) % 64;
        length[i] = static_cast<unsigned short>(x < 40 ? 12 + x : x < 60 ? 120 : 480);
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length[a] > length[b]; });
    for (std::size_t i = 0; i < n; ++i) sorted_length[i] = length[order[i]], sorted_rate[i] = rate[order[i]];
    unsigned short const* const months = memory.upload(length);
    unsigned short const* const months_in_order = memory.upload(sorted_length);
    float const* const rates = memory.upload(rate);
    float const* const rates_in_order = memory.upload(sorted_rate);
    results<float> const out = memory.output<float>(n, 1e-4, n, [order](std::size_t i) { return order[i]; });
    return {[=] { bad_loan_interest<<<grid, 256>>>(months, rates, out.bad); },
            [=] { mended_loan_interest<<<grid, 256>>>(months_in_order, rates_in_order, out.mended); }};
}

// Norms of rows of 1024: a tree in shared memory with a barrier a level, or shuffles and one barrier.
KERNEL(bad_row_norms)(float const* in, float* out, unsigned rows) {
    __shared__ float squares[1024];
    for (unsigned row = blockIdx.x; row < rows; row += gridDim.x) {
        float const x = in[row * 1024 + threadIdx.x];
        squares[threadIdx.x] = x * x;
        __syncthreads();
        for (unsigned apart = 512; apart > 0; apart /= 2) {
            if (threadIdx.x < apart) squares[threadIdx.x] += squares[threadIdx.x + apart];
            __syncthreads();
        }
        out[row * 1024 + threadIdx.x] = x * rsqrtf(squares[0]);
        __syncthreads();
    }
}
KERNEL(mended_row_norms)(float const* in, float* out, unsigned rows) {
    __shared__ float squares[2][32];
    unsigned turn = 0;
    for (unsigned row = blockIdx.x; row < rows; row += gridDim.x, turn ^= 1) {
        float const x = in[row * 1024 + threadIdx.x];
        float const own = sum_of_warp(x * x);
        if (threadIdx.x % 32 == 0) squares[turn][threadIdx.x / 32] = own;
        __syncthreads();
        out[row * 1024 + threadIdx.x] = x * rsqrtf(sum_of_warp(squares[turn][threadIdx.x % 32]));
    }
}
CLOSED_PAIR(row_norms, barrier_waits) {
    unsigned const grid = memory.pick(sms * 2, 2u), rows = grid * memory.pick(64u, 2u);
    float const* const in = memory.input<float>(std::size_t{rows} * 1024);
    results<float> const out = memory.output<float>(std::size_t{rows} * 1024);
    return {[=] { bad_row_norms<<<grid, 1024>>>(in, out.bad, rows); },
            [=] { mended_row_norms<<<grid, 1024>>>(in, out.mended, rows); }};
}

// As mended_row_norms: a row by all warps of a block, or by one warp, without barriers.
KERNEL(bad_row_norms_again)(float const* in, float* out, unsigned rows) {
    __shared__ float squares[2][32];
    unsigned turn = 0;
    for (unsigned row = blockIdx.x; row < rows; row += gridDim.x, turn ^= 1) {
        float const x = in[row * 1024 + threadIdx.x];
        float const own = sum_of_warp(x * x);
        if (threadIdx.x % 32 == 0) squares[turn][threadIdx.x / 32] = own;
        __syncthreads();
        out[row * 1024 + threadIdx.x] = x * rsqrtf(sum_of_warp(squares[turn][threadIdx.x % 32]));
    }
}
KERNEL(__launch_bounds__(1024) mended_row_norms_again)(float const* in, float* out, unsigned rows) {
    unsigned const lane = threadIdx.x % 32;
    for (unsigned row = blockIdx.x * 32 + threadIdx.x / 32; row < rows; row += gridDim.x * 32) {
        float x[32], sum = 0;
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) x[k] = in[row * 1024 + k * 32 + lane], sum += x[k] * x[k];
        float const scale = rsqrtf(sum_of_warp(sum));
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) out[row * 1024 + k * 32 + lane] = x[k] * scale;
    }
}
AGAIN_PAIR(row_norms_again, barrier_waits) {
    unsigned const grid = memory.pick(sms * 2, 2u), rows = grid * memory.pick(64u, 2u);
    float const* const in = memory.input<float>(std::size_t{rows} * 1024);
    results<float> const out = memory.output<float>(std::size_t{rows} * 1024);
    return {[=] { bad_row_norms_again<<<grid, 1024>>>(in, out.bad, rows); },
            [=] { mended_row_norms_again<<<grid, 1024>>>(in, out.mended, rows); }};
}

// Places of the bytes that are kept, of stretches of 512: the first thread adds up the counts of the warps and of their lanes, or all
// threads do so with ballots and shuffles.
KERNEL(bad_kept_places)(unsigned char const* in, unsigned* places, unsigned stretches, unsigned limit) {
    __shared__ unsigned before[512];
    for (unsigned s = blockIdx.x; s < stretches; s += gridDim.x) {
        unsigned const i = s * 512 + threadIdx.x;
        before[threadIdx.x] = in[i] < limit;
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned sum = 0;
            for (unsigned k = 0; k < 512; ++k) {
                unsigned const kept = before[k];
                before[k] = sum;
                sum += kept;
            }
        }
        __syncthreads();
        places[i] = before[threadIdx.x];
        __syncthreads();
    }
}
KERNEL(mended_kept_places)(unsigned char const* in, unsigned* places, unsigned stretches, unsigned limit) {
    __shared__ unsigned counts[2][16];
    unsigned const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned turn = 0;
    for (unsigned s = blockIdx.x; s < stretches; s += gridDim.x, turn ^= 1) {
        unsigned const i = s * 512 + threadIdx.x;
        unsigned const kept = __ballot_sync(~0u, in[i] < limit);
        if (lane == 0) counts[turn][warp] = __popc(kept);
        __syncthreads();
        unsigned const before = __reduce_add_sync(~0u, lane < warp ? counts[turn][lane % 16] : 0);
        places[i] = before + __popc(kept & ((1u << lane) - 1));
    }
}
CLOSED_PAIR(kept_places, barrier_waits) {
    unsigned const grid = memory.pick(sms * 4, 2u), stretches = grid * memory.pick(16u, 2u);
    std::size_t const n = std::size_t{stretches} * 512;
    std::vector<unsigned char> bytes;
    for (unsigned const each : memory.values<unsigned>(n)) bytes.push_back(static_cast<unsigned char>(each >> 12));
    unsigned char const* const in = memory.upload(bytes);
    results<unsigned> const places = memory.output<unsigned>(n);
    return {[=] { bad_kept_places<<<grid, 512>>>(in, places.bad, stretches, 100); },
            [=] { mended_kept_places<<<grid, 512>>>(in, places.mended, stretches, 100); }};
}

namespace {

__device__ float settled(float x, float growth) {
#pragma unroll 8
    for (unsigned k = 0; k < 96; ++k) x = growth * x * (2.0f - x);
    return x;
}

} // namespace

// Populations of 40 species at many places, after 96 years: a block of 40 threads a place, or of 320 threads eight places.
KERNEL(bad_species)(float const* in, float const* growths, float* out, unsigned places) {
    float const growth = 0.5f + 0.4f * growths[threadIdx.x];
    for (unsigned p = blockIdx.x; p < places; p += gridDim.x)
        out[p * 40 + threadIdx.x] = settled(in[p * 40 + threadIdx.x], growth);
}
KERNEL(mended_species)(float const* in, float const* growths, float* out, unsigned places) {
    float const growth = 0.5f + 0.4f * growths[threadIdx.x % 40];
    for (unsigned p = blockIdx.x * 8; p < places; p += gridDim.x * 8)
        out[p * 40 + threadIdx.x] = settled(in[p * 40 + threadIdx.x], growth);
}
CLOSED_PAIR(species, partial_warps) {
    unsigned const places = memory.pick(sms * 6 * 8 * 32, 64u);
    std::size_t const n = std::size_t{places} * 40;
    float const* const in = memory.input<float>(n);
    float const* const growths = memory.input<float>(40);
    results<float> const out = memory.output<float>(n, 1e-3);
    unsigned const grid = memory.pick(sms * 32, 8u), mended_grid = memory.pick(sms * 6, 2u);
    return {[=] { bad_species<<<grid, 40>>>(in, growths, out.bad, places); },
            [=] { mended_species<<<mended_grid, 320>>>(in, growths, out.mended, places); }};
}

// The years of mended_species, of an addition and two products each, or of a product and both in one.
__device__ float settled_fused(float x, float growth) {
    float const twice = 2.0f * growth;
#pragma unroll 8
    for (unsigned k = 0; k < 96; ++k) x = x * fmaf(-growth, x, twice);
    return x;
}
KERNEL(bad_species_again)(float const* in, float const* growths, float* out, unsigned places) {
    float const growth = 0.5f + 0.4f * growths[threadIdx.x % 40];
    for (unsigned p = blockIdx.x * 8; p < places; p += gridDim.x * 8)
        out[p * 40 + threadIdx.x] = settled(in[p * 40 + threadIdx.x], growth);
}
KERNEL(mended_species_again)(float const* in, float const* growths, float* out, unsigned places) {
    float const growth = 0.5f + 0.4f * growths[threadIdx.x % 40];
    for (unsigned p = blockIdx.x * 8; p < places; p += gridDim.x * 8)
        out[p * 40 + threadIdx.x] = settled_fused(in[p * 40 + threadIdx.x], growth);
}
AGAIN_PAIR(species_again, unfused_arithmetic) {
    unsigned const places = memory.pick(sms * 6 * 8 * 32, 64u), grid = memory.pick(sms * 6, 2u);
    std::size_t const n = std::size_t{places} * 40;
    float const* const in = memory.input<float>(n);
    float const* const growths = memory.input<float>(40);
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_species_again<<<grid, 320>>>(in, growths, out.bad, places); },
            [=] { mended_species_again<<<grid, 320>>>(in, growths, out.mended, places); }};
}

// A block is launched for each short message of 32 words, or for eight of them.
KERNEL(bad_message_sums)(unsigned const* words, unsigned* out) {
    unsigned const sum = __reduce_xor_sync(~0u, words[global_thread()] * (threadIdx.x % 32 * 2 + 1));
    if (threadIdx.x % 32 == 0) out[global_thread() / 32] = sum;
}
KERNEL(mended_message_sums)(unsigned const* words, unsigned* out) {
    unsigned const sum = __reduce_xor_sync(~0u, words[global_thread()] * (threadIdx.x % 32 * 2 + 1));
    if (threadIdx.x % 32 == 0) out[global_thread() / 32] = sum;
}
CLOSED_PAIR(message_sums, tiny_blocks) {
    unsigned const grid = memory.pick(full_grid * 64, 32u);
    unsigned const* const words = memory.input<unsigned>(std::size_t{grid} * 32);
    results<unsigned> const out = memory.output<unsigned>(grid);
    return {[=] { bad_message_sums<<<grid, 32>>>(words, out.bad); },
            [=] { mended_message_sums<<<grid / 8, 256>>>(words, out.mended); }};
}

// Ranks of values among 256 neighbours by counting; the launch asks for room for the longest window, 200 KB, or for what this one takes.
KERNEL(bad_window_ranks)(float const* in, float* out) {
    extern __shared__ float window[];
    window[threadIdx.x] = in[global_thread()];
    __syncthreads();
    float const own = window[threadIdx.x];
    unsigned below = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 256; ++k) below += window[k] < own;
    out[global_thread()] = static_cast<float>(below) + own;
}
KERNEL(mended_window_ranks)(float const* in, float* out) {
    extern __shared__ float window[];
    window[threadIdx.x] = in[global_thread()];
    __syncthreads();
    float const own = window[threadIdx.x];
    unsigned below = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 256; ++k) below += window[k] < own;
    out[global_thread()] = static_cast<float>(below) + own;
}
CLOSED_PAIR(window_ranks, occupancy_limited_by_shared_memory) {
    unsigned const grid = memory.pick(full_grid * 8, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    constexpr unsigned room = 200 * 1024;
    CHECK_CUDA(cudaFuncSetAttribute(bad_window_ranks, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    return {[=] { bad_window_ranks<<<grid, 256, room>>>(in, out.bad); },
            [=] { mended_window_ranks<<<grid, 256, 1024>>>(in, out.mended); }};
}

// ---- global memory

// Weights of the edges of each vertex: a linked list, or the same edges by their number, as all vertices have 64.
KERNEL(bad_edge_lists)(unsigned const* first, unsigned const* next, float const* weights, float* out) {
    float sum = 0;
    for (unsigned edge = first[global_thread()]; edge != ~0u; edge = next[edge]) sum += weights[edge];
    out[global_thread()] = sum;
}
KERNEL(mended_edge_lists)(float const* weights, unsigned degree, float* out) {
    unsigned const n = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < degree; ++k) sum += weights[k * n + global_thread()];
    out[global_thread()] = sum;
}
CLOSED_PAIR(edge_lists, dependent_loads) {
    unsigned const grid = memory.pick(sms, 2u), n = grid * 256, degree = memory.pick(64u, 8u);
    std::vector<unsigned> heads(n), links(std::size_t{n} * degree);
    for (unsigned i = 0; i < links.size(); ++i) links[i] = i / n + 1 < degree ? i + n : ~0u;
    for (unsigned i = 0; i < n; ++i) heads[i] = i;
    unsigned const* const first = memory.upload(heads);
    unsigned const* const next = memory.upload(links);
    float const* const weights = memory.input<float>(links.size());
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_edge_lists<<<grid, 256>>>(first, next, weights, out.bad); },
            [=] { mended_edge_lists<<<grid, 256>>>(weights, degree, out.mended); }};
}

namespace {

template <unsigned Together>
__device__ void sum_of_edges(float const* weights, unsigned degree, float* out) {
    unsigned const n = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll Together
    for (unsigned k = 0; k < degree; ++k) sum += weights[k * n + global_thread()];
    out[global_thread()] = sum;
}

} // namespace

// As mended_edge_lists, eight loads under way, or 32.
KERNEL(bad_edge_lists_again)(float const* weights, unsigned degree, float* out) {
    sum_of_edges<8>(weights, degree, out);
}
KERNEL(mended_edge_lists_again)(float const* weights, unsigned degree, float* out) {
    sum_of_edges<32>(weights, degree, out);
}
AGAIN_PAIR(edge_lists_again, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms, 2u), n = grid * 256, degree = memory.pick(64u, 8u);
    float const* const weights = memory.input<float>(std::size_t{n} * degree);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_edge_lists_again<<<grid, 256>>>(weights, degree, out.bad); },
            [=] { mended_edge_lists_again<<<grid, 256>>>(weights, degree, out.mended); }};
}

// Random walks over a graph in which each vertex has eight neighbours: a thread does its four walks one after the other, or together.
KERNEL(bad_vertex_walks)(unsigned const* neighbours, unsigned vertices, unsigned steps, unsigned* ends) {
    unsigned const n = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned w = 0; w < 4; ++w) {
        unsigned const walk = w * n + global_thread();
        unsigned vertex = walk % vertices, state = mixed(walk);
        for (unsigned step = 0; step < steps; ++step) vertex = neighbours[vertex * 8 + (next_random(state) >> 29)];
        ends[walk] = vertex;
    }
}
KERNEL(mended_vertex_walks)(unsigned const* neighbours, unsigned vertices, unsigned steps, unsigned* ends) {
    unsigned const n = gridDim.x * blockDim.x;
    unsigned vertex[4], state[4];
#pragma unroll
    for (unsigned w = 0; w < 4; ++w) {
        vertex[w] = (w * n + global_thread()) % vertices;
        state[w] = mixed(w * n + global_thread());
    }
    for (unsigned step = 0; step < steps; ++step)
#pragma unroll
        for (unsigned w = 0; w < 4; ++w) vertex[w] = neighbours[vertex[w] * 8 + (next_random(state[w]) >> 29)];
#pragma unroll
    for (unsigned w = 0; w < 4; ++w) ends[w * n + global_thread()] = vertex[w];
}
CLOSED_PAIR(vertex_walks, dependent_loads) {
    unsigned const grid = memory.pick(sms, 2u), vertices = memory.pick(200'000u, 500u), steps = memory.pick(64u, 8u);
    std::vector<unsigned> all = memory.values<unsigned>(std::size_t{vertices} * 8);
    for (unsigned& each : all) each = mixed(each) % vertices;
    unsigned const* const neighbours = memory.upload(all);
    results<unsigned> const ends = memory.output<unsigned>(std::size_t{grid} * 256 * 4);
    return {[=] { bad_vertex_walks<<<grid, 256>>>(neighbours, vertices, steps, ends.bad); },
            [=] { mended_vertex_walks<<<grid, 256>>>(neighbours, vertices, steps, ends.mended); }};
}

// A table of distances between places: what the store changes might be the place of the thread, or it is kept in registers.
KERNEL(bad_distance_table)(float const* rows, unsigned count, float const* places, float* table) {
    unsigned const n = gridDim.x * blockDim.x, own = global_thread();
    for (unsigned r = 0; r < count; ++r) {
        float const dx = places[own] - rows[r * 4], dy = places[n + own] - rows[r * 4 + 1];
        float const dz = places[2 * n + own] - rows[r * 4 + 2];
        table[r * n + own] = places[3 * n + own] * (dx * dx + dy * dy + dz * dz) + rows[r * 4 + 3];
    }
}
KERNEL(mended_distance_table)
(float4 const* __restrict__ rows, unsigned count, float const* __restrict__ places, float* __restrict__ table) {
    unsigned const n = gridDim.x * blockDim.x, own = global_thread();
    float const x = places[own], y = places[n + own], z = places[2 * n + own], scale = places[3 * n + own];
    for (unsigned r = 0; r < count; ++r) {
        float4 const row = rows[r];
        float const dx = x - row.x, dy = y - row.y, dz = z - row.z;
        table[r * n + own] = scale * (dx * dx + dy * dy + dz * dz) + row.w;
    }
}
CLOSED_PAIR(distance_table, redundant_loads) {
    unsigned const grid = memory.pick(sms * 2, 2u), n = grid * 256, count = memory.pick(128u, 16u);
    float const* const rows = memory.input<float>(count * 4);
    float const* const places = memory.input<float>(n * 4);
    results<float> const table = memory.output<float>(std::size_t{n} * count);
    return {[=] { bad_distance_table<<<grid, 256>>>(rows, count, places, table.bad); },
            [=] {
                mended_distance_table<<<grid, 256>>>(reinterpret_cast<float4 const*>(rows), count, places,
                                                     table.mended);
            }};
}

// As mended_distance_table: a place a thread, or four places and a quarter of the rows.
KERNEL(bad_distance_table_again)
(float4 const* __restrict__ rows, unsigned count, float const* __restrict__ places, float* __restrict__ table) {
    unsigned const n = gridDim.x * blockDim.x, own = global_thread();
    float const x = places[own], y = places[n + own], z = places[2 * n + own], scale = places[3 * n + own];
    for (unsigned r = 0; r < count; ++r) {
        float4 const row = rows[r];
        float const dx = x - row.x, dy = y - row.y, dz = z - row.z;
        table[r * n + own] = scale * (dx * dx + dy * dy + dz * dz) + row.w;
    }
}
KERNEL(mended_distance_table_again)
(float4 const* __restrict__ rows, unsigned count, float4 const* __restrict__ places, float4* __restrict__ table) {
    unsigned const n = gridDim.x * blockDim.x / 4, own = global_thread() % n, quarter = global_thread() / n;
    float4 const x = places[own], y = places[n + own], z = places[2 * n + own], scale = places[3 * n + own];
    for (unsigned r = quarter * count / 4; r < (quarter + 1) * count / 4; ++r) {
        float4 const row = rows[r];
        auto const to = [row](float x, float y, float z, float scale) {
            float const dx = x - row.x, dy = y - row.y, dz = z - row.z;
            return scale * (dx * dx + dy * dy + dz * dz) + row.w;
        };
        table[r * n + own] = {to(x.x, y.x, z.x, scale.x), to(x.y, y.y, z.y, scale.y), to(x.z, y.z, z.z, scale.z),
                              to(x.w, y.w, z.w, scale.w)};
    }
}
AGAIN_PAIR(distance_table_again, narrow_global_access) {
    unsigned const grid = memory.pick(sms * 2, 2u), n = grid * 256, count = memory.pick(128u, 16u);
    auto const* const rows = reinterpret_cast<float4 const*>(memory.input<float>(count * 4));
    float const* const places = memory.input<float>(n * 4);
    results<float> const table = memory.output<float>(std::size_t{n} * count);
    return {[=] { bad_distance_table_again<<<grid, 256>>>(rows, count, places, table.bad); },
            [=] {
                mended_distance_table_again<<<grid, 256>>>(rows, count, reinterpret_cast<float4 const*>(places),
                                                           reinterpret_cast<float4*>(table.mended));
            }};
}

// Pictures of a sensor, calibrated by a polynomial of its own for each pixel: loaded for every picture, or once.
KERNEL(bad_sensor_calibration)(unsigned short const* frames, unsigned count, float const* coefficients, float* out) {
    unsigned const n = gridDim.x * blockDim.x, own = global_thread();
    for (unsigned f = 0; f < count; ++f) {
        float const raw = static_cast<float>(frames[f * n + own]) * (1 / 65536.0f);
        float value = coefficients[5 * n + own];
        for (unsigned k = 5; k > 0; --k) value = value * raw + coefficients[(k - 1) * n + own];
        out[f * n + own] = value;
    }
}
KERNEL(mended_sensor_calibration)
(unsigned short const* __restrict__ frames, unsigned count, float const* __restrict__ coefficients,
 float* __restrict__ out) {
    unsigned const n = gridDim.x * blockDim.x, own = global_thread();
    float c[6];
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) c[k] = coefficients[k * n + own];
    for (unsigned f = 0; f < count; ++f) {
        float const raw = static_cast<float>(frames[f * n + own]) * (1 / 65536.0f);
        float value = c[5];
#pragma unroll
        for (unsigned k = 5; k > 0; --k) value = value * raw + c[k - 1];
        out[f * n + own] = value;
    }
}
CLOSED_PAIR(sensor_calibration, redundant_loads) {
    unsigned const grid = memory.pick(sms * 2, 2u), n = grid * 256, count = memory.pick(64u, 8u);
    auto const* const frames =
        reinterpret_cast<unsigned short const*>(memory.input<unsigned>(std::size_t{n} * count / 2));
    float const* const coefficients = memory.input<float>(n * 6);
    results<float> const out = memory.output<float>(std::size_t{n} * count);
    return {[=] { bad_sensor_calibration<<<grid, 256>>>(frames, count, coefficients, out.bad); },
            [=] { mended_sensor_calibration<<<grid, 256>>>(frames, count, coefficients, out.mended); }};
}

// The pictures of mended_sensor_calibration, one loaded at a time, or eight.
template <unsigned Ahead>
__device__ void calibrate(unsigned short const* __restrict__ frames, unsigned count,
                          float const* __restrict__ coefficients, float* __restrict__ out) {
    unsigned const n = gridDim.x * blockDim.x, own = global_thread();
    float c[6];
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) c[k] = coefficients[k * n + own];
#pragma unroll 1
    for (unsigned f = 0; f < count; f += Ahead) {
        float raw[Ahead];
#pragma unroll
        for (unsigned a = 0; a < Ahead; ++a) raw[a] = static_cast<float>(frames[(f + a) * n + own]) * (1 / 65536.0f);
#pragma unroll
        for (unsigned a = 0; a < Ahead; ++a) {
            float value = c[5];
#pragma unroll
            for (unsigned k = 5; k > 0; --k) value = value * raw[a] + c[k - 1];
            out[(f + a) * n + own] = value;
        }
    }
}
KERNEL(bad_sensor_calibration_again)
(unsigned short const* frames, unsigned count, float const* coefficients, float* out) {
    calibrate<1>(frames, count, coefficients, out);
}
KERNEL(mended_sensor_calibration_again)
(unsigned short const* frames, unsigned count, float const* coefficients, float* out) {
    calibrate<8>(frames, count, coefficients, out);
}
AGAIN_PAIR(sensor_calibration_again, low_memory_parallelism) {
    unsigned const grid = memory.pick(sms * 2, 2u), n = grid * 256, count = memory.pick(64u, 8u);
    auto const* const frames =
        reinterpret_cast<unsigned short const*>(memory.input<unsigned>(std::size_t{n} * count / 2));
    float const* const coefficients = memory.input<float>(n * 6);
    results<float> const out = memory.output<float>(std::size_t{n} * count);
    return {[=] { bad_sensor_calibration_again<<<grid, 256>>>(frames, count, coefficients, out.bad); },
            [=] { mended_sensor_calibration_again<<<grid, 256>>>(frames, count, coefficients, out.mended); }};
}

// A dense layer for one input: a thread a row of the weights, or a warp.
KERNEL(bad_dense_rows)(float const* weights, float const* x, float* out, unsigned columns) {
    float const* const row = weights + std::size_t{global_thread()} * columns;
    float sum = 0;
    for (unsigned c = 0; c < columns; ++c) sum += row[c] * x[c];
    out[global_thread()] = sum;
}
KERNEL(mended_dense_rows)(float const* weights, float const* x, float* out, unsigned columns) {
    unsigned const row = global_thread() / 32;
    float sum = 0;
#pragma unroll 4
    for (unsigned c = threadIdx.x % 32; c < columns; c += 32) sum += weights[std::size_t{row} * columns + c] * x[c];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) out[row] = sum;
}
CLOSED_PAIR(dense_rows, uncoalesced_global_access) {
    unsigned const rows = memory.pick(sms * 256, 256u), columns = memory.pick(1024u, 64u);
    float const* const weights = memory.input<float>(std::size_t{rows} * columns);
    float const* const x = memory.input<float>(columns);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_dense_rows<<<rows / 256, 256>>>(weights, x, out.bad, columns); },
            [=] { mended_dense_rows<<<rows / 8, 256>>>(weights, x, out.mended, columns); }};
}

// Largest of each 32 values of a measured series, to draw it: each thread reads its stretch, or the lanes of a warp read one together.
KERNEL(bad_drawn_series)(float const* in, float* out) {
    float largest = in[std::size_t{global_thread()} * 32];
#pragma unroll
    for (unsigned k = 1; k < 32; ++k) largest = fmaxf(largest, in[std::size_t{global_thread()} * 32 + k]);
    out[global_thread()] = largest;
}
KERNEL(mended_drawn_series)(float const* in, float* out) {
    unsigned const lane = threadIdx.x % 32;
    float const* const own = in + std::size_t{global_thread() - lane} * 32;
    float largest = 0;
#pragma unroll 8
    for (unsigned k = 0; k < 32; ++k) {
        unsigned const bits = __reduce_max_sync(~0u, __float_as_uint(own[k * 32 + lane])); // none is negative
        if (lane == k) largest = __uint_as_float(bits);
    }
    out[global_thread()] = largest;
}
CLOSED_PAIR(drawn_series, uncoalesced_global_access) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    float const* const in = memory.input<float>(std::size_t{grid} * 256 * 32);
    results<float> const out = memory.output<float>(std::size_t{grid} * 256);
    return {[=] { bad_drawn_series<<<grid, 256>>>(in, out.bad); },
            [=] { mended_drawn_series<<<grid, 256>>>(in, out.mended); }};
}

// Octaves of noise for each point: a thread stores its eight values side by side, or a plane an octave.
KERNEL(bad_noise_octaves)(float const* in, float* out) {
    float const x = in[global_thread()];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
        out[global_thread() * 8 + k] = static_cast<float>(mixed(__float_as_uint(x) + k) >> 8) * 0x1p-24f;
}
KERNEL(mended_noise_octaves)(float const* in, float* out) {
    unsigned const n = gridDim.x * blockDim.x;
    float const x = in[global_thread()];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
        out[k * n + global_thread()] = static_cast<float>(mixed(__float_as_uint(x) + k) >> 8) * 0x1p-24f;
}
CLOSED_PAIR(noise_octaves, uncoalesced_global_stores) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    results<float> const out =
        memory.output<float>(n * 8, 1e-4, n * 8, [n](std::size_t i) { return i % n * 8 + i / n; });
    return {[=] { bad_noise_octaves<<<grid, 256>>>(in, out.bad); },
            [=] { mended_noise_octaves<<<grid, 256>>>(in, out.mended); }};
}

// Opacity of a picture: one float of four, or a plane of its own.
KERNEL(bad_opacity)(float const* in, float* pixels, float factor) {
    pixels[global_thread() * 4 + 3] = in[global_thread()] * factor;
}
KERNEL(mended_opacity)(float const* in, float* plane, float factor) {
    plane[global_thread()] = in[global_thread()] * factor;
}
CLOSED_PAIR(opacity, partial_sector_stores) {
    unsigned const grid = memory.pick(full_grid * 16, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-4, n * 4, [](std::size_t i) { return i * 4 + 3; });
    return {[=] { bad_opacity<<<grid, 256>>>(in, out.bad, 0.5f); },
            [=] { mended_opacity<<<grid, 256>>>(in, out.mended, 0.5f); }};
}

// The plane of mended_opacity, a pixel a thread, or eight.
KERNEL(bad_opacity_again)(float const* in, float* plane, float factor) {
    plane[global_thread()] = in[global_thread()] * factor;
}
KERNEL(mended_opacity_again)(float const* in, float* plane, float factor) {
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
        unsigned const i = k * gridDim.x * blockDim.x + global_thread();
        plane[i] = in[i] * factor;
    }
}
AGAIN_PAIR(opacity_again, tiny_blocks) {
    unsigned const grid = memory.pick(full_grid * 16, 16u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_opacity_again<<<grid, 256>>>(in, out.bad, 0.5f); },
            [=] { mended_opacity_again<<<grid / 8, 256>>>(in, out.mended, 0.5f); }};
}

// Bytes of a picture against a threshold: one a thread, or sixteen.
KERNEL(bad_byte_threshold)(unsigned char const* in, unsigned char* out, unsigned limit) {
    out[global_thread()] = in[global_thread()] > limit ? 255 : 0;
}
KERNEL(mended_byte_threshold)(uint4 const* in, uint4* out, unsigned limits) {
    uint4 const v = in[global_thread()];
    out[global_thread()] = {__vcmpgtu4(v.x, limits), __vcmpgtu4(v.y, limits), __vcmpgtu4(v.z, limits),
                            __vcmpgtu4(v.w, limits)};
}
CLOSED_PAIR(byte_threshold, narrow_global_access) {
    unsigned const grid = memory.pick(full_grid * 4, 2u); // of the mended one
    std::size_t const n = std::size_t{grid} * 256 * 16;
    auto const* const in = reinterpret_cast<unsigned char const*>(memory.input<unsigned>(n / 4));
    results<unsigned char> const out = memory.output<unsigned char>(n);
    return {[=] { bad_byte_threshold<<<grid * 16, 256>>>(in, out.bad, 100); },
            [=] {
                mended_byte_threshold<<<grid, 256>>>(reinterpret_cast<uint4 const*>(in),
                                                     reinterpret_cast<uint4*>(out.mended), 0x64646464);
            }};
}

// Prices of orders by a table that stays in host memory, or lies in the device's.
KERNEL(bad_order_prices)(unsigned short const* articles, float const* prices, float* out) {
    out[global_thread()] = prices[articles[global_thread()]] * 1.19f;
}
KERNEL(mended_order_prices)(unsigned short const* articles, float const* prices, float* out) {
    out[global_thread()] = prices[articles[global_thread()]] * 1.19f;
}
CLOSED_PAIR(order_prices, host_memory_access) {
    unsigned const grid = memory.pick(full_grid / 4, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    auto const* const articles = reinterpret_cast<unsigned short const*>(memory.input<unsigned>(n / 2));
    float const* const far = memory.host_input<float>(65536);
    float const* const near = memory.input<float>(65536);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_order_prices<<<grid, 256>>>(articles, far, out.bad); },
            [=] { mended_order_prices<<<grid, 256>>>(articles, near, out.mended); }};
}

// A histogram of bytes that are alike: counted in global memory, or in shared memory first.
KERNEL(bad_grey_levels)(unsigned char const* in, unsigned n, unsigned* counts) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(counts + in[i], 1u);
}
KERNEL(mended_grey_levels)(unsigned char const* in, unsigned n, unsigned* counts) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(own + in[i], 1u);
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
CLOSED_PAIR(grey_levels, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 4u), n = grid * 256 * memory.pick(32u, 4u);
    std::vector<unsigned char> levels;
    for (unsigned const each : memory.values<unsigned>(n)) // a sum of two: the middle ones are frequent
        levels.push_back(static_cast<unsigned char>((each >> 12 & 63) + (each >> 20 & 63) + 60));
    unsigned char const* const in = memory.upload(levels);
    results<unsigned> const counts = memory.output<unsigned>(256);
    return {[=] { bad_grey_levels<<<grid, 256>>>(in, n, counts.bad); },
            [=] { mended_grey_levels<<<grid, 256>>>(in, n, counts.mended); }};
}

// The histogram of mended_grey_levels, added up by blocks of 256 threads, or by a quarter as many of 1024.
template <unsigned Threads>
__device__ void count_levels(unsigned char const* in, unsigned n, unsigned* counts) {
    __shared__ unsigned own[256];
    if (threadIdx.x < 256) own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * Threads + threadIdx.x; i < n; i += gridDim.x * Threads) atomicAdd(own + in[i], 1u);
    __syncthreads();
    if (threadIdx.x < 256 && own[threadIdx.x]) atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
KERNEL(bad_grey_levels_again)(unsigned char const* in, unsigned n, unsigned* counts) {
    count_levels<256>(in, n, counts);
}
KERNEL(mended_grey_levels_again)(unsigned char const* in, unsigned n, unsigned* counts) {
    count_levels<1024>(in, n, counts);
}
AGAIN_PAIR(grey_levels_again, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 4u), n = grid * 256 * memory.pick(32u, 4u);
    std::vector<unsigned char> levels;
    for (unsigned const each : memory.values<unsigned>(n))
        levels.push_back(static_cast<unsigned char>((each >> 12 & 63) + (each >> 20 & 63) + 60));
    unsigned char const* const in = memory.upload(levels);
    results<unsigned> const counts = memory.output<unsigned>(256);
    return {[=] { bad_grey_levels_again<<<grid, 256>>>(in, n, counts.bad); },
            [=] { mended_grey_levels_again<<<grid / 4, 1024>>>(in, n, counts.mended); }};
}

namespace {

// What each(byte) does, for all bytes of n, 16 by a load.
template <class Each>
__device__ void each_of_wide_loads(unsigned char const* in, unsigned n, Each const& each) {
    for (unsigned i = global_thread(); i < n / 16; i += gridDim.x * blockDim.x) {
        uint4 const four = reinterpret_cast<uint4 const*>(in)[i];
        for (unsigned const word : {four.x, four.y, four.z, four.w})
#pragma unroll
            for (unsigned at = 0; at < 32; at += 8) each(word >> at & 255);
    }
}

} // namespace

// The histogram of mended_grey_levels, of one level by a load, or of 16.
KERNEL(bad_grey_levels_again_2)(unsigned char const* in, unsigned n, unsigned* counts) {
    count_levels<256>(in, n, counts);
}
KERNEL(mended_grey_levels_again_2)(unsigned char const* in, unsigned n, unsigned* counts) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    each_of_wide_loads(in, n, [&](unsigned level) { atomicAdd(own + level, 1u); });
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
AGAIN_PAIR(grey_levels_again_2, narrow_global_access) {
    unsigned const grid = memory.pick(full_grid, 4u), n = grid * 256 * memory.pick(32u, 16u);
    std::vector<unsigned char> levels;
    for (unsigned const each : memory.values<unsigned>(n))
        levels.push_back(static_cast<unsigned char>((each >> 12 & 63) + (each >> 20 & 63) + 60));
    unsigned char const* const in = memory.upload(levels);
    results<unsigned> const counts = memory.output<unsigned>(256);
    return {[=] { bad_grey_levels_again_2<<<grid, 256>>>(in, n, counts.bad); },
            [=] { mended_grey_levels_again_2<<<grid, 256>>>(in, n, counts.mended); }};
}

// Sales by region of rows that are sorted by region: an addition a row, or one a warp where all its rows are of one region.
KERNEL(bad_region_sales)(unsigned const* regions, float const* sales, float* sums) {
    atomicAdd(sums + regions[global_thread()], sales[global_thread()]);
}
KERNEL(mended_region_sales)(unsigned const* regions, float const* sales, float* sums) {
    unsigned const region = regions[global_thread()];
    float const own = sales[global_thread()];
    int same = 0;
    __match_all_sync(~0u, region, &same);
    if (!same) {
        atomicAdd(sums + region, own);
        return;
    }
    float const sum = sum_of_warp(own);
    if (threadIdx.x % 32 == 0) atomicAdd(sums + region, sum);
}
CLOSED_PAIR(region_sales, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid * 4, 4u), n = grid * 256;
    std::vector<unsigned> sorted(n);
    for (unsigned i = 0; i < n; ++i) sorted[i] = i / memory.pick(1000u, 100u);
    unsigned const* const regions = memory.upload(sorted);
    float const* const sales = memory.input<float>(n);
    results<float> const sums = memory.output<float>(sorted.back() + 1, 1e-3);
    return {[=] { bad_region_sales<<<grid, 256>>>(regions, sales, sums.bad); },
            [=] { mended_region_sales<<<grid, 256>>>(regions, sales, sums.mended); }};
}

// The sums of mended_region_sales, an addition for 32 rows, or for 256 where all of them are of one region.
__device__ void add_region(float* sums, unsigned region, float own) {
    int same = 0;
    __match_all_sync(~0u, region, &same);
    if (!same) {
        atomicAdd(sums + region, own);
        return;
    }
    float const sum = sum_of_warp(own);
    if (threadIdx.x % 32 == 0) atomicAdd(sums + region, sum);
}
KERNEL(bad_region_sales_again)(unsigned const* regions, float const* sales, float* sums) {
    add_region(sums, regions[global_thread()], sales[global_thread()]);
}
KERNEL(mended_region_sales_again)(unsigned const* regions, float const* sales, float* sums) {
    unsigned const first = global_thread() / 32 * 256 + threadIdx.x % 32; // of the rows of a warp
    unsigned region = regions[first];
    float own = sales[first];
#pragma unroll
    for (unsigned k = 1; k < 8; ++k) {
        unsigned const next = regions[first + k * 32];
        if (__any_sync(~0u, next != region)) {
            add_region(sums, region, own);
            region = next;
            own = 0;
        }
        own += sales[first + k * 32];
    }
    add_region(sums, region, own);
}
AGAIN_PAIR(region_sales_again, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid * 4, 8u), n = grid * 256;
    std::vector<unsigned> sorted(n);
    for (unsigned i = 0; i < n; ++i) sorted[i] = i / memory.pick(1000u, 100u);
    unsigned const* const regions = memory.upload(sorted);
    float const* const sales = memory.input<float>(n);
    results<float> const sums = memory.output<float>(sorted.back() + 1, 1e-3);
    return {[=] { bad_region_sales_again<<<grid, 256>>>(regions, sales, sums.bad); },
            [=] { mended_region_sales_again<<<grid / 8, 256>>>(regions, sales, sums.mended); }};
}

// Correlations of 512 features over many samples, a product of a matrix with itself: read by each thread, or in tiles.
KERNEL(bad_feature_products)(float const* samples, unsigned count, unsigned features, float* out) {
    unsigned const a = blockIdx.y * 16 + threadIdx.y, b = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (unsigned s = 0; s < count; ++s) sum += samples[s * features + a] * samples[s * features + b];
    out[a * features + b] = sum;
}
KERNEL(mended_feature_products)(float const* samples, unsigned count, unsigned features, float* out) {
    __shared__ float tile_a[16][64], tile_b[16][64];
    unsigned const first_a = blockIdx.y * 64, first_b = blockIdx.x * 64, own = threadIdx.y * 16 + threadIdx.x;
    float sums[4][4] = {};
    for (unsigned s = 0; s < count; s += 16) {
        __syncthreads();
#pragma unroll
        for (unsigned k = own; k < 1024; k += 256) {
            tile_a[k / 64][k % 64] = samples[(s + k / 64) * features + first_a + k % 64];
            tile_b[k / 64][k % 64] = samples[(s + k / 64) * features + first_b + k % 64];
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) {
            float4 const a = *reinterpret_cast<float4 const*>(&tile_a[k][threadIdx.y * 4]);
            float4 const b = *reinterpret_cast<float4 const*>(&tile_b[k][threadIdx.x * 4]);
            float const as[4]{a.x, a.y, a.z, a.w}, bs[4]{b.x, b.y, b.z, b.w};
#pragma unroll
            for (unsigned i = 0; i < 16; ++i) sums[i / 4][i % 4] += as[i / 4] * bs[i % 4];
        }
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
        *reinterpret_cast<float4*>(out + (first_a + threadIdx.y * 4 + i) * features + first_b +
                                   threadIdx.x * 4) = {sums[i][0], sums[i][1], sums[i][2], sums[i][3]};
}
CLOSED_PAIR(feature_products, no_tiling) {
    unsigned const features = memory.pick(1024u, 64u), count = memory.pick(2048u, 32u);
    float const* const samples = memory.input<float>(std::size_t{features} * count);
    results<float> const out = memory.output<float>(std::size_t{features} * features, 1e-3);
    dim3 const block(16, 16);
    return {
        [=] { bad_feature_products<<<dim3(features / 16, features / 16), block>>>(samples, count, features, out.bad); },
        [=] {
            mended_feature_products<<<dim3(features / 64, features / 64), block>>>(samples, count, features,
                                                                                   out.mended);
        }};
}

namespace {

constexpr unsigned reach = 12; // of the blur, to both sides

} // namespace

// A vertical blur over 25 rows: each thread reads its column's, or four results a thread come from a tile in shared memory.
KERNEL(bad_tall_blur)(float const* in, float* out, unsigned width) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k <= 2 * reach; ++k) sum += in[(y + k) * width + x];
    out[y * width + x] = sum * (1.0f / (2 * reach + 1));
}
KERNEL(mended_tall_blur)(float const* in, float* out, unsigned width) {
    __shared__ float tile[64 + 2 * reach][32];
    unsigned const x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y * 8;
    for (unsigned r = threadIdx.y; r < 64 + 2 * reach; r += 8)
        tile[r][threadIdx.x] = in[(blockIdx.y * 64 + r) * width + x];
    __syncthreads();
    float sums[8] = {};
#pragma unroll
    for (unsigned k = 0; k < 2 * reach + 8; ++k) {
        float const v = tile[threadIdx.y * 8 + k][threadIdx.x];
#pragma unroll
        for (unsigned i = 0; i < 8; ++i)
            if (k >= i && k <= i + 2 * reach) sums[i] += v;
    }
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) out[(y + i) * width + x] = sums[i] * (1.0f / (2 * reach + 1));
}
CLOSED_PAIR(tall_blur, no_tiling) {
    unsigned const width = memory.pick(4096u, 64u), height = memory.pick(4096u, 64u);
    float const* const in = memory.input<float>(std::size_t{width} * (height + 2 * reach));
    results<float> const out = memory.output<float>(std::size_t{width} * height);
    dim3 const block(32, 8);
    return {[=] { bad_tall_blur<<<dim3(width / 32, height / 8), block>>>(in, out.bad, width); },
            [=] { mended_tall_blur<<<dim3(width / 32, height / 64), block>>>(in, out.mended, width); }};
}

namespace {

__constant__ float palette_constants[256] = {1, 2, 3, 5, 8, 13, 21, 34};

} // namespace

// Colours of a palette by the byte of a pixel, in eight rounds of animation: the palette in constant or in shared memory.
KERNEL(bad_palette_colours)(unsigned char const* in, float* out, unsigned rounds) {
    unsigned index = in[global_thread()];
    float sum = 0;
    for (unsigned r = 0; r < rounds; ++r, index = (index * 5 + 7) & 255) sum += palette_constants[index] + 0.125f;
    out[global_thread()] = sum;
}
KERNEL(mended_palette_colours)(unsigned char const* in, float* out, unsigned rounds) {
    __shared__ float palette[256];
    palette[threadIdx.x] = palette_constants[threadIdx.x];
    __syncthreads();
    unsigned index = in[global_thread()];
    float sum = 0;
    for (unsigned r = 0; r < rounds; ++r, index = (index * 5 + 7) & 255) sum += palette[index] + 0.125f;
    out[global_thread()] = sum;
}
CLOSED_PAIR(palette_colours, divergent_constants) {
    unsigned const grid = memory.pick(full_grid * 2, 2u), rounds = 8;
    std::size_t const n = std::size_t{grid} * 256;
    auto const* const in = reinterpret_cast<unsigned char const*>(memory.input<unsigned>(n / 4));
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_palette_colours<<<grid, 256>>>(in, out.bad, rounds); },
            [=] { mended_palette_colours<<<grid, 256>>>(in, out.mended, rounds); }};
}

// Waves on water: each step is followed by a fence that no other thread waits for, or by none.
KERNEL(bad_fenced_waves)(float const* in, float* out, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float height = in[global_thread()], speed = 0;
    for (unsigned step = 0; step < steps; ++step) {
        speed -= height * 0.1f;
        height += speed * 0.1f;
        out[step * n + global_thread()] = height;
        __threadfence();
    }
}
KERNEL(mended_fenced_waves)(float const* in, float* out, unsigned steps) {
    unsigned const n = gridDim.x * blockDim.x;
    float height = in[global_thread()], speed = 0;
    for (unsigned step = 0; step < steps; ++step) {
        speed -= height * 0.1f;
        height += speed * 0.1f;
        out[step * n + global_thread()] = height;
    }
}
CLOSED_PAIR(fenced_waves, memory_fences) {
    unsigned const grid = memory.pick(sms * 2, 2u), steps = memory.pick(48u, 8u);
    std::size_t const n = std::size_t{grid} * 256;
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n * steps, 1e-3);
    return {[=] { bad_fenced_waves<<<grid, 256>>>(in, out.bad, steps); },
            [=] { mended_fenced_waves<<<grid, 256>>>(in, out.mended, steps); }};
}

// ---- shared memory and registers

// A picture turned by a quarter: a tile whose rows are 32 words, or 33.
KERNEL(bad_turned_picture)(float const* in, float* out, unsigned width, unsigned height) {
    __shared__ float tile[32][32];
    unsigned const x = blockIdx.x * 32, y = blockIdx.y * 32;
#pragma unroll
    for (unsigned r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x] = in[(y + r) * width + x + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned r = threadIdx.y; r < 32; r += 8)
        out[(width - 1 - x - r) * height + y + threadIdx.x] = tile[threadIdx.x][r];
}
KERNEL(mended_turned_picture)(float const* in, float* out, unsigned width, unsigned height) {
    __shared__ float tile[32][33];
    unsigned const x = blockIdx.x * 32, y = blockIdx.y * 32;
#pragma unroll
    for (unsigned r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x] = in[(y + r) * width + x + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned r = threadIdx.y; r < 32; r += 8)
        out[(width - 1 - x - r) * height + y + threadIdx.x] = tile[threadIdx.x][r];
}
CLOSED_PAIR(turned_picture, shared_bank_conflicts) {
    unsigned const width = memory.pick(2048u, 64u), height = memory.pick(2048u, 32u);
    float const* const in = memory.input<float>(std::size_t{width} * height);
    results<float> const out = memory.output<float>(std::size_t{width} * height);
    dim3 const grid(width / 32, height / 32), block(32, 8);
    return {[=] { bad_turned_picture<<<grid, block>>>(in, out.bad, width, height); },
            [=] { mended_turned_picture<<<grid, block>>>(in, out.mended, width, height); }};
}

namespace {

// Sums up to each of 4096 values of a block; a thread adds up 16 that follow each other. Value i lies at i + i / 16 * Padding.
template <unsigned Padding>
__device__ void stretch_sums(unsigned const* in, unsigned* out) {
    __shared__ unsigned values[4096 + 256 * Padding], sums_of_warps[8];
    unsigned const first = blockIdx.x * 4096, lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned i = threadIdx.x; i < 4096; i += 256) values[i + i / 16 * Padding] = in[first + i];
    __syncthreads();
    unsigned* const own = values + threadIdx.x * (16 + Padding);
    unsigned sum = 0;
#pragma unroll 4
    for (unsigned k = 0; k < 16; ++k) sum += own[k];
    unsigned upto = sum;
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        unsigned const other = __shfl_up_sync(~0u, upto, apart);
        if (lane >= apart) upto += other;
    }
    if (lane == 31) sums_of_warps[threadIdx.x / 32] = upto;
    __syncthreads();
    unsigned running = upto - sum + __reduce_add_sync(~0u, lane < threadIdx.x / 32 ? sums_of_warps[lane % 8] : 0);
#pragma unroll 4
    for (unsigned k = 0; k < 16; ++k) running += own[k], own[k] = running;
    __syncthreads();
#pragma unroll
    for (unsigned i = threadIdx.x; i < 4096; i += 256) out[first + i] = values[i + i / 16 * Padding];
}

} // namespace

// Running sums of stretches: the threads' parts of the stretch begin 16 words apart, or 17.
KERNEL(bad_stretch_sums)(unsigned const* in, unsigned* out) { stretch_sums<0>(in, out); }
KERNEL(mended_stretch_sums)(unsigned const* in, unsigned* out) { stretch_sums<1>(in, out); }
CLOSED_PAIR(stretch_sums, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    std::size_t const n = std::size_t{grid} * 4096;
    unsigned const* const in = memory.input<unsigned>(n);
    results<unsigned> const out = memory.output<unsigned>(n);
    return {[=] { bad_stretch_sums<<<grid, 256>>>(in, out.bad); },
            [=] { mended_stretch_sums<<<grid, 256>>>(in, out.mended); }};
}

// Most rows of a table have one of few states: the counters of a block, or copies of them for each lane.
KERNEL(bad_row_states)(unsigned char const* states, unsigned n, unsigned* counts) {
    __shared__ unsigned own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(own + states[i], 1u);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
KERNEL(mended_row_states)(unsigned char const* states, unsigned n, unsigned* counts) {
    __shared__ unsigned own[8][32];
    own[threadIdx.x / 32][threadIdx.x % 32] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[states[i]][threadIdx.x % 32], 1u);
    __syncthreads();
    unsigned const sum = __reduce_add_sync(~0u, own[threadIdx.x / 32][threadIdx.x % 32]);
    if (threadIdx.x % 32 == 0) atomicAdd(counts + threadIdx.x / 32, sum);
}
CLOSED_PAIR(row_states, shared_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 4u), n = grid * 256 * memory.pick(64u, 4u);
    std::vector<unsigned char> all;
    for (unsigned const each : memory.values<unsigned>(n))
        all.push_back(static_cast<unsigned char>((each >> 16 & 15) < 8 ? 2 : each >> 20 & 7));
    unsigned char const* const states = memory.upload(all);
    results<unsigned> const counts = memory.output<unsigned>(8);
    return {[=] { bad_row_states<<<grid, 256>>>(states, n, counts.bad); },
            [=] { mended_row_states<<<grid, 256>>>(states, n, counts.mended); }};
}

namespace {

// As mended_row_states, of blocks of 256 threads or more.
__device__ void states_of_rows(unsigned char const* states, unsigned n, unsigned* counts) {
    __shared__ unsigned own[8][32];
    if (threadIdx.x < 256) own[threadIdx.x / 32][threadIdx.x % 32] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[states[i]][threadIdx.x % 32], 1u);
    __syncthreads();
    if (threadIdx.x >= 256) return;
    unsigned const sum = __reduce_add_sync(~0u, own[threadIdx.x / 32][threadIdx.x % 32]);
    if (threadIdx.x % 32 == 0) atomicAdd(counts + threadIdx.x / 32, sum);
}

} // namespace

// As mended_row_states: each block adds its eight sums to those of all, of blocks of 256 threads, or of a fourth of them with 1024.
KERNEL(bad_row_states_again)(unsigned char const* states, unsigned n, unsigned* counts) {
    states_of_rows(states, n, counts);
}
KERNEL(mended_row_states_again)(unsigned char const* states, unsigned n, unsigned* counts) {
    states_of_rows(states, n, counts);
}
AGAIN_PAIR(row_states_again, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 4u), n = grid * 256 * memory.pick(64u, 4u);
    std::vector<unsigned char> all;
    for (unsigned const each : memory.values<unsigned>(n))
        all.push_back(static_cast<unsigned char>((each >> 16 & 15) < 8 ? 2 : each >> 20 & 7));
    unsigned char const* const states = memory.upload(all);
    results<unsigned> const counts = memory.output<unsigned>(8);
    return {[=] { bad_row_states_again<<<grid, 256>>>(states, n, counts.bad); },
            [=] { mended_row_states_again<<<grid / 4, 1024>>>(states, n, counts.mended); }};
}

// As mended_row_states, of one state by a load, or of 16.
KERNEL(bad_row_states_again_2)(unsigned char const* states, unsigned n, unsigned* counts) {
    states_of_rows(states, n, counts);
}
KERNEL(mended_row_states_again_2)(unsigned char const* states, unsigned n, unsigned* counts) {
    __shared__ unsigned own[8][32];
    own[threadIdx.x / 32][threadIdx.x % 32] = 0;
    __syncthreads();
    each_of_wide_loads(states, n, [&](unsigned state) { atomicAdd(&own[state][threadIdx.x % 32], 1u); });
    __syncthreads();
    unsigned const sum = __reduce_add_sync(~0u, own[threadIdx.x / 32][threadIdx.x % 32]);
    if (threadIdx.x % 32 == 0) atomicAdd(counts + threadIdx.x / 32, sum);
}
AGAIN_PAIR(row_states_again_2, narrow_global_access) {
    unsigned const grid = memory.pick(full_grid, 4u), n = grid * 256 * memory.pick(64u, 16u);
    std::vector<unsigned char> all;
    for (unsigned const each : memory.values<unsigned>(n))
        all.push_back(static_cast<unsigned char>((each >> 16 & 15) < 8 ? 2 : each >> 20 & 7));
    unsigned char const* const states = memory.upload(all);
    results<unsigned> const counts = memory.output<unsigned>(8);
    return {[=] { bad_row_states_again_2<<<grid, 256>>>(states, n, counts.bad); },
            [=] { mended_row_states_again_2<<<grid, 256>>>(states, n, counts.mended); }};
}

// The level that is most frequent among 32 samples of a pixel: counters in an array, or in the bytes of a register pair.
KERNEL(bad_frequent_levels)(unsigned char const* samples, unsigned* out) {
    unsigned const n = gridDim.x * blockDim.x;
    unsigned counts[8] = {};
#pragma unroll 4
    for (unsigned k = 0; k < 32; ++k) ++counts[samples[k * n + global_thread()] & 7];
    unsigned best = 0;
#pragma unroll
    for (unsigned level = 0; level < 8; ++level) best = max(best, counts[level] * 8 + level);
    out[global_thread()] = best;
}
KERNEL(mended_frequent_levels)(unsigned char const* samples, unsigned* out) {
    unsigned const n = gridDim.x * blockDim.x;
    unsigned long long counts = 0;
#pragma unroll 4
    for (unsigned k = 0; k < 32; ++k) counts += 1ull << (samples[k * n + global_thread()] & 7) * 8;
    unsigned best = 0;
#pragma unroll
    for (unsigned level = 0; level < 8; ++level)
        best = max(best, static_cast<unsigned>(counts >> level * 8 & 255) * 8 + level);
    out[global_thread()] = best;
}
CLOSED_PAIR(frequent_levels, local_memory_arrays) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    std::size_t const n = std::size_t{grid} * 256;
    auto const* const samples = reinterpret_cast<unsigned char const*>(memory.input<unsigned>(n * 8));
    results<unsigned> const out = memory.output<unsigned>(n);
    return {[=] { bad_frequent_levels<<<grid, 256>>>(samples, out.bad); },
            [=] { mended_frequent_levels<<<grid, 256>>>(samples, out.mended); }};
}

// Keys are made of passwords by many rounds, four a thread and a warp a scheduler: one after the other, or all four together.
KERNEL(bad_stretched_keys)(unsigned const* passwords, unsigned* keys, unsigned rounds) {
    unsigned const n = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < 4; ++k) {
        unsigned key = passwords[k * n + global_thread()];
#pragma unroll 8
        for (unsigned round = 0; round < rounds; ++round) key = ((key >> 15) ^ key ^ round) * 0x01000193u;
        keys[k * n + global_thread()] = key;
    }
}
KERNEL(mended_stretched_keys)(unsigned const* passwords, unsigned* keys, unsigned rounds) {
    unsigned const n = gridDim.x * blockDim.x;
    unsigned key[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) key[k] = passwords[k * n + global_thread()];
#pragma unroll 8
    for (unsigned round = 0; round < rounds; ++round)
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) key[k] = ((key[k] >> 15) ^ key[k] ^ round) * 0x01000193u;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) keys[k * n + global_thread()] = key[k];
}
CLOSED_PAIR(stretched_keys, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 2u), rounds = memory.pick(2048u, 64u);
    unsigned const* const passwords = memory.input<unsigned>(std::size_t{grid} * 128 * 4);
    results<unsigned> const keys = memory.output<unsigned>(std::size_t{grid} * 128 * 4);
    return {[=] { bad_stretched_keys<<<grid, 128>>>(passwords, keys.bad, rounds); },
            [=] { mended_stretched_keys<<<grid, 128>>>(passwords, keys.mended, rounds); }};
}

// Recurrent states in half precision: one value an instruction, or two.
KERNEL(bad_half_states)(half const* in, half* out, unsigned steps) {
    half const x = in[global_thread()], decay = __float2half(-0.25f), gain = __float2half(0.5f);
    half state = x;
#pragma unroll 8
    for (unsigned k = 0; k < steps; ++k) state = __hfma(__hfma(state, decay, x), gain, x);
    out[global_thread()] = __hadd(state, __float2half(2.0f));
}
KERNEL(mended_half_states)(half2 const* in, half2* out, unsigned steps) {
    half2 const x = in[global_thread()], decay = __float2half2_rn(-0.25f), gain = __float2half2_rn(0.5f);
    half2 state = x;
#pragma unroll 8
    for (unsigned k = 0; k < steps; ++k) state = __hfma2(__hfma2(state, decay, x), gain, x);
    out[global_thread()] = __hadd2(state, __float2half2_rn(2.0f));
}
CLOSED_PAIR(half_states, scalar_half) {
    unsigned const grid = memory.pick(full_grid * 4, 2u), steps = memory.pick(256u, 16u); // of the mended one
    std::size_t const n = std::size_t{grid} * 512;
    half const* const in = memory.input<half>(n);
    results<half> const out = memory.output<half>(n, 1e-2);
    return {[=] { bad_half_states<<<grid * 2, 256>>>(in, out.bad, steps); },
            [=] {
                mended_half_states<<<grid, 256>>>(reinterpret_cast<half2 const*>(in),
                                                  reinterpret_cast<half2*>(out.mended), steps);
            }};
}

// ---- without a flaw

// A step of an optimiser with momentum, four parameters a thread.
KERNEL(clean_momentum_step)(float4 const* gradients, float4 const* momenta, float4* out, float rate) {
    float4 const g = gradients[global_thread()], m = momenta[global_thread()];
    out[global_thread()] = {fmaf(m.x, 0.9f, rate * g.x), fmaf(m.y, 0.9f, rate * g.y), fmaf(m.z, 0.9f, rate * g.z),
                            fmaf(m.w, 0.9f, rate * g.w)};
}
CLOSED_CLEAN(momentum_step) {
    unsigned const grid = memory.pick(full_grid * 8, 2u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const gradients = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const momenta = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const in(n);
    float* const out = memory.clean_output<float>(n, [in](std::size_t i) { return in[i] * 0.9 + 0.25 * in[i]; });
    return {{}, [=] { clean_momentum_step<<<grid, 256>>>(gradients, momenta, reinterpret_cast<float4*>(out), 0.25f); }};
}

// Heat spreads in a plate; the rows at the edges are kept.
KERNEL(clean_heat_plate)(float const* __restrict__ in, float* __restrict__ out, unsigned width) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y + 1;
    unsigned const here = y * width + x;
    unsigned const left = x > 0 ? here - 1 : here, right = x + 1 < width ? here + 1 : here;
    out[here] = 0.6f * in[here] + 0.1f * (in[left] + in[right] + in[here - width] + in[here + width]);
}
CLOSED_CLEAN(heat_plate) {
    unsigned const width = memory.pick(8192u, 64u), height = memory.pick(4096u, 16u);
    std::size_t const n = std::size_t{width} * (height + 2);
    float const* const plate = memory.input<float>(n);
    pattern const in(n);
    float* const out = memory.clean_output<float>(n, [in, width, n](std::size_t i) {
        if (i < width || i >= n - width) return 0.0;
        std::size_t const left = i % width > 0 ? i - 1 : i, right = i % width + 1 < width ? i + 1 : i;
        return 0.6 * in[i] + 0.1 * (in[left] + in[right] + in[i - width] + in[i + width]);
    });
    return {{}, [=] { clean_heat_plate<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(plate, out, width); }};
}

// Likeness of pairs of vectors of 256: a warp a pair.
KERNEL(clean_vector_likeness)(float4 const* a, float4 const* b, float* out) {
    std::size_t const first = std::size_t{global_thread() / 32} * 64 + threadIdx.x % 32;
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 2; ++k) {
        float4 const x = a[first + k * 32], y = b[first + k * 32];
        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) out[global_thread() / 32] = sum;
}
CLOSED_CLEAN(vector_likeness) {
    unsigned const grid = memory.pick(full_grid * 16, 4u);
    std::size_t const n = std::size_t{grid} * 8;
    auto const* const a = reinterpret_cast<float4 const*>(memory.input<float>(n * 256));
    auto const* const b = reinterpret_cast<float4 const*>(memory.input<float>(n * 256));
    pattern const in(n * 256);
    float* const out = memory.clean_output<float>(n, [in](std::size_t i) {
        double sum = 0;
        for (std::size_t k = 0; k < 256; ++k) sum += in[i * 256 + k] * in[i * 256 + k];
        return sum;
    });
    return {{}, [=] { clean_vector_likeness<<<grid, 256>>>(a, b, out); }};
}

// Roots by Newton's method, three times for all.
KERNEL(clean_newton_roots)(float4 const* in, float4* out, unsigned steps) {
    float4 const a = in[global_thread()];
    float4 y = {1, 1, 1, 1};
#pragma unroll 4
    for (unsigned k = 0; k < steps; ++k) {
        y.x = y.x * fmaf(-0.5f * a.x, y.x * y.x, 1.5f), y.y = y.y * fmaf(-0.5f * a.y, y.y * y.y, 1.5f);
        y.z = y.z * fmaf(-0.5f * a.z, y.z * y.z, 1.5f), y.w = y.w * fmaf(-0.5f * a.w, y.w * y.w, 1.5f);
    }
    out[global_thread()] = {a.x * y.x, a.y * y.y, a.z * y.z, a.w * y.w};
}
CLOSED_CLEAN(newton_roots) {
    unsigned const grid = memory.pick(full_grid * 4, 2u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    float* const out = memory.clean_output<float>(n, [values](std::size_t i) { return std::sqrt(values[i]); });
    return {{}, [=] { clean_newton_roots<<<grid, 256>>>(in, reinterpret_cast<float4*>(out), 64); }};
}

// Complex spectra times a filter's, element by element.
KERNEL(clean_spectrum_product)(float4 const* spectrum, float4 const* filter, float4* out) {
    float4 const s = spectrum[global_thread()], f = filter[global_thread()];
    out[global_thread()] = {s.x * f.x - s.y * f.y, s.x * f.y + s.y * f.x, s.z * f.z - s.w * f.w, s.z * f.w + s.w * f.z};
}
CLOSED_CLEAN(spectrum_product) {
    unsigned const grid = memory.pick(full_grid * 8, 2u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const spectrum = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const filter = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const in(n);
    float* const out = memory.clean_output<float>(n, [in](std::size_t i) {
        double const re = in[i / 2 * 2], im = in[i / 2 * 2 + 1];
        return i % 2 == 0 ? re * re - im * im : 2 * re * im;
    });
    return {{}, [=] { clean_spectrum_product<<<grid, 256>>>(spectrum, filter, reinterpret_cast<float4*>(out)); }};
}

// Soft maximum of rows of 128: a warp a row, four values a lane.
KERNEL(clean_row_softmax)(float4 const* in, float4* out) {
    float4 v = in[global_thread()];
    float largest = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
    for (unsigned apart = 16; apart > 0; apart /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, apart));
    v = {__expf(v.x - largest), __expf(v.y - largest), __expf(v.z - largest), __expf(v.w - largest)};
    float const factor = __fdividef(1.0f, sum_of_warp(v.x + v.y + v.z + v.w));
    out[global_thread()] = {v.x * factor, v.y * factor, v.z * factor, v.w * factor};
}
CLOSED_CLEAN(row_softmax) {
    unsigned const grid = memory.pick(full_grid * 8, 2u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    float* const out = memory.clean_output<float>(n, [values](std::size_t i) {
        double sum = 0;
        for (std::size_t k = 0; k < 128; ++k) sum += std::exp(values[i / 128 * 128 + k]);
        return std::exp(values[i]) / sum;
    });
    return {{}, [=] { clean_row_softmax<<<grid, 256>>>(in, reinterpret_cast<float4*>(out)); }};
}
