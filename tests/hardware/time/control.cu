// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: branches that part a warp, calls, code that the caches of instructions do not hold.
#include "bench.hpp"

namespace {

// Both sides have 8 dependent FFMAs that no predicate replaces. `Lanes`: how many take the first side.
template <unsigned Lanes>
struct two_sides {
    static constexpr unsigned things = 4;
    float value;
    unsigned unknown;
    __device__ two_sides(unsigned char*, unsigned number) : value(static_cast<float>(number)), unknown(number) {}
    __device__ void round() {
        unrolled<things>([&](unsigned) {
            if (threadIdx.x % 32 + unknown < Lanes)
                unrolled<8>([&](unsigned) {
                    asm volatile("fma.rn.f32 %0, %0, 0f40000000, 0f3F800000;" : "+f"(value));
                });
            else
                unrolled<8>([&](unsigned) {
                    asm volatile("fma.rn.f32 %0, %0, 0f3F000000, 0f40400000;" : "+f"(value));
                });
            __syncwarp();
        });
    }
    __device__ unsigned result() const { return static_cast<unsigned>(value); }
};

// Each lane leaves a loop at its own time: 1 to 32 turns.
struct ragged_loop {
    static constexpr unsigned things = 1;
    unsigned value;
    __device__ ragged_loop(unsigned char*, unsigned unknown) : value(unknown) {}
    __device__ void round() {
#pragma unroll 1
        for (unsigned i = 0; i <= threadIdx.x % 32; ++i) asm volatile("mad.lo.u32 %0, %0, 77, 5;" : "+r"(value));
        __syncwarp();
    }
    __device__ unsigned result() const { return value; }
};

__device__ __noinline__ unsigned called(unsigned value) {
    asm volatile("mad.lo.u32 %0, %0, 77, 5;" : "+r"(value));
    return value;
}
struct calls {
    static constexpr unsigned things = 16;
    unsigned value;
    __device__ calls(unsigned char*, unsigned unknown) : value(unknown) {}
    __device__ void round() {
        unrolled<things>([&](unsigned) { value = called(value); });
    }
    __device__ unsigned result() const { return value; }
};

// A round of so many instructions of 16 bytes, in four chains.
template <unsigned Instructions>
struct long_code {
    static constexpr unsigned things = Instructions;
    float value[4];
    __device__ long_code(unsigned char*, unsigned unknown) {
        unrolled<4>([&](unsigned k) { value[k] = static_cast<float>(unknown + k); });
    }
    __device__ void round() {
        unrolled<Instructions / 64>([&](unsigned) {
            unrolled<64>([&](unsigned k) { asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value[k % 4])); });
        });
    }
    __device__ unsigned result() const { return static_cast<unsigned>(value[0] + value[1] + value[2] + value[3]); }
};
template <unsigned Kilobytes>
void of_code(time_table& table) {
    using work = long_code<Kilobytes * 1024 / 16>;
    for (unsigned warps : {1u, 8u})
        table.cycles("code_" + std::to_string(Kilobytes) + "k_" + std::to_string(warps),
                     "an FFMA of a loop of so many kilobytes of code, four chains; so many warps of one SM",
                     {(512 + Kilobytes - 1) / Kilobytes, 5 * ((512 + Kilobytes - 1) / Kilobytes)}, work::things,
                     [&](unsigned n) { repeat<work><<<1, 32 * warps>>>(n, table.clock(), nullptr, 0); });
}

template <class Work>
void flow(time_table& table, char const* name, char const* what) {
    table.cycles(name, what, {64, 320}, Work::things,
                 [&](unsigned n) { repeat<Work><<<1, 32>>>(n, table.clock(), nullptr, 0); });
}

} // namespace

void control(time_table& table) {
    flow<two_sides<32>>(table, "branch_uniform", "a branch that all lanes take alike, and 8 dependent FFMAs");
    flow<two_sides<16>>(table, "branch_halves", "a branch that parts the warp, 8 dependent FFMAs on each side");
    flow<two_sides<1>>(table, "branch_one_lane", "a branch of one lane, 8 dependent FFMAs on each side");
    flow<ragged_loop>(table, "loop_ragged", "a loop of 1 to 32 turns by lane, an IMAD each");
    flow<calls>(table, "call", "a call of a function of one IMAD");
    of_code<4>(table);
    of_code<32>(table);
    of_code<96>(table);
    of_code<256>(table);
}
