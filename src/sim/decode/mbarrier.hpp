// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes mbarrier instructions.
#ifndef GPUPROF_SRC_SIM_DECODE_MBARRIER_HPP
#define GPUPROF_SRC_SIM_DECODE_MBARRIER_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function mbarrier, cp_async;

inline constexpr decoder_row mbarrier_decoders[] = {
    {"mbarrier", decode::mbarrier},
    {"cp", decode::cp_async},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_MBARRIER_HPP
