// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

result<std::uint64_t> device_memory::allocate(std::uint64_t bytes, std::uint64_t alignment, area where) {
    if (bytes == 0) return failure(errc::invalid_argument, "an allocation of zero bytes");
    if (bytes > capacity_ - used_) return failure(errc::unavailable, "the embedded GPU's memory is exhausted");
    alignment = std::max<std::uint64_t>(alignment, 512);
    std::uint64_t at = where == area::global ? base_ : address_map::constant_base;
    if (where == area::global) at = gap_ != 0 ? next_ : first_gap_;
    auto slot = extents_.after(at - 1);
    if (gap_ == 0 && where == area::global)
        for (; slot != extents_.end() && slot->begin == first_gap_; ++slot)
            at = first_gap_ = (slot->end + 511) & ~std::uint64_t{511};
    at = (at + alignment - 1) & ~(alignment - 1);
    // Aligning may have moved `at` beyond the extent that is looked at.
    for (; slot != extents_.end() && (slot->begin & address_map::window_mask) == (at & address_map::window_mask) &&
           (slot->begin < at || slot->begin - at < bytes);
         ++slot)
        at = (std::max)(at, (slot->end + alignment - 1) & ~(alignment - 1));
    if (gap_ != 0 && where == area::global) {
        at = (at + alignment - 1) & ~(alignment - 1);
        next_ = at + bytes + gap_;
    }
    storage host{static_cast<std::byte*>(std::calloc(bytes, 1))};
    if (!host) return failure(errc::unavailable, "the host has no memory left for the embedded GPU");
    std::map<std::uint64_t, block> entry;
    std::byte* const begin = host.get();
    entry.emplace(at, block{bytes, std::move(host)});
    extents_.insert({at, at + bytes, begin}); // nothing after it can fail
    blocks_.merge(entry);
    used_ += bytes;
    if (where == area::global && at == first_gap_) first_gap_ = (at + bytes + 511) & ~std::uint64_t{511};
    return at;
}

result<std::uint64_t> device_memory::allocate_on_host(std::uint64_t bytes, std::uint64_t alignment) {
    if (bytes == 0) return failure(errc::invalid_argument, "an allocation of zero bytes");
    if (bytes > capacity_ - used_) return failure(errc::unavailable, "the embedded GPU's memory is exhausted");
    alignment = (std::max<std::uint64_t>)(alignment, 512);
    std::uint64_t const rounded = (bytes + alignment - 1) & ~(alignment - 1);
    // Not std::aligned_alloc, which Windows has not.
    storage host{static_cast<std::byte*>(std::calloc(rounded + alignment, 1))};
    if (!host) return failure(errc::unavailable, "the host has no memory left for the embedded GPU");
    auto const begin = (reinterpret_cast<std::uintptr_t>(host.get()) + alignment - 1) & ~(alignment - 1);
    std::map<std::uint64_t, block> entry;
    entry.emplace(begin, block{bytes, std::move(host)});
    auto at = map(reinterpret_cast<std::byte*>(begin), bytes);
    if (!at) return at;
    blocks_.merge(entry);
    used_ += bytes;
    return at;
}

result<void> device_memory::free(std::uint64_t address) {
    auto const found = extents_.at(address);
    if (found == extents_.end()) return failure(errc::invalid_argument, "no allocation begins at that address");
    if (gap_ != 0) freed_.push_back(*found);
    extents_.erase(found);
    if (address >= address_map::global_base) first_gap_ = (std::min)(first_gap_, address);
    auto const owned = blocks_.find(address);
    if (owned != blocks_.end()) {
        used_ -= owned->second.bytes;
        blocks_.erase(owned);
    }
    return {};
}

void device_memory::keep_apart(std::uint64_t bytes) {
    if (gap_ != 0) return;
    gap_ = bytes;
    next_ = base_;
    for (extent const& e : extents_)
        if ((e.begin & address_map::window_mask) == address_map::global_base) next_ = e.end + gap_;
}

device_memory::extent const* device_memory::find_freed(std::uint64_t address) const noexcept {
    for (auto e = freed_.rbegin(); e != freed_.rend(); ++e)
        if (address >= e->begin && address < e->end) return &*e;
    return nullptr;
}

result<std::uint64_t> device_memory::map(void* host, std::uint64_t bytes, bool stays_on_host) {
    auto const begin = reinterpret_cast<std::uintptr_t>(host);
    if (bytes == 0 || extents_.overlaps(begin, bytes))
        return failure(errc::invalid_argument, "the host range is empty or mapped already");
    extents_.insert({begin, begin + bytes, static_cast<std::byte*>(host), stays_on_host});
    return std::uint64_t{begin};
}

result<std::uint64_t> device_memory::reserve(std::uint64_t bytes, std::uint64_t alignment) {
    constexpr std::uint64_t end = address_map::constant_base;
    std::uint64_t const at = (next_reserved_ + alignment - 1) & ~(alignment - 1);
    if (bytes == 0 || at >= end || bytes > end - at)
        return failure(errc::unavailable, "the embedded GPU has no addresses left");
    next_reserved_ = at + bytes;
    return at;
}

result<void> device_memory::map_at(std::uint64_t address, std::byte* host, std::uint64_t bytes) {
    if (bytes == 0 || extents_.overlaps(address, bytes))
        return failure(errc::invalid_argument, "the range is empty or mapped already");
    extents_.insert({address, address + bytes, host});
    return {};
}

void device_memory::connect(device_memory const& other) { others_.push_back({&other, false}); }

void device_memory::disconnect(device_memory const& other) noexcept {
    std::erase_if(others_, [&](neighbour const& each) { return each.memory == &other; });
}

void device_memory::set_peer_access(device_memory const& other, bool enabled) noexcept {
    for (neighbour& each : others_)
        if (each.memory == &other) each.has_access = enabled;
}

bool device_memory::has_peer_access(device_memory const& other) const noexcept {
    return std::any_of(others_.begin(), others_.end(),
                       [&](neighbour const& each) { return each.memory == &other && each.has_access; });
}

device_memory::extent const* device_memory::find_elsewhere(std::uint64_t address) const noexcept {
    if (address >= address_map::constant_base) return nullptr;
    for (neighbour const& each : others_)
        if (address < address_map::global_base || each.has_access)
            if (extent const* const found = each.memory->find(address)) return found;
    return nullptr;
}

device_memory::extent const* device_memory::nearest(std::uint64_t address) const noexcept {
    constexpr std::uint64_t far_away = std::uint64_t{1} << 32;
    auto const after = extents_.after(address);
    std::uint64_t const to_next = after != extents_.end() ? after->begin - address : far_away;
    std::uint64_t const from_last = after != extents_.begin() ? address - (after - 1)->end : far_away;
    if ((std::min)(to_next, from_last) >= far_away) return nullptr;
    return to_next < from_last ? after : after - 1;
}

error device_memory::failure(errc code, char const* text) {
    error why;
    why.code = code;
    why.what = text;
    return why;
}

} // namespace sim
GPUPROF_NAMESPACE_END
