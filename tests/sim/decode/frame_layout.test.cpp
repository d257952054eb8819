// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers share places in the frame of a function, and no value is lost by that.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/decode/program.hpp"

#include "support/kernel_fixture.hpp"

namespace frame_layout_test {

using namespace gpuprof_test;

namespace {

std::string kernel_of(std::string const& body) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 to) {\n"
           ".reg .u32 %r<600>; .reg .u64 %rd<9>; .reg .pred %p<9>;\n ld.param.u64 %rd1, [to];\n mov.u32 %r1, "
           "%tid.x;\n" +
           body + " mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n st.global.u32 [%rd3], %r2;\n ret;\n}\n";
}

std::uint32_t frame_bytes(std::string const& body) {
    sim::device_memory memory;
    auto const program = sim::program::load(kernel_of(body), memory);
    REQUIRE(program);
    return program->find_kernel("k")->functions.front()->frame_bytes;
}

// What each thread of a warp stores.
std::vector<std::uint32_t> run(std::string const& body) {
    machine m{ptx_text{kernel_of(body)}};
    auto const out = m.zeros<std::uint32_t>(32);
    m.run("k", {1}, {32}, arguments{out});
    return out.values();
}

std::string number(int i) { return "%r" + std::to_string(i); }

// Results that are needed one after the other, each in a register of its own: so many that places are used again.
std::string many(int first) {
    std::string text = " add.u32 " + number(first) + ", %r1, 0;\n";
    for (int i = first + 1; i < first + 280; ++i) text += " add.u32 " + number(i) + ", " + number(i - 1) + ", 1;\n";
    return text;
}

} // namespace

TEST_CASE("results that are needed one after the other share a place, and those that are needed at once do not") {
    constexpr int count = 600;
    std::string chain = " add.u32 %r10, %r1, 1;\n", fan = chain;
    for (int i = 11; i < count; ++i) {
        chain += " add.u32 " + number(i) + ", " + number(i - 1) + ", 1;\n";
        fan += " add.u32 " + number(i) + ", %r1, " + std::to_string(i - 9) + ";\n";
    }
    chain += " mov.u32 %r2, " + number(count - 1) + ";\n";
    fan += " mov.u32 %r2, 0;\n";
    for (int i = 10; i < count; ++i) fan += " add.u32 %r2, %r2, " + number(i) + ";\n";
    constexpr std::uint32_t a_register = 32 * 4;
    CHECK(frame_bytes(chain) < count / 2 * a_register);
    CHECK(frame_bytes(fan) > (count - 10) * a_register);
    auto const of_chain = run(chain), of_fan = run(fan);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        constexpr std::uint32_t results = count - 10;
        CHECK(of_chain[lane] == lane + results);
        CHECK(of_fan[lane] == results * lane + results * (results + 1) / 2);
    }
}

TEST_CASE("what every round of a loop reads keeps its place, although results behind the last instruction that names "
          "it are many") {
    auto const out =
        run(" mul.lo.u32 %r9, %r1, 3;\n mov.u32 %r8, 7;\n mov.u32 %r20, 0;\nagain:\n add.u32 %r8, %r8, %r9;\n" +
            many(30) + many(310) +
            " add.u32 %r20, %r20, 1;\n setp.lt.u32 %p1, %r20, 5;\n @%p1 bra again;\n"
            " add.u32 %r2, %r8, %r589;\n");
    for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(out[lane] == 7 + 5 * 3 * lane + lane + 279);
}

TEST_CASE("what a round leaves to the next one is not lost to results of the round") {
    auto const out = run(" mov.u32 %r20, 0;\n mov.u32 %r2, 0;\n mov.u32 %r10, 0;\nagain:\n" + many(30) +
                         " add.u32 %r2, %r2, %r10;\n" + many(310) +
                         " add.u32 %r11, %r1, 5;\n add.u32 %r10, %r11, %r20;\n add.u32 %r20, %r20, 1;\n"
                         " setp.lt.u32 %p2, %r20, 4;\n @%p2 bra again;\n");
    for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(out[lane] == 3 * (lane + 5) + 0 + 1 + 2);
}

TEST_CASE("lanes that take different ways keep what each of them needs later") {
    auto const out =
        run(" add.u32 %r10, %r1, 1000;\n and.b32 %r11, %r1, 1;\n setp.eq.u32 %p1, %r11, 0;\n @%p1 bra even;\n" +
            many(30) + " add.u32 %r2, %r309, %r10;\n bra.uni both;\neven:\n" + many(310) +
            " add.u32 %r2, %r589, 100;\n add.u32 %r2, %r2, %r10;\nboth:\n add.u32 %r2, %r2, 1;\n");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        CHECK(out[lane] == lane + 279 + (lane % 2 == 0 ? 100 : 0) + lane + 1000 + 1);
}

TEST_CASE("an instruction lists operands that the function has") {
    sim::device_memory memory;
    auto const program = sim::program::load(
        kernel_of(many(10) +
                  " setp.eq.u32 %p1, %r1, 3;\n setp.lt.and.u32 %p2, %r1, 9, %p1;\n cvt.u64.u32 %rd4, %r289;\n"
                  " mov.b64 {%r2, %r3}, %rd4;\n @%p2 mov.b64 %rd5, {%r3, %r2};\n"),
        memory);
    REQUIRE(program);
    sim::function_code const& code = *program->find_kernel("k")->functions.front();
    std::size_t listed = 0;
    for (sim::decoded const& op : code.code) {
        listed += op.list_count;
        CHECK(op.list + op.list_count <= code.slots.size());
    }
    CHECK(listed == 2 + 2 + 2); // of what takes a register apart, what puts one together, and a load and a store
}

} // namespace frame_layout_test
