// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Literals of quantities.
#include <doctest/doctest.h>

#include <concepts>

#include <gpuprof/core/unit_literals.hpp>
#include <gpuprof/core/unit_text.hpp>

namespace unit_literals_test {

using namespace gpuprof;
using namespace gpuprof::literals;

static_assert(std::same_as<decltype(4096_sectors), sectors>);
static_assert(std::same_as<decltype(62.5_percent), percent>);
static_assert(4096_sectors == sectors{4096} && 62.5_percent == percent{62.5} && 3_nanoseconds == nanoseconds{3});
static_assert(4096_sectors / 1024_requests == 4_sectors_per_request);

TEST_CASE("a literal compares with what was measured") {
    sectors const measured{4000};
    CHECK(measured <= 4096_sectors);
    CHECK(measured > 0_sectors);
    CHECK(sectors{3} / sectors{6} == 0.5_ratio);
}

} // namespace unit_literals_test
