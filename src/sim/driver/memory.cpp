// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <gpuprof/hw/machine/platform/pages.hpp>

#include "../check/memory_shadow.hpp"
#include "capture.hpp"
#include "checks.hpp"
#include "memory_records.hpp"
#include "peer.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {

std::uint64_t used_bytes(state const& all, int device) {
    std::uint64_t sum = 0;
    all.contexts.for_each([&](context_state const& context) {
        if (context.device == device) sum += context.memory.used();
    });
    return sum;
}

void enter_allocation(call& in, std::map<CUdeviceptr, allocation>& entry, CUdeviceptr address) noexcept {
    auto node = entry.extract(entry.begin());
    node.key() = address;
    in.context->allocations.insert(std::move(node));
}

} // namespace detail

static CUresult allocate_on_device(call& in, CUdeviceptr* address, std::size_t bytes,
                                   stream_state const* stream = nullptr, int pool = 0) {
    if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (stream != nullptr) {
        memory_pool const& from = in.driver.pools[pool];
        if (from.most != 0 && bytes > from.most - (std::min)(from.most, from.used)) return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (bytes > in.context->chip->memory_bytes - detail::used_bytes(in.driver, in.context->device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    // The entry comes first, because memory without an entry could never be freed.
    std::map<CUdeviceptr, allocation> entry;
    entry.emplace(0, allocation{bytes, memory_kind::device, {nullptr, &platform::free_pages}});
    begin_checks(in.driver, *in.context);
    auto const at = in.context->memory.allocate(bytes);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    detail::enter_allocation(in, entry, *at);
    if (in.context->shadow) in.context->shadow->allocated(*at, bytes);
    record_allocation(in, *at, stream, pool);
    *address = *at;
    return CUDA_SUCCESS;
}

// Allocates whole pages, zeroed, which kernels access at the host's address.
static CUresult allocate_on_host(call& in, CUdeviceptr* address, std::size_t bytes, memory_kind kind) {
    constexpr std::size_t page = platform::page_size;
    if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > in.context->chip->memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
    std::size_t const rounded = (bytes + page - 1) / page * page;
    std::map<CUdeviceptr, allocation> entry;
    entry.emplace(0, allocation{bytes, kind, {platform::allocate_pages(rounded), &platform::free_pages}});
    std::byte* const pages = entry.begin()->second.host.get();
    if (pages == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    std::memset(pages, 0, rounded);
    auto const at = in.context->memory.map(pages, bytes, kind == memory_kind::pinned);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    detail::enter_allocation(in, entry, *at);
    record_allocation(in, *at);
    *address = *at;
    return CUDA_SUCCESS;
}

static CUresult free_allocation(call& in, CUdeviceptr address, bool pinned, stream_state const* stream = nullptr) {
    auto const found = in.context->allocations.find(address);
    if (found == in.context->allocations.end() || (found->second.kind == memory_kind::pinned) != pinned) {
        check_free(in, address);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (in.context->shadow) in.context->shadow->freed(address);
    record_release(in, address, found->second, stream);
    if (found->second.from_graph) { // the graph's next launch uses it again
        found->second.is_unused = true;
        return CUDA_SUCCESS;
    }
    static_cast<void>(in.context->memory.free(address).has_value());
    in.context->allocations.erase(found);
    return CUDA_SUCCESS;
}

namespace detail {

CUresult allocate_for_graph(call& in, CUdeviceptr* address, std::size_t bytes) {
    if (CUresult const status = allocate_on_device(in, address, bytes)) return status;
    allocation& memory = in.context->allocations.find(*address)->second;
    memory.from_graph = memory.is_unused = true;
    return CUDA_SUCCESS;
}

} // namespace detail

// The memory that an address lies in, variables of modules included. No context: it lies in none.
struct found_memory {
    CUdeviceptr begin = 0;
    std::size_t bytes = 0;
    memory_kind kind = memory_kind::device;
    context_state const* context = nullptr;
};

static found_memory find_memory(context_state const& context, CUdeviceptr address) {
    auto const* const extent = context.memory.find(address);
    if (extent == nullptr) return {};
    auto const allocated = context.allocations.find(extent->begin);
    auto const kind = allocated == context.allocations.end() ? memory_kind::device : allocated->second.kind;
    return {extent->begin, extent->end - extent->begin, kind, &context};
}

CUresult mem_get_info(std::size_t* free, std::size_t* total) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (free == nullptr || total == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *total = in.context->chip->memory_bytes;
    *free = *total - detail::used_bytes(in.driver, in.context->device);
    return CUDA_SUCCESS;
}

CUresult mem_alloc(CUdeviceptr* address, std::size_t bytes) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::safe_call)) return refused;
    return allocate_on_device(in, address, bytes);
}

CUresult mem_alloc_pitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned element) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::safe_call)) return refused;
    bool const sized = element == 4 || element == 8 || element == 16;
    if (pitch == nullptr || !sized || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
    if (width > 2147483647 || height > (std::size_t{1} << 31)) return CUDA_ERROR_OUT_OF_MEMORY;
    std::size_t const row = (width + 511) / 512 * 512;
    CUresult const status = allocate_on_device(in, address, row * height);
    if (status == CUDA_SUCCESS) *pitch = row;
    return status;
}

CUresult mem_free(CUdeviceptr address) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::safe_call)) return refused;
    enter_owner(in, address);
    return address == 0 ? CUDA_SUCCESS : free_allocation(in, address, false);
}

CUresult mem_alloc_managed(CUdeviceptr* address, std::size_t bytes, unsigned flags) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::safe_call)) return refused;
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
    return allocate_on_host(in, address, bytes, memory_kind::managed);
}

CUresult mem_host_alloc(void** address, std::size_t bytes, unsigned flags) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::safe_call)) return refused;
    constexpr unsigned known = memhostalloc_portable | memhostalloc_devicemap | memhostalloc_writecombined;
    if (address == nullptr || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr memory = 0;
    CUresult const status = allocate_on_host(in, &memory, bytes, memory_kind::pinned);
    if (status == CUDA_SUCCESS) *address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(memory));
    return status;
}

CUresult mem_alloc_host(void** address, std::size_t bytes) { return mem_host_alloc(address, bytes, 0); }

CUresult mem_free_host(void* address) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::safe_call)) return refused;
    enter_owner(in, reinterpret_cast<std::uintptr_t>(address));
    return address == nullptr ? CUDA_SUCCESS : free_allocation(in, reinterpret_cast<std::uintptr_t>(address), true);
}

CUresult mem_host_get_device_pointer(CUdeviceptr* device, void* host, unsigned flags) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    auto const address = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(host));
    enter_owner(in, address);
    auto const found = find_memory(*in.context, address);
    if (device == nullptr || flags != 0 || found.context == nullptr || found.kind != memory_kind::pinned)
        return CUDA_ERROR_INVALID_VALUE;
    *device = address;
    return CUDA_SUCCESS;
}

CUresult mem_get_address_range(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    auto const found = find_memory(*context_of(in, {address, 0, true}), address);
    if (found.context == nullptr) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = found.begin;
    if (bytes != nullptr) *bytes = found.bytes;
    return CUDA_SUCCESS;
}

namespace detail {

CUresult allocate_async(call& in, CUdeviceptr* address, std::size_t bytes, CUstream stream, int pool) {
    stream_state* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!found->capture) return allocate_on_device(in, address, bytes, found, pool);
    if (found->capture->invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (CUresult const status = allocate_for_graph(in, address, bytes)) return status;
    return capture_operation(in, *found, mark_operation{mark_operation::kind::allocation, nullptr, *address, bytes});
}

} // namespace detail

CUresult mem_alloc_async(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    auto const current = in.driver.current_pools.find(in.context->device);
    int const pool = current == in.driver.current_pools.end() ? in.context->device : current->second;
    return detail::allocate_async(in, address, bytes, stream, pool);
}

CUresult mem_free_async(CUdeviceptr address, CUstream stream) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    stream_state* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!found->capture) return free_allocation(in, address, false, found);
    auto const allocated = in.context->allocations.find(address);
    if (allocated == in.context->allocations.end() || !allocated->second.from_graph)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED; // a capture frees only memory of its graph
    return capture_operation(in, *found, mark_operation{mark_operation::kind::release, nullptr, address, 0});
}

CUresult pointer_get_attribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto found = find_memory(*in.context, address);
    in.driver.contexts.for_each([&](context_state const& other) {
        if (found.context == nullptr) found = find_memory(other, address);
    });
    if (found.context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const answer = [&](auto result) { std::memcpy(value, &result, sizeof result); };
    bool const device = found.kind != memory_kind::pinned;
    bool const host = found.kind != memory_kind::device;
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT: answer(found.context->handle); break;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            answer(unsigned{device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST});
            break;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: answer(address); break;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (!host) return CUDA_ERROR_INVALID_VALUE;
            answer(reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)));
            break;
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: answer(0u); break;
        case CU_POINTER_ATTRIBUTE_BUFFER_ID: answer(std::uint64_t{found.begin}); break;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED: answer(found.kind == memory_kind::managed ? 1u : 0u); break;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: answer(found.context->device); break;
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: answer(found.begin); break;
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE: answer(found.bytes); break;
        case CU_POINTER_ATTRIBUTE_MAPPED: answer(1u); break;
        default:
            return attribute > CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL ? CUDA_ERROR_INVALID_VALUE
                                                                            : CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
