// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metric descriptors: names as types.
#include <doctest/doctest.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include <gpuprof/metric/metric.hpp>
#include <gpuprof/metric/info.hpp>

namespace metric_test {

using namespace gpuprof;
using namespace gpuprof::literals;

namespace {
template <fixed_string Name>
using value_of = metric_value<metric_descriptor<Name>>;

static_assert(std::same_as<value_of<"dram__bytes_read.sum">, bytes>);
static_assert(std::same_as<value_of<"smsp__inst_executed.sum">, instructions>);
static_assert(std::same_as<value_of<"lts__t_sectors.sum">, sectors>);
static_assert(std::same_as<value_of<"gpu__time_duration.sum">, nanoseconds>);
static_assert(std::same_as<value_of<"sm__cycles_active.avg">, cycles<clock_domain::gpc>>);
static_assert(std::same_as<value_of<"dram__bytes_read.sum.per_second">, bytes_per_second>);
static_assert(std::same_as<value_of<"sm__inst_executed.avg.per_cycle_active">, instructions_per_cycle>);
static_assert(std::same_as<value_of<"lts__t_sector_hit_rate.pct">, percent>);
static_assert(std::same_as<value_of<"launch__grid_size">, ctas>);
static_assert(std::same_as<value_of<"device__attribute_display_name">, void>);
static_assert(std::same_as<value_of<"group:memory__chart">, void>);

static_assert(std::is_empty_v<metric_descriptor<"sm__inst_executed.sum">>);
static_assert(metric_like<metric_descriptor<"sm__inst_executed.sum">>);
static_assert(!metric_like<std::string_view> && !metric_like<bytes> && !metric_like<metric_info>);
static_assert(metric<"sm__inst_executed.sum"> == "sm__inst_executed.sum"_metric);
static_assert(!(metric<"sm__inst_executed.sum"> == metric<"sm__inst_executed.avg">));
} // namespace

TEST_CASE("a descriptor and its run-time twins say the same") {
    auto const described = metric<"smsp__inst_executed.max">;
    metric_ref const ref = described;
    metric_info const info = described;
    result<metric_info> const parsed = try_metric("smsp__inst_executed.max");
    REQUIRE(parsed.has_value());
    for (metric_ref const& twin : {ref, info.ref(), parsed->ref()}) {
        CHECK(twin.name == "smsp__inst_executed.max");
        CHECK(twin.value_unit == instructions::unit());
        CHECK(twin.aggregation == aggregation::maximum);
        CHECK(twin.kind == metric_kind::counter);
        CHECK(twin.source == metric_source::hardware);
    }
    CHECK(std::string_view{described.c_str()} == described.name());
    CHECK(described.parts().quantity() == "inst_executed");
}

TEST_CASE("a wrong name at run time is an error that shows the part at fault") {
    result<metric_info> const wrong = try_metric("smsp__inst_executed.summ");
    REQUIRE_FALSE(wrong.has_value());
    CHECK(wrong.error().code == errc::unknown_metric);
    CHECK(wrong.error().message().find("\"summ\"") != std::string::npos);
    CHECK(wrong.error().message().find("smsp__inst_executed.summ") != std::string::npos);
}

TEST_CASE("what cannot be a name at all is an invalid argument, and is not repeated to the reader") {
    using std::string_view_literals::operator""sv;
    for (std::string_view const text : {""sv, "sm__inst_executed\0.sum"sv}) {
        REQUIRE_FALSE(try_metric(text).has_value());
        CHECK(try_metric(text).error().code == errc::invalid_argument);
    }
    std::string const enormous(10'000, 'x');
    REQUIRE_FALSE(try_metric(enormous).has_value());
    CHECK(try_metric(enormous).error().code == errc::invalid_argument);
    CHECK(try_metric(enormous).error().message().size() < 200);
}

TEST_CASE("a run-time metric owns its name") {
    metric_info info;
    {
        std::string const passing = "dram__bytes_read.sum";
        info = try_metric(passing).value();
    }
    CHECK(info.name == "dram__bytes_read.sum");
}

} // namespace metric_test
