// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test cases of this program, run at the same time as the ranks of a program. Linux.
#ifndef GPUPROF_TESTS_SUPPORT_RANK_PROGRAMS_HPP
#define GPUPROF_TESTS_SUPPORT_RANK_PROGRAMS_HPP

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gpuprof/ranks/folder_communicator.hpp>

#include "support/child_program.hpp"

namespace test {

// Runs the test case, which other runs skip, once a rank, and waits for all. Each finds its rank by here_as_rank(). Returns what
// each ended with; `died` for one that a signal ended.
[[nodiscard]] inline std::vector<int> run_as_ranks(char const* test_case, std::string const& folder, std::size_t size,
                                                   variables const& environment = {}) {
    std::string const program = this_program(), selected = std::string{"--test-case="} + test_case;
    std::vector<pid_t> children;
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::string const number = std::to_string(rank), count = std::to_string(size);
        pid_t const child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            for (auto const& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
            ::setenv("GPUPROF_TEST_RANK", number.c_str(), 1);
            ::setenv("GPUPROF_TEST_RANKS", count.c_str(), 1);
            ::setenv("GPUPROF_TEST_FOLDER", folder.c_str(), 1);
            ::alarm(120); // what waits for ever dies
            ::execl(program.c_str(), program.c_str(), selected.c_str(), "--no-skip", "--minimal",
                    static_cast<char const*>(nullptr));
            ::_exit(127);
        }
        children.push_back(child);
    }
    std::vector<int> ended;
    for (pid_t const child : children) {
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        ended.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : died);
    }
    return ended;
}

[[nodiscard]] inline std::string variable_of_rank(char const* name) {
    char const* const value = std::getenv(name);
    REQUIRE(value != nullptr);
    return value;
}
[[nodiscard]] inline gpuprof::ranks::folder_communicator here_as_rank() {
    auto made = gpuprof::ranks::folder_communicator::try_create(variable_of_rank("GPUPROF_TEST_FOLDER") + "/messages",
                                                                std::stoul(variable_of_rank("GPUPROF_TEST_RANK")),
                                                                std::stoul(variable_of_rank("GPUPROF_TEST_RANKS")));
    REQUIRE(made);
    return *std::move(made);
}

// What a rank leaves for the test that started it.
inline void leave(std::string const& name, std::string const& content) {
    std::ofstream{variable_of_rank("GPUPROF_TEST_FOLDER") + "/" + name, std::ios::binary} << content;
}
[[nodiscard]] inline std::string left_in(std::string const& folder, std::string const& name) {
    std::ifstream in{folder + "/" + name, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_RANK_PROGRAMS_HPP
