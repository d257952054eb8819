// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// legacy/named.hpp: legacy names as descriptors with their units in the type.
#include <doctest/doctest.h>

#include <concepts>
#include <type_traits>

#include <gpuprof/legacy.hpp>

namespace named_test {

using gpuprof::legacy_event;
using gpuprof::legacy_metric;

namespace {
template <class T>
using value_of = gpuprof::metric_value<std::remove_cvref_t<T>>;
} // namespace

static_assert(gpuprof::metric_like<std::remove_cvref_t<decltype(legacy_metric<"achieved_occupancy">)>>);
static_assert(gpuprof::metric_like<std::remove_cvref_t<decltype(legacy_event<"active_warps">)>>);
static_assert(std::same_as<value_of<decltype(legacy_metric<"achieved_occupancy">)>, gpuprof::percent>);
static_assert(std::same_as<value_of<decltype(legacy_metric<"dram_read_throughput">)>, gpuprof::bytes_per_second>);
static_assert(
    std::same_as<value_of<decltype(legacy_metric<"gld_transactions_per_request">)>, gpuprof::sectors_per_request>);
static_assert(std::same_as<value_of<decltype(legacy_event<"inst_executed">)>, gpuprof::instructions>);

TEST_CASE("a named legacy metric is a metric reference with its unit and aggregation") {
    gpuprof::metric_ref const ref = legacy_metric<"inst_executed">;
    CHECK(ref.name == "inst_executed");
    CHECK(ref.value_unit == gpuprof::instructions::unit());
    CHECK(ref.aggregation == gpuprof::aggregation::sum);
    CHECK(legacy_metric<"ipc">.ref().aggregation == gpuprof::aggregation::mean);
    CHECK(legacy_metric<"ipc">.ref().kind == gpuprof::metric_kind::ratio);
    CHECK(&legacy_metric<"ipc">.descriptor() == &gpuprof::legacy::metrics::ipc);
}

TEST_CASE("a named legacy event is a counter") {
    gpuprof::metric_ref const ref = legacy_event<"fb_subp0_read_sectors">;
    CHECK(ref.name == "fb_subp0_read_sectors");
    CHECK(ref.value_unit == gpuprof::sectors::unit());
    CHECK(ref.kind == gpuprof::metric_kind::counter);
}

} // namespace named_test
