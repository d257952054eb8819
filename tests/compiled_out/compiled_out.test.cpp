// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measure/compiled_out.hpp: what a program does in which gpuprof is compiled out. Linked beside files in which it is not.
#define GPUPROF_ENABLED 0
#include <gpuprof/frames.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/judge/traced_work.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/saved.hpp>

#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/hw/machine/machine.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace compiled_out_test {

namespace metrics = gpuprof::metrics;
using gpuprof::errc;

namespace {

template <class T>
bool is_compiled_out(gpuprof::result<T> const& of) {
    return !of && of.error().code == errc::unavailable && of.error().what == "gpuprof is compiled out";
}
bool is_compiled_out(gpuprof::outcome const& of) {
    return of.verdict == gpuprof::verdict::inconclusive &&
           of.text().find("gpuprof is compiled out") != std::string::npos;
}
template <class Quantity>
bool is_nan(Quantity of) {
    return of.value() != of.value();
}

} // namespace

static_assert(!std::is_default_constructible_v<gpuprof::device>, "what does not compile enabled, must not compile");
static_assert(!std::is_copy_constructible_v<gpuprof::device>);
static_assert(!std::is_default_constructible_v<gpuprof::range_view>);
static_assert(!std::is_constructible_v<gpuprof::recording, gpuprof::recording const&>);
#if GPUPROF_EXCEPTIONS
static_assert(!std::is_constructible_v<gpuprof::profiler, gpuprof::device, decltype(metrics::warps_launched)>,
              "a temporary device would end before the profiler");
#endif

TEST_CASE("compiled out: every way to open a device gives one, which has no name and whose driver refuses every call") {
    for (auto const& opened : {gpuprof::try_open_device().has_value(), gpuprof::try_open_device(1).has_value(),
                               gpuprof::try_open_device("cuda:1").has_value()})
        CHECK(opened);
    gpuprof::device const gpu = *gpuprof::try_open_device();
    CHECK(gpu.name().empty());
    CHECK(gpu.chip().empty());
    CHECK(gpu.capability() == gpuprof::compute_capability{});
    CHECK(gpu.source() == gpuprof::device_source::hardware);
    CHECK(gpu.ordinal() == 0);
    CHECK(gpu.handle() == 0);
    CHECK(gpu.context() == nullptr);
    CHECK(gpu.attribute(gpuprof::abi::CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 0);
    CHECK(gpu.why_no_chip().what == "gpuprof is compiled out");
    CHECK(gpu.try_share());
    CHECK(gpuprof::device::try_open(gpu.machine(), 3));
    CHECK(gpuprof::device::try_open(gpu.machine(), gpu.context()));

    gpuprof::abi::CUmodule module = nullptr;
    CHECK(gpu.driver().ModuleLoadData(&module, "") == gpuprof::abi::CUDA_ERROR_NO_DEVICE);
    CHECK(gpu.machine().driver.CtxSynchronize() == gpuprof::abi::CUDA_ERROR_NO_DEVICE);
    std::uint32_t version = 0;
    CHECK(gpu.cupti().GetVersion(&version) == gpuprof::abi::CUPTI_ERROR_NOT_INITIALIZED);
    std::size_t null_calls = 0;
    gpuprof::abi::for_each_symbol(gpu.driver(), [&](char const*, auto call) { null_calls += call == nullptr ? 1 : 0; });
    CHECK(null_calls == 0);
}

TEST_CASE("compiled out: the doctor says that nothing can be measured") {
    std::vector<gpuprof::finding> const found = gpuprof::doctor();
    CHECK_FALSE(gpuprof::can_measure(found));
    CHECK(gpuprof::to_text(found).find("GPUPROF_ENABLED is 0") != std::string::npos);
    CHECK(gpuprof::to_text(found).find("remedy: build with GPUPROF_ENABLED=1") != std::string::npos);
    gpuprof::device const gpu = *gpuprof::try_open_device();
    CHECK_FALSE(gpuprof::can_measure(gpuprof::doctor(gpu.machine())));
}

TEST_CASE("compiled out: the loop over passes runs once, and the report has nothing") {
    gpuprof::device const gpu = *gpuprof::try_open_device();
    auto made = gpuprof::profiler::try_create(gpu, {}, metrics::warps_launched);
    REQUIRE(made);
    CHECK(gpuprof::profiler::try_create(gpu, {}, std::span<gpuprof::metric_info const>{}));
    int runs = 0;
    for (auto pass : made->passes()) {
        gpuprof::scope step{*made, "step"};
        gpuprof::paused here{*made};
        static_assert(sizeof here == 1 && !std::is_copy_constructible_v<gpuprof::paused>);
        ++runs;
    }
    CHECK(runs == 1);
    CHECK_FALSE(made->armed());
    CHECK(made->passes_needed() == 0);
    CHECK(made->metrics().empty());
    made->abandon();

    gpuprof::report const report = *made->try_report();
    CHECK(report.device().empty());
    CHECK(report.chip().empty());
    CHECK(report.recording().empty());
    CHECK(report.hardware().empty());
    CHECK(report.metrics().empty());
    CHECK_FALSE(report.complete());
    CHECK_FALSE(report.completeness().complete());
    CHECK(report.completeness().problems.front().what == "gpuprof is compiled out");
    CHECK_FALSE(report.clocks().has_value());
    CHECK(report.fidelity_of(0) == gpuprof::fidelity::exact);
    CHECK(report.size() == 0);
    CHECK(report.begin() == report.end());
    CHECK(is_compiled_out(report.try_range("step")));
    CHECK(is_compiled_out(report.try_range({"frame", "step"})));
    CHECK(gpuprof::report{gpuprof::report::contents{}}.size() == 0);
    CHECK(gpuprof::io::table(report).empty());
    CHECK(gpuprof::io::csv(report).empty());
    std::ostringstream text;
    text << report;
    CHECK(text.str().empty());
    CHECK(gpuprof::io::number(12) == "12");

    auto const range = report.at(0);
    CHECK(range.path().empty());
    CHECK(range.name().empty());
    CHECK(range.depth() == 1);
    CHECK(range.count() == 0);
    CHECK_FALSE(range.parent().has_value());
    CHECK_FALSE(range.launches().heard);
    CHECK(range.report().size() == 0);
    CHECK(range.times().empty());
    CHECK(is_compiled_out(range.try_get(metrics::warps_launched)));
    CHECK(is_compiled_out(range.try_value("smsp__warps_launched.sum")));
    CHECK(is_compiled_out(range.try_values("smsp__warps_launched.sum")));
    CHECK(is_compiled_out(range.try_deviation("smsp__warps_launched.sum")));
    CHECK(is_compiled_out(range.try_provided("launch__grid_size")));
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("compiled out: a report is saved nowhere and none is loaded or evaluated") {
    gpuprof::report const none;
    CHECK(gpuprof::try_save(none, "never_written.json"));
    CHECK(gpuprof::saved_text(none).empty());
    auto const loaded = gpuprof::try_load_report("never_written.json");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().what == "gpuprof is compiled out");
    CHECK(gpuprof::try_parse_report("{}").error().what == "gpuprof is compiled out");
    CHECK(gpuprof::try_evaluate(none, gpuprof::metrics::warps_launched).error().what == "gpuprof is compiled out");
#if GPUPROF_EXCEPTIONS
    gpuprof::save(none, "never_written.json");
    CHECK(gpuprof::load_report("never_written.json").size() == 0);
    CHECK(gpuprof::evaluate(none, gpuprof::metrics::warps_launched).size() == 0);
#endif
}

TEST_CASE("compiled out: no plain name throws, and every value is NaN") {
    auto const gpu = gpuprof::open_device(1);
    CHECK(gpuprof::open_device("cuda:1").ordinal() == 0);
    CHECK(gpuprof::open_device().ordinal() == 0);
    CHECK(gpuprof::open_device(gpu.context()).ordinal() == 0);
    gpuprof::profiler prof{gpu, metrics::dram_bytes_read, gpuprof::metric<"smsp__inst_executed.sum">};
    gpuprof::bytes const read = prof.report()["frame/step"][metrics::dram_bytes_read];
    CHECK(is_nan(read));
    CHECK(prof.report()["frame/step"].values(metrics::dram_bytes_read).empty());
    int runs = 0;
    auto const m = gpuprof::measure(
        gpu, [&] { ++runs; }, metrics::global_load_sectors, metrics::global_load_requests);
    CHECK(runs == 1);
    CHECK(is_nan(m[metrics::global_load_sectors]));
    CHECK(is_nan(m.ratio(0, 1)));
    CHECK(is_nan(m.ratio(metrics::global_load_sectors, metrics::global_load_requests)));
    CHECK(is_nan(m.get<1>()));
    CHECK(is_nan(gpuprof::measure<"smsp__inst_executed.sum">(gpu, [&] { ++runs; })[metrics::inst_executed]));
    CHECK(runs == 2);
}
#endif

TEST_CASE("compiled out: work that is to be measured, observed or traced runs once") {
    gpuprof::device const gpu = *gpuprof::try_open_device();
    int runs = 0;
    auto const work = [&] { ++runs; };
    CHECK(gpuprof::try_measure<"smsp__inst_executed.sum">(gpu, work));
    CHECK(gpuprof::try_measure(gpu, work, metrics::warps_launched));
    CHECK(runs == 2);
    auto const seen = gpuprof::observe(gpu, work, metrics::global_load_sectors, metrics::global_load_requests);
    CHECK(runs == 3);
    CHECK(is_compiled_out(seen[metrics::global_load_sectors].try_value()));
    CHECK(is_compiled_out(seen.ratio(metrics::global_load_sectors, metrics::global_load_requests).try_value()));
    CHECK(is_compiled_out(seen.ratio(0, 1).try_value()));
    CHECK(is_compiled_out(gpuprof::expect::launch_count(1)(seen)));
    CHECK(is_compiled_out(
        gpuprof::expect::no_bank_conflicts()(gpuprof::observe_for(gpu, {gpuprof::expect::no_bank_conflicts()}, work))));
    CHECK(runs == 4);
    CHECK(is_compiled_out(gpuprof::expect::no_hidden_copies()(gpuprof::observe_trace(gpu, work))));
    CHECK(runs == 5);
    gpuprof::recording const session{"never_written.json"};
    CHECK(is_compiled_out(session.try_save()));
}

TEST_CASE("compiled out: a loop of frames runs, has no values, and says why once it is asked") {
    gpuprof::device const gpu = *gpuprof::try_open_device();
    constexpr auto instructions = gpuprof::metric<"sm__inst_executed.sum">;
    auto frames = gpuprof::frame_sampler::try_create(gpu, {.budget_us = 50}, instructions);
    REQUIRE(frames);
    int runs = 0;
    char text[100] = "before", bars[100];
    for (int i = 0; i < 3; ++i) {
        frames->begin_frame();
        {
            gpuprof::scope const scene{*frames, "scene"};
            ++runs;
        }
        frames->end_frame();
        frames->next();
        CHECK_FALSE(frames->last(instructions));
        CHECK_FALSE(frames->find("sm__inst_executed.sum")->last.known());
        CHECK(gpuprof::write_hud(text, *frames).empty());
        CHECK(std::string{text}.empty());
        auto const& history = (*frames)[gpuprof::frame_quantity::gpu_time].history;
        CHECK(gpuprof::write_bars(bars, history, 8) == "        ");
    }
    CHECK(runs == 3);
    CHECK(frames->frames() == 0);
    CHECK(frames->try_enable("dram__bytes_read.sum"));
    CHECK(frames->try_tune());
    CHECK(frames->try_disable_all());
    CHECK(gpuprof::try_describe_frame_counter(gpu, "driver.memory").error().what == "gpuprof is compiled out");
    CHECK(frames->counters().empty());
    CHECK(frames->new_problem() == nullptr);
    REQUIRE(frames->problem() != nullptr);
    CHECK(frames->problem()->what == "gpuprof is compiled out");
    CHECK(frames->budget().state() == gpuprof::budget_state::none);
    CHECK(*gpuprof::try_visit_frame_counters(gpu, [](auto, auto) {}) == 0);
}

TEST_CASE("compiled out: names of metrics are still checked") {
    CHECK(gpuprof::try_metric("smsp__inst_executed.sum")->name == "smsp__inst_executed.sum");
    CHECK(gpuprof::try_metric("smsp__inst_executed.summ").error().code == errc::unknown_metric);
}

} // namespace compiled_out_test
