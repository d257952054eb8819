// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Latencies of instructions: one warp, each instruction takes the result of the one before.
#include <cuda_fp16.h>

#include "bench.hpp"

namespace {

constexpr unsigned steps = 128; // of a round, so that the loop's own instructions are 2 % of it or less

// A chain in one register: STEP is its text, %0 the chain, %1 and %2 unknown numbers. Where two steps of a kind could be made
// one by the compiler, the text has two kinds, and says 2.
#define CHAIN(name, type, constraint, per_text, text)                                                                  \
    struct name {                                                                                                      \
        static constexpr unsigned things = steps;                                                                      \
        type value, other, third;                                                                                      \
        __device__ name(unsigned char*, unsigned unknown)                                                              \
            : value(static_cast<type>(unknown + threadIdx.x + 1)), /* 0 sends divisions their slow way */              \
              other(static_cast<type>(unknown + 1)),                                                                   \
              third(static_cast<type>(unknown + 3)) {}                                                                 \
        __device__ void round() {                                                                                      \
            unrolled<steps / (per_text)>([&](unsigned) {                                                               \
                asm volatile(text : "+" constraint(value) : constraint(other), constraint(third));                     \
            });                                                                                                        \
        }                                                                                                              \
        __device__ unsigned result() const { return static_cast<unsigned>(value); }                                    \
    }

CHAIN(fadd_chain, float, "f", 1, "add.rn.f32 %0, %0, %1;");
CHAIN(fmul_chain, float, "f", 1, "mul.rn.f32 %0, %0, %1;");
CHAIN(ffma_chain, float, "f", 1, "fma.rn.f32 %0, %0, %1, %2;");
CHAIN(dadd_chain, double, "d", 1, "add.rn.f64 %0, %0, %1;");
CHAIN(dfma_chain, double, "d", 1, "fma.rn.f64 %0, %0, %1, %2;");
CHAIN(hfma2_chain, unsigned, "r", 1, "fma.rn.f16x2 %0, %0, %1, %2;");
CHAIN(iadd_chain, unsigned, "r", 2, "add.u32 %0, %0, %1; xor.b32 %0, %0, %2;");
CHAIN(imad_chain, unsigned, "r", 1, "mad.lo.u32 %0, %0, %1, %2;");
CHAIN(shift_chain, unsigned, "r", 1, "shf.l.wrap.b32 %0, %0, %1, %0;");
CHAIN(minimum_chain, unsigned, "r", 2, "min.u32 %0, %0, %1; max.u32 %0, %0, %2;");
CHAIN(compare_select_chain, unsigned, "r", 2, "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p; }");
CHAIN(popc_chain, unsigned, "r", 1, "popc.b32 %0, %0;");
CHAIN(to_float_and_back_chain, unsigned, "r", 4,
      "{ .reg .f32 f; add.u32 %0, %0, %1; cvt.rn.f32.u32 f, %0; cvt.rzi.u32.f32 %0, f; xor.b32 %0, %0, %2; }");
CHAIN(mufu_ex2_chain, float, "f", 1, "ex2.approx.ftz.f32 %0, %0;");
CHAIN(mufu_rsq_chain, float, "f", 1, "rsqrt.approx.ftz.f32 %0, %0;");
CHAIN(shuffle_chain, unsigned, "r", 1, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;");
CHAIN(vote_chain, unsigned, "r", 2, "{ .reg .pred p; setp.lt.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }");
CHAIN(redux_chain, unsigned, "r", 1, "redux.sync.add.u32 %0, %0, 0xffffffff;");
CHAIN(match_chain, unsigned, "r", 1, "match.any.sync.b32 %0, %0, 0xffffffff;");
CHAIN(divide_chain, unsigned, "r", 1, "div.u32 %0, %1, %0; or.b32 %0, %0, %2;");
CHAIN(divide_float_chain, float, "f", 1, "div.rn.f32 %0, %1, %0;");
CHAIN(root_float_chain, float, "f", 1, "sqrt.rn.f32 %0, %0;");
CHAIN(divide_double_chain, double, "d", 1, "div.rn.f64 %0, %1, %0;");

// C is the chain of a product of matrices.
struct mma {
    static constexpr unsigned things = steps;
    float c[4]{};
    unsigned a, b;
    __device__ mma(unsigned char*, unsigned unknown) : a(unknown), b(unknown + 1) {}
    __device__ void round() {
        unrolled<steps>([&](unsigned) {
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, "
                         "{%0,%1,%2,%3};"
                         : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                         : "r"(a), "r"(b));
        });
    }
    __device__ unsigned result() const { return static_cast<unsigned>(c[0] + c[1] + c[2] + c[3]); }
};

// Each word of shared memory holds its own address: a load gives the address of the next. `Ways` lanes read the same bank.
template <unsigned Ways>
struct shared_load {
    static constexpr unsigned things = steps;
    unsigned at;
    __device__ shared_load(unsigned char*, unsigned) {
        __shared__ unsigned words[1024];
        unsigned const first = static_cast<unsigned>(__cvta_generic_to_shared(words));
        for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = first + 4 * i;
        at = first + 4 * (threadIdx.x % (32 / Ways) + 32 * (threadIdx.x % 32 / (32 / Ways)));
        __syncthreads();
    }
    __device__ void round() {
        unrolled<steps>([&](unsigned) { asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory"); });
    }
    __device__ unsigned result() const { return at; }
};

// All lanes follow links through constant memory, which are all 0.
__constant__ unsigned links[64];
struct constant_load {
    static constexpr unsigned things = steps;
    unsigned at;
    __device__ constant_load(unsigned char*, unsigned unknown) : at(unknown & 0) {}
    __device__ void round() {
        unrolled<steps>([&](unsigned) {
            at = *reinterpret_cast<unsigned const volatile*>(reinterpret_cast<char const*>(links) + at);
        });
    }
    __device__ unsigned result() const { return at; }
};

// A loop of one dependent instruction: what the loop itself costs.
struct loop_only {
    static constexpr unsigned things = 1;
    unsigned value;
    __device__ loop_only(unsigned char*, unsigned unknown) : value(unknown) {}
    __device__ void round() { asm volatile("mad.lo.u32 %0, %0, 77, 5;" : "+r"(value)); }
    __device__ unsigned result() const { return value; }
};

template <class Work>
void latency(time_table& table, char const* name, char const* parameters, unsigned rounds = 64) {
    table.cycles(std::string("latency_") + name, parameters, {rounds, 5 * rounds}, Work::things,
                 [&](unsigned n) { repeat<Work><<<1, 32>>>(n, table.clock(), nullptr, 0); });
}

} // namespace

void latencies(time_table& table) {
    latency<fadd_chain>(table, "fadd", "dependent FADD of one warp");
    latency<fmul_chain>(table, "fmul", "dependent FMUL");
    latency<ffma_chain>(table, "ffma", "dependent FFMA");
    latency<hfma2_chain>(table, "hfma2", "dependent HFMA2 and HFMA2.MMA in turn, as the compiler has it");
    latency<dadd_chain>(table, "dadd", "dependent DADD");
    latency<dfma_chain>(table, "dfma", "dependent DFMA");
    latency<iadd_chain>(table, "iadd", "IADD3 and LOP3 in turn");
    latency<imad_chain>(table, "imad", "dependent IMAD");
    latency<shift_chain>(table, "shift", "dependent SHF");
    latency<minimum_chain>(table, "min_max", "minimum and maximum in turn");
    latency<compare_select_chain>(table, "compare_select", "ISETP and SEL in turn; the mean");
    latency<popc_chain>(table, "popc", "dependent POPC");
    latency<to_float_and_back_chain>(table, "convert", "IADD3, I2FP, F2I and LOP3 in turn; the mean");
    latency<mufu_ex2_chain>(table, "mufu_ex2", "dependent MUFU.EX2");
    latency<mufu_rsq_chain>(table, "mufu_rsq", "dependent MUFU.RSQ");
    latency<shuffle_chain>(table, "shuffle", "dependent SHFL.BFLY");
    latency<vote_chain>(table, "vote", "ISETP and VOTE in turn; the mean");
    latency<redux_chain>(table, "redux", "dependent REDUX and its move from a uniform register");
    latency<match_chain>(table, "match", "dependent MATCH.ANY");
    latency<divide_chain>(table, "divide_u32", "integer division, its whole sequence, and an OR", 8);
    latency<divide_float_chain>(table, "divide_f32", "dependent rounded float division, its whole sequence", 8);
    latency<root_float_chain>(table, "root_f32", "dependent rounded float root, its whole sequence", 8);
    latency<divide_double_chain>(table, "divide_f64", "dependent rounded double division, its whole sequence", 8);
    latency<mma>(table, "mma_m16n8k16", "dependent HMMA.16816.F32 by its sum");
    latency<shared_load<1>>(table, "lds", "dependent LDS, no bank conflict");
    latency<shared_load<2>>(table, "lds_2_ways", "dependent LDS, 2 words a bank");
    latency<shared_load<4>>(table, "lds_4_ways", "dependent LDS, 4 words a bank");
    latency<shared_load<8>>(table, "lds_8_ways", "dependent LDS, 8 words a bank");
    latency<shared_load<32>>(table, "lds_32_ways", "dependent LDS, 32 words a bank");
    latency<constant_load>(table, "ldc", "dependent LDC, all lanes the same word");
    latency<loop_only>(table, "loop", "a loop of four instructions: IMAD, IADD3, ISETP, BRA", 2048);
}
