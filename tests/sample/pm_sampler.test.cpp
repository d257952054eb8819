// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sampler on the embedded GPU: times, sums, losses, refusals.
#include <gpuprof/sample/pm_sampler.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/cupti/cupti_state.hpp"

#include "support/fault_injection.hpp"
#include "support/sampled_gpu.hpp"
#include "sim/chip/chips.hpp"

namespace pm_sampler_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::pm_options;
using gpuprof::pm_sampler;
using gpuprof::sampling_interval;

namespace {
constexpr auto sectors = metric<"lts__t_sectors.sum">;
constexpr auto cycles = metric<"sm__cycles_elapsed.avg">;

double total(gpuprof::pm_series const& of, std::string_view name) {
    double sum = 0;
    for (double const each : of.try_values(name).value()) sum += each;
    return sum;
}
} // namespace

TEST_CASE("samples follow one another at the interval, and their sum is what the work counted") {
    test::sampled_gpu on;
    auto made = pm_sampler::try_create(*on.gpu, {.interval = sampling_interval::nanoseconds(500)}, sectors, cycles);
    REQUIRE(made);
    REQUIRE(made->try_start());
    CHECK(made->is_sampling());
    for (int i = 0; i < 3; ++i) on.fill(4 << 20);
    on.wait();
    REQUIRE(made->try_stop());
    auto const series = made->try_take();
    REQUIRE(series);
    CHECK(series->losses().complete());
    CHECK(series->interval() == sampling_interval::nanoseconds(500));
    REQUIRE(series->size() > 6);
    for (std::size_t i = 0; i + 1 < series->size(); ++i) {
        CHECK((series->time(i).end - series->time(i).start).value() == 500);
        CHECK(series->time(i + 1).start == series->time(i).end);
    }
    CHECK(total(*series, "lts__t_sectors.sum") == 3 * on.sectors(4 << 20));
    // 1.98 GHz: 990 cycles in 500 ns.
    CHECK(series->try_values("sm__cycles_elapsed.avg").value().at(0) == 990);
    CHECK(series->source() == gpuprof::device_source::embedded);
    auto const again = made->try_take();
    REQUIRE(again);
    CHECK(again->size() == 0);
}

TEST_CASE("a sampler starts again, takes while it samples, and decodes in pieces as small as the image") {
    test::sampled_gpu on;
    for (std::uint32_t const image : {1u, 3u, 1000u}) {
        auto made = pm_sampler::try_create(
            *on.gpu, {.interval = sampling_interval::nanoseconds(300), .image_samples = image}, sectors);
        REQUIRE(made);
        double sum = 0;
        for (int round = 0; round < 2; ++round) {
            REQUIRE(made->try_start());
            for (int i = 0; i < 2; ++i) {
                on.fill(2 << 20);
                on.wait();
                auto const now = made->try_take();
                REQUIRE(now);
                CHECK(now->losses().complete());
                sum += total(*now, "lts__t_sectors.sum");
            }
            REQUIRE(made->try_stop());
            auto const rest = made->try_take();
            REQUIRE(rest);
            sum += total(*rest, "lts__t_sectors.sum");
        }
        CHECK(sum == 4 * on.sectors(2 << 20));
    }
}

// As an H200 does: what a stopped sampler's image has no room for is gone, and told.
TEST_CASE("a sampler that was stopped decodes once: samples over image_samples are lost, and the series says so") {
    test::sampled_gpu on;
    for (std::uint32_t const image : {20u, 20'000u}) {
        CAPTURE(image);
        auto made = pm_sampler::try_create(
            *on.gpu, {.interval = sampling_interval::nanoseconds(300), .image_samples = image}, sectors);
        REQUIRE(made);
        REQUIRE(made->try_start());
        on.fill(16 << 20); // some thousand ns
        on.wait();
        REQUIRE(made->try_stop());
        auto const series = made->try_take();
        REQUIRE(series);
        bool const whole = image == 20'000;
        CHECK(series->losses().complete() == whole);
        CHECK((series->losses().over_room > 0) == !whole);
        if (whole) CHECK(total(*series, "lts__t_sectors.sum") == on.sectors(16 << 20));
        else CHECK(total(*series, "lts__t_sectors.sum") < on.sectors(16 << 20));
    }
}

TEST_CASE("an interval of cycles is that of the system clock") {
    test::sampled_gpu on;
    auto made = pm_sampler::try_create(*on.gpu, {.interval = sampling_interval::cycles(1600)}, sectors);
    REQUIRE(made);
    REQUIRE(made->try_start());
    on.fill(8 << 20);
    on.wait();
    REQUIRE(made->try_stop());
    auto const series = made->try_take();
    REQUIRE(series);
    REQUIRE(series->size() > 1);
    CHECK((series->time(0).end - series->time(0).start).value() == 1000); // at 1.6 GHz
}

TEST_CASE("pmsampling: and the bare name are one metric") {
    test::sampled_gpu on;
    auto made = pm_sampler::try_create(*on.gpu, {}, metric<"pmsampling:lts__t_sectors.sum">);
    REQUIRE(made);
    REQUIRE(made->try_start());
    on.fill(1 << 20);
    on.wait();
    REQUIRE(made->try_stop());
    auto const series = made->try_take();
    REQUIRE(series);
    CHECK(total(*series, "lts__t_sectors.sum") == on.sectors(1 << 20));
    CHECK(total(*series, "pmsampling:lts__t_sectors.sum") == on.sectors(1 << 20));
    CHECK(series->try_values("smsp__inst_executed.sum").error().code == errc::unknown_metric);
}

TEST_CASE("the bytes that a copy brings over the link are sampled") {
    test::sampled_gpu on;
    auto made = pm_sampler::try_create(*on.gpu, {}, metric<"pcie__read_bytes.sum">);
    REQUIRE(made);
    REQUIRE(made->try_start());
    std::vector<char> const host(1 << 20);
    REQUIRE(on.machine.driver.MemcpyHtoD(on.memory, host.data(), host.size()) == abi::CUDA_SUCCESS);
    on.wait();
    REQUIRE(made->try_stop());
    auto const series = made->try_take();
    REQUIRE(series);
    CHECK(total(*series, "pcie__read_bytes.sum") == 1 << 20);
}

TEST_CASE("what cannot be sampled is refused, with a reason and a remedy") {
    test::sampled_gpu on;
    auto const refused = [&](auto one) {
        auto made = pm_sampler::try_create(*on.gpu, {}, one);
        REQUIRE(!made);
        CHECK(!made.error().remedy.empty());
        return made.error();
    };
    CHECK(refused(metric<"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum">).cause.find("patching") !=
          std::string::npos);
    CHECK(refused(metric<"launch__grid_size">).code == errc::unknown_metric);
    CHECK(refused(metric<"breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed">).code == errc::unknown_metric);
    CHECK(refused(metric<"nvlrx__bytes.sum.per_second">).code == errc::unknown_metric); // not modelled
    auto const empty = pm_sampler::try_create(*on.gpu, {}, std::span<gpuprof::metric_info const>{});
    CHECK(empty.error().code == errc::invalid_argument);
    CHECK(pm_sampler::try_create(*on.gpu, {.interval = {0, false}}, sectors).error().code == errc::invalid_argument);
}

TEST_CASE("calls in the wrong order are invalid_state") {
    test::sampled_gpu on;
    auto made = pm_sampler::try_create(*on.gpu, {}, sectors);
    REQUIRE(made);
    CHECK(made->try_stop().error().code == errc::invalid_state);
    REQUIRE(made->try_start());
    CHECK(made->try_start().error().code == errc::invalid_state);
    CHECK(made->try_start(1).error().code == errc::invalid_argument);
    REQUIRE(made->try_stop());
    CHECK(made->try_stop().error().code == errc::invalid_state);
}

TEST_CASE("one sampler a device: the second is told busy, and comes to it when the first has gone") {
    test::sampled_gpu on;
    std::optional<pm_sampler> first{pm_sampler::try_create(*on.gpu, {}, sectors).value()};
    auto const second = pm_sampler::try_create(*on.gpu, {}, sectors);
    CHECK(second.error().code == errc::busy);
    CHECK(!second.error().remedy.empty());
    first.reset();
    CHECK(pm_sampler::try_create(*on.gpu, {}, sectors));
}

TEST_CASE("a full buffer is an overflow that is counted, and sampling goes on") {
    test::sampled_gpu on;
    // Room for 8 samples of 8 KiB.
    auto made = pm_sampler::try_create(
        *on.gpu, {.interval = sampling_interval::nanoseconds(100), .buffer_bytes = 64 << 10}, sectors);
    REQUIRE(made);
    REQUIRE(made->try_start());
    on.fill(8 << 20); // more than 1 us
    on.wait();
    auto const full = made->try_take();
    REQUIRE(full);
    CHECK(full->losses().overflows == 1);
    CHECK(!full->losses().complete());
    CHECK(full->size() == 0);
    REQUIRE(made->try_stop());
    auto const after = made->try_take();
    REQUIRE(after);
    CHECK(after->losses().overflows == 0);
}

TEST_CASE("keeping the latest samples, a full buffer loses the oldest") {
    test::sampled_gpu on;
    auto made = pm_sampler::try_create(
        *on.gpu, {.interval = sampling_interval::nanoseconds(100), .buffer_bytes = 64 << 10, .keep_latest = true},
        sectors);
    REQUIRE(made);
    REQUIRE(made->try_start());
    on.fill(8 << 20);
    on.wait();
    REQUIRE(made->try_stop());
    auto const series = made->try_take();
    REQUIRE(series);
    CHECK(series->losses().overflows == 0);
    CHECK(series->size() == 7); // of the 8 the first is taken for what was before
}

TEST_CASE("samples over the room in memory are counted") {
    test::sampled_gpu on;
    auto made =
        pm_sampler::try_create(*on.gpu, {.interval = sampling_interval::nanoseconds(100), .max_samples = 5}, sectors);
    REQUIRE(made);
    REQUIRE(made->try_start());
    on.fill(8 << 20);
    on.wait();
    REQUIRE(made->try_stop());
    std::size_t seen = 0;
    auto const series = made->try_take();
    REQUIRE(series);
    CHECK(series->size() == 5);
    CHECK(series->losses().over_room > 0);
    REQUIRE(made->try_visit([&](auto, auto) { ++seen; }));
    CHECK(seen == 0);
}

TEST_CASE("metrics of several passes: refused, or sampled one pass after the other") {
    // GV100 in passes has fewer counters at once than this asks for.
    embedded_context context{gpuprof::sim::gv100};
    auto machine = gpuprof::sim::embedded_machine();
    auto gpu = gpuprof::device::try_open(machine, context.handle, gpuprof::device_source::embedded).value();
    std::vector<gpuprof::metric_info> many;
    for (char const* name :
         {"smsp__inst_executed.sum", "smsp__inst_issued.sum", "smsp__warps_active.sum", "smsp__warps_eligible.sum",
          "smsp__warps_launched.sum", "smsp__issue_active.sum", "smsp__warps_issue_stalled_wait.sum",
          "smsp__warps_issue_stalled_barrier.sum", "smsp__warps_issue_stalled_membar.sum",
          "smsp__warps_issue_stalled_long_scoreboard.sum", "smsp__warps_issue_stalled_short_scoreboard.sum",
          "smsp__warps_issue_stalled_not_selected.sum", "smsp__warps_issue_stalled_selected.sum"}) {
        auto one = gpuprof::try_metric(name);
        REQUIRE(one);
        many.push_back(*std::move(one));
    }
    auto const refused = pm_sampler::try_create(gpu, {}, many);
    if (refused) { // the device collects everything at once
        CHECK(refused->passes() == 1);
        return;
    }
    CHECK(refused.error().code == errc::invalid_argument);
    auto made = pm_sampler::try_create(gpu, {.several_passes = true}, many);
    REQUIRE(made);
    CHECK(made->passes() > 1);
    std::size_t metrics = 0;
    for (std::size_t pass = 0; pass < made->passes(); ++pass) {
        REQUIRE(made->try_start(pass));
        REQUIRE(made->try_stop());
        auto const series = made->try_take();
        REQUIRE(series);
        metrics += series->metrics().size();
    }
    CHECK(metrics == many.size());
}

// As an H200 does: while it samples, the sample that is being taken is in the image in part.
TEST_CASE("a running sampler loses a sample for each image, no more, and each is counted") {
    static abi::cupti_table original;
    static bool running = false;
    test::sampled_gpu on;
    original = on.machine.cupti;
    on.machine.cupti.PmSamplingStart = [](abi::CUpti_PmSampling_Start_Params* p) {
        running = true;
        return original.PmSamplingStart(p);
    };
    on.machine.cupti.PmSamplingStop = [](abi::CUpti_PmSampling_Stop_Params* p) {
        running = false;
        return original.PmSamplingStop(p);
    };
    on.machine.cupti.PmSamplingGetCounterDataInfo = [](abi::CUpti_PmSampling_GetCounterDataInfo_Params* p) {
        auto const status = original.PmSamplingGetCounterDataInfo(p);
        if (running) p->numPopulatedSamples = p->numCompletedSamples + 1;
        return status;
    };
    for (std::uint32_t const image : {40u, 400u, 4000u}) {
        CAPTURE(image);
        gpuprof::pm_options const options{.interval = sampling_interval::nanoseconds(300), .image_samples = image};
        CHECK(options.lost_while_running() == doctest::Approx(image == 40    ? 1.0 / 30
                                                              : image == 400 ? 1.0 / 300
                                                                             : 1.0 / 1536));
        auto made = pm_sampler::try_create(*on.gpu, options, sectors);
        REQUIRE(made);
        REQUIRE(made->try_start());
        std::size_t seen = 0, lost = 0, reads = 0;
        while (seen < 1800) {
            on.fill(1 << 20); // fewer samples than the smallest image has room for
            on.wait();
            auto const visited = made->try_visit([&](auto, auto) { ++seen; });
            REQUIRE(visited);
            lost += visited->dropped + visited->over_room;
            ++reads;
        }
        REQUIRE(reads > 10);
        REQUIRE(made->try_stop());
        double const expected = static_cast<double>(seen + lost) * options.lost_while_running();
        CHECK(static_cast<double>(lost) <= expected + 1);
        CHECK(static_cast<double>(lost) >= expected * 0.6 - 1); // an image is emptied after the read that fills it
    }
    static_assert(gpuprof::pm_options{}.lost_while_running() < 0.001);
}

TEST_CASE("each call of CUPTI fails in turn: the error names it, and the next sampler works") {
    test::sampled_gpu on;
    test::fault_injection faults{on.machine.cupti};
    auto const use = [&]() -> gpuprof::result<double> {
        auto made = pm_sampler::try_create(*on.gpu, {.interval = sampling_interval::nanoseconds(500)}, sectors);
        if (!made) return std::move(made).error();
        if (auto started = made->try_start(); !started) return std::move(started).error();
        on.fill(1 << 20);
        on.wait();
        auto stopped = made->try_stop();
        auto series = made->try_take();
        if (!stopped) return std::move(stopped).error();
        if (!series) return std::move(series).error();
        if (!series->losses().complete())
            return gpuprof::error{errc::not_collected, 0, "cuptiPmSamplingDecodeData overflowed"};
        return total(*series, "lts__t_sectors.sum");
    };
    auto const whole = use();
    REQUIRE(whole);
    CHECK(*whole == on.sectors(1 << 20));
    std::vector<std::string> const calls = faults.record();
    REQUIRE(calls.size() > 20);
    std::size_t told = 0, got_over = 0;
    for (std::size_t n = 1; n <= calls.size(); ++n)
        for (abi::CUptiResult const status :
             {abi::CUPTI_ERROR_UNKNOWN, abi::CUPTI_ERROR_HARDWARE_BUSY, abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
              abi::CUPTI_ERROR_OUT_OF_MEMORY}) {
            faults.clear();
            faults.fail_any(n, status);
            auto const now = use();
            CAPTURE(calls[n - 1]);
            if (!now) CHECK(now.error().message().find(calls[n - 1]) != std::string::npos);
            told += !now;
            got_over += static_cast<bool>(now);
            faults.clear();
            if (calls[n - 1] == "cuptiPmSamplingDisable") gpuprof::sim::cupti::state().pm_sampling.clear();
            auto const next = use();
            REQUIRE_MESSAGE(next, next.error().message());
            CHECK(*next == on.sectors(1 << 20));
        }
    CHECK(told > 40);
    MESSAGE(calls.size() << " calls; " << told << " errors told, " << got_over << " faults that a sampler gets over");
}

} // namespace pm_sampler_test
