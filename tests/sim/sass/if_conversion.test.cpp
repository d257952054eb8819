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

// As ptxas 13.0 for sm_90 does with arms of products and sums (nvdisasm), but for one more: see is_predicated().
TEST_CASE("each arm becomes predicated that is short enough") {
    std::string const add = "add.u32 %r1, %r2, %r3;\n";
    auto const adds = [&](unsigned count) {
        std::string body;
        for (unsigned i = 0; i < count; ++i) body += add;
        return body;
    };
    auto const arm = [&](unsigned count, std::string const& more = "") {
        return "@%p1 bra over;\n" + adds(count) + more + "over:\nst.shared.u32 [0], %r1;";
    };
    CHECK(arms_of(arm(9)).predicated);
    CHECK_FALSE(arms_of(arm(10)).predicated);
    CHECK(arms_of(arm(8, "st.shared.u32 [%r1], %r2;\n")).predicated);
    CHECK_FALSE(arms_of(arm(9, "st.shared.u32 [%r1], %r2;\n")).predicated);
    auto const both = [&](unsigned first, unsigned second) {
        return "@%p1 bra over;\n" + adds(first) + "bra end;\nover:\n" + adds(second) + "end:\nst.shared.u32 [0], %r1;";
    };
    CHECK(arms_of(both(8, 9)).predicated);
    CHECK_FALSE(arms_of(both(9, 9)).predicated); // and a jump
    CHECK_FALSE(arms_of(both(8, 10)).predicated);
    auto const parsed = gpuprof_test::parse_body(arm(1));
    if_conversion const branches{parsed.functions[0]};
    CHECK_FALSE(branches.is_predicated(*branches.conditional_at(0), [](std::uint32_t) { return 18u; })); // a division
}

// As ptxas 13.0 for sm_90 does (nvdisasm).
TEST_CASE("a load from global memory becomes predicated along with others, and not alone") {
    std::string const load = "ld.global.u32 %r1, [%d1];\n", other = "ld.global.u32 %r2, [%d2];\n";
    std::string const add = "add.u32 %r1, %r1, %r3;\n", end = "st.shared.u32 [0], %r1;";
    auto const arm = [&](unsigned adds) {
        std::string body = "@%p1 bra over;\n" + load;
        for (unsigned i = 0; i < adds; ++i) body += add;
        return body + "over:\n";
    };
    CHECK_FALSE(arms_of(arm(0) + end).predicated);
    CHECK_FALSE(arms_of(arm(0) + "bar.sync 0;\n" + other + end).predicated);
    CHECK(arms_of(arm(0) + other + end).predicated);
    CHECK(arms_of(arm(19) + other + end).predicated);
    CHECK_FALSE(arms_of(arm(20) + other + end).predicated);
    CHECK(arms_of(arm(0) + "@%p2 bra end;\n" + other + "end:\n" + end).predicated);
}

TEST_CASE("a branch around an atomic operation stays") {
    CHECK_FALSE(is_predicated("red.global.add.u32 [%d1], %r2;"));
    CHECK_FALSE(is_predicated("atom.shared.add.u32 %r1, [%r2], 1;"));
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
    for (int i = 0; i < 8; ++i) much += "add.u32 %r1, %r1, %r3;\n";
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
