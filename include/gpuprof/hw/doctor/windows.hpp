// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: what Windows lets a program measure.
#ifndef GPUPROF_HW_DOCTOR_WINDOWS_HPP
#define GPUPROF_HW_DOCTOR_WINDOWS_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Since driver 419.17 counters are for administrators unless the control panel opens them to all
// (CUPTI 12.0, 1.2; NVIDIA's page on ERR_NVGPUCTRPERM). A program cannot see that setting. Timers
// are coarse: a short activity may begin and end at the same timestamp (CUPTI 12.0, 1.2).
inline void windows(examined_machine const& machine, finding_list& found) {
    using enum finding::severity;
    if (!machine.here().windows()) return;
    if (machine.here().root)
        found.add(finding::topic::permission, good,
                  "counters are open to administrators, and this process is elevated");
    else
        found.add(
            finding::topic::permission, caveat,
            "counters may be for administrators only, and this process is not elevated; what is set cannot be seen "
            "from here",
            "NVIDIA Control Panel, Developer, Manage GPU Performance Counters: allow all users; or run as "
            "administrator",
            errc::permission);
    if (!machine.devices().empty())
        found.add(finding::topic::values, note,
                  "Windows: records of short activities may begin and end at the same timestamp, its timer is coarse",
                  "add up many of them, or count cycles");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_WINDOWS_HPP
