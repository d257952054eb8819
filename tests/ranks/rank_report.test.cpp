// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/rank_report: reports of ranks in one, by a tree, whatever some ranks lack; damaged messages.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/judge/adaptor/doctest.hpp>
#include <gpuprof/ranks.hpp>
#include <gpuprof/ranks/rank_message.hpp>

#include "support/paper_report.hpp"
#include "support/thread_ranks.hpp"

namespace rank_report_test {

namespace ranks = gpuprof::ranks;
using gpuprof::errc;

namespace {

constexpr char const* work = "smsp__inst_executed.sum";
constexpr char const* time = "gpu__time_duration.sum";

gpuprof::report paper(double instructions, double nanoseconds, std::string const& range = "step") {
    return test::paper_report{"GH100", range}.set(work, instructions).set(time, nanoseconds).range().report();
}
// What rank 0 gets.
template <class Report>
ranks::rank_report gathered(std::size_t size, Report report_of, ranks::gather_options const& options = {60'000}) {
    ranks::rank_report at_root;
    test::as_ranks(size, [&](ranks::communicator& all) {
        auto made = ranks::try_gather(all, report_of(all.rank()), options);
        if (all.rank() == 0 && made) at_root = *std::move(made);
    });
    return at_root;
}

} // namespace

TEST_CASE("try_gather: a row a range and metric has least, mean, most and where") {
    auto const all = gathered(5, [](std::size_t rank) { return paper(100, 50 + 10.0 * static_cast<double>(rank)); });
    CHECK(all.complete());
    CHECK(all.size == 5);
    CHECK(all.heard == 5);
    REQUIRE(all.rows.size() == 2);
    CHECK(all.rows[0].range == "step");
    CHECK(all.rows[0].metric.name == work);
    CHECK((all.rows[1].metric.value_unit == gpuprof::metrics::gpu_time_duration.ref().value_unit));
    auto const times = all.try_values("step", time);
    REQUIRE(times);
    CHECK(times->count() == 5);
    CHECK(times->least() == 50);
    CHECK(times->mean() == doctest::Approx(70));
    CHECK(times->most() == 90);
    CHECK(times->highest().front().rank == 4);
    REQUIRE(all.work.size() == 1);
    CHECK(all.work[0].count == 5);
    CHECK(all.place_of(3).find(", Paper GPU") != std::string_view::npos);
    auto const none = all.try_values("step", "dram__bytes_read.sum");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::not_collected);
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("rank_report: checks of the lowest and highest value of all ranks, and none where a rank is silent") {
    using gpuprof::nanoseconds;
    auto all = gathered(5, [](std::size_t rank) { return paper(100, 50 + 10.0 * static_cast<double>(rank)); });
    auto const duration = gpuprof::metrics::gpu_time_duration;
    GPUPROF_CHECK(all.least("step", duration) >= nanoseconds{50});
    GPUPROF_CHECK(all.mean("step", duration) <= nanoseconds{70});
    GPUPROF_CHECK(all.most("step", duration) <= nanoseconds{90});
    auto const too_little =
        gpuprof::judge::settled((gpuprof::judge::decomposer{} << all.most("step", duration)) <= nanoseconds{89});
    CHECK(too_little.verdict == gpuprof::verdict::fail);
    CHECK_THROWS_AS(static_cast<void>(all.most("other", duration)), gpuprof::exception);
    all.silent.push_back({3, 0});
    CHECK_THROWS_AS(static_cast<void>(all.most("step", duration)), gpuprof::exception);
}
#endif

TEST_CASE("try_gather: of 300 ranks in a tree, each is in it once") {
    auto const all = gathered(300, [](std::size_t rank) { return paper(100, static_cast<double>(rank + 1)); });
    CHECK(all.heard == 300);
    auto const times = all.try_values("step", time);
    REQUIRE(times);
    CHECK(times->count() == 300);
    CHECK(times->mean() == doctest::Approx(150.5));
    CHECK(times->most() == 300);
    CHECK(times->highest().front().rank == 299);
    CHECK(all.place_of(299) != "");
    CHECK(all.places.size() <= 64);
}

TEST_CASE("try_gather: a rank that passes on others and is silent is named with those behind it") {
    ranks::rank_report all;
    test::as_ranks(40, [&](ranks::communicator& here) { // ranks 17 to 32 send to rank 1
        if (here.rank() == 1) return;
        auto made = ranks::try_gather(here, paper(100, 1), {1'000});
        if (here.rank() == 0 && made) all = *std::move(made);
    });
    CHECK(all.heard == 23);
    REQUIRE(all.silent.size() == 1);
    CHECK(all.silent[0].rank == 1);
    CHECK(all.silent[0].behind == 16);
    REQUIRE(all.problems.size() == 1);
    CHECK(all.problems[0].code == errc::not_collected);
    CHECK(all.problems[0].what.find("rank 1 (and 16 ranks behind it)") != std::string::npos);
    CHECK(all.try_values("step", work)->count() == 23);
}

TEST_CASE("try_gather: ranks with other ranges and metrics have rows of their own, and are no problem") {
    auto const all = gathered(4, [](std::size_t rank) {
        if (rank == 2) return test::paper_report{"GH100", "edge"}.set(work, 7).range().report();
        return paper(100, 5);
    });
    CHECK(all.complete());
    CHECK(all.try_values("step", work)->count() == 3);
    CHECK(all.try_values("edge", work)->count() == 1);
    CHECK_FALSE(all.try_values("edge", time));
    REQUIRE(all.work.size() == 2);
    CHECK(all.work[0].count == 3);
    CHECK(all.work[1].first == std::vector<std::size_t>{2});
}

TEST_CASE("try_gather: a problem of a rank is told with its number") {
    auto const all = gathered(3, [](std::size_t rank) {
        auto contents = paper(100, 5).whole();
        if (rank == 1) contents.completeness.problems.push_back({errc::busy, 0, "counters are taken"});
        return gpuprof::report{contents};
    });
    REQUIRE(all.problems.size() == 1);
    CHECK(all.problems[0].code == errc::busy);
    CHECK(all.problems[0].what == "rank 1: counters are taken");
}

TEST_CASE("rank_message: a message that was cut off or changed in its length is none") {
    auto made = ranks::detail::rank_message::of(paper(1, 2), 3, true);
    std::string const bytes = made.written();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        ranks::detail::rank_message into;
        CHECK_FALSE(ranks::detail::rank_message::read(std::string_view{bytes}.substr(0, size), into));
    }
    ranks::detail::rank_message into;
    CHECK_FALSE(ranks::detail::rank_message::read(bytes + "x", into));
    ranks::detail::rank_message whole;
    REQUIRE(ranks::detail::rank_message::read(bytes, whole));
    CHECK(whole.written() == bytes);
}

TEST_CASE("rank_message: any byte may be wrong, and merging goes on") {
    auto const made = ranks::detail::rank_message::of(paper(1, 2), 3, true);
    std::string const bytes = made.written();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string wrong = bytes;
        wrong[at] = static_cast<char>(wrong[at] ^ 0x81);
        ranks::detail::rank_message into, all = ranks::detail::rank_message::of(paper(5, 6), 0, true);
        if (ranks::detail::rank_message::read(wrong, into)) all.merge(std::move(into));
        CHECK(all.rows.size() >= 2);
    }
}

TEST_CASE("rank_message: ranges beyond the room are counted, not kept") {
    ranks::detail::rank_message all;
    for (std::size_t rank = 0; rank < ranks::rank_report::most_ranges + 5;) { // as in a tree: by few large messages
        ranks::detail::rank_message part;
        for (std::size_t end = rank + 64; rank < end && rank < ranks::rank_report::most_ranges + 5; ++rank)
            part.merge(ranks::detail::rank_message::of(paper(1, 2, "own range " + std::to_string(rank)), rank, false));
        all.merge(std::move(part));
    }
    CHECK(all.ranges.size() == ranks::rank_report::most_ranges);
    CHECK(all.left_out == 5);
    CHECK(all.work.size() == 16);
}

} // namespace rank_report_test
