// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's modules: images, logs, kernels and their attributes, variables. The statuses and values are those
// an H200 gave for the same PTX (driver 580.159, CUDA 13.0).
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/driver_kernels.hpp"
#include "support/fat_binary_bytes.hpp"
#include "sim/chip/chips.hpp"

namespace module_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

static constexpr char broken[] = ".version 7.0\n.target sm_70\n.address_size 64\nbogus;";

TEST_CASE("only PTX is loaded, and what else came is told apart") {
    embedded_context const gpu;
    CUmodule module = nullptr;
    auto const load = [&](char const* image) { return gpu.driver.ModuleLoadData(&module, image); };
    CHECK(load(nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(load("") == CUDA_ERROR_INVALID_IMAGE);
    CHECK(load("hello world") == CUDA_ERROR_INVALID_IMAGE);
    CHECK(load("\x7f"
               "ELF\x02\x01\x01") == CUDA_ERROR_NO_BINARY_FOR_GPU);
    std::string const machine_code = hand_made_container(std::vector<hand_made_image>{{2, 90, "code"}});
    CHECK(load(machine_code.data()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(gpu.driver.ModuleLoadFatBinary(&module, machine_code.data()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(gpu.driver.ModuleLoadFatBinary(&module, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.ModuleLoadFatBinary(&module, ".version 7.0\n.target sm_70\n") == CUDA_ERROR_INVALID_IMAGE);
    void const* const no_containers[]{nullptr};
    struct {
        unsigned magic = 0x466243b1, version = 2; // of a wrapper with a list of containers
        void const* container = nullptr;
        void const* list = nullptr;
    } wrapper;
    wrapper.list = no_containers;
    CHECK(load(reinterpret_cast<char const*>(&wrapper)) == CUDA_ERROR_INVALID_IMAGE);
    CHECK(load(broken) == CUDA_ERROR_INVALID_PTX);
    CHECK(load(".version 7.0\n.target sm_120\n.address_size 64\n") == CUDA_ERROR_INVALID_PTX); // a later GPU
    CHECK(load(".version 7.0\n.target sm_70\n.address_size 64\n") == CUDA_SUCCESS);
    CHECK(gpu.driver.ModuleUnload(module) == CUDA_SUCCESS);
    CHECK(gpu.driver.ModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.ModuleLoadData(nullptr, broken) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a fat binary is loaded by the PTX in it, packed or not") {
    embedded_context const gpu;
    std::string const text =
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry from_fat_binary() { ret; }\n";
    std::string const plain = hand_made_container(std::vector<hand_made_image>{{2, 90, "code"}, {1, 70, text}});
    std::string const packed =
        hand_made_container(std::vector<hand_made_image>{{1, 70, lz4_literals(text), 0x2000, text.size()}});
    for (std::string const* image : {&plain, &packed}) {
        CUmodule module = nullptr;
        CUfunction function = nullptr;
        REQUIRE(gpu.driver.ModuleLoadData(&module, image->data()) == CUDA_SUCCESS);
        CHECK(gpu.driver.ModuleGetFunction(&function, module, "from_fat_binary") == CUDA_SUCCESS);
        CHECK(gpu.driver.LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
        CHECK(gpu.driver.ModuleUnload(module) == CUDA_SUCCESS);
    }
    std::string damaged = plain;
    put_number(damaged, 16 + 8, 1u << 30, 8); // its first image is said to go beyond the end
    CUmodule module = nullptr;
    CHECK(gpu.driver.ModuleLoadData(&module, damaged.data()) == CUDA_ERROR_INVALID_IMAGE);
}

TEST_CASE("PTX for one GPU alone, sm_90a, loads on that one") {
    constexpr char hopper_only[] = ".version 8.0\n.target sm_90a\n.address_size 64\n";
    CUmodule module = nullptr;
    embedded_context const hopper;
    CHECK(hopper.driver.ModuleLoadData(&module, hopper_only) == CUDA_SUCCESS);
    embedded_context const volta{sim::gv100};
    CHECK(volta.driver.ModuleLoadData(&module, hopper_only) == CUDA_ERROR_INVALID_PTX);
}

TEST_CASE("the error log names the line, as far as the buffer goes") {
    embedded_context const gpu;
    CUmodule module = nullptr;
    char errors[256], information[64];
    std::memset(errors, 'x', sizeof errors);
    std::memset(information, 'x', sizeof information);
    auto const number = [](void* value) { return reinterpret_cast<std::uintptr_t>(value); };
    auto const size = [](std::uintptr_t n) { return reinterpret_cast<void*>(n); };
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                              CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
    void* values[] = {errors, size(sizeof errors), information, size(sizeof information), size(3)};
    CHECK(gpu.driver.ModuleLoadDataEx(&module, broken, 5, options, values) == CUDA_ERROR_INVALID_PTX);
    CHECK(std::string{errors}.find("line 4") != std::string::npos);
    CHECK(number(values[1]) == std::strlen(errors));
    CHECK(number(values[3]) == 0);
    CHECK(information[0] == '\0');
    values[1] = size(10);
    CHECK(gpu.driver.ModuleLoadDataEx(&module, broken, 2, options, values) == CUDA_ERROR_INVALID_PTX);
    CHECK(std::strlen(errors) == 9);
    CHECK(number(values[1]) == 10);
    values[1] = size(sizeof errors);
    CHECK(gpu.driver.ModuleLoadDataEx(&module, ".version 7.0\n.target sm_70\n.address_size 64\n", 2, options, values) ==
          CUDA_SUCCESS);
    CHECK(number(values[1]) == 0);
    CHECK(gpu.driver.ModuleLoadDataEx(&module, broken, 1, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a kernel has one handle, and none once its module is gone") {
    with_kernels gpu;
    CUfunction const store = gpu.kernel("store");
    CHECK(gpu.kernel("store") == store);
    CHECK(gpu.kernel("fill") != store);
    CUfunction none = nullptr;
    CHECK(gpu.driver.ModuleGetFunction(&none, gpu.module, "nope") == CUDA_ERROR_NOT_FOUND);
    CHECK(gpu.driver.ModuleGetFunction(&none, nullptr, "store") == CUDA_ERROR_INVALID_HANDLE);
    char const* name = nullptr;
    CHECK(gpu.driver.FuncGetName(&name, store) == CUDA_SUCCESS);
    CHECK(std::string{name} == "store");
    CHECK(gpu.driver.ModuleUnload(gpu.module) == CUDA_SUCCESS);
    CHECK(gpu.driver.FuncGetName(&name, store) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.LaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("a module's variables have their initial values, and their memory goes with it") {
    with_kernels gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr table = 0, factor = 0;
    std::size_t bytes = 0;
    CHECK(driver.ModuleGetGlobal(&table, &bytes, gpu.module, "table") == CUDA_SUCCESS);
    CHECK(bytes == 16);
    CHECK(gpu.word(table + 12) == 4);
    CHECK(driver.ModuleGetGlobal(&factor, nullptr, gpu.module, "factor") == CUDA_SUCCESS);
    CHECK(gpu.word(factor + 4) == 6);
    CHECK(driver.MemFree(table) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.ModuleGetGlobal(&table, &bytes, gpu.module, "nope") == CUDA_ERROR_NOT_FOUND);
    CHECK(driver.ModuleGetGlobal(nullptr, nullptr, gpu.module, "table") == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.ModuleUnload(gpu.module) == CUDA_SUCCESS);
    unsigned value = 0;
    CHECK(driver.MemcpyDtoH(&value, table, 4) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("kernels say what they need") {
    with_kernels gpu;
    auto const attribute = [&](char const* kernel, CUfunction_attribute which) {
        int value = -99;
        CHECK(gpu.driver.FuncGetAttribute(&value, which, gpu.kernel(kernel)) == CUDA_SUCCESS);
        return value;
    };
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
    CHECK(attribute("bounded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 64);
    CHECK(attribute("required", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
    CHECK(attribute("uses_shared", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) == 40000);
    CHECK(attribute("uses_shared", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 49152 - 40000);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 49152);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES) == 8);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES) == 0);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_PTX_VERSION) == 70);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_BINARY_VERSION) == 90);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) == -1);
    CHECK(attribute("store", CU_FUNC_ATTRIBUTE_NUM_REGS) > 0);
    int value = 0;
    CHECK(gpu.driver.FuncGetAttribute(&value, static_cast<CUfunction_attribute>(-1), gpu.kernel("store")) ==
          CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a limit of registers is the most that a kernel has") {
    with_kernels gpu;
    constexpr char code[] =
        ".version 7.0\n.target sm_52\n.address_size 64\n"
        ".visible .entry free() { .reg .u64 %a<20>; "
        "mov.u64 %a0, %clock64; mov.u64 %a1, %clock64; mov.u64 %a2, %clock64; mov.u64 %a3, %clock64; mov.u64 %a4, "
        "%clock64; mov.u64 %a5, %clock64; "
        "mov.u64 %a6, %clock64; mov.u64 %a7, %clock64; mov.u64 %a8, %clock64; mov.u64 %a9, %clock64; "
        "st.global.u64 [%a0], %a1; st.global.u64 [%a2], %a3; st.global.u64 [%a4], %a5; "
        "st.global.u64 [%a6], %a7; st.global.u64 [%a8], %a9; ret; }\n";
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    auto const registers = [&](std::uintptr_t limit) {
        void* value = reinterpret_cast<void*>(limit);
        CUmodule module = nullptr;
        REQUIRE(gpu.driver.ModuleLoadDataEx(&module, code, limit == 0 ? 0 : 1, &option, &value) == CUDA_SUCCESS);
        CUfunction free = nullptr;
        REQUIRE(gpu.driver.ModuleGetFunction(&free, module, "free") == CUDA_SUCCESS);
        int found = 0;
        CHECK(gpu.driver.FuncGetAttribute(&found, CU_FUNC_ATTRIBUTE_NUM_REGS, free) == CUDA_SUCCESS);
        CHECK(gpu.driver.ModuleUnload(module) == CUDA_SUCCESS);
        return found;
    };
    CHECK(registers(0) >= 20); // ten of 64 bits at once
    CHECK(registers(17) == 17);
    CHECK(registers(200) == registers(0)); // no more than it needs
}

TEST_CASE("what can be set of a kernel is set, within the chip's limits") {
    with_kernels gpu;
    auto const set = [&](char const* kernel, CUfunction_attribute which, int value) {
        return gpu.driver.FuncSetAttribute(gpu.kernel(kernel), which, value);
    };
    CHECK(set("uses_shared", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448) == CUDA_ERROR_INVALID_VALUE);
    CHECK(set("uses_shared", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - 40000) == CUDA_SUCCESS);
    CHECK(set("store", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(set("store", CU_FUNC_ATTRIBUTE_NUM_REGS, 4) == CUDA_ERROR_INVALID_VALUE);
    CHECK(set("store", CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101) == CUDA_ERROR_INVALID_VALUE);
    CHECK(set("store", CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50) == CUDA_SUCCESS);
    int value = 0;
    CHECK(gpu.driver.FuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                      gpu.kernel("store")) == CUDA_SUCCESS);
    CHECK(value == 50);
    CHECK(gpu.driver.FuncSetCacheConfig(gpu.kernel("store"), CU_FUNC_CACHE_PREFER_L1) == CUDA_SUCCESS);
    CHECK(gpu.driver.FuncSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_L1) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("occupancy follows from the chip's limits") {
    with_kernels gpu;
    auto const blocks = [&](char const* kernel, int threads, std::size_t shared) {
        int count = -9;
        CHECK(gpu.driver.OccupancyMaxActiveBlocksPerMultiprocessor(&count, gpu.kernel(kernel), threads, shared) ==
              CUDA_SUCCESS);
        return count;
    };
    CHECK(blocks("store", 32, 0) == 32);
    CHECK(blocks("store", 256, 0) == 8);
    CHECK(blocks("store", 1024, 0) == 2);
    CHECK(blocks("store", 1025, 0) == 0);
    CHECK(blocks("store", 256, 40000) == 5);
    CHECK(blocks("store", 256, 49152) == 4);
    CHECK(blocks("store", 256, 100000) == 0); // not asked for
    CHECK(blocks("bounded", 128, 0) == 0);    // an H200 says 16, but launches none
    CHECK(blocks("uses_shared", 128, 0) == 5);
    int count = 0;
    CHECK(gpu.driver.OccupancyMaxActiveBlocksPerMultiprocessor(&count, gpu.kernel("store"), 0, 0) ==
          CUDA_ERROR_INVALID_VALUE);
    int grid = 0, block = 0;
    auto const best = [&](std::size_t shared, int limit) {
        CHECK(gpu.driver.OccupancyMaxPotentialBlockSize(&grid, &block, gpu.kernel("store"), nullptr, shared, limit) ==
              CUDA_SUCCESS);
    };
    best(0, 0);
    CHECK(block == 1024);
    CHECK(grid == 264);
    best(0, 100);
    CHECK(block == 64);
    CHECK(grid == 4224);
    best(40000, 0);
    CHECK(block == 1024);
    CHECK(grid == 264);
    CHECK(gpu.driver.OccupancyMaxPotentialBlockSizeWithFlags(
              &grid, &block, gpu.kernel("store"), [](int threads) { return std::size_t(threads) * 48; }, 0, 0,
              CU_OCCUPANCY_DEFAULT) == CUDA_SUCCESS);
    CHECK(block == 1024); // 48 KiB a block, two blocks: all 2,048 threads
    std::size_t bytes = 0;
    CHECK(gpu.driver.OccupancyAvailableDynamicSMemPerBlock(&bytes, gpu.kernel("store"), 2, 64) == CUDA_SUCCESS);
    CHECK(bytes == 49152);
    CHECK(gpu.driver.OccupancyAvailableDynamicSMemPerBlock(&bytes, gpu.kernel("store"), 8, 64) == CUDA_SUCCESS);
    CHECK(bytes == 29184);
    CHECK(gpu.driver.OccupancyAvailableDynamicSMemPerBlock(&bytes, gpu.kernel("store"), 40, 64) ==
          CUDA_ERROR_INVALID_VALUE);
}

} // namespace module_test
