// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "select.hpp"

#include <cstdint>
#include <string_view>

#include "../code/device_memory.hpp"
#include "../ops/bit_ops.hpp"
#include "../ops/convert_ops.hpp"
#include "../ops/integer_ops.hpp"
#include "../ops/lane_map.hpp"
#include "../ops/select_ops.hpp"
#include "operands.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

bool mov(instruction_decoder& in) {
    auto const t = in.take_type();
    if (!in.expect_operands(2, 2)) return false;
    auto const& to = in.operand(0);
    auto const& from = in.operand(1);
    using kind = ptx::operand_kind;
    if (t == type::pred) {
        in.op.mode = 0b1100;
        in.op.b = in.builder.constant_predicate(false);
        return unary(in, t, t, predicate_logic);
    }
    if (to.kind == kind::vector || from.kind == kind::vector) {
        bool const packs = from.kind == kind::vector;
        auto const& parts = packs ? from.elements : to.elements;
        if (parts.empty() || ptx::size_of(t) % parts.size() != 0) return in.unsupported();
        auto const bytes = static_cast<unsigned>(ptx::size_of(t) / parts.size());
        type const part = bytes == 1 ? type::b8 : bytes == 2 ? type::b16 : bytes == 4 ? type::b32 : type::b64;
        if (!bind_slots(in, packs ? 1 : 0, parts.size(), part, packs ? transfer::read : transfer::write)) return false;
        in.op.type = t;
        in.op.compute = packs ? pack : unpack;
        bind(in, packs ? 0 : 1, {packs ? place::d : place::a, t});
        return in.finish();
    }
    if (t == type::b128) return unary(in, t, t, map1<ops::identity, wide128>);
    return unary(in, t, t, for_bits<unary_of<ops::identity>>(t));
}

static bool same_family(type a, type b) noexcept { return ptx::is_floating(a) == ptx::is_floating(b); }

// cvt.pack: two integers, clamped, side by side; elements of less than 16 bits go below those of c, which move up.
static bool pack_integers(instruction_decoder& in) {
    static constexpr std::string_view narrow[] = {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"};
    int const which = in.take_one(narrow);
    if (which < 0 || !in.take("sat") || !in.take("s32")) return in.unsupported();
    in.op.immediate = 16u >> which / 2; // bits
    in.op.mode = which % 2 == 1;        // with a sign
    constexpr type word = type::b32;
    if (in.op.immediate < 16) {
        if (!in.take("b32")) return in.unsupported();
        return ternary(in, word, word, word, word, map3<ops::pack_clamped, std::uint32_t>);
    }
    in.op.c = in.builder.constant(0, 4);
    return binary(in, word, map3<ops::pack_clamped, std::uint32_t>);
}

bool cvt(instruction_decoder& in) {
    if (in.take("pack")) return pack_integers(in);
    bool const rounds = in.take_rounding();
    in.op.ftz = in.take("ftz");
    in.op.sat = in.take("sat");
    if (in.take("relu")) in.op.mode |= 1;
    if (in.take("satfinite")) in.op.mode |= 2;
    auto const to = in.op.type = in.take_type();
    auto const from = in.op.source_type = in.take_type();
    bool const pair = to == type::f16x2 || to == type::bf16x2 || to == type::e4m3x2 || to == type::e5m2x2;
    if (pair) {
        if (from == type::e4m3x2 || from == type::e5m2x2) in.op.rounding = rounding::nearest;
        if (from != type::f32) return unary(in, from, to, convert_pair);
        bool const nearest = in.op.mode == 0 && !in.op.sat && !in.op.ftz && in.op.rounding == rounding::nearest;
        auto const f = nearest && to == type::f16x2    ? map2<ops::round_pair<ops::round_to_half>, float>
                       : nearest && to == type::bf16x2 ? map2<ops::round_pair<ops::round_to_bfloat>, float>
                                                       : convert_pair;
        return compute(in, f, {{place::d, to}, {place::a, from}, {place::b, from}});
    }
    if (!in.expect_operands(2, 2)) return false;
    auto const source = make_slot(in, in.operand(1), from, transfer::read, width::at_least);
    auto const target = make_slot(in, in.operand(0), to, transfer::write, width::at_least);
    if (ptx::is_floating(from) && !ptx::is_floating(to) && !rounds) in.op.rounding = rounding::zero;
    if (in.integral && ptx::is_floating(to)) in.op.mode |= 4;
    if (!same_family(from, to) || (ptx::is_floating(from) && from != to)) in.op.info.pipe = pipe::xu;
    else in.op.info.pipe = pipe::alu;
    in.op.a = source.ref;
    in.op.sources = 1;
    in.op.d = target.ref;
    in.op.result_bytes = target.bytes;
    in.op.immediate = source.bytes;
    in.op.compute = convert_lanes;
    // Index arithmetic and int-to-float are in every inner loop: casts that need no rounding mode.
    bool const simple = in.op.mode == 0 && !in.op.sat && !in.op.ftz && source.bytes == ptx::size_of(from) &&
                        target.bytes == ptx::size_of(to);
    if (simple) {
        if (to == type::u64 || to == type::s64 || to == type::b64) {
            if (from == type::u32) in.op.compute = map1<ops::cast<std::uint64_t>, std::uint32_t>;
            if (from == type::s32) in.op.compute = map1<ops::cast<std::uint64_t>, std::int32_t>;
        }
        if ((to == type::u32 || to == type::s32 || to == type::b32) && (from == type::u64 || from == type::s64))
            in.op.compute = map1<ops::cast<std::uint32_t>, std::uint64_t>;
        if (to == type::f32 && from == type::s32 && in.op.rounding == rounding::nearest)
            in.op.compute = map1<ops::cast<float>, std::int32_t>;
        if (to == type::f32 && from == type::u32 && in.op.rounding == rounding::nearest)
            in.op.compute = map1<ops::cast<float>, std::uint32_t>;
        if (to == type::f64 && from == type::s32) in.op.compute = map1<ops::cast<double>, std::int32_t>;
        if (to == type::f64 && from == type::u32) in.op.compute = map1<ops::cast<double>, std::uint32_t>;
        if (to == type::f64 && from == type::f32) in.op.compute = map1<ops::widen_single, float>;
        if (to == type::f32 && from == type::f64 && in.op.rounding == rounding::nearest)
            in.op.compute = map1<ops::round_to_single, double>;
        if (from == type::f32 && in.op.rounding == rounding::zero) {
            if (to == type::s32) in.op.compute = map1<ops::truncate<std::int32_t>, float>;
            if (to == type::u32) in.op.compute = map1<ops::truncate<std::uint32_t>, float>;
        }
        if (to == type::f32 && from == type::f16) in.op.compute = map1<ops::widen_half, half>;
        if (from == type::f32 && in.op.rounding == rounding::nearest) {
            if (to == type::f16) in.op.compute = map1<ops::round_to_half, float>;
            if (to == type::bf16) in.op.compute = map1<ops::round_to_bfloat, float>;
            if (to == type::s32) in.op.compute = map1<ops::round_to_nearest<std::int32_t>, float>;
            if (to == type::u32) in.op.compute = map1<ops::round_to_nearest<std::uint32_t>, float>;
        }
        if (to == type::f32 && in.op.rounding == rounding::nearest) {
            if (from == type::s16) in.op.compute = map1<ops::cast<float>, std::int16_t>;
            if (from == type::u16) in.op.compute = map1<ops::cast<float>, std::uint16_t>;
        }
        if (to == type::f64 && in.op.rounding == rounding::nearest) {
            if (from == type::s64) in.op.compute = map1<ops::cast<double>, std::int64_t>;
            if (from == type::u64) in.op.compute = map1<ops::cast<double>, std::uint64_t>;
        }
    }
    bool const is_whole = in.op.mode == 4 && !in.op.sat && !in.op.ftz && from == to;
    if (is_whole && to == type::f32) in.op.compute = ops::whole_of<float>(in.op.rounding);
    if (is_whole && to == type::f64) in.op.compute = ops::whole_of<double>(in.op.rounding);
    bool const saturates_alone = in.op.mode == 0 && in.op.sat && !in.op.ftz && !in.integral;
    if (saturates_alone && from == type::f32 && to == type::f32) in.op.compute = map1<ops::saturate_single, float>;
    if (!ptx::is_floating(from) && !ptx::is_floating(to) && !in.op.sat && in.op.mode == 0 &&
        in.op.compute == convert_lanes)
        if (auto const f = integer_conversion(source.bytes, ptx::is_signed(from), target.bytes, ptx::is_signed(to)))
            in.op.compute = f;
    return in.finish();
}

// cvta and cvta.to: `offset` is the window's base, added or taken off; global and constant
// addresses are generic ones.
bool cvta(instruction_decoder& in) {
    bool const to = in.take("to");
    std::uint64_t base = 0;
    if (in.take("shared") || in.take("shared::cta") || in.take("shared::cluster")) base = address_map::shared_window;
    else if (in.take("local")) base = address_map::local_window;
    else if (in.take("param") || in.take("param::entry")) base = address_map::param_window;
    else if (!in.take("global")) in.take("const");
    auto const t = in.take_type();
    if (ptx::size_of(t) != 8) return in.unsupported();
    in.op.b = in.builder.constant(base, 8);
    return unary(in, t, t, to ? map2<ops::subtract, std::uint64_t> : map2<ops::add, std::uint64_t>);
}

// isspacep.space p, a
struct in_window {
    explicit in_window(decoded const& op) noexcept
        : base{static_cast<std::uint64_t>(op.offset)}, mask{address_map::window_mask | op.immediate} {}
    std::uint64_t base;
    std::uint64_t mask;
    bool operator()(std::uint64_t a) const noexcept {
        if (base != 0) return (a & mask) == base;
        std::uint64_t const window = a & address_map::window_mask;
        return window == address_map::global_base || window == 0; // mapped host memory is global, too
    }
};
bool isspacep(instruction_decoder& in) {
    std::uint64_t base = 0;
    bool const cluster = in.take("shared::cluster");
    bool const own = in.take("shared") || in.take("shared::cta");
    if (own) in.op.immediate = static_cast<std::uint32_t>(address_map::window_bytes & ~address_map::own_offset);
    if (cluster || own) base = address_map::shared_window;
    else if (in.take("local")) base = address_map::local_window;
    else if (in.take("const")) base = address_map::constant_base;
    else if (in.take("param") || in.take("param::entry")) base = address_map::param_window;
    else in.take("global");
    in.op.offset = static_cast<std::int64_t>(base);
    return unary(in, type::u64, type::pred, map1<in_window, std::uint64_t>);
}

// mapa{.shared::cluster}.type d, a, b; getctarank{.shared::cluster}.type d, a. Without a space, a is generic.
static bool ask_cluster(instruction_decoder& in, cluster_question what) {
    in.take("shared::cluster");
    auto const t = in.take_type();
    bool const is_address = what == cluster_question::address;
    if (t != type::u32 && t != type::u64) return in.unsupported();
    if (!in.expect_operands(is_address ? 3 : 2, is_address ? 3 : 2)) return false;
    in.op.action = action::cluster_address;
    in.op.mode = static_cast<std::uint8_t>(what);
    in.op.immediate = ptx::size_of(t);
    bind(in, 0, {place::d, is_address ? t : type::u32});
    bind(in, 1, {place::a, t});
    if (is_address) bind(in, 2, {place::b, type::u32});
    return in.finish();
}
bool mapa(instruction_decoder& in) { return ask_cluster(in, cluster_question::address); }
bool getctarank(instruction_decoder& in) { return ask_cluster(in, cluster_question::rank); }

// The comparisons by name; those of unsigned integers have names of their own. False: there is
// none.
static bool take_comparison(instruction_decoder& in) {
    constexpr unsigned lt = relation::less;
    constexpr unsigned eq = relation::equal;
    constexpr unsigned gt = relation::greater;
    constexpr unsigned un = relation::unordered;
    struct row {
        std::string_view name;
        unsigned relations;
    };
    static constexpr row rows[] = {{"eq", eq},
                                   {"ne", lt | gt},
                                   {"lt", lt},
                                   {"le", lt | eq},
                                   {"gt", gt},
                                   {"ge", gt | eq},
                                   {"lo", lt},
                                   {"ls", lt | eq},
                                   {"hi", gt},
                                   {"hs", gt | eq},
                                   {"equ", eq | un},
                                   {"neu", lt | gt | un},
                                   {"ltu", lt | un},
                                   {"leu", lt | eq | un},
                                   {"gtu", gt | un},
                                   {"geu", gt | eq | un},
                                   {"num", lt | eq | gt},
                                   {"nan", un}};
    for (auto const& r : rows)
        if (in.take(r.name)) return in.op.mode = static_cast<std::uint8_t>(r.relations), true;
    return false;
}

// .and, .or, .xor with a predicate.
static bool take_combination(instruction_decoder& in) {
    static constexpr std::string_view names[] = {"and", "or", "xor"};
    int const which = in.take_one(names);
    in.op.mode = static_cast<std::uint8_t>(in.op.mode | (which + 1) << combination_bit);
    return which >= 0;
}

// d{|p}, a, b{, {!}c}
static bool compare(instruction_decoder& in, lane_function f, binding result, type t, bool combines) {
    if (combines) return compute(in, f, {result, {place::a, t}, {place::b, t}, {place::negatable_c, type::pred}});
    return compute(in, f, {result, {place::a, t}, {place::b, t}});
}

bool setp(instruction_decoder& in) {
    if (!take_comparison(in)) return in.unsupported();
    bool const combines = take_combination(in);
    in.op.ftz = in.take("ftz");
    auto const t = in.take_type();
    in.classify(t);
    bool const is_packed = t == type::f16x2 || t == type::bf16x2;
    if (is_packed && in.operand(0).kind != ptx::operand_kind::pair) return in.unsupported();
    auto const f = t == type::f16x2    ? set_predicate_packed<half>
                   : t == type::bf16x2 ? set_predicate_packed<bfloat>
                                       : for_comparable<predicate_setter>(t);
    return compare(in, f, {place::pair, type::pred}, t, combines);
}

bool set(instruction_decoder& in) {
    if (!take_comparison(in)) return in.unsupported();
    bool const combines = take_combination(in);
    in.op.ftz = in.take("ftz");
    auto const to = in.op.type = in.take_type();
    auto const t = in.has_modifiers() ? in.take_type() : to;
    in.classify(t);
    switch (to) {
        case type::f32: in.op.immediate = 0x3f80'0000; break;
        case type::f16:
        case type::f16x2: in.op.immediate = 0x3c00; break;
        case type::bf16:
        case type::bf16x2: in.op.immediate = 0x3f80; break;
        default: in.op.immediate = ptx::size_of(to) == 2 ? 0xffff : 0xffff'ffff; break;
    }
    if (t == type::f16x2 || t == type::bf16x2) in.op.immediate &= 0xffff;
    auto const f = t == type::f16x2    ? set_value_packed<half>
                   : t == type::bf16x2 ? set_value_packed<bfloat>
                                       : for_comparable<value_setter>(t);
    return compare(in, f, {place::d, to}, t, combines);
}

bool selp(instruction_decoder& in) {
    auto const t = in.take_type();
    return ternary(in, t, t, type::pred, t, for_bits<selector>(t));
}

bool slct(instruction_decoder& in) {
    in.op.ftz = in.take("ftz");
    auto const t = in.take_type();
    auto const c = in.take_type();
    auto const f = c == type::f32 ? for_bits<select_by<float>>(t) : for_bits<select_by<std::int32_t>>(t);
    return ternary(in, t, t, c, t, f);
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
