// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/file_sink.hpp: what a file that cannot be written says.
#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include <sys/stat.h>
#if !defined(_WIN32)
#include <sys/resource.h>
#endif

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/trace_event.hpp>

#include "support/scratch_directory.hpp"

namespace file_sink_test {

using gpuprof::errc;
using gpuprof::io::file_sink;

namespace {

#if !defined(_WIN32)
bool has_full_device() {
    struct stat info = {};
    return ::stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode);
}
#endif

} // namespace

#if !defined(_WIN32)
TEST_CASE("a full disk is a typed error, and a destructor stays silent") {
    if (!has_full_device()) {
        MESSAGE("skipped: there is no /dev/full here");
        return;
    }
    auto file = file_sink::try_open("/dev/full");
    REQUIRE(file.has_value());
    gpuprof::io::trace_event_writer trace{file->sink()};
    gpuprof::activity::kernel kernel;
    kernel.time = {{1000}, {2000}};
    for (int i = 0; i < 10000; ++i) trace.write(kernel); // more than a buffer
    auto const done = trace.finish();
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().code == errc::io);
    CHECK(done.error().status == ENOSPC);
    CHECK(done.error().what == "write /dev/full");
    CHECK_FALSE(done.error().cause.empty());
    CHECK_FALSE(done.error().remedy.empty());
    auto const again = trace.flush();
    REQUIRE_FALSE(again.has_value());
    CHECK(again.error().status == ENOSPC);
}
#endif

#if !defined(_WIN32)
TEST_CASE("a file that has no room for a block ends after the one before") {
    // A limit of the process stands for a disk that has room for the block, and not for what makes the file complete.
    struct file_limit {
        rlimit before{};
        explicit file_limit(rlim_t bytes) {
            REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
            rlimit const less{bytes, before.rlim_max};
            REQUIRE(::setrlimit(RLIMIT_FSIZE, &less) == 0);
        }
        ~file_limit() { static_cast<void>(::setrlimit(RLIMIT_FSIZE, &before)); }
    };
    scratch_directory const directory;
    std::string const path = directory.path() + "/text";
    auto file = file_sink::try_open(path);
    REQUIRE(file.has_value());
    auto const sink = file->sink();
    REQUIRE(sink.put(sink.to, "one\n", "]\n").has_value());
    REQUIRE(sink.put(sink.to, "two\n", "]\n").has_value());
    {
        file_limit const limit{14}; // of 16
        auto const refused = sink.put(sink.to, "three\n", "]\n");
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().status == EFBIG);
    }
    CHECK(gpuprof::platform::read_file(path).value_or(std::string{}) == "one\ntwo\n]\n");
}
#endif

TEST_CASE("a file that cannot be made is a typed error") {
    auto const file = file_sink::try_open("/nonexistent/trace.json");
    REQUIRE_FALSE(file.has_value());
    CHECK(file.error().code == errc::io);
#if defined(_WIN32)
    constexpr int no_such_folder = 3; // ERROR_PATH_NOT_FOUND
#else
    constexpr int no_such_folder = ENOENT;
#endif
    CHECK(file.error().status == no_such_folder);
    CHECK(file.error().what == "open /nonexistent/trace.json");
}

TEST_CASE("a file sink overwrites what ended the file before") {
    scratch_directory const directory;
    std::string const path = directory.path() + "/text";
    auto file = file_sink::try_open(path);
    REQUIRE(file.has_value());
    auto const sink = file->sink();
    auto const content = [&] { return gpuprof::platform::read_file(path).value_or(std::string{}); };
    REQUIRE(sink.put(sink.to, "one", "]").has_value());
    CHECK(content() == "one]");
    REQUIRE(sink.put(sink.to, " two", "]").has_value());
    CHECK(content() == "one two]");
    REQUIRE(sink.put(sink.to, "]", {}).has_value());
    CHECK(content() == "one two]");
    REQUIRE(file->close().has_value());
    CHECK_FALSE(sink.put(sink.to, "more", {}).has_value());
}

} // namespace file_sink_test
