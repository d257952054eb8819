// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates a metric over a span of time from samples, with a deviation. Arithmetic only.
#ifndef GPUPROF_SAMPLE_PRORATION_HPP
#define GPUPROF_SAMPLE_PRORATION_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// How a metric's samples combine to the value of a span: counts add up; rates, percentages and
// ratios are averaged over time.
enum class sample_combination : unsigned char { sum, mean };

// A span of the device's time, in nanoseconds, and its estimates from samples.
//
// A sample inside the span counts fully. A sample that an edge of the span cuts counts for its
// share of the time, f. What it counted, v, may have come at any moment of it: if all of it came at
// one moment, it belongs to the span with probability f, and the standard deviation is v * sqrt(f *
// (1 - f)). That is the worst case, and it is what is reported. The edge is known to
// `time_deviation` nanoseconds, which is that much of the sample's rate. A mean has the standard
// error of a weighted mean.
class sampled_span {
public:
    sampled_span(double begin, double end, std::size_t metrics) : begin_{begin}, end_{end}, sums_(metrics) {}

    [[nodiscard]] double begin() const noexcept { return begin_; }
    [[nodiscard]] double end() const noexcept { return end_; }
    [[nodiscard]] double length() const noexcept { return end_ - begin_; }
    // @pre no sample was added
    void shift(double by) noexcept {
        begin_ += by;
        end_ += by;
    }
    // The number of samples with a share, and the time that they cover.
    [[nodiscard]] std::size_t samples() const noexcept { return samples_; }
    [[nodiscard]] double covered() const noexcept { return covered_; }

    // @pre from < to
    void add(double from, double to, std::span<double const> values, double time_deviation) noexcept {
        double const begin = from > begin_ ? from : begin_;
        double const end = to < end_ ? to : end_;
        if (!(begin < end)) return;
        double const length = to - from;
        double const share = (end - begin) / length;
        bool const cut_at_begin = from<begin_, cut_at_end = to> end_;
        double const spread = share * (1 - share);
        double const edge = time_deviation / length;
        double const edges = edge * edge * ((cut_at_begin ? 1 : 0) + (cut_at_end ? 1 : 0));
        ++samples_;
        covered_ += end - begin;
        double const weight = end - begin;
        weights_ += weight * weight;
        for (std::size_t i = 0; i < sums_.size() && i < values.size(); ++i) {
            double const v = values[i];
            sums& of = sums_[i];
            of.counted += v * share;
            of.variance += v * v * (spread + edges);
            of.weighted += v * weight;
            of.squares += v * v * weight;
        }
    }

    struct estimate {
        double value;
        double deviation;
    };
    // The estimate of a metric; NaN if no sample has a share.
    [[nodiscard]] estimate of(std::size_t metric, sample_combination how) const noexcept {
        if (samples_ == 0) return {quiet_nan, quiet_nan};
        sums const& all = sums_[metric];
        if (how == sample_combination::sum) return {all.counted, square_root(all.variance)};
        double const mean = all.weighted / covered_;
        double const variance = all.squares / covered_ - mean * mean; // of single samples
        return {mean, square_root((variance > 0 ? variance : 0) * weights_) / covered_};
    }

private:
    struct sums {
        double counted = 0;
        double variance = 0;
        double weighted = 0;
        double squares = 0;
    };

    double begin_;
    double end_;
    std::size_t samples_ = 0;
    double covered_ = 0;
    double weights_ = 0; // squares of the time that each sample covers
    std::vector<sums> sums_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_PRORATION_HPP
