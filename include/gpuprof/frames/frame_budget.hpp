// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time budget of a frame sampler, and what it skips to keep it.
#ifndef GPUPROF_FRAMES_FRAME_BUDGET_HPP
#define GPUPROF_FRAMES_FRAME_BUDGET_HPP

#include <cstdint>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// How the budget is kept.
enum class budget_state : unsigned char {
    none,     // there is no budget: everything is read each frame
    kept,     // in each frame
    averaged, // on average: a read exceeds a frame's rest, so counters are read less often
    dropped,  // by no longer reading counters: even fewer reads would exceed it
    exceeded  // not: scopes, events and callbacks alone exceed it
};

[[nodiscard]] constexpr std::string_view name(budget_state state) noexcept {
    constexpr std::string_view names[]{"no budget", "kept", "kept on average, counters are read less often",
                                       "counters are read no more", "not kept: too much without counters"};
    return names[static_cast<unsigned>(state)];
}

namespace detail {

// Decides from the costs of the last frames. All times are in nanoseconds. Saves the unspent budget
// of frames for a read that takes more than one frame has.
class frame_budget {
public:
    // The largest number of frames that a read may wait for.
    static constexpr std::uint64_t longest_wait = 64;

    // @param budget 0: none
    explicit constexpr frame_budget(std::uint64_t budget) noexcept : budget_{budget} {}

    // Whether to read in this frame.
    // @param spent what this frame has taken so far
    [[nodiscard]] constexpr bool may_read(std::uint64_t spent) noexcept {
        if (budget_ == 0) return true;
        if (dropped_) return false;
        if (saved_ + budget_ >= spent + read_) return true;
        if (fixed_ >= budget_) return false;
        if (read_ > longest_wait * (budget_ - fixed_)) {
            dropped_ = reads_ > 1; // the first read may be slow: repeat it once
            return reads_ == 1 && frames_ >= longest_wait;
        }
        return false;
    }
    // Notes the cost of a read that found readings; a read without says nothing of others.
    constexpr void read_took(std::uint64_t took) noexcept {
        bool const settled = reads_ >= 4;
        read_ = settled ? mean(read_, took) : reads_ != 0 && read_ < took ? read_ : took;
        ++reads_;
    }
    // Notes the cost of an ended frame, in all and without reads.
    constexpr void frame_took(std::uint64_t all, std::uint64_t without_reads) noexcept {
        fixed_ = frames_ == 0 ? without_reads : mean(fixed_, without_reads);
        ++frames_;
        total_ += all;
        worst_ = all > worst_ ? all : worst_;
        if (budget_ == 0) return;
        over_ += all > budget_;
        std::uint64_t const have = saved_ + budget_;
        saved_ = have > all ? have - all : 0;
        if (saved_ > longest_wait * budget_) saved_ = longest_wait * budget_;
    }

    [[nodiscard]] constexpr budget_state state() const noexcept {
        if (budget_ == 0) return budget_state::none;
        if (fixed_ > budget_) return budget_state::exceeded;
        if (dropped_) return budget_state::dropped;
        return fixed_ + read_ <= budget_ ? budget_state::kept : budget_state::averaged;
    }
    [[nodiscard]] constexpr std::uint64_t budget() const noexcept { return budget_; }
    [[nodiscard]] constexpr std::uint64_t worst() const noexcept { return worst_; }
    [[nodiscard]] constexpr std::uint64_t frames_over() const noexcept { return over_; }
    [[nodiscard]] constexpr std::uint64_t read_cost() const noexcept { return read_; }
    [[nodiscard]] constexpr double mean_cost() const noexcept {
        return frames_ != 0 ? static_cast<double>(total_) / static_cast<double>(frames_) : 0;
    }

private:
    // A mean with more weight on recent values.
    [[nodiscard]] static constexpr std::uint64_t mean(std::uint64_t before, std::uint64_t now) noexcept {
        return (before * 7 + now) / 8;
    }

    std::uint64_t budget_;
    std::uint64_t fixed_ = 0;
    std::uint64_t read_ = 0;
    std::uint64_t saved_ = 0;
    std::uint64_t reads_ = 0;
    std::uint64_t frames_ = 0;
    std::uint64_t total_ = 0;
    std::uint64_t worst_ = 0;
    std::uint64_t over_ = 0;
    bool dropped_ = false;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_BUDGET_HPP
