// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves arguments and results between the frames of a call.
#ifndef GPUPROF_SRC_SIM_EXECUTE_CALL_TRANSFER_HPP
#define GPUPROF_SRC_SIM_EXECUTE_CALL_TRANSFER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../code/kernel.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Copies an argument or result between frames, lane by lane, in pieces that local memory keeps
// together.
inline void transfer(warp& w, call_frame const& from_frame, call_value const& from, call_frame const& to_frame,
                     call_value const& to, lane_mask lanes) {
    std::uint32_t const bytes = from.bytes < to.bytes ? from.bytes : to.bytes;
    auto const r_from = w.registers_of(from_frame);
    auto const r_to = w.registers_of(to_frame);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        for (std::uint32_t at = 0; at < bytes;) {
            std::uint32_t piece = bytes - at;
            if (from.in_memory) piece = (std::min)(piece, 16 - (from_frame.local + from.offset + at) % 16);
            if (to.in_memory) piece = (std::min)(piece, 16 - (to_frame.local + to.offset + at) % 16);
            std::byte const* const source = from.in_memory
                                                ? w.local(lane, from_frame.local + from.offset + at)
                                                : r_from.read_bytes(from.slot) + std::size_t{lane} * from.bytes + at;
            std::byte* const target = to.in_memory ? w.local(lane, to_frame.local + to.offset + at)
                                                   : r_to.bytes(to.slot) + std::size_t{lane} * to.bytes + at;
            std::memcpy(target, source, piece);
            at += piece;
        }
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_CALL_TRANSFER_HPP
