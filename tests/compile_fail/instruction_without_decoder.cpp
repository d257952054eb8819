// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of the instruction set that no list of decoders has.
// expect: gpuprof: a row of ptx/instruction_set.hpp has no decoder
#include "sim/decode/decode.hpp"

using namespace gpuprof::sim::decode;

#ifdef GPUPROF_COMPILE_FAIL
inline constexpr auto most =
    join_decoders<bit_decoders, control_decoders, float_decoders, integer_decoders, matrix_decoders, mbarrier_decoders,
                  memory_decoders, select_decoders, texture_decoders, video_decoders, warp_decoders>();
#else
inline constexpr auto all =
    join_decoders<bit_decoders, control_decoders, float_decoders, integer_decoders, matrix_decoders, mbarrier_decoders,
                  memory_decoders, select_decoders, texture_decoders, video_decoders, warp_decoders, wgmma_decoders,
                  wmma_decoders>();
#endif
