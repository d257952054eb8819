// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of whole warps, against the host's arithmetic.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include <doctest/doctest.h>

#include "sim/ops/convert_ops.hpp"

namespace convert_ops_test {

using namespace gpuprof::sim;

namespace {

// Floats of all magnitudes, and those near whole numbers.
template <class Check>
void for_floats(Check const& check) {
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 9973)
        check(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    for (float const whole : {0.f, 1.f, 2.f, 3.f, 255.f, 65536.f, 0x1p22f, 0x1p23f, 0x1p24f, 0x1p31f, 0x1p32f})
        for (float const sign : {1.f, -1.f})
            for (float const beside : {-1.f, -0.5f, -0.25f, 0.f, 0.25f, 0.5f, 1.f}) check(sign * (whole + beside));
    check(std::numeric_limits<float>::infinity());
    check(-std::numeric_limits<float>::infinity());
}

template <class T>
bool is_same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

// Through registers, as an instruction does it.
template <class From, class To>
std::array<To, warp_size> run(lane_function function, std::array<From, warp_size> const& values, ptx::type from,
                              ptx::type to) {
    alignas(64) std::array<std::byte, 512> frame{};
    std::memcpy(frame.data(), values.data(), sizeof values);
    decoded op;
    op.source_type = from;
    op.type = to;
    op.d.code = 256;
    function(registers{frame.data(), nullptr}, op, all_lanes);
    std::array<To, warp_size> results;
    std::memcpy(results.data(), frame.data() + 256, sizeof results);
    return results;
}

// A number of Part in a register of From, to a number of Target in a register of To.
template <class Part, class From, class Target, class To>
unsigned wrong_conversions(ptx::type from, ptx::type to) {
    std::mt19937_64 random{11};
    std::array<From, warp_size> values;
    for (From& value : values) value = static_cast<From>(random());
    auto const results =
        run<From, To>(integer_conversion(sizeof(From), std::is_signed_v<Part>, sizeof(To), std::is_signed_v<Target>),
                      values, from, to);
    unsigned wrong = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        wrong += results[lane] != static_cast<To>(static_cast<Target>(static_cast<Part>(values[lane]))) ? 1 : 0;
    return wrong;
}

} // namespace

TEST_CASE("floats become whole numbers as the host's functions make them") {
    unsigned compared = 0, wrong = 0;
    for_floats([&](float x) {
        ++compared;
        wrong += !is_same(ops::round_to_whole<rounding::nearest>{}(x), std::nearbyint(x));
        wrong += !is_same(ops::round_to_whole<rounding::down>{}(x), std::floor(x));
        wrong += !is_same(ops::round_to_whole<rounding::up>{}(x), std::ceil(x));
        wrong += !is_same(ops::round_to_whole<rounding::zero>{}(x), std::trunc(x));
        double const beyond = double{x} * 0x1p30;
        wrong += !is_same(ops::round_to_whole<rounding::down>{}(beyond), std::floor(beyond));
        wrong += !is_same(ops::round_to_whole<rounding::zero>{}(beyond), std::trunc(beyond));
    });
    CHECK(compared > 400'000);
    CHECK(wrong == 0);
}

TEST_CASE("floats become integers of 32 bits, to nearest and within their range") {
    unsigned wrong = 0;
    for_floats([&](float x) {
        double const whole = x != x ? 0 : std::nearbyint(double{x});
        wrong += ops::round_to_nearest<std::int32_t>{}(x) !=
                 static_cast<std::int32_t>(std::fmin(std::fmax(whole, -0x1p31), 0x1p31 - 1));
        wrong += ops::round_to_nearest<std::uint32_t>{}(x) !=
                 static_cast<std::uint32_t>(std::fmin(std::fmax(whole, 0), 0x1p32 - 1));
    });
    CHECK(wrong == 0);
}

TEST_CASE("a double rounded to f32 in a direction is the nearest float on that side") {
    std::mt19937_64 random{5};
    unsigned compared = 0, wrong = 0;
    for (unsigned round = 0; round < 200'000; ++round) {
        double const x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                    static_cast<int>(random() % 320) - 220);
        float const down = ops::rounded_single(x, rounding::down), up = ops::rounded_single(x, rounding::up);
        ++compared;
        wrong += !(double{down} <= x && x <= double{up});
        wrong += down == up ? double{down} != x : std::nextafter(down, std::numeric_limits<float>::infinity()) != up;
        wrong += !is_same(ops::rounded_single(x, rounding::zero), x < 0 ? up : down);
    }
    CHECK(compared == 200'000);
    CHECK(wrong == 0);
}

TEST_CASE("floats become bf16 to the nearest, to even between two") {
    unsigned wrong = 0;
    for_floats([&](float x) {
        std::uint16_t const bits = ops::round_to_bfloat{}(x).bits;
        auto const value = [](std::uint32_t half) { return double{std::bit_cast<float>(half << 16)}; };
        if (x != x) return static_cast<void>(wrong += bits != 0x7fff);
        if (std::isinf(x) || (bits & 0x7fff) == 0x7f80) return static_cast<void>(wrong += std::fabs(x) < 0x1.ffp127f);
        double const off = std::fabs(value(bits) - double{x}), step = std::fabs(value(bits + 1u) - value(bits));
        double const less = (bits & 0x7fff) == 0 ? step : std::fabs(value(bits) - value(bits - 1u));
        bool const is_above = std::fabs(value(bits)) > std::fabs(double{x});
        double const half = (is_above ? less : step) / 2;
        bool const is_last = std::isinf(step);
        wrong += !is_last && (off > half || (off == half && off != 0 && (bits & 1) != 0));
    });
    CHECK(wrong == 0);
}

TEST_CASE("integers are extended from the bits of their type and cut to those of the target") {
    using ptx::type;
    CHECK((wrong_conversions<std::int8_t, std::uint16_t, std::int16_t, std::uint16_t>(type::s8, type::s16)) == 0);
    CHECK((wrong_conversions<std::uint8_t, std::uint32_t, std::uint16_t, std::uint16_t>(type::u8, type::u16)) == 0);
    CHECK((wrong_conversions<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>(type::s16, type::s32)) == 0);
    CHECK((wrong_conversions<std::int8_t, std::uint32_t, std::int64_t, std::uint64_t>(type::s8, type::s64)) == 0);
    CHECK((wrong_conversions<std::uint32_t, std::uint32_t, std::int8_t, std::uint32_t>(type::u32, type::s8)) == 0);
    CHECK((wrong_conversions<std::int64_t, std::uint64_t, std::uint8_t, std::uint16_t>(type::s64, type::u8)) == 0);
    bool const is_there = integer_conversion(1, false, 2, false) != nullptr;
    CHECK(!is_there);
}

} // namespace convert_ops_test
