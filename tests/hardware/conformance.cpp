// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures every kernel of the suite with gpuprof, in two ways: user ranges nested under "suite" and repeated by the
// program, and a range per kernel replayed by CUPTI. Writes comma-separated lines that compare.py reads:
//   kernel,NAME,WARPS                        what the launch says, in order
//   passes,GROUP,PASSES                      of the hardware, for a group of metrics
//   unavailable,METRIC,WHY                   the chip has no such metric
//   value,MODE,REPETITION,KERNEL,METRIC,VALUE
//   problem,MODE,GROUP,WHY                   a collection that is not complete; the exit status is 1 then
//
// Groups of kind "spread" find the L2 cache full of other data before every kernel, and are not nested.
//   conformance TESTS/HARDWARE [--kinds exact,report,spread] [--repeat N] [--warm-up N] [--pad MIB]
//   conformance TESTS/HARDWARE --plan CHIP    passes of every group on a chip; needs CUPTI but no GPU
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/gpuprof.hpp>

#include "suite.hpp"

namespace {

constexpr char usage[] = "usage: conformance TESTS/HARDWARE [--kinds exact,report,spread] [--repeat N] [--warm-up N] "
                         "[--pad MIB] | [--plan CHIP]";

// CUPTI opens its libraries in a way that address sanitizers refuse.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

struct metric_group {
    std::string kind;
    std::string name;
    std::vector<std::string> metrics;
};

// A line at the margin begins a group, an indented one is a metric, '#' begins a comment.
std::vector<metric_group> read_groups(std::string const& path) {
    std::vector<metric_group> groups;
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        std::size_t const begin = line.find_first_not_of(' ');
        if (begin == line.npos || line[begin] == '#') continue;
        if (begin == 0) {
            std::size_t const space = line.find(' ');
            if (space == line.npos) throw std::runtime_error{path + ": a group without a name: " + line};
            groups.push_back({line.substr(0, space), line.substr(space + 1), {}});
        } else if (groups.empty()) {
            throw std::runtime_error{path + ": a metric outside a group: " + line};
        } else {
            groups.back().metrics.push_back(line.substr(begin));
        }
    }
    if (groups.empty()) throw std::runtime_error{"no group of metrics in " + path};
    return groups;
}

// One field of a line: no comma, no line break.
std::string field(std::string_view text) {
    std::string clean{text};
    for (char& c : clean)
        if (c == ',' || c == '\n' || c == '\r') c = ' ';
    return clean;
}

// Prints the passes of every group on a chip by name. 77, which CTest takes for "skipped", where there is no CUPTI.
int plan(std::vector<metric_group> const& groups, std::string const& chip) {
    if (sanitized) {
        std::cout << "skipped: CUPTI does not load under the address sanitizer\n";
        return 77;
    }
    gpuprof::hw::machine const& machine = gpuprof::hw::real_machine();
    if (machine.cupti_error || machine.cupti.ProfilerHostInitialize == nullptr) {
        std::cout << "skipped: " << gpuprof::hw::unavailable_call(machine, "cuptiProfilerHostInitialize").message()
                  << '\n';
        return 77;
    }
    bool complete = true;
    for (metric_group const& group : groups) {
        auto planned = gpuprof::hw::range_hardware::try_plan(machine.cupti, chip, group.metrics);
        if (planned)
            std::printf("passes,%s %s,%zu\n", group.kind.c_str(), field(group.name).c_str(), planned->passes());
        else std::printf("problem,plan,%s,%s\n", field(group.name).c_str(), field(planned.error().message()).c_str());
        complete = complete && planned;
        if (planned && group.kind == "spread" && planned->passes() != 1) {
            std::printf("problem,plan,%s,replayed kernels find other caches: a spread group must fit one pass\n",
                        field(group.name).c_str());
            complete = false;
        }
    }
    return complete ? 0 : 1;
}

class measurement_run {
public:
    measurement_run(gpuprof::device const& gpu, kernel_suite& suite, int repeat)
        : gpu_{gpu}, suite_{suite}, repeat_{repeat} {}

    void measure(metric_group const& group) {
        std::vector<gpuprof::metric_info> metrics;
        for (std::string const& name : group.metrics) {
            auto metric = gpuprof::try_metric(name);
            if (!metric) {
                unavailable(name, metric.error());
                continue;
            }
            // One at a time: a chip that lacks one of a group still gives the others.
            auto alone = gpuprof::profiler::try_create(gpu_, {}, std::span<gpuprof::metric_info const>{&*metric, 1});
            if (!alone) unavailable(name, alone.error());
            else metrics.push_back(*metric);
        }
        if (metrics.empty()) return;
        if (group.kind == "cold") {
            in_cold_user_ranges(group, metrics);
        } else if (group.kind == "spread") {
            in_separate_user_ranges(group, metrics);
            in_kernel_ranges(group, metrics, true);
        } else {
            in_user_ranges(group, metrics);
            in_kernel_ranges(group, metrics, false);
        }
    }

    [[nodiscard]] bool complete() const { return complete_; }

private:
    // The defaults: a survey, then as many replay passes as it takes. The ranges wait for the kernels; the program does not.
    void in_user_ranges(metric_group const& group, std::vector<gpuprof::metric_info> const& metrics) {
        auto made = gpuprof::profiler::try_create(gpu_, {}, metrics);
        if (!made) return problem("user", group, made.error());
        std::printf("passes,%s %s,%zu\n", group.kind.c_str(), field(group.name).c_str(), made->passes_needed());
        for (int repetition = 0; repetition < repeat_; ++repetition) {
            for ([[maybe_unused]] auto const& pass : made->passes()) {
                gpuprof::scope whole{*made, "suite"};
                for (std::size_t at = 0; at < std::size(suite_kernels); ++at) {
                    gpuprof::scope one{*made, suite_kernels[at].name};
                    suite_.launch(at);
                }
            }
            suite_.wait();
            if (auto report = read(*made, "user", group)) {
                write(*report, "user", repetition, "suite", "suite");
                for (kernel_launch const& each : suite_kernels)
                    write(*report, "user", repetition, std::string{"suite/"} + each.name, each.name);
            }
        }
    }

    // The same without nesting, each kernel after an eviction.
    void in_separate_user_ranges(metric_group const& group, std::vector<gpuprof::metric_info> const& metrics) {
        auto made = gpuprof::profiler::try_create(gpu_, {}, metrics);
        if (!made) return problem("user", group, made.error());
        for (int repetition = 0; repetition < repeat_; ++repetition) {
            for ([[maybe_unused]] auto const& pass : made->passes()) {
                for (std::size_t at = 0; at < std::size(suite_kernels); ++at) {
                    suite_.evict();
                    suite_.wait();
                    gpuprof::scope one{*made, suite_kernels[at].name};
                    suite_.launch(at);
                    suite_.wait();
                }
            }
            if (auto report = read(*made, "user", group))
                for (kernel_launch const& each : suite_kernels)
                    write(*report, "user", repetition, each.name, each.name);
        }
    }

    // Each kernel a range of its own, before which the profiler flushes the caches, as ncu does.
    void in_cold_user_ranges(metric_group const& group, std::vector<gpuprof::metric_info> const& metrics) {
        gpuprof::profiler_options options;
        options.max_ranges = std::size(suite_kernels);
        options.caches = gpuprof::cache_control::flush;
        auto made = gpuprof::profiler::try_create(gpu_, options, metrics);
        if (!made) return problem("user", group, made.error());
        std::size_t const flushes = made->passes_needed() * std::size(suite_kernels);
        for (int repetition = 0; repetition < repeat_; ++repetition) {
            for ([[maybe_unused]] auto const& pass : made->passes())
                for (std::size_t at = 0; at < std::size(suite_kernels); ++at) {
                    gpuprof::scope one{*made, suite_kernels[at].name};
                    suite_.launch(at);
                    suite_.wait();
                }
            auto report = read(*made, "user", group);
            if (!report) continue;
            if (report->completeness().cache_flushes != flushes)
                problem("user", group,
                        {gpuprof::errc::not_collected,
                         0,
                         std::to_string(report->completeness().cache_flushes) + " flushes for " +
                             std::to_string(flushes) + " ranges",
                         {},
                         {}});
            for (kernel_launch const& each : suite_kernels) write(*report, "user", repetition, each.name, each.name);
        }
    }

    void in_kernel_ranges(metric_group const& group, std::vector<gpuprof::metric_info> const& metrics, bool evict) {
        std::size_t const expected = (evict ? 2 : 1) * std::size(suite_kernels);
        std::size_t const first =
            evict ? 1 : 0; // range of the suite: all launches of the evicting kernel are one range
        gpuprof::profiler_options options;
        options.ranges = gpuprof::range_mode::auto_range;
        options.replay = gpuprof::replay_mode::kernel;
        options.max_ranges = expected;
        auto made = gpuprof::profiler::try_create(gpu_, options, metrics);
        if (!made) return problem("kernel", group, made.error());
        for (int repetition = 0; repetition < repeat_; ++repetition) {
            for ([[maybe_unused]] auto const& pass : made->passes()) {
                for (std::size_t at = 0; at < std::size(suite_kernels); ++at) {
                    if (evict) {
                        suite_.evict();
                        suite_.wait();
                    }
                    suite_.launch(at);
                }
                suite_.wait();
            }
            auto report = read(*made, "kernel", group);
            if (!report) continue;
            std::size_t launches = 0;
            for (auto const& range : *report) launches += range.count();
            if (launches != expected || report->size() != first + std::size(suite_kernels)) {
                problem("kernel", group,
                        {gpuprof::errc::not_collected,
                         0,
                         std::to_string(launches) + " launches in " + std::to_string(report->size()) + " ranges for " +
                             std::to_string(expected) + " kernels",
                         {},
                         {}});
                continue;
            }
            for (std::size_t at = 0; at < std::size(suite_kernels); ++at)
                write(*report, "kernel", repetition, report->at(first + at).path(), suite_kernels[at].name);
        }
    }

    gpuprof::result<gpuprof::report> read(gpuprof::profiler const& from, char const* mode, metric_group const& group) {
        auto report = from.try_report();
        if (!report) problem(mode, group, report.error());
        else
            for (gpuprof::error const& each : report->completeness().problems) problem(mode, group, each);
        return report;
    }

    void write(gpuprof::report const& from, char const* mode, int repetition, std::string const& path,
               char const* kernel) {
        auto const range = from.try_range(path);
        for (gpuprof::metric_info const& metric : from.metrics()) {
            auto const value =
                range ? range->try_value(metric.name) : gpuprof::result<gpuprof::measured_value>{range.error()};
            if (value) {
                std::printf("value,%s,%d,%s,%s,%.17g\n", mode, repetition, kernel, metric.name.c_str(), value->value);
            } else {
                std::printf("problem,%s,%s,%s\n", mode, kernel, field(value.error().message()).c_str());
                complete_ = false;
            }
        }
    }

    void unavailable(std::string const& metric, gpuprof::error const& why) {
        std::printf("unavailable,%s,%s\n", field(metric).c_str(), field(why.message()).c_str());
        if (why.code != gpuprof::errc::unknown_metric) complete_ = false;
    }
    void problem(char const* mode, metric_group const& group, gpuprof::error const& why) {
        std::printf("problem,%s,%s,%s\n", mode, field(group.name).c_str(), field(why.message()).c_str());
        complete_ = false;
    }

    gpuprof::device const& gpu_;
    kernel_suite& suite_;
    int repeat_;
    bool complete_ = true;
};

} // namespace

int main(int count, char** words) try {
    std::string folder, kinds = "exact,report,spread", chip;
    int repeat = 1, warm_up = 3, pad = 0;
    for (int i = 1; i < count; ++i) {
        std::string_view const word = words[i];
        bool const more = i + 1 < count;
        if (word == "--kinds" && more) kinds = words[++i];
        else if (word == "--repeat" && more) repeat = std::atoi(words[++i]);
        else if (word == "--warm-up" && more) warm_up = std::atoi(words[++i]);
        else if (word == "--plan" && more) chip = words[++i];
        else if (word == "--pad" && more) pad = std::atoi(words[++i]);
        else if (folder.empty() && !word.starts_with('-')) folder = word;
        else throw std::runtime_error{usage};
    }
    if (folder.empty()) throw std::runtime_error{usage};
    auto const groups = read_groups(folder + "/metrics.txt");
    if (!chip.empty()) return plan(groups, chip);

    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "skipped: " << opened.error().message() << '\n';
        return 77;
    }
    gpuprof::device const& gpu = *opened;
    std::printf("about,device,%s\n", field(gpu.name()).c_str());
    std::printf("about,chip,%s\n", gpu.chip().c_str());
    std::printf("about,compute capability,%d.%d\n", gpu.capability().generation, gpu.capability().revision);
    std::printf("about,driver API,%d\n", gpu.machine().driver_library.version);
    std::printf("about,CUPTI,%s\n", gpuprof::hw::cupti_version_text(gpu.machine().cupti_library.version).c_str());
    for (kernel_launch const& each : suite_kernels) std::printf("kernel,%s,%zu\n", each.name, each.warps());

    kernel_suite suite{gpu, folder, pad};
    for (int i = 0; i < warm_up; ++i) suite.launch_all();
    suite.wait();

    measurement_run run{gpu, suite, repeat};
    for (metric_group const& group : groups)
        if ((',' + kinds + ',').find(',' + group.kind + ',') != std::string::npos) run.measure(group);
    return run.complete() ? 0 : 1;
} catch (std::exception const& problem) {
    std::cerr << "conformance: " << problem.what() << '\n';
    return 2;
}
