// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: what counter hardware a device has.
#ifndef GPUPROF_HW_DOCTOR_DEVICE_HARDWARE_HPP
#define GPUPROF_HW_DOCTOR_DEVICE_HARDWARE_HPP

#include <string>

#include "../../core/compute_capability.hpp"
#include "../../core/compute_capability_text.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Names a device, its compute capability, and its counter hardware that this program can use (CUPTI
// 12.0, table 3).
inline void device_hardware(examined_machine const&, examined_device const& device, finding_list& found) {
    using enum finding::severity;
    if (!device.answers)
        return found.add(finding::topic::device, obstacle, device.text() + " does not answer", "check nvidia-smi");
    compute_capability const capability = device.capability;
    std::string const who = device.text() + ": " + device.name + ", compute capability " + capability_text(capability);
    if (!device.has_counters)
        return found.add(finding::topic::device, obstacle, who + ": no counter hardware this version can use",
                         capability.has_event_hardware()
                             ? "include gpuprof/legacy.hpp, or measure on capability 7.0 or later"
                             : "measure on capability 7.0 or later");
    found.add(finding::topic::device, good,
              who + (capability.has_range_hardware() ? ", range profiling" : ", events and metrics"));
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DEVICE_HARDWARE_HPP
