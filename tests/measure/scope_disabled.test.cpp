// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scope.hpp compiled out, linked beside the same header compiled in.
#define GPUPROF_ENABLED 0
#include <gpuprof/scope.hpp>
#include <gpuprof/measure/timeline.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace scope_disabled_test {

namespace {

using gpuprof::scope;

template <class Scope>
concept made_by_new = requires(gpuprof::scope_target& target) {
    new Scope{target, "name"};
};

// What an optimiser may do away with: it has a value at compile time.
constexpr bool vanishes(gpuprof::scope_target& target) {
    scope const literal{target, "name"};
    scope const view{target, std::string_view{"name"}};
    return true;
}

} // namespace

static_assert(std::is_empty_v<scope>);
static_assert(!std::is_copy_constructible_v<scope>);
static_assert(!std::is_move_constructible_v<scope>);
static_assert(!made_by_new<scope>);
static_assert(!std::is_constructible_v<scope, gpuprof::scope_target&, int>,
              "what does not compile enabled, must not compile disabled");

TEST_CASE("a scope that is compiled out accepts every kind of name and records nothing") {
    gpuprof::timeline all;
    REQUIRE(all.armed());
    char buffer[16] = "buffer";
    {
        scope const literal{all, "literal"};
        scope const c_string{all, static_cast<char const*>("C string")};
        scope const null{all, static_cast<char const*>(nullptr)};
        scope const text{all, buffer};
        scope const view{all, std::string_view{"view"}};
        scope const string{all, std::string{"string"}};
    }
    CHECK(vanishes(all));
    CHECK(all.size() == 0);
    CHECK(all.dropped() == 0);
}

} // namespace scope_disabled_test
