// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each pipe of an SM takes in a cycle, by the warps of one block on one SM. Each warp has eight chains, so that four
// warps and their latencies do not bound what is measured.
#include "bench.hpp"

namespace {

constexpr unsigned chains = 8;
constexpr unsigned steps = 16; // of a chain in a round

#define PIPE(name, type, constraint, per_text, text)                                                                   \
    struct name {                                                                                                      \
        static constexpr unsigned things = chains * steps;                                                             \
        type value[chains], other, third;                                                                              \
        __device__ name(unsigned char*, unsigned unknown)                                                              \
            : other(static_cast<type>(unknown + 1)), third(static_cast<type>(unknown + 3)) {                           \
            unrolled<chains>([&](unsigned k) { value[k] = static_cast<type>(unknown + threadIdx.x + k); });            \
        }                                                                                                              \
        __device__ void round() {                                                                                      \
            unrolled<steps / (per_text)>([&](unsigned) {                                                               \
                unrolled<chains>([&](unsigned k) {                                                                     \
                    asm volatile(text : "+" constraint(value[k]) : constraint(other), constraint(third));              \
                });                                                                                                    \
            });                                                                                                        \
        }                                                                                                              \
        __device__ unsigned result() const {                                                                           \
            type sum = value[0];                                                                                       \
            unrolled<chains>([&](unsigned k) { sum += value[k]; });                                                    \
            return static_cast<unsigned>(sum);                                                                         \
        }                                                                                                              \
    }

PIPE(fadd_chain, float, "f", 1, "add.rn.f32 %0, %0, %1;");
PIPE(ffma_chain, float, "f", 1, "fma.rn.f32 %0, %0, %1, %2;");
PIPE(hfma2_chain, unsigned, "r", 1, "fma.rn.f16x2 %0, %0, %1, %2;");
PIPE(dfma_chain, double, "d", 1, "fma.rn.f64 %0, %0, %1, %2;");
PIPE(iadd_chain, unsigned, "r", 2, "add.u32 %0, %0, %1; xor.b32 %0, %0, %2;");
PIPE(imad_chain, unsigned, "r", 1, "mad.lo.u32 %0, %0, %1, %2;");
PIPE(shift_chain, unsigned, "r", 1, "shf.l.wrap.b32 %0, %0, %1, %0;");
PIPE(popc_chain, unsigned, "r", 2, "popc.b32 %0, %0; add.u32 %0, %0, %1;");
PIPE(convert_chain, unsigned, "r", 4,
     "{ .reg .f32 f; add.u32 %0, %0, %1; cvt.rn.f32.u32 f, %0; cvt.rzi.u32.f32 %0, f; xor.b32 %0, %0, %2; }");
PIPE(mufu_chain, float, "f", 1, "ex2.approx.ftz.f32 %0, %0;");
PIPE(shuffle_chain, unsigned, "r", 1, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;");
PIPE(vote_chain, unsigned, "r", 2, "{ .reg .pred p; setp.lt.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }");
// A float and an integer in turn: both halves of the machine.
PIPE(ffma_and_iadd_chain, float, "f", 2,
     "{ .reg .b32 i; fma.rn.f32 %0, %0, %1, %2; mov.b32 i, %0; add.u32 i, i, 12345; mov.b32 %0, i; }");

struct mma {
    static constexpr unsigned things = chains * 4;
    float c[chains][4]{};
    unsigned a, b;
    __device__ mma(unsigned char*, unsigned unknown) : a(unknown), b(unknown + 1) {}
    __device__ void round() {
        unrolled<4>([&](unsigned) {
            unrolled<chains>([&](unsigned k) {
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, "
                             "{%0,%1,%2,%3};"
                             : "+f"(c[k][0]), "+f"(c[k][1]), "+f"(c[k][2]), "+f"(c[k][3])
                             : "r"(a), "r"(b));
            });
        });
    }
    __device__ unsigned result() const {
        float sum = 0;
        unrolled<chains>([&](unsigned k) { sum += c[k][0] + c[k][1] + c[k][2] + c[k][3]; });
        return static_cast<unsigned>(sum);
    }
};

// Loads of shared memory, `Words` of 4 bytes a lane, side by side. Each word holds its own address.
template <unsigned Words>
struct shared_load {
    static constexpr unsigned things = chains * 4;
    unsigned at[chains];
    unsigned others = 0; // so that all words are loaded
    __device__ shared_load(unsigned char*, unsigned) {
        __shared__ __align__(16) unsigned words[32 * 4 * chains];
        unsigned const first = static_cast<unsigned>(__cvta_generic_to_shared(words));
        for (unsigned i = threadIdx.x; i < 32 * Words * chains; i += blockDim.x) words[i] = first + 4 * (i - i % Words);
        unrolled<chains>([&](unsigned k) { at[k] = first + 4 * Words * (threadIdx.x % 32 + 32 * k); });
        __syncthreads();
    }
    __device__ void round() {
        unrolled<4>([&](unsigned) {
            unrolled<chains>([&](unsigned k) {
                if constexpr (Words == 1) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at[k])::"memory");
                else {
                    unsigned x, y, z;
                    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];"
                                 : "+r"(at[k]), "=r"(x), "=r"(y), "=r"(z)::"memory");
                    others ^= x ^ y ^ z;
                }
            });
        });
    }
    __device__ unsigned result() const {
        unsigned sum = others;
        unrolled<chains>([&](unsigned k) { sum += at[k]; });
        return sum;
    }
};

template <unsigned Words>
struct shared_store {
    static constexpr unsigned things = chains * 4;
    unsigned at, value;
    __device__ shared_store(unsigned char*, unsigned unknown) : value(unknown) {
        __shared__ __align__(16) unsigned words[32 * 4 * chains];
        at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + 4 * Words * (threadIdx.x % 32);
    }
    __device__ void round() {
        unrolled<4>([&](unsigned) {
            unrolled<chains>([&](unsigned k) {
                if constexpr (Words == 1)
                    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at + 128 * k), "r"(value) : "memory");
                else
                    asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at + 512 * k), "r"(value) : "memory");
            });
        });
    }
    __device__ unsigned result() const { return at; }
};

// @param counted the share of its instructions that count
template <class Work>
void pipe(time_table& table, char const* name, char const* what, double counted = 1, unsigned rounds = 16) {
    for (unsigned warps : {4u, 8u, 16u, 32u}) {
        table.per_cycle("pipe_" + std::string(name) + "_" + std::to_string(warps), "warp instructions/cycle/SM",
                        std::string(what) + "; " + std::to_string(warps) + " warps of an SM, eight chains a warp",
                        lengths{rounds, 5 * rounds}, Work::things * counted * warps,
                        [&](unsigned n) { repeat<Work><<<1, warp_lanes * warps>>>(n, table.clock(), nullptr, 0); });
    }
}

} // namespace

void pipes(time_table& table) {
    pipe<fadd_chain>(table, "fadd", "FADD");
    pipe<ffma_chain>(table, "ffma", "FFMA");
    pipe<hfma2_chain>(table, "hfma2", "HFMA2");
    pipe<dfma_chain>(table, "dfma", "DFMA");
    pipe<iadd_chain>(table, "iadd", "IADD3 and LOP3");
    pipe<imad_chain>(table, "imad", "IMAD");
    pipe<shift_chain>(table, "shift", "SHF");
    pipe<ffma_and_iadd_chain>(table, "ffma_iadd", "FFMA and IADD3, both counted");
    pipe<popc_chain>(table, "popc", "POPC, each with an IADD3 that is not counted", 0.5);
    pipe<convert_chain>(table, "convert", "F2I, each with I2FP, IADD3 and LOP3 that are not counted", 0.25);
    pipe<mufu_chain>(table, "mufu", "MUFU.EX2");
    pipe<shuffle_chain>(table, "shuffle", "SHFL");
    pipe<vote_chain>(table, "vote", "VOTE, each with an ISETP that is not counted", 0.5);
    pipe<mma>(table, "mma", "HMMA.16816.F32");
    pipe<shared_load<1>>(table, "lds_32", "LDS of 4 bytes a lane");
    pipe<shared_load<4>>(table, "lds_128", "LDS of 16 bytes a lane");
    pipe<shared_store<1>>(table, "sts_32", "STS of 4 bytes a lane");
    pipe<shared_store<4>>(table, "sts_128", "STS of 16 bytes a lane");
}
