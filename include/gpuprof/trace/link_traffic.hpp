// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each NVLink of a device carried in each direction, and what is at its other end.
#ifndef GPUPROF_TRACE_LINK_TRAFFIC_HPP
#define GPUPROF_TRACE_LINK_TRAFFIC_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../hw/counters/uncounted/link_metrics.hpp"
#include "../hw/machine/device.hpp"
#include "link_flow.hpp"

GPUPROF_NAMESPACE_BEGIN

// Measures what the links of a device carry: reads the counters that the driver's management library
// (NVML) has for each link, which count what all programs send and receive. No pass, no permission,
// no replay.
//     auto meter = gpuprof::link_meter::try_create(gpu);
//     exchange(); // and wait for it
//     auto traffic = meter->try_read();
// Values of ranges (nvltx__bytes, nvlrx__bytes) are sums over all links: CUPTI has no value of one.
// Movable; const use is thread-safe. CUPTI 12.0, 2.3.3.
class link_meter {
public:
    // Asks for the links, and reads their counters as try_start() does.
    // Errors: unavailable without NVML, on the embedded GPU and of recordings, where no link is in
    // use, and where the driver does not count; permission; device_lost. Cost: milliseconds: some
    // ten calls of NVML a link, and loading it once.
    [[nodiscard]] static result<link_meter> try_create(device const& gpu);

    // Begins anew. Errors: as try_read(), and then the beginning stays. Cost: one call of NVML.
    [[nodiscard]] result<void> try_start();

    // What went over each link since the beginning. The counters are in KiB, so that each number may
    // be off by 1,024 bytes. Wait for the work before: what is under way is not in it.
    // Errors: what NVML says, with the link's number where it says it of one; internal if a counter
    // went back, which a reset of the GPU does. Cost: one call of NVML.
    [[nodiscard]] result<link_traffic> try_read() const;

private:
    // A reading: for each port KiB sent and received, and the same with headers (-1: not told).
    struct reading {
        unsigned long long monotonic_ns = 0;
        std::vector<double> kibibytes;
    };
    [[nodiscard]] result<reading> try_count() const;

    link_meter() = default;

    int ordinal_ = 0;
    hw::provided::nvml_device handle_ = nullptr;
    hw::provided::link_topology topology_;
    reading beginning_;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "link_traffic.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_LINK_TRAFFIC_HPP
