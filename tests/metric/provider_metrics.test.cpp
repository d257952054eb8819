// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of other providers than the counter hardware (guide, chapter 4).
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>

#include <gpuprof/metric/name.hpp>
#include <gpuprof/metric/provider_metrics.hpp>

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
        if (row.source == metric_source::device) continue; // attributes are an open family
        std::string name = row.name;
        CAPTURE(name);
        std::string const longer = name + 'x';
        CHECK(find_provider_metric(longer) == nullptr);
        CHECK_FALSE(parse_metric_name(longer).valid());
        name.pop_back();
        if (find_provider_metric(name) == nullptr) CHECK_FALSE(parse_metric_name(name).valid());
    }
}

TEST_CASE("a device attribute that the table lacks is still a number") {
    metric_name const parts = parse_metric_name("device__attribute_warp_size");
    CHECK(parts.valid());
    CHECK(parts.source() == metric_source::device);
    CHECK(parts.is_number());
    CHECK_FALSE(parse_metric_name("device__attribute_").valid());
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

TEST_CASE("what is counted per something is an average, whoever delivers it") {
    for (provider_metric const& row : provider_metrics) {
        bool quotient = false;
        for (unit::factor const& factor : row.of.factors) quotient = quotient || factor.exponent < 0;
        CAPTURE(std::string{row.name});
        if (quotient) CHECK(parse_metric_name(row.name).aggregation() == aggregation::mean);
    }
}
