// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the programs beside this file print and judge.
#ifndef GPUPROF_TESTS_HARDWARE_SASS_METRICS_ROWS_HPP
#define GPUPROF_TESTS_HARDWARE_SASS_METRICS_ROWS_HPP

#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>

#define CHECKED(call)                                                                                                  \
    do {                                                                                                               \
        if (auto const status_ = (call)) std::printf("%s: %d\n", #call, static_cast<int>(status_)), std::exit(3);      \
    } while (false)

inline int failures = 0;
inline void row(std::string const& job, std::string const& what, std::string const& value, bool expected) {
    std::printf("%s | %s | %s | %s\n", job.c_str(), what.c_str(), value.c_str(), expected ? "yes" : "NO");
    failures += expected ? 0 : 1;
}

#endif // GPUPROF_TESTS_HARDWARE_SASS_METRICS_ROWS_HPP
