// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every name that a test of counters writes, in one program. It compiles with GPUPROF_ENABLED=1 and 0; with 0 it ends well if
// every check was inconclusive because gpuprof is compiled out.
#include <cstdio>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/judge/traced_work.hpp>
#include <gpuprof/sim.hpp>

static int checks = 0, compiled_out = 0;

static void tell(gpuprof::outcome const& found) {
    ++checks;
    if (found.verdict == gpuprof::verdict::inconclusive &&
        found.text().find("gpuprof is compiled out") != std::string::npos)
        ++compiled_out;
}
#define GPUPROF_TELL(outcome, required, macro, text) tell(outcome)
#include <gpuprof/judge/checks.hpp>

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

int main() {
    int runs = 0;
    auto const work = [&] { ++runs; };
    auto const opened = gpuprof::try_open_device();
    if (!opened) return 1;
    gpuprof::device const& gpu = *opened;

    auto const m = gpuprof::observe(gpu, work, metrics::global_load_sectors, metrics::global_load_requests);
    GPUPROF_CHECK(m.ratio(0, 1) <= 4.0);
    GPUPROF_CHECK(m.ratio(metrics::global_load_sectors, metrics::global_load_requests) <= 4.0);
    GPUPROF_REQUIRE(m[metrics::global_load_sectors] == near(1024_sectors, 2_percent));
    GPUPROF_CHECK(m[metrics::global_load_sectors] / m[metrics::global_load_requests] < gpuprof::sectors_per_request{4});
    GPUPROF_CHECK(m[metrics::global_load_sectors] + m[metrics::global_load_sectors] > 10_sectors);
    GPUPROF_CHECK(exact_only(m[metrics::global_load_sectors]) >= 10_sectors);
    GPUPROF_CHECK(m.median()[metrics::global_load_sectors] * 2.0 != gpuprof::sectors{10});
    GPUPROF_EXPECT(m[metrics::global_load_sectors], between(1_sectors, 2_sectors));
    GPUPROF_EXPECT(m[metrics::global_load_sectors], at_most(10_sectors).allowing(gpuprof::noise::arbitration));
    GPUPROF_CHECK(1 == 1);

    auto const names = gpuprof::observe<"l1tex__t_sectors.sum">(gpu, work);
    GPUPROF_CHECK(names.ratio(0, 0) == gpuprof::exactly(1.0));
    auto const often = gpuprof::observe(gpu, gpuprof::repetitions{3}, work, metrics::warps_launched);
    GPUPROF_CHECK(often[metrics::warps_launched] <= gpuprof::warps{1});
    GPUPROF_CHECK(gpuprof::observe(opened, work, metrics::warps_launched)[metrics::warps_launched] <=
                  gpuprof::warps{1});

    auto const all = gpuprof::observe_for(gpu, {expect::no_divergence(), expect::launch_count(1)}, work);
    GPUPROF_EXPECT(all, expect::coalesced_global_loads());
    GPUPROF_EXPECT(all, expect::coalesced_global_stores(16));
    GPUPROF_EXPECT(all, expect::no_bank_conflicts());
    GPUPROF_EXPECT(all, expect::no_local_memory());
    GPUPROF_EXPECT(all, expect::no_divergence());
    GPUPROF_EXPECT(all, expect::tensor_cores_used());
    GPUPROF_EXPECT(all, expect::dram_bytes_within(2, gpuprof::bytes{100}));
    GPUPROF_EXPECT(all, expect::occupancy_at_least(50_percent));
    GPUPROF_EXPECT(all, expect::no_serialised_atomics());
    GPUPROF_EXPECT(all, expect::launch_count(1));
    GPUPROF_EXPECT(all, expect::unchanged_since("nowhere", "work", gpuprof::baseline_options{5_percent}));

    auto const traced = gpuprof::observe_trace(gpu, work);
    GPUPROF_EXPECT(traced, expect::no_hidden_synchronisation());
    GPUPROF_EXPECT(gpuprof::observe_trace(opened, work), expect::no_hidden_copies(1));

    GPUPROF_CHECK(gpuprof::measure(gpu, work, metrics::threads_launched, metrics::warps_launched)
                      .ratio(metrics::threads_launched, metrics::warps_launched) <= 4.0);

    gpuprof::profiler profiler{gpu, metrics::warps_launched};
    for (auto pass : profiler.passes()) {
        gpuprof::scope step{profiler, "step"};
        work();
    }
    gpuprof::observation const step{profiler.report(), "step"};
    GPUPROF_CHECK(step[metrics::warps_launched] <= gpuprof::warps{1});

    std::printf("%d checks, %d compiled out\n", checks, compiled_out);
    int const expected = 28;
    bool const ran = runs >= 8; // the work runs once at least, everywhere
    return checks == expected && ran && compiled_out == (GPUPROF_ENABLED ? 0 : expected) ? 0 : 1;
}
