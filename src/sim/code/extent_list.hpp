// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stretches of addresses of the embedded GPU's memory, in the order of their addresses.
#ifndef GPUPROF_SRC_SIM_CODE_EXTENT_LIST_HPP
#define GPUPROF_SRC_SIM_CODE_EXTENT_LIST_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A stretch of addresses with its host storage; `end` is one past the last byte.
struct memory_extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::byte* host = nullptr;
    bool stays_on_host = false; // pinned memory: kernels reach it over PCIe
};

// A sorted array, because kernels search it at each access. It has room in front of the first element, so that programs that free
// in the order of their allocations, or in the reverse order, move few elements.
class extent_list {
public:
    using iterator = memory_extent const*;

    [[nodiscard]] iterator begin() const noexcept { return all_.data() + front_; }
    [[nodiscard]] iterator end() const noexcept { return all_.data() + all_.size(); }

    // The first extent that begins beyond the address. Logarithmic.
    [[nodiscard]] iterator after(std::uint64_t address) const noexcept {
        return std::upper_bound(begin(), end(), address,
                                [](std::uint64_t wanted, memory_extent const& e) { return wanted < e.begin; });
    }
    // The extent that begins there, or end(). Logarithmic.
    [[nodiscard]] iterator at(std::uint64_t address) const noexcept {
        iterator const next = after(address);
        return next != begin() && (next - 1)->begin == address ? next - 1 : end();
    }
    // Whether any extent has an address of the range. Logarithmic.
    [[nodiscard]] bool overlaps(std::uint64_t from, std::uint64_t bytes) const noexcept {
        iterator const next = after(from);
        return (next != end() && next->begin < from + bytes) || (next != begin() && (next - 1)->end > from);
    }

    // Cost: as many moves as there are extents on the shorter side. Strong guarantee if there is no memory.
    void insert(memory_extent const& one) {
        std::ptrdiff_t const place = after(one.begin) - begin();
        if (front_ > 0 && place <= end() - begin() - place) {
            --front_;
            std::move(first() + 1, first() + 1 + place, first());
            first()[place] = one;
            return;
        }
        if (front_ > all_.size() / 2) {
            all_.erase(all_.begin(), first());
            front_ = 0;
        }
        all_.insert(first() + place, one);
    }
    void erase(iterator gone) noexcept {
        std::ptrdiff_t const place = gone - begin();
        if (place > end() - gone) {
            all_.erase(first() + place);
            return;
        }
        std::move_backward(first(), first() + place, first() + place + 1);
        ++front_;
    }

private:
    [[nodiscard]] std::vector<memory_extent>::iterator first() noexcept {
        return all_.begin() + static_cast<std::ptrdiff_t>(front_);
    }

    std::vector<memory_extent> all_; // from front_ on
    std::size_t front_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_EXTENT_LIST_HPP
