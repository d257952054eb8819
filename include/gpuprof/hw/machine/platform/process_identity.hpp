// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells whether a process that was noted down still runs. Linux (/proc), Windows.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PROCESS_IDENTITY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PROCESS_IDENTITY_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "file.hpp"
#include "open_files.hpp"
#include "platform.hpp"
#include "process.hpp"
#include "process_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A process: its number, which the system gives again to later ones, when it started, in the
// system's own count, and the name of the container's list of processes that has the number. None
// has a blank. Windows: start and list are "-", so that a later process of the same number is taken
// for this one.
struct process_identity {
    std::string number;
    std::string start;
    std::string list;
};

// When the process of that number started; empty if there is none, "-" where nobody can tell.
[[nodiscard]] inline std::string process_start(std::string const& number) {
#if GPUPROF_WINDOWS
    return program_of(number).empty() ? std::string{} : std::string{"-"};
#else
    // "12 (name, which may have blanks and brackets) S 1 …": the 22nd word, the name being the 2nd.
    std::string const line = read_file("/proc/" + number + "/stat").value_or(std::string{});
    std::size_t at = line.rfind(')');
    for (int words = 2; words < 22 && at != line.npos; ++words) at = line.find(' ', at + 1);
    if (at == line.npos) return {};
    return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
#endif
}

[[nodiscard]] inline process_identity this_process() {
    std::string const number = std::to_string(process_number());
#if GPUPROF_WINDOWS
    return {number, "-", "-"};
#else
    std::string list = link_target("/proc/self/ns/pid");
    if (list.empty()) list = "-";
    return {number, process_start(number), list};
#endif
}

// Whether it is known that the process has ended: not for one of another container, whose numbers
// mean nothing here, and not where /proc is not mounted.
[[nodiscard]] inline bool has_ended(process_identity const& of) {
    process_identity const own = this_process();
    if (own.start.empty() || of.list != own.list) return false;
    return process_start(of.number) != of.start;
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PROCESS_IDENTITY_HPP
