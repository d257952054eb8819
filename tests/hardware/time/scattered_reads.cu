// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads that are scattered, and reads of the same by many: random sectors of memory, lines that all SMs ask for at the same time,
// constants by lane, textures.
#include <vector>

#include "bench.hpp"

namespace {

constexpr std::size_t megabyte = 1 << 20;
constexpr unsigned constant_words = 4096;
__constant__ unsigned constants[constant_words]; // each its own index

// Each lane reads 4 bytes at a random place, four of them under way.
__global__ void gather(unsigned n, unsigned char* memory, unsigned sectors, unsigned seed, unsigned* never) {
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + seed, sum = 0;
    for (unsigned i = 0; i < n; ++i) {
        unsigned values[4];
        unrolled<4>([&](unsigned k) {
            state = state * 1664525u + 1013904223u;
            unsigned const mixed = state ^ state >> 15;
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(values[k]) : "l"(memory + std::size_t{mixed % sectors} * 32));
        });
        unrolled<4>([&](unsigned k) { sum ^= values[k]; });
    }
    if (sum == 0x5eed1234u) *never = sum;
}

// Every block reads the same lines, a line a warp, one after the other.
struct same_lines {
    unsigned char const* at;
    unsigned last = 0;
    __device__ same_lines(unsigned char* memory, unsigned) : at(memory + threadIdx.x * 4) {}
    __device__ void round() {
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(last) : "l"(at + last));
        at += blockDim.x * 4;
    }
    __device__ unsigned result() const { return last; }
};

template <unsigned Different>
struct constants_by_lane {
    unsigned at;
    __device__ constants_by_lane(unsigned char*, unsigned unknown) : at(threadIdx.x % Different * 16 + unknown) {}
    __device__ void round() {
        unrolled<16>([&](unsigned) { at = constants[at]; });
    }
    __device__ unsigned result() const { return at; }
};

__global__ void fetch_alone(unsigned n, clock_cell* clock, cudaTextureObject_t texture) {
    int at = static_cast<int>(threadIdx.x % 32);
    long long const begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i)
        unrolled<8>([&](unsigned) { at = tex1Dfetch<int>(texture, at) + static_cast<int>(threadIdx.x % 32); });
    long long const end = clock64();
    if (at == 0x5eed1234) *clock = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) *clock = static_cast<clock_cell>(end - begin);
}
__global__ void fetch_many(unsigned n, clock_cell* clock, cudaTextureObject_t texture) {
    int const first = static_cast<int>(threadIdx.x % 32);
    int sum = 0;
    __syncthreads();
    long long const begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i)
        unrolled<8>(
            [&](unsigned k) { sum += tex1Dfetch<int>(texture, first + static_cast<int>((i % 8 * 8 + k) * 32)); });
    if (sum == 0x5eed1234) *clock = 0;
    __syncthreads();
    long long const end = clock64();
    if (blockIdx.x == 0 && threadIdx.x == 0) *clock = static_cast<clock_cell>(end - begin);
}

} // namespace

void scattered_reads(time_table& table) {
    if (!table.wants("random_") && !table.wants("same_") && !table.wants("constants_") && !table.wants("texture_"))
        return;
    auto* const memory = static_cast<unsigned char*>(table.memory(512 * megabyte));
    auto* const never = reinterpret_cast<unsigned*>(table.clock() + 1);
    auto const random = [&](std::string const& name, unsigned mib, unsigned blocks, unsigned block) {
        table.per_ns(name + "_" + std::to_string(blocks) + "x" + std::to_string(block), "sectors/ns",
                     "4 bytes of a random sector of " + std::to_string(mib) +
                         " MiB a lane, four under way; blocks x threads",
                     {8, 24}, 4.0 * blocks * block,
                     [=](unsigned n) { gather<<<blocks, block>>>(n, memory, mib * 32768u, n * 77u, never); });
    };
    random("random_dram", 512, 132, 256);
    random("random_dram", 512, 264, 1024);
    random("random_l2", 16, 132, 256);
    random("random_l2", 16, 264, 1024);
    for (unsigned warps : {1u, 8u, 32u})
        table.cycles(
            "same_lines_" + std::to_string(warps),
            "a line a warp, one after the other, of the 16 MiB that all 132 blocks read; so many warps of a block",
            {32, 96}, 1, [&](unsigned n) { repeat<same_lines><<<132, 32 * warps>>>(n, table.clock(), memory, 0); });

    std::vector<unsigned> numbers(constant_words);
    for (unsigned i = 0; i < constant_words; ++i) numbers[i] = i;
    CHECK_CUDA(cudaMemcpyToSymbol(constants, numbers.data(), constant_words * sizeof numbers[0]));
    table.cycles("constants_1", "dependent LDC, lanes of a warp read so many different words, 64 bytes apart", {16, 64},
                 16, [&](unsigned n) { repeat<constants_by_lane<1>><<<1, 32>>>(n, table.clock(), memory, 0); });
    table.cycles("constants_4", "dependent LDC, lanes of a warp read so many different words, 64 bytes apart", {16, 64},
                 16, [&](unsigned n) { repeat<constants_by_lane<4>><<<1, 32>>>(n, table.clock(), memory, 0); });
    table.cycles("constants_32", "dependent LDC, lanes of a warp read so many different words, 64 bytes apart",
                 {16, 64}, 16,
                 [&](unsigned n) { repeat<constants_by_lane<32>><<<1, 32>>>(n, table.clock(), memory, 0); });
    table.per_cycle("constants_1_of_32_warps", "warp instructions/cycle/SM", "the same of 32 warps", {16, 64}, 16 * 32,
                    [&](unsigned n) { repeat<constants_by_lane<1>><<<1, 1024>>>(n, table.clock(), memory, 0); });
    table.per_cycle("constants_32_of_32_warps", "warp instructions/cycle/SM", "the same of 32 warps", {16, 64}, 16 * 32,
                    [&](unsigned n) { repeat<constants_by_lane<32>><<<1, 1024>>>(n, table.clock(), memory, 0); });

    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = megabyte;
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture{};
    CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    table.cycles("texture_latency", "dependent fetches of 32 words side by side that L1 has, and an addition; one warp",
                 {16, 64}, 8, [&](unsigned n) { fetch_alone<<<1, 32>>>(n, table.clock(), texture); });
    table.per_cycle("texture_32", "warp instructions/cycle/SM",
                    "fetches of 32 words side by side that L1 has; 32 warps", {16, 64}, 8 * 32,
                    [&](unsigned n) { fetch_many<<<1, 1024>>>(n, table.clock(), texture); });
    CHECK_CUDA(cudaDestroyTextureObject(texture));
}
