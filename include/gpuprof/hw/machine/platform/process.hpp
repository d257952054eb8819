// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the system's kernel and processes. Linux (/proc), Windows.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PROCESS_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PROCESS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../../../detail/config.hpp"
#include "directory.hpp"
#include "file.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_text.hpp"

#if !GPUPROF_WINDOWS
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
// Windows keeps the full file name; ".exe" is left out, so that programs have the same names as on
// other systems.
inline constexpr std::size_t program_name_length = 260;

[[nodiscard]] inline unsigned process_id() noexcept { return ::GetCurrentProcessId(); }

namespace inner {

// Calls f(number, UTF-16 file name) for every process.
template <class F>
void for_each_program(F f) {
    struct process_entry { // a PROCESSENTRY32W
        unsigned long size, usage, process;
        std::size_t heap;
        unsigned long module, threads, parent;
        long priority;
        unsigned long flags;
        wchar_t file[260];
    } entry = {};
    entry.size = sizeof entry;
    using take_snapshot = void*(unsigned long, unsigned long);
    using next_entry = int(void*, process_entry*);
    constexpr unsigned long of_processes = 2;
    auto* const take = system_function<take_snapshot>(L"kernel32.dll", "CreateToolhelp32Snapshot");
    auto* const first = system_function<next_entry>(L"kernel32.dll", "Process32FirstW");
    auto* const next = system_function<next_entry>(L"kernel32.dll", "Process32NextW");
    void* const snapshot = take == nullptr || first == nullptr || next == nullptr ? no_handle() : take(of_processes, 0);
    if (snapshot == no_handle()) return;
    for (int more = first(snapshot, &entry); more != 0; more = next(snapshot, &entry)) f(entry.process, entry.file);
    ::CloseHandle(snapshot);
}

[[nodiscard]] inline std::string program_name(std::wstring_view file) {
    std::string name = utf8(file);
    if (name.size() > 4 && (name.ends_with(".exe") || name.ends_with(".EXE"))) name.resize(name.size() - 4);
    return name;
}

} // namespace inner

// "self" means this process.
[[nodiscard]] inline std::string program_of(std::string_view process) {
    std::string const self = std::to_string(process_id());
    std::string found;
    inner::for_each_program([&](unsigned long number, wchar_t const* file) {
        if (std::to_string(number) == (process == "self" ? self : process)) found = inner::program_name(file);
    });
    return found;
}

[[nodiscard]] inline std::vector<std::string> running_programs() {
    std::vector<std::string> names;
    inner::for_each_program(
        [&names](unsigned long, wchar_t const* file) { names.push_back(inner::program_name(file)); });
    return names;
}

// "Windows 10.0.19045": the numbers of the release and its build.
[[nodiscard]] inline std::string kernel_version() {
    struct release { // an RTL_OSVERSIONINFOW
        unsigned long size, major_number, minor_number, build, platform;
        wchar_t service_pack[128];
    } running = {};
    running.size = sizeof running;
    using get_version = long(release*);
    auto* const get = inner::system_function<get_version>(L"ntdll.dll", "RtlGetVersion");
    if (get == nullptr || get(&running) != 0) return {};
    return "Windows " + std::to_string(running.major_number) + '.' + std::to_string(running.minor_number) + '.' +
           std::to_string(running.build);
}

[[nodiscard]] inline std::string process_status() { return {}; } // Windows has no such table
#else
// How many characters of a program's name the system keeps: Linux cuts names after them.
inline constexpr std::size_t program_name_length = 15;

// The number of this process.
[[nodiscard]] inline unsigned process_id() noexcept { return static_cast<unsigned>(::getpid()); }

// Calls f(number, as text) for every process.
template <class F>
void for_each_process(F f) {
    for_each_entry("/proc", [&f](std::string_view entry) {
        if (entry.front() >= '1' && entry.front() <= '9') f(entry);
    });
}

// The program's name of a process, cut after program_name_length characters; empty if the process
// is gone.
[[nodiscard]] inline std::string program_of(std::string_view process) {
    std::string name = read_file("/proc/" + std::string{process} + "/comm").value_or(std::string{});
    if (!name.empty() && name.back() == '\n') name.pop_back();
    return name;
}

// The names of the running programs, one a process, cut after program_name_length characters;
// includes kernel threads, whose names may be longer. Costs reading a small file a process. A
// process that ends meanwhile may have an empty name.
[[nodiscard]] inline std::vector<std::string> running_programs() {
    std::vector<std::string> names;
    for_each_process([&names](std::string_view process) { names.push_back(program_of(process)); });
    return names;
}

// The kernel's version text; empty if there is none.
[[nodiscard]] inline std::string kernel_version() { return read_file("/proc/version").value_or(std::string{}); }

// The kernel's table about this process, with a line "CapEff: …" of its rights; empty if there is
// none.
[[nodiscard]] inline std::string process_status() { return read_file("/proc/self/status").value_or(std::string{}); }
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PROCESS_HPP
