// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of linking PTX texts: what the linked text does is what the programs mean.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "sim/decode/program.hpp"
#include "sim/execute/execute.hpp"
#include "sim/ptx/link.hpp"

#include "support/driver_fixture.hpp"

namespace link_test {

using namespace gpuprof::abi;

static std::string module(std::string const& body, std::string const& version = "7.0") {
    return ".version " + version + "\n.target sm_70\n.address_size 64\n" + body;
}

// What the kernel `answer` of the linked texts writes, or the reason why it does not.
static std::string answer_of(std::vector<std::string> const& texts) {
    embedded_context const gpu;
    std::string const linked = gpuprof::sim::ptx::link(texts);
    char log[256] = {};
    CUjit_option options[]{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[]{log, reinterpret_cast<void*>(sizeof log)};
    CUmodule code = nullptr;
    if (gpu.driver.ModuleLoadDataEx(&code, linked.c_str(), 2, options, values) != CUDA_SUCCESS) return log;
    CUfunction kernel = nullptr;
    REQUIRE(gpu.driver.ModuleGetFunction(&kernel, code, "answer") == CUDA_SUCCESS);
    CUdeviceptr memory = 0;
    REQUIRE(gpu.driver.MemAlloc(&memory, 4) == CUDA_SUCCESS);
    void* arguments[]{&memory};
    std::uint32_t number = 0;
    if (gpu.driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS ||
        gpu.driver.MemcpyDtoH(&number, memory, 4) != CUDA_SUCCESS)
        return gpuprof::sim::last_launch_error(gpu.handle)->message();
    return std::to_string(number);
}

// Stores what `instructions` leave in %r1.
static std::string answer(std::string const& instructions) {
    return ".visible .entry answer(.param .u64 to) {\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" + instructions +
           "ld.param.u64 %rd1, [to];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
}
// %r1 = name(), a function without parameters.
static std::string call(std::string const& name) {
    return "{ .param .b32 result;\ncall.uni (result), " + name + ";\nld.param.b32 %r1, [result];\n}\n";
}
static std::string returns(std::string const& head, std::string const& value) {
    return head + "\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, " + value + ";\nst.param.b32 [out], %r1;\nret;\n}\n";
}

TEST_CASE("a function that another text defines, before or after the call") {
    std::string const caller = module(".extern .func (.param .b32 out) forty_two\n;\n" + answer(call("forty_two")));
    std::string const callee = module(returns(".visible .func (.param .b32 out) forty_two", "42"));
    CHECK(answer_of({caller, callee}) == "42");
    CHECK(answer_of({callee, caller}) == "42");
}

TEST_CASE("a variable that another text defines is one variable") {
    std::string const reader =
        module(".extern .global .align 4 .u32 shared_number;\n" + answer("ld.global.u32 %r1, [shared_number];\n"));
    std::string const owner = module(".visible .global .align 4 .u32 shared_number = 7;\n");
    CHECK(answer_of({reader, owner}) == "7");
    CHECK(answer_of({owner, reader}) == "7");
}

TEST_CASE("names that texts keep for themselves do not meet") {
    std::string const first = module(".global .align 4 .u32 own = 1;\n.extern .func (.param .b32 out) other\n;\n" +
                                     answer(call("other") + "ld.global.u32 %r2, [own];\nadd.u32 %r1, %r1, %r2;\n"));
    std::string const second =
        module(".global .align 4 .b8 own[4] = {10, 0, 0, 0};\n" +
               returns(".visible .func (.param .b32 out) other", "%r1; ld.global.u32 %r1, [own]"));
    CHECK(answer_of({first, second}) == "11");
    CHECK(answer_of({second, first}) == "11");
}

TEST_CASE("of weak definitions the first is taken") {
    std::string const first = module(returns(".weak .func (.param .b32 out) inlined", "1") + answer(call("inlined")));
    std::string const second = module(returns(".weak .func (.param .b32 out) inlined", "2"));
    CHECK(answer_of({first, second}) == "1");
    CHECK(answer_of({second, first}) == "2");
}

TEST_CASE("lines of each text stay lines of its own file") {
    std::string const fault = "mov.u64 %rd2, 16;\n.loc 1 33 5\nst.global.u32 [%rd2], %r1;\n";
    std::string const good = module(".visible .entry good() {\n.loc 1 2 3\nret;\n}\n.file 1 \"good.cu\"\n");
    std::string const bad = module(answer(fault) + ".file 1 \"bad.cu\"\n.section .debug_str { .b8 1 }\n");
    CHECK(answer_of({good, bad}).find("bad.cu:33") != std::string::npos);
    CHECK(answer_of({bad, good}).find("bad.cu:33") != std::string::npos);
}

TEST_CASE("what nobody defines, and what is malformed, is found when the linked text is loaded") {
    std::string const caller = module(".extern .func (.param .b32 out) nowhere\n;\n" + answer(call("nowhere")));
    CHECK(answer_of({caller, module("")}).find("nowhere") != std::string::npos);
    CHECK(answer_of({caller, module("bogus;\n")}).find("line") != std::string::npos);
    CHECK(answer_of({module("}}{{"), caller}).find("line") != std::string::npos);
    CHECK(gpuprof::sim::ptx::link(std::vector<std::string>{"", "{", "(((", ".global", ".visible .func ("}).size() < 64);
}

} // namespace link_test
