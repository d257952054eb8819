// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/csv.hpp: to the character, and as Python's csv reads it.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/io/csv.hpp>
#include <gpuprof/io/csv_writer.hpp>
#include <gpuprof/text/text_appender.hpp>

#include "support/scratch_directory.hpp"

namespace csv_test {

namespace activity = gpuprof::activity;
namespace cupti = gpuprof::abi;
using gpuprof::metric;
using gpuprof::report;
using gpuprof::io::csv_writer;

namespace {

template <class Record>
std::string lines_of(std::vector<Record> const& records) {
    std::string text;
    csv_writer<Record> csv{gpuprof::io::into(text)};
    for (Record const& each : records) csv.write(each);
    CHECK(csv.finish().has_value());
    CHECK(csv.records() == records.size());
    return text;
}

std::vector<std::string> names_of(std::string const& text) {
    std::vector<std::string> names{""};
    for (char const c : text.substr(0, text.find("\r\n"))) {
        if (c == ',') names.emplace_back();
        else names.back() += c;
    }
    return names;
}

// Cells between commas of the line after the names, where none is quoted.
std::vector<std::string> first_line(std::string const& text) {
    auto const begin = text.find("\r\n") + 2;
    return names_of(text.substr(begin));
}

template <class Record>
std::string cell(Record const& record, std::string_view column) {
    std::string const text = lines_of<Record>({record});
    auto const names = names_of(text);
    auto const cells = first_line(text);
    REQUIRE(names.size() == cells.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == column) return cells[i];
    return "no such column";
}

bool has_python() { return std::system("python3 -c 'import csv' >/dev/null 2>&1") == 0; }

} // namespace

TEST_CASE("columns of CSV are the members, once each, those of some kinds of record in their places") {
    CHECK(lines_of<activity::external_correlation>({}) == "externalKind,externalId,correlationId\r\n");
    auto const environment = names_of(lines_of<activity::environment>({}));
    CHECK(environment == std::vector<std::string>{"deviceId", "timestamp", "environmentKind", "data.speed.smClock",
                                                  "data.speed.memoryClock", "data.speed.pcieLinkGen",
                                                  "data.speed.pcieLinkWidth", "data.speed.clocksThrottleReasons",
                                                  "data.temperature.gpuTemperature", "data.power.power",
                                                  "data.power.powerLimit", "data.cooling.fanSpeed"});
    auto const operation = names_of(lines_of<activity::memory_operation>({}));
    CHECK(operation.size() == 20);
    CHECK(operation.back() == "source");
    auto const kernel = names_of(lines_of<activity::kernel>({}));
    std::size_t local = 0;
    for (auto const& name : kernel) local += name.rfind("localMemoryTotal", 0) == 0;
    CHECK(local == 1); // two members of CUPTI's structures, one of the record
    auto const link = names_of(lines_of<activity::nvlink>({}));
    CHECK(link.size() == 11);
}

TEST_CASE("cells of CSV are what the record has, empty for what it lacks") {
    activity::environment power;
    power.kind = activity::environment_kind::power;
    power.device = 2;
    power.time = {1'763'790'000'000'000'001};
    power.power = 350'000;
    power.power_limit = 700'000;
    CHECK(lines_of<activity::environment>({power}).find("\r\n2,1763790000000000001,power,,,,,,,350000,700000,\r\n") !=
          std::string::npos);

    activity::kernel kernel;
    kernel.kind = cupti::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.grid_id = -5;
    kernel.graph = 4;
    kernel.static_shared_memory = gpuprof::bytes{512};
    kernel.launch = activity::launch_type::cooperative_single_device;
    kernel.priority = std::numeric_limits<std::int32_t>::min();
    CHECK(cell(kernel, "kind") == "concurrent_kernel");
    CHECK(cell(kernel, "gridId") == "-5");
    CHECK(cell(kernel, "graphId") == "4");
    CHECK(cell(kernel, "graphNodeId").empty());
    CHECK(cell(kernel, "start").empty()); // CUPTI could not take it
    CHECK(cell(kernel, "name").empty());
    CHECK(cell(kernel, "staticSharedMemory") == "512");
    CHECK(cell(kernel, "launchType") == "cooperative single device");
    CHECK(cell(kernel, "priority") == "-2147483648");
    kernel.launch = static_cast<activity::launch_type>(99); // of a newer CUPTI
    CHECK(cell(kernel, "launchType") == "99");

    activity::pcie bridge;
    bridge.type = activity::pcie_device_type::bridge;
    bridge.secondary_bus = 7;
    CHECK(cell(bridge, "attr.bridgeAttr.secondaryBus") == "7");
    bridge.type = activity::pcie_device_type::gpu;
    bridge.peers.emplace();
    for (auto& device : bridge.peers->devices) device = -1;
    bridge.peers->devices[0] = 1;
    bridge.peers->devices[1] = 3;
    CHECK(cell(bridge, "attr.gpuAttr.peerDev") == "1 3");
    bridge.device_uuid.emplace();
    bridge.device_uuid->bytes[0] = 0xa1;
    CHECK(cell(bridge, "attr.gpuAttr.uuidDev") == "a1" + std::string(30, '0'));

    CHECK(cell(gpuprof::traced_scope{3, 1, "step", {{5}, {9}}, 77}, "name") == "step");
}

TEST_CASE("every kind of record has a line of as many cells as columns") {
#define GPUPROF_TEST_CELLS(type)                                                                                       \
    {                                                                                                                  \
        std::string const text = lines_of<activity::type>({activity::type{}});                                         \
        INFO(#type);                                                                                                   \
        CHECK(names_of(text).size() == first_line(text).size());                                                       \
    }
    GPUPROF_ACTIVITY_RECORDS(GPUPROF_TEST_CELLS)
#undef GPUPROF_TEST_CELLS
    std::string const text = lines_of<activity::unknown>({activity::unknown{}});
    CHECK(names_of(text).size() == first_line(text).size());
}

TEST_CASE("a writer of CSV takes the records of its type from variants") {
    std::string text;
    csv_writer<activity::stream> csv{gpuprof::io::into(text)};
    csv.write(activity::record{activity::stream{}});
    csv.write(activity::record{activity::kernel{}});
    CHECK(csv.records() == 1);
}

TEST_CASE("Python's csv reads back names with quotes, commas and line ends") {
    if (!has_python()) {
        MESSAGE("skipped: there is no python3 here");
        return;
    }
    scratch_directory const directory;
    std::string const path = directory.path() + "/names.csv";
    activity::object_name named;
    std::vector<activity::object_name> all;
    for (std::string_view const name : {"plain", "a,b", "say \"no\"", "two\nlines", "\r", "\"", ""}) {
        named.name = name;
        all.push_back(named);
    }
    std::ofstream{path, std::ios::binary} << lines_of(all);
    std::string const program =
        "import csv,sys\n"
        "rows=list(csv.reader(open(sys.argv[1],newline=\"\"),strict=True))\n"
        "assert rows[0]==[\"objectKind\",\"objectId\",\"name\"],rows[0]\n"
        "assert [r[2] for r in rows[1:]]==[\"plain\",\"a,b\",\"say \\\"no\\\"\",\"two\\nlines\","
        "\"\\r\",\"\\\"\",\"\"],rows\n"
        "assert all(r[0]==\"unknown\" and r[1]==\"0 0 0\" for r in rows[1:]),rows\n";
    std::ofstream{directory.path() + "/check.py"} << program;
    CHECK(std::system(("python3 " + directory.path() + "/check.py " + path).c_str()) == 0);
}

TEST_CASE("cells of CSV are text, UTF-8 and no formula, whatever a name is") {
    auto const cell = [](std::string_view name) {
        std::string text;
        gpuprof::detail::text_appender to{text};
        gpuprof::io::write_csv_cell(to, name);
        return text;
    };
    CHECK(cell("=cmd|' /C calc'!A0") == "'=cmd|' /C calc'!A0");
    CHECK(cell("@sum(1,2)") == "\"'@sum(1,2)\"");
    CHECK(cell("+a") == "'+a");
    CHECK(cell("-a") == "'-a");
    CHECK(cell("-1.5e+3") == "-1.5e+3");
    CHECK(cell("a=b") == "a=b");
    CHECK(cell(std::string_view{"a\0b", 3}) == "a\xef\xbf\xbd"
                                               "b");
    CHECK(cell("a\xff\xc3\"\xc3\xa9") == "\"a\xef\xbf\xbd\xef\xbf\xbd\"\"\xc3\xa9\"");
    CHECK(cell("").empty());
}

TEST_CASE("a report as CSV has units in its first line and numbers that read back") {
    report::contents made;
    made.metrics = {metric<"dram__bytes_read.sum">, metric<"l1tex__t_sector_hit_rate.pct">};
    made.values = {133140480, 0.1 + 0.2, 1024, std::numeric_limits<double>::quiet_NaN()};
    made.ranges = {{"frame", report::range::top, 1, {0}}, {"st\"ep", 0, 1, {1}}};
    made.completeness.passes_needed = 1;
    CHECK(gpuprof::io::csv(report{made}) ==
          "range,count,dram__bytes_read.sum [byte],l1tex__t_sector_hit_rate.pct [%]\r\n"
          "frame,1,133140480,0.30000000000000004\r\n"
          "\"frame/st\"\"ep\",1,1024,\r\n");
    CHECK(gpuprof::io::csv(report{}) == "range,count\r\n");
}

} // namespace csv_test
