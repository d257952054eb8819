// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking PTX at run time by the embedded GPU's driver.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "runtime_calls.hpp"

namespace link_test {

using module_handle = struct CUmod_st*;
using function_handle = struct CUfunc_st*;
using link_handle = struct CUlinkState_st*;

extern "C" {
int cuLinkCreate_v2(unsigned count, int* options, void** values, link_handle* made);
int cuLinkAddData_v2(link_handle to, int type, void* data, std::size_t bytes, char const* name, unsigned count,
                     int* options, void** values);
int cuLinkComplete(link_handle of, void** image, std::size_t* bytes);
int cuLinkDestroy(link_handle gone);
int cuModuleLoadData(module_handle* made, void const* image);
int cuModuleGetFunction(function_handle* made, module_handle of, char const* name);
int cuModuleUnload(module_handle gone);
int cuLaunchKernel(function_handle kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                   stream in, void** arguments, void** extra);
}

static constexpr int ptx = 1;
static constexpr char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

TEST_CASE("a kernel calls a function of another text, once they are linked") {
    std::string caller = std::string{head} + R"(
.extern .func (.param .b32 result) square(.param .b32 of);
.visible .entry squares(.param .u64 to) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, %tid.x;
    {
        .param .b32 in;
        .param .b32 out;
        st.param.b32 [in], %r1;
        call (out), square, (in);
        ld.param.b32 %r2, [out];
    }
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
)";
    std::string callee = std::string{head} + R"(
.visible .func (.param .b32 result) square(.param .b32 of) {
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [of];
    mul.lo.u32 %r2, %r1, %r1;
    st.param.b32 [result], %r2;
    ret;
}
)";
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 32 * 4) == 0); // there is a context now
    link_handle linker = nullptr;
    REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &linker) == 0);
    CHECK(cuLinkAddData_v2(linker, ptx, caller.data(), caller.size() + 1, "caller", 0, nullptr, nullptr) == 0);
    CHECK(cuLinkAddData_v2(linker, ptx, callee.data(), callee.size() + 1, "callee", 0, nullptr, nullptr) == 0);
    void* image = nullptr;
    std::size_t bytes = 0;
    REQUIRE(cuLinkComplete(linker, &image, &bytes) == 0);
    CHECK(bytes == std::strlen(static_cast<char const*>(image)) + 1);
    module_handle module = nullptr;
    function_handle kernel = nullptr;
    REQUIRE(cuModuleLoadData(&module, image) == 0);
    CHECK(cuLinkDestroy(linker) == 0);
    REQUIRE(cuModuleGetFunction(&kernel, module, "squares") == 0);
    void* arguments[]{&memory};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == 0);
    std::uint32_t got[32];
    CHECK(cudaMemcpy(got, memory, sizeof got, device_to_host) == 0);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == i * i);
    CHECK(cuModuleUnload(module) == 0);
    CHECK(cudaFree(memory) == 0);
}

TEST_CASE("what is no PTX is refused, with a text in the log") {
    REQUIRE(cudaFree(nullptr) == 0);
    char log[256] = "";
    int options[]{5, 6}; // CU_JIT_ERROR_LOG_BUFFER, its size
    void* values[]{log, reinterpret_cast<void*>(sizeof log)};
    link_handle linker = nullptr;
    REQUIRE(cuLinkCreate_v2(2, options, values, &linker) == 0);
    std::string wrong = std::string{head} + ".visible .entry k() { frobnicate; ret; } }";
    CHECK(cuLinkAddData_v2(linker, ptx, wrong.data(), wrong.size() + 1, "wrong", 0, nullptr, nullptr) == 218);
    CHECK(std::string{log}.find("PTX line") != std::string::npos);
    CHECK(cuLinkAddData_v2(linker, 0, wrong.data(), wrong.size(), "machine code", 0, nullptr, nullptr) == 209);
    void* image = nullptr;
    CHECK(cuLinkComplete(linker, &image, nullptr) == 1); // there is nothing to link
    CHECK(cuLinkDestroy(linker) == 0);
    CHECK(cuLinkDestroy(linker) == 400);
}

} // namespace link_test
