// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/file.hpp: a file is read whole or not at all, and replaced whole or not at all.
#include <gpuprof/hw/machine/platform/file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include <csignal>

#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#endif

#include "support/scratch_directory.hpp"
#include "support/system.hpp"

namespace file_test {

namespace platform = gpuprof::platform;

TEST_CASE("what is written is read back, whatever bytes it has and however long it is") {
    scratch_directory const here;
    std::string const file = here.path() + "/file";
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
    for (std::string const& content : {std::string{}, std::string{"\0", 1}, std::string{"line\r\nline\n"}, every_byte,
                                       std::string(4096, 'a'), std::string(4097, 'b'), std::string(1'000'000, 'c')}) {
        CAPTURE(content.size());
        REQUIRE(platform::write_file(file, content));
        std::optional<std::string> const read = platform::read_file(file);
        REQUIRE(read);
        CHECK(*read == content); // in place of what was there
        CHECK(here.files() == 1);
    }
}

#if !defined(_WIN32)
TEST_CASE("a file written has the mode that the umask gives, or that of the file before, or is its owner's alone") {
    scratch_directory const here;
    auto const mode_of = [](std::string const& file) {
        return static_cast<unsigned>(std::filesystem::status(file).permissions());
    };
    std::string const file = here.path() + "/file", secret = here.path() + "/secret";
    ::mode_t const before = ::umask(027);
    REQUIRE(platform::write_file(file, "text"));
    ::umask(before);
    CHECK(mode_of(file) == 0640);
    std::filesystem::permissions(file, std::filesystem::perms{0604});
    REQUIRE(platform::write_file(file, "more"));
    CHECK(mode_of(file) == 0604);
    REQUIRE(platform::write_file(secret, "text", platform::file_readers::this_user));
    CHECK(mode_of(secret) == 0600);
}

TEST_CASE("a link stays, and the file that it names is written") {
    scratch_directory const here;
    REQUIRE(platform::write_file(here.path() + "/file", "text"));
    std::filesystem::create_symlink("file", here.path() + "/link");
    REQUIRE(platform::write_file(here.path() + "/link", "more"));
    CHECK(std::filesystem::is_symlink(here.path() + "/link"));
    CHECK(platform::read_file(here.path() + "/file") == "more");
    CHECK(here.files() == 2);
}

TEST_CASE("anything that bears a name is there, a link to nothing included") {
    scratch_directory const here;
    CHECK_FALSE(platform::is_there(here.path() + "/file"));
    CHECK_FALSE(platform::is_there(here.path() + "/no/file"));
    std::filesystem::create_symlink("nothing", here.path() + "/link");
    CHECK(platform::is_there(here.path() + "/link"));
    CHECK(platform::is_there(here.path()));
}
#endif

TEST_CASE("a file of more bytes than the limit is not read, one of exactly as many is") {
    scratch_directory const here;
    std::string const file = here.path() + "/file";
    for (std::size_t const size : {std::size_t{1}, std::size_t{4095}, std::size_t{4096}, std::size_t{8192}}) {
        CAPTURE(size);
        REQUIRE(platform::write_file(file, std::string(size, 'x')));
        CHECK(platform::read_file(file, size) == std::string(size, 'x'));
        CHECK(platform::read_file(file, size + 1) == std::string(size, 'x'));
        CHECK_FALSE(platform::read_file(file, size - 1));
    }
    REQUIRE(platform::write_file(file, ""));
    CHECK(platform::read_file(file, 0) == std::string{});
    if (platform::is_windows) return; // its files are not sparse unless they are told to be
    // Sparse: the limit ends the reading, not the memory.
    std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
    CHECK_FALSE(platform::read_file(file, 100'000));
}

#if !defined(_WIN32)
TEST_CASE("a file that the system makes up is read although its size is said to be 0") {
    if (!std::filesystem::exists("/proc/self/status")) {
        MESSAGE("skipped: this system has no /proc");
        return;
    }
    CHECK(std::filesystem::file_size("/proc/self/status") == 0);
    CHECK(platform::read_file("/proc/self/status").value_or("").find("Name:") == 0);
}
#endif

TEST_CASE("there is nothing to read where there is no file") {
    scratch_directory const here;
    CHECK_FALSE(platform::read_file(here.path() + "/none"));
    CHECK_FALSE(platform::read_file(here.path() + "/no/such"));
    CHECK_FALSE(platform::read_file(""));
    CHECK_FALSE(platform::read_file(here.path() + '/' + std::string(10'000, 'f')));
    CHECK(platform::read_file(here.path()).value_or("").empty()); // a directory
}

TEST_CASE("what cannot be written leaves nothing behind, and what was there as it was") {
    scratch_directory const here;
    CHECK_FALSE(platform::write_file(here.path() + "/no/such", "text")); // a missing directory
    CHECK_FALSE(platform::write_file("/proc/gpuprof", "text"));
    CHECK_FALSE(platform::write_file(here.path() + '/' + std::string(10'000, 'f'), "text"));
    CHECK(here.files() == 0);
    std::filesystem::create_directory(here.path() + "/directory");
    CHECK_FALSE(platform::write_file(here.path() + "/directory", "text")); // nothing is renamed over a directory
    CHECK(std::filesystem::is_directory(here.path() + "/directory"));
    CHECK(here.files() == 1);
}

TEST_CASE("a removed file is gone, and one that is not there cannot be removed") {
    scratch_directory const here;
    std::string const file = here.path() + "/file";
    REQUIRE(platform::write_file(file, "text"));
    CHECK(platform::remove_file(file));
    CHECK_FALSE(platform::read_file(file));
    CHECK_FALSE(platform::remove_file(file));
}

#if !defined(_WIN32)
TEST_CASE("a pipe in the place of a file is not waited for") {
    scratch_directory const here;
    std::string const pipe = here.path() + "/pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::alarm(10); // ends a process that waits
        _exit(platform::read_file(pipe) ? 1 : 0);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    REQUIRE(platform::write_file(pipe, "text")); // which takes its place
    CHECK(platform::read_file(pipe) == std::string{"text"});
}
#endif

#if !defined(_WIN32)
TEST_CASE("of this user's files none is read that another could have written") {
    scratch_directory const here;
    std::string const file = here.path() + "/file";
    auto const own = [](std::string const& path) {
        return platform::read_file(path, 100, platform::file_owner::this_user).has_value();
    };
    REQUIRE(platform::write_file(file, "text"));
    CHECK(own(file));
    for (mode_t const writable : {0620u, 0602u, 0666u}) {
        REQUIRE(::chmod(file.c_str(), writable) == 0);
        CHECK_FALSE(own(file));
        CHECK(platform::read_file(file));
    }
    REQUIRE(::chmod(file.c_str(), 0644) == 0);
    CHECK(own(file));
    std::filesystem::create_symlink(file, here.path() + "/link");
    CHECK_FALSE(own(here.path() + "/link"));
    CHECK(platform::read_file(here.path() + "/link") == std::string{"text"});
    CHECK_FALSE(own(here.path()));
    if (::geteuid() != 0) return; // only root can give a file away
    REQUIRE(::chown(file.c_str(), 65534, 65534) == 0);
    CHECK_FALSE(own(file));
    CHECK(platform::read_file(file));
}
#endif

#if !defined(_WIN32)
TEST_CASE("a file larger than the process may write is not begun, and the process lives") {
    scratch_directory const here;
    std::string const file = here.path() + "/file";
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        rlimit const room{4096, 4096};
        if (::setrlimit(RLIMIT_FSIZE, &room) != 0) _exit(2);
        bool const refused = !platform::write_file(file, std::string(4097, 'x'));
        _exit(refused && platform::write_file(file, std::string(4096, 'y')) ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0); // not SIGXFSZ
    CHECK(here.files() == 1);
    CHECK(platform::read_file(file) == std::string(4096, 'y'));
}
#endif

#if !defined(_WIN32)
TEST_CASE("a file is read and written while signals come") {
    scratch_directory const here;
    std::string const file = here.path() + "/file";
    struct sigaction quiet = {}, before = {};
    quiet.sa_handler = [](int) {}; // without SA_RESTART
    REQUIRE(::sigaction(SIGALRM, &quiet, &before) == 0);
    itimerval const often{{0, 100}, {0, 100}};
    REQUIRE(::setitimer(ITIMER_REAL, &often, nullptr) == 0);
    std::string const content(5'000'000, 'z');
    for (int i = 0; i < 5; ++i) {
        CHECK(platform::write_file(file, content));
        CHECK(platform::read_file(file) == content);
    }
    itimerval const never{};
    CHECK(::setitimer(ITIMER_REAL, &never, nullptr) == 0);
    CHECK(::sigaction(SIGALRM, &before, nullptr) == 0);
}
#endif

} // namespace file_test
