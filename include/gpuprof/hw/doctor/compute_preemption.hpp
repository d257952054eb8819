// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether kernels are preempted for other contexts.
#ifndef GPUPROF_HW_DOCTOR_COMPUTE_PREEMPTION_HPP
#define GPUPROF_HW_DOCTOR_COMPUTE_PREEMPTION_HPP

#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// From capability 6.0 on, a kernel may be preempted for another context, and the time away counts
// as its own (CUPTI 12.0, 1.2). That happens only with another context: a display, or another
// program.
inline void compute_preemption(examined_machine const& machine, examined_device const& device, finding_list& found) {
    if (!device.has_counters) return;
    if (machine.attribute(device, abi::CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED)
            .value_or(device.capability >= compute_capability{6, 0}) == 0)
        return;
    bool const shared = machine.attribute(device, abi::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT).value_or(0) != 0 ||
                        !machine.here().device_users.empty();
    bool const events = device.capability.has_event_hardware();
    found.add(finding::topic::values, shared ? finding::severity::caveat : finding::severity::note,
              device.text() + " preempts kernels for other contexts: their time gets longer" +
                  (events ? ", and warps_launched, sm_cta_launched and inst_per_warp get larger" : ""),
              std::string{"let one program use it at a time, and no display"} +
                  (events ? "; take unique_warps_launched for warps_launched" : ""));
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_COMPUTE_PREEMPTION_HPP
