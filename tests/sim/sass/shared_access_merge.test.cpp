// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loads and which stores of neighbouring words become one.
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/sass/shared_access_merge.hpp"

#include "support/ptx_body.hpp"

namespace shared_access_merge_test {

using namespace gpuprof::sim;

namespace {

// Whether two instructions of neighbouring words are one with `line` between them.
bool joins(std::string const& first, std::string const& line, std::string const& next) {
    auto const parsed = gpuprof_test::parse_body("mov.u32 %r1, tile;\n" + first + line + "\n" + next);
    ptx::function const& f = parsed.functions[0];
    def_use const flow{f};
    shared_access_merge const loads{f, flow};
    std::uint32_t const second = 3;
    CHECK(loads.words(1) + loads.words(second) == 2);
    return loads.words(1) == 2;
}
bool joins_over(std::string const& line) {
    return joins("ld.shared.u32 %r2, [%r1];\n", line, "ld.shared.u32 %r3, [%r1+4];");
}
bool joins_stores_over(std::string const& line) {
    return joins("st.shared.u32 [%r1], %r2;\n", line, "st.shared.u32 [%r1+4], %r3;");
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
    CHECK_FALSE(joins_over("div.rn.f32 %f0, %f1, %f2;")); // its slow way is a branch
    CHECK(joins_over("div.approx.f32 %f0, %f1, %f2;"));
}

// Seven words from the third on, as a sum of eight warps reads them: an H200 executes three loads.
TEST_CASE("words of a variable are joined as those that a register addresses") {
    std::string body;
    for (int word = 2; word < 9; ++word) body += "ld.shared.f32 %f1, [tile+" + std::to_string(4 * word) + "];\n";
    auto const parsed = gpuprof_test::parse_body(body);
    ptx::function const& f = parsed.functions[0];
    def_use const flow{f};
    shared_access_merge const loads{f, flow};
    std::vector<unsigned> words;
    for (std::uint32_t i = 0; i < 7; ++i) words.push_back(loads.words(i));
    CHECK(words == std::vector<unsigned>{2, 0, 4, 0, 0, 0, 1});
}

// 1,351,680 instructions of bad_bank_stores_32 (tests/hardware/pairs) on an H200 for four times as many stores in its text.
TEST_CASE("stores are joined as loads are, and not over what may see or overwrite them") {
    CHECK(joins_stores_over("add.u32 %r5, %r6, %r7;"));
    CHECK(joins_stores_over("ld.global.u32 %r5, [%d1];"));
    CHECK_FALSE(joins_stores_over("ld.shared.u32 %r5, [%r6];"));
    CHECK_FALSE(joins_stores_over("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r6];"));
    CHECK_FALSE(joins_stores_over("st.shared.u32 [%r5], %r6;"));
    CHECK_FALSE(joins_stores_over("bar.sync 0;"));
    CHECK_FALSE(joins("st.shared.u32 [%r1], %r2;\n", "add.u32 %r1, %r1, 16;", "st.shared.u32 [%r1+4], %r3;"));
}

TEST_CASE("an address is aligned if the product that is added to it is") {
    auto const words = [](std::string const& pitch) {
        auto const parsed = gpuprof_test::parse_body("mov.u32 %r1, tile;\nmad.lo.s32 %r1, %r2, " + pitch +
                                                     ", %r1;\nld.shared.u32 %r3, [%r1];\nld.shared.u32 %r4, [%r1+4];");
        def_use const flow{parsed.functions[0]};
        return shared_access_merge{parsed.functions[0], flow}.words(2);
    };
    CHECK(words("160") == 2);
    CHECK(words("132") == 1);
}

// As ptxas 13.0 for sm_90 joins them (nvdisasm): LDS.128 for three or four words of 16 bytes, LDS.64 for two of 8; STS.64 and STS
// for three.
TEST_CASE("words and pairs are joined as far as their address is aligned") {
    auto const words = [](std::string const& shift, std::vector<std::string> const& accesses) {
        std::string body = "mov.u32 %r1, tile;\nshl.b32 %r2, %r3, " + shift + ";\nadd.u32 %r4, %r1, %r2;\n";
        for (std::string const& access : accesses) body += access + "\n";
        auto const parsed = gpuprof_test::parse_body(body);
        def_use const flow{parsed.functions[0]};
        shared_access_merge const merged{parsed.functions[0], flow};
        std::vector<unsigned> found;
        for (std::uint32_t i = 3; i < 3 + accesses.size(); ++i) found.push_back(merged.words(i));
        return found;
    };
    using list = std::vector<unsigned>;
    std::string const a = "ld.shared.f32 %f1, [%r4];", b = "ld.shared.f32 %f2, [%r4+4];",
                      c = "ld.shared.f32 %f3, [%r4+8];", d = "ld.shared.f32 %f4, [%r4+12];";
    CHECK(words("4", {a, b, c}) == list{4, 0, 0});
    CHECK(words("4", {b, c, d}) == list{4, 0, 0});
    CHECK(words("4", {a, d}) == list{1, 1});
    CHECK(words("4", {b, c}) == list{1, 1});
    CHECK(words("3", {a, b, c, d}) == list{2, 0, 2, 0});
    CHECK(words("3", {b, c, d}) == list{1, 2, 0});
    CHECK(words("2", {a, b}) == list{1, 1});
    std::string const pair = "ld.shared.v2.f32 {%f1, %f2}, [%r4];", next = "ld.shared.v2.f32 {%f3, %f4}, [%r4+8];";
    CHECK(words("4", {pair, next}) == list{2, 0});
    CHECK(words("4", {pair, c}) == list{2, 0});
    CHECK(words("3", {pair, next}) == list{1, 1});
    CHECK(words("4", {"ld.shared.b64 %d1, [%r4];", "ld.shared.b64 %d2, [%r4+8];"}) == list{2, 0});
    CHECK(words("4", {"st.shared.f32 [%r4], %f1;", "st.shared.f32 [%r4+4], %f2;", "st.shared.f32 [%r4+8], %f3;"}) ==
          list{2, 0, 1});
    CHECK(words("4", {"st.shared.v2.f32 [%r4], {%f1, %f2};", "st.shared.v2.f32 [%r4+8], {%f3, %f4};"}) == list{2, 0});
}

// LDS.64 where nobody needs zeros beside a half, LDS.U16 else; STS.64 always.
TEST_CASE("halves are joined up to four, loads where they are floating-point numbers") {
    auto const words = [](std::string const& use) {
        std::string body = ".reg .b16 %h<5>;\n";
        for (int i = 0; i < 4; ++i)
            body += "ld.shared.u16 %h" + std::to_string(i) + ", [tile+" + std::to_string(2 * i) + "];\n";
        auto const parsed = gpuprof_test::parse_body(body + use);
        def_use const flow{parsed.functions[0]};
        shared_access_merge const merged{parsed.functions[0], flow};
        std::vector<unsigned> found;
        for (std::uint32_t i = 0; i < 4; ++i) found.push_back(merged.words(i));
        return found;
    };
    CHECK(words("add.f16 %h0, %h0, %h1; add.f16 %h2, %h2, %h3; add.f16 %h0, %h0, %h2;") ==
          std::vector<unsigned>{4, 0, 0, 0});
    CHECK(words("add.f16 %h0, %h0, %h1; add.u16 %h2, %h2, %h3;") == std::vector<unsigned>{2, 0, 1, 1});
    CHECK(words("add.f16 %h0, %h0, %h1; add.f16 %h0, %h0, %h2; cvt.u32.u16 %r1, %h3;") ==
          std::vector<unsigned>{4, 0, 0, 1});
}

TEST_CASE("words before a register's address are joined, too") {
    CHECK(joins("ld.shared.u32 %r2, [%r1+-16];\n", "add.u32 %r5, %r6, %r7;", "ld.shared.u32 %r3, [%r1+-12];"));
    CHECK_FALSE(joins("ld.shared.u32 %r2, [%r1+-4];\n", "add.u32 %r5, %r6, %r7;", "ld.shared.u32 %r3, [%r1];"));
}

// LDS once: a register has the value.
TEST_CASE("what a block has loaded or stored is not loaded again") {
    auto const second = [](std::string const& first, std::string const& between) {
        auto const parsed =
            gpuprof_test::parse_body("mov.u32 %r1, tile; shl.b32 %r2, %r3, 5; add.u32 %r1, %r1, %r2;\n" + first +
                                     between + "ld.shared.u32 %r5, [%r1+4];");
        def_use const flow{parsed.functions[0]};
        ptx::function const& f = parsed.functions[0];
        return shared_access_merge{f, flow}.words(static_cast<std::uint32_t>(f.instructions.size()) - 2);
    };
    CHECK(second("ld.shared.u32 %r4, [%r1+4];\n", "") == 0);
    CHECK(second("ld.shared.u32 %r4, [%r1+4];\n", "shfl.sync.idx.b32 %r6, %r4, 0, 31, -1;\n") == 0);
    CHECK(second("st.shared.u32 [%r1+4], %r3;\n", "") == 0);
    CHECK(second("ld.shared.u32 %r4, [%r1+4];\n", "st.shared.u32 [%r1+8], %r3;\n") == 1);
    CHECK(second("ld.shared.u32 %r4, [%r1+4];\n", "bar.sync 0;\n") == 1);
    CHECK(second("ld.shared.u32 %r4, [%r1+8];\n", "") == 1);
}

// LDS.64 of two variables at 0 and 4; words 12 to 36 of one that begins at 8 are LDS.128 at 16 and 32.
TEST_CASE("variables are joined where they lie side by side") {
    std::string body = ".shared .align 4 .u32 first; .shared .align 4 .u32 second;\nld.shared.u32 %r1, [first]; "
                       "ld.shared.u32 %r2, [second];\n";
    for (int word = 3; word < 10; ++word) body += "ld.shared.f32 %f1, [tile+" + std::to_string(4 * word) + "];\n";
    auto const parsed = gpuprof_test::parse_body(body);
    ptx::function const& f = parsed.functions[0];
    std::map<ptx::variable const*, std::uint32_t> places;
    for (ptx::variable const& v : f.variables) places[&v] = v.name == "first" ? 0 : v.name == "second" ? 4 : 8;
    def_use const flow{f};
    shared_access_merge const merged{f, flow, {&parsed, &places}};
    std::vector<unsigned> words;
    for (std::uint32_t i = 0; i < 9; ++i) words.push_back(merged.words(i));
    CHECK(words == std::vector<unsigned>{2, 0, 4, 0, 0, 4, 0, 0, 0});
}

} // namespace shared_access_merge_test
