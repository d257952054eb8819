// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of a running program as the system keeps it: Linux has fifteen characters of it, Windows all. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_KEPT_NAME_HPP
#define GPUPROF_TESTS_SUPPORT_KEPT_NAME_HPP

#include <cstddef>
#include <string>
#include <string_view>

[[nodiscard]] inline std::string kept_name(std::string_view program) {
#if defined(_WIN32)
    return std::string{program};
#else
    constexpr std::size_t kept_by_linux = 15; // TASK_COMM_LEN with its NUL is 16
    return std::string{program.substr(0, kept_by_linux)};
#endif
}

#endif // GPUPROF_TESTS_SUPPORT_KEPT_NAME_HPP
