// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes logic, shifts, and instructions that count, move and mask bits.
#ifndef GPUPROF_SRC_SIM_DECODE_BITS_HPP
#define GPUPROF_SRC_SIM_DECODE_BITS_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function and_, or_, xor_, not_, cnot, shl, shr, shf, lop3, popc, clz, brev, bfind, fns;
decoder_function bfe, bfi, szext, bmsk, prmt;

inline constexpr decoder_row bit_decoders[] = {
    {"and", decode::and_},    {"or", decode::or_},    {"xor", decode::xor_},  {"not", decode::not_},
    {"cnot", decode::cnot},   {"shl", decode::shl},   {"shr", decode::shr},   {"shf", decode::shf},
    {"lop3", decode::lop3},   {"popc", decode::popc}, {"clz", decode::clz},   {"brev", decode::brev},
    {"bfind", decode::bfind}, {"fns", decode::fns},   {"bfe", decode::bfe},   {"bfi", decode::bfi},
    {"szext", decode::szext}, {"bmsk", decode::bmsk}, {"prmt", decode::prmt},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_BITS_HPP
