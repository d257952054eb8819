// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program and reads what it prints.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_CHILD_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_CHILD_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../../detail/config.hpp"
#include "clock.hpp"
#include "file.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ; // NOLINT(readability-redundant-declaration): only some systems declare it
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// What a program prints on its standard output; nothing if it cannot be started, fails, or takes longer than `most_seconds` (then
// it is killed) or prints more than `limit` bytes. Its input is empty, and what it says on its standard error is dropped.
// @param command the program, looked up in PATH, and its arguments. Waits for this program alone. LD_PRELOAD is not handed
// on: what it names may be meant for this process only. Windows: nothing.
#if GPUPROF_WINDOWS
[[nodiscard]] inline std::optional<std::string> output_of(std::vector<std::string> const&, unsigned, std::size_t) {
    return {};
}
#else
[[nodiscard]] inline std::optional<std::string> output_of(std::vector<std::string> const& command,
                                                          unsigned most_seconds, std::size_t limit) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    file_descriptor const out{ends[0]};
    file_descriptor in{ends[1]};
    ::posix_spawn_file_actions_t actions;
    if (::posix_spawn_file_actions_init(&actions) != 0) return {};
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string const& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    std::vector<char*> variables;
    for (char** each = ::environ; each != nullptr && *each != nullptr; ++each)
        if (std::strncmp(*each, "LD_PRELOAD=", 11) != 0) variables.push_back(*each);
    variables.push_back(nullptr);
    ::pid_t process = -1;
    bool const started =
        ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1) == 0 &&
        ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
        ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), variables.data()) == 0;
    ::posix_spawn_file_actions_destroy(&actions);
    static_cast<void>(in.close()); // so that the output ends when the program does
    if (!started) return {};

    std::uint64_t const end = monotonic_nanoseconds() + std::uint64_t{most_seconds} * 1'000'000'000;
    std::string text;
    bool whole = false;
    char part[4096];
    while (text.size() <= limit) {
        std::uint64_t const now = monotonic_nanoseconds();
        if (now >= end) break;
        ::pollfd waiting{out.descriptor(), POLLIN, 0};
        int const ready = ::poll(&waiting, 1, static_cast<int>((end - now) / 1'000'000 + 1));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) break;
        long const count = out.read(part, sizeof part);
        whole = count == 0;
        if (count <= 0) break;
        text.append(part, static_cast<std::size_t>(count));
    }
    if (!whole) ::kill(process, SIGKILL);
    int status = 0;
    ::pid_t ended = 0;
    do ended = ::waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    // Where the program ignores SIGCHLD, nobody can tell how it ended.
    bool const well = ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (!whole || !well) return {};
    return text;
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_CHILD_HPP
