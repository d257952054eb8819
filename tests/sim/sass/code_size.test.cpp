// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large a kernel's machine code is estimated to be, beside the sizes of what ptxas 13.0 makes for sm_90.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/decode/program.hpp"
#include "sim/sass/code_size.hpp"

namespace code_size_test {

namespace sim = gpuprof::sim;

namespace {

std::uint64_t size_of(std::string const& instruction) {
    sim::device_memory memory;
    auto const loaded =
        sim::program::load(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 to) {\n"
                           ".reg .f32 %f<4>; .reg .f64 %d<4>; .reg .u64 %l<4>; .reg .u64 %a;\n"
                           "ld.param.u64 %a, [to];\n" +
                               instruction + "\nret;\n}\n",
                           memory);
    REQUIRE(loaded);
    sim::kernel const* const k = loaded->find_kernel("k");
    REQUIRE(k != nullptr);
    auto const estimates = sim::estimates_of(sim::gh100, *k, *k->functions.front());
    return sim::code_bytes(*k, *estimates);
}

} // namespace

TEST_CASE("code grows by the subroutine of a division once, however many there are") {
    std::uint64_t const none = size_of("");
    // nvcc -arch=sm_90, .text of a kernel with an addition 384 bytes, with a division of floats in its place 2,304, of
    // doubles 2,048, with a square root 896, with a reciprocal 1,408, with a 64-bit division 2,176.
    struct {
        char const* instruction;
        std::uint64_t more;
    } const cases[]{{"div.rn.f32 %f1, %f2, %f3; st.global.f32 [%a], %f1;", 2304 - 384},
                    {"div.rn.f64 %d1, %d2, %d3; st.global.f64 [%a], %d1;", 2048 - 384},
                    {"sqrt.rn.f32 %f1, %f2; st.global.f32 [%a], %f1;", 896 - 384},
                    {"rcp.rn.f32 %f1, %f2; st.global.f32 [%a], %f1;", 1408 - 384},
                    {"div.s64 %l1, %l2, %l3; st.global.u64 [%a], %l1;", 2176 - 384}};
    for (auto const& each : cases) {
        INFO(std::string{each.instruction});
        std::uint64_t const more = size_of(each.instruction) - none;
        CHECK(more > each.more * 7 / 10);
        CHECK(more < each.more * 13 / 10);
    }
    std::uint64_t const one = size_of(cases[0].instruction);
    std::uint64_t const two = size_of(std::string{cases[0].instruction} + cases[0].instruction);
    CHECK(two > one);
    CHECK(two - one < 384); // 2,560 bytes there with two
    CHECK(size_of("div.approx.f32 %f1, %f2, %f3; st.global.f32 [%a], %f1;") < none + 256);
}

} // namespace code_size_test
