// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last write and the last read of a piece of memory.
#ifndef GPUPROF_SRC_SIM_CHECK_ACCESS_CELL_HPP
#define GPUPROF_SRC_SIM_CHECK_ACCESS_CELL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An access: the segment of its warp (clocks.hpp), the lane, the instruction's number in the
// launch, and how strong it is.
struct access_record {
    std::uint32_t segment = 0; // 0: none
    std::uint32_t rest = 0;

    static constexpr unsigned instruction_bits = 22;

    constexpr access_record() = default;
    // @param strength 0 of a plain access, 1 strong among the threads of a CTA, 2 among all, 3 a
    // compare-and-swap among all
    constexpr access_record(std::uint32_t in, unsigned lane, std::uint32_t instruction, unsigned strength) noexcept
        : segment{in}, rest{lane << 27 | strength << 24 | (instruction & ((1u << instruction_bits) - 1))} {}

    [[nodiscard]] constexpr unsigned lane() const noexcept { return rest >> 27; }
    [[nodiscard]] constexpr unsigned strength() const noexcept { return rest >> 24 & 3; }
    [[nodiscard]] constexpr std::uint32_t instruction() const noexcept { return rest & ((1u << instruction_bits) - 1); }
    // Whether other lanes of the warp did the same in the same segment.
    [[nodiscard]] constexpr bool by_many() const noexcept { return (rest >> 26 & 1) != 0; }
    constexpr void set_by_many() noexcept { rest |= 1u << 26; }
    friend constexpr bool operator==(access_record const&, access_record const&) = default;
};

struct access_cell {
    access_record write;
    access_record read;
};

// The cells of `Bytes` bytes: one for each four, and, from the first narrower access on, one for
// each of the four.
template <std::size_t Bytes>
struct cell_block {
    std::array<access_cell, Bytes / 4> words{};
    std::unique_ptr<std::array<access_cell, Bytes>> bytes;

    // In the place of a word whose bytes have cells of their own.
    static constexpr std::uint32_t is_split = ~std::uint32_t{0};

    // The cells of the bytes of a word.
    [[nodiscard]] access_cell* split(std::size_t word) {
        if (!bytes) bytes = std::make_unique<std::array<access_cell, Bytes>>();
        access_cell* const first = bytes->data() + word * 4;
        if (words[word].write.segment != is_split) {
            for (int i = 0; i < 4; ++i) first[i] = words[word];
            words[word].write.segment = is_split;
        }
        return first;
    }
    // Forgets the accesses of bytes, and of the words that they are part of.
    void forget(std::size_t at, std::size_t count) noexcept {
        for (std::size_t w = at / 4; w < (at + count + 3) / 4; ++w) words[w] = {};
    }
    // Calls visit(cell) for each cell of an access of `count` bytes, a power of two, within the
    // block.
    template <class Visit>
    void for_each(std::size_t at, std::size_t count, Visit visit) {
        std::size_t const word = at / 4;
        if (count < 4) {
            access_cell* const first = split(word) + at % 4;
            for (std::size_t i = 0; i < count; ++i) visit(first[i]);
            return;
        }
        for (std::size_t w = word; w < word + count / 4; ++w) {
            if (words[w].write.segment != is_split) {
                visit(words[w]);
                continue;
            }
            access_cell* const first = split(w);
            for (int i = 0; i < 4; ++i) visit(first[i]);
        }
    }
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_ACCESS_CELL_HPP
