// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the programs of a CUDA toolkit.
#ifndef GPUPROF_HW_MACHINE_TOOLKIT_PROGRAM_HPP
#define GPUPROF_HW_MACHINE_TOOLKIT_PROGRAM_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/error.hpp"
#include "library_search.hpp"
#include "platform/child.hpp"
#include "platform/clock.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What a program of a toolkit ("nvdisasm") prints; nothing if there is none, it fails, or it takes longer than `most_seconds`. It is
// looked for in CUDA_HOME, CUDA_PATH, PATH, and /usr/local/cuda*; nowhere where this process has rights that its caller lacks.
[[nodiscard]] GPUPROF_COLD inline std::optional<std::string>
output_of_toolkit_program(std::string_view name, std::vector<std::string> command, unsigned most_seconds) {
    std::vector<std::string> places;
    std::string const place = detail::joined({"/bin/", name, platform::is_windows ? ".exe" : ""});
    for (char const* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (auto const root = platform::trusted_variable(variable); !root.empty()) places.push_back(root + place);
    if (!platform::trusted_variable("PATH").empty()) places.emplace_back(name);
    for (std::string const& toolkit : installed_toolkits()) places.push_back(toolkit + place);
    std::optional<std::string> printed;
    command.insert(command.begin(), std::string{});
    for (std::size_t i = 0; i < places.size() && !printed; ++i) {
        command.front() = places[i];
        printed = platform::output_of(command, most_seconds, std::size_t{256} << 20);
    }
    return printed;
}

// The name of a new file for such a program, in the temporary directory.
// @param suffix of it: ".cubin"
[[nodiscard]] GPUPROF_COLD inline std::string new_toolkit_file(std::string_view suffix) {
    std::string folder = platform::trusted_variable(platform::is_windows ? "TEMP" : "TMPDIR");
    if (folder.empty()) folder = "/tmp";
    return detail::joined({folder, "/gpuprof-", std::to_string(platform::process_id()), "-",
                           std::to_string(platform::monotonic_nanoseconds()), suffix});
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_TOOLKIT_PROGRAM_HPP
