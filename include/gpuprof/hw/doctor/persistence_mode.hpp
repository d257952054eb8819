// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether the driver stays loaded.
#ifndef GPUPROF_HW_DOCTOR_PERSISTENCE_MODE_HPP
#define GPUPROF_HW_DOCTOR_PERSISTENCE_MODE_HPP

#include <optional>
#include <string>
#include <vector>

#include "../../detail/config.hpp"
#include "../counters/uncounted/neighbours.hpp"
#include "../counters/uncounted/nvml.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What the management library says of one device; nothing where it does not know.
[[nodiscard]] inline std::optional<bool> persistence_of(std::string const& bus_id) {
    if (bus_id.empty()) return {};
    provided::nvml_table const& library = provided::nvml();
    provided::nvml_device device = nullptr;
    unsigned is_on = 0;
    if (library.missing || library.handle_by_bus_id == nullptr || library.persistence_mode == nullptr ||
        library.handle_by_bus_id(bus_id.c_str(), &device) != 0 || library.persistence_mode(device, &is_on) != 0)
        return {};
    return is_on != 0;
}

namespace findings {

// Without persistence the driver starts with the first program that uses a GPU and stops with the
// last (Nsight Compute 2023.3, 6.4). Where the management library does not tell, the daemon that
// keeps the driver loaded is looked for.
inline void persistence_mode(examined_machine const& machine, finding_list& found) {
    surroundings const& here = machine.here();
    if (machine.devices().empty() || here.wsl() || here.tegra()) return;
    std::string off;
    bool all_known = true;
    std::vector<provided::neighbour> const all = provided::devices_of(machine.on().driver);
    for (examined_device const& device : machine.devices()) {
        std::optional<bool> is_on;
        for (provided::neighbour const& each : all)
            if (each.ordinal == device.ordinal) is_on = persistence_of(each.bus_id);
        all_known = all_known && is_on.has_value();
        if (is_on && !*is_on) off += (off.empty() ? "" : ", ") + device.text();
    }
    constexpr char const* effect = "programs may wait for the driver to start, and clocks begin low";
    if (!off.empty())
        found.add(finding::topic::system, finding::severity::note, "persistence mode is off (" + off + "): " + effect,
                  "start nvidia-persistenced, or use nvidia-smi -pm 1");
    else if (!all_known && !here.runs("nvidia-persistenced"))
        found.add(finding::topic::system, finding::severity::note,
                  std::string{"nvidia-persistenced does not run here: "} + effect, "start it, or use nvidia-smi -pm 1");
}

} // namespace findings
} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_PERSISTENCE_MODE_HPP
