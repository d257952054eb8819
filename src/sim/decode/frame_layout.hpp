// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets registers of a function that are never needed at once share their place in its frame.
#ifndef GPUPROF_SRC_SIM_DECODE_FRAME_LAYOUT_HPP
#define GPUPROF_SRC_SIM_DECODE_FRAME_LAYOUT_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "../code/kernel.hpp"
#include "../sass/liveness.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A register of the frame.
struct frame_register {
    std::uint32_t at = 0;    // offset, in ascending order
    std::uint32_t bytes = 0; // of a warp
    bool is_alone = false;   // it keeps a place of its own, before those that share theirs
    bool is_floating = false;
};

// PTX names a register for nearly each result, so that a frame of one place each is larger than the host's caches. Two share
// one if they have the same size, as lanes lie alike then, both or neither hold floating-point numbers, as the host computes with
// lanes off the mask as well, slowly where integers are there, and if all instructions between the first and the last that name the
// one come before those that name the other. A loop through which a value goes on counts as naming its register everywhere.
// Instructions read and write the lanes of their mask alone, so it does not matter that lanes are at different places.
// @param code complete but for its frame; its instructions name the new places afterwards
// @param registers become the new places
// @param first decoded instruction of each PTX instruction, and their number
// Returns how many bytes further lies what is behind them in the frame, modulo 2^32.
std::uint32_t share_places(function_code& code, std::vector<frame_register>& registers,
                           std::span<backward_branch const> loops, std::span<std::uint32_t const> first);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_FRAME_LAYOUT_HPP
