// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files other programs have open. Layer: hw, lowest; Linux (/proc).
#ifndef GPUPROF_HW_MACHINE_PLATFORM_OPEN_FILES_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_OPEN_FILES_HPP

#include <cstddef>     // std::size_t
#include <string>      // paths
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // files

#include "../../../detail/config.hpp"
#include "directory.hpp"
#include "platform.hpp"
#include "process.hpp"

#if !GPUPROF_WINDOWS
#include <unistd.h> // readlink
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A file that a program has open. The program's name is cut after program_name_length characters.
struct file_elsewhere {
    std::string program;
    std::string path;
};

#if GPUPROF_WINDOWS
// A GPU is no file of Windows, and whose handles are to what the system does not say.
GPUPROF_LAZY [[nodiscard]] std::vector<file_elsewhere> files_open_elsewhere(std::string_view) { return {}; }
#else
// Where a symbolic link leads; empty if it is none, or may not be read.
GPUPROF_LAZY [[nodiscard]] std::string link_target(std::string const& path) {
    char target[512];
    auto const length = ::readlink(path.c_str(), target, sizeof target);
    return length <= 0 ? std::string{} : std::string(target, static_cast<std::size_t>(length));
}

// The files that processes other than this one have open and whose path begins with `prefix`. A user sees those of his own
// processes, root those of all. Costs reading one link for each open file that may be seen.
GPUPROF_LAZY [[nodiscard]] std::vector<file_elsewhere> files_open_elsewhere(std::string_view prefix) {
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
