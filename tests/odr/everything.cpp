// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every header that users include, header-only, and a use of what is compiled only where it is called: so that compilers and
// linters see all of it. duplicates.py reads the symbols of the object file.
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <gpuprof/legacy.hpp>
#include <gpuprof/call_replay.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/range/device_breakdown.hpp>
#include <gpuprof/metric/breakdown.hpp>
#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/catalogue_lookup.hpp>
#include <gpuprof/metric/on_chip.hpp>
#include <gpuprof/scope.hpp>
#include <gpuprof/explain.hpp>
#include <gpuprof/explain_lines.hpp>
#include <gpuprof/judge/no_finding.hpp>
#include <gpuprof/mpi.hpp>
#include <gpuprof/ranks.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#if !GPUPROF_HEADER_ONLY
#error "this is about header-only use"
#endif

// Counts what it did; never meant to succeed on a machine without a GPU, only to be compiled whole.
static std::size_t use_everything() {
    namespace metrics = gpuprof::metrics;
    std::size_t done = gpuprof::to_text(gpuprof::doctor()).size();
    auto gpu = gpuprof::try_open_device();
    if (!gpu) return done + gpu.error().message().size();
    auto prof = gpuprof::profiler::try_create(*gpu, {}, metrics::warps_launched, gpuprof::legacy_metric<"ipc">);
    if (prof) {
        for (auto pass : prof->passes()) gpuprof::scope step{*prof, "step"};
        if (auto report = prof->try_report()) {
            done += gpuprof::io::table(*report).size();
            if (gpuprof::try_save(*report, "/nowhere/r.json") && gpuprof::try_load_report("/nowhere/r.json")) ++done;
            if (gpuprof::try_evaluate(*report, metrics::inst_executed)) ++done;
            gpuprof::explain::explanation const why{*report, gpuprof::explain::set::full};
            done += gpuprof::io::page(why).size() + gpuprof::io::json(why).size() + gpuprof::io::csv(why).size();
            if (gpuprof::expect::no_finding("partial_warps")(why)) ++done;
            if (auto range = report->try_range("step")) {
                if (range->try_values("x")) ++done;
                if (range->try_value("y")) ++done;
                if (range->try_get(metrics::warps_launched)) ++done;
            }
        }
    }
    if (gpuprof::try_measure(
            *gpu, [] {}, metrics::inst_executed))
        ++done;
    if (gpuprof::try_metric("sm__cycles_active.avg")) ++done;
    if (gpuprof::try_find(gpuprof::catalogue_of<gpuprof::chip::gh100>, "sm__cycles_active.avg")) ++done;

    constexpr auto parts =
        gpuprof::breakdown_on<gpuprof::chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed">;
    if (auto of_parts = gpuprof::profiler::try_create(*gpu, {}, parts)) ++done;
    if (auto here = gpuprof::try_breakdown(*gpu, "sm__throughput.avg.pct_of_peak_sustained_elapsed"))
        done += here->parts.size();

    auto const& cupti = gpu->cupti();
    if (auto chips = gpuprof::hw::metric_host::try_chips(cupti)) done += chips->size();
    if (auto host = gpuprof::hw::metric_host::try_open(cupti, gpu->chip())) {
        using gpuprof::abi::CUPTI_METRIC_TYPE_COUNTER;
        if (auto bases = host->try_base_metrics(CUPTI_METRIC_TYPE_COUNTER)) done += bases->size();
        if (host->try_sub_metrics("sm__cycles_active", CUPTI_METRIC_TYPE_COUNTER)) ++done;
        if (host->has("sm__cycles_active.avg")) ++done;
        std::vector<char const*> const names{"sm__cycles_active.avg"};
        if (host->try_configure(names)) ++done;
        if (host->try_evaluate({}, 0, names)) ++done;
        if (gpuprof::hw::metric_host::try_range_name(cupti, {}, 0)) ++done;
    }
    gpuprof::hw::config_cache cache;
    cache.store("key", {{1, 2}, 3});
    if (cache.find("key")) ++done;
    cache.forget("key");
    cache.clear();
    std::vector<std::string> const events{"warps_launched"};
    if (auto plan = gpuprof::hw::range_hardware::try_plan(*gpu, events, cache)) {
        gpuprof::hw::range_hardware::forget(*plan, cache);
        if (auto session = gpuprof::hw::range_hardware::session::try_open(*gpu, *plan)) {
            if (session->try_prepare({}) && session->try_begin_replay_pass() && session->try_push(0) &&
                session->try_pop() && session->try_end_replay_pass() && session->try_read())
                ++done;
        }
    }
    if (auto listed = gpuprof::hw::event_catalogue::try_open(*gpu)) {
        if (listed->try_domains()) ++done;
        if (listed->try_events()) ++done;
        if (listed->try_metrics()) ++done;
    }
    if (auto sampler = gpuprof::event_sampler::try_open(*gpu, events)) ++done;
    gpuprof::hw::load_options options;
    options.driver_path = "/nonexistent";
    if (!gpuprof::hw::try_load_machine(options)) ++done;
    if (!gpuprof::sim::open_embedded("no such chip")) ++done;
    gpuprof::timeline times;
    times.visit([&done](gpuprof::timeline_record const&) { ++done; });
    return done;
}

int main() {
    std::size_t const done = use_everything();
    std::printf("%zu things done\n", done);
    return done != 0 ? 0 : 1;
}
