// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a program's messages to its terminal.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_TERMINAL_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_TERMINAL_HPP

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "environment.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
namespace inner {
[[nodiscard]] inline void* error_stream() noexcept { return ::GetStdHandle(static_cast<unsigned long>(-12)); }
} // namespace inner

// Whether it is a console; other terminals look like pipes. Enables the console's escape sequences
// (Windows 10).
[[nodiscard]] inline bool error_stream_rewrites_lines() {
    constexpr unsigned long understands_sequences = 4;
    void* const stream = inner::error_stream();
    unsigned long mode = 0;
    return ::GetConsoleMode(stream, &mode) != 0 && variable_or_empty("TERM") != "dumb" &&
           ((mode & understands_sequences) != 0 || ::SetConsoleMode(stream, mode | understands_sequences) != 0);
}

inline void write_to_error_stream(std::string_view text) noexcept {
    while (!text.empty()) {
        constexpr std::size_t most = std::size_t{1} << 20;
        unsigned long const part = static_cast<unsigned long>(text.size() < most ? text.size() : most);
        unsigned long count = 0;
        if (::WriteFile(inner::error_stream(), text.data(), part, &count, nullptr) == 0 || count == 0) return;
        text.remove_prefix(count);
    }
}
#else
// Whether standard error is a terminal whose lines can be rewritten, so not TERM=dumb.
[[nodiscard]] inline bool error_stream_rewrites_lines() {
    return ::isatty(STDERR_FILENO) == 1 && variable_or_empty("TERM") != "dumb";
}

// Writes to standard error, past the buffers of the C++ streams. Drops what cannot be written.
inline void write_to_error_stream(std::string_view text) noexcept {
    while (!text.empty()) {
        auto const count = ::write(STDERR_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_TERMINAL_HPP
