// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast the embedded GPU executes: thread-instructions a second on one host thread, every counter collected.
//
// A launch is what the driver table makes of one: execution with the observer that fills all raw counters, the L2 replay
// and the time model after it. Instructions are those of the PTX, counted for the threads that are active. The fastest of
// the repetitions counts: other programs only ever take time away.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/chip/chips.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"
#include "sim/decode/program.hpp"

namespace {

namespace sim = gpuprof::sim;

std::string contents(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) throw std::runtime_error{"cannot read " + path};
    return {std::istreambuf_iterator<char>{in}, {}};
}

std::string processor() {
    std::ifstream in{"/proc/cpuinfo"};
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

// A module in memory of its own, and one launch of it that can be repeated.
class launcher {
public:
    explicit launcher(char const* file)
        : program_{
              sim::program::load(contents(std::string{GPUPROF_TEST_SOURCE_DIR "/kernels/"} + file), memory_).value()} {}

    // An array of n 32-bit words, each what `value` makes of its index; its address.
    template <class Value>
    std::uint64_t array(std::size_t n, Value value) {
        std::uint64_t const address = memory_.allocate(n * sizeof(std::uint32_t)).value();
        std::byte* const to = memory_.translate(address, n * sizeof(std::uint32_t));
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t const word = value(static_cast<std::uint32_t>(i));
            std::memcpy(to + i * sizeof word, &word, sizeof word);
        }
        return address;
    }

    template <class... Arguments>
    void run(benchmark::State& state, char const* kernel, sim::extent3 grid, sim::extent3 block,
             Arguments... arguments) {
        sim::kernel const* const code = program_.find_kernel(kernel);
        if (code == nullptr) throw std::runtime_error{std::string{"no kernel "} + kernel};
        std::vector<std::byte> parameters(code->parameter_bytes);
        std::size_t number = 0;
        (std::memcpy(parameters.data() + code->parameters.at(number++).offset, &arguments, sizeof arguments), ...);
        sim::launch_config const config{grid, block, 0, parameters, false};
        sim::execution_options options;
        options.sm_count = static_cast<unsigned>(sim::gh100.count(sim::hardware_unit::sm));
        sim::l2_cache l2{sim::gh100};
        constexpr unsigned ctas_per_sm = 8;

        std::uint64_t instructions = 0;
        for (auto _ : state) {
            sim::launch_counters counters{sim::gh100, *code, config, ctas_per_sm, l2};
            auto const done = sim::execute(*code, config, memory_, counters, options);
            benchmark::DoNotOptimize(counters.finish());
            if (done.error) state.SkipWithError(done.error->message().c_str());
            for (auto const& one : counters.profile()) instructions += one.threads;
        }
        state.counters["thread_instructions"] =
            benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
    }

private:
    sim::device_memory memory_;
    sim::program program_;
};

void integer(benchmark::State& state) {
    launcher gpu{"bits.sm_75.ptx"};
    constexpr unsigned threads = 256 * 128;
    auto const seed = gpu.array(threads, [](std::uint32_t i) { return i * 2654435761u + 1; });
    auto const out = gpu.array(threads, [](std::uint32_t) { return 0u; });
    gpu.run(state, "xorshift", {threads / 128}, {128}, seed, out, 64);
}
void floating(benchmark::State& state) {
    launcher gpu{"functions.sm_80.ptx"};
    constexpr unsigned width = 256, height = 128;
    auto const out = gpu.array(width * height, [](std::uint32_t) { return 0u; });
    gpu.run(state, "mandelbrot", {width / 16, height / 8}, {16, 8}, out, width, height, 64);
}
void shared_memory(benchmark::State& state) {
    launcher gpu{"matrix.sm_80.ptx"};
    constexpr unsigned n = 128;
    auto const one = [](std::uint32_t) { return 0x3f80'0000u; };
    auto const a = gpu.array(n * n, one), b = gpu.array(n * n, one), c = gpu.array(n * n, one);
    gpu.run(state, "multiply_tiled", {n / 16, n / 16}, {16, 16}, a, b, c, n);
}
void divergent(benchmark::State& state) {
    launcher gpu{"control.sm_75.ptx"};
    constexpr unsigned threads = 64 * 128;
    auto const in = gpu.array(threads, [](std::uint32_t i) { return i + 1; });
    auto const out = gpu.array(threads, [](std::uint32_t) { return 0u; });
    gpu.run(state, "collatz", {threads / 128}, {128}, in, out, threads);
}
void streaming(benchmark::State& state) {
    launcher gpu{"elementwise.sm_80.ptx"};
    constexpr unsigned threads = 512 * 256;
    auto const zero = [](std::uint32_t) { return 0u; };
    auto const x = gpu.array(threads, zero), y = gpu.array(threads, zero);
    gpu.run(state, "saxpy", {threads / 256}, {256}, 2.0f, x, y, threads);
}
void half_pairs(benchmark::State& state) {
    launcher gpu{"elementwise.sm_80.ptx"};
    constexpr unsigned threads = 256 * 128;
    constexpr std::uint32_t quarter_and_minus_half = 0xb800'3400;
    auto const values = gpu.array(threads, [](std::uint32_t i) { return 0x3800'3800 + i % 1024; });
    gpu.run(state, "half2_iterate", {threads / 128}, {128}, values, quarter_and_minus_half, 32);
}

// Keeps the fastest repetition of each kernel.
class fastest final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(Context const&) override { return true; }
    void ReportRuns(std::vector<Run> const& runs) override {
        for (Run const& each : runs) {
            if (each.error_occurred) {
                std::fprintf(stderr, "%s: %s\n", each.benchmark_name().c_str(), each.error_message.c_str());
                failed = true;
            } else if (each.run_type == Run::RT_Iteration) {
                double& best = rates[each.run_name.function_name];
                best = std::max(best, each.counters.at("thread_instructions").value);
            }
        }
    }
    std::map<std::string, double> rates;
    bool failed = false;
};

} // namespace

int main(int argc, char** argv) {
    struct row {
        char const* name;
        void (*run)(benchmark::State&);
        bool promised; // at least 100 million a second
    };
    constexpr row rows[]{{"integer (xorshift)", integer, true},
                         {"float (mandelbrot)", floating, true},
                         {"shared memory (multiply_tiled)", shared_memory, false},
                         {"divergent (collatz)", divergent, false},
                         {"streaming (saxpy)", streaming, false},
                         {"half pairs (half2_iterate)", half_pairs, false}};
    for (row const& each : rows) benchmark::RegisterBenchmark(each.name, each.run);

    std::vector<char*> arguments(argv, argv + argc);
    std::string defaults[]{"--benchmark_repetitions=5", "--benchmark_min_time=0.2"};
    for (std::string& each : defaults) arguments.insert(arguments.begin() + 1, each.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    fastest result;
    benchmark::RunSpecifiedBenchmarks(&result);

    constexpr double wanted = 100e6;
    std::printf("Million thread-instructions a second on one core of %s, counting on:\n", processor().c_str());
    for (row const& each : rows) {
        auto const rate = result.rates.find(each.name);
        if (rate == result.rates.end()) continue;
        std::printf("  %-34s %8.1f", each.name, rate->second / 1e6);
        if (each.promised)
            std::printf("  (at least %.0f)  %s", wanted / 1e6, rate->second >= wanted ? "met" : "MISSED");
        std::printf("\n");
    }
    return result.failed ? 1 : 0;
}
