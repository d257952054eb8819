// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The release that a version of CUPTI belongs to: the table of cupti_version.h, and what libcupti of each release tells.
#include <gpuprof/hw/activity/release.hpp>

#include <doctest/doctest.h>

namespace release_test {

using namespace gpuprof::activity;

TEST_CASE("a release is known from the version that libcupti tells") {
    CHECK(release_of_cupti(14) == release(11, 1));
    CHECK(release_of_cupti(15) == release(11, 2)); // to 11.4
    CHECK(release_of_cupti(16) == release(11, 5));
    CHECK(release_of_cupti(17) == release(11, 6));
    CHECK(release_of_cupti(20) == release(12, 2));
    CHECK(release_of_cupti(21) == release(12, 3));
    CHECK(release_of_cupti(22) == release(12, 4));
    CHECK(release_of_cupti(23) == release(12, 5));
    CHECK(release_of_cupti(24) == release(12, 6));
    CHECK(release_of_cupti(26) == release(12, 8));
    CHECK(release_of_cupti(27) == release(12, 9));
    CHECK(release_of_cupti(28) == release(12, 9)); // Update 1
    CHECK(release_of_cupti(130000) == release(13, 0));
    CHECK(release_of_cupti(130001) == release(13, 0));
    CHECK(release_of_cupti(130101) == release(13, 1));
    CHECK(release_of_cupti(130200) == release(13, 2));
    CHECK(release_of_cupti(130202) == release(13, 2, 1)); // green contexts have more members
    CHECK(release_of_cupti(130301) == release(13, 3));
    CHECK(release_of_cupti(130500) == release(13, 5));
    CHECK(release_of_cupti(140203) == release(14, 2));
}

TEST_CASE("11.8 and 12.0 tell the same version and are told apart by the number in the library's name") {
    CHECK(release_of_cupti(18) == release(11, 8));
    CHECK(release_of_cupti(18, 11) == release(11, 8));
    CHECK(release_of_cupti(18, 12) == release(12, 0));
}

TEST_CASE("a version before CUDA 11.1 is no known release") {
    for (unsigned version = 0; version < 14; ++version) CHECK(release_of_cupti(version) == cuda_release{});
}

TEST_CASE("a version between the known ones is the release before it") {
    CHECK(release_of_cupti(25) == release(12, 6));
    CHECK(release_of_cupti(29) == release(12, 9));
    CHECK(release_of_cupti(99999) == release(12, 9));
}

TEST_CASE("releases begin with the first and end before the end") {
    CHECK_FALSE(since(12, 8).contain(release(12, 6)));
    CHECK(since(12, 8).contain(release(12, 8)));
    CHECK(since(12, 8).contain(release(13, 5)));
    CHECK(before(13, 2).contain(release(13, 1)));
    CHECK_FALSE(before(13, 2).contain(release(13, 2)));
    CHECK(releases{}.contain(release(11, 1)));
}

} // namespace release_test
