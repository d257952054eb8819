// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wmma.hpp"

#include <cstddef>
#include <cstdint>

#include "../ops/matrix_ops.hpp"
#include "matrix.hpp"
#include "memory.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// The registers of a fragment; those of a and b of halves hold their values twice.
static std::size_t fragment_registers(wmma_shape shape, type element, fragment which) noexcept {
    bool const twice = element == type::f16 && which != fragment::c;
    std::size_t const bytes = std::size_t{ptx::size_of(element)} * shape.values(which);
    return element == type::f64 ? bytes / 8 : bytes / 4 * (twice ? 2 : 1);
}

static constexpr type fragment_register_type(type element) noexcept {
    return element == type::f64 ? type::b64 : type::b32;
}

// The shape that goes with the type of a and b: 16, 8 or 4 along k.
static bool is_fragment_type(wmma_shape shape, type element, fragment which) noexcept {
    if (shape.k == 4) return element == type::f64;
    if (which == fragment::c)
        return element == type::f32 || (shape.k == 16 && (element == type::f16 || element == type::s32));
    if (shape.k == 8) return element == type::tf32;
    return element == type::f16 || element == type::bf16 || element == type::s8 || element == type::u8;
}

// wmma.load.{a,b,c} and wmma.store.d, whose registers are the slots.
static bool wmma_move(instruction_decoder& in, wmma_shape shape, bool loads) {
    in.op.action = loads ? action::load : action::store;
    auto& which = in.op.memory.fragment;
    if (!loads) which = in.take("d") ? fragment::c : fragment::none;
    else which = in.take("a") ? fragment::a : in.take("b") ? fragment::b : in.take("c") ? fragment::c : fragment::none;
    in.op.mode = in.take("col");
    if (in.op.mode == 0 && !in.take("row")) return in.unsupported();
    take_space(in);
    auto const element = in.op.memory.element = in.take_type();
    if (which == fragment::none || !is_fragment_type(shape, element, which)) return in.unsupported();
    in.op.immediate = shape.packed();
    if (!in.has_operands(2, 3) || !take_address(in, loads ? 1 : 0, in.op.a, in.op.offset, in.op.memory)) return false;
    if (in.operand_count() == 3) bind(in, 2, {place::b, type::b32});
    else
        in.op.b = in.builder.constant(
            (which == fragment::a && in.op.mode == 0) || (which == fragment::b && in.op.mode != 0) ? shape.k
                                                                                                   : shape.size,
            4);
    auto const count = fragment_registers(shape, element, which);
    if (!bind_slots(in, loads ? 0 : 1, count, fragment_register_type(element),
                    loads ? transfer::write : transfer::read))
        return false;
    in.classify(loads ? instruction_kind::load : instruction_kind::store, pipe::lsu);
    return in.finish();
}

// The layouts named need no attention: loading has brought a and b into the one order there is.
static bool wmma_multiply(instruction_decoder& in, wmma_shape shape) {
    if (!in.take("row") && !in.take("col")) return in.unsupported();
    if (!in.take("row")) in.take("col");
    in.take("rn"); // of doubles; there is no other
    in.op.mode = static_cast<std::uint8_t>((in.take("satfinite") ? mma_form::saturates : 0) |
                                           (shape.size == 16 ? mma_form::tall | mma_form::wide : 0));
    in.op.immediate = shape.k;
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
    bool const result_fits = of_a == type::f64 ? in.op.type == type::f64
                             : integers        ? in.op.type == type::s32
                                        : in.op.type == type::f32 || (in.op.type == type::f16 && of_a == type::f16);
    if (last != in.op.type || of_a != in.op.memory.element || !is_fragment_type(shape, of_a, fragment::a) ||
        !result_fits || !in.has_operands(4, 4))
        return in.unsupported();
    auto const reg = fragment_register_type(of_a);
    auto const results = fragment_registers(shape, in.op.type, fragment::c);
    auto const factors = fragment_registers(shape, of_a, fragment::a);
    auto const used = of_a == type::f16 ? factors / 2 : factors;
    if (!bind_slots(in, 0, results, reg, transfer::write) ||
        !bind_slots(in, 1, factors, reg, transfer::read, width::exact, used) ||
        !bind_slots(in, 2, factors, reg, transfer::read, width::exact, used) ||
        !bind_slots(in, 3, results, reg, transfer::read))
        return false;
    in.op.compute = multiply_matrices;
    return in.finish();
}

bool wmma(instruction_decoder& in) {
    take_whole_warp(in);
    wmma_shape shape{};
    if (in.take("m16n16k16")) shape = {16, 16};
    else if (in.take("m16n16k8")) shape = {16, 8};
    else if (in.take("m8n8k4")) shape = {8, 4};
    else return in.unsupported();
    if (in.take("mma")) return wmma_multiply(in, shape);
    return in.take("load")    ? wmma_move(in, shape, true)
           : in.take("store") ? wmma_move(in, shape, false)
                              : in.unsupported();
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
