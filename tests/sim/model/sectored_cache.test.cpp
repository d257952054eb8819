// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache of the models against a list of lines for each set, youngest first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "sim/model/sectored_cache.hpp"

namespace sectored_cache_test {

using namespace gpuprof::sim;

namespace {

struct plain_line {
    std::uint64_t number;
    unsigned valid = 0;
    unsigned dirty = 0;
};

// A set by division, as it was written down for the models.
std::uint32_t set_by_division(std::uint64_t line, std::uint32_t sets) {
    auto const number = static_cast<std::uint32_t>(line ^ line >> 32);
    return (number + (number / sets * 0x9e3779b1u >> 16)) % sets;
}

} // namespace

TEST_CASE("lines leave a set in the order in which they were last used") {
    for (std::size_t const sets : {1u, 2u, 8u, 57u, 1821u}) {
        sectored_cache cache{sets * sectored_cache::ways * line_bytes};
        REQUIRE(cache.set_count() == sets);
        std::vector<std::deque<plain_line>> plain(sets);
        std::mt19937_64 random{sets};
        for (int i = 0; i < 20000; ++i) {
            std::uint64_t const line = 1 + (random() % 3 == 0 ? random() >> 20 : random() % (sets * 24));
            std::uint32_t const set = set_by_division(line, static_cast<std::uint32_t>(sets));
            REQUIRE(cache.set_of(line) == set);
            auto& wanted = plain[set];
            auto const found =
                std::find_if(wanted.begin(), wanted.end(), [=](plain_line const& l) { return l.number == line; });
            auto const sectors = static_cast<sector_mask>(random() % 16);
            if (random() % 4 == 0) {
                cache_line* const here = cache.find(line);
                REQUIRE((here != nullptr) == (found != wanted.end()));
                if (here == nullptr) continue;
                here->drop(sectors);
                found->valid &= ~unsigned{sectors};
                found->dirty &= ~unsigned{sectors};
                continue;
            }
            cache_line evicted;
            cache_line& here = cache.touch(line, evicted);
            plain_line now{line};
            if (found != wanted.end()) {
                now = *found;
                wanted.erase(found);
                REQUIRE(evicted.is_empty());
            } else if (wanted.size() == sectored_cache::ways) {
                REQUIRE(evicted.number() == wanted.back().number);
                REQUIRE(evicted.valid() == wanted.back().valid);
                REQUIRE(evicted.dirty() == wanted.back().dirty);
                wanted.pop_back();
            } else {
                REQUIRE(evicted.is_empty());
            }
            REQUIRE(here.is(line));
            REQUIRE(here.valid() == now.valid);
            REQUIRE(here.dirty() == now.dirty);
            now.valid |= sectors;
            if (random() % 2 == 0) {
                here.fill(sectors);
            } else {
                here.write(sectors);
                now.dirty |= sectors;
            }
            wanted.push_front(now);
            auto const lines = cache.lines_of(set);
            for (std::size_t age = 0; age < wanted.size(); ++age) REQUIRE(lines[age].is(wanted[age].number));
        }
    }
}

TEST_CASE("a clean cache that forgets is as a new one of its size") {
    constexpr std::size_t bytes = 57 * sectored_cache::ways * line_bytes;
    CHECK(sectored_cache::bytes_of(bytes + 1) == bytes);
    sectored_cache old{bytes + 1};
    REQUIRE(old.bytes() == bytes);
    std::mt19937_64 random{1};
    for (int i = 0; i < 5000; ++i) old.touch_clean(random() % 4000).fill(all_sectors);
    old.forget();
    sectored_cache fresh{bytes};
    for (int i = 0; i < 5000; ++i) {
        std::uint64_t const line = random() % 4000;
        CHECK((old.find(line) == nullptr) == (fresh.find(line) == nullptr));
        cache_line &mine = old.touch_clean(line), &wanted = fresh.touch_clean(line);
        CHECK(mine.number() == wanted.number());
        CHECK(mine.valid() == wanted.valid());
        auto const sectors = static_cast<sector_mask>(random() % 16);
        mine.fill(sectors);
        wanted.fill(sectors);
    }
}

TEST_CASE("a cleared cache holds nothing") {
    sectored_cache cache{64 * 1024};
    cache_line evicted;
    for (std::uint64_t line = 1; line < 1000; ++line) cache.touch(line, evicted).write(all_sectors);
    cache.clear();
    for (std::uint64_t line = 1; line < 1000; ++line) REQUIRE(cache.find(line) == nullptr);
    for (std::uint32_t set = 0; set < cache.set_count(); ++set)
        for (cache_line const& each : cache.lines_of(set)) REQUIRE(each.is_empty());
}

} // namespace sectored_cache_test
