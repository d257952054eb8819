// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's memory: allocations, what pointers are, copies and fills with their bounds. The statuses are
// those an H200 gave (driver 580.159, CUDA 13.0).
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "sim/gpu/gpu_state.hpp"
#include "support/driver_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace memory_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

TEST_CASE("allocations are aligned, disjoint and accounted for") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    std::size_t free_before = 0, total = 0, free_between = 0, free_after = 0;
    CHECK(driver.MemGetInfo(&free_before, &total) == CUDA_SUCCESS);
    CHECK(total == sim::gh100.memory_bytes);
    CUdeviceptr a = 0, b = 0;
    REQUIRE(driver.MemAlloc(&a, 1000) == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&b, 1) == CUDA_SUCCESS);
    CHECK(a % 256 == 0);
    CHECK(b % 256 == 0);
    CHECK((b >= a + 1000 || a >= b + 1));
    CHECK(driver.MemGetInfo(&free_between, &total) == CUDA_SUCCESS);
    CHECK(free_before - free_between == 1001);
    CHECK(driver.MemFree(a) == CUDA_SUCCESS);
    CHECK(driver.MemFree(b) == CUDA_SUCCESS);
    CHECK(driver.MemGetInfo(&free_after, &total) == CUDA_SUCCESS);
    CHECK(free_after == free_before);
}

TEST_CASE("only what was allocated can be freed, and once") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr a = 0;
    REQUIRE(driver.MemAlloc(&a, 1000) == CUDA_SUCCESS);
    CHECK(driver.MemFree(a + 8) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemFree(12345) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemFree(0) == CUDA_SUCCESS);
    CHECK(driver.MemFreeHost(nullptr) == CUDA_SUCCESS);
    CHECK(driver.MemFreeHost(reinterpret_cast<void*>(static_cast<std::uintptr_t>(a))) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemFree(a) == CUDA_SUCCESS);
    CHECK(driver.MemFree(a) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("allocations that cannot be are refused") {
    embedded_context const volta{sim::gv100};
    auto const& driver = volta.driver;
    CUdeviceptr a = 0;
    CHECK(driver.MemAlloc(&a, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemAlloc(nullptr, 4) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemAlloc(&a, (std::size_t{16} << 30) + 1) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(driver.MemAlloc(&a, ~std::size_t{0}) == CUDA_ERROR_OUT_OF_MEMORY);
    std::size_t pitch = 0;
    CHECK(driver.MemAllocPitch(&a, &pitch, 10, 10, 3) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemAllocPitch(&a, &pitch, std::size_t{1} << 62, 1 << 10, 4) == CUDA_ERROR_OUT_OF_MEMORY);
    void* host = nullptr;
    CHECK(driver.MemHostAlloc(&host, 16, 1 << 10) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemAllocManaged(&a, 16, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("pinned and managed memory is the host's too") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    void* pinned = nullptr;
    REQUIRE(driver.MemAllocHost(&pinned, 100) == CUDA_SUCCESS);
    std::memset(pinned, 7, 100);
    CUdeviceptr seen = 0;
    CHECK(driver.MemHostGetDevicePointer(&seen, pinned, 0) == CUDA_SUCCESS);
    CUdeviceptr managed = 0;
    REQUIRE(driver.MemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
    CHECK(driver.Memcpy(managed, seen, 100) == CUDA_SUCCESS);
    CHECK(static_cast<unsigned char*>(reinterpret_cast<void*>(static_cast<std::uintptr_t>(managed)))[99] == 7);
    CHECK(driver.MemHostGetDevicePointer(&seen, &seen, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemFree(reinterpret_cast<std::uintptr_t>(pinned)) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemFreeHost(pinned) == CUDA_SUCCESS);
    CHECK(driver.MemFree(managed) == CUDA_SUCCESS);
}

TEST_CASE("a pointer knows its allocation") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr a = 0, base = 0;
    std::size_t bytes = 0;
    REQUIRE(driver.MemAlloc(&a, 1000) == CUDA_SUCCESS);
    CHECK(driver.MemGetAddressRange(&base, &bytes, a + 999) == CUDA_SUCCESS);
    CHECK(base == a);
    CHECK(bytes == 1000);
    CHECK(driver.MemGetAddressRange(&base, &bytes, a + 1000) == CUDA_ERROR_NOT_FOUND);
    unsigned type = 0;
    CHECK(driver.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a + 4) == CUDA_SUCCESS);
    CHECK(type == CU_MEMORYTYPE_DEVICE);
    CUcontext context = nullptr;
    CHECK(driver.PointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, a) == CUDA_SUCCESS);
    CHECK(context == gpu.handle);
    int ordinal = -1;
    CHECK(driver.PointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a) == CUDA_SUCCESS);
    CHECK(ordinal == gpu.device);
    int on_stack = 0;
    CHECK(driver.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                     reinterpret_cast<std::uintptr_t>(&on_stack)) == CUDA_ERROR_INVALID_VALUE);
    void* host = nullptr;
    CHECK(driver.PointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, a) == CUDA_ERROR_INVALID_VALUE);
    unsigned char flag[8];
    std::memset(flag, 0xcc, sizeof flag);
    CHECK(driver.PointerGetAttribute(flag, CU_POINTER_ATTRIBUTE_MAPPED, a) == CUDA_SUCCESS);
    unsigned char const four_bytes[8] = {1, 0, 0, 0, 0xcc, 0xcc, 0xcc, 0xcc};
    CHECK(std::memcmp(flag, four_bytes, sizeof flag) == 0);
    CHECK(driver.PointerGetAttribute(flag, static_cast<CUpointer_attribute>(99), a) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemFree(a) == CUDA_SUCCESS);
}

TEST_CASE("bytes survive every way there and back") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    std::vector<unsigned char> sent(1000), got(1000);
    std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(1));
    CUdeviceptr a = 0, b = 0;
    REQUIRE(driver.MemAlloc(&a, 1000) == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&b, 1000) == CUDA_SUCCESS);
    SUBCASE("synchronous") {
        CHECK(driver.MemcpyHtoD(a, sent.data(), 1000) == CUDA_SUCCESS);
        CHECK(driver.MemcpyDtoD(b, a, 1000) == CUDA_SUCCESS);
        CHECK(driver.MemcpyDtoH(got.data(), b, 1000) == CUDA_SUCCESS);
    }
    SUBCASE("asynchronous") {
        CUstream stream = nullptr;
        REQUIRE(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        CHECK(driver.MemcpyHtoDAsync(a, sent.data(), 1000, stream) == CUDA_SUCCESS);
        CHECK(driver.MemcpyDtoDAsync(b, a, 1000, stream) == CUDA_SUCCESS);
        CHECK(driver.MemcpyDtoHAsync(got.data(), b, 1000, stream) == CUDA_SUCCESS);
        CHECK(driver.StreamSynchronize(stream) == CUDA_SUCCESS);
        CHECK(driver.StreamDestroy(stream) == CUDA_SUCCESS);
    }
    SUBCASE("unified") {
        CHECK(driver.Memcpy(a, reinterpret_cast<std::uintptr_t>(sent.data()), 1000) == CUDA_SUCCESS);
        CHECK(driver.MemcpyAsync(b, a, 1000, nullptr) == CUDA_SUCCESS);
        CHECK(driver.Memcpy(reinterpret_cast<std::uintptr_t>(got.data()), b, 1000) == CUDA_SUCCESS);
    }
    SUBCASE("in the order of the stream") {
        CHECK(driver.MemsetD8Async(a, 9, 1000, nullptr) == CUDA_SUCCESS);
        CHECK(driver.MemcpyHtoDAsync(a, sent.data(), 1000, nullptr) == CUDA_SUCCESS);
        CHECK(driver.MemcpyDtoHAsync(got.data(), a, 1000, nullptr) == CUDA_SUCCESS);
    }
    CHECK(got == sent);
}

TEST_CASE("a copy beyond an allocation moves nothing") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    std::vector<unsigned char> host(64, 5);
    CUdeviceptr a = 0, b = 0;
    REQUIRE(driver.MemAlloc(&a, 16) == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&b, 64) == CUDA_SUCCESS);
    CHECK(driver.MemcpyHtoD(a, host.data(), 17) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyHtoD(a + 8, host.data(), 9) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyHtoD(0, host.data(), 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyHtoD(reinterpret_cast<std::uintptr_t>(host.data()), host.data(), 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyHtoD(a, nullptr, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyDtoD(a, b, 64) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyDtoH(host.data(), a, 17) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyDtoH(host.data(), a, ~std::size_t{0}) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemsetD8(a, 1, 17) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemsetD32(a + 2, 1, 1) == CUDA_ERROR_INVALID_VALUE); // misaligned
    CHECK(driver.MemsetD32(a, 1, ~std::size_t{0} / 2) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.MemcpyHtoD(a, nullptr, 0) == CUDA_SUCCESS);
    unsigned char untouched[16] = {};
    CHECK(driver.MemcpyDtoH(untouched, a, 16) == CUDA_SUCCESS);
    for (unsigned char const byte : untouched) CHECK(byte == 0);
}

TEST_CASE("fills set elements of their size, row by row") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr a = 0;
    std::size_t pitch = 0;
    REQUIRE(driver.MemAllocPitch(&a, &pitch, 12, 3, 4) == CUDA_SUCCESS);
    CHECK(pitch >= 12);
    CHECK(driver.MemsetD2D32(a, pitch, 0x01020304, 3, 3) == CUDA_SUCCESS);
    CHECK(driver.MemsetD16(a + pitch, 0xabcd, 2) == CUDA_SUCCESS);
    CHECK(driver.MemsetD2D8(a + 1, pitch, 0xee, 1, 3) == CUDA_SUCCESS);
    unsigned char row[16] = {};
    CHECK(driver.MemcpyDtoH(row, a + pitch, 13) == CUDA_SUCCESS);
    unsigned char const expected[13] = {0xcd, 0xee, 0xcd, 0xab, 4, 3, 2, 1, 4, 3, 2, 1, 0};
    CHECK(std::memcmp(row, expected, 13) == 0);
    CHECK(driver.MemsetD2D8(a, pitch, 0, pitch + 1, 3) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a 2D copy takes a rectangle out of one and puts it into another") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    unsigned char from[4][8], to[3][5] = {};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) from[y][x] = static_cast<unsigned char>(10 * y + x);
    CUdeviceptr a = 0;
    std::size_t pitch = 0;
    REQUIRE(driver.MemAllocPitch(&a, &pitch, 8, 4, 4) == CUDA_SUCCESS);
    CUDA_MEMCPY2D in;
    in.srcHost = from;
    in.srcPitch = 8;
    in.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    in.dstDevice = a;
    in.dstPitch = pitch;
    in.WidthInBytes = 8;
    in.Height = 4;
    CHECK(driver.Memcpy2D(&in) == CUDA_SUCCESS);
    CUDA_MEMCPY2D out;
    out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    out.srcDevice = a;
    out.srcPitch = pitch;
    out.srcXInBytes = 3;
    out.srcY = 1;
    out.dstHost = to;
    out.dstPitch = 5;
    out.dstXInBytes = 1;
    out.dstY = 1;
    out.WidthInBytes = 4;
    out.Height = 2;
    CHECK(driver.Memcpy2DAsync(&out, nullptr) == CUDA_SUCCESS);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 5; ++x) CHECK(to[y][x] == (y >= 1 && x >= 1 ? 10 * y + 3 + x - 1 : 0));
    out.srcY = 3; // one row too low
    CHECK(driver.Memcpy2D(&out) == CUDA_ERROR_INVALID_VALUE);
    out.srcY = 0;
    out.dstPitch = 4; // shorter than what is put there
    CHECK(driver.Memcpy2D(&out) == CUDA_ERROR_INVALID_VALUE);
    out.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    CHECK(driver.Memcpy2D(&out) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.Memcpy2D(nullptr) == CUDA_ERROR_INVALID_VALUE);
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstPitch = 0; // rows without gaps
    CHECK(driver.Memcpy2D(&out) == CUDA_SUCCESS);
    CHECK(to[1][1] == 3); // out of row 0; rows of five bytes there
}

TEST_CASE("copies count as L2 and memory traffic of the context") {
    embedded_context const gpu;
    auto const& driver = gpu.driver;
    std::vector<unsigned char> host(3200);
    CUdeviceptr a = 0;
    REQUIRE(driver.MemAlloc(&a, 3200) == CUDA_SUCCESS);
    auto const before = sim::shared().registry.totals(gpu.handle);
    CHECK(driver.MemcpyHtoD(a, host.data(), 3200) == CUDA_SUCCESS);
    CHECK(driver.MemcpyDtoH(host.data(), a, 320) == CUDA_SUCCESS);
    auto const counted = sim::shared().registry.totals(gpu.handle) - before;
    CHECK(counted[sim::raw_counter::l2_sectors_other_write] == 3200 / 32);
    CHECK(counted[sim::raw_counter::l2_sectors_other_read] == 320 / 32);
    CHECK(counted[sim::raw_counter::inst_executed] == 0);
}

} // namespace memory_test
