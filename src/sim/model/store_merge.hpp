// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores of neighbouring warps to the same sectors, of which L2 gets one.
#ifndef GPUPROF_SRC_SIM_MODEL_STORE_MERGE_HPP
#define GPUPROF_SRC_SIM_MODEL_STORE_MERGE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include "access_lines.hpp"
#include "warp_moment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// L1 holds a store for some ten nanoseconds before it sends it to L2. A store to the same sector in this
// time goes with it. As an H200 does it (tests/hardware/l2_counts.cu and last_l2_counts.txt): those that a
// warp does one right after the other; and those of the four warps whose instructions are issued at once,
// or of two where they waited for global memory before, which puts them out of step. Requests of many
// sectors keep L1 too busy for that, and stores of 16 bytes a thread hardly ever come together.
class store_merge {
public:
    // The sectors of a line that go to L2.
    // @param all sectors of the request
    [[nodiscard]] sector_mask left(std::uint64_t line, sector_mask sectors, unsigned all,
                                   warp_moment const& now) noexcept {
        if (now.at == nullptr || all > most_sectors) return sectors;
        entry& last = entries_[line % entries_.size()];
        if (last.line == line && follows(last, all, now)) {
            auto const sent = static_cast<sector_mask>(sectors & ~last.sectors);
            last.sectors |= sectors;
            if (last.moment.warp == now.warp) last.moment = now;
            return sent;
        }
        last = {line, now, sectors};
        return sectors;
    }

private:
    static constexpr unsigned most_sectors = 24;         // of a request: 24 go together, 32 do not
    static constexpr unsigned most_of_several_warps = 8; // those of other warps are further away
    static constexpr std::uint64_t soon = 4;             // instructions
    static constexpr std::uint64_t in_step = 8;          // instructions that warps are apart at most

    struct entry {
        std::uint64_t line = 0;
        warp_moment moment;
        sector_mask sectors = 0;
    };

    [[nodiscard]] static bool follows(entry const& last, unsigned all, warp_moment const& now) noexcept {
        warp_moment const& then = last.moment;
        if (!then.same_phase(now)) return false;
        if (then.warp == now.warp) return now.tick - then.tick <= soon && then.loads == now.loads;
        if (all > most_of_several_warps) return false;
        std::uint64_t const apart = now.tick > then.tick ? now.tick - then.tick : then.tick - now.tick;
        unsigned const together = now.loads == 0 ? 4 : 2; // warps
        return then.at == now.at && apart <= in_step && then.warp / together == now.warp / together;
    }

    std::array<entry, 64> entries_{}; // by line
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_STORE_MERGE_HPP
