// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes moves, conversions, comparisons and selections.
#ifndef GPUPROF_SRC_SIM_DECODE_SELECT_HPP
#define GPUPROF_SRC_SIM_DECODE_SELECT_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function mov, cvt, cvta, isspacep, mapa, getctarank, setp, set, selp, slct;

inline constexpr decoder_row select_decoders[] = {
    {"mov", decode::mov},           {"cvt", decode::cvt},   {"cvta", decode::cvta},
    {"isspacep", decode::isspacep}, {"mapa", decode::mapa}, {"getctarank", decode::getctarank},
    {"setp", decode::setp},         {"set", decode::set},   {"selp", decode::selp},
    {"slct", decode::slct},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_SELECT_HPP
