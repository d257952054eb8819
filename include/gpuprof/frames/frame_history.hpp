// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last values of a quantity, one a frame, in fixed memory, with statistics.
#ifndef GPUPROF_FRAMES_FRAME_HISTORY_HPP
#define GPUPROF_FRAMES_FRAME_HISTORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Statistics of the last frames; all NaN if there are none.
struct frame_summary {
    std::size_t frames = 0;
    double min = detail::quiet_nan;
    double mean = detail::quiet_nan;
    double max = detail::quiet_nan;
    double median = detail::quiet_nan;
    double p95 = detail::quiet_nan;
    double p99 = detail::quiet_nan;
    std::uint64_t max_frame = 0; // the last frame that had the maximum; 0: not known
};

// The index of the value that `share` percent of the values do not exceed, by the nearest rank: the
// ceil(share / 100 * n)-th of n, from 1 on.
// @pre number != 0, 0 <= share <= 100
[[nodiscard]] constexpr std::size_t percentile_place(std::size_t number, double share) noexcept {
    double const exact = share * static_cast<double>(number) / 100;
    auto rank = static_cast<std::size_t>(exact);
    if (static_cast<double>(rank) < exact) ++rank;
    if (rank > number) rank = number;
    return rank != 0 ? rank - 1 : 0;
}
// NaN if there are no values. @pre sorted ascending, 0 <= share <= 100
[[nodiscard]] constexpr double percentile(std::span<double const> sorted, double share) noexcept {
    return sorted.empty() ? detail::quiet_nan : sorted[percentile_place(sorted.size(), share)];
}

// A ring of values and their frames. Memory: 24 bytes a value, all allocated by the constructor. One
// thread at a time, also for summary().
class frame_history {
public:
    // @pre capacity != 0
    explicit frame_history(std::size_t capacity) : values_(capacity), frames_(capacity), copy_(capacity) {}

    // @param frame the number of the value's frame; 0: not known
    void push(double value, std::uint64_t frame = 0) noexcept {
        values_[next_] = value;
        frames_[next_] = frame;
        next_ = next_ + 1 == values_.size() ? 0 : next_ + 1;
        if (size_ < values_.size()) ++size_;
    }
    void clear() noexcept { next_ = size_ = 0; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return values_.size(); }
    // The oldest first. @pre at < size()
    [[nodiscard]] double operator[](std::size_t at) const noexcept { return values_[place_of(at)]; }
    // The frame of that value; 0: not known. @pre at < size()
    [[nodiscard]] std::uint64_t frame(std::size_t at) const noexcept { return frames_[place_of(at)]; }

    // Cost: linear in the values; it does not sort them.
    [[nodiscard]] frame_summary summary() const noexcept {
        std::span<double> const all = copy();
        if (all.empty()) return {};
        double sum = 0, least = all[0], most = all[0];
        std::size_t last_most = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            double const value = all[i];
            sum += value;
            least = value < least ? value : least;
            if (value < most) continue;
            most = value;
            last_most = i;
        }
        // Larger shares first: they leave smaller values for those that follow.
        std::size_t const p99 = place(all, all.size(), 99);
        std::size_t const p95 = place(all, p99 + 1, 95);
        std::size_t const median = place(all, p95 + 1, 50);
        return {all.size(), least,           sum / static_cast<double>(all.size()), most, all[median], all[p95],
                all[p99],   frame(last_most)};
    }
    // See gpuprof::percentile. The same cost.
    [[nodiscard]] double percentile(double share) const noexcept {
        std::span<double> const all = copy();
        return all.empty() ? detail::quiet_nan : all[place(all, all.size(), share)];
    }

private:
    [[nodiscard]] std::size_t place_of(std::size_t at) const noexcept {
        std::size_t const place = next_ + values_.size() - size_ + at;
        return place < values_.size() ? place : place - values_.size();
    }
    [[nodiscard]] std::span<double> copy() const noexcept {
        for (std::size_t i = 0; i < size_; ++i) copy_[i] = (*this)[i];
        return {copy_.data(), size_};
    }
    // Puts a share's value where it would be if all were sorted, and returns the place.
    // @param among how many of the first values contain it
    [[nodiscard]] static std::size_t place(std::span<double> all, std::size_t among, double share) noexcept {
        std::size_t const at = percentile_place(all.size(), share);
        auto const begin = all.begin();
        std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(among));
        return at;
    }

    std::vector<double> values_;
    std::vector<std::uint64_t> frames_;
    mutable std::vector<double> copy_; // scratch memory
    std::size_t next_ = 0;
    std::size_t size_ = 0;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_HISTORY_HPP
