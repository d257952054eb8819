// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: the lock file of Nsight Compute.
#ifndef GPUPROF_HW_DOCTOR_NSIGHT_COMPUTE_LOCK_HPP
#define GPUPROF_HW_DOCTOR_NSIGHT_COMPUTE_LOCK_HPP

#include <optional>
#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Processes under Nsight Compute wait for each other by a file in the temporary directory (Nsight
// Compute 2023.3, 6.1 and 11). It remains when they end. gpuprof does not take this lock.
inline void nsight_compute_lock(examined_machine const& machine, finding_list& found) {
    surroundings const& here = machine.here();
    std::string directory = "/tmp";
    for (auto const& set :
         {here.variable("TMPDIR"), here.variable("TMP"), here.variable("TEMP"), here.variable("TEMPDIR")})
        if (set && !set->empty()) {
            directory = *set;
            break;
        }
    std::string const path = directory + "/nsight-compute-lock";
    if (!here.exists(path)) return;
    found.add(finding::topic::other_tools, finding::severity::note,
              "Nsight Compute was used here (" + path + "): it does not wait for gpuprof, nor gpuprof for it",
              "do not measure with both at a time");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_NSIGHT_COMPUTE_LOCK_HPP
