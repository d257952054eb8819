// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How units are written.
#include <doctest/doctest.h>

#include <string>

#include <gpuprof/core/unit_symbol.hpp>

namespace unit_symbol_test {

using gpuprof::dimension;
using gpuprof::one;
using gpuprof::unit;
using gpuprof::unit_of;

namespace {
std::string written(unit const& of) { return std::string{symbol(of).view()}; }
} // namespace

TEST_CASE("a unit is written the way people write it") {
    unit const byte = unit_of(dimension::byte);
    unit const second = unit_of(dimension::second);
    CHECK(written(one) == "ratio");
    CHECK(written(gpuprof::percent_unit) == "%");
    CHECK(written(byte) == "byte");
    CHECK(written(unit_of(dimension::cycle_dram)) == "cycle(dram)");
    CHECK(written(unit_of(dimension::sector) / unit_of(dimension::request)) == "sector/request");
    CHECK(written(unit_of(dimension::warp) * unit_of(dimension::cycle_gpc)) == "warp*cycle(gpc)");
    CHECK(written(byte / second / unit_of(dimension::cta)) == "byte/CTA/s");
    CHECK(written(byte * byte) == "byte^2");
    CHECK(written(one / second) == "1/s");
}

TEST_CASE("a power of ten is written with the seconds where it fits and in front where not") {
    unit const byte = unit_of(dimension::byte);
    CHECK(written(unit_of(dimension::second, -9)) == "ns");
    CHECK(written(unit_of(dimension::second, -6)) == "us");
    CHECK(written(unit_of(dimension::second, -3)) == "ms");
    CHECK(written(byte / unit_of(dimension::second, -9)) == "byte/ns");
    CHECK(written(unit_of(dimension::byte, 9)) == "Gbyte");
    CHECK(written(unit_of(dimension::byte, -2)) == "10^-2 byte");
    CHECK(written(unit_of(dimension::byte, 15)) == "10^15 byte");
    CHECK(written(unit_of(dimension::second, 2)) == "10^2 s");
}

} // namespace unit_symbol_test
