// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of which basic blocks of two texts are the same.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sass/block_match.hpp"

namespace block_match_test {

using namespace gpuprof::sim;

namespace {

// Blocks in words: "8" costs 8, "8L" has a load from global memory, "8F" an operation of floats, "8B" a barrier, "8?" ends with a branch; "("
// begins a loop, ")" ends one: "(8L 3)".
std::vector<text_block> blocks(std::string_view text) {
    std::vector<text_block> all;
    std::vector<std::size_t> open, back;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        text_block made;
        std::size_t const number = all.size();
        for (; text[at] == '('; ++at) open.push_back(number);
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
            made.cost = made.cost * 10 + static_cast<unsigned>(text[at] - '0');
        std::size_t goes = number + 1;
        for (; at < text.size() && text[at] != ' '; ++at) {
            if (text[at] == 'L') ++made.landmarks[static_cast<std::size_t>(landmark::global_load)];
            if (text[at] == 'F') ++made.operations[2];
            if (text[at] == 'S') ++made.landmarks[static_cast<std::size_t>(landmark::global_store)];
            if (text[at] == 'B') ++made.landmarks[static_cast<std::size_t>(landmark::barrier)];
            if (text[at] == '?') made.parts = true;
            if (text[at] == ')') goes = open.back(), open.pop_back();
        }
        all.push_back(made);
        back.push_back(goes);
    }
    find_depths(all, back);
    return all;
}

// The matches in words: "0=0 1,2=1 3+4=2" are numbers of blocks, and "u" says that a loop is unrolled, "s" that it is straight, "?" that it is unknown.
std::string matched(std::string_view ptx, std::string_view machine) {
    auto const matches = match_blocks(blocks(ptx), blocks(machine));
    if (!matches) return "none";
    std::string text;
    auto const range = [](std::size_t begin, std::size_t end) {
        if (begin == end) return std::string{"-"};
        return std::to_string(begin) + (end - begin == 1 ? std::string{} : ".." + std::to_string(end - 1));
    };
    for (block_match const& m : matches->matches) {
        if (m.ptx == m.ptx_end && m.machine == m.machine_end) continue;
        constexpr char sorts[] = "=us?";
        text += (text.empty() ? "" : " ") + range(m.ptx, m.ptx_end) + sorts[static_cast<std::size_t>(m.is)] +
                range(m.machine, m.machine_end);
    }
    return text;
}

} // namespace

TEST_CASE("loops have their depth, their begin and their end") {
    auto const all = blocks("5 (3 (4) 2) 1");
    std::vector<unsigned> depths;
    for (auto const& b : all) depths.push_back(b.depth);
    CHECK(depths == std::vector<unsigned>{0, 1, 2, 1, 0});
    CHECK(all[1].begins_loop);
    CHECK(!all[1].ends_loop);
    CHECK(all[1].loop_end == 4);
    CHECK(all[2].begins_loop);
    CHECK(all[2].ends_loop);
    CHECK(all[3].ends_loop);
}

TEST_CASE("blocks are the same where they cost about as much and access the same") {
    CHECK(matched("8 5L 6S", "9 4L 6S") == "0=0 1=1 2=2");
    CHECK(matched("8 5L 6S", "8 11LS") == "0=0 1..2=1");          // a branch became predicates
    CHECK(matched("8 20L 6S", "8 11L 9 6S") == "0=0 1=1..2 2=3"); // and here there is a further one
    CHECK(matched("8 (5L) 6S", "8 (7L) 6S") == "0=0 1=1 2=2");
    CHECK(matched("8 (5 (9L) 4) 6S", "8 (7 (9L) 4) 6S") == "0=0 1=1 2=2 3=3 4=4");
    CHECK(matched("8", "12") == "0=0");
}

TEST_CASE("branches tell which blocks end there") {
    CHECK(matched("35 2? 188L 5", "37? 213L 5") == "0..1=0 2=1 3=2");
    CHECK(matched("35? 2 188L 5", "37? 213L 5") == "0=0 1..2=1 3=2");
}

TEST_CASE("a block that stands elsewhere in the machine code is found") {
    CHECK(matched("8 75L 94S 20B 3", "8 95S 20B 3 74L") == "0=0 1=4 2=1 3=2 4=3");
}

TEST_CASE("a loop that the machine code unrolls has its parts") {
    // Four rounds, then two, then one, with what chooses between them.
    std::string_view const machine = "9 3 (27LLLL) 2 15LL 2 (8L) 5S";
    CHECK(matched("8 (8L) 6S", machine) == "0=0 1u1..6 2=7");
    auto const loop = blocks("8 (8L) 6S")[1];
    auto const found = find_unrolled(loop, blocks(machine), {1, 2, 1, 7});
    REQUIRE(found);
    CHECK(found->at_once == 4);
    CHECK(found->cost == 27);
    CHECK(found->one == 8u);
    CHECK(found->around == 7);
    CHECK(matched("8 (8L) 6S", "9 3 (27LLLL) 2 15LL 2 8L 5S") == "0=0 1u1..6 2=7"); // one round cannot be more
    CHECK(matched("8 (8L) 6S", "9 (14LL) 5S") == "0=0 1u1 2=2");                    // a known number of rounds
    CHECK(matched("8 (8L) 6S", "9 (9L 6L) 5S") == "0=0 1u1..2 2=3");                // with an end between them
    CHECK(matched("8 (8L) 6S", "9 (7L) 5S") == "0=0 1=1 2=2");
}

TEST_CASE("a short loop shows by its operations how many rounds it does at once") {
    // FFMA r, r, a, b four times, and a sum, a comparison and a branch: 4 instructions a round become 7 of four. What is left has predicates.
    CHECK(matched("8 (4F) 6S", "8 (7FFFF) 10FFF 6S") == "0=0 1u1..2 2=3");
    CHECK(matched("8 (4F) 6S", "8 (7F) 6S") == "0=0 1=1 2=2"); // longer, and one round
    auto const ptx = blocks("8 (4F) 6S"), machine = blocks("8 (7FFFF) 10FFF 6S");
    auto const matches = match_blocks(ptx, machine);
    REQUIRE(matches);
    auto const found = find_unrolled(ptx[1], machine, matches->matches[1]);
    REQUIRE(found);
    CHECK(found->at_once == 4);
    CHECK(found->cost == 7);
    CHECK(!found->one);
    CHECK(found->rest_is_predicated);
    CHECK(found->around == 10);
}

TEST_CASE("a loop whose rounds stand one behind the other has their number") {
    CHECK(matched("8 (8L) 6S", "40LLLLS") == "0..2s0");
    auto const found = find_straight(blocks("8 (8L) 6S"), blocks("40LLLLS"), {0, 3, 0, 1});
    REQUIRE(found);
    CHECK(found->loop == 1);
    CHECK(found->rounds == 4);
    CHECK(!find_straight(blocks("8 (8L) 6S"), blocks("40LLLL"), {0, 3, 0, 1})); // the store is not there
    CHECK(!find_straight(blocks("8 (8) 6S"), blocks("40S"), {0, 3, 0, 1}));     // nothing to count by
}

TEST_CASE("a loop that is not known again does not hinder the rest") {
    CHECK(matched("8L (5 (9L) 4) 60S", "8L (7L) 61S") == "0=0 1..3?1 4=2");
    CHECK(matched("8L (5 (9L) 4) 60S", "8L 61S") == "0=0 1..3?- 4=1");
    CHECK(matched("8L 60S", "8L (7L) 61S") == "none"); // a loop that the PTX lacks
    CHECK(matched("", "8") == "none");
}

TEST_CASE("arms change places with their loops") {
    auto all = blocks("8 5L (6) 4 (7 2) 9");
    swap_arms(all, {1, 4, 6}); // 5, 6 and 4 go behind 7 and 2
    std::vector<unsigned> costs;
    std::vector<std::size_t> ends;
    for (auto const& b : all) costs.push_back(b.cost), ends.push_back(b.loop_end);
    CHECK(costs == std::vector<unsigned>{8, 7, 2, 5, 6, 4, 9});
    CHECK(ends == std::vector<std::size_t>{0, 3, 0, 0, 5, 0, 0});
}

TEST_CASE("texts that are too long are not matched") {
    std::vector<text_block> const many(700);
    CHECK(!match_blocks(many, many));
}

} // namespace block_match_test
