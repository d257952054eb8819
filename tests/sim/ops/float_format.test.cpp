// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Narrow floating formats: every value, every rounding.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "sim/ops/float_format.hpp"
#include "sim/ops/rounding.hpp"

namespace float_format_test {

using namespace gpuprof::sim;

TEST_CASE("every half, bfloat16, e4m3 and e5m2 survives the way to double and back") {
    for (auto const& [format, count] :
         {std::pair{f16_format, 0x10000u}, {bf16_format, 0x10000u}, {e4m3_format, 0x100u}, {e5m2_format, 0x100u}})
        for (std::uint32_t bits = 0; bits < count; ++bits) {
            double const x = widen(bits, format);
            if (x != x) REQUIRE(narrow(x, format) == format.canonical_nan);
            else REQUIRE(narrow(x, format) == bits);
        }
}

TEST_CASE("known values of the formats") {
    CHECK(widen(0x3c00, f16_format) == 1.0);
    CHECK(widen(0x7bff, f16_format) == 65504.0);
    CHECK(widen(0x0001, f16_format) == std::ldexp(1.0, -24));
    CHECK(widen(0x3f80, bf16_format) == 1.0);
    CHECK(widen(0x7e, e4m3_format) == 448.0);
    CHECK(widen(0x7b, e5m2_format) == 57344.0);
    CHECK(std::isinf(widen(0xfc00, f16_format)));
    CHECK(narrow(65519.0, f16_format) == 0x7bff);
    CHECK(narrow(65520.0, f16_format) == 0x7c00); // halfway to the next power rounds up to infinity
    CHECK(narrow(1e9, f16_format, rounding::zero) == 0x7bff);
    CHECK(narrow(-1e9, f16_format, rounding::up) == 0xfbff);
    CHECK(narrow(std::ldexp(1.0, -25), f16_format) == 0);
    CHECK(narrow(std::ldexp(1.0, -25), f16_format, rounding::up) == 1);
    CHECK(narrow(std::ldexp(1.0, -1000), f16_format, rounding::up) == 1);
    CHECK(narrow(std::ldexp(3.0, -26), f16_format) == 1);
}

TEST_CASE("narrowing to f32 is what the host does in each mode") {
    std::mt19937_64 g{1};
    constexpr std::pair<rounding, int> modes[] = {{rounding::nearest, FE_TONEAREST},
                                                  {rounding::zero, FE_TOWARDZERO},
                                                  {rounding::down, FE_DOWNWARD},
                                                  {rounding::up, FE_UPWARD}};
    for (int i = 0; i < 20000; ++i) {
        double volatile const x =
            std::ldexp(static_cast<double>(static_cast<std::int64_t>(g())), static_cast<int>(g() % 320) - 240);
        for (auto const& [mode, host] : modes) {
            std::fesetround(host);
            float volatile const wanted = static_cast<float>(x);
            std::fesetround(FE_TONEAREST);
            REQUIRE(narrow(x, f32_format, mode) == std::bit_cast<std::uint32_t>(static_cast<float>(wanted)));
        }
    }
}

TEST_CASE("rounding to odd loses no information a narrower rounding needs") {
    // 1 + 2^-24 is halfway between two floats; a tiny part beyond decides, though a double cannot hold it.
    double const halfway = 1.0 + std::ldexp(1.0, -24);
    double const tiny = std::ldexp(1.0, -100);
    CHECK(narrow(add_odd(halfway, tiny), f32_format) == 0x3f800001);
    CHECK(narrow(add_odd(halfway, -tiny), f32_format) == 0x3f800000);
    CHECK(narrow(add_odd(halfway, 0.0), f32_format) == 0x3f800000);
    CHECK(narrow(add_odd(1.0, tiny), f32_format, rounding::up) == 0x3f800001);
    CHECK(narrow(add_odd(1.0, -tiny), f32_format, rounding::zero) == 0x3f7fffff);
    CHECK(std::signbit(add_odd(1.0, -1.0, rounding::down)));
    CHECK_FALSE(std::signbit(add_odd(0.0, 0.0, rounding::down)));
}

} // namespace float_format_test
