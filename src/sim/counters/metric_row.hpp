// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The row of a metric: everything that the embedded GPU needs to count and describe it.
#ifndef GPUPROF_SRC_SIM_COUNTERS_METRIC_ROW_HPP
#define GPUPROF_SRC_SIM_COUNTERS_METRIC_ROW_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/metric/kind.hpp>
#include "../chip/chip_model.hpp"
#include "../chip/given.hpp"
#include <gpuprof/core/fidelity.hpp>
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// scale * (sum of plus - sum of minus), over raw counters.
struct counter_sum {
    static constexpr std::size_t terms = 20;
    std::array<raw_counter, terms> plus{};
    std::array<raw_counter, terms> minus{};
    double scale = 1;

    friend constexpr bool operator==(counter_sum const&, counter_sum const&) = default;
};

template <class... Counters>
[[nodiscard]] constexpr counter_sum sum(Counters... counters) noexcept {
    return {{counters...}, {}, 1};
}
// @pre there is room for the terms of both, and neither has a scale.
[[nodiscard]] constexpr counter_sum less(counter_sum from, counter_sum const& subtrahend) noexcept {
    auto const append = [](auto& to, auto const& more) {
        std::size_t at = 0;
        while (at < to.size() && to[at] != raw_counter::none) ++at;
        for (raw_counter const term : more)
            if (term != raw_counter::none) to[at++] = term;
    };
    append(from.minus, subtrahend.plus);
    append(from.plus, subtrahend.minus);
    return from;
}
[[nodiscard]] constexpr counter_sum times(double scale, counter_sum of) noexcept {
    of.scale = scale;
    return of;
}

[[nodiscard]] constexpr bool is_empty(counter_sum const& of) noexcept {
    return of.plus[0] == raw_counter::none && of.minus[0] == raw_counter::none;
}

[[nodiscard]] constexpr double evaluate(counter_sum const& of, counter_values const& values) noexcept {
    std::uint64_t total = 0;
    for (raw_counter const term : of.plus)
        if (term != raw_counter::none) total += values[term];
    for (raw_counter const term : of.minus)
        if (term != raw_counter::none) total -= values[term];
    return of.scale * static_cast<double>(total);
}

inline constexpr double unknown_peak = std::numeric_limits<double>::quiet_NaN(); // shares of it are not collected

// A peak that each chip gives.
using peak_member = given<double> chip_peaks::*;

// The greatest value of a metric on a chip: of a counter per instance and cycle, of a ratio itself.
// A number that all chips share, or a multiple of one of the chip's own peaks.
struct metric_peak {
    constexpr metric_peak(double number) noexcept : times{number} {}
    constexpr metric_peak(peak_member peak, double number = 1) noexcept : times{number}, of{peak} {}

    [[nodiscard]] constexpr double on(chip_model const& model) const noexcept {
        if (of == nullptr) return times;
        double const peak = model.peaks.*of;
        return peak == absent ? absent : times * peak;
    }

    double times;
    peak_member of = nullptr;
};

// One base metric. A row that lacks a member does not compile, because the last member is `given`;
// metric_rows.hpp asserts that the members fit each other. Refers to static storage.
struct metric_row {
    char const* name; // "l1tex__t_sectors", without roll-up
    metric_kind kind; // counter, ratio or throughput
    hardware_unit unit;
    char const* dimension; // "l2_sector", CUPTI's own words
    fidelity how;
    metric_peak most;
    counter_sum value;   // of a counter: over all instances; of a ratio: the dividend
    counter_sum against; // a ratio's divisor; what a counter's busiest instance counts, if that is known
    std::span<char const* const> breakdown; // a throughput's counters
    given<char const*> description;

    // `absent` on a chip without what the metric counts.
    [[nodiscard]] constexpr double peak(chip_model const& on) const noexcept { return most.on(on); }
    [[nodiscard]] constexpr bool is_on(chip_model const& model) const noexcept { return peak(model) != absent; }
    // Counted by patching the program, which takes a pass of its own (CUPTI 12.0, 2.9).
    [[nodiscard]] constexpr bool is_instrumented() const noexcept {
        return std::string_view{name}.find("__sass_") != std::string_view::npos;
    }
    // The count of a clock: every instance counts the same, so it is not divided among them.
    [[nodiscard]] constexpr bool is_clock() const noexcept {
        return std::string_view{name}.ends_with("__cycles_elapsed");
    }
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_METRIC_ROW_HPP
