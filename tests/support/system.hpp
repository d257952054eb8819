// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What test cases ask of the operating system, by its POSIX names. On Windows, setenv, unsetenv, getpid and mkdtemp are made
// here; test cases that need more of POSIX are not compiled there, and tests/platforms/windows.txt says why.
#ifndef GPUPROF_TESTS_SUPPORT_SYSTEM_HPP
#define GPUPROF_TESTS_SUPPORT_SYSTEM_HPP

#if defined(_WIN32)

#include <gpuprof/hw/machine/platform/directory.hpp>
#include <gpuprof/hw/machine/platform/process.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <process.h>

extern "C" __declspec(dllimport) int SetEnvironmentVariableA(char const*, char const*);

// The C library has a copy of the variables, which cannot have empty ones.
inline int setenv(char const* name, char const* value, int) {
    ::_putenv_s(name, value);
    return ::SetEnvironmentVariableA(name, value) != 0 ? 0 : -1;
}
inline int unsetenv(char const* name) {
    ::_putenv_s(name, "");
    ::SetEnvironmentVariableA(name, nullptr);
    return 0;
}
inline unsigned geteuid() { return 0; } // users have no numbers; platform::user_id() says the same

// Where temporary files go, with slashes that the tests can go on with.
[[nodiscard]] inline std::string temporary_directory() {
    std::string path = std::filesystem::temp_directory_path().generic_string();
    while (path.ends_with('/')) path.pop_back();
    return path;
}
[[nodiscard]] inline std::string new_directory(char const* begin) {
    static unsigned next = 0; // a path is not used again: gpuprof remembers some
    for (int tries = 0; tries < 1000; ++tries)
        if (std::string path = temporary_directory() + '/' + begin + std::to_string(gpuprof::platform::process_id()) +
                               '-' + std::to_string(next++);
            gpuprof::platform::make_directory(path))
            return path;
    return {};
}
// A file that is no regular one.
inline constexpr char const* null_device = "//./NUL";
[[nodiscard]] inline std::string this_program() { return std::filesystem::path{_wpgmptr}.generic_string(); }

#else

#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

[[nodiscard]] inline std::string temporary_directory() { return "/tmp"; }
[[nodiscard]] inline std::string new_directory(char const* begin) {
    std::string path = temporary_directory() + '/' + begin + "XXXXXX";
    return mkdtemp(path.data()) == nullptr ? std::string{} : path;
}
inline constexpr char const* null_device = "/dev/null";
[[nodiscard]] inline std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

#endif

#endif // GPUPROF_TESTS_SUPPORT_SYSTEM_HPP
