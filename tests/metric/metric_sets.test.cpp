// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// metric/metric_sets.hpp: metrics that belong to one question, at compile time and by name.
#include <gpuprof/detail/config.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge/flaws.hpp>
#include <gpuprof/sim/open.hpp>

namespace metric_sets_test {

namespace sets = gpuprof::metrics::sets;

TEST_CASE("sets: each has a name, and metrics that the compiler knows, none twice") {
    std::set<std::string_view> names;
    for (gpuprof::named_metric_set const& each : gpuprof::all_metric_sets) {
        CHECK(names.insert(each.name).second);
        std::set<std::string_view> metrics;
        for (std::string_view const metric : each.metrics) {
            CHECK(metrics.insert(metric).second);
            CHECK(gpuprof::try_metric(metric).has_value());
        }
        CHECK(gpuprof::find_metric_set(each.name).data() == each.metrics.data());
    }
    CHECK(gpuprof::find_metric_set("memroy").empty());
}

TEST_CASE("sets: flaws are metrics that flaws are found by") {
    for (std::string_view const metric : decltype(sets::flaws)::names)
        CHECK(std::find(gpuprof::flaw_metrics.begin(), gpuprof::flaw_metrics.end(), metric) !=
              gpuprof::flaw_metrics.end());
}

TEST_CASE("sets: a profiler takes one, and its report has the metrics in that order") {
    auto const gpu = gpuprof::sim::open_embedded("gh100");
    REQUIRE(gpu);
    auto prof = gpuprof::profiler::try_create(*gpu, {}, sets::coalescing);
    REQUIRE(prof);
    REQUIRE(prof->metrics().size() == 4);
    CHECK(prof->metrics()[0].name == gpuprof::metrics::global_load_requests.name());
    CHECK(prof->metrics()[3].name == gpuprof::metrics::global_store_sectors.name());
#if GPUPROF_EXCEPTIONS
    gpuprof::profiler const direct{*gpu, sets::occupancy};
    CHECK(direct.metrics().front().name == gpuprof::metrics::achieved_occupancy.name());
#endif
}

} // namespace metric_sets_test
