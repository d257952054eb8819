// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes wmma, the instruction of nvcuda::wmma: fragments of 16 by 16 matrices, of doubles 8 by 8.
#ifndef GPUPROF_SRC_SIM_DECODE_WMMA_HPP
#define GPUPROF_SRC_SIM_DECODE_WMMA_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function wmma;

inline constexpr decoder_row wmma_decoders[] = {
    {"wmma", decode::wmma},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_WMMA_HPP
