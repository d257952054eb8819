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

// What may be that program ("nvdisasm"), most likely first: in CUDA_HOME, CUDA_PATH, PATH, and /usr/local/cuda*. None where this process
// has rights that its caller lacks.
[[nodiscard]] GPUPROF_COLD inline std::vector<std::string> toolkit_programs(std::string_view name) {
    std::vector<std::string> list;
    std::string const place = detail::joined({"/bin/", name, platform::is_windows ? ".exe" : ""});
    for (char const* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (auto const root = platform::trusted_variable(variable); !root.empty()) list.push_back(root + place);
    if (!platform::trusted_variable("PATH").empty()) list.emplace_back(name);
    for (std::string const& toolkit : installed_toolkits()) list.push_back(toolkit + place);
    return list;
}

// What it prints; nothing if there is none, it fails, or it takes longer than `most_seconds`.
[[nodiscard]] GPUPROF_COLD inline std::optional<std::string>
output_of_toolkit_program(std::string_view name, std::vector<std::string> const& arguments, unsigned most_seconds) {
    constexpr std::size_t most_bytes = std::size_t{256} << 20;
    for (std::string const& each : toolkit_programs(name)) {
        std::vector<std::string> command{each};
        command.insert(command.end(), arguments.begin(), arguments.end());
        if (auto printed = platform::output_of(command, most_seconds, most_bytes)) return printed;
    }
    return {};
}

// A file for such a program, in the temporary directory; removed with this object.
class toolkit_file {
public:
    // @param suffix of its name: ".cubin"
    explicit toolkit_file(std::string_view suffix) {
        std::string folder = platform::trusted_variable(platform::is_windows ? "TEMP" : "TMPDIR");
        if (folder.empty()) folder = "/tmp";
        path_ = detail::joined({folder, "/gpuprof-", std::to_string(platform::process_id()), "-",
                                std::to_string(platform::monotonic_nanoseconds()), suffix});
    }
    toolkit_file(toolkit_file const&) = delete;
    toolkit_file& operator=(toolkit_file const&) = delete;
    ~toolkit_file() { static_cast<void>(platform::remove_file(path_)); }

    [[nodiscard]] bool write(std::string_view content) const {
        return platform::write_file(path_, content, platform::file_readers::this_user);
    }
    [[nodiscard]] std::string const& path() const noexcept { return path_; }

private:
    std::string path_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_TOOLKIT_PROGRAM_HPP
