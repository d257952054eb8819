// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes texture and surface instructions.
#ifndef GPUPROF_SRC_SIM_DECODE_TEXTURE_HPP
#define GPUPROF_SRC_SIM_DECODE_TEXTURE_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function tex, tld4, suld, sust, query;

inline constexpr decoder_row texture_decoders[] = {
    {"tex", decode::tex},   {"tld4", decode::tld4}, {"suld", decode::suld},
    {"sust", decode::sust}, {"txq", decode::query}, {"suq", decode::query},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_TEXTURE_HPP
