// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples of a burst, and the shift by which scopes fit them best. Arithmetic only.
#ifndef GPUPROF_SAMPLE_BURST_SAMPLES_HPP
#define GPUPROF_SAMPLE_BURST_SAMPLES_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "../detail/config.hpp"
#include "proration.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Times are nanoseconds since an origin, in ascending order. The next burst reuses the memory.
class burst_samples {
public:
    void clear(std::size_t metrics) noexcept {
        metrics_ = metrics;
        begins_.clear();
        ends_.clear();
        values_.clear();
    }
    void add(double begin, double end, std::span<double const> values) {
        begins_.push_back(begin);
        ends_.push_back(end);
        values_.insert(values_.end(), values.begin(), values.end());
    }
    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
    [[nodiscard]] double begin_of(std::size_t i) const noexcept { return begins_[i]; }
    [[nodiscard]] double end_of(std::size_t i) const noexcept { return ends_[i]; }
    [[nodiscard]] std::span<double const> values_of(std::size_t i) const noexcept {
        return {values_.data() + i * metrics_, metrics_};
    }

    struct fit {
        double shift = 0;     // to add to the times of spans
        double deviation = 0; // of it
    };
    // Finds the shift that fits the samples. Kernels of a scope run between its events, so nothing
    // that they count lies outside: of all possible shifts, the right one leaves least between
    // scopes. If several are equally good (the device was idle between scopes), it is their middle;
    // if nothing was counted, 0.
    // @param most the largest shift, either way
    // @param metric the metric that decides, and how it combines
    [[nodiscard]] fit fit_of(std::span<sampled_span const* const> spans, double most, std::size_t metric,
                             sample_combination how) {
        sums_.assign(1, 0);
        for (std::size_t i = 0; i < size(); ++i) {
            double const value = values_of(i)[metric];
            double const count = how == sample_combination::sum ? value : value * (ends_[i] - begins_[i]);
            sums_.push_back(sums_.back() + (count == count ? count : 0));
        }
        constexpr int steps = 64; // either way
        double inside[2 * steps + 1], best = 0, worst = 0;
        for (int i = -steps; i <= steps; ++i) {
            double const shift = most * i / steps;
            double sum = 0;
            for (sampled_span const* const each : spans)
                sum += counted_until(each->end() + shift) - counted_until(each->begin() + shift);
            inside[i + steps] = sum;
            if (i == -steps || sum > best) best = sum;
            if (i == -steps || sum < worst) worst = sum;
        }
        if (!(best - worst > 1e-9 * best)) return {0, most / 1.7321};
        double const enough = best - 0.02 * (best - worst);
        int first = 2 * steps, last = 0;
        for (int i = 0; i <= 2 * steps; ++i)
            if (inside[i] >= enough) {
                if (i < first) first = i;
                last = i;
            }
        double const middle = (first + last) / 2.0 - steps;
        return {most * middle / steps, most * (last - first + 1) / steps / 3.4641};
    }

private:
    [[nodiscard]] double counted_until(double time) const noexcept {
        auto const at = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), time) - ends_.begin());
        if (at == size()) return sums_.back();
        if (time <= begins_[at]) return sums_[at];
        return sums_[at] + (sums_[at + 1] - sums_[at]) * (time - begins_[at]) / (ends_[at] - begins_[at]);
    }

    std::size_t metrics_ = 0;
    std::vector<double> begins_, ends_, values_;
    std::vector<double> sums_; // before each sample, of one metric
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_BURST_SAMPLES_HPP
