// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of the instruction set: found by opcode, and what they say of classes and costs.
#include <string>

#include <doctest/doctest.h>

#include "sim/ptx/instruction_set.hpp"

#include "support/ptx_body.hpp"

namespace instruction_set_test {

using namespace gpuprof::sim;

namespace {

unsigned cost_of(std::string const& line) {
    CAPTURE(line);
    auto const parsed = gpuprof_test::parse_body(line);
    return ptx::sass_instruction_count(parsed.functions[0].instructions[0]);
}

} // namespace

TEST_CASE("an opcode has one row, and one that is not PTX has the row of the unknown") {
    for (auto const& row : ptx::instruction_set) CHECK(&ptx::facts_of(row.opcode) == &row);
    for (auto const* const other : {"", "a", "ad", "addd", "zz", "ADD"})
        CHECK(&ptx::facts_of(other) == &ptx::unknown_instruction);
}

TEST_CASE("an instruction carries its row from parsing on") {
    auto const parsed = gpuprof_test::parse_body("add.u32 %r1, %r2, %r3;\nfrobnicate.u32 %r1, %r2;");
    CHECK(parsed.functions[0].instructions[0].facts->opcode == "add");
    CHECK(parsed.functions[0].instructions[1].facts == &ptx::unknown_instruction);
}

TEST_CASE("the class of an instruction follows from its type") {
    auto const class_of = [](std::string_view opcode, ptx::type t) { return ptx::facts_of(opcode).profile.of(t); };
    CHECK(class_of("add", ptx::type::u32).kind == instruction_kind::integer);
    CHECK(class_of("add", ptx::type::u32).pipe == pipe::alu);
    CHECK(class_of("add", ptx::type::f32).kind == instruction_kind::fadd);
    CHECK(class_of("add", ptx::type::f32).pipe == pipe::fma);
    CHECK(class_of("mul", ptx::type::f16x2).kind == instruction_kind::hmul);
    CHECK(class_of("fma", ptx::type::f64).kind == instruction_kind::dfma);
    CHECK(class_of("fma", ptx::type::f64).pipe == pipe::fp64);
    CHECK(class_of("min", ptx::type::f32).kind == instruction_kind::fp32_other);
    CHECK(class_of("min", ptx::type::f32).pipe == pipe::alu);
    CHECK(class_of("and", ptx::type::b32).kind == instruction_kind::bit);
    CHECK(class_of("and", ptx::type::pred).kind == instruction_kind::predicate);
    CHECK(class_of("stmatrix", ptx::type::b16).kind == instruction_kind::store);
    CHECK(class_of("stmatrix", ptx::type::b16).pipe == pipe::lsu);
}

TEST_CASE("the cost of an instruction follows from its type and form") {
    CHECK(cost_of("add.u32 %r1, %r2, %r3;") == 1);
    CHECK(cost_of("add.u64 %d1, %d2, %d3;") == 2);
    CHECK(cost_of("mul.wide.u32 %d1, %r2, %r3;") == 1);
    CHECK(cost_of("mul.lo.u64 %d1, %d2, %d3;") == 3);
    CHECK(cost_of("mov.u32 %r1, %r2;") == 0);
    CHECK(cost_of("mov.u32 %r1, tile;") == 1);
    CHECK(cost_of("mapa.shared::cluster.u32 %r1, %r2, %r3;") == 1);
    CHECK(cost_of("mapa.u64 %d1, %d2, %r3;") == 3);
    CHECK(cost_of("getctarank.shared::cluster.u32 %r1, %r2;") == 1);
    CHECK(cost_of("getctarank.u64 %r1, %d2;") == 2);
    CHECK(cost_of("barrier.sync 0;") == 1);
    // Kernel `cluster_barriers` of tests/hardware/clusters.cu executes 106 instructions a warp on an H200, 16 times 6 of them here.
    CHECK(cost_of("barrier.cluster.arrive.release.aligned;") == 4);
    CHECK(cost_of("barrier.cluster.arrive.relaxed.aligned;") == 1);
    CHECK(cost_of("barrier.cluster.wait.acquire.aligned;") == 2);
    CHECK(cost_of("and.pred %p1, %p2, %p3;") == 0);
    CHECK(cost_of("and.b64 %d1, %d2, %d3;") == 2);
    CHECK(cost_of("div.approx.ftz.f32 %f1, %f2, %f3;") == 2);
    CHECK(cost_of("div.approx.f32 %f1, %f2, %f3;") == 5);
    CHECK(cost_of("div.full.f32 %f1, %f2, %f3;") == 8);
    CHECK(cost_of("div.rz.f32 %f1, %f2, %f3;") == 43);
    CHECK(cost_of("div.rn.f32 %f1, %f2, %f3;") == 10);
    CHECK(cost_of("cvt.u64.u32 %d1, %r2;") == 0);
    CHECK(cost_of("cvt.s64.s32 %d1, %r2;") == 1);
    CHECK(cost_of("cvt.rn.f32.u32 %f1, %r2;") == 1);
    CHECK(cost_of("cvta.to.global.u64 %d1, %d2;") == 0);
    CHECK(cost_of("nanosleep.u32 100;") == 1);
    CHECK(cost_of("vadd4.u32.u32.u32 %r1, %r2, %r3, %r3;") == 4);
    CHECK(cost_of("vadd4.u32.u32.u32.add %r1, %r2, %r3, %r3;") == 2);
    CHECK(cost_of("vadd4.s32.s32.s32 %r1, %r2, %r3, %r3;") == 31);
    CHECK(cost_of("vadd4.s32.s32.s32.add %r1, %r2, %r3, %r3;") == 25);
    CHECK(cost_of("vabsdiff2.u32.u32.u32.add %r1, %r2, %r3, %r3;") == 11); // ptxas 13.0, sm_90, these four
    CHECK(cost_of("vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r3;") == 1);
    CHECK(cost_of("vavrg4.s32.s32.s32 %r1, %r2, %r3, %r3;") == 42);
    CHECK(cost_of("vmin2.u32.u32.u32 %r1, %r2, %r3, %r3;") == 6);
}

} // namespace instruction_set_test
