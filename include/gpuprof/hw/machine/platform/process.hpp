// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the system says about its kernel and about processes. Layer: hw, lowest; Linux (/proc).
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PROCESS_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PROCESS_HPP

#include <cstddef>     // std::size_t
#include <string>      // texts
#include <string_view> // names
#include <vector>      // programs

#include <unistd.h> // getpid

#include "../../../detail/config.hpp"
#include "directory.hpp"
#include "file.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// How many characters of a program's name the system keeps: Linux cuts names there.
inline constexpr std::size_t program_name_length = 15;

// The number of this process.
[[nodiscard]] inline unsigned process_id() noexcept { return static_cast<unsigned>(::getpid()); }

// Calls f(number, as text) for every process there is.
template <class F>
void for_each_process(F f) {
    for_each_entry("/proc", [&f](std::string_view entry) {
        if (entry.front() >= '1' && entry.front() <= '9') f(entry);
    });
}

// A process's program, cut after program_name_length characters; empty if the process is gone.
GPUPROF_LAZY [[nodiscard]] std::string program_of(std::string_view process) {
    std::string name = read_file("/proc/" + std::string{process} + "/comm").value_or(std::string{});
    if (!name.empty() && name.back() == '\n') name.pop_back();
    return name;
}

// The names of the programs that run, one a process, cut after program_name_length characters; threads of the kernel are
// among them, with names that may be longer. Costs reading one small file a process. A process that ends meanwhile may have
// an empty name.
GPUPROF_LAZY [[nodiscard]] std::vector<std::string> running_programs() {
    std::vector<std::string> names;
    for_each_process([&names](std::string_view process) { names.push_back(program_of(process)); });
    return names;
}

// The kernel's own words on its version; empty if it does not say.
GPUPROF_LAZY [[nodiscard]] std::string kernel_version() { return read_file("/proc/version").value_or(std::string{}); }

// The kernel's table about this process, a line "CapEff: …" with its rights among others; empty if there is none.
GPUPROF_LAZY [[nodiscard]] std::string process_status() {
    return read_file("/proc/self/status").value_or(std::string{});
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PROCESS_HPP
