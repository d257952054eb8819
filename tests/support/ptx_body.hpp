// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's body as parsed instructions. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_PTX_BODY_HPP
#define GPUPROF_TESTS_SUPPORT_PTX_BODY_HPP

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "sim/ptx/parse.hpp"

namespace gpuprof_test {

// The module of one kernel with this body, in which %r0 to %r9, %d0 to %d9, %f0 to %f9 and %p0 to %p9 are registers of 32
// and 64 bits, floats and predicates.
inline gpuprof::sim::ptx::parsed_module parse_body(std::string const& body) {
    auto parsed = gpuprof::sim::ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n"
                                           ".visible .entry one() {\n"
                                           ".reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<10>; .reg .pred %p<10>;\n"
                                           ".shared .align 16 .b8 tile[4096];\n" +
                                           body + "\nret;\n}\n");
    REQUIRE(parsed);
    REQUIRE(parsed->functions.size() == 1);
    REQUIRE(!parsed->functions[0].fault);
    return *std::move(parsed);
}
// The index of a register as it is called there.
inline std::uint32_t register_of(std::string_view name) {
    constexpr std::string_view families = "rdfp";
    return static_cast<std::uint32_t>(families.find(name[1]) * 10 + static_cast<std::size_t>(name[2] - '0'));
}

} // namespace gpuprof_test

#endif // GPUPROF_TESTS_SUPPORT_PTX_BODY_HPP
