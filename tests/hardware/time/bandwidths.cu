// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that each level of memory moves in a time, by the number of blocks and by the bytes that they have under way.
#include <type_traits>

#include "bench.hpp"

namespace {

constexpr std::size_t megabyte = 1 << 20;

// Hits in L1: all warps read the same 16 KiB, `Bytes` a lane, lanes `Stride` bytes apart.
template <unsigned Bytes, unsigned Stride>
struct l1_hits {
    static constexpr unsigned things = 8; // different addresses, which no compiler makes one
    unsigned char const* at;
    unsigned turn = 0; // another address each round: the compiler keeps the loads in the loop
    unsigned sum = 0;
    __device__ l1_hits(unsigned char* memory, unsigned) : at(memory + threadIdx.x % 32 * Stride) {}
    __device__ void round() {
        turn ^= 8192;
        unsigned char const* const now = at + turn;
        unrolled<things>([&](unsigned i) {
            unsigned x, y = 0, z = 0, w = 0;
            if constexpr (Bytes == 16)
                asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                             : "l"(now + i * Stride * 32));
            else asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(now + i * Stride * 32));
            sum ^= x ^ y ^ z ^ w;
        });
    }
    __device__ unsigned result() const { return sum; }
};

// Each thread reads, writes or copies 16 bytes at a time, `Under_way` of them before it uses the first. All go through `bytes` of
// memory `passes` times; the grid's threads times Under_way times 16 divide it. Copies and writes go to what follows.
enum class moves { reads, writes, copies };
template <moves What, unsigned Under_way>
__global__ void stream(unsigned passes, unsigned char* memory, std::size_t bytes, unsigned* never) {
    std::size_t const stride = std::size_t{gridDim.x} * blockDim.x * 16;
    unsigned sum = 0;
    for (unsigned k = 0; k < passes; ++k)
        for (std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) * 16; at < bytes;
             at += stride * Under_way) {
            uint4 values[Under_way]{};
            if constexpr (What != moves::writes)
                unrolled<Under_way>([&](unsigned i) {
                    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(values[i].x), "=r"(values[i].y), "=r"(values[i].z), "=r"(values[i].w)
                                 : "l"(memory + at + i * stride));
                });
            if constexpr (What != moves::reads)
                unrolled<Under_way>([&](unsigned i) {
                    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(memory + bytes + at + i * stride),
                                 "r"(values[i].x), "r"(values[i].y), "r"(values[i].z), "r"(values[i].w)
                                 : "memory");
                });
            if constexpr (What == moves::reads)
                unrolled<Under_way>([&](unsigned i) { sum ^= values[i].x ^ values[i].y ^ values[i].z ^ values[i].w; });
        }
    if (sum == 0x5eed1234u) *never = sum;
}

// A store of 4 bytes a lane to 32 lines.
__global__ void scattered_stores(unsigned n, unsigned char* memory, std::size_t bytes) {
    std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) * 128;
    for (unsigned i = 0; i < n; ++i) {
        asm volatile("st.global.u32 [%0], 0;" ::"l"(memory + at) : "memory");
        at += std::size_t{gridDim.x} * blockDim.x * 128;
        if (at >= bytes) at -= bytes;
    }
}

// A store of 4 bytes a lane, side by side.
__global__ void whole_lines(unsigned n, unsigned char* memory, std::size_t bytes) {
    std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) * 4;
    for (unsigned i = 0; i < n; ++i) {
        asm volatile("st.global.u32 [%0], 0;" ::"l"(memory + at) : "memory");
        at += std::size_t{gridDim.x} * blockDim.x * 4;
        if (at >= bytes) at -= bytes;
    }
}

// One row: `bytes` of L2 that are gone through again and again, or n times as many of device memory. There, the two lengths lie in
// parts of memory of their own, and each displaces the other from L2.
template <moves What, unsigned Under_way>
void moved(time_table& table, char const* name, std::size_t bytes, bool in_l2, unsigned blocks, unsigned block) {
    auto* const memory = static_cast<unsigned char*>(table.memory(512 * megabyte));
    std::string const row = std::string(name) + "_" + std::to_string(blocks) + "x" + std::to_string(block) + "_" +
                            std::to_string(Under_way);
    std::string const parameters = std::to_string(bytes / megabyte) +
                                   (in_l2 ? " MiB again and again, past L1" : " and 192 MiB") +
                                   (What == moves::copies ? " copied, both ways counted" : "") +
                                   "; blocks x threads, accesses of 16 bytes that a thread has under way";
    table.per_ns(row, "GB/s", parameters, in_l2 ? lengths{4, 20} : lengths{1, 3},
                 static_cast<double>(bytes) * (What == moves::copies ? 2 : 1), [=, &table](unsigned n) {
                     auto* const never = reinterpret_cast<unsigned*>(table.clock() + 1);
                     if (in_l2) stream<What, Under_way><<<blocks, block>>>(n, memory, bytes, never);
                     else
                         stream<What, Under_way>
                             <<<blocks, block>>>(1, memory + (n == 1 ? 384 * megabyte : 0), n * bytes, never);
                 });
}

} // namespace

void bandwidths(time_table& table) {
    auto* const memory = static_cast<unsigned char*>(table.memory(512 * megabyte));
    for (unsigned warps : {4u, 8u, 16u, 32u}) {
        table.per_cycle("l1_hits_16_" + std::to_string(warps), "bytes/cycle/SM",
                        "LDG.128 that hit in L1; this many warps", {32, 160}, 8 * 512.0 * warps,
                        [&](unsigned n) { repeat<l1_hits<16, 16>><<<1, 32 * warps>>>(n, table.clock(), memory, 0); });
    }
    table.per_cycle("l1_hits_4_32", "bytes/cycle/SM", "LDG.32 side by side that hit in L1; 32 warps", {32, 160},
                    8 * 128.0 * 32,
                    [&](unsigned n) { repeat<l1_hits<4, 4>><<<1, 1024>>>(n, table.clock(), memory, 0); });
    auto const apart = [&](auto stride) { // each lane a line of its own, or nearly: in different banks
        constexpr unsigned bytes = decltype(stride)::value;
        table.per_cycle("l1_hits_4_stride_" + std::to_string(bytes), "lanes/cycle/SM",
                        "LDG.32, lanes so many bytes apart, that hit in L1; 32 warps", {32, 160}, 8 * 32.0 * 32,
                        [&](unsigned n) { repeat<l1_hits<4, bytes>><<<1, 1024>>>(n, table.clock(), memory, 0); });
    };
    apart(std::integral_constant<unsigned, 36>{});
    apart(std::integral_constant<unsigned, 68>{});
    apart(std::integral_constant<unsigned, 132>{});
    apart(std::integral_constant<unsigned, 260>{});
    table.per_cycle("l1_hits_4_stride_32", "bytes/cycle/SM", "LDG.32, a sector a lane, that hit in L1; 32 warps",
                    {32, 160}, 8 * 128.0 * 32,
                    [&](unsigned n) { repeat<l1_hits<4, 32>><<<1, 1024>>>(n, table.clock(), memory, 0); });

    using enum moves;
    moved<reads, 8>(table, "read_l2", megabyte, true, 1, 1024);
    moved<reads, 8>(table, "read_l2", megabyte, true, 8, 1024);
    moved<reads, 4>(table, "read_l2", 8 * megabyte, true, 32, 1024);
    moved<reads, 4>(table, "read_l2", 8 * megabyte, true, 128, 1024);
    moved<reads, 1>(table, "read_l2", 8 * megabyte, true, 128, 128);
    moved<reads, 1>(table, "read_l2", 8 * megabyte, true, 128, 512);
    moved<reads, 4>(table, "read_l2", 8 * megabyte, true, 128, 128);
    moved<reads, 8>(table, "read_l2", 8 * megabyte, true, 128, 256);
    moved<reads, 4>(table, "read_l2_32m", 32 * megabyte, true, 256, 1024);
    moved<writes, 4>(table, "write_l2", 8 * megabyte, true, 128, 1024);
    moved<copies, 4>(table, "copy_l2", 8 * megabyte, true, 128, 1024);

    moved<reads, 1>(table, "read_dram", 64 * megabyte, false, 128, 128);
    moved<reads, 1>(table, "read_dram", 64 * megabyte, false, 128, 512);
    moved<reads, 4>(table, "read_dram", 64 * megabyte, false, 128, 128);
    moved<reads, 8>(table, "read_dram", 64 * megabyte, false, 128, 256);
    moved<reads, 4>(table, "read_dram", 64 * megabyte, false, 32, 1024);
    moved<reads, 4>(table, "read_dram", 64 * megabyte, false, 128, 1024);
    moved<reads, 4>(table, "read_dram", 64 * megabyte, false, 256, 1024);
    moved<writes, 4>(table, "write_dram", 64 * megabyte, false, 256, 1024);
    moved<copies, 4>(table, "copy_dram", 64 * megabyte, false, 256, 1024);

    table.per_ns("scattered_stores_l2", "sectors/ns", "STG of 4 bytes a lane, a line each, in 32 MiB; 256 x 1024",
                 {4, 20}, 256.0 * 1024, [=](unsigned n) { scattered_stores<<<256, 1024>>>(n, memory, 32 * megabyte); });
    table.per_cycle("scattered_stores_one_sm", "sectors/cycle/SM", "the same by one block of 1024 in 1 MiB", {16, 80},
                    1024, [=](unsigned n) { scattered_stores<<<1, 1024>>>(n, memory, megabyte); });
    for (unsigned sms : {1u, 8u, 16u, 66u, 132u})
        table.per_cycle("stores_" + std::to_string(sms) + "_sms", "sectors/cycle/SM",
                        "STG of 4 bytes a lane side by side, by a block of 1024 each in 1 MiB of all", {64, 320}, 128,
                        [=](unsigned n) { whole_lines<<<sms, 1024>>>(n, memory, megabyte); });
}
