// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a tensor core adds products of floating-point numbers: they are aligned, cut and added exactly.
#ifndef GPUPROF_SRC_SIM_OPS_TENSOR_SUM_HPP
#define GPUPROF_SRC_SIM_OPS_TENSOR_SUM_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The largest exponent of all products and of the number they are added to decides: behind its `fraction` bits every
// addend is cut. The exponent of a product is the sum of its factors', and that of a number below the smallest normal
// one is the smallest normal one's. The sum of what is left is exact; a float of it is cut again, a half is rounded
// to the nearest. So found by arXiv:2511.10909 on a GPU of capability 9.0, and by tests/hardware/tensor_sums.cu.
struct tensor_core {
    int fraction;        // 25, and 13 where wgmma multiplies 8-bit numbers
    int smallest_factor; // exponent of the smallest normal number of a and b
    int smallest_sum;    // and of c
    int sum_bits;        // of the fraction of a sum; 52 are all

    [[nodiscard]] constexpr bool rounds_to_half() const noexcept { return sum_bits == 52; }

    // @param by_warp  mma.sync, which multiplies 8-bit numbers as halves
    [[nodiscard]] static constexpr tensor_core of(ptx::type factor, ptx::type sum, bool by_warp) noexcept {
        using ptx::type;
        bool const bytes = ptx::size_of(factor) == 1 && !by_warp;
        bool const wide = factor == type::bf16 || factor == type::tf32;
        bool const to_half = sum == type::f16;
        return {bytes ? 13 : 25,
                wide                            ? -126
                : bytes && factor == type::e4m3 ? -6
                                                : -14,
                to_half ? -14 : -126,
                to_half ? 52
                : bytes ? 13
                        : 23};
    }
};

namespace detail {

constexpr int no_exponent = -4000;          // of 0: no product of it decides
constexpr int exponent_of_infinity = 12000; // and of NaN: no product of it goes unnoticed

// @param x  a number of at most 32 bits
[[nodiscard]] inline std::int16_t tensor_exponent(double x, int smallest) noexcept {
    auto const field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
    return static_cast<std::int16_t>(field == 0       ? no_exponent
                                     : field == 0x7ff ? exponent_of_infinity
                                                      : (std::max)(field - 1023, smallest));
}

[[nodiscard]] inline double power_of_two(int exponent) noexcept {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// Towards 0; below the smallest normal float there are as many bits less.
[[nodiscard]] inline double cut(double sum, int bits) noexcept {
    double const magnitude = sum < 0 ? -sum : sum;
    if (magnitude >= 0x1p-126 || bits == 52) [[likely]]
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) & ~std::uint64_t{0} << (52 - bits));
    double const unit = power_of_two(-126 - bits);
    return static_cast<double>(static_cast<std::int64_t>(sum / unit)) * unit;
}

// Sums c of a row of a and of columns of b, whose numbers along k are `Stride` apart. Exponents are tensor_exponent's.
template <unsigned Columns, std::size_t Stride>
inline void add_products(double const* a, std::int16_t const* a_exponents, double const* b,
                         std::int16_t const* b_exponents, unsigned k, double* c, tensor_core const& how) noexcept {
    std::int16_t top[Columns];
    for (unsigned column = 0; column < Columns; ++column)
        top[column] = (std::max)(tensor_exponent(c[column], how.smallest_sum), std::int16_t{-126});
    for (unsigned i = 0; i < k; ++i)
        for (unsigned column = 0; column < Columns; ++column) {
            auto const exponent = static_cast<std::int16_t>(a_exponents[i] + b_exponents[i * Stride + column]);
            top[column] = exponent > top[column] ? exponent : top[column];
        }

    if (*std::max_element(top, top + Columns) > 1000) [[unlikely]] { // infinity or NaN
        if constexpr (Columns == 1)
            for (unsigned i = 0; i < k; ++i) *c += a[i] * b[i * Stride];
        else
            for (unsigned column = 0; column < Columns; ++column)
                add_products<1, Stride>(a, a_exponents, b + column, b_exponents + column, k, c + column, how);
        return;
    }

    double scale[Columns], sums[Columns];
    for (unsigned column = 0; column < Columns; ++column) {
        scale[column] = power_of_two(how.fraction - top[column]);
        sums[column] = static_cast<std::int32_t>(c[column] * scale[column]);
    }
    for (unsigned i = 0; i < k; ++i)
        for (unsigned column = 0; column < Columns; ++column) // below 4 * 2^25: each factor's fraction is below 2
            sums[column] += static_cast<std::int32_t>(a[i] * b[i * Stride + column] * scale[column]);
    for (unsigned column = 0; column < Columns; ++column)
        c[column] = cut(sums[column] * power_of_two(top[column] - how.fraction), how.sum_bits);
}

} // namespace detail

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_TENSOR_SUM_HPP
