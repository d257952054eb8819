// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the 128-byte lines, and their 32-byte sectors, that a warp's access touches.
#ifndef GPUPROF_SRC_SIM_MODEL_ACCESS_LINES_HPP
#define GPUPROF_SRC_SIM_MODEL_ACCESS_LINES_HPP

#include <algorithm>
#include <bit>
#include <cstdint>

#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned line_bytes = 128;

using sector_mask = std::uint8_t; // bit i is the line's sector i, of four
inline constexpr sector_mask all_sectors = 0xf;

// As std::popcount, which is a call where the host's compiler may not use its instruction.
[[nodiscard]] inline unsigned lane_count(lane_mask lanes) noexcept {
    if (lanes == all_lanes) return warp_size;
    lanes -= lanes >> 1 & 0x5555'5555;
    lanes = (lanes & 0x3333'3333) + (lanes >> 2 & 0x3333'3333);
    return ((lanes + (lanes >> 4)) & 0x0f0f'0f0f) * 0x0101'0101 >> 24;
}
[[nodiscard]] inline unsigned sector_count(sector_mask sectors) noexcept {
    constexpr std::uint64_t counts = 0x4332'3221'3221'2110; // a nibble for each mask
    return static_cast<unsigned>(counts >> (sectors * 4) & 0xf);
}

// The lines of one access, each once, in the order in which lanes touch them first (kernel
// profiling guide, 3.3: a request's tags and sectors). Reused from access to access, so that none
// allocates.
class access_lines {
public:
    [[nodiscard]] unsigned size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t line(unsigned i) const noexcept { return lines_[i]; }
    [[nodiscard]] sector_mask sectors(unsigned i) const noexcept { return sectors_[i]; }
    [[nodiscard]] unsigned sector_total() const noexcept {
        unsigned total = 0;
        for (unsigned i = 0; i < size_; ++i) total += sector_count(sectors_[i]);
        return total;
    }
    // L1 looks for four lines at once, those of different quarters of its tags (H200, last_time.txt, l1_hits_4_stride_*: 9, 17 and 33
    // lines take 3, 5 and 8.4 cycles; HeCBench's murmurhash3: 16 lines here and there take 6.2).
    [[nodiscard]] unsigned tag_turns() const noexcept {
        if (size_ <= 1) return size_;
        std::uint32_t in_quarters = 0; // a byte each
        for (unsigned i = 0; i < size_; ++i) {
            std::uint64_t const folded = lines_[i] ^ lines_[i] >> 2 ^ lines_[i] >> 4 ^ lines_[i] >> 6;
            in_quarters += 1u << (folded & 3) * 8;
        }
        unsigned most = 0;
        for (unsigned quarter = 0; quarter < 4; ++quarter) most = std::max(most, in_quarters >> quarter * 8 & 0xff);
        return most;
    }
    // Sectors of which every byte is named, supposing that no two lanes name the same.
    [[nodiscard]] sector_mask whole(unsigned i) const noexcept {
        unsigned mask = 0;
        for (unsigned sector = 0; sector < 4; ++sector)
            if (named_[i][sector] >= sector_bytes) mask |= 1u << sector;
        return static_cast<sector_mask>(mask);
    }

    // Of an access by address: global memory. @pre `bytes` is at most 32, and addresses are
    // multiples of it
    void collect(memory_access const& access) noexcept {
        clear();
        std::uint64_t const first = access.address[0];
        switch (access.pattern) {
            case address_pattern::side_by_side: return add_range(first, std::uint64_t{access.bytes} * warp_size);
            case address_pattern::same: return add_run(first, first + access.bytes, access.bytes * warp_size);
            case address_pattern::any: return collect_more(access);
        }
    }
    // Beside what was collected.
    void collect_more(memory_access const& access) noexcept {
        if (size_ != 0) highest_ = seen_ = ~std::uint64_t{0}; // none is known to be new
        std::uint64_t sector = 0;                             // of lanes that are next to each other
        std::uint32_t bytes = 0;                              // that they name of it
        auto const add_sector = [&] {
            if (bytes != 0) add(sector / 4, static_cast<sector_mask>(1u << (sector & 3)), bytes);
            bytes = 0;
        };
        for (lane_mask left = access.active; left != 0; left &= left - 1) {
            std::uint64_t const address = access.address[std::countr_zero(left)];
            if (address / sector_bytes != sector) {
                add_sector();
                sector = address / sector_bytes;
            }
            bytes += access.bytes;
            if (address % sector_bytes + access.bytes <= sector_bytes) continue;
            add_sector(); // it ends in the next one
            add((sector + 1) / 4, static_cast<sector_mask>(1u << ((sector + 1) & 3)));
        }
        add_sector();
    }

    // Of an access by offset into each lane's local memory, which lies interleaved: the warp's
    // words of one offset are one line. @param base line of the warp's local memory
    void collect_local(memory_access const& access, std::uint64_t base) noexcept {
        clear();
        std::uint64_t const words = (access.bytes + 3) / 4;
        for (lane_mask left = access.active; left != 0; left &= left - 1) {
            auto const lane = static_cast<unsigned>(std::countr_zero(left));
            std::uint64_t const word = (access.address[lane] & 0xffff'ffff) / 4;
            for (std::uint64_t w = 0; w < words; ++w) add(base + word + w, static_cast<sector_mask>(1u << lane / 8));
        }
    }

private:
    static constexpr unsigned capacity = warp_size * 8; // words of 32 bytes a lane in local memory

    static sector_mask sector_of(std::uint64_t address) noexcept {
        return static_cast<sector_mask>(1u << (address / sector_bytes & 3));
    }

    void clear() noexcept {
        size_ = 0;
        highest_ = 0;
        seen_ = 0;
    }
    // Of 64, for neighbours others.
    static std::uint64_t bit_of(std::uint64_t line) noexcept {
        return std::uint64_t{1} << (line * 0x9e37'79b9'7f4a'7c15 >> 58);
    }

    void add_range(std::uint64_t from, std::uint64_t bytes) noexcept {
        std::uint64_t const end = (from + bytes - 1) / sector_bytes + 1;
        for (std::uint64_t sector = from / sector_bytes; sector != end; ++sector) {
            bool const named = sector * sector_bytes >= from && (sector + 1) * sector_bytes <= from + bytes;
            if (size_ == 0 || lines_[size_ - 1] != sector / 4) begin(sector / 4);
            sectors_[size_ - 1] |= static_cast<sector_mask>(1u << (sector & 3));
            named_[size_ - 1][sector & 3] = named ? sector_bytes : 0;
        }
    }

    // What begins in one sector; of a single lane it may end in the next.
    void add_run(std::uint64_t begin, std::uint64_t end, std::uint32_t bytes) noexcept {
        add(begin / line_bytes, sector_of(begin), bytes);
        if ((end - 1) / sector_bytes != begin / sector_bytes) add((end - 1) / line_bytes, sector_of(end - 1), 0);
    }

    void add(std::uint64_t line, sector_mask sectors, std::uint32_t bytes = 0) noexcept {
        if (size_ != 0 && lines_[size_ - 1] == line) { // mostly
            sectors_[size_ - 1] |= sectors;
            named_[size_ - 1][std::countr_zero(sectors) & 3] += static_cast<std::uint16_t>(bytes);
            return;
        }
        unsigned at = 0; // a line is new if it is beyond all others, or if its bit is not set; else it is looked for
        if (line <= highest_ && (seen_ & bit_of(line)) != 0)
            for (at = size_; at > 0 && lines_[at - 1] != line;) --at;
        if (at == 0) {
            if (size_ == capacity) return;
            begin(line);
            at = size_;
            highest_ = line > highest_ ? line : highest_;
            seen_ |= bit_of(line);
        }
        sectors_[at - 1] |= sectors;
        named_[at - 1][std::countr_zero(sectors) & 3] += static_cast<std::uint16_t>(bytes);
    }
    void begin(std::uint64_t line) noexcept {
        lines_[size_] = line;
        sectors_[size_] = 0;
        for (std::uint16_t& each : named_[size_]) each = 0;
        ++size_;
    }

    unsigned size_ = 0;
    std::uint64_t highest_ = 0; // line
    std::uint64_t seen_ = 0;    // bits of lines
    std::uint64_t lines_[capacity];
    sector_mask sectors_[capacity];
    std::uint16_t named_[capacity][4]; // bytes of each sector
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_ACCESS_LINES_HPP
