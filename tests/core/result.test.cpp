// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// result.hpp: a value or an error, of any movable type, leaking and losing neither.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpuprof/core/result.hpp>

namespace result_test {

using gpuprof::errc;
using gpuprof::error;
using gpuprof::result;

namespace {

error failure() { return {errc::busy, 26, "cuptiRangeProfilerStart", "another session", "wait"}; }

// Counts its living objects, cannot be assigned, copied, or made by new.
class handle {
public:
    static inline int alive = 0;
    explicit handle(int number) noexcept : number_{number} { ++alive; }
    handle(handle&& other) noexcept : number_{std::exchange(other.number_, 0)} { ++alive; }
    handle& operator=(handle&&) = delete;
    ~handle() { --alive; }
    static void* operator new(std::size_t) = delete;
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

result<handle> open(int number) {
    if (number == 0) return failure();
    return handle{number};
}

} // namespace

static_assert(std::copyable<result<int>>);
static_assert(std::copyable<result<void>>);
static_assert(std::movable<result<std::unique_ptr<int>>>);
static_assert(!std::is_copy_constructible_v<result<std::unique_ptr<int>>>);
static_assert(!std::is_copy_constructible_v<result<handle>>);
static_assert(std::is_nothrow_move_constructible_v<result<std::string>>);
static_assert(!std::is_convertible_v<result<int>, bool>, "asking is explicit: a result<bool> would be read wrongly");
static_assert(std::is_constructible_v<bool, result<int>>);
static_assert(!std::is_default_constructible_v<result<int>>, "never empty");
static_assert(std::same_as<decltype(*std::declval<result<int>&>()), int&>);
static_assert(std::same_as<decltype(*std::declval<result<int> const&>()), int const&>);
// What a temporary gives is the caller's own: a reference to it would dangle in a range-for, or in auto&&.
static_assert(std::same_as<decltype(*std::declval<result<int>>()), int>);
static_assert(std::same_as<decltype(std::declval<result<int>>().value()), int>);
static_assert(std::same_as<decltype(std::declval<result<int>>().error()), gpuprof::error>);
static_assert(std::same_as<decltype(std::declval<result<void>>().error()), gpuprof::error>);

TEST_CASE("a result with a value reads as that value") {
    result<std::string> made{std::string{"warp"}};
    CHECK(made.has_value());
    CHECK(static_cast<bool>(made));
    CHECK(*made == "warp");
    CHECK(made->size() == 4);
    CHECK(made.value() == "warp");
    made.value() += "s";
    CHECK(std::as_const(made).value() == "warps");
    CHECK(made.value_or("none") == "warps");
}

TEST_CASE("a result with an error tells all of it") {
    result<std::string> const made{failure()};
    CHECK_FALSE(made.has_value());
    CHECK_FALSE(static_cast<bool>(made));
    CHECK(made.error().code == errc::busy);
    CHECK(made.error().status == 26);
    CHECK(made.error().what == "cuptiRangeProfilerStart");
    CHECK(made.error().cause == "another session");
    CHECK(made.error().remedy == "wait");
    CHECK(made.value_or("none") == "none");
}

TEST_CASE("value raises the error of a result that has none, from every kind of result") {
    result<int> made{failure()};
    CHECK_THROWS_AS(static_cast<void>(made.value()), gpuprof::exception);
    CHECK_THROWS_AS(static_cast<void>(std::as_const(made).value()), gpuprof::exception);
    try {
        static_cast<void>(result<int>{failure()}.value());
        FAIL("nothing was thrown");
    } catch (gpuprof::exception const& caught) {
        CHECK(caught.what() == failure().message());
        CHECK(caught.code() == errc::busy);
    }
    CHECK(made.error().what == failure().what); // raising from an lvalue leaves the error where it is
}

TEST_CASE("a result of nothing holds an error or success") {
    result<void> ok;
    CHECK(ok);
    CHECK_NOTHROW(ok.value());
    result<void> bad{failure()};
    CHECK_FALSE(bad);
    CHECK(bad.error().code == errc::busy);
    CHECK_THROWS_AS(bad.value(), gpuprof::exception);
    ok = bad;
    CHECK(ok.error().what == failure().what);
    bad = result<void>{};
    CHECK(bad);
    CHECK(std::move(ok).error().remedy == "wait");
}

TEST_CASE("a result owns a move-only value, and ends its life once") {
    REQUIRE(handle::alive == 0);
    {
        auto opened = open(7);
        REQUIRE(opened);
        CHECK(handle::alive == 1);
        CHECK(opened->number() == 7);
        handle const taken = *std::move(opened);
        CHECK(taken.number() == 7);
        CHECK(opened->number() == 0); // moved from, alive still
        CHECK(handle::alive == 2);
        handle const second = open(8).value();
        CHECK(second.number() == 8);
        CHECK(handle::alive == 3);
    }
    CHECK(handle::alive == 0);
    CHECK_FALSE(open(0));
    CHECK(handle::alive == 0);
    CHECK_THROWS_AS(static_cast<void>(open(0).value()), gpuprof::exception);
    CHECK(handle::alive == 0);
}

TEST_CASE("assignment replaces value by error and back, of a type that cannot be assigned itself") {
    {
        auto held = open(1);
        held = open(2);
        CHECK(held->number() == 2);
        CHECK(handle::alive == 1);
        held = failure();
        CHECK(handle::alive == 0);
        CHECK(held.error().cause == "another session");
        held = open(3);
        CHECK(held->number() == 3);
        auto moved = std::move(held);
        CHECK(moved->number() == 3);
    }
    CHECK(handle::alive == 0);
}

TEST_CASE("a result survives being assigned to itself") {
    std::string const text(100, 'x');
    result<std::string> value{text};
    auto& same = value;
    value = same;
    CHECK(*value == text);
    result<std::string> bad{failure()};
    auto& same_bad = bad;
    bad = same_bad;
    CHECK(bad.error().cause == "another session");
}

TEST_CASE("copies of a result are independent") {
    result<std::vector<int>> first{std::vector<int>{1, 2, 3}};
    auto second = first;
    second->push_back(4);
    CHECK(*first == std::vector<int>{1, 2, 3});
    CHECK(*second == std::vector<int>{1, 2, 3, 4});
    result<std::vector<int>> const bad{failure()};
    auto const copy = bad;
    CHECK(copy.error().what == bad.error().what);
}

TEST_CASE("what converts to bool or to a string is still kept as a value") {
    result<bool> const no{false};
    CHECK(no.has_value());
    CHECK_FALSE(*no);
    result<int> const zero{0};
    CHECK(zero.has_value());
    result<void*> const null{nullptr};
    CHECK(null.has_value());
    CHECK(*null == nullptr);
}

} // namespace result_test

#endif
