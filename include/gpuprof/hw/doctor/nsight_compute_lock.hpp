// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: the lock file of Nsight Compute.
#ifndef GPUPROF_HW_DOCTOR_NSIGHT_COMPUTE_LOCK_HPP
#define GPUPROF_HW_DOCTOR_NSIGHT_COMPUTE_LOCK_HPP

#include <optional>
#include <string>

#include "../../detail/config.hpp"
#include "../machine/counter_lock.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Processes under Nsight Compute wait for each other by a file in the temporary directory (Nsight
// Compute 2023.3, 6.1 and 11). It remains when they end. Profilers of gpuprof hold its lock, too.
inline void nsight_compute_lock(examined_machine const& machine, finding_list& found) {
    surroundings const& here = machine.here();
    std::string const path =
        counter_lock_path([&here](char const* name) { return here.variable(name).value_or(std::string{}); });
    if (!here.exists(path)) return;
    found.add(finding::topic::other_tools, finding::severity::note,
              "Nsight Compute or gpuprof was used here (" + path +
                  "): processes that count wait for each other by this file; it remains, and another user's Nsight "
                  "Compute may be kept from opening it",
              "where users share this machine, set TMPDIR for all of them to one directory without the sticky bit, or "
              "remove the file between measurements");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_NSIGHT_COMPUTE_LOCK_HPP
