// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metadata of sparse matrix products: which elements of a row of a there are.
#ifndef GPUPROF_SRC_SIM_OPS_SPARSE_METADATA_HPP
#define GPUPROF_SRC_SIM_OPS_SPARSE_METADATA_HPP

#include <cstdint>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// PTX ISA, "Sparse matrix storage". A row of a is in chunks, of which half is stored, and 4 bits say which half: two
// numbers, each the place of a unit. A unit is an element; of 4 bits, two neighbours; of 32 bits, half of one, so that
// both numbers name the same. A register holds 16 bits of each of two rows, or 32 bits of one where elements have no
// more than 8; the lanes of a quad that the selector names hold what belongs to its two rows, first along k (16 bits),
// or first by rows (32).
class sparse_metadata {
public:
    // @param words the register @param element bits @param k of the whole row
    sparse_metadata(lanes<std::uint32_t> const& words, unsigned element, unsigned k, unsigned selector) noexcept
        : words_{words}, element_{element}, first_{selector * (element > 8 ? k * element / 256 : 2)} {}

    // Where along k the element is that is stored as number i of that row. @pre row < 16, and 2i less than k
    [[nodiscard]] unsigned place(unsigned row, unsigned i) const noexcept {
        if (element_ == 32) return 2 * i + unit(row, 2 * i) / 2;
        if (element_ == 4) return i / 4 * 8 + 2 * unit(row, i / 2) + i % 2;
        return i / 2 * 4 + unit(row, i);
    }

private:
    // The place in its chunk of the unit that is stored as number i.
    [[nodiscard]] unsigned unit(unsigned row, unsigned i) const noexcept {
        unsigned const bit = 2 * i, lane = row % 8 * 4 + first_, lower = row / 8;
        if (element_ > 8) return words_[lane + bit / 16] >> (16 * lower + bit % 16) & 3;
        return words_[lane + lower + bit / 32 * 2] >> bit % 32 & 3;
    }

    lanes<std::uint32_t> words_;
    unsigned element_;
    unsigned first_; // lane of a quad
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_SPARSE_METADATA_HPP
