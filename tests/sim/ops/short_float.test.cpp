// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast ways between 16-bit numbers and wider ones: every value and every boundary between two of them.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "sim/ops/short_float.hpp"

namespace short_float_test {

using namespace gpuprof::sim;

namespace {

template <class T>
std::uint32_t rounded(double x) {
    return ops::rounded_short<T>(static_cast<decltype(ops::widened(T{}))>(x)).bits;
}

template <class T>
void check_every_boundary() {
    auto const infinity = static_cast<std::uint16_t>(T::format.infinity());
    using wide = decltype(ops::widened(T{}));
    for (std::uint16_t below = 0; below < infinity; ++below) {
        auto const above = static_cast<std::uint16_t>(below + 1);
        // Infinity stands where the next number would be.
        wide const low = ops::widened(T{below});
        wide const high = above == infinity ? 2 * low - ops::widened(T{static_cast<std::uint16_t>(below - 1)})
                                            : ops::widened(T{above});
        wide const middle = (low + high) / 2;
        REQUIRE(rounded<T>(low) == below);
        REQUIRE(rounded<T>(std::nextafter(low, high)) == below);
        REQUIRE(rounded<T>(std::nextafter(middle, low)) == below);
        REQUIRE(rounded<T>(middle) == (below % 2 == 0 ? below : above));
        REQUIRE(rounded<T>(std::nextafter(middle, high)) == above);
        REQUIRE(rounded<T>(-middle) == (0x8000u | rounded<T>(middle)));
        REQUIRE(rounded<T>(-low) == (0x8000u | below));
    }
}

} // namespace

TEST_CASE("the fast widening is that of the format, for every half and bfloat16") {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        half const h{static_cast<std::uint16_t>(bits)};
        bfloat const b{static_cast<std::uint16_t>(bits)};
        double const of_half = widen(bits, f16_format), of_bfloat = widen(bits, bf16_format);
        if (of_half != of_half) REQUIRE(std::isnan(ops::widened(h)));
        else REQUIRE(std::bit_cast<std::uint64_t>(double{ops::widened(h)}) == std::bit_cast<std::uint64_t>(of_half));
        if (of_bfloat != of_bfloat) REQUIRE(std::isnan(ops::widened(b)));
        else REQUIRE(std::bit_cast<std::uint64_t>(ops::widened(b)) == std::bit_cast<std::uint64_t>(of_bfloat));
    }
}

TEST_CASE("the fast rounding goes to the nearest half, ties to even, at every boundary") {
    check_every_boundary<half>();
}

TEST_CASE("the fast rounding goes to the nearest bfloat16, ties to even, at every boundary") {
    check_every_boundary<bfloat>();
}

TEST_CASE("the fast rounding of what is no 16-bit number") {
    double const infinity = std::numeric_limits<double>::infinity();
    CHECK(rounded<half>(infinity) == 0x7c00);
    CHECK(rounded<half>(-infinity) == 0xfc00);
    CHECK(rounded<half>(1e30) == 0x7c00);
    CHECK(rounded<half>(-std::ldexp(1.0, -140)) == 0x8000);
    CHECK(rounded<half>(-std::nan("")) == 0x7fff);
    CHECK(rounded<bfloat>(infinity) == 0x7f80);
    CHECK(rounded<bfloat>(-1e300) == 0xff80);
    CHECK(rounded<bfloat>(std::ldexp(1.0, -1040)) == 0);
    CHECK(rounded<bfloat>(std::nan("")) == 0x7fff);
}

} // namespace short_float_test
