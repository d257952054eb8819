// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/environment.hpp: a variable that is not set and one that is empty are told apart where it matters.
#include <gpuprof/hw/machine/platform/environment.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "support/system.hpp"

namespace environment_test {

namespace platform = gpuprof::platform;

TEST_CASE("a variable of the environment has its value, an empty one is set, and one that is gone is nothing") {
    char const* const name = "GPUPROF_TEST_OF_THE_ENVIRONMENT";
    ::unsetenv(name);
    CHECK_FALSE(platform::variable(name));
    CHECK(platform::variable_or_empty(name).empty());

    ::setenv(name, "", 1);
    CHECK(platform::variable(name) == std::string{});
    CHECK(platform::variable_or_empty(name).empty());

    std::string const value = "a=b; c " + std::string(10'000, 'x');
    ::setenv(name, value.c_str(), 1);
    CHECK(platform::variable(name) == value);
    CHECK(platform::variable_or_empty(name) == value);

    ::unsetenv(name);
    CHECK_FALSE(platform::variable(name));
}

TEST_CASE("a value is a copy that outlives the variable") {
    char const* const name = "GPUPROF_TEST_OF_THE_ENVIRONMENT";
    ::setenv(name, "first", 1);
    std::optional<std::string> const kept = platform::variable(name);
    ::setenv(name, "second", 1);
    ::unsetenv(name);
    CHECK(kept == std::string{"first"});
}

#if !defined(_WIN32)
TEST_CASE("the administrator is the user with the number 0") { CHECK(platform::user_is_root() == (::geteuid() == 0)); }
#endif

TEST_CASE("a trusted variable is read where this process has no other rights than its caller") {
    char const* const name = "GPUPROF_TEST_OF_THE_ENVIRONMENT";
    ::unsetenv(name);
    CHECK(platform::trusted_variable(name).empty());
    ::setenv(name, "value", 1);
    CHECK(platform::trusted_variable(name) == "value"); // with more rights: see library_search.test.cpp
    ::unsetenv(name);
}

#if !defined(_WIN32)
TEST_CASE("this process acts in the name of its effective user") { CHECK(platform::user_id() == ::geteuid()); }
#endif

} // namespace environment_test
