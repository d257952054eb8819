// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every row of every section of set full, of each kernel of the suite, kernel by kernel: as CUPTI replays kernels, or with --cold
// as gpuprof repeats launches, with caches that are flushed before each pass. Writes comma-separated lines that
// compare_sections.py reads:
//   about,WHAT,TEXT
//   kernel,NAME,WARPS                   in the order of launches
//   set,NAME,METRICS,PASSES             what each set needs here
//   row,INDEX,SECTION,METRIC,OVER,LABEL OVER is empty but for quotients
//   value,REPETITION,KERNEL,INDEX,VALUE
//   text,KERNEL,INDEX,TEXT              of rows that are no number
//   missing,KERNEL,INDEX,WHY
//   problem,KERNEL,WHY                  a collection that is not complete; the exit status is 1 then
//
//   sections TESTS/HARDWARE [--cold] [--repeat N] [--warm-up N] [--pad MIB]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>

#include "suite.hpp"

namespace explain = gpuprof::explain;

namespace {

// One field of a line: no comma, no line break.
std::string field(std::string_view text) {
    std::string clean{text};
    for (char& c : clean)
        if (c == ',' || c == '\n' || c == '\r') c = ' ';
    return clean;
}

std::vector<explain::section_row const*> rows_of(explain::set const& set) {
    std::vector<explain::section_row const*> rows;
    for (explain::section const* const each : set.sections)
        for (explain::section_row const& row : each->rows) {
            std::printf("row,%zu,%s,%s,%s,%s\n", rows.size(), field(each->id).c_str(), field(row.metric).c_str(),
                        field(row.over).c_str(), field(row.label).c_str());
            rows.push_back(&row);
        }
    return rows;
}

gpuprof::profiler kernel_profiler(gpuprof::device const& gpu, explain::set const& set, bool cold) {
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = cold ? gpuprof::replay_mode::launch : gpuprof::replay_mode::kernel;
    if (cold) options.caches = gpuprof::cache_control::flush;
    options.max_ranges = std::size(suite_kernels);
    auto const metrics = explain::try_measurable(gpu, explain::metric_names_of(set), options.ranges).value();
    gpuprof::profiler made{gpu, options, std::span<gpuprof::metric_info const>{metrics}};
    std::printf("set,%s,%zu,%zu\n", field(set.name).c_str(), metrics.size(), made.passes_needed());
    return made;
}

} // namespace

int main(int count, char** words) try {
    std::string folder;
    int repeat = 1, warm_up = 3, pad = 0;
    bool cold = false;
    for (int i = 1; i < count; ++i) {
        std::string_view const word = words[i];
        bool const more = i + 1 < count;
        if (word == "--repeat" && more) repeat = std::atoi(words[++i]);
        else if (word == "--warm-up" && more) warm_up = std::atoi(words[++i]);
        else if (word == "--pad" && more) pad = std::atoi(words[++i]);
        else if (word == "--cold") cold = true;
        else if (folder.empty() && !word.starts_with('-')) folder = word;
        else throw std::runtime_error{"usage: sections TESTS/HARDWARE [--cold] [--repeat N] [--warm-up N] [--pad MIB]"};
    }
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "skipped: " << opened.error().message() << '\n';
        return 77;
    }
    gpuprof::device const& gpu = *opened;
    std::printf("about,device,%s\n", field(gpu.name()).c_str());
    std::printf("about,chip,%s\n", gpu.chip().c_str());
    std::printf("about,driver API,%d\n", gpu.machine().driver_library.version);
    std::printf("about,CUPTI,%s\n", gpuprof::hw::cupti_version_text(gpu.machine().cupti_library.version).c_str());
    for (kernel_launch const& each : suite_kernels) std::printf("kernel,%s,%zu\n", each.name, each.warps());

    kernel_suite suite{gpu, folder, pad};
    for (int i = 0; i < warm_up; ++i) suite.launch_all();
    suite.wait();

    static_cast<void>(kernel_profiler(gpu, explain::set::basic, cold));
    gpuprof::profiler full = kernel_profiler(gpu, explain::set::full, cold);
    auto const rows = rows_of(explain::set::full);
    bool complete = true;
    for (int repetition = 0; repetition < repeat; ++repetition) {
        for ([[maybe_unused]] auto const& pass : full.passes()) {
            suite.launch_all();
            suite.wait();
        }
        gpuprof::report const report = full.report();
        for (gpuprof::error const& each : report.completeness().problems) {
            std::printf("problem,,%s\n", field(each.message()).c_str());
            complete = false;
        }
        if (report.size() != std::size(suite_kernels)) throw std::runtime_error{"not every kernel has a range"};
        for (std::size_t at = 0; at < report.size(); ++at)
            for (std::size_t row = 0; row < rows.size(); ++row) {
                explain::row_value const value = explain::value_of(*rows[row], report.at(at));
                char const* const kernel = suite_kernels[at].name;
                if (value.number) std::printf("value,%d,%s,%zu,%.17g\n", repetition, kernel, row, *value.number);
                else if (value.missing)
                    std::printf("missing,%s,%zu,%s\n", kernel, row, field(value.missing->message()).c_str());
                else std::printf("text,%s,%zu,%s\n", kernel, row, field(value.text).c_str());
            }
    }
    return complete ? 0 : 1;
} catch (std::exception const& problem) {
    std::cerr << "sections: " << problem.what() << '\n';
    return 2;
}
