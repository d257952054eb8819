// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer.hpp"

#include <cstdint>

#include "../ops/integer_ops.hpp"
#include "../ops/lane_map.hpp"
#include "../ops/select_ops.hpp"
#include "../ptx/modifiers.hpp"
#include "operands.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

static type wide_type(type t) noexcept {
    switch (t) {
        case type::u16: return type::u32;
        case type::s16: return type::s32;
        case type::u32: return type::u64;
        case type::s32: return type::s64;
        default: return type::none;
    }
}

// A pair of 16-bit integers in one register: the operation on each.
template <class Op, class T>
struct packed_integer {
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const noexcept {
        auto const each = [](std::uint32_t x, std::uint32_t y) {
            return std::uint32_t{static_cast<std::uint16_t>(Op{}(static_cast<T>(x), static_cast<T>(y)))};
        };
        return each(a, b) | each(a >> 16, b >> 16) << 16;
    }
};
template <class Op>
struct not_below_zero {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return ops::clamp_negative{}(Op{}(a, b));
    }
};

// add, sub, min, max of integers; `t` was taken.
template <class Op>
static bool integer_binary(instruction_decoder& in, type t) {
    if (t == type::u16x2) return binary(in, type::b32, map2<packed_integer<Op, std::uint16_t>, std::uint32_t>);
    if (t == type::s16x2) return binary(in, type::b32, map2<packed_integer<Op, std::int16_t>, std::uint32_t>);
    return binary(in, t, for_integer<binary_of<Op>>(t));
}

template <class Op>
static bool integer_extreme(instruction_decoder& in, type t) {
    if (!in.take("relu")) return integer_binary<Op>(in, t);
    if (t == type::s32) return binary(in, t, map2<not_below_zero<Op>, std::int32_t>);
    if (t != type::s16x2) return in.unsupported();
    return binary(in, type::b32, map2<packed_integer<not_below_zero<Op>, std::int16_t>, std::uint32_t>);
}

// add.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi …; base is the mode of select_ops' add_with_carry.
static bool with_carry(instruction_decoder& in, type t, unsigned mode) {
    in.op.info.pipe = pipe::alu;
    if (in.take("cc")) mode |= 2;
    if (mode & 8) {
        if (in.take("hi")) mode |= 16;
        else in.take("lo");
    }
    in.op.mode = static_cast<std::uint8_t>(mode);
    in.op.type = t;
    in.op.d2 = in.op.e = in.builder.carry();
    auto const f = ptx::size_of(t) == 8 ? add_with_carry<std::uint64_t> : add_with_carry<std::uint32_t>;
    return mode & 8 ? ternary(in, t, t, t, t, f) : binary(in, t, f);
}

bool addc(instruction_decoder& in) { return with_carry(in, in.take_type(), 1); }

bool subc(instruction_decoder& in) { return with_carry(in, in.take_type(), 1 | 4); }
bool madc(instruction_decoder& in) { return with_carry(in, in.take_type(), 1 | 8); }

bool integer_add(instruction_decoder& in, type t) {
    if (ptx::has(in.from, "cc")) return with_carry(in, t, 0);
    if (!in.take("sat")) return integer_binary<ops::add>(in, t);
    return binary(in, t, t == type::s32 ? map2<ops::add_saturating, std::int32_t> : nullptr);
}

bool integer_subtract(instruction_decoder& in, type t) {
    if (ptx::has(in.from, "cc")) return with_carry(in, t, 4);
    if (!in.take("sat")) return integer_binary<ops::subtract>(in, t);
    return binary(in, t, t == type::s32 ? map2<ops::subtract_saturating, std::int32_t> : nullptr);
}

bool integer_multiply(instruction_decoder& in, type t) {
    if (in.take("wide")) {
        type const wide = wide_type(t);
        auto const f = wide == type::none ? nullptr : for_integer<binary_of<ops::multiply_wide>>(t);
        return compute(in, f, {{place::d, wide}, {place::a, t}, {place::b, t}});
    }
    if (in.take("hi")) return binary(in, t, for_integer<binary_of<ops::multiply_high>>(t));
    in.take("lo");
    return binary(in, t, for_integer<binary_of<ops::multiply_low>>(t));
}

bool integer_multiply_add(instruction_decoder& in, type t) {
    if (ptx::has(in.from, "cc")) return with_carry(in, t, 8);
    if (in.take("wide")) {
        type const wide = wide_type(t);
        if (wide == type::none) return in.unsupported();
        return ternary(in, t, t, wide, wide, for_integer<widening_of<ops::multiply_add<ops::multiply_wide>>>(t));
    }
    if (in.take("hi")) {
        if (in.take("sat"))
            return ternary(in, t, t, t, t,
                           map3<ops::multiply_add<ops::multiply_high, ops::add_saturating>, std::int32_t>);
        return ternary(in, t, t, t, t, for_integer<ternary_of<ops::multiply_add<ops::multiply_high>>>(t));
    }
    in.take("lo");
    return ternary(in, t, t, t, t, for_integer<ternary_of<ops::multiply_add<ops::multiply_low>>>(t));
}

bool mul24(instruction_decoder& in) {
    in.op.mode = in.take("hi");
    in.take("lo");
    auto const t = in.take_type();
    return binary(in, t, t == type::s32 ? map2<ops::multiply_24, std::int32_t> : map2<ops::multiply_24, std::uint32_t>);
}

bool mad24(instruction_decoder& in) {
    in.op.mode = in.take("hi");
    in.take("lo");
    auto const t = in.take_type();
    if (in.take("sat"))
        return ternary(in, t, t, t, t, map3<ops::multiply_add<ops::multiply_24, ops::add_saturating>, std::int32_t>);
    return ternary(in, t, t, t, t,
                   t == type::s32 ? map3<ops::multiply_add<ops::multiply_24>, std::int32_t>
                                  : map3<ops::multiply_add<ops::multiply_24>, std::uint32_t>);
}

bool sad(instruction_decoder& in) {
    auto const t = in.take_type();
    return ternary(in, t, t, t, t, for_integer<ternary_of<ops::absolute_difference_add>>(t));
}

bool integer_divide(instruction_decoder& in, type t) { return binary(in, t, for_integer<binary_of<ops::divide>>(t)); }

bool rem(instruction_decoder& in) {
    auto const t = in.take_type();
    return binary(in, t, for_integer<binary_of<ops::remainder>>(t));
}

bool integer_absolute(instruction_decoder& in, type t) {
    return unary(in, t, t, for_integer<unary_of<ops::absolute>>(t));
}

bool integer_negate(instruction_decoder& in, type t) { return unary(in, t, t, for_integer<unary_of<ops::negate>>(t)); }

static bool dot(instruction_decoder& in, unsigned mode) {
    if (in.take("hi")) mode |= 8;
    in.take("lo");
    if (ptx::is_signed(in.take_type())) mode |= 1;
    if (ptx::is_signed(in.take_type())) mode |= 2;
    in.op.mode = static_cast<std::uint8_t>(mode);
    return ternary(in, type::b32, type::b32, type::b32, type::b32, map3<ops::dot_product, std::uint32_t>);
}

bool dp4a(instruction_decoder& in) { return dot(in, 0); }

bool dp2a(instruction_decoder& in) { return dot(in, 4); }

bool integer_minimum(instruction_decoder& in, type t) { return integer_extreme<ops::minimum>(in, t); }

bool integer_maximum(instruction_decoder& in, type t) { return integer_extreme<ops::maximum>(in, t); }

} // namespace sim::decode
GPUPROF_NAMESPACE_END
