// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra of units.
#include <doctest/doctest.h>

#include <gpuprof/core/unit.hpp>

namespace unit_test {

using gpuprof::dimension;
using gpuprof::one;
using gpuprof::unit;
using gpuprof::unit_of;

TEST_CASE("units multiply commutatively and associatively, and division undoes multiplication") {
    unit const all[] = {one,
                        gpuprof::percent_unit,
                        unit_of(dimension::byte),
                        unit_of(dimension::second, -9),
                        unit_of(dimension::cycle_gpc),
                        unit_of(dimension::sector) / unit_of(dimension::request)};
    for (unit const& a : all) {
        CHECK(a * one == a);
        CHECK(a / a == one);
        for (unit const& b : all) {
            CHECK(a * b == b * a);
            CHECK(a * b / b == a);
            for (unit const& c : all) CHECK((a * b) * c == a * (b * c));
        }
    }
}

TEST_CASE("exponents add up and those that cancel leave nothing behind") {
    unit const byte = unit_of(dimension::byte);
    unit const square = byte * byte;
    CHECK(square.factors[0] == unit::factor{dimension::byte, 2});
    CHECK(square.factors[1] == unit::factor{});
    CHECK(square / byte / byte / byte == one / byte);
}

TEST_CASE("as many dimensions as a unit can hold stay apart") {
    unit product = one;
    for (int d = 1; d <= unit::max_factors; ++d) product = product * unit_of(static_cast<dimension>(d));
    for (int d = 1; d <= unit::max_factors; ++d) {
        CHECK(product.factors[d - 1] == unit::factor{static_cast<dimension>(d), 1});
    }
}

TEST_CASE("units of one dimension differ in their power of ten only") {
    CHECK(same_dimension(unit_of(dimension::second, -9), unit_of(dimension::second)));
    CHECK(same_dimension(gpuprof::percent_unit, one));
    CHECK_FALSE(same_dimension(unit_of(dimension::second), unit_of(dimension::cycle_gpc)));
    CHECK_FALSE(same_dimension(unit_of(dimension::cycle_sys), unit_of(dimension::cycle_gpc)));
}

TEST_CASE("every clock domain has a cycle of its own") {
    using gpuprof::clock_domain;
    CHECK(cycle_of(clock_domain::gpc) == dimension::cycle_gpc);
    CHECK(cycle_of(clock_domain::fbp) == dimension::cycle_fbp);
    CHECK(cycle_of(clock_domain::mcc) == dimension::cycle_mcc);
    CHECK(is_cycle(dimension::cycle_sys));
    CHECK_FALSE(is_cycle(dimension::second));
}

} // namespace unit_test
