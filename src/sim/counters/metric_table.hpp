// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks up the embedded GPU's metrics and turns what was counted for one into the value asked for.
#ifndef GPUPROF_SRC_SIM_COUNTERS_METRIC_TABLE_HPP
#define GPUPROF_SRC_SIM_COUNTERS_METRIC_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <gpuprof/detail/config.hpp>

#include "../chip/chip_model.hpp"
#include "metric_row.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Every metric of every chip, sorted by name. The rows stand in metric_rows.hpp.
inline constexpr std::size_t metric_row_count = 976;
extern std::span<metric_row const, metric_row_count> const metric_rows;

using row_number = std::uint16_t; // the index of a metric in metric_rows; the images hold it instead of a name

// The row of that base name, if the chip has it. Logarithmic.
[[nodiscard]] std::optional<row_number> find_row(chip_model const& on, std::string_view base) noexcept;

// An evaluable metric: a row and a sub-metric of it.
struct metric_request {
    row_number row;
    std::string_view sub_metric; // with the dot: ".sum.per_second"
};

// "sm__inst_executed.sum" on that chip; nothing if the chip lacks the metric or the kind of metric
// lacks the sub-metric.
[[nodiscard]] std::optional<metric_request> find_metric(chip_model const& on, std::string_view name) noexcept;

// What one range counted for one counter or ratio, and the clocks of the pass that counted it: a
// rate never mixes passes. Sums over `replay_passes` collections of the range.
struct counted {
    double value = 0;         // over all instances; a ratio's dividend
    double against = 0;       // a ratio's divisor; of the busiest instance of a counter
    double cycles_active = 0; // of the average instance
    double cycles_elapsed = 0;
    double seconds = 0;
    std::uint64_t replay_passes = 0; // 0: not collected

    constexpr counted& operator+=(counted const& more) noexcept {
        value += more.value;
        against += more.against;
        cycles_active += more.cycles_active;
        cycles_elapsed += more.cycles_elapsed;
        seconds += more.seconds;
        return *this;
    }
};

inline constexpr double not_collected = std::numeric_limits<double>::quiet_NaN();

// Reads a counter or ratio out of the raw counters of one range.
[[nodiscard]] counted read(chip_model const& model, row_number number, counter_values const& values) noexcept;

// The value of a counter's or ratio's sub-metric, as CUPTI 13.0 derives it: counts are means over
// the replay passes; a quotient is 0 where the divisor is 0; the value is not a number where
// nothing was collected. Peaks that need no counting are always there. Instances are not counted
// separately, so .min and .max are those of an even spread of the sum, but for .max of a row that knows its busiest instance.
[[nodiscard]] double derive(chip_model const& model, metric_request const& wanted, counted const& from) noexcept;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_METRIC_TABLE_HPP
