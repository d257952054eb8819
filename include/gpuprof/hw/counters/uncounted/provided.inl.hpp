// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of provided.hpp.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_INL_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_INL_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../../../metric/device_attributes.hpp"
#include "../../../metric/nearest.hpp"
#include "../../../metric/provider_metrics.hpp"
#include "attribute_metrics.hpp"
#include "launch_metrics.hpp"
#include "link_metrics.hpp"
#include "numa_metrics.hpp"
#include "provided.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {
namespace detail {

// The row of a metric that one of `sources` provides, or the error that offers the nearest names.
template <class... Sources>
[[nodiscard]] bool is_of(std::string_view name, Sources... sources) noexcept {
    provider_metric const* const row = find_provider_metric(name);
    return row != nullptr && ((row->source == sources) || ...);
}

inline constexpr std::string_view attribute_prefix = "device__attribute_";

[[nodiscard]] inline bool is_driver_attribute(std::string_view name) noexcept {
    return name.starts_with(attribute_prefix) && find_device_attribute(name.substr(attribute_prefix.size())) != nullptr;
}

[[nodiscard]] GPUPROF_COLD inline error no_such_metric(std::string_view name, std::string_view cause) {
    if (name.starts_with(attribute_prefix))
        return unknown_name(
            name, cause, provider_metrics,
            gpuprof::detail::perhaps(name.substr(attribute_prefix.size()), device_attributes, attribute_prefix));
    return unknown_name(name, cause, provider_metrics);
}

} // namespace detail

GPUPROF_INLINE result<provided_value> try_device_value(device const& gpu, std::string_view name) {
    if (detail::is_driver_attribute(name) || detail::is_of(name, metric_source::device))
        return attribute_metric(gpu, name);
    if (!detail::is_of(name, metric_source::nvlink, metric_source::numa))
        return detail::no_such_metric(name, "no device has a metric of that name");
    std::vector<neighbour> const devices = neighbours_of(gpu);
    bool const embedded = gpu.source() == device_source::embedded;
    if (detail::is_of(name, metric_source::numa)) {
        if (embedded && !is(name, "numa__dev_display_name_all"))
            return detail::no_value(name, "the embedded GPU runs on all CPUs and has no node of its own");
        return numa_metric(devices, name, "/sys");
    }
    if (embedded) return link_metric({}, devices, gpu.ordinal(), name);
    auto topology = try_link_topology(nvml(), devices, gpu.ordinal());
    if (!topology) return topology.error();
    // Where no link is in use the library says 0; Nsight Compute has the chip's own number, for
    // GH100 18.
    if (topology->most == 0 && gpu.chip() == "GH100") topology->most = 18;
    return link_metric(*topology, devices, gpu.ordinal(), name);
}

GPUPROF_INLINE result<provided_value> try_launch_value(device const& gpu, kernel_launch const& launch,
                                                       std::string_view name) {
    if (!detail::is_of(name, metric_source::launch))
        return detail::no_such_metric(name, "no launch has a metric of that name");
    return launch_metric(gpu, launch, name);
}

GPUPROF_INLINE result<double> try_profiler_value(collection_facts const& of, std::string_view name) {
    if (is(name, "profiler__replayer_passes")) return static_cast<double>(of.passes);
    if (is(name, "profiler__replayer_passes_type_warmup")) return static_cast<double>(of.warm_up_passes);
    if (is(name, "profiler__perfworks_session_reuse")) return of.session_reused ? 1.0 : 0.0;
    if (!detail::is_of(name, metric_source::profiler) && !name.starts_with("profiler__pmsampler_ctxsw_"))
        return detail::no_such_metric(name, "no collection has a metric of that name");
    return detail::no_value(name, why_not_collected(metric_source::profiler, name));
}

GPUPROF_INLINE result<double> try_derived_value(derived_metric const& of, double numerator, double denominator) {
    if (denominator != 0) return numerator / denominator;
    return error{errc::not_collected, 0, of.name,
                 std::string{of.denominator} + " is 0, and a quotient by 0 is no number", ""};
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_INL_HPP
