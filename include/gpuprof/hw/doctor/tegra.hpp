// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a Tegra, where counters are for root.
#ifndef GPUPROF_HW_DOCTOR_TEGRA_HPP
#define GPUPROF_HW_DOCTOR_TEGRA_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// On Tegra and other mobile devices counters and tracing are for root, whatever the driver's
// parameters say (CUPTI 12.0, 1.2).
inline void tegra(examined_machine const& machine, finding_list& found) {
    if (!machine.here().tegra()) return;
    if (machine.here().privileged())
        return found.add(finding::topic::permission, finding::severity::good,
                         "Tegra: this process has root's privilege");
    found.add(finding::topic::permission, finding::severity::obstacle,
              "Tegra: counters, and tracing as well, are for root only", "run as root, for example with sudo",
              errc::permission);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_TEGRA_HPP
