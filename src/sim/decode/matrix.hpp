// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes matrix instructions.
#ifndef GPUPROF_SRC_SIM_DECODE_MATRIX_HPP
#define GPUPROF_SRC_SIM_DECODE_MATRIX_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// Takes .sync.aligned: all lanes of the warp take part.
void take_whole_warp(instruction_decoder& in);

decoder_function mma, ldmatrix, stmatrix, movmatrix;

inline constexpr decoder_row matrix_decoders[] = {
    {"mma", decode::mma},
    {"ldmatrix", decode::ldmatrix},
    {"stmatrix", decode::stmatrix},
    {"movmatrix", decode::movmatrix},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_MATRIX_HPP
