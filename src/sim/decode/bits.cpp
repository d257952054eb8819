// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bits.hpp"

#include <cstdint>
#include <string_view>

#include "../ops/bit_ops.hpp"
#include "../ops/lane_map.hpp"
#include "../ops/select_ops.hpp"
#include "operands.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// and, or, xor, not on registers and on predicates, where `table` is the truth table.
template <class Op, unsigned Table>
static bool logic(instruction_decoder& in) {
    auto const t = in.take_type();
    in.classify(t);
    if (t != type::pred) return binary(in, t, for_bits<binary_of<Op>>(t));
    in.op.mode = Table;
    return binary(in, t, predicate_logic);
}

bool not_(instruction_decoder& in) {
    auto const t = in.take_type();
    in.classify(t);
    if (t != type::pred) return unary(in, t, t, for_bits<unary_of<ops::bit_not>>(t));
    in.op.mode = 0b0011;
    in.op.b = in.builder.constant_predicate(false);
    return unary(in, t, t, predicate_logic);
}

bool cnot(instruction_decoder& in) {
    auto const t = in.take_type();
    return unary(in, t, t, for_bits<unary_of<ops::logical_not>>(t));
}

bool shl(instruction_decoder& in) {
    auto const t = in.take_type();
    return compute(in, for_bits<shift_of<ops::shift_left>>(t), {{place::d, t}, {place::a, t}, {place::b, type::u32}});
}

bool shr(instruction_decoder& in) {
    auto const t = in.take_type();
    auto const f = for_integer<shift_of<ops::shift_right>>(t);
    return compute(in, f, {{place::d, t}, {place::a, t}, {place::b, type::u32}});
}

bool shf(instruction_decoder& in) {
    bool const right = in.take("r");
    bool const wrap = in.take("wrap");
    in.take("l");
    in.take("clamp");
    in.op.mode = static_cast<std::uint8_t>((right ? 1 : 0) | (wrap ? 2 : 0));
    auto const t = in.take_type();
    return ternary(in, t, t, type::u32, t, map3<ops::funnel_shift, std::uint32_t>);
}

bool lop3(instruction_decoder& in) {
    auto const t = in.take_type();
    return compute(in, map3<ops::lookup, std::uint32_t>,
                   {{place::d, t}, {place::a, t}, {place::b, t}, {place::c, t}, {place::immediate, type::b8}});
}

bool popc(instruction_decoder& in) {
    auto const t = in.take_type();
    return unary(in, t, type::u32, for_bits<unary_of<ops::population_count>>(t));
}

bool clz(instruction_decoder& in) {
    auto const t = in.take_type();
    return unary(in, t, type::u32, for_bits<unary_of<ops::leading_zeros>>(t));
}

bool brev(instruction_decoder& in) {
    auto const t = in.take_type();
    return unary(in, t, t, for_bits<unary_of<ops::reverse_bits>>(t));
}

bool bfind(instruction_decoder& in) {
    in.op.mode = in.take("shiftamt");
    auto const t = in.take_type();
    return unary(in, t, type::u32, for_integer<unary_of<ops::find_leading>>(t));
}

bool fns(instruction_decoder& in) {
    in.take_type();
    return ternary(in, type::b32, type::b32, type::s32, type::b32,
                   map3<ops::find_nth_set, std::uint32_t, std::uint32_t, std::int32_t>);
}

bool bfe(instruction_decoder& in) {
    auto const t = in.take_type();
    return ternary(in, t, type::u32, type::u32, t, for_integer<field_of<ops::extract_field>>(t));
}

bool bfi(instruction_decoder& in) {
    auto const t = in.take_type();
    return compute(in, for_bits<insertion_of<ops::insert_field>>(t),
                   {{place::d, t}, {place::a, t}, {place::b, t}, {place::c, type::u32}, {place::e, type::u32}});
}

bool szext(instruction_decoder& in) {
    in.op.mode = in.take("wrap");
    in.take("clamp");
    auto const t = in.take_type();
    return binary(in, t,
                  t == type::s32 ? map2<ops::extend_low, std::int32_t, std::uint32_t>
                                 : map2<ops::extend_low, std::uint32_t, std::uint32_t>);
}

bool bmsk(instruction_decoder& in) {
    in.op.mode = in.take("wrap");
    in.take("clamp");
    return binary(in, in.take_type(), map2<ops::make_mask, std::uint32_t>);
}

bool prmt(instruction_decoder& in) {
    static constexpr std::string_view modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    auto const t = in.take_type();
    in.op.mode = static_cast<std::uint8_t>(in.take_one(modes) + 1);
    return ternary(in, t, t, t, t, map3<ops::permute_bytes, std::uint32_t>);
}

bool and_(instruction_decoder& in) { return logic<ops::bit_and, 0b1000>(in); }

bool or_(instruction_decoder& in) { return logic<ops::bit_or, 0b1110>(in); }
bool xor_(instruction_decoder& in) { return logic<ops::bit_xor, 0b0110>(in); }

} // namespace sim::decode
GPUPROF_NAMESPACE_END
