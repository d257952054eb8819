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

} // namespace liveness_test
