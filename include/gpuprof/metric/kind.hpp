// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sort of thing a metric is and who delivers it.
#ifndef GPUPROF_METRIC_KIND_HPP
#define GPUPROF_METRIC_KIND_HPP

#include "../detail/config.hpp"

// g++ says that an enumerator shadows the type gpuprof::ratio, which it does not: both enumerations are scoped.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

GPUPROF_NAMESPACE_BEGIN

// How a metric comes to its value (Nsight Compute guide 3.2, "Metrics Entities").
enum class metric_kind : unsigned char {
    counter,    // counted by every instance of a unit, rolled up over them
    ratio,      // quotient of counters
    throughput, // the highest percentage of peak among several counters
    number,     // a single number of another provider: launch__grid_size
    text,       // a string of another provider: device__attribute_display_name
    group       // stands for several metrics: group:memory__dram_table
};

// Who delivers a metric (guide 3.2 and chapter 4).
enum class metric_source : unsigned char {
    hardware,       // the hardware's counters
    sass,           // the patched program: smsp__sass_…; tools/generate_catalogues.cpp compares names with counters
    launch,         // the parameters of a kernel launch
    device,         // attributes of the device
    nvlink,         // NVLink topology
    numa,           // NUMA topology
    warp_sampling,  // the warp scheduler's state, sampled per instruction address
    source_counter, // the patched program, per instruction address
    opcode,         // the patched program, per opcode
    profiler,       // the tool itself
    named_set,      // a name that stands for several metrics
    pm_sampling     // the hardware's counters, read at intervals while kernels run: pmsampling:…
};

// How the values of one metric from several executions of the same range become one.
enum class aggregation : unsigned char {
    sum,     // the .sum and the .avg of a counter: they add up, execution by execution
    minimum, // the .min of a counter
    maximum, // the .max of a counter
    mean     // unweighted: rates, percentages, ratios, and everything that describes rather than counts
};

// How a counter's values from all instances of its unit become one (guide 3.2).
enum class rollup : unsigned char { none, sum, avg, min, max };

// What is derived from the rolled-up value (guide 3.2). The last three are a ratio's. Those of a region or a frame are in the
// guide and in CUPTI 12.0's grammar, but no chip of CUPTI 13.0 has them: see is_of_no_chip.
enum class submetric : unsigned char {
    none,
    peak_sustained,
    peak_sustained_active,
    peak_sustained_active_per_second,
    peak_sustained_elapsed,
    peak_sustained_elapsed_per_second,
    peak_sustained_region,
    peak_sustained_region_per_second,
    peak_sustained_frame,
    peak_sustained_frame_per_second,
    per_second,
    per_cycle_active,
    per_cycle_elapsed,
    per_cycle_in_region,
    per_cycle_in_frame,
    pct_of_peak_sustained_active,
    pct_of_peak_sustained_elapsed,
    pct_of_peak_sustained_region,
    pct_of_peak_sustained_frame,
    pct,
    ratio,
    max_rate
};

// Whether the sub-metric belongs to a region or a frame: the grammar knows them, and no chip of CUPTI 13.0 has a metric with
// one (a test compares with `sub_metrics`). A range of a profiler is what `…_elapsed` and `…_active` are about.
[[nodiscard]] constexpr bool is_of_no_chip(submetric of) noexcept {
    using enum submetric;
    switch (of) {
        case peak_sustained_region:
        case peak_sustained_region_per_second:
        case peak_sustained_frame:
        case peak_sustained_frame_per_second:
        case per_cycle_in_region:
        case per_cycle_in_frame:
        case pct_of_peak_sustained_region:
        case pct_of_peak_sustained_frame: return true;
        default: return false;
    }
}

GPUPROF_NAMESPACE_END

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif // GPUPROF_METRIC_KIND_HPP
