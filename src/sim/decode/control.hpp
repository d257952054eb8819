// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes branches, calls, exits and traps.
#ifndef GPUPROF_SRC_SIM_DECODE_CONTROL_HPP
#define GPUPROF_SRC_SIM_DECODE_CONTROL_HPP

#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

decoder_function bra, brx, call, ret, exit_thread, trap, nothing, pmevent;

inline constexpr decoder_row control_decoders[] = {
    {"bra", decode::bra},
    {"brx", decode::brx},
    {"call", decode::call},
    {"ret", decode::ret},
    {"exit", decode::exit_thread},
    {"trap", decode::trap},
    {"brkpt", decode::nothing},
    {"nanosleep", decode::nothing},
    {"pmevent", decode::pmevent},
    {"griddepcontrol", decode::nothing},
    {"setmaxnreg", decode::nothing},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_CONTROL_HPP
