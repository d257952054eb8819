// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a tool in this process. Layer: hw.
#ifndef GPUPROF_HW_DOCTOR_INJECTED_TOOL_HPP
#define GPUPROF_HW_DOCTOR_INJECTED_TOOL_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// CUDA_INJECTION64_PATH names a library that the driver loads into the process; only one such tool can use CUPTI.
GPUPROF_LAZY void injected_tool(examined_machine const& machine, finding_list& found) {
    if (machine.here().injection)
        found.add(finding::topic::other_tools, finding::severity::note,
                  "a tool is injected into this process (CUDA_INJECTION64_PATH)",
                  "run without it if measuring answers busy", errc::busy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_INJECTED_TOOL_HPP
