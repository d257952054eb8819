// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// result.hpp as a program without exceptions sees it, linked beside the same header with them: the namespace's ABI tag
// keeps the two apart.
#define GPUPROF_EXCEPTIONS 0
#undef GPUPROF_HEADER_ONLY // the compiled library is one with exceptions
#include <gpuprof/core/result.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <type_traits>

#include "support/system.hpp"

namespace result_noexcept_test {

namespace {

using gpuprof::errc;
using gpuprof::result;

#if !defined(_WIN32)
// How a child process that runs `body` ends, and what it says on standard error.
template <class F>
std::string last_words(F body, int& signal) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL); // not the test framework's
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char part[256];
    for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return text;
}
#endif

} // namespace

static_assert(std::is_same_v<gpuprof::errc, gpuprof::GPUPROF_ABI_NAMESPACE::errc>);

TEST_CASE("without exceptions a result is read the same way") {
    result<int> const value{42};
    CHECK(value.value() == 42);
    result<int> const bad{gpuprof::error{errc::io, 0, "a file", {}, {}}};
    CHECK_FALSE(bad);
    CHECK(bad.error().message() == "io: a file");
    CHECK(bad.value_or(7) == 7);
}

#if !defined(_WIN32)
TEST_CASE("without exceptions reading the value of an error says what it was and stops the program") {
    int signal = 0;
    std::string const said = last_words(
        [] {
            static_cast<void>(result<int>{gpuprof::error{errc::busy, 0, "the counters", {}, "wait"}}.value());
        },
        signal);
    CHECK(signal == SIGABRT);
    CHECK(said.substr(0, said.find('\n') + 1) ==
          "gpuprof: busy: the counters; remedy: wait\n"); // an emulator adds its own;
    CHECK(last_words([] { result<void>{}.value(); }, signal).empty());
    CHECK(signal == 0);
}
#endif

} // namespace result_noexcept_test
