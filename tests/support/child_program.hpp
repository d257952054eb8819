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

#include "support/system.hpp"

#if defined(_WIN32)
#include <gpuprof/hw/machine/platform/environment.hpp>
#endif
#if __has_include("gpuprof_test_emulator.hpp")
#include "gpuprof_test_emulator.hpp"
#else
#define GPUPROF_TEST_EMULATOR
#endif

namespace test {

using variables = std::vector<std::pair<std::string, std::string>>;

inline constexpr int died = -1;

// What the test case, which other runs skip, ends its program with by std::_Exit or std::exit; `died` if a signal ended it.
[[nodiscard]] inline int run_test_case(char const* name, variables const& environment,
                                       std::string const& program = this_program()) {
    std::string const selected = std::string{"--test-case="} + name;
#if defined(_WIN32)
    // The child gets this program's variables: they are put back.
    variables before;
    std::vector<std::string> unset;
    for (auto const& [variable, value] : environment) {
        if (auto known = gpuprof::platform::variable(variable.c_str())) before.emplace_back(variable, *known);
        else unset.push_back(variable);
        ::setenv(variable.c_str(), value.c_str(), 1);
    }
    std::string const quoted_program = '"' + program + '"', quoted_selected = '"' + selected + '"';
    auto const status = ::_spawnl(_P_WAIT, program.c_str(), quoted_program.c_str(), quoted_selected.c_str(),
                                  "--no-skip", static_cast<char const*>(nullptr));
    for (auto const& [variable, value] : before) ::setenv(variable.c_str(), value.c_str(), 1);
    for (std::string const& variable : unset) ::unsetenv(variable.c_str());
    constexpr long long least_failure = 0xc000'0000; // by an exception of the system
    return status >= least_failure || status < 0 ? died : static_cast<int>(status);
#else
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        for (auto const& [variable, value] : environment) ::setenv(variable.c_str(), value.c_str(), 1);
        ::alarm(60);                                               // what waits for ever dies
        std::vector<char const*> arguments{GPUPROF_TEST_EMULATOR}; // where this processor cannot run it
        for (char const* const each : {program.c_str(), selected.c_str(), "--no-skip"}) arguments.push_back(each);
        arguments.push_back(nullptr);
        ::execvp(arguments[0], const_cast<char**>(arguments.data()));
        ::_exit(127);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : died;
#endif
}

#if !defined(_WIN32)

// A copy of this program that the system starts with rights its caller lacks: those of another user if this one is root, else
// those of another group of this user. Empty where a test cannot make one.
[[nodiscard]] inline std::string copy_with_more_rights(std::string const& directory) {
    std::string const copy = directory + "/with_more_rights";
    std::filesystem::copy_file(this_program(), copy);
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
#endif

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_CHILD_PROGRAM_HPP
