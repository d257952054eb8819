// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// capability_family.hpp: which devices share a list of events and metrics.
#include <doctest/doctest.h>

#include <optional>

#include <gpuprof/legacy/capability_family.hpp>

namespace capability_family_test {

using gpuprof::capability_family;
using gpuprof::family_of;

TEST_CASE("every capability with event hardware belongs to the family of its table") {
    CHECK(family_of({2, 0}) == capability_family::cc_2x);
    CHECK(family_of({2, 1}) == capability_family::cc_2x);
    CHECK(family_of({3, 5}) == capability_family::cc_3x);
    CHECK(family_of({5, 3}) == capability_family::cc_5x);
    CHECK(family_of({6, 2}) == capability_family::cc_6x);
    CHECK(family_of({7, 0}) == capability_family::cc_70);
    CHECK(family_of({7, 2}) == capability_family::cc_70);
}

TEST_CASE("capabilities without event hardware belong to no family") {
    CHECK(family_of({1, 3}) == std::nullopt);
    CHECK(family_of({4, 0}) == std::nullopt); // there never was one
    CHECK(family_of({7, 5}) == std::nullopt);
    CHECK(family_of({9, 0}) == std::nullopt);
}

TEST_CASE("a family's name is its tables' own") {
    CHECK(name(capability_family::cc_2x) == "2.x");
    CHECK(name(capability_family::cc_70) == "7.0");
}

} // namespace capability_family_test
