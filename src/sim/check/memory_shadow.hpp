// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of global memory: for each byte, whether it was written and who accessed it last.
#ifndef GPUPROF_SRC_SIM_CHECK_MEMORY_SHADOW_HPP
#define GPUPROF_SRC_SIM_CHECK_MEMORY_SHADOW_HPP

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include "access_cell.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whether a byte holds a value that the program wrote.
enum class byte_state : std::uint8_t {
    unwritten, // since it was allocated
    written,
    derived // the result of arithmetic on unwritten values
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

// The shadow of a context's memory. For pages that were accessed it takes as much memory again, and
// 4 bytes a byte for races. Memory that allocated() was not called for counts as written.
class memory_shadow {
public:
    // Memory was allocated: nobody wrote it yet, or accessed it.
    void allocated(std::uint64_t address, std::uint64_t bytes);
    void freed(std::uint64_t address);
    // The host, a copy or a fill wrote there.
    void written(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, byte_state::written, false); }

    // A copy moved values as they were.
    void moved(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
    // How many of these bytes nobody wrote.
    [[nodiscard]] std::uint64_t unwritten_in(std::uint64_t address, std::uint64_t bytes);

    // The page that an address lies in. Constant in time; valid until the next change of
    // allocations.
    [[nodiscard]] shadow_page& page(std::uint64_t address) {
        std::uint64_t const number = address / page_bytes;
        recent& slot = recent_[number % recent_.size()];
        if (slot.number == number) return *slot.page;
        std::unique_ptr<shadow_page>& found = pages_[number];
        if (!found) found = make_page(number * page_bytes);
        slot = {number, found.get()};
        return *found;
    }

    // Forgets all accesses.
    void forget_accesses();

    // Numbers of segments (clocks.hpp) that kernels have used; none is used twice.
    std::uint32_t next_segment = 1;

private:
    static constexpr std::uint64_t page_bytes = shadow_page::bytes;

    struct recent {
        std::uint64_t number = ~std::uint64_t{0};
        shadow_page* page = nullptr;
    };

    [[nodiscard]] byte_state state(std::uint64_t address) { return page(address).states[address % page_bytes]; }

    [[nodiscard]] bool is_watched(std::uint64_t address, std::uint64_t bytes) const;

    std::unique_ptr<shadow_page> make_page(std::uint64_t begin) const;

    // Sets the states of bytes. @param only_known leaves out pages that are not there yet
    void set(std::uint64_t address, std::uint64_t bytes, byte_state to, bool only_known);

    std::map<std::uint64_t, std::uint64_t> unwritten_; // allocations that begin so: address and end
    std::unordered_map<std::uint64_t, std::unique_ptr<shadow_page>> pages_;
    std::array<recent, 1024> recent_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_MEMORY_SHADOW_HPP
