// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorted list of the embedded GPU's extents, and how long memory with many allocations takes.
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "sim/code/device_memory.hpp"
#include "sim/code/extent_list.hpp"

namespace extent_list_test {

namespace sim = gpuprof::sim;

TEST_CASE("extents inserted and erased in any order are found as in a map") {
    sim::extent_list list;
    std::map<std::uint64_t, std::uint64_t> expected; // end by begin
    std::mt19937_64 random{7};
    for (int step = 0; step < 20'000; ++step) {
        std::uint64_t const begin = 1024 * (1 + random() % 300);
        if (expected.contains(begin)) {
            REQUIRE(list.at(begin) != list.end());
            list.erase(list.at(begin));
            expected.erase(begin);
        } else {
            CHECK(list.at(begin) == list.end());
            CHECK_FALSE(list.overlaps(begin, 1000));
            list.insert({begin, begin + 1000, nullptr, false});
            expected.emplace(begin, begin + 1000);
            CHECK(list.overlaps(begin + 999, 1));
            CHECK(list.overlaps(begin - 1, 2));
        }
        REQUIRE(static_cast<std::size_t>(list.end() - list.begin()) == expected.size());
        auto const* at = list.begin();
        bool is_equal = true;
        for (auto const& [first, last] : expected) {
            is_equal = is_equal && at->begin == first && at->end == last;
            ++at;
        }
        REQUIRE(is_equal);
    }
}

// A list that is searched from the beginning takes 25 times as long for five times as many: longer than a test may here.
TEST_CASE("400,000 allocations are made and freed in either order") {
    for (bool const forwards : {true, false}) {
        sim::device_memory memory;
        std::vector<std::uint64_t> all;
        for (int i = 0; i < 400'000; ++i) all.push_back(memory.allocate(256).value());
        for (std::size_t i = 0; i < all.size(); ++i) memory.free(forwards ? all[i] : all[all.size() - 1 - i]).value();
        CHECK(memory.used() == 0);
        CHECK(memory.allocate(256).value() == all[0]);
    }
}

TEST_CASE("the first place that is free is found among many allocations, whatever its alignment") {
    sim::device_memory memory;
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 1000; ++i) all.push_back(memory.allocate(700).value()); // 1024 bytes apart
    CHECK(all[999] == all[0] + 999 * 1024);
    memory.free(all[10]).value();
    memory.free(all[500]).value();
    memory.free(all[501]).value();
    CHECK(memory.allocate(2048).value() == all[500]); // not at 10, where there are 1024
    CHECK(memory.allocate(1024).value() == all[10]);
    CHECK(memory.allocate(1).value() == all[999] + 1024);
    memory.free(all[3]).value();
    memory.free(all[4]).value();
    CHECK(memory.allocate(512, 4096).value() == all[4]); // the only multiple of 4096 among what is free
    CHECK(memory.allocate(512).value() == all[3]);
}

} // namespace extent_list_test
