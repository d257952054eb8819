// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: requirements of the Windows Subsystem for Linux.
#ifndef GPUPROF_HW_DOCTOR_WSL_HPP
#define GPUPROF_HW_DOCTOR_WSL_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Profiling needs WSL 2, driver 525 or later (which is CUDA 12.0) and Windows 11, and counters that
// are open on the Windows side (CUPTI 12.0, 1.2.1.2 and 4.3; Nsight Compute 2023.3, 11). The last
// two cannot be seen from Linux.
inline void wsl(examined_machine const& machine, finding_list& found) {
    if (!machine.here().wsl()) return;
    if (machine.here().wsl1())
        return found.add(finding::topic::system, finding::severity::obstacle, "WSL 1 has no GPU",
                         "convert it to WSL 2");
    if (machine.has_driver() && machine.on().driver_library.version < 12000)
        found.add(finding::topic::system, finding::severity::obstacle,
                  "under WSL 2, profiling needs driver 525 or later", "update the driver on the Windows side",
                  errc::version_mismatch);
    found.add(finding::topic::permission, finding::severity::caveat,
              "WSL 2: profiling needs Windows 11 and counters that are open on the Windows side, which cannot be seen "
              "from here",
              "NVIDIA Control Panel, Developer, Manage GPU Performance Counters: allow all users", errc::permission);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_WSL_HPP
