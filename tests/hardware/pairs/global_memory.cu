// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs: global and constant memory, caches, host memory.
#include "pair.hpp"

namespace {

// One field of records of `Fields` floats: an array of structures. With Fields = 1 that field alone: a structure of arrays.
template <unsigned Fields>
__device__ void scale_field(float const* in, float* out, unsigned n) {
    unsigned const i = global_thread();
    if (i < n) out[i] = in[std::size_t{i} * Fields] * 1.5f;
}
template <unsigned Fields, class Kernel>
launches scale_fields(workspace& memory, unsigned n, Kernel bad, Kernel mended) {
    std::vector<float> const values = memory.values<float>(std::min<std::size_t>(n, memory.period));
    std::vector<float> records(values.size() * Fields, -1.0f);
    for (std::size_t i = 0; i < values.size(); ++i) records[i * Fields] = values[i];
    float const* const aos = memory.repeated(records, std::size_t{n} * Fields);
    float const* const soa = memory.repeated(values, n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad<<<blocks_for(n, 256), 256>>>(aos, out.bad, n); },
            [=] { mended<<<blocks_for(n, 256), 256>>>(soa, out.mended, n); }};
}

} // namespace

KERNEL(bad_aos_2)(float const* in, float* out, unsigned n) { scale_field<2>(in, out, n); }
KERNEL(mended_aos_2)(float const* in, float* out, unsigned n) { scale_field<1>(in, out, n); }
PAIR(aos_2, uncoalesced_global_access) {
    return scale_fields<2>(memory, memory.pick(64u << 20, 2u << 20), bad_aos_2, mended_aos_2);
}
KERNEL(bad_aos_8)(float const* in, float* out, unsigned n) { scale_field<8>(in, out, n); }
KERNEL(mended_aos_8)(float const* in, float* out, unsigned n) { scale_field<1>(in, out, n); }
PAIR(aos_8, uncoalesced_global_access) {
    return scale_fields<8>(memory, memory.pick(32u << 20, 1u << 20), bad_aos_8, mended_aos_8);
}
KERNEL(bad_aos_32)(float const* in, float* out, unsigned n) { scale_field<32>(in, out, n); }
KERNEL(mended_aos_32)(float const* in, float* out, unsigned n) { scale_field<1>(in, out, n); }
PAIR(aos_32, uncoalesced_global_access) {
    return scale_fields<32>(memory, memory.pick(8u << 20, 1u << 18), bad_aos_32, mended_aos_32);
}
// One wave, from L2.
KERNEL(bad_aos_8_one_wave)(float const* in, float* out, unsigned n) { scale_field<8>(in, out, n); }
KERNEL(mended_aos_8_one_wave)(float const* in, float* out, unsigned n) { scale_field<1>(in, out, n); }
PAIR(aos_8_one_wave, uncoalesced_global_access) {
    return scale_fields<8>(memory, sms * 2048, bad_aos_8_one_wave, mended_aos_8_one_wave);
}

// Sums of rows: a thread a row walks over columns, a warp a row reads along it.
KERNEL(bad_row_sums)(float const* in, float* out, unsigned rows, unsigned columns) {
    unsigned const row = global_thread();
    if (row >= rows) return;
    float sum = 0;
    for (unsigned c = 0; c < columns; ++c) sum += in[std::size_t{row} * columns + c];
    out[row] = sum;
}
KERNEL(mended_row_sums)(float const* in, float* out, unsigned rows, unsigned columns) {
    unsigned const row = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (unsigned c = lane; c < columns; c += 32) sum += in[std::size_t{row} * columns + c];
    for (unsigned apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(~0u, sum, apart);
    if (lane == 0) out[row] = sum;
}
PAIR(row_sums, uncoalesced_global_access) {
    unsigned const rows = memory.pick(sms * 2048u, 4096u);
    unsigned const columns = memory.pick(512u, 256u);
    float const* const in = memory.input<float>(std::size_t{rows} * columns);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_row_sums<<<blocks_for(rows, 256), 256>>>(in, out.bad, rows, columns); },
            [=] { mended_row_sums<<<blocks_for(rows, 8), 256>>>(in, out.mended, rows, columns); }};
}

// Stores down the columns.
KERNEL(bad_transpose)(float const* in, float* out, unsigned n) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    for (unsigned y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
        out[std::size_t{x} * n + y] = in[std::size_t{y} * n + x];
}
KERNEL(mended_transpose)(float const* in, float* out, unsigned n) {
    __shared__ float tile[32][33];
    unsigned const x = blockIdx.x * 32;
    unsigned const y = blockIdx.y * 32;
    for (unsigned k = threadIdx.y; k < 32; k += 8) tile[k][threadIdx.x] = in[std::size_t{y + k} * n + x + threadIdx.x];
    __syncthreads();
    for (unsigned k = threadIdx.y; k < 32; k += 8) out[std::size_t{x + k} * n + y + threadIdx.x] = tile[threadIdx.x][k];
}
PAIR(transpose, uncoalesced_global_stores) {
    unsigned const n = memory.pick(12288u, 512u);
    float const* const in = memory.input<float>(std::size_t{n} * n);
    results<float> const out = memory.output<float>(std::size_t{n} * n);
    dim3 const grid(n / 32, n / 32);
    return {[=] { bad_transpose<<<grid, dim3(32, 8)>>>(in, out.bad, n); },
            [=] { mended_transpose<<<grid, dim3(32, 8)>>>(in, out.mended, n); }};
}

// A table that is computed and stored, column after column or row after row.
KERNEL(bad_fill_columns)(float* out, unsigned rows, unsigned columns) {
    unsigned const i = global_thread();
    unsigned const row = i % rows;
    unsigned const column = i / rows;
    if (column < columns) out[row * columns + column] = static_cast<float>(row * 3 + column);
}
KERNEL(mended_fill_columns)(float* out, unsigned rows, unsigned columns) {
    unsigned const i = global_thread();
    unsigned const row = i / columns;
    unsigned const column = i % columns;
    if (row < rows) out[row * columns + column] = static_cast<float>(row * 3 + column);
}
PAIR(fill_columns, uncoalesced_global_stores) {
    unsigned const rows = memory.pick(1056u, 528u);
    unsigned const columns = memory.pick(1024u, 512u);
    results<float> const out = memory.output<float>(rows * columns);
    return {[=] { bad_fill_columns<<<blocks_for(rows * columns, 256), 256>>>(out.bad, rows, columns); },
            [=] { mended_fill_columns<<<blocks_for(rows * columns, 256), 256>>>(out.mended, rows, columns); }};
}

namespace {

template <unsigned Stride>
__device__ void scale_to(float const* in, float* out, unsigned n) {
    unsigned const i = global_thread();
    if (i < n) out[std::size_t{i} * Stride] = in[i] * 0.75f;
}

} // namespace

// 4 of the 32 bytes of a sector, then 16.
KERNEL(bad_partial_sectors_4)(float const* in, float* out, unsigned n) { scale_to<8>(in, out, n); }
KERNEL(mended_partial_sectors_4)(float const* in, float* out, unsigned n) { scale_to<1>(in, out, n); }
PAIR(partial_sectors_4, partial_sector_stores) {
    unsigned const n = memory.pick(32u << 20, 1u << 20);
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-6, std::size_t{n} * 8, [](std::size_t i) { return i * 8; });
    return {[=] { bad_partial_sectors_4<<<blocks_for(n, 256), 256>>>(in, out.bad, n); },
            [=] { mended_partial_sectors_4<<<blocks_for(n, 256), 256>>>(in, out.mended, n); }};
}
KERNEL(bad_partial_sectors_16)(float const* in, float* out, unsigned n) { scale_to<2>(in, out, n); }
KERNEL(mended_partial_sectors_16)(float const* in, float* out, unsigned n) { scale_to<1>(in, out, n); }
PAIR(partial_sectors_16, partial_sector_stores) {
    unsigned const n = memory.pick(64u << 20, 1u << 20);
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n, 1e-6, std::size_t{n} * 2, [](std::size_t i) { return i * 2; });
    return {[=] { bad_partial_sectors_16<<<blocks_for(n, 256), 256>>>(in, out.bad, n); },
            [=] { mended_partial_sectors_16<<<blocks_for(n, 256), 256>>>(in, out.mended, n); }};
}

// The same values, one float further on.
KERNEL(bad_misaligned)(float const* in, float* out, unsigned n) { scale_to<1>(in, out, n); }
KERNEL(mended_misaligned)(float const* in, float* out, unsigned n) { scale_to<1>(in, out, n); }
PAIR(misaligned, misaligned_global_access) {
    unsigned const n = memory.pick(64u << 20, 1u << 20);
    std::vector<float> const values = memory.values<float>(memory.period);
    std::vector<float> shifted(values.begin(), values.end());
    std::rotate(shifted.begin(), shifted.end() - 1, shifted.end());
    float const* const apart = memory.repeated(shifted, n + 1);
    float const* const in = memory.repeated(values, n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_misaligned<<<blocks_for(n, 256), 256>>>(apart + 1, out.bad, n); },
            [=] { mended_misaligned<<<blocks_for(n, 256), 256>>>(in, out.mended, n); }};
}

// A byte a thread, sixteen bytes a thread.
KERNEL(bad_bytes)(std::uint8_t const* in, std::uint8_t* out, unsigned n) {
    unsigned const i = global_thread();
    if (i < n) out[i] = static_cast<std::uint8_t>(~in[i]);
}
KERNEL(mended_bytes)(uint4 const* in, uint4* out, unsigned n) {
    unsigned const i = global_thread();
    if (i >= n / 16) return;
    uint4 const v = in[i];
    out[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
}
PAIR(bytes, narrow_global_access) {
    unsigned const n = memory.pick(512u << 20, 2u << 20);
    std::uint8_t const* const in = memory.input<std::uint8_t>(n);
    results<std::uint8_t> const out = memory.output<std::uint8_t>(n);
    return {[=] { bad_bytes<<<blocks_for(n, 256), 256>>>(in, out.bad, n); },
            [=] {
                mended_bytes<<<blocks_for(n / 16, 256), 256>>>(reinterpret_cast<uint4 const*>(in),
                                                               reinterpret_cast<uint4*>(out.mended), n);
            }};
}

// Much from L1: each warp sums the same 8 KB again and again, lane by lane 4 or 16 bytes at a time. Loads are volatile: the
// compiler joins none and leaves none out.
KERNEL(bad_narrow_loads)(float const* in, float* out, unsigned rounds) {
    unsigned const lane = threadIdx.x % 32;
    float sum[4] = {};
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll 4
        for (unsigned k = 0; k < 16; ++k)
#pragma unroll
            for (unsigned c = 0; c < 4; ++c) {
                float v;
                asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(in + k * 128 + c * 32 + lane));
                sum[c] += v;
            }
    out[global_thread()] = sum[0] + sum[1] + sum[2] + sum[3];
}
KERNEL(mended_narrow_loads)(float const* in, float* out, unsigned rounds) {
    unsigned const lane = threadIdx.x % 32;
    float sum[4] = {};
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll 4
        for (unsigned k = 0; k < 16; ++k) {
            float4 v;
            asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                         : "l"(in + k * 128 + lane * 4));
            sum[0] += v.x, sum[1] += v.y, sum[2] += v.z, sum[3] += v.w;
        }
    out[global_thread()] = sum[0] + sum[1] + sum[2] + sum[3];
}
PAIR(narrow_loads, narrow_global_access) {
    // Each lane's four columns have the same values in both orders: the value depends on the lane only.
    std::vector<float> const values = memory.values<float>(32);
    std::vector<float> scalar_order(2048), vector_order(2048);
    for (unsigned i = 0; i < 2048; ++i) {
        scalar_order[i] = values[i % 32];
        vector_order[i] = values[i / 4 % 32];
    }
    float const* const in = memory.upload(scalar_order);
    float const* const in4 = memory.upload(vector_order);
    unsigned const rounds = memory.pick(256u, 1u);
    unsigned const grid = sms * 8;
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_narrow_loads<<<grid, 256>>>(in, out.bad, rounds); },
            [=] { mended_narrow_loads<<<grid, 256>>>(in4, out.mended, rounds); }};
}

// By the texture unit: 16 lines again and again.
KERNEL(bad_texture_loads)(cudaTextureObject_t in, float* out, unsigned rounds) {
    unsigned const lane = threadIdx.x % 32;
    float sum = 0;
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) sum += tex1Dfetch<float>(in, static_cast<int>((k * 32 + lane + r) % 512));
    out[global_thread()] = sum;
}
KERNEL(mended_texture_loads)(float const* __restrict__ in, float* out, unsigned rounds) {
    unsigned const lane = threadIdx.x % 32;
    float sum = 0;
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) sum += __ldg(in + (k * 32 + lane + r) % 512);
    out[global_thread()] = sum;
}
PAIR(texture_loads, texture_throttle) {
    float* const in = memory.input<float>(512);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 512 * sizeof(float);
    cudaTextureDesc texture{};
    texture.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    CHECK_CUDA(cudaCreateTextureObject(&object, &resource, &texture, nullptr)); // kept to the end of the program
    unsigned const rounds = memory.pick(256u, 2u);
    unsigned const grid = sms * 8;
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_texture_loads<<<grid, 256>>>(object, out.bad, rounds); },
            [=] { mended_texture_loads<<<grid, 256>>>(in, out.mended, rounds); }};
}

// One load in flight a warp, eight.
KERNEL(bad_one_in_flight)(float const* in, float* out, unsigned per_thread) {
    unsigned const threads = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < per_thread; ++k) sum += in[std::size_t{k} * threads + global_thread()];
    out[global_thread()] = sum;
}
KERNEL(mended_one_in_flight)(float const* in, float* out, unsigned per_thread) {
    unsigned const threads = gridDim.x * blockDim.x;
    float sum[8] = {};
#pragma unroll 1
    for (unsigned k = 0; k < per_thread; k += 8)
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) sum[j] += in[std::size_t{k + j} * threads + global_thread()];
    for (unsigned j = 1; j < 8; ++j) sum[0] += sum[j];
    out[global_thread()] = sum[0];
}
PAIR(one_in_flight, low_memory_parallelism) {
    unsigned const per_thread = memory.pick(2048u, 64u);
    unsigned const grid = sms * 2;
    float const* const in = memory.input<float>(std::size_t{grid} * 128 * per_thread);
    results<float> const out = memory.output<float>(grid * 128, 1e-3);
    return {[=] { bad_one_in_flight<<<grid, 128>>>(in, out.bad, per_thread); },
            [=] { mended_one_in_flight<<<grid, 128>>>(in, out.mended, per_thread); }};
}

// Where the next value is stands in memory, or is computed.
KERNEL(bad_chase)(unsigned const* next, unsigned* out, unsigned, unsigned, unsigned steps) {
    unsigned at = global_thread();
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
        at = next[at];
        sum += at;
    }
    out[global_thread()] = sum;
}
KERNEL(mended_chase)(unsigned const* next, unsigned* out, unsigned n, unsigned apart, unsigned steps) {
    unsigned at = global_thread();
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < steps; ++k) {
        sum += next[at];
        at = (at + apart) & (n - 1);
    }
    out[global_thread()] = sum;
}
PAIR(chase, dependent_loads) {
    unsigned const n = memory.pick(1u << 25, 1u << 20); // a power of two
    unsigned const apart = sms * 4 * 256;
    std::vector<unsigned> links(n);
    for (unsigned i = 0; i < n; ++i) links[i] = (i + apart) & (n - 1);
    unsigned const* const next = memory.upload(links);
    unsigned const steps = memory.pick(512u, 16u);
    results<unsigned> const out = memory.output<unsigned>(apart);
    return {[=] { bad_chase<<<sms * 4, 256>>>(next, out.bad, n, apart, steps); },
            [=] { mended_chase<<<sms * 4, 256>>>(next, out.mended, n, apart, steps); }};
}

// The input in host memory.
KERNEL(bad_host_input)(float const* in, float* out, unsigned n) { scale_to<1>(in, out, n); }
KERNEL(mended_host_input)(float const* in, float* out, unsigned n) { scale_to<1>(in, out, n); }
PAIR(host_input, host_memory_access) {
    unsigned const n = memory.pick(16u << 20, 1u << 20);
    float const* const far = memory.host_input<float>(n);
    float const* const near = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_host_input<<<blocks_for(n, 256), 256>>>(far, out.bad, n); },
            [=] { mended_host_input<<<blocks_for(n, 256), 256>>>(near, out.mended, n); }};
}

// Sum and sum of squares: each in its own loop over all, or both in one.
KERNEL(bad_two_passes)(float4 const* in, float* out, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
    float sum = 0;
    float squares = 0;
    for (unsigned i = global_thread(); i < n; i += threads) {
        float4 const v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    for (unsigned i = global_thread(); i < n; i += threads) {
        float4 const v = in[i];
        squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    out[global_thread()] = sum;
    out[threads + global_thread()] = squares;
}
KERNEL(mended_two_passes)(float4 const* in, float* out, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
    float sum = 0;
    float squares = 0;
    for (unsigned i = global_thread(); i < n; i += threads) {
        float4 const v = in[i];
        sum += v.x + v.y + v.z + v.w;
        squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    out[global_thread()] = sum;
    out[threads + global_thread()] = squares;
}
PAIR(two_passes, redundant_dram_traffic) {
    unsigned const n = memory.pick(128u << 20, 4u << 20);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    unsigned const grid = sms * 8;
    results<float> const out = memory.output<float>(grid * 256 * 2, 1e-3);
    return {[=] { bad_two_passes<<<grid, 256>>>(in, out.bad, n / 4); },
            [=] { mended_two_passes<<<grid, 256>>>(in, out.mended, n / 4); }};
}

namespace {

// Each thread reads its `PerThread` values `rounds` times: all of them each round, or `Chunk` of them, again and again, before
// the next. Neighbours of `threads` threads have neighbouring values. Loads are volatile: the compiler leaves none out.
template <unsigned PerThread, unsigned Chunk>
__device__ float sweep(float const* in, unsigned threads, unsigned thread, unsigned rounds) {
    float sum = 0;
#pragma unroll 1
    for (unsigned first = 0; first < PerThread; first += Chunk)
#pragma unroll 1
        for (unsigned r = 0; r < rounds; ++r) {
            float const* at = in + std::size_t{first} * threads + thread;
            float const weight = static_cast<float>(r + 1);
#pragma unroll 1
            for (unsigned k = 0; k < Chunk; k += 8)
#pragma unroll
                for (unsigned j = 0; j < 8; ++j) {
                    float value;
                    asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(at));
                    sum = fmaf(value, weight, sum);
                    at += threads;
                }
        }
    return sum;
}
// 384 KB of a block of 1024 threads, one block an SM, 12.7 MB in all.
template <unsigned Chunk>
__device__ void sweep_of_block(float const* in, float* out, unsigned rounds) {
    out[global_thread()] = sweep<96, Chunk>(in + blockIdx.x % 33 * blockDim.x * 96, blockDim.x, threadIdx.x, rounds);
}

} // namespace

// 32 KB at a time stay in L1.
KERNEL(bad_l1_order)(float const* in, float* out, unsigned rounds) { sweep_of_block<96>(in, out, rounds); }
KERNEL(mended_l1_order)(float const* in, float* out, unsigned rounds) { sweep_of_block<8>(in, out, rounds); }
PAIR(l1_order, cache_thrash_l1) {
    unsigned const rounds = memory.pick(64u, 2u);
    float const* const in = memory.input<float>(33 * 1024 * 96);
    results<float> const out = memory.output<float>(sms * 1024, 1e-3);
    return {[=] { bad_l1_order<<<sms, 1024>>>(in, out.bad, rounds); },
            [=] { mended_l1_order<<<sms, 1024>>>(in, out.mended, rounds); }};
}
// 277 MB of all blocks together; 8.6 MB at a time stay in L2.
KERNEL(bad_l2_order)(float const* in, float* out, unsigned rounds) {
    out[global_thread()] = sweep<256, 256>(in, gridDim.x * blockDim.x, global_thread(), rounds);
}
KERNEL(mended_l2_order)(float const* in, float* out, unsigned rounds) {
    out[global_thread()] = sweep<256, 8>(in, gridDim.x * blockDim.x, global_thread(), rounds);
}
PAIR(l2_order, cache_thrash_l2) {
    unsigned const rounds = memory.pick(8u, 2u);
    unsigned const grid = memory.pick(sms * 8u, sms / 2);
    float const* const in = memory.input<float>(std::size_t{grid} * 256 * 256);
    results<float> const out = memory.output<float>(grid * 256, 1e-3);
    return {[=] { bad_l2_order<<<grid, 256>>>(in, out.bad, rounds); },
            [=] { mended_l2_order<<<grid, 256>>>(in, out.mended, rounds); }};
}

// A factor and an offset that are the same in each turn.
KERNEL(bad_invariant)(float const volatile* constants, float* out, unsigned turns) {
    float x = static_cast<float>(global_thread() % 97);
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) x = fmaf(x, constants[blockIdx.x % 4], constants[4 + blockIdx.x % 4]);
    out[global_thread()] = x;
}
KERNEL(mended_invariant)(float const volatile* constants, float* out, unsigned turns) {
    float x = static_cast<float>(global_thread() % 97);
    float const factor = constants[blockIdx.x % 4];
    float const offset = constants[4 + blockIdx.x % 4];
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) x = fmaf(x, factor, offset);
    out[global_thread()] = x;
}
PAIR(invariant, redundant_loads) {
    float const* const constants = memory.upload(std::vector<float>{0.9f, 0.91f, 0.92f, 0.93f, 0.1f, 0.2f, 0.3f, 0.4f});
    unsigned const turns = memory.pick(4096u, 24u);
    unsigned const grid = sms * 8;
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_invariant<<<grid, 256>>>(constants, out.bad, turns); },
            [=] { mended_invariant<<<grid, 256>>>(constants, out.mended, turns); }};
}

namespace {

__constant__ float const table[1024] = {1.0f, 0.5f, 0.25f, 2.0f, 4.0f}; // the rest is 0

} // namespace

// A table in constant memory, each lane at the next place; the same in global memory.
KERNEL(bad_constants)(float const*, float* out, unsigned turns) {
    unsigned key = global_thread();
    float sum = 1;
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) {
        sum += table[key % 1024];
        key += 96;
    }
    out[global_thread()] = sum;
}
KERNEL(mended_constants)(float const* __restrict__ copy, float* out, unsigned turns) {
    unsigned key = global_thread();
    float sum = 1;
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) {
        sum += __ldg(copy + key % 1024);
        key += 96;
    }
    out[global_thread()] = sum;
}
PAIR(constants, divergent_constants) {
    std::vector<float> copy(1024);
    float const first[] = {1.0f, 0.5f, 0.25f, 2.0f, 4.0f};
    std::copy(std::begin(first), std::end(first), copy.begin());
    float const* const global = memory.upload(copy);
    unsigned const grid = sms * 8;
    unsigned const turns = memory.pick(512u, 20u);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_constants<<<grid, 256>>>(global, out.bad, turns); },
            [=] { mended_constants<<<grid, 256>>>(global, out.mended, turns); }};
}

// The product of two square matrices.
KERNEL(bad_product)(float const* a, float const* b, float* c, unsigned n) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    unsigned const y = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (unsigned k = 0; k < n; ++k) sum = fmaf(a[y * n + k], b[k * n + x], sum);
    c[y * n + x] = sum;
}
KERNEL(mended_product)(float const* a, float const* b, float* c, unsigned n) {
    __shared__ float from_a[32][32], from_b[32][32];
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    unsigned const y = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (unsigned k = 0; k < n; k += 32) {
        from_a[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        from_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
#pragma unroll
        for (unsigned j = 0; j < 32; ++j) sum = fmaf(from_a[threadIdx.y][j], from_b[j][threadIdx.x], sum);
        __syncthreads();
    }
    c[y * n + x] = sum;
}
PAIR(product, no_tiling) {
    unsigned const n = memory.pick(2048u, 160u);
    float const* const a = memory.input<float>(std::size_t{n} * n);
    float const* const b = memory.input<float>(std::size_t{n} * n);
    results<float> const c = memory.output<float>(std::size_t{n} * n);
    dim3 const grid(n / 32, n / 32);
    return {[=] { bad_product<<<grid, dim3(32, 32)>>>(a, b, c.bad, n); },
            [=] { mended_product<<<grid, dim3(32, 32)>>>(a, b, c.mended, n); }};
}

namespace {

// Adds zeros and ones to `counters` counters: floats, exact up to 2^24.
__device__ float zero_or_one(unsigned i) { return static_cast<float>((i * 2654435761u) >> 31); }

__device__ void count_by_atomics(float* out, unsigned n, unsigned counters) {
    unsigned const threads = gridDim.x * blockDim.x;
    for (unsigned i = global_thread(); i < n; i += threads) atomicAdd(out + blockIdx.x % counters, zero_or_one(i));
}
__device__ void count_by_blocks(float* out, unsigned n, unsigned counters) {
    __shared__ float of_warps[8];
    unsigned const threads = gridDim.x * blockDim.x;
    float sum = 0;
    for (unsigned i = global_thread(); i < n; i += threads) sum += zero_or_one(i);
    for (unsigned apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < blockDim.x / 32; ++w) sum += of_warps[w];
        atomicAdd(out + blockIdx.x % counters, sum);
    }
}

template <class Kernel>
launches count(workspace& memory, unsigned n, unsigned counters, Kernel bad, Kernel mended) {
    results<float> const out = memory.output<float>(counters, 0);
    return {[=] { bad<<<sms * 8, 256>>>(out.bad, n, counters); },
            [=] { mended<<<sms * 8, 256>>>(out.mended, n, counters); }};
}

} // namespace

KERNEL(bad_global_atomics_1)(float* out, unsigned n, unsigned counters) { count_by_atomics(out, n, counters); }
KERNEL(mended_global_atomics_1)(float* out, unsigned n, unsigned counters) { count_by_blocks(out, n, counters); }
PAIR(global_atomics_1, global_atomic_contention) {
    return count(memory, memory.pick(2u << 20, 1u << 19), 1, bad_global_atomics_1, mended_global_atomics_1);
}
KERNEL(bad_global_atomics_132)(float* out, unsigned n, unsigned counters) { count_by_atomics(out, n, counters); }
KERNEL(mended_global_atomics_132)(float* out, unsigned n, unsigned counters) { count_by_blocks(out, n, counters); }
PAIR(global_atomics_132, global_atomic_contention) {
    return count(memory, memory.pick(16u << 20, 1u << 19), 132, bad_global_atomics_132, mended_global_atomics_132);
}

// A fence after each store of a log that only the end of the kernel publishes.
KERNEL(bad_fences)(unsigned* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    unsigned x = global_thread();
    for (unsigned k = 0; k < turns; ++k) {
        x = x * 1664525u + 1013904223u;
        out[std::size_t{k} * threads + global_thread()] = x;
        __threadfence();
    }
}
KERNEL(mended_fences)(unsigned* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    unsigned x = global_thread();
    for (unsigned k = 0; k < turns; ++k) {
        x = x * 1664525u + 1013904223u;
        out[std::size_t{k} * threads + global_thread()] = x;
    }
}
PAIR(fences, memory_fences) {
    unsigned const turns = memory.pick(64u, 8u);
    unsigned const grid = sms * 8;
    results<unsigned> const out = memory.output<unsigned>(std::size_t{grid} * 256 * turns);
    return {[=] { bad_fences<<<grid, 256>>>(out.bad, turns); },
            [=] { mended_fences<<<grid, 256>>>(out.mended, turns); }};
}
