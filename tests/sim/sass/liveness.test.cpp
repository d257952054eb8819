// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimated registers beside those that `ptxas -v` says.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "sim/decode/program.hpp"

namespace liveness_test {

using namespace gpuprof::sim;

static std::uint32_t registers_of(std::string const& parameters, std::string const& body) {
    device_memory memory;
    auto const program =
        program::load(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry one(" + parameters +
                          ") {\n.reg .u64 %d<32>; .reg .u32 %r<32>;\nmov.u32 %r0, %tid.x;\n" + body + "ret;\n}\n",
                      memory);
    REQUIRE(program);
    return program->find_kernel("one")->register_count;
}

TEST_CASE("parameters take no registers before they are read, other values do") {
    std::string parameters, loads, stores, reads, writes;
    for (int i = 0; i < 20; ++i) {
        std::string const n = std::to_string(i);
        parameters += (i == 0 ? "" : ", ") + std::string{".param .u64 p"} + n;
        loads += "ld.param.u64 %d" + n + ", [p" + n + "];\n";
        stores += "st.global.u32 [%d" + n + "], %r0;\n";
        reads += "ld.global.u32 %r" + std::to_string(i + 1) + ", [%d0+" + n + "00];\n";
        writes += "st.global.u32 [%d1+" + n + "00], %r" + std::to_string(i + 1) + ";\n";
    }
    CHECK(registers_of(parameters, loads + stores) <= 30); // of 46 if all were held; ptxas 13.0 takes 30
    CHECK(registers_of(parameters, loads + reads + writes) >= 20);
}

// ptxas 13.0 for sm_90 takes 18 registers for the first kernel, and 32 for 20 to 27 values that are held at once.
TEST_CASE("a register is free while what it held is not read again, and 32 are kept to where that is near") {
    std::string passing, first, last;
    for (int round = 0; round < 2; ++round)
        for (int i = 1; i < 31; ++i) {
            std::string const r = "%r" + std::to_string(i), place = std::to_string(4 * i + 400 * round);
            passing += "ld.volatile.global.u32 " + r + ", [%d0+" + place + "];\nst.volatile.global.u32 [%d0+" + place +
                       "], " + r + ";\n";
        }
    for (int i = 1; i < 28; ++i) {
        std::string const r = "%r" + std::to_string(i), place = std::to_string(4 * i);
        first += "ld.volatile.global.u32 " + r + ", [%d0+" + place + "];\n";
        last += "st.volatile.global.u32 [%d0+" + place + "], " + r + ";\n";
    }
    std::string const parameter = ".param .u64 p", load = "ld.param.u64 %d0, [p];\n";
    CHECK(registers_of(parameter, load + passing) <= 18); // of 36 if each were held from the first time to the last
    CHECK(registers_of(parameter, load + first + last) == 32);
}

// ptxas 13.0 for sm_90 takes 10 registers.
TEST_CASE("what is computed long before it is read takes a register from where it is read") {
    std::string early = "ld.param.u64 %d0, [p]; .reg .u32 %v<60>; .reg .u32 %sum;\n", late = "mov.u32 %sum, %r0;\n";
    for (int i = 0; i < 60; ++i) {
        std::string const v = "%v" + std::to_string(i);
        early += "xor.b32 " + v + ", %r0, " + std::to_string(2 * i + 1) + ";\n";
        late += "mad.lo.u32 %sum, %sum, " + v + ", " + v + ";\n";
    }
    CHECK(registers_of(".param .u64 p", early + late + "st.global.u32 [%d0], %sum;\n") <= 32);
}

} // namespace liveness_test
