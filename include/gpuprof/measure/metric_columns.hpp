// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each value of a report's row comes from: counters, or what is known without them.
#ifndef GPUPROF_MEASURE_METRIC_COLUMNS_HPP
#define GPUPROF_MEASURE_METRIC_COLUMNS_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../hw/counters/uncounted/provided.hpp"
#include "../metric/derived_metrics.hpp"
#include "../metric/info.hpp"
#include "../metric/provider_metrics.hpp"
#include "uncounted_values.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

struct metric_column {
    enum class origin : unsigned char {
        counter,   // counters[first]
        quotient,  // counters[first] / counters[second], a derived__ metric
        launch,    // of the kernel that the range launched
        device,    // of the device, alike in every row
        collection // of the collection, alike in every row
    };
    origin from = origin::counter;
    std::size_t first = 0;
    std::size_t second = 0;
};

// The columns of a list of metrics, and the counters that the hardware must collect for them.
struct metric_columns {
    std::vector<metric_column> columns;          // as many as metrics
    std::vector<std::string> counters;           // empty: no pass is needed
    uncounted_values const* uncounted = nullptr; // of the columns that are no counters; null where there is none

    [[nodiscard]] bool needs_launches() const noexcept {
        for (metric_column const& each : columns)
            if (each.from == metric_column::origin::launch) return true;
        return false;
    }
    // For a device whose values are recorded: nothing is counted, and nothing is asked.
    void play_back() {
        columns.assign(columns.size(), metric_column{});
        counters.clear();
    }
};

// Errors: invalid_argument for an empty list; unknown_metric for a metric that no collection of
// ranges has, with the reason.
[[nodiscard]] inline result<metric_columns> plan_columns(std::span<metric_info const> metrics) {
    using origin = metric_column::origin;
    metric_columns planned;
    auto const counter = [&planned](std::string_view name) {
        for (std::size_t i = 0; i < planned.counters.size(); ++i)
            if (planned.counters[i] == name) return i;
        planned.counters.push_back(std::string{name});
        return planned.counters.size() - 1;
    };
    for (metric_info const& each : metrics) {
        metric_column column;
        if (each.source == metric_source::hardware || each.source == metric_source::sass) {
            column.first = counter(each.name);
        } else if (derived_metric const* const derived = find_derived_metric(each.name)) {
            column = {origin::quotient, counter(derived->numerator), counter(derived->denominator)};
        } else if (hw::provided::provides(each)) {
            column.from = each.source == metric_source::launch     ? origin::launch
                          : each.source == metric_source::profiler ? origin::collection
                                                                   : origin::device;
        } else if (each.source == metric_source::pm_sampling) {
            return error{errc::unknown_metric, 0, each.name, "gpuprof does not sample range metrics over time",
                         "ask for the metric without pmsampling: in front, which gives a value for each range"};
        } else if (each.kind == metric_kind::group && each.name.starts_with("breakdown:")) {
            return error{errc::unknown_metric, 0, each.name, "a throughput is made of other metrics on each chip",
                         "give breakdown_on<chip::gh100, \"...\">, or what try_breakdown() returns for the device"};
        } else {
            std::string_view const why = why_not_collected(each.source, each.name);
            return error{errc::unknown_metric, 0, each.name + " cannot be collected over ranges",
                         why.empty() ? "it is no counter and nothing that is known without one" : why,
                         "ask for counters, launch__, device__attribute_, nvlink__ or numa__ metrics here"};
        }
        planned.columns.push_back(column);
    }
    if (planned.columns.empty())
        return error{errc::invalid_argument, 0, "no metric was asked for", "the list of metrics is empty",
                     "name at least one metric"};
    return planned;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_METRIC_COLUMNS_HPP
