// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates directories and lists their content.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_HPP

#include <concepts>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_security.hpp"
#include "windows_text.hpp"

#if !GPUPROF_WINDOWS
#include <dirent.h>
#include <sys/stat.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
inline bool make_directory(std::string const& path) {
    inner::private_access own;
    return ::CreateDirectoryW(inner::wide(path).c_str(), own.attributes()) != 0;
}

template <std::invocable<std::string_view> F>
bool for_each_entry(std::string const& path, F&& f) {
    std::wstring const all = inner::wide(path + "/*");
    struct found_file { // a WIN32_FIND_DATAW
        unsigned long before_name[11];
        wchar_t name[260];
        wchar_t short_name[14];
    } found;
    auto* const data = reinterpret_cast<_WIN32_FIND_DATAW*>(&found);
    void* const open = path.empty() || all.empty() ? inner::no_handle() : ::FindFirstFileW(all.c_str(), data);
    if (open == inner::no_handle()) return false;
    do f(std::string_view{inner::utf8(found.name)});
    while (::FindNextFileW(open, data) != 0);
    ::FindClose(open);
    return true;
}
#else
// Creates a directory that only this user can enter. False if it exists already, or its parent does
// not.
inline bool make_directory(std::string const& path) { return ::mkdir(path.c_str(), 0700) == 0; }

// Calls f(std::string_view name) for everything in a directory, in the order of the file system.
// False if it cannot be read. A name lives as long as the call.
template <std::invocable<std::string_view> F>
bool for_each_entry(std::string const& path, F&& f) {
    DIR* const open = ::opendir(path.c_str());
    if (open == nullptr) return false;
    while (dirent const* const entry = ::readdir(open)) f(std::string_view{entry->d_name});
    ::closedir(open);
    return true;
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_HPP
