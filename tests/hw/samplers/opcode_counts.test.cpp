// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/samplers/opcode_counts.hpp: opcodes of instructions, and sums by them, by arithmetic.
#include <gpuprof/hw/samplers/opcode_counts.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace opcode_counts_test {

using gpuprof::opcode_form;
using gpuprof::opcode_of;
using gpuprof::opcodes_of;

TEST_CASE("an opcode is what stands before the operands, without predicate and, if asked, without modifiers") {
    static_assert(opcode_of("@!P0 LDG.E.64 R2, desc[UR4][R4.64]", opcode_form::basic) == "LDG");
    static_assert(opcode_of("@!P0 LDG.E.64 R2, desc[UR4][R4.64]", opcode_form::with_modifiers) == "LDG.E.64");
    static_assert(opcode_of("EXIT ;", opcode_form::basic) == "EXIT");
    static_assert(opcode_of("EXIT;", opcode_form::with_modifiers) == "EXIT");
    static_assert(opcode_of("    ld.global.u32 %r1, [%rd1];", opcode_form::basic) == "ld");
    static_assert(opcode_of("@%p1 bra again;", opcode_form::basic) == "bra");
    static_assert(opcode_of("", opcode_form::basic).empty());
    static_assert(opcode_of("@P0", opcode_form::basic).empty());
    static_assert(opcode_of("   ", opcode_form::with_modifiers).empty());
    CHECK(true);
}

TEST_CASE("counts of instructions add up by opcode, and those without a text stay apart") {
    gpuprof::sass_counts counts;
    counts.metrics = {"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed_pred_on"};
    counts.records = {{"work", 1, 0, 0, {10, 320}},
                      {"work", 1, 16, 0, {10, 100}},
                      {"work", 1, 32, 0, {7, 50}},
                      {"work", 1, 48, 0, {1, 32}},
                      {"other", 1, 0, 1, {5, 160}}};
    gpuprof::code_text text;
    text["work"] = {{0, {"LDG.E R0, [R2]"}}, {16, {"@P0 LDG.E.64 R4, [R2]"}}, {32, {"FFMA R0, R0, R1, R2"}}};
    auto const basic = opcodes_of(counts, text);
    REQUIRE(basic.size() == 3);
    CHECK(basic[0].opcode.empty()); // offset 48, and the whole of another function
    CHECK(basic[0].instructions == 2);
    CHECK(basic[0].values == std::vector<std::uint64_t>{6, 192});
    CHECK(basic[1].opcode == "FFMA");
    CHECK(basic[1].values == std::vector<std::uint64_t>{7, 50});
    CHECK(basic[2].opcode == "LDG");
    CHECK(basic[2].instructions == 2);
    CHECK(basic[2].values == std::vector<std::uint64_t>{20, 420});
    auto const all = opcodes_of(counts, text, opcode_form::with_modifiers);
    REQUIRE(all.size() == 4);
    CHECK(all[2].opcode == "LDG.E");
    CHECK(all[3].opcode == "LDG.E.64");
    CHECK(all[3].values == std::vector<std::uint64_t>{10, 100});
    CHECK(opcodes_of({}, text).empty());
}

} // namespace opcode_counts_test
