// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rounds of loops take besides what the PTX says: expected values are the instructions that a warp executes of ptxas 13.0's code
// for sm_90 of the same PTX, as nvdisasm lists it, each loop's as often as it goes around.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "count_of_body.hpp"

namespace estimate_test {

TEST_CASE("rounds of a loop copy pointers, yield, load parameters again and divide by what was prepared in front") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1;\n";
    std::string const loop = "L: .pragma \"nounroll\";\n";
    std::string const again = "add.s32 %r1, %r1, -1; setp.ne.s32 %p, %r1, 0; @%p bra L;\n";
    std::string const eight = address + "ld.global.u32 %r2, [%d2]; mov.u32 %r1, 8; mov.u32 %r3, 0;\n" + loop +
                              "ld.volatile.global.u32 %r4, [%d2+4];\n";
    std::string const sum = "add.u32 %r3, %r3, %r5;\n" + again + "st.global.u32 [%d2], %r3;";
    std::string const parameter =
        "ld.param.u64 %d7, [out]; cvta.to.global.u64 %d6, %d7; mov.u32 %r1, %tid0; mov.u32 %r3, 0;\n" + loop +
        "mul.wide.s32 %d1, %r1, 4; add.s64 %d2, %d6, %d1; ld.global.u32 %r4, [%d2]; add.u32 %r5, %r4, %r3;\n";
    std::string const next = "add.s32 %r1, %r1, 32; setp.lt.s32 %p, %r1, 256; @%p bra L;\nst.global.u32 [%d2], %r3;";
    std::string stores;
    for (int i = 1; i <= 8; ++i) stores += "st.volatile.global.u32 [%d2+" + std::to_string(8 * i) + "], %r3;\n";
    struct {
        char const* what;
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {"a pointer of two words is copied for the store",
         "cvt.u64.u32 %d1, %tid0; shr.u32 %r1, %tid0, 5; add.s32 %r1, %r1, 8; add.u64 %d2, %to, %d1;\n" + loop +
             "st.global.u8 [%d2], %r1; add.u64 %d2, %d2, 4;\n" + again,
         73},
        {"one that other accesses need is not",
         "cvt.u64.u32 %d1, %tid0; add.u64 %d2, %to, %d1; st.global.u8 [%d2], 8; ld.volatile.global.u8 %r1, [%d2];\n" +
             loop + "st.global.u8 [%d2], %r1; add.u64 %d2, %d2, 4;\n" + again,
         59},
        {"one that a product moves is not",
         address + "mul.wide.u32 %d3, %tid0, 4; mov.u32 %r1, 8; mov.u32 %r3, 0;\n" + loop +
             "ld.global.u32 %r2, [%d2]; add.u32 %r3, %r3, %r2; add.u64 %d2, %d2, %d3;\n" + again +
             "st.global.u32 [%d2], %r3;",
         58},
        {"memory decides how long",
         address + "st.global.u32 [%d2], 0;\n" + loop +
             "ld.volatile.global.u32 %r2, [%d2]; setp.ne.u32 %p, %r2, 0; @%p bra L;\n",
         12},
        {"unsigned quotient", eight + "div.u32 %r5, %r4, %r2;\n" + sum, 133},
        {"signed remainder", eight + "rem.s32 %r5, %r4, %r2;\n" + sum, 166},
        {"signed quotient", eight + "div.s32 %r5, %r4, %r2;\n" + sum, 182},
        {"four loads of one parameter",
         parameter +
             "ld.global.u32 %r4, [%d2+4]; add.u32 %r6, %r5, %r4; ld.global.u32 %r4, [%d2+8];\n"
             "add.u32 %r5, %r6, %r4; ld.global.u32 %r4, [%d2+12]; add.u32 %r3, %r5, %r4;\n" +
             next,
         97},
        {"two loads of one", parameter + "ld.global.u32 %r4, [%d2+4]; add.u32 %r3, %r5, %r4;\n" + next, 66},
        {"a branch over the one that goes back",
         address + "ld.global.u32 %r2, [%d2]; mov.u32 %r1, 8; setp.eq.u32 %p, %r2, 77; @%p bra A;\n" + loop +
             "ld.volatile.global.u32 %r3, [%d2]; add.s32 %r1, %r1, -1; setp.eq.s32 %p, %r1, 0; @%p bra A; bra.uni L;\n"
             "A: st.global.u32 [%d2], %r1;",
         46},
        {"shared memory behind a branch",
         address + "mov.u32 %r1, 8;\n" + loop +
             "ld.volatile.global.u32 %r3, [%d2]; setp.eq.u32 %p, %r3, 77; @%p bra B;\n" + stores +
             "mov.u32 %r4, tile; and.b32 %r5, %r3, 252; add.u32 %r6, %r4, %r5; st.shared.u32 [%r6], %r1;\nB: " + again,
         176},
        {"what the next round reads is computed, whoever else adds to it",
         address + "ld.global.u32 %r2, [%d2]; mov.u32 %r1, 0;\n" + loop +
             "ld.volatile.global.u32 %r3, [%d2]; add.s32 %r1, %r1, 1; add.s32 %r4, %r1, %r2; setp.lt.s32 %p, %r4, 8;\n"
             "@%p bra L; st.global.u32 [%d2], %r4;",
         52},
    };
    for (auto const& row : rows) {
        CAPTURE(row.what);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

TEST_CASE("operations of one instruction of PTX take as many as the machine code has") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 8; add.u64 %d2, %to, %d1;\n";
    std::string const doubles = address + "ld.global.f64 %g1, [%d2]; ld.global.f64 %g2, [%d2+8];\n";
    std::string const longs = address + "ld.global.u64 %d5, [%d2]; ld.global.u64 %d6, [%d2+8];\n";
    std::string const one = address + "ld.global.u64 %d5, [%d2];\n";
    std::string const words = address + "ld.global.u32 %r5, [%d2]; ld.global.u32 %r4, [%d2+4];\n";
    std::string const word = address + "ld.global.u32 %r5, [%d2];\n", single = address + "ld.global.f32 %f1, [%d2];\n";
    struct {
        std::string body;
        std::uint64_t instructions;
    } const rows[]{
        {doubles + "max.f64 %g3, %g1, %g2; st.global.f64 [%d2], %g3;", 17},
        {longs + "max.u64 %d7, %d5, %d6; st.global.u64 [%d2], %d7;", 14},
        {longs + "min.s64 %d7, %d5, %d6; st.global.u64 [%d2], %d7;", 14},
        {longs + "shl.b32 %r2, %tid0, 3; mov.u32 %r3, tile; add.u32 %r4, %r3, %r2; st.shared.u64 [%r4], %d6;\n"
                 "add.u64 %d7, %d5, %d6; st.shared.u64 [%r4+256], %d7;",
         17},
        {one + "abs.s64 %d7, %d5; st.global.u64 [%d2], %d7;", 14},
        {one + "clz.b64 %r7, %d5; st.global.u32 [%d2], %r7;", 15},
        {one + "bfe.u64 %d7, %d5, 4, 5; st.global.u64 [%d2], %d7;", 12},
        {words + "bfe.u32 %r7, %r5, %r4, 5; st.global.u32 [%d2], %r7;", 16},
        {words + "bfi.b32 %r7, %r5, %r4, 5, 3; st.global.u32 [%d2], %r7;", 12},
        {word + "cvt.sat.u8.s32 %b1, %r5; st.global.u8 [%d2], %b1;", 11},
        {word + "cvt.sat.s8.s32 %b1, %r5; st.global.u8 [%d2], %b1;", 12},
        {single + "cvt.rni.sat.u8.f32 %b1, %f1; st.global.u8 [%d2], %b1;", 11},
        {single + "testp.finite.f32 %p, %f1; selp.u32 %r1, 1, 0, %p; st.global.u32 [%d2], %r1;", 12},
    };
    for (auto const& row : rows) {
        CAPTURE(row.body);
        CHECK(count(row.body)[inst_executed] == row.instructions);
    }
}

} // namespace estimate_test
