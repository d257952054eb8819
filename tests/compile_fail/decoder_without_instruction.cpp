// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A decoder of an opcode that the instruction set lacks.
// expect: gpuprof: an opcode with a decoder has no row in ptx/instruction_set.hpp
#include "sim/decode/decode.hpp"

using namespace gpuprof::sim::decode;

#ifdef GPUPROF_COMPILE_FAIL
inline constexpr gpuprof::sim::decoder_row fragment_decoders[] = {{"wmma", wmma}, {"tcgen05", wmma}};
#else
inline constexpr gpuprof::sim::decoder_row fragment_decoders[] = {{"wmma", wmma}};
#endif
inline constexpr auto all =
    join_decoders<bit_decoders, control_decoders, float_decoders, integer_decoders, matrix_decoders, mbarrier_decoders,
                  memory_decoders, select_decoders, texture_decoders, video_decoders, warp_decoders, wgmma_decoders,
                  fragment_decoders>();
