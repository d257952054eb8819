// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the examples write to a terminal that can be written anew.
#ifndef GPUPROF_EXAMPLES_TERMINAL_HPP
#define GPUPROF_EXAMPLES_TERMINAL_HPP

#include <cstdlib>
#include <string_view>

#include <unistd.h>

inline bool terminal_rewrites() {
    char const* const kind = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::string_view{kind} != "dumb";
}

#endif // GPUPROF_EXAMPLES_TERMINAL_HPP
