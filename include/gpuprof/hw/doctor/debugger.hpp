// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a debugger of this process.
#ifndef GPUPROF_HW_DOCTOR_DEBUGGER_HPP
#define GPUPROF_HW_DOCTOR_DEBUGGER_HPP

#include <cstddef>
#include <cstdlib>
#include <string>

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// CUDA debuggers hold the GPU as profilers do; other debuggers do not matter.
inline void debugger(examined_machine const& machine, finding_list& found) {
    std::string const& status = machine.here().own_status;
    std::size_t const at = status.find("TracerPid:");
    if (at == std::string::npos) return;
    unsigned long const tracer = std::strtoul(status.c_str() + at + 10, nullptr, 10);
    if (tracer != 0 && machine.here().file("/proc/" + std::to_string(tracer) + "/comm").starts_with("cuda-gdb"))
        found.add(finding::topic::other_tools, finding::severity::obstacle, "cuda-gdb debugs this process",
                  "measure without the debugger", errc::busy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DEBUGGER_HPP
