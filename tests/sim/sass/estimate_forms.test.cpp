// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that ptxas 13.0 gives instructions for sm_90: expected values are what nvdisasm lists of its code for the same PTX.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "count_of_body.hpp"

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
