// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/soname.hpp: the file that the dynamic linker would take for a name is found before the linker maps it.
#if !defined(_WIN32)
#include <gpuprof/hw/machine/platform/soname.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/child_program.hpp"
#include "support/scratch_directory.hpp"

namespace soname_test {

namespace platform = gpuprof::platform;

namespace {

std::string c_library() { return platform::library_path_at(platform::find_visible_symbol("gnu_get_libc_version")); }

// An ld.so.cache of these sonames and paths, as glibc writes it (its header dl-cache.h).
std::string cache_of(std::vector<std::pair<std::string, std::string>> const& libraries) {
    std::string const begin = "glibc-ld.so.cache1.1";
    auto const number = [](std::size_t value) {
        auto const small = static_cast<std::uint32_t>(value);
        return std::string{reinterpret_cast<char const*>(&small), 4};
    };
    std::size_t at = 48 + libraries.size() * 24;
    std::string entries, strings;
    for (auto const& [soname, path] : libraries) {
        entries += number(0x303) + number(at) + number(at + soname.size() + 1) + std::string(12, '\0');
        strings += soname + '\0' + path + '\0';
        at += soname.size() + path.size() + 2;
    }
    return begin + number(libraries.size()) + number(strings.size()) + std::string(20, '\0') + entries + strings;
}

} // namespace

TEST_CASE("the linker's cache gives the files of a soname, in its order") {
    std::string const cache = cache_of(
        {{"libcuda.so.1", "/a/libcuda.so.1"}, {"libcuda.so", "/a/libcuda.so"}, {"libcuda.so.1", "/b/libcuda.so.1"}});
    CHECK(platform::cached_libraries("libcuda.so.1", cache) ==
          std::vector<std::string>{"/a/libcuda.so.1", "/b/libcuda.so.1"});
    CHECK(platform::cached_libraries("libcupti.so", cache).empty());
    for (std::size_t length = 0; length < cache.size(); ++length) // nothing is read over the end
        CHECK(platform::cached_libraries("libcuda.so.1", cache.substr(0, length)).size() <= 2);
    std::string many = cache;
    many[20] = many[21] = many[22] = many[23] = '\xff';
    CHECK(platform::cached_libraries("libcuda.so.1", many).size() <= 2);
    CHECK(platform::cached_libraries("libcuda.so.1", "glibc-ld.so.cache1.0" + cache.substr(20)).empty());
}

TEST_CASE("the file of a library that every program has is found by its soname") {
    std::string const found = platform::library_file_of("libc.so.6");
    CAPTURE(found);
    REQUIRE(std::filesystem::exists(found));
    CHECK(std::filesystem::equivalent(found, c_library()));
    CHECK(platform::library_file_of("libgpuprof_of_nobody.so.1").empty());
    CHECK(platform::soname_defect("libc.so.6").empty());
    CHECK(platform::soname_defect("libgpuprof_of_nobody.so.1").empty()); // the linker says so
    CHECK(platform::soname_defect({"a\0b", 3}) == "the path contains a NUL character");
}

constexpr int met = 42;

TEST_CASE("a truncated library on the linker's way is refused before the linker maps it") {
    scratch_directory const here;
    std::string const cut = platform::read_file(c_library()).value().substr(0, 65'536);
    REQUIRE(platform::write_file(here.path() + "/libgpuprof_cut.so.1", cut));
    CHECK(test::run_test_case("the truncated library of LD_LIBRARY_PATH", {{"LD_LIBRARY_PATH", here.path()}}) == met);
}

TEST_CASE("the truncated library of LD_LIBRARY_PATH" * doctest::skip()) { // the test case above runs this one
    std::string const why = platform::soname_defect("libgpuprof_cut.so.1");
    if (why == std::string{std::getenv("LD_LIBRARY_PATH")} + "/libgpuprof_cut.so.1: it is truncated") std::_Exit(met);
}

} // namespace soname_test
#endif
