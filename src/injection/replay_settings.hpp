// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process measures in one pass of an application replay, as the environment says (docs/environment.md).
#ifndef GPUPROF_SRC_INJECTION_REPLAY_SETTINGS_HPP
#define GPUPROF_SRC_INJECTION_REPLAY_SETTINGS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/core/result.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/text/list_parts.hpp>

#include "measuring_settings.hpp"
#include "name_pattern.hpp"
#include "settings.hpp"

namespace gpuprof::injection {

// What launches of several passes have in common that are one launch (Nsight Compute 2023.3, 2.3.2). Equal ones are matched in
// the order in which they were launched.
enum class launch_match : unsigned char {
    grid, // the kernel's name and the grid
    name, // the kernel's name
    all   // the kernel's name, grid, block, dynamic shared memory and stream
};

struct replay_settings {
    std::string folder;               // of the states, a file a process
    std::string run;                  // names this run of the program, different from the one before
    std::vector<std::string> metrics; // empty: those of the set
    explain::set const* sections = &explain::set::basic;
    launch_match match = launch_match::grid;
    launch_choice which;
    std::size_t most = 256;    // launches that there is room for
    bool kernels_wait = false; // for the host: a launch's range then ends where the next one's begins
};

// The states and reports of a replay's processes, which are numbered from 0 as they begin to launch.
[[nodiscard]] inline std::string state_file_of(std::string const& folder, std::size_t process) {
    return folder + '/' + std::to_string(process) + ".state";
}
[[nodiscard]] inline std::string report_file_of(std::string const& folder, std::size_t process) {
    return folder + '/' + std::to_string(process) + ".json";
}
// Made by the process of that number in a run, which alone has the number then.
[[nodiscard]] inline std::string claim_file_of(std::string const& folder, std::string const& run, std::size_t process) {
    return folder + "/run." + run + '.' + std::to_string(process);
}

// Errors: invalid_argument for a value that means nothing.
[[nodiscard]] inline result<replay_settings> try_read_replay_settings() {
    auto kernels = program::name_pattern::try_make(platform::trusted_variable("GPUPROF_REPLAY_KERNELS"));
    if (!kernels) return std::move(kernels).error();
    replay_settings all{platform::trusted_variable("GPUPROF_REPLAY_FOLDER"),
                        platform::trusted_variable("GPUPROF_REPLAY_RUN"),
                        {},
                        &explain::set::basic,
                        launch_match::grid,
                        {*std::move(kernels), every_launch}};
    std::string const metrics = platform::trusted_variable("GPUPROF_REPLAY_METRICS");
    for (std::string_view const each : gpuprof::detail::list_parts(metrics))
        if (!each.empty()) all.metrics.emplace_back(each);
    if (std::string const name = platform::trusted_variable("GPUPROF_REPLAY_SET"); !name.empty()) {
        all.sections = explain::find_set(name);
        if (all.sections == nullptr)
            return bad_value("GPUPROF_REPLAY_SET", name, "there is no set of this name",
                             "use basic, detailed, full or roofline");
    }
    std::string const match = platform::trusted_variable("GPUPROF_REPLAY_MATCH");
    if (match == "name") all.match = launch_match::name;
    else if (match == "all") all.match = launch_match::all;
    else if (!match.empty() && match != "grid")
        return bad_value("GPUPROF_REPLAY_MATCH", match, "launches are not matched so", "use grid, name or all");
    auto const most =
        number_of("GPUPROF_REPLAY_MOST", platform::trusted_variable("GPUPROF_REPLAY_MOST"), all.most, 65536);
    if (!most) return most.error();
    all.most = *most;
    all.kernels_wait = platform::trusted_variable("GPUPROF_REPLAY_KERNELS_WAIT") == "1";
    return result<replay_settings>{std::move(all)};
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_REPLAY_SETTINGS_HPP
