// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the application that kernels may reach: cuMemHostRegister, cuMemHostUnregister.
#include <cstddef>
#include <cstdlib>
#include <map>

#include "../sim/driver/memory.hpp"
#include "../sim/driver/state.hpp"

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;

// Under the host's own address. What is registered is the application's, so the entry owns nothing.
CUresult host_register(void* host, std::size_t bytes, unsigned flags) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    constexpr unsigned known = 15; // portable, device map, I/O memory, read only
    if (host == nullptr || bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
    std::map<CUdeviceptr, driver::allocation> entry;
    entry.emplace(0, driver::allocation{bytes, driver::memory_kind::pinned, {nullptr, &std::free}});
    auto const at = in.context->memory.map(host, bytes, true);
    if (!at) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    driver::detail::enter_allocation(in, entry, *at);
    return CUDA_SUCCESS;
}

CUresult host_unregister(void* host) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    auto const found = in.context->allocations.find(reinterpret_cast<std::size_t>(host));
    if (found == in.context->allocations.end() || found->second.kind != driver::memory_kind::pinned ||
        found->second.host != nullptr)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    static_cast<void>(in.context->memory.free(found->first).has_value());
    in.context->allocations.erase(found);
    return CUDA_SUCCESS;
}

} // namespace

std::span<call const> host_memory_calls() {
    void* const allocate = reinterpret_cast<void*>(table().MemHostAlloc);
    static call const calls[]{{"cuMemHostAlloc_v2", allocate, allocate},
                              call::of<&host_register>("cuMemHostRegister_v2"),
                              call::of<&host_register>("cuMemHostRegister"),
                              call::of<&host_unregister>("cuMemHostUnregister")};
    return calls;
}

} // namespace gpuprof::driver_library
