// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics that no counter is needed for: what is known of a launch, of a device, of its links and
// of the collection itself. They take no pass and no permission.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_HPP

#include <cstddef>
#include <string_view>

#include "../../../core/result.hpp"
#include "../../../metric/derived_metrics.hpp"
#include "../../../metric/info.hpp"
#include "../../callbacks/kernel_launch.hpp"
#include "../../machine/device.hpp"
#include "provided_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// Whether a metric comes from here: launch__, device__attribute_, nvlink__, numa__, profiler__. A
// value may still be refused, with the reason.
[[nodiscard]] inline bool provides(metric_info const& metric) noexcept {
    return metric.source == metric_source::launch || metric.source == metric_source::device ||
           metric.source == metric_source::nvlink || metric.source == metric_source::numa ||
           metric.source == metric_source::profiler;
}

// What a collection of ranges knows of itself.
struct collection_facts {
    std::size_t passes = 0;         // that were replayed, warm-up included
    std::size_t warm_up_passes = 0; // of these
    bool session_reused = false;    // by an earlier collection of the same profiler
};

// A device__attribute_, nvlink__ or numa__ metric of a device.
// Errors: unknown_metric with the nearest names; unavailable with the reason where this machine
// does not tell it.
// Cost: a call of the driver for an attribute; links load the management library once
// (milliseconds). Thread-safe.
[[nodiscard]] result<provided_value> try_device_value(device const& gpu, std::string_view name);

// A launch__ metric of a launch on that device. Limits and occupancy are calculated as
// cuda_occupancy.h of CUDA 13.0 does.
// Errors: as try_device_value. Cost: ten calls of the driver; some hundred thousand steps for
// launch__occupancy_per_….
// Thread-safe.
[[nodiscard]] result<provided_value> try_launch_value(device const& gpu, kernel_launch const& launch,
                                                      std::string_view name);

// A profiler__ or smsp__pcsamp_ metric of a collection of ranges.
// Errors: unknown_metric; unavailable for what only sampling has.
[[nodiscard]] result<double> try_profiler_value(collection_facts const& of, std::string_view name);

// A derived__ metric from the two counters that its row names.
// Errors: not_collected where the denominator is 0: 0/0 is no number.
[[nodiscard]] result<double> try_derived_value(derived_metric const& of, double numerator, double denominator);

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "provided.inl.hpp"
#endif

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_HPP
