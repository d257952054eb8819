// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terminal that a program's messages go to. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_TERMINAL_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_TERMINAL_HPP

#include <cerrno>      // EINTR
#include <string>      // the kind of terminal
#include <string_view> // text

#include <unistd.h> // isatty, write

#include "../../../detail/config.hpp"
#include "environment.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Whether standard error is a terminal on which a line can be written anew: a terminal, and not TERM=dumb.
GPUPROF_LAZY [[nodiscard]] bool error_stream_rewrites_lines() {
    return ::isatty(STDERR_FILENO) == 1 && variable_or_empty("TERM") != "dumb";
}

// Writes to standard error, past the buffers of the language. What cannot be written is dropped.
inline void write_to_error_stream(std::string_view text) noexcept {
    while (!text.empty()) {
        auto const count = ::write(STDERR_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_TERMINAL_HPP
