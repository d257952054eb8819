// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expression.hpp: formulas are built at compile time, keep their units and evaluate as arithmetic does.
#include <doctest/doctest.h>

#include <string_view>

#include <gpuprof/legacy/expression.hpp>
#include <gpuprof/metric/metric.hpp>

namespace expression_test {

using gpuprof::dimension;
using gpuprof::event_category;
using gpuprof::event_descriptor;
using gpuprof::formula;
using gpuprof::input_source;
using gpuprof::percent;
using gpuprof::unit_of;

namespace properties = gpuprof::properties;

namespace {

constexpr event_descriptor warps{"warps", unit_of(dimension::warp) * unit_of(dimension::cycle_gpc),
                                 event_category::instruction, ""};
constexpr event_descriptor cycles{"cycles", unit_of(dimension::cycle_gpc), event_category::instruction, ""};
constexpr event_descriptor reads{"reads", unit_of(dimension::sector), event_category::memory, ""};
constexpr event_descriptor writes{"writes", unit_of(dimension::sector), event_category::memory, ""};
constexpr gpuprof::quantity<unit_of(dimension::byte) / unit_of(dimension::sector)> bytes_per_sector{32};

constexpr auto occupancy = percent{100} * (warps / cycles) / properties::max_warps_per_multiprocessor;
constexpr auto traffic = (reads + writes) * bytes_per_sector;
constexpr auto read_share = percent{100} * reads / (reads + writes);

template <class L, class R>
concept can_combine = requires(L const& left, R const& right) {
    left + right;
};

} // namespace

// The unit follows from the operands.
static_assert(occupancy.value_unit == gpuprof::percent_unit);
static_assert(traffic.value_unit == unit_of(dimension::byte));
static_assert((reads / properties::gpu_time).value_unit == unit_of(dimension::sector) / unit_of(dimension::second, -9));
// Arithmetic without an event, metric or property stays what it was.
static_assert(can_combine<event_descriptor, event_descriptor>);
static_assert(can_combine<double, double>);
static_assert(!can_combine<event_descriptor, std::string_view>);
static_assert(!can_combine<percent, gpuprof::bytes>);

TEST_CASE("a formula's value is its arithmetic") {
    constexpr double counts[]{96000, 4000, 48};
    static_assert(formula{occupancy}.evaluate(counts) == 100 * (96000.0 / 4000) / 48);
    double const sectors[]{3, 5};
    CHECK(formula{traffic}.evaluate(sectors) == (3 + 5) * 32);
    CHECK(formula{read_share}.evaluate(sectors) == 100.0 * 3 / 8);
    static constexpr auto difference = reads - writes;
    CHECK(formula{difference}.evaluate(sectors) == -2);
    static constexpr auto mixed = 2 * reads - writes * 3;
    CHECK(formula{mixed}.evaluate(sectors) == 2 * 3 - 5 * 3);
    static constexpr auto nested = reads / (writes / (reads / (writes - reads)));
    CHECK(formula{nested}.evaluate(sectors) == doctest::Approx(3 / (5 / (3 / (5.0 - 3)))));
}

TEST_CASE("a formula lists what it needs, each once, in order of appearance") {
    formula const view = read_share;
    REQUIRE(view.inputs().size() == 2);
    CHECK(view.inputs()[0].name == "reads");
    CHECK(view.inputs()[1].name == "writes");
    formula const with_property = occupancy;
    REQUIRE(with_property.inputs().size() == 3);
    CHECK(with_property.inputs()[2].source == input_source::property);
    CHECK(with_property.inputs()[2].property == gpuprof::metric_property::warps_per_multiprocessor);
    CHECK(with_property.inputs()[2].of == unit_of(dimension::warp));
}

TEST_CASE("metrics of the range hardware are operands, by their descriptors") {
    static constexpr auto rate = gpuprof::metric<"smsp__inst_executed.sum"> / gpuprof::metric<"sm__cycles_active.sum">;
    static_assert(rate.value_unit == gpuprof::instructions_per_cycle::unit());
    formula const view = rate;
    REQUIRE(view.inputs().size() == 2);
    CHECK(view.inputs()[0].source == input_source::metric);
    CHECK(view.inputs()[0].name == "smsp__inst_executed.sum");
    double const values[]{6, 4};
    CHECK(view.evaluate(values) == 1.5);
}

TEST_CASE("the same name of two sources is two inputs") {
    static constexpr event_descriptor twin{"gpu_time", unit_of(dimension::second, -9), event_category::system, ""};
    static constexpr auto both = twin / properties::gpu_time;
    double const values[]{8, 2};
    CHECK(formula{both}.evaluate(values) == 4);
}

TEST_CASE("in_unit converts between powers of ten, both ways") {
    static constexpr auto per_ns = reads * bytes_per_sector / properties::gpu_time;
    static constexpr auto per_second = in_unit(per_ns, unit_of(dimension::byte) / unit_of(dimension::second));
    double const values[]{10, 64}; // 320 bytes in 64 ns
    CHECK(formula{per_second}.evaluate(values) == doctest::Approx(5e9));
    static constexpr auto tenths = in_unit(percent{100} * reads / writes, unit_of(dimension::none, -1));
    double const sectors[]{3, 5};
    CHECK(formula{tenths}.evaluate(sectors) == doctest::Approx(6));
    static_assert(tenths.value_unit == unit_of(dimension::none, -1));
}

TEST_CASE("a single operand is a formula, too") {
    static constexpr auto just = expression_of(reads);
    double const values[]{7};
    CHECK(formula{just}.evaluate(values) == 7);
    CHECK(formula{just}.unit() == unit_of(dimension::sector));
}

} // namespace expression_test
