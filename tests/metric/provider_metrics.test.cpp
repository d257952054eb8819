// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of other providers than the counter hardware (guide, chapter 4).
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>

#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/derived_metrics.hpp>
#include <gpuprof/metric/describe.hpp>
#include <gpuprof/metric/name.hpp>
#include <gpuprof/metric/provider_metrics.hpp>

namespace provider_metrics_test {

using namespace gpuprof;

TEST_CASE("every row is there once, is found, and parses as what it is") {
    std::set<std::string_view> names;
    for (provider_metric const& row : provider_metrics) {
        CAPTURE(std::string{row.name});
        CHECK(names.insert(row.name).second);
        CHECK(find_provider_metric(row.name) == &row);
        CHECK(std::string_view{row.meaning}.ends_with('.'));
        metric_name const parts = parse_metric_name(row.name);
        CHECK(parts.valid());
        CHECK(parts.source() == row.source);
        CHECK(parts.kind() == row.kind);
        CHECK(parts.value_unit() == row.of);
    }
}

TEST_CASE("no row's name holds with a letter less or more") {
    for (provider_metric const& row : provider_metrics) {
        if (row.source == metric_source::device) continue; // fb_bus_width is not far from others of the driver
        std::string name = row.name;
        CAPTURE(name);
        std::string const longer = name + 'x';
        CHECK(find_provider_metric(longer) == nullptr);
        CHECK_FALSE(parse_metric_name(longer).valid());
        name.pop_back();
        if (find_provider_metric(name) == nullptr) CHECK_FALSE(parse_metric_name(name).valid());
    }
}

TEST_CASE("an attribute of the driver that the table lacks is a number, and what is none is refused") {
    metric_name const parts = parse_metric_name("device__attribute_warp_size");
    CHECK(parts.valid());
    CHECK(parts.source() == metric_source::device);
    CHECK(parts.is_number());
    CHECK_FALSE(parse_metric_name("device__attribute_").valid());
    CHECK_FALSE(parse_metric_name("device__attribute_warp_sise").valid());
    CHECK_FALSE(parse_metric_name("device__warp_size").valid());
    CHECK_FALSE(parse_metric_name("device__attribute_warp_size.sum").valid());
}

TEST_CASE("what counts adds up over executions, what describes does not") {
    CHECK(parse_metric_name("smsp__pcsamp_sample_count").aggregation() == aggregation::sum);
    CHECK(parse_metric_name("inst_executed").aggregation() == aggregation::sum);
    CHECK(parse_metric_name("launch__grid_size").aggregation() == aggregation::mean);
    CHECK(parse_metric_name("derived__avg_thread_executed").aggregation() == aggregation::mean);
    CHECK(parse_metric_name("derived__memory_l1_conflicts_shared_nway").aggregation() == aggregation::mean);
    CHECK(parse_metric_name("derived__memory_l1_wavefronts_shared_excessive").aggregation() == aggregation::sum);
}

TEST_CASE("instances have the keys that the guide gives them, and texts where it has texts") {
    auto const key = [](std::string_view name) { return std::string{find_provider_metric(name)->instanced_by}; };
    CHECK(key("launch__occupancy_per_block_size") == "number of warps");
    CHECK(key("launch__occupancy_per_register_count") == "number of warps");
    CHECK(key("launch__occupancy_per_shared_mem_size") == "number of warps");
    CHECK(key("launch__occupancy_per_cluster_size") == "number of clusters");
    CHECK(find_provider_metric("profiler__pmsampler_pass_groups")->kind == metric_kind::text);
    CHECK(find_provider_metric("memory_access_size_type")->kind == metric_kind::number);
    CHECK(find_provider_metric("memory_access_type")->kind == metric_kind::text);
    CHECK(find_provider_metric("memory_type")->kind == metric_kind::text);
}

TEST_CASE("the description of what is not collected says so, and no other") {
    auto const says_so = [](std::string_view name) {
        return describe(name).find("A profiler does not collect it: ") != std::string::npos;
    };
    for (provider_metric const& row : provider_metrics) {
        CAPTURE(std::string{row.name});
        bool const derived = find_derived_metric(row.name) != nullptr;
        CHECK(says_so(row.name) == (!derived && !why_not_collected(row.source, row.name).empty()));
    }
    for (auto const* name :
         {"inst_executed", "smsp__pcsamp_sample_count", "sass__inst_executed_per_opcode", "group:memory__dram_table",
          "derived__memory_l1_wavefronts_shared_excessive", "profiler__pmsampler_dropped_samples",
          "launch__function_pcs", "device__attribute_sass_level"})
        CHECK(says_so(name));
    for (auto const* name : {"launch__grid_size", "device__attribute_display_name", "nvlink__bandwidth", "numa__id_cpu",
                             "profiler__replayer_passes", "derived__avg_thread_executed"})
        CHECK_FALSE(says_so(name));
}

TEST_CASE("the guide's quotients are of counters that GH100 has") {
    for (derived_metric const& row : derived_metrics) {
        CAPTURE(std::string{row.name});
        REQUIRE(find_provider_metric(row.name) != nullptr);
        for (char const* counter : {row.numerator, row.denominator}) {
            CHECK(parse_metric_name(counter).valid());
            CHECK(catalogue_of<chip::gh100>.contains(counter));
        }
    }
}

TEST_CASE("what is counted per something is an average, whoever delivers it") {
    for (provider_metric const& row : provider_metrics) {
        bool quotient = false;
        for (unit::factor const& factor : row.of.factors) quotient = quotient || factor.exponent < 0;
        CAPTURE(std::string{row.name});
        if (quotient) CHECK(parse_metric_name(row.name).aggregation() == aggregation::mean);
    }
}

} // namespace provider_metrics_test
