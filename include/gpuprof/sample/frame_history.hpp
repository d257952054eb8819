// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last values of a quantity, one a frame, in fixed memory, and what is said of them. Layer: sample.
#ifndef GPUPROF_SAMPLE_FRAME_HISTORY_HPP
#define GPUPROF_SAMPLE_FRAME_HISTORY_HPP

#include <algorithm> // std::sort
#include <cstddef>   // std::size_t
#include <span>      // sorted values
#include <vector>    // the ring

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// What there is to say of the last frames. NaN in all of it where there is none.
struct frame_summary {
    std::size_t frames = 0;
    double min = detail::quiet_nan;
    double mean = detail::quiet_nan;
    double max = detail::quiet_nan;
    double median = detail::quiet_nan;
    double p95 = detail::quiet_nan;
    double p99 = detail::quiet_nan;
};

// The value that `share` per cent of the values are not above, by the nearest rank: the ceil(share / 100 * n)-th of n, from 1 on.
// NaN of none. @pre sorted ascending, 0 <= share <= 100
[[nodiscard]] constexpr double percentile(std::span<double const> sorted, double share) noexcept {
    if (sorted.empty()) return detail::quiet_nan;
    double const exact = share * static_cast<double>(sorted.size()) / 100;
    auto rank = static_cast<std::size_t>(exact);
    if (static_cast<double>(rank) < exact) ++rank;
    if (rank > sorted.size()) rank = sorted.size();
    return sorted[rank != 0 ? rank - 1 : 0];
}

// A ring of values. Memory: 16 bytes a value it has room for, from the beginning on; nothing is allocated later. One thread at a
// time, summary() too.
class frame_history {
public:
    // @pre capacity != 0
    explicit frame_history(std::size_t capacity) : values_(capacity), sorted_(capacity) {}

    void push(double value) noexcept {
        values_[next_] = value;
        next_ = next_ + 1 == values_.size() ? 0 : next_ + 1;
        if (size_ < values_.size()) ++size_;
    }
    void clear() noexcept { next_ = size_ = 0; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return values_.size(); }
    // The oldest first. @pre at < size()
    [[nodiscard]] double operator[](std::size_t at) const noexcept {
        std::size_t const place = next_ + values_.size() - size_ + at;
        return values_[place < values_.size() ? place : place - values_.size()];
    }

    // Cost: sorts the values; 240 of them take 6 us on a 2-core EPYC.
    [[nodiscard]] frame_summary summary() const noexcept {
        std::span<double const> const all = sort();
        if (all.empty()) return {};
        double sum = 0;
        for (double const each : all) sum += each;
        return {all.size(),
                all.front(),
                sum / static_cast<double>(all.size()),
                all.back(),
                gpuprof::percentile(all, 50),
                gpuprof::percentile(all, 95),
                gpuprof::percentile(all, 99)};
    }
    // See gpuprof::percentile. The same cost.
    [[nodiscard]] double percentile(double share) const noexcept { return gpuprof::percentile(sort(), share); }

private:
    [[nodiscard]] std::span<double const> sort() const noexcept {
        for (std::size_t i = 0; i < size_; ++i) sorted_[i] = (*this)[i];
        std::span<double> const all{sorted_.data(), size_};
        std::sort(all.begin(), all.end());
        return all;
    }

    std::vector<double> values_;
    mutable std::vector<double> sorted_; // room to sort in
    std::size_t next_ = 0;
    std::size_t size_ = 0;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_FRAME_HISTORY_HPP
