// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "start.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include <filesystem>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gpuprof/hw/machine/platform/environment.hpp>

#include "arguments.hpp"
#include "libraries.hpp"

namespace gpuprof::command {
namespace {

constexpr int cannot_run = 126;
constexpr int not_found = 127;

bool is_file(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}
bool is_runnable(std::string const& path) { return is_file(path) && ::access(path.c_str(), X_OK) == 0; }

bool is_in_path(std::string const& program) {
    std::string const path = platform::variable_or_empty("PATH");
    for (std::string_view const folder : list_parts(path, ':'))
        if (is_runnable(std::string{folder} + '/' + program)) return true;
    return false;
}

void redirect(int stream, int flags) {
    int const nothing = ::open("/dev/null", flags);
    if (nothing < 0) return;
    ::dup2(nothing, stream);
    ::close(nothing);
}

} // namespace

void check_program(std::vector<std::string> const& words, std::string_view command) {
    if (words.empty()) refuse("name the program: gpuprof " + std::string{command} + " -- PROGRAM [ARGUMENTS]");
    std::string const& program = words.front();
    bool const exists = ::access(program.c_str(), F_OK) == 0;
    if (program.find('/') == program.npos) {
        if (is_in_path(program)) return;
        if (exists) refuse(not_found, program + " is not in PATH; to run the one in this folder: ./" + program);
    } else if (exists) {
        if (is_runnable(program)) return;
        refuse(cannot_run, program + " is no program that can be run; a .cu file is built by nvcc -cudart shared "
                                     "-arch=compute_80");
    }
    refuse(not_found, "there is no program " + program);
}

void set_variable(char const* name, std::string const& value) { ::setenv(name, value.c_str(), 1); }
void unset_variable(char const* name) { ::unsetenv(name); }

void set_embedded(std::string const& chip) {
    if (!chip.empty()) set_variable("GPUPROF_CHIP", chip);
    set_variable("GPUPROF_KERNEL_PROGRESS", "show");
    unset_variable("GPUPROF_DEVICE"); // a profiler in the program opens the devices that there are
    std::string const others = platform::variable_or_empty("LD_LIBRARY_PATH"), folder = embedded_libraries();
    set_variable("LD_LIBRARY_PATH", folder + (others.empty() ? "" : ':' + others));
    // Triton asks for its driver and its assembler by these.
    set_variable("TRITON_LIBCUDA_PATH", folder);
    set_variable("TRITON_PTXAS_PATH", folder + "/ptxas");
    set_variable("TRITON_PTXAS_BLACKWELL_PATH", folder + "/ptxas");
}

void start(std::vector<std::string> const& words) {
    std::vector<char*> list;
    for (std::string const& word : words) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    std::fflush(nullptr);
    ::execvp(list.front(), list.data());
    int const why = errno;
    refuse(why == ENOENT ? not_found : cannot_run, words.front() + " cannot be run: " + std::strerror(why));
}

namespace {

// Until it has ended. @return what waitpid() says
int wait_for(pid_t child, std::string const& program, std::function<bool()> const& must_end) {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds pause{20}, between_questions{200};
    constexpr std::chrono::seconds time_to_end{2}; // after SIGTERM
    auto next = clock::now() + between_questions;
    bool is_asked_to_end = false;
    for (int status = 0;;) {
        pid_t const ended = ::waitpid(child, &status, must_end ? WNOHANG : 0);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) refuse(cannot_run, program + " was lost: " + std::strerror(errno));
        if (!must_end) continue;
        if (clock::now() >= next && (is_asked_to_end || must_end())) {
            ::kill(child, is_asked_to_end ? SIGKILL : SIGTERM);
            is_asked_to_end = true;
            next = clock::now() + time_to_end;
        } else if (clock::now() >= next) {
            next = clock::now() + between_questions;
        }
        std::this_thread::sleep_for(pause);
    }
}

} // namespace

int run_to_end(std::vector<std::string> const& words, std::function<bool()> const& must_end,
               std::optional<long> again) {
    // A terminal's interrupt is for the program, as in a shell.
    struct sigaction ignore {
    }, interrupt{}, quit{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &interrupt);
    ::sigaction(SIGQUIT, &ignore, &quit);
    std::fflush(nullptr);
    pid_t const child = ::fork();
    if (child < 0) refuse(cannot_run, words.front() + " cannot be run: " + std::strerror(errno));
    if (child == 0) {
        ::sigaction(SIGINT, &interrupt, nullptr);
        ::sigaction(SIGQUIT, &quit, nullptr);
        if (again) {
            redirect(STDOUT_FILENO, O_WRONLY);
            if (*again < 0) redirect(STDIN_FILENO, O_RDONLY);
            else ::lseek(STDIN_FILENO, *again, SEEK_SET);
        }
        start(words);
    }
    int const status = wait_for(child, words.front(), must_end);
    ::sigaction(SIGINT, &interrupt, nullptr);
    ::sigaction(SIGQUIT, &quit, nullptr);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string absolute(std::string const& path) {
    std::error_code failed;
    auto const found = std::filesystem::absolute(path, failed);
    return failed ? path : found.string();
}

void empty_file(std::string const& path) {
    int const file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) refuse(path + " cannot be written: " + std::strerror(errno));
    ::close(file);
}

std::string pattern_here(std::string const& file) {
    if (file.starts_with('/')) return file;
    std::string path;
    for (char const c : absolute(".").substr(0, absolute(".").size() - 1)) path += c == '%' ? "%%" : std::string(1, c);
    return path + file;
}

} // namespace gpuprof::command
