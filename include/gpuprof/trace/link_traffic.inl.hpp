// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of link_traffic.hpp.
#ifndef GPUPROF_TRACE_LINK_TRAFFIC_INL_HPP
#define GPUPROF_TRACE_LINK_TRAFFIC_INL_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../hw/counters/uncounted/neighbours.hpp"
#include "../hw/counters/uncounted/nvml.hpp"
#include "../hw/counters/uncounted/nvml_handle.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "link_traffic.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What is asked of each link, in this order.
inline constexpr unsigned link_fields[]{hw::provided::nvml_link_data_sent, hw::provided::nvml_link_data_received,
                                        hw::provided::nvml_link_all_sent, hw::provided::nvml_link_all_received};
inline constexpr std::size_t fields_a_link = sizeof link_fields / sizeof link_fields[0];

[[nodiscard]] error no_link_counter(hw::provided::nvml_result status, std::string const& what);
GPUPROF_COLD GPUPROF_INLINE error no_link_counter(hw::provided::nvml_result status, std::string const& what) {
    using namespace hw::provided;
    switch (status) {
        case nvml_no_permission:
            return {errc::permission, status, what, "this user may not read the counters of links",
                    "run as root, or outside of the container"};
        case nvml_gpu_is_lost:
            return {errc::device_lost, status, what, "the GPU is not reachable any more", "restart the machine"};
        default:
            return {errc::unavailable, status, what, "the driver does not count what this link carries",
                    "use nvltx__bytes.sum and nvlrx__bytes.sum, which are sums over all links"};
    }
}

} // namespace detail

GPUPROF_INLINE result<link_meter> link_meter::try_create(device const& gpu) {
    using namespace hw::provided;
    constexpr char const* what = "the traffic of NVLink";
    if (gpu.source() == device_source::embedded || gpu.machine().recorded != nullptr)
        return error{errc::unavailable, 0, what, "the device is no GPU of this machine", ""};
    nvml_table const& library = nvml();
    std::vector<neighbour> const devices = neighbours_of(gpu);
    auto topology = try_link_topology(library, devices, gpu.ordinal());
    if (!topology) return topology.error();
    if (topology->ports.empty())
        return error{errc::unavailable, 0, what, "the device has no NVLink in use", "nvidia-smi nvlink -s lists them"};
    link_meter made;
    made.ordinal_ = gpu.ordinal();
    made.topology_ = *std::move(topology);
    made.handle_ = handle_of(library, gpu).value_or(nullptr);
    if (auto started = made.try_start(); !started) return std::move(started).error();
    return result<link_meter>{std::move(made)};
}

GPUPROF_INLINE result<link_meter::reading> link_meter::try_count() const {
    using namespace hw::provided;
    constexpr char const* symbol = "nvmlDeviceGetFieldValues";
    nvml_table const& library = nvml();
    if (library.field_values == nullptr) return gpuprof::detail::no_link_counter(nvml_not_supported, symbol);
    std::vector<nvml_field> fields;
    for (link_port const& each : topology_.ports)
        for (unsigned const id : gpuprof::detail::link_fields) {
            fields.push_back({});
            fields.back().id = id;
            fields.back().scope = each.port;
        }
    nvml_result const status = library.field_values(handle_, static_cast<int>(fields.size()), fields.data());
    if (status != 0) return gpuprof::detail::no_link_counter(status, symbol);
    reading now{platform::monotonic_nanoseconds(), {}};
    for (nvml_field const& field : fields) {
        bool const is_data = field.id == nvml_link_data_sent || field.id == nvml_link_data_received;
        if (is_data && field.status != 0)
            return gpuprof::detail::no_link_counter(field.status,
                                                    std::string{symbol} + " for link " + std::to_string(field.scope));
        now.kibibytes.push_back(field.status == 0 ? number_of(field) : -1);
    }
    return result<reading>{std::move(now)};
}

GPUPROF_INLINE result<void> link_meter::try_start() {
    auto now = try_count();
    if (!now) return std::move(now).error();
    beginning_ = *std::move(now);
    return {};
}

GPUPROF_INLINE result<link_traffic> link_meter::try_read() const {
    using namespace hw::provided;
    auto const now = try_count();
    if (!now) return now.error();
    link_traffic traffic;
    traffic.device = ordinal_;
    traffic.time = nanoseconds{static_cast<double>(now->monotonic_ns - beginning_.monotonic_ns)};
    for (std::size_t i = 0; i < topology_.ports.size(); ++i) {
        link_port const& port = topology_.ports[i];
        logical_link const& link = topology_.links[port.link];
        for (std::size_t received = 0; received < 2; ++received) {
            std::size_t const at = i * gpuprof::detail::fields_a_link + received;
            double const before = beginning_.kibibytes[at], after = now->kibibytes[at];
            if (after < before)
                return error{errc::internal, 0, "the counter of link " + std::to_string(port.port),
                             "it went back since the beginning", "call try_start() after a reset of the GPU"};
            link_flow flow;
            flow.link = port.port;
            flow.direction = received != 0 ? link_direction::received : link_direction::sent;
            flow.peer = link.far_end <= nvml_switch ? static_cast<link_peer>(link.far_end) : link_peer::unknown;
            flow.peer_device = link.far_device;
            flow.peer_bus_id = link.far_bus_id;
            flow.peer_port = port.far_port;
            flow.data = bytes{1024 * (after - before)};
            double const all_before = beginning_.kibibytes[at + 2], all_after = now->kibibytes[at + 2];
            if (all_before >= 0 && all_after >= all_before) flow.with_headers = bytes{1024 * (all_after - all_before)};
            flow.time = traffic.time;
            flow.peak = bytes_per_second{topology_.port_speed};
            traffic.flows.push_back(std::move(flow));
        }
    }
    return result<link_traffic>{std::move(traffic)};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_LINK_TRAFFIC_INL_HPP
