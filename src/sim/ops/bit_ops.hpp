// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on the bits of one lane's integers: logic, shifts, counts, fields, bytes.
#ifndef GPUPROF_SRC_SIM_OPS_BIT_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_BIT_OPS_HPP

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "../code/decoded.hpp"
#include "integer_ops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ops {

struct bit_and {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(a & b);
    }
};
struct bit_or {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(a | b);
    }
};
struct bit_xor {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(a ^ b);
    }
};
struct bit_not {
    template <class T>
    T operator()(T a) const noexcept {
        return static_cast<T>(~a);
    }
};
struct logical_not { // cnot
    template <class T>
    T operator()(T a) const noexcept {
        return a == 0;
    }
};
struct shift_left {
    template <class T>
    T operator()(T a, std::uint32_t n) const noexcept {
        return n >= sizeof(T) * 8 ? T{0} : static_cast<T>(raw(a) << n);
    }
};
struct shift_right { // of a signed value the sign comes in
    template <class T>
    T operator()(T a, std::uint32_t n) const noexcept {
        constexpr std::uint32_t top = sizeof(T) * 8 - 1;
        if (n > top) return std::is_signed_v<T> ? static_cast<T>(a >> top) : T{0};
        return static_cast<T>(a >> n);
    }
};
// shf: 32 bits out of the 64 of b:a. `mode`: 1 to the right, 2 wraps the count instead of clamping
// it.
struct funnel_shift {
    explicit funnel_shift(decoded const& op) noexcept : right{(op.mode & 1) != 0}, wrap{(op.mode & 2) != 0} {}
    bool right;
    bool wrap;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t n) const noexcept {
        std::uint32_t const count = wrap ? n & 31 : n > 32 ? 32 : n;
        std::uint64_t const both = std::uint64_t{b} << 32 | a;
        return static_cast<std::uint32_t>(right ? both >> count : (both << count) >> 32);
    }
};
// Any function of three bits, bit by bit: bit (a * 4 + b * 2 + c) of the table is the result.
struct lookup {
    explicit lookup(decoded const& op) noexcept : table{op.immediate} {}
    std::uint32_t table;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept {
        std::uint32_t d = 0;
        for (unsigned k = 0; k < 8; ++k) {
            std::uint32_t const minterm = (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
            d |= table >> k & 1 ? minterm : 0;
        }
        return d;
    }
};

struct population_count {
    template <class T>
    std::uint32_t operator()(T a) const noexcept {
        return static_cast<std::uint32_t>(std::popcount(a));
    }
};
struct leading_zeros {
    template <class T>
    std::uint32_t operator()(T a) const noexcept {
        return static_cast<std::uint32_t>(std::countl_zero(a));
    }
};
struct reverse_bits {
    template <class T>
    T operator()(T a) const noexcept {
        T d = 0;
        for (unsigned i = 0; i < sizeof(T) * 8; ++i) d = static_cast<T>(d << 1 | (a >> i & 1));
        return d;
    }
};
// The highest bit that differs from the sign; all ones when there is none. `mode` 1 gives the
// distance from the top.
struct find_leading {
    explicit find_leading(decoded const& op) noexcept : distance{op.mode != 0} {}
    bool distance;
    template <class T>
    std::uint32_t operator()(T a) const noexcept {
        auto const u = bits_of(is_negative(a) ? static_cast<T>(~a) : a);
        if (u == 0) return ~std::uint32_t{0};
        auto const zeros = static_cast<std::uint32_t>(std::countl_zero(u));
        return distance ? zeros : static_cast<std::uint32_t>(sizeof(T) * 8 - 1) - zeros;
    }
};
// The n-th set bit counted from position `base`; n < 0 counts downwards, n = 0 asks whether the
// base bit is set.
struct find_nth_set {
    std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t n) const noexcept {
        constexpr std::uint32_t none = ~std::uint32_t{0};
        if (base > 31) return none;
        if (n == 0) return mask >> base & 1 ? base : none;
        int const step = n > 0 ? 1 : -1;
        std::int64_t left = n > 0 ? std::int64_t{n} : -std::int64_t{n};
        for (auto at = static_cast<int>(base); at >= 0 && at < 32; at += step)
            if ((mask >> at & 1) && --left == 0) return static_cast<std::uint32_t>(at);
        return none;
    }
};

// bfe: `length` bits from `position`, sign-extended for signed types.
struct extract_field {
    template <class T>
    T operator()(T a, std::uint32_t position, std::uint32_t length) const noexcept {
        constexpr std::uint32_t width = sizeof(T) * 8;
        std::uint32_t const from = position & 0xff;
        std::uint32_t const count = length & 0xff;
        if (count == 0) return 0;
        std::uint32_t const last = from + count - 1 < width - 1 ? from + count - 1 : width - 1;
        bool const fill = std::is_signed_v<T> && (bits_of(a) >> last & 1);
        auto field = from < width ? bits_of(a) >> from : 0;
        std::uint32_t const present = from < width ? (count < width - from ? count : width - from) : 0;
        auto const ones = static_cast<std::make_unsigned_t<T>>(~std::make_unsigned_t<T>{0});
        if (present < width) {
            auto const keep = static_cast<std::make_unsigned_t<T>>(~shift_left{}(ones, present));
            field = (field & keep) | (fill ? static_cast<std::make_unsigned_t<T>>(~keep) : 0);
        }
        return static_cast<T>(field);
    }
};
// bfi: the low bits of a, put into b.
struct insert_field {
    template <class T>
    T operator()(T a, T b, std::uint32_t position, std::uint32_t length) const noexcept {
        std::uint32_t const from = position & 0xff;
        std::uint32_t const count = length & 0xff;
        T const ones = static_cast<T>(~shift_left{}(static_cast<T>(~T{0}), count));
        T const hole = shift_left{}(ones, from);
        return static_cast<T>((b & static_cast<T>(~hole)) | (shift_left{}(a, from) & hole));
    }
};
// szext: the low n bits, extended. `mode` 1 wraps n instead of clamping it.
struct extend_low {
    explicit extend_low(decoded const& op) noexcept : wrap{op.mode != 0} {}
    bool wrap;
    template <class T>
    T operator()(T a, std::uint32_t n) const noexcept {
        std::uint32_t const count = wrap ? n & 31 : n;
        if (count >= 32) return a;
        return count == 0 ? T{0} : extract_field{}(a, 0, count);
    }
};
struct make_mask { // bmsk
    explicit make_mask(decoded const& op) noexcept : wrap{op.mode != 0} {}
    bool wrap;
    std::uint32_t operator()(std::uint32_t from, std::uint32_t count) const noexcept {
        std::uint32_t const f = wrap ? from & 31 : from;
        std::uint32_t const n = wrap ? count & 31 : count;
        return shift_left{}(static_cast<std::uint32_t>(~shift_left{}(~std::uint32_t{0}, n)), f);
    }
};

// prmt: any four of the eight bytes of b:a; bit 3 of a selector replicates the byte's sign. The
// modes (`mode` 1 to 6: f4e, b4e, rc8, ecl, ecr, rc16) build the selector from the low two bits of
// c.
struct permute_bytes {
    explicit permute_bytes(decoded const& op) noexcept : mode{op.mode} {}
    unsigned mode;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept {
        static constexpr std::uint16_t selectors[6][4] = {
            {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123}, {0x0000, 0x1111, 0x2222, 0x3333},
            {0x3210, 0x3211, 0x3222, 0x3333}, {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
        std::uint32_t const selector = mode == 0 ? c : selectors[mode - 1][c & 3];
        std::uint64_t const both = std::uint64_t{b} << 32 | a;
        std::uint32_t d = 0;
        for (unsigned i = 0; i < 4; ++i) {
            std::uint32_t const s = selector >> (i * 4);
            auto byte = static_cast<std::uint32_t>(both >> ((s & 7) * 8) & 0xff);
            if (s & 8) byte = byte & 0x80 ? 0xff : 0;
            d |= byte << (i * 8);
        }
        return d;
    }
};

// cvt.pack: two signed integers clamped to `immediate` bits, below those of c. `mode`: the bits have a sign.
struct pack_clamped {
    explicit pack_clamped(decoded const& op) noexcept : bits{op.immediate}, is_signed{op.mode != 0} {}
    unsigned bits;
    bool is_signed;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept {
        std::uint64_t const both = std::uint64_t{clamped(a)} << bits | clamped(b);
        return static_cast<std::uint32_t>(std::uint64_t{c} << 2 * bits | both);
    }

private:
    [[nodiscard]] std::uint32_t clamped(std::uint32_t x) const noexcept {
        std::int32_t const most = (std::int32_t{1} << (is_signed ? bits - 1 : bits)) - 1;
        auto const value = (std::clamp)(static_cast<std::int32_t>(x), is_signed ? -most - 1 : 0, most);
        return static_cast<std::uint32_t>(value) & ((std::uint32_t{1} << bits) - 1);
    }
};

} // namespace sim::ops
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_BIT_OPS_HPP
