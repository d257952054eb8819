// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// detail/range_log.hpp: what is pushed and popped for any sequence of scopes, and what the replay passes did differently.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/measure/range_log.hpp>

namespace range_log_test {

using gpuprof::detail::range_log;

namespace {

constexpr std::size_t no_limit = 1'000'000;

range_log survey() {
    range_log log;
    log.reset(no_limit, 0xffff, false);
    log.begin_replay_pass();
    return log;
}

std::string path_of(range_log const& log, std::uint32_t node) {
    std::string text;
    for (; node != range_log::none; node = log.nodes()[node].parent)
        text = std::string{log.name(log.nodes()[node])} + (text.empty() ? "" : "/") + text;
    return text;
}

// Every range of the first replay pass by its path, in the order of opening.
std::vector<std::string> paths(range_log const& log) {
    std::vector<std::string> list;
    for (std::uint32_t const node : log.instances()) list.push_back(path_of(log, node));
    return list;
}

// One replay pass of scopes spelled out: a letter opens a range of that name, ')' closes the innermost.
void run(range_log& log, std::string_view story) {
    std::vector<std::uint64_t> open;
    for (char const c : story) {
        if (c == ')') {
            REQUIRE_FALSE(open.empty());
            static_cast<void>(log.close(open.back()));
            open.pop_back();
        } else {
            open.push_back(log.open({&c, 1}).ticket);
        }
    }
}

// The log after these replay passes: a survey, then replay passes limited to what it saw.
range_log after(std::initializer_list<std::string_view> replay_passes) {
    range_log log = survey();
    bool first = true;
    for (std::string_view const story : replay_passes) {
        if (!first) log.begin_replay_pass();
        run(log, story);
        static_cast<void>(log.end_replay_pass());
        if (first) log.limit_to_seen();
        first = false;
    }
    return log;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("the first replay pass writes the tree of names and the order of opening") {
    range_log const log = after({"ab)b)c))a)"});
    CHECK(paths(log) == std::vector<std::string>{"a", "a/b", "a/b", "a/c", "a"});
    CHECK(log.nodes().size() == 3);
    CHECK(log.depth() == 2);
    CHECK(log.ranges() == 5);
    CHECK(log.first_root() == 0);
    CHECK(log.lost().differing == 0);
    CHECK(log.lost().left_open == 0);
}

TEST_CASE("equal names under different parents are different ranges") {
    range_log const log = after({"ax))bx))"});
    CHECK(paths(log) == std::vector<std::string>{"a", "a/x", "b", "b/x"});
    CHECK(log.nodes().size() == 4);
}

TEST_CASE("ranges are numbered by their opening in a pass, each time anew") {
    range_log log = survey();
    for (int replay_pass = 1; replay_pass <= 3; ++replay_pass) {
        if (replay_pass > 1) log.begin_replay_pass();
        for (std::uint32_t i = 0; i < 5; ++i) {
            auto const opened = log.open("step");
            CHECK(opened.push);
            CHECK(opened.id == i);
            CHECK(log.close(opened.ticket) == 1);
        }
        CHECK(log.end_replay_pass() == 0);
    }
    CHECK(log.lost().differing == 0);
}

TEST_CASE("merged ranges are numbered by their name") {
    range_log log;
    log.reset(no_limit, 4, true);
    log.begin_replay_pass();
    std::map<std::string, std::uint32_t> ids;
    for (char const* const name : {"a", "b", "a", "c", "b", "a"}) {
        auto const opened = log.open(name);
        CHECK(ids.emplace(name, opened.id).first->second == opened.id);
        CHECK(log.close(opened.ticket) == 1);
    }
    CHECK(ids.size() == 3);
    CHECK(log.ranges() == 6);
    CHECK(log.nodes().size() == 3);
    for (auto const& [name, id] : ids) CHECK(log.name(log.nodes()[id]) == name);
}

TEST_CASE("a later replay pass that repeats the first one differs in nothing") {
    range_log const log = after({"ab)b))c)", "ab)b))c)", "ab)b))c)"});
    CHECK(log.lost().differing == 0);
    CHECK(log.lost().first_difference.empty());
    CHECK(log.lost().over_budget == 0);
}

TEST_CASE("a later replay pass with more ranges than the first one differs, and no budget is blamed") {
    range_log const log = after({"a)b)", "a)b)b)"});
    CHECK(log.lost().differing == 1);
    CHECK(contains(log.lost().first_difference, "in replay pass 2"));
    CHECK(contains(log.lost().first_difference, "opened 3 ranges, the first pass opened 2"));
    CHECK(log.lost().over_budget == 0);
}

TEST_CASE("a later replay pass with fewer ranges than the first one differs") {
    range_log const log = after({"a)b)", "a)"});
    CHECK(log.lost().differing == 1);
    CHECK(contains(log.lost().first_difference, "opened 1 ranges, the first pass opened 2"));
}

TEST_CASE("a later replay pass without any range differs") {
    CHECK(contains(after({"a)", ""}).lost().first_difference, "opened 0 ranges, the first pass opened 1"));
}

TEST_CASE("a later replay pass in another order differs, and both ranges are named") {
    range_log const log = after({"ab)c))", "ac)b))"});
    CHECK(log.lost().differing == 1);
    CHECK(log.lost().first_difference == "in replay pass 2 range 1 is \"a/c\", in the first pass it was \"a/b\"");
}

TEST_CASE("a later replay pass with another name differs") {
    CHECK(
        contains(after({"a)b)", "a)x)"}).lost().first_difference, "range 1 is \"x\", in the first pass it was \"b\""));
}

TEST_CASE("a later replay pass that nests the same names differently differs") {
    CHECK(contains(after({"ab))", "a)b)"}).lost().first_difference,
                   "range 1 is \"b\", in the first pass it was \"a/b\""));
    range_log const deeper = after({"a)b)", "ab))"});
    CHECK(deeper.lost().differing == 1);
    CHECK(contains(deeper.lost().first_difference, "nest deeper"));
    CHECK(deeper.lost().too_deep == 0);
}

TEST_CASE("each differing replay pass counts once, the first difference stays, a repeating one between is none") {
    range_log const log = after({"a)b)", "b)a)", "a)b)", "x)"});
    CHECK(log.lost().differing == 2);
    CHECK(contains(log.lost().first_difference, "in replay pass 2 range 0 is \"b\""));
}

TEST_CASE("replay passes that are over a declared budget in the same way do not differ, and count once") {
    range_log log;
    log.reset(2, 8, false);
    for (int replay_pass = 1; replay_pass <= 3; ++replay_pass) {
        log.begin_replay_pass();
        std::size_t pushed = 0;
        for (int i = 0; i < 5; ++i) {
            auto const opened = log.open("step");
            pushed += opened.push;
            CHECK(log.close(opened.ticket) == (opened.push ? 1 : 0));
        }
        CHECK(pushed == 2);
        CHECK(log.end_replay_pass() == 0);
    }
    CHECK(log.lost().over_budget == 3);
    CHECK(log.lost().differing == 0);
}

TEST_CASE("ranges below the declared nesting are not pushed, those beside them are") {
    range_log log;
    log.reset(10, 2, false);
    log.begin_replay_pass();
    auto const a = log.open("a");
    auto const b = log.open("b");
    auto const c = log.open("c");
    auto const d = log.open("d");
    CHECK(b.push);
    CHECK_FALSE(c.push);
    CHECK_FALSE(d.push);
    CHECK(log.close(d.ticket) == 0);
    CHECK(log.close(c.ticket) == 0);
    CHECK(log.close(b.ticket) == 1);
    auto const e = log.open("e");
    CHECK(e.push);
    CHECK(log.close(e.ticket) == 1);
    CHECK(log.close(a.ticket) == 1);
    CHECK(log.end_replay_pass() == 0);
    CHECK(log.lost().too_deep == 2);
    CHECK(log.lost().out_of_order == 0);
    CHECK(paths(log) == std::vector<std::string>{"a", "a/b", "a/e"});
}

TEST_CASE("no room at all loses every range and pushes none") {
    range_log log;
    log.reset(0, 1, false);
    log.begin_replay_pass();
    auto const opened = log.open("a");
    CHECK_FALSE(opened.push);
    CHECK(log.close(opened.ticket) == 0);
    CHECK(log.end_replay_pass() == 0);
    CHECK(log.lost().over_budget == 1);
    CHECK(log.ranges() == 0);
    log.reset(5, 0, true);
    log.begin_replay_pass();
    CHECK_FALSE(log.open("a").push);
    CHECK(log.end_replay_pass() == 0);
    CHECK(log.lost().too_deep == 1);
}

TEST_CASE("closing an outer range first closes what is open in it, which then closes to nothing") {
    range_log log = survey();
    auto const a = log.open("a");
    auto const b = log.open("b");
    auto const c = log.open("c");
    CHECK(log.close(a.ticket) == 3);
    CHECK(log.close(b.ticket) == 0);
    CHECK(log.close(c.ticket) == 0);
    auto const d = log.open("d");
    CHECK(paths(log).back() == "d"); // at the top again
    CHECK(log.close(d.ticket) == 1);
    CHECK(log.end_replay_pass() == 0);
    CHECK(log.lost().out_of_order == 2);
    CHECK(log.lost().left_open == 0);
}

TEST_CASE("a scope that each replay pass leaves open, or closes out of order, is one scope") {
    range_log log = survey();
    for (int replay_pass = 1; replay_pass <= 4; ++replay_pass) {
        if (replay_pass > 1) log.begin_replay_pass();
        auto const outer = log.open("outer");
        static_cast<void>(log.open("inner"));
        CHECK(log.close(outer.ticket) == 2);
        static_cast<void>(log.open("leaked"));
        CHECK(log.end_replay_pass() == 1);
    }
    CHECK(log.lost().out_of_order == 1);
    CHECK(log.lost().left_open == 1);
}

TEST_CASE("100,000 distinct names under one range are found again, each under its own number") {
    constexpr std::uint32_t names = 100'000;
    for (bool const budget : {false, true}) {
        range_log log;
        log.reset(budget ? names + 1 : no_limit, 4, true);
        for (int replay_pass = 1; replay_pass <= 2; ++replay_pass) {
            log.begin_replay_pass();
            auto const frame = log.open("frame");
            for (std::uint32_t i = 0; i < names; ++i) {
                // In another order in the second pass, so that it has to be looked up.
                std::uint32_t const name = replay_pass == 1 ? i : names - 1 - i;
                auto const opened = log.open("step " + std::to_string(name));
                REQUIRE(opened.id == name + 1);
                REQUIRE(log.close(opened.ticket) == 1);
            }
            CHECK(log.close(frame.ticket) == 1);
            CHECK(log.end_replay_pass() == 0);
        }
        REQUIRE(log.nodes().size() == names + 1);
        std::uint32_t at = log.nodes()[log.first_root()].first_child;
        for (std::uint32_t i = 0; i < names; ++i, at = log.nodes()[at].next_sibling) REQUIRE(at == i + 1);
        CHECK(at == range_log::none);
    }
}

TEST_CASE("distinct names at the top and equal names under many parents are told apart") {
    range_log log = survey();
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 50; ++i) {
            auto const outer = log.open("frame " + std::to_string(i));
            for (int j = 0; j < 20; ++j) static_cast<void>(log.close(log.open("step " + std::to_string(j)).ticket));
            static_cast<void>(log.close(outer.ticket));
        }
    CHECK(log.nodes().size() == 50 * 21);
    CHECK(log.ranges() == 2 * 50 * 21);
    CHECK(path_of(log, log.instances()[21 * 49 + 20]) == "frame 49/step 19");
    CHECK(log.instances()[21 * 49 + 20] == log.instances()[50 * 21 + 21 * 49 + 20]);
}

TEST_CASE("the end of a replay pass closes what is open, and a scope of that replay pass closes to nothing later") {
    range_log log = survey();
    auto const a = log.open("a");
    auto const b = log.open("b");
    CHECK(log.end_replay_pass() == 2);
    CHECK(log.lost().left_open == 2);
    log.begin_replay_pass();
    auto const c = log.open("a"); // as deep and with the same place in the replay pass as the stale one
    CHECK(log.close(b.ticket) == 0);
    CHECK(log.close(a.ticket) == 0);
    CHECK(log.lost().out_of_order == 0);
    CHECK(log.close(c.ticket) == 1);
    CHECK(log.close(c.ticket) == 0);
}

TEST_CASE("a scope of an earlier collection closes to nothing in a new one") {
    range_log log = survey();
    auto const stale = log.open("a");
    static_cast<void>(log.end_replay_pass(false));
    log.reset(no_limit, 8, false);
    log.begin_replay_pass();
    auto const fresh = log.open("a");
    CHECK(stale.ticket != fresh.ticket);
    CHECK(log.close(stale.ticket) == 0);
    CHECK(log.close(fresh.ticket) == 1);
    CHECK(log.lost().left_open == 0); // reset forgets losses, too
}

TEST_CASE("no ticket is 0, which means none to a profiler") {
    range_log log = survey();
    for (int i = 0; i < 100; ++i) CHECK(log.open("a").ticket != 0);
}

TEST_CASE("an abandoned replay pass is not held against the first one") {
    range_log log = after({"a)b)"});
    log.begin_replay_pass();
    run(log, "a)");
    CHECK(log.end_replay_pass(false) == 0);
    CHECK(log.lost().differing == 0);
}

TEST_CASE("names are cut at a NUL and at the longest, counted, and stay recognisable in later replay passes") {
    std::string const too_long(10'000, 'n');
    std::string const longest(range_log::longest_name, 'n');
    range_log log = survey();
    for (int replay_pass = 1; replay_pass <= 2; ++replay_pass) {
        if (replay_pass > 1) log.begin_replay_pass();
        for (std::string const& name :
             {too_long, std::string{"a\0b", 3}, std::string{"\0", 1}, too_long + '\0', std::string{}, longest})
            CHECK(log.close(log.open(name).ticket) == 1);
        CHECK(log.end_replay_pass() == 0);
    }
    CHECK(paths(log) == std::vector<std::string>{longest, "a", "", longest, "", longest});
    CHECK(log.lost().altered_names == 4);
    CHECK(log.lost().differing == 0);
    CHECK(log.nodes().size() == 3);
}

TEST_CASE("a null name is the empty one") {
    range_log log = survey();
    CHECK(log.close(log.open(std::string_view{}).ticket) == 1);
    CHECK(paths(log) == std::vector<std::string>{""});
}

TEST_CASE("65,000 ranges in a replay pass are numbered to the last") {
    constexpr std::uint32_t ranges = 65'000;
    range_log log = survey();
    for (int replay_pass = 1; replay_pass <= 2; ++replay_pass) {
        if (replay_pass > 1) log.begin_replay_pass();
        auto const frame = log.open("frame");
        for (std::uint32_t i = 1; i < ranges; ++i) {
            auto const opened = log.open("step");
            REQUIRE(opened.id == i);
            REQUIRE(log.close(opened.ticket) == 1);
        }
        CHECK(log.close(frame.ticket) == 1);
        CHECK(log.end_replay_pass() == 0);
        if (replay_pass == 1) log.limit_to_seen();
    }
    CHECK(log.ranges() == ranges);
    CHECK(log.nodes().size() == 2);
    CHECK(log.lost().differing == 0);
    CHECK(log.lost().over_budget == 0);
}

TEST_CASE("ranges nested 60,000 deep open and close") {
    constexpr std::size_t depth = 60'000;
    range_log log = survey();
    std::vector<std::uint64_t> tickets;
    for (std::size_t i = 0; i < depth; ++i) tickets.push_back(log.open("level").ticket);
    CHECK(log.depth() == depth);
    std::size_t pops = 0;
    for (; tickets.size() > depth / 2; tickets.pop_back()) pops += log.close(tickets.back());
    CHECK(pops == depth / 2);
    CHECK(log.end_replay_pass() == depth / 2);
    CHECK(log.lost().left_open == depth / 2);
}

namespace {

// The rules in their simplest form: paths instead of nodes, everything copied.
class model {
public:
    struct entry {
        std::uint64_t ticket;
        std::string path; // of the nearest recorded range
        bool pushed;
    };
    std::size_t max_ranges, max_depth;
    bool merge;
    std::vector<entry> stack{};
    std::vector<std::string> first{};
    std::vector<std::string> now{};
    std::map<std::string, std::uint32_t> numbers{};
    std::size_t refused_first = 0, refused = 0, out_of_order = 0, out_of_order_now = 0, left_open = 0, differing = 0;
    int replay_pass = 0;

    void begin() {
        ++replay_pass;
        now.clear();
        refused = out_of_order_now = 0;
    }
    std::pair<bool, std::uint32_t> open(std::string const& name) {
        std::string const parent = stack.empty() ? "" : stack.back().path;
        if (stack.size() >= max_depth || now.size() >= max_ranges) {
            ++refused;
            stack.push_back({0, parent, false});
            return {false, 0};
        }
        std::string const path = parent + '/' + name;
        auto const number = static_cast<std::uint32_t>(now.size());
        auto const node = numbers.emplace(path, static_cast<std::uint32_t>(numbers.size())).first->second;
        now.push_back(path);
        stack.push_back({0, path, true});
        return {true, merge ? node : number};
    }
    std::size_t close(std::uint64_t ticket) {
        for (std::size_t i = 0; i < stack.size(); ++i) {
            if (stack[i].ticket != ticket) continue;
            out_of_order_now += stack.size() - i - 1;
            return pop_to(i);
        }
        return 0;
    }
    std::size_t end() {
        left_open = std::max(left_open, stack.size());
        out_of_order = std::max(out_of_order, out_of_order_now);
        if (replay_pass == 1) {
            first = now;
            refused_first = refused;
        } else if (now != first || refused != refused_first) {
            ++differing;
        }
        return pop_to(0);
    }

private:
    std::size_t pop_to(std::size_t depth) {
        std::size_t pops = 0;
        for (; stack.size() > depth; stack.pop_back()) pops += stack.back().pushed;
        return pops;
    }
};

} // namespace

TEST_CASE("any sequence of opens and closes does what the simplest model does") {
    std::size_t repeating = 0;
    std::size_t differing = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937 random{seed};
        auto const below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
        bool const merge = below(2) == 0;
        std::size_t const ranges = below(3) == 0 ? no_limit : below(30);
        std::size_t const depth = below(3) == 0 ? 0xffff : below(6);
        range_log log;
        log.reset(ranges, depth, merge);
        model expected{ranges, depth, merge};
        std::vector<std::uint64_t> tickets; // of all replay passes, closed ones too
        auto const story = random();
        for (int replay_pass = 1; replay_pass <= 4; ++replay_pass) {
            log.begin_replay_pass();
            expected.begin();
            std::mt19937 same{below(3) == 0 ? random() : story}; // most replay passes repeat the first
            std::size_t const steps = 60;
            std::size_t const at_first = tickets.size();
            for (std::size_t step = 0; step < steps; ++step) {
                auto const choice = same() % 16;
                if (choice < 7) {
                    std::string const name(1, static_cast<char>('a' + same() % 3));
                    auto const opened = log.open(name);
                    auto const [push, id] = expected.open(name);
                    expected.stack.back().ticket = opened.ticket;
                    REQUIRE(opened.push == push);
                    if (push) REQUIRE(opened.id == id);
                    tickets.push_back(opened.ticket);
                } else if (choice < 13) { // the innermost
                    if (expected.stack.empty()) continue;
                    auto const ticket = expected.stack.back().ticket;
                    REQUIRE(log.close(ticket) == expected.close(ticket));
                } else { // any of this replay pass, or now and then of all, open or not
                    auto const from = choice == 15 ? 0 : at_first;
                    auto const pick = same();
                    if (tickets.size() == from) continue;
                    auto const ticket = tickets[from + pick % (tickets.size() - from)];
                    REQUIRE(log.close(ticket) == expected.close(ticket));
                }
            }
            REQUIRE(log.end_replay_pass() == expected.end());
            REQUIRE(log.lost().differing == expected.differing);
        }
        differing += expected.differing;
        repeating += 3 - expected.differing;
        REQUIRE(log.lost().left_open == expected.left_open);
        REQUIRE(log.lost().out_of_order == expected.out_of_order);
        REQUIRE(log.lost().over_budget + log.lost().too_deep == expected.refused_first);
        auto const recorded = paths(log);
        REQUIRE(recorded.size() == expected.first.size());
        for (std::size_t i = 0; i < recorded.size(); ++i) REQUIRE('/' + recorded[i] == expected.first[i]);
    }
    CHECK(repeating > 100); // the sequences are of both kinds
    CHECK(differing > 100);
}

} // namespace range_log_test
