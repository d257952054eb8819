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

// Chains of dependent instructions (sass/dependence.hpp): their cycles where global memory is in L2, and how often they wait for it, in
// quarters, since of unrolled rounds a share is counted. One word, as it is added to for each instruction of each warp.
class chain_sum {
public:
    constexpr chain_sum() noexcept = default;
    explicit constexpr chain_sum(std::uint64_t cycles, std::uint64_t quarter_waits = 0) noexcept
        : both_{cycles | quarter_waits << bits_of_cycles} {}
    constexpr chain_sum& operator+=(chain_sum other) noexcept {
        both_ += other.both_;
        return *this;
    }
    [[nodiscard]] constexpr std::uint64_t cycles() const noexcept { return both_ & ((one << bits_of_cycles) - 1); }
    [[nodiscard]] constexpr std::uint64_t quarter_waits() const noexcept { return both_ >> bits_of_cycles; }

private:
    static constexpr std::uint64_t one = 1;
    static constexpr unsigned bits_of_cycles = 38; // minutes of a GPU, and 16 million waits
    std::uint64_t both_ = 0;
};

// A CTA, in cycles of the chains of dependent instructions that its warps execute.
struct cta_work {
    std::uint64_t length = 0;   // of the slowest warp, from barrier to barrier
    std::uint64_t resident = 0; // how long its warps are there, added up: until they end, at barriers until all came
    std::uint64_t waits = 0;    // of the slowest warp for global memory, in quarters

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
        all_.waits += one.waits;
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
    // @param chain of the basic block that begins with the instruction; nothing for one that begins none.
    // @pre warp < 32, as there are in a CTA at most
    void instruction(unsigned warp, chain_sum chain) noexcept {
        since_barrier_[warp] += chain;
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
            cta_.resident += since_barrier_[warp].cycles();
            take(warp);
        }
        end_phase();
        ctas_.add(cta_);
        cta_ = {};
    }

    // Instructions of a warp, since it left a barrier. @pre as above
    [[nodiscard]] std::uint64_t since_barrier(unsigned warp) const noexcept { return instructions_[warp]; }

    // All cycles of the warps of CTAs that finished, their waits for global memory in quarters, and those CTAs.
    [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }
    [[nodiscard]] std::uint64_t quarter_waits() const noexcept { return waits_; }
    [[nodiscard]] executed_ctas const& ctas() const& noexcept { return ctas_; }
    [[nodiscard]] executed_ctas ctas() && noexcept { return std::move(ctas_); }

private:
    void take(unsigned warp) noexcept {
        chain_sum const one = since_barrier_[warp];
        if (one.cycles() > longest_.cycles()) longest_ = one;
        cycles_ += one.cycles();
        waits_ += one.quarter_waits();
        since_barrier_[warp] = {};
        instructions_[warp] = 0;
    }
    void end_phase() noexcept {
        cta_.length += longest_.cycles();
        cta_.waits += longest_.quarter_waits();
        cta_.resident += longest_.cycles() * static_cast<unsigned>(std::popcount(arrived_));
        longest_ = {};
        arrived_ = 0;
    }

    std::array<chain_sum, 32> since_barrier_{};
    std::array<std::uint64_t, 32> instructions_{}; // since then
    chain_sum longest_;                            // of the warps that arrived
    std::uint32_t arrived_ = 0;                    // bit i is warp i
    cta_work cta_;                                 // that is under way
    std::uint64_t cycles_ = 0;
    std::uint64_t waits_ = 0; // in quarters
    executed_ctas ctas_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_WARP_BALANCE_HPP
