// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/library.hpp: libraries by path, by name and by address are the same library; a file that is none is
// refused in words.
#include <gpuprof/hw/machine/platform/library.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "support/scratch_directory.hpp"

namespace library_test {

namespace platform = gpuprof::platform;

namespace {

// The file of the C library, which every process has.
std::string c_library() { return platform::library_path_at(platform::find_visible_symbol("abort")); }

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

} // namespace

TEST_CASE("the file of the C library is found by an address in it, by its name, and among the mapped ones") {
    std::string const path = c_library();
    REQUIRE(std::filesystem::is_regular_file(path));
    CHECK(platform::find_mapped_library(
              [&path](std::string_view each) { return last_part(each) == last_part(path); }) == path);
    void* const by_path = platform::open_mapped_library(path.c_str());
    REQUIRE(by_path != nullptr);
    CHECK(platform::library_path(by_path) == path);
    auto const by_name = platform::open_library(std::string{last_part(path)});
    CHECK(by_name.handle == by_path);
    CHECK(by_name.refusal.empty());
}

TEST_CASE("a symbol is where the program has it, and a name that nobody has is null") {
    void* const handle = platform::open_mapped_library(c_library().c_str());
    REQUIRE(handle != nullptr);
    CHECK(platform::find_symbol(handle, "abort") != nullptr);
    CHECK(platform::find_symbol(handle, "gpuprof_no_such_symbol") == nullptr);
    CHECK(platform::find_visible_symbol("gpuprof_no_such_symbol") == nullptr);
    REQUIRE(platform::open_program() != nullptr);
    if (!platform::is_windows) // where a program is not asked for what it was linked with
        CHECK(platform::find_symbol(platform::open_program(), "getpid") == platform::find_visible_symbol("getpid"));
}

TEST_CASE("what is not there is not mapped, not found and refused by name") {
    CHECK(platform::open_mapped_library("libgpuprof_no_such.so.1") == nullptr);
    CHECK(platform::find_mapped_library([](std::string_view) { return false; }).empty());
    for (std::string const& name :
         {std::string{"libgpuprof_no_such.so.1"}, std::string{"/nonexistent/libgpuprof.so"}}) {
        auto const opened = platform::open_library(name);
        CHECK(opened.handle == nullptr);
        CHECK(opened.refusal.find(name) != std::string::npos);
    }
}

TEST_CASE("asking for a mapped library maps none, and opening one does") {
    char const* const name = "libanl.so.1"; // comes with glibc, and hardly a program has it
    auto const is_mapped = [name] {
        return !platform::find_mapped_library([name](std::string_view path) {
                    return last_part(path) == name;
                }).empty();
    };
    if (is_mapped()) {
        MESSAGE("skipped: this process has libanl already");
        return;
    }
    CHECK(platform::open_mapped_library(name) == nullptr);
    CHECK_FALSE(is_mapped());
    auto const opened = platform::open_library(name);
    if (opened.handle == nullptr) {
        MESSAGE("skipped: " << opened.refusal);
        return;
    }
    CHECK(is_mapped());
    CHECK(platform::open_mapped_library(name) == opened.handle);
}

TEST_CASE("a file that is no library is refused by the dynamic linker, too") {
    scratch_directory const here;
    std::string const path = here.path() + "/libtext.so";
    std::ofstream{path} << "this is not a library " << std::string(10'000, '.');
    auto const opened = platform::open_library(path);
    CHECK(opened.handle == nullptr);
    CHECK(opened.refusal.find(path) != std::string::npos);
    CHECK(platform::open_mapped_library(path.c_str()) == nullptr);
}

TEST_CASE("an address of this test's stack belongs to no file") {
    int on_the_stack = 0;
    CHECK(platform::library_path_at(&on_the_stack).empty());
}

} // namespace library_test
