// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CTAs of a cluster have in common: each other's shared memory, and a barrier.
#ifndef GPUPROF_SRC_SIM_EXECUTE_CLUSTER_HPP
#define GPUPROF_SRC_SIM_EXECUTE_CLUSTER_HPP

#include <cstddef>
#include <vector>

#include "../code/warp.hpp"
#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Its CTAs run side by side on one host thread, so nothing here need be atomic. Lists are by rank.
// A CTA that is a cluster of its own has one, too.
template <class Check>
class cluster_link {
public:
    void add(std::vector<warp>& warps, cta_memory& memory, Check& check) {
        warps_.push_back(&warps);
        memories_.push_back(&memory);
        checks_.push_back(&check);
    }
    [[nodiscard]] std::vector<cta_memory*> const& memories() const noexcept { return memories_; }
    [[nodiscard]] std::vector<Check*> const& checks() const noexcept { return checks_; }
    [[nodiscard]] bool has_one_cta() const noexcept { return warps_.size() == 1; }

    // Lanes of a warp arrive at the barrier.
    void arrive(warp& w, lane_mask lanes) noexcept {
        w.arrived_in_cluster |= lanes;
        somebody_arrived_ = true;
    }
    // Opens the barrier when all threads that have not exited have arrived.
    void settle() noexcept {
        if (!somebody_arrived_) return;
        for (auto const* const cta : warps_)
            for (warp const& w : *cta)
                if (!w.finished() && (w.live() & ~w.arrived_in_cluster) != 0) return;
        somebody_arrived_ = false;
        for (auto* const cta : warps_)
            for (warp& w : *cta) {
                w.arrived_in_cluster = 0;
                if (w.waiting_at != warp::cluster_barrier) continue;
                w.waiting_at = warp::no_barrier;
                w.released = true;
            }
    }

    // A CTA had its turn, and moved or not. False: none of them can.
    [[nodiscard]] bool note_turn(bool moved) noexcept {
        idle_turns_ = moved ? 0 : idle_turns_ + 1;
        return idle_turns_ <= warps_.size();
    }
    // The next cluster begins with the same CTAs.
    void reset() noexcept {
        somebody_arrived_ = false;
        idle_turns_ = 0;
    }

private:
    std::vector<std::vector<warp>*> warps_;
    std::vector<cta_memory*> memories_;
    std::vector<Check*> checks_;
    bool somebody_arrived_ = false; // and the barrier has not opened since
    std::size_t idle_turns_ = 0;    // one after the other
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_CLUSTER_HPP
