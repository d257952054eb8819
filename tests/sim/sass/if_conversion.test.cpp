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
    REQUIRE(branches.end_of_skipped(0) == 2);
    return branches.is_predicated(0, 2, [](std::uint32_t) { return 1u; });
}

} // namespace

TEST_CASE("a branch over what a lane does for itself becomes a predicate") {
    CHECK(is_predicated("add.u32 %r1, %r2, %r3;"));
    CHECK(is_predicated("st.shared.u32 [%r1], %r2;"));
    CHECK(is_predicated("nanosleep.u32 100;"));
    CHECK(is_predicated("discard.global.L2 [%d1], 128;"));
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

} // namespace if_conversion_test
