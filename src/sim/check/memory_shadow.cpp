// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_shadow.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void memory_shadow::allocated(std::uint64_t address, std::uint64_t bytes) {
    unwritten_[address] = address + bytes;
    set(address, bytes, byte_state::unwritten, true);
    for (std::uint64_t at = address, end = address + bytes; at < end;) {
        std::uint64_t const next = (std::min)(end, (at / page_bytes + 1) * page_bytes);
        auto const known = pages_.find(at / page_bytes);
        if (known != pages_.end() && known->second->cells) known->second->cells->forget(at % page_bytes, next - at);
        at = next;
    }
}

void memory_shadow::freed(std::uint64_t address) {
    auto const found = unwritten_.find(address);
    if (found == unwritten_.end()) return;
    std::uint64_t const bytes = found->second - address;
    unwritten_.erase(found);
    set(address, bytes, byte_state::written, true);
}

void memory_shadow::moved(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) page(to + i).states[(to + i) % page_bytes] = state(from + i);
}

std::uint64_t memory_shadow::unwritten_in(std::uint64_t address, std::uint64_t bytes) {
    if (!is_watched(address, bytes)) return 0;
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < bytes; ++i) count += state(address + i) != byte_state::written;
    return count;
}

void memory_shadow::forget_accesses() {
    for (auto& entry : pages_) entry.second->cells.reset();
}

bool memory_shadow::is_watched(std::uint64_t address, std::uint64_t bytes) const {
    auto const after = unwritten_.lower_bound(address + bytes);
    return after != unwritten_.begin() && std::prev(after)->second > address;
}

std::unique_ptr<shadow_page> memory_shadow::make_page(std::uint64_t begin) const {
    auto page = std::make_unique<shadow_page>();
    page->states.fill(byte_state::written);
    for (auto a = unwritten_.lower_bound(begin + page_bytes); a != unwritten_.begin();) {
        --a;
        if (a->second <= begin) break; // they are disjoint
        std::uint64_t const first = (std::max)(a->first, begin);
        std::uint64_t const last = (std::min)(a->second, begin + page_bytes);
        std::fill(page->states.begin() + static_cast<std::ptrdiff_t>(first - begin),
                  page->states.begin() + static_cast<std::ptrdiff_t>(last - begin), byte_state::unwritten);
    }
    return page;
}

void memory_shadow::set(std::uint64_t address, std::uint64_t bytes, byte_state to, bool only_known) {
    if (!only_known && !is_watched(address, bytes)) return;
    for (std::uint64_t end = address + bytes; address < end;) {
        std::uint64_t const next = (std::min)(end, (address / page_bytes + 1) * page_bytes);
        if (!only_known || pages_.find(address / page_bytes) != pages_.end()) {
            auto& states = page(address).states;
            auto const first = states.begin() + static_cast<std::ptrdiff_t>(address % page_bytes);
            std::fill(first, first + static_cast<std::ptrdiff_t>(next - address), to);
        }
        address = next;
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
