// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which constituents of a throughput a device can measure.
#ifndef GPUPROF_HW_COUNTERS_RANGE_DEVICE_BREAKDOWN_HPP
#define GPUPROF_HW_COUNTERS_RANGE_DEVICE_BREAKDOWN_HPP

#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/device_source.hpp"
#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../metric/breakdown_lookup.hpp"
#include "../../../metric/info.hpp"
#include "../../../metric/throughput_constituents.hpp"
#include "../../machine/device.hpp"
#include "../../machine/machine.hpp"
#include "metric_host.hpp"

GPUPROF_NAMESPACE_BEGIN

// The constituents of a throughput, parted by whether a device's CUPTI can measure them. The embedded GPU models some, and
// its throughput is the highest of those; a CUPTI older than 13.0 need not know them all.
struct device_breakdown {
    std::vector<metric_info> parts; // for profiler::try_create
    std::vector<error> lacking;     // one for each other constituent: its name in `what`, the reason in `cause`
};

// try_breakdown for the chip of a device. Errors: those of try_breakdown; unavailable below capability 7.0, without a chip
// name, or without a CUPTI with the profiler host API. Cost: opens a metric_host and asks it for each constituent.
// Thread-safe.
[[nodiscard]] inline result<device_breakdown> try_breakdown(device const& gpu, std::string_view throughput,
                                                            breakdown_depth depth = breakdown_depth::one_level) {
#if !GPUPROF_ENABLED
    static_cast<void>(gpu), static_cast<void>(throughput), static_cast<void>(depth);
    return detail::compiled_out();
#else
    if (!gpu.capability().has_range_hardware())
        return error{errc::unavailable, 0, detail::joined({gpu.name(), " has no throughputs"}), "it counts events",
                     "ask for legacy metrics (gpuprof/legacy.hpp)"};
    if (gpu.chip().empty()) return gpu.why_no_chip();
    auto constituents = try_breakdown(gpu.chip(), throughput, depth);
    if (!constituents) return std::move(constituents).error();
    hw::open_companion(gpu.machine().cupti_library, "libnvperf_host.so");
    auto const host = hw::metric_host::try_open(gpu.cupti(), gpu.chip(), {}, gpu.source());
    if (!host) return host.error();
    bool const embedded = gpu.source() == device_source::embedded;
    device_breakdown made;
    for (metric_info& each : *constituents) {
        if (host->has(each.name)) made.parts.push_back(std::move(each));
        else
            made.lacking.push_back({errc::unknown_metric, 0, each.name,
                                    detail::joined({embedded ? "the embedded " : "this CUPTI does not know it for ",
                                                    gpu.chip(), embedded ? " does not model it" : ""}),
                                    embedded ? "ask a GPU" : "use the CUPTI of CUDA 13.0 or later"});
    }
    return made;
#endif
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_RANGE_DEVICE_BREAKDOWN_HPP
