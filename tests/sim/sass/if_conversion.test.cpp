// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which branches become predicates.
#include <string>

#include <doctest/doctest.h>

#include "sim/sass/if_conversion.hpp"

#include "support/ptx_body.hpp"

namespace if_conversion_test {

using namespace gpuprof::sim;

namespace {

bool is_predicated(std::string const& line) {
    auto const parsed = gpuprof_test::parse_body("@%p1 bra over;\n" + line + "\nover:\nst.shared.u32 [0], %r1;");
    if_conversion const branches{parsed.functions[0]};
    auto const found = branches.conditional_at(0);
    REQUIRE(found);
    REQUIRE(found->join == 2);
    return branches.is_predicated(*found, [](std::uint32_t) { return 1u; });
}

// Of a branch in front of these instructions.
struct arms {
    bool found = false, predicated = false, hops = false, ends_here = false;
    if_conversion::conditional places{};
};
arms arms_of(std::string const& body) {
    auto const parsed = gpuprof_test::parse_body(body);
    if_conversion const branches{parsed.functions[0]};
    auto const found = branches.conditional_at(0);
    if (!found) return {false, false, branches.hops(0), false, {}};
    return {true, branches.is_predicated(*found, [](std::uint32_t) { return 1u; }), branches.hops(0),
            branches.ends_here(*found), *found};
}

} // namespace

TEST_CASE("a branch over what a lane does for itself becomes a predicate") {
    CHECK(is_predicated("add.u32 %r1, %r2, %r3;"));
    CHECK(is_predicated("st.shared.u32 [%r1], %r2;"));
    CHECK(is_predicated("nanosleep.u32 100;"));
    CHECK(is_predicated("discard.global.L2 [%d1], 128;"));
}

TEST_CASE("one arm that only computes may be longer than others") {
    std::string const add = "add.u32 %r1, %r2, %r3;\n";
    auto const arm = [&](unsigned adds, std::string const& more = "") {
        std::string body = "@%p1 bra over;\n";
        for (unsigned i = 0; i < adds; ++i) body += add;
        return body + more + "over:\nst.shared.u32 [0], %r1;";
    };
    CHECK(arms_of(arm(20)).predicated);
    CHECK_FALSE(arms_of(arm(21)).predicated);
    CHECK_FALSE(arms_of(arm(7, "st.shared.u32 [%r1], %r2;\n")).predicated);
    CHECK_FALSE(arms_of("@%p1 bra over;\n" + add + add + add + add + "bra end;\nover:\n" + add + add + add + add +
                        "end:\nst.shared.u32 [0], %r1;")
                    .predicated);
    auto const parsed = gpuprof_test::parse_body(arm(1));
    if_conversion const branches{parsed.functions[0]};
    CHECK_FALSE(branches.is_predicated(*branches.conditional_at(0), [](std::uint32_t) { return 18u; })); // a division
}

TEST_CASE("a branch over what the warp does as one, or over another branch, stays") {
    std::string const fragment = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}";
    CHECK_FALSE(is_predicated("bar.sync 0;"));
    CHECK_FALSE(is_predicated("barrier.sync 0;"));
    CHECK_FALSE(is_predicated("shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;"));
    CHECK_FALSE(is_predicated("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};"));
    CHECK_FALSE(is_predicated("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];"));
    CHECK_FALSE(is_predicated("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 " + fragment + ", [%d1];"));
    CHECK_FALSE(is_predicated("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d1], " + fragment + ";"));
    CHECK_FALSE(
        is_predicated("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], %r2, [%r3];"));
    CHECK_FALSE(is_predicated("cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], %r2;"));
    CHECK_FALSE(is_predicated("prefetch.tensormap [%d1];"));
    CHECK(is_predicated("cp.async.ca.shared.global [%r1], [%d1], 4;"));
    CHECK_FALSE(is_predicated("call malloc;"));
    CHECK_FALSE(is_predicated("exit;"));
    CHECK_FALSE(is_predicated("trap;"));
}

// ptxas 13.0 for sm_90 predicates one of the two additions by the condition and the other by its opposite, without a branch.
TEST_CASE("both arms of a branch become predicated") {
    std::string const other = "add.u32 %r1, %r2, %r3; bra over;\nfirst: add.u32 %r1, %r2, 5;\n";
    std::string const end = "over: st.shared.u32 [0], %r1;";
    auto const both = arms_of("@%p1 bra first; " + other + end);
    REQUIRE(both.found);
    CHECK(both.predicated);
    CHECK(both.ends_here);
    CHECK(both.places.first == 1);
    CHECK(both.places.first_end == 2);
    CHECK(both.places.second == 3);
    CHECK(both.places.join == 4);
    std::string much;
    for (int i = 0; i < 7; ++i) much += "add.u32 %r1, %r1, %r3;\n";
    CHECK_FALSE(arms_of("@%p1 bra first; " + much + other + end).predicated);
    auto const entered =
        arms_of("@%p1 bra first; " + other + "@%p2 bra first; " + end); // the second arm is another's, too
    REQUIRE(entered.found);
    CHECK_FALSE(entered.predicated);
}

TEST_CASE("a branch around a branch is one on the opposite condition") {
    auto const hop = arms_of("@%p1 bra more; bra over;\nmore: add.u32 %r1, %r2, 5;\nover: st.shared.u32 [0], %r1;");
    CHECK(hop.hops);
    REQUIRE(hop.found);
    CHECK(hop.predicated);
    CHECK(hop.ends_here);
    CHECK(hop.places.first == 2);
    CHECK(hop.places.join == 3);
    CHECK_FALSE(arms_of("@%p1 bra over; add.u32 %r1, %r2, 5;\nover: st.shared.u32 [0], %r1;").hops);
}

} // namespace if_conversion_test
