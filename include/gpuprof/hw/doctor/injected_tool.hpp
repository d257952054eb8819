// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a tool in this process.
#ifndef GPUPROF_HW_DOCTOR_INJECTED_TOOL_HPP
#define GPUPROF_HW_DOCTOR_INJECTED_TOOL_HPP

#include <string>
#include <string_view>

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// CUPTI serves one tool a process (CUPTI 12.0, 1.2). CUDA_INJECTION64_PATH names a library that the
// driver loads into the process; other tools are preloaded, which the process's list of mapped
// files shows.
inline void injected_tool(examined_machine const& machine, finding_list& found) {
    struct tool {
        std::string_view library;
        char const* name;
    };
    std::string who = machine.here().injection ? "a tool (CUDA_INJECTION64_PATH)" : "";
    std::string const mapped = machine.here().file("/proc/self/maps");
    for (tool const& known :
         {tool{"/libsanitizer-collection.so", "Compute Sanitizer"}, tool{"/libcuda-injection.so", "Nsight Compute"},
          tool{"/libToolsInjection64.so", "Nsight Systems"}})
        if (mapped.find(known.library) != std::string::npos) who = known.name;
    if (!who.empty())
        found.add(finding::topic::other_tools, finding::severity::caveat, who + " is injected into this process",
                  "run without it if measuring answers busy", errc::busy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_INJECTED_TOOL_HPP
