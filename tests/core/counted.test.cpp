// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// core/counted.hpp: numbers and units as people write them.
#include <doctest/doctest.h>

#include <limits>

#include <gpuprof/core/counted.hpp>

namespace counted_test {

using gpuprof::detail::counted;
using gpuprof::detail::grouped_number;
using gpuprof::detail::unit_after;

TEST_CASE("large numbers are grouped, whole or not, and none has an exponent") {
    CHECK(grouped_number(26'880) == "26,880");
    CHECK(grouped_number(5'466'231.25) == "5,466,231");
    CHECK(grouped_number(1234.5678) == "1,234.57");
    CHECK(grouped_number(123'456.7) == "123,457");
    CHECK(grouped_number(999'999.7) == "1,000,000");
    CHECK(grouped_number(-1234.5) == "-1,234.5");
    CHECK(grouped_number(9007199254740992.0) == "9,007,199,254,740,992"); // 2^53
}

TEST_CASE("small numbers have six significant digits, and no zeros at the end") {
    CHECK(grouped_number(0) == "0");
    CHECK(grouped_number(-0.0) == "0");
    CHECK(grouped_number(82.131801) == "82.1318");
    CHECK(grouped_number(0.5) == "0.5");
    CHECK(grouped_number(0.00001234567) == "0.0000123457");
    CHECK(grouped_number(1e-10) == "1e-10");
    CHECK(grouped_number(1e20) == "1e+20");
    CHECK(grouped_number(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(grouped_number(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("units are plural where the count is not 1") {
    CHECK(counted(1, "conflict") == "1 conflict");
    CHECK(counted(0, "conflict") == "0 conflicts");
    CHECK(counted(26'880, "conflict") == "26,880 conflicts");
    CHECK(counted(1, "sector/request") == "1 sector/request");
    CHECK(counted(4.5, "sector/request") == "4.5 sectors/request");
    CHECK(counted(2, "branch target") == "2 branch targets");
    CHECK(counted(2, "access") == "2 accesses");
    CHECK(counted(2, "cycle(gpc)") == "2 cycles(gpc)");
    CHECK(counted(2, "CTA") == "2 CTAs");
    CHECK(counted(2, "Gbyte/s") == "2 Gbytes/s");
    CHECK(unit_after(2, "10^5 byte/s") == "10^5 bytes/s");
}

TEST_CASE("units of time and share have no plural, and a pure number has no unit") {
    CHECK(counted(87.5, "%") == "87.5 %");
    CHECK(counted(12'000, "ns") == "12,000 ns");
    CHECK(counted(2, "1/s") == "2 1/s");
    CHECK(counted(2, "ratio") == "2");
    CHECK(counted(2, "") == "2");
}

} // namespace counted_test
