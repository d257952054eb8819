// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// judge/rank_checks: all ranks have the same outcome, which names the ranks that do not pass.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <gpuprof/judge/comparison.hpp>
#include <gpuprof/judge/rank_checks.hpp>
#include <gpuprof/ranks.hpp>

#include "support/thread_ranks.hpp"

namespace rank_checks_test {

namespace judge = gpuprof::judge;
namespace ranks = gpuprof::ranks;
using gpuprof::outcome;
using gpuprof::verdict;

namespace {
// What each rank has after `mine(rank)` was checked on all.
template <class Mine>
std::vector<outcome> on_ranks(std::size_t size, Mine mine, unsigned deadline_ms = 60'000, std::size_t silent = 1000) {
    std::vector<outcome> got(size);
    test::as_ranks(size, [&](ranks::communicator& all) {
        if (all.rank() != silent) got[all.rank()] = judge::of_all_ranks(all, mine(all.rank()), deadline_ms);
    });
    return got;
}
// As GPUPROF_CHECK(value <= 4) has it.
outcome at_most_four(double value) { return judge::compared({value}, judge::relation::at_most, {4}); }
} // namespace

TEST_CASE("checks of ranks: they pass where each passes, also over two levels of the tree") {
    for (std::size_t const size : {1u, 4u, 20u})
        for (outcome const& each : on_ranks(size, [](std::size_t) { return at_most_four(4); })) {
            CHECK(each.verdict == verdict::pass);
            CHECK(each.expanded == std::to_string(size) + " of " + std::to_string(size) + " ranks pass");
        }
}

TEST_CASE("checks of ranks: one that fails makes it fail on all, and is named with its value") {
    for (outcome const& each : on_ranks(4, [](std::size_t rank) { return at_most_four(rank == 2 ? 5.5 : 1); })) {
        CHECK(each.verdict == verdict::fail);
        CHECK(each.expanded == "3 of 4 ranks pass\nrank 2: 5.5 <= 4");
    }
    // Of many the lowest four are told.
    auto const many = on_ranks(20, [](std::size_t) { return at_most_four(7); });
    CHECK(many[19].expanded == "0 of 20 ranks pass\nrank 0: 7 <= 4\nrank 1: 7 <= 4\nrank 2: 7 <= 4\nrank 3: 7 <= 4");
}

TEST_CASE("checks of ranks: inconclusive on one is inconclusive on all, but a failure counts more") {
    outcome const unknown{verdict::inconclusive, "? <= 4", "it was not measured", {}};
    for (outcome const& each : on_ranks(3, [&](std::size_t rank) { return rank == 1 ? unknown : at_most_four(1); })) {
        CHECK(each.verdict == verdict::inconclusive);
        CHECK(each.expanded.find("rank 1: ? <= 4") != std::string::npos);
    }
    for (outcome const& each : on_ranks(3, [&](std::size_t rank) { return rank == 1 ? unknown : at_most_four(9); }))
        CHECK(each.verdict == verdict::fail);
}

TEST_CASE(
    "checks of ranks: a silent rank makes it inconclusive on the others, in time, and a call that fails does too") {
    auto const got = on_ranks(
        3, [](std::size_t) { return at_most_four(1); }, 100, 2);
    for (std::size_t const rank : {0u, 1u}) {
        CHECK(got[rank].verdict == verdict::inconclusive);
        CHECK(got[rank].reason.find("rank 2") != std::string::npos);
    }
    for (std::size_t const faulty : {0u, 1u})
        for (unsigned fails = 0; fails < 6; ++fails) {
            std::vector<outcome> each(3);
            bool const is_made = fails < (faulty == 0 ? 4u : 2u); // rank 0 hears two and answers two
            test::as_ranks(3, [&](ranks::communicator& good) {
                test::failing_ranks all{good, good.rank() == faulty ? fails : 1000};
                each[all.rank()] = judge::of_all_ranks(all, at_most_four(1), is_made ? 40 : 60'000);
            });
            std::size_t inconclusive = 0;
            for (outcome const& found : each) inconclusive += found.verdict == verdict::inconclusive ? 1 : 0;
            INFO("rank ", faulty, ", call ", fails);
            CHECK((inconclusive > 0) == is_made);
        }
}

} // namespace rank_checks_test
