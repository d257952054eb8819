// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that ptxas 13.0 gives instructions for sm_90: expected values are what nvdisasm lists of its code for the same PTX.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "count_of_body.hpp"
#include "sim/sass/estimate.hpp"

namespace estimate_test {

static std::string const address = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1;\n";

TEST_CASE("sums of 64 bits take three parts, extend words along, and words become a number where they are") {
    std::string const three =
        address + "ld.global.u64 %d3, [%d2]; ld.global.u64 %d4, [%d2+256]; ld.global.u64 %d5, [%d2+512];\n";
    std::string const word = address + "ld.global.u64 %d3, [%d2]; ld.global.s32 %r1, [%d2+256];\n";
    std::string const shuffled = address +
                                 "ld.global.u64 %d3, [%d2]; mov.b64 {%r1, %r2}, %d3;\n"
                                 "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1;\n"
                                 "mov.b64 %d4, {%r3, %r4};\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {three + "add.u64 %d6, %d3, %d4; add.u64 %d7, %d6, %d5; st.global.u64 [%d2], %d7;", 13},
        {three + "add.u64 %d6, %d3, %d4; sub.u64 %d7, %d5, %d6; st.global.u64 [%d2], %d7;", 13},
        {three +
             "add.u64 %d6, %d3, %d4; add.u64 %d7, %d6, %d5; st.global.u64 [%d2], %d6; st.global.u64 [%d2+256], %d7;",
         16}, // both are needed
        {word + "cvt.s64.s32 %d6, %r1; add.s64 %d7, %d3, %d6; st.global.u64 [%d2], %d7;", 12},
        {word + "ld.global.u64 %d4, [%d2+512]; cvt.s64.s32 %d6, %r1; add.s64 %d7, %d3, %d4; add.s64 %d5, %d6, %d7;\n"
                "st.global.u64 [%d2], %d5;",
         14},
        {shuffled + "add.u64 %d5, %d3, %d4; st.global.u64 [%d2], %d5;", 13},
        {shuffled + "st.global.u64 [%d2], %d4;", 11},
        {address + "ld.global.f64 %g1, [%d2]; { .reg .u32 lo, hi; .reg .pred p; .reg .f64 r0; mov.b64 {lo, hi}, %g1;\n"
                   "shfl.sync.down.b32 lo|p, lo, 1, 31, -1; shfl.sync.down.b32 hi|p, hi, 1, 31, -1;\n"
                   "mov.b64 r0, {lo, hi}; add.f64 %g2, %g1, r0; } st.global.f64 [%d2], %g2;",
         12},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

TEST_CASE("comparisons give numbers, choices become predicates, constants of halves are known") {
    std::string const floats = address + "ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d2+4];\n";
    std::string const words = address + "ld.global.u32 %r1, [%d2]; ld.global.u32 %r2, [%d2+256];\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {floats + "setp.lt.f32 %p, %f1, %f2; selp.f32 %f3, 0f3F800000, 0f00000000, %p; st.global.f32 [%d2], %f3;", 11},
        {floats + "setp.lt.f32 %p, %f1, %f2; selp.f32 %f3, 0f3F800000, 0f40000000, %p; st.global.f32 [%d2], %f3;", 13},
        {words + "setp.lt.s32 %p, %r2, 7; add.s32 %r3, %r1, %r2; neg.s32 %r4, %r3; selp.b32 %r5, %r4, %r3, %p;\n"
                 "st.global.u32 [%d2], %r5;",
         13},
        {words + "{ .reg .b32 %x; set.gt.f16x2.f16x2 %x, %r1, %r2; mul.f16x2 %r4, %x, %r1; } st.global.b32 [%d2], %r4;",
         12},
        {address + "ld.global.b32 %r1, [%d2]; { .reg .b16 %z; .reg .b32 %x; mov.f32 %f1, 0f00000000;\n"
                   "cvt.rn.f16.f32 %z, %f1; mov.b32 %x, {%z, %z}; set.gt.f16x2.f16x2 %r3, %r1, %x;\n"
                   "mul.f16x2 %r4, %r3, %r1; } st.global.b32 [%d2], %r4;",
         11},
        {address +
             "ld.global.b16 %b1, [%d2]; ld.global.b16 %b2, [%d2+256]; cvt.f32.f16 %f1, %b1; cvt.f32.f16 %f2, %b2;\n"
             "add.f32 %f3, %f1, %f2; cvt.f32.f16 %f4, %b1; cvt.f32.f16 %f5, %b2; add.f32 %f6, %f4, %f5;\n"
             "mul.f32 %f7, %f3, %f6; st.global.f32 [%d2], %f7;",
         14},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

TEST_CASE("masks of what is zero anyway vanish, maxima and shifts join, comparisons are made once") {
    std::string const words = address + "ld.global.u32 %r1, [%d2]; ld.global.u32 %r2, [%d2+256];\n";
    std::string const store = "st.global.u32 [%d2], %r5;";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {address + "ld.global.u8 %b1, [%d2]; cvt.u32.u16 %r1, %b1; and.b32 %r2, %r1, 255; add.s32 %r5, %r2, 3;" + store,
         10},
        {address + "ld.global.u32 %r1, [%d2]; and.b32 %r2, %r1, 255; add.s32 %r5, %r2, 3;" + store, 11},
        {address +
             "ld.global.u8 %b1, [%d2]; ld.global.u8 %b2, [%d2+1]; cvt.u32.u16 %r1, %b1; cvt.u32.u16 %r2, %b2;\n"
             "shl.b32 %r3, %r2, 8; or.b32 %r4, %r3, %r1; and.b32 %r5, %r4, 65535; add.s32 %r5, %r5, 3;" +
             store,
         13}, // the sum of both is not known
        {words + "add.s32 %r3, %r1, %r2; max.s32 %r5, %r3, 7;" + store, 11},
        {words + "max.u32 %r3, %r1, %r2; max.u32 %r5, %r3, %tid0;" + store, 11},
        {words + "add.s32 %r3, %r1, %r2; max.s32 %r4, %r3, 0; max.s32 %r5, %r4, %tid0;" + store, 12},
        {words + "add.s32 %r3, %r1, %r2; add.s32 %r4, %r3, %tid0; max.s32 %r5, %r4, 7;" + store, 12},
        {words + "add.s32 %r3, %r1, -3; add.s32 %r4, %r2, %r3; max.s32 %r5, %r4, 7;" + store, 12},
        {words + "shr.s32 %r3, %r1, 4; add.s32 %r4, %r3, %tid0; add.s32 %r5, %r3, %r2; st.global.u32 [%d2+256], %r4;" +
             store,
         13},
        {address + "ld.global.f32 %f1, [%d2]; setp.ltu.f32 %p, %f1, 0f3F800000; setp.ge.f32 %also, %f1, 0f3F800000;\n"
                   "selp.f32 %f2, %f1, 0f40000000, %p; selp.f32 %f3, %f1, 0f40000000, %also;\n"
                   "st.global.f32 [%d2], %f2; st.global.f32 [%d2+256], %f3;",
         13},
        {address + "ld.global.f64 %g0, [%d2]; ld.global.f64 %g1, [%d2+8]; max.f64 %g2, %g0, %g1;\n"
                   "st.global.f64 [%d2], %g2;",
         17},
        {address + "mov.u32 %r1, %ntid.x; rem.u32 %r5, %tid0, %r1;" + store, 26},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

TEST_CASE("parts of parameters take a load each, and words that change places a move each") {
    std::string const tiles = "shl.b32 %r3, %tid0, 3; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;\n"
                              "ld.shared.u32 %r5, [%r4]; ld.shared.u32 %r6, [%r4+4];\n";
    std::string const begin = "ld.param.u8 %b1, [out]; ld.param.u8 %b2, [out+1];\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {tiles + "st.shared.u32 [%r4], %r6; st.shared.u32 [%r4+4], %r5;", 12},
        {tiles + "st.shared.u32 [%r4+256], %r5; st.shared.u32 [%r4+260], %r6;", 10},
        {begin + address + "st.global.u8 [%d2], %b1; st.global.u8 [%d2+1], %b2;", 11},
        {address + "and.b32 %r1, %tid0, 7; cvt.u64.u32 %d4, %r1; mov.b64 %d3, out; add.u64 %d4, %d3, %d4;\n"
                   "ld.param.u8 %b1, [%d4]; st.global.u8 [%d2], %b1;",
         10},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

TEST_CASE("an access holds an offset of 24 bits, and what is farther a sum for all that is near there") {
    auto const estimated = [](std::string const& body) {
        device_memory memory;
        auto const program = program::load(".version 7.8\n.target sm_80\n.address_size 64\n"
                                           ".visible .entry one(.param .u64 out) { .reg .u32 %r1; .reg .u64 %d<3>;\n"
                                           "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1];\n" +
                                               body + "\nret; }\n",
                                           memory);
        REQUIRE(program);
        kernel const* const code = program->find_kernel("one");
        REQUIRE(code != nullptr);
        unsigned instructions = 0;
        for (sass_estimate const& e : sass_estimator{gh100, *code}.of(*code->functions.front()))
            instructions += e.instructions + e.beside;
        return instructions;
    };
    unsigned const near = estimated("st.global.u32 [%d1+8388604], %r1; st.global.u32 [%d1+8], %r1;");
    CHECK(estimated("st.global.u32 [%d1+16777216], %r1; st.global.u32 [%d1+16777224], %r1;") == near + 2);
    CHECK(estimated("st.global.u32 [%d1+16777216], %r1; st.global.u32 [%d1+33554432], %r1;") == near + 4);
}

TEST_CASE("uniform registers keep the place of shared memory behind the end of some threads") {
    std::string const writes = address + "ld.global.u32 %r1, [%d2]; shl.b32 %r2, %tid0, 2; mov.u32 %r3, tile;\n"
                                         "add.u32 %r4, %r3, %r2; st.shared.u32 [%r4], %r1; bar.sync 0;\n"
                                         "setp.eq.u32 %p, %tid0, 7;\n";
    CHECK(count(writes + "@%p bra done; ld.shared.u32 %r5, [tile]; st.global.u32 [%d2], %r5; done:")[inst_executed] ==
          18);
    CHECK(count(writes + "@%p bra leave; bra.uni on; leave: ret;\n"
                         "on: ld.shared.u32 %r5, [tile]; st.global.u32 [%d2], %r5;")[inst_executed] == 18);
}

TEST_CASE("the last sum of a reduction is done by the thread that stores it, behind the end of the others") {
    auto const reduce = [](std::string const& use) {
        return count(address +
                     "ld.global.f32 %f1, [%d2]; mov.b32 %r1, %f1; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n"
                     "mov.b32 %f2, %r2; add.f32 %f3, %f1, %f2; setp.ne.u32 %p, %tid0, 0;\n" +
                     use + "@%p bra end;\nst.global.f32 [%to], %f3; end:");
    };
    CHECK(reduce("")[thread_fadd] == 1);
    CHECK(reduce("")[inst_executed] == 14);
    CHECK(reduce("st.global.f32 [%d2+256], %f3;\n")[thread_fadd] == 32); // needed by all
    auto const then = [](std::string const& before, std::string const& behind) {
        return count(address +
                     "ld.global.f32 %f1, [%d2]; mov.b32 %r1, %f1; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n"
                     "mov.b32 %f2, %r2; add.f32 %f3, %f1, %f2; setp.ne.u32 %p, %tid0, 0;\n" +
                     before + "@%p bra end;\n" + behind + "st.global.f32 [%to], %f4; end:");
    };
    CHECK(then("", "mul.f32 %f4, %f3, %f1;")[thread_fadd] == 1);
    CHECK(then("mul.f32 %f5, %f3, %f1; max.f32 %f4, %f5, %f1;", "")[thread_fadd] ==
          1); // all that it is needed for, too
    CHECK(then("mul.f32 %f4, %f3, %f1;", "")[thread_fmul] == 1);
    CHECK(then("", "sqrt.approx.f32 %f4, %f3;")[thread_fadd] == 32); // waits for it at once
    CHECK(then("",
               "ld.global.f32 %f5, [%d2+512]; st.global.f32 [%d2+1024], %f5; sqrt.approx.f32 %f4, %f3;")[thread_fadd] ==
          1);
}

TEST_CASE("an operation of doubles that has a predicate is done by all, and chosen word by word") {
    std::string const doubles =
        address + "ld.global.f64 %g1, [%d2]; ld.global.f64 %g2, [%d2+256]; setp.eq.u32 %p, %tid0, 3;\n";
    auto const added = count(doubles + "mov.f64 %g3, %g1; @%p add.f64 %g3, %g3, %g2; st.global.f64 [%d2], %g3;");
    CHECK(added[thread_dadd] == 32);
    CHECK(added[inst_executed] == 14);
    auto const single =
        count(address + "ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d2+256]; setp.eq.u32 %p, %tid0, 3;\n"
                        "mov.f32 %f3, %f1; @%p add.f32 %f3, %f3, %f2; st.global.f32 [%d2], %f3;");
    CHECK(single[thread_fadd] == 1);
    CHECK(single[inst_executed] == 12);
}

TEST_CASE("a loop that may end in its middle is not unrolled") {
    auto const loop = [](std::string const& pragma, std::string const& more) {
        return count(
            "mov.u32 %r1, 0; mov.f32 %f1, 0f3F800000;\nagain: " + pragma +
            "ld.global.f32 %f2, [%to]; add.f32 %f1, %f1, %f2;\n" + more +
            "add.u32 %r1, %r1, 1; setp.lt.u32 %also, %r1, 1024; @%also bra again;\nout: st.global.f32 [%to+4], %f1;")
            [inst_executed];
    };
    std::string const no = ".pragma \"nounroll\"; ", breaks = "setp.gt.f32 %p, %f1, 0f41200000; @%p bra out;\n";
    CHECK(loop("", breaks) == loop(no, breaks));
    CHECK(loop("", "") < loop(no, ""));
}

// The subroutines of ptxas 13.0 for sm_90 and the calls of them; FADD, FMUL and FFMA, with those of the inlined code.
TEST_CASE("divisions and roots of floats take a slow way for numbers that they do not compute in line") {
    std::string const begin = "mul.wide.u32 %d1, %tid0, 4; add.u64 %d2, %to, %d1; cvt.rn.f32.u32 %f1, %tid0;\n";
    auto const value = [&](std::string const& work) { return count(begin + work + "st.global.f32 [%d2], %f3;"); };
    std::string const more = "add.f32 %f1, %f1, 0f3F800000;\n"; // 1 ... 32
    std::string const divides = "div.rn.f32 %f3, %f1, 0f40400000;", inverts = "div.rn.f32 %f3, 0f40400000, %f1;";
    auto const of_zero = value(divides), ordinary = value(more + divides);
    CHECK(of_zero[inst_executed] + 1 - ordinary[inst_executed] == 35); // 0 / 3 of one thread
    CHECK(of_zero[thread_ffma] == 5 * 32);
    auto const by_zero = value(inverts), by_others = value(more + inverts);
    CHECK(by_zero[inst_executed] + 1 - by_others[inst_executed] == 39);    // 3 / 0
    auto const small = value("mul.f32 %f1, %f1, 0f00800000;\n" + divides); // 0, and exponents of 1 ... 5
    CHECK(small[thread_ffma] == 5 * 32 + 31 * 7 + 2 * 3);                  // two quotients are subnormal
    auto const root = value("sqrt.rn.f32 %f3, %f1;"), root_of_others = value(more + "sqrt.rn.f32 %f3, %f1;");
    CHECK(root[inst_executed] + 1 - root_of_others[inst_executed] == 11); // 0
    CHECK(root[thread_fmul] == 2 * 31);                                   // which leaves out the arithmetic in line
    CHECK(root[thread_ffma] == 2 * 31);
    auto const inverse = value("rcp.rn.f32 %f3, %f1;"), inverse_of_others = value(more + "rcp.rn.f32 %f3, %f1;");
    CHECK(inverse[inst_executed] + 1 - inverse_of_others[inst_executed] == 22); // 1 / 0
    CHECK(inverse[thread_fadd] == 31);
    CHECK(inverse[thread_ffma] == 2 * 31);
}

} // namespace estimate_test
