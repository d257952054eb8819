// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which choices become a predicate of what computes the value: as ptxas 13.0 compiles the same text for sm_90, with or without FSEL.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "sim/sass/predicated_select.hpp"

#include "support/ptx_body.hpp"

namespace predicated_select_test {

using namespace gpuprof::sim;

namespace {

// The instruction whose predicate the choice becomes, of a text that has loaded %f1 to %f5; nobody where it stays.
constexpr std::uint32_t loads = 5;
std::uint32_t value(std::string const& body, bool* is_second = nullptr) {
    std::string text;
    for (unsigned i = 1; i <= loads; ++i)
        text += "ld.global.f32 %f" + std::to_string(i) + ", [%d1+" + std::to_string(4 * i) + "];\n";
    auto const parsed = gpuprof_test::parse_body(text + body + "st.global.f32 [%d2], %f9;\n");
    ptx::function const& f = parsed.functions[0];
    predicated_select const selects{f};
    for (std::uint32_t i = 0; i < f.instructions.size(); ++i)
        if (selects.value(i) != predicated_select::nobody) {
            if (is_second != nullptr) *is_second = selects.is_second(i);
            return selects.value(i) - loads;
        }
    return predicated_select::nobody;
}

std::string const sum = "add.f32 %f6, %f1, %f2;\n";

} // namespace

TEST_CASE("a choice of a sum or of a value that nobody reads any more becomes a predicate") {
    bool is_second = true;
    CHECK(value(sum + "selp.f32 %f9, %f6, %f3, %p1;\n", &is_second) == 0);
    CHECK_FALSE(is_second);
    CHECK(value(sum + "selp.f32 %f9, %f3, %f6, %p1;\n", &is_second) == 0);
    CHECK(is_second);
    CHECK(value(sum + "setp.gt.f32 %p1, %f1, %f4;\nselp.f32 %f9, %f6, %f3, %p1;\n") == 0);
    CHECK(value("mul.f32 %f6, %f3, 0f4B000000;\nselp.f32 %f9, %f6, %f3, %p1;\n") == 0);
    CHECK(value(sum + "mul.rn.f32 %f7, %f3, %f4;\nst.global.f32 [%d2+4], %f7;\nselp.f32 %f9, %f6, %f3, %p1;\n") == 0);
}

TEST_CASE("of two values the one computed later has the predicate") {
    CHECK(value(sum + "mul.f32 %f7, %f3, %f4;\nselp.f32 %f9, %f6, %f7, %p1;\n") == 1);
    CHECK(value("mul.f32 %f7, %f3, %f4;\n" + sum + "selp.f32 %f9, %f6, %f7, %p1;\n") == 1);
}

TEST_CASE("other choices stay instructions") {
    constexpr std::uint32_t nobody = predicated_select::nobody;
    CHECK(value(sum + "selp.f32 %f9, %f6, %f3, %p1;\nst.global.f32 [%d2+4], %f3;\n") == nobody); // it is read again
    CHECK(value(sum + "selp.f32 %f9, %f6, %f3, %p1;\nst.global.f32 [%d2+4], %f6;\n") == nobody);
    CHECK(value(sum + "selp.f32 %f9, %f6, 0f40000000, %p1;\n") == nobody);
    CHECK(value("mov.f32 %f7, 0f3F800000;\n" + sum + "selp.f32 %f9, %f6, %f7, %p1;\n") == nobody);
    CHECK(value("neg.f32 %f7, %f3;\n" + sum + "selp.f32 %f9, %f6, %f7, %p1;\n") == nobody);
    CHECK(value("abs.f32 %f8, %f3;\n" + sum + "selp.f32 %f9, %f6, %f3, %p1;\nst.global.f32 [%d2+4], %f8;\n") == nobody);
    CHECK(value(sum + "div.rn.f32 %f8, %f4, %f5;\nst.global.f32 [%d2+4], %f8;\nselp.f32 %f9, %f6, %f3, %p1;\n") ==
          nobody);
    CHECK(value(sum + "@%p2 bra over;\nbar.sync 0;\nover: selp.f32 %f9, %f6, %f3, %p1;\n") == nobody);
    CHECK(value("again: add.f32 %f6, %f9, %f2;\nselp.f32 %f9, %f6, %f3, %p1;\n@%p2 bra again;\n") ==
          nobody); // in the next round
    CHECK(value("again: add.f32 %f6, %f9, %f2;\nselp.f32 %f9, %f9, %f6, %p1;\n@%p2 bra again;\n") == 0);
}

} // namespace predicated_select_test
