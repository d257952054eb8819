// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels the injection library measures, and what of them, as the environment says (docs/environment.md).
#ifndef GPUPROF_SRC_INJECTION_MEASURING_SETTINGS_HPP
#define GPUPROF_SRC_INJECTION_MEASURING_SETTINGS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/core/result.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/text/list_parts.hpp>

#include "file_name.hpp"
#include "name_pattern.hpp"
#include "settings.hpp"

namespace gpuprof::injection {

inline constexpr std::size_t every_launch = 0;

// Which launches are measured.
struct launch_choice {
    program::name_pattern kernels;     // by their names as c++filt shows them
    std::size_t launch = every_launch; // of each kernel, from 1; or every_launch
};

// How passes of the same work come about, in one run of the program.
enum class repeats : unsigned char {
    kernels,  // CUPTI repeats each kernel
    launches, // gpuprof repeats each launching call
    ranges    // gpuprof repeats all driver calls of a range
};

// What begins and ends ranges of a program that knows nothing of gpuprof.
enum class range_marks : unsigned char {
    program,  // the program's own: both of the following
    nvtx,     // ranges that it pushes and pops, the outermost and those inside them
    profiler, // cuProfilerStart and cuProfilerStop
    waits     // none: a range begins at a launch, and ends where the host waits or makes a call that cannot be repeated
};

struct measuring_settings {
    std::string file; // a saved report
    explain::set const* sections = &explain::set::basic;
    launch_choice which;
    std::size_t most = 256; // launches or ranges that are kept
    repeats repeated = repeats::kernels;
    range_marks marks = range_marks::program;
    std::optional<program::name_pattern> nvtx{};     // names of NVTX ranges that are measured; none: all
    std::vector<std::string> metrics{};              // empty: those of the set
    std::optional<program::name_pattern> one_pass{}; // kernels that are not replayed
    std::optional<std::size_t> longest{}; // seconds that one launch may take; none: as is usual for the device
};

// "first", "all", or a number. Errors: invalid_argument.
[[nodiscard]] inline result<std::size_t> launch_of(std::string_view word) {
    if (word == "first" || word.empty()) return std::size_t{1};
    if (word == "all") return every_launch;
    return number_of("GPUPROF_EXPLAIN_LAUNCH", word, 1, 1'000'000'000);
}

// Errors: invalid_argument for a value that means nothing.
[[nodiscard]] inline result<void> try_read_repeats(measuring_settings& all) {
    std::string const how = platform::trusted_variable("GPUPROF_EXPLAIN_REPLAY");
    if (how == "launch") all.repeated = repeats::launches;
    else if (how == "range") all.repeated = repeats::ranges;
    else if (!how.empty() && how != "kernel")
        return bad_value("GPUPROF_EXPLAIN_REPLAY", how, "nothing is repeated so", "use kernel, launch or range");
    std::string const marks = platform::trusted_variable("GPUPROF_EXPLAIN_RANGES");
    if (marks == "nvtx") all.marks = range_marks::nvtx;
    else if (marks == "profiler") all.marks = range_marks::profiler;
    else if (marks == "waits") all.marks = range_marks::waits;
    else if (!marks.empty() && marks != "program")
        return bad_value("GPUPROF_EXPLAIN_RANGES", marks, "nothing marks ranges so",
                         "use program, nvtx, profiler or waits");
    if (std::string const names = platform::trusted_variable("GPUPROF_EXPLAIN_NVTX"); !names.empty()) {
        auto pattern = program::name_pattern::try_make(names);
        if (!pattern) return std::move(pattern).error();
        all.nvtx.emplace(*std::move(pattern));
    }
    std::string const metrics = platform::trusted_variable("GPUPROF_EXPLAIN_METRICS");
    for (std::string_view const each : gpuprof::detail::list_parts(metrics))
        if (!each.empty()) all.metrics.emplace_back(each);
    return {};
}

// Errors: invalid_argument for a value that means nothing.
[[nodiscard]] inline result<measuring_settings> try_read_measuring_settings() {
    auto kernels = program::name_pattern::try_make(platform::trusted_variable("GPUPROF_EXPLAIN_KERNELS"));
    if (!kernels) return std::move(kernels).error();
    measuring_settings all{program::file_name_of(platform::trusted_variable("GPUPROF_EXPLAIN_FILE")),
                           &explain::set::basic,
                           {*std::move(kernels), 1}};
    if (std::string const name = platform::trusted_variable("GPUPROF_EXPLAIN_SET"); !name.empty()) {
        all.sections = explain::find_set(name);
        if (all.sections == nullptr)
            return bad_value("GPUPROF_EXPLAIN_SET", name, "there is no set of this name",
                             "use basic, detailed, full or roofline");
    }
    auto const launch = launch_of(platform::trusted_variable("GPUPROF_EXPLAIN_LAUNCH"));
    if (!launch) return launch.error();
    all.which.launch = *launch;
    auto const most =
        number_of("GPUPROF_EXPLAIN_MOST", platform::trusted_variable("GPUPROF_EXPLAIN_MOST"), all.most, 65536);
    if (!most) return most.error();
    all.most = *most;
    if (std::string const names = platform::trusted_variable("GPUPROF_EXPLAIN_ONE_PASS"); !names.empty()) {
        auto pattern = program::name_pattern::try_make(names);
        if (!pattern) return std::move(pattern).error();
        all.one_pass.emplace(*std::move(pattern));
    }
    if (std::string const word = platform::trusted_variable("GPUPROF_EXPLAIN_LONGEST"); !word.empty()) {
        auto const longest = number_of("GPUPROF_EXPLAIN_LONGEST", word, 0, 1'000'000);
        if (!longest) return longest.error();
        all.longest = *longest;
    }
    if (auto read = try_read_repeats(all); !read) return std::move(read).error();
    return result<measuring_settings>{std::move(all)};
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_MEASURING_SETTINGS_HPP
