// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded GPU's contexts: the stack of each thread, primary contexts, contexts that are gone. The statuses are
// those an H200 gave (driver 580.159, CUDA 13.0).
#include <thread>

#include "support/driver_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace context_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

static CUcontext current(driver_table const& driver) {
    CUcontext context = nullptr;
    CHECK(driver.CtxGetCurrent(&context) == CUDA_SUCCESS);
    return context;
}

TEST_CASE("contexts of a thread are a stack") {
    embedded_context const one;
    auto const& driver = one.driver;
    CHECK(current(driver) == one.handle);
    CUcontext two = nullptr;
    REQUIRE(driver.CtxCreate(&two, 0, one.device) == CUDA_SUCCESS);
    CHECK(current(driver) == two);
    CHECK(driver.CtxPushCurrent(one.handle) == CUDA_SUCCESS);
    CHECK(current(driver) == one.handle);
    CUcontext popped = nullptr;
    CHECK(driver.CtxPopCurrent(&popped) == CUDA_SUCCESS);
    CHECK(popped == one.handle);
    CHECK(current(driver) == two);
    CHECK(driver.CtxDestroy(two) == CUDA_SUCCESS); // current, so it is popped
    CHECK(current(driver) == one.handle);
}

TEST_CASE("cuCtxSetCurrent replaces the top of the stack, and pops it for null") {
    embedded_context const one;
    auto const& driver = one.driver;
    CUcontext two = nullptr;
    REQUIRE(driver.CtxCreate(&two, 0, one.device) == CUDA_SUCCESS);
    CHECK(driver.CtxSetCurrent(one.handle) == CUDA_SUCCESS);
    CHECK(current(driver) == one.handle);
    CHECK(driver.CtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(current(driver) == one.handle); // that under the replaced one
    CHECK(driver.CtxDestroy(two) == CUDA_SUCCESS);
    CHECK(current(driver) == one.handle);
}

TEST_CASE("a thread begins without a context, and popping none is an error") {
    embedded_context const one;
    std::thread{[&] {
        CHECK(current(one.driver) == nullptr);
        CHECK(one.driver.CtxPopCurrent(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
        CHECK(one.driver.CtxSetCurrent(nullptr) == CUDA_SUCCESS);
        CHECK(one.driver.CtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
        CUdeviceptr address = 0;
        CHECK(one.driver.MemAlloc(&address, 4) == CUDA_ERROR_INVALID_CONTEXT);
        CHECK(one.driver.CtxSetCurrent(one.handle) == CUDA_SUCCESS);
        CHECK(one.driver.MemAlloc(&address, 4) == CUDA_SUCCESS);
        CHECK(one.driver.MemFree(address) == CUDA_SUCCESS);
    }}.join();
    CHECK(current(one.driver) == one.handle);
}

TEST_CASE("a destroyed context is told apart from every later one") {
    embedded_context const one;
    auto const& driver = one.driver;
    CUcontext gone = nullptr;
    REQUIRE(driver.CtxCreate(&gone, 0, one.device) == CUDA_SUCCESS);
    unsigned version = 0;
    CHECK(driver.CtxGetApiVersion(gone, &version) == CUDA_SUCCESS);
    CHECK(version == 3020);
    CHECK(driver.CtxDestroy(gone) == CUDA_SUCCESS);
    CUcontext next = nullptr;
    REQUIRE(driver.CtxCreate(&next, 0, one.device) == CUDA_SUCCESS);
    CHECK(next != gone);
    CHECK(driver.CtxGetApiVersion(gone, &version) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.CtxPushCurrent(gone) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.CtxSetCurrent(gone) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.CtxDestroy(gone) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.CtxDestroy(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.CtxPushCurrent(nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(driver.CtxDestroy(next) == CUDA_SUCCESS);
}

TEST_CASE("a context destroyed elsewhere stays current and fails with 709") {
    embedded_context const one;
    CUcontext gone = nullptr;
    REQUIRE(one.driver.CtxCreate(&gone, 0, one.device) == CUDA_SUCCESS);
    std::thread{[&] { CHECK(one.driver.CtxDestroy(gone) == CUDA_SUCCESS); }}.join();
    CHECK(current(one.driver) == gone);
    CHECK(one.driver.CtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(one.driver.CtxPopCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(current(one.driver) == one.handle);
}

TEST_CASE("a primary context lives as long as someone retains it") {
    embedded_context const other{sim::gv100};
    auto const& driver = other.driver;
    unsigned flags = 99;
    int active = 99;
    CHECK(driver.DevicePrimaryCtxGetState(other.device, &flags, &active) == CUDA_SUCCESS);
    REQUIRE(active == 0);
    CHECK(driver.DevicePrimaryCtxRelease(other.device) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.DevicePrimaryCtxSetFlags(other.device, CU_CTX_SCHED_YIELD) == CUDA_SUCCESS);
    CUcontext a = nullptr, b = nullptr;
    CHECK(driver.DevicePrimaryCtxRetain(&a, other.device) == CUDA_SUCCESS);
    CHECK(driver.DevicePrimaryCtxRetain(&b, other.device) == CUDA_SUCCESS);
    CHECK(a == b);
    CHECK(a != other.handle);
    CHECK(current(driver) == other.handle); // retaining makes nothing current
    CHECK(driver.CtxDestroy(a) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.DevicePrimaryCtxRelease(other.device) == CUDA_SUCCESS);
    CHECK(driver.DevicePrimaryCtxGetState(other.device, &flags, &active) == CUDA_SUCCESS);
    CHECK(active == 1);
    CHECK(flags == CU_CTX_SCHED_YIELD);
    CHECK(driver.DevicePrimaryCtxRelease(other.device) == CUDA_SUCCESS);
    CHECK(driver.CtxSetCurrent(a) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(driver.DevicePrimaryCtxSetFlags(other.device, 0) == CUDA_SUCCESS);
}

TEST_CASE("resetting a primary context destroys it for all who retained it") {
    embedded_context const other;
    auto const& driver = other.driver;
    CUcontext primary = nullptr;
    REQUIRE(driver.DevicePrimaryCtxRetain(&primary, other.device) == CUDA_SUCCESS);
    REQUIRE(driver.CtxPushCurrent(primary) == CUDA_SUCCESS);
    std::size_t before = 0, total = 0, after = 0;
    CHECK(driver.MemGetInfo(&before, &total) == CUDA_SUCCESS);
    CUdeviceptr address = 0;
    CHECK(driver.MemAlloc(&address, 1000) == CUDA_SUCCESS);
    CHECK(driver.DevicePrimaryCtxReset(other.device) == CUDA_SUCCESS);
    CHECK(driver.CtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(driver.MemFree(address) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    unsigned flags = 0;
    int active = 1;
    CHECK(driver.DevicePrimaryCtxGetState(other.device, &flags, &active) == CUDA_SUCCESS);
    CHECK(active == 0);
    CHECK(driver.CtxPopCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(driver.MemGetInfo(&after, &total) == CUDA_SUCCESS);
    CHECK(after == before);
    CHECK(driver.DevicePrimaryCtxRelease(other.device) == CUDA_SUCCESS);
    CHECK(driver.DevicePrimaryCtxRelease(other.device) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("a context knows its device, its limits and the priorities of streams") {
    embedded_context const gpu;
    CUdevice device = -1;
    CHECK(gpu.driver.CtxGetDevice(&device) == CUDA_SUCCESS);
    CHECK(device == gpu.device);
    std::size_t stack = 0;
    CHECK(gpu.driver.CtxGetLimit(&stack, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
    CHECK(stack == 1024);
    CHECK(gpu.driver.CtxSetLimit(CU_LIMIT_STACK_SIZE, 4096) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxGetLimit(&stack, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
    CHECK(stack == 4096);
    // As an H200 does (driver 580.159.04).
    CHECK(gpu.driver.CtxSetLimit(CU_LIMIT_STACK_SIZE, 100) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxGetLimit(&stack, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
    CHECK(stack == 112);
    CHECK(gpu.driver.CtxSetLimit(CU_LIMIT_STACK_SIZE, 524'288) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.CtxSetLimit(CU_LIMIT_STACK_SIZE, 600'000) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.CtxGetLimit(&stack, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
    CHECK(stack == 112);
    CHECK(gpu.driver.CtxSetLimit(CU_LIMIT_STACK_SIZE, 523'712) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxGetLimit(&stack, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH) == CUDA_ERROR_UNSUPPORTED_LIMIT);
    CHECK(gpu.driver.CtxSetLimit(static_cast<CUlimit>(77), 1) == CUDA_ERROR_INVALID_VALUE);
    int least = 1, greatest = 1;
    CHECK(gpu.driver.CtxGetStreamPriorityRange(&least, &greatest) == CUDA_SUCCESS);
    CHECK(least == 0);
    CHECK(greatest == -5);
}

TEST_CASE("the stack of a thread is bounded") {
    embedded_context const gpu;
    int depth = 0;
    while (depth < 1000 && gpu.driver.CtxPushCurrent(gpu.handle) == CUDA_SUCCESS) ++depth;
    CHECK(depth < 1000);
    for (; depth > 0; --depth) CHECK(gpu.driver.CtxPopCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(current(gpu.driver) == gpu.handle);
}

} // namespace context_test
