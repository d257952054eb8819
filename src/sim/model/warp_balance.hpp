// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How evenly the instructions of a CTA are spread over its warps.
#ifndef GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP
#define GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP

#include <algorithm>
#include <array>
#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Counts the instructions of each warp between the barriers of its CTA: the slowest warp decides
// when the others go on. A barrier ends for all warps when one of them comes to the next.
class warp_balance {
public:
    // @pre warp < 32, as there are in a CTA at most
    void instruction(unsigned warp) noexcept { ++since_barrier_[warp]; }
    void barrier(unsigned warp) noexcept {
        std::uint32_t const bit = std::uint32_t{1} << warp;
        if ((arrived_ & bit) != 0) end_phase();
        arrived_ |= bit;
        take(warp);
    }
    void cta_finished(unsigned warps) noexcept {
        end_phase();
        for (unsigned warp = 0; warp < warps; ++warp) take(warp);
        end_phase();
    }

    // Of a warp, since it left a barrier. @pre as above
    [[nodiscard]] std::uint64_t since_barrier(unsigned warp) const noexcept { return since_barrier_[warp]; }

    // Of the CTAs that finished: all instructions of their warps, and those of the slowest warp
    // from barrier to barrier.
    [[nodiscard]] std::uint64_t instructions() const noexcept { return instructions_; }
    [[nodiscard]] std::uint64_t slowest() const noexcept { return slowest_; }

private:
    void take(unsigned warp) noexcept {
        longest_ = (std::max)(longest_, since_barrier_[warp]);
        instructions_ += since_barrier_[warp];
        since_barrier_[warp] = 0;
    }
    void end_phase() noexcept {
        slowest_ += longest_;
        longest_ = 0;
        arrived_ = 0;
    }

    std::array<std::uint64_t, 32> since_barrier_{};
    std::uint64_t longest_ = 0; // of the warps that arrived
    std::uint32_t arrived_ = 0; // bit i is warp i
    std::uint64_t instructions_ = 0;
    std::uint64_t slowest_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP
