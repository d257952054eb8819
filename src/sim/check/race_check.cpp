// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race_check.hpp"

#include <cstdint>
#include <string>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::string race_check::text_of(bool writes, bool reads, unsigned strength, std::uint32_t bytes) {
    std::string text = writes && reads ? "atomic" : writes ? "write" : "read";
    if (strength != 0 && !(writes && reads)) text = "strong " + text;
    if (strength == 1) text += " of the scope of a CTA";
    return bytes == 0 ? text : text + " of " + std::to_string(bytes) + " bytes";
}

void race_check::found(access_record const& then, bool then_writes, access_record const& now, unsigned warp,
                       watched_access const& access, std::uint64_t address, bool is_harmless) {
    if (is_harmless) return;
    launch_.found(finding_kind::race, now.instruction(), then.instruction(), [&] {
        launch_clocks::segment const& at = launch_.clocks.at(then.segment);
        finding race;
        race.here = launch_.side({clocks_.cta(), warp * warp_size + now.lane(), now.instruction()},
                                 text_of(access.writes, access.reads, now.strength(), access.bytes));
        race.other = launch_.side({at.cta, at.warp * warp_size + then.lane(), then.instruction()},
                                  text_of(then_writes, false, then.strength(), 0));
        if (then.by_many()) race.other->did += " by several threads of the warp";
        race.address = address + (access.space == ptx::space::shared ? address_map::shared_window : 0);
        race.detail = launch_.place_of(access.space, address);
        return race;
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
