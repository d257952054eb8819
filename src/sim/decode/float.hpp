// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes floating-point instructions, the ones that also exist for integers among them.
#ifndef GPUPROF_SRC_SIM_DECODE_FLOAT_HPP
#define GPUPROF_SRC_SIM_DECODE_FLOAT_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function add, sub, mul, mad, fma, div, abs, neg, min, max, rcp, sqrt, rsqrt, copysign;
decoder_function testp, sin, cos, lg2, ex2, tanh;
// What contraction makes: a * b - c and c - a * b of a, b and c; a product that sums have taken, which does nothing any more.
decoder_function multiply_subtract, subtract_product, taken_product;

// Finds the lanes whose number a an approximation scales: a subnormal, of ex2 (`mode` is 1) one below -126. d is a predicate.
void find_scaled_lanes(registers const& r, decoded const& op, lane_mask mask) noexcept;
// Finds the lanes that execute each part of a slow_way for a, and b. At d, two predicates for each part: those lanes, and one of them.
void find_slow_lanes(registers const& r, decoded const& op, lane_mask mask) noexcept;

inline constexpr decoder_row float_decoders[] = {
    {"add", decode::add},     {"sub", decode::sub},           {"mul", decode::mul},     {"mad", decode::mad},
    {"fma", decode::fma},     {"div", decode::div},           {"abs", decode::abs},     {"neg", decode::neg},
    {"min", decode::min},     {"max", decode::max},           {"rcp", decode::rcp},     {"sqrt", decode::sqrt},
    {"rsqrt", decode::rsqrt}, {"copysign", decode::copysign}, {"testp", decode::testp}, {"sin", decode::sin},
    {"cos", decode::cos},     {"lg2", decode::lg2},           {"ex2", decode::ex2},     {"tanh", decode::tanh},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_FLOAT_HPP
