// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking PTX at run time by the embedded GPU's driver: cuLink…, and nvJitLink's calls, which the library has, too.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>

#include <dlfcn.h>

#include "runtime_calls.hpp"
#include "support/scratch_directory.hpp"

namespace link_test {

using module_handle = struct CUmod_st*;
using function_handle = struct CUfunc_st*;
using link_handle = struct CUlinkState_st*;
using jit_handle = struct nvJitLink*;

extern "C" {
int cuLinkCreate_v2(unsigned count, int* options, void** values, link_handle* made);
int cuLinkAddData_v2(link_handle to, int type, void* data, std::size_t bytes, char const* name, unsigned count,
                     int* options, void** values);
int cuLinkAddFile_v2(link_handle to, int type, char const* path, unsigned count, int* options, void** values);
int cuLinkComplete(link_handle of, void** image, std::size_t* bytes);
int cuLinkDestroy(link_handle gone);
int cuModuleLoadData(module_handle* made, void const* image);
int cuModuleGetFunction(function_handle* made, module_handle of, char const* name);
int cuModuleUnload(module_handle gone);
int cuLaunchCooperativeKernel(function_handle kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned shared, stream in, void** arguments);
int nvJitLinkCreate(jit_handle* made, std::uint32_t count, char const* const* options);
int nvJitLinkDestroy(jit_handle* gone);
int nvJitLinkAddData(jit_handle to, int type, void const* data, std::size_t bytes, char const* name);
int nvJitLinkAddFile(jit_handle to, int type, char const* path);
int nvJitLinkComplete(jit_handle of);
int nvJitLinkGetLinkedCubinSize(jit_handle of, std::size_t* bytes);
int nvJitLinkGetLinkedCubin(jit_handle of, void* image);
int nvJitLinkGetErrorLogSize(jit_handle of, std::size_t* bytes);
int nvJitLinkGetErrorLog(jit_handle of, char* log);
int nvJitLinkVersion(unsigned* generation, unsigned* revision);
int cuLaunchKernel(function_handle kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                   stream in, void** arguments, void** extra);
}

static constexpr int ptx = 1, object = 3, archive = 4;
static constexpr char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

namespace {
std::string const caller = std::string{head} + R"(
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
std::string const callee = std::string{head} + R"(
.visible .func (.param .b32 result) square(.param .b32 of) {
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [of];
    mul.lo.u32 %r2, %r1, %r1;
    st.param.b32 [result], %r2;
    ret;
}
)";

// Runs the kernel of a linked image: 32 squares.
void check_squares(void const* image) {
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 32 * 4) == 0);
    module_handle module = nullptr;
    function_handle kernel = nullptr;
    REQUIRE(cuModuleLoadData(&module, image) == 0);
    REQUIRE(cuModuleGetFunction(&kernel, module, "squares") == 0);
    void* arguments[]{&memory};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == 0);
    std::uint32_t got[32];
    CHECK(cudaMemcpy(got, memory, sizeof got, device_to_host) == 0);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == i * i);
    CHECK(cuModuleUnload(module) == 0);
    CHECK(cudaFree(memory) == 0);
}
int add(link_handle to, int type, std::string image, char const* name) {
    return cuLinkAddData_v2(to, type, image.data(), image.size() + 1, name, 0, nullptr, nullptr);
}
// What the host's compiler makes of a file with device code: fat binaries among other bytes.
std::string object_of(std::string const& text) {
    std::string const container = hand_made_container(std::vector<hand_made_image>{{1, 70, text}});
    return "\x7f"
           "ELF: code of the host, eight bytes at a time, \x50\xed\x55\xba by chance" +
           container + "more";
}
} // namespace

TEST_CASE("a kernel calls a function of another text, once they are linked") {
    REQUIRE(cudaFree(nullptr) == 0); // there is a context now
    link_handle linker = nullptr;
    REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &linker) == 0);
    CHECK(add(linker, ptx, caller, "caller") == 0);
    CHECK(add(linker, ptx, callee, "callee") == 0);
    void* image = nullptr;
    std::size_t bytes = 0;
    REQUIRE(cuLinkComplete(linker, &image, &bytes) == 0);
    CHECK(bytes == std::strlen(static_cast<char const*>(image)) + 1);
    check_squares(image);
    CHECK(cuLinkDestroy(linker) == 0);
}

TEST_CASE("objects and archives are linked by the PTX in them, also from files") {
    REQUIRE(cudaFree(nullptr) == 0);
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/callee.o";
    std::ofstream{file, std::ios::binary} << object_of(callee);
    link_handle linker = nullptr;
    REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &linker) == 0);
    CHECK(add(linker, archive, "!<arch>\n of machine code", "libdevice.a") == 0);
    CHECK(add(linker, archive, "!<arch>\n" + object_of(caller), "libcaller.a") == 0);
    CHECK(cuLinkAddFile_v2(linker, object, file.c_str(), 0, nullptr, nullptr) == 0);
    CHECK(cuLinkAddFile_v2(linker, object, scratch.path().c_str(), 0, nullptr, nullptr) == 301);
    void* image = nullptr;
    REQUIRE(cuLinkComplete(linker, &image, nullptr) == 0);
    check_squares(image);
    CHECK(cuLinkDestroy(linker) == 0);
}

TEST_CASE("a linked kernel synchronises its grid by calls of the toolkit's library") {
    REQUIRE(cudaFree(nullptr) == 0);
    // In each of three rounds, each of 4 blocks adds its neighbour's cell, as it was before the round, and 1 to its own.
    std::string const text = std::string{head} + R"(
.extern .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.visible .entry rounds(.param .u64 cells) {
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [cells];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    setp.eq.u32 %p1, %r2, 0;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    add.u32 %r3, %r1, 1;
    and.b32 %r3, %r3, 3;
    mul.wide.u32 %rd4, %r3, 4;
    add.u64 %rd5, %rd1, %rd4;
    { .param .b32 a; .param .b64 b; st.param.b32 [a], 1; call (b), cudaCGGetIntrinsicHandle, (a); ld.param.b64 %rd6, [b]; }
    mov.u32 %r4, 0;
again:
    ld.volatile.global.u32 %r5, [%rd5];
    { .param .b64 a; .param .b32 f; .param .b32 b; st.param.b64 [a], %rd6; st.param.b32 [f], 0;
      call (b), cudaCGSynchronize, (a, f); ld.param.b32 %r6, [b]; }
    ld.volatile.global.u32 %r7, [%rd3];
    add.u32 %r7, %r7, %r5;
    add.u32 %r7, %r7, 1;
    @%p1 st.volatile.global.u32 [%rd3], %r7;
    { .param .b64 a; .param .b32 f; .param .b32 b; st.param.b64 [a], %rd6; st.param.b32 [f], 0;
      call (b), cudaCGSynchronize, (a, f); ld.param.b32 %r6, [b]; }
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, 3;
    @%p2 bra again;
    @%p1 st.global.u32 [%rd3 + 16], %r6;
    ret;
}
)";
    link_handle linker = nullptr;
    REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &linker) == 0);
    CHECK(add(linker, ptx, text, "rounds") == 0);
    CHECK(add(linker, archive, "!<arch>\n", "libcudadevrt.a") == 0);
    void* image = nullptr;
    REQUIRE(cuLinkComplete(linker, &image, nullptr) == 0);
    module_handle module = nullptr;
    function_handle kernel = nullptr;
    REQUIRE(cuModuleLoadData(&module, image) == 0);
    REQUIRE(cuModuleGetFunction(&kernel, module, "rounds") == 0);
    std::uint32_t got[8]{0, 0, 0, 0, 9, 9, 9, 9};
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, sizeof got) == 0);
    CHECK(cudaMemcpy(memory, got, sizeof got, host_to_device) == 0);
    void* arguments[]{&memory};
    CHECK(cuLaunchCooperativeKernel(kernel, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments) == 0);
    CHECK(cudaMemcpy(got, memory, sizeof got, device_to_host) == 0);
    for (int i = 0; i < 4; ++i) CHECK(got[i] == 7); // of all cells alike: c = 2 c + 1, from 0
    for (int i = 4; i < 8; ++i) CHECK(got[i] == 0); // cudaSuccess
    CHECK(cudaFree(memory) == 0);
    CHECK(cuModuleUnload(module) == 0);
    CHECK(cuLinkDestroy(linker) == 0);
}

TEST_CASE("nvJitLink links PTX, and its cubin is what the driver loads") {
    REQUIRE(cudaFree(nullptr) == 0);
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/callee.ptx";
    std::ofstream{file} << callee;
    jit_handle linker = nullptr;
    CHECK(nvJitLinkCreate(&linker, 0, nullptr) == 2); // NVJITLINK_ERROR_MISSING_ARCH
    char const* const options[]{"-arch=sm_90", "-O3"};
    REQUIRE(nvJitLinkCreate(&linker, 2, options) == 0);
    CHECK(nvJitLinkAddData(linker, 2, caller.data(), caller.size(), "caller") == 0);
    CHECK(nvJitLinkAddFile(linker, 10, file.c_str()) == 0); // any type
    std::size_t bytes = 0;
    CHECK(nvJitLinkGetLinkedCubinSize(linker, &bytes) == 3); // not yet
    REQUIRE(nvJitLinkComplete(linker) == 0);
    REQUIRE(nvJitLinkGetLinkedCubinSize(linker, &bytes) == 0);
    std::string image(bytes, '?');
    REQUIRE(nvJitLinkGetLinkedCubin(linker, image.data()) == 0);
    CHECK(image.back() == '\0');
    check_squares(image.data());
    CHECK(nvJitLinkDestroy(&linker) == 0);
    CHECK(linker == nullptr);
}

TEST_CASE("nvJitLink says why it does not link, and that it is no release with link-time optimisation") {
    char const* const options[]{"-arch=sm_90"};
    jit_handle linker = nullptr;
    REQUIRE(nvJitLinkCreate(&linker, 1, options) == 0);
    CHECK(nvJitLinkAddData(linker, 3, "code", 4, "optimised later") == 18); // NVJITLINK_ERROR_LTO_NOT_ENABLED
    CHECK(nvJitLinkAddData(linker, 2, ".version 7.0 frobnicate", 23, "wrong") == 4);
    CHECK(nvJitLinkAddData(linker, 2, nullptr, 4, "nothing") == 10);
    CHECK(nvJitLinkAddData(linker, 7, "index", 5, "index") == 8);
    CHECK(nvJitLinkComplete(linker) == 3);
    std::size_t bytes = 0;
    REQUIRE(nvJitLinkGetErrorLogSize(linker, &bytes) == 0);
    std::string log(bytes, '?');
    REQUIRE(nvJitLinkGetErrorLog(linker, log.data()) == 0);
    CHECK(log.find("optimised later: code for link-time optimisation cannot be linked") != std::string::npos);
    CHECK(log.find("wrong: ") != std::string::npos);
    CHECK(nvJitLinkDestroy(&linker) == 0);
    unsigned generation = 0, revision = 0;
    CHECK(nvJitLinkVersion(&generation, &revision) == 0);
    CHECK(generation == 12);
    CHECK(revision < 3);                                       // which Numba looks for
    for (char const* const release : {"12_0", "12_9", "13_0"}) // as programs call it that include nvJitLink.h
        CHECK(::dlsym(RTLD_DEFAULT, (std::string{"__nvJitLinkCreate_"} + release).c_str()) != nullptr);
}

TEST_CASE("what is no PTX is refused, with a text in the log") {
    REQUIRE(cudaFree(nullptr) == 0);
    char log[256] = "";
    int options[]{5, 6}; // CU_JIT_ERROR_LOG_BUFFER, its size
    void* values[]{log, reinterpret_cast<void*>(sizeof log)};
    link_handle linker = nullptr;
    REQUIRE(cuLinkCreate_v2(2, options, values, &linker) == 0);
    std::string const wrong = std::string{head} + ".visible .entry k() { frobnicate; ret; } }";
    CHECK(add(linker, ptx, wrong, "wrong.ptx") == 218);
    CHECK(std::string{log}.find("wrong.ptx: ") != std::string::npos);
    CHECK(std::string{log}.find("PTX line") != std::string::npos);
    CHECK(add(linker, 0, wrong, "k.cubin") == 209);
    CHECK(std::string{log}.find("k.cubin: machine code cannot be linked") != std::string::npos);
    CHECK(add(linker, object,
              "\x7f"
              "ELF",
              "host.o") == 209);
    CHECK(std::string{log}.find("-rdc=true") != std::string::npos);
    void* image = nullptr;
    CHECK(cuLinkComplete(linker, &image, nullptr) == 1); // there is nothing to link
    CHECK(cuLinkDestroy(linker) == 0);
    CHECK(cuLinkDestroy(linker) == 400);
}

} // namespace link_test
