// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/link_chart.hpp and traced_links.hpp: topologies made up by the test, from metrics of a device and from records.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gpuprof/explain.hpp>
#include <gpuprof/explain/traced_links.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "support/paper_report.hpp"

namespace link_chart_test {

namespace activity = gpuprof::activity;
namespace explain = gpuprof::explain;
using test::paper_report;

namespace {

// Device 3 with four ports to device 1 and one to a switch.
paper_report two_links() {
    paper_report made;
    made.set("nvlink__dev0Id", 0, {{"0", 3, {}}, {"1", 3, {}}})
        .set("nvlink__dev1type", 0, {{"0", 1, {}}, {"1", 0, {}}})
        .set("nvlink__dev1Id", 0, {{"0", 1, {}}})
        .set("nvlink__source_ports", 0, {{"0", 0, "0,1,2,3"}, {"1", 0, "7"}})
        .set("nvlink__bandwidth", 0, {{"0", 100e9, {}}, {"1", 25e9, {}}})
        .set("nvltx__bytes.sum.per_second", 60e9)
        .set("nvlrx__bytes.sum.per_second", 5e9);
    return made;
}

activity::uuid gpu(std::uint8_t number) {
    activity::uuid id;
    id.bytes[0] = number;
    return id;
}
activity::nvlink record(std::uint8_t from, std::uint8_t to, std::uint32_t links) {
    activity::nvlink made;
    made.first_type = made.second_type = activity::link_end::gpu;
    made.first_uuid = gpu(from);
    made.second_uuid = gpu(to);
    made.links = links;
    made.bandwidth = 50'000'000;
    return made;
}

} // namespace

TEST_CASE("link chart: a device has its own links with their ends, ports and peaks") {
    auto const chart = explain::link_chart_of(two_links().range());
    CHECK_FALSE(chart.missing);
    REQUIRE(chart.ends.size() == 3);
    CHECK(chart.ends[0].name == "GPU 3");
    CHECK(chart.ends[0].sent == 60e9);
    CHECK(chart.ends[0].received == 5e9);
    CHECK(chart.ends[1].name == "GPU 1");
    CHECK(chart.ends[2].kind == explain::link_chart_end_kind::network_switch);
    REQUIRE(chart.links.size() == 2);
    CHECK(chart.links[0].from == 0);
    CHECK(chart.links[0].to == 1);
    CHECK(chart.links[0].links == 4);
    CHECK(chart.links[0].peak == 100e9);
    CHECK_FALSE(chart.links[0].there); // the counters are of all links together
    CHECK(chart.links[1].to == 2);
    CHECK(chart.links[1].links == 1);
}

TEST_CASE("link chart: what the only link carried is what all links carried") {
    paper_report one;
    one.set("nvlink__dev0Id", 0, {{"0", 0, {}}})
        .set("nvlink__dev1type", 0, {{"0", 2, {}}})
        .set("nvltx__bytes.sum.per_second", 7e9);
    auto const chart = explain::link_chart_of(one.range());
    REQUIRE(chart.links.size() == 1);
    CHECK(chart.ends[1].kind == explain::link_chart_end_kind::cpu);
    CHECK(chart.links[0].there == 7e9);
    CHECK_FALSE(chart.links[0].back);
    CHECK_FALSE(chart.links[0].peak);
}

TEST_CASE("link chart: the records of 2, 4 and 8 GPUs that are all linked give each link once") {
    for (std::uint8_t const gpus : {std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
        CAPTURE(int{gpus});
        std::vector<activity::nvlink> records;
        for (std::uint8_t i = 1; i <= gpus; ++i)
            for (std::uint8_t k = 1; k <= gpus; ++k)
                if (i != k) records.push_back(record(i, k, 2)); // from both sides
        auto const chart = explain::link_chart_of(records);
        CHECK(chart.ends.size() == gpus);
        REQUIRE(chart.links.size() == std::size_t{gpus} * (gpus - 1u) / 2);
        for (auto const& each : chart.links) {
            CHECK(each.from < each.to);
            CHECK(each.links == 2);
            CHECK(each.peak == 50e9);
        }
        CHECK(chart.ends[1].id == gpu(2));
        CHECK(chart.ends[1].name == "GPU 1");
    }
}

TEST_CASE("link chart: links whose far end is no device end at one switch") {
    std::vector<activity::nvlink> records{record(1, 0, 18), record(2, 0, 18)};
    for (auto& each : records) {
        each.second_type = activity::link_end::invalid;
        each.switch_connected = true;
    }
    auto const chart = explain::link_chart_of(records);
    REQUIRE(chart.ends.size() == 3);
    CHECK(chart.ends[1].name == "Switch");
    CHECK(chart.links.size() == 2);
    CHECK_FALSE(chart.links[0].through_switch); // it is an end itself
    records.push_back(record(1, 2, 4));
    records.back().switch_connected = true;
    CHECK(explain::link_chart_of(records).links[2].through_switch);
}

TEST_CASE("link chart: without links there is a reason, on the embedded GPU and in a trace") {
    CHECK(explain::link_chart_of(std::vector<activity::nvlink>{}).missing);
    CHECK(explain::link_chart_of(paper_report{}.range()).missing);

    auto const opened = gpuprof::sim::open_embedded("9.0");
    REQUIRE(opened);
    auto const why = explain::try_measure(*opened, explain::set::links, [] {}, {});
    REQUIRE_MESSAGE(why, (why ? std::string{} : why.error().message()));
    auto const chart = explain::link_chart_of(why->report().at(0));
    CHECK(chart.links.empty());
    REQUIRE(chart.missing);
    CHECK_FALSE(chart.missing->cause.empty());
    std::string const page = gpuprof::io::page(*why);
    CHECK(page.find("Topology of NVLink</") == page.npos); // no empty picture
    CHECK(page.find("NVLink topology") != page.npos);
}

} // namespace link_chart_test
