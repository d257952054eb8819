// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slices of L2 that an SM asked for something.
#ifndef GPUPROF_SRC_SIM_MODEL_SLICE_SET_HPP
#define GPUPROF_SRC_SIM_MODEL_SLICE_SET_HPP

#include <array>
#include <bit>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include "../chip/chip_model.hpp"
#include "access_lines.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Pieces of slice_bytes lie in one slice, and the pieces beside each other in others. Of a chip that is
// not known to send barriers to its slices the set stays empty.
class slice_set {
public:
    slice_set() noexcept = default;
    // @pre no chip has more than 128 slices
    explicit slice_set(chip_model const& chip) noexcept {
        if (chip.l2.slice_bytes == 0) return;
        slices_ = static_cast<std::uint32_t>(chip.count(hardware_unit::lts));
        reciprocal_ = ~std::uint32_t{0} / slices_ + 1;
        shift_ = static_cast<unsigned>(std::countr_zero(chip.l2.slice_bytes / line_bytes));
    }

    // What lies in one slice: a line, of a chip that is not known.
    [[nodiscard]] std::uint64_t piece_of(std::uint64_t line) const noexcept { return line >> shift_; }

    void add(std::uint64_t line) noexcept {
        std::uint64_t const piece = piece_of(line);
        if (piece == last_ || slices_ == 0) return;
        last_ = piece;
        auto const turn = static_cast<std::uint32_t>((piece / run) * 0x9e37'79b9'7f4a'7c15 >> 48);
        std::uint32_t const number = static_cast<std::uint32_t>(piece % run) + turn;
        auto const quotient =
            static_cast<std::uint32_t>(std::uint64_t{number} * reciprocal_ >> 32); // quicker than to divide
        std::uint32_t const slice = number - quotient * slices_;
        bits_[slice / 64 & 1] |= std::uint64_t{1} << slice % 64;
    }
    [[nodiscard]] unsigned size() const noexcept {
        return static_cast<unsigned>(std::popcount(bits_[0]) + std::popcount(bits_[1]));
    }

private:
    static constexpr std::uint64_t run = 128; // pieces side by side, in one slice after the other

    std::uint32_t slices_ = 0;
    std::uint32_t reciprocal_ = 0; // 2^32 / slices_, rounded up: exact for numbers of 17 bits
    unsigned shift_ = 0;
    std::uint64_t last_ = ~std::uint64_t{0};
    std::array<std::uint64_t, 2> bits_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_SLICE_SET_HPP
