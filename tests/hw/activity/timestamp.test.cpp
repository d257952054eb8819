// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of records: exact where a double is not, and unknown where CUPTI wrote 0.
#include <gpuprof/hw/activity/timestamp.hpp>

#include <doctest/doctest.h>

namespace timestamp_test {

using namespace gpuprof::activity;

TEST_CASE("a nanosecond is told apart in a time of today") {
    timestamp const early{1'763'790'000'000'000'001};
    timestamp const late{1'763'790'000'000'000'002};
    CHECK(early < late);
    CHECK(late - early == gpuprof::nanoseconds{1});
    CHECK(early - late == gpuprof::nanoseconds{-1});
    // What a double makes of the two is the same number.
    CHECK(static_cast<double>(early.ticks) == static_cast<double>(late.ticks));
}

TEST_CASE("a duration of zero is known, one without a start or an end is not") {
    CHECK(interval{{5}, {5}}.duration() == gpuprof::nanoseconds{0});
    CHECK(interval{{5}, {12}}.duration() == gpuprof::nanoseconds{7});
    CHECK_FALSE(interval{}.duration());
    CHECK_FALSE(interval{{5}, {}}.duration());
    CHECK_FALSE(interval{{}, {5}}.duration());
}

} // namespace timestamp_test
