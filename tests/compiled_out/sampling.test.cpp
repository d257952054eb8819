// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sample/compiled_out.hpp: what a program that samples does without gpuprof. Linked beside files in which it is not compiled out.
#define GPUPROF_ENABLED 0
#include <gpuprof/explain_lines.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/sampling.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace compiled_out_sampling_test {

namespace {
template <class T>
bool is_compiled_out(gpuprof::result<T> const& of) {
    return !of && of.error().code == gpuprof::errc::unavailable && of.error().what == "gpuprof is compiled out";
}
constexpr auto sectors = gpuprof::metric<"lts__t_sectors.sum">;
} // namespace

static_assert(!std::is_default_constructible_v<gpuprof::pm_sampler>, "what does not compile enabled, must not compile");
static_assert(!std::is_copy_constructible_v<gpuprof::pm_sampler>);
static_assert(!std::is_copy_constructible_v<gpuprof::sampled_profiler>);
static_assert(!std::is_default_constructible_v<gpuprof::pc_sampler>);
static_assert(!std::is_copy_constructible_v<gpuprof::module_code>);
static_assert(!std::is_copy_constructible_v<gpuprof::sampling_burst>);

TEST_CASE("compiled out: a sampler takes no samples, and a loop over its passes runs once") {
    auto const gpu = *gpuprof::try_open_device();
    auto sampler =
        gpuprof::pm_sampler::try_create(gpu, {.interval = gpuprof::sampling_interval::nanoseconds(500)}, sectors);
    REQUIRE(sampler);
    int runs = 0, visits = 0;
    for (std::size_t pass = 0; pass < sampler->passes(); ++pass) {
        CHECK(sampler->try_start(pass));
        ++runs;
        CHECK(sampler->try_stop());
        CHECK(sampler->try_visit([&](auto, auto) { ++visits; })->complete());
    }
    CHECK(runs == 1);
    CHECK(visits == 0);
    CHECK_FALSE(sampler->is_sampling());
    CHECK(sampler->interval().length == 500);
    auto const series = *sampler->try_take();
    CHECK(series.size() == 0);
    CHECK(series.metrics().empty());
    CHECK(series.losses().complete());
    CHECK(series.value(0, 0) != series.value(0, 0)); // NaN
    CHECK(is_compiled_out(series.try_values("lts__t_sectors.sum")));
    CHECK(is_compiled_out(series.try_value("lts__t_sectors.sum")));
    gpuprof::context_trace const switches;
    CHECK(series.during(switches.active(1)).size() == 0);
    CHECK(series.passes() == 1);
    CHECK(series.pass() == 0);
    CHECK(series.buffer_bytes() == 0);
    auto const passes = gpuprof::try_sample_passes(*sampler, gpu, [&] { ++runs; });
    REQUIRE(passes);
    CHECK(runs == 2);
    CHECK(passes->worst_ns() == 0);
    CHECK(is_compiled_out(gpuprof::pm_alignment::try_align({})));
    CHECK(is_compiled_out(gpuprof::pc_samples{}.try_value("smsp__pcsamp_interval")));
    CHECK(gpuprof::opcodes_of({}, {}).empty());
#if GPUPROF_EXCEPTIONS
    gpuprof::pm_sampler plain{gpu, sectors};
    plain.start();
    plain.stop();
    CHECK(plain.take()[sectors].empty());
#endif
}

TEST_CASE("compiled out: a sampled profiler has scopes and a report without ranges") {
    auto const gpu = *gpuprof::try_open_device();
    auto prof = gpuprof::sampled_profiler::try_create(gpu, {}, sectors);
    REQUIRE(prof);
    int runs = 0;
    {
        auto burst = prof->sample();
        gpuprof::scope const step{*prof, "step"};
        gpuprof::scope const other{prof->on(nullptr), "other"};
        ++runs;
    }
    CHECK(runs == 1);
    CHECK(prof->try_start());
    CHECK(prof->try_stop());
    prof->clear();
    CHECK(prof->losses().complete());
    CHECK(prof->time_deviation() == 0);
    CHECK(prof->try_report()->size() == 0);
    CHECK(prof->try_report()->completeness().problems.front().what == "gpuprof is compiled out");
}

TEST_CASE("compiled out: samples of instructions are none, in tables and files, too") {
    auto const gpu = *gpuprof::try_open_device();
    auto code = gpuprof::module_code::try_watch(gpu);
    REQUIRE(code);
    CHECK(*code->try_add({}) == 0);
    CHECK(code->modules() + code->missed() == 0);
    CHECK(code->find(0).empty());
    CHECK(is_compiled_out(code->try_locate(0, "kernel", 0)));

    auto sampler = gpuprof::pc_sampler::try_open(gpu, {.period = 8});
    REQUIRE(sampler);
    CHECK(sampler->try_start());
    CHECK(sampler->try_stop());
    CHECK(sampler->reasons().empty());
    CHECK_FALSE(sampler->configuration().period.has_value());
    gpuprof::pc_samples samples = *sampler->try_take();
    CHECK(samples.try_merge(*sampler->try_finish()));
    CHECK(samples.samples() == 0);
    auto const lines = gpuprof::lines_of(samples, *code);
    CHECK(lines.files.empty());
    CHECK(gpuprof::io::table(samples).empty());
    CHECK(gpuprof::io::table(lines).empty());
    CHECK(gpuprof::io::html(lines).empty());
    CHECK(gpuprof::io::json(samples).empty());
    CHECK(gpuprof::io::stalls_text({}, {}, 0).empty());
    std::string const path = "compiled_out_never_written.html";
    CHECK(gpuprof::io::try_write_html(lines, path));
    CHECK(gpuprof::io::try_write(samples, path));
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(is_compiled_out(gpuprof::io::try_read_pc_samples(path)));
    CHECK(is_compiled_out(gpuprof::io::try_parse_pc_samples("{}")));

    auto scopes = gpuprof::pc_scopes::try_open(gpu);
    REQUIRE(scopes);
    int runs = 0;
    {
        gpuprof::scope const solve{*scopes, "solve"};
        ++runs;
    }
    CHECK(runs == 1);
    CHECK(scopes->try_finish()->scopes.empty());
    CHECK(gpuprof::io::table(*scopes->try_finish()).empty());

    CHECK(gpuprof::sass_counter::try_list(gpu)->empty());
    auto counter = gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed"});
    REQUIRE(counter);
    auto const counts = *counter->try_finish();
    CHECK(counts.records.empty());
    CHECK(counts.functions().empty());
    CHECK(is_compiled_out(counts.try_find("smsp__sass_inst_executed")));
    CHECK(gpuprof::io::table(counts).empty());
    CHECK(gpuprof::io::table(counts, lines_of(counts, *code)).empty());
}

TEST_CASE("compiled out: a sample of events has a NaN for each event") {
    auto const gpu = *gpuprof::try_open_device();
    std::vector<std::string> const names{"inst_executed", "branch"};
    auto sampler = gpuprof::event_sampler::try_open(gpu, names);
    REQUIRE(sampler);
    gpuprof::event_sample sample;
    CHECK(sampler->try_sample(sample));
    REQUIRE(sample.counts.size() == 2);
    CHECK(sample.counts[1] != sample.counts[1]);
}

TEST_CASE("compiled out: work whose lines are measured runs once, and there are none") {
    namespace explain = gpuprof::explain;
    auto const gpu = *gpuprof::try_open_device();
    int runs = 0;
    auto const view = *explain::try_measure_lines(gpu, [&] { ++runs; });
    CHECK(runs == 1);
    CHECK(view.files.empty());
    CHECK(view.heat(view.counts) == 0);
    CHECK(explain::try_source_metrics(gpu)->empty());
    CHECK(explain::costliest_lines("uncoalesced_global_access", view).empty());
    explain::explanation why;
    why.locate(view);
    CHECK(why.findings().empty());
    CHECK(gpuprof::io::table(view).empty());
    CHECK(gpuprof::io::json(view).empty());
    CHECK(gpuprof::io::csv(view).empty());
    CHECK(gpuprof::io::html_rows(view).empty());
    CHECK(gpuprof::parse_disassembly("k:").empty());
    CHECK(is_compiled_out(gpuprof::try_disassemble("")));
    CHECK(gpuprof::ptx_text{"ret;"}.at(1).text.empty());
}

} // namespace compiled_out_sampling_test
