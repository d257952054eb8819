// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numa__ metrics: which CPUs and which memory are near each device (guide, chapter 4, "NUMA
// Topology Metrics").
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_NUMA_METRICS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_NUMA_METRICS_HPP

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../../core/result.hpp"
#include "../../machine/platform/file.hpp"
#include "neighbours.hpp"
#include "provided_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// A line of a file under `root` for a device on the PCI bus, without its end; empty if there is
// none.
[[nodiscard]] inline std::string sys_line(std::string_view root, neighbour const& of, std::string_view file) {
    auto text =
        platform::read_file(std::string{root} + "/bus/pci/devices/" + of.bus_id + '/' + std::string{file}, 65536);
    if (!text) return {};
    return text->substr(0, text->find('\n'));
}

// A text for each device, by its number. The Linux kernel has one NUMA node for a device, and says
// -1 where it knows none.
// @param root "/sys"; tests have their own
// Errors: unavailable where the kernel tells it of no device. Cost: a small file for each device.
[[nodiscard]] inline result<provided_value> numa_metric(std::span<neighbour const> devices, std::string_view name,
                                                        std::string_view root) {
    provided_value value;
    bool const names = is(name, "numa__dev_display_name_all");
    for (neighbour const& each : devices) {
        std::string text =
            names ? each.name : sys_line(root, each, is(name, "numa__cpu_affinity") ? "local_cpulist" : "numa_node");
        if (is(text, "-1") || text.empty()) continue;
        value.instances.push_back({std::to_string(each.ordinal), 0, std::move(text)});
    }
    if (!value.instances.empty()) return value;
    return error{errc::unavailable, 0, std::string{name}, "the Linux kernel knows no NUMA node of these devices",
                 "a container needs /sys of its host; a virtual machine may hide the nodes"};
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_NUMA_METRICS_HPP
