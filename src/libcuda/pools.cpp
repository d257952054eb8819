// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools that memory in the order of a stream comes from: cuMemPool…, cuDeviceGetMemPool, cuMemAllocFromPoolAsync. Pools give
// memory back at once, so that what they have reserved is what is in use; their other attributes are kept and change nothing.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

#include "../sim/driver/memory.hpp"
#include "../sim/driver/memory_records.hpp"
#include "../sim/driver/state.hpp"

#include "call.hpp"
#include "node_parameters.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;
using driver::memory_pool;

constexpr int first_made = 1 << 16; // numbers below are those of devices

// CUmemPool_attribute: three switches of 32 bits, a number of bytes, and what is measured.
enum pool_attribute : int { follows_events = 1, is_opportunistic, adds_dependencies, release_threshold };
enum measured_attribute : int { pool_reserved_now = 5, pool_reserved_at_most, pool_used_now, pool_used_at_most };
std::map<int, std::array<std::uint64_t, 5>>& kept_attributes() { // by the pools' numbers, under the driver's lock
    static auto* const all = new std::map<int, std::array<std::uint64_t, 5>>;
    return *all;
}

CUmemoryPool handle_of(int number) noexcept {
    return reinterpret_cast<CUmemoryPool>(static_cast<std::uintptr_t>(driver::detail::pool_address(number)));
}
// The pool of that handle and its number; null for what is none.
struct found_pool {
    memory_pool* pool = nullptr;
    int number = 0;
};
found_pool find(driver::call& in, CUmemoryPool handle) {
    for (int device = 0; driver::find_device(device) != nullptr; ++device) in.driver.pools[device].device = device;
    for (auto& [number, pool] : in.driver.pools)
        if (pool.is_there && handle_of(number) == handle) return {&pool, number};
    return {};
}

CUresult default_pool(CUmemoryPool* to, CUdevice device) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (driver::find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *to = handle_of(device);
    return CUDA_SUCCESS;
}
CUresult current_pool(CUmemoryPool* to, CUdevice device) {
    if (CUresult const status = default_pool(to, device)) return status;
    auto in = driver::enter();
    auto const found = in.driver.current_pools.find(device);
    if (found != in.driver.current_pools.end()) *to = handle_of(found->second);
    return CUDA_SUCCESS;
}
CUresult set_current_pool(CUdevice device, CUmemoryPool to) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    if (driver::find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    found_pool const found = find(in, to);
    if (found.pool == nullptr || found.pool->device != device) return CUDA_ERROR_INVALID_VALUE;
    in.driver.current_pools[device] = found.number;
    return CUDA_SUCCESS;
}

// The same by a place of memory and a type of allocation, as CUDA 13 has it: of a device, pinned.
struct memory_location { // CUmemLocation
    int type;
    int number;
};
CUresult check(memory_location const* where, int type) {
    if (where == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return where->type == on_device && type == pinned ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}
CUresult default_pool_at(CUmemoryPool* to, memory_location const* where, int type) {
    if (CUresult const refused = check(where, type)) return refused;
    return default_pool(to, where->number);
}
CUresult current_pool_at(CUmemoryPool* to, memory_location const* where, int type) {
    if (CUresult const refused = check(where, type)) return refused;
    return current_pool(to, where->number);
}
CUresult set_current_pool_at(memory_location const* where, int type, CUmemoryPool to) {
    if (CUresult const refused = check(where, type)) return refused;
    return set_current_pool(where->number, to);
}

// Pools of a device alone: those of the host are not there, nor are other processes.
CUresult create_pool(CUmemoryPool* to, pool_properties const* properties) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    if (to == nullptr || properties == nullptr || properties->type != pinned) return CUDA_ERROR_INVALID_VALUE;
    if (properties->location_type != on_device || properties->handle_types != 0) return CUDA_ERROR_NOT_SUPPORTED;
    if (driver::find_device(properties->location) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    static int number = first_made;
    memory_pool& made = in.driver.pools[++number];
    made.device = properties->location;
    made.most = properties->most;
    *to = handle_of(number);
    return CUDA_SUCCESS;
}
CUresult destroy_pool(CUmemoryPool gone) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    found_pool const found = find(in, gone);
    if (found.pool == nullptr || found.number < first_made) return CUDA_ERROR_INVALID_VALUE;
    found.pool->is_there = false;
    std::erase_if(in.driver.current_pools, [&](auto const& entry) { return entry.second == found.number; });
    kept_attributes().erase(found.number);
    return CUDA_SUCCESS;
}
CUresult trim(CUmemoryPool of, std::size_t) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    return find(in, of).pool == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

std::array<std::uint64_t, 5>& attributes_of(int number) {
    return kept_attributes().try_emplace(number, std::array<std::uint64_t, 5>{0, 1, 1, 1, 0}).first->second;
}
CUresult set_attribute(CUmemoryPool of, int which, void* value) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    found_pool const found = find(in, of);
    if (found.pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    bool const is_switch = which >= follows_events && which <= adds_dependencies;
    std::uint64_t given = 0;
    std::memcpy(&given, value, is_switch ? sizeof(std::uint32_t) : sizeof given);
    if (is_switch || which == release_threshold) {
        attributes_of(found.number)[static_cast<std::size_t>(which)] = given;
        return CUDA_SUCCESS;
    }
    if ((which != pool_reserved_at_most && which != pool_used_at_most) || given != 0) return CUDA_ERROR_INVALID_VALUE;
    found.pool->used_at_most = found.pool->used;
    return CUDA_SUCCESS;
}
CUresult get_attribute(CUmemoryPool of, int which, void* value) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    found_pool const found = find(in, of);
    if (found.pool == nullptr || value == nullptr || which < follows_events || which > pool_used_at_most)
        return CUDA_ERROR_INVALID_VALUE;
    bool const is_switch = which <= adds_dependencies;
    std::uint64_t const answer = which <= release_threshold
                                     ? attributes_of(found.number)[static_cast<std::size_t>(which)]
                                 : which == pool_reserved_now || which == pool_used_now ? found.pool->used
                                                                                        : found.pool->used_at_most;
    std::memcpy(value, &answer, is_switch ? sizeof(std::uint32_t) : sizeof answer);
    return CUDA_SUCCESS;
}

// Devices side by side reach a pool's memory by peer access, as any memory of another device; this is accepted and changes nothing.
CUresult set_pool_access(CUmemoryPool of, void const* access, std::size_t) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    return access == nullptr || find(in, of).pool == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult get_pool_access(int* flags, CUmemoryPool of, void* location) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    if (flags == nullptr || location == nullptr || find(in, of).pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = 3; // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    return CUDA_SUCCESS;
}

CUresult allocate_from(CUdeviceptr* address, std::size_t bytes, CUmemoryPool from, CUstream stream) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    found_pool const found = find(in, from);
    if (found.pool == nullptr || found.pool->device != in.context->device) return CUDA_ERROR_INVALID_VALUE;
    return driver::detail::allocate_async(in, address, bytes, stream, found.number);
}

} // namespace

std::span<call const> pool_calls() {
    static call const calls[]{call::of<&default_pool>("cuDeviceGetDefaultMemPool"),
                              call::of<&current_pool>("cuDeviceGetMemPool"),
                              call::of<&set_current_pool>("cuDeviceSetMemPool"),
                              call::of<&default_pool_at>("cuMemGetDefaultMemPool"),
                              call::of<&current_pool_at>("cuMemGetMemPool"),
                              call::of<&set_current_pool_at>("cuMemSetMemPool"),
                              call::of<&create_pool>("cuMemPoolCreate"),
                              call::of<&destroy_pool>("cuMemPoolDestroy"),
                              call::of<&trim>("cuMemPoolTrimTo"),
                              call::of<&set_attribute>("cuMemPoolSetAttribute"),
                              call::of<&get_attribute>("cuMemPoolGetAttribute"),
                              call::of<&set_pool_access>("cuMemPoolSetAccess"),
                              call::of<&get_pool_access>("cuMemPoolGetAccess"),
                              call::of<&allocate_from>("cuMemAllocFromPoolAsync")};
    return calls;
}

} // namespace gpuprof::driver_library
