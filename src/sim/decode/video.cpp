// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "video.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../ops/lane_map.hpp"
#include "../ops/video_ops.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// What stands after a register: b0, h1, h10, b7654 …; empty for none.
static std::string_view selector_of(ptx::operand const& o) noexcept {
    std::size_t const dot = o.text.find('.');
    return o.kind != ptx::operand_kind::reg || dot == std::string_view::npos ? std::string_view{}
                                                                             : o.text.substr(dot + 1);
}

// The first byte of each part, and of a single one its bytes. `base`: of the register; others can be reached by several
// parts alone.
static bool take_parts(std::string_view selector, unsigned count, unsigned base, std::array<std::uint8_t, 4>& to) {
    unsigned width = 4 / count;
    for (unsigned i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(base + i * width);
    if (count == 1) to[1] = 4;
    if (selector.empty()) return true;
    if (selector.size() != count + 1 || (selector[0] != 'b' && selector[0] != 'h')) return false;
    if (count == 1) to[1] = static_cast<std::uint8_t>(width = selector[0] == 'b' ? 1 : 2);
    else if (selector[0] != (count == 2 ? 'h' : 'b')) return false;
    for (unsigned i = 0; i < count; ++i) {
        auto const digit = static_cast<unsigned>(selector[count - i] - '0');
        if (digit >= (count == 1 ? 4 : 8) / width) return false;
        to[i] = static_cast<std::uint8_t>(digit * width + (count == 1 ? base : 0));
    }
    return true;
}

static bool take_mask(std::string_view selector, unsigned count, std::uint8_t& mask) {
    if (selector.empty()) return true;
    unsigned const width = selector[0] == 'b' ? 1 : 2;
    if (selector.size() < 2 || (selector[0] != 'b' && selector[0] != 'h') || (count != 1 && width != 4 / count) ||
        selector.size() > (count == 1 ? 2 : count + 1))
        return false;
    mask = 0;
    for (char const digit : selector.substr(1)) {
        auto const part = static_cast<unsigned>(digit - '0');
        if (part >= 4 / width) return false;
        mask = static_cast<std::uint8_t>(mask | ((1u << width) - 1) << part * width);
    }
    return true;
}

bool video(instruction_decoder& in) {
    static constexpr std::string_view names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg", "vshl", "vshr"};
    static constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    std::string_view name = in.from.opcode;
    unsigned const count = name.back() == '2' ? 2 : name.back() == '4' ? 4 : 1;
    if (count != 1) name.remove_suffix(1);
    video_form form;
    bool const compares = name == "vset";
    int which = -1;
    if (compares) which = in.take_one(comparisons);
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (names[i] == name) which = static_cast<int>(i);
    if (which < 0) return in.unsupported();
    form.operation = static_cast<video_operation>(which + (compares ? static_cast<int>(video_operation::equal) : 0));
    for (std::uint8_t const flag : {video_form::signed_d, video_form::signed_a, video_form::signed_b}) {
        if (compares && flag == video_form::signed_d) continue;
        type const t = in.take_type();
        if (t != type::u32 && t != type::s32) return in.unsupported();
        if (t == type::s32) form.flags = static_cast<std::uint8_t>(form.flags | flag);
    }
    if (in.take("sat")) form.flags |= video_form::saturates;
    if (in.take("wrap")) form.flags |= video_form::wraps;
    in.take("clamp");
    if (in.take("add")) form.secondary = video_secondary::add;
    else if (count == 1 && in.take("min")) form.secondary = video_secondary::minimum;
    else if (count == 1 && in.take("max")) form.secondary = video_secondary::maximum;
    if (!in.has_operands(count == 1 ? 3 : 4, 4)) return in.unsupported();
    for (ptx::operand const& o : in.from.operands)
        if (o.negated) return in.malformed(o.at, "vmad alone has negated operands");
    video_parts parts;
    if (!take_mask(selector_of(in.operand(0)), count, form.mask) ||
        !take_parts(selector_of(in.operand(1)), count, 0, parts.a) ||
        !take_parts(selector_of(in.operand(2)), count, 4, parts.b))
        return in.malformed(in.operand(0).at, "no selector of a video instruction");
    in.op.mode = static_cast<std::uint8_t>(count);
    in.op.immediate = std::bit_cast<std::uint32_t>(form);
    in.op.offset = std::bit_cast<std::int64_t>(parts);
    constexpr auto word = type::b32;
    auto const f = map3<ops::video, std::uint32_t>;
    if (in.operand_count() == 4) return ternary(in, word, word, word, word, f);
    in.op.c = in.builder.constant(0, 4);
    return binary(in, word, f);
}

// a * b + c, of which the product or c may be negated, or which is one more.
bool vmad(instruction_decoder& in) {
    in.take_type(); // of d, which the signs of a and b decide
    video_product form;
    for (std::uint8_t const flag : {video_product::signed_a, video_product::signed_b}) {
        type const t = in.take_type();
        if (t != type::u32 && t != type::s32) return in.unsupported();
        if (t == type::s32) form.flags = static_cast<std::uint8_t>(form.flags | flag);
    }
    bool const one_more = in.take("po");
    if (one_more) form.flags |= video_product::one_more;
    if (in.take("sat")) form.flags |= video_product::saturates;
    form.shift = in.take("shr7") ? 7 : in.take("shr15") ? 15 : 0;
    if (!in.expect_operands(4, 4)) return false;
    bool const negates_product = in.operand(1).negated != in.operand(2).negated;
    if (negates_product) form.flags |= video_product::negates_product;
    if (in.operand(3).negated) form.flags |= video_product::negates_c;
    if ((in.operand(1).negated || in.operand(2).negated) + in.operand(3).negated + one_more > 1)
        return in.malformed(in.operand(0).at, "of the product, c and .po, one alone can be asked for");
    video_parts parts;
    if (!selector_of(in.operand(0)).empty() || !take_parts(selector_of(in.operand(1)), 1, 0, parts.a) ||
        !take_parts(selector_of(in.operand(2)), 1, 4, parts.b))
        return in.malformed(in.operand(0).at, "no selector of a video instruction");
    in.op.immediate = std::bit_cast<std::uint16_t>(form);
    in.op.offset = std::bit_cast<std::int64_t>(parts);
    constexpr auto word = type::b32;
    return ternary(in, word, word, word, word, map3<ops::video_multiply, std::uint32_t>);
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
