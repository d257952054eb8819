// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a series found: a row a combination, and which of them is best.
#ifndef GPUPROF_EXPLAIN_SERIES_REPORT_HPP
#define GPUPROF_EXPLAIN_SERIES_REPORT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/memory/memory_control.hpp"
#include "../measure/iteration_value.hpp"
#include "../metric/info.hpp"
#include "series_axis.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Which value of a metric is better.
enum class better : unsigned char {
    as_metric, // fewer of times, bytes and conflicts; more of hit rates and of shares of a peak
    lower,
    higher
};
[[nodiscard]] constexpr std::string_view name(better direction) noexcept {
    switch (direction) {
        case better::as_metric: return "as the metric says";
        case better::lower: return "lower";
        case better::higher: return "higher";
    }
    return "unknown";
}

// One combination.
struct series_row {
    parameters values{};
    // Of each metric, in each round; empty if it was refused. In the metric's unit; not a number for 0/0.
    std::vector<std::vector<double>> rounds{};
    // Why there is no value: the driver refused a setting or the launch (launch_failed), the work said so, no kernel ran.
    std::optional<error> refused{};

    // @pre it was not refused, and the report has that many metrics
    [[nodiscard]] iteration_value measured(std::size_t metric, gpuprof::unit in) const noexcept {
        gpuprof::detail::running_value all;
        for (double const each : rounds[metric]) all.add(each);
        return all.value(in);
    }
};

// The best combination by one metric.
struct series_choice {
    std::size_t row = 0; // in series_report::rows
    parameters values{};
    std::string metric{};
    better direction = better::lower; // lower or higher
    // Rows that the measurement cannot tell from the best: the interval (95 %, Student's t) of the mean difference, taken round
    // by round, has 0 in it. The best of many that are alike is a matter of luck.
    std::vector<std::size_t> alike{};
    bool noise_known = false; // false after one round: then only equal values are alike
};

// What a series found. A value: it needs no device.
struct series_report {
    std::string device{};
    std::string chip{};
    device_source source = device_source::hardware;
    std::vector<axis> axes{};
    std::vector<metric_info> metrics{};
    std::vector<fidelity> trust{}; // of each metric; empty if nothing was measured
    better direction = better::as_metric;
    memory_control memory = memory_control::leave;
    std::size_t rounds = 0;         // measurements of each combination
    std::size_t passes = 0;         // of one measurement
    std::vector<series_row> rows{}; // all combinations, the last axis fastest
    std::vector<error> problems{};  // that keep no value from being had; each cause once

    [[nodiscard]] std::size_t refused() const noexcept {
        std::size_t count = 0;
        for (series_row const& each : rows) count += each.refused ? 1 : 0;
        return count;
    }
    // "block = 256, carveout = 50 %"
    [[nodiscard]] std::string text_of(parameters const& values) const;

    // The best by a metric; by the first, if none is named. Errors: invalid_argument for a metric that was not measured, or of
    // which nobody knows which value is better; not_collected if no combination has a value, with the first refusal as cause.
    [[nodiscard]] result<series_choice> try_best(std::string_view metric = {}) const;
    [[nodiscard]] result<series_choice> try_best(std::string_view metric, better wanted) const;
#if GPUPROF_EXCEPTIONS
    // try_best(), throwing.
    [[nodiscard]] series_choice best(std::string_view metric = {}) const { return try_best(metric).value(); }
    [[nodiscard]] series_choice best(std::string_view metric, better wanted) const {
        return try_best(metric, wanted).value();
    }
#endif
};

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "series_report.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_SERIES_REPORT_HPP
