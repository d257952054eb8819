// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/progress.hpp: what is written, how often, and that nothing is where there is no terminal.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#if !defined(_WIN32)
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#endif

#include <gpuprof/io/progress.hpp>

namespace progress_test {

using gpuprof::io::progress;

namespace {

std::string written;
void keep(std::string_view text) noexcept { written += text; }

constexpr std::uint64_t second = 1'000'000'000;

#if !defined(_WIN32)
// Standard error is another file for a block.
class redirected_errors {
public:
    explicit redirected_errors(int to) : kept_{::dup(2)} { ::dup2(to, 2); }
    ~redirected_errors() {
        ::dup2(kept_, 2);
        ::close(kept_);
    }

private:
    int kept_;
};

// What a terminal got while `body` ran; nothing if the system has no pseudo-terminals.
template <class F>
std::string on_terminal(char const* kind, F body) {
    int const terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return "no terminal";
    int const line = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
    if (line < 0) return "no terminal";
    char const* const before = std::getenv("TERM");
    std::string const kept = before != nullptr ? before : "";
    ::setenv("TERM", kind, 1);
    {
        redirected_errors const errors{line};
        body();
    }
    if (before != nullptr) ::setenv("TERM", kept.c_str(), 1);
    else ::unsetenv("TERM");
    std::string shown;
    char text[256];
    for (int tries = 0; tries < 20; ++tries) { // a terminal gives what it got in parts, a little later
        auto const count = ::read(terminal, text, sizeof text);
        if (count > 0) shown.append(text, static_cast<std::size_t>(count));
        else ::usleep(5000);
    }
    ::close(line);
    ::close(terminal);
    return shown;
}
#endif

} // namespace

TEST_CASE("progress is one line, written again and removed at the end") {
    written.clear();
    {
        progress line{"profiling", "passes", true, &keep};
        line.show(0, 12, 5 * second);
        CHECK(written == "\rprofiling: 0 of 12 passes\x1b[K");
        written.clear();
        line.show(3, 12, 6 * second);
        CHECK(written == "\rprofiling: 3 of 12 passes\x1b[K");
        written.clear();
        line.show(4, 0, 7 * second);
        CHECK(written == "\rprofiling: 4 passes\x1b[K");
        written.clear();
    }
    CHECK(written == "\r\x1b[K");
}

TEST_CASE("progress says after two seconds how long the rest takes, if it goes on as fast") {
    written.clear();
    progress line{"profiling", "passes", true, &keep};
    line.show(0, 12, 5 * second);
    line.show(1, 12, 6 * second);
    CHECK_FALSE(written.find("left") != written.npos);
    written.clear();
    line.show(3, 12, 8 * second); // a pass a second
    CHECK(written == "\rprofiling: 3 of 12 passes, 9 s left\x1b[K");
    written.clear();
    line.show(12, 12, 20 * second);
    line.show(0, 12, 21 * second); // other work
    line.show(1, 12, 22 * second);
    CHECK_FALSE(written.find("left") != written.npos);
}

TEST_CASE("progress is written ten times a second at most") {
    written.clear();
    progress line{"p", "passes", true, &keep};
    for (std::uint64_t i = 0; i < 1000; ++i) line.show(i, 1000, 10 * second + i * second / 1000);
    std::size_t lines = 0;
    for (char const c : written) lines += c == '\r';
    CHECK(lines == 10);
}

TEST_CASE("progress goes when all is done, so that what is printed next begins a line") {
    written.clear();
    progress line{"profiling", "passes", true, &keep};
    line.show(2, 3, 5 * second);
    written.clear();
    line.show(3, 3, 5 * second + 1); // at once, however short ago a line was written
    CHECK(written == "\r\x1b[K");
    line.show(3, 3, 6 * second);
    CHECK(written == "\r\x1b[K"); // once
    line.show(1, 3, 7 * second);  // of another loop
    CHECK(written == "\r\x1b[K\rprofiling: 1 of 3 passes\x1b[K");
}

TEST_CASE("progress that is not shown writes nothing, not even at its end") {
    written.clear();
    {
        progress line{"p", "passes", false, &keep};
        line.show(1, 2);
        line.show(2, 2, second);
        line.clear();
    }
    CHECK(written.empty());
}

TEST_CASE("progress tells what passes a profiler has done") {
    written.clear();
    progress line{"p", "passes", true, &keep};
    auto const listener = line.of_passes();
    listener.tell(listener.to, 2, 7);
    CHECK(written == "\rp: 2 of 7 passes\x1b[K");
}

#if !defined(_WIN32)
TEST_CASE("progress is shown on a terminal, and not on a dumb one or in a file") {
    auto const shows = [] {
        progress line{"p"};
        line.show(1, 2);
    };
    std::string const shown = on_terminal("xterm", shows);
    if (shown == "no terminal") {
        MESSAGE("skipped: there are no pseudo-terminals here");
        return;
    }
    CHECK(shown == "\rp: 1 of 2 passes\x1b[K\r\x1b[K");
    CHECK(on_terminal("dumb", shows).empty());

    int ends[2] = {};
    REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
    {
        redirected_errors const errors{ends[1]};
        shows();
    }
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == -1); // the pipe is empty
    ::close(ends[0]);
    ::close(ends[1]);
}
#endif

TEST_CASE("progress: what restoring memory costs, in words and at the end of the line") {
    using gpuprof::io::restore_text;
    CHECK(restore_text({}).empty());
    CHECK(restore_text({4096, 0, 0, 0, 0.003}) == "restores 4.1 kB a pass, less than 0.1 ms");
    CHECK(restore_text({999, 0, 0, 0, 0.09}) == "restores 999 bytes a pass, less than 0.1 ms");
    CHECK(restore_text({300'000'000, 900'000'000, 0, 0, 80.4}) ==
          "restores 1.2 GB a pass, 900 MB of it from the host, about 80 ms");
    CHECK(restore_text({0, 0, 2'000'000, 0, 2}) == "restores 2.0 MB a pass, 2.0 MB of it from a file, about 2.0 ms");

    written.clear();
    progress line{"profiling", "passes", true, &keep};
    auto const listener = line.of_restores();
    listener.tell(listener.to, {0, 0, 2'000'000, 0, 2});
    CHECK(written.empty()); // with the next line
    line.show(1, 3, second);
    CHECK(written ==
          "\rprofiling: 1 of 3 passes; restores 2.0 MB a pass, 2.0 MB of it from a file, about 2.0 ms\x1b[K");
    written.clear();
    progress hidden{"profiling", "passes", false, &keep};
    hidden.show(gpuprof::restore_cost{0, 0, 2'000'000, 0, 2});
    hidden.show(1, 3, second);
    CHECK(written.empty());
}

} // namespace progress_test
