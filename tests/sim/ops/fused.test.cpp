// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// src/sim/ops/fused.hpp: a * b + c is rounded once, in each mode, by integers as by a C library that does.
#include "sim/ops/fused.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace fused_test {

namespace sim = gpuprof::sim;

namespace {

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

template <class T>
std::uint64_t bits_of(T value) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    else return std::bit_cast<std::uint64_t>(value);
}

template <class T>
T in_mode(int mode, T a, T b, T c) {
    std::fesetround(mode);
    T const value = sim::multiply_and_add_by_integers(a, b, c);
    std::fesetround(FE_TONEAREST);
    return value;
}

} // namespace

TEST_CASE("a product and a sum are rounded once, in the mode that is asked for") {
    double const ulp = 0x1p-52;
    // (1 + u)(1 - u) - 1 is -u^2: two roundings make it 0.
    for (int const mode : modes) CHECK(in_mode(mode, 1 + ulp, 1 - ulp, -1.0) == -0x1p-104);
    // (1 + u)^2 is 1 + 2u + u^2, between 1 + 2u and 1 + 3u.
    CHECK(in_mode(FE_TONEAREST, 1 + ulp, 1 + ulp, 0x1p-200) == 1 + 2 * ulp);
    CHECK(in_mode(FE_UPWARD, 1 + ulp, 1 + ulp, 0x1p-200) == 1 + 3 * ulp);
    CHECK(in_mode(FE_TOWARDZERO, -1 - ulp, 1 + ulp, -0x1p-200) == -1 - 2 * ulp);
    CHECK(in_mode(FE_DOWNWARD, -1 - ulp, 1 + ulp, -0x1p-200) == -1 - 3 * ulp);
    // 3 * (1 + u) = 3 + 3u lies half way between 3 + 2u and 3 + 4u, whose last digit is even; a little less decides.
    CHECK(in_mode(FE_TONEAREST, 3.0, 1 + ulp, 0x1p-1000) == 3 + 4 * ulp);
    CHECK(in_mode(FE_TONEAREST, 3.0, 1 + ulp, -0x1p-1000) == 3 + 2 * ulp);
    // The smallest number there is, and half of it.
    double const smallest = 0x1p-1074;
    CHECK(in_mode(FE_TONEAREST, smallest, 0.5, smallest) == 2 * smallest); // 1.5 of them, to even
    CHECK(in_mode(FE_TOWARDZERO, smallest, 0.5, smallest) == smallest);
    CHECK(in_mode(FE_UPWARD, 0x1p-600, 0x1p-600, smallest) == 2 * smallest);
    // More than there is.
    double const most = std::numeric_limits<double>::max();
    CHECK(in_mode(FE_TONEAREST, most, 2.0, 1.0) == std::numeric_limits<double>::infinity());
    CHECK(in_mode(FE_TOWARDZERO, most, 2.0, 1.0) == most);
    CHECK(in_mode(FE_UPWARD, -most, 2.0, 1.0) == -most);
    CHECK(in_mode(FE_TONEAREST, most, 2.0, -most) == most); // the product alone is too great
    // Nothing left: its sign is the mode's.
    CHECK(bits_of(in_mode(FE_TONEAREST, 3.0, 5.0, -15.0)) == bits_of(0.0));
    CHECK(bits_of(in_mode(FE_DOWNWARD, 3.0, 5.0, -15.0)) == bits_of(-0.0));
    CHECK(in_mode(FE_TONEAREST, 1 + 0x1p-23f, 1 - 0x1p-23f, -1.0f) == -0x1p-46f);
}

TEST_CASE("infinities and what is no number go on") {
    double const infinity = std::numeric_limits<double>::infinity();
    double const most = std::numeric_limits<double>::max();
    CHECK(in_mode(FE_TONEAREST, infinity, 2.0, 1.0) == infinity);
    CHECK(in_mode(FE_TONEAREST, most, most, -infinity) == -infinity); // the product is too great, and finite
    CHECK(std::isnan(in_mode(FE_TONEAREST, infinity, 0.0, 1.0)));
    CHECK(std::isnan(in_mode(FE_TONEAREST, infinity, 1.0, -infinity)));
    CHECK(std::isnan(in_mode(FE_TONEAREST, 1.0, 1.0, std::numeric_limits<double>::quiet_NaN())));
}

#if GPUPROF_FMA_ROUNDS_ONCE
template <class T>
static void compare(std::mt19937_64& random, unsigned exponents) {
    // Exponents close together, so that digits of product and sum meet; all of them in every fourth round.
    constexpr unsigned digits = std::numeric_limits<T>::digits - 1, width = sizeof(T) * 8 - 1 - digits;
    auto const any = [&] {
        using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        word const fraction =
            static_cast<word>(random() >> (64 - digits)) & (random() % 3 ? ~word{0} : ~word{0} << (digits / 2));
        word const middle = (word{1} << (width - 1)) - 1;
        word const exponent = random() % 4 ? middle + static_cast<word>(random() % exponents)
                                           : static_cast<word>(random() >> (64 - width));
        return std::bit_cast<T>(
            static_cast<word>((random() & 1) << (sizeof(T) * 8 - 1) | exponent << digits | fraction));
    };
    for (int i = 0; i < 200'000; ++i) {
        T const a = any(), b = any(), c = i % 8 ? any() : -a * b;
        int const mode = modes[i % 4];
        std::fesetround(mode);
        T const volatile x = a, y = b, z = c; // not computed by the compiler
        T const expected = std::fma(x, y, z);
        std::fesetround(FE_TONEAREST);
        T const found = in_mode(mode, a, b, c);
        bool const same = bits_of(found) == bits_of(expected) || (std::isnan(found) && std::isnan(expected));
        REQUIRE_MESSAGE(same, bits_of(a) << ' ' << bits_of(b) << ' ' << bits_of(c) << " mode " << mode);
    }
}

TEST_CASE("by integers it is what the C library of this machine says, bit by bit") {
    std::mt19937_64 random{1};
    compare<double>(random, 60);
    compare<float>(random, 30);
}
#endif

} // namespace fused_test
