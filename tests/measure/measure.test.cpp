// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>

#include <gpuprof/measure/measure.hpp>
#include <gpuprof/metric/named_metrics.hpp>

#include "support/measured.hpp"

namespace metrics = gpuprof::metrics;

TEST_CASE("measure: one call gives typed values, by metric and by place") {
    test::measured_device machine;
    auto const gpu = machine.open();
    auto const m =
        gpuprof::try_measure<"smsp__warps_launched.sum", "gpu__time_duration.sum">(gpu, [&] { machine.launch(12); });
    REQUIRE(m);
    gpuprof::warps const by_name = (*m)[metrics::warps_launched];
    gpuprof::nanoseconds const by_place = m->get<1>();
    CHECK(by_name.count() == 12);
    CHECK(by_place.value() == 1000);
    CHECK(m->ratio(0, 1) <= 0.012);
    CHECK(m->ratio(0, 1) >= 0.012);
    CHECK(machine.machine().launches() == 1); // no survey for one range, one pass for these
}

TEST_CASE("measure: what cannot be measured is an error, and the work ran at most once unmeasured") {
    test::measured_device machine;
    auto const gpu = machine.open();
    int runs = 0;
    auto const unknown = gpuprof::try_measure(
        gpu, [&] { ++runs; }, gpuprof::metric<"smsp__warps_lunched.sum", gpuprof::newer_chip>);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == gpuprof::errc::unknown_metric);
    CHECK(runs == 0);

    test::fault_injection faults{machine.tables().cupti};
    faults.fail_always("cuptiRangeProfilerEnable", gpuprof::abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
    auto const closed = gpuprof::try_measure<"smsp__warps_launched.sum">(gpu, [&] { ++runs; });
    REQUIRE_FALSE(closed);
    CHECK(closed.error().code == gpuprof::errc::permission);
    CHECK(closed.error().remedy.find("NVreg_RestrictProfilingToAdminUsers") != std::string::npos);
    CHECK(runs == 1);
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("measure: the throwing spelling throws the typed error, and lets the work's own exception through") {
    test::measured_device machine;
    auto const gpu = machine.open();
    CHECK(gpuprof::measure<"smsp__warps_launched.sum">(gpu, [&] { machine.launch(3); }).get<0>().count() == 3);
    CHECK_THROWS_AS(static_cast<void>(gpuprof::measure(
                        gpu, [] {}, gpuprof::metric<"smsp__warps_lunched.sum", gpuprof::newer_chip>)),
                    gpuprof::exception);
    CHECK_THROWS_AS(static_cast<void>(gpuprof::measure<"smsp__warps_launched.sum">(gpu, [] { throw 7; })), int);
}
#endif
