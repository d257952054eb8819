// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/communicator, folder_communicator, tree: messages and agreements of ranks, and who is named when one is silent.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/ranks.hpp>
#include <gpuprof/ranks/tree.hpp>

#include "support/scratch_directory.hpp"
#include "support/thread_ranks.hpp"

namespace communicator_test {

namespace ranks = gpuprof::ranks;
using gpuprof::errc;

namespace {

// The same work over files.
template <class Work>
void over_folder(std::string const& folder, std::size_t size, Work work) {
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            auto all = ranks::folder_communicator::try_create(folder, rank, size);
            if (all) work(*all);
        });
    for (std::thread& each : threads) each.join();
}

unsigned milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return static_cast<unsigned>(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count());
}

} // namespace

TEST_CASE("communicator: each call of a rank fails in turn, and all ranks come back with an error or a name") {
    for (std::size_t const faulty : {0u, 1u})
        for (unsigned fails = 0; fails < 6; ++fails) {
            std::atomic<unsigned> told{0}, back{0};
            test::as_ranks(3, [&](ranks::communicator& good) {
                test::failing_ranks bad{good, good.rank() == faulty ? fails : 1000};
                ranks::communicator& all = bad;
                if (!all.try_barrier(200)) ++told;
                auto const made = ranks::try_gather(all, gpuprof::report{}, {200});
                if (!made || !made->complete()) ++told;
                ++back;
            });
            INFO("rank ", faulty, ", call ", fails);
            CHECK(back == 3);
            // Rank 0 makes two calls to hear the others, two to answer, and two for the reports; rank 1 half of them.
            bool const is_made = fails < (faulty == 0 ? 6u : 3u);
            CHECK((told > 0) == is_made);
        }
}

TEST_CASE("folder_communicator: the first of the list gets each rank's bytes, in order, and nothing is left") {
    scratch_directory const folder;
    std::string const place = folder.path() + "/new";
    std::vector<std::string> got;
    over_folder(place, 3, [&](ranks::communicator& all) {
        std::size_t const list[]{1, 2, 0};
        std::string const mine = "from " + std::to_string(all.rank()) + std::string(5000, '\0') + "\xff";
        auto const here = all.try_gather({7, mine, list, 60'000});
        if (!here) return;
        if (all.rank() == 1)
            for (auto const& each : *here) got.push_back(each ? *each : "missing");
        else if (!here->empty()) got.push_back("a sender got something");
    });
    REQUIRE(got.size() == 3);
    CHECK(got[0] == "from 1" + std::string(5000, '\0') + "\xff");
    CHECK(got[1] == "from 2" + std::string(5000, '\0') + "\xff");
    CHECK(got[2] == "from 0" + std::string(5000, '\0') + "\xff");
    CHECK(folder.files() == 1); // the empty folder
}

TEST_CASE("folder_communicator: a rank that is silent costs the deadline and is named") {
    scratch_directory const folder;
    auto all = ranks::folder_communicator::try_create(folder.path(), 0, 3);
    REQUIRE(all);
    std::size_t const list[]{0, 1, 2};
    auto const begin = std::chrono::steady_clock::now();
    auto const got = all->try_gather({1, "mine", list, 50});
    CHECK(milliseconds_since(begin) >= 50);
    REQUIRE(got);
    REQUIRE(got->size() == 3);
    CHECK(*(*got)[0] == "mine");
    REQUIRE_FALSE((*got)[2]);
    CHECK((*got)[2].error().code == errc::not_collected);
    CHECK((*got)[2].error().what.find("rank 2") != std::string::npos);
}

TEST_CASE("folder_communicator: a wrong rank, no folder, and messages of an earlier run are told") {
    scratch_directory const folder;
    auto const wrong = ranks::folder_communicator::try_create(folder.path(), 2, 2);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == errc::invalid_argument);
    auto const nowhere = ranks::folder_communicator::try_create(folder.path() + "/no/folder", 0, 2);
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().code == errc::io);
    {
        auto earlier = ranks::folder_communicator::try_create(folder.path(), 1, 2);
        REQUIRE(earlier);
        std::size_t const list[]{0, 1};
        REQUIRE(earlier->try_gather({1, "late", list, 10}));
    }
    auto const later = ranks::folder_communicator::try_create(folder.path(), 1, 2);
    REQUIRE_FALSE(later);
    CHECK(later.error().code == errc::invalid_state);
    CHECK(ranks::folder_communicator::try_create(folder.path(), 0, 2)); // whose messages they are not
}

TEST_CASE("tree: each rank but the first sends to one, and the deadline is longer further up") {
    for (std::size_t const size : {1u, 2u, 17u, 18u, 300u, 4'500u}) {
        std::size_t senders = 0;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const below = ranks::detail::tree_place{rank, size}.below();
            senders += below.size() - 1;
            std::size_t counted = 1;
            for (std::size_t i = 1; i < below.size(); ++i) {
                CHECK(ranks::detail::tree_place{below[i], size}.parent() == rank);
                counted += ranks::detail::tree_place{below[i], size}.ranks();
                CHECK(ranks::detail::tree_place{below[i], size}.height() <
                      ranks::detail::tree_place{rank, size}.height());
            }
            CHECK(ranks::detail::tree_place{rank, size}.ranks() == counted);
        }
        CHECK(senders == size - 1);
    }
    CHECK(ranks::detail::tree_place{0, 17}.height() == 1);
    CHECK(ranks::detail::tree_place{0, 10'000}.height() == 4);
}

TEST_CASE("barrier: nobody is past it before all have come, by a communicator of the program's own") {
    std::atomic<unsigned> came{0};
    std::atomic<unsigned> early{0};
    test::as_ranks(40, [&](ranks::communicator& all) {
        ++came;
        auto const passed = all.try_barrier(60'000);
        if (!passed || came != 40) ++early;
    });
    CHECK(came == 40);
    CHECK(early == 0);
}

TEST_CASE("barrier: a rank that does not come is named on the others, and they go on after the deadline") {
    std::atomic<unsigned> named{0};
    auto const begin = std::chrono::steady_clock::now();
    test::as_ranks(4, [&](ranks::communicator& all) {
        if (all.rank() == 2) return;
        auto const passed = all.try_barrier(300);
        if (!passed && passed.error().code == errc::not_collected &&
            passed.error().what.find("rank 2 ") != std::string::npos)
            ++named;
    });
    CHECK(named == 3);
    CHECK(milliseconds_since(begin) >= 300);
}

TEST_CASE("agreement: true if it is of any rank, false if of none") {
    std::atomic<unsigned> right{0};
    test::as_ranks(20, [&](ranks::communicator& all) {
        auto const any = ranks::detail::agree(all, 1, all.rank() == 19, 60'000);
        auto const none = ranks::detail::agree(all, 2, false, 60'000);
        if (any.any && any.silent.empty() && !none.any && none.silent.empty()) ++right;
    });
    CHECK(right == 20);
}

TEST_CASE("silent ranks: a text has up to eight of them, and ranks behind them") {
    CHECK(ranks::text_of({{3, 0}}) == "rank 3");
    CHECK(ranks::text_of({{3, 0}, {5, 16}}) == "rank 3 and rank 5 (and 16 ranks behind it)");
    std::vector<ranks::silent_rank> many;
    for (std::size_t i = 0; i < 10; ++i) many.push_back({i, 0});
    CHECK(ranks::text_of(many) == "rank 0, rank 1, rank 2, rank 3, rank 4, rank 5, rank 6, rank 7 and 2 others");
}

} // namespace communicator_test
