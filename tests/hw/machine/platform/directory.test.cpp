// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/directory.hpp: a directory is made for its owner alone, and shows all that is in it.
#include <gpuprof/hw/machine/platform/directory.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "support/scratch_directory.hpp"

namespace directory_test {

namespace platform = gpuprof::platform;

TEST_CASE("a directory that was made is empty and its owner's alone, and is made neither twice nor below nothing") {
    scratch_directory const here;
    std::string const made = here.path() + "/made";
    CHECK(platform::make_directory(made));
    CHECK(std::filesystem::is_empty(made));
    if (!platform::is_windows) // which has no such bits
        CHECK((std::filesystem::status(made).permissions() &
               (std::filesystem::perms::others_all | std::filesystem::perms::group_all)) ==
              std::filesystem::perms::none);
    CHECK_FALSE(platform::make_directory(made));
    CHECK_FALSE(platform::make_directory(here.path() + "/no/such"));
    CHECK_FALSE(platform::make_directory(""));
}

TEST_CASE("every entry of a directory is shown once, and no entry of what lies in it") {
    scratch_directory const here;
    REQUIRE(platform::make_directory(here.path() + "/below"));
    for (char const* const name : {"one", "two", ".hidden", "below/deep"})
        std::ofstream{here.path() + '/' + name} << "text";
    std::multiset<std::string> seen;
    CHECK(platform::for_each_entry(here.path(), [&seen](std::string_view name) { seen.emplace(name); }));
    CHECK(seen == std::multiset<std::string>{".", "..", ".hidden", "below", "one", "two"});
}

TEST_CASE("a missing directory and a file have no entries to show") {
    scratch_directory const here;
    std::ofstream{here.path() + "/file"} << "text";
    auto const none = [](std::string_view name) { FAIL_CHECK(name); };
    CHECK_FALSE(platform::for_each_entry(here.path() + "/none", none));
    CHECK_FALSE(platform::for_each_entry(here.path() + "/file", none));
    CHECK_FALSE(platform::for_each_entry("", none));
}

} // namespace directory_test
