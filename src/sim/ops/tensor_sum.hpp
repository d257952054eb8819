// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a tensor core adds products of floating-point numbers: they are aligned, cut and added exactly.
#ifndef GPUPROF_SRC_SIM_OPS_TENSOR_SUM_HPP
#define GPUPROF_SRC_SIM_OPS_TENSOR_SUM_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <gpuprof/detail/builtin.hpp>

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

// @param x  a factor, or a number it is added to: a float holds either
[[nodiscard]] inline std::int16_t tensor_exponent(float x, int smallest) noexcept {
    std::uint32_t const magnitude = std::bit_cast<std::uint32_t>(x) & 0x7fff'ffff;
    int const exponent = (std::max)(static_cast<int>(magnitude >> 23) - 127, smallest);
    return static_cast<std::int16_t>(magnitude == 0             ? no_exponent
                                     : magnitude >= 0x7f80'0000 ? exponent_of_infinity
                                                                : exponent);
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

// Numbers of neighbouring columns, of which a processor computes several at once. Of a loop over columns g++ makes one
// over k here, with all numbers gathered one by one.
using exponents_8 GPUPROF_VECTOR_OF(16) = std::int16_t;
using integers_4 GPUPROF_VECTOR_OF(16) = std::int32_t;
using floats_4 GPUPROF_VECTOR_OF(16) = float;
using doubles_4 GPUPROF_VECTOR_OF(32) = double;

template <class Vector>
[[nodiscard]] inline Vector neighbours(void const* first) noexcept {
    Vector v;
    std::memcpy(&v, first, sizeof v);
    return v;
}

// Sums of products of four columns, each product times its column's scale and cut to an integer.
// @tparam Products  of which a number holds each product exactly
template <class Products, std::size_t Stride>
inline void add_cut_products(float const* a, float const* b, unsigned k, double const* scale, double* sums) noexcept {
    doubles_4 exact_scales;
    std::memcpy(&exact_scales, scale, sizeof exact_scales);
    Products const scales = GPUPROF_CONVERT_VECTOR(exact_scales, Products);
    constexpr unsigned at_once = 16; // each is below 4 * 2^25, since each factor's fraction is below 2
    for (unsigned first = 0; first < k; first += at_once) {
        integers_4 cut_products{};
        for (unsigned i = first; i < (std::min)(k, first + at_once); ++i) {
            auto const numbers = GPUPROF_CONVERT_VECTOR(neighbours<floats_4>(b + i * Stride), Products);
            cut_products += GPUPROF_CONVERT_VECTOR(a[i] * numbers * scales, integers_4);
        }
        for (unsigned column = 0; column < 4; ++column) sums[column] += cut_products[column];
    }
}

// Sums c of a row of a and of eight columns of b, whose numbers along k are `Stride` apart. Exponents are
// tensor_exponent's.
template <std::size_t Stride>
inline void add_products(float const* a, std::int16_t const* a_exponents, float const* b,
                         std::int16_t const* b_exponents, unsigned k, double* c, tensor_core const& how) noexcept {
    constexpr unsigned columns = 8;
    exponents_8 top;
    for (unsigned column = 0; column < columns; ++column)
        top[column] = (std::max)(tensor_exponent(static_cast<float>(c[column]), how.smallest_sum), std::int16_t{-126});
    for (unsigned i = 0; i < k; ++i) {
        exponents_8 const exponents = neighbours<exponents_8>(b_exponents + i * Stride) + a_exponents[i];
        top = exponents > top ? exponents : top;
    }

    double scale[columns], sums[columns];
    bool const wide = how.smallest_factor == -126; // a float's exponents: products are beyond them
    for (unsigned column = 0; column < columns; ++column) {
        bool const finite = top[column] < 1000;
        double const power = power_of_two(how.fraction - (finite ? top[column] : 0));
        sums[column] = finite ? static_cast<std::int32_t>(c[column] * power) : 0;
        scale[column] = wide ? power : (std::min)(power, 0x1p100); // more: all products are 0
    }
    for (unsigned left = 0; left < columns; left += 4)
        (wide ? add_cut_products<doubles_4, Stride> : add_cut_products<floats_4, Stride>)(a, b + left, k, scale + left,
                                                                                          sums + left);
    for (unsigned column = 0; column < columns; ++column)
        if (top[column] < 1000) [[likely]] {
            c[column] = cut(sums[column] * power_of_two(top[column] - how.fraction), how.sum_bits);
        } else { // infinity or NaN
            for (unsigned i = 0; i < k; ++i) c[column] += double{a[i]} * b[i * Stride + column];
        }
}

} // namespace detail

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_TENSOR_SUM_HPP
