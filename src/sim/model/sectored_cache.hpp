// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set-associative cache of 128-byte lines that are filled by 32-byte sectors.
#ifndef GPUPROF_SRC_SIM_MODEL_SECTORED_CACHE_HPP
#define GPUPROF_SRC_SIM_MODEL_SECTORED_CACHE_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/detail/processor.hpp>
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

// Least recently used lines go first. Lines that lie side by side fall into different sets, and so
// do those at strides of powers of two: every run of as many lines as there are sets is turned by
// its own amount.
//
// Looked up more often than anything else, and large, so that the host's caches hold little of it:
// a set keeps a byte of each line's number and the order of its ways in 24 bytes, all of which are
// compared or turned at once. The line itself, which never moves, is read when its byte is the
// right one.
class sectored_cache {
public:
    static constexpr std::size_t ways = 16;

    explicit sectored_cache(std::size_t bytes)
        : sets_{sets_of(bytes)},
          reciprocal_{sets_ == 0 ? 0 : ~std::uint64_t{0} / sets_ + 1},
          index_(sets_),
          lines_(sets_ * ways) {}

    // How many lines from this one on, itself included, at least have sets that follow each other. @param set of the line
    [[nodiscard]] std::uint32_t run_from(std::uint64_t line, std::uint32_t set) const noexcept {
        auto const upper = static_cast<std::uint32_t>(line >> 32), lower = static_cast<std::uint32_t>(line);
        std::uint32_t const number = lower ^ upper;             // see set_of()
        std::uint32_t const alike = (upper & (~upper + 1)) - 1; // bits that `upper` leaves as they are
        std::uint32_t const turned = number + (quotient(number) * turn >> 16);
        return (std::max)(1u, (std::min)({sets_ - (number - quotient(number) * sets_), sets_ - set, ~turned,
                                          alike - (lower & alike)}));
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return lines_.size() * line_bytes; }
    // What a cache holds that is to have so many bytes.
    [[nodiscard]] static std::size_t bytes_of(std::size_t bytes) noexcept {
        return std::size_t{sets_of(bytes)} * ways * line_bytes;
    }
    [[nodiscard]] std::uint32_t set_of(std::uint64_t line) const noexcept {
        auto const number = static_cast<std::uint32_t>(line ^ line >> 32); // quicker to divide than 64 bits
        std::uint32_t const turned = number + (quotient(number) * turn >> 16);
        return turned - quotient(turned) * sets_;
    }

    // The line, found or new and empty, now the youngest of its set; `evicted` is what had to go,
    // empty if nothing did.
    // @pre the cache has lines
    [[nodiscard]] cache_line& touch(std::uint64_t line, cache_line& evicted) noexcept {
        return touch(line, set_of(line), evicted);
    }
    // @param set set_of(line), which takes as long as the rest
    [[nodiscard]] cache_line& touch(std::uint64_t line, std::uint32_t set, cache_line& evicted) noexcept {
        cache_line* const found = rejuvenated(line, set);
        return found != nullptr ? *found : begin(line, set, evicted);
    }
    // The same of a cache that is never written to. What has to go is not read: it is mostly not in the host's caches.
    [[nodiscard]] cache_line& touch_clean(std::uint64_t line) noexcept {
        std::uint32_t const set = set_of(line);
        cache_line* const found = rejuvenated(line, set);
        return found != nullptr ? *found : begin_clean(line, set);
    }
    // The line if it is there, as old as it was; else null.
    [[nodiscard]] cache_line* find(std::uint64_t line) noexcept { return find(line, set_of(line)); }
    [[nodiscard]] cache_line* find(std::uint64_t line, std::uint32_t set) noexcept {
        std::size_t const way = way_of(set, line);
        return way == ways ? nullptr : &lines_[std::size_t{set} * ways + way];
    }
    // A line that find() did not find, in the place of the oldest one. @pre it is not there
    [[nodiscard]] cache_line& begin(std::uint64_t line, std::uint32_t set, cache_line& evicted) noexcept {
        cache_line& here = place_for(line, set);
        evicted = here;
        if (here.dirty() != 0) --index_[set].dirty;
        return here = cache_line{line};
    }
    // The same of a cache that is never written to. @pre as above
    [[nodiscard]] cache_line& begin_clean(std::uint64_t line, std::uint32_t set) noexcept {
        return place_for(line, set) = cache_line{line};
    }
    // Stores to a line of the set. A set may have so many dirty lines; of one more, the oldest is cleaned.
    // Returns the sectors that it had to be cleaned of.
    // @pre `line` is the set's
    sector_mask write(cache_line& line, std::uint32_t set, sector_mask sectors, unsigned dirty_ways) noexcept {
        set_index& index = index_[set];
        bool const was_clean = line.dirty() == 0;
        line.write(sectors);
        if (!was_clean || ++index.dirty <= dirty_ways) return 0;
        for (std::size_t age = ways; age > 0; --age) {
            cache_line& oldest = lines_[std::size_t{set} * ways + (index.order >> (4 * (age - 1)) & 0xf)];
            sector_mask const dirty = oldest.dirty();
            if (dirty == 0) continue;
            clean(oldest, set, dirty);
            return dirty;
        }
        return 0;
    }
    // @pre `line` is the set's
    void clean(cache_line& line, std::uint32_t set, sector_mask sectors) noexcept {
        bool const was_dirty = line.dirty() != 0;
        line.clean(sectors);
        if (was_dirty && line.dirty() == 0) --index_[set].dirty;
    }
    // Brings what a look-up in the set will read to the host's processor.
    void expect(std::uint32_t set) const noexcept {
        gpuprof::detail::prefetch(&index_[set]);
        gpuprof::detail::prefetch(&lines_[std::size_t{set} * ways]);
        gpuprof::detail::prefetch(&lines_[std::size_t{set} * ways + ways / 2]);
    }
    // How many sets there are, and the lines of one of them, youngest first. @pre set < set_count()
    [[nodiscard]] std::uint32_t set_count() const noexcept { return sets_; }
    [[nodiscard]] std::array<cache_line, ways> lines_of(std::uint32_t set) const noexcept {
        std::array<cache_line, ways> lines;
        for (std::size_t age = 0; age < ways; ++age)
            lines[age] = lines_[std::size_t{set} * ways + (index_[set].order >> (4 * age) & 0xf)];
        return lines;
    }
    void clear() noexcept {
        forget();
        lines_.assign(lines_.size(), cache_line{});
    }
    // The same of a cache that is never written to: a line is looked at only where its byte says that it is there.
    void forget() noexcept { index_.assign(index_.size(), set_index{}); }

private:
    static std::uint32_t sets_of(std::size_t bytes) noexcept {
        return static_cast<std::uint32_t>(bytes / line_bytes / ways);
    }

    static constexpr std::uint32_t turn = 0x9e3779b1;
    static constexpr std::uint64_t each_byte = 0x0101'0101'0101'0101;
    static constexpr std::uint64_t each_nibble = 0x1111'1111'1111'1111;

    struct alignas(32) set_index {
        std::uint64_t order = 0xfedc'ba98'7654'3210; // a nibble for each way, the youngest lowest
        std::uint64_t tags[2] = {};                  // a byte for each way; 0: nothing was there yet
        std::uint32_t dirty = 0;                     // lines

        [[nodiscard]] std::uint64_t tag(std::size_t way) const noexcept {
            return tags[way / 8] >> (way % 8 * 8) & 0xff;
        }
        void set_tag(std::size_t way, std::uint64_t tag) noexcept {
            std::uint64_t& eight = tags[way / 8];
            auto const shift = static_cast<unsigned>(way % 8 * 8);
            eight = (eight & ~(std::uint64_t{0xff} << shift)) | tag << shift;
        }
        void rejuvenate(std::size_t way) noexcept {
            if ((order & 0xf) == way) return;
            std::uint64_t const other = order ^ way * each_nibble; // zero where the way is
            std::uint64_t const zero = (other - each_nibble) & ~other & each_nibble << 3;
            std::uint64_t const younger = (zero & (~zero + 1)) >> 3; // the lowest is right: 1 at the way's nibble
            std::uint64_t const below = younger - 1;
            std::uint64_t const upto = below | younger * 0xf;
            order = (order & ~upto) | (order & below) << 4 | way;
        }
    };

    // The line, now the youngest of its set; null if it is not there.
    [[nodiscard]] cache_line* rejuvenated(std::uint64_t line, std::uint32_t set) noexcept {
        set_index& index = index_[set];
        std::size_t const youngest = index.order & 0xf;
        cache_line& likely = lines_[std::size_t{set} * ways + youngest];
        if (index.tag(youngest) == tag_of(line) && likely.is(line)) return &likely; // mostly, in L1
        std::size_t const way = way_of(set, line);
        if (way == ways) return nullptr;
        index.rejuvenate(way);
        return &lines_[std::size_t{set} * ways + way];
    }
    // That of the oldest line, now the youngest's.
    [[nodiscard]] cache_line& place_for(std::uint64_t line, std::uint32_t set) noexcept {
        set_index& index = index_[set];
        std::size_t const way = index.order >> 60;
        index.order = index.order << 4 | way;
        index.set_tag(way, tag_of(line));
        return lines_[std::size_t{set} * ways + way];
    }

    // Any byte but 0, made of other bits than the set is.
    static std::uint64_t tag_of(std::uint64_t line) noexcept { return (line * 0x9e37'79b9'7f4a'7c15 >> 57) + 1; }

    [[nodiscard]] std::size_t way_of(std::uint32_t set, std::uint64_t line) const noexcept {
        set_index const& index = index_[set];
        cache_line const* const lines = &lines_[std::size_t{set} * ways];
        std::uint64_t const tag = tag_of(line) * each_byte;
        for (std::size_t half = 0; half < 2; ++half) {
            std::uint64_t const other = index.tags[half] ^ tag; // zero where it may be
            std::uint64_t maybe = (other - each_byte) & ~other & each_byte << 7;
            for (; maybe != 0; maybe &= maybe - 1) {
                std::size_t const way = half * 8 + static_cast<std::size_t>(std::countr_zero(maybe)) / 8;
                if (lines[way].is(line)) return way;
            }
        }
        return ways;
    }

    // n / sets_, by a product: the upper 64 of its 96 bits. Exact for every n of 32 bits, as the
    // reciprocal is rounded up by less than one in 2^64 (Granlund and Montgomery). One set: the
    // reciprocal has wrapped to 0.
    [[nodiscard]] std::uint32_t quotient(std::uint32_t n) const noexcept {
        if (reciprocal_ == 0) return n;
        std::uint64_t const upper = (reciprocal_ >> 32) * n;
        std::uint64_t const lower = (reciprocal_ & 0xffff'ffff) * n;
        return static_cast<std::uint32_t>((upper + (lower >> 32)) >> 32);
    }

    std::uint32_t sets_;
    std::uint64_t reciprocal_; // 2^64 / sets_, rounded up
    std::vector<set_index> index_;
    std::vector<cache_line> lines_; // by set and way
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_SECTORED_CACHE_HPP
