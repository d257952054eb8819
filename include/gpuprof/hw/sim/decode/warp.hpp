// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes shuffles, votes, barriers and fences. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_WARP_HPP
#define GPUPROF_HW_SIM_DECODE_WARP_HPP

#include <cstdint>     // modes
#include <string_view> // modifiers

#include "../ops/bit_ops.hpp"
#include "operands.hpp"
#include "../ops/integer_ops.hpp"
#include "../ops/warp_ops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// The member mask of a .sync instruction, operand i.
inline void take_members(instruction_decoder& in, std::size_t i) {
    in.op.warp_wide = true;
    in.op.e = in.read(i, type::b32);
}
// d, or d|p.
inline void write_with_predicate(instruction_decoder& in, type t) {
    auto const& to = in.operand(0);
    if (to.kind == ptx::operand_kind::pair) {
        in.op.d = in.write(to.elements[0], t);
        in.op.d2 = in.write(to.elements[1], type::pred);
    } else {
        in.op.d = in.write(to, t);
        in.op.d2 = in.into.scratch(1);
    }
}

inline bool shfl(instruction_decoder& in) {
    static constexpr std::string_view modes[] = {"up", "down", "bfly", "idx"};
    bool const sync = in.take("sync");
    int const mode = in.take_one(modes);
    auto const t = in.take_type();
    if (mode < 0 || !in.expect_operands(sync ? 5 : 4, sync ? 5 : 4)) return in.unsupported();
    in.op.mode = static_cast<std::uint8_t>(mode);
    in.op.compute = shuffle;
    in.op.a = in.read(1, t);
    in.op.b = in.read(2, type::u32);
    in.op.c = in.read(3, type::u32);
    if (sync) take_members(in, 4);
    write_with_predicate(in, t);
    return in.finish();
}

inline bool vote(instruction_decoder& in) {
    static constexpr std::string_view modes[] = {"all", "any", "uni", "ballot"};
    bool const sync = in.take("sync");
    int const mode = in.take_one(modes);
    auto const t = in.take_type();
    if (mode < 0 || !in.expect_operands(sync ? 3 : 2, sync ? 3 : 2)) return in.unsupported();
    in.op.mode = static_cast<std::uint8_t>(mode);
    in.op.compute = sim::vote;
    in.op.a = in.read_predicate(1, in.op.negated);
    if (sync) take_members(in, 2);
    in.op.d = in.write(0, t);
    return in.finish();
}

inline bool match(instruction_decoder& in) {
    in.op.mode = in.take("all");
    in.take("any");
    in.take("sync");
    auto const t = in.take_type();
    if (!in.expect_operands(3, 3)) return false;
    in.op.compute = ptx::size_of(t) == 8 ? sim::match<std::uint64_t> : sim::match<std::uint32_t>;
    in.op.a = in.read(1, t);
    take_members(in, 2);
    write_with_predicate(in, type::b32);
    return in.finish();
}

inline bool redux(instruction_decoder& in) {
    in.take("sync");
    bool const less = in.take("min");
    bool const more = in.take("max");
    bool const sum = in.take("add");
    bool const conjunction = in.take("and");
    bool const disjunction = in.take("or");
    bool const parity = in.take("xor");
    auto const t = in.take_type();
    if (!in.expect_operands(3, 3) || ptx::size_of(t) != 4 || ptx::is_floating(t)) return in.unsupported();
    bool const is_signed = ptx::is_signed(t);
    if (less) in.op.compute = is_signed ? reduce<ops::minimum, std::int32_t> : reduce<ops::minimum, std::uint32_t>;
    if (more) in.op.compute = is_signed ? reduce<ops::maximum, std::int32_t> : reduce<ops::maximum, std::uint32_t>;
    if (sum) in.op.compute = reduce<ops::add, std::uint32_t>;
    if (conjunction) in.op.compute = reduce<ops::bit_and, std::uint32_t>;
    if (disjunction) in.op.compute = reduce<ops::bit_or, std::uint32_t>;
    if (parity) in.op.compute = reduce<ops::bit_xor, std::uint32_t>;
    in.op.a = in.read(1, t);
    take_members(in, 2);
    in.op.d = in.write(0, t);
    return in.op.compute == nullptr ? in.unsupported() : in.finish();
}

inline bool activemask(instruction_decoder& in) {
    auto const t = in.take_type();
    in.op.compute = active_mask;
    in.op.d = in.write(0, t);
    return in.finish();
}

inline bool elect(instruction_decoder& in) {
    if (!in.take("sync") || !in.expect_operands(2, 2)) return in.unsupported();
    in.op.compute = sim::elect;
    take_members(in, 1);
    write_with_predicate(in, type::b32);
    return in.finish();
}

// bar, barrier and their cluster and warp forms. `mode`: 0 waits, 1 to 3 also reduce (popc, and, or) operand c;
// operand a is the barrier's number, b the thread count, which `immediate` says is there.
inline constexpr std::uint32_t cluster_barrier = 16;

inline bool bar(instruction_decoder& in) {
    in.take("cta");
    in.take("aligned");
    if (in.take("warp")) {
        if (!in.take("sync") || !in.expect_operands(1, 1)) return in.unsupported();
        in.op.action = action::nothing;
        return in.finish();
    }
    if (in.take("cluster")) { // a CTA is a cluster of its own: arriving is nothing, waiting is a barrier of the CTA
        bool const waits = in.take("wait");
        in.take("arrive");
        for (auto const name : {"acquire", "release", "relaxed"}) in.take(name);
        in.op.action = waits ? action::barrier : action::nothing;
        in.op.a = in.into.constant(cluster_barrier, 4);
        in.op.b = in.into.constant(0, 4);
        return in.finish();
    }
    bool const arrives = in.take("arrive");
    bool const reduces = in.take("red");
    if (!arrives && !reduces && !in.take("sync")) return in.unsupported();
    std::size_t next = 0;
    if (reduces) {
        static constexpr std::string_view names[] = {"popc", "and", "or"};
        int const which = in.take_one(names);
        auto const t = in.take_type();
        if (which < 0) return in.unsupported();
        in.op.mode = static_cast<std::uint8_t>(which + 1);
        in.op.d = in.write(0, t);
        in.op.c = in.read_predicate(in.operand_count() - 1, in.op.negated);
        next = 1;
    }
    std::size_t const numbers = in.operand_count() - (reduces ? 2 : 0);
    if (numbers < 1 || numbers > 2) return in.unsupported();
    in.op.action = arrives ? action::barrier_arrive : action::barrier;
    in.op.a = in.read(next, type::u32);
    in.op.immediate = numbers == 2;
    in.op.b = numbers == 2 ? in.read(next + 1, type::u32) : in.into.constant(0, 4);
    return in.finish();
}

inline bool fence(instruction_decoder& in) {
    while (in.has_modifiers()) in.take(in.next_modifier());
    in.op.action = action::fence;
    return in.finish();
}

inline constexpr decoder_row warp_decoders[] = {
    {"shfl", decode::shfl},
    {"vote", decode::vote},
    {"match", decode::match},
    {"redux", decode::redux},
    {"activemask", decode::activemask},
    {"elect", decode::elect},
    {"bar", decode::bar},
    {"barrier", decode::bar},
    {"membar", decode::fence},
    {"fence", decode::fence},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_WARP_HPP
