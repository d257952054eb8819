// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions against numbers worked out by hand.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "support/driver_fixture.hpp"

namespace four_bytes_test {

using namespace gpuprof::abi;

// What the instruction leaves in %r4 of a = 01 FF 80 00, b = 02 01 7F 10, c = 5.
static std::uint32_t result_of(std::string const& instruction, std::string const& operands = "%r4, %r1, %r2, %r3") {
    std::string const text =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 to) {\n.reg .b32 %r<5>;\n"
        ".reg .b64 %rd<2>;\nld.param.u64 %rd1, [to];\nmov.u32 %r1, 0x01ff8000;\nmov.u32 %r2, 0x02017f10;\n"
        "mov.u32 %r3, 5;\n" +
        instruction + " " + operands + ";\nst.global.u32 [%rd1], %r4;\nret;\n}\n";
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

TEST_CASE("vmad multiplies parts, adds c, and shifts and saturates the sum") {
    CHECK(result_of("vmad.u32.u32.u32", "%r4, %r1.b2, %r2.b0, %r3") == 255 * 16 + 5);
    CHECK(result_of("vmad.u32.u32.u32.po", "%r4, %r1.b2, %r2.b0, %r3") == 255 * 16 + 5 + 1);
    CHECK(result_of("vmad.u32.u32.u32.shr7", "%r4, %r1.b2, %r2.b0, %r3") == (255 * 16 + 5) / 128);
    CHECK(result_of("vmad.u32.u32.u32.sat", "%r4, %r1, %r2, %r3") == 0xffffffff);
    CHECK(result_of("vmad.u32.u32.u32", "%r4, %r1.b2, %r2.b0, -%r3") == 255 * 16 - 5);
    CHECK(result_of("vmad.s32.s32.s32", "%r4, %r1.b2, %r2.b1, %r3") == static_cast<std::uint32_t>(-127 + 5));
    CHECK(result_of("vmad.s32.s32.s32", "%r4, -%r1.b2, %r2.b1, %r3") == 127 + 5);
    CHECK(result_of("vmad.s32.s32.s32.sat", "%r4, -%r1, %r2, %r3") == 0x80000000);
}

TEST_CASE("cvt.pack clamps two integers and puts them below those of c") {
    CHECK(result_of("cvt.pack.sat.u8.s32.b32", "%r4, %r3, %r1, %r3") == 0x000505ff);
    CHECK(result_of("cvt.pack.sat.s8.s32.b32", "%r4, %r1, %r3, %r3") == 0x00057f05);
    CHECK(result_of("cvt.pack.sat.u4.s32.b32", "%r4, %r3, %r1, %r3") == 0x55f);
    CHECK(result_of("cvt.pack.sat.s2.s32.b32", "%r4, %r3, %r1, %r3") == 0x55); // 5, 1 and 1
    CHECK(result_of("cvt.pack.sat.s16.s32", "%r4, %r3, %r1") == 0x00057fff);
}

TEST_CASE("parts of registers are selected, saturated, merged with c and combined with it") {
    CHECK(result_of("vadd.s32.u32.s32", "%r4, %r1.b2, %r2.h0") == 0xff + 0x7f10);
    CHECK(result_of("vadd.s32.s32.s32", "%r4, %r1.b2, %r2.b1") == 0x7e); // -1 + 127
    CHECK(result_of("vsub.u32.u32.u32.sat", "%r4, %r1, %r2") == 0);      // a is less than b
    CHECK(result_of("vsub.s32.u32.u32", "%r4, %r1, %r2") == 0x01ff8000u - 0x02017f10u);
    CHECK(result_of("vadd.u32.u32.u32.sat", "%r4.b1, %r1.b2, %r2.b0, %r3") == 0xff05);     // 255 + 16, merged with 5
    CHECK(result_of("vadd.s32.s32.s32.sat", "%r4.h1, %r1.h0, %r1.h0, %r3") == 0x80000005); // twice -32768
    CHECK(result_of("vabsdiff.u32.s32.s32.add", "%r4, %r1.b1, %r2.b1, %r3") == 255 + 5);
    CHECK(result_of("vmin.s32.s32.s32.max", "%r4, %r1.b1, %r2.b1, %r3") == 5); // of -128 and 5
    CHECK(result_of("vmax.u32.u32.u32.min", "%r4, %r1.b1, %r2.b1, %r3") == 5);
    CHECK(result_of("vshl.u32.u32.u32.clamp", "%r4, %r1.b3, %r2.b0") == 0x10000);
    CHECK(result_of("vshl.u32.u32.u32.sat.clamp", "%r4, %r1, %r2") == 0xffffffff); // by 32 at most
    CHECK(result_of("vshr.s32.s32.u32.wrap", "%r4, %r1.h0, %r3") == 0xfffffc00);   // -32768 by 5
    CHECK(result_of("vset.s32.s32.lt", "%r4, %r1.b1, %r2.b1") == 1);
    CHECK(result_of("vset.u32.u32.lt.add", "%r4, %r1.b1, %r2.b1, %r3") == 5);
}

TEST_CASE("halves and bytes are selected from both registers, saturated, and written where the mask has them") {
    CHECK(result_of("vadd2.s32.s32.s32.sat") == 0x0400ff10); // 0x1ff + 0x201, -0x8000 + 0x7f10
    CHECK(result_of("vadd2.u32.u32.u32.add", "%r4, %r1, %r2, %r3") == 0x400 + 0xff10 + 5);
    CHECK(result_of("vsub2.s32.s32.s32.sat", "%r4.h0, %r1, %r2, %r3") == 0x8000); // and 0 of c
    CHECK(result_of("vadd2.u32.u32.u32", "%r4, %r1.h33, %r2.h01, %r3") == ((0x201u + 0x8000) << 16 | (0x201 + 0x1ff)));
    CHECK(result_of("vadd4.u32.u32.u32.sat") == 0x03ffff10);
    CHECK(result_of("vsub4.s32.s32.s32.sat", "%r4.b10, %r1, %r2, %r3") == 0x000080f0);
    CHECK(result_of("vmin4.s32.s32.s32") == 0x01ff8000);
    CHECK(result_of("vmax4.u32.u32.u32") == 0x02ff8010);
    CHECK(result_of("vmin2.u32.u32.u32") == 0x01ff7f10);
    CHECK(result_of("vavrg4.u32.u32.u32") == 0x02808008); // rounded up: 1.5, 128, 127.5, 8
    CHECK(result_of("vavrg4.s32.s32.s32") == 0x0200ff08); // 1.5, 0, -0.5 downwards, 8
    CHECK(result_of("vset4.u32.u32.gt") == 0x00010100);
    CHECK(result_of("vset4.u32.u32.gt.add") == 2 + 5);
    CHECK(result_of("vset2.s32.s32.lt") == 0x00010001);
}

} // namespace four_bytes_test
