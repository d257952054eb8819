// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Latencies of loads from each level of memory, alone and beside a stream.
#include <algorithm>
#include <vector>

#include "bench.hpp"

namespace {

constexpr unsigned steps = 32; // loads of a round
constexpr std::size_t megabyte = 1 << 20;
constexpr std::size_t footprint = 512 * megabyte; // ten times L2

// All of memory is 0, so that the address of a load is a number that is known early, plus what the load before it brought. The
// chain has an addition to each load.
template <bool Past_l1>
__device__ unsigned load(unsigned char const* from) {
    unsigned value;
    if constexpr (Past_l1) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    else asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

// Lanes read one line, 4 bytes each, the same in all rounds.
template <bool Past_l1>
struct one_line {
    unsigned char const* at;
    __device__ one_line(unsigned char* memory, unsigned) : at(memory + 4 * threadIdx.x) {}
    __device__ void round() {
        unrolled<steps>([&](unsigned) { at += load<Past_l1>(at); });
    }
    __device__ unsigned result() const { return static_cast<unsigned>(reinterpret_cast<unsigned long long>(at)); }
};

// Lines in a pseudo-random order, of 2^Bits bytes from the beginning.
template <unsigned Bits>
struct random_lines {
    unsigned char const* memory;
    unsigned state, brought = 0;
    __device__ random_lines(unsigned char* from, unsigned unknown) : memory(from + 4 * threadIdx.x), state(unknown) {}
    __device__ void round() {
        unrolled<steps>([&](unsigned) {
            state = state * 1664525u + 1013904223u;
            brought = load<true>(memory + (static_cast<std::size_t>(state >> (39 - Bits)) << 7) + brought);
        });
    }
    __device__ unsigned result() const { return brought; }
};

// The same where each lane reads a line of its own: a request lasts as long as its slowest sector.
template <unsigned Bits>
struct random_lanes : random_lines<Bits> {
    __device__ random_lanes(unsigned char* from, unsigned unknown)
        : random_lines<Bits>(from, unknown + threadIdx.x * 2654435761u) {
        this->memory = from;
    }
};

__global__ void touch(uint4 const* from, std::size_t n, uint4* never) {
    uint4 sum{};
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        uint4 value;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                     : "l"(from + i));
        sum.x ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    if (sum.x == 0x5eed1234u) *never = sum;
}

// Cycles of a load from L2, by line.
constexpr unsigned lines = 1024, each_line = 32;
__global__ void by_line(unsigned char const* memory, unsigned* cycles) {
    unsigned brought = 0;
    for (unsigned line = 0; line < lines; ++line) {
        unsigned char const* const at = memory + std::size_t{line} * 4224; // 33 lines: all slices
        brought += load<true>(at + brought);
        long long const begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < each_line; ++i) brought = load<true>(at + brought);
        if (brought != 0) *cycles = 0; // never: the last load is waited for
        cycles[line] = static_cast<unsigned>(clock64() - begin) / each_line;
    }
}

// Block 0 follows lines through all of memory, or through what L2 holds; the others read a stream, each warp `Unroll` lines at
// once, until block 0 is done.
__global__ void chase_beside_stream(unsigned char* memory, unsigned mask, unsigned n, clock_cell* clock,
                                    unsigned volatile* done, std::size_t stream_bytes) {
    if (blockIdx.x == 0) {
        if (threadIdx.x >= warp_lanes) return;
        unsigned state = 12345, brought = 0;
        unsigned char const* const from = memory + 4 * threadIdx.x;
        long long begin = 0;
        for (unsigned i = 0; i < n + 16; ++i) { // the stream has begun when it counts
            if (i == 16) begin = clock64();
            state = state * 1664525u + 1013904223u;
            brought = load<true>(from + (static_cast<std::size_t>((state >> 8) & mask) << 7) + brought);
        }
        if (brought == 0 && threadIdx.x == 0) {
            *clock = static_cast<clock_cell>(clock64() - begin);
            *done = 1;
        }
        return;
    }
    std::size_t at = ((blockIdx.x - 1) * std::size_t{blockDim.x} + threadIdx.x) * 16;
    std::size_t const stride = (gridDim.x - 1) * std::size_t{blockDim.x} * 16;
    unsigned sum = 0;
    for (unsigned turn = 0; turn % 16 != 0 || *done == 0; ++turn) { // not asked so often that this is the load
        unrolled<4>([&](unsigned) {
            unsigned x, y, z, w;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                         : "l"(memory + at));
            sum += x ^ y ^ z ^ w;
            at += stride;
            if (at >= stream_bytes) at -= stream_bytes;
        });
    }
    if (sum == 0x5eed1234u) *clock = 0;
}

} // namespace

void memory_latencies(time_table& table) {
    auto* const memory = static_cast<unsigned char*>(table.memory(footprint));
    auto const touched = [&](std::size_t bytes) {
        touch<<<2 * table.sms(), 1024>>>(reinterpret_cast<uint4 const*>(memory), bytes / 16,
                                         reinterpret_cast<uint4*>(memory));
    };
    table.cycles("load_l1", "dependent LDG that hits in L1, and an addition of 64 bits; one warp", {16, 80}, steps,
                 [&](unsigned n) { repeat<one_line<false>><<<1, 32>>>(n, table.clock(), memory, 0); });
    table.cycles("load_l2_one_line", "dependent LDG.CG of one line, and an addition", {16, 80}, steps,
                 [&](unsigned n) { repeat<one_line<true>><<<1, 32>>>(n, table.clock(), memory, 0); });
    if (table.wants("load_l2_4m")) touched(4 * megabyte);
    table.cycles("load_l2_4m", "random lines of 4 MiB, read before; one request at a time", {16, 80}, steps,
                 [&](unsigned n) { repeat<random_lines<22>><<<1, 32>>>(n, table.clock(), memory, 1); });
    if (table.wants("load_l2_16m")) touched(16 * megabyte);
    table.cycles("load_l2_16m", "random lines of 16 MiB, read before", {16, 80}, steps,
                 [&](unsigned n) { repeat<random_lines<24>><<<1, 32>>>(n, table.clock(), memory, 1); });
    if (table.wants("load_l2_32m")) touched(32 * megabyte);
    table.cycles("load_l2_32m", "random lines of 32 MiB, read before", {16, 80}, steps,
                 [&](unsigned n) { repeat<random_lines<25>><<<1, 32>>>(n, table.clock(), memory, 1); });
    if (table.wants("load_l2_lanes")) touched(16 * megabyte);
    table.cycles("load_l2_lanes", "the same of 16 MiB, each lane a line of its own", {4, 20}, steps,
                 [&](unsigned n) { repeat<random_lanes<24>><<<1, 32>>>(n, table.clock(), memory, 1); });
    unsigned seed = 1; // no line twice in a while
    table.cycles("load_dram", "random lines of 512 MiB, of which L2 holds less than a tenth", {16, 80}, steps,
                 [&](unsigned n) { repeat<random_lines<29>><<<1, 32>>>(n, table.clock(), memory, seed += 7919); });
    table.cycles("load_dram_lanes", "the same, each lane a line of its own", {4, 20}, steps,
                 [&](unsigned n) { repeat<random_lanes<29>><<<1, 32>>>(n, table.clock(), memory, seed += 7919); });

    // Where a line is at home decides; near and far by quantiles.
    std::vector<unsigned> cycles(lines);
    auto const distribution = [&](double share) {
        auto* const out = reinterpret_cast<unsigned*>(memory + 256 * megabyte);
        by_line<<<1, 1>>>(memory, out);
        CHECK_CUDA(cudaMemcpy(cycles.data(), out, lines * sizeof(unsigned), cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaMemset(out, 0, lines * sizeof(unsigned)));
        std::sort(cycles.begin(), cycles.end());
        return static_cast<double>(cycles[static_cast<std::size_t>(share * (lines - 1))]);
    };
    for (unsigned percent : {0u, 10u, 25u, 50u, 75u, 90u, 100u})
        table.clocked("load_l2_by_line_" + std::to_string(percent), "cycles",
                      "L2's latency by line from one SM: this many percent of 1024 lines are as fast; loop included",
                      [&] { return distribution(percent / 100.0); });

    // Latency as a function of load.
    auto const beside = [&](char const* name, char const* what, std::size_t stream_bytes, unsigned mask,
                            unsigned blocks, unsigned block) {
        table.clocked(std::string(name) + "_" + std::to_string(blocks) + "x" + std::to_string(block), "cycles",
                      std::string(what) + "; blocks x threads that stream 16 bytes a lane", [&] {
                          CHECK_CUDA(cudaMemset(table.clock(), 0, clock_cells * sizeof(clock_cell)));
                          constexpr unsigned chased = 512;
                          chase_beside_stream<<<1 + blocks, block>>>(memory, mask, chased, table.clock(),
                                                                     reinterpret_cast<unsigned*>(table.clock() + 1),
                                                                     stream_bytes);
                          clock_cell taken = 0;
                          CHECK_CUDA(cudaMemcpy(&taken, table.clock(), sizeof taken, cudaMemcpyDeviceToHost));
                          return static_cast<double>(taken) / chased;
                      });
    };
    for (unsigned block : {64u, 256u, 1024u})
        for (unsigned blocks : {33u, 131u}) {
            beside("load_dram_beside_dram", "chase in 512 MiB beside a stream in 512 MiB", footprint, (1u << 22) - 1,
                   blocks, block);
            beside("load_l2_beside_l2", "chase in 8 MiB beside a stream in 8 MiB", 8 * megabyte, (1u << 16) - 1, blocks,
                   block);
        }
}
