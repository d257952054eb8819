// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without a flaw, to see what is said of them. Their results are compared with the host's.
#include "pair.hpp"
#include "products.hpp"

namespace {

__device__ void saxpy(float4 const* x, float4* y, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned i = global_thread(); i < n; i += threads) {
        float4 const a = x[i];
        y[i] = make_float4(a.x * 2 + 1, a.y * 2 + 1, a.z * 2 + 1, a.w * 2 + 1);
    }
}
template <class Kernel>
launches saxpy_of(workspace& memory, unsigned n, Kernel kernel) {
    auto const* const x = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const in(n);
    auto* const y =
        reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) { return in[i] * 2 + 1; }));
    return {nullptr, [=] { kernel<<<full_grid, 256>>>(x, y, n / 4); }};
}

} // namespace

KERNEL(clean_saxpy)(float4 const* x, float4* y, unsigned n) { saxpy(x, y, n); }
CLEAN(saxpy) { return saxpy_of(memory, memory.pick(full_grid * 256u * 4 * 128, full_grid * 256u * 4), clean_saxpy); }
KERNEL(clean_saxpy_one_wave)(float4 const* x, float4* y, unsigned n) { saxpy(x, y, n); }
CLEAN(saxpy_one_wave) { return saxpy_of(memory, full_grid * 256 * 4, clean_saxpy_one_wave); }

KERNEL(clean_reduction)(float4 const* in, float* out, unsigned n) {
    __shared__ float of_warps[8];
    unsigned const threads = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 4
    for (unsigned i = global_thread(); i < n; i += threads) {
        float4 const v = in[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = sum_of_warp(threadIdx.x < 8 ? of_warps[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}
CLEAN(reduction) {
    unsigned const n = memory.pick(full_grid * 256u * 4 * 64, full_grid * 256u * 4);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    float* const out = memory.clean_output<float>(
        full_grid,
        [=](std::size_t block) {
            double sum = 0;
            for (std::size_t first = block * 1024; first < n; first += full_grid * 1024)
                for (std::size_t i = first; i < first + 1024; ++i) sum += values[i];
            return sum;
        },
        1e-3, 30);
    return {nullptr, [=] { clean_reduction<<<full_grid, 256>>>(in, out, n / 4); }};
}

KERNEL(clean_tiled_transpose)(float const* in, float* out, unsigned n) {
    __shared__ float tile[32][33];
    unsigned const x = blockIdx.x * 32;
    unsigned const y = blockIdx.y * 32;
#pragma unroll
    for (unsigned k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[std::size_t{y + threadIdx.y + k} * n + x + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 32; k += 8)
        out[std::size_t{x + threadIdx.y + k} * n + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
}
CLEAN(tiled_transpose) {
    unsigned const n = memory.pick(8192u, 512u);
    float const* const in = memory.input<float>(std::size_t{n} * n);
    pattern const values(std::size_t{n} * n);
    float* const out =
        memory.clean_output<float>(std::size_t{n} * n, [=](std::size_t i) { return values[i % n * n + i / n]; });
    return {nullptr, [=] { clean_tiled_transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n); }};
}

namespace {

double product_at(pattern const& a, pattern const& b, std::size_t n, std::size_t i) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
    return sum;
}

} // namespace

KERNEL(__launch_bounds__(256, 2) clean_product_fp32)(float const* a, float const* b, float* c, unsigned n) {
    fp32_product(a, b, c, n);
}
CLEAN(product_fp32) {
    unsigned const n = memory.pick(4096u, 256u); // 3.9 waves of two blocks an SM
    float const* const a = memory.input<float>(std::size_t{n} * n);
    float const* const b = memory.input<float>(std::size_t{n} * n);
    pattern const in(std::size_t{n} * n);
    float* const c =
        memory.clean_output<float>(std::size_t{n} * n, [=](std::size_t i) { return product_at(in, in, n, i); });
    return {nullptr, [=] { clean_product_fp32<<<dim3(n / 128, n / 128), 256>>>(a, b, c, n); }};
}

KERNEL(__launch_bounds__(256, 2) clean_tensor_product)(half const* a, half const* b, float* c, unsigned n) {
    tensor_product(a, b, c, n);
}
CLEAN(tensor_product) {
    unsigned const n = memory.pick(4096u, 256u);
    half const* const a = memory.input<half>(std::size_t{n} * n);
    half const* const b = memory.input<half>(std::size_t{n} * n);
    pattern const in(std::size_t{n} * n); // rounded to half on the device
    float* const c = memory.clean_output<float>(
        std::size_t{n} * n, [=](std::size_t i) { return product_at(in, in, n, i); }, 2e-3);
    return {nullptr, [=] { clean_tensor_product<<<dim3(n / 128, n / 128), 256>>>(a, b, c, n); }};
}

// Four chains a thread, full occupancy.
namespace {

__device__ void chains(float const* in, float* out, unsigned turns) {
    float x[4];
    for (unsigned j = 0; j < 4; ++j) x[j] = in[global_thread()] + static_cast<float>(j);
#pragma unroll 16
    for (unsigned k = 0; k < turns; ++k)
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) x[j] = fmaf(x[j], 0.96f, 0.02f);
    out[global_thread()] = (x[0] + x[1]) + (x[2] + x[3]);
}
template <class Kernel>
launches chains_of(workspace& memory, unsigned turns, Kernel kernel) {
    float const* const in = memory.input<float>(full_grid * 256);
    pattern const values(full_grid * 256);
    float* const out = memory.clean_output<float>(
        full_grid * 256,
        [=](std::size_t i) {
            float sum = 0;
            for (int j = 0; j < 4; ++j) {
                float x = static_cast<float>(values[i]) + static_cast<float>(j);
                for (unsigned k = 0; k < turns; ++k) x = std::fma(x, 0.96f, 0.02f);
                sum += x;
            }
            return sum;
        },
        1e-3, 20);
    return {nullptr, [=] { kernel<<<full_grid, 256>>>(in, out, turns); }};
}

} // namespace

KERNEL(clean_fma_10_ms)(float const* in, float* out, unsigned turns) { chains(in, out, turns); }
CLEAN(fma_10_ms) { return chains_of(memory, memory.pick(256'000u, 16u), clean_fma_10_ms); }
KERNEL(clean_fma_short)(float const* in, float* out, unsigned turns) { chains(in, out, turns); }
CLEAN(fma_short) { return chains_of(memory, memory.pick(1'600u, 16u), clean_fma_short); }

// Additions and multiplications that feed no multiplication's sum: none can be fused.
KERNEL(clean_adds_and_products)(float const* in, float* out, unsigned turns) {
    float sum[2];
    float product[2];
    for (unsigned j = 0; j < 2; ++j) sum[j] = product[j] = in[global_thread()] + static_cast<float>(j);
    float const factor = turns > 0 ? 0.9999f : 2.0f;
#pragma unroll 16
    for (unsigned k = 0; k < turns; ++k)
#pragma unroll
        for (unsigned j = 0; j < 2; ++j) sum[j] += 0.125f, product[j] *= factor;
    out[global_thread()] = (sum[0] + sum[1]) + (product[0] + product[1]);
}
CLEAN(adds_and_products) {
    unsigned const turns = memory.pick(8'000u, 16u);
    float const* const in = memory.input<float>(full_grid * 256);
    pattern const values(full_grid * 256);
    float* const out = memory.clean_output<float>(
        full_grid * 256,
        [=](std::size_t i) {
            double const a = values[i];
            return 2 * (a + turns * 0.125) + 1 + (2 * a + 1) * std::pow(0.9999, turns);
        },
        2e-3, 100);
    return {nullptr, [=] { clean_adds_and_products<<<full_grid, 256>>>(in, out, turns); }};
}

// Of five points, a square of n x n; rows of a multiple of 32.
KERNEL(clean_stencil)(float const* __restrict__ in, float* out, unsigned n) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    std::size_t const i = std::size_t{y} * n + x;
    float const left = x > 0 ? in[i - 1] : 0;
    float const right = x + 1 < n ? in[i + 1] : 0;
    float const up = y > 0 ? in[i - n] : 0;
    float const down = y + 1 < n ? in[i + n] : 0;
    out[i] = in[i] * 0.5f + (left + right + up + down) * 0.125f;
}
CLEAN(stencil) {
    unsigned const n = memory.pick(8192u, 768u);
    float const* const in = memory.input<float>(std::size_t{n} * n);
    pattern const values(std::size_t{n} * n);
    float* const out = memory.clean_output<float>(std::size_t{n} * n, [=](std::size_t i) {
        std::size_t const x = i % n;
        std::size_t const y = i / n;
        double around = 0;
        if (x > 0) around += values[i - 1];
        if (x + 1 < n) around += values[i + 1];
        if (y > 0) around += values[i - n];
        if (y + 1 < n) around += values[i + n];
        return values[i] * 0.5 + around * 0.125;
    });
    return {nullptr, [=] { clean_stencil<<<dim3(n / 64, n / 4), dim3(64, 4)>>>(in, out, n); }};
}

// 256 bins; a copy for each of two warps, values of four bytes at a time.
KERNEL(clean_histogram)(uint4 const* in, unsigned* out, unsigned n) {
    __shared__ unsigned bins[4][256];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) bins[i / 256][i % 256] = 0;
    __syncthreads();
    unsigned* const own = bins[threadIdx.x / 32 % 4];
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        uint4 const v = in[i];
        unsigned const words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (unsigned word : words)
#pragma unroll
            for (unsigned k = 0; k < 32; k += 8) atomicAdd(own + (word >> k & 255), 1u);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(out + i, bins[0][i] + bins[1][i] + bins[2][i] + bins[3][i]);
}
CLEAN(histogram) {
    unsigned const n = memory.pick(64u << 20, 1u << 20); // bytes
    std::vector<std::uint8_t> const bytes = memory.values<std::uint8_t>(memory.period);
    auto const* const in = reinterpret_cast<uint4 const*>(memory.repeated(bytes, n));
    auto const counts = std::make_shared<std::vector<double>>(256);
    for (std::size_t i = 0; i < n; ++i) ++(*counts)[bytes[i % bytes.size()]];
    unsigned* const out = memory.clean_output<unsigned>(
        256, [=](std::size_t i) { return (*counts)[i]; }, 0);
    return {nullptr, [=] { clean_histogram<<<full_grid, 256>>>(in, out, n / 16); }};
}

// Sums of all values before, within segments of 4096, one a block.
KERNEL(clean_scan)(float4 const* in, float4* out) {
    __shared__ float of_warps[32];
    unsigned const lane = threadIdx.x % 32;
    unsigned const warp = threadIdx.x / 32;
    float4 v = in[global_thread()];
    v.y += v.x, v.z += v.y, v.w += v.z;
    float before = v.w;
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        float const other = __shfl_up_sync(~0u, before, apart);
        if (lane >= apart) before += other;
    }
    if (lane == 31) of_warps[warp] = before;
    before -= v.w;
    __syncthreads();
    if (warp == 0) {
        float sum = of_warps[lane];
        for (unsigned apart = 1; apart < 32; apart *= 2) {
            float const other = __shfl_up_sync(~0u, sum, apart);
            if (lane >= apart) sum += other;
        }
        of_warps[lane] = sum;
    }
    __syncthreads();
    if (warp > 0) before += of_warps[warp - 1];
    out[global_thread()] = make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
}
CLEAN(scan) {
    unsigned const grid = sms * 2 * memory.pick(64u, 1u);
    unsigned const n = grid * 4096;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) {
        double sum = 0;
        for (std::size_t k = i / 4096 * 4096; k <= i; ++k) sum += values[k];
        return sum;
    }));
    return {nullptr, [=] { clean_scan<<<grid, 1024>>>(in, out); }};
}

KERNEL(clean_gelu)(float4 const* in, float4* out, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
    for (unsigned i = global_thread(); i < n; i += threads) {
        float4 const v = in[i];
        float const x[4] = {v.x, v.y, v.z, v.w};
        float y[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            float const u = 0.7978845608f * fmaf(0.044715f * x[j] * x[j], x[j], x[j]);
            y[j] = x[j] * __fdividef(1.0f, 1.0f + __expf(-2.0f * u));
        }
        out[i] = make_float4(y[0], y[1], y[2], y[3]);
    }
}
CLEAN(gelu) {
    unsigned const n = memory.pick(full_grid * 256u * 4 * 48, full_grid * 256u * 4);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) {
        double const x = values[i];
        return x / (1 + std::exp(-2 * 0.7978845608 * (x + 0.044715 * x * x * x)));
    }));
    return {nullptr, [=] { clean_gelu<<<full_grid, 256>>>(in, out, n / 4); }};
}

// Rows of 1024, a warp a row, kept in registers.
KERNEL(clean_softmax)(float4 const* in, float4* out, unsigned rows) {
    unsigned const lane = threadIdx.x % 32;
    for (unsigned row = global_thread() / 32; row < rows; row += gridDim.x * blockDim.x / 32) {
        float4 v[8];
        float most = -INFINITY;
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            v[k] = in[std::size_t{row} * 256 + k * 32 + lane];
            most = fmaxf(fmaxf(most, fmaxf(v[k].x, v[k].y)), fmaxf(v[k].z, v[k].w));
        }
        for (unsigned apart = 16; apart > 0; apart /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
        float sum = 0;
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            v[k] =
                make_float4(__expf(v[k].x - most), __expf(v[k].y - most), __expf(v[k].z - most), __expf(v[k].w - most));
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
        }
        float const scale = 1.0f / sum_of_warp(sum);
#pragma unroll
        for (unsigned k = 0; k < 8; ++k)
            out[std::size_t{row} * 256 + k * 32 + lane] =
                make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
    }
}
CLEAN(softmax) {
    unsigned const rows = sms * 4 * 8 * memory.pick(16u, 1u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{rows} * 1024));
    pattern const values(std::size_t{rows} * 1024);
    auto* const out =
        reinterpret_cast<float4*>(memory.clean_output<float>(std::size_t{rows} * 1024, [=](std::size_t i) {
            double sum = 0;
            for (std::size_t k = i / 1024 * 1024; k < i / 1024 * 1024 + 1024; ++k) sum += std::exp(values[k]);
            return std::exp(values[i]) / sum;
        }));
    return {nullptr, [=] { clean_softmax<<<sms * 4, 256>>>(in, out, rows); }};
}

KERNEL(clean_fill)(float4* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = make_float4(1, 2, 3, 4);
}
CLEAN(fill) {
    unsigned const n = memory.pick(full_grid * 256u * 4 * 128, full_grid * 256u * 4);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(
        n, [](std::size_t i) { return static_cast<double>(i % 4 + 1); }, 0));
    return {nullptr, [=] { clean_fill<<<full_grid, 256>>>(out, n / 4); }};
}

// The force of all bodies on each, 256 at a time from shared memory.
KERNEL(clean_bodies)(float4 const* bodies, float4* out, unsigned n) {
    __shared__ float4 tile[256];
    float4 const own = bodies[global_thread()];
    float3 force = make_float3(0, 0, 0);
    for (unsigned first = 0; first < n; first += 256) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (unsigned k = 0; k < 256; ++k) {
            float4 const other = tile[k];
            float const x = other.x - own.x;
            float const y = other.y - own.y;
            float const z = other.z - own.z;
            float const r = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, 0.01f))));
            float const f = other.w * r * r * r;
            force.x = fmaf(f, x, force.x), force.y = fmaf(f, y, force.y), force.z = fmaf(f, z, force.z);
        }
        __syncthreads();
    }
    out[global_thread()] = make_float4(force.x, force.y, force.z, 0);
}
CLEAN(bodies) {
    unsigned const n = memory.pick(sms * 4 * 256u, 1024u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n * 4));
    pattern const values(n * 4);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(
        n * 4,
        [=](std::size_t i) {
            std::size_t const body = i / 4;
            std::size_t const axis = i % 4;
            if (axis == 3) return 0.0;
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) {
                double square = 0.01;
                for (std::size_t a = 0; a < 3; ++a) square += std::pow(values[k * 4 + a] - values[body * 4 + a], 2);
                sum +=
                    values[k * 4 + 3] * (values[k * 4 + axis] - values[body * 4 + axis]) / (square * std::sqrt(square));
            }
            return sum;
        },
        2e-2, 50));
    return {nullptr, [=] { clean_bodies<<<n / 256, 256>>>(in, out, n); }};
}

// Many independent loads of 32 bytes from all over 1 GB: what there is of bandwidth for that.
KERNEL(clean_gather)(float4 const* in, float4* out, unsigned sectors) {
    unsigned const i = global_thread() / 2;
    unsigned const half = threadIdx.x % 2;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
        unsigned const sector = (i * 16 + k) * 2654435761u & (sectors - 1);
        float4 const v = __ldg(in + std::size_t{sector} * 2 + half);
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    out[global_thread()] = sum;
}
CLEAN(gather) {
    unsigned const sectors = memory.pick(1u << 25, 1u << 17); // a power of two
    unsigned const threads = sms * 2048 * memory.pick(8u, 1u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{sectors} * 8));
    pattern const values(std::size_t{sectors} * 8);
    auto* const out =
        reinterpret_cast<float4*>(memory.clean_output<float>(std::size_t{threads} * 4, [=](std::size_t i) {
            double sum = 0;
            for (std::size_t k = 0; k < 16; ++k) {
                std::uint32_t const sector = static_cast<std::uint32_t>(i / 8 * 16 + k) * 2654435761u & (sectors - 1);
                sum += values[std::size_t{sector} * 8 + i % 8];
            }
            return sum;
        }));
    return {nullptr, [=] { clean_gather<<<threads / 256, 256>>>(in, out, sectors); }};
}
