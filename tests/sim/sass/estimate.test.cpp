// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas makes of PTX, as the counters show it: each case is what an H200 counts for such code (h200_kernels.txt).
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "count_of_body.hpp"

namespace estimate_test {

TEST_CASE("a warp executes what a short branch would skip, for none of its threads") {
    std::string const skip = "setp.gt.u32 %p, %tid0, 31;\n@%p bra over;\n";
    std::string const store = "mov.u32 %r1, tile;\nst.shared.u32 [%r1], %tid0;\n";
    std::string const over = "over:\nbar.sync 0;\n";
    auto const predicated = count(skip + store + over, 64);
    CHECK(predicated[inst_shared_st] == 2); // both warps
    CHECK(predicated[shared_wavefronts_st] == 1);
    std::string work;
    for (int i = 0; i < 10; ++i) work += "mul.lo.u32 %tid0, %tid0, %tid0;\n";
    auto const branched = count(skip + work + store + over, 64);
    CHECK(branched[inst_shared_st] == 1);
    CHECK(branched[shared_wavefronts_st] == 1);
}

// The instructions that a warp executes of ptxas 13.0's code for sm_90 of the same kernel, as nvdisasm lists them, of ordinary
// numbers: without what only others need.
TEST_CASE("a warp executes as many instructions as the machine code has") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1;\n";
    std::string const slot = "mov.u32 %r2, tile; shl.b32 %r3, %tid0, 2; add.u32 %r4, %r2, %r3;\n";
    std::string const floats = address + "ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d2+4];\n";
    std::string const wide = address + "ld.global.u64 %d3, [%d2];\n", one = address + "ld.global.u32 %r1, [%d2];\n";
    std::string const words = address + "ld.global.u32 %r1, [%d2]; ld.global.u32 %r2, [%d2+4];\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {address + "st.global.u32 [%d2], 7;", 9},
        {address + "st.global.u32 [%d2], 0;", 8},
        {floats + "add.f32 %f1, %f1, 0f3F800000; add.f32 %f2, %f2, 0f3F800000; div.rn.f32 %f3, %f1, %f2;\n"
                  "st.global.f32 [%d2], %f3;",
         22},
        {address + "ld.global.f32 %f1, [%d2]; add.f32 %f1, %f1, 0f3F800000; sqrt.rn.f32 %f3, %f1;\n"
                   "st.global.f32 [%d2], %f3;",
         20},
        {address + "ld.global.f64 %g1, [%d2]; ld.global.f64 %g2, [%d2+2048]; add.f64 %g1, %g1, 0d3FF0000000000000;\n"
                   "add.f64 %g2, %g2, 0d3FF0000000000000; div.rn.f64 %g3, %g1, %g2; st.global.f64 [%d2], %g3;",
         28},
        {address + "ld.global.f64 %g1, [%d2]; add.f64 %g1, %g1, 0d3FF0000000000000; sqrt.rn.f64 %g3, %g1;\n"
                   "st.global.f64 [%d2], %g3;",
         28},
        {words + "div.u32 %r3, %r1, %r2; st.global.u32 [%d2], %r3;", 28},
        {words + "div.u32 %r3, %r1, %r2; rem.u32 %r4, %r1, %r2; st.global.u32 [%d2], %r3; st.global.u32 [%d2+4], %r4;",
         32},
        {words + "ld.global.u32 %r5, [%d2+8]; div.u32 %r3, %r1, %r2; div.u32 %r4, %r5, %r2;\n"
                 "st.global.u32 [%d2], %r3; st.global.u32 [%d2+4], %r4;",
         40},
        {"mov.u32 %r1, tile; shl.b32 %r2, %tid0, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %tid0;", 9},
        {"mov.u32 %r1, tile; and.b32 %r2, %tid0, 28; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %tid0;", 9},
        {"mov.u32 %r1, tile; mov.u32 %r4, other; and.b32 %r2, %tid0, 28; add.u32 %r3, %r1, %r2; add.u32 %r5, %r4, "
         "%r2;\n"
         "st.shared.u32 [%r3], %tid0; bar.sync 0; st.shared.u32 [%r5], %tid0;",
         13},
        {address + "add.u64 %d3, %d2, 128; ld.global.u32 %r1, [%d3]; st.global.u32 [%d3+4], %r1;", 9},
        {address + "shr.u32 %r1, %tid0, 3; add.u32 %r2, %r1, %tid0; st.global.u32 [%d2], %r2;", 9},
        {"and.b32 %r1, %tid0, 64; setp.ne.u32 %p, %r1, 0; @%p bra over;\n" + address +
             "st.global.u32 [%d2], %tid0;\nover:",
         10},
        {"red.global.add.u32 [%to], %tid0;", 13},
        {slot + "red.global.add.u32 [%to], 1; st.shared.u32 [%r4], %tid0;", 17},
        {slot + "atom.global.add.u32 %r1, [%to], 1; st.shared.u32 [%r4], %r1;", 22},
        {address + "ld.const.f32 %f1, [numbers]; ld.const.f32 %f2, [numbers+4]; ld.global.f32 %f3, [%d2];\n"
                   "mul.f32 %f3, %f3, %f1; mul.f32 %f3, %f3, %f2; st.global.f32 [%d2], %f3;",
         12},
        {address + "st.global.u32 [%d2], %tid0; fence.acq_rel.gpu; st.global.u32 [%d2+4], %tid0;", 13},
        {wide + "shr.u64 %d3, %d3, 8; and.b64 %d3, %d3, 255; cvt.u32.u64 %r1, %d3; st.global.u32 [%d2], %r1;", 11},
        {wide + "shr.u64 %d3, %d3, 40; cvt.u32.u64 %r1, %d3; st.global.u32 [%d2], %r1;", 10},
        {wide + "add.u64 %d3, %d3, %d2; cvt.u32.u64 %r1, %d3; st.global.u32 [%d2], %r1;", 10},
        {wide + "shr.u64 %d1, %d3, 4; add.u64 %d3, %d1, %d3; st.global.u64 [%d2], %d3;", 12},
        {wide +
             "ld.global.u64 %d1, [%d2+8]; mul.lo.u64 %d1, %d3, %d1; add.u64 %d3, %d1, %d2; st.global.u64 [%d2], %d3;",
         14},
        {address + "ld.global.f32 %f1, [%d2]; fma.rn.f32 %f1, %f1, 0f3FB8AA3B, 0f3F000000; st.global.f32 [%d2], %f1;",
         11},
        {address + "ld.global.f64 %g1, [%d2]; fma.rn.f64 %g1, %g1, %g1, 0d3FB999999999999A; st.global.f64 [%d2], %g1;",
         12},
        {address + "ld.global.f64 %g1, [%d2]; fma.rn.f64 %g1, %g1, %g1, 0d3FE0000000000000; st.global.f64 [%d2], %g1;",
         10},
        {one + "setp.eq.u32 %p, %r1, 3; selp.b32 %r1, 7, 9, %p; st.global.u32 [%d2], %r1;", 12},
        {one + "setp.gt.u32 %p, %r1, 99; @%p bra more; shr.u32 %r1, %r1, 3; bra.uni over;\n"
               "more: add.u32 %r1, %r1, 5;\nover: st.global.u32 [%d2], %r1;",
         12},
        {one + "setp.gt.u32 %p, %r1, 99; @%p bra more; bra.uni less;\n"
               "more: shr.u32 %r1, %r1, 3;\nless: st.global.u32 [%d2], %r1;",
         11},
        {one + "ld.global.u32 %r2, [%d2+4]; ld.global.u32 %r3, [%d2+8]; mul.lo.u32 %r4, %r1, %r2;\n"
               "sub.u32 %r5, %r3, %r4; st.global.u32 [%d2], %r5;",
         13},
        {one + "ld.global.u32 %r3, [%d2+8]; mul.lo.u32 %r4, %r1, 7; sub.u32 %r5, %r3, %r4; st.global.u32 [%d2], %r5;",
         11},
        {address + "ld.global.f32 %f1, [%d2]; mul.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f1; st.global.f32 [%d2], %f3;",
         10},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

// As above. Rotations, and logic of three numbers in each word, are joined.
TEST_CASE("64-bit integers take the instructions that their words need") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1;\n";
    std::string const one = address + ".reg .u64 %e<6>; ld.global.u64 %d3, [%d2];\n";
    std::string const two = one + "ld.global.u64 %d1, [%d2+8];\n";
    std::string const three = two + "ld.global.u64 %e0, [%d2+16];\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {one + "shl.b64 %e1, %d3, 31; shr.u64 %e2, %d3, 33; add.u64 %e3, %e1, %e2; st.global.u64 [%d2], %e3;", 11},
        {three + "xor.b64 %e1, %d3, %d1; xor.b64 %e2, %e1, %e0; st.global.u64 [%d2], %e2;", 13},
        {three + "xor.b64 %e1, %d3, %d1; and.b64 %e2, %e1, %e0; xor.b64 %e3, %e2, %d1; st.global.u64 [%d2], %e3;", 13},
        {two + "mul.lo.u64 %e1, %d3, %d1; add.u64 %e2, %e1, 5; st.global.u64 [%d2], %e2;", 16},
        {two + "mul.hi.u64 %e1, %d3, %d1; st.global.u64 [%d2], %e1;", 17},
        {one + "and.b64 %d3, %d3, 15; setp.ne.s64 %p, %d3, 0; selp.u32 %r1, %tid0, 0, %p; st.global.u32 [%d2], %r1;",
         11},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

// As above: LOP3 takes three numbers, R2P finds predicates of several bits of a byte, ISETP combines its result with a predicate and
// a test of bits does not, halves are cut out before they are compared, and what is made of numbers alone is computed beforehand.
TEST_CASE("logic, tests and predicates are joined") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1;\n";
    std::string const one = address + ".reg .pred %q<4>; .reg .u32 %s<9>; .reg .b16 %h<4>; ld.global.u32 %r1, [%d2];\n";
    std::string const two = one + "ld.global.u32 %r2, [%d2+4];\n";
    std::string const test = two + "and.b32 %r3, %r1, 255; setp.eq.s32 %q0, %r3, 0;\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {two + "ld.global.u32 %s2, [%d2+8]; ld.global.u32 %s3, [%d2+12]; xor.b32 %s4, %r1, %r2;\n"
               "xor.b32 %s5, %s4, %s2; xor.b32 %s6, %s5, %s3; st.global.u32 [%d2], %s6;",
         14},
        {one + "mov.u32 %r5, 0; and.b32 %r2, %r1, 2; setp.eq.s32 %q0, %r2, 0; @%q0 bra a; ld.global.u32 %r5, [%d2+4];\n"
               "a: and.b32 %r3, %r1, 4; setp.eq.s32 %q1, %r3, 0; @%q1 bra b; ld.global.u32 %r6, [%d2+8];\n"
               "xor.b32 %r5, %r5, %r6;\n"
               "b: and.b32 %r4, %r1, 8; setp.eq.s32 %q2, %r4, 0; @%q2 bra c; ld.global.u32 %r7, [%d2+12];\n"
               "xor.b32 %r5, %r5, %r7;\nc: st.global.u32 [%d2], %r5;",
         16},
        {test + "and.b32 %r4, %r2, 48; setp.eq.s32 %q1, %r4, 0; and.pred %q2, %q0, %q1;\n"
                "selp.u32 %r5, %r1, %r2, %q2; st.global.u32 [%d2], %r5;",
         14},
        {test + "setp.gt.s32 %q1, %r2, 7; and.pred %q2, %q0, %q1; selp.u32 %r5, %r1, %r2, %q2;\n"
                "st.global.u32 [%d2], %r5;",
         13},
        {one + "cvt.u16.u32 %h1, %r1; setp.gt.s16 %p, %h1, 5; selp.u32 %r2, %tid0, %r1, %p; st.global.u32 [%d2], %r2;",
         12},
        {one + "mov.u32 %s1, WARP_SZ; shl.b32 %s2, %s1, 8; add.s32 %s3, %s2, -8192; or.b32 %s4, %s3, 31;\n"
               "shfl.sync.bfly.b32 %r2, %r1, 1, %s4, -1; st.global.u32 [%d2], %r2;",
         10},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

// As above: one HFMA2 or HADD2 for both halves of a word, unless the halves change places.
TEST_CASE("an instruction does the same operation for both halves of a word") {
    std::string const halves =
        "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1; .reg .b16 %h<9>; ld.global.u32 %r1, [%d2];\n"
        "ld.global.u32 %r2, [%d2+4]; mov.b32 {%h0, %h1}, %r1; mov.b32 {%h2, %h3}, %r2;\n";
    std::string const store = "st.global.u32 [%d2], %r3;";
    auto const instructions = [&](std::string const& operations) {
        return count(halves + operations + store)[inst_executed];
    };
    CHECK(instructions("mul.f16 %h4, %h0, %h2; mul.f16 %h5, %h1, %h3; add.f16 %h6, %h4, %h0; add.f16 %h7, %h5, %h1;\n"
                       "mov.b32 %r3, {%h6, %h7};") == 11);
    CHECK(instructions("add.f16 %h4, %h0, %h2; add.f16 %h5, %h1, %h2; mov.b32 %r3, {%h4, %h5};") == 11);
    CHECK(instructions("add.f16 %h4, %h0, %h3; mov.b32 %r3, {%h4, %h4};") == 11);
    CHECK(instructions("add.f16 %h4, %h0, %h3; add.f16 %h5, %h1, %h2; mov.b32 %r3, {%h4, %h5};") == 13);
}

// As above, of 32 rounds: UMOV or MOV before a short loop that loads nothing from global memory, in each round of others. A sign
// before the loop is one of FFMA's operand.
TEST_CASE("numbers are moved into registers before short loops and in long ones") {
    std::string const begin =
        "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1; mov.u32 %r1, 0; mov.u32 %r2, %ntid.x;\n";
    std::string const again = "again:\n.pragma \"nounroll\";\n";
    std::string const end = "add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, %r2; @%p bra again;\n";
    auto const doubles = [&](int operations) {
        std::string work = "fma.rn.f64 %g1, %g1, %g2, 0d3FB999999999999A;\n";
        for (int i = 1; i < operations; ++i) work += "fma.rn.f64 %g1, %g1, %g2, %g2;\n";
        return count(begin + "ld.global.f64 %g1, [%d2]; ld.global.f64 %g2, [%d2+8];\n" + again + work + end +
                     "st.global.f64 [%d2], %g1;")[inst_executed];
    };
    CHECK(doubles(4) == 12 + 32 * 7 + 2);
    CHECK(doubles(12) == 10 + 32 * 17 + 2);
    auto const single = [&](std::string const& before, std::string const& work) {
        return count(begin + "ld.global.f32 %f1, [%d2];\n" + before + again + work + end +
                     "st.global.f32 [%d2], %f1;")[inst_executed];
    };
    std::string const fused = "fma.rn.f32 %f1, %f1, 0f3E99999A, 0f3F333333;\n";
    CHECK(single("", fused) == 10 + 32 * 4 + 2);
    CHECK(single("", fused + "st.global.f32 [%d2+8], %f1;\n") == 10 + 32 * 5 + 2);
    CHECK(single("", fused + "ld.volatile.global.f32 %f3, [%d2]; add.f32 %f1, %f1, %f3;\n") == 9 + 32 * 7 + 2);
    CHECK(single("ld.global.f32 %f2, [%d2+4]; neg.f32 %f3, %f2;\n", "fma.rn.f32 %f1, %f1, %f3, %f1;\n") ==
          10 + 32 * 4 + 2);
}

// DFMA, DMUL and DADD of the subroutines that ptxas 13.0 calls for sm_90, for each thread of 32: with those of the inlined code.
TEST_CASE("divisions and roots of doubles take a slow way for numbers that they do not compute in line") {
    std::string const begin = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1; cvt.rn.f64.u32 %g1, %tid0;\n";
    std::string const store = "st.global.f64 [%d2], %g3;";
    auto const quotients = [&](std::string const& work) { return count(begin + work + store); };
    auto const of_zero = quotients("mov.f64 %g2, 0d4008000000000000; div.rn.f64 %g3, %g1, %g2;"); // 0 / 3 of one thread
    CHECK(of_zero[thread_dfma] == 7 * 32 + 8);
    CHECK(of_zero[thread_dmul] == 1 * 32 + 1);
    auto const by_zero = quotients("mov.f64 %g2, 0d4008000000000000; div.rn.f64 %g3, %g2, %g1;"); // 3 / 0
    CHECK(by_zero[thread_dfma] == 7 * 32 + 7);
    CHECK(by_zero[thread_dmul] == 1 * 32 + 2);
    CHECK(by_zero[inst_executed] == of_zero[inst_executed]);
    auto const ordinary = quotients("add.f64 %g2, %g1, 0d3FF0000000000000; div.rn.f64 %g3, %g2, %g2;");
    CHECK(ordinary[thread_dfma] == 7 * 32);
    CHECK(ordinary[thread_dmul] == 1 * 32);
    auto const root = quotients("sqrt.rn.f64 %g3, %g1;"); // of 0
    CHECK(root[thread_dadd] == 1);
    auto const negative = quotients("sub.f64 %g2, %g1, 0d4040000000000000; sqrt.rn.f64 %g3, %g2;"); // -32 ... -1
    CHECK(negative[thread_dadd] == 32);                                                             // the differences
    auto const inverse = quotients("rcp.rn.f64 %g3, %g1;");
    CHECK(inverse[thread_dfma] == 5 * 32);
}

// As above: each arm of a branch that is taken has its own LDC, or S2UR, UMOV and ULEA; a loop has them in front.
TEST_CASE("branches load what they need from constants, loops before they begin") {
    std::string work;
    for (int i = 0; i < 6; ++i) work += "mul.lo.u32 %r1, %r1, %r1;\n";
    auto const arms = [&](std::string const& use) {
        return count("setp.gt.u32 %p, %tid0, 15; mov.u32 %r1, %tid0;\n@%p bra second;\n" + work + use +
                     "bra.uni over;\nsecond: " + work + use +
                     "add.u32 %r1, %r1, 1;\nover: bar.sync 0; st.global.u32 [%to+4], %r1;")[inst_executed];
    };
    CHECK(arms("st.shared.u32 [tile], %r1;\n") == 34);
    CHECK(arms("mul.wide.u32 %d1, %tid0, 4; add.u64 %d2, %to, %d1; st.global.u32 [%d2], %r1;\n") == 32);
    auto const loop = count("mov.u32 %r1, 0;\nagain: .pragma \"nounroll\"; st.shared.u32 [tile], %tid0;\n"
                            "add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 100; @%p bra again;");
    CHECK(loop[inst_executed] == 8 + 100 * 4);
}

TEST_CASE("a division has operations inside") {
    std::string const a = "mov.f32 %f1, 0f3F800000; mov.f64 %g1, 0d3FF0000000000000;\n";
    auto const single = count(a + "div.rn.f32 %f2, %f1, %f1;");
    CHECK(single[thread_ffma] == 5 * 32);
    auto const twice = count(a + "div.rn.f64 %g2, %g1, %g1; sqrt.rn.f64 %g3, %g2;");
    CHECK(twice[thread_dfma] == (7 + 5) * 32);
    CHECK(twice[thread_dmul] == (1 + 3) * 32);
    CHECK(twice[thread_ffma] == 1 * 32);
}

// FADD, FMUL, FFMA and DADD of ptxas 13.0's code for sm_90, for each thread. What is loaded is 0: lg2 and rsqrt scale it.
TEST_CASE("operations are those of the machine code") {
    std::string const loads =
        "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1; ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, "
        "[%d2+4]; ld.global.f32 %f3, [%d2+8];\n";
    std::string const store = "\nst.global.f32 [%d2], %f0;";
    struct {
        std::string body;
        std::uint64_t sums, products, fused;
    } const rows[]{
        {"setp.lt.u32 %p, %tid0, 5; add.f32 %f1, %f1, %f2; selp.f32 %f0, %f1, %f3, %p;", 5, 0, 0}, // of 32 threads
        {"setp.lt.u32 %p, %tid0, 5; add.f32 %f1, %f1, %f2; selp.f32 %f0, %f3, %f1, %p;", 27, 0, 0},
        {"setp.lt.u32 %p, %tid0, 5; add.f32 %f1, %f1, %f2; selp.f32 %f0, %f1, 0f40000000, %p;", 32, 0, 0},
        {"setp.lt.u32 %p, %tid0, 5; mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; selp.f32 %f0, %f5, %f3, %p;", 0, 0,
         5},
        {"neg.f32 %f0, %f1;", 32, 0, 0},
        {"abs.f32 %f0, %f1;", 32, 0, 0},
        {"neg.f32 %f1, %f1; add.rn.f32 %f0, %f1, %f2;", 32, 0, 0},
        {"neg.f32 %f1, %f1; cvt.rzi.s32.f32 %r1, %f1; st.global.u32 [%d2+4], %r1; mov.f32 %f0, %f2;", 0, 0, 0},
        {"mul.f32 %f4, %f1, %f2; neg.f32 %f0, %f4;", 0, 0, 32},
        {"sub.f32 %f4, %f1, %f2; setp.lt.f32 %p, %f4, 0f00000000; selp.f32 %f0, %f3, 0f3F800000, %p;", 0, 0, 0},
        {"sub.f32 %f4, %f1, %f2; setp.le.f32 %p, %f4, 0f00000000; selp.f32 %f0, %f3, 0f3F800000, %p;", 32, 0, 0},
        {"sub.rn.f32 %f4, %f1, %f2; setp.lt.f32 %p, %f4, 0f00000000; selp.f32 %f0, %f3, 0f3F800000, %p;", 32, 0, 0},
        {"max.f32 %f4, %f1, 0f00000000; min.f32 %f0, %f4, 0f3F800000;", 32, 0, 0},
        {"mul.f32 %f4, %f1, %f2; max.f32 %f5, %f4, 0f00000000; min.f32 %f0, %f5, 0f3F800000;", 0, 32, 0},
        {"max.f32 %f4, %f1, 0f00000000; min.f32 %f0, %f4, 0f437F0000;", 0, 0, 0},
        {"ex2.approx.f32 %f0, %f1;", 0, 0, 0},
        {"ex2.approx.f32 %f2, %f1; mul.rn.f32 %f0, %f2, %f1;", 0, 64, 0},
        {"lg2.approx.f32 %f2, %f1; mul.rn.f32 %f0, %f2, %f1;", 32, 64, 0},
        {"lg2.approx.ftz.f32 %f2, %f1; mul.rn.f32 %f0, %f2, %f1;", 0, 32, 0},
        {"rsqrt.approx.f32 %f2, %f1; mul.rn.f32 %f0, %f2, %f1;", 0, 96, 0},
        {"div.approx.f32 %f0, %f1, %f2;", 0, 32, 0},
        {"div.approx.f32 %f0, %f1, %f2; st.global.f32 [%d2+4], %f2;", 0, 64, 0},
        {"rcp.approx.f32 %f0, %f1;", 0, 64, 0},
        {"sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f1; mul.rn.f32 %f0, %f2, %f3;", 0, 64, 0},
        {"add.rn.f32 %f4, %f1, %f2; st.global.f32 [%d2+4], %f4; add.rn.f32 %f5, %f1, %f2; mov.f32 %f0, %f5;", 32, 0, 0},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        auto const c = count(loads + row.body + store);
        CHECK(c[thread_fadd] == row.sums);
        CHECK(c[thread_fmul] == row.products);
        CHECK(c[thread_ffma] == row.fused);
    }
    auto const scaled = count("cvt.rn.f32.s32 %f1, %tid0; mul.rn.f32 %f1, %f1, 0fC1200000; ex2.approx.f32 %f2, %f1;"
                              "st.global.f32 [%to], %f2;"); // 0, -10, ...: 19 are below -126
    CHECK(scaled[thread_fmul] == 32 + 2 * 19);
    auto const none =
        count("mov.f32 %f1, 0f00000000; add.rn.f32 %f2, %f1, %f1; lg2.approx.f32 %f3, %f2; mul.rn.f32 %f4, %f3, %f2;"
              "st.global.f32 [%to], %f4;");
    CHECK(none[thread_fmul] == 64);
    CHECK(none[thread_fadd] == 64);
    auto const twice = count("ld.global.f64 %g1, [%to]; neg.f64 %g2, %g1; st.global.f64 [%to], %g2;");
    CHECK(twice[thread_dadd] == 32);
}

// Of 32 threads one succeeds in each round of LDS, FADD, ATOMS.CAST.SPIN, ISETP and BRA; with DADD there are two comparisons.
TEST_CASE("a sum of floats in shared memory is a loop") {
    auto const single = count("mov.u32 %r1, tile; mov.f32 %f1, 0f3F800000; red.shared.add.f32 [%r1], %f1;");
    CHECK(single[thread_fadd] == 32 * 33 / 2);
    auto const apart =
        count("mov.u32 %r1, tile; shl.b32 %r2, %tid0, 2; add.u32 %r1, %r1, %r2; red.shared.add.f32 [%r1], 0f3F800000;");
    CHECK(apart[thread_fadd] == 32);
    auto const twice = count("mov.u32 %r1, tile; mov.f64 %g1, 0d3FF0000000000000; red.shared.add.f64 [%r1], %g1;");
    CHECK(twice[thread_dadd] == 32 * 33 / 2);
}

// An H200 executes 311,296 instructions in kernel `every_second_warp` of tests/hardware/access_patterns.cu, of 32,768 warps: 4 of
// a warp that leaves, 15 of another.
TEST_CASE("a warp that leaves early loads no parameters and ends once") {
    std::string const leave = "setp.gt.u32 %p, %tid0, 31; @%p bra over;\n";
    auto const c =
        count(leave + "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1; st.global.u32 [%d2], %tid0;\nover:", 64);
    CHECK(c[inst_executed] == 5 + 10); // and each makes room on its stack
}

// ptxas 13.0 makes four rounds of the loop one, which counts and compares once, and chooses by six instructions between that and what
// is left of a number of rounds. With the pragma it leaves the loop as it is.
TEST_CASE("a loop that counts is unrolled, unless the text forbids it") {
    auto const loop = [](std::string const& pragma, std::string const& more) {
        return count("mov.u32 %r1, 0;\nagain: " + pragma + "ld.global.u32 %r3, [%to]; " + more +
                     "add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 1024; @%p bra again;")[inst_executed];
    };
    std::string const no = ".pragma \"nounroll\"; ";
    CHECK(loop(no, "") - loop("", "") == 3 * (1024 - 256) - 6);
    std::string const number = "cvt.rn.f32.u32 %f1, %r1; "; // needs the count in each round
    CHECK(loop(no, number) - loop("", number) == 2 * (1024 - 256) - 6);
}

TEST_CASE("words side by side in shared memory are loaded together where their address is known to be aligned") {
    std::string const first = "ld.shared.u32 %r4, [%r3];\n";
    std::string const others =
        "ld.shared.u32 %r5, [%r3+4];\nld.shared.u32 %r6, [%r3+8];\nld.shared.u32 %r7, [%r3+12];\n";
    std::string const tile = "mov.u32 %r1, tile;\n";
    auto const together = count(tile + "shl.b32 %r2, %tid0, 6;\nadd.u32 %r3, %r1, %r2;\n" + first + others);
    CHECK(together[inst_shared_ld] == 1);
    CHECK(together[shared_wavefronts_ld] == 16); // of eight lanes four share their banks, in each of four phases
    auto const apart = count(tile + "shl.b32 %r2, %tid0, 2;\nadd.u32 %r3, %r1, %r2;\n" + first + others);
    CHECK(apart[inst_shared_ld] == 4);
    CHECK(apart[shared_wavefronts_ld] == 4);
    auto const interrupted = count(tile + "shl.b32 %r2, %tid0, 6;\nadd.u32 %r3, %r1, %r2;\n" + first +
                                   "st.shared.u32 [%r3], %tid0;\n" + others);
    CHECK(interrupted[inst_shared_ld] == 2); // the word before the store, three of four after it (LDS.128)
}

TEST_CASE("a reduction at an address that all threads share is one thread's, and an exchange is no reduction") {
    auto const shared = count("atom.global.add.u32 %r1, [%to], %tid0;\nred.global.max.u32 [%to+4], %tid0;");
    CHECK(shared[inst_global_red] == 2);
    CHECK(shared[l1_sectors_global_red] == 2);
    // An address by the block's place, as kernel `greatest` of tests/hardware/access_patterns.cu has it: 4,096 sectors for 4,096
    // requests on an H200.
    auto const by_block = count("mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %d1, %r2, 4;\nadd.u64 %d2, %to, %d1;\n"
                                "red.global.max.u32 [%d2], %tid0;");
    CHECK(by_block[l1_sectors_global_red] == 1);
    std::string const computed = "and.b32 %r2, %tid0, 0;\ncvt.u64.u32 %d1, %r2;\nadd.u64 %d2, %to, %d1;\n";
    auto const each = count(computed + "atom.global.add.u32 %r1, [%d2], %tid0;");
    CHECK(each[inst_global_red] == 1);
    CHECK(each[l1_sectors_global_red] == 32); // lanes at one address take turns
    auto const unmergeable = count("red.global.add.f32 [%to], 0f3F800000;\nred.global.inc.u32 [%to+4], 5;");
    CHECK(unmergeable[l1_sectors_global_red] == 2 * 32);
    auto const exchange = count("atom.global.exch.b32 %r1, [%to], %tid0;");
    CHECK(exchange[inst_global_red] == 0);
    CHECK(exchange[inst_global_atom] == 1);
}

TEST_CASE("a local access makes a request for each of its words") {
    auto const c = count("st.local.u32 [mine], %tid0;\nst.local.v4.u32 [mine], {%tid0, %tid0, %tid0, %tid0};\n"
                         "ld.local.v2.u32 {%r1, %r2}, [mine+8];");
    CHECK(c[l1_requests_local_st] == 1 + 4);
    CHECK(c[l1_sectors_local_st] == 4 + 16);
    CHECK(c[l1_requests_local_ld] == 2);
    CHECK(c[l1_hits_local_ld] == 8);
}

TEST_CASE("a load finds sectors that the SM stored whole, and not those it stored in part") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 4;\nadd.u64 %d2, %to, %d1;\n";
    auto const whole = count(address + "st.global.u32 [%d2], %tid0;\nld.global.u32 %r1, [%d2];");
    CHECK(whole[l1_sectors_global_ld] == 4);
    CHECK(whole[l1_hits_global_ld] == 4);
    auto const part = count(address + "st.global.u8 [%d2], %tid0;\nld.global.u32 %r1, [%d2];");
    CHECK(part[l1_sectors_global_ld] == 4);
    CHECK(part[l1_hits_global_ld] == 0);
}

TEST_CASE("asynchronous copies are no stores to shared memory") {
    auto const c = count("mul.wide.u32 %d1, %tid0, 4;\nadd.u64 %d2, %to, %d1;\nmov.u32 %r1, tile;\n"
                         "shl.b32 %r2, %tid0, 2;\nadd.u32 %r1, %r1, %r2;\n"
                         "cp.async.ca.shared.global [%r1], [%d2], 4;\ncp.async.wait_all;");
    CHECK(c[inst_ldgsts] == 1);
    CHECK(c[shared_wavefronts_st] == 0);
    CHECK(c[l1_requests_global_ld] == 1);
}

} // namespace estimate_test
