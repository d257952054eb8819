// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the places where the driver and CUPTI may be, in order. Reads directories and the
// environment, opens nothing.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_SEARCH_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_SEARCH_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/error.hpp"
#include "library.hpp"
#include "platform/directory.hpp"
#include "platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A file, or a soname for the dynamic linker, to try.
struct candidate {
    found_by where = found_by::nothing;
    std::string path;
};

// Orders version suffixes numerically: "12.10" after "12.9". Each run of digits is one number.
[[nodiscard]] constexpr bool version_less(std::string_view a, std::string_view b) noexcept {
    auto const digit = [](char c) { return c >= '0' && c <= '9'; };
    auto const take = [&](std::string_view& text) {
        unsigned long value = 0;
        for (; !text.empty() && digit(text.front()); text.remove_prefix(1))
            value = value * 10 + static_cast<unsigned long>(text.front() - '0');
        return value;
    };
    while (!a.empty() && !b.empty()) {
        if (digit(a.front()) && digit(b.front())) {
            auto const left = take(a);
            auto const right = take(b);
            if (left != right) return left < right;
        } else {
            if (a.front() != b.front()) return a.front() < b.front();
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() < b.size();
}

// The entries of a directory whose names `accept` takes, highest version first; empty if it cannot
// be read.
// @param of the argument of accept: a function pointer and its argument, so that one loop is
// compiled for all
[[nodiscard]] GPUPROF_COLD inline std::vector<std::string>
entries(std::string const& directory, bool (*accept)(std::string_view name, std::string_view of) noexcept,
        std::string_view of) {
    std::vector<std::string> names;
    platform::for_each_entry(directory, [&](std::string_view name) {
        if (!accept(name, of)) return;
        auto place = names.begin();
        while (place != names.end() && !version_less(*place, name)) ++place;
        names.insert(place, std::string{name});
    });
    return names;
}

// Where libraries are below a toolkit, a Conda environment, or the Python packages. A toolkit has
// targets for one or several kinds of processor; on AArch64, servers (sbsa) and Tegra have their
// own. Windows: CUDA 13 has them in bin/x64.
inline constexpr std::string_view directories_below_on_linux[]{"",
                                                               "/extras/CUPTI/lib64",
                                                               "/lib64",
                                                               "/lib",
                                                               "/targets/x86_64-linux/lib",
                                                               "/targets/sbsa-linux/lib",
                                                               "/targets/aarch64-linux/lib",
                                                               "/nvidia/cu13/lib",
                                                               "/nvidia/cuda_cupti/lib"};
inline constexpr std::string_view directories_below_on_windows[]{
    "", "/extras/CUPTI/lib64", "/bin/x64", "/bin", "/Library/bin", "/nvidia/cu13/bin/x86_64", "/nvidia/cuda_cupti/bin"};
inline constexpr std::span<std::string_view const> directories_below =
    platform::is_windows ? std::span<std::string_view const>{directories_below_on_windows}
                         : std::span<std::string_view const>{directories_below_on_linux};

// Adds the libraries of that stem in a directory.
GPUPROF_COLD inline void add_files(std::vector<candidate>& to, found_by where, std::string const& directory,
                                   std::string_view stem) {
    for (std::string const& file : entries(directory, is_named, stem)) to.push_back({where, directory + '/' + file});
}

// Adds the libraries of that stem in a directory, and under it where toolkits, Python wheels and
// Conda put them.
inline void add_directory(std::vector<candidate>& to, found_by where, std::string const& root, std::string_view stem) {
    for (std::string_view const below : directories_below) add_files(to, where, detail::joined({root, below}), stem);
}

// Adds what the user named: the libraries in it if it is a directory with libraries, else the path
// itself. A name without a slash is never looked for in the working directory: it is for the
// dynamic linker.
inline void add_named(std::vector<candidate>& to, found_by where, std::string const& path, std::string_view stem) {
    auto const before = to.size();
    if (platform::names_a_place(path) && path.find('\0') == std::string::npos) add_directory(to, where, path, stem);
    if (to.size() == before) to.push_back({where, path});
}

// Where the driver may be if nobody named it: the linker's search, then the directories of WSL and
// of Tegra, which are on the linker's path if the system is set up as NVIDIA ships it. On Windows
// the driver is in System32, and only that is searched.
[[nodiscard]] inline std::vector<candidate> driver_candidates() {
    std::vector<candidate> list{{found_by::soname_search, driver_file}};
    if constexpr (!platform::is_windows)
        for (char const* const directory :
             {"/usr/lib/wsl/lib", "/usr/lib/aarch64-linux-gnu/nvidia", "/usr/lib/aarch64-linux-gnu/tegra"})
            add_files(list, found_by::next_to_driver, directory, driver_stem);
    return list;
}

// The toolkits in the places of their installers, newest first.
[[nodiscard]] inline std::vector<std::string> installed_toolkits() {
    std::vector<std::string> list;
    std::string home = "/usr/local";
    std::string_view begin = "cuda-";
    if constexpr (platform::is_windows) {
        home = platform::trusted_variable("ProgramFiles");
        if (home.empty()) return list;
        home += "/NVIDIA GPU Computing Toolkit/CUDA";
        begin = "v";
    } else {
        list.push_back("/usr/local/cuda");
    }
    constexpr auto begins = [](std::string_view name, std::string_view with) noexcept {
        return name.starts_with(with);
    };
    for (std::string const& toolkit : entries(home, begins, begin)) list.push_back(home + '/' + toolkit);
    return list;
}

// Where CUPTI may be if nobody named it: in toolkits, next to the driver, by soname. `driver_path`
// may be empty.
[[nodiscard]] inline std::vector<candidate> cupti_candidates(std::string_view driver_path) {
    std::vector<candidate> list;
    for (char const* const variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CONDA_PREFIX"})
        if (auto const root = platform::trusted_variable(variable); !root.empty())
            add_directory(list, found_by::toolkit, root, cupti_stem);
    for (std::string const& toolkit : installed_toolkits()) add_directory(list, found_by::toolkit, toolkit, cupti_stem);
    if (auto const begin = platform::file_name_begin(driver_path); begin > 1)
        add_files(list, found_by::next_to_driver, std::string{driver_path.substr(0, begin - 1)}, cupti_stem);
    if constexpr (platform::is_windows) return list; // CUPTI's file names contain their release
    for (char const* const soname : {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"})
        list.push_back({found_by::soname_search, soname});
    return list;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_SEARCH_HPP
