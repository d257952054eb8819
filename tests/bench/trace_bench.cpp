// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast records are written out: bytes and records a second, into memory and into a file. What is written is that of a
// program that launches kernels: for each kernel a call, two arrows, and a record of 30 members.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <gpuprof/io/activity_table.hpp>
#include <gpuprof/io/csv_writer.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/io/trace_event.hpp>

namespace {

namespace activity = gpuprof::activity;
namespace io = gpuprof::io;

constexpr std::uint64_t noon = 1'763'812'800'000'000'000;

struct launched {
    activity::api_call call;
    activity::kernel kernel;
};

launched launch(std::uint32_t number) {
    constexpr std::string_view names[] = {
        "_Z4fillIfEvPT_S0_", "_Z5saxpyfPfS_",
        "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5ar"
        "rayIPcLm3EEEEviT0_T1_"};
    launched made;
    made.call.kind = gpuprof::abi::CUPTI_ACTIVITY_KIND_RUNTIME;
    made.call.callback = 211;
    made.call.process = 4000;
    made.call.thread = 4000;
    made.call.correlation = made.kernel.correlation = number + 1;
    std::uint64_t const now = noon + number * 5000ull;
    made.call.time = {{now}, {now + 2000}};
    made.kernel.name = names[number % 3];
    made.kernel.time = {{now + 3000}, {now + 7000}};
    made.kernel.context = 1;
    made.kernel.stream = 7 + number % 4;
    made.kernel.grid = {1024, 1, 1};
    made.kernel.block = {256, 1, 1};
    made.kernel.registers_per_thread = 40;
    return made;
}

// A sink that drops what it gets.
gpuprof::result<void> drop(void*, std::string_view, std::string_view) { return {}; }

void trace(benchmark::State& state, io::sink to) {
    std::uint32_t number = 0;
    io::trace_event_writer writer{to};
    for ([[maybe_unused]] auto each : state) {
        launched const one = launch(number++);
        writer.write(one.call);
        writer.write(one.kernel);
    }
    if (auto done = writer.finish(); !done) state.SkipWithError(done.error().message().c_str());
    state.SetBytesProcessed(static_cast<std::int64_t>(writer.size()));
    state.counters["events"] = benchmark::Counter(static_cast<double>(writer.events()), benchmark::Counter::kIsRate);
}

void trace_into_nothing(benchmark::State& state) { trace(state, {&drop, nullptr}); }
void trace_into_a_file(benchmark::State& state) {
    auto file = io::file_sink::try_open("trace_bench.json");
    if (!file) return state.SkipWithError(file.error().message().c_str());
    trace(state, file->sink());
    static_cast<void>(file->close());
    std::remove("trace_bench.json");
}

template <class Writer>
void lines(benchmark::State& state) {
    std::uint64_t bytes = 0;
    io::sink const count{[](void* to, std::string_view block, std::string_view) -> gpuprof::result<void> {
                             *static_cast<std::uint64_t*>(to) += block.size();
                             return {};
                         },
                         &bytes};
    std::uint32_t number = 0;
    {
        Writer writer{count};
        for ([[maybe_unused]] auto each : state) writer.write(launch(number++).kernel);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    state.SetItemsProcessed(number);
}

void summary(benchmark::State& state) {
    io::activity_summary sums;
    std::uint32_t number = 0;
    for ([[maybe_unused]] auto each : state) sums.add(launch(number++).kernel);
    state.SetItemsProcessed(number);
}

} // namespace

BENCHMARK(trace_into_nothing);
BENCHMARK(trace_into_a_file)->Iterations(250'000); // a million events
BENCHMARK(lines<io::csv_writer<activity::kernel>>)->Name("csv");
BENCHMARK(lines<io::ndjson_writer>)->Name("ndjson");
BENCHMARK(summary);
BENCHMARK_MAIN();
