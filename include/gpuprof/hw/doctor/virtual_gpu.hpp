// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a GPU of a virtual machine.
#ifndef GPUPROF_HW_DOCTOR_VIRTUAL_GPU_HPP
#define GPUPROF_HW_DOCTOR_VIRTUAL_GPU_HPP

#include "../../detail/config.hpp"
#include "device_name.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// A virtual GPU needs, besides its host's permission, a licence, which nvidia-gridd gets, and no
// migration (CUPTI 12.0, 1.2 and 4.2; Nsight Compute 2023.3, 7.1).
inline void virtual_gpu(examined_machine const& machine, examined_device const& device, finding_list& found) {
    using enum finding::severity;
    if (device.vgpu == vgpu_profile::none) return;
    if (machine.here().runs("nvidia-gridd"))
        found.add(finding::topic::values, note,
                  device.text() + " is a virtual GPU: without a licence its values are wrong after 20 minutes",
                  "nvidia-smi -q shows the state of the licence");
    else
        found.add(finding::topic::values, caveat,
                  device.text() + " is a virtual GPU: without a licence its values are wrong after 20 minutes, and "
                                  "nvidia-gridd, which gets one, is not running",
                  "configure /etc/nvidia/gridd.conf and start nvidia-gridd");
    found.add(finding::topic::values, note,
              device.text() +
                  " is a virtual GPU: after a migration of the virtual machine its results are not accurate",
              "measure without a migration, with the vGPU plugin parameter enable_profiling set");
    if (device.vgpu == vgpu_profile::mig)
        found.add(finding::topic::values, caveat,
                  device.text() +
                      " is a virtual GPU on a MIG instance: the work of other virtual machines may be counted, and "
                      "locked clocks are locked for all of them",
                  "measure while the others rest, and leave the clocks as they are");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_VIRTUAL_GPU_HPP
