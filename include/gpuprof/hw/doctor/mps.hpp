// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether contexts are clients of the multi-process service.
#ifndef GPUPROF_HW_DOCTOR_MPS_HPP
#define GPUPROF_HW_DOCTOR_MPS_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// The profiling API does not work under MPS; events of devices of capability 7.0 and later may
// count too much there (CUPTI 12.0, 1.2 and 1.2.1.2).
inline void mps(examined_machine const& machine, examined_device const& device, finding_list& found) {
    if (!device.has_counters || !device.capability.has_range_hardware()) return;
    surroundings const& here = machine.here();
    auto const enabled = machine.attribute(device, abi::CU_DEVICE_ATTRIBUTE_MPS_ENABLED);
    char const* const remedy = "stop it with echo quit | nvidia-cuda-mps-control, or measure on another device";
    if (enabled.value_or(0) != 0)
        found.add(finding::topic::system, finding::severity::obstacle,
                  "contexts on " + device.text() +
                      " are clients of the multi-process service (MPS), under which range profiling does not work" +
                      (device.capability.has_event_hardware() ? " and events may count too much" : ""),
                  remedy);
    else if (!enabled && (here.runs("nvidia-cuda-mps-control") || here.runs("nvidia-cuda-mps-server")))
        found.add(finding::topic::system, finding::severity::caveat,
                  "the multi-process service (MPS) is running; range profiling does not work in its clients", remedy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_MPS_HPP
