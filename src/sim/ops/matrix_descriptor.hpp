// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor of a wgmma operand in shared memory: where each 16 bytes of the matrix lie.
#ifndef GPUPROF_SRC_SIM_OPS_MATRIX_DESCRIPTOR_HPP
#define GPUPROF_SRC_SIM_OPS_MATRIX_DESCRIPTOR_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout". A piece is 16 bytes. A line is
// a row of a or a column of b; along k, an operand has two pieces a line, and b of a sparse product four.
class matrix_descriptor {
public:
    static constexpr unsigned piece = 16; // bytes

    constexpr explicit matrix_descriptor(std::uint64_t bits) noexcept
        : start_{field(bits, 0)},
          leading_{field(bits, 16)},
          stride_{field(bits, 32)},
          base_{static_cast<std::uint32_t>(bits >> 49 & 7)},
          swizzle_{static_cast<unsigned>(-(bits >> 62)) & 3} {} // 1, 2, 3 are 128, 64 and 32 bytes

    // Of a matrix whose elements along k are neighbours: piece `which` of a line.
    [[nodiscard]] constexpr std::uint32_t along_k(std::uint32_t line, std::uint32_t which) const noexcept {
        std::uint32_t const in_row = pitch() / piece;
        return place(line % 8 * pitch() + line / 8 * stride_ + which / in_row * leading_ + which % in_row * piece);
    }
    // Of one whose lines are neighbours, of 2 bytes an element: piece `which` has lines 8 * which and on.
    [[nodiscard]] constexpr std::uint32_t across_k(std::uint32_t k, std::uint32_t which) const noexcept {
        if (swizzle_ == 0) return place(which * stride_ + k % 8 * piece + k / 8 * leading_);
        std::uint32_t const in_row = pitch() / piece;
        return place(which % in_row * piece + which / in_row * leading_ + k % 8 * pitch() + k / 8 * stride_);
    }

private:
    [[nodiscard]] static constexpr std::uint32_t field(std::uint64_t bits, unsigned at) noexcept {
        return static_cast<std::uint32_t>(bits >> at & 0x3fff) * piece;
    }
    [[nodiscard]] constexpr std::uint32_t pitch() const noexcept { return piece << swizzle_; }
    // The swizzle goes by the address, counted from where its pattern begins: `base_` rows of 128 bytes on.
    [[nodiscard]] constexpr std::uint32_t place(std::uint32_t offset) const noexcept {
        std::uint32_t const address = start_ + offset;
        std::uint32_t const row = ((address >> 7) - base_) & ((std::uint32_t{1} << swizzle_) - 1);
        return address ^ row * piece;
    }

    std::uint32_t start_, leading_, stride_; // bytes
    std::uint32_t base_;
    unsigned swizzle_; // 0, or 16 << swizzle_ bytes
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_MATRIX_DESCRIPTOR_HPP
