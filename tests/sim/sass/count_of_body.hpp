// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what the machine code of a few lines of PTX executes, as the estimate sees it.
#ifndef GPUPROF_TESTS_SIM_SASS_COUNT_OF_BODY_HPP
#define GPUPROF_TESTS_SIM_SASS_COUNT_OF_BODY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/decode/program.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"

namespace estimate_test {

using namespace gpuprof::sim;
using enum raw_counter;

// One CTA of a kernel with this body on a GPU of its own. `%to` is an array, `%tid0` the thread, `tile` shared memory.
inline counter_values count(std::string const& body, std::uint32_t threads = 32) {
    device_memory memory;
    auto const program = program::load(
        ".version 7.8\n.target sm_80\n.address_size 64\n.const .align 8 .b8 numbers[64];\n"
        ".visible .entry one(.param .u64 out) {\n"
        ".reg .u32 %r<9>; .reg .u32 %tid0; .reg .u64 %d<8>; .reg .u64 %to; .reg .pred %p; .reg .pred %also; "
        ".reg .b16 %b<4>;"
        ".reg .f32 %f<8>; .reg .f64 %g<4>; .shared .align 16 .b8 other[64];"
        ".shared .align 16 .b8 tile[4096]; .local .align 16 .b8 mine[16];\n"
        "ld.param.u64 %to, [out]; mov.u32 %tid0, %tid.x;\n" +
            body + "\nret;\n}\n",
        memory);
    REQUIRE(program);
    kernel const* const code = program->find_kernel("one");
    REQUIRE(code != nullptr);
    std::uint64_t const out = memory.allocate(4096).value();
    std::array<std::byte, sizeof out> parameters;
    std::memcpy(parameters.data(), &out, sizeof out);
    launch_config const config{{1}, {threads}, 0, parameters, false};
    l2_cache l2{gh100};
    launch_counters counters{gh100, *code, config, 1, l2};
    auto const done = execute(*code, config, memory, counters, {});
    INFO((done.error ? done.error->message() : std::string{}));
    REQUIRE(!done.error);
    return counters.finish();
}

} // namespace estimate_test

#endif // GPUPROF_TESTS_SIM_SASS_COUNT_OF_BODY_HPP
