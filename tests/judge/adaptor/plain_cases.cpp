// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks without a framework: the case that the argument names. adaptor_reports.py reads what it prints.
#include <string_view>

#include "judge/adaptor/measured_launch.hpp"

#include <gpuprof/judge/adaptor/plain.hpp>

#define CASE(name) void name()

namespace {
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
} // namespace

int main(int count, char** arguments) {
    std::string_view const name = count > 1 ? arguments[1] : "";
    if (name == "passing") passing();
    if (name == "failing") failing();
    if (name == "inconclusive") inconclusive();
    if (name == "required") required();
    return gpuprof::judge::plain_status();
}
