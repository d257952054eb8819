// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barriers of a CTA.
#ifndef GPUPROF_SRC_SIM_EXECUTE_BARRIER_HPP
#define GPUPROF_SRC_SIM_EXECUTE_BARRIER_HPP

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Sixteen named barriers. A warp counts as 32 threads, as on hardware.
class barrier_set {
public:
    static constexpr std::uint32_t count = 16;

    // The arrival of a warp: the `threads` expected (0: all of the CTA that have not exited), and
    // for bar.red the lanes whose predicate is true and those that take part.
    struct arrival {
        std::uint32_t number = 0;
        std::uint32_t threads = 0;
        barrier_reduction reduction = barrier_reduction::none;
        lane_mask said = 0;
        lane_mask members = 0;
    };

    void arrive(arrival const& a, std::vector<warp>& warps) noexcept {
        barrier& b = barriers_[a.number];
        b.arrived += warp_size;
        b.expected = a.threads;
        b.total += static_cast<std::uint32_t>(std::popcount(a.said & a.members));
        b.all = b.all && (a.said & a.members) == a.members;
        if (a.reduction != barrier_reduction::none) b.reduction = a.reduction;
        settle(a.number, warps);
    }

    // How many times it has opened.
    [[nodiscard]] std::uint32_t openings(std::uint32_t number) const noexcept { return openings_[number % count]; }

    // A warp has exited: barriers that count the living may now be complete.
    void settle_all(std::vector<warp>& warps) noexcept {
        for (std::uint32_t i = 0; i < count; ++i)
            if (barriers_[i].arrived != 0 && barriers_[i].expected == 0) settle(i, warps);
    }

private:
    struct barrier {
        std::uint32_t arrived = 0;
        std::uint32_t expected = 0;
        std::uint32_t total = 0;
        barrier_reduction reduction = barrier_reduction::none;
        bool all = true;
    };

    void settle(std::uint32_t number, std::vector<warp>& warps) noexcept {
        barrier& b = barriers_[number];
        std::uint32_t expected = (b.expected + warp_size - 1) / warp_size * warp_size;
        if (expected == 0)
            for (auto const& w : warps) expected += w.finished() ? 0 : warp_size;
        if (b.arrived < expected) return;
        std::uint32_t result = b.total != 0 ? 1 : 0;
        if (b.reduction == barrier_reduction::popc) result = b.total;
        if (b.reduction == barrier_reduction::and_) result = b.all ? 1 : 0;
        for (auto& w : warps)
            if (w.waiting_at == number) {
                w.waiting_at = warp::no_barrier;
                w.released = true;
                w.reduction = result;
            }
        b = {};
        ++openings_[number];
    }

    std::array<barrier, count> barriers_{};
    std::array<std::uint32_t, count> openings_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_BARRIER_HPP
