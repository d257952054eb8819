// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools of the driver library and of the runtime over it. What is expected is what the driver's documentation says of
// CU_MEMPOOL_ATTR_… and of each call.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include "runtime_calls.hpp"

namespace pools_test {

using pool = struct CUmemPoolHandle_st*;
struct properties { // CUmemPoolProps
    int type = 1;   // pinned: memory of a device
    int handle_types = 0;
    int location_type = 1; // a device
    int location = 0;
    void* security = nullptr;
    std::size_t most = 0;
    unsigned short usage = 0;
    unsigned char reserved[54] = {};
};
struct location {
    int type = 1, number = 0;
};
enum attribute : int {
    follows_events = 1,
    release_threshold = 4,
    reserved_now,
    reserved_at_most,
    used_now,
    used_at_most
};

extern "C" {
int cuDeviceGetDefaultMemPool(pool* to, int device);
int cuDeviceGetMemPool(pool* to, int device);
int cuDeviceSetMemPool(int device, pool to);
int cudaMemGetDefaultMemPool(pool* to, location const* of, int type);
int cudaMemGetMemPool(pool* to, location const* of, int type);
int cudaMemSetMemPool(location const* of, int type, pool to);
int cuMemPoolCreate(pool* to, properties const* of);
int cuMemPoolDestroy(pool gone);
int cuMemPoolTrimTo(pool of, std::size_t bytes);
int cuMemPoolSetAttribute(pool of, int which, void* value);
int cuMemPoolGetAttribute(pool of, int which, void* value);
int cuMemPoolGetAccess(int* flags, pool of, location* from);
int cuMemAllocFromPoolAsync(unsigned long long* address, std::size_t bytes, pool from, stream in);
int cuMemFreeAsync(unsigned long long address, stream in);
int cudaMemPoolCreate(pool* to, properties const* of);
int cudaMemPoolDestroy(pool gone);
int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, pool from, stream in);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, stream in);
}

std::uint64_t value_of(pool of, attribute which) {
    std::uint64_t value = ~std::uint64_t{0};
    CHECK(cuMemPoolGetAttribute(of, which, &value) == 0);
    return value;
}

TEST_CASE("a pool tells what of it is in use, and the most since that was set to zero") {
    REQUIRE(cudaFree(nullptr) == 0); // makes the context
    pool made = nullptr;
    properties const of{.most = 1000};
    REQUIRE(cuMemPoolCreate(&made, &of) == 0);
    unsigned long long first = 0, second = 0;
    REQUIRE(cuMemAllocFromPoolAsync(&first, 100, made, nullptr) == 0);
    void* pointer = nullptr;
    REQUIRE(cudaMallocFromPoolAsync(&pointer, 200, made, nullptr) == 0);
    CHECK(value_of(made, used_now) == 300);
    CHECK(value_of(made, reserved_now) >= 300);
    CHECK(cuMemAllocFromPoolAsync(&second, 701, made, nullptr) == 2); // CUDA_ERROR_OUT_OF_MEMORY: more than the most
    CHECK(cuMemAllocFromPoolAsync(&second, 700, made, nullptr) == 0);
    CHECK(cuMemFreeAsync(second, nullptr) == 0);
    CHECK(cuMemFreeAsync(first, nullptr) == 0);
    CHECK(value_of(made, used_now) == 200);
    CHECK(value_of(made, used_at_most) == 1000);
    std::uint64_t other = 1;
    CHECK(cuMemPoolSetAttribute(made, used_at_most, &other) == 1);
    CHECK(cuMemPoolSetAttribute(made, used_now, &other) == 1);
    other = 0;
    CHECK(cuMemPoolSetAttribute(made, used_at_most, &other) == 0);
    CHECK(value_of(made, used_at_most) == 200);
    CHECK(cuMemPoolTrimTo(made, 0) == 0);
    CHECK(cudaMemsetAsync(pointer, 1, 200, nullptr) == 0); // what is in use is not trimmed
    CHECK(cudaMemPoolDestroy(made) == 0);
    CHECK(cudaMemsetAsync(pointer, 2, 200, nullptr) == 0); // and outlives its pool
    CHECK(cudaFreeAsync(pointer, nullptr) == 0);
    CHECK(cuMemPoolGetAttribute(made, used_now, &other) == 1); // no pool any more
}

TEST_CASE("attributes of a pool are kept, as they are by default until they are set") {
    REQUIRE(cudaFree(nullptr) == 0);
    pool made = nullptr;
    properties const of;
    REQUIRE(cudaMemPoolCreate(&made, &of) == 0);
    int follows = 9;
    CHECK(cuMemPoolGetAttribute(made, follows_events, &follows) == 0);
    CHECK(follows == 1);
    CHECK(value_of(made, release_threshold) == 0);
    follows = 0;
    CHECK(cuMemPoolSetAttribute(made, follows_events, &follows) == 0);
    std::uint64_t threshold = 1 << 20;
    CHECK(cuMemPoolSetAttribute(made, release_threshold, &threshold) == 0);
    follows = 9;
    CHECK(cuMemPoolGetAttribute(made, follows_events, &follows) == 0);
    CHECK(follows == 0);
    CHECK(value_of(made, release_threshold) == 1 << 20);
    location const device;
    location asked = device;
    int flags = 0;
    CHECK(cuMemPoolGetAccess(&flags, made, &asked) == 0);
    CHECK(flags == 3); // to read and to write
    CHECK(cuMemPoolGetAttribute(made, static_cast<attribute>(0), &threshold) == 1);
    CHECK(cudaMemPoolDestroy(made) == 0);
}

TEST_CASE(
    "asynchronous allocations come from the device's current pool, which is its own again when that is destroyed") {
    REQUIRE(cudaFree(nullptr) == 0);
    pool own = nullptr, current = nullptr, made = nullptr;
    REQUIRE(cuDeviceGetDefaultMemPool(&own, 0) == 0);
    REQUIRE(cuDeviceGetMemPool(&current, 0) == 0);
    CHECK(current == own);
    properties const of;
    REQUIRE(cuMemPoolCreate(&made, &of) == 0);
    CHECK(made != own);
    REQUIRE(cuDeviceSetMemPool(0, made) == 0);
    CHECK(cuDeviceGetMemPool(&current, 0) == 0);
    CHECK(current == made);
    void *in_made = nullptr, *in_own = nullptr;
    REQUIRE(cudaMallocAsync(&in_made, 64, nullptr) == 0);
    CHECK(value_of(made, used_now) == 64);
    CHECK(value_of(own, used_now) == 0);
    location const device, host{2, 0};
    CHECK(cudaMemGetDefaultMemPool(&current, &device, 1) == 0);
    CHECK(current == own);
    CHECK(cudaMemSetMemPool(&device, 1, own) == 0);
    CHECK(cudaMemGetMemPool(&current, &device, 1) == 0);
    CHECK(current == own);
    CHECK(cudaMemSetMemPool(&device, 1, made) == 0);
    CHECK(cudaMemGetMemPool(&current, &host, 1) == 801);
    CHECK(cudaMemGetMemPool(&current, nullptr, 1) == 1);
    static_cast<void>(cudaGetLastError());
    CHECK(cuMemPoolDestroy(made) == 0);
    CHECK(cuDeviceGetMemPool(&current, 0) == 0);
    CHECK(current == own);
    REQUIRE(cudaMallocAsync(&in_own, 32, nullptr) == 0);
    CHECK(value_of(own, used_now) == 32);
    CHECK(cudaFreeAsync(in_made, nullptr) == 0);
    CHECK(value_of(own, used_now) == 32);
    CHECK(cudaFreeAsync(in_own, nullptr) == 0);
    CHECK(cuMemPoolDestroy(own) == 1); // a device's default pool cannot be destroyed
}

TEST_CASE("pools that the embedded GPU does not have are refused") {
    REQUIRE(cudaFree(nullptr) == 0);
    pool made = nullptr;
    properties of;
    of.handle_types = 1; // for another process
    CHECK(cuMemPoolCreate(&made, &of) == 801);
    of = {};
    of.location_type = 2; // the host
    CHECK(cuMemPoolCreate(&made, &of) == 801);
    of = {};
    of.location = 7;
    CHECK(cuMemPoolCreate(&made, &of) == 1);
    of = {};
    of.type = 0;
    CHECK(cuMemPoolCreate(&made, &of) == 1);
    CHECK(cuMemPoolCreate(&made, nullptr) == 1);
    CHECK(cuDeviceGetDefaultMemPool(&made, 7) == 101);
    CHECK(cuDeviceSetMemPool(0, nullptr) == 1);
    unsigned long long address = 0;
    CHECK(cuMemAllocFromPoolAsync(&address, 8, nullptr, nullptr) == 1);
    CHECK(cudaGetLastError() == 0); // these were the driver's
}

} // namespace pools_test
