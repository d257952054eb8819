// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "float.hpp"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

#include "../ops/float_bit_ops.hpp"
#include "../ops/float_functions.hpp"
#include "../ops/float_ops.hpp"
#include "../ops/fused_lanes.hpp"
#include "../ops/lane_map.hpp"
#include "../ptx/modifiers.hpp"
#include "../sass/slow_way.hpp"
#include "integer.hpp"
#include "operands.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// How many operands a rounding operation has, written as the map over that many.
template <class Op, class T, int Arity>
static constexpr lane_function mapped() noexcept {
    if constexpr (Arity == 1) return map1<Op, T>;
    else if constexpr (Arity == 2) return map2<Op, T>;
    else return map3<Op, T>;
}

// Without modifiers, in loops that vectorise, or with them.
template <class Op, int Arity>
static lane_function plain_function(type t) noexcept {
    using plain = ops::plain<Op>;
    if constexpr (Arity == 3) // a product and a sum
        if (gpuprof::detail::fuses_in_hardware()) {
            if (t == type::f32) return fused_map<Op, float, false>;
            if (t == type::f64) return fused_map<Op, double, false>;
        }
    switch (t) {
        case type::f32: return mapped<plain, float, Arity>();
        case type::f64: return mapped<plain, double, Arity>();
        case type::f16: return mapped<plain, half, Arity>();
        case type::bf16: return mapped<plain, bfloat, Arity>();
        case type::f16x2: return mapped<ops::packed<plain, half>, std::uint32_t, Arity>();
        case type::bf16x2: return mapped<ops::packed<plain, bfloat>, std::uint32_t, Arity>();
        default: return nullptr;
    }
}

template <class Op, int Arity>
static lane_function rounding_function(decoded const& op, type t) noexcept {
    bool const plain = op.rounding == rounding::nearest && !op.sat && op.mode == 0;
    if (plain && !op.ftz) return plain_function<Op, Arity>(t);
    if (plain && t == type::f32) {
        if constexpr (Arity == 3)
            if (gpuprof::detail::fuses_in_hardware()) return fused_map<Op, float, true>;
        return mapped<ops::flushing<Op>, float, Arity>();
    }
    switch (t) {
        case type::f32: return mapped<ops::rounded<Op, float>, float, Arity>();
        case type::f64: return mapped<ops::rounded<Op, double>, double, Arity>();
        case type::f16: return mapped<ops::rounded<Op, half>, half, Arity>();
        case type::bf16: return mapped<ops::rounded<Op, bfloat>, bfloat, Arity>();
        case type::f16x2: return mapped<ops::packed<ops::rounded<Op, half>, half>, std::uint32_t, Arity>();
        case type::bf16x2: return mapped<ops::packed<ops::rounded<Op, bfloat>, bfloat>, std::uint32_t, Arity>();
        default: return nullptr;
    }
}

// The modifiers every rounding operation may have.
static void take_float_modifiers(instruction_decoder& in) {
    in.take_rounding();
    in.op.ftz = in.take("ftz");
    in.op.sat = in.take("sat");
    in.op.mode = in.take("relu") ? 1 : 0;
}

template <class Op, int Arity>
static bool rounding_operation(instruction_decoder& in, type t) {
    in.classify(t);
    take_float_modifiers(in);
    auto const f = rounding_function<Op, Arity>(in.op, t);
    if constexpr (Arity == 1) return unary(in, t, t, f);
    else if constexpr (Arity == 2) return binary(in, t, f);
    else return ternary(in, t, t, t, t, f);
}

bool add(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? rounding_operation<ops::fadd, 2>(in, t) : integer_add(in, t);
}

bool sub(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? rounding_operation<ops::fsubtract, 2>(in, t) : integer_subtract(in, t);
}

bool mul(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? rounding_operation<ops::fmultiply, 2>(in, t) : integer_multiply(in, t);
}

bool fma(instruction_decoder& in) { return rounding_operation<ops::fused_multiply_add, 3>(in, in.take_type()); }

bool multiply_subtract(instruction_decoder& in) {
    return rounding_operation<ops::fused_multiply_subtract, 3>(in, in.take_type());
}

bool subtract_product(instruction_decoder& in) {
    return rounding_operation<ops::fused_subtract_product, 3>(in, in.take_type());
}

bool taken_product(instruction_decoder& in) {
    while (in.has_modifiers()) in.take(in.next_modifier());
    in.classify(ptx::type_of(in.from));
    in.op.action = action::nothing;
    return in.finish();
}

bool mad(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? rounding_operation<ops::fused_multiply_add, 3>(in, t) : integer_multiply_add(in, t);
}

bool div(instruction_decoder& in) {
    auto const t = in.take_type();
    if (!ptx::is_floating(t)) return integer_divide(in, t);
    bool const approximate = in.take("approx");
    if (!approximate && !in.take("full")) return rounding_operation<ops::fdivide, 2>(in, t);
    in.classify(instruction_kind::special_function, pipe::xu);
    in.op.ftz = in.take("ftz");
    if (t != type::f32) return in.unsupported();
    return binary(in, t,
                  approximate ? map2<ops::approximate<ops::approximate_quotient>, float>
                              : map2<ops::rounded<ops::fdivide, float>, float>);
}

// A function PTX approximates, in the formats it exists for.
template <class Function>
static lane_function approximation(type t) noexcept {
    using approximate = ops::approximate<Function>;
    switch (t) {
        case type::f32: return map1<approximate, float>;
        case type::f16: return map1<approximate, half>;
        case type::bf16: return map1<approximate, bfloat>;
        case type::f16x2: return map1<ops::packed<approximate, half>, std::uint32_t>;
        case type::bf16x2: return map1<ops::packed<approximate, bfloat>, std::uint32_t>;
        default: return nullptr;
    }
}

template <class Function>
static bool special_function(instruction_decoder& in) {
    auto const t = in.take_type();
    in.take("approx");
    in.op.ftz = in.take("ftz");
    return unary(in, t, t, approximation<Function>(t));
}

// rcp and sqrt exist rounded, too; rcp has a half-precise double form.
template <class Function, class Rounded>
static bool root_or_reciprocal(instruction_decoder& in) {
    auto const t = in.take_type();
    if (!in.take("approx")) return rounding_operation<Rounded, 1>(in, t);
    in.op.ftz = in.take("ftz");
    if (t == type::f64) return unary(in, t, t, map1<ops::approximate_double<Function>, double>);
    return unary(in, t, t, approximation<Function>(t));
}

bool rcp(instruction_decoder& in) { return root_or_reciprocal<ops::approximate_reciprocal, ops::reciprocal>(in); }

bool sqrt(instruction_decoder& in) { return root_or_reciprocal<ops::approximate_root, ops::square_root>(in); }

bool rsqrt(instruction_decoder& in) {
    auto const t = in.take_type();
    in.take("approx");
    in.op.ftz = in.take("ftz");
    if (t == type::f64 && in.op.ftz)
        return unary(in, t, t, map1<ops::approximate_double<ops::reciprocal_root>, double>);
    if (t == type::f64) return unary(in, t, t, map1<ops::approximate<ops::reciprocal_root_of_double>, double>);
    return unary(in, t, t, approximation<ops::reciprocal_root>(t));
}

void find_scaled_lanes(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<float>(op.a);
    lane_mask found = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        bool const scaled = op.mode == 1 ? a[lane] < -126.0f : std::fabs(a[lane]) < std::numeric_limits<float>::min();
        found |= scaled ? lane_bits[lane] : 0;
    }
    r.write_predicate(op.d, found, mask);
}

static std::uint32_t deciding_word(double x) noexcept { return upper_word(x); }
static std::uint32_t deciding_word(float x) noexcept { return std::bit_cast<std::uint32_t>(x); }

template <slow_way Way, class Float>
static lane_mask lanes_that_may_be_slow(lanes<Float> const& a, lanes<Float> const& b) noexcept {
    lane_mask found = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        found |= may_be_slow<Way>(deciding_word(a[lane]), deciding_word(b[lane])) ? lane_bits[lane] : 0;
    return found;
}

static lane_mask lanes_that_may_be_slow(slow_way way, lanes<double> const& a, lanes<double> const& b) noexcept {
    switch (way) {
        case slow_way::quotient: return lanes_that_may_be_slow<slow_way::quotient>(a, b);
        case slow_way::reciprocal: return lanes_that_may_be_slow<slow_way::reciprocal>(a, b);
        case slow_way::root: return lanes_that_may_be_slow<slow_way::root>(a, b);
        case slow_way::reciprocal_root: return lanes_that_may_be_slow<slow_way::reciprocal_root>(a, b);
        default: return 0;
    }
}

static lane_mask lanes_that_may_be_slow(slow_way way, lanes<float> const& a, lanes<float> const& b) noexcept {
    switch (way) {
        case slow_way::single_quotient: return lanes_that_may_be_slow<slow_way::single_quotient>(a, b);
        case slow_way::single_reciprocal: return lanes_that_may_be_slow<slow_way::single_reciprocal>(a, b);
        case slow_way::single_root: return lanes_that_may_be_slow<slow_way::single_root>(a, b);
        default: return 0;
    }
}

template <class Float>
static void find_slow_lanes_of(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const way = static_cast<slow_way>(op.mode);
    bool const divides = way == slow_way::quotient || way == slow_way::single_quotient;
    auto const a = r.read<Float>(op.a), b = divides ? r.read<Float>(op.b) : a;
    if ((lanes_that_may_be_slow(way, a, b) & mask) == 0) return r.write_predicate(op.d, 0, mask);
    lane_mask found[most_slow_parts] = {};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        unsigned const taken = slow_parts_taken(way, a[lane], b[lane]);
        for (unsigned part = 0; taken >> part != 0; ++part)
            found[part] |= (taken >> part & 1) != 0 ? lane_bits[lane] & mask : 0;
    }
    for (std::uint32_t part = 0; part < slow_parts(way).size(); ++part) {
        r.write_predicate({op.d.code + 2 * part * std::uint32_t{sizeof(lane_mask)}}, found[part], mask);
        lane_mask const first = found[part] & (~found[part] + 1);
        r.write_predicate({op.d.code + (2 * part + 1) * std::uint32_t{sizeof(lane_mask)}}, first, mask);
    }
}

void find_slow_lanes(registers const& r, decoded const& op, lane_mask mask) noexcept {
    if (is_of_singles(static_cast<slow_way>(op.mode))) find_slow_lanes_of<float>(r, op, mask);
    else find_slow_lanes_of<double>(r, op, mask);
}

static bool float_extreme(instruction_decoder& in, type t, unsigned mode) {
    in.classify(t);
    in.op.ftz = in.take("ftz");
    if (in.take("NaN")) mode |= 2;
    if (in.take("xorsign")) mode |= in.take("abs") ? 4u : 0u;
    if (in.take("relu")) mode |= 8;
    in.op.mode = static_cast<std::uint8_t>(mode);
    switch (t) {
        case type::f32: return binary(in, t, map2<ops::extreme<float>, float>);
        case type::f64: return binary(in, t, map2<ops::extreme<double>, double>);
        case type::f16: return binary(in, t, map2<ops::extreme<half>, half>);
        case type::bf16: return binary(in, t, map2<ops::extreme<bfloat>, bfloat>);
        case type::f16x2: return binary(in, t, map2<ops::packed<ops::extreme<half>, half>, std::uint32_t>);
        case type::bf16x2: return binary(in, t, map2<ops::packed<ops::extreme<bfloat>, bfloat>, std::uint32_t>);
        default: return in.unsupported();
    }
}

bool(min)(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? float_extreme(in, t, 0) : integer_minimum(in, t);
}

bool(max)(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? float_extreme(in, t, 1) : integer_maximum(in, t);
}

static std::int64_t sign_bits(type t) noexcept {
    switch (t) {
        case type::f64: return static_cast<std::int64_t>(std::uint64_t{1} << 63);
        case type::f32: return 0x8000'0000;
        case type::f16x2:
        case type::bf16x2: return 0x8000'8000;
        default: return 0x8000;
    }
}

template <class Op>
static bool sign_operation(instruction_decoder& in, type t) {
    in.classify(t);
    bool const flushes = in.take("ftz") && t == type::f32;
    in.op.offset = sign_bits(t);
    if (flushes) return unary(in, t, t, map1<ops::flushed<Op>, std::uint32_t>);
    return unary(in, t, t, for_bits<unary_of<Op>>(t));
}

bool abs(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? sign_operation<ops::fabsolute>(in, t) : integer_absolute(in, t);
}

bool neg(instruction_decoder& in) {
    auto const t = in.take_type();
    return ptx::is_floating(t) ? sign_operation<ops::fnegate>(in, t) : integer_negate(in, t);
}

bool copysign(instruction_decoder& in) {
    auto const t = in.take_type();
    in.classify(t);
    in.op.offset = sign_bits(t);
    return binary(in, t, for_bits<binary_of<ops::copy_sign>>(t));
}

bool testp(instruction_decoder& in) {
    static constexpr std::string_view names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    auto const t = in.take_type();
    in.classify(t);
    int const which = in.take_one(names);
    if (which < 0) return in.unsupported();
    in.op.mode = static_cast<std::uint8_t>(which);
    return unary(in, t, type::pred,
                 t == type::f64 ? map1<ops::test_property, double> : map1<ops::test_property, float>);
}

bool sin(instruction_decoder& in) { return special_function<ops::sine>(in); }

bool cos(instruction_decoder& in) { return special_function<ops::cosine>(in); }
bool lg2(instruction_decoder& in) { return special_function<ops::log2>(in); }

bool ex2(instruction_decoder& in) { return special_function<ops::exp2>(in); }
bool tanh(instruction_decoder& in) { return special_function<ops::hyperbolic_tangent>(in); }

} // namespace sim::decode
GPUPROF_NAMESPACE_END
