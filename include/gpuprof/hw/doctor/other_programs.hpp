// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: programs that may hold the counters. Layer: hw.
#ifndef GPUPROF_HW_DOCTOR_OTHER_PROGRAMS_HPP
#define GPUPROF_HW_DOCTOR_OTHER_PROGRAMS_HPP

#include <string>      // texts
#include <string_view> // names of programs

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Monitoring and profilers that use the counters of a device, of which there is one set.
GPUPROF_LAZY void other_programs(examined_machine const& machine, finding_list& found) {
    for (std::string const& program : machine.here().processes)
        for (std::string_view const known :
             {"nv-hostengine", "dcgm-exporter", "dcgmi", "ncu", "nsys", "nv-nsight-cu-cli"})
            if (program == known.substr(0, 15)) // the kernel cuts names there
                found.add(finding::topic::other_tools, finding::severity::note,
                          program + " is running and may hold the counters",
                          program.starts_with("n") && program != "nv-hostengine"
                              ? "let it finish first"
                              : "pause it with dcgmi profile --pause",
                          errc::busy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_OTHER_PROGRAMS_HPP
