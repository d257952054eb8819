// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nvlink__ metrics, from a management library made up by the test: device 0 has 4 ports to device 1, 2 to a CPU, 1 to a
// switch and 1 that is off.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>

#include <gpuprof/hw/counters/uncounted/link_metrics.hpp>
#include <gpuprof/metric/provider_metrics.hpp>

namespace link_metrics_test {

using namespace gpuprof;
using namespace gpuprof::hw::provided;

namespace {
constexpr unsigned ports = 8, port_off = 7;

unsigned far_end_of(unsigned port) { return port < 4 ? nvml_gpu : port < 6 ? nvml_cpu : nvml_switch; }

nvml_table paper_library() {
    nvml_table table;
    table.handle_by_bus_id = [](char const* bus_id, nvml_device*) {
        return std::strcmp(bus_id, "0000:18:00.0") == 0 ? 0 : 6;
    };
    table.link_state = [](nvml_device, unsigned port, unsigned* active) { return *active = port != port_off, 0; };
    table.link_capability = [](nvml_device, unsigned port, unsigned capability, unsigned* has) {
        bool const peer = capability == nvml_peer_access || capability == nvml_peer_atomic;
        return *has = far_end_of(port) == nvml_cpu ? !peer : peer, 0;
    };
    table.far_end = [](nvml_device, unsigned port, unsigned* type) { return *type = far_end_of(port), 0; };
    table.far_pci_info = [](nvml_device, unsigned port, nvml_pci_info* info) {
        char const* const ids[] = {"00000000:9A:00.0", "00000000:00:00.0", "00000000:01:00.0"};
        std::strcpy(info->bus_id, ids[far_end_of(port)]);
        return 0;
    };
    table.field_values = [](nvml_device, int, nvml_field* field) {
        field->type = 1;
        if (field->id == nvml_link_count) field->value.word = ports;
        else if (field->id == nvml_link_speed) field->value.word = 26562; // NVLink 4: 26.562 GB/s a port
        else if (field->id == nvml_remote_link) field->value.word = field->scope + 10;
        else field->status = 3;
        return 0;
    };
    return table;
}

neighbour const devices[] = {{0, "GPU A", "0000:18:00.0"}, {1, "GPU B", "0000:9a:00.0"}};

provided_value of(std::string_view name) {
    auto const topology = try_link_topology(paper_library(), devices, 0);
    REQUIRE(topology);
    auto const value = link_metric(*topology, devices, 0, name);
    CAPTURE(std::string{name});
    REQUIRE(value);
    return *value;
}
} // namespace

TEST_CASE("ports to one neighbour are one logical link") {
    CHECK(of("nvlink__count_logical").number == 3.0);
    CHECK(of("nvlink__count_physical").number == 7.0);
    CHECK(of("nvlink__count_physical").instances.at(0).key == "0");
    CHECK(of("nvlink__max_count").number == 8.0);
    CHECK(of("nvlink__enabled_mask").number == 127.0);
    CHECK(of("nvlink__is_nvswitch_connected").number == 1.0);
}

TEST_CASE("each link has its ports, its ends and its speed") {
    auto const sources = of("nvlink__source_ports");
    REQUIRE(sources.instances.size() == 3);
    CHECK(sources.instances[0].text == "0,1,2,3");
    CHECK(sources.instances[1].text == "4,5");
    CHECK(sources.instances[2].text == "6");
    CHECK(of("nvlink__destination_ports").instances[1].text == "14,15");
    auto const bandwidth = of("nvlink__bandwidth");
    CHECK(bandwidth.instances[0].number == 4 * 26562e6);
    CHECK(bandwidth.instances[2].number == 26562e6);
    auto const ends = of("nvlink__dev1type"); // 1 a GPU, 2 a CPU, 0 what is neither
    CHECK(ends.instances[0].number == 1);
    CHECK(ends.instances[1].number == 2);
    CHECK(ends.instances[2].number == 0);
    auto const far = of("nvlink__dev1Id"); // only the GPU is a device of this process
    REQUIRE(far.instances.size() == 1);
    CHECK(far.instances[0].key == "0");
    CHECK(far.instances[0].number == 1);
    auto const direct = of("nvlink__is_direct_link");
    CHECK(direct.instances[0].number == 1);
    CHECK(direct.instances[2].number == 0);
    CHECK(of("nvlink__peer_access").instances[0].number == 1);
    CHECK(of("nvlink__peer_access").instances[1].number == 0);
    CHECK(of("nvlink__peer_atomic").instances[0].number == 1);
    CHECK(of("nvlink__system_access").instances[1].number == 1);
    CHECK(of("nvlink__system_atomic").instances[0].number == 0);
    CHECK(of("nvlink__dev_display_name_all").instances[1].text == "GPU B");
}

TEST_CASE("every link metric has a value from a library that tells all") {
    int all = 0;
    for (provider_metric const& row : provider_metrics) {
        if (row.source != metric_source::nvlink) continue;
        ++all;
        CAPTURE(std::string{row.name});
        provided_value const value = of(row.name);
        CHECK((value.number.has_value() || !value.instances.empty()));
        CHECK(value.number.has_value() ==
              (std::string_view{row.instanced_by} != "logical link" && row.kind == metric_kind::number));
    }
    CHECK(all == 18);
}

TEST_CASE("no library, no such device and no link each have their reason") {
    nvml_table missing;
    missing.missing = error{errc::unavailable, 0, "libnvidia-ml.so.1", "not found", ""};
    CHECK(try_link_topology(missing, devices, 0).error().what == "libnvidia-ml.so.1");
    CHECK(try_link_topology(paper_library(), devices, 1).error().code == errc::unavailable);
    CHECK(try_link_topology(nvml_table{}, devices, 0).error().code == errc::unavailable); // it has none of the calls

    nvml_table silent = paper_library();
    silent.field_values = nullptr;
    auto const none = try_link_topology(silent, devices, 0);
    REQUIRE(none);
    CHECK(link_metric(*none, devices, 0, "nvlink__count_physical")->number == 0.0);
    CHECK(link_metric(*none, devices, 0, "nvlink__bandwidth").error().code == errc::unavailable);
}

TEST_CASE("a library that is not there is an error with the linker's words, not a crash") {
    nvml_table const& table = nvml();
    if (table.missing) {
        CHECK(table.missing->code == errc::unavailable);
        CHECK_FALSE(table.missing->cause.empty());
    } else {
        CHECK(bool{table.handle_by_bus_id != nullptr});
    }
}

} // namespace link_metrics_test
