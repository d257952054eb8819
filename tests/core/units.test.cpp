// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantities: what they compute, and what they refuse to.
#include <doctest/doctest.h>

#include <concepts>
#include <cstdint>
#include <limits>

#include <gpuprof/core/units.hpp>

namespace units_test {

using namespace gpuprof;

namespace {
template <class A, class B>
concept can_add = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept can_subtract = requires(A a, B b) {
    a - b;
};
template <class A, class B>
concept can_compare = requires(A a, B b) {
    a < b;
};
template <class To, class From>
concept can_cast = requires(From from) {
    unit_cast<To>(from);
};

static_assert(can_add<bytes, bytes> && can_subtract<percent, percent> && can_compare<sectors, sectors>);
static_assert(!can_add<bytes, percent> && !can_add<percent, ratio> && !can_add<bytes, double>);
static_assert(!can_subtract<bytes, sectors> && !can_subtract<ratio, percent>);
static_assert(!can_add<nanoseconds, seconds>, "nothing is rescaled behind the user's back");
static_assert(!can_add<cycles<clock_domain::gpc>, cycles<clock_domain::sys>>, "clocks differ");
// What has another unit does not compare; that a bare number does not, with a message, is compile_fail/quantity_and_number.
static_assert(can_compare<ratio, double> && can_compare<ratio, int>);
static_assert(!can_compare<percent, ratio> && !can_compare<bytes, sectors>);
static_assert(can_cast<seconds, nanoseconds> && can_cast<ratio, percent>);
static_assert(!can_cast<bytes, sectors> && !can_cast<bytes, kilobytes>);
static_assert(!can_cast<cycles<clock_domain::gpc>, cycles<clock_domain::dram>>);
static_assert(!std::convertible_to<double, bytes> && !std::convertible_to<bytes, double>);

static_assert(std::same_as<decltype(bytes{} / nanoseconds{}), bytes_per_nanosecond>);
static_assert(std::same_as<decltype(sectors{} / requests{}), sectors_per_request>);
static_assert(std::same_as<decltype(sectors{} / sectors{}), ratio>);
static_assert(std::same_as<decltype(sectors_per_request{} * requests{}), sectors>);
static_assert(std::same_as<decltype(1.0 / seconds{}), hertz>);
static_assert(std::same_as<decltype(bytes{} * ratio{}), bytes>);
} // namespace

TEST_CASE("quantities of one unit add, subtract, scale and compare like numbers") {
    CHECK((bytes{96} + bytes{32}).value() == 128);
    CHECK((bytes{96} - bytes{32}).value() == 64);
    CHECK((-bytes{96}).value() == -96);
    CHECK((2 * bytes{96} / 3).value() == 64);
    CHECK(bytes{1} < bytes{2});
    CHECK(bytes{2} == bytes{2});
    bytes sum;
    sum += bytes{3};
    sum *= 4;
    sum -= bytes{2};
    sum /= 5;
    CHECK(sum == bytes{2});
}

TEST_CASE("quantities of different units multiply and divide into new ones") {
    CHECK((bytes{4096} / nanoseconds{8}).value() == 512);
    CHECK((sectors{16} / requests{4}).value() == 4);
    CHECK((sectors_per_request{4} * requests{8}).value() == 32);
    CHECK(sectors{3} / sectors{6} == 0.5);
    CHECK(sectors{3} / sectors{6} < 1.0);
}

TEST_CASE("a cast converts between powers of ten and keeps the amount") {
    CHECK(unit_cast<seconds>(nanoseconds{3e9}).value() == 3);
    CHECK(unit_cast<nanoseconds>(seconds{2}).value() == 2e9);
    CHECK(unit_cast<ratio>(percent{50}).value() == 0.5);
    CHECK(unit_cast<percent>(ratio{0.25}).value() == 25);
    CHECK(unit_cast<bytes_per_second>(bytes_per_nanosecond{1}).value() == 1e9);
}

TEST_CASE("a count is the nearest whole number, and never undefined") {
    CHECK(instructions{42}.count() == 42);
    CHECK(instructions{41.5}.count() == 42);
    CHECK(instructions{41.4999}.count() == 41);
    CHECK(instructions{0.49999999999999994}.count() ==
          0); // the double below a half, which adding a half would round up
    CHECK(instructions{-7}.count() == 0);
    CHECK(instructions{std::numeric_limits<double>::quiet_NaN()}.count() == 0);
    CHECK(instructions{1e300}.count() == std::numeric_limits<std::uint64_t>::max());
    CHECK(instructions{9007199254740992.0}.count() == std::uint64_t{1} << 53);
}

TEST_CASE("a quantity that is not a number compares unordered") {
    bytes const nan{std::numeric_limits<double>::quiet_NaN()};
    CHECK_FALSE(nan == nan);
    CHECK_FALSE(nan < bytes{1});
    CHECK_FALSE(nan > bytes{1});
}

} // namespace units_test
