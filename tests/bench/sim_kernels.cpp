// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast the embedded GPU executes kernels of every kind, with all counters: on one host thread, and on several.
//
//   sim_kernels [THREADS [SECONDS]] [KERNEL...]    0 threads: as many as the process may use; seconds a kernel and column
//
// Instructions are those of the PTX, counted for the threads that are active. With one thread its processor time counts,
// which other programs hardly change; with several the clock on the wall, which wants an idle machine. The fastest launch
// counts. Memory and counters of both must be equal, or the program fails; the number at the end of a row is made of all of them,
// so that two versions can be compared.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/platform/processors.hpp>
#include "sim/chip/chips.hpp"
#include "sim/decode/program.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"

#include "hardware/functional_suite.hpp"

namespace {

namespace sim = gpuprof::sim;

struct row {
    char const* name;
    char const* kind;
    unsigned ctas = 0; // where the suite launches one CTA, or few: all do the same then
};
constexpr row rows[]{{"saxpy", "streaming"},
                     {"scale_vec4", "streaming, 16 bytes a thread"},
                     {"transpose_naive", "strided stores"},
                     {"transpose_shared", "shared memory, bank conflicts"},
                     {"multiply_tiled", "shared memory"},
                     {"multiply_pipelined", "asynchronous copies"},
                     {"reduce_shuffle", "shuffles"},
                     {"reduce_shared", "reduction, barriers"},
                     {"scan_block", "scan, barriers"},
                     {"histogram", "shared atomics"},
                     {"atomics", "global atomics", 400},
                     {"bitonic_sort", "shared memory, barriers"},
                     {"stencil_5", "stencil"},
                     {"stencil_3d", "stencil, double"},
                     {"spmv_csr", "sparse matrix"},
                     {"evaluate_polynomial", "constant memory"},
                     {"daxpy", "double, loop"},
                     {"rounded_double", "double, all roundings"},
                     {"rounded_float", "float, all roundings"},
                     {"half2_fma", "half pairs"},
                     {"conversions", "conversions"},
                     {"fast_functions", "transcendental, approximate"},
                     {"accurate_functions", "transcendental, accurate"},
                     {"mandelbrot", "float, divergent loop"},
                     {"xorshift", "integer hash"},
                     {"bit_tricks", "bits"},
                     {"wide_integers", "64-bit integers"},
                     {"collatz", "divergence"},
                     {"nested_divergence", "divergence", 400},
                     {"local_array", "local memory", 400},
                     {"switch_cases", "jump table", 400},
                     {"virtual_calls", "indirect calls", 400},
                     {"mma_f16", "matrix product", 800},
                     {"mma_s8", "matrix product, integer", 800}};

std::string contents(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) throw std::runtime_error{"cannot read " + path};
    return {std::istreambuf_iterator<char>{in}, {}};
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct outcome {
    double rate = 0; // thread-instructions a second, of the fastest launch
    double million = 0;
    sim::counter_values counted; // by the first launch
    std::vector<std::byte> memory;
};

// Of all bytes of memory and all counters (FNV).
std::uint64_t digest(outcome const& of) {
    std::uint64_t sum = 0xcbf2'9ce4'8422'2325;
    auto const add = [&](std::uint64_t value) { sum = (sum ^ value) * 0x100'0000'01b3; };
    for (std::byte const each : of.memory) add(std::to_integer<std::uint64_t>(each));
    for (std::uint64_t const each : of.counted.values) add(each);
    return sum;
}

// Launches for so many seconds, at least three times.
outcome measure(functional_launch const& what, unsigned ctas, unsigned threads, double seconds) {
    sim::chip_model const& chip = sim::gh100;
    sim::device_memory memory;
    auto const program =
        sim::program::load(contents(std::string{GPUPROF_TEST_SOURCE_DIR "/kernels/"} + what.file), memory).value();
    sim::kernel const* const code = program.find_kernel(what.name);
    if (code == nullptr) throw std::runtime_error{std::string{"no kernel "} + what.name};
    std::vector<std::byte> parameters;
    std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> arrays;
    for (launch_argument const& each : what.arguments()) {
        auto bytes = each.bytes;
        if (each.is_array) {
            std::uint64_t const address = memory.allocate(bytes.size()).value();
            arrays.emplace_back(address, bytes);
            bytes.resize(sizeof address);
            std::memcpy(bytes.data(), &address, sizeof address);
        }
        parameters.resize((parameters.size() + each.alignment - 1) / each.alignment * each.alignment);
        parameters.insert(parameters.end(), bytes.begin(), bytes.end());
    }
    sim::extent3 const grid =
        ctas != 0 ? sim::extent3{ctas, 1, 1} : sim::extent3{what.grid.x, what.grid.y, what.grid.z};
    sim::launch_config const config{grid, {what.block.x, what.block.y, what.block.z}, what.shared, parameters, false};
    sim::execution_options options;
    options.threads = threads;
    options.sm_count = static_cast<unsigned>(chip.count(sim::hardware_unit::sm));
    sim::l2_cache l2{chip};
    outcome done;
    double spent = 0;
    for (int run = 0; run < 3 || spent < seconds; ++run) {
        for (auto const& [address, bytes] : arrays)
            std::memcpy(memory.translate(address, bytes.size()), bytes.data(), bytes.size());
        double const begin = threads == 1 ? processor_seconds() : wall_seconds();
        sim::launch_counters counters{chip, *code, config, 8, l2};
        counters.use_threads(threads);
        auto const result = sim::execute(*code, config, memory, counters, options);
        auto const counted = counters.finish();
        double const took = (threads == 1 ? processor_seconds() : wall_seconds()) - begin;
        if (result.error) throw std::runtime_error{result.error->message()};
        spent += took;
        std::uint64_t instructions = 0;
        for (auto const& one : counters.profile()) instructions += one.threads;
        done.rate = std::max(done.rate, static_cast<double>(instructions) / took);
        done.million = static_cast<double>(instructions) / 1e6;
        if (run != 0) continue;
        done.counted = counted;
        for (auto const& [address, bytes] : arrays) {
            std::byte const* const at = memory.translate(address, bytes.size());
            done.memory.insert(done.memory.end(), at, at + bytes.size());
        }
    }
    return done;
}

} // namespace

int main(int argc, char** argv) {
    unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 0;
    if (threads == 0) threads = gpuprof::platform::usable_processors();
    double const seconds = argc > 2 ? std::atof(argv[2]) : 0.5;
    std::vector<std::string> const wanted(argv + std::min(argc, 3), argv + argc);
    std::printf("Million thread-instructions a second, all counters on, a GH100\n");
    std::printf("%-20s %-30s %9s %9s %9s %6s\n", "kernel", "", "million", "1 thread",
                (std::to_string(threads) + " threads").c_str(), "times");
    std::vector<double> rates, times;
    bool equal = true;
    for (functional_launch const& launch : functional_launches())
        for (row const& each : rows) {
            if (std::string{launch.name} != each.name) continue;
            if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), each.name) == wanted.end()) continue;
            outcome const one = measure(launch, each.ctas, 1, seconds);
            outcome const all = threads > 1 ? measure(launch, each.ctas, threads, seconds) : one;
            bool const same = one.counted == all.counted && one.memory == all.memory;
            equal = equal && same;
            rates.push_back(one.rate / 1e6);
            times.push_back(all.rate / one.rate);
            std::printf("%-20s %-30s %9.1f %9.1f %9.1f %6.2f  %016llx%s\n", each.name, each.kind, one.million,
                        one.rate / 1e6, all.rate / 1e6, all.rate / one.rate,
                        static_cast<unsigned long long>(digest(one)), same ? "" : "  DIFFERENT COUNTERS OR MEMORY");
            std::fflush(stdout);
        }
    if (rates.empty()) return 2;
    std::sort(rates.begin(), rates.end());
    std::sort(times.begin(), times.end());
    std::printf("%zu kernels: median %.1f, worst tenth up to %.1f; %u threads, median %.2f times\n", rates.size(),
                rates[rates.size() / 2], rates[rates.size() / 10], threads, times[times.size() / 2]);
    return equal ? 0 : 1;
}
