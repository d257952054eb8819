// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores of neighbouring warps to the same sectors, of which L2 gets one.
#ifndef GPUPROF_SRC_SIM_MODEL_STORE_MERGE_HPP
#define GPUPROF_SRC_SIM_MODEL_STORE_MERGE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include "../code/observer.hpp"
#include "access_lines.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// When a store happens, as far as can be told without time. The warps of a CTA are in step where they
// begin or leave a barrier.
struct store_moment {
    instruction_info const* at = nullptr; // null: no store merges with it
    std::uint32_t warp = 0;
    std::uint64_t tick = 0; // instructions of the warp since the barrier
};

// L1 holds a store for some ten nanoseconds before it sends it to L2. A store to the same sector in this
// time goes with it. As an H200 does it (tests/hardware/l2_counts.cu and last_l2_counts.txt): those that a
// warp does one right after the other; and those of the four warps whose instructions are issued at once,
// or of two where they waited for global memory before, which puts them out of step. Requests of many
// sectors keep L1 too busy for that, and stores of 16 bytes a thread hardly ever come together.
class store_merge {
public:
    // What the warps do besides. @pre warp < 32
    void barrier(unsigned warp) noexcept { ++barriers_[warp], loaded_[warp] = 0; }
    void load(unsigned warp) noexcept { ++loaded_[warp]; }
    void cta_finished() noexcept {
        ++ctas_;
        barriers_.fill(0);
        loaded_.fill(0);
    }

    // The sectors of a line that go to L2.
    // @param all sectors of the request
    [[nodiscard]] sector_mask left(std::uint64_t line, sector_mask sectors, unsigned all,
                                   store_moment const& now) noexcept {
        if (now.at == nullptr || all > most_sectors) return sectors;
        entry& last = entries_[line % entries_.size()];
        if (last.line == line && follows(last, all, now)) {
            auto const sent = static_cast<sector_mask>(sectors & ~last.sectors);
            last.sectors |= sectors;
            if (last.moment.warp == now.warp) last.moment = now;
            return sent;
        }
        last = {line, now, ctas_, barriers_[now.warp], loaded_[now.warp], sectors};
        return sectors;
    }

private:
    static constexpr unsigned most_sectors = 24;         // of a request: 24 go together, 32 do not
    static constexpr unsigned most_of_several_warps = 8; // those of other warps are further away
    static constexpr std::uint64_t soon = 4;             // instructions
    static constexpr std::uint64_t in_step = 8;          // instructions that warps are apart at most

    struct entry {
        std::uint64_t line = 0;
        store_moment moment;
        std::uint64_t cta = 0;
        std::uint32_t barriers = 0;
        std::uint32_t loaded = 0;
        sector_mask sectors = 0;
    };

    [[nodiscard]] bool follows(entry const& last, unsigned all, store_moment const& now) const noexcept {
        if (last.cta != ctas_ || last.barriers != barriers_[now.warp]) return false;
        store_moment const& then = last.moment;
        if (then.warp == now.warp) return now.tick - then.tick <= soon && last.loaded == loaded_[now.warp];
        if (all > most_of_several_warps) return false;
        std::uint64_t const apart = now.tick > then.tick ? now.tick - then.tick : then.tick - now.tick;
        unsigned const together = loaded_[now.warp] == 0 ? 4 : 2; // warps
        return then.at == now.at && apart <= in_step && then.warp / together == now.warp / together;
    }

    std::array<entry, 64> entries_{};          // by line
    std::uint64_t ctas_ = 1;                   // that began, of those that run one after the other
    std::array<std::uint32_t, 32> barriers_{}; // of each warp
    std::array<std::uint32_t, 32> loaded_{};   // times that it loaded from global memory since
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_STORE_MERGE_HPP
