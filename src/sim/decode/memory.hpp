// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes loads, stores, atomics and asynchronous copies.
#ifndef GPUPROF_SRC_SIM_DECODE_MEMORY_HPP
#define GPUPROF_SRC_SIM_DECODE_MEMORY_HPP

#include <cstddef>
#include <cstdint>

#include "../code/decoded.hpp"
#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// Takes the state space; false, and generic, where the instruction names none.
bool take_space(instruction_decoder& in);
// Takes ordering, scope, cache hints and the length of the vector.
void take_memory_modifiers(instruction_decoder& in);
// Reads operand `i`, [base+offset], into `base`, `offset` and the form. Constant addresses become
// offsets.
bool take_address(instruction_decoder& in, std::size_t i, operand_ref& base, std::int64_t& offset, memory_form& form);

// The forms of cp.async other than cp.async.mbarrier, which mbarrier.hpp decodes along with
// mbarrier.
decoder_function cp;

decoder_function ld, st, atom, red, hint, createpolicy, tensormap;

inline constexpr decoder_row memory_decoders[] = {
    {"ld", decode::ld},
    {"ldu", decode::ld},
    {"st", decode::st},
    {"atom", decode::atom},
    {"red", decode::red},
    {"prefetch", decode::hint},
    {"prefetchu", decode::hint},
    {"applypriority", decode::hint},
    {"discard", decode::hint},
    {"createpolicy", decode::createpolicy},
    {"tensormap", decode::tensormap},
};

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_MEMORY_HPP
