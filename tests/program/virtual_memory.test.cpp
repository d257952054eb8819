// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory of the embedded GPU's driver: addresses, memory, and what is mapped where.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime_calls.hpp"

namespace virtual_memory_test {

struct properties { // CUmemAllocationProp
    int type = 1;
    int handle_types = 0;
    int location_type = 1;
    int location = 0;
    void* security = nullptr;
    unsigned char flags[8] = {};
};
struct access { // CUmemAccessDesc
    int location_type = 1;
    int location = 0;
    int flags = 3;
};
using address = unsigned long long;

extern "C" {
int cuMemGetAllocationGranularity(std::size_t* bytes, properties const* of, int which);
int cuMemCreate(address* made, std::size_t bytes, properties const* of, unsigned long long flags);
int cuMemRelease(address gone);
int cuMemAddressReserve(address* made, std::size_t bytes, std::size_t alignment, address hint,
                        unsigned long long flags);
int cuMemAddressFree(address gone, std::size_t bytes);
int cuMemMap(address at, std::size_t bytes, std::size_t offset, address memory, unsigned long long flags);
int cuMemUnmap(address at, std::size_t bytes);
int cuMemSetAccess(address at, std::size_t bytes, access const* list, std::size_t count);
int cuMemGetAccess(unsigned long long* flags, void const* location, address at);
}

TEST_CASE("memory is mapped at reserved addresses, and moves with its handle") {
    REQUIRE(cudaFree(nullptr) == 0); // a context
    properties const device;
    std::size_t unit = 0;
    REQUIRE(cuMemGetAllocationGranularity(&unit, &device, 0) == 0);
    CHECK(unit % 4096 == 0);
    address memory = 0, range = 0;
    REQUIRE(cuMemCreate(&memory, unit, &device, 0) == 0);
    REQUIRE(cuMemAddressReserve(&range, 2 * unit, 0, 0, 0) == 0);
    CHECK(range % unit == 0);
    std::vector<std::uint32_t> numbers{1, 2, 3, 4}, got(4);
    auto* const first = reinterpret_cast<void*>(range);
    CHECK(cudaMemcpy(first, numbers.data(), 16, host_to_device) != 0); // nothing is there
    CHECK(cuMemMap(range, unit, 0, memory, 0) == 0);
    CHECK(cudaMemcpy(first, numbers.data(), 16, host_to_device) != 0); // nor may anybody use it
    access const rights;
    CHECK(cuMemSetAccess(range, unit, &rights, 1) == 0);
    CHECK(cudaMemcpy(first, numbers.data(), 16, host_to_device) == 0);
    void* arguments[]{const_cast<void**>(&first), nullptr};
    std::uint32_t count = 4;
    arguments[1] = &count;
    CHECK(cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr) == 0);
    unsigned long long flags = 0;
    int const location[]{1, 0};
    CHECK(cuMemGetAccess(&flags, location, range + 64) == 0);
    CHECK(flags == 3);
    CHECK(cuMemAddressFree(range, 2 * unit) == 1); // something is mapped
    CHECK(cuMemUnmap(range, unit) == 0);
    CHECK(cuMemMap(range + unit, unit, 0, memory, 0) == 0);
    CHECK(cuMemRelease(memory) == 0); // what is mapped stays
    CHECK(cuMemSetAccess(range + unit, unit, &rights, 1) == 0);
    CHECK(cudaMemcpy(got.data(), reinterpret_cast<void*>(range + unit), 16, device_to_host) == 0);
    CHECK(got == std::vector<std::uint32_t>{3, 6, 9, 12});
    CHECK(cudaMemcpy(got.data(), first, 16, device_to_host) != 0);
    CHECK(cuMemUnmap(range + unit, unit) == 0);
    CHECK(cuMemAddressFree(range, 2 * unit) == 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("sizes that do not fit, ranges that overlap and memory for other processes are refused") {
    REQUIRE(cudaFree(nullptr) == 0);
    properties device;
    std::size_t unit = 0;
    REQUIRE(cuMemGetAllocationGranularity(&unit, &device, 0) == 0);
    address memory = 0, other = 0, range = 0;
    CHECK(cuMemCreate(&memory, unit + 1, &device, 0) == 1);
    properties shared = device;
    shared.handle_types = 1;
    CHECK(cuMemCreate(&memory, unit, &shared, 0) == 801);
    REQUIRE(cuMemCreate(&memory, unit, &device, 0) == 0);
    REQUIRE(cuMemCreate(&other, unit, &device, 0) == 0);
    REQUIRE(cuMemAddressReserve(&range, unit, 0, 0, 0) == 0);
    CHECK(cuMemMap(range, 2 * unit, 0, memory, 0) == 1);
    CHECK(cuMemMap(range + unit, unit, 0, memory, 0) == 1);
    CHECK(cuMemMap(range, unit, 0, memory, 0) == 0);
    CHECK(cuMemMap(range, unit, 0, other, 0) == 1);
    access readable;
    readable.flags = 1;
    CHECK(cuMemSetAccess(range, unit, &readable, 1) == 801);
    CHECK(cuMemUnmap(range, unit) == 0);
    CHECK(cuMemUnmap(range, unit) == 1);
    CHECK(cuMemRelease(memory) == 0);
    CHECK(cuMemRelease(memory) == 1);
    CHECK(cuMemRelease(other) == 0);
    CHECK(cuMemAddressFree(range, unit) == 0);
}

} // namespace virtual_memory_test
