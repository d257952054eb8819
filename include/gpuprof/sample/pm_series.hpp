// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples that a pm_sampler read: counters over time.
#ifndef GPUPROF_SAMPLE_PM_SERIES_HPP
#define GPUPROF_SAMPLE_PM_SERIES_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/result.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "../metric/nearest.hpp"
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

private:
    friend class pm_sampler;

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
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PM_SERIES_HPP
