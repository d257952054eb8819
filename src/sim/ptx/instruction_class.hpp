// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of instructions that metrics count, and the pipes that execute them.
#ifndef GPUPROF_SRC_SIM_PTX_INSTRUCTION_CLASS_HPP
#define GPUPROF_SRC_SIM_PTX_INSTRUCTION_CLASS_HPP

#include <cstddef>
#include <cstdint>

#include "type.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What an instruction does, as the metrics count it: f is 32-bit, h 16-bit, d 64-bit floating
// point.
enum class instruction_kind : std::uint8_t {
    fadd,
    fmul,
    ffma,
    fp32_other,
    hadd,
    hmul,
    hfma,
    fp16_other,
    dadd,
    dmul,
    dfma,
    fp64_other,
    special_function,
    integer,
    integer_multiply,
    bit,
    predicate,
    conversion,
    move,
    address_conversion, // cvta and friends: usually no SASS instruction
    parameter_load,     // ld.param of a kernel: usually an operand from constant memory
    special_register,
    control,
    barrier,
    fence,
    inter_thread,
    load,
    store,
    atomic,
    reduction,
    copy_async,
    texture, // and surface: fetches, loads, stores
    matrix,
    other
};
inline constexpr std::size_t instruction_kinds = static_cast<std::size_t>(instruction_kind::other) + 1;

// Additions, products and fused ones of floats and doubles: what metrics count as operations.
[[nodiscard]] constexpr bool is_operation_of_floats(instruction_kind kind) noexcept {
    using enum instruction_kind;
    return kind == fadd || kind == fmul || kind == ffma || kind == dadd || kind == dmul || kind == dfma;
}

// The pipe that executes it on chips from Volta on (kernel profiling guide, 3.5 "Pipelines").
enum class pipe : std::uint8_t { none, alu, fma, fp16, fp64, xu, lsu, adu, cbu, tensor, tex, tma };
inline constexpr std::size_t pipes = static_cast<std::size_t>(pipe::tma) + 1;

// How the class of an instruction depends on the type it works on.
enum class class_rule : std::uint8_t {
    fixed,
    sums, // on floating-point numbers it is an addition, …
    products,
    fused,
    floats,    // … or another operation
    predicates // on predicates it is an operation on those
};

// The class of an instruction in the profile: on integers and bits, and how it follows from that on
// other types.
struct instruction_class {
    instruction_kind kind;
    sim::pipe pipe;
    class_rule rule = class_rule::fixed;

    // The class of the form on operands of that type.
    [[nodiscard]] constexpr instruction_class of(ptx::type t) const noexcept {
        using enum instruction_kind;
        if (rule == class_rule::predicates && t == ptx::type::pred) return {predicate, pipe};
        if (rule == class_rule::fixed || rule == class_rule::predicates || !ptx::is_floating(t)) return *this;
        constexpr instruction_kind kinds[3][4] = {
            {fadd, fmul, ffma, fp32_other}, {hadd, hmul, hfma, fp16_other}, {dadd, dmul, dfma, fp64_other}};
        bool const is_double = t == ptx::type::f64;
        bool const is_single = t == ptx::type::f32;
        int const operation = static_cast<int>(rule) - static_cast<int>(class_rule::sums);
        instruction_kind const k = kinds[is_double ? 2 : is_single ? 0 : 1][operation];
        if (is_double) return {k, pipe::fp64};
        if (!is_single) return {k, pipe::fp16};
        return {k, rule == class_rule::floats ? pipe::alu : pipe::fma};
    }
};
static_assert(static_cast<int>(class_rule::floats) - static_cast<int>(class_rule::sums) == 3,
              "the rules of floating-point numbers stand in the order of their kinds");

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_INSTRUCTION_CLASS_HPP
