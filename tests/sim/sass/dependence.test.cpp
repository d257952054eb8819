// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a warp waits for in a basic block, one thing after the other. Expected chains are those of the text, by hand.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/gh100.hpp"
#include "sim/ptx/instruction_facts.hpp"
#include "sim/sass/dependence.hpp"

#include "support/ptx_body.hpp"

namespace dependence_test {

using namespace gpuprof::sim;
using gpuprof_test::parse_body;

namespace {

constexpr auto step = static_cast<unsigned>(gh100.latency.arithmetic);

// The chains of all blocks of a body, each PTX instruction but addresses and branches being one of arithmetic or memory.
// @param predicated the number of a branch that became a predicate on what it skips, up to the instruction `end`
std::vector<dependence_chain> chains_of(std::string const& body, std::uint32_t predicated = def_use::nobody,
                                        std::uint32_t end = 0) {
    auto const parsed = parse_body(body);
    ptx::function const& f = parsed.functions[0];
    std::vector<dependence_cost> costs;
    for (std::uint32_t i = 0; i < f.instructions.size(); ++i) {
        ptx::instruction const& op = f.instructions[i];
        bool const inside = predicated != def_use::nobody && i > predicated && i < end;
        costs.push_back({static_cast<std::uint16_t>(i == predicated ? 0 : 1), op.facts->profile.pipe,
                         op.opcode != "red", inside ? predicated : def_use::nobody});
    }
    dependence const chains{f, gh100.latency, costs, {}};
    std::vector<dependence_chain> found;
    for (std::uint32_t i = 0; i < f.instructions.size(); ++i)
        if (!(chains.chain(i) == dependence_chain{})) found.push_back(chains.chain(i));
    return found;
}
dependence_chain chain_of(std::string const& body) {
    auto const chains = chains_of(body);
    REQUIRE(chains.size() == 1);
    return chains.front();
}
void check(dependence_chain const& found, unsigned distant, unsigned nearby, unsigned special, unsigned cycles) {
    CHECK(found.distant == distant);
    CHECK(found.nearby == nearby);
    CHECK(found.special == special);
    CHECK(found.cycles == cycles);
}

std::string const load_two = "ld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d2];\n";

} // namespace

TEST_CASE("independent loads are one wait, a load at a loaded address is another") {
    check(chain_of(load_two + "add.u32 %r3, %r1, %r2;"), 1, 0, 0, step);
    check(chain_of(
              "ld.global.u32 %r1, [%d1];\nadd.u32 %r3, %r3, %r1;\nld.global.u32 %r2, [%d2];\nadd.u32 %r3, %r3, %r2;"),
          1, 0, 0, 2 * step); // the second load goes ahead of the addition
    check(chain_of("ld.global.u64 %d1, [%d1];\nld.global.u64 %d1, [%d1];\nld.global.u64 %d1, [%d1];"), 3, 0, 0, 0);
    check(chain_of("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}];\nadd.f32 %f1, %f1, %f2;"), 1, 0, 0,
          step);
}

TEST_CASE("a load does not go ahead of a store that may change what it reads") {
    std::string const store = "st.global.u32 [%d3], %r1;\n", load = "ld.global.u32 %r1, [%d1];\n";
    check(chain_of(load + store + "ld.global.u32 %r2, [%d2];"), 2, 0, 0, 0);
    check(chain_of(load + store + "ld.global.nc.u32 %r2, [%d2];"), 1, 0, 0, 0); // what nobody writes
    check(chain_of(load + store + "ld.shared.u32 %r2, [%r3];\nadd.u32 %r2, %r2, %r2;"), 1, 0, 0, 0);
    check(chain_of(load + "st.shared.u32 [%r3], %r1;\nld.shared.u32 %r2, [%r4];"), 1, 1, 0, 0);
    check(chain_of(load + "st.shared.u32 [%r3], %r1;\nld.u32 %r2, [%d2];"), 2, 0, 0,
          0); // generic: perhaps shared memory
}

TEST_CASE("what is behind a division waits for its branch, loads that are under way do not") {
    constexpr auto branch = static_cast<unsigned>(gh100.latency.branch);
    std::string const divide = "div.rn.f32 %f1, %f2, %f3;\n", more = "add.f32 %f4, %f5, %f6;\n";
    check(chain_of(divide + more), 0, 0, 0, 2 * step + branch);
    check(chain_of(more + divide), 0, 0, 0, step + branch);
    check(chain_of("div.approx.f32 %f1, %f2, %f3;\n" + more), 0, 0, 0, step);
    check(chain_of(divide + "div.rn.f32 %f4, %f5, %f6;"), 0, 0, 0, 2 * (step + branch));
    check(chain_of("ld.global.f32 %f7, [%d1];\n" + divide + "add.f32 %f4, %f7, %f6;"), 1, 0, 0, step);
}

TEST_CASE("accesses stay on their side of a barrier") {
    std::string const body = "ld.global.u32 %r1, [%d1];\nst.shared.u32 [%r3], %r1;\n";
    check(chain_of(body + "bar.sync 0;\nld.global.u32 %r2, [%d2];"), 2, 0, 0, 0);
    check(chain_of(body + "ld.global.u32 %r2, [%d2];\nbar.sync 0;"), 1, 0, 0, 0);
    check(chain_of("ld.global.u32 %r1, [%d1];\nbar.sync 0;\nld.global.u32 %r2, [%d2];"), 1, 0, 0,
          0); // nobody has used it
}

TEST_CASE("waits are told by what is waited for") {
    check(chain_of("ld.shared.u32 %r1, [%r1];\nshfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\nadd.u32 %r1, %r1, %r2;"), 0, 2,
          0, step);
    check(chain_of("ex2.approx.f32 %f1, %f1;\nmul.f32 %f1, %f1, %f2;\nsin.approx.f32 %f1, %f1;"), 0, 0, 2, step);
    check(chain_of("atom.global.add.u32 %r1, [%d1], %r2;\nadd.u32 %r1, %r1, %r2;"), 1, 0, 0, step);
    check(chain_of("red.global.add.u32 [%d1], %r2;\nadd.u32 %r1, %r1, %r2;"), 0, 0, 0, step);
}

TEST_CASE("arithmetic takes its latency where it depends, and else a cycle") {
    std::string dependent, independent;
    for (int i = 0; i < 8; ++i) {
        dependent += "add.u32 %r1, %r1, %r2;\n";
        independent += "add.u32 %r" + std::to_string(i) + ", %r8, %r9;\n";
    }
    check(chain_of(dependent), 0, 0, 0, 8 * step);
    check(chain_of(independent), 0, 0, 0, 8 + 1); // and the end of the thread
}

TEST_CASE("blocks have chains of their own, a predicate none") {
    std::string const body = "ld.global.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra over;\n"
                             "ld.global.u32 %r3, [%d2];\nover:\nadd.u32 %r1, %r1, %r3;\n";
    auto const apart = chains_of(body);
    REQUIRE(apart.size() == 3);
    check(apart[0], 1, 0, 0, 0);
    check(apart[1], 1, 0, 0, 0);
    check(apart[2], 0, 0, 0, step);
    auto const together = chains_of(body, 2, 4);
    REQUIRE(together.size() == 1);
    check(together[0], 1, 0, 0, 2 * step); // the comparison, the second load, the addition
}

TEST_CASE("a branch is issued behind what stands before it, and later where its condition is late") {
    constexpr auto branch = static_cast<unsigned>(gh100.latency.branch),
                   jump = static_cast<unsigned>(gh100.latency.jump);
    std::string condition_first = "loop:\nsetp.eq.u32 %p1, %r2, 0;\n", chain;
    for (int i = 0; i < 16; ++i) chain += "add.u32 %r1, %r1, %r3;\n";
    check(chains_of(condition_first + chain + "@%p1 bra loop;")[0], 0, 0, 0, 15 * step + jump);
    check(chains_of("loop:\n" + chain + "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra loop;")[0], 0, 0, 0, 17 * step + branch);
}

TEST_CASE("rounds that are done at once ask for their data at once, and add to a sum one after the other") {
    constexpr auto branch = static_cast<unsigned>(gh100.latency.branch),
                   jump = static_cast<unsigned>(gh100.latency.jump);
    static_assert(unrolled_loop::at_once == 4);
    auto const rounds_of = [](std::string const& body) {
        auto const parsed = parse_body("loop:\n" + body +
                                       "add.u64 %d1, %d1, 4;\nadd.u32 %r4, %r4, 1;\n"
                                       "setp.ne.u32 %p1, %r4, %r5;\n@%p1 bra loop;\n");
        ptx::function const& f = parsed.functions[0];
        auto const last = static_cast<std::uint32_t>(f.instructions.size() - 2); // before the end of the thread
        std::vector<dependence_cost> costs;
        for (ptx::instruction const& op : f.instructions) costs.push_back({1, op.facts->profile.pipe, true});
        dependence const chains{f, gh100.latency, costs, {{{0, last}, {last - 1, last, last - 2, last - 3}}}};
        return chains.chain_of_rounds(0);
    };
    check(rounds_of("ld.global.u32 %r1, [%d1];\nadd.u32 %r2, %r2, %r1;\n"), 1, 0, 0, 3 * step + jump);
    check(rounds_of("add.u32 %r2, %r2, %r3;\n"), 0, 0, 0, 2 * step + branch); // what counts takes longer
    std::string chain;
    for (int i = 0; i < 4; ++i) chain += "add.u32 %r2, %r2, %r3;\n";
    check(rounds_of(chain), 0, 0, 0, 15 * step + jump);
    check(rounds_of("ld.global.u32 %r2, [%d2];\nst.global.u32 [%d1], %r2;\n"), 4, 0, 0,
          jump); // perhaps of the same address
    CHECK(unrolled_loop::together(10, 1) == 2);
    CHECK(unrolled_loop::together(22, 2) == 4);
    CHECK(unrolled_loop::together(3, 1) == 0);
}

TEST_CASE("copies are waited for where their group is") {
    std::string const copy = "cp.async.ca.shared.global [%r1], [%d1], 4;\ncp.async.commit_group;\n";
    std::string const use = "ld.shared.u32 %r2, [%r3];\n";
    check(chain_of(copy + use), 0, 1, 0, 0);
    check(chain_of(copy + "cp.async.wait_group 0;\n" + use), 1, 1, 0, 0);
    check(chain_of(copy + "cp.async.wait_group 1;\n" + use), 0, 1, 0, 0);
    check(chain_of(copy + copy + "cp.async.wait_group 1;\n" + use), 1, 1, 0, 0);
    check(chain_of("cp.async.wait_all;\n" + use), 1, 1, 0, 0); // of a block before
}

} // namespace dependence_test
