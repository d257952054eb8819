// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the file that the dynamic linker takes for a soname, and whether it is safe to open. ELF
// with glibc; on Windows there is little to check.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_SONAME_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_SONAME_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../detail/config.hpp"
#include "file.hpp"
#include "library.hpp"
#include "library_file.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
// Windows refuses a truncated library and goes on.
[[nodiscard]] inline std::string soname_defect(std::string const& soname) {
    return soname.find('\0') == std::string::npos ? std::string{} : "the path contains a NUL character";
}
#else
// The files of a soname in the linker's cache (/etc/ld.so.cache), in its order. The cache begins
// with a name of 20 characters, the number of entries, and 24 bytes more; an entry has 24 bytes,
// with the places of its soname and its path.
[[nodiscard]] inline std::vector<std::string> cached_libraries(std::string_view soname, std::string const& cache) {
    constexpr std::string_view begin = "glibc-ld.so.cache1.1";
    constexpr std::size_t header = 48;
    constexpr std::size_t entry = 24;
    std::vector<std::string> files;
    auto const number_at = [&cache](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, cache.data() + at, sizeof value);
        return std::size_t{value};
    };
    if (cache.size() < header || !cache.starts_with(begin)) return files;
    std::size_t const count = number_at(begin.size());
    for (std::size_t i = 0; i < count && header + (i + 1) * entry <= cache.size(); ++i) {
        std::size_t const name = number_at(header + i * entry + 4);
        std::size_t const path = number_at(header + i * entry + 8);
        if (name >= cache.size() || path >= cache.size()) return files;
        if (soname == cache.c_str() + name) files.push_back(std::string{cache.c_str() + path});
    }
    return files;
}

// The directories in which the linker looks for what the program names: those of the program file
// and LD_LIBRARY_PATH, then the system's. None if the linker does not say.
[[nodiscard]] inline std::vector<std::string> linker_directories() {
    std::vector<std::string> list;
    void* const program = open_program();
    Dl_serinfo size = {};
    if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return list;
    // Not a vector of Dl_serinfo: nvcc 13.0 aborts on it.
    std::vector<std::uint64_t> room(size.dls_size / sizeof(std::uint64_t) + 1);
    std::memcpy(room.data(), &size, sizeof size);
    auto* const info = reinterpret_cast<Dl_serinfo*>(room.data());
    if (::dlinfo(program, RTLD_DI_SERINFO, info) != 0) return list;
    Dl_serpath const* const paths = info->dls_serpath;
    for (unsigned i = 0; i < info->dls_cnt; ++i) list.push_back(std::string{paths[i].dls_name});
    return list;
}

// The first file of that name in the linker's order: named directories, its cache, the system's
// directories (without those for processors of one kind). Empty if there is none.
[[nodiscard]] inline std::string library_file_of(std::string const& soname) {
    auto const there = [](std::string const& path) { return ::access(path.c_str(), R_OK) == 0; };
    auto const in = [&](bool system) -> std::string {
        for (std::string const& directory : linker_directories()) {
            std::string path = directory + '/' + soname;
            if ((directory.starts_with("/lib") || directory.starts_with("/usr/lib")) == system && there(path))
                return path;
        }
        return {};
    };
    if (std::string path = in(false); !path.empty()) return path;
    for (std::string& path : cached_libraries(soname, read_file("/etc/ld.so.cache").value_or(std::string{})))
        if (there(path)) return std::move(path);
    return in(true);
}

// Why the linker must not open a name: its file is truncated, and would end the process by SIGBUS.
// Empty otherwise; the linker reports other defects itself.
[[nodiscard]] inline std::string soname_defect(std::string const& soname) {
    if (soname.find('\0') != std::string::npos) return "the path contains a NUL character";
    if (open_mapped_library(soname.c_str()) != nullptr) return {};
    std::string const path = library_file_of(soname);
    if (path.empty() || library_defect(path) != library_is_truncated) return {};
    return path + ": " + std::string{library_is_truncated};
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_SONAME_HPP
