// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Microbenchmarks of time: bench.hpp. For a GPU and, by its PTX, for the embedded GPU.
//   time_benchmarks [--samples N] [--events-only] [PREFIX]     of those whose names begin with PREFIX, or of all
// --events-only leaves by_clock out, for the embedded GPU.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "bench.hpp"

void check_cuda(cudaError_t status, char const* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
}

static double quantile(std::vector<double> all, double share) {
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1) + 0.5)];
}

time_table::time_table(options of) : of_(std::move(of)) {
    CHECK_CUDA(cudaEventCreate(&begin_));
    CHECK_CUDA(cudaEventCreate(&end_));
    CHECK_CUDA(cudaMalloc(&clock_, clock_cells * sizeof(clock_cell)));
    int value = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    sms_ = static_cast<unsigned>(value);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
    ghz_ = value * 1e-6;
    std::printf("name,unit,by_events,by_clock,spread,parameters\n");
}

time_table::~time_table() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaFree(clock_);
    cudaFree(memory_);
}

void* time_table::memory(std::size_t bytes) {
    if (bytes > memory_bytes_) {
        CHECK_CUDA(cudaFree(memory_));
        CHECK_CUDA(cudaMalloc(&memory_, bytes));
        CHECK_CUDA(cudaMemset(memory_, 0, bytes));
        memory_bytes_ = bytes;
    }
    return memory_;
}

time_table::pair_of_times time_table::time(std::function<void()> const& launch) {
    CHECK_CUDA(cudaMemset(clock_, 0, sizeof(clock_cell)));
    CHECK_CUDA(cudaEventRecord(begin_));
    launch();
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaEventRecord(end_));
    CHECK_CUDA(cudaEventSynchronize(end_));
    float milliseconds = 0;
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin_, end_));
    clock_cell cycles = 0;
    CHECK_CUDA(cudaMemcpy(&cycles, clock_, sizeof cycles, cudaMemcpyDeviceToHost));
    return {static_cast<double>(milliseconds) * 1e6, static_cast<double>(cycles)};
}

std::vector<time_table::pair_of_times> time_table::slopes(lengths n, launcher const& launch) {
    auto const few = [&] { launch(n.few); };
    auto const many = [&] { launch(n.many); };
    (void)time(few); // caches and clocks warm up
    (void)time(many);
    std::vector<pair_of_times> all;
    double const more = n.many - n.few;
    for (unsigned i = 0; i < of_.samples; ++i) {
        pair_of_times const a = time(few), b = time(many);
        all.push_back({(b.ns - a.ns) / more, (b.cycles - a.cycles) / more});
    }
    return all;
}

void time_table::print(std::string const& name, std::string const& unit, std::string const& parameters,
                       std::vector<double> const& by_events, std::vector<double> const& by_clock) {
    std::vector<double> const& shown = by_clock.empty() ? by_events : by_clock;
    double const median = quantile(shown, 0.5);
    double const spread = median == 0 ? 0 : (quantile(shown, 0.75) - quantile(shown, 0.25)) / median;
    auto const text = [](std::vector<double> const& values) {
        char digits[32] = "";
        if (!values.empty()) std::snprintf(digits, sizeof digits, "%.5g", quantile(values, 0.5));
        return std::string(digits);
    };
    std::printf("%s,%s,%s,%s,%.4f,\"%s\"\n", name.c_str(), unit.c_str(), text(by_events).c_str(),
                text(by_clock).c_str(), std::abs(spread), parameters.c_str());
    std::fflush(stdout);
}

void time_table::cycles(std::string const& name, std::string const& parameters, lengths n, double things,
                        launcher const& launch) {
    if (!wants(name)) return;
    std::vector<double> by_events, by_clock;
    for (pair_of_times const& slope : slopes(n, launch)) {
        by_events.push_back(slope.ns * ghz_ / things);
        if (slope.cycles > 0 && !of_.events_only) by_clock.push_back(slope.cycles / things);
    }
    print(name, "cycles", parameters, by_events, by_clock);
}

void time_table::per_cycle(std::string const& name, std::string const& unit, std::string const& parameters, lengths n,
                           double things, launcher const& launch) {
    if (!wants(name)) return;
    std::vector<double> by_events, by_clock;
    for (pair_of_times const& slope : slopes(n, launch)) {
        by_events.push_back(things / (slope.ns * ghz_));
        if (slope.cycles > 0 && !of_.events_only) by_clock.push_back(things / slope.cycles);
    }
    print(name, unit, parameters, by_events, by_clock);
}

void time_table::per_ns(std::string const& name, std::string const& unit, std::string const& parameters, lengths n,
                        double things, launcher const& launch) {
    if (!wants(name)) return;
    std::vector<double> by_events;
    for (pair_of_times const& slope : slopes(n, launch)) by_events.push_back(things / slope.ns);
    print(name, unit, parameters, by_events, {});
}

void time_table::microseconds(std::string const& name, std::string const& parameters, lengths n, double things,
                              launcher const& launch) {
    if (!wants(name)) return;
    std::vector<double> by_events;
    for (pair_of_times const& slope : slopes(n, launch)) by_events.push_back(slope.ns * 1e-3 / things);
    print(name, "us", parameters, by_events, {});
}

void time_table::difference(std::string const& name, std::string const& parameters, std::function<void()> const& longer,
                            std::function<void()> const& shorter) {
    microseconds(name, parameters, {0, 1}, 1, [&](unsigned n) { n != 0 ? longer() : shorter(); });
}

void time_table::ratio(std::string const& name, std::string const& unit, std::string const& parameters,
                       std::function<void()> const& longer, std::function<void()> const& shorter,
                       std::function<void()> const& unit_longer, std::function<void()> const& unit_shorter) {
    if (!wants(name)) return;
    auto const above = slopes({0, 1}, [&](unsigned n) { n != 0 ? longer() : shorter(); });
    auto const below = slopes({0, 1}, [&](unsigned n) { n != 0 ? unit_longer() : unit_shorter(); });
    std::vector<double> by_events;
    for (std::size_t i = 0; i < above.size(); ++i) by_events.push_back(above[i].ns / below[i].ns);
    print(name, unit, parameters, by_events, {});
}

void time_table::clocked(std::string const& name, std::string const& unit, std::string const& parameters,
                         std::function<double()> const& measure) {
    if (of_.events_only || !wants(name)) return;
    (void)measure();
    std::vector<double> all;
    for (unsigned i = 0; i < of_.samples; ++i) all.push_back(measure());
    print(name, unit, parameters, {}, all);
}

int main(int argc, char** argv) {
    options of;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--samples") && i + 1 < argc)
            of.samples = static_cast<unsigned>(std::atoi(argv[++i]));
        else if (!std::strcmp(argv[i], "--events-only")) of.events_only = true;
        else if (argv[i][0] != '-' && of.only.empty()) of.only = argv[i];
        else of.samples = 0;
    }
    if (of.samples == 0) {
        std::fprintf(stderr, "usage: time_benchmarks [--samples N] [--events-only] [PREFIX]\n");
        return 2;
    }
    time_table table(of);
    for (auto* part : {launches, latencies, pipes, memory_latencies, bandwidths, atomics, barriers, control, residency,
                       scattered_reads, cta_begins, streams})
        part(table);
    return 0;
}
