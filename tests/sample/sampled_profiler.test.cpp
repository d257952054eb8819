// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampled scopes on the embedded GPU: counts within what is told, and everything that keeps a scope from having them.
#include <gpuprof/sample/sampled_profiler.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/io/table.hpp>

#include "sim/cupti/cupti_state.hpp"

#include "support/fault_injection.hpp"
#include "support/sampled_gpu.hpp"

namespace sampled_profiler_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::sampled_options;
using gpuprof::sampled_profiler;
using gpuprof::sampling_interval;
using gpuprof::scope;

namespace {
constexpr auto sectors = metric<"lts__t_sectors.sum">;
constexpr auto device_time = metric<"gpu__time_duration.sum">;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

sampled_options each_100_ns() {
    sampled_options options;
    options.interval = sampling_interval::nanoseconds(100);
    options.max_scopes = 64;
    return options;
}
bool tells(gpuprof::report const& of, std::string_view words) {
    for (auto const& each : of.completeness().problems)
        if (each.message().find(words) != std::string::npos) return true;
    return false;
}
} // namespace

TEST_CASE("a scope has what its work counted, within a few of the deviations that are told") {
    test::sampled_gpu on;
    auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors, device_time).value();
    {
        auto burst = prof.sample();
        for (int i = 0; i < 5; ++i) {
            scope frame{prof, "frame"};
            {
                scope large{prof, "large"};
                on.fill(16 * mebibyte);
            }
            scope small{prof, "small"};
            on.fill(4 * mebibyte);
        }
    }
    auto const report = prof.try_report().value();
    CHECK(report.complete());
    CHECK(report.size() == 3);
    CHECK(report.source() == gpuprof::device_source::embedded);
    CHECK(report.completeness().bursts == 1);
    struct expectation {
        char const* path;
        std::size_t bytes;
    };
    for (expectation const each :
         {expectation{"frame", 20 * mebibyte}, {"frame/large", 16 * mebibyte}, {"frame/small", 4 * mebibyte}}) {
        auto const range = report.try_range(each.path).value();
        CHECK(range.count() == 5);
        double const expected = 5 * on.sectors(each.bytes);
        double const value = range.try_get(sectors).value().value();
        double const deviation = range.try_deviation(sectors.name()).value().value();
        CAPTURE(each.path);
        CHECK(std::abs(value - expected) <= 4 * deviation + 1);
        CHECK(deviation < 0.05 * expected);
        CHECK(value > 0.98 * expected);
        CHECK(value < 1.02 * expected);
        // Times on the device: one after the other, each as long as the metric says.
        double time = 0;
        auto const times = range.times();
        REQUIRE(times.size() == 5);
        for (std::size_t i = 0; i < times.size(); ++i) {
            time += (times[i].end - times[i].start).value();
            if (i > 0) CHECK(times[i].start >= times[i - 1].end);
        }
        CHECK(std::abs(range.try_get(device_time).value().value() - time) <= 10);
    }
    std::string const table = gpuprof::io::table(report);
    CHECK(table.find("samples of 100 ns: 2 metrics, 1 burst\n") != std::string::npos);
    CHECK(table.find(" +- ") != std::string::npos);
}

TEST_CASE("a scope shorter than two samples is inconclusive, not zero") {
    test::sampled_gpu on;
    sampled_options options = each_100_ns();
    options.interval = sampling_interval::nanoseconds(2000);
    auto prof = sampled_profiler::try_create(*on.gpu, options, sectors, device_time).value();
    {
        auto burst = prof.sample();
        {
            scope small{prof, "small"};
            on.fill(1024); // 1 us
        }
        scope empty{prof, "empty"};
    }
    auto const report = prof.try_report().value();
    CHECK(!report.complete());
    CHECK(tells(report, "2 scopes were shorter than two samples"));
    for (char const* const path : {"small", "empty"}) {
        auto const value = report.try_range(path).value().try_get(sectors);
        REQUIRE(!value);
        CHECK(value.error().code == errc::not_collected);
        CHECK(value.error().cause.find("two samples of 2000 ns") != std::string::npos);
        CHECK(report.try_range(path).value().try_get(device_time));
    }
    CHECK(report.try_range("small").value().try_get(device_time).value().value() ==
          doctest::Approx(1000).epsilon(0.01));
}

TEST_CASE("scopes outside a burst do nothing, bursts add up, and clear() forgets them") {
    test::sampled_gpu on;
    auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors).value();
    {
        scope before{prof, "before"};
        on.fill(4 * mebibyte);
    }
    for (int i = 0; i < 3; ++i) {
        auto burst = prof.sample();
        scope step{prof, "step"};
        on.fill(4 * mebibyte);
    }
    CHECK(prof.try_report().value().complete()); // a scope ends before the burst that was made before it
    prof.clear();
    for (int i = 0; i < 3; ++i) {
        auto burst = prof.sample();
        {
            scope step{prof, "step"};
            on.fill(4 * mebibyte);
        }
    }
    auto const report = prof.try_report().value();
    CHECK(report.complete());
    CHECK(report.size() == 1);
    CHECK(report.completeness().bursts == 3);
    CHECK(report.try_range("step").value().count() == 3);
    prof.clear();
    CHECK(prof.try_report().value().size() == 0);
}

TEST_CASE("a scope that is open when a burst ends is told, and closes without harm in the next") {
    test::sampled_gpu on;
    auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors).value();
    REQUIRE(prof.try_start());
    {
        scope late{prof, "late"};
        on.fill(4 * mebibyte);
        REQUIRE(prof.try_stop());
        REQUIRE(prof.try_start());
        scope next{prof, "next"};
        on.fill(4 * mebibyte);
    }
    REQUIRE(prof.try_stop());
    auto const report = prof.try_report().value();
    CHECK(tells(report, "1 scope was open when a burst ended"));
    CHECK(report.size() == 1);
    CHECK(report.try_range("next").value().count() == 1);
}

TEST_CASE("streams: each scope has its own, and scopes that overlap are told") {
    test::sampled_gpu on;
    abi::CUstream one = nullptr, two = nullptr;
    REQUIRE(on.machine.driver.StreamCreate(&one, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    REQUIRE(on.machine.driver.StreamCreate(&two, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors).value();
    {
        auto burst = prof.sample();
        {
            scope first{prof.on(one), "first"};
            on.fill(8 * mebibyte, one);
        }
        {
            scope second{prof.on(two), "second"};
            on.fill(8 * mebibyte, two);
        }
    }
    CHECK(tells(prof.try_report().value(), "2 scopes ran beside ones of other streams"));
    prof.clear();
    {
        auto burst = prof.sample();
        {
            scope first{prof.on(one), "first"};
            on.fill(8 * mebibyte, one);
        }
        on.wait();
        {
            scope second{prof.on(two), "second"};
            on.fill(8 * mebibyte, two);
        }
    }
    auto const report = prof.try_report().value();
    CHECK(report.complete());
    CHECK(std::abs(report.try_range("first").value().try_get(sectors).value().value() / on.sectors(8 * mebibyte) - 1) <
          0.02);
    static_cast<void>(on.machine.driver.StreamDestroy(one));
    static_cast<void>(on.machine.driver.StreamDestroy(two));
}

TEST_CASE("more scopes or streams than room are counted") {
    test::sampled_gpu on;
    sampled_options options = each_100_ns();
    options.max_scopes = 3;
    options.max_streams = 1;
    auto prof = sampled_profiler::try_create(*on.gpu, options, sectors).value();
    abi::CUstream other = nullptr;
    REQUIRE(on.machine.driver.StreamCreate(&other, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    {
        auto burst = prof.sample();
        for (int i = 0; i < 5; ++i) {
            scope step{prof, "step"};
            on.fill(4 * mebibyte);
        }
        scope nowhere{prof.on(other), "nowhere"};
    }
    auto const report = prof.try_report().value();
    CHECK(tells(report, "2 scopes were over the room"));
    CHECK(tells(report, "1 stream was over the room"));
    CHECK(report.try_range("step").value().count() == 3);
    static_cast<void>(on.machine.driver.StreamDestroy(other));
}

TEST_CASE("an overflow marks every scope it touched, and none that came later") {
    test::sampled_gpu on;
    sampled_options options = each_100_ns();
    options.buffer_bytes = 64 << 10; // eight samples
    auto prof = sampled_profiler::try_create(*on.gpu, options, sectors, device_time).value();
    {
        auto burst = prof.sample();
        for (int i = 0; i < 2; ++i) {
            scope step{prof, "step"};
            on.fill(4 * mebibyte);
        }
    }
    auto const report = prof.try_report().value();
    CHECK(prof.losses().overflows == 1);
    auto const value = report.try_range("step").value().try_get(sectors);
    REQUIRE(!value);
    CHECK(value.error().cause.find("overflow") != std::string::npos);
    CHECK(report.try_range("step").value().try_get(device_time));
    CHECK(tells(report, "2 scopes lack samples"));
}

TEST_CASE("where another holds the counters, scopes have event times and the report says so") {
    test::sampled_gpu on;
    test::fault_injection faults{on.machine.cupti};
    for (char const* const call : {"cuptiPmSamplingGetCounterAvailability", "cuptiPmSamplingEnable",
                                   "cuptiPmSamplingSetConfig", "cuptiPmSamplingStart"}) {
        faults.clear();
        faults.fail_always(call, abi::CUPTI_ERROR_HARDWARE_BUSY);
        auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors, device_time).value();
        {
            auto burst = prof.sample();
            {
                scope step{prof, "step"};
                on.fill(16 * mebibyte);
            }
        }
        auto const report = prof.try_report().value();
        CAPTURE(call);
        CHECK(!report.complete());
        CHECK(tells(report, "event times alone"));
        auto const range = report.try_range("step").value();
        CHECK(range.try_get(device_time).value().value() > 1000);
        auto const value = range.try_get(sectors);
        REQUIRE(!value);
        CHECK(value.error().code == errc::busy);
        CHECK(range.times().size() == 1);
    }
    faults.clear();
    CHECK(sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors));
}

TEST_CASE("event times alone need no counters") {
    test::sampled_gpu on;
    auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), device_time).value();
    {
        auto burst = prof.sample();
        {
            scope step{prof, "step"};
            on.fill(16 * mebibyte);
        }
    }
    auto const report = prof.try_report().value();
    CHECK(report.complete());
    CHECK(report.try_range("step").value().try_get(device_time).value().value() > 1000);
}

TEST_CASE("a tracer of the program keeps its records: the clock is read between two readings then") {
    test::sampled_gpu on;
    auto trace = gpuprof::tracer<gpuprof::activity::kind_list<gpuprof::activity::memset>>::try_begin(
        *on.gpu, gpuprof::activity::kinds<gpuprof::activity::memset>);
    REQUIRE(trace);
    auto prof = sampled_profiler::try_create(*on.gpu, each_100_ns(), device_time).value();
    {
        auto burst = prof.sample();
        {
            scope step{prof, "step"};
            on.fill(16 * mebibyte);
        }
    }
    auto const times = prof.try_report().value().try_range("step").value().times();
    REQUIRE(times.size() == 1);
    std::size_t seen = 0;
    auto const batch = trace->try_finish();
    REQUIRE(batch);
    batch->visit([&](gpuprof::activity::memset const& each) {
        ++seen;
        // The scope's time is the fill's, to the microseconds that lie between the readings.
        CHECK(std::abs((each.time.start - times[0].start).value()) < 5000);
        CHECK(std::abs((each.time.end - times[0].end).value()) < 5000);
    });
    CHECK(seen == 1);
}

TEST_CASE("what has no meaning in samples is refused") {
    test::sampled_gpu on;
    auto const refused = [&](auto one) { return sampled_profiler::try_create(*on.gpu, {}, one).error(); };
    CHECK(refused(metric<"lts__t_sectors.min">).code == errc::invalid_argument);
    CHECK(refused(metric<"launch__grid_size">).code == errc::unknown_metric);
    CHECK(sampled_profiler::try_create(*on.gpu, {}, std::span<gpuprof::metric_info const>{}).error().code ==
          errc::invalid_argument);
    sampled_options none;
    none.max_scopes = 0;
    CHECK(sampled_profiler::try_create(*on.gpu, none, sectors).error().code == errc::invalid_argument);
    sampled_options many;
    many.max_streams = ~std::size_t{0};
    CHECK(sampled_profiler::try_create(*on.gpu, many, sectors).error().code == errc::invalid_argument);
}

TEST_CASE("a sampled profiler that was moved from does nothing, and says so") {
    test::sampled_gpu on;
    auto first = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors).value();
    sampled_profiler second{std::move(first)};
    scope nothing{first, "nothing"}; // NOLINT(bugprone-use-after-move)
    CHECK(first.try_report().error().code == errc::invalid_state);
    CHECK(first.try_start().error().code == errc::invalid_state);
    REQUIRE(second.try_start());
    CHECK(second.try_start().error().code == errc::invalid_state);
    CHECK(second.try_report().error().code == errc::invalid_state);
    REQUIRE(second.try_stop());
    CHECK(second.try_stop().error().code == errc::invalid_state);
}

TEST_CASE("scopes of eight threads: each has a place, and none is lost") {
    test::sampled_gpu on;
    sampled_options options = each_100_ns();
    options.max_scopes = 8 * 50 * 2;
    auto prof = sampled_profiler::try_create(*on.gpu, options, device_time).value();
    {
        auto burst = prof.sample();
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&] {
                static_cast<void>(on.machine.driver.CtxSetCurrent(on.context.handle));
                for (int i = 0; i < 50; ++i) {
                    scope outer{prof, "outer"};
                    scope inner{prof, "inner"};
                }
            });
        for (auto& each : threads) each.join();
    }
    auto const report = prof.try_report().value();
    CHECK(report.complete());
    CHECK(report.try_range("outer").value().count() == 400);
    CHECK(report.try_range("outer/inner").value().count() == 400);
}

TEST_CASE("each call of CUPTI and of the driver fails in turn: nothing crashes, and the next one works") {
    test::sampled_gpu on;
    double deviation = 0;
    auto const use = [&](bool& told) -> double {
        told = true;
        deviation = 0;
        auto made = sampled_profiler::try_create(*on.gpu, each_100_ns(), sectors);
        if (!made) return -1;
        {
            auto burst = made->sample();
            scope outer{*made, "outer"};
            {
                scope step{*made, "step"};
                static_cast<void>(on.machine.driver.MemsetD8Async(on.memory, 1, 4 * mebibyte, nullptr));
            }
        }
        auto const report = made->try_report();
        if (!report) return -1;
        auto const range = report->try_range("outer/step");
        auto const value = range ? range->try_get(sectors) : range.error();
        told = !report->complete();
        if (value) deviation = range->try_deviation(sectors.name()).value().value();
        return value ? value->value() : -1;
    };
    std::size_t faults_seen = 0, told_of = 0;
    auto const all = [&](auto& faults, auto status) {
        bool told = false;
        faults.clear();
        double const whole = use(told);
        CHECK(std::abs(whole / on.sectors(4 * mebibyte) - 1) < 0.05);
        std::vector<std::string> const calls = faults.record();
        REQUIRE(calls.size() > 20);
        for (std::size_t n = 1; n <= calls.size(); ++n) {
            faults.clear();
            faults.fail_any(n, status);
            CAPTURE(calls[n - 1]);
            double const value = use(told);
            ++faults_seen;
            told_of += told;
            // What is not told of has done no harm, or is in the deviation: a clock that was read another way.
            double const truth = on.sectors(4 * mebibyte);
            if (!told && calls[n - 1] != "cuMemsetD8Async")
                CHECK(std::abs(value - truth) < 4 * deviation + 0.1 * truth);
            faults.clear();
            gpuprof::sim::cupti::state().pm_sampling.clear(); // where Disable failed
        }
        faults.clear();
        bool last = false;
        CHECK(std::abs(use(last) / on.sectors(4 * mebibyte) - 1) < 0.05);
    };
    {
        test::fault_injection faults{on.machine.cupti};
        all(faults, abi::CUPTI_ERROR_UNKNOWN);
    }
    {
        test::fault_injection faults{on.machine.driver};
        all(faults, abi::CUDA_ERROR_LAUNCH_FAILED);
    }
    CHECK(told_of > 20);
    MESSAGE(faults_seen << " faults, " << told_of << " told");
}

} // namespace sampled_profiler_test
