// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short launches, one after the other, for Nsight Compute and for the embedded GPU: short_launches.py names what is measured.
// Each line of the output names a launch, in their order. All are launched twice, in two rounds.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

static void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(2);
}

__global__ void nothing() {}

// Straight code that is executed once: four chains of FFMA.
template <unsigned Instructions>
__global__ void code(float* out, float x) {
    float a = x, b = x + 1, c = x + 2, d = x + 3;
#pragma unroll
    for (unsigned i = 0; i < Instructions / 4; ++i)
        asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000; fma.rn.f32 %1, %1, %1, 0f3F000000;"
                     "fma.rn.f32 %2, %2, %2, 0f3F000000; fma.rn.f32 %3, %3, %3, 0f3F000000;"
                     : "+f"(a), "+f"(b), "+f"(c), "+f"(d));
    if (a + b + c + d == 12345.0f) *out = a; // never
}

// Jumps: of `Blocks` pieces of `Instructions` and a few more, 16 bytes each, only the first ones are executed.
template <unsigned Blocks, unsigned Instructions = 128>
__global__ void jumps(float* out, float x, unsigned never) {
    float a = x;
#pragma unroll
    for (unsigned i = 0; i < Blocks; ++i) {
        asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(a));
        if (never) {
#pragma unroll
            for (unsigned k = 0; k < Instructions; ++k) asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(a));
            *out = a;
        }
    }
    if (a == 12345.0f) *out = a;
}

__global__ void stores(float* out, float x) { out[blockIdx.x * blockDim.x + threadIdx.x] = x; }
// Scattered ones, a line each, which are still on their way when the CTA has nothing else to do.
template <unsigned Stores>
__global__ void far_stores(float* out, float x) {
    std::size_t const at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < Stores; ++i) out[((i << 20) + at * 32) % (64u << 20)] = x;
}
__global__ void loads(float const* in, float* out) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] == 12345.0f) *out = 1;
}
__global__ void copies(float const* in, float* out) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
__global__ void adds(float const* a, float const* b, float* out, unsigned n) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
// A sum of `Arrays` arrays, 16 MiB apart, whose loads are under way at the same time.
template <unsigned Arrays>
__global__ void sums(float const* in, float* out) {
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    float all = 0;
#pragma unroll
    for (unsigned k = 0; k < Arrays; ++k) all += in[(k << 22) + i];
    out[i] = all;
}
// The same, each load at a place that the one before it brought: all of memory is 0.
template <unsigned Arrays>
__global__ void dependent_sums(float const* in, float* out) {
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    float all = 0;
#pragma unroll
    for (unsigned k = 0; k < Arrays; ++k) all += in[(k << 22) + i + static_cast<unsigned>(all)];
    out[i] = all;
}
// Loads one after the other, 2 MiB apart, in memory that is zero.
template <unsigned Steps>
__global__ void chase(unsigned const* in, float* out) {
    unsigned at = threadIdx.x + blockIdx.x * blockDim.x;
#pragma unroll
    for (unsigned i = 0; i < Steps; ++i) at = in[at] + at + (1u << 19);
    if (at == 12345u) *out = 1;
}

// A CTA that lasts: `steps` dependent FFMAs of 4 cycles each, times 1 + blockIdx.x % (1 + uneven).
__global__ void lasting(unsigned steps, unsigned uneven, float* out) {
    float value = static_cast<float>(threadIdx.x);
    steps *= 1 + blockIdx.x % (1 + uneven);
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value));
    if (value == 12345.0f) *out = value;
}
// The same with something else in each turn of 32 FFMAs: whether older CTAs still go first.
enum class beside { load_l1, load_l2, load_shared, store, barrier, division };
template <beside What>
__global__ void lasting_with(unsigned steps, float* memory) {
    __shared__ float shared[1024];
    float value = static_cast<float>(threadIdx.x);
    unsigned whole = threadIdx.x + 3;
    if constexpr (What == beside::load_shared) shared[threadIdx.x] = value;
    float* const at = memory + (blockIdx.x % 8) * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32) {
        if constexpr (What == beside::load_l1)
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(at) : "memory");
        if constexpr (What == beside::load_l2)
            asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(at) : "memory");
        if constexpr (What == beside::load_shared) value = *const_cast<float volatile*>(shared + threadIdx.x);
        if constexpr (What == beside::store)
            asm volatile("st.global.f32 [%0], %1;" ::"l"(memory + blockIdx.x * blockDim.x + threadIdx.x), "f"(value)
                         : "memory");
        if constexpr (What == beside::barrier) __syncthreads();
        if constexpr (What == beside::division) asm volatile("div.u32 %0, %1, %0;" : "+r"(whole) : "r"(steps + i));
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value));
    }
    if (value + static_cast<float>(whole) == 12345.0f) *memory = value;
}
// Only warp 0 lasts long.
__global__ void one_warp_lasts(unsigned steps, float* out) {
    float value = static_cast<float>(threadIdx.x);
    if (threadIdx.x >= 32) steps = 32;
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value));
    if (value == 12345.0f) *out = value;
}
// All wait for it at a barrier.
__global__ void one_warp_is_awaited(unsigned steps, float* out) {
    float value = static_cast<float>(threadIdx.x);
    if (threadIdx.x >= 32) steps = 32;
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value));
    __syncthreads();
    if (value == 12345.0f) *out = value;
}
// Values that are alive at once: a CTA needs registers for them, though it never has them.
__global__ void many_registers(float* never) {
    if (gridDim.y == 1) return;
    float values[100];
#pragma unroll
    for (unsigned k = 0; k < 100; ++k)
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(values[k]) : "l"(never + k * blockDim.x));
#pragma unroll
    for (unsigned k = 0; k < 100; ++k)
        asm volatile("st.global.f32 [%0], %1;" ::"l"(never + k), "f"(values[k]) : "memory");
}
__global__ void much_shared(float* never) {
    extern __shared__ float shared[];
    if (gridDim.y > 1) *never = shared[threadIdx.x];
}
// The first CTA lasts ten times as long as the others.
__global__ void one_cta_lasts(unsigned steps, float* out) {
    float value = static_cast<float>(threadIdx.x);
    if (blockIdx.x == 0) steps *= 10;
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
#pragma unroll
        for (unsigned k = 0; k < 32; ++k) asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value));
    if (value == 12345.0f) *out = value;
}

int main() {
    std::size_t const bytes = std::size_t{512} << 20;
    unsigned char* memory = nullptr;
    check(cudaMalloc(&memory, bytes));
    check(cudaMemset(memory, 0, bytes));
    float* const out = reinterpret_cast<float*>(memory);
    float const* const in = out + (64 << 20);
    auto const* const words = reinterpret_cast<unsigned const*>(in);
    for (unsigned round = 0; round < 2; ++round) {
        auto const launched = [&](char const* what, unsigned grid, unsigned block) {
            check(cudaGetLastError());
            check(cudaDeviceSynchronize());
            std::printf("launch,%s,%u,%u\n", what, grid, block);
        };
#define LAUNCH(label, grid, block, call) call, launched(label, grid, block)
        LAUNCH("nothing", 1, 32, (nothing<<<1, 32>>>()));
        LAUNCH("nothing", 132, 1024, (nothing<<<132, 1024>>>()));
        LAUNCH("nothing", 1056, 256, (nothing<<<1056, 256>>>()));
        LAUNCH("nothing", 8448, 128, (nothing<<<8448, 128>>>()));
        for (unsigned grid : {1u, 132u}) {
            LAUNCH("code_16", grid, 32, (code<16><<<grid, 32>>>(out, 1)));
            LAUNCH("code_64", grid, 32, (code<64><<<grid, 32>>>(out, 1)));
            LAUNCH("code_128", grid, 32, (code<128><<<grid, 32>>>(out, 1)));
            LAUNCH("code_256", grid, 32, (code<256><<<grid, 32>>>(out, 1)));
            LAUNCH("code_1024", grid, 32, (code<1024><<<grid, 32>>>(out, 1)));
            LAUNCH("code_4096", grid, 32, (code<4096><<<grid, 32>>>(out, 1)));
        }
        LAUNCH("code_1024", 132, 512, (code<1024><<<132, 512>>>(out, 1)));
        LAUNCH("code_1024", 1056, 128, (code<1024><<<1056, 128>>>(out, 1)));
        LAUNCH("jumps_4", 132, 32, (jumps<4><<<132, 32>>>(out, 1, 0)));
        LAUNCH("jumps_16", 132, 32, (jumps<16><<<132, 32>>>(out, 1, 0)));
        for (unsigned grid : {1u, 132u, 1056u}) {
            LAUNCH("stores", grid, 256, (stores<<<grid, 256>>>(out, 1)));
            LAUNCH("loads", grid, 256, (loads<<<grid, 256>>>(in, out)));
            LAUNCH("copies", grid, 256, (copies<<<grid, 256>>>(in, out)));
            LAUNCH("adds", grid, 256, (adds<<<grid, 256>>>(in, in + (32 << 20), out, grid * 256)));
        }
        LAUNCH("chase_1", 1, 32, (chase<1><<<1, 32>>>(words, out)));
        LAUNCH("chase_2", 1, 32, (chase<2><<<1, 32>>>(words, out)));
        LAUNCH("chase_4", 1, 32, (chase<4><<<1, 32>>>(words, out)));
        LAUNCH("chase_8", 1, 32, (chase<8><<<1, 32>>>(words, out)));
        LAUNCH("chase_8", 132, 256, (chase<8><<<132, 256>>>(words, out)));
        struct {
            unsigned grid, block, steps, uneven;
        } const shapes[]{{1, 256, 1024, 0},    {66, 256, 1024, 0},   {132, 256, 128, 0},   {132, 256, 1024, 0},
                         {132, 1024, 1024, 0}, {264, 1024, 1024, 0}, {396, 1024, 1024, 0}, {200, 1024, 1024, 0},
                         {1056, 256, 128, 0},  {1056, 256, 1024, 0}, {1188, 256, 1024, 0}, {1500, 256, 1024, 0},
                         {4224, 256, 128, 0},  {8448, 128, 32, 0},   {8448, 128, 256, 0},  {8448, 32, 256, 0},
                         {4224, 32, 4096, 0},  {132, 96, 1024, 0},   {1056, 256, 1024, 3}, {2112, 256, 512, 3},
                         {8448, 128, 256, 7},  {500, 512, 1024, 1},  {33792, 64, 32, 0},   {20000, 256, 32, 0}};
        for (auto const& s : shapes) {
            char label[64];
            std::snprintf(label, sizeof label, "lasting_%u_%u", s.steps, s.uneven);
            LAUNCH(label, s.grid, s.block, (lasting<<<s.grid, s.block>>>(s.steps, s.uneven, out)));
        }
        for (unsigned block : {32u, 64u, 128u, 256u, 512u, 1024u}) {
            LAUNCH("nothing", 8448, block, (nothing<<<8448, block>>>()));
            LAUNCH("stores", 8448, block, (stores<<<8448, block>>>(out, 1)));
            for (unsigned steps : {32u, 128u, 512u}) {
                char label[64];
                std::snprintf(label, sizeof label, "lasting_%u_0", steps);
                LAUNCH(label, 8448, block, (lasting<<<8448, block>>>(steps, 0, out)));
            }
        }
        for (unsigned block : {32u, 64u, 128u, 256u}) {
            LAUNCH("nothing", 32768, block, (nothing<<<32768, block>>>()));
            LAUNCH("stores", 32768, block, (stores<<<32768, block>>>(out, 1)));
            LAUNCH("lasting_32_0", 32768, block, (lasting<<<32768, block>>>(32, 0, out)));
        }
        for (unsigned grid : {1056u, 2442u, 8448u}) {
            LAUNCH("far_stores_1", grid, 256, (far_stores<1><<<grid, 256>>>(out, 1)));
            LAUNCH("far_stores_8", grid, 256, (far_stores<8><<<grid, 256>>>(out, 1)));
            LAUNCH("loads", grid, 256, (loads<<<grid, 256>>>(in, out)));
            LAUNCH("copies", grid, 256, (copies<<<grid, 256>>>(in, out)));
            LAUNCH("sums_2", grid, 256, (sums<2><<<grid, 256>>>(in, out)));
            LAUNCH("sums_8", grid, 256, (sums<8><<<grid, 256>>>(in, out)));
            LAUNCH("dependent_sums_2", grid, 256, (dependent_sums<2><<<grid, 256>>>(in, out)));
            LAUNCH("dependent_sums_8", grid, 256, (dependent_sums<8><<<grid, 256>>>(in, out)));
            LAUNCH("one_warp_lasts_256", grid, 256, (one_warp_lasts<<<grid, 256>>>(256, out)));
            LAUNCH("one_warp_is_awaited_256", grid, 256, (one_warp_is_awaited<<<grid, 256>>>(256, out)));
            LAUNCH("many_registers", grid, 256, (many_registers<<<grid, 256>>>(out)));
            LAUNCH("much_shared_8k", grid, 256, (much_shared<<<grid, 256, 8 << 10>>>(out)));
            LAUNCH("much_shared_40k", grid, 256, (much_shared<<<grid, 256, 40 << 10>>>(out)));
        }
        for (unsigned grid : {1056u, 2640u}) {
            LAUNCH("lasting_with_load_l1_1024", grid, 256, (lasting_with<beside::load_l1><<<grid, 256>>>(1024, out)));
            LAUNCH("lasting_with_load_l2_1024", grid, 256, (lasting_with<beside::load_l2><<<grid, 256>>>(1024, out)));
            LAUNCH("lasting_with_load_shared_1024", grid, 256,
                   (lasting_with<beside::load_shared><<<grid, 256>>>(1024, out)));
            LAUNCH("lasting_with_store_1024", grid, 256, (lasting_with<beside::store><<<grid, 256>>>(1024, out)));
            LAUNCH("lasting_with_barrier_1024", grid, 256, (lasting_with<beside::barrier><<<grid, 256>>>(1024, out)));
            LAUNCH("lasting_with_division_1024", grid, 256, (lasting_with<beside::division><<<grid, 256>>>(1024, out)));
        }
        LAUNCH("copies", 2442, 64, (copies<<<2442, 64>>>(in, out)));
        LAUNCH("copies", 2442, 1024, (copies<<<2442, 1024>>>(in, out)));
        LAUNCH("sums_8", 2442, 64, (sums<8><<<2442, 64>>>(in, out)));
        LAUNCH("sums_8", 2442, 1024, (sums<8><<<2442, 1024>>>(in, out)));
        for (unsigned grid : {1u, 132u}) {
            LAUNCH("jumps_32_over_4", grid, 32, (jumps<32, 4><<<grid, 32>>>(out, 1, 0)));
            LAUNCH("jumps_32_over_12", grid, 32, (jumps<32, 12><<<grid, 32>>>(out, 1, 0)));
            LAUNCH("jumps_32_over_28", grid, 32, (jumps<32, 28><<<grid, 32>>>(out, 1, 0)));
            LAUNCH("jumps_32_over_60", grid, 32, (jumps<32, 60><<<grid, 32>>>(out, 1, 0)));
            LAUNCH("jumps_32_over_124", grid, 32, (jumps<32, 124><<<grid, 32>>>(out, 1, 0)));
            LAUNCH("jumps_32_over_252", grid, 32, (jumps<32, 252><<<grid, 32>>>(out, 1, 0)));
            LAUNCH("jumps_64_over_252", grid, 32, (jumps<64, 252><<<grid, 32>>>(out, 1, 0)));
        }
        LAUNCH("jumps_32_over_60", 132, 512, (jumps<32, 60><<<132, 512>>>(out, 1, 0)));
        LAUNCH("jumps_32_over_252", 132, 512, (jumps<32, 252><<<132, 512>>>(out, 1, 0)));
        LAUNCH("one_warp_lasts_1024", 1056, 256, (one_warp_lasts<<<1056, 256>>>(1024, out)));
        LAUNCH("one_warp_lasts_1024", 2112, 256, (one_warp_lasts<<<2112, 256>>>(1024, out)));
        LAUNCH("one_cta_lasts_1024", 1056, 256, (one_cta_lasts<<<1056, 256>>>(1024, out)));
        LAUNCH("one_cta_lasts_1024", 2112, 256, (one_cta_lasts<<<2112, 256>>>(1024, out)));
    }
    check(cudaFree(memory));
}
