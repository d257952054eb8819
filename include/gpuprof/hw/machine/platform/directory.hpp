// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directories: made, and what is in them. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_HPP

#include <concepts>    // std::invocable
#include <string>      // paths
#include <string_view> // names

#include <dirent.h>   // opendir, readdir
#include <sys/stat.h> // mkdir

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Makes a directory that only this user can enter. False if it is there already, or the one above it is not.
GPUPROF_LAZY bool make_directory(std::string const& path) { return ::mkdir(path.c_str(), 0700) == 0; }

// Calls f(std::string_view name) for everything in a directory, in the order of the file system. False if it cannot be read.
// A name lives as long as the call.
template <std::invocable<std::string_view> F>
bool for_each_entry(std::string const& path, F&& f) {
    DIR* const open = ::opendir(path.c_str());
    if (open == nullptr) return false;
    while (dirent const* const entry = ::readdir(open)) f(std::string_view{entry->d_name});
    ::closedir(open);
    return true;
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_HPP
