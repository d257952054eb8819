// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of link_traffic.hpp: bytes by link, direction and other end. In every build.
#ifndef GPUPROF_TRACE_LINK_FLOW_HPP
#define GPUPROF_TRACE_LINK_FLOW_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/units.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/activity/lists.hpp"

GPUPROF_NAMESPACE_BEGIN

// Which way data goes over a link, as its device sees it.
enum class link_direction : std::uint8_t { sent, received };
// "sent"
[[nodiscard]] constexpr std::string_view to_text(link_direction value) noexcept {
    return value == link_direction::sent ? "sent" : "received";
}

// What is at the other end of a link, by the numbers of NVIDIA's management library.
enum class link_peer : std::uint8_t { gpu = 0, cpu = 1, nvlink_switch = 2, unknown = 255 };
// "GPU"
[[nodiscard]] constexpr std::string_view to_text(link_peer value) noexcept {
    switch (value) {
        case link_peer::gpu: return "GPU";
        case link_peer::cpu: return "CPU";
        case link_peer::nvlink_switch: return "switch";
        case link_peer::unknown: break;
    }
    return "unknown";
}

// What one physical link carried in one direction.
struct link_flow {
    unsigned link = 0; // the device's port
    link_direction direction{};
    link_peer peer = link_peer::unknown; // what is at the other end
    int peer_device = -1;                // number of the GPU at the other end; -1: none that this process sees
    std::string peer_bus_id;             // "0000:9a:00.0"; empty: not told
    int peer_port = -1;                  // of what is at the other end; -1: not told
    bytes data{};                        // without the headers of packets
    std::optional<bytes> with_headers{}; // nothing where the driver does not tell
    nanoseconds time{};                  // between the two readings
    bytes_per_second peak{};             // of the link in this direction, headers included; 0: not told

    // Data over the time between the readings, pauses included.
    [[nodiscard]] constexpr bytes_per_second bandwidth() const noexcept { return data / unit_cast<seconds>(time); }
    // Of the link's speed, of which headers take a part: below 1 also where a link does nothing else.
    // NaN where the speed is not told.
    [[nodiscard]] constexpr ratio share_of_peak() const noexcept {
        return peak.value() > 0 ? bandwidth() / peak : ratio{detail::quiet_nan};
    }
};

// What the links of a device carried between two readings of their counters.
struct link_traffic {
    int device = 0; // its number
    nanoseconds time{};
    std::vector<link_flow> flows{}; // by link, sent before received

    // Data in one direction over all links.
    [[nodiscard]] bytes data(link_direction direction) const noexcept {
        return sum_if([&](link_flow const& each) { return each.direction == direction; });
    }
    // Over those that lead to one GPU directly. Through a switch, nobody tells where data goes.
    [[nodiscard]] bytes data(link_direction direction, int peer_device) const noexcept {
        return sum_if(
            [&](link_flow const& each) { return each.direction == direction && each.peer_device == peer_device; });
    }
    // Over the links of a record of the topology (activity::nvlink): its number of links, and the
    // ports of this device's end of them.
    [[nodiscard]] bytes data(link_direction direction, activity::port_list const& ports,
                             std::size_t links) const noexcept {
        return sum_if([&](link_flow const& each) {
            bool listed = false;
            for (std::size_t i = 0; i < links && !listed; ++i) listed = ports.port(i) == each.link;
            return listed && each.direction == direction;
        });
    }

private:
    template <class Chosen>
    [[nodiscard]] bytes sum_if(Chosen chosen) const noexcept {
        bytes sum{};
        for (link_flow const& each : flows)
            if (chosen(each)) sum += each.data;
        return sum;
    }
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_LINK_FLOW_HPP
