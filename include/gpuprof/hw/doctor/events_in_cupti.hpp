// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a device of events under a CUPTI without them. Layer: hw.
#ifndef GPUPROF_HW_DOCTOR_EVENTS_IN_CUPTI_HPP
#define GPUPROF_HW_DOCTOR_EVENTS_IN_CUPTI_HPP

#include "../../detail/config.hpp"
#include "../machine/machine.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// CUPTI 13 no longer has the event API, which is all that a device below capability 7.0 counts with.
GPUPROF_LAZY void events_in_cupti(examined_machine const& machine, examined_device const& device, finding_list& found) {
    if (!device.has_counters || device.capability.has_range_hardware() || !machine.has_cupti()) return;
    if (cupti_release(machine.on().cupti_library.version) >= 13)
        found.add(finding::topic::counters, finding::severity::problem,
                  "CUPTI 13 and later serve no events, which is all that " + device.text() + " counts",
                  "use the CUPTI of CUDA 12 or earlier (wheel nvidia-cuda-cupti-cu12)");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_EVENTS_IN_CUPTI_HPP
