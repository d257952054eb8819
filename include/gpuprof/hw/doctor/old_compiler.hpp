// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a device on which code of old compilers is counted wrongly.
#ifndef GPUPROF_HW_DOCTOR_OLD_COMPILER_HPP
#define GPUPROF_HW_DOCTOR_OLD_COMPILER_HPP

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Code of nvcc before 9.0 may be counted wrongly on capability 6.0 and 6.1. CUPTI warns when it
// meets such a module, and continues (CUPTI 12.0, 1.2.1.1:
// CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE).
inline void old_compiler(examined_machine const&, examined_device const& device, finding_list& found) {
    if (!device.has_counters) return;
    if (device.capability < compute_capability{6, 0} || device.capability > compute_capability{6, 1}) return;
    found.add(finding::topic::values, finding::severity::note,
              "kernels that nvcc before 9.0 compiled may be counted wrongly on " + device.text(),
              "compile them with nvcc 9.0 or later");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_OLD_COMPILER_HPP
