// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampled scopes beside range profiling, on the kernels of the suite: their counts, what they cost the host and the device. The
// lines are "what | measured | target | verdict"; the exit status is 0 if every target is met.
//
//   sampled_scopes FOLDER [SCOPES [KERNEL]]     FOLDER is tests/hardware of the sources; SCOPES of each kernel, 100 by
//                                               default; KERNEL: of this one alone
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp>

#include "suite.hpp"

namespace {

using gpuprof::metric;
using gpuprof::scope;
using steady = std::chrono::steady_clock;

constexpr auto instructions = metric<"smsp__inst_executed.sum">;
constexpr auto realtime = metric<"sm__inst_executed_realtime.sum">; // what was sampled on an H200 before
constexpr auto device_time = metric<"gpu__time_duration.sum">;
constexpr std::size_t first_kernel = 1; // `empty` counts next to nothing
constexpr double targets_us[] = {20, 40, 100, 300};

bool all_met = true;
void judge(std::string const& what, std::string const& measured, std::string const& target, bool met) {
    std::printf("%s | %s | %s | %s\n", what.c_str(), measured.c_str(), target.c_str(), met ? "met" : "MISSED");
    std::fflush(stdout);
    all_met = all_met && met;
}
std::string text(char const* format, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}
double microseconds_since(steady::time_point begin) {
    return std::chrono::duration<double, std::micro>(steady::now() - begin).count();
}

// A kernel of the suite, as often as its scope takes to last.
struct work_item {
    std::size_t kernel;
    int repetitions;
    double range_count = 0;
};

class test_bench {
public:
    test_bench(gpuprof::device const& gpu, std::string const& folder) : gpu_{gpu}, suite_{gpu, folder} {
        check(gpu.driver().EventCreate(&begin_, gpuprof::abi::CU_EVENT_DEFAULT));
        check(gpu.driver().EventCreate(&end_, gpuprof::abi::CU_EVENT_DEFAULT));
    }
    void run(work_item const& what) {
        for (int i = 0; i < what.repetitions; ++i) suite_.launch(what.kernel);
    }
    void wait() { suite_.wait(); }
    // On the device.
    template <class F>
    double microseconds(F&& work) {
        check(gpu_.driver().EventRecord(begin_, nullptr));
        work();
        check(gpu_.driver().EventRecord(end_, nullptr));
        wait();
        float milliseconds = 0;
        check(gpu_.driver().EventElapsedTime(&milliseconds, begin_, end_));
        return 1e3 * double{milliseconds};
    }
    std::vector<work_item> items(std::string_view only) {
        std::vector<work_item> all;
        for (std::size_t kernel = first_kernel; kernel < std::size(suite_kernels); ++kernel) {
            if (!only.empty() && only != suite_kernels[kernel].name) continue;
            work_item one{kernel, 4};
            run(one);
            wait();
            double const each = microseconds([&] { run(one); }) / one.repetitions;
            double const wanted = targets_us[all.size() % std::size(targets_us)];
            one.repetitions = std::clamp(static_cast<int>(std::ceil(wanted / std::max(each, 0.1))), 1, 400);
            all.push_back(one);
        }
        return all;
    }
    static void check(gpuprof::abi::CUresult status) {
        if (status) throw std::runtime_error{gpuprof::hw::explain("a call of the driver", status).message()};
    }

private:
    gpuprof::device const& gpu_;
    kernel_suite suite_;
    gpuprof::abi::CUevent begin_ = nullptr, end_ = nullptr;
};

void count_ranges(gpuprof::device const& gpu, test_bench& bench, std::vector<work_item>& items) {
    gpuprof::profiler prof{gpu, instructions};
    for (auto pass : prof.passes())
        for (work_item const& each : items) {
            scope range{prof, suite_kernels[each.kernel].name};
            bench.run(each);
        }
    gpuprof::report const report = prof.report();
    if (!report.complete()) throw std::runtime_error{report.completeness().problems.front().message()};
    for (work_item& each : items) each.range_count = report[suite_kernels[each.kernel].name][instructions].value();
}

void compare_counts(gpuprof::device const& gpu, test_bench& bench, std::vector<work_item> const& items, int scopes) {
    auto made = gpuprof::sampled_profiler::try_create(gpu, {}, instructions, realtime, device_time);
    if (!made) { // the embedded GPU does not model it
        std::printf("# %s\n", made.error().message().c_str());
        made = gpuprof::sampled_profiler::try_create(gpu, {}, instructions, device_time);
    }
    gpuprof::sampled_profiler& prof = made.value();
    constexpr int in_a_burst = 10;
    for (int done = 0; done < scopes; done += in_a_burst) {
        auto burst = prof.sample();
        for (int i = 0; i < in_a_burst && done + i < scopes; ++i)
            for (work_item const& each : items) {
                scope one{prof, suite_kernels[each.kernel].name};
                bench.run(each);
            }
    }
    gpuprof::report const report = prof.report();
    for (auto const& problem : report.completeness().problems) std::printf("# %s\n", problem.message().c_str());
    std::printf("# scopes may lie %.0f ns beside the samples\n", prof.time_deviation());
    std::printf(
        "# kernel | scope, us | launches | range profiling | mean of scopes | error | spread of scopes | told | "
        "of sm__inst_executed_realtime\n");
    std::size_t compared = 0;
    for (work_item const& each : items) {
        char const* const name = suite_kernels[each.kernel].name;
        auto const range = report[name];
        auto const mean_of = [&](std::string_view metric, double& spread) {
            std::vector<double> const list = range.try_values(metric).value_or(std::vector<double>{});
            double sum = 0, squares = 0;
            std::size_t count = 0;
            for (double const value : list)
                if (value == value) sum += value, squares += value * value, ++count;
            double const mean = count != 0 ? sum / static_cast<double>(count) : std::nan("");
            spread = std::sqrt(std::max(squares / static_cast<double>(count) - mean * mean, 0.0));
            return mean;
        };
        double spread = 0, other_spread = 0, time_spread = 0;
        double const mean = mean_of(instructions.name(), spread);
        double const other = mean_of(realtime.name(), other_spread);
        double const time = mean_of(device_time.name(), time_spread) * 1e-3;
        auto const told = range.try_deviation(instructions.name());
        double const deviation = told && *told ? **told / std::sqrt(double(range.count())) : std::nan("");
        double const error = 100 * (mean / each.range_count - 1);
        std::printf("# %s | %.1f | %d | %.0f | %.0f | %+.3f %% | %.3f %% | %.3f %% | %+.3f %%\n", name, time,
                    each.repetitions, each.range_count, mean, error, 100 * spread / mean, 100 * deviation / mean,
                    100 * (other / each.range_count - 1));
        if (time < 16) continue;
        ++compared;
        judge(std::string{"instructions of "} + name, text("%+.3f %%", error), "within 0.5 %", std::abs(error) <= 0.5);
    }
    judge("kernels compared in scopes of 16 us and more", std::to_string(compared), "at least 15", compared >= 15);
    if (auto const clocks = report.clocks(); clocks && clocks->known())
        std::printf("# clock %u MHz before, %u while sampling, %u after, of %u\n", clocks->before, clocks->during,
                    clocks->after, clocks->most);
}

void cost_of_scopes(gpuprof::device const& gpu, test_bench& bench) {
    constexpr int scopes = 200, rounds = 10;
    gpuprof::sampled_profiler prof{gpu, instructions};
    std::vector<double> each;
    for (int round = 0; round < rounds; ++round) {
        auto burst = prof.sample();
        auto const begin = steady::now();
        for (int i = 0; i < scopes; ++i) scope nothing{prof, "nothing"};
        each.push_back(microseconds_since(begin) / scopes);
        bench.wait();
    }
    std::sort(each.begin(), each.end());
    judge("host time of a scope, median of 10", text("%.2f us", each[rounds / 2]), "at most 2 us",
          each[rounds / 2] <= 2);
    gpuprof::abi::CUevent events[2]{};
    for (auto& event : events) test_bench::check(gpu.driver().EventCreate(&event, gpuprof::abi::CU_EVENT_DEFAULT));
    auto const begin = steady::now();
    for (int i = 0; i < scopes; ++i)
        for (auto const event : events) static_cast<void>(gpu.driver().EventRecord(event, nullptr));
    std::printf("# two bare cuEventRecord: %.2f us\n", microseconds_since(begin) / scopes);
    bench.wait();
    double const on_stream = bench.microseconds([&] {
        for (int i = 0; i < scopes; ++i)
            for (auto const event : events) static_cast<void>(gpu.driver().EventRecord(event, nullptr));
    });
    judge("time of two events in the stream", text("%.2f us", on_stream / scopes), "at most 3 us",
          on_stream / scopes <= 3);
    std::printf("# ticks of events, ns:");
    for (int i = 0; i < 8; ++i) {
        for (auto const event : events) static_cast<void>(gpu.driver().EventRecord(event, nullptr));
        bench.wait();
        float milliseconds = 0;
        static_cast<void>(gpu.driver().EventElapsedTime(&milliseconds, events[0], events[1]));
        std::printf(" %.1f", 1e6 * double{milliseconds});
    }
    std::printf("\n");
    for (auto const event : events) static_cast<void>(gpu.driver().EventDestroy(event));
}

void slowdown(gpuprof::device const& gpu, test_bench& bench, std::vector<work_item> const& items) {
    // The kernel that takes the longest: few launches a scope.
    work_item longest = items[0];
    double most = 0;
    for (work_item const& each : items) {
        double const one = bench.microseconds([&] { bench.run(each); }) / each.repetitions;
        if (one > most) longest = each, most = one;
    }
    double const once = bench.microseconds([&] { bench.run(longest); });
    longest.repetitions =
        std::clamp(static_cast<int>(std::ceil(longest.repetitions * 330 / std::max(once, 1.0))), 1, 4000);
    constexpr int scopes = 50, rounds = 12;
    gpuprof::sampled_profiler prof{gpu, instructions};
    gpuprof::abi::CUevent events[2]{};
    for (auto& event : events) test_bench::check(gpu.driver().EventCreate(&event, gpuprof::abi::CU_EVENT_DEFAULT));
    double plain = 1e300, bare = 1e300, sampled = 1e300;
    for (int round = 0; round < rounds; ++round) {
        plain = std::min(plain, bench.microseconds([&] {
            for (int i = 0; i < scopes; ++i) bench.run(longest);
        }));
        bare = std::min(bare, bench.microseconds([&] {
            for (int i = 0; i < scopes; ++i) {
                static_cast<void>(gpu.driver().EventRecord(events[0], nullptr));
                bench.run(longest);
                static_cast<void>(gpu.driver().EventRecord(events[1], nullptr));
            }
        }));
        auto burst = prof.sample();
        sampled = std::min(sampled, bench.microseconds([&] {
            for (int i = 0; i < scopes; ++i) {
                scope one{prof, "long"};
                bench.run(longest);
            }
        }));
    }
    for (auto const event : events) static_cast<void>(gpu.driver().EventDestroy(event));
    double const slower = 100 * (sampled / plain - 1);
    std::printf("# of two bare events around each: %.2f %%\n", 100 * (bare / plain - 1));
    judge("slowdown of scopes of " + text("%.0f us", plain / scopes), text("%.2f %%", slower), "under 1 %",
          plain / scopes >= 300 && slower < 1);
}

// The job of CUPTI's sample pm_sampling: samples around some work. Their sum is what ranges count.
void whole_series(gpuprof::device const& gpu, test_bench& bench, std::vector<work_item> const& items) {
    double truth = 0;
    for (work_item const& each : items) truth += each.range_count;
    gpuprof::pm_sampler sampler{gpu, {.interval = gpuprof::sampling_interval::nanoseconds(5000)}, instructions};
    sampler.start();
    for (work_item const& each : items) bench.run(each);
    bench.wait();
    sampler.stop();
    gpuprof::pm_series const series = sampler.take();
    double sum = 0;
    for (gpuprof::instructions const each : series[instructions]) sum += each.value();
    auto const& lost = series.losses();
    std::printf("# %zu samples; overflows %zu, dropped %zu, merged %zu\n", series.size(), lost.overflows, lost.dropped,
                lost.merged);
    double const error = 100 * (sum / truth - 1);
    judge("sum of all samples", text("%+.4f %%", error), "within 0.01 %", std::abs(error) <= 0.01 && lost.complete());
}

} // namespace

int main(int count, char** arguments) try {
    if (count < 2) {
        std::cerr << "usage: sampled_scopes FOLDER [SCOPES]\n";
        return 2;
    }
    int const scopes = count > 2 ? std::atoi(arguments[2]) : 100;
    gpuprof::device const gpu = gpuprof::open_device();
    test_bench bench{gpu, arguments[1]};
    std::printf("# %s, %d scopes of each kernel, samples of 2000 ns\nwhat | measured | target | verdict\n",
                std::string{gpu.name()}.c_str(), scopes);
    std::vector<work_item> items = bench.items(count > 3 ? arguments[3] : "");
    count_ranges(gpu, bench, items);
    compare_counts(gpu, bench, items, scopes);
    cost_of_scopes(gpu, bench);
    slowdown(gpu, bench, items);
    whole_series(gpu, bench, items);
    return all_met ? 0 : 1;
} catch (std::exception const& problem) {
    std::printf("# %s\n", problem.what());
    return 1;
}
