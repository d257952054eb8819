// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value_check.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "../code/device_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void value_check::remember(std::uint32_t origin, warp const& w, lane_mask lanes, ptx::space space,
                           std::uint64_t address, unsigned bytes, bool gone_lane) {
    auto const lane = static_cast<unsigned>(std::countr_zero(lanes));
    launch_.origins.try_emplace(
        origin,
        launch_check::origin{{cta_, w.number() * warp_size + lane, origin - 1}, space, address, bytes, gone_lane});
}

void value_check::decides(warp& w, decoded const& op, lane_mask lanes, std::uint32_t origin, char const* decision) {
    std::uint32_t const here = launch_.number(*w.frame().function, op);
    auto const lane = static_cast<unsigned>(std::countr_zero(lanes));
    launch_.found(finding_kind::uninitialised, here, origin, [&] {
        finding use;
        use.here = launch_.side({cta_, w.number() * warp_size + lane, here}, {});
        use.detail = std::string{"a value that nobody wrote: "} + decision;
        auto const known = launch_.origins.find(origin);
        if (known == launch_.origins.end()) return use;
        launch_check::origin const& from = known->second;
        std::string did = from.gone_lane ? "shuffle from a lane that is not there"
                                         : "read of " + std::to_string(from.bytes) + " bytes at ";
        if (!from.gone_lane) {
            std::uint64_t const window = from.space == ptx::space::shared  ? address_map::shared_window
                                         : from.space == ptx::space::local ? address_map::local_window
                                                                           : 0;
            char text[32];
            std::snprintf(text, sizeof text, "0x%llx, ", static_cast<unsigned long long>(window) + from.address);
            did += text + launch_.place_of(from.space, from.address);
            use.address = window + from.address;
        }
        use.other = launch_.side(from.place, std::move(did));
        return use;
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
