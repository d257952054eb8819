// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses a memory instruction forms.
#ifndef GPUPROF_SRC_SIM_EXECUTE_LANE_ADDRESSES_HPP
#define GPUPROF_SRC_SIM_EXECUTE_LANE_ADDRESSES_HPP

#include <cstdint>

#include "../code/decoded.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The addresses of an instruction, without looking at memory.
[[nodiscard]] inline lanes<std::uint64_t> lane_addresses(warp const& w, registers const& r,
                                                         decoded const& op) noexcept {
    lanes<std::uint64_t> address;
    auto offset = static_cast<std::uint64_t>(op.offset);
    if (op.memory.frame_relative) offset += w.frame().local;
    if (!op.memory.has_base) {
        address.fill(offset);
    } else if (op.memory.narrow_address) {
        auto const* const base = r.look<std::uint32_t>(op.a);
        for (unsigned i = 0; i < warp_size; ++i) address[i] = static_cast<std::uint32_t>(base[i] + offset);
    } else {
        auto const* const base = r.look<std::uint64_t>(op.a);
        for (unsigned i = 0; i < warp_size; ++i) address[i] = base[i] + offset;
    }
    return address;
}

// How they lie. @param bytes that a lane moves
[[nodiscard]] inline address_pattern pattern_of(lanes<std::uint64_t> const& address, lane_mask mask,
                                                std::uint64_t bytes) noexcept {
    std::uint64_t const step = address[1] - address[0];
    if (mask != all_lanes || (step != 0 && step != bytes) ||
        address[warp_size - 1] - address[0] != (warp_size - 1) * step)
        return address_pattern::any;
    std::uint64_t differs = 0;
    for (unsigned i = 0; i < warp_size; ++i) differs |= address[i] ^ (address[0] + i * step);
    return differs != 0 ? address_pattern::any : step == 0 ? address_pattern::same : address_pattern::side_by_side;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_LANE_ADDRESSES_HPP
