// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of a CTA whose results nobody uses, kept until the CTAs before it have ended.
#ifndef GPUPROF_SRC_SIM_EXECUTE_DEFERRED_SUMS_HPP
#define GPUPROF_SRC_SIM_EXECUTE_DEFERRED_SUMS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/decoded.hpp"
#include "../ops/memory_cell.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A floating-point sum depends on the order of its addends, so it is added when it is the CTA's turn. The CTA itself
// goes on, as long as it does not access what lies between the cells that wait.
class deferred_sums {
public:
    static constexpr std::size_t limit = std::size_t{1} << 16; // 32 bytes each

    [[nodiscard]] bool empty() const noexcept { return sums_.empty(); }
    // A warp's sums may not have room.
    [[nodiscard]] bool full() const noexcept { return sums_.size() + most_of_a_warp > limit; }

    // @param at the cell of that address, in the host's memory; value: the second operand; op must outlive it
    void add(std::uint64_t address, std::byte* at, std::uint64_t value, decoded const& op) {
        low_ = sums_.empty() ? address : (std::min)(low_, address);
        high_ = sums_.empty() ? address : (std::max)(high_, address);
        sums_.push_back({at, value, &op});
    }
    // Whether a lane of the mask reaches between the cells, those included.
    [[nodiscard]] bool overlap(lanes<std::uint64_t> const& address, lane_mask mask, unsigned bytes) const noexcept {
        constexpr unsigned largest_cell = 8;
        for (unsigned i = 0; i < warp_size; ++i)
            if ((mask >> i & 1) != 0 && address[i] + bytes > low_ && address[i] < high_ + largest_cell) return true;
        return false;
    }
    // @pre all CTAs before have ended
    void apply() noexcept {
        for (sum const& each : sums_) switch (ptx::size_of(each.op->memory.element)) {
                case 2: apply_to<std::uint16_t>(each); break;
                case 4: apply_to<std::uint32_t>(each); break;
                default: apply_to<std::uint64_t>(each); break;
            }
        sums_.clear();
    }
    void drop() noexcept { sums_.clear(); }

private:
    static constexpr std::size_t most_of_a_warp = std::size_t{8} * warp_size; // a vector of 8
    struct sum {
        std::byte* at;
        std::uint64_t value;
        decoded const* op;
    };
    template <class T>
    static void apply_to(sum const& each) noexcept {
        modify_cell<T>(each.at, static_cast<T>(each.value), T{0}, *each.op);
    }

    std::vector<sum> sums_;
    std::uint64_t low_ = 0, high_ = 0; // addresses of cells
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_DEFERRED_SUMS_HPP
