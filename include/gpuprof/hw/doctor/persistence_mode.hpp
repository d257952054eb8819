// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether the driver stays loaded.
#ifndef GPUPROF_HW_DOCTOR_PERSISTENCE_MODE_HPP
#define GPUPROF_HW_DOCTOR_PERSISTENCE_MODE_HPP

#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Without persistence the driver starts with the first program that uses a GPU and stops with the
// last (Nsight Compute 2023.3, 6.4). nvidia-smi -pm 1 has the same effect as the daemon, but cannot
// be detected here.
inline void persistence_mode(examined_machine const& machine, finding_list& found) {
    surroundings const& here = machine.here();
    if (machine.devices().empty() || here.wsl() || here.tegra() || here.runs("nvidia-persistenced")) return;
    found.add(finding::topic::system, finding::severity::note,
              "nvidia-persistenced does not run here: programs may wait for the driver to start, and clocks begin low",
              "start it, or use nvidia-smi -pm 1");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_PERSISTENCE_MODE_HPP
