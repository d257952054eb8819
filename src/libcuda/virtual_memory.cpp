// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory of one device: addresses that are reserved, memory that has none, and what is mapped where. Memory stays in this
// process: exporting and importing it is not there.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>

#include "../sim/driver/memory.hpp"
#include "../sim/driver/state.hpp"

#include "call.hpp"
#include "node_parameters.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;
using memory_handle = unsigned long long; // CUmemGenericAllocationHandle

struct place { // CUmemLocation
    int type;
    int id;
};
struct properties { // CUmemAllocationProp
    int type;
    int handle_types;
    place location;
    void* security;
    unsigned char flags[8];
};
struct access { // CUmemAccessDesc
    place location;
    int flags;
};
static_assert(sizeof(properties) == 32 && sizeof(access) == 12);
constexpr int no_access = 0, reads_and_writes = 3;
constexpr std::size_t granularity = std::size_t{2} << 20;

using mapping = driver::reserved_range::mapping;

// Memory by its handle, under the driver's lock.
std::map<memory_handle, std::shared_ptr<driver::physical_memory>>& handles() {
    static auto* const all = new std::map<memory_handle, std::shared_ptr<driver::physical_memory>>;
    return *all;
}

CUresult check(properties const* of) {
    if (of == nullptr || of->type != pinned) return CUDA_ERROR_INVALID_VALUE;
    if (of->location.type != on_device || of->handle_types != 0) return CUDA_ERROR_NOT_SUPPORTED;
    return driver::find_device(of->location.id) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
CUresult granularity_of(std::size_t* bytes, properties const* of, int) {
    auto const in = driver::enter();
    if (!in.ready()) return in.status;
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUresult const status = check(of);
    if (status == CUDA_SUCCESS) *bytes = granularity;
    return status;
}

CUresult create(memory_handle* made, std::size_t bytes, properties const* of, unsigned long long flags) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (made == nullptr || flags != 0 || bytes == 0 || bytes % granularity != 0) return CUDA_ERROR_INVALID_VALUE;
    if (CUresult const status = check(of)) return status;
    if (bytes > in.context->chip->memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
    auto memory = std::make_shared<driver::physical_memory>();
    memory->host.reset(static_cast<std::byte*>(std::calloc(bytes, 1)));
    if (!memory->host) return CUDA_ERROR_OUT_OF_MEMORY;
    memory->bytes = bytes;
    std::memcpy(memory->properties.data(), of, sizeof *of);
    static memory_handle next = 1;
    *made = next++;
    handles().emplace(*made, std::move(memory));
    return CUDA_SUCCESS;
}
// What is mapped stays until it is unmapped.
CUresult release(memory_handle gone) {
    auto const in = driver::enter();
    if (!in.ready()) return in.status;
    return handles().erase(gone) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult properties_of(properties* to, memory_handle of) {
    auto const in = driver::enter();
    if (!in.ready()) return in.status;
    auto const found = handles().find(of);
    if (to == nullptr || found == handles().end()) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(to, found->second->properties.data(), sizeof *to);
    return CUDA_SUCCESS;
}

CUresult reserve(CUdeviceptr* made, std::size_t bytes, std::size_t alignment, CUdeviceptr, unsigned long long flags) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (alignment == 0) alignment = granularity;
    bool const is_power = (alignment & (alignment - 1)) == 0;
    if (made == nullptr || flags != 0 || bytes == 0 || bytes % granularity != 0 || !is_power)
        return CUDA_ERROR_INVALID_VALUE;
    auto const at = in.context->memory.reserve(bytes, alignment < granularity ? granularity : alignment);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    in.context->reserved.emplace(*at, driver::reserved_range{bytes, {}});
    *made = *at;
    return CUDA_SUCCESS;
}
CUresult free_range(CUdeviceptr address, std::size_t bytes) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    auto const found = in.context->reserved.find(address);
    bool const is_free =
        found != in.context->reserved.end() && found->second.bytes == bytes && found->second.mappings.empty();
    if (!is_free) return CUDA_ERROR_INVALID_VALUE;
    in.context->reserved.erase(found);
    return CUDA_SUCCESS;
}

// The reservation that has all of a range, or null.
driver::reserved_range* find_range(driver::call& in, CUdeviceptr address, std::size_t bytes) {
    auto const after = in.context->reserved.upper_bound(address);
    if (after == in.context->reserved.begin()) return nullptr;
    auto const found = std::prev(after);
    std::uint64_t const at = address - found->first;
    return at <= found->second.bytes && bytes <= found->second.bytes - at ? &found->second : nullptr;
}
CUresult map(CUdeviceptr address, std::size_t bytes, std::size_t offset, memory_handle of, unsigned long long flags) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    auto const memory = handles().find(of);
    driver::reserved_range* const range = find_range(in, address, bytes);
    if (memory == handles().end() || range == nullptr || flags != 0 || offset != 0 || address % granularity != 0 ||
        bytes != memory->second->bytes)
        return CUDA_ERROR_INVALID_VALUE;
    auto const next = range->mappings.lower_bound(address);
    bool const overlaps =
        (next != range->mappings.end() && next->first < address + bytes) ||
        (next != range->mappings.begin() && std::prev(next)->first + std::prev(next)->second.bytes > address);
    if (overlaps) return CUDA_ERROR_INVALID_VALUE;
    range->mappings.emplace(address, mapping{bytes, memory->second});
    return CUDA_SUCCESS;
}

// Calls f for each mapping of a range, which must consist of whole ones.
template <class F>
CUresult for_each_mapping(driver::call& in, CUdeviceptr address, std::size_t bytes, F const& f) {
    driver::reserved_range* const range = find_range(in, address, bytes);
    if (range == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr expected = address;
    auto const first = range->mappings.find(address);
    auto last = first;
    for (; last != range->mappings.end() && last->first == expected && expected < address + bytes; ++last)
        expected += last->second.bytes;
    if (expected != address + bytes) return CUDA_ERROR_INVALID_VALUE;
    for (auto one = first; one != last;) {
        auto const next = std::next(one);
        f(*range, one);
        one = next;
    }
    return CUDA_SUCCESS;
}
CUresult unmap(CUdeviceptr address, std::size_t bytes) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    return for_each_mapping(in, address, bytes, [&](driver::reserved_range& range, auto one) {
        if (one->second.is_accessible) static_cast<void>(in.context->memory.free(one->first).has_value());
        range.mappings.erase(one);
    });
}
// All or nothing: memory that is only read is not told from other.
CUresult set_access(CUdeviceptr address, std::size_t bytes, access const* list, std::size_t count) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (list == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    int flags = no_access;
    for (std::size_t i = 0; i < count; ++i) {
        if (list[i].location.type != on_device) return CUDA_ERROR_NOT_SUPPORTED;
        if (driver::find_device(list[i].location.id) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
        if (list[i].location.id == in.context->device) flags = list[i].flags;
    }
    if (flags != no_access && flags != reads_and_writes) return CUDA_ERROR_NOT_SUPPORTED;
    return for_each_mapping(in, address, bytes, [&](driver::reserved_range&, auto one) {
        bool const wanted = flags == reads_and_writes;
        if (wanted == one->second.is_accessible) return;
        if (wanted)
            static_cast<void>(
                in.context->memory.map_at(one->first, one->second.memory->host.get(), one->second.bytes).has_value());
        else static_cast<void>(in.context->memory.free(one->first).has_value());
        one->second.is_accessible = wanted;
    });
}
CUresult get_access(unsigned long long* flags, place const* location, CUdeviceptr address) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::reserved_range* const range = find_range(in, address, 1);
    if (flags == nullptr || location == nullptr || range == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const after = range->mappings.upper_bound(address);
    bool const is_mapped =
        after != range->mappings.begin() && std::prev(after)->first + std::prev(after)->second.bytes > address;
    if (!is_mapped) return CUDA_ERROR_INVALID_VALUE;
    *flags =
        std::prev(after)->second.is_accessible && location->id == in.context->device ? reads_and_writes : no_access;
    return CUDA_SUCCESS;
}

} // namespace

std::span<call const> virtual_memory_calls() {
    static call const calls[]{call::of<&granularity_of>("cuMemGetAllocationGranularity"),
                              call::of<&create>("cuMemCreate"),
                              call::of<&release>("cuMemRelease"),
                              call::of<&properties_of>("cuMemGetAllocationPropertiesFromHandle"),
                              call::of<&reserve>("cuMemAddressReserve"),
                              call::of<&free_range>("cuMemAddressFree"),
                              call::of<&map>("cuMemMap"),
                              call::of<&unmap>("cuMemUnmap"),
                              call::of<&set_access>("cuMemSetAccess"),
                              call::of<&get_access>("cuMemGetAccess")};
    return calls;
}

} // namespace gpuprof::driver_library
