// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes shuffles, votes, barriers and fences.
#ifndef GPUPROF_SRC_SIM_DECODE_WARP_HPP
#define GPUPROF_SRC_SIM_DECODE_WARP_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function shfl, vote, match, redux, activemask, elect, bar, fence;

inline constexpr decoder_row warp_decoders[] = {
    {"shfl", decode::shfl},
    {"vote", decode::vote},
    {"match", decode::match},
    {"redux", decode::redux},
    {"activemask", decode::activemask},
    {"elect", decode::elect},
    {"bar", decode::bar},
    {"barrier", decode::bar},
    {"membar", decode::fence},
    {"fence", decode::fence},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_WARP_HPP
