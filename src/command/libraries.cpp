// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <unistd.h>

#include "arguments.hpp"

namespace gpuprof::command {
namespace {

struct freed {
    void operator()(char* text) const noexcept { std::free(text); }
};

// Without links and "..".
std::string real_path(std::string const& path) {
    std::unique_ptr<char, freed> const found{::realpath(path.c_str(), nullptr)};
    return found == nullptr ? std::string{} : std::string{found.get()};
}

// The first of these paths, relative to the command's own folder, that exists; the first one otherwise.
std::string beside_command(std::array<std::string_view, 2> const& paths, std::string_view file,
                           std::string_view target) {
    std::string const own = real_path("/proc/self/exe");
    std::string const folder = own.substr(0, own.rfind('/') + 1);
    for (std::string_view const path : paths)
        if (std::string const found = real_path(folder + std::string{path}); !found.empty())
            if (::access((found + std::string{file}).c_str(), R_OK) == 0) return found;
    refuse(folder + std::string{paths[0]} + std::string{file} + " is not there: build the target " +
           std::string{target});
}

} // namespace

std::string embedded_libraries() {
    return beside_command({GPUPROF_COMMAND_LIBRARIES, GPUPROF_COMMAND_INSTALLED_LIBRARIES}, "/libcuda.so.1",
                          "gpuprof_runtime");
}

std::string injection_library() {
    return beside_command({GPUPROF_COMMAND_INJECTION, GPUPROF_COMMAND_INSTALLED_INJECTION}, "", "gpuprof_injection");
}

} // namespace gpuprof::command
