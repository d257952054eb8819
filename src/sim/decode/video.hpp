// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes video instructions.
#ifndef GPUPROF_SRC_SIM_DECODE_VIDEO_HPP
#define GPUPROF_SRC_SIM_DECODE_VIDEO_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function video, vmad;

inline constexpr decoder_row video_decoders[] = {
    {"vabsdiff", video}, {"vabsdiff2", video}, {"vabsdiff4", video}, {"vadd", video},  {"vadd2", video},
    {"vadd4", video},    {"vavrg2", video},    {"vavrg4", video},    {"vmad", vmad},   {"vmax", video},
    {"vmax2", video},    {"vmax4", video},     {"vmin", video},      {"vmin2", video}, {"vmin4", video},
    {"vset", video},     {"vset2", video},     {"vset4", video},     {"vshl", video},  {"vshr", video},
    {"vsub", video},     {"vsub2", video},     {"vsub4", video},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_VIDEO_HPP
