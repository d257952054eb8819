// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics of the event hardware: what each means, and how a family computes it.
#ifndef GPUPROF_LEGACY_LEGACY_METRIC_HPP
#define GPUPROF_LEGACY_LEGACY_METRIC_HPP

#include <span>
#include <string_view>

#include "capability_family.hpp"
#include "../detail/config.hpp"
#include "formula.hpp"
#include "../metric/kind.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// What a metric is about. The values are CUpti_MetricCategory's.
enum class legacy_metric_category : unsigned char { memory, instruction, multiprocessor, cache, texture, nvlink, pcie };

// Whose work a value covers when several contexts share the GPU (CUPTI 12.0, 2.6.1).
enum class legacy_metric_scope : unsigned char {
    unstated,              // no document says
    single_context,        // right only while one context runs
    multi_context,         // the measured context's, whoever else runs
    multi_context_on_some, // the same on capability 5.0 and 5.2, single_context on 5.3
    device                 // all contexts' together
};

// A unit of its own for utilisation levels: tenths, of which 0 is idle and 10 the most that is possible. CUPTI rounds a
// level up to a whole number; formulas do not round.
inline constexpr unit tenth_unit = unit_of(dimension::none, -1);

// A legacy metric: one name, one unit, one meaning, on every capability (CUPTI 12.0, 2.6). `of` is the unit of its value;
// `cupti` is the unit that CUPTI gives it in, which differs by a power of ten at most: CUPTI has occupancy and replay
// overheads as ratios.
struct legacy_metric_descriptor {
    char const* name;
    unit of;
    unit cupti;
    legacy_metric_category category;
    char const* meaning;

    // Whether it is about one instance of its domain, not the device: it is calculated from the counts of each, and the value
    // is the mean (CUPTI 5.0, CUpti_MetricEvaluationMode). CUPTI 12.0 has these two in no other mode.
    [[nodiscard]] constexpr bool of_one_instance() const noexcept {
        return std::string_view{name}.ends_with("_instance");
    }

    // How values of repeated ranges become one: counts add up, all else is averaged. (What is about a multiprocessor is an
    // average, whatever its unit.)
    [[nodiscard]] constexpr gpuprof::aggregation aggregation() const noexcept {
        bool counts = category != legacy_metric_category::multiprocessor && of.factors[0].exponent != 0;
        for (unit::factor const& each : of.factors) counts = counts && each.exponent >= 0;
        return counts ? gpuprof::aggregation::sum : gpuprof::aggregation::mean;
    }
};

// A metric as one family has it. An empty formula: its counters are CUPTI's secret, so CUPTI is asked for the value.
struct legacy_metric_row {
    legacy_metric_descriptor const* metric;
    legacy_metric_scope scope = legacy_metric_scope::unstated;
    gpuprof::formula formula;
    capability_revisions only = any_revision; // of the family, those that have it
    // For devices with more of a unit than `formula` counts, which have events of their own for that: tried first.
    gpuprof::formula wider{};

    // The formula on a device, which depends on the events that it has. @param has says whether an event is there
    template <class Has>
    [[nodiscard]] constexpr gpuprof::formula formula_with(Has const& has) const {
        bool all = !wider.empty();
        for (expression_input const& each : wider.inputs())
            all = all && (each.source != input_source::event || has(each.name));
        return all ? wider : formula;
    }
    [[nodiscard]] constexpr bool asked_of_cupti() const noexcept { return formula.empty(); }
};

// The metrics of one capability family. Refers to static storage. A family's list is the union of its devices': one
// device may lack some.
struct legacy_metric_set {
    capability_family family;
    std::span<legacy_metric_row const> rows;

    // The metric of that name, or null. Cost: a linear search of at most 200 names.
    [[nodiscard]] constexpr legacy_metric_row const* find(std::string_view name) const noexcept {
        for (legacy_metric_row const& each : rows)
            if (each.metric->name == name) return &each;
        return nullptr;
    }
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_LEGACY_METRIC_HPP
