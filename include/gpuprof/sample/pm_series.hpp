// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples that a pm_sampler read: counters over time.
#ifndef GPUPROF_SAMPLE_PM_SERIES_HPP
#define GPUPROF_SAMPLE_PM_SERIES_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/result.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "../measure/report_contents.hpp"
#include "../metric/nearest.hpp"
#include "../metric/provider_metrics.hpp"
#include "../hw/activity/timestamp.hpp"
#include "sampled_metrics.hpp"
#include "sampling_interval.hpp"
#include "sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN

// Samples in the order of time, each with a value of every metric. Times are nanoseconds of the
// activity records' clock. Owns its data; const use is thread-safe.
class pm_series {
public:
    pm_series(std::vector<metric_info> metrics, sampling_interval interval, device_source source)
        : metrics_{std::move(metrics)}, interval_{interval}, source_{source} {}

    [[nodiscard]] std::size_t size() const noexcept { return times_.size(); }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept { return metrics_; }
    // From the begin of a sample to its end. @pre at < size()
    [[nodiscard]] activity::interval time(std::size_t at) const noexcept { return times_[at]; }
    // @pre at < size(), metric < metrics().size()
    [[nodiscard]] double value(std::size_t at, std::size_t metric) const noexcept {
        return values_[at * metrics_.size() + metric];
    }
    // A metric's value in every sample. Errors: unknown_metric if it was not sampled.
    [[nodiscard]] result<std::vector<double>> try_values(std::string_view metric) const {
        auto const column = try_column(metric);
        if (!column) return column.error();
        std::vector<double> list;
        for (std::size_t at = 0; at < size(); ++at) list.push_back(value(at, *column));
        return list;
    }
    // What the metric is over all samples: counts added up; of rates, percentages and ratios the mean over the time that was
    // sampled (guide 5.1, the value that is not instanced). Also the metrics about the sampling itself: profiler__pmsampler_… as
    // numbers. Errors: unknown_metric if it was not sampled; unavailable for a .min or .max, which does not follow from those
    // of samples, and for profiler__pmsampler_ctxsw_…; not_collected without a sample, or if one has no value.
    [[nodiscard]] result<measured_value> try_value(std::string_view metric) const;
    // The samples that lie in one of the intervals as a whole: those of one context, with context_trace::active(). Losses stay
    // those of all samples. @pre the intervals are in the order of time, and do not overlap
    [[nodiscard]] pm_series during(std::span<activity::interval const> times) const;
    // The pass of the sampler that these samples are of, and how many it has.
    [[nodiscard]] std::size_t pass() const noexcept { return pass_; }
    [[nodiscard]] std::size_t passes() const noexcept { return passes_; }
    // The hardware's buffer, in bytes; 0 if these samples are not a sampler's.
    [[nodiscard]] std::size_t buffer_bytes() const noexcept { return buffer_bytes_; }
#if GPUPROF_EXCEPTIONS
    // The same with the metric's unit: series[metric<"smsp__inst_executed.sum">][3].
    template <metric_like Metric>
    [[nodiscard]] std::vector<metric_value<Metric>> operator[](Metric) const {
        std::vector<metric_value<Metric>> typed;
        for (double const value : try_values(Metric::name()).value()) typed.push_back(Metric::typed(value));
        return typed;
    }
#endif

    [[nodiscard]] sampling_interval interval() const noexcept { return interval_; }
    [[nodiscard]] sampling_losses const& losses() const noexcept { return losses_; }
    // On the embedded GPU values are estimated: a kernel's counts are spread evenly over its time.
    [[nodiscard]] device_source source() const noexcept { return source_; }

    // Adds a sample. @pre as many values as metrics
    void push(activity::interval time, std::span<double const> values) {
        times_.push_back(time);
        values_.insert(values_.end(), values.begin(), values.end());
    }

private:
    friend class pm_sampler;
    friend class pm_alignment;

    [[nodiscard]] result<measured_value> try_about_sampling(std::string_view metric) const;

    [[nodiscard]] result<std::size_t> try_column(std::string_view metric) const {
        std::string_view const wanted = detail::without_sampling_prefix(metric);
        for (std::size_t i = 0; i < metrics_.size(); ++i)
            if (detail::without_sampling_prefix(metrics_[i].name) == wanted) return i;
        return error{errc::unknown_metric, 0, metric,
                     "it is not in these samples: it was not asked for, or is in "
                     "another pass",
                     "ask for it when the sampler is made"};
    }

    std::vector<metric_info> metrics_;
    sampling_interval interval_;
    device_source source_;
    std::vector<activity::interval> times_{};
    std::vector<double> values_{}; // rows of metrics_.size()
    sampling_losses losses_{};
    std::size_t pass_ = 0;
    std::size_t passes_ = 1;
    std::size_t buffer_bytes_ = 0;
};

inline result<measured_value> pm_series::try_about_sampling(std::string_view metric) const {
    provider_metric const* const known = find_provider_metric(metric);
    if (known == nullptr || metric.starts_with("profiler__pmsampler_ctxsw_"))
        return error{errc::unavailable, 0, metric, "it follows from records of context switches, and these are samples",
                     "see context_trace"};
    auto const is = [&](std::string_view name) {
        return metric.substr(std::string_view{"profiler__pmsampler_"}.size()) == name;
    };
    double const value = is("buffer_size_bytes") ? static_cast<double>(buffer_bytes_)
                         : is("dropped_samples") ? static_cast<double>(losses_.dropped + losses_.over_room)
                         : is("merged_samples")  ? static_cast<double>(losses_.merged)
                         : is("interval_cycles") ? static_cast<double>(interval_.by_cycles ? interval_.length : 0)
                         : is("interval_time")   ? static_cast<double>(interval_.by_cycles ? 0 : interval_.length)
                                                 : static_cast<double>(passes_); // pass_groups
    return measured_value{value, known->of};
}

inline result<measured_value> pm_series::try_value(std::string_view metric) const {
    if (metric.starts_with("profiler__pmsampler_")) return try_about_sampling(metric);
    auto const column = try_column(metric);
    if (!column) return column.error();
    metric_info const& of = metrics_[*column];
    if (of.aggregation == aggregation::minimum || of.aggregation == aggregation::maximum)
        return error{errc::unavailable, 0, metric,
                     "the least and the most over all samples do not follow from those of each",
                     "ask for .sum or .avg, or look at try_values()"};
    double total = 0, time = 0;
    for (std::size_t at = 0; at < size(); ++at) {
        double const length = (times_[at].end - times_[at].start).value();
        double const weight = of.aggregation == aggregation::sum ? 1 : length;
        total += value(at, *column) * weight;
        time += length;
    }
    if (of.aggregation != aggregation::sum) total /= time;
    if (total != total) // also without a sample
        return error{errc::not_collected, 0, metric, size() == 0 ? "there is no sample" : "a sample has no value",
                     "sample longer, or look at try_values()"};
    if (size() == 0)
        return error{errc::not_collected, 0, metric, "there is no sample", "sample longer than an interval"};
    return measured_value{total, of.value_unit};
}

inline pm_series pm_series::during(std::span<activity::interval const> times) const {
    pm_series kept{metrics_, interval_, source_};
    kept.losses_ = losses_;
    kept.pass_ = pass_;
    kept.passes_ = passes_;
    kept.buffer_bytes_ = buffer_bytes_;
    std::size_t next = 0;
    for (std::size_t at = 0; at < size(); ++at) {
        while (next < times.size() && times[next].end < times_[at].end) ++next;
        if (next < times.size() && times[next].start <= times_[at].start)
            kept.push(times_[at], std::span{values_}.subspan(at * metrics_.size(), metrics_.size()));
    }
    return kept;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PM_SERIES_HPP
