// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loads of neighbouring words become one.
#include <string>

#include <doctest/doctest.h>

#include "sim/sass/shared_load_merge.hpp"

#include "support/ptx_body.hpp"

namespace shared_load_merge_test {

using namespace gpuprof::sim;

namespace {

// Whether two loads of neighbouring words are one with `line` between them.
bool joins_over(std::string const& line) {
    auto const parsed = gpuprof_test::parse_body("mov.u32 %r1, tile;\nld.shared.u32 %r2, [%r1];\n" + line +
                                                 "\nld.shared.u32 %r3, [%r1+4];");
    ptx::function const& f = parsed.functions[0];
    def_use const flow{f};
    shared_load_merge const loads{f, flow};
    std::uint32_t const second = 3;
    CHECK(loads.words(1) + loads.words(second) == 2);
    return loads.words(1) == 2;
}

} // namespace

TEST_CASE("loads are joined over what leaves shared memory as it is") {
    CHECK(joins_over("add.u32 %r5, %r6, %r7;"));
    CHECK(joins_over("st.global.u32 [%d1], %r5;"));
    CHECK(joins_over("nanosleep.u32 20;"));
    CHECK(joins_over("discard.global.L2 [%d1], 128;"));
    CHECK(joins_over("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d1], "
                     "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};"));
}

TEST_CASE("loads are not joined over what may store to shared memory") {
    CHECK_FALSE(joins_over("st.shared.u32 [%r5], %r6;"));
    CHECK_FALSE(joins_over("st.u32 [%d1], %r6;"));
    CHECK_FALSE(joins_over("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r6};"));
    CHECK_FALSE(joins_over("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r5], "
                           "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};"));
    CHECK_FALSE(joins_over("bar.sync 0;"));
    CHECK_FALSE(joins_over("fence.acq_rel.cta;"));
}

} // namespace shared_load_merge_test
