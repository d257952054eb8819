// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A directory of a test case's own, gone with all that is in it when the case ends.
#ifndef GPUPROF_TESTS_SUPPORT_SCRATCH_DIRECTORY_HPP
#define GPUPROF_TESTS_SUPPORT_SCRATCH_DIRECTORY_HPP

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

#include <doctest/doctest.h>

#include "support/system.hpp"

class scratch_directory {
public:
    scratch_directory() {
        path_ = new_directory("gpuprof-test-");
        REQUIRE_FALSE(path_.empty());
    }
    ~scratch_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_directory(scratch_directory const&) = delete;
    scratch_directory& operator=(scratch_directory const&) = delete;
    [[nodiscard]] std::string const& path() const { return path_; }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{path_}, {}));
    }

private:
    std::string path_;
};

#endif // GPUPROF_TESTS_SUPPORT_SCRATCH_DIRECTORY_HPP
