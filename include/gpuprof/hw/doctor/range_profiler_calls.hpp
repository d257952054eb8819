// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a CUPTI without the range profiler, or with one that crashes.
#ifndef GPUPROF_HW_DOCTOR_RANGE_PROFILER_CALLS_HPP
#define GPUPROF_HW_DOCTOR_RANGE_PROFILER_CALLS_HPP

#include "../../detail/config.hpp"
#include "../counters/range_profiler_faults.hpp"
#include "../counters/target/nvperf_library.hpp"
#include "../counters/target/target_calls.hpp"
#include "../machine/device.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// A CUPTI without the range profiler measures devices of capability 7.0 and later by its older profiling API, where it has
// that and libnvperf_host (CUPTI 12.0, 2.7 and 2.8); with neither it measures none. CUPTI 13.5 is refused where its range
// profiler crashes. If all devices are older, they need the event API instead: event_api.hpp.
inline void range_profiler_calls(examined_machine const& machine, finding_list& found) {
    bool needed = machine.devices().empty();
    for (examined_device const& device : machine.devices())
        needed = needed || !device.answers || device.capability.has_range_hardware();
    if (!needed || !machine.has_cupti()) return;
    hw::machine const& on = machine.on();
    auto const crash = why_range_profiler_crashes(on);
    if (on.cupti.RangeProfilerEnable != nullptr && !crash) return;
    if (missing_target_call(on.cupti) != nullptr)
        return found.add(finding::topic::cupti, crash ? *crash : unavailable_call(on, "cuptiRangeProfilerEnable"));
    if (auto const host = try_nvperf_of(on); !host)
        return found.add(finding::topic::cupti, crash ? *crash : host.error());
    if (crash)
        return found.add(finding::topic::cupti, finding::severity::note,
                         detail::joined({"ranges are measured by CUPTI's profiling API: ", crash->cause}),
                         crash->remedy);
    found.add(
        finding::topic::cupti, finding::severity::note,
        "this CUPTI measures ranges by its profiling API; it has no range profiler, no samples of counters, no counts "
        "of instructions",
        "use the CUPTI of CUDA 12.6 or later to have them");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_RANGE_PROFILER_CALLS_HPP
