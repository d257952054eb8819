// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// link_meter, by a management library made up by the test: device 0 has ports 0 and 1 to device 1, 2 to a switch, 3 to a CPU;
// port 4 is off. Each of its calls fails in turn.
#include <gpuprof/trace/link_traffic.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include <gpuprof/hw/activity/nvlink.hpp>
#include <gpuprof/hw/counters/uncounted/nvml.hpp>
#include <gpuprof/io/link_table.hpp>

#include "support/hand_filled.hpp"

namespace link_traffic_test {

using namespace gpuprof;
using namespace gpuprof::hw::provided;

namespace {

constexpr unsigned ports = 5, port_off = 4;

// KiB that each port has sent and received so far, and what the library answers.
struct state {
    unsigned long long sent[ports]{}, received[ports]{};
    int call_fails = 0, field_fails = 0;
    unsigned failing_field = 0, failing_port = 0;
    bool tells_headers = true;
    int reads = 0;
};
state now;

unsigned far_end_of(unsigned port) { return port < 2 ? nvml_gpu : port == 2 ? nvml_switch : nvml_cpu; }

nvml_table paper_library() {
    nvml_table table;
    table.handle_by_bus_id = [](char const* bus_id, nvml_device* device) {
        *device = reinterpret_cast<nvml_device>(&now);
        return std::strcmp(bus_id, "0000:18:00.0") == 0 ? 0 : 6;
    };
    table.link_state = [](nvml_device, unsigned port, unsigned* active) { return *active = port != port_off, 0; };
    table.far_end = [](nvml_device, unsigned port, unsigned* type) { return *type = far_end_of(port), 0; };
    table.far_pci_info = [](nvml_device, unsigned port, nvml_pci_info* info) {
        char const* const ids[] = {"00000000:9A:00.0", "00000000:00:00.0", "00000000:05:00.0"};
        std::strcpy(info->bus_id, ids[far_end_of(port)]);
        return 0;
    };
    table.field_values = [](nvml_device device, int count, nvml_field* fields) {
        if (device != reinterpret_cast<nvml_device>(&now)) return 2;
        if (count > 1) ++now.reads;
        if (count > 1 && now.call_fails != 0) return now.call_fails;
        for (nvml_field* field = fields; field != fields + count; ++field) {
            unsigned const port = field->scope;
            field->type = 3;
            switch (field->id) {
                case 91: field->value.wide = ports; break;
                case 90: field->value.wide = 25000; break; // 25 GB/s a port
                case 146:
                    field->value.wide = 10 + port;
                    if (port == 3) field->status = 3;
                    break;
                case 138: field->value.wide = now.sent[port]; break;
                case 139: field->value.wide = now.received[port]; break;
                case 140: field->value.wide = now.sent[port] * 5 / 4; break;
                case 141: field->value.wide = now.received[port] * 5 / 4; break;
                default: field->status = 2;
            }
            if ((field->id == 140 || field->id == 141) && !now.tells_headers) field->status = 3;
            if (field->id == now.failing_field && port == now.failing_port) field->status = now.field_fails;
        }
        return 0;
    };
    return table;
}

struct paper {
    nvml_table library = paper_library();
    hw::machine machine = test::hand_filled_machine({{"GPU A"}, {"GPU B"}});

    paper() {
        now = {};
        other_nvml = &library;
        machine.driver.DeviceGetPCIBusId = [](char* text, int size, abi::CUdevice which) {
            std::strncpy(text, which == 0 ? "0000:18:00.0" : "0000:9A:00.0", static_cast<std::size_t>(size));
            return abi::CUDA_SUCCESS;
        };
    }
    ~paper() { other_nvml = nullptr; }
    paper(paper const&) = delete;
    paper& operator=(paper const&) = delete;

    [[nodiscard]] result<link_meter> meter() {
        auto gpu = device::try_open(machine, 0, device_source::hardware);
        REQUIRE(gpu);
        return link_meter::try_create(*gpu);
    }
};

} // namespace

TEST_CASE("links: each has its bytes in each direction, what is at its other end, and its share of the speed") {
    paper here;
    now.sent[0] = 100; // before the meter
    auto const meter = here.meter();
    REQUIRE_MESSAGE(meter, (meter ? std::string{} : meter.error().message()));
    now.sent[0] += 8;
    now.received[1] += 3;
    now.sent[2] += 40;
    now.received[3] += 5;
    now.sent[port_off] += 77;
    int const reads = now.reads;
    auto const traffic = meter->try_read();
    REQUIRE(traffic);
    CHECK(now.reads == reads + 1); // one call for all links
    REQUIRE(traffic->flows.size() == 8);
    CHECK(traffic->device == 0);
    CHECK(traffic->time > nanoseconds{0});
    link_flow const& first = traffic->flows[0];
    CHECK(first.link == 0);
    CHECK(first.direction == link_direction::sent);
    CHECK(first.peer == link_peer::gpu);
    CHECK(first.peer_device == 1);
    CHECK(first.peer_bus_id == "0000:9a:00.0");
    CHECK(first.peer_port == 10);
    CHECK(first.data == bytes{8 * 1024});
    CHECK(first.with_headers == bytes{10 * 1024});
    CHECK(first.peak == bytes_per_second{25e9});
    CHECK(traffic->flows[1].direction == link_direction::received);
    CHECK(traffic->flows[1].data == bytes{0});
    link_flow const& to_switch = traffic->flows[4];
    CHECK(to_switch.link == 2);
    CHECK(to_switch.peer == link_peer::nvlink_switch);
    CHECK(to_switch.peer_device == -1);
    CHECK(to_switch.data == bytes{40 * 1024});
    CHECK(traffic->flows[7].peer == link_peer::cpu);
    CHECK(traffic->flows[7].peer_port == -1);
    CHECK(traffic->data(link_direction::sent) == bytes{48 * 1024});
    CHECK(traffic->data(link_direction::received) == bytes{8 * 1024});
    CHECK(traffic->data(link_direction::sent, 1) == bytes{8 * 1024});
    CHECK(traffic->data(link_direction::received, 1) == bytes{3 * 1024});
    CHECK(traffic->data(link_direction::sent, 2) == bytes{0});
}

TEST_CASE("links: bandwidth is of the time between readings, and its share of the speed that is told") {
    link_flow flow;
    flow.data = bytes{5e9};
    flow.time = nanoseconds{0.5e9};
    flow.peak = bytes_per_second{25e9};
    CHECK(flow.bandwidth() == bytes_per_second{1e10});
    CHECK(flow.share_of_peak() == 0.4);
    flow.peak = {};
    CHECK_FALSE(flow.share_of_peak() == flow.share_of_peak()); // not a number
}

TEST_CASE("links: the ports of a record of the topology choose its links") {
    paper here;
    auto const meter = here.meter();
    REQUIRE(meter);
    now.sent[0] = 1;
    now.sent[1] = 2;
    now.sent[2] = 4;
    auto const traffic = meter->try_read();
    REQUIRE(traffic);
    char bytes_of_ports[32];
    std::memset(bytes_of_ports, 0xff, sizeof bytes_of_ports);
    bytes_of_ports[0] = 2;
    bytes_of_ports[2] = 1; // the one between is connected to no port
    bytes_of_ports[3] = 0; // beyond the record's number of links
    activity::nvlink record;
    record.links = 3;
    record.first_ports.read(bytes_of_ports, sizeof bytes_of_ports);
    CHECK(traffic->data(link_direction::sent, record.first_ports, record.links) == bytes{6 * 1024});
    CHECK(traffic->data(link_direction::received, record.first_ports, record.links) == bytes{0});
}

TEST_CASE("links: a meter begins anew, and keeps its beginning where that fails") {
    paper here;
    auto meter = here.meter();
    REQUIRE(meter);
    now.sent[0] = 10;
    REQUIRE(meter->try_start());
    now.sent[0] = 15;
    now.call_fails = 15;
    CHECK(meter->try_start().error().code == errc::device_lost);
    now.call_fails = 0;
    CHECK(meter->try_read()->data(link_direction::sent) == bytes{5 * 1024});
    now.sent[0] = 9; // a reset
    CHECK(meter->try_read().error().code == errc::internal);
}

TEST_CASE("links: each call of the library that fails, or is missing, is an error that says so") {
    struct failure {
        int status;
        errc code;
    };
    for (failure const each : {failure{3, errc::unavailable}, failure{4, errc::permission},
                               failure{15, errc::device_lost}, failure{999, errc::unavailable}}) {
        CAPTURE(each.status);
        paper here;
        auto const meter = here.meter();
        REQUIRE(meter);
        now.call_fails = each.status;
        CHECK(here.meter().error().code == each.code);
        CHECK(meter->try_read().error().code == each.code);
        CHECK(meter->try_read().error().status == each.status);
        now.call_fails = 0;
        now.failing_field = 139;
        now.failing_port = 2;
        now.field_fails = each.status;
        auto const of_link = meter->try_read();
        REQUIRE_FALSE(of_link);
        CHECK(of_link.error().code == each.code);
        CHECK(of_link.error().what == "nvmlDeviceGetFieldValues for link 2");
    }
    {
        paper here;
        here.library.missing = error{errc::unavailable, 0, "none"};
        CHECK(here.meter().error().what == "none");
    }
    {
        paper here;
        here.library.handle_by_bus_id = [](char const*, nvml_device*) { return 6; };
        CHECK(here.meter().error().code == errc::unavailable);
    }
    {
        paper here;
        here.library.link_state = [](nvml_device, unsigned, unsigned*) { return 3; };
        CHECK(here.meter().error().cause == "the device has no NVLink in use");
    }
    {
        paper here;
        here.library.field_values = nullptr; // no number of links without it
        CHECK(here.meter().error().code == errc::unavailable);
    }
}

TEST_CASE("links: what is told in part has the rest") {
    paper here;
    now.tells_headers = false;
    here.library.far_end = nullptr;
    here.library.far_pci_info = nullptr;
    auto const meter = here.meter();
    REQUIRE(meter);
    now.sent[0] = 4;
    auto const traffic = meter->try_read();
    REQUIRE(traffic);
    CHECK(traffic->flows[0].data == bytes{4096});
    CHECK_FALSE(traffic->flows[0].with_headers);
    CHECK(traffic->flows[0].peer == link_peer::unknown);
    CHECK(traffic->flows[0].peer_device == -1);
}

TEST_CASE("links: the embedded GPU has none") {
    paper here;
    auto gpu = device::try_open(here.machine, 0, device_source::embedded);
    REQUIRE(gpu);
    CHECK(link_meter::try_create(*gpu).error().code == errc::unavailable);
}

TEST_CASE("links: a table has a line for each, and the sums") {
    link_traffic traffic;
    traffic.device = 0;
    traffic.time = nanoseconds{1e9};
    for (unsigned link = 0; link < 2; ++link)
        for (auto const direction : {link_direction::sent, link_direction::received}) {
            link_flow flow;
            flow.link = link;
            flow.direction = direction;
            flow.peer = link == 0 ? link_peer::gpu : link_peer::nvlink_switch;
            flow.peer_device = link == 0 ? 1 : -1;
            flow.peer_bus_id = link == 0 ? "0000:9a:00.0" : "0000:05:00.0";
            flow.peer_port = link == 0 ? 12 : -1;
            flow.data = bytes{direction == link_direction::sent ? 20e9 : 1e9};
            flow.time = traffic.time;
            flow.peak = bytes_per_second{25e9};
            traffic.flows.push_back(flow);
        }
    CHECK(io::table(traffic) ==
          "GPU 0, 1 s\n"
          "link  other end                sent bytes  GB/s  share  received bytes  GB/s  share\n"
          "   0  GPU 1, port 12       20,000,000,000    20   80 %   1,000,000,000     1    4 %\n"
          "   1  switch 0000:05:00.0  20,000,000,000    20   80 %   1,000,000,000     1    4 %\n"
          " all                       40,000,000,000    40   80 %   2,000,000,000     2    4 %\n");
    CHECK(io::table(link_traffic{}).empty());
    CHECK(to_text(link_direction::sent) == "sent");
    CHECK(to_text(link_direction::received) == "received");
    CHECK(to_text(link_peer::cpu) == "CPU");
    CHECK(to_text(link_peer::unknown) == "unknown");
}

} // namespace link_traffic_test
