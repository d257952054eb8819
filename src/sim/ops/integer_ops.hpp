// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic of one lane.
#ifndef GPUPROF_SRC_SIM_OPS_INTEGER_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_INTEGER_OPS_HPP

#include <cstdint>
#include <limits>
#include <type_traits>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ops {

template <class T>
using wide_of = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                                   std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class T>
[[nodiscard]] constexpr std::make_unsigned_t<T> bits_of(T value) noexcept {
    return static_cast<std::make_unsigned_t<T>>(value);
}

// Arithmetic wraps: it is done in 64 bits without a sign, and cut off.
template <class T>
[[nodiscard]] constexpr std::uint64_t raw(T value) noexcept {
    return static_cast<std::uint64_t>(value);
}

template <class T>
[[nodiscard]] constexpr bool is_negative(T value) noexcept {
    if constexpr (std::is_signed_v<T>) return value < 0;
    else return false;
}

struct add {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(raw(a) + raw(b));
    }
};
struct subtract {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(raw(a) - raw(b));
    }
};
struct add_saturating {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const noexcept { return clamp(std::int64_t{a} + b); }
    static std::int32_t clamp(std::int64_t v) noexcept {
        constexpr std::int64_t low = (std::numeric_limits<std::int32_t>::min)();
        constexpr std::int64_t high = (std::numeric_limits<std::int32_t>::max)();
        return static_cast<std::int32_t>(v < low ? low : v > high ? high : v);
    }
};
struct subtract_saturating {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const noexcept {
        return add_saturating::clamp(std::int64_t{a} - b);
    }
};

struct multiply_low {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(raw(a) * raw(b));
    }
};
struct multiply_wide {
    template <class T>
    wide_of<T> operator()(T a, T b) const noexcept {
        return static_cast<wide_of<T>>(static_cast<wide_of<T>>(a) * static_cast<wide_of<T>>(b));
    }
};
struct multiply_high {
    template <class T>
    T operator()(T a, T b) const noexcept {
        if constexpr (sizeof(T) < 8) {
            return static_cast<T>(multiply_wide{}(a, b) >> (sizeof(T) * 8));
        } else { // four partial products; a negative factor counted 2^64 too much of the other
            std::uint64_t const a_low = raw(a) & 0xffff'ffff;
            std::uint64_t const a_high = raw(a) >> 32;
            std::uint64_t const b_low = raw(b) & 0xffff'ffff;
            std::uint64_t const b_high = raw(b) >> 32;
            std::uint64_t const cross = a_high * b_low + (a_low * b_low >> 32);
            std::uint64_t const middle = (cross & 0xffff'ffff) + a_low * b_high;
            std::uint64_t high = a_high * b_high + (cross >> 32) + (middle >> 32);
            if constexpr (std::is_signed_v<T>) {
                if (a < 0) high -= raw(b);
                if (b < 0) high -= raw(a);
            }
            return static_cast<T>(high);
        }
    }
};
// The 48-bit product of two 24-bit factors; `mode` 1 asks for its upper 32 bits.
struct multiply_24 {
    explicit multiply_24(decoded const& op) noexcept : shift{op.mode ? 16u : 0u} {}
    unsigned shift;
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>((extend(a) * extend(b)) >> shift);
    }
    static std::int64_t extend(std::int32_t v) noexcept { return static_cast<std::int32_t>(raw(v) << 8) >> 8; }
    static std::uint64_t extend(std::uint32_t v) noexcept { return v & 0xff'ffff; }
};

// A product of one kind, added to.
template <class Product, class Sum = add>
struct multiply_add {
    Product product;
    explicit multiply_add(decoded const& op) noexcept : product{make(op)} {}
    template <class T, class C>
    C operator()(T a, T b, C c) const noexcept {
        return Sum{}(static_cast<C>(product(a, b)), c);
    }
    static Product make(decoded const& op) noexcept {
        if constexpr (std::is_constructible_v<Product, decoded const&>) return Product{op};
        else return Product{};
    }
};

// Division by zero gives all ones, its remainder the dividend, as the hardware's code sequence
// does.
struct divide {
    template <class T>
    T operator()(T a, T b) const noexcept {
        if (b == 0) return static_cast<T>(~T{0});
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return subtract{}(T{0}, a);
        return static_cast<T>(a / b);
    }
};
struct remainder {
    template <class T>
    T operator()(T a, T b) const noexcept {
        if (b == 0) return a;
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return 0;
        return static_cast<T>(a % b);
    }
};

struct absolute {
    template <class T>
    T operator()(T a) const noexcept {
        return is_negative(a) ? subtract{}(T{0}, a) : a;
    }
};
struct negate {
    template <class T>
    T operator()(T a) const noexcept {
        return subtract{}(T{0}, a);
    }
};
struct minimum {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return b < a ? b : a;
    }
};
struct maximum {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return a < b ? b : a;
    }
};
struct clamp_negative { // .relu
    template <class T>
    T operator()(T a) const noexcept {
        return is_negative(a) ? T{0} : a;
    }
};
struct absolute_difference_add {
    template <class T>
    T operator()(T a, T b, T c) const noexcept {
        return add{}(a < b ? subtract{}(b, a) : subtract{}(a, b), c);
    }
};

// dp4a, dp2a: `mode` bit 0: a is signed, bit 1: b is signed; bit 2: dp2a, bit 3: of b's upper half.
struct dot_product {
    explicit dot_product(decoded const& op) noexcept : mode{op.mode} {}
    unsigned mode;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept {
        bool const pairs = (mode & 4) != 0;
        unsigned const width = pairs ? 16 : 8;
        if (pairs && (mode & 8)) b >>= 16;
        std::uint32_t d = c;
        for (unsigned i = 0; i < (pairs ? 2u : 4u); ++i)
            d += field(a, i * width, width, mode & 1) * field(b, i * 8, 8, mode & 2);
        return d;
    }
    static std::uint32_t field(std::uint32_t v, unsigned from, unsigned width, unsigned is_signed) noexcept {
        std::uint32_t const top = v << (32 - from - width);
        return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32 - width))
                         : top >> (32 - width);
    }
};

} // namespace sim::ops
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_INTEGER_OPS_HPP
