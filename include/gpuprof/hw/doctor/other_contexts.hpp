// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: other programs that use a GPU.
#ifndef GPUPROF_HW_DOCTOR_OTHER_CONTEXTS_HPP
#define GPUPROF_HW_DOCTOR_OTHER_CONTEXTS_HPP

#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Counters of L2, device memory and links include the traffic of other contexts and engines (CUPTI
// 12.0, 1.2.1; Nsight Compute 2023.3, 3.4).
inline void other_contexts(examined_machine const& machine, finding_list& found) {
    std::string who;
    for (std::string const& program : machine.here().device_users)
        if (!program.starts_with("nvidia-persiste"))
            who += (who.empty() ? "" : ", ") + program; // it only keeps the driver loaded
    if (who.empty()) return;
    found.add(finding::topic::values, finding::severity::caveat,
              "other programs have a GPU open (" + who +
                  "): values of L2, device memory and links on the same GPU contain their traffic",
              "measure on a GPU that nothing else uses, a display included; nvidia-smi shows who uses which");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_OTHER_CONTEXTS_HPP
