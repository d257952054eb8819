// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How evenly the work of a CTA is spread over its warps, and how long each CTA lasts beside the others.
#ifndef GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP
#define GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A CTA, in cycles of the chains of dependent instructions (sass/dependence.hpp) that its warps execute.
struct cta_work {
    std::uint64_t length = 0;   // of the slowest warp, from barrier to barrier
    std::uint64_t resident = 0; // how long its warps are there, added up: until they end, at barriers until all came

    friend constexpr bool operator==(cta_work const&, cta_work const&) = default;
};

// CTAs one after the other that are alike.
struct cta_run {
    cta_work work;
    std::uint64_t ctas = 0;
};

// The CTAs that an SM executed: sums of all, and the last ones themselves, in their order.
class executed_ctas {
public:
    void add(cta_work const& one) {
        ++ctas_;
        all_.length += one.length;
        all_.resident += one.resident;
        if (last_.empty() || last_.back().work != one) {
            if (last_.size() == limit) last_.erase(last_.begin(), last_.begin() + limit / 2);
            last_.push_back({one, 0});
        }
        ++last_.back().ctas;
    }
    [[nodiscard]] std::uint64_t ctas() const noexcept { return ctas_; }
    [[nodiscard]] cta_work const& all() const noexcept { return all_; }
    // How many CTAs last() has.
    [[nodiscard]] std::uint64_t listed() const noexcept {
        std::uint64_t listed = 0;
        for (cta_run const& run : last_) listed += run.ctas;
        return listed;
    }
    // Of at least 256 CTAs that differ, if there were so many.
    [[nodiscard]] std::vector<cta_run> const& last() const noexcept { return last_; }

private:
    static constexpr std::ptrdiff_t limit = 512;
    std::uint64_t ctas_ = 0;
    cta_work all_;
    std::vector<cta_run> last_;
};

// Adds up the cycles of each warp between the barriers of its CTA: the slowest warp decides
// when the others go on. A barrier ends for all warps when one of them comes to the next.
// Instructions would not do: of two warps that execute as many, the one whose loads wait for each other is there much longer,
// and the slots of a warp that is done early stay empty until its CTA ends.
class warp_balance {
public:
    // @param cycles of the basic block that begins with the instruction; 0 for one that begins none.
    // @pre warp < 32, as there are in a CTA at most
    void instruction(unsigned warp, std::uint64_t cycles) noexcept {
        since_barrier_[warp] += cycles;
        ++instructions_[warp];
    }
    void barrier(unsigned warp) noexcept {
        std::uint32_t const bit = std::uint32_t{1} << warp;
        if ((arrived_ & bit) != 0) end_phase();
        arrived_ |= bit;
        take(warp);
    }
    void cta_finished(unsigned warps) {
        end_phase();
        for (unsigned warp = 0; warp < warps; ++warp) {
            cta_.resident += since_barrier_[warp];
            take(warp);
        }
        end_phase();
        ctas_.add(cta_);
        cta_ = {};
    }

    // Instructions of a warp, since it left a barrier. @pre as above
    [[nodiscard]] std::uint64_t since_barrier(unsigned warp) const noexcept { return instructions_[warp]; }

    // All cycles of the warps of CTAs that finished, and those CTAs.
    [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }
    [[nodiscard]] executed_ctas const& ctas() const& noexcept { return ctas_; }
    [[nodiscard]] executed_ctas ctas() && noexcept { return std::move(ctas_); }

private:
    void take(unsigned warp) noexcept {
        longest_ = (std::max)(longest_, since_barrier_[warp]);
        cycles_ += since_barrier_[warp];
        since_barrier_[warp] = 0;
        instructions_[warp] = 0;
    }
    void end_phase() noexcept {
        cta_.length += longest_;
        cta_.resident += longest_ * static_cast<unsigned>(std::popcount(arrived_));
        longest_ = 0;
        arrived_ = 0;
    }

    std::array<std::uint64_t, 32> since_barrier_{}; // cycles
    std::array<std::uint64_t, 32> instructions_{};  // since then
    std::uint64_t longest_ = 0;                     // of the warps that arrived
    std::uint32_t arrived_ = 0;                     // bit i is warp i
    cta_work cta_;                                  // that is under way
    std::uint64_t cycles_ = 0;
    executed_ctas ctas_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP
