// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantities as text. This file does not include <ostream> on purpose: doctest's header does not, either.
#include <doctest/doctest.h>

#include <limits>

#include <gpuprof/core/unit_text.hpp>

namespace unit_text_test {

using namespace gpuprof;

TEST_CASE("a quantity prints with its unit, a whole number in full") {
    CHECK(to_text(bytes{1048576}) == "1,048,576 bytes");
    CHECK(to_text(bytes{9007199254740991.0}) == "9,007,199,254,740,991 bytes");
    CHECK(to_text(sectors{-3}) == "-3 sectors");
    CHECK(to_text(percent{87.5}) == "87.5 %");
    CHECK(to_text(sectors_per_request{4}) == "4 sectors/request");
    CHECK(to_text(ratio{0.25}) == "0.25 ratio");
    CHECK(to_text(bytes{1e300}) == "1e+300 bytes");
    CHECK(to_text(bytes{std::numeric_limits<double>::quiet_NaN()}) == "nan bytes");
    CHECK(to_text(bytes{-std::numeric_limits<double>::quiet_NaN()}) == "nan bytes"); // what 0/0 is on x86
}

TEST_CASE("doctest shows a quantity with its unit") {
    CHECK(doctest::toString(wavefronts{16}) == doctest::String{"16 wavefronts"});
    CHECK(doctest::toString(bytes_per_second{0.5}) == doctest::String{"0.5 bytes/s"});
}

} // namespace unit_text_test
