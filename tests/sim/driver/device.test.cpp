// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's driver table: that it is whole, its devices and their attributes. The values are those an H200
// gave (driver 580.159, CUDA 13.0).
#include <cstring>
#include <string>

#include "support/driver_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace device_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

TEST_CASE("the embedded GPU's driver table has every call") {
    int calls = 0;
    for_each_symbol(sim::embedded_machine().driver, [&](char const* symbol, auto const& member) {
        bool const filled = member != nullptr;
        CHECK_MESSAGE(filled, symbol);
        ++calls;
    });
    CHECK(calls > 100);
}

TEST_CASE("it is the driver of CUDA 13.0") {
    int version = 0;
    CHECK(sim::embedded_machine().driver.DriverGetVersion(&version) == CUDA_SUCCESS);
    CHECK(version == 13000);
    CHECK(sim::embedded_machine().driver.DriverGetVersion(nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("cuInit takes no flags") { CHECK(sim::embedded_machine().driver.Init(1) == CUDA_ERROR_INVALID_VALUE); }

TEST_CASE("errors have their names, and numbers that are none have not") {
    auto const& driver = sim::embedded_machine().driver;
    char const* text = nullptr;
    CHECK(driver.GetErrorName(static_cast<CUresult>(700), &text) == CUDA_SUCCESS);
    CHECK(std::string{text} == "CUDA_ERROR_ILLEGAL_ADDRESS");
    CHECK(driver.GetErrorString(static_cast<CUresult>(700), &text) == CUDA_SUCCESS);
    CHECK(std::string{text} != "");
    CHECK(driver.GetErrorName(static_cast<CUresult>(123456), &text) == CUDA_ERROR_INVALID_VALUE);
    CHECK(text == nullptr);
}

TEST_CASE("a device says what its chip is") {
    embedded_context const gpu;
    auto const attribute = [&](CUdevice_attribute which) {
        int value = -1;
        CHECK(gpu.driver.DeviceGetAttribute(&value, which, gpu.device) == CUDA_SUCCESS);
        return value;
    };
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 9);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) == 0);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) == 132);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 32);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) == 64);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) == 2147483647);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) == 65535);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) == 48 * 1024);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) == 227 * 1024);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK) == 1024);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) == 228 * 1024);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) == 2048);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) == 65536);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR) == 32);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) == 1980000);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) == 512);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) == 1);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) == 1);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 1);
    int value = 0;
    CHECK(gpu.driver.DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), gpu.device) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(148), gpu.device) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), gpu.device) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.DeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(gpu.driver.DeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, -1) == CUDA_ERROR_INVALID_DEVICE);
}

TEST_CASE("two chips are two devices with names and identities of their own") {
    embedded_context const hopper;
    embedded_context const volta{sim::gv100};
    REQUIRE(hopper.device != volta.device);
    char a[100] = {}, b[100] = {};
    CHECK(hopper.driver.DeviceGetName(a, sizeof a, hopper.device) == CUDA_SUCCESS);
    CHECK(hopper.driver.DeviceGetName(b, sizeof b, volta.device) == CUDA_SUCCESS);
    CHECK(std::string{a} != b);
    char cut[4] = {'x', 'x', 'x', 'x'};
    CHECK(hopper.driver.DeviceGetName(cut, sizeof cut, hopper.device) == CUDA_SUCCESS);
    CHECK(std::string{cut} == std::string{a, 3});
    CUuuid x, y;
    CHECK(hopper.driver.DeviceGetUuid(&x, hopper.device) == CUDA_SUCCESS);
    CHECK(hopper.driver.DeviceGetUuid(&y, volta.device) == CUDA_SUCCESS);
    CHECK(std::memcmp(&x, &y, sizeof x) != 0);
    CHECK(hopper.driver.DeviceGetPCIBusId(a, sizeof a, hopper.device) == CUDA_SUCCESS);
    CHECK(hopper.driver.DeviceGetPCIBusId(b, sizeof b, volta.device) == CUDA_SUCCESS);
    CHECK(std::string{a} != b);
    CHECK(std::string{a}.size() == 12);
    int count = 0;
    CHECK(hopper.driver.DeviceGetCount(&count) == CUDA_SUCCESS);
    CHECK(count >= 2);
    CUdevice none = -1;
    CHECK(hopper.driver.DeviceGet(&none, count) == CUDA_ERROR_INVALID_DEVICE);
    int generation = -1;
    CHECK(hopper.driver.DeviceGetAttribute(&generation, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, volta.device) ==
          CUDA_SUCCESS);
    CHECK(generation == 7);
}

TEST_CASE("a device's memory is its chip's") {
    embedded_context const volta{sim::gv100};
    std::size_t bytes = 0;
    CHECK(volta.driver.DeviceTotalMem(&bytes, volta.device) == CUDA_SUCCESS);
    CHECK(bytes == std::size_t{16} << 30);
}

} // namespace device_test
