// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where libcuda and libcupti may be, in order. Layer: hw. Reads directories and the environment, opens nothing.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_SEARCH_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_SEARCH_HPP

#include <string>      // paths
#include <string_view> // names
#include <vector>      // candidates

#include "library.hpp"
#include "platform/directory.hpp"
#include "platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A file, or a soname for the dynamic linker, to be tried.
struct candidate {
    found_by where = found_by::nothing;
    std::string path;
};

// Orders version suffixes numerically: "12.10" after "12.9". Every run of digits counts as one number.
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

// The entries of a directory that `accept` takes, highest version first; empty if it cannot be read.
template <class Accept>
[[nodiscard]] std::vector<std::string> entries(std::string const& directory, Accept accept) {
    std::vector<std::string> names;
    platform::for_each_entry(directory, [&](std::string_view name) {
        if (!accept(name)) return;
        auto place = names.begin();
        while (place != names.end() && !version_less(*place, name)) ++place;
        names.emplace(place, name);
    });
    return names;
}

// The libraries of that stem in a directory, or under it where toolkits, Python wheels and Conda put them.
GPUPROF_LAZY void add_directory(std::vector<candidate>& to, found_by where, std::string const& root,
                                std::string_view stem) {
    for (std::string_view const below : {"", "/extras/CUPTI/lib64", "/lib64", "/lib", "/targets/x86_64-linux/lib",
                                         "/targets/sbsa-linux/lib", "/nvidia/cu13/lib", "/nvidia/cuda_cupti/lib"}) {
        std::string const directory = root + std::string{below};
        for (auto const& file : entries(directory, [&](std::string_view name) { return is_named(name, stem); }))
            to.push_back({where, directory + '/' + file});
    }
}

// What the user named: the libraries in it if it is a directory that has some, else the path itself. A name without a slash
// is never looked for in the working directory: it is for the dynamic linker.
GPUPROF_LAZY void add_named(std::vector<candidate>& to, found_by where, std::string const& path,
                            std::string_view stem) {
    auto const before = to.size();
    if (path.find('/') != std::string::npos && path.find('\0') == std::string::npos)
        add_directory(to, where, path, stem);
    if (to.size() == before) to.push_back({where, path});
}

// Where the driver may be when nobody named it: the linker's search, then WSL's own directory.
GPUPROF_LAZY [[nodiscard]] std::vector<candidate> driver_candidates() {
    std::vector<candidate> list{{found_by::soname_search, "libcuda.so.1"}};
    add_directory(list, found_by::next_to_driver, "/usr/lib/wsl/lib", "libcuda");
    return list;
}

// Where CUPTI may be when nobody named it: in toolkits, next to the driver, by soname. `driver_path` may be empty.
GPUPROF_LAZY [[nodiscard]] std::vector<candidate> cupti_candidates(std::string_view driver_path) {
    std::vector<candidate> list;
    for (char const* const variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CONDA_PREFIX"})
        if (auto const root = platform::trusted_variable(variable); !root.empty())
            add_directory(list, found_by::toolkit, root, "libcupti");
    add_directory(list, found_by::toolkit, "/usr/local/cuda", "libcupti");
    for (auto const& toolkit : entries("/usr/local", [](std::string_view name) { return name.starts_with("cuda-"); }))
        add_directory(list, found_by::toolkit, "/usr/local/" + toolkit, "libcupti");
    if (auto const slash = driver_path.rfind('/'); slash != std::string_view::npos)
        for (auto const directory = std::string{driver_path.substr(0, slash)};
             auto const& file : entries(directory, [](std::string_view name) { return is_named(name, "libcupti"); }))
            list.push_back({found_by::next_to_driver, directory + '/' + file});
    for (char const* const soname : {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"})
        list.push_back({found_by::soname_search, soname});
    return list;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_SEARCH_HPP
