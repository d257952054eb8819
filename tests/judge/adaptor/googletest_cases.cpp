// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in GoogleTest; adaptor_reports.py reads what it reports of them.
#include "judge/adaptor/measured_launch.hpp"

#include <gpuprof/judge/adaptor/googletest.hpp>

#define CASE(name) TEST(cases, name)

CASE(passing) { GPUPROF_CHECK(measured_launch().ratio(0, 1) <= 32.0); }
CASE(failing) {
    auto const m = measured_launch();
    GPUPROF_CHECK(m.ratio(0, 1) <= 4.0);
    GPUPROF_EXPECT(m[metrics::warps_launched], near(gpuprof::warps{20}, gpuprof::percent{10}));
}
CASE(inconclusive) { GPUPROF_CHECK(measured_nothing().ratio(0, 1) <= 4.0); }
CASE(required) {
    GPUPROF_REQUIRE(measured_launch().ratio(0, 1) <= 4.0);
    GPUPROF_CHECK(1 == 2); // never gets here
}
