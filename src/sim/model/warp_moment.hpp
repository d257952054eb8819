// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a warp does something, as far as can be told without time.
#ifndef GPUPROF_SRC_SIM_MODEL_WARP_MOMENT_HPP
#define GPUPROF_SRC_SIM_MODEL_WARP_MOMENT_HPP

#include <array>
#include <cstdint>

#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The warps of a CTA are in step where they begin or leave a barrier.
struct warp_moment {
    instruction_info const* at = nullptr; // null: nothing is in step with it
    std::uint32_t warp = 0;
    std::uint64_t tick = 0;    // instructions of the warp since the barrier
    std::uint64_t cta = 0;     // a number
    std::uint32_t barrier = 0; // how many the warp passed
    std::uint32_t loads = 0;   // times that it loaded from global memory since

    // Whether warps of the same CTA left the same barrier.
    [[nodiscard]] bool same_phase(warp_moment const& other) const noexcept {
        return cta == other.cta && barrier == other.barrier;
    }
};

// What the moments of an SM's warps need to know. @pre warp < 32
class warp_steps {
public:
    void barrier(unsigned warp) noexcept { ++barriers_[warp], loads_[warp] = 0; }
    void load(unsigned warp) noexcept { ++loads_[warp]; }
    void cta_finished() noexcept {
        ++ctas_;
        barriers_.fill(0);
        loads_.fill(0);
    }
    // @param tick instructions of the warp since the barrier
    [[nodiscard]] warp_moment now(instruction_info const& at, unsigned warp, std::uint64_t tick) const noexcept {
        return {&at, warp, tick, ctas_, barriers_[warp], loads_[warp]};
    }

private:
    std::uint64_t ctas_ = 1; // that began, of those that run one after the other
    std::array<std::uint32_t, 32> barriers_{};
    std::array<std::uint32_t, 32> loads_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_WARP_MOMENT_HPP
