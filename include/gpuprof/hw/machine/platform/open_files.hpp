// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the files that other programs have open. Linux (/proc).
#ifndef GPUPROF_HW_MACHINE_PLATFORM_OPEN_FILES_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_OPEN_FILES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../detail/config.hpp"
#include "directory.hpp"
#include "platform.hpp"
#include "process.hpp"

#if !GPUPROF_WINDOWS
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A file that a program has open. The program's name is cut after program_name_length characters.
struct file_elsewhere {
    std::string program;
    std::string path;
};

#if GPUPROF_WINDOWS
// None: on Windows GPUs are no files, and the system does not say what handles are for.
[[nodiscard]] inline std::vector<file_elsewhere> files_open_elsewhere(std::string_view) { return {}; }
#else
// The target of a symbolic link; empty if it is none, or may not be read.
[[nodiscard]] inline std::string link_target(std::string const& path) {
    char target[512];
    auto const length = ::readlink(path.c_str(), target, sizeof target);
    return length <= 0 ? std::string{} : std::string(target, static_cast<std::size_t>(length));
}

// The open files of other processes whose path begins with `prefix`. A user sees those of their own
// processes, root those of all. Costs reading a link for each visible open file.
[[nodiscard]] inline std::vector<file_elsewhere> files_open_elsewhere(std::string_view prefix) {
    std::vector<file_elsewhere> found;
    std::string const self = link_target("/proc/self");
    for_each_process([&](std::string_view process) {
        if (process == self) return;
        std::string const open = "/proc/" + std::string{process} + "/fd";
        for_each_entry(open, [&](std::string_view descriptor) {
            std::string path = link_target(open + "/" + std::string{descriptor});
            if (path.starts_with(prefix)) found.push_back({program_of(process), std::move(path)});
        });
    });
    return found;
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_OPEN_FILES_HPP
