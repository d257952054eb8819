// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of few CTAs through much memory, by how far apart they are: structures of arrays, whose loads go to many pages.
#include "bench.hpp"

namespace {

constexpr std::size_t footprint = std::size_t{512} << 20; // ten times L2

// Each warp reads lines, `Under_way` at once and each `stride` bytes behind the one before; the warps of the grid side by side.
template <unsigned Under_way>
__global__ void strided(unsigned n, clock_cell* clock, unsigned char const* memory, std::size_t begin,
                        std::size_t stride) {
    std::size_t at = begin + (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * 4;
    unsigned sum = 0;
    __syncthreads();
    long long const from = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
        unsigned values[Under_way];
        unrolled<Under_way>([&](unsigned k) {
            asm volatile("ld.global.u32 %0, [%1];"
                         : "=r"(values[k])
                         : "l"(memory + (at + k * stride) % footprint)
                         : "memory");
        });
        unrolled<Under_way>([&](unsigned k) { sum += values[k]; });
        at += Under_way * stride + sum; // all of memory is 0
    }
    if (sum == 0x5eed1234u) *clock = 0;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) *clock = static_cast<clock_cell>(clock64() - from);
}

template <unsigned Under_way>
void of(time_table& table, unsigned blocks, unsigned block, std::size_t stride, char const* name) {
    auto* const memory = static_cast<unsigned char*>(table.memory(footprint));
    static std::size_t begin = 0;
    table.cycles("stream_" + std::string(name) + "_" + std::to_string(blocks) + "x" + std::to_string(block) + "_" +
                     std::to_string(Under_way),
                 "that many loads under way, each of a line; cycles of them all; blocks x threads", {16, 80}, 1,
                 [&, stride](unsigned n) {
                     begin += (std::size_t{17} << 20) + 9 * 128; // other lines each time
                     strided<Under_way><<<blocks, block>>>(n, table.clock(), memory, begin, stride);
                 });
}

} // namespace

void streams(time_table& table) {
    if (!table.wants("stream_")) return;
    struct {
        char const* name;
        std::size_t bytes;
    } const strides[]{{"16k", 16 << 10}, {"16k_and_line", (16 << 10) + 128}, {"256k", 256 << 10}};
    for (auto const& stride : strides) {
        of<1>(table, 1, 32, stride.bytes, stride.name);
        of<4>(table, 1, 32, stride.bytes, stride.name);
        of<16>(table, 1, 32, stride.bytes, stride.name);
        of<16>(table, 1, 256, stride.bytes, stride.name);
        of<4>(table, 16, 256, stride.bytes, stride.name);
        of<16>(table, 16, 256, stride.bytes, stride.name);
        of<32>(table, 16, 256, stride.bytes, stride.name);
    }
    of<16>(table, 132, 256, 256 << 10, "256k");
    // Side by side: what the grid reads at once is one piece.
    for (unsigned blocks : {1u, 16u, 132u}) {
        of<4>(table, blocks, 256, std::size_t{blocks} * 1024, "dense");
        of<16>(table, blocks, 256, std::size_t{blocks} * 1024, "dense");
        of<32>(table, blocks, 256, std::size_t{blocks} * 1024, "dense");
    }
}
