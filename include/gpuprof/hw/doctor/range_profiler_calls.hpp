// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a CUPTI without the range profiler.
#ifndef GPUPROF_HW_DOCTOR_RANGE_PROFILER_CALLS_HPP
#define GPUPROF_HW_DOCTOR_RANGE_PROFILER_CALLS_HPP

#include "../../detail/config.hpp"
#include "../machine/device.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// A CUPTI without the range profiler's calls measures no device of capability 7.5 or later (CUPTI
// 13.0, range profiling API). If all devices are older, they need the event API instead:
// event_api.hpp.
inline void range_profiler_calls(examined_machine const& machine, finding_list& found) {
    bool needed = machine.devices().empty();
    for (examined_device const& device : machine.devices())
        needed = needed || !device.answers || device.capability.has_range_hardware();
    if (needed && machine.has_cupti() && machine.on().cupti.RangeProfilerEnable == nullptr)
        found.add(finding::topic::cupti, unavailable_call(machine.on(), "cuptiRangeProfilerEnable"));
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_RANGE_PROFILER_CALLS_HPP
