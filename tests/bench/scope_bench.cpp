// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a scope costs on the host: idle beside an unattached NVTX range, recording beside the time stamp counter.
//
// Every case runs many times, briefly, in random order, and the fastest tenth of the runs counts: other programs only
// ever add to a time. Even so the machine should be idle. Numbers are nanoseconds an operation.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/platform/clock.hpp>
#include <gpuprof/scope.hpp>
#include <gpuprof/measure/timeline.hpp>

#if __has_include(<nvtx3/nvtx3.hpp>)
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
#define HAVE_NVTX 1
#else
#define HAVE_NVTX 0
#endif

namespace {

// What the scope is around: nothing, but the compiler must assume that memory was read and written.
[[gnu::always_inline]] inline void body() { asm volatile("" ::: "memory"); }

constexpr int unrolled = 16; // operations an iteration, so that counting iterations costs next to nothing

template <class Operation>
void run(benchmark::State& state, Operation operation) {
    for (auto _ : state) {
#pragma GCC unroll 16
        for (int i = 0; i < unrolled; ++i) operation();
    }
    state.SetItemsProcessed(state.iterations() * unrolled);
}

void empty(benchmark::State& state) { run(state, body); }

void one_timestamp(benchmark::State& state) {
    run(state, [] {
        benchmark::DoNotOptimize(gpuprof::platform::ticks());
        body();
    });
}
void two_timestamps(benchmark::State& state) {
    run(state, [] {
        benchmark::DoNotOptimize(gpuprof::platform::ticks());
        body();
        benchmark::DoNotOptimize(gpuprof::platform::ticks());
    });
}

#if HAVE_NVTX
void nvtx_c(benchmark::State& state) {
    run(state, [] {
        nvtxRangePushA("step");
        body();
        nvtxRangePop();
    });
}
void nvtx_cpp(benchmark::State& state) {
    run(state, [] {
        nvtx3::scoped_range const range{"step"};
        body();
    });
}
#endif

// As a profiler is between two collections.
class unarmed_target final : public gpuprof::scope_target {
public:
    unarmed_target() noexcept : scope_target{&unarmed_target::enter, &unarmed_target::leave} {}

private:
    static ticket enter(scope_target&, gpuprof::scope_name) noexcept { return {}; }
    static void leave(scope_target&, gpuprof::scope_name, ticket) noexcept {}
};

void idle_on_profiler(benchmark::State& state) {
    unarmed_target target;
    benchmark::DoNotOptimize(&target); // its address is known elsewhere
    run(state, [&] {
        gpuprof::scope const range{target, "step"};
        body();
    });
}
void idle_on_timeline(benchmark::State& state) {
    gpuprof::timeline stopped{16};
    stopped.stop();
    benchmark::DoNotOptimize(&stopped);
    run(state, [&] {
        gpuprof::scope const range{stopped, "step"};
        body();
    });
}

// A timeline is bounded: every iteration fills a new one, and only the scopes are timed. In a small one the records stay
// in the processor's cache; a large one streams to pages that the system hands out at their first touch.
void recording(benchmark::State& state, int scopes) {
    bool const large = scopes > 1 << 14;
    mallopt(M_MMAP_THRESHOLD, large ? 1 << 16 : 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    for (auto _ : state) {
        gpuprof::timeline line{static_cast<std::size_t>(scopes)};
        line.attach_thread();
        benchmark::DoNotOptimize(&line);
        auto const begin = std::chrono::steady_clock::now();
#pragma GCC unroll 16
        for (int i = 0; i < scopes; ++i) {
            gpuprof::scope const range{line, "step"};
            body();
        }
        auto const end = std::chrono::steady_clock::now();
        if (line.dropped() != 0 || line.size() != static_cast<std::size_t>(scopes))
            state.SkipWithError("the timeline lost scopes");
        state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
    }
    state.SetItemsProcessed(state.iterations() * scopes);
}

// Collects the repetitions of every case; [] is the slowest of the fastest tenth.
class fastest_tenth final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(Context const&) override { return true; }
    void ReportRuns(std::vector<Run> const& runs) override {
        for (Run const& each : runs) {
            if (each.error_occurred) {
                std::fprintf(stderr, "%s: %s\n", each.benchmark_name().c_str(), each.error_message.c_str());
                failed = true;
            } else if (each.run_type == Run::RT_Iteration) {
                seen_[each.run_name.function_name].push_back(1e9 / each.counters.at("items_per_second"));
            }
        }
    }
    [[nodiscard]] bool has(std::string const& name) const { return seen_.count(name) != 0; }
    [[nodiscard]] double operator[](std::string const& name) {
        std::vector<double>& all = seen_.at(name);
        auto const at = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 10);
        std::nth_element(all.begin(), at, all.end());
        return *at;
    }
    bool failed = false;

private:
    std::map<std::string, std::vector<double>> seen_;
};

void ratio(char const* what, double value, double reference, double limit) {
    std::printf("%-64s %8.2f / %6.2f ns = %5.2f  (at most %.2f)  %s\n", what, value, reference, value / reference,
                limit, value <= reference * limit ? "met" : "MISSED");
}

} // namespace

int main(int argc, char** argv) {
    benchmark::RegisterBenchmark("empty", empty);
    benchmark::RegisterBenchmark("timestamp", one_timestamp);
    benchmark::RegisterBenchmark("two timestamps", two_timestamps);
#if HAVE_NVTX
    benchmark::RegisterBenchmark("NVTX C push and pop, no tool", nvtx_c);
    benchmark::RegisterBenchmark("NVTX C++ scoped_range, no tool", nvtx_cpp);
#endif
    benchmark::RegisterBenchmark("scope, idle profiler", idle_on_profiler);
    benchmark::RegisterBenchmark("scope, stopped timeline", idle_on_timeline);
    benchmark::RegisterBenchmark("scope, recording", recording, 1 << 12)->UseManualTime();
    benchmark::RegisterBenchmark("scope, recording 2 MiB of new memory", recording, 1 << 16)->UseManualTime();

    std::vector<char*> arguments(argv, argv + argc);
    std::string defaults[]{"--benchmark_repetitions=151", "--benchmark_enable_random_interleaving=true",
                           "--benchmark_min_time=0.004"};
    for (std::string& each : defaults) arguments.insert(arguments.begin() + 1, each.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    fastest_tenth ns;
    benchmark::RunSpecifiedBenchmarks(&ns);
    if (ns.failed) return 1;
    if (!ns.has("empty") || !ns.has("two timestamps") || !ns.has("scope, recording")) return 0; // filtered

    double const loop = ns["empty"];
    std::printf("Nanoseconds an operation, fastest tenth of the runs, the empty loop's %.2f ns taken off:\n", loop);
    for (char const* name : {"timestamp", "two timestamps", "NVTX C push and pop, no tool",
                             "NVTX C++ scoped_range, no tool", "scope, idle profiler", "scope, stopped timeline",
                             "scope, recording", "scope, recording 2 MiB of new memory"})
        if (ns.has(name)) std::printf("  %-40s %8.2f\n", name, ns[name] - loop);

#if HAVE_NVTX
    double const nvtx = ns["NVTX C push and pop, no tool"];
    ratio("idle scope / unattached NVTX range (both with their loop)", ns["scope, idle profiler"], nvtx, 1);
    ratio("scope on a stopped timeline / unattached NVTX range", ns["scope, stopped timeline"], nvtx, 1);
#else
    std::printf("no NVTX header found: an idle scope was compared with nothing\n");
#endif
    // A Tracy zone records in 38.4 ns where one timestamp takes 9.5 ns: four timestamps' time on any machine.
    double const tracy = ns["timestamp"] / 9.5 * 38.4;
    ratio("recording scope / Tracy zone scaled by the timestamp's cost", ns["scope, recording"], tracy, 0.75);
    ratio("recording scope / Tracy zone as measured, 38.4 ns", ns["scope, recording"], 38.4, 0.75);
    ratio("recording into new memory / Tracy zone as measured", ns["scope, recording 2 MiB of new memory"], 38.4, 0.75);
    std::printf("of a recording scope, two timestamps are %.2f and all the rest %.2f ns\n", ns["two timestamps"] - loop,
                ns["scope, recording"] - ns["two timestamps"]);
}
