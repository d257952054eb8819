// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether managed memory moves to the device by page faults.
#ifndef GPUPROF_HW_DOCTOR_DEMAND_PAGING_HPP
#define GPUPROF_HW_DOCTOR_DEMAND_PAGING_HPP

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Pages of managed memory move to the device when a kernel first touches them: only in the first
// replay pass (CUPTI 12.0, 1.2).
inline void demand_paging(examined_machine const& machine, examined_device const& device, finding_list& found) {
    if (!device.has_counters) return;
    if (machine.attribute(device, abi::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS).value_or(0) == 0) return;
    found.add(finding::topic::values, finding::severity::note,
              device.text() +
                  " fetches managed memory (cudaMallocManaged) by page faults: the first replay pass differs from the "
                  "later ones",
              "prefetch with cudaMemPrefetchAsync or run the kernel once before measuring, or use cudaMalloc");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DEMAND_PAGING_HPP
