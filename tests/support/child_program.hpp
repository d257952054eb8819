// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test case of this program, run as a program of its own: with another environment, or with rights that its caller lacks.
#ifndef GPUPROF_TESTS_SUPPORT_CHILD_PROGRAM_HPP
#define GPUPROF_TESTS_SUPPORT_CHILD_PROGRAM_HPP

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

using variables = std::vector<std::pair<std::string, std::string>>;

inline constexpr int died = -1;

// What the test case, which other runs skip, ends its program with by std::_Exit or std::exit; `died` if a signal ended it.
[[nodiscard]] inline int run_test_case(char const* name, variables const& environment,
                                       std::string const& program = "/proc/self/exe") {
    std::string const selected = std::string{"--test-case="} + name;
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        for (auto const& [variable, value] : environment) ::setenv(variable.c_str(), value.c_str(), 1);
        ::alarm(60); // what waits for ever dies
        char const* const arguments[] = {program.c_str(), selected.c_str(), "--no-skip", nullptr};
        ::execv(program.c_str(), const_cast<char**>(arguments));
        ::_exit(127);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : died;
}

// A copy of this program that the system starts with rights its caller lacks: those of another user if this one is root, else
// those of another group of this user. Empty where a test cannot make one.
[[nodiscard]] inline std::string copy_with_more_rights(std::string const& directory) {
    std::string const copy = directory + "/with_more_rights";
    std::filesystem::copy_file("/proc/self/exe", copy);
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0)
        return ::chown(copy.c_str(), nobody, static_cast<gid_t>(-1)) == 0 && ::chmod(copy.c_str(), 04755) == 0 ? copy
                                                                                                               : "";
    gid_t groups[64];
    int const count = ::getgroups(64, groups);
    for (int i = 0; i < count; ++i)
        if (groups[i] != ::getegid() && ::chown(copy.c_str(), static_cast<uid_t>(-1), groups[i]) == 0 &&
            ::chmod(copy.c_str(), 02755) == 0)
            return copy;
    return {};
}

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_CHILD_PROGRAM_HPP
