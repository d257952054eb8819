// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of each byte of global memory: whether it was written, and who accessed it last. Layer: embedded GPU, checks.
#ifndef GPUPROF_HW_SIM_CHECK_MEMORY_SHADOW_HPP
#define GPUPROF_HW_SIM_CHECK_MEMORY_SHADOW_HPP

#include <algorithm>     // std::fill
#include <array>         // pages
#include <cstddef>       // std::ptrdiff_t
#include <cstdint>       // addresses
#include <map>           // allocations by address
#include <iterator>      // std::prev
#include <memory>        // parts of pages that are rarely needed
#include <unordered_map> // pages by number

#include "access_cell.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whether a byte holds a value of the program's.
enum class byte_state : std::uint8_t {
    unwritten, // since it was allocated
    written,
    derived // the result of arithmetic on what was unwritten
};

// 4 KiB of global memory.
struct shadow_page {
    static constexpr std::uint64_t bytes = 4096;
    std::array<byte_state, bytes> states;
    std::unique_ptr<cell_block<bytes>> cells; // once a kernel that is checked for races accessed it

    [[nodiscard]] cell_block<bytes>& accesses() {
        if (!cells) cells = std::make_unique<cell_block<bytes>>();
        return *cells;
    }
};

// Of a context. Takes memory where memory was accessed: as much again, and 4 bytes a byte for races. Memory that
// allocated() was not told of counts as written.
class memory_shadow {
public:
    void allocated(std::uint64_t address, std::uint64_t bytes) {
        unwritten_[address] = address + bytes;
        set(address, bytes, byte_state::unwritten, true);
    }
    void freed(std::uint64_t address) {
        auto const found = unwritten_.find(address);
        if (found == unwritten_.end()) return;
        std::uint64_t const bytes = found->second - address;
        unwritten_.erase(found);
        set(address, bytes, byte_state::written, true);
    }
    // The host, a copy or a fill wrote there.
    void written(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, byte_state::written, false); }

    // A copy moved values as they were.
    void moved(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
        for (std::uint64_t i = 0; i < bytes; ++i) page(to + i).states[(to + i) % page_bytes] = state(from + i);
    }
    // How many of these bytes nobody wrote.
    [[nodiscard]] std::uint64_t unwritten_in(std::uint64_t address, std::uint64_t bytes) {
        if (!is_watched(address, bytes)) return 0;
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < bytes; ++i) count += state(address + i) != byte_state::written;
        return count;
    }

    // The page that an address lies in. Constant in time; valid until the next change of allocations.
    [[nodiscard]] shadow_page& page(std::uint64_t address) {
        std::uint64_t const number = address / page_bytes;
        recent& slot = recent_[number % recent_.size()];
        if (slot.number == number) return *slot.page;
        std::unique_ptr<shadow_page>& found = pages_[number];
        if (!found) found = make_page(number * page_bytes);
        slot = {number, found.get()};
        return *found;
    }

    // Forgets who accessed what.
    void forget_accesses() {
        for (auto& entry : pages_) entry.second->cells.reset();
    }

    // Numbers of segments (clocks.hpp) that kernels have used; none is used twice.
    std::uint32_t next_segment = 1;

private:
    static constexpr std::uint64_t page_bytes = shadow_page::bytes;

    struct recent {
        std::uint64_t number = ~std::uint64_t{0};
        shadow_page* page = nullptr;
    };

    [[nodiscard]] byte_state state(std::uint64_t address) { return page(address).states[address % page_bytes]; }

    [[nodiscard]] bool is_watched(std::uint64_t address, std::uint64_t bytes) const {
        auto const after = unwritten_.lower_bound(address + bytes);
        return after != unwritten_.begin() && std::prev(after)->second > address;
    }

    std::unique_ptr<shadow_page> make_page(std::uint64_t begin) const {
        auto made = std::make_unique<shadow_page>();
        made->states.fill(byte_state::written);
        for (auto a = unwritten_.lower_bound(begin + page_bytes); a != unwritten_.begin();) {
            --a;
            if (a->second <= begin) break; // they are disjoint
            std::uint64_t const first = (std::max)(a->first, begin);
            std::uint64_t const last = (std::min)(a->second, begin + page_bytes);
            std::fill(made->states.begin() + static_cast<std::ptrdiff_t>(first - begin),
                      made->states.begin() + static_cast<std::ptrdiff_t>(last - begin), byte_state::unwritten);
        }
        return made;
    }

    // Pages that are there; for writes, also those that are not.
    void set(std::uint64_t address, std::uint64_t bytes, byte_state to, bool only_known) {
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

    std::map<std::uint64_t, std::uint64_t> unwritten_; // allocations that begin so: address and end
    std::unordered_map<std::uint64_t, std::unique_ptr<shadow_page>> pages_;
    std::array<recent, 1024> recent_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CHECK_MEMORY_SHADOW_HPP
