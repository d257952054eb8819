// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that each level of memory moves in a time, by the number of blocks and by the bytes that they have under way.
#include "bench.hpp"

namespace {

constexpr std::size_t megabyte = 1 << 20;

// Hits in L1: each warp reads its own 512 bytes of a few kilobytes, `Bytes` a lane.
template <unsigned Bytes, unsigned Stride>
struct l1_hits {
    static constexpr unsigned things = 32;
    unsigned char const* at;
    unsigned sum = 0;
    __device__ l1_hits(unsigned char* memory, unsigned) : at(memory + threadIdx.x % 32 * Stride) {}
    __device__ void round() {
        unrolled<things>([&](unsigned i) {
            unsigned x, y, z, w;
            if constexpr (Bytes == 16)
                asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                             : "l"(at + i % 8 * 512));
            else asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(at + i % 8 * 512));
            sum += x;
        });
    }
    __device__ unsigned result() const { return sum; }
};

// Each thread reads, writes or copies 16 bytes at a time, `Under_way` of them before it uses the first. All go through `bytes`
// of memory `n` times; the grid's threads times Under_way times 16 divide it.
enum class moves { reads, writes, copies };
template <moves What, unsigned Under_way>
__global__ void stream(unsigned n, unsigned char* memory, std::size_t bytes, unsigned* never) {
    std::size_t const stride = std::size_t{gridDim.x} * blockDim.x * 16;
    unsigned sum = 0;
    for (unsigned k = 0; k < n; ++k)
        for (std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) * 16; at < bytes; at += stride * Under_way) {
            uint4 values[Under_way]{};
            if constexpr (What != moves::writes)
                unrolled<Under_way>([&](unsigned i) {
                    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(values[i].x), "=r"(values[i].y), "=r"(values[i].z), "=r"(values[i].w)
                                 : "l"(memory + at + i * stride));
                });
            if constexpr (What != moves::reads)
                unrolled<Under_way>([&](unsigned i) {
                    uint4 const v = What == moves::copies ? values[i] : uint4{0, 0, 0, 0};
                    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(memory + bytes + at + i * stride), "r"(v.x),
                                 "r"(v.y), "r"(v.z), "r"(v.w)
                                 : "memory");
                });
            if constexpr (What == moves::reads) unrolled<Under_way>([&](unsigned i) { sum += values[i].x; });
        }
    if (sum == 0x5eed1234u) *never = sum;
}

// A store of 4 bytes a lane to 32 lines.
__global__ void scattered_stores(unsigned n, unsigned char* memory, std::size_t bytes) {
    std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) * 128;
    for (unsigned i = 0; i < n; ++i) {
        *reinterpret_cast<unsigned volatile*>(memory + at) = 0;
        at += std::size_t{gridDim.x} * blockDim.x * 128;
        if (at >= bytes) at -= bytes;
    }
}

// What one block asks of L2: by the lines that a warp has under way.
template <unsigned Under_way>
void in_flight(time_table& table, unsigned char* memory, std::size_t bytes, char const* level, char const* what, unsigned blocks,
               unsigned block) {
    table.per_ns(std::string("read_") + level + "_" + std::to_string(blocks) + "x" + std::to_string(block) + "_" +
                     std::to_string(Under_way),
                 "GB/s", std::string(what) + "; blocks x threads, loads of 16 bytes that each has under way", {1, 3},
                 static_cast<double>(bytes), [=, &table](unsigned n) {
                     stream<moves::reads, Under_way><<<blocks, block>>>(n, memory, bytes, reinterpret_cast<unsigned*>(table.clock() + 1));
                 });
}

template <moves What>
void moved(time_table& table, unsigned char* memory, std::size_t bytes, std::string const& name, char const* what,
           unsigned blocks, unsigned block) {
    table.per_ns(name + "_" + std::to_string(blocks) + "x" + std::to_string(block), "GB/s",
                 std::string(what) + "; blocks x threads, 4 accesses of 16 bytes under way", {1, 3},
                 static_cast<double>(bytes) * (What == moves::copies ? 2 : 1), [=, &table](unsigned n) {
                     stream<What, 4><<<blocks, block>>>(n, memory, bytes, reinterpret_cast<unsigned*>(table.clock() + 1));
                 });
}

} // namespace

void bandwidths(time_table& table) {
    auto* const memory = static_cast<unsigned char*>(table.memory(512 * megabyte));
    for (unsigned warps : {4u, 8u, 16u, 32u}) {
        table.per_cycle("l1_hits_16_" + std::to_string(warps), "bytes/cycle/SM", "LDG.128 that hit in L1; this many warps", {8, 40},
                        32 * 512.0 * warps, [&](unsigned n) {
                            repeat<l1_hits<16, 16>><<<1, 32 * warps>>>(n, table.clock(), memory, 0);
                        });
    }
    table.per_cycle("l1_hits_4_32", "bytes/cycle/SM", "LDG.32 side by side that hit in L1; 32 warps", {8, 40}, 32 * 128.0 * 32,
                    [&](unsigned n) { repeat<l1_hits<4, 4>><<<1, 1024>>>(n, table.clock(), memory, 0); });
    table.per_cycle("l1_hits_4_stride_32", "bytes/cycle/SM", "LDG.32, a sector a lane, that hit in L1; 32 warps", {8, 40},
                    32 * 128.0 * 32, [&](unsigned n) { repeat<l1_hits<4, 32>><<<1, 1024>>>(n, table.clock(), memory, 0); });

    // What L2 holds: 8 MiB, read again and again.
    constexpr std::size_t in_l2 = 8 * megabyte;
    char const* const l2 = "8 MiB, read again and again past L1";
    for (unsigned blocks : {1u, 16u}) in_flight<8>(table, memory, in_l2 / 8, "l2", "1 MiB, read again and again past L1", blocks, 1024);
    for (unsigned blocks : {32u, 128u, 256u}) in_flight<4>(table, memory, in_l2, "l2", l2, blocks, 1024);
    in_flight<1>(table, memory, in_l2, "l2", l2, 128, 128);
    in_flight<1>(table, memory, in_l2, "l2", l2, 128, 512);
    in_flight<4>(table, memory, in_l2, "l2", l2, 128, 128);
    in_flight<8>(table, memory, in_l2, "l2", l2, 128, 256);
    moved<moves::writes>(table, memory, in_l2, "write_l2", "8 MiB, written again and again", 256, 1024);
    moved<moves::copies>(table, memory, in_l2, "copy_l2", "8 MiB to other 8 MiB, both ways counted", 256, 1024);

    constexpr std::size_t far = 256 * megabyte;
    char const* const dram = "256 MiB";
    in_flight<1>(table, memory, far, "dram", dram, 128, 128);
    in_flight<1>(table, memory, far, "dram", dram, 128, 512);
    in_flight<4>(table, memory, far, "dram", dram, 128, 128);
    in_flight<8>(table, memory, far, "dram", dram, 128, 256);
    for (unsigned blocks : {32u, 128u, 256u}) in_flight<4>(table, memory, far, "dram", dram, blocks, 1024);
    moved<moves::writes>(table, memory, far, "write_dram", dram, 256, 1024);
    moved<moves::copies>(table, memory, far, "copy_dram", "256 MiB to other 256 MiB, both ways counted", 256, 1024);
    table.per_ns("scattered_stores_l2", "sectors/ns", "STG of 4 bytes a lane, a line each, in 32 MiB; 256 x 1024", {4, 20},
                 256.0 * 1024, [=](unsigned n) { scattered_stores<<<256, 1024>>>(n, memory, 32 * megabyte); });
    table.per_cycle("scattered_stores_one_sm", "sectors/cycle/SM", "the same by one block of 1024 in 1 MiB", {16, 80}, 1024,
                    [=](unsigned n) { scattered_stores<<<1, 1024>>>(n, memory, megabyte); });
}
