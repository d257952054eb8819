// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warp.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../ops/bit_ops.hpp"
#include "../ops/integer_ops.hpp"
#include "../ops/warp_ops.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

bool shfl(instruction_decoder& in) {
    static constexpr std::string_view modes[] = {"up", "down", "bfly", "idx"};
    bool const sync = in.take("sync");
    int const mode = in.take_one(modes);
    auto const t = in.take_type();
    if (mode < 0) return in.unsupported();
    in.op.mode = static_cast<std::uint8_t>(mode);
    constexpr binding lane{place::b, type::u32};
    constexpr binding clamp{place::c, type::u32};
    if (!sync) return compute(in, shuffle, {{place::pair, t}, {place::a, t}, lane, clamp});
    return compute(in, shuffle, {{place::pair, t}, {place::a, t}, lane, clamp, {place::members, type::b32}},
                   collective::exchange);
}

bool vote(instruction_decoder& in) {
    static constexpr std::string_view modes[] = {"all", "any", "uni", "ballot"};
    bool const sync = in.take("sync");
    int const mode = in.take_one(modes);
    auto const t = in.take_type();
    if (mode < 0) return in.unsupported();
    in.op.mode = static_cast<std::uint8_t>(mode);
    constexpr binding says{place::negatable_a, type::pred};
    if (sync) return compute(in, sim::vote, {{place::d, t}, says, {place::members, type::b32}});
    return compute(in, sim::vote, {{place::d, t}, says});
}

bool match(instruction_decoder& in) {
    in.op.mode = in.take("all");
    in.take("any");
    in.take("sync");
    auto const t = in.take_type();
    return compute(in, ptx::size_of(t) == 8 ? sim::match<std::uint64_t> : sim::match<std::uint32_t>,
                   {{place::pair, type::b32}, {place::a, t}, {place::members, type::b32}});
}

bool redux(instruction_decoder& in) {
    in.take("sync");
    bool const less = in.take("min");
    bool const more = in.take("max");
    bool const sum = in.take("add");
    bool const conjunction = in.take("and");
    bool const disjunction = in.take("or");
    bool const parity = in.take("xor");
    auto const t = in.take_type();
    if (ptx::size_of(t) != 4 || ptx::is_floating(t)) return in.unsupported();
    bool const is_signed = ptx::is_signed(t);
    lane_function f = nullptr;
    if (less) f = is_signed ? reduce<ops::minimum, std::int32_t> : reduce<ops::minimum, std::uint32_t>;
    if (more) f = is_signed ? reduce<ops::maximum, std::int32_t> : reduce<ops::maximum, std::uint32_t>;
    if (sum) f = reduce<ops::add, std::uint32_t>;
    if (conjunction) f = reduce<ops::bit_and, std::uint32_t>;
    if (disjunction) f = reduce<ops::bit_or, std::uint32_t>;
    if (parity) f = reduce<ops::bit_xor, std::uint32_t>;
    return compute(in, f, {{place::d, t}, {place::a, t}, {place::members, type::b32}});
}

bool activemask(instruction_decoder& in) { return compute(in, active_mask, {{place::d, in.take_type()}}); }

bool elect(instruction_decoder& in) {
    if (!in.take("sync")) return in.unsupported();
    return compute(in, sim::elect, {{place::pair, type::b32}, {place::members, type::b32}});
}

// bar, barrier and their cluster and warp forms. `mode` is the barrier_reduction of operand c;
// operand a is the barrier's number, b the thread count, which `immediate` says is there.

bool bar(instruction_decoder& in) {
    in.take("cta");
    in.take("aligned");
    if (in.take("warp")) {
        return in.take("sync") ? compute(in, meet, {{place::members, type::b32}}) : in.unsupported();
    }
    if (in.take("cluster")) {
        bool const waits = in.take("wait");
        if (!waits && !in.take("arrive")) return in.unsupported();
        for (auto const name : {"acquire", "release", "relaxed"}) in.take(name);
        in.op.action = waits ? action::cluster_wait : action::cluster_arrive;
        return in.expect_operands(0, 0) && in.finish();
    }
    bool const arrives = in.take("arrive");
    bool const reduces = in.take("red");
    if (!arrives && !reduces && !in.take("sync")) return in.unsupported();
    std::size_t next = 0;
    if (reduces) {
        static constexpr std::string_view names[] = {"popc", "and", "or"}; // as barrier_reduction from 1 on
        int const which = in.take_one(names);
        auto const t = in.take_type();
        if (which < 0) return in.unsupported();
        in.op.mode = static_cast<std::uint8_t>(which + 1);
        bind(in, 0, {place::d, t});
        bind(in, in.operand_count() - 1, {place::negatable_c, type::pred});
        next = 1;
    }
    std::size_t const numbers = in.operand_count() - (reduces ? 2 : 0);
    if (numbers < 1 || numbers > 2) return in.unsupported();
    in.op.action = arrives ? action::barrier_arrive : action::barrier;
    auto const& number = in.operand(next);
    if (number.kind == ptx::operand_kind::integer && number.bits > 15)
        return in.malformed(number.at, "a CTA has barriers 0 to 15");
    bind(in, next, {place::a, type::u32});
    in.op.immediate = numbers == 2;
    if (numbers == 2) bind(in, next + 1, {place::b, type::u32});
    else in.op.b = in.builder.constant(0, 4);
    return in.finish();
}

bool fence(instruction_decoder& in) {
    in.op.memory.order.in_cta_only = in.take("cta");
    in.op.memory.order.releases = !in.take("proxy"); // one between proxies orders nothing among threads
    while (in.has_modifiers()) {
        auto const modifier = in.next_modifier();
        if (modifier == "async") in.op.memory.order.between_proxies = true;
        if (modifier == "global") in.op.memory.order.between_proxies = false; // shared memory is what is checked
        in.take(modifier);
    }
    in.op.action = action::fence;
    return in.finish();
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
