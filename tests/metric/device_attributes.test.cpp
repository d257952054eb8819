// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attributes of a device by name: the list, and names that are not in it.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/metric/device_attributes.hpp>
#include <gpuprof/metric/info.hpp>

namespace device_attributes_test {

using namespace gpuprof;

namespace {
// Name and number of every enumerator in the declarations that are compared with <cuda.h>, written as the list writes them.
std::map<std::string, int> declared() {
    std::ifstream file{GPUPROF_TEST_SOURCE_DIR "/../include/gpuprof/hw/abi/attributes.hpp"};
    std::map<std::string, int> found;
    std::regex const row{"CU_DEVICE_ATTRIBUTE_(\\w+) = (\\d+)"};
    for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (!std::regex_search(line, match, row)) continue;
        std::string name = match[1];
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        found[name] = std::stoi(match[2]);
    }
    return found;
}
} // namespace

TEST_CASE("the list of device attributes is that of the declarations") {
    auto const expected = declared();
    REQUIRE(expected.size() > 160);
    std::set<std::string> names;
    for (device_attribute const& row : device_attributes) {
        CAPTURE(std::string{row.name});
        CHECK(names.insert(row.name).second);
        REQUIRE(expected.contains(row.name));
        CHECK(expected.at(row.name) == row.number);
        CHECK(find_device_attribute(row.name) == &row);
    }
    CHECK(names.size() == expected.size());
}

TEST_CASE("every device attribute is a metric with the unit of what it counts") {
    for (device_attribute const& row : device_attributes) {
        std::string const name = std::string{"device__attribute_"} + row.name;
        CAPTURE(name);
        auto const metric = try_metric(name);
        REQUIRE(metric);
        CHECK(metric->source == metric_source::device);
        CHECK(metric->kind == metric_kind::number);
    }
    CHECK(try_metric("device__attribute_l2_cache_size")->value_unit == unit_of(dimension::byte));
    CHECK(try_metric("device__attribute_clock_rate")->value_unit == one / unit_of(dimension::second, -3));
    CHECK(try_metric("device__attribute_max_threads_per_block")->value_unit == unit_of(dimension::thread));
    CHECK(try_metric("device__attribute_multiprocessor_count")->value_unit == one);
}

TEST_CASE("a misspelt device attribute is refused, and the nearest names are offered") {
    struct {
        char const* wrong;
        char const* right;
    } const pairs[] = {{"device__attribute_warp_sise", "device__attribute_warp_size"},
                       {"device__attribute_multiprocesor_count", "device__attribute_multiprocessor_count"},
                       {"device__attribute_l2_cache", "device__attribute_l2_cache_size"}};
    for (auto const& [wrong, right] : pairs) {
        auto const refused = try_metric(wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == errc::unknown_metric);
        CHECK(refused.error().remedy.find(right) != std::string::npos);
    }
    auto const launch = try_metric("launch__grid_sise");
    REQUIRE_FALSE(launch);
    CHECK(launch.error().remedy.find("launch__grid_size") != std::string::npos);
}

} // namespace device_attributes_test
