// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vabsdiff4 and vadd4 against numbers worked out by hand.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "support/driver_fixture.hpp"

namespace four_bytes_test {

using namespace gpuprof::abi;

// What the instruction leaves in %r4 of a = 01 FF 80 00, b = 02 01 7F 10, c = 5.
static std::uint32_t result_of(std::string const& instruction) {
    std::string const text =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 to) {\n.reg .b32 %r<5>;\n"
        ".reg .b64 %rd<2>;\nld.param.u64 %rd1, [to];\nmov.u32 %r1, 0x01ff8000;\nmov.u32 %r2, 0x02017f10;\n"
        "mov.u32 %r3, 5;\n" +
        instruction + " %r4, %r1, %r2, %r3;\nst.global.u32 [%rd1], %r4;\nret;\n}\n";
    embedded_context gpu;
    CUmodule module_handle = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr to = 0;
    REQUIRE(gpu.driver.ModuleLoadData(&module_handle, text.c_str()) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.ModuleGetFunction(&function, module_handle, "k") == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemAlloc(&to, 4) == CUDA_SUCCESS);
    void* arguments[]{&to};
    REQUIRE(gpu.driver.LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    std::uint32_t value = 0;
    REQUIRE(gpu.driver.MemcpyDtoH(&value, to, 4) == CUDA_SUCCESS);
    return value;
}

TEST_CASE("vabsdiff4 is the distance of each byte, and with add their sum more than c") {
    CHECK(result_of("vabsdiff4.u32.u32.u32") == 0x01fe0110);
    CHECK(result_of("vabsdiff4.u32.u32.u32.add") == 1 + 0xfe + 1 + 0x10 + 5);
    CHECK(result_of("vabsdiff4.u32.s32.s32") == 0x0102ff10);
    CHECK(result_of("vabsdiff4.u32.s32.s32.add") == 1 + 2 + 0xff + 0x10 + 5);
}

// Without a sign the bytes are 1 + 2, 255 + 1, 128 + 127 and 0 + 16; with one 1 + 2, -1 + 1, -128 + 127 and 0 + 16.
TEST_CASE("vadd4 is the sum of each byte, and with add the sum of all and c") {
    CHECK(result_of("vadd4.u32.u32.u32") == 0x0300ff10);
    CHECK(result_of("vadd4.s32.s32.s32") == 0x0300ff10);
    CHECK(result_of("vadd4.u32.u32.u32.add") == 3 + 256 + 255 + 16 + 5);
    CHECK(result_of("vadd4.s32.s32.s32.add") == 3 + 0 - 1 + 16 + 5);
    CHECK(result_of("vadd4.s32.s32.u32.add") == 3 + 0 - 1 + 16 + 5); // no byte of b is above 127
}

} // namespace four_bytes_test
