// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: who may read counters.
#ifndef GPUPROF_HW_DOCTOR_COUNTER_PERMISSION_HPP
#define GPUPROF_HW_DOCTOR_COUNTER_PERMISSION_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "counters_for_all.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"
#include "surroundings.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Counters are open to all users, or for administrators only (NVreg_RestrictProfilingToAdminUsers);
// NVIDIA documents this as ERR_NVGPUCTRPERM. Tegra and WSL have no such parameter: tegra.hpp,
// wsl.hpp.
inline void counter_permission(examined_machine const& machine, finding_list& found) {
    using enum finding::severity;
    surroundings const& here = machine.here();
    if (here.driver_parameters.empty()) return;
    if (!here.counters_for_admins_only())
        return found.add(finding::topic::permission, good, "counters are open to all users");
    if (here.privileged())
        return found.add(finding::topic::permission, good,
                         "counters are for administrators only, and this process has the privilege");
    found.add(finding::topic::permission, obstacle,
              "counters are for administrators only (RmProfilingAdminOnly: 1), and this process has no such privilege",
              how_to_open_counters(here), errc::permission);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_COUNTER_PERMISSION_HPP
