// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds operands as written to their places in the decoded instruction. All decoders go this way.
#ifndef GPUPROF_SRC_SIM_DECODE_OPERANDS_HPP
#define GPUPROF_SRC_SIM_DECODE_OPERANDS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../code/decoded.hpp"
#include "../ptx/type.hpp"
#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

using ptx::type;

// Where an operand goes.
enum class place : std::uint8_t {
    d,
    pair, // d, or d|p: p goes to d2
    a,
    b,
    c,
    e,
    negatable_a, // a predicate that may be !p
    negatable_c,
    members,  // of the warp, who all must take part: goes to e
    immediate // a constant, as many bits of it as the type has
};
[[nodiscard]] constexpr bool is_written(place to) noexcept { return to == place::d || to == place::pair; }

// An operand's place, and the type it is read or written as.
struct binding {
    place to;
    type as;
};

void bind(instruction_decoder& in, ptx::operand const& o, binding b);
inline void bind(instruction_decoder& in, std::size_t i, binding b) { bind(in, in.operand(i), b); }

// All operands, in their order, of an instruction that computes `f` on registers; what it reads is
// bound first. A null function stands for a form that there is not.
bool compute(instruction_decoder& in, lane_function f, std::initializer_list<binding> operands,
             collective members = collective::groups);
// The most frequent shapes of that.
bool unary(instruction_decoder& in, type t, type result, lane_function f);
bool binary(instruction_decoder& in, type t, lane_function f);
bool ternary(instruction_decoder& in, type a, type b, type c, type d, lane_function f);

// A register of an operand that has several of them, or may have: the next of the instruction's
// slots.
enum class transfer : std::uint8_t { read, write };
enum class width : std::uint8_t { exact, at_least }; // whether the register may be wider than the type

operand_slot make_slot(instruction_decoder& in, ptx::operand const& o, type t, transfer way, width fits);

inline constexpr std::size_t all_registers = ~std::size_t{0};

// {r, …}, or r alone where there is one: `count` registers, of which the first `used` become slots.
bool bind_slots(instruction_decoder& in, std::size_t i, std::size_t count, type t, transfer way,
                width fits = width::exact, std::size_t used = all_registers);

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_OPERANDS_HPP
