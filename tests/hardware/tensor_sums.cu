// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of tensor cores, to the bit: a line a form of mma.sync and wgmma and a kind of numbers, with a digest of the sums of that many
// random tiles. The numbers are made by the kernel of the tile's number, so a GPU and the embedded GPU have the same, and equal lines
// are equal sums.
//   tensor_sums [TILES [FILE]]     100,000 without a number. FILE gets every sum, 512 a tile, to see which ones are not equal
// nvcc -O3 -gencode arch=compute_90a,code=[compute_90a,sm_90a]. last_tensor_sums.txt has an H200's lines for 200 and a million tiles, all of
// which are the embedded GPU's, too; tests/sim/ops/tensor_sum.test.cpp compares those of 200.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../support/tensor_numbers.hpp"

namespace {

using namespace tensor_numbers;

// Where the sums go.
struct result {
    unsigned long long digest;
    std::uint32_t* sums; // or null
};
__device__ void tell(result* to, std::uint64_t tile, unsigned at, std::uint32_t sum) {
    atomicAdd(&to->digest, digest(tile, at, sum));
    if (to->sums != nullptr) to->sums[tile * 512 + at] = sum;
}

// A warp a tile. c and d have Sums registers.
template <unsigned A, unsigned B, unsigned Sums, class Multiply>
__device__ void products(std::uint64_t tiles, format a_format, format b_format, format c_format, kind of, result* to,
                         Multiply multiply) {
    unsigned const lane = threadIdx.x % 32;
    std::uint64_t const warps = gridDim.x * blockDim.x / 32;
    for (std::uint64_t tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32; tile < tiles; tile += warps) {
        std::uint32_t a[A], b[B], c[Sums];
        std::uint64_t const seed = (tile * 32 + lane) * 16;
        for (unsigned i = 0; i < A; ++i) a[i] = numbers(a_format, of, seed + i);
        for (unsigned i = 0; i < B; ++i) b[i] = numbers(b_format, of, seed + 4 + i);
        for (unsigned i = 0; i < Sums; ++i) c[i] = numbers(c_format, of, seed + 8 + i);
        multiply(a, b, c);
        for (unsigned i = 0; i < Sums; ++i) tell(to, tile, lane * 4 + i, c[i]);
    }
}

#define A4(a) "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#define A2(a) "r"(a[0]), "r"(a[1])
#define C4(c) "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define C2(c) "+r"(c[0]), "+r"(c[1])

#define MMA(NAME, A, B, SUMS, AF, BF, CF, TEXT, C, AS, BS)                                                             \
    __global__ void NAME(std::uint64_t tiles, kind of, result* to) {                                                   \
        products<A, B, SUMS>(tiles, AF, BF, CF, of, to, [](std::uint32_t* a, std::uint32_t* b, std::uint32_t* c) {     \
            asm volatile(TEXT:C : AS, BS);                                                                             \
        });                                                                                                            \
    }
#define D4_A4_B2 " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
#define D4_A2_B1 " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
#define D2_A4_B2 " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
#define D2_A2_B1 " {%0,%1},{%2,%3},{%4},{%0,%1};"
#define SYNC "mma.sync.aligned."
MMA(mma_f16_k16, 4, 2, 4, f16, f16, f32, SYNC "m16n8k16.row.col.f32.f16.f16.f32" D4_A4_B2, C4(c), A4(a), A2(b))
MMA(mma_f16_k8, 2, 1, 4, f16, f16, f32, SYNC "m16n8k8.row.col.f32.f16.f16.f32" D4_A2_B1, C4(c), A2(a), "r"(b[0]))
MMA(mma_f16_f16_k16, 4, 2, 2, f16, f16, f16, SYNC "m16n8k16.row.col.f16.f16.f16.f16" D2_A4_B2, C2(c), A4(a), A2(b))
MMA(mma_f16_f16_k8, 2, 1, 2, f16, f16, f16, SYNC "m16n8k8.row.col.f16.f16.f16.f16" D2_A2_B1, C2(c), A2(a), "r"(b[0]))
MMA(mma_bf16_k16, 4, 2, 4, bf16, bf16, f32, SYNC "m16n8k16.row.col.f32.bf16.bf16.f32" D4_A4_B2, C4(c), A4(a), A2(b))
MMA(mma_bf16_k8, 2, 1, 4, bf16, bf16, f32, SYNC "m16n8k8.row.col.f32.bf16.bf16.f32" D4_A2_B1, C4(c), A2(a), "r"(b[0]))
MMA(mma_tf32_k8, 4, 2, 4, tf32, tf32, f32, SYNC "m16n8k8.row.col.f32.tf32.tf32.f32" D4_A4_B2, C4(c), A4(a), A2(b))
MMA(mma_tf32_k4, 2, 1, 4, tf32, tf32, f32, SYNC "m16n8k4.row.col.f32.tf32.tf32.f32" D4_A2_B1, C4(c), A2(a), "r"(b[0]))
MMA(mma_e4m3_k32, 4, 2, 4, e4m3, e4m3, f32, SYNC "m16n8k32.row.col.f32.e4m3.e4m3.f32" D4_A4_B2, C4(c), A4(a), A2(b))
MMA(mma_e5m2_e4m3_k32, 4, 2, 4, e5m2, e4m3, f32, SYNC "m16n8k32.row.col.f32.e5m2.e4m3.f32" D4_A4_B2, C4(c), A4(a),
    A2(b))
MMA(mma_e5m2_f16_k32, 4, 2, 2, e5m2, e5m2, f16, SYNC "m16n8k32.row.col.f16.e5m2.e5m2.f16" D2_A4_B2, C2(c), A4(a), A2(b))

// Four warps a tile of 64 rows and 8 columns; b lies in shared memory, 256 bytes in pieces of 8 lines of 16.
template <unsigned Sums, class Multiply>
__device__ void warpgroup_products(std::uint64_t tiles, format a_format, format b_format, format c_format, kind of,
                                   result* to, Multiply multiply) {
    __shared__ alignas(1024) std::uint32_t matrix[64];
    std::uint64_t const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(matrix));
    std::uint64_t const descriptor =
        (at & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
    for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        std::uint32_t a[4], c[4];
        std::uint64_t const seed = (tile * 128 + threadIdx.x) * 16;
        for (unsigned i = 0; i < 4; ++i) a[i] = numbers(a_format, of, seed + i);
        for (unsigned i = 0; i < Sums; ++i) c[i] = numbers(c_format, of, seed + 8 + i);
        __syncthreads();
        if (threadIdx.x < 64) matrix[threadIdx.x] = numbers(b_format, of, seed + 4);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        multiply(a, descriptor, c);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        for (unsigned i = 0; i < Sums; ++i) tell(to, tile, threadIdx.x * 4 + i, c[i]);
    }
}
#define WGMMA(NAME, SUMS, AF, BF, CF, TEXT, C, AS)                                                                     \
    __global__ void NAME(std::uint64_t tiles, kind of, result* to) {                                                   \
        warpgroup_products<SUMS>(tiles, AF, BF, CF, of, to, [](std::uint32_t* a, std::uint64_t b, std::uint32_t* c) {  \
            asm volatile("wgmma.mma_async.sync.aligned." TEXT:C : AS, "l"(b) : "memory");                              \
        });                                                                                                            \
    }
#define D4_DESCRIPTOR " {%0,%1,%2,%3},{%4,%5,%6,%7},%8,1,1,1"
#define D2_DESCRIPTOR " {%0,%1},{%2,%3,%4,%5},%6,1,1,1"
WGMMA(wgmma_f16, 4, f16, f16, f32, "m64n8k16.f32.f16.f16" D4_DESCRIPTOR ",0;", C4(c), A4(a))
WGMMA(wgmma_f16_f16, 2, f16, f16, f16, "m64n8k16.f16.f16.f16" D2_DESCRIPTOR ",0;", C2(c), A4(a))
WGMMA(wgmma_bf16, 4, bf16, bf16, f32, "m64n8k16.f32.bf16.bf16" D4_DESCRIPTOR ",0;", C4(c), A4(a))
WGMMA(wgmma_tf32, 4, tf32, tf32, f32, "m64n8k8.f32.tf32.tf32" D4_DESCRIPTOR ";", C4(c), A4(a))
WGMMA(wgmma_e4m3, 4, e4m3, e4m3, f32, "m64n8k32.f32.e4m3.e4m3" D4_DESCRIPTOR ";", C4(c), A4(a))
WGMMA(wgmma_e5m2, 4, e5m2, e5m2, f32, "m64n8k32.f32.e5m2.e5m2" D4_DESCRIPTOR ";", C4(c), A4(a))
WGMMA(wgmma_e4m3_e5m2_f16, 2, e4m3, e5m2, f16, "m64n8k32.f16.e4m3.e5m2" D2_DESCRIPTOR ";", C2(c), A4(a))

struct form {
    char const* name;
    void (*kernel)(std::uint64_t, kind, result*);
};
#define FORM(NAME)                                                                                                     \
    { #NAME, NAME }
constexpr form forms[] = {FORM(mma_f16_k16),   FORM(mma_f16_k8),         FORM(mma_f16_f16_k16),  FORM(mma_f16_f16_k8),
                          FORM(mma_bf16_k16),  FORM(mma_bf16_k8),        FORM(mma_tf32_k8),      FORM(mma_tf32_k4),
                          FORM(mma_e4m3_k32),  FORM(mma_e5m2_e4m3_k32),  FORM(mma_e5m2_f16_k32), FORM(wgmma_f16),
                          FORM(wgmma_f16_f16), FORM(wgmma_bf16),         FORM(wgmma_tf32),       FORM(wgmma_e4m3),
                          FORM(wgmma_e5m2),    FORM(wgmma_e4m3_e5m2_f16)};

} // namespace

int main(int argc, char** argv) {
    std::uint64_t const tiles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
    std::FILE* const file = argc > 2 ? std::fopen(argv[2], "wb") : nullptr;
    result* to = nullptr;
    std::size_t const bytes = tiles * 512 * sizeof(std::uint32_t);
    if (cudaMallocManaged(&to, sizeof *to) != cudaSuccess) return 2;
    to->sums = nullptr;
    if (file != nullptr && cudaMallocManaged(&to->sums, bytes) != cudaSuccess) return 2;
    for (form const& f : forms)
        for (kind const of : {kind::near_by, kind::far_apart, kind::any}) {
            to->digest = 0;
            if (file != nullptr) std::memset(to->sums, 0, bytes);
            f.kernel<<<264, 128>>>(tiles, of, to);
            if (cudaError_t const error = cudaDeviceSynchronize(); error != cudaSuccess) {
                std::printf("%s %s: %s\n", f.name, kind_names[static_cast<unsigned>(of)], cudaGetErrorString(error));
                return 1;
            }
            std::printf("%-20s %-4s %llu tiles %016llx\n", f.name, kind_names[static_cast<unsigned>(of)],
                        static_cast<unsigned long long>(tiles), to->digest);
            if (file != nullptr) std::fwrite(to->sums, 1, bytes, file);
        }
    return file != nullptr && std::fclose(file) != 0 ? 1 : 0;
}
