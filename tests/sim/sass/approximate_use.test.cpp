// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which branches and addresses depend on approximate values.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/sass/approximate_use.hpp"

#include "support/ptx_body.hpp"

namespace approximate_use_test {

using namespace gpuprof::sim;

namespace {

// "ex2 bra", "rcp [ld]": from and to.
std::vector<std::string> uses_in(std::string const& body) {
    auto const parsed = gpuprof_test::parse_body(body);
    std::vector<std::string> found;
    for (approximate_use const& use : approximate_uses(parsed.functions[0])) {
        std::string const to{use.to->opcode};
        found.push_back(std::string{use.from->opcode} + " " + (use.is_address ? "[" + to + "]" : to));
    }
    return found;
}
using found = std::vector<std::string>;

} // namespace

TEST_CASE("a branch on an approximate value is found, through what is computed from it") {
    CHECK(
        uses_in(
            "ex2.approx.f32 %f1, %f0; mul.f32 %f2, %f1, %f1; setp.gt.f32 %p1, %f2, 0f3f800000; @%p1 bra over; over:") ==
        found{"ex2 bra"});
    CHECK(uses_in("div.full.f32 %f1, %f0, %f2; setp.gt.f32 %p1, %f1, %f0; @%p1 bra over; over:") == found{"div bra"});
    CHECK(uses_in("mov.u64 %d1, %clock64; setp.gt.u64 %p1, %d1, 100; @%p1 bra over; over:") == found{"mov bra"});
}

TEST_CASE("an address made of an approximate value is found, the data are not") {
    CHECK(
        uses_in("sin.approx.f32 %f1, %f0; cvt.rzi.u32.f32 %r1, %f1; cvt.u64.u32 %d1, %r1; ld.global.u32 %r2, [%d1];") ==
        found{"sin [ld]"});
    CHECK(uses_in("rcp.approx.f32 %f1, %f0; st.global.f32 [%d1], %f1;").empty());
    CHECK(uses_in("rsqrt.approx.f32 %f1, %f0; cvt.rzi.u32.f32 %r1, %f1; cvt.u64.u32 %d1, %r1; atom.global.add.u32 %r2, "
                  "[%d1], 1;") == found{"rsqrt [atom]"});
}

TEST_CASE("a guard carries what it decides") {
    CHECK(uses_in("lg2.approx.f32 %f1, %f0; setp.gt.f32 %p1, %f1, %f0; @%p1 mov.u32 %r1, 1; setp.eq.u32 %p2, %r1, 1; "
                  "@%p2 bra over; over:") == found{"lg2 bra"});
}

TEST_CASE("exact values decide branches and addresses without a word") {
    CHECK(uses_in("div.rn.f32 %f1, %f0, %f2; setp.gt.f32 %p1, %f1, %f0; @%p1 bra over; over:").empty());
    CHECK(uses_in("sqrt.rn.f32 %f1, %f0; cvt.rzi.u32.f32 %r1, %f1; cvt.u64.u32 %d1, %r1; ld.global.u32 %r2, [%d1];")
              .empty());
    CHECK(uses_in("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 bra over; over:").empty());
    // What was loaded is not followed, also from an address that is.
    CHECK(uses_in("tanh.approx.f32 %f1, %f0; st.shared.f32 [tile], %f1; ld.shared.f32 %f2, [tile]; setp.gt.f32 %p1, "
                  "%f2, %f0; @%p1 bra "
                  "over; over:")
              .empty());
}

TEST_CASE("a value that goes around a loop is followed until nothing is new") {
    CHECK(uses_in("again: setp.gt.f32 %p1, %f2, %f0; mov.f32 %f2, %f1; mov.f32 %f1, %f3; ex2.approx.f32 %f3, %f0; @%p1 "
                  "bra again;") == found{"ex2 bra"});
}

} // namespace approximate_use_test
