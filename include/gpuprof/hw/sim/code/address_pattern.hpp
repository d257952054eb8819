// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the addresses of a warp's lanes lie. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_CODE_ADDRESS_PATTERN_HPP
#define GPUPROF_HW_SIM_CODE_ADDRESS_PATTERN_HPP

#include <cstdint> // addresses

#include "decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// @param bytes that a lane moves
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

#endif // GPUPROF_HW_SIM_CODE_ADDRESS_PATTERN_HPP
