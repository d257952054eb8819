// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/file.hpp: a file is read whole or not at all, and replaced whole or not at all.
#include <gpuprof/hw/machine/platform/file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "support/scratch_directory.hpp"

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

TEST_CASE("a file written is its owner's alone") {
    scratch_directory const here;
    REQUIRE(platform::write_file(here.path() + "/file", "text"));
    CHECK(std::filesystem::status(here.path() + "/file").permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

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
    // Sparse: the limit ends the reading, not the memory.
    std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
    CHECK_FALSE(platform::read_file(file, 100'000));
}

TEST_CASE("a file that the system makes up is read although its size is said to be 0") {
    if (!std::filesystem::exists("/proc/self/status")) {
        MESSAGE("skipped: this system has no /proc");
        return;
    }
    CHECK(std::filesystem::file_size("/proc/self/status") == 0);
    CHECK(platform::read_file("/proc/self/status").value_or("").find("Name:") == 0);
}

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
