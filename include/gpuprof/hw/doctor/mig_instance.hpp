// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a device that is a part of a GPU.
#ifndef GPUPROF_HW_DOCTOR_MIG_INSTANCE_HPP
#define GPUPROF_HW_DOCTOR_MIG_INSTANCE_HPP

#include "../../detail/config.hpp"
#include "device_name.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// A compute instance of a GPU under MIG. An isolated one has all units of its GPU instance; one
// that shares them gives NaN for metrics of the shared units. Clocks are those of the whole GPU
// (CUPTI 12.0, 4.1; Nsight Compute 2023.3, 7.1).
inline void mig_instance(examined_machine const&, examined_device const& device, finding_list& found) {
    mig_profile const mig = mig_profile_of(device.name);
    if (mig == mig_profile::none) return;
    if (mig == mig_profile::shared)
        found.add(finding::topic::values, finding::severity::caveat,
                  device.text() +
                      " shares units with other compute instances (MIG): metrics of L2, device memory, links and "
                      "the bus have no value (NaN); those of its multiprocessors do",
                  "measure on a compute instance of the size of its GPU instance");
    found.add(finding::topic::values, finding::severity::note,
              device.text() +
                  " is a MIG instance: other work in it is counted, and its clocks are set for the whole GPU only",
              "let nothing else run in it; lock clocks with nvidia-smi --lock-gpu-clocks=tdp,tdp on the host");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_MIG_INSTANCE_HPP
