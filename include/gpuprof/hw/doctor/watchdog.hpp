// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether long kernels are ended.
#ifndef GPUPROF_HW_DOCTOR_WATCHDOG_HPP
#define GPUPROF_HW_DOCTOR_WATCHDOG_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// A driver with a display ends kernels that run for seconds, and profiling makes some longer (CUPTI
// 12.0, 1.2.1). On Windows these are all GPUs under the display driver model (WDDM); those of
// servers can be set to TCC, which has no display.
inline void watchdog(examined_machine const& machine, examined_device const& device, finding_list& found) {
    if (!device.has_counters) return;
    if (machine.attribute(device, abi::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT).value_or(0) == 0) return;
    if (machine.here().windows())
        return found.add(finding::topic::system, finding::severity::caveat,
                         "Windows ends kernels on " + device.text() +
                             " that run too long (timeout detection and recovery), because it is managed by WDDM",
                         "raise TdrDelay in the registry, or set the GPU to TCC if it can be: nvidia-smi -dm 1",
                         errc::device_lost);
    found.add(finding::topic::system, finding::severity::caveat,
              "the driver ends kernels on " + device.text() + " that run too long (watchdog), because it has a display",
              "set the X option Interactive to false, or measure on a GPU without a display", errc::device_lost);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_WATCHDOG_HPP
