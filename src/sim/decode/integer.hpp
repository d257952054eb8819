// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes integer arithmetic.
#ifndef GPUPROF_SRC_SIM_DECODE_INTEGER_HPP
#define GPUPROF_SRC_SIM_DECODE_INTEGER_HPP

#include "../ptx/type.hpp"
#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// The forms on integers of instructions that float.hpp decodes. The type was taken.
bool integer_add(instruction_decoder& in, ptx::type t);
bool integer_subtract(instruction_decoder& in, ptx::type t);
bool integer_multiply(instruction_decoder& in, ptx::type t);
bool integer_multiply_add(instruction_decoder& in, ptx::type t);
bool integer_divide(instruction_decoder& in, ptx::type t);
bool integer_absolute(instruction_decoder& in, ptx::type t);
bool integer_negate(instruction_decoder& in, ptx::type t);
bool integer_minimum(instruction_decoder& in, ptx::type t);
bool integer_maximum(instruction_decoder& in, ptx::type t);

decoder_function addc, subc, madc, mul24, mad24, sad, rem, dp4a, dp2a;

inline constexpr decoder_row integer_decoders[] = {
    {"addc", decode::addc},   {"subc", decode::subc},   {"madc", decode::madc},
    {"mul24", decode::mul24}, {"mad24", decode::mad24}, {"sad", decode::sad},
    {"rem", decode::rem},     {"dp4a", decode::dp4a},   {"dp2a", decode::dp2a},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_INTEGER_HPP
