// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes wgmma, the asynchronous matrix products of a warpgroup.
#ifndef GPUPROF_SRC_SIM_DECODE_WGMMA_HPP
#define GPUPROF_SRC_SIM_DECODE_WGMMA_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function wgmma;

inline constexpr decoder_row wgmma_decoders[] = {{"wgmma", decode::wgmma}};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_WGMMA_HPP
