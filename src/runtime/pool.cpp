// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in the order of a stream, and its pools. The embedded GPU has one pool a device and gives memory back at once; the
// pools that a program makes are names for it, with attributes that are kept and change nothing.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "runtime.hpp"

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

// cudaMemPoolAttr: from 1 to 3 switches of 32 bits, from 4 on numbers of bytes; 8 in all.
struct pool {
    std::array<std::uint64_t, 16> attributes{0, 1, 1, 1};
};
struct pools {
    std::mutex mutex;
    std::set<pool*> all;
    std::map<int, pool*> defaults;
    std::map<int, pool*> current;
    static pools& instance() {
        static auto* const one = new pools;
        return *one;
    }
    pool* default_of(int device) {
        pool*& found = defaults[device];
        if (found == nullptr) all.insert(found = new pool);
        return found;
    }
};
constexpr int attributes = 8;

cuda_error allocate(void** pointer, std::size_t bytes, abi::CUstream stream) {
    if (pointer == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    abi::CUdeviceptr address = 0;
    abi::CUresult const status = driver().MemAllocAsync(&address, bytes, stream);
    *pointer = pointer_to(address);
    return keep(status);
}
cuda_error release(void* pointer, abi::CUstream stream) {
    return forward(&table::MemFreeAsync, device_address(pointer), stream);
}
cuda_error allocate_from(void** pointer, std::size_t bytes, pool* from, abi::CUstream stream) {
    {
        std::lock_guard const held{pools::instance().mutex};
        if (!pools::instance().all.contains(from)) return keep(cudaErrorInvalidValue);
    }
    return allocate(pointer, bytes, stream);
}

bool is_device(int device) {
    int count = 0;
    return driver().DeviceGetCount(&count) == abi::CUDA_SUCCESS && device >= 0 && device < count;
}
cuda_error default_pool(pool** to, int device) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (to == nullptr || !is_device(device))
        return keep(to == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    std::lock_guard const held{pools::instance().mutex};
    *to = pools::instance().default_of(device);
    return cudaSuccess;
}
cuda_error current_pool(pool** to, int device) {
    if (cuda_error const error = default_pool(to, device); error != cudaSuccess) return error;
    std::lock_guard const held{pools::instance().mutex};
    auto const found = pools::instance().current.find(device);
    if (found != pools::instance().current.end()) *to = found->second;
    return cudaSuccess;
}
cuda_error set_current_pool(int device, pool* to) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    std::lock_guard const held{pools::instance().mutex};
    if (!is_device(device) || !pools::instance().all.contains(to)) return keep(cudaErrorInvalidValue);
    pools::instance().current[device] = to;
    return cudaSuccess;
}
cuda_error create(pool** to, void const* properties) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (to == nullptr || properties == nullptr) return keep(cudaErrorInvalidValue);
    std::lock_guard const held{pools::instance().mutex};
    pools::instance().all.insert(*to = new pool);
    return cudaSuccess;
}
cuda_error destroy(pool* gone) {
    std::lock_guard const held{pools::instance().mutex};
    pools& known = pools::instance();
    for (auto const& [device, kept] : known.defaults)
        if (kept == gone) return keep(cudaErrorInvalidValue);
    if (known.all.erase(gone) == 0) return keep(cudaErrorInvalidValue);
    std::erase_if(known.current, [gone](auto const& entry) { return entry.second == gone; });
    delete gone;
    return cudaSuccess;
}
cuda_error trim(pool* of, std::size_t) {
    std::lock_guard const held{pools::instance().mutex};
    return pools::instance().all.contains(of) ? cudaSuccess : keep(cudaErrorInvalidValue);
}
cuda_error set_attribute(pool* of, int which, void* value) {
    std::lock_guard const held{pools::instance().mutex};
    if (!pools::instance().all.contains(of) || which < 1 || which > attributes || value == nullptr)
        return keep(cudaErrorInvalidValue);
    of->attributes[static_cast<std::size_t>(which)] =
        which <= 3 ? static_cast<std::uint64_t>(*static_cast<int*>(value)) : *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
}
cuda_error get_attribute(pool* of, int which, void* value) {
    std::lock_guard const held{pools::instance().mutex};
    if (!pools::instance().all.contains(of) || which < 1 || which > attributes || value == nullptr)
        return keep(cudaErrorInvalidValue);
    std::uint64_t const kept = of->attributes[static_cast<std::size_t>(which)];
    if (which <= 3) *static_cast<int*>(value) = static_cast<int>(kept);
    else *static_cast<std::uint64_t*>(value) = kept;
    return cudaSuccess;
}
// Every device reaches all memory.
cuda_error set_access(pool* of, memory_access const* access, std::size_t) {
    std::lock_guard const held{pools::instance().mutex};
    return access != nullptr && pools::instance().all.contains(of) ? cudaSuccess : keep(cudaErrorInvalidValue);
}
cuda_error get_access(int* flags, pool* of, memory_location*) {
    std::lock_guard const held{pools::instance().mutex};
    if (flags == nullptr || !pools::instance().all.contains(of)) return keep(cudaErrorInvalidValue);
    *flags = 3; // to read and to write
    return cudaSuccess;
}

} // namespace

std::span<call const> pool_calls() {
    static call const calls[]{call::of<&allocate>("cudaMallocAsync"),
                              call::of<&release>("cudaFreeAsync"),
                              call::of<&allocate_from>("cudaMallocFromPoolAsync"),
                              call::of<&default_pool>("cudaDeviceGetDefaultMemPool"),
                              call::of<&current_pool>("cudaDeviceGetMemPool"),
                              call::of<&set_current_pool>("cudaDeviceSetMemPool"),
                              call::of<&create>("cudaMemPoolCreate"),
                              call::of<&destroy>("cudaMemPoolDestroy"),
                              call::of<&trim>("cudaMemPoolTrimTo"),
                              call::of<&set_attribute>("cudaMemPoolSetAttribute"),
                              call::of<&get_attribute>("cudaMemPoolGetAttribute"),
                              call::of<&set_access>("cudaMemPoolSetAccess"),
                              call::of<&get_access>("cudaMemPoolGetAccess")};
    return calls;
}

} // namespace gpuprof::runtime
