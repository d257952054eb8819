// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scratch_file: what is written is read, no name is left, and what the system refuses is an error. free_memory reads numbers.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#if !defined(_WIN32)
#include <sys/resource.h>
#endif

#include <gpuprof/hw/machine/platform/free_memory.hpp>
#include <gpuprof/hw/machine/platform/scratch_file.hpp>

#include "support/scratch_directory.hpp"

namespace scratch_file_test {

namespace platform = gpuprof::platform;
using platform::scratch_file;

TEST_CASE("scratch_file: what is written at an offset is read there, also after a move") {
    scratch_directory const folder;
    auto made = scratch_file::try_create(folder.path(), 10'000);
    REQUIRE(made.has_value());
    std::vector<unsigned char> bytes(5000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 31);
    CHECK(made->write(5000, bytes.data(), bytes.size()));
    CHECK(made->write(0, bytes.data(), 100));
    scratch_file const moved{*std::move(made)};
    CHECK(moved.is_open());
    std::vector<unsigned char> read(5000);
    CHECK(moved.read(5000, read.data(), read.size()));
    CHECK(read == bytes);
    CHECK(moved.read(50, read.data(), 50));
    CHECK(read[0] == bytes[50]);
    CHECK_FALSE(moved.read(10'000, read.data(), 1)); // behind the end
    CHECK_FALSE(scratch_file{}.is_open());
    CHECK_FALSE(scratch_file{}.write(0, bytes.data(), 1));
}

#if !defined(_WIN32)
TEST_CASE("scratch_file: it has no name while it is open, and does not need its folder any more") {
    auto folder = std::make_unique<scratch_directory>();
    auto made = scratch_file::try_create(folder->path(), 10);
    REQUIRE(made.has_value());
    CHECK(folder->files() == 0);
    folder.reset(); // gone
    unsigned char byte = 7;
    CHECK(made->write(9, &byte, 1));
    byte = 0;
    CHECK(made->read(9, &byte, 1));
    CHECK(byte == 7);
}

TEST_CASE("scratch_file: a file that would be too large is an error before a byte is written") {
    scratch_directory const folder;
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit low = before;
    low.rlim_cur = 1000;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &low) == 0);
    auto const large = scratch_file::try_create(folder.path(), 1001); // a write would end the process
    auto const fits = scratch_file::try_create(folder.path(), 1000);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    REQUIRE_FALSE(large.has_value());
    CHECK(large.error().code == gpuprof::errc::io);
    CHECK(large.error().what.find("1001 bytes") != std::string::npos);
    CHECK(fits.has_value());
    // No disk has an exabyte.
    auto const full = scratch_file::try_create(folder.path(), std::size_t{1} << 60);
    REQUIRE_FALSE(full.has_value());
    CHECK(full.error().status != 0);
}
#endif

TEST_CASE("scratch_file: a folder that is not there, or cannot be written, is an error that names it") {
    scratch_directory const folder;
    for (std::string const& path : {folder.path() + "/not/there", std::string{}, std::string{"/proc"}}) {
        auto const made = scratch_file::try_create(path, 10);
        REQUIRE_FALSE(made.has_value());
        CHECK(made.error().code == gpuprof::errc::io);
        CHECK(made.error().what.find('"' + path + '"') != std::string::npos);
        CHECK(made.error().remedy.find("copy_limits::folder") != std::string::npos);
    }
    CHECK(folder.files() == 0);
}

TEST_CASE("free_memory: numbers of the kernel's files, and more than nothing here") {
    using platform::inner::number_after;
    CHECK(number_after("MemFree:  1 kB\nMemAvailable:   12345 kB\n", "MemAvailable:") == 12345u);
    CHECK(number_after("4096\n", "") == 4096u);
    CHECK_FALSE(number_after("max\n", ""));
    CHECK_FALSE(number_after("MemFree: 1 kB", "MemAvailable:"));
    CHECK(platform::free_memory() > 1'000'000);
}

} // namespace scratch_file_test
