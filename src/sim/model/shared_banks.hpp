// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the wavefronts that shared memory takes for a warp's access: 32 banks of 4 bytes.
#ifndef GPUPROF_SRC_SIM_MODEL_SHARED_BANKS_HPP
#define GPUPROF_SRC_SIM_MODEL_SHARED_BANKS_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "access_lines.hpp"
#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr unsigned shared_banks = 32;

// Wavefronts of one access, and those among them that only bank conflicts made necessary.
struct shared_cost {
    std::uint64_t wavefronts = 0;
    std::uint64_t conflicts = 0;
};

namespace detail {

// How many times the bank that is asked for most is. @param bank which bits of a word are its bank
[[nodiscard]] inline unsigned fullest_bank(std::span<std::uint32_t const> words, std::uint32_t bank) noexcept {
    std::uint16_t asked[shared_banks]{};
    unsigned most = 0;
    for (std::uint32_t const word : words) most = std::max<unsigned>(most, ++asked[word & bank]);
    return most;
}

// How many different words the bank is asked for that is asked for most of them. A bank's words are bits by their rows.
// @pre there are some, all of 64 rows that begin with a multiple of 64
[[nodiscard]] inline unsigned most_rows(std::span<std::uint32_t const> words, std::uint32_t bank) noexcept {
    std::uint64_t rows[shared_banks]{};
    unsigned const banks = static_cast<unsigned>(std::countr_one(bank));
    for (std::uint32_t const word : words) rows[word & bank] |= std::uint64_t{1} << (word >> banks & 63);
    std::uint64_t several = 0;
    for (std::uint64_t const each : rows) several |= each & (each - 1);
    if (several == 0) return 1;
    for (std::uint64_t& each : rows) { // std::popcount(each), for several at once
        each -= each >> 1 & 0x5555'5555'5555'5555;
        each = (each & 0x3333'3333'3333'3333) + (each >> 2 & 0x3333'3333'3333'3333);
        each = (each + (each >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
        each += each >> 8;
        each += each >> 16;
        each = (each + (each >> 32)) & 0x7f;
    }
    return static_cast<unsigned>(*std::max_element(std::begin(rows), std::end(rows)));
}

// The same of any words. In a turn each bank gives one of those that are left. @param words are used up
[[nodiscard]] inline unsigned most_words(std::span<std::uint32_t> words, std::uint32_t bank) noexcept {
    std::uint32_t given[shared_banks];
    unsigned turns = 0;
    for (std::size_t left = words.size(); left != 0; ++turns) {
        for (std::size_t i = 0; i < left; ++i) given[words[i] & bank] = words[i];
        std::size_t remaining = 0;
        for (std::size_t i = 0; i < left; ++i) {
            std::uint32_t const word = words[i];
            words[remaining] = word;
            remaining += given[word & bank] != word ? 1 : 0;
        }
        left = remaining;
    }
    return turns;
}

// The same of words that are as far from each other, one after the next; 0 if they are not, or all are one.
[[nodiscard]] inline unsigned most_of_steps(std::span<std::uint32_t const> words, std::uint32_t bank) noexcept {
    std::uint32_t const step = words[1] - words[0];
    std::uint32_t differs = 0;
    for (std::size_t i = 1; i < words.size(); ++i) differs |= (words[i] - words[i - 1]) ^ step;
    if (differs != 0 || step == 0) return 0;
    unsigned const same = static_cast<unsigned>(std::countr_zero(step | (bank + 1))); // low bits of all their banks
    std::size_t const banks = (bank + 1) >> same;
    return static_cast<unsigned>((words.size() + banks - 1) / banks);
}

// Wavefronts of the lanes of one phase: the most distinct words that any bank is asked for. Lanes
// that name the same word share it, unless each of them changes it in its turn.
[[nodiscard]] inline unsigned bank_wavefronts(memory_access const& access, lane_mask lanes, bool exclusive) noexcept {
    constexpr unsigned most = 32; // words of a lane
    std::uint32_t wanted[warp_size * most];
    std::size_t count = 0;
    std::uint64_t low = 0;
    auto const name_words = [&](unsigned unit) {
        unsigned const shift = static_cast<unsigned>(std::countr_zero(unit));
        unsigned const words = std::min((access.bytes + unit - 1) / unit, most);
        count = 0;
        if (words == 1 && lanes == all_lanes) { // mostly
            for (; count < warp_size; ++count) {
                low |= access.address[count];
                wanted[count] = static_cast<std::uint32_t>(access.address[count] >> shift);
            }
            return;
        }
        for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
            std::uint64_t const address = access.address[std::countr_zero(rest)];
            low |= address;
            auto const first = static_cast<std::uint32_t>(address >> shift);
            wanted[count++] = first;
            for (unsigned w = 1; w < words; ++w) wanted[count++] = first + w;
        }
    };
    // Lanes that want 8 or 16 aligned bytes meet in all of their banks or in none.
    unsigned unit = access.bytes == 8 || access.bytes == 16 ? access.bytes : 4;
    name_words(unit);
    if (unit != 4 && (low & (unit - 1)) != 0) name_words(unit = 4);
    std::uint32_t const bank = shared_banks * 4 / unit - 1; // of a word: these bits
    std::span<std::uint32_t> const all{wanted, count};
    if (exclusive) return fullest_bank(all, bank);
    std::uint32_t asked = 0, again = 0; // banks
    for (std::uint32_t const word : all) {
        std::uint32_t const bit = std::uint32_t{1} << (word & bank);
        again |= asked & bit;
        asked |= bit;
    }
    if (again == 0) return asked == 0 ? 0 : 1; // mostly
    if (unsigned const turns = most_of_steps(all, bank); turns != 0) return turns;
    std::uint32_t differs = 0;
    for (std::uint32_t const word : all) differs |= word ^ wanted[0];
    return differs / 64 <= bank ? most_rows(all, bank) : most_words(all, bank);
}

// Whether neighbours at that distance (1 or 2) ask for the same address throughout.
[[nodiscard]] inline bool paired(memory_access const& access, lane_mask lanes, unsigned distance) noexcept {
    for (lane_mask left = lanes; left != 0; left &= left - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(left));
        if ((lanes >> (lane ^ distance) & 1) && access.address[lane] != access.address[lane ^ distance]) return false;
    }
    return true;
}

// Whether all lanes ask for the same word of each bank, as tiles and what lies side by side often
// do.
[[nodiscard]] inline bool in_one_row(memory_access const& access) noexcept {
    constexpr std::uint64_t row_bytes = std::uint64_t{shared_banks} * 4;
    std::uint64_t differs = 0;
    for (unsigned i = 0; i < warp_size; ++i) differs |= access.address[i] ^ access.address[0];
    return differs < row_bytes;
}

} // namespace detail

// Up to 32 bits a lane, a warp is one phase; with 64 bits it is served in halves, with 128 in
// quarters. Two phases of loads become one where pairs of lanes (each next to or next but one to
// the other) want the same data, and no banks conflict (H200: 8 wavefronts of 16 bytes a lane where every second lane's are in
// the others' banks). Atomics on the same word take turns, unless they are added up
// first. `address` holds offsets; a matrix load's rows have 16 bytes.
[[nodiscard]] inline shared_cost shared_wavefronts(memory_access const& access, bool counts_lanes = false) noexcept {
    if (access.pattern == address_pattern::side_by_side && access.bytes >= 4 && access.bytes <= 16)
        return {access.bytes / 4}; // all banks in each phase
    if (access.pattern == address_pattern::same && access.bytes <= 16 && access.operation == memory_operation::load)
        return {access.bytes <= 8 ? 1u : 2u}; // see below: phases in pairs
    bool const reads_or_writes =
        access.operation == memory_operation::load || access.operation == memory_operation::store;
    if (access.active == all_lanes && access.bytes <= 4 && reads_or_writes && detail::in_one_row(access)) return {1};
    bool const changes = !counts_lanes && (access.operation == memory_operation::atomic ||
                                           access.operation == memory_operation::reduction);
    unsigned phases = access.bytes <= 4 ? 1 : access.bytes <= 8 ? 2 : access.bytes <= 16 ? 4 : 8;
    shared_cost total;
    for (unsigned phase = 0, lanes = warp_size / phases; phase < phases; ++phase) {
        lane_mask const in_phase = lanes == warp_size ? all_lanes : (lane_mask{1} << lanes) - 1;
        lane_mask mask = access.active & in_phase << (phase * lanes);
        if (phases > 1 && phase % 2 == 0 && access.operation == memory_operation::load) {
            lane_mask const both = access.active & (in_phase | in_phase << lanes) << (phase * lanes);
            bool const joins = (detail::paired(access, both, 1) || detail::paired(access, both, 2)) &&
                               detail::bank_wavefronts(access, both, changes) <= 1;
            if (joins) {
                mask = both;
                ++phase;
            }
        }
        if (mask == 0) continue;
        unsigned const wavefronts = detail::bank_wavefronts(access, mask, changes);
        total.wavefronts += wavefronts;
        total.conflicts += wavefronts - 1;
    }
    return total;
}

// The first lane left of each address.
[[nodiscard]] inline lane_mask first_of_each_address(memory_access const& access, lane_mask left) noexcept {
    lane_mask chosen = 0;
    bool ascending = true;
    std::uint64_t last = 0;
    for (lane_mask rest = left; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        std::uint64_t const address = access.address[lane];
        bool taken = false;
        if (chosen != 0 && !(ascending && address > last))
            for (lane_mask before = chosen; before != 0 && !taken; before &= before - 1)
                taken = access.address[std::countr_zero(before)] == address;
        ascending = ascending && (chosen == 0 || address > last);
        if (taken) continue;
        last = address;
        chosen |= lane_mask{1} << lane;
    }
    return chosen;
}

// The lanes that stay in the CTA's own shared memory. An atomic that reaches others, too, is one wavefront here (H200,
// tests/hardware/clusters.cu): its first lane stands for all.
[[nodiscard]] inline memory_access own_of_cluster(memory_access access) noexcept {
    access.active &= ~access.elsewhere;
    access.elsewhere = 0;
    access.pattern = address_pattern::any;
    bool const changes =
        access.operation == memory_operation::atomic || access.operation == memory_operation::reduction;
    if (changes) access.active &= ~access.active + 1;
    return access;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_SHARED_BANKS_HPP
