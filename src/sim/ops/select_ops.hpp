// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves, comparisons, selections, predicates and carries of a warp.
#ifndef GPUPROF_SRC_SIM_OPS_SELECT_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_SELECT_OPS_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../code/decoded.hpp"
#include "float_ops.hpp"
#include "integer_ops.hpp"
#include "lane_map.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct wide128 {
    std::uint64_t low;
    std::uint64_t high;
};

namespace ops {
struct identity {
    template <class T>
    T operator()(T a) const noexcept {
        return a;
    }
};
// slct: a where c is not negative, else b. NaN counts as negative.
struct select_by_sign {
    template <class T, class C>
    T operator()(T a, T b, C c) const noexcept {
        return c >= 0 ? a : b;
    }
};
} // namespace ops

// A comparison is the set of relations for which it holds.
namespace relation {
inline constexpr unsigned less = 1;
inline constexpr unsigned equal = 2;
inline constexpr unsigned greater = 4;
inline constexpr unsigned unordered = 8;
} // namespace relation

// Lanes of which one of the `wanted` relations is true. Values are lanes or arguments.
template <class Values>
[[nodiscard]] lane_mask compare(Values const& a, Values const& b, unsigned wanted) noexcept {
    using T = std::remove_cvref_t<decltype(a[0])>;
    using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    auto const lanes_where = [&](auto holds) { // a product rather than a choice: compilers would make it a branch
        word bits = 0;
        for (unsigned i = 0; i < warp_size; ++i)
            bits |= (word{0} - static_cast<word>(holds(a[i], b[i]))) & lane_bits_as<word>[i];
        return static_cast<lane_mask>(bits);
    };
    if constexpr (!std::is_floating_point_v<T>) // one relation is always true: two are what the third is not
        if (std::popcount(wanted & 7) == 2) return ~compare(a, b, ~wanted & 7);
    lane_mask holds = 0;
    constexpr unsigned at_most = relation::less | relation::equal, at_least = relation::greater | relation::equal;
    if ((wanted & 7) == at_most) holds = lanes_where([](T x, T y) { return x <= y; });
    else if ((wanted & 7) == at_least) holds = lanes_where([](T x, T y) { return x >= y; });
    else {
        if (wanted & relation::less) holds |= lanes_where([](T x, T y) { return x < y; });
        if (wanted & relation::equal) holds |= lanes_where([](T x, T y) { return x == y; });
        if (wanted & relation::greater) holds |= lanes_where([](T x, T y) { return x > y; });
    }
    if constexpr (std::is_floating_point_v<T>)
        if (wanted & relation::unordered)
            holds |= lanes_where([](T x, T y) { return static_cast<int>(x != x) | static_cast<int>(y != y); });
    return holds;
}

// Operands of a comparison as something with an order: short floats as float, flushed where asked.
template <class T>
[[nodiscard]] auto comparable(registers const& r, operand_ref from, bool ftz) noexcept {
    if constexpr (ops::short_float<T>) {
        auto const bits = r.read<T>(from);
        lanes<float> values;
        for (unsigned i = 0; i < warp_size; ++i)
            values[i] = static_cast<float>(ops::value_of(ftz ? ops::flush(bits[i]) : bits[i]));
        return values;
    } else {
        auto values = r.read<T>(from); // to be flushed, else they are compared where they lie
        for (auto& v : values) v = ops::flush(v);
        return values;
    }
}

template <class T>
[[nodiscard]] lane_mask compare_operands(registers const& r, decoded const& op) noexcept {
    if constexpr (std::is_integral_v<T>) {
        return compare(argument<T>{r, op.a}, argument<T>{r, op.b}, op.mode);
    } else {
        if constexpr (std::is_floating_point_v<T>)
            if (!op.ftz) return compare(argument<T>{r, op.a}, argument<T>{r, op.b}, op.mode);
        return compare(comparable<T>(r, op.a, op.ftz), comparable<T>(r, op.b, op.ftz), op.mode);
    }
}

// What a comparison is combined with, in `mode` above its relations: 1 and, 2 or, 3 xor; 0 nothing. The predicate is operand c.
inline constexpr unsigned combination_bit = 4;
[[nodiscard]] inline lane_mask combine(registers const& r, decoded const& op, lane_mask holds) noexcept {
    unsigned const how = op.mode >> combination_bit;
    if (how == 0) return holds;
    lane_mask const with = op.negated ? ~r.read_predicate(op.c) : r.read_predicate(op.c);
    return how == 1 ? holds & with : how == 2 ? holds | with : holds ^ with;
}

// setp.mode.bool d|d2, a, b, c
template <class T>
void set_predicate(registers const& r, decoded const& op, lane_mask mask) noexcept {
    lane_mask const holds = compare_operands<T>(r, op);
    lane_mask const first = combine(r, op, holds);
    lane_mask const second = combine(r, op, ~holds);
    r.write_predicate(op.d, first, mask);
    r.write_predicate(op.d2, second, mask);
}

// setp on packed halves: d for the lower, d2 for the upper.
template <class T>
void set_predicate_packed(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<std::uint32_t>(op.a);
    auto const b = r.read<std::uint32_t>(op.b);
    lane_mask holds[2];
    for (unsigned part = 0; part < 2; ++part) {
        lanes<float> x;
        lanes<float> y;
        for (unsigned i = 0; i < warp_size; ++i) {
            T const p{static_cast<std::uint16_t>(a[i] >> (16 * part))};
            T const q{static_cast<std::uint16_t>(b[i] >> (16 * part))};
            x[i] = static_cast<float>(ops::value_of(op.ftz ? ops::flush(p) : p));
            y[i] = static_cast<float>(ops::value_of(op.ftz ? ops::flush(q) : q));
        }
        holds[part] = combine(r, op, compare(x, y, op.mode));
    }
    r.write_predicate(op.d, holds[0], mask);
    r.write_predicate(op.d2, holds[1], mask);
}

// set.mode d, a, b: `immediate` where it holds, else 0.
template <class T>
void set_value(registers const& r, decoded const& op, lane_mask mask) noexcept {
    lane_mask const holds = combine(r, op, compare_operands<T>(r, op));
    for (unsigned i = 0; i < warp_size; ++i)
        if (mask >> i & 1) r.write_lane(op.d, i, ptx::size_of(op.type), holds >> i & 1 ? op.immediate : 0);
}

// set on packed halves: each half gets `immediate` or 0.
template <class T>
void set_value_packed(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<std::uint32_t>(op.a);
    auto const b = r.read<std::uint32_t>(op.b);
    lanes<std::uint32_t> d{};
    for (unsigned part = 0; part < 2; ++part) {
        lanes<float> x;
        lanes<float> y;
        for (unsigned i = 0; i < warp_size; ++i) {
            x[i] = static_cast<float>(ops::value_of(T{static_cast<std::uint16_t>(a[i] >> (16 * part))}));
            y[i] = static_cast<float>(ops::value_of(T{static_cast<std::uint16_t>(b[i] >> (16 * part))}));
        }
        lane_mask const holds = compare(x, y, op.mode);
        for (unsigned i = 0; i < warp_size; ++i) d[i] |= (holds >> i & 1 ? op.immediate : 0) << (16 * part);
    }
    r.write(op.d, d, mask);
}

// selp d, a, b, c
template <class T>
void select(registers const& r, decoded const& op, lane_mask mask) noexcept {
    lanes<T> d;
    auto* const to = mask == all_lanes ? r.bytes(op.d) : reinterpret_cast<std::byte*>(d.data());
    choose_lanes<sizeof(T)>(to, r.read_bytes(op.a), r.read_bytes(op.b), r.read_predicate(op.c));
    if (mask != all_lanes) r.merge(op.d, d, mask);
}

// Logic on predicates. `mode` is the truth table over (a, b): bit (2a + b).
inline void predicate_logic(registers const& r, decoded const& op, lane_mask mask) noexcept {
    lane_mask const a = r.read_predicate(op.a);
    lane_mask const b = r.read_predicate(op.b);
    lane_mask d = 0;
    if (op.mode & 1) d |= ~a & ~b;
    if (op.mode & 2) d |= ~a & b;
    if (op.mode & 4) d |= a & ~b;
    if (op.mode & 8) d |= a & b;
    r.write_predicate(op.d, d, mask);
}

// add, sub and mad with the carry flag, which is a predicate of its own: `mode` bit 0 takes it in
// (operand e), bit 1 writes it (d2), bit 2 subtracts, bit 3 multiplies a and b and adds c, bit 4
// takes the product's upper half. There is one flag for sums and differences, as on a GPU, which
// subtracts as a + ~b + 1: after a difference the flag says that there was no borrow.
template <class T>
void add_with_carry(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto a = r.read<T>(op.a);
    auto b = r.read<T>(op.b);
    if (op.mode & 8) {
        for (unsigned i = 0; i < warp_size; ++i) {
            if (op.mode & 16 && ptx::is_signed(op.type)) {
                using signed_t = std::make_signed_t<T>;
                a[i] = static_cast<T>(ops::multiply_high{}(static_cast<signed_t>(a[i]), static_cast<signed_t>(b[i])));
            } else {
                a[i] = op.mode & 16 ? ops::multiply_high{}(a[i], b[i]) : ops::multiply_low{}(a[i], b[i]);
            }
        }
        b = r.read<T>(op.c);
    }
    lane_mask const carry = op.mode & 1 ? r.read_predicate(op.e) : op.mode & 4 ? all_lanes : 0;
    lane_mask out = 0;
    lanes<T> d;
    for (unsigned i = 0; i < warp_size; ++i) {
        T const in = carry >> i & 1;
        T const addend = op.mode & 4 ? static_cast<T>(~b[i]) : b[i];
        d[i] = a[i] + addend + in;
        bool const carried = d[i] < a[i] || (d[i] == a[i] && in != 0);
        out |= lane_mask{carried} << i;
    }
    r.write(op.d, d, mask);
    if (op.mode & 2) r.write_predicate(op.d2, out, mask);
}

// mov of {a, b, …} into one register, and the way back. The parts are `slots`.
using wide_lanes = std::array<std::byte, std::size_t{16} * warp_size>;
inline void pack(registers const& r, decoded const& op, lane_mask mask) noexcept {
    wide_lanes whole; // written last: a part may be the destination itself
    std::size_t const bytes = ptx::size_of(op.type);
    std::byte* at = whole.data();
    for (auto const* s = op.slots; s != op.slots + op.list_count; at += s->bytes, ++s)
        with_word(s->bytes, [&]<class Part>(Part) {
            auto const parts = r.read<Part>(s->ref);
            for (std::size_t i = 0; i < warp_size; ++i) std::memcpy(at + i * bytes, &parts[i], sizeof(Part));
        });
    if (mask == all_lanes) std::memcpy(r.bytes(op.d), whole.data(), bytes * warp_size);
    else
        for (std::size_t i = 0; i < warp_size; ++i)
            if (mask >> i & 1) std::memcpy(r.bytes(op.d) + i * bytes, whole.data() + i * bytes, bytes);
}
inline void unpack(registers const& r, decoded const& op, lane_mask mask) noexcept {
    wide_lanes whole; // read first: a part may be the source itself
    std::size_t const bytes = ptx::size_of(op.type);
    std::memcpy(whole.data(), r.read_bytes(op.a), bytes * warp_size);
    std::byte const* at = whole.data();
    for (auto const* s = op.slots; s != op.slots + op.list_count; at += s->bytes, ++s) {
        if (s->sink) continue;
        with_word(s->bytes, [&]<class Part>(Part) {
            lanes<Part> parts;
            for (std::size_t i = 0; i < warp_size; ++i) std::memcpy(&parts[i], at + i * bytes, sizeof(Part));
            r.write(s->ref, parts, mask);
        });
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_SELECT_OPS_HPP
