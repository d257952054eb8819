// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nvlink__ metrics: the links of a device and what is at their far end (guide, chapter 4,
// "NVLink Topology Metrics").
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_LINK_METRICS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_LINK_METRICS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../../core/result.hpp"
#include "neighbours.hpp"
#include "nvml.hpp"
#include "provided_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// The links between a device and one neighbour, or one switch: what the guide calls a logical link.
struct logical_link {
    unsigned far_end = 0; // nvml_far_end
    int far_device = -1;  // its number, if it is a device that this process sees
    std::string far_bus_id;
    std::vector<unsigned> source_ports;
    std::vector<unsigned> destination_ports; // fewer, where the library does not tell
    bool peer_access = false, peer_atomic = false, system_access = false, system_atomic = false;
};

// A port of a device that is in use.
struct link_port {
    unsigned port = 0;
    std::size_t link = 0; // the logical link that it is a part of, as link_topology::links has them
    int far_port = -1;    // -1: not told
};

// The links of one device, as the management library tells them.
struct link_topology {
    unsigned most = 0;      // links that the device can have
    std::uint64_t mask = 0; // which of them are enabled
    double port_speed = 0;  // bytes a second, of each; 0: not told
    std::vector<logical_link> links;
    std::vector<link_port> ports; // in ascending order

    [[nodiscard]] unsigned enabled() const noexcept {
        unsigned count = 0;
        for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) ++count;
        return count;
    }
    [[nodiscard]] bool switch_connected() const noexcept {
        for (logical_link const& each : links)
            if (each.far_end == nvml_switch) return true;
        return false;
    }
};

// What the library says of a field that it knows.
[[nodiscard]] inline double number_of(nvml_field const& field) noexcept {
    if (field.type == 0) return field.value.real;
    return field.type == 1 ? field.value.word : static_cast<double>(field.value.wide);
}

namespace detail {
// A field of the device, or of one of its links; -1 if the library does not tell.
[[nodiscard]] inline double field_of(nvml_table const& nvml, nvml_device device, unsigned id, unsigned link = 0) {
    nvml_field field;
    field.id = id;
    field.scope = link;
    if (nvml.field_values == nullptr || nvml.field_values(device, 1, &field) != 0 || field.status != 0) return -1;
    return number_of(field);
}

[[nodiscard]] inline logical_link& link_to(link_topology& topology, unsigned far_end, std::string const& bus_id) {
    for (logical_link& each : topology.links)
        if (each.far_end == far_end && each.far_bus_id == bus_id) return each;
    topology.links.push_back({});
    topology.links.back().far_end = far_end;
    topology.links.back().far_bus_id = bus_id;
    return topology.links.back();
}
} // namespace detail

// The links of devices[at]. Errors: unavailable without the library, or where it does not know the
// device.
// Cost: some ten calls a link.
[[nodiscard]] inline result<link_topology> try_link_topology(nvml_table const& nvml, std::span<neighbour const> devices,
                                                             int ordinal) {
    if (nvml.missing) return *nvml.missing;
    neighbour const* self = nullptr;
    for (neighbour const& each : devices)
        if (each.ordinal == ordinal) self = &each;
    nvml_device device = nullptr;
    if (self == nullptr || nvml.handle_by_bus_id == nullptr || nvml.link_state == nullptr ||
        nvml.handle_by_bus_id(self->bus_id.c_str(), &device) != 0)
        return error{errc::unavailable, 0, "the links of the device", "the management library does not know it",
                     "check that nvidia-smi lists the device"};
    link_topology topology;
    double const most = detail::field_of(nvml, device, nvml_link_count);
    double const speed = detail::field_of(nvml, device, nvml_link_speed); // in 10^6 bytes a second
    topology.most = most > 0 && most <= 64 ? static_cast<unsigned>(most) : 0;
    topology.port_speed = speed > 0 ? speed * 1e6 : 0;
    for (unsigned port = 0; port < topology.most; ++port) {
        unsigned active = 0;
        if (nvml.link_state(device, port, &active) != 0 || active == 0) continue;
        topology.mask |= std::uint64_t{1} << port;
        unsigned far_end = nvml_unknown_end;
        nvml_pci_info other_end;
        if (nvml.far_end != nullptr) static_cast<void>(nvml.far_end(device, port, &far_end));
        if (nvml.far_pci_info != nullptr) static_cast<void>(nvml.far_pci_info(device, port, &other_end));
        logical_link& link = detail::link_to(topology, far_end, spelled_as_in_sys(other_end.bus_id));
        link.source_ports.push_back(port);
        double const far_port = detail::field_of(nvml, device, nvml_remote_link, port);
        if (far_port >= 0) link.destination_ports.push_back(static_cast<unsigned>(far_port));
        topology.ports.push_back(
            {port, static_cast<std::size_t>(&link - topology.links.data()), static_cast<int>(far_port)});
        for (neighbour const& each : devices)
            if (far_end == nvml_gpu && each.bus_id == link.far_bus_id) link.far_device = each.ordinal;
        auto const can = [&](unsigned capability) {
            unsigned has = 0;
            return nvml.link_capability != nullptr && nvml.link_capability(device, port, capability, &has) == 0 &&
                   has != 0;
        };
        link.peer_access = can(nvml_peer_access);
        link.peer_atomic = can(nvml_peer_atomic);
        link.system_access = can(nvml_system_access);
        link.system_atomic = can(nvml_system_atomic);
    }
    return topology;
}

namespace detail {
[[nodiscard]] inline std::string listed(std::vector<unsigned> const& ports) {
    std::string text;
    for (unsigned const port : ports) text += (text.empty() ? "" : ",") + std::to_string(port);
    return text;
}
} // namespace detail

// What the topology of the device `ordinal` says. Links are numbered from 0, by their first port.
// Errors: unavailable for what is told of each link where there is none, and for what the library
// did not tell.
[[nodiscard]] inline result<provided_value>
link_metric(link_topology const& topology, std::span<neighbour const> devices, int ordinal, std::string_view name) {
    auto const not_told = [&](std::string_view cause) { return detail::no_value(name, cause); };
    auto const of_device = [&](double value) -> result<provided_value> {
        provided_value answer{value};
        answer.instances.push_back({std::to_string(ordinal), value});
        return answer;
    };
    if (is(name, "nvlink__count_logical")) return provided_value{static_cast<double>(topology.links.size())};
    if (is(name, "nvlink__count_physical")) return of_device(topology.enabled());
    if (is(name, "nvlink__max_count")) return of_device(topology.most);
    if (is(name, "nvlink__enabled_mask")) return of_device(static_cast<double>(topology.mask));
    if (is(name, "nvlink__is_nvswitch_connected")) return provided_value{topology.switch_connected() ? 1.0 : 0.0};
    provided_value value;
    if (is(name, "nvlink__dev_display_name_all")) {
        for (neighbour const& each : devices) value.instances.push_back({std::to_string(each.ordinal), 0, each.name});
        return value;
    }
    if (topology.links.empty()) return not_told("the device has no NVLink in use");
    for (std::size_t i = 0; i < topology.links.size(); ++i) {
        logical_link const& link = topology.links[i];
        provided_instance each{std::to_string(i), 0, {}};
        double const ports = static_cast<double>(link.source_ports.size());
        // The guide knows two types, 1 for a GPU and 2 for a CPU; a switch is neither.
        double const far_type = link.far_end == nvml_gpu ? 1 : link.far_end == nvml_cpu ? 2 : 0;
        if (is(name, "nvlink__bandwidth")) {
            if (topology.port_speed == 0)
                return not_told("the management library does not tell the speed of the links");
            each.number = ports * topology.port_speed;
        } else if (is(name, "nvlink__source_ports")) each.text = detail::listed(link.source_ports);
        else if (is(name, "nvlink__destination_ports")) each.text = detail::listed(link.destination_ports);
        else if (is(name, "nvlink__dev0Id")) each.number = ordinal;
        else if (is(name, "nvlink__dev0type")) each.number = 1;
        else if (is(name, "nvlink__dev1Id")) {
            if (link.far_device < 0) continue; // a switch, or a device that this process does not see
            each.number = link.far_device;
        } else if (is(name, "nvlink__dev1type")) each.number = far_type;
        else if (is(name, "nvlink__is_direct_link")) each.number = far_type != 0;
        else if (is(name, "nvlink__peer_access")) each.number = link.peer_access;
        else if (is(name, "nvlink__peer_atomic")) each.number = link.peer_atomic;
        else if (is(name, "nvlink__system_access")) each.number = link.system_access;
        else if (is(name, "nvlink__system_atomic")) each.number = link.system_atomic;
        else return not_told("there is no such metric");
        value.instances.push_back(each);
    }
    if (value.instances.empty())
        return not_told("at the far end are switches, or devices that this process does not see");
    return value;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_LINK_METRICS_HPP
