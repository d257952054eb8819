// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>

#include <string>

#include <gpuprof/io/table.hpp>
#include <gpuprof/measure/measure.hpp>
#include <gpuprof/metric/named_metrics.hpp>

#include "support/measured.hpp"

namespace measure_test {

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
    CHECK(m->ratio(metrics::warps_launched, gpuprof::metric<"gpu__time_duration.sum">) == m->ratio(0, 1));
    CHECK(m->ratio(gpuprof::metric<"gpu__time_duration.sum">, metrics::warps_launched) == m->ratio(1, 0));
    CHECK(machine.machine().launches() == 2); // a survey, which loads the module on hardware, and one pass for these
}

TEST_CASE("measure: 0/0 is not a number, and no comparison with it holds") {
    test::measured_device machine;
    auto const gpu = machine.open();
    constexpr auto per_request =
        gpuprof::metric<"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio">;
    auto const m = gpuprof::try_measure(
        gpu, [&] { machine.launch(12); }, metrics::global_load_sectors, metrics::global_load_requests, per_request);
    REQUIRE(m); // a kernel without loads: the counts are there
    CHECK((*m)[metrics::global_load_requests].value() == 0);
    CHECK_FALSE(m->ratio(0, 1) <= 4.0);
    CHECK_FALSE(m->ratio(0, 1) >= 4.0);
    CHECK_FALSE(m->ratio(0, 1) == 0.0);
    gpuprof::sectors_per_request const counted = (*m)[per_request];
    CHECK_FALSE(counted <= gpuprof::sectors_per_request{4});
    CHECK_FALSE(counted == gpuprof::sectors_per_request{0});
    gpuprof::sectors_per_request const divided =
        (*m)[metrics::global_load_sectors] / (*m)[metrics::global_load_requests];
    CHECK_FALSE(divided <= gpuprof::sectors_per_request{4});
}

TEST_CASE("profiler: 0 sectors over 0 requests are shown as no number, with the cause, in a complete report") {
    test::measured_device machine;
    auto const gpu = machine.open();
    constexpr auto per_request =
        gpuprof::metric<"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio">;
    auto made = gpuprof::profiler::try_create(gpu, {}, per_request);
    REQUIRE(made);
    for (auto pass : made->passes()) {
        gpuprof::scope all{*made, "all"};
        machine.launch(12);
    }
    auto const report = *made->try_report();
    CHECK(report.complete());
    auto const value = report.try_range("all")->try_get(per_request);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == gpuprof::errc::not_collected);
    CHECK(value.error().cause.find("what it divides by was 0") != std::string::npos);
    std::string const table = gpuprof::io::table(report);
    CHECK(table.find("not a number (0/0)  sectors/request") != std::string::npos);
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
    faults.fail_always(test::has_older_cupti() ? "cuptiProfilerBeginSession" : "cuptiRangeProfilerEnable",
                       gpuprof::abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
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

} // namespace measure_test
