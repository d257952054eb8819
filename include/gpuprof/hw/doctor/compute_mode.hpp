// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a device that is closed to programs.
#ifndef GPUPROF_HW_DOCTOR_COMPUTE_MODE_HPP
#define GPUPROF_HW_DOCTOR_COMPUTE_MODE_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// In the compute mode "prohibited" no program can make a context, and cuCtxCreate returns
// CUDA_ERROR_DEVICE_UNAVAILABLE (cuda.h of CUDA 13.0, at CU_COMPUTEMODE_PROHIBITED and at that error).
inline void compute_mode(examined_machine const& machine, examined_device const& device, finding_list& found) {
    if (!device.answers) return;
    int const mode = machine.attribute(device, abi::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE).value_or(0);
    if (mode != abi::CU_COMPUTEMODE_PROHIBITED) return;
    found.add(finding::topic::system, finding::severity::obstacle,
              device.text() + " is in the compute mode \"prohibited\", in which no program can make a context",
              "as an administrator, set the default mode: nvidia-smi -c 0", errc::busy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_COMPUTE_MODE_HPP
