// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/straggler: the rank that is slower is named with its cause, from counters that do not count waiting; no alarm without one.
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/ranks.hpp>

#include "support/paper_report.hpp"
#include "support/thread_ranks.hpp"

namespace straggler_test {

namespace ranks = gpuprof::ranks;
using gpuprof::errc;
using ranks::straggler_cause;

namespace {

// A range of 100 us that keeps multiprocessors busy for half of it.
struct counters {
    double instructions = 1e6, active = 1e6, elapsed = 2e6, time = 1e5, stalls = 1e7;
};
gpuprof::report paper(counters const& of, std::string const& range = "compute") {
    return test::paper_report{"GH100", range}
        .set("smsp__inst_executed.sum", of.instructions)
        .set("sm__cycles_active.sum", of.active)
        .set("sm__cycles_elapsed.sum", of.elapsed)
        .set("gpu__time_duration.sum", of.time)
        .set("smsp__warps_issue_stalled_long_scoreboard.sum", of.stalls)
        .range()
        .report();
}
// Times and cycles vary by 1 %, counts do not.
counters noisy(std::size_t seed) {
    std::mt19937 random{static_cast<unsigned>(seed)};
    std::normal_distribution<double> near{1, 0.01};
    counters made;
    made.active *= near(random);
    made.stalls *= near(random);
    double const time = near(random);
    made.time *= time;
    made.elapsed *= time;
    return made;
}
ranks::straggler_report found_by(std::size_t size, std::function<gpuprof::report(std::size_t)> const& report_of,
                                 ranks::straggler_options options = {}) {
    options.deadline_ms = 60'000;
    ranks::straggler_report at_root;
    test::as_ranks(size, [&](ranks::communicator& all) {
        auto made = ranks::try_find_stragglers(all, report_of(all.rank()), options);
        if (all.rank() == 0 && made) at_root = *std::move(made);
    });
    return at_root;
}
// Of five ranks, the third is changed.
ranks::straggler_report with_third(std::function<void(counters&)> const& change) {
    return found_by(5, [&](std::size_t rank) {
        counters made = noisy(rank);
        if (rank == 2) change(made);
        return paper(made);
    });
}
void check_found(ranks::straggler_report const& in, straggler_cause cause) {
    REQUIRE(in.found.size() == 1);
    CHECK(in.found[0].rank == 2);
    CHECK(in.found[0].range == "compute");
    CHECK(in.found[0].place.find("Paper GPU") != std::string::npos);
    CHECK(name(in.found[0].cause) == name(cause));
    CHECK(in.problems.empty());
}

} // namespace

TEST_CASE("straggler: more work, though the wall time is that of all") {
    auto const found = with_third([](counters& of) {
        of.instructions *= 1.4;
        of.active *= 1.4;
        of.stalls *= 1.4;
    });
    check_found(found, straggler_cause::more_work);
    CHECK(found.found[0].longer == doctest::Approx(0.4).epsilon(0.1));
    CHECK(found.found[0].measured == doctest::Approx(1.4e6));
    CHECK(found.found[0].median_rank == doctest::Approx(1e6));
}

TEST_CASE("straggler: a lower clock") {
    check_found(with_third([](counters& of) { of.elapsed *= 0.8; }), straggler_cause::lower_clock);
}

TEST_CASE("straggler: a lower clock goes before a little more work, and the other way round") {
    check_found(with_third([](counters& of) {
                    of.elapsed *= 0.5;
                    of.instructions *= 1.1;
                    of.active *= 1.1;
                }),
                straggler_cause::lower_clock);
    check_found(with_third([](counters& of) {
                    of.elapsed *= 0.9;
                    of.instructions *= 1.5;
                    of.active *= 1.5;
                }),
                straggler_cause::more_work);
}

TEST_CASE("straggler: slower memory") {
    check_found(with_third([](counters& of) {
                    of.active *= 1.3;
                    of.stalls *= 1.8;
                }),
                straggler_cause::slower_memory);
}

TEST_CASE("straggler: more cycles, and nothing that explains them") {
    check_found(with_third([](counters& of) { of.active *= 1.3; }), straggler_cause::more_cycles);
}

TEST_CASE("straggler: a late host, whose range lasts longer while the multiprocessors do as much") {
    check_found(with_third([](counters& of) {
                    of.time *= 1.3;
                    of.elapsed *= 1.3;
                }),
                straggler_cause::late_host);
}

TEST_CASE("straggler: of 4 ranks the one with a clock that is 15 % lower is named in 20 of 20 runs, with times that "
          "vary by 1 %") {
    std::size_t right = 0;
    for (std::size_t run = 0; run < 20; ++run) {
        auto const in = found_by(4, [&](std::size_t rank) {
            counters of = noisy(4 * run + rank);
            if (rank == run % 4) of.time /= 0.85; // as many cycles take longer
            return paper(of);
        });
        right +=
            in.found.size() == 1 && in.found[0].rank == run % 4 && in.found[0].cause == straggler_cause::lower_clock;
    }
    CHECK(right == 20);
}

TEST_CASE("straggler: no alarm where times vary by 1 %, in 50 runs of 4 ranks") {
    std::size_t alarms = 0;
    for (std::size_t run = 0; run < 50; ++run) {
        auto const found = found_by(4, [&](std::size_t rank) { return paper(noisy(4 * run + rank)); });
        alarms += found.found.size();
        CHECK(found.problems.empty());
    }
    CHECK(alarms == 0);
}

TEST_CASE("straggler: kernels of collectives, which wait while they are active, are left out") {
    auto const found = found_by(5, [](std::size_t rank) {
        counters made;
        if (rank == 2) made.active = made.instructions = 9e6;
        return paper(made, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    });
    CHECK(found.found.empty());
}

TEST_CASE("straggler: a range that hardly counts in the time of all holds nobody up") {
    auto const both = [](std::size_t rank) { // two ranges side by side, the second of a thousandth of the first
        counters tiny{1e3, 1e3, 2e3, 1e2, 1e4};
        if (rank == 2) tiny.instructions = tiny.active = 2e3;
        auto contents = paper({}).whole();
        auto const other = paper(tiny, "tiny").whole();
        contents.ranges.push_back(other.ranges[0]);
        contents.ranges[1].rows = {1};
        contents.values.insert(contents.values.end(), other.values.begin(), other.values.end());
        return gpuprof::report{contents};
    };
    CHECK(found_by(5, both).found.empty());
    ranks::straggler_options all;
    all.least_share = 0;
    CHECK(found_by(5, both, all).found.size() == 1);
}

TEST_CASE("straggler: too few ranks, or metrics that are missing, are told") {
    auto const two = found_by(2, [](std::size_t rank) { return paper({rank == 0 ? 1e6 : 2e6}); });
    CHECK(two.found.empty());
    REQUIRE(two.problems.size() == 1);
    CHECK(two.problems[0].code == errc::not_collected);
    auto const without = found_by(
        4, [](std::size_t) { return test::paper_report{}.set("smsp__inst_executed.sum", 5).range().report(); });
    REQUIRE(without.problems.size() == 1);
    CHECK(without.problems[0].cause.find("gpu__time_duration.sum") != std::string::npos);
    auto const needed = ranks::try_straggler_metrics();
    REQUIRE(needed);
    CHECK(needed->size() == 5);
}

} // namespace straggler_test
