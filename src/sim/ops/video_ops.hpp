// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions: on selected parts of registers, with saturation and a second operation, or on two halves or four
// bytes at once.
#ifndef GPUPROF_SRC_SIM_OPS_VIDEO_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_VIDEO_OPS_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class video_operation : std::uint8_t {
    add,
    subtract,
    absolute_difference,
    minimum,
    maximum,
    average,
    shift_left,
    shift_right,
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least
};
// What is done with the result and c: parts that the mask does not have come from c, or a sum and so on of both.
enum class video_secondary : std::uint8_t { merge, add, minimum, maximum };

// Of an instruction, in `immediate`.
struct video_form {
    static constexpr std::uint8_t signed_a = 1, signed_b = 2, signed_d = 4, saturates = 8, wraps = 16;
    video_operation operation = video_operation::add;
    std::uint8_t flags = 0;
    video_secondary secondary = video_secondary::merge;
    std::uint8_t mask = 0xf; // bytes of d that are written
};
// Of vmad, in `immediate`.
struct video_product {
    static constexpr std::uint8_t signed_a = 1, signed_b = 2, saturates = 4, negates_product = 8, negates_c = 16,
                                  one_more = 32;
    std::uint8_t flags = 0;
    std::uint8_t shift = 0; // of the sum, to the right
};
// In `offset`: the first byte of each part, of which a has 0 to 3 and b 4 to 7.
struct video_parts {
    std::array<std::uint8_t, 4> a{}, b{};
};

namespace ops {

// The part of `both` that begins at byte `first`.
inline std::int64_t video_part(std::uint64_t both, unsigned first, unsigned width, bool is_signed) noexcept {
    std::uint64_t const top = both >> 8 * first << (64 - width);
    return is_signed ? static_cast<std::int64_t>(top) >> (64 - width) : static_cast<std::int64_t>(top >> (64 - width));
}

// `mode`: how many parts there are. Of a single one, a[1] and b[1] are its bytes.
struct video {
    explicit video(decoded const& op) noexcept
        : form{std::bit_cast<video_form>(op.immediate)}, parts{std::bit_cast<video_parts>(op.offset)}, count{op.mode} {}
    video_form form;
    video_parts parts;
    unsigned count;

    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept {
        std::uint64_t const both = a | std::uint64_t{b} << 32;
        bool const is_single = count == 1;
        unsigned const width = is_single ? 8 * static_cast<unsigned>(std::popcount(form.mask)) : 32 / count;
        std::uint32_t merged = 0, sum = c;
        for (unsigned i = 0; i < count; ++i) {
            std::int64_t const x =
                video_part(both, parts.a[i], is_single ? 8u * parts.a[1] : width, has(form.signed_a));
            std::int64_t const y =
                video_part(both, parts.b[i], is_single ? 8u * parts.b[1] : width, has(form.signed_b));
            std::int64_t value = result(x, y);
            if (has(form.saturates)) {
                std::int64_t const most = (std::int64_t{1} << (has(form.signed_d) ? width - 1 : width)) - 1;
                value = (std::clamp)(value, has(form.signed_d) ? -most - 1 : 0, most);
            }
            auto const bits = static_cast<std::uint32_t>(value);
            unsigned const at = is_single ? 8 * static_cast<unsigned>(std::countr_zero(form.mask)) : i * width;
            if ((form.mask >> at / 8 & 1) == 0) continue;
            merged |= (width == 32 ? bits : bits & ((1u << width) - 1)) << at;
            sum += bits;
        }
        auto const smaller = [&](std::uint32_t l, std::uint32_t r) {
            return has(form.signed_d) ? static_cast<std::int32_t>(l) < static_cast<std::int32_t>(r) : l < r;
        };
        switch (form.secondary) {
            case video_secondary::add: return sum;
            case video_secondary::minimum: return smaller(merged, c) ? merged : c;
            case video_secondary::maximum: return smaller(merged, c) ? c : merged;
            case video_secondary::merge: break;
        }
        std::uint32_t written = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
            if (form.mask >> byte & 1) written |= 0xffu << 8 * byte;
        return merged | (c & ~written);
    }

private:
    [[nodiscard]] bool has(unsigned flag) const noexcept { return (form.flags & flag) != 0; }
    [[nodiscard]] std::int64_t result(std::int64_t x, std::int64_t y) const noexcept {
        std::int64_t const places = has(form.wraps) ? y & 31 : (std::clamp<std::int64_t>)(y, 0, 32);
        switch (form.operation) {
            case video_operation::add: return x + y;
            case video_operation::subtract: return x - y;
            case video_operation::absolute_difference: return x < y ? y - x : x - y;
            case video_operation::minimum: return x < y ? x : y;
            case video_operation::maximum: return x < y ? y : x;
            case video_operation::average: return (x + y + (x + y >= 0)) >> 1;
            case video_operation::shift_left: // as far as saturation needs
                if (places == 32 && x > 0x7fff'ffff) return 0x7fff'ffff'0000'0000;
                return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << places);
            case video_operation::shift_right: return x >> places;
            case video_operation::equal: return x == y;
            case video_operation::unequal: return x != y;
            case video_operation::less: return x < y;
            case video_operation::at_most: return x <= y;
            case video_operation::greater: return x > y;
            case video_operation::at_least: return x >= y;
        }
        return 0;
    }
};

// vmad. The sum has a sign if a factor has one or something is negated; 66 bits would hold it, of which the upper ones
// matter to saturation alone.
struct video_multiply {
    explicit video_multiply(decoded const& op) noexcept
        : form{std::bit_cast<video_product>(static_cast<std::uint16_t>(op.immediate))},
          parts{std::bit_cast<video_parts>(op.offset)} {}
    video_product form;
    video_parts parts;

    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept {
        std::uint64_t const both = a | std::uint64_t{b} << 32;
        std::int64_t const x = video_part(both, parts.a[0], 8u * parts.a[1], has(form.signed_a));
        std::int64_t const y = video_part(both, parts.b[0], 8u * parts.b[1], has(form.signed_b));
        bool const is_signed = has(form.signed_a | form.signed_b | form.negates_product | form.negates_c);
        wide sum = wide_product(x, y);
        if (has(form.negates_product)) sum = negative(sum);
        wide third = wide_of(is_signed ? static_cast<std::int32_t>(c) : std::int64_t{c});
        if (has(form.negates_c)) third = negative(third);
        sum = plus(sum, third);
        if (has(form.one_more)) sum = plus(sum, wide_of(1));
        if (form.shift != 0) {
            sum.low = sum.low >> form.shift | static_cast<std::uint64_t>(sum.high) << (64 - form.shift);
            sum.high >>= form.shift;
        }
        if (!has(form.saturates)) return static_cast<std::uint32_t>(sum.low);
        std::int64_t const least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
        bool const fits = sum.high == (sum.low >> 63 != 0 ? -1 : 0); // into 64 bits
        std::int64_t const value = fits ? static_cast<std::int64_t>(sum.low) : sum.high < 0 ? least : most;
        return static_cast<std::uint32_t>((std::clamp)(value, least, most));
    }

private:
    struct wide { // 128 bits
        std::int64_t high;
        std::uint64_t low;
    };
    [[nodiscard]] bool has(unsigned flag) const noexcept { return (form.flags & flag) != 0; }
    static wide wide_of(std::int64_t x) noexcept { return {x < 0 ? -1 : 0, static_cast<std::uint64_t>(x)}; }
    static wide plus(wide x, wide y) noexcept {
        std::uint64_t const low = x.low + y.low;
        return {x.high + y.high + (low < x.low ? 1 : 0), low};
    }
    static wide negative(wide x) noexcept { return plus({~x.high, ~x.low}, wide_of(1)); }
    // Factors have 33 bits with their sign, and a product 64 without.
    static wide wide_product(std::int64_t x, std::int64_t y) noexcept {
        auto const size = [](std::int64_t v) { return static_cast<std::uint64_t>(v < 0 ? -v : v); };
        wide const positive{0, size(x) * size(y)};
        return (x < 0) != (y < 0) ? negative(positive) : positive;
    }
};

} // namespace ops
} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_VIDEO_OPS_HPP
