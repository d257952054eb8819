// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the examples write to a terminal that can be written anew.
#ifndef GPUPROF_EXAMPLES_TERMINAL_HPP
#define GPUPROF_EXAMPLES_TERMINAL_HPP

#include <cstdlib>
#include <string_view>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

inline bool terminal_rewrites() {
#if defined(_WIN32)
    bool const terminal = ::_isatty(1) != 0;
#else
    bool const terminal = ::isatty(STDOUT_FILENO) == 1;
#endif
    char const* const kind = std::getenv("TERM");
    return terminal && kind != nullptr && std::string_view{kind} != "dumb";
}

#endif // GPUPROF_EXAMPLES_TERMINAL_HPP
