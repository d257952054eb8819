// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes wmma, which nvcc makes of nvcuda::wmma: fragments of 16 by 16 matrices. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_WMMA_HPP
#define GPUPROF_HW_SIM_DECODE_WMMA_HPP

#include <cstddef> // counts of registers
#include <cstdint> // sizes

#include "matrix.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// Eight values a lane; the 16 registers of two a and b fragments of halves hold them twice.
[[nodiscard]] inline std::size_t fragment_registers(type element, fragment which) noexcept {
    bool const twice = element == type::f16 && which != fragment::c;
    return std::size_t{ptx::size_of(element)} * 8 / 4 * (twice ? 2 : 1);
}
[[nodiscard]] inline bool is_fragment_type(type element, fragment which) noexcept {
    if (which == fragment::c) return element == type::f16 || element == type::f32 || element == type::s32;
    return element == type::f16 || element == type::bf16 || element == type::s8 || element == type::u8;
}
// wmma.load.{a,b,c} and wmma.store.d, whose registers are the slots.
inline bool wmma_move(instruction_decoder& in, bool loads) {
    in.op.action = loads ? action::load : action::store;
    auto& which = in.op.memory.fragment;
    if (!loads) which = in.take("d") ? fragment::c : fragment::none;
    else which = in.take("a") ? fragment::a : in.take("b") ? fragment::b : in.take("c") ? fragment::c : fragment::none;
    in.op.mode = in.take("col");
    if (in.op.mode == 0 && !in.take("row")) return in.unsupported();
    take_space(in);
    auto const element = in.op.memory.element = in.take_type();
    if (which == fragment::none || !is_fragment_type(element, which)) return in.unsupported();
    if (!in.has_operands(2, 3) || !take_address(in, loads ? 1 : 0, in.op.a, in.op.offset, in.op.memory)) return false;
    if (in.operand_count() == 3) bind(in, 2, {place::b, type::b32});
    else in.op.b = in.into.constant(16, 4);
    auto const count = fragment_registers(element, which);
    if (!bind_slots(in, loads ? 0 : 1, count, type::b32, loads ? transfer::write : transfer::read)) return false;
    in.classify(loads ? instruction_kind::load : instruction_kind::store, pipe::lsu);
    return in.finish();
}

// The layouts named need no attention: loading has brought a and b into the one order there is.
inline bool wmma_multiply(instruction_decoder& in) {
    if (!in.take("row") && !in.take("col")) return in.unsupported();
    if (!in.take("row")) in.take("col");
    in.op.mode = in.take("satfinite") ? 1 | 2 | 4 : 1 | 2;
    in.op.immediate = 16;
    in.op.type = in.take_type();
    auto last = in.take_type(); // halves are not named: .f32.f32 are the types of d and c
    in.op.source_type = in.op.memory.element = type::f16;
    if (in.has_modifiers()) {
        in.op.source_type = last;
        in.op.memory.element = in.take_type();
        last = in.take_type();
    }
    auto const of_a = in.op.source_type;
    bool const integers = !ptx::is_floating(of_a);
    bool const result_fits =
        integers ? in.op.type == type::s32 : in.op.type == type::f32 || (in.op.type == type::f16 && of_a == type::f16);
    if (last != in.op.type || of_a != in.op.memory.element || !is_fragment_type(of_a, fragment::a) || !result_fits ||
        !in.has_operands(4, 4))
        return in.unsupported();
    auto const results = fragment_registers(in.op.type, fragment::c);
    auto const factors = fragment_registers(of_a, fragment::a);
    auto const used = ptx::size_of(of_a) * 8u / 4;
    if (!bind_slots(in, 0, results, type::b32, transfer::write) ||
        !bind_slots(in, 1, factors, type::b32, transfer::read, width::exact, used) ||
        !bind_slots(in, 2, factors, type::b32, transfer::read, width::exact, used) ||
        !bind_slots(in, 3, results, type::b32, transfer::read))
        return false;
    in.op.compute = multiply_matrices;
    return in.finish();
}

inline bool wmma(instruction_decoder& in) {
    take_whole_warp(in);
    if (!in.take("m16n16k16")) return in.unsupported();
    if (in.take("mma")) return wmma_multiply(in);
    return in.take("load") ? wmma_move(in, true) : in.take("store") ? wmma_move(in, false) : in.unsupported();
}

inline constexpr decoder_row wmma_decoders[] = {
    {"wmma", decode::wmma},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_WMMA_HPP
