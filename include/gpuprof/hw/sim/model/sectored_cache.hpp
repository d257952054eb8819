// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set-associative cache of 128-byte lines that are filled by 32-byte sectors. Layer: embedded GPU, memory model.
#ifndef GPUPROF_HW_SIM_MODEL_SECTORED_CACHE_HPP
#define GPUPROF_HW_SIM_MODEL_SECTORED_CACHE_HPP

#include <cstddef> // std::size_t
#include <cstdint> // lines
#include <span>    // a set
#include <vector>  // the sets

#include "access_lines.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Which of a line's sectors are there and which of those differ from the memory behind.
class cache_line {
public:
    constexpr cache_line() noexcept = default;
    constexpr explicit cache_line(std::uint64_t number) noexcept : bits_{number << 8} {}

    [[nodiscard]] constexpr bool is(std::uint64_t number) const noexcept { return bits_ >> 8 == number; }
    [[nodiscard]] constexpr std::uint64_t number() const noexcept { return bits_ >> 8; }
    [[nodiscard]] constexpr sector_mask valid() const noexcept { return static_cast<sector_mask>(bits_ & all_sectors); }
    [[nodiscard]] constexpr sector_mask dirty() const noexcept {
        return static_cast<sector_mask>(bits_ >> 4 & all_sectors);
    }
    constexpr void fill(sector_mask sectors) noexcept { bits_ |= sectors; }
    constexpr void write(sector_mask sectors) noexcept { bits_ |= sectors | std::uint64_t{sectors} << 4; }
    [[nodiscard]] constexpr bool is_empty() const noexcept { return bits_ == 0; }
    constexpr void clean(sector_mask sectors) noexcept { bits_ &= ~(std::uint64_t{sectors} << 4); }
    constexpr void drop(sector_mask sectors) noexcept { bits_ &= ~(sectors | std::uint64_t{sectors} << 4); }

private:
    std::uint64_t bits_ = 0; // the number, four dirty bits, four valid bits
};

// Least recently used lines go first. Lines that lie side by side fall into different sets, and so do those at strides
// of powers of two: every run of as many lines as there are sets is turned by its own amount.
class sectored_cache {
public:
    static constexpr std::size_t ways = 16;

    explicit sectored_cache(std::size_t bytes)
        : sets_{static_cast<std::uint32_t>(bytes / line_bytes / ways)},
          reciprocal_{sets_ == 0 ? 0 : ~std::uint64_t{0} / sets_ + 1},
          lines_(sets_ * ways) {}

    [[nodiscard]] std::size_t bytes() const noexcept { return lines_.size() * line_bytes; }
    [[nodiscard]] std::uint32_t set_of(std::uint64_t line) const noexcept {
        auto const number = static_cast<std::uint32_t>(line ^ line >> 32); // quicker to divide than 64 bits
        std::uint32_t const turned = number + (quotient(number) * turn >> 16);
        return turned - quotient(turned) * sets_;
    }

    // The line, found or new and empty, now the youngest of its set; `evicted` is what had to go, empty if nothing did.
    // @pre the cache has lines
    [[nodiscard]] cache_line& touch(std::uint64_t line, cache_line& evicted) noexcept {
        cache_line* const set = &lines_[std::size_t{set_of(line)} * ways];
        std::size_t at = 0;
        while (at + 1 < ways && !set[at].is(line)) ++at;
        cache_line here = set[at];
        if (!here.is(line)) {
            evicted = here;
            here = cache_line{line};
        }
        for (; at > 0; --at) set[at] = set[at - 1];
        return set[0] = here;
    }
    // The line if it is there, as old as it was; else null.
    [[nodiscard]] cache_line* find(std::uint64_t line) noexcept {
        cache_line* const set = &lines_[std::size_t{set_of(line)} * ways];
        for (std::size_t at = 0; at < ways; ++at)
            if (set[at].is(line)) return set + at;
        return nullptr;
    }
    // How many sets there are, and the lines of one of them, youngest first. @pre set < set_count()
    [[nodiscard]] std::uint32_t set_count() const noexcept { return sets_; }
    [[nodiscard]] std::span<cache_line const, ways> lines_of(std::uint32_t set) const noexcept {
        return std::span<cache_line const, ways>{&lines_[std::size_t{set} * ways], ways};
    }
    void clear() noexcept { lines_.assign(lines_.size(), cache_line{}); }

private:
    static constexpr std::uint32_t turn = 0x9e3779b1;

    // n / sets_, by a product: the upper 64 of its 96 bits. Exact for every n of 32 bits, as the reciprocal is rounded up
    // by less than one in 2^64 (Granlund and Montgomery). One set: the reciprocal has wrapped to 0.
    [[nodiscard]] std::uint32_t quotient(std::uint32_t n) const noexcept {
        if (reciprocal_ == 0) return n;
        std::uint64_t const upper = (reciprocal_ >> 32) * n;
        std::uint64_t const lower = (reciprocal_ & 0xffff'ffff) * n;
        return static_cast<std::uint32_t>((upper + (lower >> 32)) >> 32);
    }

    std::uint32_t sets_;
    std::uint64_t reciprocal_;      // 2^64 / sets_, rounded up
    std::vector<cache_line> lines_; // by set, youngest first
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_MODEL_SECTORED_CACHE_HPP
