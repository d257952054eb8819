// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wgmma.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "matrix.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// Columns of b that PTX has beside every multiple of 8, the only ones of integers and bits.
static constexpr std::array<unsigned, 18> integer_columns{8,   16,  24,  32,  48,  64,  80,  96,  112,
                                                          128, 144, 160, 176, 192, 208, 224, 240, 256};

// m64nNkK, of which N is the columns. K is 32 bytes of the factors, and 64 where a is sparse.
static bool take_shape(instruction_decoder& in, unsigned k) {
    for (unsigned n = 8; n <= 256; n += 8)
        if (in.take("m64n" + std::to_string(n) + "k" + std::to_string(k))) return in.op.immediate = n, true;
    return false;
}

// An immediate that is 1, or another that stands for the bit.
static bool take_choice(instruction_decoder& in, std::size_t i, std::int64_t other, unsigned bit) {
    auto const& o = in.operand(i);
    auto const value = static_cast<std::int64_t>(o.bits);
    std::int64_t const usual = other == -1 ? 1 : 0;
    if (o.kind != ptx::operand_kind::integer || (value != usual && value != other))
        return in.malformed(o.at, "this is to be " + std::to_string(usual) + " or " + std::to_string(other));
    if (value == other) in.op.mode = static_cast<std::uint8_t>(in.op.mode ^ bit);
    return true;
}

// The factors' types, and that of the sums, fit each other.
static bool types_fit(type d, type a, type b) noexcept {
    switch (a) {
        case type::f16: return b == a && (d == type::f16 || d == type::f32);
        case type::bf16:
        case type::tf32: return b == a && d == type::f32;
        case type::e4m3:
        case type::e5m2: return (b == type::e4m3 || b == type::e5m2) && (d == type::f16 || d == type::f32);
        case type::s8:
        case type::u8: return (b == type::s8 || b == type::u8) && d == type::s32;
        case type::b8: return b == a && d == type::s32; // bits
        default: return false;
    }
}

static bool mma_async(instruction_decoder& in) {
    decoded& op = in.op;
    bool const is_sparse = in.take("sp");
    op.mode = static_cast<std::uint8_t>((in.take("satfinite") ? wgmma_form::saturates : 0) |
                                        (is_sparse ? wgmma_form::sparse : 0));
    op.type = in.take_type();
    if (in.take("b1")) {
        if (!in.take("b1") || !in.take("and") || !in.take("popc")) return in.unsupported();
        op.source_type = op.memory.element = type::b8;
    } else {
        op.source_type = in.take_type();
        op.memory.element = in.take_type();
    }
    type const a = op.source_type;
    if (!types_fit(op.type, a, op.memory.element)) return in.unsupported();
    if (is_sparse && a == type::b8) return in.unsupported();
    if (!take_shape(in, a == type::b8 ? 256 : (is_sparse ? 64 : 32) / ptx::size_of(a))) return in.unsupported();
    bool const integers = op.type == type::s32;
    if (integers && std::find(integer_columns.begin(), integer_columns.end(), op.immediate) == integer_columns.end())
        return in.unsupported();

    bool const in_registers = in.operand(1).kind == ptx::operand_kind::vector;
    bool const halves = ptx::size_of(a) == 2;    // alone can lie across k
    std::size_t const added = is_sparse ? 2 : 0; // metadata and their selector
    std::size_t const operands = (integers ? 4u : halves ? in_registers ? 7u : 8u : 6u) + added;
    if (!in.expect_operands(operands, operands)) return false;
    std::size_t const sums = op.immediate / (op.type == type::f16 ? 4 : 2);
    if (!bind_slots(in, 0, sums, type::b32, transfer::write)) return false;
    if (is_sparse) {
        in.add_slot(make_slot(in, in.operand(3), type::b32, transfer::read, width::exact));
        if (!take_choice(in, 4, 1, wgmma_form::second)) return false;
        if (ptx::size_of(a) == 1 && (op.mode & wgmma_form::second) != 0)
            return in.malformed(in.operand(4).at, "the metadata of bytes are of all threads: this is to be 0");
    }
    if (in_registers) {
        op.mode = static_cast<std::uint8_t>(op.mode | wgmma_form::a_in_registers);
        if (!bind_slots(in, 1, 4, type::b32, transfer::read)) return false;
    } else {
        bind(in, 1, {place::a, type::b64});
    }
    bind(in, 2, {place::b, type::b64});
    bind(in, 3 + added, {place::negatable_c, type::pred});
    std::size_t at = 4 + added;
    if (!integers &&
        (!take_choice(in, at, -1, wgmma_form::negated) || !take_choice(in, at + 1, -1, wgmma_form::negated)))
        return false;
    at += 2;
    if (halves && !in_registers && !take_choice(in, at++, 1, wgmma_form::a_across)) return false;
    if (halves && !take_choice(in, at, 1, wgmma_form::b_across)) return false;
    op.action = action::multiply_async;
    return in.finish();
}

bool wgmma(instruction_decoder& in) {
    take_whole_warp(in);
    if (in.take("mma_async")) return mma_async(in);
    bool const waits = in.take("wait_group");
    bool const commits = !waits && in.take("commit_group");
    if (!waits && !commits && !in.take("fence")) return in.unsupported();
    if (!in.expect_operands(waits ? 1 : 0, waits ? 1 : 0)) return false;
    if (waits) bind(in, 0, {place::immediate, type::b32});
    // A product is done when it is issued, so that a fence has nothing to order.
    in.op.action = waits ? action::await_products : commits ? action::commit_products : action::nothing;
    in.classify(instruction_kind::barrier, pipe::none);
    return in.finish();
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
