// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels the injection library measures, and what of them, as the environment says (docs/environment.md).
#ifndef GPUPROF_SRC_INJECTION_MEASURING_SETTINGS_HPP
#define GPUPROF_SRC_INJECTION_MEASURING_SETTINGS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <gpuprof/core/result.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>

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

struct measuring_settings {
    std::string file; // a saved report
    explain::set const* sections = &explain::set::basic;
    launch_choice which;
    std::size_t most = 256;                          // launches that are kept
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
    return result<measuring_settings>{std::move(all)};
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_MEASURING_SETTINGS_HPP
